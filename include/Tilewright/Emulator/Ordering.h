// What has happened before what inside one thread block, and a shadow of its shared memory that finds the
// accesses which nothing orders.
//
// Every barrier (of the block, of a group of warps, of a warp) advances one clock. An access leaves a stamp,
// the clock and who made it, on each byte it touches:
//
//     bit 31 ........................ 11 | 10 ........... 0
//     clock at the access                | who: a thread, one warp's lanes, several, an atomic, a copy
//
// Everything before the last barrier of the whole block is ordered by one comparison (`floor`). What narrower
// barriers order is kept per pair of threads (`known`), as in a vector clock, and only consulted when the
// floor does not settle the question. Clocks run on from block to block: an older stamp than the block's
// first clock means that this block never wrote the byte.
//
// Several readers of one byte are kept as "lanes of warp w" or "several", with the clock of the latest. After
// a barrier of the whole block this is exact; between narrower barriers it can only err towards reporting.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::emulator {

constexpr uint32_t kMaxThreads = 1024;
constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kMaxSharedBytes = 256 * 1024;

/// Who left a stamp; below kMaxThreads a single thread.
namespace who {
constexpr uint32_t kLanesOfWarp = 1024;   ///< + warp: more than one lane of that warp
constexpr uint32_t kSeveral = 1056;       ///< threads of more than one warp
constexpr uint32_t kAtomicOfWarp = 1088;  ///< + warp: atomics by lanes of that warp
constexpr uint32_t kAtomicSeveral = 1120; ///< atomics by threads of more than one warp
constexpr uint32_t kBits = 11;
constexpr uint32_t kMask = (1u << kBits) - 1;
} // namespace who

constexpr uint32_t kInFlightClock = (1u << (32 - who::kBits)) - 1;

inline uint32_t makeStamp(uint32_t clock, uint32_t code) { return clock << who::kBits | code; }
inline uint32_t stampClock(uint32_t stamp) { return stamp >> who::kBits; }
inline uint32_t stampWho(uint32_t stamp) { return stamp & who::kMask; }

/// The happens-before relation of one block.
class Ordering {
public:
  /// Forgets everything and starts a block of `threads` threads.
  void beginBlock(uint32_t threads);
  /// A barrier of every thread of the block.
  void joinAll();
  /// A barrier of the given threads. False if the clock is exhausted.
  bool joinSome(const std::vector<uint32_t> &threads);
  /// A barrier of the lanes `mask` of warp `warp`. False if the clock is exhausted.
  bool joinLanes(uint32_t warp, uint32_t mask);
  /// Whether an access stamped `stamp` happened before what `thread` does now.
  bool isBefore(uint32_t stamp, uint32_t thread) const;

  uint32_t now() const { return clock; }
  uint32_t floorStamp() const { return makeStamp(floorClock, 0); }
  uint32_t firstStamp() const { return makeStamp(firstClock, 0); }
  uint32_t threads() const { return threadCount; }
  /// True when the clock runs out soon: the shadow is to be rewritten at the next barrier of the block.
  bool isNearlyExhausted() const { return clock > kInFlightClock - (1u << 16); }
  /// Starts the clock afresh; old stamps lose their meaning.
  void rewind();

private:
  uint32_t threadCount = 0;
  uint32_t clock = 1;
  /// Stamps below this clock are from earlier blocks.
  uint32_t firstClock = 1;
  /// Stamps below this clock are ordered before everything that follows.
  uint32_t floorClock = 1;
  /// known[t * threadCount + u]: accesses of u stamped below it are ordered before what t does now.
  std::vector<uint32_t> known;
  std::vector<uint32_t> joined;

  bool knows(uint32_t thread, uint32_t other, uint32_t at) const {
    return thread == other || known[size_t(thread) * threadCount + other] > at;
  }
  bool knowsWarp(uint32_t thread, uint32_t warp, uint32_t at) const;
  void join(const uint32_t *threads, size_t count);
};

/// The verdict on one access to shared memory.
enum class Verdict { Fine, Uninitialised, RaceWithWrite, RaceWithRead, InFlight };

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

  void beginBlock();
  /// Called after Ordering::joinAll: rewrites the stamps when the clock is nearly exhausted.
  void renewIfNeeded();

  Finding read(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  Finding write(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  /// An atomic read-modify-write: ordered with other atomics, not with plain accesses.
  Finding atomic(uint32_t offset, uint32_t bytes, uint32_t thread, int site);
  /// A read whose data goes to every lane of `warp` (ldmatrix).
  Finding readByWarp(uint32_t offset, uint32_t bytes, uint32_t warp, int site);
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

  Finding finding(Verdict verdict, uint32_t offset, uint32_t stamp, bool ofWriter) const;
  Finding checkWriters(uint32_t offset, uint32_t bytes, uint32_t thread, bool isRead) const;
  Finding checkReaders(uint32_t offset, uint32_t bytes, uint32_t thread) const;
  void noteReaders(uint32_t offset, uint32_t bytes, uint32_t code, uint32_t warp, uint32_t thread);
};

} // namespace tilewright::emulator
