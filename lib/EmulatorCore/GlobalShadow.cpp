// Stamps of global memory. CPU threads run clusters side by side and share them: each stamp is read and
// written by itself, so that what two threads touch in the same nanosecond may go unseen, and nothing is seen
// that was not.
#include "GlobalShadow.h"

using namespace tilewright::emulator;

/// Eight bytes a byte, made by the system when they are touched.
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

static uint32_t load(const uint32_t &word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
static void store(uint32_t &word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }

void GlobalShadow::begin(const Launch &launch) {
  buffers.clear();
  raised.clear();
  counters.clear();
  arrivals.clear();
  uint64_t clusters = launch.grid.count() / launch.cluster.count(), bytes = 0;
  for (const MemoryRegion &region : launch.regions)
    bytes += region.writable ? region.bytes : 0;
  if (clusters < 2 || clusters >= kSeveral || bytes > kMostBytes)
    return;
  synchronised.reset(static_cast<uint8_t *>(std::calloc(clusters + 1, 1)));
  for (const MemoryRegion &region : launch.regions)
    if (region.writable && region.bytes && synchronised)
      if (void *stamps = std::calloc(region.bytes, sizeof(Stamp)))
        buffers.push_back({region.base, region.bytes, {}}),
            buffers.back().stamps.reset(static_cast<Stamp *>(stamps));
}

GlobalShadow::Stamp *GlobalShadow::stampsOf(const MemoryRegion &region) const {
  for (const Buffer &buffer : buffers)
    if (buffer.base == region.base && buffer.bytes == region.bytes)
      return buffer.stamps.get();
  return nullptr;
}

void GlobalShadow::synchronise(uint32_t who) {
  if (!buffers.empty())
    __atomic_store_n(&synchronised[who], uint8_t(1), __ATOMIC_RELAXED);
}

bool GlobalShadow::areOrdered(uint32_t a, uint32_t b) const {
  return __atomic_load_n(&synchronised[a], __ATOMIC_RELAXED) &&
         (b == kSeveral || __atomic_load_n(&synchronised[b], __ATOMIC_RELAXED));
}

GlobalShadow::Finding GlobalShadow::touch(Stamp *stamps, uint32_t bytes, bool isWrite, const Thread &thread) {
  const Block &block = *thread.block;
  uint32_t who = block.cluster.nameInGlobal;
  uint32_t now = isWrite ? makeStamp(block.ordering.now(), thread.number) : 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    Stamp &stamp = stamps[i];
    uint32_t writer = load(stamp.writer), reader = load(stamp.reader);
    if (writer && writer != who && !areOrdered(who, writer) &&
        !block.isHandedOver(thread, writer, load(stamp.when)))
      return {writer, true, i};
    if (!isWrite) {
      if (reader != who && reader != kSeveral)
        store(stamp.reader, reader ? kSeveral : who);
      continue;
    }
    if (reader && reader != who && !areOrdered(who, reader) && !block.isHandedOver(thread, reader, 0))
      return {reader, false, i};
    store(stamp.when, now);
    if (writer != who)
      store(stamp.writer, who);
  }
  return {};
}
