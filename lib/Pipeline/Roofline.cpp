// The roofline of one launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Roofline.h"

#include <algorithm>
#include <cmath>

using namespace tilewright;

/// Time of an empty kernel between its neighbours in a CUDA graph, and of an instruction where a warp has the
/// multiprocessor for itself: its operands are awaited, its code is fetched.
static constexpr double kLaunchMicroseconds = 1.2, kInstructionMicroseconds = 0.9e-3;
/// Shares of the memory's bandwidth and of the issue slots that kernels reach. (H200, 45 kernels bound by
/// their instructions: 0.92 of the slots in the median.)
static constexpr double kReachedBandwidth = 0.8, kReachedIssue = 0.9;
/// What is reached of that bandwidth where a multiprocessor holds up to so many warps, which wait together:
/// few, and somewhat more, unless these have many loads under way. (H100: of 2.9 TB/s three kernels of 8
/// warps reach 0.29, 0.44 and 0.67, fourteen of 16 warps 0.65 in the median, 62 of 24 to 64 warps 0.79 to
/// 0.98. H200, of 3.8 TB/s: eleven of 16 warps 0.56 in the median, three of 24 warps 0.94 to 0.99; thirteen
/// more of 16 warps, by their bytes under way, 16 KB 0.24, 32 KB 0.35, 0.48 and 0.7, 48 to 64 KB 0.64, 0.78,
/// 0.86, 0.86, 0.95 and 1.1, more than 90 KB 0.5, 0.66, 1.1; softmax of rows of 50304 bf16, 205 KB, 0.97.
/// random_programs.py profile.)
static constexpr uint64_t kFewWarps = 8, kSomeWarps = 16, kManyBytes = 48 << 10;
static constexpr double kReachedByFew = 0.65, kReachedBySome = 0.6;

/// Blocks of a multiprocessor up to which one more on some of them counts: more even out, since they do not
/// all take the same time.
static constexpr double kRaggedRounds = 8;

/// Peak of a unit in TFLOP/s; 16-bit floats run alike.
static double peakTFlops(const Arch &arch, std::string_view unit) {
  if (unit == "tf32")
    return arch.tf32TFlops;
  if (unit == "bf16" || unit == "fp16")
    return arch.bf16TFlops;
  return arch.fp32TFlops;
}

RooflineBounds tilewright::boundsOf(const Arch &arch, const KernelCost &cost) {
  double bytes = double(cost.bytesRead) + double(cost.bytesWritten);
  // Few blocks leave the memory idle, whatever they touch.
  if (cost.blocks >= arch.numSMs)
    bytes += double(cost.bytesBeside);
  // Of blocks that are no multiple of the multiprocessors some of these have one more.
  double rounds = std::ceil((double)cost.blocks / arch.numSMs);
  double busy = rounds > 0 && rounds <= kRaggedRounds ? cost.blocks / (rounds * arch.numSMs)
                                                      : std::min(1.0, (double)cost.blocks / arch.numSMs);
  busy = std::max(busy, 1e-3);
  double flops = cost.flops / (peakTFlops(arch, cost.unit) * busy * 1e6);
  // Two flops are one instruction of the fp32 units.
  double instructions = cost.instructions / (kReachedIssue * arch.fp32TFlops * 0.5e6 * busy);
  return {bytes / (kReachedBandwidth * arch.hbmGBps * 1e3), // GB/s is 1e3 bytes a microsecond
          std::max(flops, instructions)};
}

Prediction tilewright::predict(const Arch &arch, const KernelCost &cost) {
  double share = cost.residentWarps == 0                                               ? 1
                 : cost.residentWarps <= kFewWarps                                     ? kReachedByFew
                 : cost.residentWarps <= kSomeWarps && cost.bytesInFlight < kManyBytes ? kReachedBySome
                                                                                       : 1;
  auto [unhindered, compute] = boundsOf(arch, cost);
  double memory = unhindered / share;
  double waves = cost.resident ? std::ceil((double)cost.blocks / (double)(arch.numSMs * cost.resident)) : 1;
  double start = kLaunchMicroseconds + waves * (double)cost.ofThread * kInstructionMicroseconds;
  double work = std::max(memory, compute);
  if (cost.resident == 1 && cost.takesTurns)
    work = std::max(work, unhindered + compute);
  const char *bound = work <= start ? "launch" : memory >= compute ? "memory" : "compute";
  return {bound, start + work};
}
