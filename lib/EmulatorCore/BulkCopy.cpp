// Bulk copies (PTX ISA, "cp.async.bulk" and "cp.async.bulk.tensor"): what is checked when one is issued, how
// boxes lie in global and shared memory, landing, and groups of stores. All of them go through the
// asynchronous proxy; st.async, which lands as they do, does not.
#include "Tilewright/Emulator/Machine.h"

#include "Reduction.h"

#include <algorithm>
#include <cstring>

using namespace tilewright::emulator;

using ull = unsigned long long;

/// Bytes of one piece that the swizzle moves as a whole.
static constexpr uint32_t kChunk = 16;
static constexpr uint32_t kMaxRowBytes = 256 * 8;

namespace {
/// One row of a box: bytes `from` to `to` of it lie in the tensor, at `global`; the rest is outside.
struct BoxRow {
  uint32_t offset;
  std::byte *global;
  uint32_t from, to;
};
} // namespace

/// Calls `body` for each row of the box at `coordinates`, innermost dimension first.
template <typename Body> static void forEachRow(const TensorMap &map, const int32_t *coordinates, Body body) {
  uint32_t steps[kMaxTensorRank] = {1, 1, 1, 1, 1}, index[kMaxTensorRank] = {};
  uint64_t rows = 1;
  for (uint32_t dim = 0; dim < map.rank; ++dim) {
    steps[dim] = map.boxSteps(dim);
    if (dim)
      rows *= steps[dim];
  }
  uint32_t rowBytes = steps[0] * map.elementBytes;
  int64_t first = coordinates[0], from = std::clamp<int64_t>(-first, 0, steps[0]),
          to = std::clamp<int64_t>(int64_t(map.lastIndex[0]) + 1 - first, from, steps[0]);
  for (uint64_t row = 0; row < rows; ++row) {
    bool inside = to > from;
    uint64_t address = map.base + uint64_t(first + from) * map.elementBytes;
    for (uint32_t dim = 1; dim < map.rank; ++dim) {
      int64_t at = int64_t(coordinates[dim]) + int64_t(index[dim]) * map.elementStrides[dim];
      inside &= at >= 0 && at <= int64_t(map.lastIndex[dim]);
      address += uint64_t(at) * map.strides[dim - 1];
    }
    body(BoxRow{uint32_t(row * rowBytes), inside ? reinterpret_cast<std::byte *>(address) : nullptr,
                inside ? uint32_t(from) * map.elementBytes : 0,
                inside ? uint32_t(to) * map.elementBytes : 0});
    for (uint32_t dim = 1; dim < map.rank; ++dim) {
      if (++index[dim] < steps[dim])
        break;
      index[dim] = 0;
    }
  }
}

static uint32_t rowBytesOf(const TensorMap &map) { return map.boxSteps(0) * map.elementBytes; }

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// Global bytes that the copy touches lie in the buffer that the map is over.
static void checkBox(Block &block, Thread &self, const TensorMap &map, const int32_t *coordinates,
                     bool isWrite, bool isReduction, int site) {
  std::byte *low = nullptr, *high = nullptr;
  forEachRow(map, coordinates, [&](const BoxRow &row) {
    if (!row.global)
      return;
    std::byte *end = row.global + (row.to - row.from);
    low = low && low < row.global ? low : row.global;
    high = high > end ? high : end;
  });
  const char *verb = isWrite ? "bulk tensor store" : "bulk tensor load";
  if (low) {
    block.checkGlobalOf(self, map.base, low, uint32_t(high - low), verb, site);
    block.checkGlobal(self, low, uint32_t(high - low), 1, isWrite, verb, site);
  }
  if (isReduction)
    return block.noteSynchronisation();
  forEachRow(map, coordinates, [&](const BoxRow &row) {
    if (row.global)
      block.noteGlobal(self, row.global, row.to - row.from, isWrite, verb, site);
  });
}

static void checkMap(Block &block, Thread &self, const BulkRequest &request, int site) {
  const TensorMap &map = *request.map;
  if (map.magic != TensorMap::kMagic)
    block.raise(self, FaultKind::BadDescriptor, site,
                "bulk tensor copy with an address that holds no tensor map of the emulator");
  if (map.rank != request.rank)
    block.raise(self, FaultKind::BadDescriptor, site,
                "bulk tensor copy with %u coordinates, and a tensor map of rank %u", request.rank, map.rank);
}

/// Operands of a plain copy: multiples of 16.
static void checkPlain(Block &block, Thread &self, const BulkRequest &request, bool isWrite, int site) {
  if (!request.bytes || request.bytes % kChunk)
    block.raise(self, FaultKind::BadDescriptor, site, "bulk copy of %u bytes, not a positive multiple of 16",
                request.bytes);
  block.checkGlobal(self, request.global, request.bytes, kChunk, isWrite,
                    isWrite ? "bulk store" : "bulk load", site);
  block.noteGlobal(self, request.global, request.bytes, isWrite, isWrite ? "bulk store" : "bulk load", site);
}

void Block::bulkLoad(Thread &self, const BulkRequest &request, int site) {
  BulkLoad load;
  load.isTensor = request.map;
  load.bytes = request.bytes;
  if (request.map) {
    checkMap(*this, self, request, site);
    load.map = *request.map;
    std::copy_n(request.coordinates, kMaxTensorRank, load.coordinates);
    load.bytes = load.map.boxBytes();
    checkBox(*this, self, load.map, load.coordinates, false, false, site);
  } else {
    checkPlain(*this, self, request, false, site);
    load.source = static_cast<const std::byte *>(request.global);
  }
  Block &owner = ownerOf(self, request.shared, "bulk load", site);
  uint32_t alignment = request.map ? 128 : kChunk;
  load.offset = owner.checkSharedBounds(self, request.shared, load.bytes, alignment, "bulk load", site);
  load.mbarrier = checkSharedBounds(self, request.mbarrier, 8, 8, "mbarrier of a bulk load", site);
  if (&owner != this && !request.multicast)
    raise(self, FaultKind::BadDescriptor, site,
          "bulk load to the block of rank %u that completes at an mbarrier of rank %u", owner.rank, rank);
  load.targets = request.multicast ? request.multicast : 1u << rank;
  if (load.targets >> cluster.size())
    raise(self, FaultKind::BadDescriptor, site,
          "bulk load with multicast mask 0x%x in a cluster of %zu blocks", load.targets, cluster.size());
  load.issuer = &self;
  load.site = site;
  for (uint32_t rest = load.targets; rest; rest &= rest - 1) {
    Block &target = cluster.block(uint32_t(__builtin_ctz(rest)));
    if (!target.live)
      raise(self, FaultKind::OutOfBounds, site,
            "bulk load to the block of rank %u, whose threads have all exited", target.rank);
    target.mbarrierFor(load, self, site);
    if (options.checkShared) {
      SharedShadow::Finding found = target.shadow.startAsyncWrite(load.offset, load.bytes, self.number, site);
      if (found.verdict != Verdict::Fine)
        reportShared(self, found, "bulk load", load.offset, load.bytes, site, &target);
    }
    if (!options.earlyCompletion)
      std::memset(target.shared + load.offset, 0xFF, load.bytes);
  }
  cluster.loads.push_back(load);
  if (options.earlyCompletion)
    cluster.landOne();
}

void Block::storeAsync(Thread &self, void *pointer, void *mbarrier, uint32_t bytes, int site) {
  // Its landing says when it is done, and no barrier of the issuing thread.
  Block &target = reachedOwnerOf(self, pointer, "st.async", site);
  BulkLoad load;
  load.isStore = true;
  std::copy_n(self.registers.in, bytes / 4, load.words);
  load.bytes = bytes;
  load.offset = target.checkSharedBounds(self, pointer, bytes, bytes, "st.async", site);
  Block &completes = reachedOwnerOf(self, mbarrier, "st.async", site);
  if (&completes != &target)
    raise(self, FaultKind::BadDescriptor, site,
          "st.async to the block of rank %u that completes at an mbarrier of rank %u", target.rank,
          completes.rank);
  load.mbarrier = target.checkSharedBounds(self, mbarrier, 8, 8, "mbarrier of a st.async", site);
  load.targets = 1u << target.rank;
  load.issuer = &self;
  load.site = site;
  target.mbarrierFor(load, self, site);
  if (options.checkShared) {
    SharedShadow::Finding found = target.shadow.write(load.offset, bytes, self.number, site);
    if (found.verdict != Verdict::Fine)
      reportShared(self, found, "st.async", load.offset, bytes, site, &target);
    target.shadow.markInFlight(load.offset, bytes, self.number);
  }
  if (!options.earlyCompletion)
    std::memset(target.shared + load.offset, 0xFF, bytes);
  cluster.loads.push_back(load);
  if (options.earlyCompletion)
    cluster.landOne();
}

//===----------------------------------------------------------------------===//
// Landing
//===----------------------------------------------------------------------===//

/// CU_TENSOR_MAP_DATA_TYPE_TFLOAT32.
static constexpr uint8_t kTensorTf32 = 11;

/// Words of fp32 rounded to tf32, half away from zero.
static void roundToTf32(std::byte *words, uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += 4) {
    uint32_t bits;
    std::memcpy(&bits, words + at, 4);
    if ((bits & 0x7f800000) != 0x7f800000)
      bits += 0x1000;
    bits &= ~uint32_t(0x1fff);
    std::memcpy(words + at, &bits, 4);
  }
}

static void landTensor(const BulkLoad &load, std::byte *shared) {
  const TensorMap &map = load.map;
  uint32_t rowBytes = rowBytesOf(map);
  alignas(16) std::byte buffer[kMaxRowBytes];
  forEachRow(map, load.coordinates, [&](const BoxRow &row) {
    std::memset(buffer, map.fillWithNaN ? 0xFF : 0, rowBytes);
    if (row.global)
      std::memcpy(buffer + row.from, row.global, row.to - row.from);
    if (map.dataType == kTensorTf32)
      roundToTf32(buffer, rowBytes);
    for (uint32_t at = 0; at < rowBytes; at += kChunk)
      std::memcpy(shared + swizzleAddress(map.swizzle, load.offset + row.offset + at), buffer + at, kChunk);
  });
}

bool Block::land(const BulkLoad &load) {
  uint16_t slot = mbarrierAt[load.mbarrier / 8];
  if (!live) {
    problem = std::string(load.name()) + " lands in a block whose threads have all exited";
    return false;
  }
  if (!slot || !mbarriers[slot - 1]->isValid) {
    problem = std::string(load.name()) + " lands after the mbarrier at offset " +
              std::to_string(load.mbarrier) + " at which it completes is gone";
    return false;
  }
  Mbarrier &barrier = *mbarriers[slot - 1];
  if (load.isArrival) {
    for (const AsyncCopy &copy : load.copies)
      complete(*load.issuer, copy);
    if (!barrier.pending) {
      problem = "arrival overflow: cp.async.mbarrier.arrive at " + describeMbarrier(barrier) +
                ", where no arrival is pending";
      return false;
    }
    if (options.checkShared)
      ordering.release(load.issuer->number, barrier.gathering);
    barrier.arriveSite = load.site;
    --barrier.pending;
    return turnPhase(barrier);
  }
  if (load.isTensor)
    landTensor(load, shared);
  else if (load.isStore)
    std::memcpy(shared + load.offset, load.words, load.bytes);
  else
    std::memcpy(shared + load.offset, load.source, load.bytes);
  if (options.checkShared) {
    shadow.landAsyncWrite(load.offset, load.bytes, barrier.agent);
    barrier.lastLanding = ordering.now();
    barrier.landingSite = load.site;
    ordering.releaseAgent(barrier.agent, barrier.gathering);
  }
  barrier.txBytes -= load.bytes;
  if (barrier.txBytes < -kMaxTxBytes || (!barrier.pending && barrier.txBytes < 0)) {
    problem = "transaction underflow: a " + std::string(load.name()) + " of " + std::to_string(load.bytes) +
              " bytes completes at " + describeMbarrier(barrier) + ", which expects " +
              std::to_string(barrier.txBytes + load.bytes) + " bytes more in phase " +
              std::to_string(barrier.phase);
    return false;
  }
  return turnPhase(barrier);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void Block::bulkStore(Thread &self, const BulkRequest &request, int site) {
  BulkStore store;
  store.request = request;
  store.site = site;
  uint32_t bytes = request.bytes;
  if (request.map) {
    checkMap(*this, self, request, site);
    store.map = *request.map;
    bytes = store.map.boxBytes();
    checkBox(*this, self, store.map, request.coordinates, true, request.reduction != 0, site);
    if (request.reduction && !canReduce(request.reduction, store.map.dataType))
      raise(self, FaultKind::Limit, site, "the emulator does not model this bulk reduction of data type %u",
            store.map.dataType);
  } else {
    checkPlain(*this, self, request, true, site);
  }
  store.offset =
      checkSharedBounds(self, request.shared, bytes, request.map ? 128 : kChunk, "bulk store", site);
  if (!self.stores.hasAgent) {
    self.stores.agent = ordering.addAgent();
    self.stores.hasAgent = true;
  }
  if (options.checkShared) {
    AsyncReader reader{self.stores.agent, self.number, 1};
    auto read = [&](uint32_t offset, uint32_t count) {
      SharedShadow::Finding found = shadow.readAsync(offset, count, reader, site);
      if (found.verdict != Verdict::Fine)
        reportShared(self, found, "bulk store", store.offset, bytes, site);
    };
    if (request.map)
      forEachRow(store.map, request.coordinates, [&](const BoxRow &row) {
        for (uint32_t at = row.from / kChunk * kChunk; at < row.to; at += kChunk)
          read(swizzleAddress(store.map.swizzle, store.offset + row.offset + at), kChunk);
      });
    else
      read(store.offset, bytes);
    store.until = ordering.closeAgent(self.stores.agent);
  }
  if (options.earlyCompletion) {
    readStore(store);
    writeStore(store);
    store.isRead = false; // The program may rely on it only after its wait.
  }
  self.stores.pending.push_back(std::move(store));
}

void Block::commitStores(Thread &self) {
  for (BulkStore &store : self.stores.pending)
    if (store.group == ~0u)
      store.group = self.stores.commits;
  ++self.stores.commits;
}

void Block::readStore(BulkStore &store) {
  if (!store.data.empty())
    return;
  if (!store.request.map) {
    store.data.assign(shared + store.offset, shared + store.offset + store.request.bytes);
    return;
  }
  store.data.resize(store.map.boxBytes());
  uint32_t rowBytes = rowBytesOf(store.map);
  forEachRow(store.map, store.request.coordinates, [&](const BoxRow &row) {
    for (uint32_t at = 0; at < rowBytes; at += kChunk)
      std::memcpy(&store.data[row.offset + at],
                  shared + swizzleAddress(store.map.swizzle, store.offset + row.offset + at), kChunk);
  });
}

void Block::writeStore(BulkStore &store) {
  if (store.isWritten)
    return;
  readStore(store);
  store.isWritten = true;
  const BulkRequest &request = store.request;
  if (request.map) {
    forEachRow(store.map, request.coordinates, [&](const BoxRow &row) {
      if (!row.global)
        return;
      if (request.reduction)
        reduceInto(request.reduction, store.map.dataType, row.global, &store.data[row.offset + row.from],
                   row.to - row.from);
      else
        std::memcpy(row.global, &store.data[row.offset + row.from], row.to - row.from);
    });
    return;
  }
  for (uint32_t i = 0; i < request.bytes; ++i)
    if (request.byteMask >> i % kChunk & 1)
      static_cast<std::byte *>(request.global)[i] = store.data[i];
}

void Block::waitStores(Thread &self, uint32_t pending, bool onlyRead, int) {
  std::vector<BulkStore> &stores = self.stores.pending;
  size_t kept = 0;
  for (size_t i = 0; i < stores.size(); ++i) {
    BulkStore &store = stores[i];
    if (store.group != ~0u && store.group + pending < self.stores.commits) {
      readStore(store);
      store.isRead = true;
      if (options.checkShared)
        ordering.acquireAgent(self.number, self.stores.agent, store.until);
      if (!onlyRead) {
        writeStore(store);
        continue;
      }
    }
    if (kept != i)
      stores[kept] = std::move(store);
    ++kept;
  }
  stores.resize(kept);
}

void Block::checkStoresAtExit(Thread &self) {
  for (const BulkStore &store : self.stores.pending)
    if (!store.isRead)
      raise(self, FaultKind::InFlight, store.site,
            "data in flight: thread %u exits, and has not waited until its bulk store has read shared memory",
            self.registers.linear);
}
