// The makers of layouts against the tables they stand for.
#include "Zoo.h"
#include <gtest/gtest.h>

using namespace tilewright::layout;

// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and "... m16n8k8", "... m16n8k32":
// groupID = lane >> 2, threadID_in_group = lane % 4.
TEST(Makers, MmaFragmentsAreThoseOfThePtxIsa) {
  LinearLayout acc = LinearLayout::mmaAccumulator({16, 8}, 1, 1);
  LinearLayout a16 = LinearLayout::mmaOperandA({16, 16}, 16, 1, 1),
               b16 = LinearLayout::mmaOperandB({16, 8}, 16, 1, 1);
  LinearLayout a32 = LinearLayout::mmaOperandA({16, 8}, 32, 1, 1),
               b32 = LinearLayout::mmaOperandB({8, 8}, 32, 1, 1);
  LinearLayout a8 = LinearLayout::mmaOperandA({16, 32}, 8, 1, 1),
               b8 = LinearLayout::mmaOperandB({32, 8}, 8, 1, 1);
  ASSERT_EQ(acc.numRegisters(), 4);
  ASSERT_EQ(a16.numRegisters(), 8);
  ASSERT_EQ(b16.numRegisters(), 4);
  ASSERT_EQ(a32.numRegisters(), 4);
  ASSERT_EQ(b32.numRegisters(), 2);
  ASSERT_EQ(a8.numRegisters(), 16);
  ASSERT_EQ(b8.numRegisters(), 8);
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, thread = lane % 4;
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(acc.apply(i, lane, 0), (Coord{i < 2 ? group : group + 8, thread * 2 + (i & 1)}));
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(a16.apply(i, lane, 0), (Coord{(i < 2 || (i >= 4 && i < 6)) ? group : group + 8,
                                              thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)}));
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(b16.apply(i, lane, 0), (Coord{thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group}));
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(a32.apply(i, lane, 0), (Coord{i % 2 == 0 ? group : group + 8, i < 2 ? thread : thread + 4}));
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(b32.apply(i, lane, 0), (Coord{i == 0 ? thread : thread + 4, group}));
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(a8.apply(i, lane, 0), (Coord{(i < 4 || (i >= 8 && i < 12)) ? group : group + 8,
                                             thread * 4 + (i & 3) + (i < 8 ? 0 : 16)}));
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(b8.apply(i, lane, 0), (Coord{thread * 4 + (i & 3) + (i < 4 ? 0 : 16), group}));
  }
}

// Operands and accumulator of one dot agree on which warp has which rows and columns.
TEST(Makers, WarpsAgreeAcrossTheFragmentsOfADot) {
  for (auto [m, n, k] : {std::array<int64_t, 3>{64, 176, 96}, {192, 128, 64}, {80, 96, 16}, {32, 8, 48}})
    for (auto [warpsM, warpsN] : {std::pair<int, int>{4, 1}, {2, 2}, {1, 4}, {1, 1}}) {
      LinearLayout acc = LinearLayout::mmaAccumulator({m, n}, warpsM, warpsN);
      LinearLayout a = LinearLayout::mmaOperandA({m, k}, 16, warpsM, warpsN);
      LinearLayout b = LinearLayout::mmaOperandB({k, n}, 16, warpsM, warpsN);
      ASSERT_EQ(acc.numWarps(), warpsM * warpsN);
      for (int warp = 0; warp < acc.numWarps(); ++warp) {
        EXPECT_EQ(acc.apply(0, 0, warp)[0], a.apply(0, 0, warp)[0]);
        EXPECT_EQ(acc.apply(0, 0, warp)[1], b.apply(0, 0, warp)[1]);
        EXPECT_EQ(a.apply(0, 0, warp)[1], 0);
        EXPECT_EQ(b.apply(0, 0, warp)[0], 0);
        if (m % (16 * warpsM) == 0 && n % (8 * warpsN) == 0) {
          EXPECT_EQ(acc.apply(0, 0, warp), (Coord{warp / warpsN * 16, warp % warpsN * 8}));
        }
      }
    }
}

TEST(Makers, TheExamplesOfTheDocs) {
  EXPECT_EQ(LinearLayout::mmaAccumulator({64, 176}, 4, 1).toString(),
            "{shape=[64,176], register=[[0,1],[8,0],[0,8]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], "
            "warp=[[16,0],[32,0]], repeat=[1,11]}");
  EXPECT_EQ(LinearLayout::coalesced({80, 96}, 16, 4, {1, 0}).toString(),
            "{shape=[80,96], register=[[0,1],[0,2],[0,4]], lane=[[0,8],[0,16],[1,0],[2,0],[4,0]], "
            "warp=[[8,0],[0,0]], repeat=[5,3]}");
}

// Every 16x8 tile of a warp has its four registers in the order c0 c1 c2 c3, and k-steps of operands
// likewise.
TEST(Makers, InstructionTilesAreConsecutiveRegisters) {
  LinearLayout acc = LinearLayout::mmaAccumulator({192, 176}, 4, 1);
  for (int i = 0; i < 192; i += 64)
    for (int j = 0; j < 176; j += 8) {
      std::optional<int> c0 = acc.registerAt({i, j});
      ASSERT_TRUE(c0);
      EXPECT_EQ(*c0 % 4, 0);
      EXPECT_EQ(acc.registerAt({i + 8, j + 1}), *c0 + 3);
    }
  EXPECT_FALSE(acc.registerAt({16, 0})) << "rows of another warp";
  EXPECT_FALSE(acc.registerAt({192, 0})) << "outside";
}

TEST(Makers, AllAreSurjectiveForAnyShape) {
  for (int64_t m : {1, 2, 3, 5, 7, 8, 12, 16, 24, 40, 77, 96})
    for (int64_t n : {1, 3, 4, 10, 16, 80, 96, 176})
      for (const Named &named : layoutsOf({m, n})) {
        EXPECT_TRUE(named.layout.isSurjective()) << named.name << " " << m << "x" << n;
        EXPECT_EQ(named.layout.shape(), (Shape{m, n}));
        EXPECT_EQ(named.layout.numLanes(), 32);
        EXPECT_EQ(named.layout.numWarps(), 4);
      }
}

TEST(Makers, BlockedFollowsItsArguments) {
  LinearLayout layout = LinearLayout::blocked({64, 64}, {1, 4}, {4, 8}, {2, 2}, {1, 0});
  forAllPoints(layout, [&](const HwCoord &p) {
    // Registers: 4 along the row, then tiles of 8x64 repeat down the rows.
    int row = p.lane / 8 + p.warp / 2 * 4 + p.reg / 4 * 8;
    int col = p.reg % 4 + p.lane % 8 * 4 + p.warp % 2 * 32;
    ASSERT_EQ(layout.apply(p), (Coord{row, col}));
  });
}

// A warp's access covers whole, consecutive 16-byte pieces of rows.
TEST(Makers, CoalescedIsAsWideAsItMayBe) {
  struct Case {
    Shape shape;
    int elemBits;
    int vector;
  };
  for (const Case &c : {Case{{64, 176}, 16, 8},
                        {{192, 128}, 32, 4},
                        {{80, 96}, 16, 8},
                        {{1, 384}, 32, 4},
                        {{16, 8}, 16, 8},
                        {{16, 4}, 16, 4},
                        {{5, 6}, 32, 2},
                        {{5, 7}, 32, 1},
                        {{64, 64}, 8, 16},
                        {{64, 64}, 1, 16},
                        {{64, 64}, 64, 2}}) {
    LinearLayout layout = LinearLayout::coalesced(c.shape, c.elemBits, 4, {1, 0});
    EXPECT_EQ(layout.contiguity(1), c.vector) << layout.toString();
    // Neighbouring lanes hold neighbouring vectors of a row, or the next row's first.
    for (int lane = 1; lane < 32; ++lane) {
      Coord here = layout.apply(0, lane, 0), before = layout.apply(0, lane - 1, 0);
      bool next = here[0] == before[0] && here[1] == before[1] + c.vector;
      bool nextRow = here[1] == 0 && here[0] == before[0] + 1;
      bool replica = here == Coord{0, 0} || layout.freeBits(Hw::Lane) != 0;
      EXPECT_TRUE(next || nextRow || replica) << layout.toString() << " lane " << lane;
    }
  }
}

TEST(Makers, CoalescedObeysContiguityAndAlignment) {
  EXPECT_EQ(LinearLayout::coalesced({64, 64}, 16, 4, {1, 0}, 128, {1, 4}).contiguity(1), 4);
  EXPECT_EQ(LinearLayout::coalesced({64, 64}, 16, 4, {1, 0}, 128, {1, 12}, {64, 2}).contiguity(1), 2);
  EXPECT_EQ(LinearLayout::coalesced({64, 64}, 16, 4, {1, 0}, 32).contiguity(1), 2);
  EXPECT_EQ(LinearLayout::coalesced({64, 64}, 16, 4, {0, 1}).contiguity(0), 8);
  // Warps take rows of their own before they share one.
  LinearLayout rows = LinearLayout::coalesced({16, 1024}, 32, 4, {1, 0});
  EXPECT_EQ(rows.bases(Hw::Warp), (LinearLayout::Bases{{1, 0}, {2, 0}}));
  LinearLayout row = LinearLayout::coalesced({1, 1024}, 32, 4, {1, 0});
  EXPECT_EQ(row.bases(Hw::Warp), (LinearLayout::Bases{{0, 128}, {0, 256}}));
}
