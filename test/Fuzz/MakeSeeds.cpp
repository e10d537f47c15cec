// Writes the seeds that the fuzz targets start from: DIR/<target>/<seed>. Models come from test/Import, which
// utils/fuzz converts. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Unit/Package/Sample.h"

#include "Npy.h"
#include "Tilewright/Package/Reproducer.h"

#include <filesystem>

using namespace tilewright;

static std::string safetensors(std::string header, size_t bytes) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += char(header.size() >> (8 * i));
  return file + header + std::string(bytes, '\x3f');
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::filesystem::path root = argv[1];
  auto seed = [&](const char *target, const char *name, const std::string &bytes) {
    std::filesystem::create_directories(root / target);
    package::writeFile((root / target / name).string(), bytes);
  };
  for (bool external : {false, true}) {
    package::ScratchFolder scratch;
    package::Package sample = package::samplePackage();
    package::WriteOptions options;
    if (external)
      options.externalWeights = "sample.weights";
    std::string error =
        package::writePackage(sample, package::sampleWeightSource(sample), scratch.file("a.tw"), options);
    if (!error.empty()) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return 1;
    }
    seed("Package", external ? "external" : "embedded", package::readFile(scratch.file("a.tw")));
  }
  for (twrt_dtype dtype : {TWRT_F32, TWRT_BF16, TWRT_I64, TWRT_BOOL})
    for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {0}, {2, 3}})
      seed("Npy", (std::string(twrt_dtype_name(dtype)) + "-" + std::to_string(shape.size())).c_str(),
           run::npyBytes(run::makeTensor("x", dtype, shape)));
  seed("Arguments", "run",
       "model.tw\n--input\nx=random:3\n--input\ny=a.npy\n--output\nout\n--device=emulator\n--json");
  seed("Arguments", "check",
       "model.tw\n--expect\ny=y.npy\n--rtol=1e-3\n--atol\n1e-5\n--entry\n0\n--repeat=3");
  seed("Arguments", "time",
       "model.tw\n--benchmark=0.5\n--profile\n--weights\nrandom:1\n--threads=2\n--seed\n7");
  seed("Arguments", "help", "--help\n--version\n--list");
  // Four fields, each a length and its bytes; the mutator puts the hash right.
  auto field = [](const std::string &text) {
    return std::string(1, char(text.size())) + std::string(7, 0) + text;
  };
  seed("Cache", "reply",
       "TWCACHE2" + std::string(64, '0') + field("") + field(".version 8.7") +
           field("\x7f"
                 "ELF") +
           field("info"));
  seed("Cache", "empty", "TWCACHE2" + std::string(64, '0') + field("") + field("") + field("") + field(""));
  seed("Flags", "one", "x=1x128\nids=[1,8,32]x[16,64,128]\ns=\nsm_90a");
  seed("Flags", "two", "a=b=[2]x3\nx=[1,2]x4x4\nsm_100a\nsm_80");
  seed("Safetensors", "one", safetensors(R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", 24));
  seed("Safetensors", "two",
       safetensors(R"({"__metadata__":{"a":"b"},"v":{"dtype":"BF16","shape":[],"data_offsets":[24,26]},)"
                   R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})",
                   26));
  std::string record =
      " matmul 64x64x64 bf16,bf16:bf16 content=0123456789abcdef us=3.25 spread=0.5 model=3 "
      "gpu=\"NVIDIA H200\" driver=580.1 commit=cf510a6 schedule=#tile.schedule<tile = [64, 64]>\n";
  seed("Records", "two",
       "# tilewright tuning records, version 1\nsm_90a" + record + "# a comment\n\nsm_100a" + record);
  package::ScratchFolder scratch;
  Reproducer reproducer{"tw-run", "stage: run\n", {"{}/model.tw", "--input=x=zeros"}, {}, "it failed\n"};
  reproducer.files = {bundleFile("model.tw", "abcdefghij", {{2, 3}, {7, 1}}), bundleFile("x.npy", "")};
  if (!writeReproducer(scratch.file("a.repro"), reproducer).empty())
    return 1;
  seed("Reproducer", "one", package::readFile(scratch.file("a.repro")));
  return 0;
}
