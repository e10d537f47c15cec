// The blocks of a cluster: who goes on when, the cluster's barrier, shared memory of other blocks, and the
// moment at which bulk copies land: when no thread of the cluster can go on without them.
#include "Tilewright/Emulator/Machine.h"

#include <algorithm>

using namespace tilewright::emulator;

Cluster::Cluster(const MachineOptions &options) : options(options) {}
Cluster::~Cluster() = default;

Fault Cluster::prepare(const Launch &launch) {
  active = launch.cluster.count();
  while (blocks.size() < active)
    blocks.push_back(std::make_unique<Block>(options, *this, ordering));
  for (size_t rank = 0; rank < active; ++rank)
    if (Fault fault = blocks[rank]->prepare(launch))
      return fault;
  return {};
}

Fault Cluster::run(const Launch &launch, uint64_t index) {
  begin(launch, index);
  if (Fault found = advance())
    return found;
  return finish();
}

void Cluster::begin(const Launch &launch, uint64_t index) {
  const Extent &grid = launch.grid, &size = launch.cluster;
  nameInGlobal = uint32_t(index) + 1;
  uint64_t across = grid.x / size.x, down = grid.y / size.y;
  uint32_t corner[3] = {uint32_t(index % across) * size.x, uint32_t(index / across % down) * size.y,
                        uint32_t(index / across / down) * size.z};
  if (ordering.isNearlyExhausted()) {
    for (const auto &block : blocks)
      block->shadow.clear();
    ordering.rewind();
  }
  ordering.beginBlock(uint32_t(launch.block.count() * active), launch.usesAsyncProxy || active > 1);
  loads.clear();
  handovers.clear();
  fault = Fault();
  barrier.arrived = barrier.turns = 0;
  barrier.gathering = barrier.completed = ordering.none();
  uint64_t seed = options.seed * 0x10001 + index * 2654435761u + 1;
  dice = Dice(seed + active);
  for (uint32_t rank = 0; rank < active; ++rank) {
    uint32_t place[3] = {corner[0] + rank % size.x, corner[1] + rank / size.x % size.y,
                         corner[2] + rank / size.x / size.y};
    blocks[rank]->begin(launch, place, rank, seed + rank);
  }
}

bool Cluster::canGoOn() {
  bool ready = false;
  for (size_t rank = 0; rank < active; ++rank) {
    blocks[rank]->wakeAtFlags();
    ready |= blocks[rank]->readyWarps != 0;
  }
  return ready;
}

bool Cluster::isOver() const {
  return std::none_of(blocks.begin(), blocks.begin() + ptrdiff_t(active),
                      [](const auto &block) { return block->live; });
}

bool Cluster::waitsAtFlag() const {
  return std::any_of(blocks.begin(), blocks.begin() + ptrdiff_t(active), [](const auto &block) {
    return std::any_of(block->threads.begin(), block->threads.end(), [](const Thread &thread) {
      return thread.wait.kind == WaitKind::Flag && !thread.exited;
    });
  });
}

Fault Cluster::advance() {
  do {
    uint32_t ready = 0;
    for (size_t rank = 0; rank < active; ++rank)
      ready |= uint32_t(blocks[rank]->readyWarps != 0) << rank;
    if (!ready)
      continue;
    uint32_t skip = dice.next() % uint32_t(__builtin_popcount(ready));
    while (skip--)
      ready &= ready - 1;
    Block &next = *blocks[__builtin_ctz(ready)];
    next.resume();
    if (next.fault)
      return next.fault;
  } while (!fault && (std::any_of(blocks.begin(), blocks.begin() + active,
                                  [](const auto &block) { return block->readyWarps != 0; }) ||
                      landOne()));
  return fault;
}

Fault Cluster::finish() {
  for (size_t rank = 0; rank < active; ++rank)
    if (blocks[rank]->live)
      return blocks[rank]->diagnoseStall();
  for (size_t rank = 0; rank < active; ++rank)
    for (Thread &thread : blocks[rank]->threads)
      for (BulkStore &store : thread.stores.pending)
        blocks[rank]->writeStore(store);
  return fault;
}

void Cluster::noteFault(const Block &block, FaultKind kind, std::string sentence, uint32_t thread, int site) {
  if (fault)
    return;
  fault.kind = kind;
  fault.sentence = std::move(sentence) + block.where(block.threads[thread], site);
}

bool Cluster::landOne() {
  if (loads.empty() || fault)
    return false;
  size_t which = dice.next() % loads.size();
  BulkLoad load = loads[which];
  loads.erase(loads.begin() + ptrdiff_t(which));
  for (uint32_t rest = load.targets; rest && !fault; rest &= rest - 1) {
    Block &target = *blocks[__builtin_ctz(rest)];
    if (!target.land(load))
      noteFault(*load.issuer->block, FaultKind::MisusedBarrier, target.problem, load.issuer->registers.linear,
                load.site);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The cluster's barrier
//===----------------------------------------------------------------------===//

void Cluster::turnBarrier() {
  uint32_t live = 0;
  for (size_t rank = 0; rank < active; ++rank)
    live += blocks[rank]->live;
  if (!barrier.arrived || barrier.arrived < live)
    return;
  barrier.arrived = 0;
  ++barrier.turns;
  barrier.completed = barrier.gathering;
  for (size_t rank = 0; rank < active; ++rank)
    for (Thread &thread : blocks[rank]->threads)
      if (thread.wait.kind == WaitKind::Cluster && !thread.exited) {
        if (options.checkShared)
          ordering.acquire(thread.number, barrier.completed);
        blocks[rank]->makeRunnable(thread);
      }
}

void Block::clusterArrive(Thread &self, bool relaxed, int site) {
  if (self.clusterArrivals != self.clusterWaits)
    raise(self, FaultKind::MisusedBarrier, site,
          "thread %u arrives at the cluster's barrier again without having waited for its last arrival",
          self.registers.linear);
  ++self.clusterArrivals;
  self.clusterSite = site;
  ++cluster.barrier.arrived;
  if (options.checkShared)
    ordering.release(self.number, cluster.barrier.gathering, relaxed);
  cluster.turnBarrier();
}

void Block::clusterWait(Thread &self, int site) {
  if (self.clusterArrivals == self.clusterWaits)
    raise(self, FaultKind::MisusedBarrier, site,
          "thread %u waits at the cluster's barrier, at which it has not arrived", self.registers.linear);
  ++self.clusterWaits;
  if (cluster.barrier.turns >= self.clusterWaits) {
    if (options.checkShared)
      ordering.acquire(self.number, cluster.barrier.completed);
    return;
  }
  self.wait = {WaitKind::Cluster, 0, 0, 0, site};
  suspend(self);
}

//===----------------------------------------------------------------------===//
// Shared memory of other blocks
//===----------------------------------------------------------------------===//

Block *Cluster::blockAt(const void *pointer) {
  for (size_t rank = 0; rank < active; ++rank)
    if (blocks[rank]->isShared(pointer))
      return blocks[rank].get();
  return nullptr;
}

// A block's shared memory is there from its start on, and blocks of a cluster need not start together.
// Whoever has passed the cluster's barrier, a relaxed one too, knows that all have; an arrival that comes
// from the other block says so as well.
bool Block::knowsBegun(const Thread &self, const Block &owner) const {
  return self.clusterWaits ||
         ordering.knowsAnyOf(self.number, uint32_t(owner.rank * threads.size()), uint32_t(threads.size()));
}

Block &Block::ownerOf(Thread &self, const void *pointer, const char *verb, int site) {
  Block &owner = reachedOwnerOf(self, pointer, verb, site);
  if (&owner != this)
    noteRemote(self, owner, site);
  return owner;
}

Block &Block::reachedOwnerOf(Thread &self, const void *pointer, const char *verb, int site) {
  if (isShared(pointer))
    return *this;
  Block *owner = cluster.blockAt(pointer);
  if (!owner)
    raise(self, FaultKind::OutOfBounds, site, "%s at an address outside the shared memory of this cluster",
          verb);
  if (!owner->live)
    raise(self, FaultKind::OutOfBounds, site,
          "%s in the shared memory of the block of rank %u, whose threads have all exited", verb,
          owner->rank);
  if (options.checkShared && !knowsBegun(self, *owner))
    raise(self, FaultKind::Race, site,
          "%s in the shared memory of the block of rank %u, and nothing says that it has begun (a barrier of "
          "the cluster would)",
          verb, owner->rank);
  return *owner;
}

void *Block::mapRank(Thread &self, void *pointer, uint32_t rank, int site) {
  if (rank >= cluster.size())
    raise(self, FaultKind::OutOfBounds, site, "mapa to rank %u of a cluster of %zu blocks", rank,
          cluster.size());
  Block &owner = ownerOf(self, pointer, "mapa", site);
  return cluster.block(rank).shared + (static_cast<std::byte *>(pointer) - owner.shared);
}

void Block::checkSharedCluster(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment,
                               bool isWrite, bool isAtomic, int site) {
  Block &owner = ownerOf(self, pointer, isWrite ? "store" : "load", site);
  if (isAtomic)
    owner.checkSharedAtomic(self, pointer, bytes, site);
  else
    owner.checkShared(self, pointer, bytes, alignment, isWrite, site);
}

// A block may not end while its shared memory is still used: when its last thread exits, its threads must
// know (by a barrier on the way) of every access of other blocks, and of every bulk copy that landed.

void Block::beginRemote() {
  if (cluster.size() > 1) {
    size_t all = threads.size() * cluster.size();
    remoteAccesses.assign(all, 0);
    remoteSites.assign(all, -1);
  }
  exitKnowledge = ordering.none();
}

void Block::noteRemote(const Thread &self, Block &owner, int site) {
  if (&owner == self.block)
    return;
  owner.remoteAccesses[self.number] = ordering.now();
  owner.remoteSites[self.number] = site;
}

void Block::checkEnd(Thread &self) {
  for (uint32_t number = 0; cluster.size() > 1 && number < remoteAccesses.size(); ++number) {
    uint32_t at = remoteAccesses[number];
    if (at && exitKnowledge[number] <= at)
      raise(self, FaultKind::Race, remoteSites[number],
            "the block of rank %u ends, and no barrier orders that after thread %u of the block of rank %u "
            "accessed its shared memory (%s)",
            rank, uint32_t(number % threads.size()), uint32_t(number / threads.size()),
            operationAt(remoteSites[number]).c_str());
  }
  for (const BulkLoad &load : cluster.loads)
    if (load.targets >> rank & 1)
      raise(
          self, FaultKind::InFlight, load.site,
          "data in flight: the block of rank %u ends, and nothing has waited for the %s to its shared memory "
          "at offset %u",
          rank, load.name(), load.offset);
  for (const auto &barrier : mbarriers)
    if (barrier->lastLanding && !ordering.knowsAgent(exitKnowledge, barrier->agent, barrier->lastLanding)) {
      problem = "data in flight: the block ends, and nothing has waited at " + describeMbarrier(*barrier) +
                " for the last copy that completes there";
      raiseProblem(self, FaultKind::InFlight, barrier->landingSite);
    }
}

void Block::leaveCluster(Thread &self) {
  // Kernels in which threads did so did not end on an H200 (5 of 5, within a minute each). A warp that ends
  // is presumably expected no more, and still counted: the phase ends without one that has yet to arrive.
  if (self.clusterArrivals != self.clusterWaits)
    raise(self, FaultKind::MisusedBarrier, self.clusterSite,
          "thread %u ends without having waited for its arrival at the cluster's barrier",
          self.registers.linear);
  if (ordering.tracksProxies() && options.checkShared) {
    ordering.release(self.number, exitKnowledge);
    if (!live)
      checkEnd(self);
  }
  cluster.turnBarrier();
}
