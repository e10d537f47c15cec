// Flags in global memory, by which blocks of a launch hand data over: a thread raises one, another waits
// until it is up and lowers it. What the first knew happened before what the second does from there on;
// nothing else of the two blocks is ordered.
#include "GlobalShadow.h"

using namespace tilewright::emulator;

using ull = unsigned long long;

/// `byte 8 of "workspace"`.
static std::string placeOf(const Launch &launch, uintptr_t address) {
  for (const MemoryRegion &region : launch.regions)
    if (address - region.base < region.bytes)
      return "byte " + std::to_string(address - region.base) + " of \"" + region.name + "\"";
  return "an address in no buffer";
}

std::shared_ptr<const Knowledge> Block::knowledgeOf(Thread &self) {
  auto own = std::make_shared<Knowledge>(ordering.none());
  ordering.release(self.number, *own);
  // A barrier of the whole block may have settled by the floor what the thread's own clocks do not say.
  for (uint32_t thread = 0; thread < ordering.threads(); ++thread)
    (*own)[thread] = std::max((*own)[thread], stampClock(ordering.floorStamp()));
  return own;
}

void Block::raiseFlag(Thread &self, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint32_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "flag", site);
  auto &flag = *static_cast<volatile uint32_t *>(pointer);
  if (flag)
    raise(self, FaultKind::MisusedBarrier, site,
          "misused flag: thread %u raises the flag at %.200s, which is up (%u)", self.registers.linear,
          placeOf(*launch, reinterpret_cast<uintptr_t>(pointer)).c_str(), flag);
  flag = 1;
  GlobalShadow::Raised raised{cluster.nameInGlobal, site, {}};
  if (options.checkShared) {
    // What was handed to this block is handed on.
    for (const Handover &other : cluster.handovers)
      if (ordering.isBefore(makeStamp(other.takenAt, other.taker), self.number))
        raised.handovers.push_back(other);
    raised.handovers.push_back({cluster.nameInGlobal, knowledgeOf(self), 0, 0});
  }
  cluster.global->raised[reinterpret_cast<uintptr_t>(pointer)] = std::move(raised);
}

void Block::lowerFlag(Thread &self, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint32_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "flag", site);
  auto &flag = *static_cast<volatile uint32_t *>(pointer);
  while (!flag) {
    self.flag = &flag;
    self.wait = {WaitKind::Flag, 0, 0, 0, site};
    suspend(self);
  }
  flag = 0;
  auto found = cluster.global->raised.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == cluster.global->raised.end())
    raise(self, FaultKind::MisusedBarrier, site,
          "misused flag: thread %u lowers the flag at %.200s, which was up when the launch began",
          self.registers.linear, placeOf(*launch, reinterpret_cast<uintptr_t>(pointer)).c_str());
  uint32_t now = ordering.now();
  for (Handover &handover : found->second.handovers)
    cluster.handovers.push_back({handover.from, std::move(handover.knowledge), self.number, now});
  cluster.global->raised.erase(found);
  ordering.tick();
}

uint64_t Block::takeTicket(Thread &self, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint64_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "ticket", site);
  cluster.global->counters[reinterpret_cast<uintptr_t>(pointer)] = site;
  return __atomic_fetch_add(static_cast<uint64_t *>(pointer), 1, __ATOMIC_RELAXED);
}

void Block::returnTickets(Thread &self, uint64_t value, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint64_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "ticket", site);
  uint64_t taken = uint32_t(*static_cast<uint64_t *>(pointer));
  uint64_t blocks = launch->grid.count();
  if (taken != blocks)
    raise(self, FaultKind::MisusedBarrier, site,
          "misused ticket: thread %u puts the counter at %.200s back when %llu of %llu blocks have a ticket",
          self.registers.linear, placeOf(*launch, reinterpret_cast<uintptr_t>(pointer)).c_str(), ull(taken),
          ull(blocks));
  *static_cast<volatile uint64_t *>(pointer) = value;
}

void Block::arriveCounter(Thread &self, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint32_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "counter", site);
  if (options.checkShared)
    cluster.global->arrivals[reinterpret_cast<uintptr_t>(pointer)].push_back(
        {cluster.nameInGlobal, knowledgeOf(self), 0, 0});
  __atomic_fetch_add(static_cast<uint32_t *>(pointer), 1, __ATOMIC_RELAXED);
}

void Block::awaitCounter(Thread &self, uint32_t value, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint32_t);
  checkGlobal(self, pointer, kBytes, kBytes, false, "counter", site);
  auto &counter = *static_cast<volatile uint32_t *>(pointer);
  while (counter != value) {
    self.flag = &counter;
    self.mark = value;
    self.awaitsCounter = true;
    self.wait = {WaitKind::Flag, 0, value, 1, site};
    suspend(self);
  }
  self.mark = 0;
  self.awaitsCounter = false;
  auto found = cluster.global->arrivals.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == cluster.global->arrivals.end())
    return;
  uint32_t now = ordering.now();
  for (const Handover &handover : found->second)
    cluster.handovers.push_back({handover.from, handover.knowledge, self.number, now});
  ordering.tick();
}

void Block::publishWord(Thread &self, uint32_t value, uint32_t mark, void *pointer, int site) {
  constexpr uint32_t kBytes = sizeof(uint64_t);
  checkGlobal(self, pointer, kBytes, kBytes, true, "word", site);
  noteGlobal(self, pointer, kBytes, true, "word", site);
  auto &word = *static_cast<volatile uint64_t *>(pointer);
  if (!mark || word >> 32 == mark)
    raise(self, FaultKind::MisusedBarrier, site,
          "misused word: thread %u publishes the word at %.200s under the mark %u, which it has already",
          self.registers.linear, placeOf(*launch, reinterpret_cast<uintptr_t>(pointer)).c_str(), mark);
  word = uint64_t(mark) << 32 | value;
}

uint32_t Block::awaitWord(Thread &self, void *pointer, uint32_t mark, int site) {
  constexpr uint32_t kBytes = sizeof(uint64_t);
  checkGlobal(self, pointer, kBytes, kBytes, false, "word", site);
  auto &word = *static_cast<volatile uint64_t *>(pointer);
  while (word >> 32 != mark) {
    self.flag = static_cast<uint32_t *>(pointer) + 1;
    self.mark = mark;
    self.wait = {WaitKind::Flag, mark, 0, 0, site};
    suspend(self);
  }
  self.mark = 0;
  return uint32_t(word);
}

bool Block::isHandedOver(const Thread &self, uint32_t other, uint32_t stamp) const {
  for (const Handover &handover : cluster.handovers)
    if (handover.from == other && (!stamp || (*handover.knowledge)[stampWho(stamp)] > stampClock(stamp)) &&
        (handover.taker == self.number ||
         ordering.isBefore(makeStamp(handover.takenAt, handover.taker), self.number)))
      return true;
  return false;
}

void Block::wakeAtFlags() {
  for (Thread &thread : threads)
    if (thread.wait.kind == WaitKind::Flag && !thread.exited &&
        (thread.mark || thread.awaitsCounter ? *thread.flag == thread.mark : *thread.flag != 0))
      makeRunnable(thread);
}

/// `ptx.raise_flag at "a flag"`.
static std::string nameOf(const Launch &launch, int site) {
  if (!launch.sites || site < 0 || size_t(site) >= launch.sites->size())
    return "an unknown operation";
  const auto &known = (*launch.sites)[size_t(site)];
  return known.operation + " at " + known.source;
}

Fault GlobalShadow::flagsLeftUp(const Launch &launch) const {
  for (const auto &[address, site] : counters)
    if (uint32_t taken = uint32_t(*reinterpret_cast<const uint64_t *>(address)))
      return {FaultKind::MisusedBarrier, "misused ticket: the launch ends, and " + std::to_string(taken) +
                                             " tickets of the counter at " + placeOf(launch, address) +
                                             " are taken; by " + nameOf(launch, site) + " [kernel " +
                                             launch.kernel + "]"};
  if (raised.empty())
    return {};
  const auto &[address, flag] = *raised.begin();
  std::string operation = nameOf(launch, flag.site);
  return {FaultKind::MisusedBarrier,
          "misused flag: the launch ends, and the flag at " + placeOf(launch, address) +
              " is up, which nobody lowers; raised by " + operation + " [kernel " + launch.kernel + "]"};
}
