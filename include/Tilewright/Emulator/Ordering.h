// What has happened before what inside one cluster of thread blocks, and a shadow of a block's shared memory
// that finds the accesses which nothing orders.
//
// Every barrier (of the block, of a group of warps, of a warp) and every arrival advances one clock. An
// access leaves a stamp, the clock and who made it, on each byte it touches:
//
//     bit 31 ........................ 12 | 11 ........... 0
//     clock at the access                | who: a thread, one warp's lanes, an agent, a set of readers, …
//
// Everything before the last barrier of the whole block is ordered by one comparison (`floor`). What narrower
// synchronisation orders is kept per pair of threads (`known`), as in a vector clock, and only consulted when
// the floor does not settle the question. Clocks run on from block to block: an older stamp than the block's
// first clock means that this block never wrote the byte.
//
// Agents are what works beside the threads: the copies that complete at one mbarrier, the products of one
// warpgroup, the bulk stores of one thread. A thread knows what an agent did once it has waited for it.
//
// Generic accesses and those of the asynchronous proxy (bulk copies, wgmma) are apart: each thread also keeps
// which accesses of others have a proxy fence between them and what the asynchronous proxy does next: writes
// are visible to it only then, and loads that a barrier orders may still be under way without one.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilewright::emulator {

constexpr uint32_t kMaxThreads = 1024;
/// Threads of a whole cluster that can be told apart.
constexpr uint32_t kMaxClusterThreads = 4096;
constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kMaxSharedBytes = 256 * 1024;
/// Agents of a cluster that can be told apart; more share the last one.
constexpr uint32_t kMaxAgents = 128;

/// Who left a stamp; below kMaxClusterThreads a single thread.
namespace who {
constexpr uint32_t kWarps = kMaxClusterThreads / kWarpLanes;
constexpr uint32_t kLanesOfWarp = kMaxClusterThreads;       ///< + warp: more than one lane of that warp
constexpr uint32_t kAtomicOfWarp = kLanesOfWarp + kWarps;   ///< + warp: atomics by lanes of that warp
constexpr uint32_t kAtomicSeveral = kAtomicOfWarp + kWarps; ///< atomics by threads of more than one warp
constexpr uint32_t kAgent = kAtomicSeveral + 1;             ///< + agent
constexpr uint32_t kReaderSet = kAgent + kMaxAgents;        ///< + number of a set made at that clock
constexpr uint32_t kBits = 13;
constexpr uint32_t kMask = (1u << kBits) - 1;
} // namespace who

constexpr uint32_t kInFlightClock = (1u << (32 - who::kBits)) - 1;

inline uint32_t makeStamp(uint32_t clock, uint32_t code) { return clock << who::kBits | code; }
inline uint32_t stampClock(uint32_t stamp) { return stamp >> who::kBits; }
inline uint32_t stampWho(uint32_t stamp) { return stamp & who::kMask; }
inline bool isAgent(uint32_t code) { return code >= who::kAgent && code < who::kReaderSet; }

/// What a thread, or whoever waits at a barrier, knows of all others: one clock each.
using Knowledge = std::vector<uint32_t>;

/// The happens-before relation of one cluster. Threads are numbered through the cluster.
class Ordering {
public:
  /// Forgets everything and starts a cluster of `threads` threads. `tracksProxies`: keep apart what the
  /// asynchronous proxy may see, and allow agents.
  void beginBlock(uint32_t threads, bool tracksProxies = false);
  /// A barrier of every thread there is.
  void joinAll();
  /// A barrier of the given threads. False if the clock is exhausted.
  bool joinSome(const std::vector<uint32_t> &threads);
  /// A barrier of the lanes `mask` of warp `warp`. False if the clock is exhausted.
  bool joinLanes(uint32_t warp, uint32_t mask);
  /// Whether an access stamped `stamp` happened before what `thread` does now.
  bool isBefore(uint32_t stamp, uint32_t thread) const;
  /// Of `stamp`, which is not before what `thread` does now: one reader of a set that is not, or itself.
  uint32_t unordered(uint32_t stamp, uint32_t thread) const;
  /// Whether `thread` knows anything that one of the threads [first, first + count) did.
  bool knowsAnyOf(uint32_t thread, uint32_t first, uint32_t count) const;
  /// Whether an access stamped `stamp`, which happened before, has a proxy fence between it and asynchronous
  /// work of `thread`.
  bool isVisibleToAsync(uint32_t stamp, uint32_t thread) const;

  /// What `thread` did up to now is known to those who `acquire` the knowledge. `onlyAgents` leaves out what
  /// threads did (a relaxed arrival: what was waited for stays waited for).
  void release(uint32_t thread, Knowledge &knowledge, bool onlyAgents = false);
  void acquire(uint32_t thread, const Knowledge &knowledge);
  Knowledge none() const { return Knowledge(width, 0); }
  /// fence.proxy.async: what `thread` knows is visible to the asynchronous proxy.
  void fenceProxy(uint32_t thread);

  uint32_t addAgent();
  /// The clock after all that `agent` did so far; later events are later.
  uint32_t closeAgent(uint32_t agent);
  void releaseAgent(uint32_t agent, Knowledge &knowledge);
  /// Whether who has `knowledge` knows what `agent` did at `clock`.
  bool knowsAgent(const Knowledge &knowledge, uint32_t agent, uint32_t clock) const {
    return knowledge[threadCount + agent] > clock;
  }
  /// `thread` knows what `agent` did before `until`.
  void acquireAgent(uint32_t thread, uint32_t agent, uint32_t until);

  /// The stamp of bytes that `reader` (a stamp) reads after those who left `old`.
  uint32_t addReader(uint32_t old, uint32_t reader, uint32_t thread);

  uint32_t now() const { return clock; }
  void tick() { ++clock; }
  uint32_t floorStamp() const { return makeStamp(floorClock, 0); }
  uint32_t firstStamp() const { return makeStamp(firstClock, 0); }
  uint32_t threads() const { return threadCount; }
  bool tracksProxies() const { return proxies; }
  /// True when the clock runs out soon: the shadow is to be rewritten at the next barrier of the block.
  bool isNearlyExhausted() const { return clock > kInFlightClock - (1u << 16); }
  bool isExhausted() const { return clock + 2048 >= kInFlightClock; }
  /// Starts the clock afresh; old stamps lose their meaning.
  void rewind();

private:
  uint32_t threadCount = 0;
  bool proxies = false;
  /// Clocks of a row: threads, then with proxies the agents, then threads as the asynchronous proxy sees
  /// them.
  uint32_t width = 0;
  uint32_t clock = 1;
  /// Stamps below this clock are from earlier blocks.
  uint32_t firstClock = 1;
  /// Stamps below this clock are ordered before everything that follows.
  uint32_t floorClock = 1;
  /// Row t: accesses of u stamped below entry u are ordered before what t does now.
  std::vector<uint32_t> known;
  std::vector<uint32_t> joined;
  uint32_t agentCount = 0;
  std::unordered_map<uint32_t, std::vector<uint32_t>> readerSets;
  std::unordered_map<uint64_t, uint32_t> readerUnions;
  uint32_t setClock = 0;
  uint32_t setCount = 0;

  uint32_t *row(uint32_t thread) { return &known[size_t(thread) * width]; }
  const uint32_t *row(uint32_t thread) const { return &known[size_t(thread) * width]; }
  bool knows(uint32_t thread, uint32_t other, uint32_t at) const {
    return thread == other || row(thread)[other] > at;
  }
  bool knowsWarp(uint32_t thread, uint32_t warp, uint32_t at) const;
  void join(const uint32_t *threads, size_t count);
  void forgetReaders();
};

/// The verdict on one access to shared memory.
enum class Verdict {
  Fine,
  Uninitialised,
  RaceWithWrite,
  RaceWithRead,
  InFlight,
  NoProxyFence,         ///< since a write, before an asynchronous access
  NoProxyFenceSinceRead ///< before an asynchronous write: the load may still be under way
};

/// Whoever reads shared memory through the asynchronous proxy: an agent on behalf of some threads.
struct AsyncReader {
  uint32_t agent;
  uint32_t firstThread;
  uint32_t threadCount;
  /// Stamps that were found to be ordered, newest first.
  uint32_t settled[4] = {};
};

/// Stamps of every byte of a block's shared memory.
class SharedShadow {
public:
  explicit SharedShadow(Ordering &ordering);

  struct Finding {
    Verdict verdict = Verdict::Fine;
    /// The first byte that is wrong, its stamp, and the site that last wrote or read near it.
    uint32_t offset = 0;
    uint32_t stamp = 0;
    int site = -1;
  };

  /// Called before Ordering::beginBlock: forgets old stamps. The caller rewinds the clock after all shadows.
  void clear();
  void beginBlock();
  /// Called between blocks: what an earlier one left in flight is nobody's any more.
  void forgetInFlight();
  /// Called after Ordering::joinAll: rewrites the stamps when the clock is nearly exhausted.
  void renewIfNeeded();

  Finding read(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  Finding write(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  /// An atomic read-modify-write: ordered with other atomics, not with plain accesses.
  Finding atomic(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  /// A read whose data goes to every lane of `warp` (ldmatrix).
  Finding readByWarp(uint32_t offset, uint32_t bytes, uint32_t warp, int site);
  /// A read through the asynchronous proxy.
  Finding readAsync(uint32_t offset, uint32_t bytes, AsyncReader &reader, int site);
  /// `thread` starts a write through the asynchronous proxy; the bytes are in flight from now on.
  Finding startAsyncWrite(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  /// That write is there, and known to whoever waits for `agent`.
  void landAsyncWrite(uint32_t offset, uint32_t bytes, uint32_t agent);
  /// Marks bytes as the target of a copy in flight; the bytes were checked as a write before.
  void markInFlight(uint32_t offset, uint32_t bytes, uint32_t thread);
  /// The copy into these bytes has completed, on behalf of `thread`.
  void markArrived(uint32_t offset, uint32_t bytes, uint32_t thread);

private:
  Ordering &ordering;
  std::unique_ptr<uint32_t[]> writers;
  std::unique_ptr<uint32_t[]> readers;
  /// The last writing and reading site of each 4 bytes, for the report.
  std::unique_ptr<int[]> writerSites;
  std::unique_ptr<int[]> readerSites;
  int64_t inFlightBytes = 0;

  Finding finding(Verdict verdict, uint32_t offset, uint32_t stamp, bool ofWriter) const;
  Finding checkWriters(uint32_t offset, uint32_t bytes, uint32_t thread, bool isRead) const;
  Finding checkReaders(uint32_t offset, uint32_t bytes, uint32_t thread) const;
  Verdict judgeAsync(uint32_t stamp, const AsyncReader &reader) const;
  void noteReaders(uint32_t offset, uint32_t bytes, uint32_t code, uint32_t thread);
};

} // namespace tilewright::emulator
