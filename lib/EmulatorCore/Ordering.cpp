// Clocks and knowledge of a cluster's threads; see Ordering.h for the model.
#include "Tilewright/Emulator/Ordering.h"

#include <algorithm>

using namespace tilewright::emulator;

void Ordering::forgetReaders() {
  readerSets.clear();
  readerUnions.clear();
}

void Ordering::rewind() {
  clock = firstClock = floorClock = 1;
  std::fill(known.begin(), known.end(), 0);
  forgetReaders();
}

void Ordering::beginBlock(uint32_t threads, bool tracksProxies) {
  // Knowledge of earlier blocks is about clocks below firstClock, which no stamp of this block carries.
  threadCount = threads;
  proxies = tracksProxies;
  width = tracksProxies ? 2 * threads + kMaxAgents : threads;
  agentCount = 0;
  if (known.size() < size_t(threads) * width)
    known.resize(size_t(threads) * width, 0);
  ++clock;
  firstClock = floorClock = clock;
  forgetReaders();
}

void Ordering::joinAll() {
  if (proxies) {
    std::vector<uint32_t> all(threadCount);
    for (uint32_t t = 0; t < threadCount; ++t)
      all[t] = t;
    return join(all.data(), all.size());
  }
  ++clock;
  floorClock = clock;
  forgetReaders();
}

void Ordering::join(const uint32_t *threads, size_t count) {
  ++clock;
  joined.assign(width, 0);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t *mine = row(threads[i]);
    for (uint32_t u = 0; u < width; ++u)
      joined[u] = std::max(joined[u], mine[u]);
  }
  for (size_t i = 0; i < count; ++i)
    joined[threads[i]] = clock;
  for (size_t i = 0; i < count; ++i)
    std::copy(joined.begin(), joined.end(), row(threads[i]));
}

bool Ordering::joinSome(const std::vector<uint32_t> &threads) {
  if (isExhausted())
    return false;
  join(threads.data(), threads.size());
  return true;
}

bool Ordering::joinLanes(uint32_t warp, uint32_t mask) {
  if (isExhausted())
    return false;
  uint32_t lanes[kWarpLanes];
  size_t count = 0;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if (mask >> lane & 1)
      lanes[count++] = warp * kWarpLanes + lane;
  join(lanes, count);
  return true;
}

//===----------------------------------------------------------------------===//
// Arrivals, waits, proxies, agents
//===----------------------------------------------------------------------===//

static void raiseTo(uint32_t *to, const uint32_t *from, uint32_t count) {
  for (uint32_t u = 0; u < count; ++u)
    to[u] = std::max(to[u], from[u]);
}

void Ordering::release(uint32_t thread, Knowledge &knowledge, bool onlyAgents) {
  const uint32_t *mine = row(thread);
  if (onlyAgents)
    return raiseTo(knowledge.data() + threadCount, mine + threadCount, proxies ? kMaxAgents : 0);
  raiseTo(knowledge.data(), mine, width);
  knowledge[thread] = ++clock;
}

void Ordering::acquire(uint32_t thread, const Knowledge &knowledge) {
  raiseTo(row(thread), knowledge.data(), width);
}

void Ordering::fenceProxy(uint32_t thread) {
  if (!proxies)
    return;
  uint32_t *mine = row(thread), *visible = mine + threadCount + kMaxAgents;
  raiseTo(visible, mine, threadCount);
  // A barrier of the whole block may have settled by the floor what the row does not say.
  for (uint32_t u = 0; u < threadCount; ++u)
    visible[u] = std::max(visible[u], floorClock);
  visible[thread] = ++clock;
}

uint32_t Ordering::addAgent() {
  if (agentCount < kMaxAgents)
    ++agentCount;
  return agentCount - 1;
}

uint32_t Ordering::closeAgent(uint32_t) { return ++clock; }

void Ordering::releaseAgent(uint32_t agent, Knowledge &knowledge) {
  knowledge[threadCount + agent] = ++clock;
}

void Ordering::acquireAgent(uint32_t thread, uint32_t agent, uint32_t until) {
  uint32_t &mine = row(thread)[threadCount + agent];
  mine = std::max(mine, until);
}

bool Ordering::knowsWarp(uint32_t thread, uint32_t warp, uint32_t at) const {
  uint32_t end = std::min(threadCount, (warp + 1) * kWarpLanes);
  for (uint32_t u = warp * kWarpLanes; u < end; ++u)
    if (!knows(thread, u, at))
      return false;
  return true;
}

bool Ordering::isBefore(uint32_t stamp, uint32_t thread) const {
  uint32_t at = stampClock(stamp), code = stampWho(stamp);
  if (at < floorClock)
    return true;
  if (at == kInFlightClock)
    return false;
  if (code < kMaxClusterThreads)
    return knows(thread, code, at);
  if (code < who::kAtomicOfWarp)
    return knowsWarp(thread, code - who::kLanesOfWarp, at);
  if (code < who::kAtomicSeveral)
    return knowsWarp(thread, code - who::kAtomicOfWarp, at);
  if (isAgent(code))
    return row(thread)[threadCount + code - who::kAgent] > at;
  if (code >= who::kReaderSet) {
    for (uint32_t member : readerSets.at(stamp))
      if (!isBefore(member, thread))
        return false;
    return true;
  }
  for (uint32_t warp = 0; warp * kWarpLanes < threadCount; ++warp)
    if (!knowsWarp(thread, warp, at))
      return false;
  return true;
}

uint32_t Ordering::unordered(uint32_t stamp, uint32_t thread) const {
  if (stampWho(stamp) >= who::kReaderSet && stampClock(stamp) != kInFlightClock)
    for (uint32_t member : readerSets.at(stamp))
      if (!isBefore(member, thread))
        return member;
  return stamp;
}

bool Ordering::knowsAnyOf(uint32_t thread, uint32_t first, uint32_t count) const {
  const uint32_t *mine = row(thread) + first;
  return std::any_of(mine, mine + count, [&](uint32_t clock) { return clock >= firstClock; });
}

bool Ordering::isVisibleToAsync(uint32_t stamp, uint32_t thread) const {
  uint32_t at = stampClock(stamp), code = stampWho(stamp);
  if (!proxies || isAgent(code) || at < firstClock)
    return true;
  const uint32_t *visible = row(thread) + threadCount + kMaxAgents;
  if (code < kMaxClusterThreads)
    return visible[code] > at;
  if (code >= who::kReaderSet) {
    const std::vector<uint32_t> &members = readerSets.at(stamp);
    return std::all_of(members.begin(), members.end(),
                       [&](uint32_t member) { return isVisibleToAsync(member, thread); });
  }
  // Reads or atomics: any lane of the warp, or of all warps.
  uint32_t first = 0, end = threadCount;
  if (code < who::kAtomicSeveral) {
    first = (code - (code < who::kAtomicOfWarp ? who::kLanesOfWarp : who::kAtomicOfWarp)) * kWarpLanes;
    end = std::min(threadCount, first + kWarpLanes);
  }
  return std::all_of(visible + first, visible + end, [&](uint32_t clock) { return clock > at; });
}

//===----------------------------------------------------------------------===//
// Sets of readers
//===----------------------------------------------------------------------===//

/// The stamp of both where they are lanes of one warp at one time, or 0. Lanes that read at different times
/// may have handed on what they did in between, each for itself.
static uint32_t sameWarp(uint32_t old, uint32_t reader) {
  if (stampClock(old) != stampClock(reader))
    return 0;
  auto warpOf = [](uint32_t code) -> uint32_t {
    if (code < kMaxClusterThreads)
      return code / kWarpLanes;
    return code < who::kAtomicOfWarp ? code - who::kLanesOfWarp : ~0u;
  };
  uint32_t warp = warpOf(stampWho(reader));
  if (warp == ~0u || warpOf(stampWho(old)) != warp)
    return 0;
  return makeStamp(stampClock(reader), who::kLanesOfWarp + warp);
}

uint32_t Ordering::addReader(uint32_t old, uint32_t reader, uint32_t thread) {
  if (old < floorStamp() || stampWho(old) == stampWho(reader))
    return reader;
  bool isSet = stampWho(old) >= who::kReaderSet;
  if (!isSet) {
    if (isBefore(old, thread))
      return reader;
    if (uint32_t lanes = sameWarp(old, reader))
      return lanes;
  }
  auto [known, isNew] = readerUnions.try_emplace(uint64_t(old) << 32 | reader, 0);
  if (!isNew)
    return known->second;
  std::vector<uint32_t> members;
  uint32_t latest = reader;
  auto add = [&](uint32_t member) {
    if (stampWho(member) == stampWho(reader) || isBefore(member, thread))
      return;
    if (uint32_t lanes = sameWarp(member, latest))
      latest = lanes;
    else
      members.push_back(member);
  };
  if (isSet)
    for (uint32_t member : readerSets.at(old))
      add(member);
  else
    add(old);
  if (members.empty())
    return known->second = latest;
  members.push_back(latest);
  std::sort(members.begin(), members.end());
  uint32_t at = std::max({clock, stampClock(old), stampClock(reader)});
  if (setClock != at) {
    setClock = at;
    setCount = 0;
  }
  // The same set under another name is no harm; only when names run out the clock moves on.
  if (who::kReaderSet + setCount > who::kMask) {
    setClock = ++clock;
    setCount = 0;
  }
  uint32_t name = makeStamp(setClock, who::kReaderSet + setCount++);
  readerSets.emplace(name, std::move(members));
  return known->second = name;
}
