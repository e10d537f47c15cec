// Clocks and knowledge of a block's threads; see Ordering.h for the model.
#include "Tilewright/Emulator/Ordering.h"

#include <algorithm>

using namespace tilewright::emulator;

void Ordering::rewind() {
  clock = firstClock = floorClock = 1;
  std::fill(known.begin(), known.end(), 0);
}

void Ordering::beginBlock(uint32_t threads) {
  // Knowledge of earlier blocks is about clocks below firstClock, which no stamp of this block carries.
  threadCount = threads;
  if (known.size() < size_t(threads) * threads)
    known.resize(size_t(threads) * threads, 0);
  ++clock;
  firstClock = floorClock = clock;
}

void Ordering::joinAll() {
  ++clock;
  floorClock = clock;
}

void Ordering::join(const uint32_t *threads, size_t count) {
  ++clock;
  joined.assign(threadCount, 0);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t *row = &known[size_t(threads[i]) * threadCount];
    for (uint32_t u = 0; u < threadCount; ++u)
      joined[u] = std::max(joined[u], row[u]);
  }
  for (size_t i = 0; i < count; ++i)
    joined[threads[i]] = clock;
  for (size_t i = 0; i < count; ++i)
    std::copy(joined.begin(), joined.end(), known.begin() + size_t(threads[i]) * threadCount);
}

bool Ordering::joinSome(const std::vector<uint32_t> &threads) {
  if (clock + 2 >= kInFlightClock)
    return false;
  join(threads.data(), threads.size());
  return true;
}

bool Ordering::joinLanes(uint32_t warp, uint32_t mask) {
  if (clock + 2 >= kInFlightClock)
    return false;
  uint32_t lanes[kWarpLanes];
  size_t count = 0;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if (mask >> lane & 1)
      lanes[count++] = warp * kWarpLanes + lane;
  join(lanes, count);
  return true;
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
  if (code < kMaxThreads)
    return knows(thread, code, at);
  if (code >= who::kLanesOfWarp && code < who::kSeveral)
    return knowsWarp(thread, code - who::kLanesOfWarp, at);
  if (code >= who::kAtomicOfWarp && code < who::kAtomicSeveral)
    return knowsWarp(thread, code - who::kAtomicOfWarp, at);
  for (uint32_t warp = 0; warp * kWarpLanes < threadCount; ++warp)
    if (!knowsWarp(thread, warp, at))
      return false;
  return true;
}
