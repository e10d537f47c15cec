// Conversion plans, simulated on all threads for all pairs of layouts of many shapes.
#include "Tilewright/Layout/Conversion.h"
#include "Zoo.h"
#include <gtest/gtest.h>

using namespace tilewright::layout;

/// The element (its row-major index) in each register of each thread.
using Registers = std::vector<int64_t>;

static size_t slot(const LinearLayout &layout, int reg, int lane, int warp) {
  return (size_t(warp) * layout.numLanes() + lane) * layout.numRegisters() + reg;
}

static Registers registersOf(const LinearLayout &layout) {
  Registers out(size_t(layout.numThreads()) * layout.numRegisters());
  Shape shape = layout.shape();
  Coord element;
  forAllPoints(layout, [&](const HwCoord &p) {
    layout.apply(p, element);
    out[slot(layout, p.reg, p.lane, p.warp)] = rowMajorIndex(element, shape);
  });
  return out;
}

static int64_t offsetOf(const SharedAccess &access, const SharedInstruction &instruction, int lane,
                        int warp) {
  return (access.base.evaluate(lane, warp) ^ instruction.constant) + instruction.added;
}

/// What the plan leaves in the registers of the destination when `in` is in those of the source.
static Registers run(const ConversionPlan &plan, const LinearLayout &src, const Registers &in,
                     const LinearLayout &dst, int elemBits) {
  if (plan.isNone())
    return in;
  Registers out(size_t(dst.numThreads()) * dst.numRegisters(), -1);
  std::vector<int64_t> memory;
  if (const ThroughShared *shared = plan.shared()) {
    memory.assign(shared->bytes * 8 / elemBits, -1);
    for (int warp = 0; warp < src.numWarps(); ++warp)
      for (int lane = 0; lane < src.numLanes(); ++lane)
        for (const SharedInstruction &store : shared->store.instructions) {
          if ((lane & shared->store.freeLanes) || (warp & shared->store.freeWarps))
            continue;
          for (size_t e = 0; e < store.registers.size(); ++e) {
            int64_t at = offsetOf(shared->store, store, lane, warp) + static_cast<int64_t>(e);
            EXPECT_EQ(memory.at(at), -1) << "stored twice";
            memory[at] = in[slot(src, store.registers[e], lane, warp)];
          }
        }
  }
  for (int warp = 0; warp < dst.numWarps(); ++warp)
    for (int lane = 0; lane < dst.numLanes(); ++lane) {
      for (int r = 0; r < dst.numRegisters(); ++r) {
        int64_t &value = out[slot(dst, r, lane, warp)];
        if (const RegisterMoves *moves = plan.moves())
          value = in[slot(src, moves->map[r], lane, warp)];
        if (const Shuffles *plans = plan.shuffles()) {
          const ShuffleResult &result = plans->results[r];
          const Shuffle &shuffle = plans->shuffles[result.shuffles[result.select.indexOf(lane)]];
          int from = static_cast<int>(shuffle.sourceLane.evaluate(lane, warp)) ^ shuffle.laneXor;
          if (shuffle.isLocal)
            EXPECT_EQ(from, lane);
          if (shuffle.isButterfly)
            EXPECT_EQ(from, lane ^ shuffle.laneXor);
          value = in[slot(src, shuffle.offer[shuffle.offerSelect.indexOf(from)], from, warp)];
        }
      }
      if (const ThroughShared *shared = plan.shared()) {
        for (const SharedInstruction &load : shared->load.instructions)
          for (size_t e = 0; e < load.registers.size(); ++e)
            out[slot(dst, load.registers[e], lane, warp)] =
                memory.at(offsetOf(shared->load, load, lane, warp) + static_cast<int64_t>(e));
        for (int r = 0; r < dst.numRegisters(); ++r)
          out[slot(dst, r, lane, warp)] = out[slot(dst, shared->load.canonical[r], lane, warp)];
      }
    }
  return out;
}

namespace {
/// A layout and what its registers hold.
struct Held {
  explicit Held(Named named) : named(std::move(named)), registers(registersOf(this->named.layout)) {}
  Named named;
  Registers registers;
};
} // namespace

static std::vector<Held> heldBy(std::vector<Named> layouts) {
  std::vector<Held> held;
  for (Named &named : layouts)
    held.emplace_back(std::move(named));
  return held;
}

static void checkPair(const Held &from, const Held &to, int elemBits) {
  const LinearLayout &src = from.named.layout, &dst = to.named.layout;
  std::string name = from.named.name + " to " + to.named.name + " " + dst.toString();
  std::optional<ConversionPlan> plan = conversionPlan(src, dst, elemBits);
  ASSERT_TRUE(plan) << name;
  ASSERT_EQ(run(*plan, src, from.registers, dst, elemBits), to.registers) << name << ": " << plan->describe();
  if (const Shuffles *shuffles = plan->shuffles())
    EXPECT_LE(shuffles->shuffles.size(), 64u) << name;
  if (const ThroughShared *shared = plan->shared())
    EXPECT_GE(shared->bytes * 8, elemBits) << name;
}

TEST(Conversion, DeliversEveryElement) {
  for (const Shape &shape : matrixShapes()) {
    std::vector<Held> layouts = heldBy(layoutsOf(shape));
    for (const Held &src : layouts)
      for (const Held &dst : layouts)
        checkPair(src, dst, 16);
  }
}

TEST(Conversion, DeliversToAndFromProjections) {
  for (const Shape &shape : std::vector<Shape>{{64, 176}, {80, 96}, {16, 8}})
    for (int dim : {0, 1}) {
      std::vector<Named> projected = layoutsOf(shape);
      for (Named &named : projected)
        named.layout = named.layout.project(dim).layout;
      std::vector<Held> layouts = heldBy(std::move(projected));
      for (const Held &src : layouts)
        for (const Held &dst : layouts)
          checkPair(src, dst, 32);
    }
}

TEST(Conversion, EqualLayoutsNeedNothing) {
  LinearLayout acc = LinearLayout::mmaAccumulator({64, 64}, 4, 1);
  std::optional<ConversionPlan> plan = conversionPlan(acc, acc, 32);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->isNone());
  EXPECT_EQ(plan->describe(), "nothing to do");
}

// The accumulator of one dot is operand A of the next (as in attention): registers are renamed, no data
// moves.
TEST(Conversion, AccumulatorBecomesOperandAInPlace) {
  for (int64_t columns : {64, 80, 176}) {
    LinearLayout acc = LinearLayout::mmaAccumulator({64, columns}, 4, 1);
    LinearLayout a = LinearLayout::mmaOperandA({64, columns}, 16, 4, 1);
    std::optional<ConversionPlan> plan = conversionPlan(acc, a, 16);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->isNone() || plan->moves()) << plan->describe();
  }
}

TEST(Conversion, WithinAWarpItShuffles) {
  // Registers and lanes exchange a bit: one shuffle for each register.
  LinearLayout src = *LinearLayout::parse("{shape=[2,2], register=[[0,1]], lane=[[1,0]], warp=[]}");
  LinearLayout dst = *LinearLayout::parse("{shape=[2,2], register=[[1,0]], lane=[[0,1]], warp=[]}");
  std::optional<ConversionPlan> plan = conversionPlan(src, dst, 32);
  ASSERT_TRUE(plan && plan->shuffles());
  EXPECT_EQ(plan->shuffles()->shuffles.size(), 2u);
  ASSERT_EQ(run(*plan, src, registersOf(src), dst, 32), registersOf(dst));
  // Only the lanes differ: what each lane needs lies in one register of another.
  LinearLayout swapped = *LinearLayout::parse("{shape=[2,4], register=[[1,0]], lane=[[0,2],[0,1]], warp=[]}");
  LinearLayout plain = *LinearLayout::parse("{shape=[2,4], register=[[1,0]], lane=[[0,1],[0,2]], warp=[]}");
  plan = conversionPlan(swapped, plain, 32);
  ASSERT_TRUE(plan && plan->shuffles());
  EXPECT_EQ(plan->describe(), "shuffles: 2 for 2 registers");
}

TEST(Conversion, RandomLayoutsOfOneWarp) {
  uint32_t seed = 7;
  auto random = [&](uint32_t n) { return seed = seed * 1664525u + 1013904223u, (seed >> 16) % n; };
  int shuffled = 0;
  for (int round = 0; round < 400; ++round) {
    // Random surjective layouts of a 4x16 tile: 2 register bits, 5 lane bits, of which some replicate.
    std::optional<LinearLayout> pair[2];
    for (std::optional<LinearLayout> &layout : pair)
      do {
        std::array<LinearLayout::Bases, 4> bases;
        for (int bit = 0; bit < 8; ++bit)
          bases[bit < 3 ? 0 : 1].push_back(
              {static_cast<int32_t>(random(4)), static_cast<int32_t>(random(16))});
        layout = LinearLayout::create({4, 48}, bases, {1, 3});
      } while (!layout->isSurjective());
    std::optional<ConversionPlan> plan = conversionPlan(*pair[0], *pair[1], 32);
    if (!plan)
      continue; // sheared layouts may have no terms in shared memory
    shuffled += plan->shuffles() != nullptr;
    ASSERT_EQ(run(*plan, *pair[0], registersOf(*pair[0]), *pair[1], 32), registersOf(*pair[1]))
        << pair[0]->toString() << " to " << pair[1]->toString() << ": " << plan->describe();
  }
  EXPECT_GT(shuffled, 100);
}

TEST(Conversion, AcrossWarpsItGoesThroughSharedMemoryWithoutConflicts) {
  LinearLayout acc = LinearLayout::mmaAccumulator({64, 64}, 2, 2);
  LinearLayout rows = LinearLayout::coalesced({64, 64}, 32, 4, {1, 0});
  std::optional<ConversionPlan> plan = conversionPlan(acc, rows, 32);
  ASSERT_TRUE(plan && plan->shared());
  EXPECT_EQ(plan->sharedBytes() % 16, 0);
  EXPECT_EQ(plan->shared()->load.vectorElems, 4);
  EXPECT_EQ(plan->shared()->storeConflicts + plan->shared()->loadConflicts, 0)
      << plan->shared()->shared.toString();
}

// What kernels do all the time: accumulators to coalesced rows and back, operands from rows.
TEST(Conversion, CommonOnesHaveNoConflicts) {
  for (const Shape &shape :
       std::vector<Shape>{{64, 64}, {64, 128}, {128, 128}, {64, 176}, {80, 96}, {192, 128}})
    for (int elemBits : {16, 32})
      for (const LinearLayout &acc :
           {LinearLayout::mmaAccumulator(shape, 4, 1), LinearLayout::mmaAccumulator(shape, 2, 2)})
        for (bool toRows : {true, false}) {
          LinearLayout rows = LinearLayout::coalesced(shape, elemBits, 4, {1, 0});
          std::optional<ConversionPlan> plan =
              toRows ? conversionPlan(acc, rows, elemBits) : conversionPlan(rows, acc, elemBits);
          ASSERT_TRUE(plan);
          if (const ThroughShared *shared = plan->shared())
            EXPECT_EQ(shared->storeConflicts + shared->loadConflicts, 0)
                << shape[0] << "x" << shape[1] << " " << elemBits << " bits: " << shared->shared.toString();
        }
}

TEST(Conversion, DeclinesDifferentTensors) {
  EXPECT_FALSE(conversionPlan(LinearLayout::mmaAccumulator({64, 64}, 4, 1),
                              LinearLayout::mmaAccumulator({64, 32}, 4, 1), 32));
  EXPECT_FALSE(conversionPlan(LinearLayout::mmaAccumulator({64, 64}, 4, 1),
                              LinearLayout::mmaAccumulator({64, 64}, 2, 1), 32));
}
