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
  auto slot = [&](int r, int lane, int warp) { return (size_t(warp) * lanes + lane) * results + r; };
  std::vector<Tally> values(size_t(warps) * lanes * results);
  for (int warp = 0; warp < warps; ++warp)
    for (int lane = 0; lane < lanes; ++lane)
      for (int r = 0; r < results; ++r)
        for (int reg : plan->registerGroups[r])
          values[slot(r, lane, warp)][layout.apply(reg, lane, warp)] += 1;
  for (int mask : plan->laneMasks) {
    std::vector<Tally> before(values);
    for (int warp = 0; warp < warps; ++warp)
      for (int lane = 0; lane < lanes; ++lane)
        for (int r = 0; r < results; ++r)
          add(values[slot(r, lane, warp)], before[slot(r, lane ^ mask, warp)]);
  }
  if (plan->needsSharedMemory()) {
    std::map<Coord, Tally> shared;
    forAllPoints(plan->partials, [&](const HwCoord &p) {
      Coord at = plan->partials.apply(p);
      const Tally &mine = values[slot(p.reg, p.lane, p.warp)];
      bool owner =
          !(p.lane & plan->partials.freeBits(Hw::Lane)) && !(p.warp & plan->partials.freeBits(Hw::Warp));
      if (owner) {
        ASSERT_FALSE(shared.count(at)) << name << ": two owners";
        shared[at] = mine;
      }
    });
    forAllPoints(plan->partials, [&](const HwCoord &p) {
      ASSERT_EQ(shared[plan->partials.apply(p)], values[slot(p.reg, p.lane, p.warp)])
          << name << ": replicas differ";
    });
    for (int warp = 0; warp < warps; ++warp)
      for (int lane = 0; lane < lanes; ++lane)
        for (int r = 0; r < results; ++r) {
          Tally &value = values[slot(r, lane, warp)];
          value.clear();
          for (int i = 0; i < plan->numPartials; ++i)
            add(value, shared.at(plan->gather.apply(r * plan->numPartials + i, lane, warp)));
        }
  }
  int64_t perResult = 1;
  for (int dim : dims)
    perResult *= layout.shape()[dim];
  forAllPoints(plan->result, [&](const HwCoord &p) {
    const Tally &value = values[slot(p.reg, p.lane, p.warp)];
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
