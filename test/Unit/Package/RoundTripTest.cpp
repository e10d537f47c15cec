// What is written is read back field by field, twice the same bytes, streamed, and never half.
#include "Sample.h"
#include "Tilewright/Package/Hash.h"
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

#include <gtest/gtest.h>

#include <dirent.h>

using namespace tilewright::package;

/// One line for each field, so that a difference shows where.
static std::string describe(const Package &p) {
  std::string s = p.program + " " + std::to_string(p.driverFloor) + "\n";
  auto num = [](auto v) { return std::to_string(v) + " "; };
  auto dims = [&](const auto &v) {
    std::string t;
    for (auto d : v)
      t += num(d);
    return t;
  };
  auto addr = [&](const Address &a) { return num(unsigned(a.base)) + num(a.index) + num(a.offset); };
  for (const Kernel &k : p.kernels) {
    s += "kernel " + k.name + " " + k.anchor + " " + k.bound + " " + dims(k.block) +
         num(k.dynamicSharedBytes) + num(k.flops) + num(k.bytesRead) + num(k.bytesWritten) +
         num(k.modelledMicroseconds) + num(k.occupancy);
    for (const std::string &n : k.sourceNodes)
      s += n + " ";
    for (const Image &i : k.images)
      s += i.arch + num(unsigned(i.kind)) + i.bytes + num(i.registers) + num(i.spillBytes);
    s += "\n";
  }
  for (const Weight &w : p.weights)
    s += "weight " + w.name + num(unsigned(w.dtype)) + dims(w.shape) + num(w.bytes) + "\n";
  for (const Entry &e : p.entries) {
    s += "entry " + e.name + num(e.arenaBytes) + num(e.workspaceBytes);
    for (const BucketDim &d : e.bucket)
      s += d.name + num(d.size);
    for (const auto *tensors : {&e.inputs, &e.outputs})
      for (const Tensor &t : *tensors) {
        s += "\n  tensor " + t.name + num(unsigned(t.dtype)) + dims(t.shape) + num(unsigned(t.padding)) +
             t.paddingValue;
        for (const std::string &symbol : t.symbols)
          s += "'" + symbol + "'";
      }
    std::function<void(const Launch &)> addLaunch = [&](const Launch &l) {
      s += "\n  launch " + num(unsigned(l.kind)) + num(l.kernel) + dims(l.grid) + dims(l.block) +
           dims(l.cluster) + num(l.sharedBytes) + addr(l.destination) + addr(l.source) + num(l.bytes) +
           num(l.value) + num(l.elementBytes);
      std::map<uint32_t, bool> edges;
      for (const Dependency &d : l.dependencies)
        edges[d.launch] = d.programmatic;
      for (auto [launch, programmatic] : edges)
        s += "after " + num(launch) + num(programmatic);
      for (const Parameter &q : l.parameters)
        s += "(" + num(unsigned(q.kind)) + addr(q.address) + q.scalar + num(q.dim) + num(q.scalarBytes) +
             num(q.map.rank) + num(q.map.dataType) + addr(q.map.base) + dims(q.map.dims) +
             dims(q.map.strides) + dims(q.map.box) + dims(q.map.elementStrides) + num(q.map.swizzle) + ")";
      for (const std::string &n : l.sourceNodes)
        s += n + " ";
      for (const Launch &variant : l.variants) {
        s += "\n    or";
        addLaunch(variant);
      }
    };
    for (const Launch &l : e.launches)
      addLaunch(l);
    s += "\n";
  }
  for (const GoldenTensor &g : p.golden)
    s += "golden " + num(g.entry) + num(g.output) + num(g.slot) + g.bytes + num(g.rtol) + num(g.atol) + "\n";
  for (const auto &[key, value] : p.manifest)
    s += key + "=" + value + "\n";
  return s + p.emulation;
}

static std::vector<std::string> filesIn(const std::string &folder) {
  std::vector<std::string> names;
  DIR *dir = opendir(folder.c_str());
  while (dirent *item = readdir(dir))
    if (item->d_name[0] != '.')
      names.push_back(item->d_name);
  closedir(dir);
  return names;
}

TEST(RoundTrip, GivesEveryFieldBack) {
  ScratchFolder folder;
  Package p = samplePackage(), back;
  WriteSummary summary;
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw"), {}, &summary), "");
  ASSERT_EQ(readPackage(folder.file("a.tw"), back), "");
  EXPECT_EQ(describe(back), describe(p));
  EXPECT_EQ(summary.packageBytes, readFile(folder.file("a.tw")).size());
  EXPECT_EQ(summary.weightBytes, 512u); // 80 and 100 bytes, each from a multiple of 256.
  EXPECT_EQ(summary.imageBytes, 128u);  // Two distinct images of four.
}

TEST(RoundTrip, GivesTheSameBytesTwice) {
  ScratchFolder folder;
  Package p = samplePackage(), q = samplePackage();
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw")), "");
  ASSERT_EQ(writePackage(q, sampleWeightSource(q), folder.file("another-name.tw")), "");
  EXPECT_EQ(readFile(folder.file("a.tw")), readFile(folder.file("another-name.tw")));
}

TEST(RoundTrip, MapsWeightsAtAlignedOffsets) {
  ScratchFolder folder;
  Package p = samplePackage();
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw")), "");
  PackageView view;
  ReadError error;
  ASSERT_TRUE(openPackage(folder.file("a.tw").c_str(), view, error)) << error.message;
  const fb::Weight &w = *view.table->weights()->Get(1);
  const uint8_t *data = view.weightData() + w.offset();
  EXPECT_EQ((data - view.base) % 256, 0);
  for (uint64_t i = 0; i < w.bytes(); ++i)
    ASSERT_EQ(data[i], uint8_t(i * 31 + 8));
  EXPECT_EQ(contentHash(data, w.bytes()), w.hash());
  closePackage(view);
}

TEST(RoundTrip, PutsExternalWeightsBesideThePackage) {
  ScratchFolder folder;
  Package p = samplePackage(), back;
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw"), {"a.weights"}), "");
  EXPECT_EQ(readFile(folder.file("a.weights")).size(), 512u);
  PackageView view;
  ReadError error;
  ASSERT_TRUE(openPackage(folder.file("a.tw").c_str(), view, error)) << error.message;
  EXPECT_EQ(view.weightData(), nullptr);
  EXPECT_STREQ(view.table->external_weights()->c_str(), "a.weights");
  closePackage(view);
}

TEST(RoundTrip, LeavesNothingBehindWhenAWeightFails) {
  ScratchFolder folder;
  Package p = samplePackage();
  auto tooShort = [](size_t i, const ByteSink &sink, std::string &) { return sampleWeights(i, sink, 79); };
  EXPECT_EQ(writePackage(p, tooShort, folder.file("a.tw")),
            "weight 'w' has 80 bytes, but its source gave 79");
  auto tooLong = [](size_t i, const ByteSink &sink, std::string &) { return sampleWeights(i, sink, 500); };
  EXPECT_EQ(writePackage(p, tooLong, folder.file("a.tw")),
            "weight 'w' has 80 bytes, but its source gave at least 84");
  auto broken = [](size_t, const ByteSink &, std::string &error) {
    error = "the source file is gone";
    return false;
  };
  EXPECT_EQ(writePackage(p, broken, folder.file("a.tw"), {"w.bin"}),
            "weight 'w' cannot be read: the source file is gone");
  EXPECT_TRUE(filesIn(folder.path).empty());
}

TEST(RoundTrip, SaysWhyAFileCannotBeMade) {
  Package p = samplePackage();
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), "/tmp"),
            "cannot write '/tmp': it exists and is no regular file");
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), "/no-such-folder/a.tw"),
            "cannot create '/no-such-folder/a.tw': No such file or directory");
}
