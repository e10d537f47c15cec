// How the threads of a block take turns: fibers, barriers, warp collectives, the end of a block.
#include "Tilewright/Emulator/Machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace tilewright::emulator;

/// Uninitialised shared memory looks like this: NaNs in every float format.
static constexpr int kPoison = 0xFF;
/// One in this many collectives lets another warp go first.
static constexpr uint32_t kPreemption = 8;
/// Atomics of a thread between two turns of another warp, and of a block before it counts as spinning.
static constexpr uint64_t kAtomicsPerTurn = 256;
static constexpr uint64_t kAtomicsPerBlock = uint64_t(1) << 28;

Block::Block(const MachineOptions &options, Cluster &cluster, Ordering &ordering)
    : options(options), cluster(cluster), ordering(ordering), shadow(ordering) {
  // 256 KiB aligned, so that 14-bit matrix descriptors address it as they address real shared memory.
  shared = static_cast<std::byte *>(std::aligned_alloc(kMaxSharedBytes, kMaxSharedBytes));
}

Block::~Block() { std::free(shared); }

Fault Block::prepare(const Launch &launch) {
  this->launch = &launch;
  uint32_t count = uint32_t(launch.block.count());
  if (!shared || !stacks.reserve(count))
    return {FaultKind::Limit, "no memory for the stacks of " + std::to_string(count) + " threads"};
  if (threads.size() != count)
    threads = std::vector<Thread>(count);
  warps.assign((count + kWarpLanes - 1) / kWarpLanes, Warp());
  siteCaches.assign(launch.sites ? launch.sites->size() : 0, SiteCache());
  if (launch.usesAsyncProxy)
    mbarrierAt.assign(kMaxSharedBytes / 8, 0);
  return {};
}

/// Registers of a thread when one block fills the SM: allocated in eights.
static uint32_t registersThatFit(uint32_t threads) {
  constexpr uint32_t kRegisters = 65536, kMost = 256;
  return std::min(kMost, kRegisters / std::max(threads, 1u) / 8 * 8);
}

void Block::begin(const Launch &launch, const uint32_t (&index)[3], uint32_t rank, uint64_t seed) {
  const Extent &grid = launch.grid, &extent = launch.block, &blocks = launch.cluster;
  uint32_t count = uint32_t(threads.size());
  this->rank = rank;
  sharedBytes = launch.sharedBytes;
  std::memset(shared, kPoison, sharedBytes);
  dice = Dice(seed);
  fault = Fault();
  yields = 0;
  live = count;
  readyWarps = 0;
  for (Barrier &barrier : barriers) {
    barrier.arrived.clear();
    barrier.waiting = 0;
  }
  for (const auto &barrier : mbarriers)
    mbarrierAt[barrier->offset / 8] = 0;
  mbarriers.clear();
  Warpgroup fresh;
  fresh.registers = launch.registersAtEntry ? launch.registersAtEntry : registersThatFit(count);
  warpgroups.assign(count / kWarpgroupThreads, fresh);
  freeRegisters = 0;
  awaitingGrid = launch.awaitsGrid;
  shadow.forgetInFlight();
  beginRemote();
  for (uint32_t w = 0; w < warps.size(); ++w) {
    Warp &warp = warps[w];
    uint32_t lanes = std::min(kWarpLanes, count - w * kWarpLanes);
    warp.index = w;
    warp.alive = warp.runnable = lanes == kWarpLanes ? ~0u : (1u << lanes) - 1;
    warp.pendingCount = 0;
    warp.lanes = &threads[w * kWarpLanes];
    readyWarps |= 1u << w;
  }
  uint32_t nctaid[3] = {grid.x, grid.y, grid.z}, ntid[3] = {extent.x, extent.y, extent.z},
           size[3] = {blocks.x, blocks.y, blocks.z};
  for (uint32_t t = 0; t < count; ++t) {
    Thread &thread = threads[t];
    Registers &registers = thread.registers;
    uint32_t tid[3] = {t % extent.x, t / extent.x % extent.y, t / extent.x / extent.y};
    std::copy_n(tid, 3, registers.tid);
    std::copy_n(ntid, 3, registers.ntid);
    std::copy_n(index, 3, registers.ctaid);
    std::copy_n(nctaid, 3, registers.nctaid);
    for (uint32_t d = 0; d < 3; ++d) {
      registers.clusterid[d] = index[d] / size[d];
      registers.nclusterid[d] = nctaid[d] / size[d];
      registers.clusterCtaid[d] = index[d] % size[d];
      registers.clusterNctaid[d] = size[d];
    }
    registers.clusterRank = rank;
    registers.clusterBlocks = uint32_t(blocks.count());
    registers.lane = t % kWarpLanes;
    registers.linear = t;
    registers.shared = shared;
    thread.block = this;
    thread.warp = &warps[t / kWarpLanes];
    thread.number = rank * count + t;
    thread.wait = Wait();
    thread.exited = false;
    thread.copies.clear();
    thread.commits = 0;
    thread.stores = BulkStores();
    thread.wgmma = WgmmaThread();
    thread.clusterArrivals = thread.clusterWaits = 0;
    prepareFiber(thread.continuation, stacks, t, &Block::threadMain, &thread);
  }
}

void Block::resume() { switchFiber(home, pickWarp()->continuation); }

void Block::threadMain(void *argument) {
  Thread &self = *static_cast<Thread *>(argument);
  const Launch &launch = *self.block->launch;
  launch.function(&self, launch.arguments);
  self.block->exit(self);
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

Thread *Block::pickWarp() {
  if (!readyWarps)
    return nullptr;
  uint32_t skip = dice.next() % uint32_t(__builtin_popcount(readyWarps)), ready = readyWarps;
  while (skip--)
    ready &= ready - 1;
  Warp &warp = warps[__builtin_ctz(ready)];
  uint32_t start = dice.next() % kWarpLanes, above = warp.runnable >> start << start;
  return &warp.lanes[__builtin_ctz(above ? above : warp.runnable)];
}

Thread *Block::nextThread(const Thread &self) {
  uint32_t runnable = self.warp->runnable;
  if (!runnable)
    return pickWarp();
  uint32_t above = runnable & ~((2u << self.registers.lane) - 1);
  return &self.warp->lanes[__builtin_ctz(above ? above : runnable)];
}

static void clearRunnable(Warp &warp, uint32_t lane, uint32_t &readyWarps) {
  warp.runnable &= ~(1u << lane);
  if (!warp.runnable)
    readyWarps &= ~(1u << warp.index);
}

void Block::makeRunnable(Thread &thread) {
  thread.wait.kind = WaitKind::None;
  thread.warp->runnable |= 1u << thread.registers.lane;
  readyWarps |= 1u << thread.warp->index;
}

void Block::suspend(Thread &self) {
  clearRunnable(*self.warp, self.registers.lane, readyWarps);
  Thread *next = nextThread(self);
  switchFiber(self.continuation, next ? next->continuation : home);
}

void Block::giveWay(Thread &self, int site) {
  if (++yields % kAtomicsPerTurn)
    return;
  if (yields > kAtomicsPerBlock)
    raise(self, FaultKind::Deadlock, site, "deadlock: the block spins, %llu atomic operations so far",
          static_cast<unsigned long long>(yields));
  maybeTurn(self);
}

void Block::poll(Thread &self, int site) {
  constexpr uint64_t kPollsPerLanding = 16, kWeight = 64;
  yields += kWeight;
  if (yields > kAtomicsPerBlock)
    raise(self, FaultKind::Deadlock, site, "deadlock: the block spins, %llu tests so far",
          static_cast<unsigned long long>(yields / kWeight));
  // A fault at a landing ends the cluster: this fiber does not come back.
  if (yields / kWeight % kPollsPerLanding == 0 && cluster.landOne())
    return switchFiber(self.continuation, home);
  maybeTurn(self);
}

void Block::maybeTurn(Thread &self) {
  // Every fourth turn goes to another block of the cluster.
  if (cluster.size() > 1 && dice.next() % 4 == 0)
    return switchFiber(self.continuation, home);
  Thread *next = pickWarp();
  if (next != &self)
    switchFiber(self.continuation, next->continuation);
}

void Block::exit(Thread &self) {
  Warp &warp = *self.warp;
  uint32_t bit = 1u << self.registers.lane;
  checkStoresAtExit(self);
  self.exited = true;
  warp.alive &= ~bit;
  --live;
  for (uint32_t i = 0; i < warp.pendingCount; ++i) {
    const Rendezvous &pending = warp.pending[i];
    if (pending.mask & bit)
      raise(self, FaultKind::DivergentCollective, pending.site,
            "divergent collective: lane %u exits while lanes 0x%x of warp %u wait for it, mask 0x%x",
            self.registers.lane, pending.arrived, warp.index, pending.mask);
  }
  for (uint32_t id = 0; id < barriers.size(); ++id) {
    const Barrier &barrier = barriers[id];
    uint32_t gone = uint32_t(barrier.arrived.size()) - barrier.waiting;
    if (barrier.waiting && barrier.expected > live + gone)
      raise(self, FaultKind::DivergentBarrier, barrier.site,
            "divergent barrier: thread %u exits while %zu threads wait at barrier %u for %u",
            self.registers.linear, barrier.arrived.size(), id, barrier.expected);
  }
  leaveCluster(self);
  clearRunnable(warp, self.registers.lane, readyWarps);
  Thread *next = live ? nextThread(self) : nullptr;
  leaveFiber(self.continuation, next ? next->continuation : home);
}

void Block::raise(const Thread &self, FaultKind kind, int site, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  // `self` may belong to another block of the cluster than the one that raises.
  self.block->fault.kind = kind;
  self.block->fault.sentence = text + where(self, site);
  leaveFiber(const_cast<Thread &>(self).continuation, self.block->home);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Block::barrier(Thread &self, uint32_t id, uint32_t count, int site) {
  joinBarrier(self, id, count, true, site);
}

void Block::barrierArrive(Thread &self, uint32_t id, uint32_t count, int site) {
  joinBarrier(self, id, count, false, site);
}

void Block::joinBarrier(Thread &self, uint32_t id, uint32_t count, bool waits, int site) {
  uint32_t all = uint32_t(threads.size()), expected = count ? count : all;
  if (id >= barriers.size())
    raise(self, FaultKind::DivergentBarrier, site, "barrier %u does not exist, a block has %zu", id,
          barriers.size());
  if (count % kWarpLanes || expected > all)
    raise(self, FaultKind::DivergentBarrier, site,
          "barrier %u counts %u threads, not a multiple of %u up to the block's %u", id, count, kWarpLanes,
          all);
  Barrier &barrier = barriers[id];
  uint32_t gone = uint32_t(barrier.arrived.size()) - barrier.waiting;
  if (waits && expected > live + gone)
    raise(self, FaultKind::DivergentBarrier, site,
          "divergent barrier: thread %u waits at barrier %u for %u threads, but %u have exited",
          self.registers.linear, id, expected, all - live);
  if (barrier.arrived.empty()) {
    barrier.expected = expected;
    barrier.site = site;
  } else if (barrier.expected != expected) {
    raise(self, FaultKind::DivergentBarrier, site,
          "divergent barrier: thread %u waits at barrier %u for %u threads, where %zu threads wait for %u",
          self.registers.linear, id, expected, barrier.arrived.size(), barrier.expected);
  }
  barrier.arrived.push_back({self.registers.linear, site, waits});
  if (waits) {
    ++barrier.waiting;
    self.wait = {WaitKind::Barrier, id, expected, 0, site};
  } else if (options.checkShared) {
    if (barrier.arrived.size() - barrier.waiting == 1)
      barrier.released = ordering.none();
    ordering.release(self.number, barrier.released);
  }
  if (barrier.arrived.size() < expected)
    return waits ? suspend(self) : void();
  completeBarrier(self, id, site);
  // Whoever came last has no right to go on first.
  maybeTurn(self);
}

void Block::completeBarrier(Thread &self, uint32_t id, int site) {
  // The barrier is an aligned one: a warp comes with all its lanes, at one instruction.
  Barrier &barrier = barriers[id];
  std::array<uint32_t, kMaxThreads / kWarpLanes> arrived{};
  std::array<const Barrier::Arrival *, kMaxThreads / kWarpLanes> first{};
  uint32_t count = 0;
  for (const Barrier::Arrival &arrival : barrier.arrived) {
    Thread &thread = threads[arrival.thread];
    uint32_t warp = thread.warp->index, bit = 1u << thread.registers.lane;
    if (arrived[warp] & bit)
      raise(self, FaultKind::DivergentBarrier, arrival.site,
            "divergent barrier: thread %u arrives twice at barrier %u before it completes", arrival.thread,
            id);
    arrived[warp] |= bit;
    count += arrival.waits && thread.registers.in[0] != 0;
    if (!first[warp])
      first[warp] = &arrival;
    else if (first[warp]->site != arrival.site)
      raise(thread, FaultKind::DivergentBarrier, arrival.site,
            "divergent barrier: lane %u of warp %u waits at barrier %u here, lane %u %s",
            thread.registers.lane, warp, id, threads[first[warp]->thread].registers.lane,
            launch->sites ? (*launch->sites)[first[warp]->site].source.c_str() : "elsewhere");
  }
  for (Warp &warp : warps)
    if (arrived[warp.index] && warp.alive & ~arrived[warp.index])
      raise(self, FaultKind::DivergentBarrier, site,
            "divergent barrier: only lanes 0x%x of warp %u reach barrier %u, an aligned one",
            arrived[warp.index], warp.index, id);
  orderBarrier(self, barrier, site);
  for (const Barrier::Arrival &arrival : barrier.arrived) {
    if (!arrival.waits)
      continue;
    threads[arrival.thread].registers.out[0] = count;
    makeRunnable(threads[arrival.thread]);
  }
  barrier.arrived.clear();
  barrier.waiting = 0;
}

void Block::orderBarrier(Thread &self, const Barrier &barrier, int site) {
  if (barrier.waiting == threads.size() && cluster.size() == 1 && !ordering.tracksProxies()) {
    ordering.joinAll();
    return shadow.renewIfNeeded();
  }
  if (!options.checkShared)
    return;
  waitingNumbers.clear();
  for (const Barrier::Arrival &arrival : barrier.arrived)
    if (arrival.waits)
      waitingNumbers.push_back(threads[arrival.thread].number);
  bool someArrived = barrier.waiting < barrier.arrived.size();
  if (someArrived && !waitingNumbers.empty())
    ordering.acquire(waitingNumbers.front(), barrier.released);
  if (!ordering.joinSome(waitingNumbers))
    raise(self, FaultKind::Limit, site, "more barriers in one block than the emulator can order");
}

//===----------------------------------------------------------------------===//
// Warp collectives
//===----------------------------------------------------------------------===//

void Block::collective(Thread &self, uint32_t mask, CollectiveKind kind, int site,
                       void (*execute)(Block &block, Warp &warp, uint32_t mask, int site)) {
  Warp &warp = *self.warp;
  uint32_t lane = self.registers.lane, bit = 1u << lane;
  if (!(mask & bit))
    raise(self, FaultKind::DivergentCollective, site,
          "divergent collective: lane %u of warp %u executes it, but mask 0x%x leaves that lane out", lane,
          warp.index, mask);
  if (mask & ~warp.alive)
    raise(self, FaultKind::DivergentCollective, site,
          "divergent collective: mask 0x%x names lanes 0x%x of warp %u, which do not exist or have exited",
          mask, mask & ~warp.alive, warp.index);
  Rendezvous *slot = nullptr;
  for (uint32_t i = 0; i < warp.pendingCount; ++i) {
    Rendezvous &pending = warp.pending[i];
    if (pending.mask == mask && pending.site == site && !(pending.arrived & bit)) {
      slot = &pending;
      continue;
    }
    // Two groups that wait for each other can never meet.
    if ((pending.mask & bit) && (pending.arrived & mask))
      raise(self, FaultKind::DivergentCollective, site,
            "divergent collective: lane %u of warp %u waits for lanes 0x%x, of which lanes 0x%x wait for it "
            "at %s",
            lane, warp.index, mask, pending.arrived & mask,
            launch->sites ? (*launch->sites)[pending.site].source.c_str() : "another operation");
  }
  if (!slot) {
    slot = &warp.pending[warp.pendingCount++];
    *slot = {mask, 0, kind, site};
  }
  slot->arrived |= bit;
  if (slot->arrived != mask) {
    self.wait = {WaitKind::Collective, 0, 0, mask, site};
    return suspend(self);
  }
  *slot = warp.pending[--warp.pendingCount];
  execute(*this, warp, mask, site);
  warp.runnable |= mask;
  for (uint32_t rest = mask & ~bit; rest; rest &= rest - 1)
    warp.lanes[__builtin_ctz(rest)].wait.kind = WaitKind::None;
  if (dice.next() % kPreemption == 0)
    maybeTurn(self);
}
