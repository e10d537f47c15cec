// Entries for what came with Hopper: mbarriers, bulk copies, warpgroups, clusters. Each unpacks its operands
// and lets the block do the work. A null shared address stands for a predicate that is false.
#include "AsyncEntries.h"

#include <algorithm>

using namespace tilewright::emulator;

//===-- mbarriers and fences ------------------------------------------------------------------------===//

static void mbarrierInit(Thread *self, void *pointer, uint32_t count, int site) {
  if (pointer)
    self->block->mbarrierInit(*self, pointer, count, site);
}
static void mbarrierInvalidate(Thread *self, void *pointer, int site) {
  self->block->mbarrierInvalidate(*self, pointer, site);
}
static uint64_t mbarrierArrive(Thread *self, void *pointer, uint32_t count, uint32_t txBytes, uint32_t flags,
                               int site) {
  return pointer ? self->block->mbarrierArrive(*self, pointer, count, txBytes, flags, site) : 0;
}
static void mbarrierWait(Thread *self, void *pointer, uint64_t phase, uint32_t isState, uint32_t relaxed,
                         int site) {
  self->block->mbarrierWait(*self, pointer, phase, isState, relaxed, site);
}
static uint32_t mbarrierTest(Thread *self, void *pointer, uint64_t phase, uint32_t isState, uint32_t relaxed,
                             int site) {
  bool isOver = self->block->mbarrierTest(*self, pointer, phase, isState, relaxed, site);
  if (!isOver)
    self->block->poll(*self, site);
  return isOver;
}
static void mbarrierArriveAfterCopies(Thread *self, void *pointer, uint32_t countsAsExtra, int site) {
  self->block->mbarrierArriveAfterCopies(*self, pointer, countsAsExtra, site);
}
static void fenceMbarriers(Thread *self) { self->block->fenceMbarriers(*self); }
static void fenceProxy(Thread *self) {
  self->block->fenceMbarriers(*self);
  self->block->ordering.fenceProxy(self->number);
}
static void barrierArrive(Thread *self, uint32_t id, uint32_t count, int site) {
  self->block->barrierArrive(*self, id, count, site);
}

//===-- bulk copies ---------------------------------------------------------------------------------===//

/// `bytes` is 0 for a tensor copy, whose coordinates are in Registers::in and whose map is at `global`.
static BulkRequest bulkRequest(Thread *self, void *shared, void *global, uint32_t bytes, uint32_t rank) {
  BulkRequest request;
  request.shared = shared;
  request.rank = rank;
  request.bytes = bytes;
  if (rank)
    request.map = static_cast<const TensorMap *>(global);
  else
    request.global = global;
  for (uint32_t i = 0; i < std::min(rank, kMaxTensorRank); ++i)
    request.coordinates[i] = int32_t(self->registers.in[i]);
  return request;
}
static void bulkLoad(Thread *self, void *shared, void *global, void *mbarrier, uint32_t bytes, uint32_t rank,
                     uint32_t multicast, int site) {
  if (!shared)
    return;
  BulkRequest request = bulkRequest(self, shared, global, bytes, rank);
  request.mbarrier = mbarrier;
  request.multicast = multicast;
  self->block->bulkLoad(*self, request, site);
}
static void bulkStore(Thread *self, void *shared, void *global, uint32_t bytes, uint32_t rank,
                      uint32_t byteMask, uint32_t reduction, int site) {
  if (!shared)
    return;
  BulkRequest request = bulkRequest(self, shared, global, bytes, rank);
  request.byteMask = byteMask;
  request.reduction = reduction;
  self->block->bulkStore(*self, request, site);
}
static void bulkCommit(Thread *self) { self->block->commitStores(*self); }
static void bulkWait(Thread *self, uint32_t pending, uint32_t onlyRead, int site) {
  self->block->waitStores(*self, pending, onlyRead, site);
}

//===-- warpgroups ----------------------------------------------------------------------------------===//

static void wgmma(Thread *self, uint32_t *accumulators, uint64_t a, uint64_t b, const uint32_t *registersOfA,
                  uint32_t accumulates, uint32_t spec, int site) {
  WgmmaRequest request{accumulators,
                       a,
                       b,
                       registersOfA,
                       spec >> 16 & 0x1FF,
                       uint8_t(spec & 15),
                       uint8_t(spec >> 4 & 15),
                       WgmmaAccumulator(spec >> 8 & 3),
                       accumulates != 0,
                       (spec & wgmmaFlag::kNegateA) != 0,
                       (spec & wgmmaFlag::kNegateB) != 0,
                       (spec & wgmmaFlag::kTransposedA) != 0,
                       (spec & wgmmaFlag::kTransposedB) != 0,
                       (spec & wgmmaFlag::kSaturates) != 0,
                       (spec & wgmmaFlag::kUnfencedA) != 0};
  self->block->wgmma(*self, request, site);
}
static void wgmmaFence(Thread *self, int site) { self->block->wgmmaFence(*self, site); }
static void wgmmaCommit(Thread *self, int site) { self->block->wgmmaCommit(*self, site); }
static void wgmmaWait(Thread *self, uint32_t pending, int site) {
  self->block->wgmmaWait(*self, pending, site);
}
static void wgmmaUsed(Thread *self, int wgmmaSite, int site) {
  self->block->wgmmaUsed(*self, wgmmaSite, site);
}
static void setMaxRegisters(Thread *self, uint32_t count, uint32_t increase, int site) {
  self->block->setMaxRegisters(*self, count, increase, site);
}

//===-- clusters ------------------------------------------------------------------------------------===//

static void clusterArrive(Thread *self, uint32_t relaxed, int site) {
  self->block->clusterArrive(*self, relaxed, site);
}
static void clusterWait(Thread *self, int site) { self->block->clusterWait(*self, site); }
static void storeAsync(Thread *self, void *pointer, void *mbarrier, uint32_t bytes, uint32_t predicate,
                       int site) {
  if (predicate)
    self->block->storeAsync(*self, pointer, mbarrier, bytes, site);
}
static void *mapRank(Thread *self, void *pointer, uint32_t rank, int site) {
  return self->block->mapRank(*self, pointer, rank, site);
}
/// An address of shared memory as an integer: the rank of its block in the bits from 24.
static uint64_t clusterAddress(Thread *self, void *pointer, int site) {
  Block &owner = self->block->ownerOf(*self, pointer, "shared address", site);
  return uint64_t(owner.rank) << kRankShift | uint64_t(static_cast<std::byte *>(pointer) - owner.shared);
}
static void *clusterPointer(Thread *self, uint64_t address, int site) {
  uint64_t rank = address >> kRankShift, offset = address & ((1u << kRankShift) - 1);
  if (rank >= self->block->cluster.size())
    self->block->raise(*self, FaultKind::OutOfBounds, site,
                       "shared address 0x%llx names rank %llu of %zu blocks",
                       static_cast<unsigned long long>(address), static_cast<unsigned long long>(rank),
                       self->block->cluster.size());
  return self->block->cluster.block(rank).shared + offset;
}

template <typename Function> static Entry entry(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

void tilewright::emulator::appendAsyncEntries(std::vector<Entry> &list) {
  const Entry all[] = {
      entry("tw_emu_mbarrier_init", mbarrierInit),
      entry("tw_emu_mbarrier_inval", mbarrierInvalidate),
      entry("tw_emu_mbarrier_arrive", mbarrierArrive),
      entry("tw_emu_mbarrier_wait", mbarrierWait),
      entry("tw_emu_mbarrier_test", mbarrierTest),
      entry("tw_emu_cp_async_mbarrier_arrive", mbarrierArriveAfterCopies),
      entry("tw_emu_fence_mbarrier_init", fenceMbarriers),
      entry("tw_emu_fence_proxy", fenceProxy),
      entry("tw_emu_barrier_arrive", barrierArrive),
      entry("tw_emu_bulk_load", bulkLoad),
      entry("tw_emu_bulk_store", bulkStore),
      entry("tw_emu_bulk_commit", bulkCommit),
      entry("tw_emu_bulk_wait", bulkWait),
      entry("tw_emu_wgmma", wgmma),
      entry("tw_emu_wgmma_fence", wgmmaFence),
      entry("tw_emu_wgmma_commit", wgmmaCommit),
      entry("tw_emu_wgmma_wait", wgmmaWait),
      entry("tw_emu_wgmma_used", wgmmaUsed),
      entry("tw_emu_setmaxnreg", setMaxRegisters),
      entry("tw_emu_cluster_arrive", clusterArrive),
      entry("tw_emu_cluster_wait", clusterWait),
      entry("tw_emu_store_async", storeAsync),
      entry("tw_emu_mapa", mapRank),
      entry("tw_emu_cluster_address", clusterAddress),
      entry("tw_emu_cluster_pointer", clusterPointer),
  };
  list.insert(list.end(), std::begin(all), std::end(all));
}
