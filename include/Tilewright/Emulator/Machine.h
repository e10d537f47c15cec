// The machine that kernels run on: a grid of blocks, a block of warps, a warp of threads, each thread a
// fiber. No MLIR here: a kernel is a C function that calls the entries of Entries.h.
//
// The blocks of a cluster (mostly one) run on one CPU thread. Fibers switch only where GPU threads can wait:
// at barriers, at warp collectives and now and then at atomics. Which warp goes on is drawn from a seed; the
// lanes of a warp go on in turn. The last lane to reach a collective computes it for all. Bulk copies land
// when no thread of the cluster can go on without them, in an order drawn from the seed.
#pragma once

#include "Tilewright/Emulator/Async.h"
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
class Cluster;
class GlobalShadow;
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
  /// Of the cluster: its place in the grid of clusters, that grid, the block's place in it, its blocks.
  uint32_t clusterid[3];
  uint32_t nclusterid[3];
  uint32_t clusterCtaid[3];
  uint32_t clusterNctaid[3];
  uint32_t clusterRank;
  uint32_t clusterBlocks;
};

enum class WaitKind : uint8_t { None, Barrier, Collective, Mbarrier, Warpgroup, RegisterPool, Cluster, Flag };

/// Why a thread does not go on.
struct Wait {
  WaitKind kind = WaitKind::None;
  /// The barrier's number, the mbarrier's offset, or the warpgroup.
  uint32_t barrier = 0;
  /// Threads of a barrier, the parity at an mbarrier, registers of a thread.
  uint32_t count = 0;
  uint32_t mask = 0;
  int site = -1;
};

struct Thread {
  Registers registers;
  Block *block = nullptr;
  Warp *warp = nullptr;
  Continuation continuation;
  Wait wait;
  bool exited = false;
  /// Number through the cluster.
  uint32_t number = 0;
  std::vector<AsyncCopy> copies;
  uint32_t commits = 0;
  BulkStores stores;
  WgmmaThread wgmma;
  /// Cluster barriers that this thread has arrived at, the last time where, and waited for.
  uint32_t clusterArrivals = 0;
  int clusterSite = -1;
  uint32_t clusterWaits = 0;
  /// The flag in global memory that it waits for, and what is to be there; 0: anything else, but not so of a
  /// counter.
  const volatile uint32_t *flag = nullptr;
  uint32_t mark = 0;
  bool awaitsCounter = false;
};

/// What one cluster has handed to another by a flag: what the thread that raised it knew of its cluster, and
/// the thread of the other that took it, at which clock.
struct Handover {
  uint32_t from = 0;
  std::shared_ptr<const Knowledge> knowledge;
  uint32_t taker = 0, takenAt = 0;
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
  /// Blocks of a cluster; the grid is a multiple of it.
  Extent cluster;
  /// The kernel has mbarriers, bulk copies or wgmma.
  bool usesAsyncProxy = false;
  /// Registers of a thread at its start (for setmaxnreg); 0: as many as fit for one block.
  uint32_t registersAtEntry = 0;
  /// Its blocks wait for one another by flags in global memory; and count themselves, so that it makes no
  /// difference in which order they start.
  bool usesFlags = false, takesTickets = false;
  /// The kernel may start before those that it depends on have ended, and waits for them
  /// (griddepcontrol.wait).
  bool awaitsGrid = false;
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
  std::vector<std::unique_ptr<Cluster>> clusters;
  std::unique_ptr<GlobalShadow> global;

  /// Clusters that wait for one another, on one CPU thread: up to `most` of them have started and not ended.
  Fault runTogether(const Launch &launch, uint64_t count, uint64_t most);
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

/// One block of a CPU thread's cluster: memory, threads and shadow are reused from block to block.
class Block {
public:
  Block(const MachineOptions &options, Cluster &cluster, Ordering &ordering);
  ~Block();

  /// Makes room for blocks of `launch`; a fault if the system refuses.
  Fault prepare(const Launch &launch);
  /// Sets the block up as number `index` of the grid, `rank` in its cluster.
  void begin(const Launch &launch, const uint32_t (&index)[3], uint32_t rank, uint64_t seed);
  /// Lets threads go on until none can, or the block gives way to another of its cluster.
  void resume();

  // What entries call, on the fiber of `self`.

  /// Waits at barrier `id` until `count` threads have arrived (0: all of the block). Each gets in out[0] how
  /// many came with in[0] nonzero.
  void barrier(Thread &self, uint32_t id, uint32_t count, int site);
  /// Arrives at barrier `id` without waiting.
  void barrierArrive(Thread &self, uint32_t id, uint32_t count, int site);
  /// Waits until every lane of `mask` has reached this collective; the last one runs `execute` for all.
  void collective(Thread &self, uint32_t mask, CollectiveKind kind, int site,
                  void (*execute)(Block &block, Warp &warp, uint32_t mask, int site));
  /// Lets another warp go on, if there is one: called by operations that programs spin on.
  void giveWay(Thread &self, int site);
  /// After a test that a program repeats until it holds: now and then a copy lands, and others go first.
  void poll(Thread &self, int site);
  /// Ends the launch with a fault of `self`, worded as by printf. The fiber is abandoned, so its callers keep
  /// nothing on the stack that would need a destructor.
  [[noreturn]] void raise(const Thread &self, FaultKind kind, int site, const char *format, ...)
      __attribute__((format(printf, 5, 6)));
  [[noreturn]] void exit(Thread &self);

  // Memory checks; they return only if the access is fine.

  void checkGlobal(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                   const char *verb, int site);
  /// An access through an object over the buffer that holds `base` (a tensor map) stays in that buffer.
  void checkGlobalOf(Thread &self, uintptr_t base, const void *pointer, uint32_t bytes, const char *verb,
                     int site);
  /// An access to global memory that other blocks of the launch must not conflict with.
  void noteGlobal(Thread &self, const void *pointer, uint32_t bytes, bool isWrite, const char *verb,
                  int site);
  /// An access by which blocks hand data over: an atomic, or a load or store that is volatile.
  void noteSynchronisation();
  /// griddepcontrol.wait: what the launches before wrote is there.
  void awaitGrid() { awaitingGrid = false; }
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
  /// Reports what the shadow of `owner` (this block or another of its cluster) found.
  [[noreturn]] void reportShared(const Thread &self, const SharedShadow::Finding &finding, const char *verb,
                                 uint32_t offset, uint32_t bytes, int site, const Block *owner = nullptr);

  // Asynchronous copies.

  void copyAsync(Thread &self, void *destination, const void *source, uint32_t bytes, uint32_t sourceBytes,
                 int site);
  void commitCopies(Thread &self);
  /// Completes all but the newest `pending` groups; `all` also completes what was never committed.
  void waitCopies(Thread &self, uint32_t pending, bool all);

  // mbarriers (Mbarrier.cpp). Pointers may lead to another block of the cluster where PTX allows it.

  void mbarrierInit(Thread &self, void *pointer, uint32_t count, int site);
  void mbarrierInvalidate(Thread &self, void *pointer, int site);
  /// fence.mbarrier.init, or a proxy fence: earlier initialisations of `self` reach bulk copies.
  void fenceMbarriers(Thread &self);
  /// expect_tx, then as many arrivals; returns the phase before. See `ArriveFlags`.
  uint64_t mbarrierArrive(Thread &self, void *pointer, uint32_t count, uint32_t txBytes, uint32_t flags,
                          int site);
  /// Waits for the phase of `parity`; `isState`: for the phase that an arrival returned.
  void mbarrierWait(Thread &self, void *pointer, uint64_t phase, bool isState, bool relaxed, int site);
  /// The same without waiting.
  bool mbarrierTest(Thread &self, void *pointer, uint64_t phase, bool isState, bool relaxed, int site);
  /// cp.async.mbarrier.arrive: an arrival when the earlier cp.async of `self` are there.
  void mbarrierArriveAfterCopies(Thread &self, void *pointer, bool countsAsExtra, int site);

  // Bulk copies (BulkCopy.cpp).

  void bulkLoad(Thread &self, const BulkRequest &request, int site);
  /// st.async of the words in Registers::in: to any block of the cluster, completing at an mbarrier there.
  void storeAsync(Thread &self, void *pointer, void *mbarrier, uint32_t bytes, int site);
  void bulkStore(Thread &self, const BulkRequest &request, int site);
  void commitStores(Thread &self);
  /// Waits until all but the newest `pending` groups are written, or have only been read from shared memory.
  void waitStores(Thread &self, uint32_t pending, bool onlyRead, int site);
  /// The landing of a load in this block: data, stamps, transaction count. False on a fault, which is
  /// `problem` then.
  bool land(const BulkLoad &load);

  // Warpgroups (Warpgroup.cpp, Wgmma.cpp).

  void wgmma(Thread &self, const WgmmaRequest &request, int site);
  void wgmmaFence(Thread &self, int site);
  void wgmmaCommit(Thread &self, int site);
  void wgmmaWait(Thread &self, uint32_t pending, int site);
  /// The program reads or writes accumulators that the wgmma at `wgmmaSite` made: its group must be over.
  void wgmmaUsed(Thread &self, int wgmmaSite, int site);
  void setMaxRegisters(Thread &self, uint32_t count, bool increase, int site);

  // Flags between blocks (Flags.cpp).

  /// What `self` knows is there for who lowers the flag, which is down.
  void raiseFlag(Thread &self, void *pointer, int site);
  /// Waits until the flag is up.
  void lowerFlag(Thread &self, void *pointer, int site);
  /// The counter's value before it counts `self`.
  uint64_t takeTicket(Thread &self, void *pointer, int site);
  /// The counter as the next launch shall find it.
  void returnTickets(Thread &self, uint64_t value, void *pointer, int site);
  /// Counts an arrival, for which somebody waits.
  void arriveCounter(Thread &self, void *pointer, int site);
  /// Waits until the counter has the value.
  void awaitCounter(Thread &self, uint32_t value, void *pointer, int site);
  /// A word of a value and its mark.
  void publishWord(Thread &self, uint32_t value, uint32_t mark, void *pointer, int site);
  /// Waits until the word has the mark; its value.
  uint32_t awaitWord(Thread &self, void *pointer, uint32_t mark, int site);
  /// Whether an access of `self` comes after one of cluster `other` stamped `stamp` (0: after all it did).
  bool isHandedOver(const Thread &self, uint32_t other, uint32_t stamp) const;
  /// Lets threads go on whose flags are up by now.
  void wakeAtFlags();

  // Clusters (Cluster.cpp).

  void clusterArrive(Thread &self, bool relaxed, int site);
  void clusterWait(Thread &self, int site);
  /// The address in the block of rank `rank`.
  void *mapRank(Thread &self, void *pointer, uint32_t rank, int site);
  /// The block whose shared memory `pointer` is in, which may not end before a barrier says that this access
  /// is over; raises if it is in none, or that block is over.
  Block &ownerOf(Thread &self, const void *pointer, const char *verb, int site);
  /// The same for an access that says itself when it is over.
  Block &reachedOwnerOf(Thread &self, const void *pointer, const char *verb, int site);
  void checkSharedCluster(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                          bool isAtomic, int site);

  const MachineOptions &options;
  Cluster &cluster;
  Ordering &ordering;
  SharedShadow shadow;
  std::byte *shared = nullptr;
  uint32_t sharedBytes = 0;
  std::vector<Warp> warps;
  std::vector<Thread> threads;
  const Launch *launch = nullptr;
  uint32_t rank = 0;
  /// Threads that have not exited.
  uint32_t live = 0;
  /// Bit w: warp w has a lane that can go on.
  uint32_t readyWarps = 0;
  Fault fault;

  void makeRunnable(Thread &thread);
  Fault diagnoseStall();
  std::string operationAt(int site) const;
  std::string where(const Thread &thread, int site) const;

private:
  struct Barrier {
    /// One arrival: a thread, where, and whether it waits.
    struct Arrival {
      uint32_t thread;
      int site;
      bool waits;
    };
    uint32_t expected = 0;
    uint32_t waiting = 0;
    std::vector<Arrival> arrived;
    /// What those who did not wait knew.
    Knowledge released;
    int site = -1;
  };
  /// The region that last served a site.
  struct SiteCache {
    uintptr_t base = 1;
    uint64_t bytes = 0;
    bool writable = false;
    /// Of the region's first byte (GlobalShadow::Stamp); null: none are kept.
    void *stamps = nullptr;
  };

  StackPool stacks;
  Continuation home;
  Dice dice;
  std::array<Barrier, 16> barriers;
  std::vector<SiteCache> siteCaches;
  std::vector<std::unique_ptr<Mbarrier>> mbarriers;
  /// By offset / 8: index into mbarriers plus one.
  std::vector<uint16_t> mbarrierAt;
  std::vector<Warpgroup> warpgroups;
  /// No thread has waited yet for the launches that this one depends on.
  bool awaitingGrid = false;
  /// Registers of the block that no warpgroup holds.
  uint32_t freeRegisters = 0;
  uint64_t yields = 0;
  std::vector<uint32_t> waitingNumbers;
  /// What turnPhase and land found wrong.
  std::string problem;
  /// The last access of each thread of other blocks to this one's shared memory, and what threads that have
  /// exited knew.
  std::vector<uint32_t> remoteAccesses;
  std::vector<int> remoteSites;
  Knowledge exitKnowledge;

  static void threadMain(void *thread);
  /// What `self` knows of its cluster.
  std::shared_ptr<const Knowledge> knowledgeOf(Thread &self);
  void joinBarrier(Thread &self, uint32_t id, uint32_t count, bool waits, int site);
  void completeBarrier(Thread &self, uint32_t id, int site);
  void orderBarrier(Thread &self, const Barrier &barrier, int site);
  void suspend(Thread &self);
  /// Lets another warp or block go first, now and then.
  void maybeTurn(Thread &self);
  Thread *nextThread(const Thread &self);
  Thread *pickWarp();
  void complete(Thread &self, const AsyncCopy &copy);
  std::string describeWait(const Wait &wait) const;
  std::string describeMbarrier(const Mbarrier &barrier) const;
  void checkGlobalSlowly(Thread &self, const void *pointer, uint32_t bytes, uint32_t alignment, bool isWrite,
                         const char *verb, int site);
  [[noreturn]] void raiseOutside(Thread &self, const MemoryRegion &region, uintptr_t address, uint64_t bytes,
                                 const char *verb, int site);
  Mbarrier &findMbarrier(Thread &self, void *pointer, const char *verb, int site);
  /// Turns the phase if it is complete. False if that shows a fault, which is `problem` then.
  bool turnPhase(Mbarrier &barrier);
  /// A mbarrier of this block for what `self` issues; raises if there is none.
  Mbarrier &mbarrierFor(const BulkLoad &load, Thread &self, int site);
  Warpgroup &warpgroupOf(Thread &self, const char *verb, int site);
  /// Waits for all threads of the warpgroup; true for the last one, which lets the others go on.
  bool gatherWarpgroup(Thread &self, Warpgroup &group, const char *verb, int site);
  void releaseWarpgroup(Thread &self, Warpgroup &group);
  void grantRegisters();
  void readStore(BulkStore &store);
  void writeStore(BulkStore &store);
  void checkStoresAtExit(Thread &self);
  void beginRemote();
  bool knowsBegun(const Thread &self, const Block &owner) const;
  void noteRemote(const Thread &self, Block &owner, int site);
  void leaveCluster(Thread &self);
  void checkEnd(Thread &self);
  [[noreturn]] void raiseProblem(const Thread &self, FaultKind kind, int site);
  friend class Cluster;
};

/// The blocks that run together on one CPU thread, and what is common to them.
class Cluster {
public:
  explicit Cluster(const MachineOptions &options);
  ~Cluster();

  Fault prepare(const Launch &launch);
  /// Runs cluster number `index` of the launch.
  Fault run(const Launch &launch, uint64_t index);

  // The same in parts, for clusters that wait for one another.
  void begin(const Launch &launch, uint64_t index);
  /// Goes on until no thread can.
  Fault advance();
  bool canGoOn();
  bool isOver() const;
  bool waitsAtFlag() const;
  /// After the last advance: what did not end is a fault.
  Fault finish();
  /// What other clusters have handed to this one.
  std::vector<Handover> handovers;

  size_t size() const { return active; }
  Block &block(size_t rank) { return *blocks[rank]; }
  /// The block of this cluster whose shared memory holds `pointer`, or null.
  Block *blockAt(const void *pointer);

  const MachineOptions &options;
  Ordering ordering;
  /// Of the launch, and this cluster's name in it.
  GlobalShadow *global = nullptr;
  uint32_t nameInGlobal = 0;
  /// Copies on their way, and arrivals that wait for them.
  std::vector<BulkLoad> loads;
  /// Completes one of them, if there is one.
  bool landOne();
  void noteFault(const Block &block, FaultKind kind, std::string sentence, uint32_t thread, int site);

  /// The cluster barrier: threads that have arrived in this turn, turns so far, what they knew.
  struct {
    uint32_t arrived = 0;
    uint32_t turns = 0;
    Knowledge gathering, completed;
  } barrier;
  /// Ends the barrier's turn when all threads that are left have arrived.
  void turnBarrier();

private:
  std::vector<std::unique_ptr<Block>> blocks;
  size_t active = 1;
  Dice dice;
  Fault fault;
};

} // namespace tilewright::emulator
