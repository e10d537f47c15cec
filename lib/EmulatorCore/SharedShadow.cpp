// The shadow of shared memory: one pass over the stamps of the touched bytes per access. The common case, all
// of them older than the last barrier of the block, is a vectorised maximum; everything else goes byte by
// byte.
#include "Tilewright/Emulator/Ordering.h"

#include <algorithm>

using namespace tilewright::emulator;

SharedShadow::SharedShadow(Ordering &ordering)
    : ordering(ordering), writers(new uint32_t[kMaxSharedBytes]()), readers(new uint32_t[kMaxSharedBytes]()),
      writerSites(new int[kMaxSharedBytes / 4]()), readerSites(new int[kMaxSharedBytes / 4]()) {}

void SharedShadow::clear() {
  inFlightBytes = 0;
  std::fill_n(writers.get(), kMaxSharedBytes, 0u);
  std::fill_n(readers.get(), kMaxSharedBytes, 0u);
}

void SharedShadow::forgetInFlight() {
  if (inFlightBytes)
    clear();
}

void SharedShadow::beginBlock() {
  if (!ordering.isNearlyExhausted())
    return;
  clear();
  uint32_t threads = ordering.threads();
  ordering.rewind();
  ordering.beginBlock(threads, ordering.tracksProxies());
}

void SharedShadow::renewIfNeeded() {
  // With agents a barrier of the block does not settle everything.
  if (!ordering.isNearlyExhausted() || ordering.tracksProxies())
    return;
  // Every stamp is ordered now: what was written keeps "written", the rest forgets.
  uint32_t first = ordering.firstStamp(), threads = ordering.threads();
  ordering.rewind();
  ordering.beginBlock(threads);
  uint32_t written = makeStamp(ordering.now(), 0);
  for (uint32_t i = 0; i < kMaxSharedBytes; ++i) {
    if (stampClock(writers[i]) != kInFlightClock)
      writers[i] = writers[i] >= first ? written : 0;
    readers[i] = 0;
  }
  ordering.joinAll();
}

SharedShadow::Finding SharedShadow::finding(Verdict verdict, uint32_t offset, uint32_t stamp,
                                            bool ofWriter) const {
  return {verdict, offset, stamp, (ofWriter ? writerSites : readerSites)[offset / 4]};
}

/// The largest value of `stamps[i] - base` over `bytes` entries.
static inline uint32_t largest(const uint32_t *stamps, uint32_t bytes, uint32_t base) {
  uint32_t result = 0;
  switch (bytes) {
  case 16:
    for (unsigned i = 0; i < 16; ++i)
      result = std::max(result, stamps[i] - base);
    return result;
  case 8:
    for (unsigned i = 0; i < 8; ++i)
      result = std::max(result, stamps[i] - base);
    return result;
  case 4:
    for (unsigned i = 0; i < 4; ++i)
      result = std::max(result, stamps[i] - base);
    return result;
  default:
    for (unsigned i = 0; i < bytes; ++i)
      result = std::max(result, stamps[i] - base);
    return result;
  }
}

static inline void fill(uint32_t *stamps, uint32_t bytes, uint32_t value) {
  switch (bytes) {
  case 16:
    for (unsigned i = 0; i < 16; ++i)
      stamps[i] = value;
    return;
  case 4:
    for (unsigned i = 0; i < 4; ++i)
      stamps[i] = value;
    return;
  default:
    for (unsigned i = 0; i < bytes; ++i)
      stamps[i] = value;
  }
}

/// Whether all stamps are `value`.
static inline bool isFilled(const uint32_t *stamps, uint32_t bytes, uint32_t value) {
  uint32_t different = 0;
  switch (bytes) {
  case 16:
    for (unsigned i = 0; i < 16; ++i)
      different |= stamps[i] ^ value;
    return !different;
  case 4:
    for (unsigned i = 0; i < 4; ++i)
      different |= stamps[i] ^ value;
    return !different;
  default:
    for (unsigned i = 0; i < bytes; ++i)
      different |= stamps[i] ^ value;
    return !different;
  }
}

static inline void noteSite(int *sites, uint32_t offset, uint32_t bytes, int site) {
  for (uint32_t i = offset / 4, end = (offset + bytes + 3) / 4; i < end; ++i)
    sites[i] = site;
}

SharedShadow::Finding SharedShadow::checkWriters(uint32_t offset, uint32_t bytes, uint32_t thread,
                                                 bool isRead) const {
  uint32_t first = ordering.firstStamp(), floor = ordering.floorStamp(), previous = 0;
  for (uint32_t i = offset; i < offset + bytes; ++i) {
    uint32_t stamp = writers[i];
    if (i != offset && stamp == previous)
      continue;
    previous = stamp;
    if (stamp < first) {
      if (isRead)
        return finding(Verdict::Uninitialised, i, stamp, true);
      continue;
    }
    if (stamp < floor)
      continue;
    if (stampClock(stamp) == kInFlightClock)
      return finding(Verdict::InFlight, i, stamp, true);
    if (!ordering.isBefore(stamp, thread))
      return finding(Verdict::RaceWithWrite, i, stamp, true);
  }
  return {};
}

SharedShadow::Finding SharedShadow::checkReaders(uint32_t offset, uint32_t bytes, uint32_t thread) const {
  uint32_t floor = ordering.floorStamp(), previous = 0;
  for (uint32_t i = offset; i < offset + bytes; ++i) {
    uint32_t stamp = readers[i];
    if (stamp < floor || stamp == previous)
      continue;
    previous = stamp;
    if (!ordering.isBefore(stamp, thread))
      return finding(Verdict::RaceWithRead, i, ordering.unordered(stamp, thread), false);
  }
  return {};
}

void SharedShadow::noteReaders(uint32_t offset, uint32_t bytes, uint32_t code, uint32_t thread) {
  uint32_t *stamps = &readers[offset];
  uint32_t floor = ordering.floorStamp(), mine = makeStamp(ordering.now(), code);
  if (largest(stamps, bytes, 0) < floor)
    return fill(stamps, bytes, mine);
  if (isFilled(stamps, bytes, mine))
    return;
  uint32_t old = 0, merged = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    if (i == 0 || stamps[i] != old) {
      old = stamps[i];
      merged = ordering.addReader(old, mine, thread);
    }
    stamps[i] = merged;
  }
}

SharedShadow::Finding SharedShadow::read(uint32_t offset, uint32_t bytes, uint32_t thread, int site) {
  uint32_t first = ordering.firstStamp();
  if (largest(&writers[offset], bytes, first) >= ordering.floorStamp() - first)
    if (Finding found = checkWriters(offset, bytes, thread, true); found.verdict != Verdict::Fine)
      return found;
  noteReaders(offset, bytes, thread, thread);
  noteSite(readerSites.get(), offset, bytes, site);
  return {};
}

SharedShadow::Finding SharedShadow::readByWarp(uint32_t offset, uint32_t bytes, uint32_t warp, int site) {
  uint32_t first = ordering.firstStamp();
  if (largest(&writers[offset], bytes, first) >= ordering.floorStamp() - first)
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane)
      if (Finding found = checkWriters(offset, bytes, warp * kWarpLanes + lane, true);
          found.verdict != Verdict::Fine)
        return found;
  noteReaders(offset, bytes, who::kLanesOfWarp + warp, warp * kWarpLanes);
  noteSite(readerSites.get(), offset, bytes, site);
  return {};
}

SharedShadow::Finding SharedShadow::write(uint32_t offset, uint32_t bytes, uint32_t thread, int site) {
  uint32_t floor = ordering.floorStamp(), mine = makeStamp(ordering.now(), thread);
  if (largest(&writers[offset], bytes, 0) >= floor && !isFilled(&writers[offset], bytes, mine))
    if (Finding found = checkWriters(offset, bytes, thread, false); found.verdict != Verdict::Fine)
      return found;
  if (largest(&readers[offset], bytes, 0) >= floor)
    if (Finding found = checkReaders(offset, bytes, thread); found.verdict != Verdict::Fine)
      return found;
  fill(&writers[offset], bytes, mine);
  noteSite(writerSites.get(), offset, bytes, site);
  return {};
}

SharedShadow::Finding SharedShadow::atomic(uint32_t offset, uint32_t bytes, uint32_t thread, int site) {
  uint32_t warp = thread / kWarpLanes, floor = ordering.floorStamp(), first = ordering.firstStamp();
  uint32_t code = who::kAtomicOfWarp + warp;
  for (uint32_t i = offset; i < offset + bytes; ++i) {
    uint32_t stamp = writers[i], by = stampWho(stamp);
    if (stamp < first)
      return finding(Verdict::Uninitialised, i, stamp, true);
    if (stamp < floor)
      continue;
    if (stampClock(stamp) == kInFlightClock)
      return finding(Verdict::InFlight, i, stamp, true);
    if (by >= who::kAtomicOfWarp && by <= who::kAtomicSeveral) {
      if (by != code)
        code = who::kAtomicSeveral;
      continue;
    }
    if (!ordering.isBefore(stamp, thread))
      return finding(Verdict::RaceWithWrite, i, stamp, true);
  }
  if (Finding found = checkReaders(offset, bytes, thread); found.verdict != Verdict::Fine)
    return found;
  fill(&writers[offset], bytes, makeStamp(ordering.now(), code));
  noteSite(writerSites.get(), offset, bytes, site);
  return {};
}

//===----------------------------------------------------------------------===//
// The asynchronous proxy
//===----------------------------------------------------------------------===//

Verdict SharedShadow::judgeAsync(uint32_t stamp, const AsyncReader &reader) const {
  if (stamp < ordering.firstStamp())
    return Verdict::Uninitialised;
  if (stampClock(stamp) == kInFlightClock)
    return Verdict::InFlight;
  uint32_t end = reader.firstThread + reader.threadCount;
  for (uint32_t thread = reader.firstThread; thread < end; ++thread)
    if (!ordering.isBefore(stamp, thread))
      return Verdict::RaceWithWrite;
  for (uint32_t thread = reader.firstThread; thread < end; ++thread)
    if (!ordering.isVisibleToAsync(stamp, thread))
      return Verdict::NoProxyFence;
  return Verdict::Fine;
}

SharedShadow::Finding SharedShadow::readAsync(uint32_t offset, uint32_t bytes, AsyncReader &reader,
                                              int site) {
  uint32_t previous = reader.settled[0];
  if (!previous || !isFilled(&writers[offset], bytes, previous))
    for (uint32_t i = offset; i < offset + bytes; ++i) {
      uint32_t stamp = writers[i];
      if (stamp == previous && previous)
        continue;
      previous = stamp;
      if (stamp &&
          std::find(std::begin(reader.settled), std::end(reader.settled), stamp) != std::end(reader.settled))
        continue;
      if (Verdict verdict = judgeAsync(stamp, reader); verdict != Verdict::Fine)
        return finding(verdict, i, stamp, true);
      std::copy_backward(std::begin(reader.settled), std::end(reader.settled) - 1, std::end(reader.settled));
      reader.settled[0] = stamp;
    }
  noteReaders(offset, bytes, who::kAgent + reader.agent, reader.firstThread);
  noteSite(readerSites.get(), offset, bytes, site);
  return {};
}

SharedShadow::Finding SharedShadow::startAsyncWrite(uint32_t offset, uint32_t bytes, uint32_t thread,
                                                    int site) {
  uint32_t previous = 0, first = ordering.firstStamp(), inFlight = makeStamp(kInFlightClock, thread);
  for (uint32_t i = offset; i < offset + bytes; ++i) {
    uint32_t stamp = writers[i];
    if (stamp < first || stamp == previous)
      continue;
    previous = stamp;
    if (stampClock(stamp) == kInFlightClock)
      return finding(Verdict::InFlight, i, stamp, true);
    if (!ordering.isBefore(stamp, thread))
      return finding(Verdict::RaceWithWrite, i, stamp, true);
    if (!ordering.isVisibleToAsync(stamp, thread))
      return finding(Verdict::NoProxyFence, i, stamp, true);
  }
  if (Finding found = checkReaders(offset, bytes, thread); found.verdict != Verdict::Fine)
    return found;
  previous = 0;
  for (uint32_t i = offset; i < offset + bytes; ++i) {
    uint32_t stamp = readers[i];
    if (stamp < first || stamp == previous)
      continue;
    previous = stamp;
    if (!ordering.isVisibleToAsync(stamp, thread))
      return finding(Verdict::NoProxyFenceSinceRead, i, stamp, false);
  }
  fill(&writers[offset], bytes, inFlight);
  inFlightBytes += bytes;
  noteSite(writerSites.get(), offset, bytes, site);
  return {};
}

void SharedShadow::landAsyncWrite(uint32_t offset, uint32_t bytes, uint32_t agent) {
  fill(&writers[offset], bytes, makeStamp(ordering.now(), who::kAgent + agent));
  inFlightBytes -= bytes;
}

void SharedShadow::markInFlight(uint32_t offset, uint32_t bytes, uint32_t thread) {
  fill(&writers[offset], bytes, makeStamp(kInFlightClock, thread));
  inFlightBytes += bytes;
}

void SharedShadow::markArrived(uint32_t offset, uint32_t bytes, uint32_t thread) {
  fill(&writers[offset], bytes, makeStamp(ordering.now(), thread));
  inFlightBytes -= bytes;
}
