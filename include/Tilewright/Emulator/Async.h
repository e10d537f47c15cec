// What works beside the threads of a block on Hopper: mbarriers and the bulk copies that complete at them,
// bulk stores in groups, and the products of warpgroups. Plain state; the rules are in lib/EmulatorCore.
#pragma once

#include "Tilewright/Emulator/Ordering.h"
#include "Tilewright/Emulator/TensorMap.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::emulator {

struct Thread;

/// One cp.async that has not been waited for.
struct AsyncCopy {
  uint32_t offset;
  uint32_t bytes;
  /// Bytes read from `source`; the rest is zero.
  uint32_t sourceBytes;
  const void *source;
  int site;
  /// The commit that closed its group, counted per thread; kOpenGroup before.
  uint32_t group;
  static constexpr uint32_t kOpenGroup = ~0u;
};

//===-- mbarriers -----------------------------------------------------------------------------------===//

/// An mbarrier object (PTX ISA, "mbarrier"): a phase ends when no arrival and no byte is pending.
struct Mbarrier {
  bool isValid = false;
  uint32_t offset = 0;
  /// Arrivals of each phase, and those still missing in this one.
  uint32_t expected = 0;
  uint32_t pending = 0;
  /// Bytes expected less bytes that have come, in this phase.
  int64_t txBytes = 0;
  /// Phases that have ended.
  uint64_t phase = 0;
  /// Whether anyone has waited for the last phase that ended.
  bool isObserved = true;
  /// Whether the initialisation has been fenced for bulk copies and other blocks.
  bool isFenced = false;
  uint32_t initThread = 0;
  uint32_t initStamp = 0;
  int initSite = -1;
  /// The last arrival and the last wait.
  int arriveSite = -1;
  int waitSite = -1;
  /// The copies that complete here.
  uint32_t agent = 0;
  bool hasAgent = false;
  /// The clock and the site of the last copy that landed.
  uint32_t lastLanding = 0;
  int landingSite = -1;
  /// What those who arrived knew, so far and when the last phase ended.
  Knowledge gathering, completed;
  std::vector<Thread *> waiters;
};

namespace arrive {
constexpr uint32_t kRelaxed = 1;   ///< Orders no plain access.
constexpr uint32_t kDrop = 2;      ///< Later phases expect as many fewer.
constexpr uint32_t kRemote = 4;    ///< The address is one of the cluster's shared memory.
constexpr uint32_t kExpect = 8;    ///< expect_tx comes first.
constexpr uint32_t kNoArrive = 16; ///< expect_tx alone.
constexpr uint32_t kNoComplete = 32;
} // namespace arrive

constexpr uint32_t kMaxArrivals = (1u << 20) - 1;
constexpr int64_t kMaxTxBytes = (1 << 20) - 1;

//===-- bulk copies ---------------------------------------------------------------------------------===//

/// Operands of a bulk copy. A tensor copy has a map and coordinates, a plain one bytes.
struct BulkRequest {
  const TensorMap *map = nullptr;
  int32_t coordinates[kMaxTensorRank] = {};
  uint32_t rank = 0;
  void *shared = nullptr;
  void *global = nullptr;
  uint32_t bytes = 0;
  void *mbarrier = nullptr;
  /// Ranks of the blocks that receive a load; 0: the one whose shared memory is addressed.
  uint32_t multicast = 0;
  /// Bytes of each 16 that a plain store writes.
  uint32_t byteMask = 0xFFFF;
  /// What a store does with what is there: 0 replaces, else 1 + TMAReduxKind.
  uint32_t reduction = 0;
};

/// A load on its way, or (without map and bytes) an arrival that waits for cp.async.
struct BulkLoad {
  bool isTensor = false;
  TensorMap map;
  int32_t coordinates[kMaxTensorRank];
  const std::byte *source = nullptr;
  /// st.async: the stored words themselves, by a thread and not by the asynchronous proxy.
  bool isStore = false;
  uint32_t words[4];
  uint32_t bytes = 0;
  uint32_t offset = 0;
  uint32_t mbarrier = 0;
  uint32_t targets = 0;
  Thread *issuer = nullptr;
  /// cp.async.mbarrier.arrive: an arrival when these copies of the issuer are there.
  bool isArrival = false;
  std::vector<AsyncCopy> copies;
  int site = -1;

  const char *name() const { return isStore ? "st.async" : "bulk copy"; }
};

/// A store that may still read shared memory, or has read it and not yet written.
struct BulkStore {
  BulkRequest request;
  TensorMap map;
  uint32_t offset = 0;
  uint32_t group = ~0u;
  /// The clock after its reads, as its agent's.
  uint32_t until = 0;
  bool isRead = false;
  bool isWritten = false;
  std::vector<std::byte> data;
  int site = -1;
};

struct BulkStores {
  std::vector<BulkStore> pending;
  uint32_t commits = 0;
  uint32_t agent = 0;
  bool hasAgent = false;
};

//===-- warpgroups ----------------------------------------------------------------------------------===//

constexpr uint32_t kWarpgroupThreads = 128;

enum class WgmmaAccumulator : uint8_t { F32, F16, S32 };

/// One wgmma.mma_async. Element types are `MmaElement`s.
struct WgmmaRequest {
  /// The thread's accumulator registers, read and written.
  uint32_t *accumulators;
  uint64_t a, b;
  /// Four registers of A, or null where `a` is a descriptor.
  const uint32_t *registersOfA;
  uint32_t n;
  uint8_t typeA, typeB;
  WgmmaAccumulator typeD;
  bool accumulates, negateA, negateB, transposedA, transposedB, saturates, unfencedA;
};

/// A thread's part in its warpgroup's products: groups committed and waited for.
struct WgmmaThread {
  const WgmmaRequest *request = nullptr;
  uint32_t commits = 0;
  uint32_t done = 0;
  bool isFenced = false;
};

struct Warpgroup {
  /// Threads that have come to the operation at `site`.
  uint32_t arrived = 0;
  int site = -1;
  bool hasAgent = false;
  uint32_t agent = 0;
  /// The agent's clock at the end of each group, oldest first from `firstGroup`.
  std::vector<uint32_t> groupEnds;
  /// Which group each wgmma (by site) was last issued in.
  std::vector<std::pair<int, uint32_t>> lastGroups;
  /// Registers of each thread, and what is asked for.
  uint32_t registers = 0;
  uint32_t wanted = 0;
};

} // namespace tilewright::emulator
