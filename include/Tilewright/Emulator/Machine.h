// The machine that kernels run on: a grid of blocks, a block of warps, a warp of threads, each thread a
// fiber. No MLIR here: a kernel is a C function that calls the entries of Entries.h.
//
// A block runs on one CPU thread. Its fibers switch only where GPU threads can wait: at barriers, at warp
// collectives and now and then at atomics. Which warp goes on is drawn from a seed; the lanes of a warp go on
// in turn. The last lane to reach a collective computes it for all.
#pragma once

#include "Tilewright/Emulator/Fault.h"
#include "Tilewright/Emulator/Fiber.h"
#include "Tilewright/Emulator/Ordering.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::emulator {

class Block;
struct Warp;

/// What compiled kernels read and write directly, at the start of every Thread.
struct Registers {
  uint32_t tid[3];
  uint32_t ntid[3];
  uint32_t ctaid[3];
  uint32_t nctaid[3];
  uint32_t lane;
  /// tid.x + ntid.x * (tid.y + ntid.y * tid.z)
  uint32_t linear;
  /// Operands and results of warp collectives, as 32-bit registers.
  uint32_t in[20];
  uint32_t out[8];
  /// The block's shared memory, 256 KiB aligned.
  std::byte *shared;
};

enum class WaitKind : uint8_t { None, Barrier, Collective };

/// Why a thread does not go on.
struct Wait {
  WaitKind kind = WaitKind::None;
  uint32_t barrier = 0;
  uint32_t count = 0;
  uint32_t mask = 0;
  int site = -1;
};

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

struct Thread {
  Registers registers;
  Block *block = nullptr;
  Warp *warp = nullptr;
  Continuation continuation;
  Wait wait;
  bool exited = false;
  std::vector<AsyncCopy> copies;
  uint32_t commits = 0;
};

/// The kinds of warp collective, each with one function in Collectives.cpp or Matrix.cpp.
enum class CollectiveKind : uint32_t {
  SyncWarp,
  Shuffle,
  Vote,
  Match,
  Redux,
  Mma,
  LoadMatrix,
  StoreMatrix,
  Elect,
};

/// Lanes that have arrived at one collective.
struct Rendezvous {
  uint32_t mask;
  uint32_t arrived;
  CollectiveKind kind;
  int site;
};

struct Warp {
  uint32_t index = 0;
  /// Lanes that exist and have not exited.
  uint32_t alive = 0;
  /// Lanes that can go on.
  uint32_t runnable = 0;
  uint32_t pendingCount = 0;
  std::array<Rendezvous, kWarpLanes> pending;
  Thread *lanes = nullptr;
};

/// A range of global memory that a launch may touch.
struct MemoryRegion {
  uintptr_t base;
  uint64_t bytes;
  std::string name;
  bool writable;
};

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

struct MachineOptions {
  uint64_t seed = 0;
  /// cp.async completes at issue rather than at the wait.
  bool earlyCompletion = false;
  /// CPU threads; 0 is one for each core.
  unsigned threads = 0;
  /// Keep stamps of shared memory; bounds are checked in any case.
  bool checkShared = true;
};

/// The body of a kernel for one thread; `arguments` as for cuLaunchKernel.
using KernelFunction = void (*)(Thread *self, void *const *arguments);

struct Launch {
  KernelFunction function = nullptr;
  std::string kernel;
  Extent grid;
  Extent block;
  uint32_t sharedBytes = 0;
  void *const *arguments = nullptr;
  std::vector<MemoryRegion> regions;
  const SiteTable *sites = nullptr;
};

/// Runs a launch to its end. The fault, if there is one, is that of the first faulty block in the seed's
/// order.
class Machine {
public:
  explicit Machine(MachineOptions options);
  ~Machine();
  Fault run(const Launch &launch);

private:
  MachineOptions options;
  /// One per CPU thread, made when first used.
  std::vector<std::unique_ptr<Block>> blocks;
};

/// A small generator (xorshift64*), one per block, so that a schedule depends on seed and block alone.
class Dice {
public:
  explicit Dice(uint64_t seed = 1) : state(seed * 0x9E3779B97F4A7C15ull | 1) {}
  uint32_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return uint32_t(state * 0x2545F4914F6CDD1Dull >> 32);
  }

private:
  uint64_t state;
};

/// One CPU thread's block: memory, threads and shadow are reused from block to block.
class Block {
public:
  explicit Block(const MachineOptions &options);
  ~Block();

  /// Makes room for blocks of `launch`; a fault if the system refuses.
  Fault prepare(const Launch &launch);
  /// Runs block number `index` of the launch.
  Fault run(const Launch &launch, uint64_t index);

  // What entries call, on the fiber of `self`.

  /// Waits at barrier `id` until `count` threads have arrived (0: all of the block). Each gets in out[0] how
  /// many came with in[0] nonzero.
  void barrier(Thread &self, uint32_t id, uint32_t count, int site);
  /// Waits until every lane of `mask` has reached this collective; the last one runs `execute` for all.
  void collective(Thread &self, uint32_t mask, CollectiveKind kind, int site,
                  void (*execute)(Block &block, Warp &warp, uint32_t mask, int site));
  /// Lets another warp go on, if there is one: called by operations that programs spin on.
  void giveWay(Thread &self, int site);
  /// Ends the launch with a fault of `self`, worded as by printf. The fiber is abandoned, so its callers keep
  /// nothing on the stack that would need a destructor.
  [[noreturn]] void raise(const Thread &self, FaultKind kind, int site, const char *format, ...)
      __attribute__((format(printf, 5, 6)));
  [[noreturn]] void exit(Thread &self);

  // Memory checks; they return only if the access is fine.

  void checkGlobal(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                   const char *verb, int site);
  /// Bounds and alignment of a shared access; returns its offset.
  uint32_t checkSharedBounds(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment,
                             const char *verb, int site);
  void checkShared(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                   int site);
  void checkSharedAtomic(Thread &self, const void *pointer, uint32_t bytes, int site);
  bool isShared(const void *pointer) const {
    return static_cast<size_t>(static_cast<const std::byte *>(pointer) - shared) < kMaxSharedBytes;
  }
  bool isOwnStack(const Thread &self, const void *pointer) const;
  [[noreturn]] void reportShared(const Thread &self, const SharedShadow::Finding &finding, const char *verb,
                                 uint32_t offset, uint32_t bytes, int site);

  // Asynchronous copies.

  void copyAsync(Thread &self, void *destination, const void *source, uint32_t bytes, uint32_t sourceBytes,
                 int site);
  void commitCopies(Thread &self);
  /// Completes all but the newest `pending` groups; `all` also completes what was never committed.
  void waitCopies(Thread &self, uint32_t pending, bool all);

  const MachineOptions &options;
  Ordering ordering;
  SharedShadow shadow;
  std::byte *shared = nullptr;
  uint32_t sharedBytes = 0;
  std::vector<Warp> warps;
  std::vector<Thread> threads;
  const Launch *launch = nullptr;

private:
  struct Barrier {
    uint32_t expected = 0;
    std::vector<uint32_t> arrived;
    int site = -1;
  };
  /// The region that last served a site.
  struct SiteCache {
    uintptr_t base = 1;
    uint64_t bytes = 0;
    bool writable = false;
  };

  StackPool stacks;
  Continuation home;
  Dice dice;
  std::array<Barrier, 16> barriers;
  std::vector<SiteCache> siteCaches;
  uint32_t live = 0;
  /// Bit w: warp w has a lane that can go on.
  uint32_t readyWarps = 0;
  uint64_t yields = 0;
  Fault fault;

  static void threadMain(void *thread);
  void completeBarrier(Thread &self, Barrier &barrier, int site);
  void makeRunnable(Thread &thread);
  void suspend(Thread &self);
  Thread *nextThread(const Thread &self);
  Thread *pickWarp();
  void complete(Thread &self, const AsyncCopy &copy);
  Fault diagnoseStall();
  std::string describeWait(const Wait &wait) const;
  std::string where(const Thread &thread, int site) const;
  std::string operationAt(int site) const;
  void checkGlobalSlowly(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                         const char *verb, int site);
};

} // namespace tilewright::emulator
