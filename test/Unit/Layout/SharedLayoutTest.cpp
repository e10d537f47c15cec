// Shared layouts: offsets, accesses and ldmatrix as a lowering performs them, bank costs, the best swizzle.
#include "Tilewright/Layout/SharedLayout.h"
#include "Zoo.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright::layout;

static std::vector<SharedLayout> sharedLayoutsOf(const Shape &shape) {
  std::vector<SharedLayout> out = {SharedLayout::plain(shape, {1, 0}), SharedLayout::plain(shape, {0, 1}),
                                   SharedLayout::plain(shape, {1, 0}, 8)};
  for (const std::vector<int> &order : {std::vector<int>{1, 0}, {0, 1}}) {
    Shape block(shape);
    block[order[0]] = shape[order[0]] & -shape[order[0]];
    SharedLayout blocks = SharedLayout::blockedBy(shape, block, order);
    out.push_back(blocks);
    for (int64_t vec : {1, 4, 8})
      for (int64_t perPhase : {1, 2, 4})
        for (int64_t maxPhase : {2, 8})
          if (std::optional<SharedLayout> swizzled = blocks.withSwizzle(vec, perPhase, maxPhase))
            out.push_back(*swizzled);
  }
  return out;
}

TEST(SharedLayout, EveryElementHasItsOwnPlace) {
  for (const Shape &shape : std::vector<Shape>{{64, 176}, {80, 96}, {16, 8}, {3, 5}, {1, 384}, {24, 16}})
    for (const SharedLayout &shared : sharedLayoutsOf(shape)) {
      std::set<int64_t> taken;
      forAll(shape, [&](const Coord &c) {
        int64_t offset = shared.offsetOf(c);
        ASSERT_TRUE(taken.insert(offset).second) << shared.toString();
        ASSERT_TRUE(offset >= 0 && offset < shared.sizeElems()) << shared.toString();
        ASSERT_EQ(shared.coordOf(offset), c) << shared.toString();
      });
      for (int64_t offset = 0; offset < shared.sizeElems(); ++offset)
        ASSERT_EQ(shared.coordOf(offset).has_value(), taken.count(offset) == 1)
            << shared.toString() << offset;
    }
}

TEST(SharedLayout, VectorElemsStayTogether) {
  for (const Shape &shape : std::vector<Shape>{{64, 176}, {80, 96}, {16, 8}, {3, 5}})
    for (const SharedLayout &shared : sharedLayoutsOf(shape)) {
      int64_t n = shared.vectorElems();
      forAll(shape, [&](const Coord &c) {
        Coord first(c);
        first[shared.fastestDim()] -= static_cast<int32_t>(c[shared.fastestDim()] % n);
        ASSERT_EQ(shared.offsetOf(first) % n, 0) << shared.toString();
        ASSERT_EQ(shared.offsetOf(c), shared.offsetOf(first) + c[shared.fastestDim()] % n)
            << shared.toString();
      });
    }
}

TEST(SharedLayout, PartsHaveTheStridesOfTheWhole) {
  // Fragments of 8x8 with padding behind each, and behind rows of them.
  SharedLayout whole = SharedLayout::blockedBy({32, 16}, {8, 8}, {1, 0}, {8, 2});
  EXPECT_EQ(whole.toString(), "{shape=[32,16], order=[1,0], block=[8,8], inner=[8,1], outer=[146,72]}");
  auto part = whole.part({16, 8});
  ASSERT_TRUE(part);
  int64_t at = whole.offsetOf({16, 8});
  for (int32_t row = 0; row < 16; ++row)
    for (int32_t column = 0; column < 8; ++column)
      EXPECT_EQ(part->offsetOf({row, column}) + at, whole.offsetOf({row + 16, column + 8}));
  EXPECT_FALSE(whole.part({12, 16})) << "no whole blocks";
  EXPECT_FALSE(whole.part({64, 16})) << "more than there is";
  auto swizzled = SharedLayout::plain({64, 64}, {1, 0}).withSwizzle(8, 1, 8);
  ASSERT_TRUE(swizzled);
  EXPECT_FALSE(swizzled->part({8, 64}));
  // Unsplit dims may be cut anywhere.
  auto rows = SharedLayout::plain({64, 16}, {1, 0}, 8).part({5, 16});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->offsetOf({4, 3}), 4 * 24 + 3);
}

TEST(SharedLayout, TextRoundTrips) {
  for (const Shape &shape : std::vector<Shape>{{64, 176}, {80, 96}, {16, 8}})
    for (const SharedLayout &shared : sharedLayoutsOf(shape)) {
      std::string error;
      std::optional<SharedLayout> again = SharedLayout::parse(shared.toString(), &error);
      ASSERT_TRUE(again) << shared.toString() << ": " << error;
      EXPECT_EQ(*again, shared);
      EXPECT_EQ(again->hash(), shared.hash());
    }
  std::string error;
  EXPECT_FALSE(SharedLayout::parse("{shape=[4,4], order=[1,0], inner=[2,1]}", &error));
  EXPECT_EQ(error, "stride 2 of dim 0 is less than the 4 elements inside of it");
  EXPECT_FALSE(SharedLayout::parse("{shape=[4,4], order=[1,1], inner=[4,1]}", &error));
  EXPECT_EQ(error, "order is no permutation of the dims");
  EXPECT_FALSE(SharedLayout::parse("{shape=[4,4], order=[1,0], inner=[4,1], xor=[[1,3,0]]}", &error));
  EXPECT_EQ(error, "xor source bit 1 lies below target bit 1");
}

TEST(SharedLayout, TheSwizzleOfTheHeader) {
  std::optional<SharedLayout> shared = SharedLayout::plain({8, 64}, {1, 0}).withSwizzle(8, 1, 8);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->swizzle(), (std::vector<XorTerm>{{6, 7, 3}}));
  int want[3][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}};
  for (int row = 0; row < 3; ++row)
    for (int chunk = 0; chunk < 8; ++chunk)
      EXPECT_EQ(shared->offsetOf({row, chunk * 8}), row * 64 + want[row][chunk] * 8);
  EXPECT_FALSE(SharedLayout::plain({8, 80}, {1, 0}).withSwizzle(8, 1, 2))
      << "rows of 80 have no bits to swizzle";
}

TEST(SharedLayout, AccessesReachTheirElements) {
  int formed = 0;
  for (const Shape &shape : std::vector<Shape>{{64, 176}, {192, 128}, {80, 96}, {16, 8}, {1, 384}, {3, 5}})
    for (const Named &named : layoutsOf(shape))
      for (const SharedLayout &shared : sharedLayoutsOf(shape)) {
        const LinearLayout &layout = named.layout;
        Coord element;
        std::optional<SharedAccess> access = sharedAccess(shared, layout, 16);
        ASSERT_TRUE(access) << named.name << " " << layout.toString() << " on " << shared.toString();
        ++formed;
        std::set<int> seen;
        for (const SharedInstruction &instruction : access->instructions)
          for (int lane = 0; lane < 32; ++lane)
            for (int warp = 0; warp < layout.numWarps(); ++warp) {
              int64_t offset = (access->base.evaluate(lane, warp) ^ instruction.constant) + instruction.added;
              ASSERT_EQ(offset % access->vectorElems, 0);
              for (int e = 0; e < access->vectorElems; ++e) {
                seen.insert(instruction.registers[e]);
                layout.apply({instruction.registers[e], lane, warp}, element);
                ASSERT_EQ(offset + e, shared.offsetOf(element)) << named.name << " on " << shared.toString();
              }
            }
        for (int r : access->canonical)
          ASSERT_TRUE(seen.count(r));
      }
  EXPECT_GT(formed, 500);
}

/// ldmatrix as the PTX ISA has it: the lanes' rows, then what every lane receives.
static void checkLdmatrix(const SharedLayout &shared, const LinearLayout &fragment, int elemBits,
                          const std::string &name) {
  std::optional<LdmatrixPlan> plan = ldmatrixPlan(shared, fragment, elemBits);
  ASSERT_TRUE(plan) << name << " on " << shared.toString();
  int packed = 32 / elemBits, rowElems = 4 * packed;
  std::set<int> filled;
  for (const LdmatrixInstruction &instruction : plan->instructions)
    for (int warp = 0; warp < fragment.numWarps(); ++warp)
      for (int matrix = 0; matrix < instruction.count; ++matrix)
        for (int lane = 0; lane < 32; ++lane)
          for (int e = 0; e < packed; ++e) {
            int row = plan->transposed ? 2 * (lane % 4) + e : lane / 4;
            int column = plan->transposed ? lane / 4 : packed * (lane % 4) + e;
            int64_t start = (plan->rowAddress.evaluate(matrix * 8 + row, warp) ^ instruction.constant) +
                            instruction.added;
            ASSERT_EQ(start % rowElems, 0) << "rows are 16 bytes, aligned";
            int reg = instruction.registers[size_t(matrix) * packed + e];
            filled.insert(reg);
            ASSERT_EQ(start + column, shared.offsetOf(fragment.apply(reg, lane, warp)))
                << name << " on " << shared.toString();
          }
  for (int r : plan->canonical)
    ASSERT_TRUE(filled.count(r)) << name;
}

TEST(SharedLayout, LdmatrixFillsFragments) {
  for (auto [warpsM, warpsN] : {std::pair<int, int>{4, 1}, {2, 2}})
    for (const Shape &shape : std::vector<Shape>{{64, 32}, {64, 176}, {192, 64}, {80, 96}, {16, 16}}) {
      SharedLayout rows = bestSwizzle(
          shape, 16, {{SharedUse::Ldmatrix, LinearLayout::mmaOperandA(shape, 16, warpsM, warpsN)}}, {1, 0});
      SharedLayout columns = SharedLayout::plain(shape, {0, 1});
      checkLdmatrix(rows, LinearLayout::mmaOperandA(shape, 16, warpsM, warpsN), 16, "A");
      checkLdmatrix(rows, LinearLayout::mmaOperandB(shape, 16, warpsM, warpsN), 16, "B, transposed");
      checkLdmatrix(columns, LinearLayout::mmaOperandA(shape, 16, warpsM, warpsN), 16, "A, transposed");
      checkLdmatrix(columns, LinearLayout::mmaOperandB(shape, 16, warpsM, warpsN), 16, "B");
      checkLdmatrix(rows, LinearLayout::mmaOperandA(shape, 32, warpsM, warpsN), 32, "A tf32");
      checkLdmatrix(columns, LinearLayout::mmaOperandB(shape, 32, warpsM, warpsN), 32, "B tf32");
      LinearLayout bytes = LinearLayout::mmaOperandA(shape, 8, warpsM, warpsN);
      checkLdmatrix(bestSwizzle(shape, 8, {{SharedUse::Ldmatrix, bytes}}, {1, 0}), bytes, 8, "A s8");
    }
}

TEST(SharedLayout, LdmatrixDeclines) {
  Shape shape = {64, 64};
  SharedLayout rows = SharedLayout::plain(shape, {1, 0});
  EXPECT_FALSE(ldmatrixPlan(rows, LinearLayout::mmaOperandB(shape, 32, 2, 2), 32))
      << "only 16-bit transposes";
  EXPECT_FALSE(ldmatrixPlan(rows, LinearLayout::coalesced(shape, 16, 4, {1, 0}), 16)) << "no fragment";
  EXPECT_FALSE(
      ldmatrixPlan(SharedLayout::plain(shape, {1, 0}, 4), LinearLayout::mmaOperandA(shape, 16, 2, 2), 16))
      << "rows are not 16-byte aligned";
}

TEST(SharedLayout, BankCostsOfKnownAccesses) {
  SharedLayout plain = SharedLayout::plain({64, 64}, {1, 0});
  SharedUse a{SharedUse::Ldmatrix, LinearLayout::mmaOperandA({64, 64}, 16, 4, 1)};
  // Unswizzled: the 8 rows of each phase start in one bank. 4 warps x 4 instructions x 4 phases x 8.
  BankCost cost = bankCost(plain, a, 16);
  EXPECT_EQ(cost.instructions, 16);
  EXPECT_EQ(cost.wavefronts, 512);
  EXPECT_EQ(cost.idealWavefronts, 64);
  EXPECT_EQ(bankConflicts(*plain.withSwizzle(8, 1, 8), a, 16), 0);
  EXPECT_EQ(bankConflicts(*plain.withSwizzle(8, 1, 4), a, 16), 64) << "two-way";
  EXPECT_EQ(bankConflicts(SharedLayout::plain({64, 64}, {1, 0}, 8), a, 16), 0) << "padded rows";
  // 32 lanes read a column of 4-byte elements in rows of 128 bytes: all in one bank.
  SharedUse column{SharedUse::Registers, LinearLayout::blocked({32, 32}, {1, 1}, {32, 1}, {1, 1}, {1, 0}),
                   32};
  EXPECT_EQ(bankCost(SharedLayout::plain({32, 32}, {1, 0}), column, 32).wavefronts, 32 * 32);
  EXPECT_EQ(bankCost(SharedLayout::plain({32, 32}, {1, 0}, 1), column, 32).conflicts(), 0);
  // All lanes read one word: a broadcast.
  SharedUse one{SharedUse::Registers, LinearLayout::coalesced({1, 1}, 32, 1, {1, 0})};
  EXPECT_EQ(bankCost(SharedLayout::plain({1, 1}, {1, 0}), one, 32).wavefronts, 1);
}

// What a matmul needs: 16-byte copies in by rows, ldmatrix out, plain or transposed, without a conflict.
TEST(SharedLayout, MatmulTilesHaveConflictFreeLayouts) {
  for (const Shape &shape : std::vector<Shape>{{64, 32},
                                               {64, 64},
                                               {128, 16},
                                               {192, 128},
                                               {64, 176},
                                               {80, 96},
                                               {96, 80},
                                               {32, 128},
                                               {16, 8},
                                               {64, 72}})
    for (auto [warpsM, warpsN] : {std::pair<int, int>{4, 1}, {2, 2}})
      for (bool isA : {true, false}) {
        SharedUse store{SharedUse::Registers, LinearLayout::coalesced(shape, 16, 4, {1, 0})};
        SharedUse load{SharedUse::Ldmatrix, isA ? LinearLayout::mmaOperandA(shape, 16, warpsM, warpsN)
                                                : LinearLayout::mmaOperandB(shape, 16, warpsM, warpsN)};
        SharedLayout shared = bestSwizzle(shape, 16, {store, load}, {1, 0});
        EXPECT_EQ(bankConflicts(shared, load, 16), 0) << shared.toString() << " " << load.layout.toString();
        EXPECT_EQ(bankConflicts(shared, store, 16), 0) << shared.toString() << " " << store.layout.toString();
        EXPECT_GE(shared.vectorElems() * 2, 16) << "16-byte copies stay whole";
      }
}

TEST(SharedLayout, BestSwizzleIsNoWorseThanAnySimpleOne) {
  for (const Shape &shape : std::vector<Shape>{{64, 64}, {80, 96}, {32, 32}})
    for (const Named &store : layoutsOf(shape))
      for (const Named &load : layoutsOf(shape)) {
        std::vector<SharedUse> uses = {{SharedUse::Registers, store.layout},
                                       {SharedUse::Registers, load.layout}};
        auto cost = [&](const SharedLayout &shared) {
          return bankCost(shared, uses[0], 32).wavefronts + bankCost(shared, uses[1], 32).wavefronts;
        };
        int64_t best = cost(bestSwizzle(shape, 32, uses));
        for (const SharedLayout &other :
             {SharedLayout::plain(shape, {1, 0}), SharedLayout::plain(shape, {0, 1}),
              SharedLayout::plain(shape, {1, 0}, 4)})
          EXPECT_LE(best, cost(other)) << store.name << " to " << load.name << " on " << other.toString();
      }
}

// Lanes 12 rows of 32 elements apart, or runs of 32 elements of one row, meet in one bank of an unpadded
// tile.
TEST(SharedLayout, OddTilesAndSingleRowsAreExchangedWithoutConflicts) {
  auto parsed = [](const char *text) { return *LinearLayout::parse(text); };
  struct Case {
    LinearLayout store, load;
    int elemBits;
  } cases[] = {
      {parsed("{shape=[32,1,12,4,8], register=[[0,0,0,1,0],[0,0,0,2,0],[0,0,0,0,4]], "
              "lane=[[1,0,0,0,0],[2,0,0,0,0],[4,0,0,0,0],[8,0,0,0,0],[16,0,0,0,0]], "
              "warp=[[0,0,1,0,0],[0,0,2,0,0],[0,0,0,0,1],[0,0,0,0,2]], repeat=[1,1,3,1,1]}"),
       parsed("{shape=[32,1,12,4,8], register=[[4,0,0,0,0],[8,0,0,0,0],[16,0,0,0,0]], "
              "lane=[[0,0,0,0,1],[0,0,0,0,2],[0,0,0,0,4],[0,0,0,1,0],[0,0,0,2,0]], "
              "warp=[[0,0,1,0,0],[0,0,2,0,0],[1,0,0,0,0],[2,0,0,0,0]], repeat=[1,1,3,1,1]}"),
       32},
      {parsed("{shape=[8192], register=[[1],[2],[1024],[2048],[4096]], lane=[[4],[8],[16],[32],[64]], "
              "warp=[[128],[256],[512]]}"),
       parsed("{shape=[8192], register=[[1],[2],[4],[8],[16]], lane=[[32],[64],[128],[256],[512]], "
              "warp=[[1024],[2048],[4096]]}"),
       32},
  };
  for (const auto &[store, load, elemBits] : cases) {
    SharedUse writes{SharedUse::Registers, store}, reads{SharedUse::Registers, load};
    SharedLayout plain = SharedLayout::plain(store.shape(), LinearLayout::rowMajorOrder(store.rank()));
    SharedLayout best = bestSwizzle(store.shape(), elemBits, {writes, reads});
    auto conflicts = [&](const SharedLayout &shared) {
      return bankConflicts(shared, writes, elemBits) + bankConflicts(shared, reads, elemBits);
    };
    EXPECT_GT(conflicts(plain), 0);
    EXPECT_EQ(conflicts(best), 0) << best.toString();
    EXPECT_LE(best.sizeElems(), plain.sizeElems() * 5 / 4) << "padding takes little";
    EXPECT_TRUE(sharedAccess(best, store, elemBits) && sharedAccess(best, load, elemBits)) << best.toString();
  }
}
