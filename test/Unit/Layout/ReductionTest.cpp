// Reduction plans, run on sets of elements: each enters once, and all replicas agree.
#include "Tilewright/Layout/SharedLayout.h"
#include "Zoo.h"
#include <gtest/gtest.h>
#include <map>

using namespace tilewright::layout;

/// A partial result: how often each element went in.
using Tally = std::map<Coord, int>;

static void add(Tally &into, const Tally &from) {
  for (const auto &[c, n] : from)
    into[c] += n;
}

/// Runs the plan as a lowering would, and compares with the definition.
static void checkPlan(const std::string &name, const LinearLayout &layout, const std::vector<int> &dims) {
  std::optional<ReductionPlan> plan = reductionPlan(layout, dims);
  ASSERT_TRUE(plan) << name << ": " << layout.toString();
  int lanes = layout.numLanes(), warps = layout.numWarps(), results = plan->result.numRegisters();
  // values[warp * lanes + lane][r]
  std::vector<std::vector<Tally>> values(size_t(warps) * lanes, std::vector<Tally>(results));
  for (int warp = 0; warp < warps; ++warp)
    for (int lane = 0; lane < lanes; ++lane)
      for (int r = 0; r < results; ++r)
        for (int reg : plan->registerGroups[r])
          values[warp * lanes + lane][r][layout.apply(reg, lane, warp)] += 1;
  int ofRepeat = plan->result.atomRegisters();
  for (int bit : plan->halvings) {
    std::vector<std::vector<Tally>> before(values);
    for (int thread = 0; thread < warps * lanes; ++thread) {
      int own = (thread >> bit) & 1, half = ofRepeat / 2;
      std::vector<Tally> kept;
      for (size_t first = 0; first < before[thread].size(); first += ofRepeat)
        for (int r = 0; r < half; ++r) {
          kept.push_back(before[thread][first + own * half + r]);
          add(kept.back(), before[thread ^ 1 << bit][first + own * half + r]);
        }
      values[thread] = std::move(kept);
    }
    ofRepeat /= 2;
  }
  for (int mask : plan->laneMasks) {
    std::vector<std::vector<Tally>> before(values);
    for (int thread = 0; thread < warps * lanes; ++thread)
      for (size_t r = 0; r < values[thread].size(); ++r)
        add(values[thread][r], before[thread ^ mask][r]);
  }
  // Threads store by one layout, and load by another one.
  auto exchange = [&](const LinearLayout &from, const LinearLayout &to) {
    std::map<Coord, Tally> shared;
    forAllPoints(from, [&](const HwCoord &p) {
      Coord at = from.apply(p);
      const Tally &mine = values[p.warp * lanes + p.lane][p.reg];
      if (!(p.lane & from.freeBits(Hw::Lane)) && !(p.warp & from.freeBits(Hw::Warp))) {
        ASSERT_FALSE(shared.count(at)) << name << ": two owners";
        shared[at] = mine;
      }
    });
    forAllPoints(from, [&](const HwCoord &p) {
      ASSERT_EQ(shared[from.apply(p)], values[p.warp * lanes + p.lane][p.reg]) << name << ": replicas differ";
    });
    for (int thread = 0; thread < warps * lanes; ++thread) {
      values[thread].clear();
      for (int r = 0; r < to.numRegisters(); ++r)
        values[thread].push_back(shared.at(to.apply(r, thread % lanes, thread / lanes)));
    }
  };
  if (plan->needsSharedMemory()) {
    exchange(plan->partials, plan->gather);
    for (std::vector<Tally> &own : values) {
      std::vector<Tally> sums;
      for (size_t r = 0; r < own.size(); ++r)
        if (r % plan->numPartials == 0)
          sums.push_back(own[r]);
        else
          add(sums.back(), own[r]);
      own = std::move(sums);
    }
    if (plan->folded)
      exchange(*plan->folded, plan->result);
  }
  int64_t perResult = 1;
  for (int dim : dims)
    perResult *= layout.shape()[dim];
  forAllPoints(plan->result, [&](const HwCoord &p) {
    const Tally &value = values[p.warp * lanes + p.lane][p.reg];
    Coord result = plan->result.apply(p);
    ASSERT_EQ(static_cast<int64_t>(value.size()), perResult) << name;
    for (const auto &[c, n] : value) {
      Coord kept(c);
      for (int dim : dims)
        kept[dim] = 0;
      ASSERT_EQ(kept, result) << name;
      ASSERT_EQ(n, 1) << name;
    }
  });
}

TEST(Reduction, EveryElementEntersOnce) {
  for (const Shape &shape :
       std::vector<Shape>{{16, 8}, {16, 16}, {1, 384}, {24, 10}, {3, 5}, {32, 48}, {1, 1}})
    for (const Named &named : layoutsOf(shape))
      for (const std::vector<int> &dims : std::vector<std::vector<int>>{{0}, {1}, {0, 1}})
        checkPlan(named.name, named.layout, dims);
  checkPlan("batched", LinearLayout::coalesced({6, 10, 24}, 32, 8, {2, 1, 0}), {1});
  checkPlan("batched", LinearLayout::coalesced({6, 10, 24}, 32, 8, {2, 1, 0}), {0, 2});
}

TEST(Reduction, RowsOfAnAccumulatorFoldInQuads) {
  std::optional<ReductionPlan> plan = reductionPlan(LinearLayout::mmaAccumulator({64, 176}, 4, 1), {1});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->laneMasks, (std::vector<int>{1, 2}));
  EXPECT_FALSE(plan->needsSharedMemory());
  EXPECT_EQ(plan->result.numRegisters(), 2);
  EXPECT_EQ(plan->registerGroups[0].size(), 44u);
}

TEST(Reduction, WarpsThatShareARowMeetInSharedMemory) {
  std::optional<ReductionPlan> plan = reductionPlan(LinearLayout::coalesced({1, 1024}, 32, 4, {1, 0}), {1});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->laneMasks, (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_EQ(plan->warpMasks, (std::vector<int>{1, 2}));
  EXPECT_EQ(plan->numPartials, 4);
  EXPECT_EQ(plan->partials.shape(), (Shape{1, 1, 4}));
}

// Lanes that hold sums of the same columns, several each, share them out; so do all threads the folding.
TEST(Reduction, SeveralResultsOfAThreadAreSharedOut) {
  LinearLayout columns =
      *LinearLayout::parse("{shape=[1,32,2,64], register=[[0,1,0,0],[0,2,0,0],[0,4,0,0],[0,0,1,0]], "
                           "lane=[[0,8,0,0],[0,16,0,0],[0,0,0,1],[0,0,0,2],[0,0,0,4]], "
                           "warp=[[0,0,0,8],[0,0,0,16],[0,0,0,32]]}");
  std::optional<ReductionPlan> plan = reductionPlan(columns, {3});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->halvings, (std::vector<int>{2, 3, 4}));
  EXPECT_TRUE(plan->laneMasks.empty());
  EXPECT_EQ(plan->partials.numRegisters(), 2);
  ASSERT_TRUE(plan->folded);
  EXPECT_EQ(plan->gather.numRegisters(), 8) << "the partial results of one element";
  checkPlan("columns", columns, {3});
  // Nothing goes through shared memory: all lanes need all results.
  EXPECT_TRUE(reductionPlan(*LinearLayout::parse("{shape=[4,32], register=[[1,0],[2,0]], "
                                                 "lane=[[0,1],[0,2],[0,4],[0,8],[0,16]], warp=[]}"),
                            {1})
                  ->halvings.empty());
}

// What blocks of a cluster hold of 64 columns, eight of them in each thread, two warps fold, a column a lane;
// of few columns every thread folds its own.
TEST(Reduction, ResultsOfBlocksAreSharedOut) {
  std::optional<ReductionPlan> plan = reductionPlan(LinearLayout::coalesced({64, 64}, 16, 8, {1, 0}), {0});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->result.numRegisters(), 8);
  std::optional<LinearLayout> folded = foldedAcrossBlocks(*plan, 16);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->numRegisters(), 1);
  EXPECT_EQ(folded->shape(), plan->result.shape());
  EXPECT_EQ(folded->freeBits(Hw::Lane), 0u);
  EXPECT_EQ(folded->freeBits(Hw::Warp), 6u);
  EXPECT_TRUE(folded->isSurjective());
  EXPECT_FALSE(foldedAcrossBlocks(*plan, 2)) << "sixteen loads of a thread";
  plan = reductionPlan(LinearLayout::coalesced({1, 4096}, 32, 8, {1, 0}), {1});
  ASSERT_TRUE(plan);
  EXPECT_FALSE(foldedAcrossBlocks(*plan, 16)) << "one result";
}

// Two lane bits or two warp bits that hold the same elements count once.
TEST(Reduction, ReplicasCountOnce) {
  auto parsed = [](const char *text) { return *LinearLayout::parse(text); };
  checkPlan("lanes", parsed("{shape=[1,8], register=[[0,1]], lane=[[0,2],[0,4],[0,2],[0,0],[0,6]], warp=[]}"),
            {1});
  checkPlan("registers and lanes",
            parsed("{shape=[2,4], register=[[0,1]], lane=[[0,1],[0,2],[1,0]], warp=[]}"), {1});
  checkPlan("warps", parsed("{shape=[2,4], register=[[1,0]], lane=[[0,1]], warp=[[0,2],[0,2],[0,3],[0,0]]}"),
            {1});
  checkPlan("sheared lanes", parsed("{shape=[4,4], register=[], lane=[[1,1],[2,2],[0,1],[0,2]], warp=[]}"),
            {1});
  checkPlan("sheared lanes", parsed("{shape=[4,4], register=[], lane=[[1,1],[2,2],[0,1],[0,2]], warp=[]}"),
            {0});
  checkPlan("sheared warps",
            parsed("{shape=[4,4], register=[], lane=[[1,1],[0,1]], warp=[[2,2],[0,2],[2,0]]}"), {1});
}

TEST(Reduction, DeclinesWhatTiesRegistersToLanes) {
  std::optional<LinearLayout> tied =
      LinearLayout::parse("{shape=[2,2], register=[[1,0]], lane=[[1,1]], warp=[]}");
  EXPECT_FALSE(reductionPlan(*tied, {1}));
  std::optional<LinearLayout> partial =
      LinearLayout::parse("{shape=[1,4], register=[[0,1]], lane=[], warp=[]}");
  EXPECT_FALSE(reductionPlan(*partial, {1})) << "not all elements are held";
}
