// Fibers come back where they left, on stacks of their own.
#include "Tilewright/Emulator/Fiber.h"

#include <gtest/gtest.h>

using namespace tilewright::emulator;

namespace {
struct PingPong {
  StackPool stacks;
  Continuation home, fiber;
  int count = 0;
};
} // namespace

static void countToThree(void *argument) {
  auto &state = *static_cast<PingPong *>(argument);
  for (int i = 0; i < 3; ++i) {
    ++state.count;
    switchFiber(state.fiber, state.home);
  }
  leaveFiber(state.fiber, state.home);
}

TEST(Fiber, SwitchesBackAndForth) {
  PingPong state;
  ASSERT_TRUE(state.stacks.reserve(4));
  prepareFiber(state.fiber, state.stacks, 3, countToThree, &state);
  for (int i = 1; i <= 3; ++i) {
    switchFiber(state.home, state.fiber);
    EXPECT_EQ(state.count, i);
  }
  switchFiber(state.home, state.fiber); // leaves
  EXPECT_EQ(state.count, 3);
}

TEST(Fiber, StacksAreDisjointAndGrowOnDemand) {
  StackPool stacks;
  ASSERT_TRUE(stacks.reserve(2));
  void *first = stacks.bottom(0);
  ASSERT_TRUE(stacks.reserve(40));
  EXPECT_EQ(stacks.bottom(0), first);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_LE(static_cast<char *>(stacks.top(i)),
              static_cast<char *>(stacks.bottom(i)) + StackPool::kStackBytes);
    EXPECT_GT(static_cast<char *>(stacks.top(i)),
              static_cast<char *>(stacks.bottom(i)) + StackPool::kStackBytes / 2);
  }
}
