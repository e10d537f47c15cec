// What to say when no thread of a block can go on, and how faults are worded.
#include "Tilewright/Emulator/Machine.h"

#include <algorithm>

using namespace tilewright::emulator;

const char *tilewright::emulator::faultKindName(FaultKind kind) {
  switch (kind) {
  case FaultKind::None:
    return "none";
  case FaultKind::OutOfBounds:
    return "out of bounds";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::ReadOnly:
    return "read-only";
  case FaultKind::Uninitialised:
    return "uninitialised";
  case FaultKind::Race:
    return "race";
  case FaultKind::InFlight:
    return "in flight";
  case FaultKind::DivergentBarrier:
    return "divergent barrier";
  case FaultKind::DivergentCollective:
    return "divergent collective";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::MisusedBarrier:
    return "misused barrier";
  case FaultKind::MissingFence:
    return "missing fence";
  case FaultKind::BadDescriptor:
    return "bad descriptor";
  case FaultKind::RegisterBudget:
    return "register budget";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::Limit:
    return "limit";
  }
  return "unknown";
}

std::string Block::operationAt(int site) const {
  if (!launch->sites || site < 0 || size_t(site) >= launch->sites->size())
    return "an unknown operation";
  const Site &known = (*launch->sites)[site];
  return known.operation + " at " + known.source;
}

std::string Block::where(const Thread &thread, int site) const {
  const Registers &registers = thread.registers;
  std::string source = launch->sites && site >= 0 && size_t(site) < launch->sites->size()
                           ? (*launch->sites)[site].source
                           : "unknown";
  return " [source: " + source + ", kernel " + launch->kernel + ", block (" +
         std::to_string(registers.ctaid[0]) + "," + std::to_string(registers.ctaid[1]) + "," +
         std::to_string(registers.ctaid[2]) + "), thread " + std::to_string(registers.linear) + "]";
}

std::string Block::describeWait(const Wait &wait) const {
  std::string at = ", " + operationAt(wait.site);
  if (wait.kind == WaitKind::Mbarrier) {
    const Mbarrier &barrier = *mbarriers[mbarrierAt[wait.barrier / 8] - 1];
    return "for parity " + std::to_string(wait.count) + " of " + describeMbarrier(barrier) + " in phase " +
           std::to_string(barrier.phase) + " with " + std::to_string(barrier.pending) + " of " +
           std::to_string(barrier.expected) + " arrivals and " + std::to_string(barrier.txBytes) +
           " bytes pending" + at;
  }
  if (wait.kind == WaitKind::Warpgroup)
    return "for the rest of warpgroup " + std::to_string(wait.barrier) + at;
  if (wait.kind == WaitKind::Cluster)
    return "at the cluster's barrier" + at;
  if (wait.kind == WaitKind::RegisterPool)
    return "for " + std::to_string(wait.count) + " registers of each thread of warpgroup " +
           std::to_string(wait.barrier) + ", which has " +
           std::to_string(warpgroups[wait.barrier].registers) + ", and the block has " +
           std::to_string(freeRegisters) + " left of all" + at;
  if (wait.kind == WaitKind::Flag)
    return (wait.mask      ? "for " + std::to_string(wait.count) + " in a counter that no block brings there"
            : wait.barrier ? std::string("for a word that no block publishes")
                           : std::string("for a flag that no block raises")) +
           at;
  if (wait.kind == WaitKind::Barrier)
    return "at barrier " + std::to_string(wait.barrier) + " for " + std::to_string(wait.count) +
           " threads, " + operationAt(wait.site);
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%x", wait.mask);
  return "in a collective of lanes " + std::string(mask) + ", " + operationAt(wait.site);
}

namespace {
/// Threads that wait for the same thing.
struct WaitingGroup {
  const Thread *first;
  uint32_t count;
};
} // namespace

static bool isSameWait(const Wait &a, const Wait &b) {
  return a.kind == b.kind && a.barrier == b.barrier && a.count == b.count && a.mask == b.mask &&
         a.site == b.site;
}

Fault Block::diagnoseStall() {
  std::vector<WaitingGroup> groups;
  for (const Thread &thread : threads) {
    if (thread.exited)
      continue;
    auto known = std::find_if(groups.begin(), groups.end(), [&](const WaitingGroup &group) {
      return isSameWait(group.first->wait, thread.wait);
    });
    if (known == groups.end())
      groups.push_back({&thread, 1});
    else
      ++known->count;
  }
  std::string list;
  bool collective = false, wholeBlock = false, otherBarrier = false, registers = false, flag = false;
  for (size_t i = 0; i < groups.size(); ++i) {
    const Wait &wait = groups[i].first->wait;
    collective |= wait.kind == WaitKind::Collective || wait.kind == WaitKind::Warpgroup;
    registers |= wait.kind == WaitKind::RegisterPool;
    flag |= wait.kind == WaitKind::Flag;
    bool isWhole = wait.kind == WaitKind::Barrier && wait.count == threads.size();
    wholeBlock |= isWhole;
    otherBarrier |= !isWhole && wait.kind != WaitKind::Collective && wait.kind != WaitKind::Warpgroup;
    if (i == 4) {
      list += "; and " + std::to_string(groups.size() - i) + " more groups";
      break;
    }
    list += (i ? "; " : "") + std::to_string(groups[i].count) + " threads from thread " +
            std::to_string(groups[i].first->registers.linear) + " on wait " + describeWait(wait);
  }
  uint32_t exited = uint32_t(threads.size()) - live;
  if (exited)
    list += "; " + std::to_string(exited) + " have exited";
  // A barrier of the whole block that part of the block does not reach is divergence; anything else that
  // cannot go on is a deadlock.
  FaultKind kind = FaultKind::Deadlock;
  if (registers)
    kind = FaultKind::RegisterBudget;
  else if (wholeBlock && !flag)
    kind = FaultKind::DivergentBarrier;
  else if (collective && !otherBarrier)
    kind = FaultKind::DivergentCollective;
  return {kind, std::string(faultKindName(kind)) + ": " + list +
                    where(*groups[0].first, groups[0].first->wait.site)};
}
