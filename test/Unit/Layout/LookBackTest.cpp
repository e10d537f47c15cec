// Groups of pieces: every piece has the words of those before it in its group of each level, and no two the
// same word.
#include "Tilewright/Layout/LookBack.h"

#include <gtest/gtest.h>

using namespace tilewright::layout;

TEST(LookBackPlan, LevelsOfGroups) {
  EXPECT_TRUE(lookBackPlan(1).levels.empty());
  EXPECT_EQ(lookBackPlan(1).words, 0);
  EXPECT_EQ(lookBackPlan(32).levels.size(), 1u);
  EXPECT_EQ(lookBackPlan(33).levels.size(), 2u);
  EXPECT_EQ(lookBackPlan(33).words, 33 + 2);
  EXPECT_EQ(lookBackPlan(8192).words, 8192 + 256 + 8);
}

TEST(LookBackPlan, EveryPieceFindsAllBeforeIt) {
  for (int64_t pieces : {2, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2500, 32769}) {
    LookBackPlan plan = lookBackPlan(pieces);
    for (int64_t piece : {int64_t(0), int64_t(1), pieces / 2, pieces - 1}) {
      // Pieces that the entries stand for, as a block adds them up.
      int64_t found = 0, stride = 1;
      for (const LookBackPlan::Level &level : plan.levels) {
        int64_t group = piece / stride, place = group % LookBackPlan::kFan;
        EXPECT_LT(group, level.count);
        found += place * stride;
        stride *= LookBackPlan::kFan;
      }
      EXPECT_EQ(found, piece) << pieces;
    }
    int64_t end = 0;
    for (const LookBackPlan::Level &level : plan.levels) {
      EXPECT_EQ(level.first, end);
      end += level.count;
    }
    EXPECT_EQ(plan.words, end);
  }
}
