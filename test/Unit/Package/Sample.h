// A small package that uses every field once: the tests change one thing in it.
#ifndef TILEWRIGHT_TEST_PACKAGE_SAMPLE_H
#define TILEWRIGHT_TEST_PACKAGE_SAMPLE_H

#include "Tilewright/Package/Package.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::package {

/// A folder that goes away with its files at the end of the test.
struct ScratchFolder {
  std::string path;
  ScratchFolder() {
    char name[] = "/tmp/tilewright-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~ScratchFolder() {
    if (std::system(("rm -rf '" + path + "'").c_str()) != 0)
      std::perror("rm");
  }
  std::string file(const std::string &name) const { return path + "/" + name; }
};

inline std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline Package samplePackage() {
  Package p;
  p.program = "sample";
  p.driverFloor = 12030;
  Kernel add;
  add.name = "add";
  add.images = {{"sm_80", ImageKind::Cubin, "cubin for 80", 24, 0},
                {"sm_90a", ImageKind::Ptx, ".version 8.0 // ptx", -1, -1}};
  add.block = {128, 1, 1};
  add.dynamicSharedBytes = 1024;
  add.sourceNodes = {"/Add", "/Mul"};
  add.anchor = "elementwise";
  add.bound = "memory";
  add.flops = 100, add.bytesRead = 800, add.bytesWritten = 400;
  add.modelledMicroseconds = 1.5, add.occupancy = 0.75;
  Kernel twin = add;
  twin.name = "twin"; // The same images: stored once.
  p.kernels = {add, twin};
  p.weights = {{"w", DType::F32, {4, 5}, 80}, {"packed", DType::BF16, {3}, 100}};

  for (int64_t batch : {1, 8}) {
    Entry e;
    e.name = "main[batch=" + std::to_string(batch) + "]";
    e.bucket = {{"batch", batch}};
    Tensor x{"x", DType::F32, {batch, 5}, {"batch", ""}, PaddingRule::Fill, ""};
    Tensor mask{"mask", DType::I64, {batch}, {"batch"}, PaddingRule::Fill, std::string(8, '\1')};
    Tensor y{"y", DType::F32, {batch, 5}, {"batch", ""}, PaddingRule::Exact, ""};
    e.inputs = {x, mask};
    e.outputs = {y};
    e.arenaBytes = 4096;
    e.workspaceBytes = 512;
    Launch clear;
    clear.kind = LaunchKind::Memset;
    clear.destination = {AddressBase::Arena, 0, 0};
    clear.bytes = 64, clear.value = 7, clear.elementBytes = 4;
    Launch first;
    first.kernel = 0;
    first.grid = {4, 2, 1}, first.block = {128, 1, 1}, first.cluster = {2, 1, 1}, first.sharedBytes = 1024;
    TensorMap map;
    map.dataType = 7, map.rank = 2, map.base = {AddressBase::Weight, 0, 0};
    map.dims = {4, 4}, map.strides = {16}, map.box = {4, 4}, map.swizzle = 1;
    first.parameters = {Parameter::arena(128),    Parameter::weight(1, 16),   Parameter::input(0),
                        Parameter::output(0),     Parameter::value<float>(2), Parameter::trueDim(0, 4),
                        Parameter::tensorMap(map)};
    first.dependencies = {{0, false}};
    first.sourceNodes = {"/Add"};
    Launch narrow = first; // For another chip.
    narrow.kernel = 1, narrow.grid = {8, 1, 1}, narrow.block = {64, 1, 1}, narrow.cluster = {1, 1, 1};
    narrow.sourceNodes.clear();
    narrow.parameters.pop_back();
    first.variants = {narrow};
    Launch second = first;
    second.variants.clear();
    second.kernel = 1;
    second.cluster = {1, 1, 1};
    second.parameters.push_back(Parameter::pointer({AddressBase::Workspace, 0, 256}));
    second.dependencies = {{1, true}, {0, false}}; // The writer sorts them.
    Launch copy;
    copy.kind = LaunchKind::Memcpy;
    copy.destination = {AddressBase::Output, 0, 0}, copy.source = {AddressBase::Arena, 0, 128};
    copy.bytes = uint64_t(batch) * 20;
    copy.dependencies = {{2, false}};
    e.launches = {clear, first, second, copy};
    p.entries.push_back(e);
  }
  p.golden = {{0, false, 0, std::string(20, 'x'), 0, 0}, {0, true, 0, std::string(20, 'y'), 1e-3, 1e-5}};
  p.emulation = "bytecode of the target stage";
  p.manifest = {{"input.hash", "123"}, {"options", "--precision=fp32"}};
  return p;
}

/// Streams weight i as bytes that differ from weight to weight, in pieces of seven.
inline bool sampleWeights(size_t index, const ByteSink &sink, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes;) {
    char piece[7];
    size_t n = 0;
    for (; n < sizeof piece && i < bytes; ++n, ++i)
      piece[n] = char(i * 31 + index * 7 + 1);
    if (!sink(piece, n))
      return false;
  }
  return true;
}

inline WeightSource sampleWeightSource(const Package &p) {
  return [&p](size_t i, const ByteSink &sink, std::string &) {
    return sampleWeights(i, sink, p.weights[i].bytes);
  };
}

} // namespace tilewright::package

#endif // TILEWRIGHT_TEST_PACKAGE_SAMPLE_H
