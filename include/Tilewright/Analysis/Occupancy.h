// How full a kernel keeps a chip: resident blocks and what limits them, bytes that its loads have in flight
// against those that keep the memory busy (Little's law), waves of blocks and the unfilled part of the last.
// It reads the kernel as the target stage leaves it; with what ptxas reported the registers are the real
// ones.
#ifndef TILEWRIGHT_ANALYSIS_OCCUPANCY_H
#define TILEWRIGHT_ANALYSIS_OCCUPANCY_H

#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>

namespace tilewright {

/// A kernel on one chip.
struct KernelOccupancy {
  Occupancy resident;
  uint64_t blocks = 0;
  unsigned threads = 0;
  /// Of a thread; unknown before ptxas, when they are taken to limit nothing.
  std::optional<unsigned> registers;
  /// Dynamic and static.
  unsigned sharedBytes = 0;
  /// Bytes that one block's loads ask for before anything waits for them.
  uint64_t blockBytesInFlight = 0;
  /// The same for the blocks that share a multiprocessor, and what keeps its share of the memory busy.
  double bytesInFlight = 0, bytesNeeded = 0;
  /// Rounds in which the blocks take their turns, and the share of the chip that the last one leaves idle.
  double waves = 0, tail = 0;

  /// Whether the loads in flight keep the memory busy.
  bool saturatesMemory() const { return bytesInFlight >= bytesNeeded; }
  /// Share of the memory's speed that the loads in flight allow.
  double memoryShare() const { return bytesNeeded > 0 ? std::min(1.0, bytesInFlight / bytesNeeded) : 1; }
  /// What holds the kernel back, when it is bound by `bound` (Roofline.h): `launch`, `few blocks`, `tail`,
  /// `latency`, or `bound` itself.
  std::string limiter(std::string_view bound, const Arch &arch) const;
};

/// Bytes that the loads of one thread of `kernel` ask for before something waits: the largest sum between
/// barriers and, of a loop, in one turn. Copies that run ahead count apart.
uint64_t bytesInFlightOfThread(mlir::LLVM::LLVMFuncOp kernel);

/// Of the kernel that `function` is; nullopt without `ptx.launch`. `registers` and `staticShared` are what
/// ptxas reported; absent, `ptx.resources` of the function counts.
std::optional<KernelOccupancy> occupancyOf(const Arch &arch, mlir::LLVM::LLVMFuncOp function,
                                           std::optional<unsigned> registers = std::nullopt,
                                           unsigned staticShared = 0);

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_OCCUPANCY_H
