// Tensor maps: what is kept of a request, what is refused as the driver refuses it, and the permutation of
// each swizzle over all addresses.
#include "Tilewright/Emulator/TensorMap.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>

using namespace tilewright::emulator;

namespace {
/// A matrix of 200 x 100 bf16, boxes of 64 x 32.
struct Sample {
  uint64_t dims[2] = {200, 100}, strides[1] = {400};
  uint32_t box[2] = {64, 32}, elementStrides[2] = {1, 1};
  TensorMapRequest request{9, 2, 4096, dims, strides, box, elementStrides, 0, 3, 2, 0};
  TensorMap map;
  std::string encode() { return encodeTensorMap(request, map); }
};
} // namespace

TEST(TensorMap, KeepsWhatItIsTold) {
  Sample sample;
  TensorMap &map = sample.map;
  ASSERT_EQ(sample.encode(), "");
  EXPECT_EQ(map.magic, TensorMap::kMagic);
  EXPECT_EQ(map.elementBytes, 2u);
  EXPECT_EQ(map.lastIndex[0], 199u);
  EXPECT_EQ(map.strides[0], 400u);
  EXPECT_EQ(map.swizzle, TensorSwizzle::Bytes128);
  EXPECT_EQ(map.boxBytes(), 4096u);
  sample.elementStrides[1] = 3;
  ASSERT_EQ(sample.encode(), "");
  EXPECT_EQ(map.boxBytes(), 64u * 2 * 11); // every third of 32 rows
  sample.dims[0] = uint64_t(1) << 32;
  ASSERT_EQ(sample.encode(), "");
  EXPECT_EQ(map.lastIndex[0], 0xFFFFFFFFu);
}
TEST(TensorMap, RefusesWhatTheDriverRefuses) {
  auto refused = [](const std::function<void(Sample &)> &change) {
    Sample sample;
    change(sample);
    return sample.encode();
  };
  EXPECT_EQ(refused([](Sample &t) { t.request.dataType = 13; }), "a tensor map has no data type 13");
  EXPECT_EQ(refused([](Sample &t) { t.request.rank = 6; }), "a tensor map has rank 6, not 1 to 5");
  EXPECT_EQ(refused([](Sample &t) { t.request.base = 4104; }),
            "the base of a tensor map is 8 modulo 16, not aligned");
  EXPECT_EQ(refused([](Sample &t) { t.strides[0] = 404; }),
            "dimension 1 of a tensor map has a stride of 404 bytes, not a multiple of 16 below 2^40");
  EXPECT_EQ(refused([](Sample &t) { t.box[1] = 257; }),
            "dimension 1 of a tensor map has a box of 257 elements, not 1 to 256");
  EXPECT_EQ(refused([](Sample &t) { t.dims[1] = 0; }),
            "dimension 1 of a tensor map has 0 elements, not 1 to 2^32");
  EXPECT_EQ(refused([](Sample &t) { t.elementStrides[1] = 9; }),
            "dimension 1 of a tensor map has element stride 9, not 1 to 8");
  EXPECT_EQ(refused([](Sample &t) { t.box[0] = 60; }),
            "a row of a tensor map's box has 120 bytes, not a multiple of 16");
  EXPECT_EQ(refused([](Sample &t) { t.request.swizzle = 2; }),
            "a row of a tensor map's box has 128 bytes, more than its swizzle of 64");
  EXPECT_EQ(refused([](Sample &t) { t.request.dataType = 1, t.request.outOfBoundsFill = 1; }),
            "out-of-bounds fill 1 does not go with data type 1");
  EXPECT_EQ(refused([](Sample &t) { t.request.interleave = 1; }),
            "the emulator does not model interleaved tensor maps");
  EXPECT_EQ(refused([](Sample &) {}), "");
}

TEST(TensorSwizzle, PermutesWithinItsAtom) {
  for (TensorSwizzle swizzle :
       {TensorSwizzle::None, TensorSwizzle::Bytes32, TensorSwizzle::Bytes64, TensorSwizzle::Bytes128}) {
    uint32_t atom = swizzle == TensorSwizzle::None ? 16 : 128u << uint32_t(swizzle);
    std::set<uint32_t> seen;
    for (uint32_t address = 0; address < 4096; ++address) {
      uint32_t to = swizzleAddress(swizzle, address);
      EXPECT_EQ(to / atom, address / atom);
      EXPECT_EQ(to % 16, address % 16);
      EXPECT_EQ(to / 128, address / 128);
      EXPECT_EQ(swizzleAddress(swizzle, to), address);
      seen.insert(to);
    }
    EXPECT_EQ(seen.size(), 4096u);
  }
  EXPECT_EQ(swizzleAddress(TensorSwizzle::Bytes128, 0x380), 0x3F0u); // row 7: chunk 0 at 7
  EXPECT_EQ(swizzleAddress(TensorSwizzle::Bytes32, 0x90), 0x80u);
}
