// The one table of chip facts. Nothing else in the tree compares `sm_XX`: passes ask an Arch for a limit or a
// feature. Rates are those of the reference product that the row names; they feed the cost model and the
// roofline, never correctness.
#ifndef TILEWRIGHT_TARGET_CUDA_ARCH_H
#define TILEWRIGHT_TARGET_CUDA_ARCH_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One compilation target, as `--target=` and ptxas name it.
struct Arch {
  /// `sm_90a`: what ptxas and LLVM's NVPTX call it.
  const char *name;
  /// 90 of `sm_90a`: compute capability times ten.
  unsigned sm;
  /// 'a' where the code uses features of this one chip and runs on no other, else 0.
  char suffix;
  /// PTX ISA version that we emit, times ten: 88 is PTX 8.8.
  unsigned ptxVersion;
  /// The same for LLVM: `+ptx88`.
  const char *features;

  // Limits (CUDA Programming Guide, technical specifications per compute capability).
  /// Dynamic shared memory that one block can opt into, bytes.
  unsigned sharedBytesPerBlock;
  /// Shared memory of an SM, bytes; each resident block costs `sharedReservedBytes` more than it asks for.
  unsigned sharedBytesPerSM;
  unsigned sharedReservedBytes;
  /// Static shared memory of a block, bytes.
  unsigned staticSharedBytes;
  /// 32-bit registers of an SM, of one thread, and the unit in which a warp gets them.
  unsigned registersPerSM;
  unsigned registersPerThread;
  unsigned registerUnit;
  unsigned threadsPerSM;
  unsigned threadsPerBlock;
  unsigned warpsPerSM;
  unsigned blocksPerSM;
  /// Largest portable cluster, in blocks; 1 where there are no clusters.
  unsigned clusterBlocks;
  /// Largest cluster that the chip forms where a launch asks for it; 1 where there are no clusters.
  unsigned mostClusterBlocks;

  // Features.
  bool cpAsync;         ///< cp.async, mma.sync with bf16 and tf32, ldmatrix
  bool mmaBf16;         ///< mma.sync on bf16
  bool mmaTf32;         ///< mma.sync on tf32
  bool mmaFp8;          ///< mma.sync on e4m3 and e5m2
  bool tma;             ///< cp.async.bulk, tensor maps, mbarrier transactions
  bool clusters;        ///< thread-block clusters and distributed shared memory
  bool wgmma;           ///< warpgroup mma and setmaxnreg
  bool tcgen05;         ///< tensor memory and its mma
  bool packedFma;       ///< fma.rn.f32x2
  bool dependentLaunch; ///< griddepcontrol

  // The reference product.
  const char *product;
  unsigned numSMs;
  double clockGHz;
  double hbmGBps;
  double l2Bytes;
  double l2GBps;
  /// From a load to its value while the memory is busy, nanoseconds.
  double memoryNanoseconds;
  /// A kernel that does nothing, between the one that it depends on and the one that depends on it, in a CUDA
  /// graph.
  double nodeMicroseconds;
  /// What a kernel adds to such a graph that runs beside others: its start, and one more to wait for.
  double besideMicroseconds;
  /// Dense peaks, TFLOP/s: FMA in f32, and tensor cores with f32 accumulation.
  double fp32TFlops;
  double tf32TFlops;
  double bf16TFlops;
  double fp8TFlops; ///< 0 where there is none

  bool isArchSpecific() const { return suffix != 0; }
};

/// Every arch, oldest first.
const std::vector<Arch> &allArchs();

/// The arch of that name; null, with a sentence listing the known names in `error`, when there is none.
const Arch *lookupArch(std::string_view name, std::string *error = nullptr);

/// What keeps more blocks from an SM.
enum class OccupancyLimit { Threads, Registers, SharedMemory, Blocks, DoesNotFit };

/// `threads`, `registers`, `shared memory`, `blocks`, `does not fit`.
const char *occupancyLimitName(OccupancyLimit limit);

/// How many blocks an SM holds at once, and why not more.
struct Occupancy {
  unsigned blocksPerSM = 0;
  OccupancyLimit limit = OccupancyLimit::DoesNotFit;
  /// Resident warps over the warps an SM can hold.
  double warpFraction = 0;
};

/// Blocks of `threads` threads with `registers` registers each and `sharedBytes` of shared memory (static and
/// dynamic together, without the reserved part) that one SM of `arch` holds.
Occupancy occupancy(const Arch &arch, unsigned threads, unsigned registers, unsigned sharedBytes);

/// The largest register count a thread may have so that `blocks` blocks of `threads` threads fit one SM.
unsigned registersForOccupancy(const Arch &arch, unsigned threads, unsigned blocks);

/// The oldest driver that loads PTX of that version (times ten), as `575.51` gives 575.
unsigned minimumDriver(unsigned ptxVersion);

/// What cuDriverGetVersion says of that driver branch: 12080 of 570.
unsigned driverVersion(unsigned driver);

} // namespace tilewright

#endif // TILEWRIGHT_TARGET_CUDA_ARCH_H
