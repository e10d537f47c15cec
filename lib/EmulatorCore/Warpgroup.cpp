// What the four warps of a warpgroup share: gathering for one operation, groups of products in flight, and
// the block's pool of registers (PTX ISA, "wgmma" and "setmaxnreg").
#include "Tilewright/Emulator/Machine.h"

#include "Wgmma.h"

#include <algorithm>

using namespace tilewright::emulator;

Warpgroup &Block::warpgroupOf(Thread &self, const char *verb, int site) {
  uint32_t index = self.registers.linear / kWarpgroupThreads;
  if (index >= warpgroups.size())
    raise(self, FaultKind::DivergentCollective, site, "%s by thread %u, whose warpgroup has not %u threads",
          verb, self.registers.linear, kWarpgroupThreads);
  return warpgroups[index];
}

bool Block::gatherWarpgroup(Thread &self, Warpgroup &group, const char *verb, int site) {
  if (!group.arrived)
    group.site = site;
  else if (group.site != site)
    raise(self, FaultKind::DivergentCollective, site,
          "divergent collective: thread %u comes to %s while %u threads of its warpgroup are at %s",
          self.registers.linear, verb, group.arrived, operationAt(group.site).c_str());
  if (++group.arrived < kWarpgroupThreads) {
    self.wait = {WaitKind::Warpgroup, self.registers.linear / kWarpgroupThreads, 0, 0, site};
    suspend(self);
    return false;
  }
  group.arrived = 0;
  return true;
}

void Block::releaseWarpgroup(Thread &self, Warpgroup &group) {
  size_t first = size_t(&group - warpgroups.data()) * kWarpgroupThreads;
  for (size_t t = first; t < first + kWarpgroupThreads; ++t)
    if (&threads[t] != &self)
      makeRunnable(threads[t]);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void Block::wgmma(Thread &self, const WgmmaRequest &request, int site) {
  Warpgroup &group = warpgroupOf(self, "wgmma", site);
  if (!self.wgmma.isFenced)
    raise(self, FaultKind::MissingFence, site,
          "wgmma of thread %u without wgmma.fence since its last commit: nothing orders its registers",
          self.registers.linear);
  if (request.unfencedA)
    raise(self, FaultKind::MissingFence, site,
          "wgmma of thread %u reads registers of A that are written behind the last wgmma.fence",
          self.registers.linear);
  self.wgmma.request = &request;
  if (!gatherWarpgroup(self, group, "wgmma", site))
    return;
  if (ordering.isExhausted())
    raise(self, FaultKind::Limit, site, "more synchronisation in one block than the emulator can order");
  if (!group.hasAgent) {
    group.agent = ordering.addAgent();
    group.hasAgent = true;
  }
  size_t first = size_t(&group - warpgroups.data()) * kWarpgroupThreads;
  for (size_t t = first; t < first + kWarpgroupThreads; ++t) {
    const WgmmaThread &other = threads[t].wgmma;
    if (other.request->a != request.a || other.request->b != request.b)
      if (other.request->b != request.b || !request.registersOfA)
        raise(threads[t], FaultKind::DivergentCollective, site,
              "divergent collective: descriptors 0x%llx, 0x%llx of thread %zu differ from 0x%llx, 0x%llx of "
              "thread "
              "%u",
              static_cast<unsigned long long>(other.request->a),
              static_cast<unsigned long long>(other.request->b), t,
              static_cast<unsigned long long>(request.a), static_cast<unsigned long long>(request.b),
              self.registers.linear);
    if (other.commits != self.wgmma.commits || other.request->accumulates != request.accumulates)
      raise(threads[t], FaultKind::DivergentCollective, site,
            "divergent collective: thread %zu has committed %u groups (accumulates: %d), thread %u %u (%d)",
            t, other.commits, other.request->accumulates, self.registers.linear, self.wgmma.commits,
            request.accumulates);
  }
  multiply(*this, &threads[first], group.agent, site);
  uint32_t number = self.wgmma.commits;
  group.groupEnds.resize(number + 1, group.groupEnds.empty() ? 0 : group.groupEnds.back());
  group.groupEnds[number] = ordering.closeAgent(group.agent);
  auto known = std::find_if(group.lastGroups.begin(), group.lastGroups.end(),
                            [&](const auto &entry) { return entry.first == site; });
  if (known == group.lastGroups.end())
    group.lastGroups.push_back({site, number});
  else
    known->second = number;
  releaseWarpgroup(self, group);
}

void Block::wgmmaFence(Thread &self, int) { self.wgmma.isFenced = true; }

void Block::wgmmaCommit(Thread &self, int) {
  ++self.wgmma.commits;
  self.wgmma.isFenced = false;
}

void Block::wgmmaWait(Thread &self, uint32_t pending, int site) {
  WgmmaThread &mine = self.wgmma;
  if (pending >= mine.commits)
    return;
  mine.done = std::max(mine.done, mine.commits - pending);
  Warpgroup &group = warpgroupOf(self, "wgmma.wait_group", site);
  if (!options.checkShared || group.groupEnds.empty())
    return;
  size_t last = std::min<size_t>(mine.done, group.groupEnds.size()) - 1;
  ordering.acquireAgent(self.number, group.agent, group.groupEnds[last]);
}

void Block::wgmmaUsed(Thread &self, int wgmmaSite, int site) {
  Warpgroup &group = warpgroupOf(self, "accumulator", site);
  for (const auto &[issuedAt, number] : group.lastGroups) {
    if (issuedAt != wgmmaSite || number < self.wgmma.done)
      continue;
    raise(self, FaultKind::InFlight, site,
          "data in flight: the accumulators of %s are used, and thread %u has %s its group (%u groups "
          "committed, %u "
          "waited for)",
          operationAt(wgmmaSite).c_str(), self.registers.linear,
          number == self.wgmma.commits ? "not committed" : "not waited for", self.wgmma.commits,
          self.wgmma.done);
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void Block::setMaxRegisters(Thread &self, uint32_t count, bool increase, int site) {
  Warpgroup &group = warpgroupOf(self, "setmaxnreg", site);
  if (!gatherWarpgroup(self, group, "setmaxnreg", site))
    return;
  if (increase ? count < group.registers : count > group.registers)
    raise(self, FaultKind::RegisterBudget, site,
          "register budget: setmaxnreg.%s to %u registers of a thread, which has %u",
          increase ? "inc" : "dec", count, group.registers);
  if (!increase) {
    freeRegisters += (group.registers - count) * kWarpgroupThreads;
    group.registers = count;
    releaseWarpgroup(self, group);
    return grantRegisters();
  }
  group.wanted = count;
  size_t first = size_t(&group - warpgroups.data()) * kWarpgroupThreads;
  for (size_t t = first; t < first + kWarpgroupThreads; ++t)
    threads[t].wait = {WaitKind::RegisterPool, uint32_t(&group - warpgroups.data()), count, 0, site};
  grantRegisters();
  if (group.wanted)
    suspend(self);
}

void Block::grantRegisters() {
  for (Warpgroup &group : warpgroups) {
    uint32_t more = group.wanted ? (group.wanted - group.registers) * kWarpgroupThreads : 0;
    if (!group.wanted || more > freeRegisters)
      continue;
    freeRegisters -= more;
    group.registers = group.wanted;
    group.wanted = 0;
    size_t first = size_t(&group - warpgroups.data()) * kWarpgroupThreads;
    for (size_t t = first; t < first + kWarpgroupThreads; ++t)
      makeRunnable(threads[t]);
  }
}
