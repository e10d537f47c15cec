// What the shadow of shared memory accepts and what it reports, access by access.
#include "Tilewright/Emulator/Ordering.h"

#include <gtest/gtest.h>

using namespace tilewright::emulator;

namespace {
struct ShadowTest : testing::Test {
  Ordering ordering;
  SharedShadow shadow{ordering};

  void SetUp() override { begin(64); }
  void begin(uint32_t threads) {
    ordering.beginBlock(threads);
    shadow.beginBlock();
  }
  Verdict read(uint32_t thread, uint32_t offset, uint32_t bytes = 4) {
    return shadow.read(offset, bytes, thread, 0).verdict;
  }
  Verdict write(uint32_t thread, uint32_t offset, uint32_t bytes = 4) {
    return shadow.write(offset, bytes, thread, 0).verdict;
  }
  Verdict atomic(uint32_t thread, uint32_t offset) { return shadow.atomic(offset, 4, thread, 0).verdict; }
};
} // namespace

TEST_F(ShadowTest, OwnDataNeedsNoBarrier) {
  EXPECT_EQ(write(5, 0), Verdict::Fine);
  EXPECT_EQ(read(5, 0), Verdict::Fine);
  EXPECT_EQ(write(5, 0), Verdict::Fine);
}
TEST_F(ShadowTest, NeighboursInOneWordAreApart) {
  EXPECT_EQ(write(5, 0, 2), Verdict::Fine);
  EXPECT_EQ(write(6, 2, 2), Verdict::Fine);
  EXPECT_EQ(read(5, 0, 2), Verdict::Fine);
  EXPECT_EQ(read(5, 0, 4), Verdict::RaceWithWrite);
}
TEST_F(ShadowTest, ReadOfNothing) {
  EXPECT_EQ(read(0, 16), Verdict::Uninitialised);
  write(0, 16, 2);
  SharedShadow::Finding found = shadow.read(16, 4, 0, 0);
  EXPECT_EQ(found.verdict, Verdict::Uninitialised);
  EXPECT_EQ(found.offset, 18u);
}
TEST_F(ShadowTest, EarlierBlocksAreForgotten) {
  write(0, 0);
  ordering.joinAll();
  EXPECT_EQ(read(1, 0), Verdict::Fine);
  begin(64);
  EXPECT_EQ(read(1, 0), Verdict::Uninitialised);
  EXPECT_EQ(write(1, 0), Verdict::Fine);
}
TEST_F(ShadowTest, BarrierOrdersEverything) {
  write(0, 0);
  EXPECT_EQ(read(1, 0), Verdict::RaceWithWrite);
  ordering.joinAll();
  EXPECT_EQ(read(1, 0), Verdict::Fine);
  EXPECT_EQ(read(40, 0), Verdict::Fine);
  EXPECT_EQ(write(2, 0), Verdict::RaceWithRead);
  ordering.joinAll();
  EXPECT_EQ(write(2, 0), Verdict::Fine);
}
TEST_F(ShadowTest, ManyReadersAllCount) {
  write(0, 0);
  ordering.joinAll();
  read(1, 0);
  read(2, 0);
  // The last reader itself must still not overwrite what the first one reads.
  EXPECT_EQ(write(2, 0), Verdict::RaceWithRead);
}
TEST_F(ShadowTest, WarpBarrierOrdersItsLanesOnly) {
  write(3, 0);
  ASSERT_TRUE(ordering.joinLanes(0, ~0u));
  EXPECT_EQ(read(4, 0), Verdict::Fine);
  EXPECT_EQ(read(9, 0), Verdict::Fine);
  EXPECT_EQ(read(32, 0), Verdict::RaceWithWrite);
  ASSERT_TRUE(ordering.joinLanes(0, ~0u));
  EXPECT_EQ(write(9, 0), Verdict::Fine);
}
TEST_F(ShadowTest, WarpBarrierOfSomeLanes) {
  write(3, 0);
  ASSERT_TRUE(ordering.joinLanes(0, 0xFF));
  EXPECT_EQ(read(4, 0), Verdict::Fine);
  EXPECT_EQ(read(8, 0), Verdict::RaceWithWrite);
}
TEST_F(ShadowTest, OrderIsTransitive) {
  write(0, 0); // 0 -> 1 -> 33 by two barriers that 0 and 33 do not share
  ASSERT_TRUE(ordering.joinSome({0, 1}));
  ASSERT_TRUE(ordering.joinSome({1, 33}));
  EXPECT_EQ(read(33, 0), Verdict::Fine);
  EXPECT_EQ(read(34, 0), Verdict::RaceWithWrite);
}
TEST_F(ShadowTest, WhatFollowsABarrierIsNotOrderedByIt) {
  ASSERT_TRUE(ordering.joinSome({0, 1}));
  write(0, 0);
  EXPECT_EQ(read(1, 0), Verdict::RaceWithWrite);
}
TEST_F(ShadowTest, AtomicsAgreeAmongThemselves) {
  EXPECT_EQ(atomic(0, 0), Verdict::Uninitialised);
  write(0, 0);
  ordering.joinAll();
  EXPECT_EQ(atomic(0, 0), Verdict::Fine);
  EXPECT_EQ(atomic(40, 0), Verdict::Fine);
  EXPECT_EQ(read(1, 0), Verdict::RaceWithWrite);
  ordering.joinAll();
  EXPECT_EQ(read(1, 0), Verdict::Fine);
  EXPECT_EQ(atomic(2, 0), Verdict::RaceWithRead);
}
TEST_F(ShadowTest, MatrixReadIsEveryLanes) {
  write(3, 0, 16);
  EXPECT_EQ(shadow.readByWarp(0, 16, 0, 0).verdict, Verdict::RaceWithWrite);
  ASSERT_TRUE(ordering.joinLanes(0, ~0u));
  EXPECT_EQ(shadow.readByWarp(0, 16, 0, 0).verdict, Verdict::Fine);
  EXPECT_EQ(write(3, 0, 16), Verdict::RaceWithRead);
  ASSERT_TRUE(ordering.joinLanes(0, ~0u));
  EXPECT_EQ(write(3, 0, 16), Verdict::Fine);
}
TEST_F(ShadowTest, CopiesInFlight) {
  EXPECT_EQ(write(7, 0, 16), Verdict::Fine);
  shadow.markInFlight(0, 16, 7);
  EXPECT_EQ(read(7, 4), Verdict::InFlight);
  EXPECT_EQ(write(7, 8), Verdict::InFlight);
  ordering.joinAll();
  EXPECT_EQ(read(7, 4), Verdict::InFlight);
  shadow.markArrived(0, 16, 7);
  EXPECT_EQ(read(7, 4), Verdict::Fine);
  EXPECT_EQ(read(8, 4), Verdict::RaceWithWrite);
  ordering.joinAll();
  EXPECT_EQ(read(8, 4), Verdict::Fine);
}
TEST_F(ShadowTest, TheClockIsRenewed) {
  write(0, 0);
  write(1, 64);
  shadow.markInFlight(64, 4, 1);
  while (!ordering.isNearlyExhausted())
    ordering.joinAll();
  ordering.joinAll();
  shadow.renewIfNeeded();
  EXPECT_FALSE(ordering.isNearlyExhausted());
  EXPECT_EQ(read(5, 0), Verdict::Fine);
  EXPECT_EQ(read(5, 128), Verdict::Uninitialised);
  EXPECT_EQ(read(5, 64), Verdict::InFlight);
  EXPECT_EQ(write(6, 0), Verdict::RaceWithRead);
}

namespace {
/// Threads 0 … 63, with agents and proxies apart.
struct ProxyTest : ShadowTest {
  void SetUp() override {
    ordering.beginBlock(64, /*tracksProxies=*/true);
    shadow.beginBlock();
    agent = ordering.addAgent();
  }
  Verdict readAsync(uint32_t offset, uint32_t thread = 0) {
    AsyncReader reader{agent, thread, 1};
    return shadow.readAsync(offset, 16, reader, 0).verdict;
  }
  uint32_t agent = 0;
};
} // namespace

TEST_F(ProxyTest, ArrivalsHandOnWhatThreadsKnow) {
  Knowledge barrier = ordering.none();
  write(3, 0);
  ordering.release(3, barrier);
  write(3, 4); // after the arrival
  EXPECT_EQ(read(40, 0), Verdict::RaceWithWrite);
  ordering.acquire(40, barrier);
  EXPECT_EQ(read(40, 0), Verdict::Fine);
  EXPECT_EQ(read(40, 4), Verdict::RaceWithWrite);
}
TEST_F(ProxyTest, RelaxedArrivalsHandOnAgentsOnly) {
  Knowledge barrier = ordering.none();
  write(3, 0, 16);
  ordering.fenceProxy(3);
  ASSERT_EQ(readAsync(0, 3), Verdict::Fine);
  ordering.acquireAgent(3, agent, ordering.closeAgent(agent));
  ordering.release(3, barrier, /*onlyAgents=*/true);
  ordering.acquire(40, barrier);
  EXPECT_EQ(read(40, 0), Verdict::RaceWithWrite);
}
TEST_F(ProxyTest, AsynchronousReadsNeedAFence) {
  write(0, 0, 16);
  EXPECT_EQ(readAsync(0), Verdict::NoProxyFence);
  ordering.fenceProxy(0);
  EXPECT_EQ(readAsync(0), Verdict::Fine);
  write(0, 0, 16); // after the fence; and the read before is still on its way
  EXPECT_EQ(write(0, 0, 16), Verdict::RaceWithRead);
}
TEST_F(ProxyTest, AFenceAnywhereOnTheWay) {
  write(0, 0, 16);
  ASSERT_TRUE(ordering.joinSome({0, 1}));
  EXPECT_EQ(readAsync(0, 1), Verdict::NoProxyFence);
  ordering.fenceProxy(1);
  ASSERT_TRUE(ordering.joinSome({1, 2}));
  EXPECT_EQ(readAsync(0, 2), Verdict::Fine);
}
TEST_F(ProxyTest, CopiesAreKnownToWhoWaited) {
  Knowledge barrier = ordering.none();
  EXPECT_EQ(shadow.startAsyncWrite(0, 16, 0, 0).verdict, Verdict::Fine);
  EXPECT_EQ(read(0, 0), Verdict::InFlight);
  shadow.landAsyncWrite(0, 16, agent);
  ordering.releaseAgent(agent, barrier);
  EXPECT_EQ(read(5, 0), Verdict::RaceWithWrite);
  ordering.acquire(5, barrier);
  EXPECT_EQ(read(5, 0), Verdict::Fine);
  EXPECT_EQ(readAsync(0, 5), Verdict::Fine); // both through the asynchronous proxy
  EXPECT_EQ(shadow.startAsyncWrite(0, 16, 5, 0).verdict, Verdict::RaceWithRead);
}
TEST_F(ProxyTest, EachReaderCountsForItself) {
  // Lanes read one byte at different times and arrive, each for itself: that orders them all.
  Knowledge barrier = ordering.none();
  write(0, 0);
  ordering.joinAll();
  for (uint32_t thread : {1u, 2u, 33u, 34u}) {
    EXPECT_EQ(read(thread, 0), Verdict::Fine);
    ordering.release(thread, barrier);
  }
  ordering.acquire(63, barrier);
  EXPECT_EQ(write(63, 0), Verdict::Fine);
  ASSERT_TRUE(ordering.joinSome({63, 1, 2, 33, 34}));
  for (uint32_t thread : {1u, 2u, 33u, 34u}) {
    EXPECT_EQ(read(thread, 0), Verdict::Fine);
    if (thread != 33)
      ordering.release(thread, barrier);
  }
  ordering.acquire(63, barrier);
  EXPECT_EQ(write(63, 0), Verdict::RaceWithRead);
}
