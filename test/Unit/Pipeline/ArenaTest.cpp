// placeInArena: the post-condition over random interference, and best fit by example.
#include "Tilewright/Dialect/Plan/Transforms/Arena.h"

#include <gtest/gtest.h>
#include <random>

using namespace tilewright::plan;

TEST(Arena, FillsTheSmallestGapThatFits) {
  // 0 and 4 live throughout; between them lie 1 and 3 at the time of 2, which fits the smaller gap.
  llvm::SmallVector<int64_t> bytes = {1024, 512, 200, 256, 768};
  auto placement = placeInArena(bytes, 256, [](unsigned a, unsigned b) {
    auto pair = std::minmax(a, b);
    return pair != std::minmax(1u, 2u) && pair != std::minmax(2u, 3u);
  });
  EXPECT_EQ(placement.offsets[0], 0);
  EXPECT_EQ(placement.offsets[4], 1024);
  EXPECT_EQ(placement.offsets[1], 1792);
  EXPECT_EQ(placement.offsets[3], 2304);
  EXPECT_EQ(placement.offsets[2], 1792);
  EXPECT_EQ(placement.bytes, 2560);
}

TEST(Arena, IsEmptyWithoutBuffers) {
  EXPECT_EQ(placeInArena({}, 256, [](unsigned, unsigned) { return true; }).bytes, 0);
}

TEST(Arena, InterferingBuffersShareNoByte) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    unsigned count = 1 + random() % 24;
    llvm::SmallVector<int64_t> bytes(count);
    std::vector<std::vector<bool>> interfere(count, std::vector<bool>(count));
    for (unsigned a = 0; a < count; ++a) {
      bytes[a] = 1 + random() % 5000;
      for (unsigned b = 0; b < a; ++b)
        interfere[a][b] = interfere[b][a] = random() % 2;
    }
    auto placement = placeInArena(bytes, 256, [&](unsigned a, unsigned b) { return bool(interfere[a][b]); });
    for (unsigned a = 0; a < count; ++a) {
      EXPECT_EQ(placement.offsets[a] % 256, 0);
      EXPECT_LE(placement.offsets[a] + bytes[a], placement.bytes);
      for (unsigned b = 0; b < a; ++b)
        if (interfere[a][b]) {
          bool apart = placement.offsets[a] + bytes[a] <= placement.offsets[b] ||
                       placement.offsets[b] + bytes[b] <= placement.offsets[a];
          EXPECT_TRUE(apart) << a << " and " << b << " of round " << round;
        }
    }
  }
}
