// mbarriers (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"): arrivals,
// expected bytes, phases, waits by parity. An arrival hands on what the thread knows, a wait takes it up; so
// the shadow of shared memory sees who may touch a stage of a ring. What programs get wrong is reported at
// the instruction that does it, or, for bytes that come unexpectedly, at the copy.
#include "Tilewright/Emulator/Machine.h"

#include <algorithm>

using namespace tilewright::emulator;

using ull = unsigned long long;
using sll = long long;

static std::string text(uint64_t value) { return std::to_string(value); }

std::string Block::describeMbarrier(const Mbarrier &barrier) const {
  std::string source =
      launch->sites && barrier.initSite >= 0 && size_t(barrier.initSite) < launch->sites->size()
          ? (*launch->sites)[barrier.initSite].source
          : "unknown";
  return "the mbarrier at offset " + text(barrier.offset) + " (initialised at " + source + ")";
}

void Block::raiseProblem(const Thread &self, FaultKind kind, int site) {
  raise(self, kind, site, "%s", problem.c_str());
}

void Block::mbarrierInit(Thread &self, void *pointer, uint32_t count, int site) {
  uint32_t offset = checkSharedBounds(self, pointer, 8, 8, "mbarrier.init", site);
  if (!count || count > kMaxArrivals)
    raise(self, FaultKind::MisusedBarrier, site, "mbarrier.init with a count of %u, not 1 to %u", count,
          kMaxArrivals);
  uint16_t &slot = mbarrierAt[offset / 8];
  if (slot && mbarriers[slot - 1]->isValid) {
    problem = "mbarrier.init of " + describeMbarrier(*mbarriers[slot - 1]) + ", which is in use";
    raiseProblem(self, FaultKind::MisusedBarrier, site);
  }
  if (options.checkShared) {
    SharedShadow::Finding found = shadow.write(offset, 8, self.number, site);
    if (found.verdict != Verdict::Fine)
      reportShared(self, found, "mbarrier.init", offset, 8, site);
  }
  if (!slot) {
    mbarriers.push_back(std::make_unique<Mbarrier>());
    slot = uint16_t(mbarriers.size());
  }
  Mbarrier &barrier = *mbarriers[slot - 1];
  barrier = Mbarrier();
  barrier.isValid = true;
  barrier.offset = offset;
  barrier.expected = barrier.pending = count;
  barrier.initThread = self.number;
  barrier.initStamp = makeStamp(ordering.now(), self.number);
  barrier.initSite = site;
  barrier.gathering = barrier.completed = ordering.none();
}

void Block::mbarrierInvalidate(Thread &self, void *pointer, int site) {
  Mbarrier &barrier = findMbarrier(self, pointer, "mbarrier.inval", site);
  if (!barrier.waiters.empty()) {
    problem = "mbarrier.inval of " + describeMbarrier(barrier) + ", at which " +
              text(barrier.waiters.size()) + " threads wait";
    raiseProblem(self, FaultKind::MisusedBarrier, site);
  }
  barrier.isValid = false;
}

void Block::fenceMbarriers(Thread &self) {
  for (const auto &barrier : mbarriers)
    barrier->isFenced |= barrier->initThread == self.number;
}

Mbarrier &Block::findMbarrier(Thread &self, void *pointer, const char *verb, int site) {
  Block &owner = ownerOf(self, pointer, verb, site);
  uint32_t offset = owner.checkSharedBounds(self, pointer, 8, 8, verb, site);
  uint16_t slot = owner.mbarrierAt[offset / 8];
  if (!slot || !owner.mbarriers[slot - 1]->isValid)
    raise(self, FaultKind::MisusedBarrier, site,
          "%s at offset %u of shared memory, where no mbarrier is initialised", verb, offset);
  Mbarrier &barrier = *owner.mbarriers[slot - 1];
  if (options.checkShared && !ordering.isBefore(barrier.initStamp, self.number)) {
    problem = std::string(verb) + " at " + owner.describeMbarrier(barrier) +
              ", and no barrier orders that initialisation before it";
    raiseProblem(self, FaultKind::Race, site);
  }
  if (&owner != this && !barrier.isFenced) {
    problem = std::string(verb) + " from another block at " + owner.describeMbarrier(barrier) +
              " without fence.mbarrier.init after the initialisation";
    raiseProblem(self, FaultKind::MissingFence, site);
  }
  return barrier;
}

Mbarrier &Block::mbarrierFor(const BulkLoad &load, Thread &self, int site) {
  std::string verb = load.name() + std::string(" that completes");
  Mbarrier &barrier = findMbarrier(self, shared + load.mbarrier, verb.c_str(), site);
  if (!barrier.isFenced) {
    problem =
        verb + " at " + describeMbarrier(barrier) + " without fence.mbarrier.init after the initialisation";
    raiseProblem(self, FaultKind::MissingFence, site);
  }
  if (!barrier.hasAgent) {
    barrier.agent = ordering.addAgent();
    barrier.hasAgent = true;
  }
  return barrier;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static bool isOver(const Mbarrier &barrier, uint64_t phase, bool isState) {
  return isState ? barrier.phase > phase : (barrier.phase & 1) != (phase & 1);
}

// How a thread waits, in Wait::mask.
static constexpr uint32_t kWaitsForState = 1, kWaitsRelaxed = 2;

bool Block::turnPhase(Mbarrier &barrier) {
  if (barrier.pending || barrier.txBytes)
    return true;
  // Parity is one bit: whoever were to wait for the phase before would take this one's end for the beginning.
  if (!barrier.isObserved && barrier.waitSite >= 0) {
    problem = "parity aliasing: phase " + text(barrier.phase) + " of " + describeMbarrier(barrier) +
              " ends, and no thread has waited for phase " + text(barrier.phase - 1) +
              "; its parity tells the two no longer apart";
    return false;
  }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed = barrier.gathering;
  barrier.isObserved = false;
  size_t kept = 0;
  for (Thread *waiter : barrier.waiters) {
    const Wait &wait = waiter->wait;
    if (!isOver(barrier, wait.count, wait.mask & kWaitsForState)) {
      barrier.waiters[kept++] = waiter;
      continue;
    }
    barrier.isObserved = true;
    if (options.checkShared && !(wait.mask & kWaitsRelaxed))
      ordering.acquire(waiter->number, barrier.completed);
    waiter->block->makeRunnable(*waiter);
  }
  barrier.waiters.resize(kept);
  return true;
}

uint64_t Block::mbarrierArrive(Thread &self, void *pointer, uint32_t count, uint32_t txBytes, uint32_t flags,
                               int site) {
  const char *verb = flags & arrive::kNoArrive ? "mbarrier.expect_tx" : "mbarrier.arrive";
  Mbarrier &barrier = findMbarrier(self, pointer, verb, site);
  Block &owner = ownerOf(self, pointer, verb, site);
  if (flags & arrive::kExpect) {
    barrier.txBytes += txBytes;
    if (barrier.txBytes > kMaxTxBytes) {
      problem = std::string(verb) + ".expect_tx of " + text(txBytes) + " bytes makes " +
                text(barrier.txBytes) + " expected at " + owner.describeMbarrier(barrier) + ", more than " +
                text(kMaxTxBytes);
      raiseProblem(self, FaultKind::MisusedBarrier, site);
    }
  }
  uint64_t phase = barrier.phase;
  if (flags & arrive::kNoArrive)
    return phase;
  if (!count || count > barrier.pending) {
    problem = "arrival overflow: " + text(count) + " more at " + owner.describeMbarrier(barrier) +
              ", where " + text(barrier.pending) + " of " + text(barrier.expected) +
              " arrivals are pending in phase " + text(phase) +
              (barrier.txBytes ? " and " + text(barrier.txBytes) + " bytes" : "") + "; the last one was " +
              operationAt(barrier.arriveSite);
    raiseProblem(self, FaultKind::MisusedBarrier, site);
  }
  if (ordering.isExhausted())
    raise(self, FaultKind::Limit, site, "more synchronisation in one block than the emulator can order");
  if (options.checkShared)
    ordering.release(self.number, barrier.gathering, flags & arrive::kRelaxed);
  barrier.arriveSite = site;
  barrier.pending -= count;
  if (flags & arrive::kDrop)
    barrier.expected -= std::min(barrier.expected, count);
  if (flags & arrive::kNoComplete && !barrier.pending) {
    problem = "mbarrier.arrive.nocomplete is the last arrival of phase " + text(phase) + " of " +
              owner.describeMbarrier(barrier);
    raiseProblem(self, FaultKind::MisusedBarrier, site);
  }
  if (!owner.turnPhase(barrier)) {
    problem = owner.problem;
    raiseProblem(self, FaultKind::MisusedBarrier, site);
  }
  return phase;
}

void Block::mbarrierWait(Thread &self, void *pointer, uint64_t phase, bool isState, bool relaxed, int site) {
  if (mbarrierTest(self, pointer, phase, isState, relaxed, site))
    return;
  Mbarrier &barrier = findMbarrier(self, pointer, "mbarrier.try_wait", site);
  uint32_t how = (isState ? kWaitsForState : 0) | (relaxed ? kWaitsRelaxed : 0);
  self.wait = {WaitKind::Mbarrier, barrier.offset, uint32_t(phase), how, site};
  barrier.waiters.push_back(&self);
  suspend(self);
}

bool Block::mbarrierTest(Thread &self, void *pointer, uint64_t phase, bool isState, bool relaxed, int site) {
  if (!isShared(pointer))
    raise(self, FaultKind::MisusedBarrier, site,
          "a wait at an mbarrier that is not in the block's own shared memory");
  Mbarrier &barrier = findMbarrier(self, pointer, "mbarrier.try_wait", site);
  if (!isState && phase > 1)
    raise(self, FaultKind::MisusedBarrier, site, "a wait for parity %llu, not 0 or 1",
          static_cast<ull>(phase));
  barrier.waitSite = site;
  if (!isOver(barrier, phase, isState))
    return false;
  barrier.isObserved = true;
  if (options.checkShared && !relaxed)
    ordering.acquire(self.number, barrier.completed);
  return true;
}

void Block::mbarrierArriveAfterCopies(Thread &self, void *pointer, bool countsAsExtra, int site) {
  Mbarrier &barrier = findMbarrier(self, pointer, "cp.async.mbarrier.arrive", site);
  if (countsAsExtra)
    ++barrier.pending;
  BulkLoad load;
  load.isArrival = true;
  load.mbarrier = barrier.offset;
  load.bytes = uint32_t(self.copies.size());
  load.targets = 1u << rank;
  load.issuer = &self;
  load.site = site;
  // These copies belong to the arrival; a later wait for groups has nothing to do with them.
  load.copies.swap(self.copies);
  cluster.loads.push_back(load);
  if (options.earlyCompletion)
    cluster.landOne();
}
