// Lane maps: evaluating the terms gives what the layout says, and the terms are few.
#include "Tilewright/Layout/LaneMap.h"
#include "Zoo.h"
#include <gtest/gtest.h>

using namespace tilewright::layout;

TEST(LaneMap, EqualsTheLayoutEverywhere) {
  for (const Named &named : zoo()) {
    LaneMap map = laneMap(named.layout);
    forAllPoints(named.layout, [&](const HwCoord &p) {
      ASSERT_EQ(map.evaluate(p.reg, p.lane, p.warp), named.layout.apply(p)) << named.name;
    });
  }
}

TEST(LaneMap, AnAccumulatorIsTwoTermsARow) {
  LaneMap map = laneMap(LinearLayout::mmaAccumulator({64, 64}, 4, 1));
  // row = (lane >> 2) + warp * 16, col = (lane & 3) * 2
  ASSERT_EQ(map.base[0].terms.size(), 2u);
  EXPECT_EQ(map.base[0].terms[0], (BitTerm{Hw::Lane, 2, 7, 1, true}));
  EXPECT_TRUE(map.base[0].terms[0].coversTop);
  EXPECT_EQ(map.base[0].terms[1], (BitTerm{Hw::Warp, 0, 3, 16, true}));
  ASSERT_EQ(map.base[1].terms.size(), 1u);
  EXPECT_EQ(map.base[1].terms[0], (BitTerm{Hw::Lane, 0, 3, 2, false}));
  EXPECT_FALSE(map.base[1].terms[0].coversTop);
  EXPECT_EQ(map.join[0], Join::Add);
}

TEST(LaneMap, SumsAndXorsOfAnyBases) {
  uint32_t seed = 1;
  auto random = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 16; };
  for (int round = 0; round < 500; ++round)
    for (Join meaning : {Join::Add, Join::Xor}) {
      std::array<std::vector<int64_t>, 4> bases;
      for (int bit = 0; bit < 5; ++bit)
        bases[1].push_back(bit && random() % 2 ? 2 * bases[1].back() : random() % 12);
      for (int bit = 0; bit < 2; ++bit)
        bases[2].push_back(random() % 64);
      BitSum sum = bitSum(bases, meaning);
      for (int lane = 0; lane < 32; ++lane)
        for (int warp = 0; warp < 4; ++warp) {
          int64_t want = 0;
          for (int bit = 0; bit < 7; ++bit) {
            int64_t basis = bit < 5 ? bases[1][bit] : bases[2][bit - 5];
            if (((lane | warp << 5) >> bit) & 1)
              want = meaning == Join::Add ? want + basis : want ^ basis;
          }
          ASSERT_EQ(sum.evaluate(lane, warp), want);
        }
    }
}
