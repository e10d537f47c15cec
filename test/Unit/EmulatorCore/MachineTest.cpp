// Launches: every thread runs once, barriers and schedules do what they say, the reported fault is always the
// same.
#include "KernelFixture.h"

#include <atomic>

using namespace tilewright::emulator;

TEST(Machine, EveryThreadOfEveryBlockRunsOnce) {
  KernelFixture kernel;
  kernel.grid = {3, 2, 2};
  kernel.block = {5, 3, 2};
  std::vector<std::atomic<int>> runs(12 * 30);
  ASSERT_FALSE(kernel.run([&](Thread &self) {
    const Registers &r = self.registers;
    uint32_t block = r.ctaid[0] + 3 * (r.ctaid[1] + 2 * r.ctaid[2]);
    uint32_t thread = r.tid[0] + 5 * (r.tid[1] + 3 * r.tid[2]);
    EXPECT_EQ(thread, r.linear);
    EXPECT_EQ(r.lane, thread % 32);
    ++runs[block * 30 + thread];
  }));
  for (auto &count : runs)
    EXPECT_EQ(count, 1);
}

TEST(Machine, BarrierHoldsBackEveryone) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    KernelFixture kernel;
    kernel.options.seed = seed;
    kernel.block = {256, 1, 1};
    int arrived = 0;
    ASSERT_FALSE(kernel.run([&](Thread &self) {
      for (int round = 1; round <= 5; ++round) {
        ++arrived;
        self.block->barrier(self, 0, 0, 0);
        EXPECT_EQ(arrived, 256 * round);
        self.block->barrier(self, 0, 0, 0);
      }
    }));
  }
}

TEST(Machine, NamedBarriersAreIndependent) {
  KernelFixture kernel;
  kernel.block = {128, 1, 1};
  int arrived[2] = {0, 0};
  ASSERT_FALSE(kernel.run([&](Thread &self) {
    uint32_t group = self.registers.linear / 64;
    ++arrived[group];
    self.block->barrier(self, 1 + group, 64, 0);
    EXPECT_EQ(arrived[group], 64);
  }));
}

TEST(Machine, SeedsChangeTheOrderOfWarps) {
  auto order = [](uint64_t seed) {
    KernelFixture kernel;
    kernel.options.seed = seed;
    kernel.options.threads = 1;
    kernel.block = {256, 1, 1};
    std::vector<uint32_t> first;
    kernel.run([&](Thread &self) { first.push_back(self.registers.linear); });
    return first;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(Machine, TheLowestBlocksFaultIsReported) {
  for (unsigned threads : {1u, 2u, 7u}) {
    KernelFixture kernel;
    kernel.options.threads = threads;
    kernel.grid = {64, 1, 1};
    Fault fault = kernel.run([&](Thread &self) {
      if (self.registers.ctaid[0] % 10 == 7)
        self.block->raise(self, FaultKind::Trap, 1, "stop in %u", self.registers.ctaid[0]);
    });
    EXPECT_EQ(fault.kind, FaultKind::Trap);
    EXPECT_NE(fault.sentence.find("stop in 7 [source: \"here\", kernel test, block (7,0,0), thread"),
              std::string::npos)
        << fault.sentence;
  }
}

TEST(Machine, LaunchesThatNoGpuTakes) {
  KernelFixture kernel;
  kernel.block = {1025, 1, 1};
  EXPECT_EQ(kernel.run([](Thread &) {}).kind, FaultKind::Limit);
  kernel.block = {32, 1, 1};
  kernel.grid = {1, 65536, 1};
  EXPECT_EQ(kernel.run([](Thread &) {}).kind, FaultKind::Limit);
  kernel.grid = {0, 1, 1};
  EXPECT_EQ(kernel.run([](Thread &) {}).kind, FaultKind::Limit);
  kernel.grid = {1, 1, 1};
  kernel.sharedBytes = kMaxSharedBytes + 1;
  EXPECT_EQ(kernel.run([](Thread &) {}).kind, FaultKind::Limit);
}

TEST(Machine, SpinningBlocksMakeProgressWhenTheyCan) {
  // A thread of warp 0 waits in a loop of atomics for one of warp 1, whichever runs first.
  for (uint64_t seed = 0; seed < 4; ++seed) {
    KernelFixture kernel;
    kernel.options.seed = seed;
    kernel.block = {64, 1, 1};
    bool flag = false;
    ASSERT_FALSE(kernel.run([&](Thread &self) {
      if (self.registers.linear == 63)
        flag = true;
      while (self.registers.linear == 0 && !flag)
        self.block->giveWay(self, 0);
    }));
  }
}
