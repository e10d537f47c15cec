// Index bits and scan plans against their definitions, over the zoo of layouts.
#include "Tilewright/Layout/Scan.h"
#include "Zoo.h"
#include <gtest/gtest.h>

using namespace tilewright::layout;

/// `point` with bit `bit` flipped.
static HwCoord flipped(HwCoord point, HwBit bit) {
  (bit.hw == Hw::Register ? point.reg : bit.hw == Hw::Lane ? point.lane : point.warp) ^= 1 << bit.bit;
  return point;
}

TEST(IndexBits, FlipOneBitOfTheIndex) {
  int found = 0;
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim) {
      std::optional<std::vector<HwBit>> bits = indexBits(named.layout, dim);
      if (!bits)
        continue;
      ++found;
      ASSERT_EQ(int64_t(1) << bits->size(), named.layout.atom()[dim]) << named.name;
      Coord from, to;
      for (size_t place = 0; place < bits->size(); ++place)
        forAllPoints(named.layout, [&](const HwCoord &point) {
          named.layout.apply(point, from);
          named.layout.apply(flipped(point, (*bits)[place]), to);
          from[dim] ^= 1 << place;
          ASSERT_EQ(from, to) << named.name << " along " << dim;
        });
    }
  EXPECT_GT(found, 100);
}

TEST(IndexBits, RefuseBitsThatMoveAlongTwoDims) {
  auto sheared =
      *LinearLayout::parse("{shape=[8,8], register=[[0,4]], lane=[[1,1],[2,2],[4,0],[0,1],[0,2]], warp=[]}");
  EXPECT_FALSE(indexBits(sheared, 0));
  EXPECT_FALSE(scanPlan(sheared, 1));
}

TEST(ScanPlan, DividesRowsOverWarpsAndRounds) {
  LinearLayout rows = LinearLayout::coalesced({1, 2048}, 32, 4, {1, 0});
  std::optional<ScanPlan> plan = scanPlan(rows, 1);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->bits.size(), 7u); // 4 elements of 32 lanes
  EXPECT_EQ(plan->warpBits.size(), 2u);
  EXPECT_EQ(plan->roundSize, 512);
  EXPECT_EQ(plan->rounds, 4);
  EXPECT_EQ(plan->laneMask(), 31u);
  EXPECT_EQ(plan->warpMask(), 3u);
}

TEST(ScanPlan, RefusesLanesAboveWarps) {
  auto layout = *LinearLayout::parse("{shape=[64], register=[], lane=[[1],[2],[4],[8],[32]], warp=[[16]]}");
  EXPECT_TRUE(indexBits(layout, 0));
  EXPECT_FALSE(scanPlan(layout, 0));
}

TEST(ScanLayout, CanBeScannedAlongEveryDim) {
  for (const Shape &shape : matrixShapes())
    for (int dim : {0, 1})
      for (int warps : {1, 4, 16}) {
        LinearLayout layout = scanLayout(shape, warps, dim);
        EXPECT_TRUE(layout.isSurjective());
        EXPECT_EQ(layout.numLanes(), 32);
        EXPECT_EQ(layout.numWarps(), warps);
        EXPECT_TRUE(scanPlan(layout, dim)) << layout.toString();
      }
}

TEST(RunLayout, HasOneRoundAndNoCopies) {
  int found = 0;
  for (const Shape &shape : matrixShapes())
    for (int dim : {0, 1})
      for (int warps : {1, 4, 16}) {
        std::optional<LinearLayout> layout = runLayout(shape, warps, dim);
        if (!layout)
          continue;
        ++found;
        EXPECT_TRUE(layout->isSurjective());
        EXPECT_EQ(layout->freeBits(Hw::Lane) | layout->freeBits(Hw::Warp), 0u) << layout->toString();
        std::optional<ScanPlan> plan = scanPlan(*layout, dim);
        ASSERT_TRUE(plan) << layout->toString();
        EXPECT_EQ(plan->rounds, layout->repeat()[dim]) << layout->toString();
      }
  EXPECT_GT(found, 10);
  EXPECT_FALSE(runLayout({4, 7}, 4, 0)) << "fewer elements than threads";
}

TEST(ScanInstructions, CountRoundsAndTotals) {
  // 16 registers of 512 lanes each: a round for each, of 16 warps' totals.
  LinearLayout sides = LinearLayout::coalesced({1, 8192}, 32, 16, {1, 0}, 32);
  LinearLayout runs = *runLayout({1, 8192}, 16, 1);
  EXPECT_EQ(scanInstructions(sides, *scanPlan(sides, 1), 1), 5 * 48 + 16 * 16 * 3 + 16);
  EXPECT_EQ(scanInstructions(runs, *scanPlan(runs, 1), 1), 4 * 8 + 5 * (1 + 32) + 16 * 3);
}
