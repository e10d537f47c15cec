// Entries for memory, barriers, collectives and copies; PtxEntries.cpp adds number functions. Each first
// checks, then lets the block do the work.
#include "Tilewright/Emulator/Entries.h"

#include "AsyncEntries.h"
#include "Collectives.h"
#include "PtxEntries.h"

#include <algorithm>

using namespace tilewright::emulator;

namespace {
struct Access {
  explicit Access(uint32_t spec) : bytes(spec & 0xFFF), alignment(spec >> 12 & 0xFFF), isWrite(spec >> 31) {}
  uint32_t bytes, alignment;
  bool isWrite;
  const char *verb() const { return isWrite ? "store" : "load"; }
};
} // namespace

static void checkGlobal(Thread *self, const void *pointer, uint32_t spec, int site) {
  Access access(spec);
  self->block->checkGlobal(*self, pointer, access.bytes, access.alignment, access.isWrite, access.verb(),
                           site);
  self->block->noteGlobal(*self, pointer, access.bytes, access.isWrite, access.verb(), site);
}
static void checkShared(Thread *self, const void *pointer, uint32_t spec, int site) {
  Access access(spec);
  self->block->checkShared(*self, pointer, access.bytes, access.alignment, access.isWrite, site);
}
static void checkCluster(Thread *self, const void *pointer, uint32_t spec, int site) {
  Access access(spec);
  self->block->checkSharedCluster(*self, pointer, access.bytes, access.alignment, access.isWrite, false,
                                  site);
}
/// A pointer whose space is not known: the fiber's own stack (local memory), shared memory of the cluster, or
/// else global memory.
static void checkGeneric(Thread *self, const void *pointer, uint32_t spec, int site) {
  if (self->block->isOwnStack(*self, pointer))
    return;
  if (self->block->isShared(pointer))
    return checkShared(self, pointer, spec, site);
  if (self->block->cluster.size() > 1 && self->block->cluster.blockAt(pointer))
    return checkCluster(self, pointer, spec, site);
  checkGlobal(self, pointer, spec, site);
}
static void checkGlobalIf(Thread *self, const void *pointer, uint32_t spec, int site, uint32_t predicate) {
  if (predicate)
    checkGlobal(self, pointer, spec, site);
}
static void checkSharedIf(Thread *self, const void *pointer, uint32_t spec, int site, uint32_t predicate) {
  if (predicate)
    checkShared(self, pointer, spec, site);
}

/// Each byte of a memcpy or memset, in pieces that the shadow takes.
static void checkRange(Thread *self, const void *pointer, uint64_t bytes, uint32_t isWrite, int site) {
  constexpr uint64_t kPiece = 16;
  for (uint64_t done = 0; done < bytes; done += kPiece)
    checkGeneric(self, static_cast<const char *>(pointer) + done,
                 accessSpec(uint32_t(std::min(kPiece, bytes - done)), 1, isWrite != 0), site);
}

static void checkAtomicGlobal(Thread *self, const void *pointer, uint32_t spec, int site) {
  Access access(spec);
  self->block->checkGlobal(*self, pointer, access.bytes, access.alignment, access.isWrite, "atomic", site);
  self->block->noteSynchronisation();
  self->block->giveWay(*self, site);
}
static void checkAtomicShared(Thread *self, const void *pointer, uint32_t spec, int site) {
  self->block->checkSharedAtomic(*self, pointer, Access(spec).bytes, site);
  self->block->giveWay(*self, site);
}
static void checkAtomicCluster(Thread *self, const void *pointer, uint32_t spec, int site) {
  Access access(spec);
  self->block->checkSharedCluster(*self, pointer, access.bytes, access.bytes, access.isWrite, true, site);
  self->block->giveWay(*self, site);
}
static void checkAtomicGeneric(Thread *self, const void *pointer, uint32_t spec, int site) {
  if (self->block->isShared(pointer))
    return checkAtomicShared(self, pointer, spec, site);
  if (self->block->cluster.size() > 1 && self->block->cluster.blockAt(pointer))
    return checkAtomicCluster(self, pointer, spec, site);
  checkAtomicGlobal(self, pointer, spec, site);
}

static void barrier(Thread *self, uint32_t id, uint32_t count, int site) {
  self->block->barrier(*self, id, count, site);
}
static uint32_t barrierReduce(Thread *self, uint32_t id, uint32_t count, uint32_t kind, uint32_t predicate,
                              int site) {
  uint32_t threads = count ? count : uint32_t(self->block->threads.size());
  self->registers.in[0] = predicate;
  self->block->barrier(*self, id, count, site);
  uint32_t holding = self->registers.out[0];
  switch (BarrierReduction(kind)) {
  case BarrierReduction::Count:
    return holding;
  case BarrierReduction::And:
    return holding == threads;
  case BarrierReduction::Or:
    return holding != 0;
  }
  return 0;
}

static void collective(Thread *self, uint32_t kind, uint32_t mask, int site) {
  // In the order of CollectiveKind.
  static constexpr CollectiveFunction functions[] = {syncWarp, shuffle,    vote,        match, redux,
                                                     mma,      loadMatrix, storeMatrix, elect};
  self->block->collective(*self, mask, CollectiveKind(kind), site, functions[kind]);
}

static void copyAsync(Thread *self, void *destination, const void *source, uint32_t bytes,
                      uint32_t sourceBytes, int site) {
  self->block->copyAsync(*self, destination, source, bytes, sourceBytes, site);
}
static void commitCopies(Thread *self) { self->block->commitCopies(*self); }
static void waitCopies(Thread *self, uint32_t pending, uint32_t all) {
  self->block->waitCopies(*self, pending, all != 0);
}

static void raiseFlag(Thread *self, void *pointer, int site) { self->block->raiseFlag(*self, pointer, site); }
static void lowerFlag(Thread *self, void *pointer, int site) { self->block->lowerFlag(*self, pointer, site); }

static uint64_t takeTicket(Thread *self, void *pointer, int site) {
  return self->block->takeTicket(*self, pointer, site);
}
static void returnTickets(Thread *self, uint64_t value, void *pointer, int site) {
  self->block->returnTickets(*self, value, pointer, site);
}
static void arriveCounter(Thread *self, void *pointer, int site) {
  self->block->arriveCounter(*self, pointer, site);
}
static void awaitCounter(Thread *self, uint32_t value, void *pointer, int site) {
  self->block->awaitCounter(*self, value, pointer, site);
}
static void publishWord(Thread *self, uint32_t value, uint32_t mark, void *pointer, int site) {
  self->block->publishWord(*self, value, mark, pointer, site);
}
static uint32_t awaitWord(Thread *self, void *pointer, uint32_t mark, uint32_t predicate, int site) {
  return predicate ? self->block->awaitWord(*self, pointer, mark, site) : 0;
}

static void awaitGrid(Thread *self) { self->block->awaitGrid(); }

static void trap(Thread *self, int site) {
  self->block->raise(*self, FaultKind::Trap, site, "the kernel reached %s",
                     self->block->launch->sites ? (*self->block->launch->sites)[site].operation.c_str()
                                                : "a trap");
}
/// The host traps where a GPU returns an unspecified number; neither is what the program meant.
static void checkDivisor(Thread *self, uint64_t divisor, int site) {
  if (!divisor)
    self->block->raise(*self, FaultKind::Trap, site, "integer division by zero");
}
static void exitThread(Thread *self) { self->block->exit(*self); }

template <typename Function> static Entry entry(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

const std::vector<Entry> &tilewright::emulator::entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list = {
        entry("tw_emu_check_global", checkGlobal),
        entry("tw_emu_check_shared", checkShared),
        entry("tw_emu_check_generic", checkGeneric),
        entry("tw_emu_check_cluster", checkCluster),
        entry("tw_emu_check_range", checkRange),
        entry("tw_emu_check_global_if", checkGlobalIf),
        entry("tw_emu_check_shared_if", checkSharedIf),
        entry("tw_emu_check_atomic_global", checkAtomicGlobal),
        entry("tw_emu_check_atomic_shared", checkAtomicShared),
        entry("tw_emu_check_atomic_generic", checkAtomicGeneric),
        entry("tw_emu_check_atomic_cluster", checkAtomicCluster),
        entry("tw_emu_barrier", barrier),
        entry("tw_emu_barrier_reduce", barrierReduce),
        entry("tw_emu_collective", collective),
        entry("tw_emu_cp_async", copyAsync),
        entry("tw_emu_cp_async_commit", commitCopies),
        entry("tw_emu_cp_async_wait", waitCopies),
        entry("tw_emu_raise_flag", raiseFlag),
        entry("tw_emu_lower_flag", lowerFlag),
        entry("tw_emu_take_ticket", takeTicket),
        entry("tw_emu_return_tickets", returnTickets),
        entry("tw_emu_arrive_counter", arriveCounter),
        entry("tw_emu_await_counter", awaitCounter),
        entry("tw_emu_publish_word", publishWord),
        entry("tw_emu_await_word", awaitWord),
        entry("tw_emu_await_grid", awaitGrid),
        entry("tw_emu_trap", trap),
        entry("tw_emu_exit", exitThread),
        entry("tw_emu_check_divisor", checkDivisor),
    };
    appendAsyncEntries(list);
    appendNumberEntries(list);
    return list;
  }();
  return all;
}
