// Each rule of the table refuses a package that breaks it, with a sentence that names the place and the
// numbers.
#include "Sample.h"

#include <gtest/gtest.h>

using namespace tilewright::package;

namespace {
struct Rule {
  const char *name;
  void (*spoil)(Package &);
  const char *sentence; ///< A part of it.
};
} // namespace

static const Rule kRules[] = {
    {"NoEntry",
     [](Package &p) {
       p.entries.clear();
       p.golden.clear();
     },
     "the package has no entry"},
    {"KernelIndex", [](Package &p) { p.entries[0].launches[1].kernel = 2; },
     "entry 'main[batch=1]', launch 1 is of kernel 2, of which there are 2"},
    {"ArenaRange", [](Package &p) { p.entries[0].launches[1].parameters[0] = Parameter::arena(4097); },
     "launch 1 refers to bytes 4097 to 4097 of the arena 0, which has 4096"},
    {"WorkspaceRange", [](Package &p) { p.entries[0].launches[2].parameters[7].address.offset = 513; },
     "launch 2 refers to bytes 513 to 513 of the workspace 0, which has 512"},
    {"WeightIndex", [](Package &p) { p.entries[1].launches[2].parameters[1] = Parameter::weight(2); },
     "entry 'main[batch=8]', launch 2 refers to weight 2, of which there are 2"},
    {"WeightOffset", [](Package &p) { p.entries[0].launches[1].parameters[1] = Parameter::weight(1, 101); },
     "of weight 1, which has 100"},
    {"InputSlot", [](Package &p) { p.entries[0].launches[1].parameters[2] = Parameter::input(2); },
     "refers to input 2, of which there are 2"},
    {"OutputSlot", [](Package &p) { p.entries[0].launches[1].parameters[3] = Parameter::output(1); },
     "refers to output 1, of which there are 1"},
    {"MemcpyRange", [](Package &p) { p.entries[0].launches[3].bytes = 21; }, "bytes 0 to 21 of output 0"},
    {"MemcpyNothing", [](Package &p) { p.entries[0].launches[3].bytes = 0; }, "moves no bytes"},
    {"MemcpyToWeight", [](Package &p) { p.entries[0].launches[3].destination.base = AddressBase::Weight; },
     "writes to a weight or an input"},
    {"MemsetElement", [](Package &p) { p.entries[0].launches[0].elementBytes = 3; },
     "sets 64 bytes in elements of 3"},
    {"GridZero", [](Package &p) { p.entries[0].launches[1].grid[1] = 0; }, "a grid of 4x0x1 blocks"},
    {"BlockLarge", [](Package &p) { p.entries[0].launches[1].block = {1025, 1, 1}; },
     "a block of 1025x1x1 threads"},
    {"ClusterDivides", [](Package &p) { p.entries[0].launches[1].cluster = {3, 1, 1}; },
     "clusters of 3x1x1 blocks"},
    {"DependsOnLater", [](Package &p) { p.entries[0].launches[1].dependencies = {{1, false}}; },
     "launch 1 depends on launch 1"},
    {"DependsTwice", [](Package &p) { p.entries[0].launches[2].dependencies = {{1, false}, {1, true}}; },
     "depends on launch 1: dependencies are in rising order"},
    {"ProgrammaticFromMemset", [](Package &p) { p.entries[0].launches[1].dependencies = {{0, true}}; },
     "programmatic edge from launch 0: both ends must be kernels"},
    {"TrueDimIndex", [](Package &p) { p.entries[0].launches[1].parameters[5].dim = 1; },
     "takes bucket dimension 1, of which there are 1"},
    {"TrueDimBytes", [](Package &p) { p.entries[0].launches[1].parameters[5].scalarBytes = 2; },
     "a dimension parameter of 2 bytes"},
    {"ScalarEmpty", [](Package &p) { p.entries[0].launches[1].parameters[4].scalar.clear(); },
     "a scalar parameter of 0 bytes"},
    {"ParameterBytes",
     [](Package &p) {
       Parameter big;
       big.kind = ParameterKind::Scalar;
       big.scalar.assign(4096, 'x');
       p.entries[0].launches[1].parameters.assign(8, big);
     },
     "has 32768 bytes of parameters; 32764 are possible"},
    {"MapRank", [](Package &p) { p.entries[0].launches[1].parameters[6].map.rank = 6; },
     "tensor map of rank 6"},
    {"MapExtent", [](Package &p) { p.entries[0].launches[1].parameters[6].map.strides[0] = 32; },
     "refers to bytes 0 to 112 of weight 0, which has 80"},
    {"MapType", [](Package &p) { p.entries[0].launches[1].parameters[6].map.dataType = 13; },
     "tensor map of data type 13"},
    {"MapBox", [](Package &p) { p.entries[0].launches[1].parameters[6].map.box[0] = 3; },
     "a tensor map whose box has 12 bytes in dimension 0"},
    {"MapSwizzle", [](Package &p) { p.entries[0].launches[1].parameters[6].map.box[0] = 12; },
     "a tensor map whose box has 48 bytes in dimension 0: a multiple of 16 is possible, and 32 with its"},
    {"MapOffset", [](Package &p) { p.entries[0].launches[1].parameters[6].map.base.offset = 8; },
     "a tensor map 8 bytes into its tensor"},
    {"VariantKind", [](Package &p) { p.entries[0].launches[1].variants[0].kind = LaunchKind::Memset; },
     "launch 1 has a variant that is no kernel"},
    {"VariantOfVariant",
     [](Package &p) {
       std::vector<Launch> inner = p.entries[0].launches[1].variants;
       p.entries[0].launches[1].variants[0].variants = inner;
     },
     "launch 1 has a variant that is no kernel, or has variants itself"},
    {"VariantKernel", [](Package &p) { p.entries[0].launches[1].variants[0].kernel = 9; },
     "launch 1 is of kernel 9"},
    {"VariantEdges", [](Package &p) { p.entries[0].launches[1].variants[0].dependencies.clear(); },
     "launch 1 has a variant that waits for 0 launches, not 1"},
    {"BlockOfKernel", [](Package &p) { p.kernels[0].block = {0, 1, 1}; },
     "kernel 'add' has a block of 0x1x1"},
    {"ArchName", [](Package &p) { p.kernels[0].images[0].arch = "hopper"; },
     "image for 'hopper', which is no arch"},
    {"EmptyImage", [](Package &p) { p.kernels[0].images[0].bytes.clear(); },
     "the sm_80 image of kernel 'add'"},
    {"KernelName", [](Package &p) { p.kernels[0].name.clear(); }, "a kernel has an empty name"},
    {"ZeroByteInName", [](Package &p) { p.entries[0].inputs[0].name = std::string("x\0y", 3); },
     "holds a zero byte"},
    {"WeightShape", [](Package &p) { p.weights[0].shape = {-1}; }, "weight 'w' has no sound shape"},
    {"SymbolUnknown", [](Package &p) { p.entries[0].inputs[0].symbols = {"rows", ""}; },
     "has the symbol 'rows', which is no dimension of its bucket"},
    {"SymbolSize", [](Package &p) { p.entries[1].inputs[0].shape = {9, 5}; },
     "dimension 0 of tensor 'x' is 9, not the size of its bucket dimension"},
    {"PaddingBytes", [](Package &p) { p.entries[0].inputs[0].paddingValue = "ab"; },
     "padding value of 2 bytes, an element has 4"},
    {"SameNames", [](Package &p) { p.entries[0].outputs[0].name = "x"; }, "two inputs or outputs named 'x'"},
    {"SignatureDtype",
     [](Package &p) {
       p.entries[1].outputs[0].dtype = DType::F16;
       p.entries[1].launches.pop_back();
     },
     "output 0 of entry 'main[batch=8]' differs"},
    {"GoldenBytes", [](Package &p) { p.golden[0].bytes.pop_back(); }, "a golden tensor (slot 0, 19 bytes)"},
    {"GoldenEntry", [](Package &p) { p.golden[0].entry = 2; }, "a golden tensor is of entry 2"},
    {"ShapeOverflow", [](Package &p) { p.entries[0].inputs[1].shape = {int64_t(1) << 40, int64_t(1) << 40}; },
     "tensor 'mask' of entry 'main[batch=1]' has no sound shape"},
};

TEST(Rules, TheSampleIsSound) { EXPECT_EQ(checkPackage(samplePackage()), ""); }

TEST(Rules, EachRefusesWhatBreaksIt) {
  for (const Rule &rule : kRules) {
    Package p = samplePackage();
    rule.spoil(p);
    std::string sentence = checkPackage(p);
    EXPECT_NE(sentence.find(rule.sentence), std::string::npos) << rule.name << ": '" << sentence << "'";
  }
}

TEST(Rules, HoldBeforeAnyFileIsMade) {
  ScratchFolder folder;
  Package p = samplePackage();
  p.entries[0].launches[1].kernel = 2;
  EXPECT_NE(writePackage(p, sampleWeightSource(p), folder.file("a.tw")), "");
  EXPECT_NE(access(folder.file("a.tw").c_str(), F_OK), 0);
}

TEST(Rules, AnExternalFileIsAPlainName) {
  ScratchFolder folder;
  Package p = samplePackage();
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw"), {"../w"}),
            "the external weight file is not a plain file name");
}
