// Checked accesses of a block to global and shared memory, and its asynchronous copies.
#include "GlobalShadow.h"

#include <cstdio>
#include <cstring>

using namespace tilewright::emulator;

using ull = unsigned long long;
using sll = long long;

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

void Block::checkGlobal(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                        const char *verb, int site) {
  const SiteCache &cache = siteCaches[site];
  uint64_t offset = reinterpret_cast<uintptr_t>(pointer) - cache.base;
  if (offset < cache.bytes && bytes <= cache.bytes - offset && (!isWrite || cache.writable) &&
      !awaitingGrid && !(reinterpret_cast<uintptr_t>(pointer) & (alignment - 1)))
    return;
  checkGlobalSlowly(self, pointer, bytes, alignment, isWrite, verb, site);
}

void Block::raiseOutside(Thread &self, const MemoryRegion &region, uintptr_t address, uint64_t bytes,
                         const char *verb, int site) {
  uintptr_t end = region.base + region.bytes;
  bool before = address < region.base;
  raise(self, FaultKind::OutOfBounds, site,
        "out-of-bounds global %s of %llu bytes at offset %lld, %llu bytes %s of \"%s\" (%llu bytes)", verb,
        static_cast<ull>(bytes), static_cast<sll>(address - region.base),
        static_cast<ull>(before ? region.base - address : address + bytes - end),
        before ? "before the start" : "past the end", region.name.c_str(), static_cast<ull>(region.bytes));
}

void Block::checkGlobalOf(Thread &self, uintptr_t base, const void *pointer, uint32_t bytes, const char *verb,
                          int site) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  const MemoryRegion *buffer = nullptr;
  for (const MemoryRegion &region : launch->regions) {
    if (base - region.base >= region.bytes)
      continue;
    if (address >= region.base && address + bytes <= region.base + region.bytes)
      return;
    buffer = &region;
  }
  if (buffer)
    raiseOutside(self, *buffer, address, bytes, verb, site);
}

void Block::checkGlobalSlowly(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment,
                              bool isWrite, const char *verb, int site) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  const MemoryRegion *inside = nullptr, *nearest = nullptr;
  uint64_t nearestDistance = ~uint64_t(0);
  for (const MemoryRegion &region : launch->regions) {
    uintptr_t end = region.base + region.bytes;
    if (address >= region.base && address + bytes <= end) {
      if (!inside || (isWrite && !inside->writable))
        inside = &region;
      continue;
    }
    uint64_t distance = address < region.base ? region.base - address : address + bytes - end;
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = &region;
    }
  }
  if (!inside) {
    constexpr uint64_t kNear = 16 << 20;
    if (address < 65536)
      raise(self, FaultKind::OutOfBounds, site,
            "out-of-bounds global %s of %u bytes at address %llu, a null pointer", verb, bytes,
            static_cast<ull>(address));
    if (!nearest || nearestDistance > kNear)
      raise(self, FaultKind::OutOfBounds, site,
            "out-of-bounds global %s of %u bytes, far from each of the launch's %zu buffers", verb, bytes,
            launch->regions.size());
    raiseOutside(self, *nearest, address, bytes, verb, site);
  }
  if (address & (alignment - 1))
    raise(self, FaultKind::Misaligned, site,
          "misaligned global %s of %u bytes at offset %llu of \"%s\": its address is %llu modulo %u", verb,
          bytes, static_cast<ull>(address - inside->base), inside->name.c_str(),
          static_cast<ull>(address & (alignment - 1)), alignment);
  if (isWrite && !inside->writable)
    raise(self, FaultKind::ReadOnly, site,
          "global %s of %u bytes at offset %llu of \"%s\", which is read-only", verb, bytes,
          static_cast<ull>(address - inside->base), inside->name.c_str());
  if (awaitingGrid && inside->writable)
    raise(
        self, FaultKind::Race, site,
        "race with the launches before: global %s of %u bytes at offset %llu of \"%s\", and no thread of the "
        "block has waited for them (griddepcontrol.wait)",
        verb, bytes, static_cast<ull>(address - inside->base), inside->name.c_str());
  siteCaches[site] = {inside->base, inside->bytes, inside->writable, cluster.global->stampsOf(*inside)};
}

void Block::noteGlobal(Thread &self, const void *pointer, uint32_t bytes, bool isWrite, const char *verb,
                       int site) {
  const SiteCache &cache = siteCaches[site];
  if (!cache.stamps)
    return;
  uint64_t offset = reinterpret_cast<uintptr_t>(pointer) - cache.base;
  auto *stamps = static_cast<GlobalShadow::Stamp *>(cache.stamps) + offset;
  GlobalShadow::Finding found = cluster.global->touch(stamps, bytes, isWrite, self);
  if (!found)
    return;
  char who[80] = "other blocks";
  if (found.other != GlobalShadow::kSeveral) {
    const Extent &grid = launch->grid, &size = launch->cluster;
    uint64_t index = found.other - 1, across = grid.x / size.x, down = grid.y / size.y;
    std::snprintf(who, sizeof who, "%s(%llu,%llu,%llu)",
                  size.count() > 1 ? "the cluster of block " : "block ",
                  static_cast<ull>(index % across * size.x), static_cast<ull>(index / across % down * size.y),
                  static_cast<ull>(index / across / down * size.z));
  }
  const char *name = "";
  for (const MemoryRegion &region : launch->regions)
    if (region.base == cache.base)
      name = region.name.c_str();
  raise(
      self, FaultKind::Race, site,
      "race on global memory: %s of %u bytes at offset %llu of \"%.200s\", whose byte %llu %s %s in the same "
      "launch",
      verb, bytes, static_cast<ull>(offset), name, static_cast<ull>(offset + found.byte), who,
      found.wrote ? "wrote" : "read");
}

void Block::noteSynchronisation() { cluster.global->synchronise(cluster.nameInGlobal); }

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

uint32_t Block::checkSharedBounds(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment,
                                  const char *verb, int site) {
  intptr_t offset = static_cast<const std::byte *>(pointer) - shared;
  if (size_t(offset) >= sharedBytes || bytes > sharedBytes - size_t(offset)) {
    if (offset < 0)
      raise(
          self, FaultKind::OutOfBounds, site,
          "out-of-bounds shared %s of %u bytes at offset %lld, before the block's %u bytes of shared memory",
          verb, bytes, static_cast<sll>(offset), sharedBytes);
    raise(self, FaultKind::OutOfBounds, site,
          "out-of-bounds shared %s of %u bytes at offset %lld, %lld bytes past the block's %u bytes of "
          "shared memory",
          verb, bytes, static_cast<sll>(offset), static_cast<sll>(offset + bytes - sharedBytes), sharedBytes);
  }
  if (offset & (alignment - 1))
    raise(self, FaultKind::Misaligned, site,
          "misaligned shared %s of %u bytes: offset %lld is not a multiple of %u", verb, bytes,
          static_cast<sll>(offset), alignment);
  return uint32_t(offset);
}

void Block::checkShared(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                        int site) {
  const char *verb = isWrite ? "store" : "load";
  uint32_t offset = checkSharedBounds(self, pointer, bytes, alignment, verb, site);
  if (!options.checkShared)
    return;
  uint32_t thread = self.number;
  SharedShadow::Finding found =
      isWrite ? shadow.write(offset, bytes, thread, site) : shadow.read(offset, bytes, thread, site);
  if (found.verdict != Verdict::Fine)
    reportShared(self, found, verb, offset, bytes, site);
}

void Block::checkSharedAtomic(Thread &self, const void *pointer, uint32_t bytes, int site) {
  uint32_t offset = checkSharedBounds(self, pointer, bytes, bytes, "atomic", site);
  if (!options.checkShared)
    return;
  SharedShadow::Finding found = shadow.atomic(offset, bytes, self.number, site);
  if (found.verdict != Verdict::Fine)
    reportShared(self, found, "atomic", offset, bytes, site);
}

bool Block::isOwnStack(const Thread &self, const void *pointer) const {
  const char *bottom = static_cast<const char *>(self.continuation.stackBottom);
  return static_cast<size_t>(static_cast<const char *>(pointer) - bottom) < StackPool::kStackBytes;
}

/// "thread 5", "lanes of warp 2", …; threads and warps of another block with its rank.
static void describeWho(uint32_t stamp, uint32_t threads, uint32_t rank, char (&text)[60]) {
  uint32_t code = stampWho(stamp), of = rank;
  const char *what = "threads of several warps";
  int number = -1;
  if (code < kMaxClusterThreads) {
    what = "thread";
    number = int(code % threads);
    of = code / threads;
  } else if (code < who::kAtomicSeveral) {
    bool isAtomic = code >= who::kAtomicOfWarp;
    uint32_t warp = code - (isAtomic ? who::kAtomicOfWarp : who::kLanesOfWarp), warps = threads / kWarpLanes;
    what = isAtomic ? "atomics of warp" : "lanes of warp";
    number = int(warps ? warp % warps : warp);
    of = warps ? warp / warps : rank;
  } else if (isAgent(code)) {
    what = "asynchronously";
  } else if (code == who::kAtomicSeveral) {
    what = "atomics of several warps";
  }
  int length = std::snprintf(text, sizeof text, number < 0 ? "%s" : "%s %d", what, number);
  if (number >= 0 && of != rank)
    std::snprintf(text + length, sizeof text - size_t(length), " of the block of rank %u", of);
}

/// The site of the copy that is on its way to byte `offset` of `owner`, or -1.
static int copyInFlight(const Block &owner, uint32_t stamp, uint32_t offset) {
  for (const BulkLoad &load : owner.cluster.loads) {
    if (load.isArrival)
      for (const AsyncCopy &copy : load.copies)
        if (load.targets >> owner.rank & 1 && offset - copy.offset < copy.bytes)
          return copy.site;
    if (!load.isArrival && load.targets >> owner.rank & 1 && offset - load.offset < load.bytes)
      return load.site;
  }
  uint32_t thread = stampWho(stamp) % uint32_t(owner.threads.size());
  for (const AsyncCopy &copy : owner.threads[thread].copies)
    if (offset - copy.offset < copy.bytes)
      return copy.site;
  return -1;
}

void Block::reportShared(const Thread &self, const SharedShadow::Finding &finding, const char *verb,
                         uint32_t offset, uint32_t bytes, int site, const Block *owner) {
  if (!owner)
    owner = this;
  char other[60];
  describeWho(finding.stamp, uint32_t(threads.size()), self.block->rank, other);
  const char *operation = "an operation", *source = "unknown";
  int otherSite = finding.site;
  if (finding.verdict == Verdict::InFlight)
    if (int known = copyInFlight(*owner, finding.stamp, finding.offset); known >= 0)
      otherSite = known;
  if (launch->sites && otherSite >= 0 && size_t(otherSite) < launch->sites->size()) {
    operation = (*launch->sites)[otherSite].operation.c_str();
    source = (*launch->sites)[otherSite].source.c_str();
  }
  // Whose memory it is, where it is not that of the thread's own block.
  char whose[40] = "";
  if (owner != self.block)
    std::snprintf(whose, sizeof whose, " of the block of rank %u", owner->rank);
  switch (finding.verdict) {
  case Verdict::Fine:
  case Verdict::Uninitialised:
    raise(self, FaultKind::Uninitialised, site,
          "uninitialised shared memory: %s of %u bytes at offset %u%s reads byte %u, which %s never wrote",
          verb, bytes, offset, whose, finding.offset, *whose ? "that block" : "this block");
  case Verdict::InFlight:
    raise(
        self, FaultKind::InFlight, site,
        "data in flight: shared %s of %u bytes at offset %u%s meets byte %u of a %s that %s issued at %s and "
        "has not waited for",
        verb, bytes, offset, whose, finding.offset,
        std::strncmp(operation, "nvvm.cp.async.shared", 20) ? "bulk copy" : "cp.async", other, source);
  case Verdict::NoProxyFence:
    raise(self, FaultKind::MissingFence, site,
          "missing proxy fence: %s of %u bytes at offset %u%s goes through the asynchronous proxy, and no "
          "fence.proxy.async since byte %u was written by %s (%s at %s)",
          verb, bytes, offset, whose, finding.offset, other, operation, source);
  case Verdict::NoProxyFenceSinceRead:
    raise(self, FaultKind::MissingFence, site,
          "missing proxy fence: %s of %u bytes at offset %u%s goes through the asynchronous proxy, and no "
          "fence.proxy.async since byte %u was read by %s (%s at %s): that load may still be under way",
          verb, bytes, offset, whose, finding.offset, other, operation, source);
  case Verdict::RaceWithWrite:
  case Verdict::RaceWithRead:
    raise(
        self, FaultKind::Race, site,
        "race on shared memory: %s of %u bytes at offset %u%s, and no barrier since byte %u was %s %s%s (%s "
        "at %s)",
        verb, bytes, offset, whose, finding.offset,
        finding.verdict == Verdict::RaceWithWrite ? "written" : "read",
        isAgent(stampWho(finding.stamp)) ? "" : "by ", other, operation, source);
  }
  __builtin_unreachable();
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void Block::copyAsync(Thread &self, void *destination, const void *source, uint32_t bytes,
                      uint32_t sourceBytes, int site) {
  if (sourceBytes > bytes)
    raise(self, FaultKind::OutOfBounds, site, "cp.async of %u bytes is told to read %u", bytes, sourceBytes);
  if (sourceBytes) {
    checkGlobal(self, source, sourceBytes, bytes, false, "cp.async load", site);
    noteGlobal(self, source, sourceBytes, false, "cp.async load", site);
  }
  uint32_t offset = checkSharedBounds(self, destination, bytes, bytes, "cp.async store", site);
  uint32_t thread = self.number;
  if (options.checkShared) {
    SharedShadow::Finding found = shadow.write(offset, bytes, thread, site);
    if (found.verdict != Verdict::Fine)
      reportShared(self, found, "cp.async store", offset, bytes, site);
    shadow.markInFlight(offset, bytes, thread);
  }
  AsyncCopy copy{offset, bytes, sourceBytes, source, site, AsyncCopy::kOpenGroup};
  self.copies.push_back(copy);
  if (options.earlyCompletion) {
    if (sourceBytes)
      std::memcpy(shared + offset, source, sourceBytes);
    std::memset(shared + offset + sourceBytes, 0, bytes - sourceBytes);
  } else {
    std::memset(shared + offset, 0xFF, bytes);
  }
}

void Block::commitCopies(Thread &self) {
  for (auto copy = self.copies.rbegin(); copy != self.copies.rend() && copy->group == AsyncCopy::kOpenGroup;
       ++copy)
    copy->group = self.commits;
  ++self.commits;
}

void Block::complete(Thread &self, const AsyncCopy &copy) {
  // Late completion reads the source now: a source overwritten meanwhile shows as a wrong value.
  if (!options.earlyCompletion) {
    if (copy.sourceBytes)
      std::memcpy(shared + copy.offset, copy.source, copy.sourceBytes);
    std::memset(shared + copy.offset + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
  }
  if (options.checkShared)
    shadow.markArrived(copy.offset, copy.bytes, self.number);
}

void Block::waitCopies(Thread &self, uint32_t pending, bool all) {
  size_t kept = 0;
  for (size_t i = 0; i < self.copies.size(); ++i) {
    const AsyncCopy &copy = self.copies[i];
    bool open = copy.group == AsyncCopy::kOpenGroup;
    if (open ? all : (all || copy.group + pending < self.commits))
      complete(self, copy);
    else
      self.copies[kept++] = copy;
  }
  self.copies.resize(kept);
}
