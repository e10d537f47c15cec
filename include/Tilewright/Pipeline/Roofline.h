// The static roofline: what limits a kernel and how long it takes at best, from its counts and the chip's
// table. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_ROOFLINE_H
#define TILEWRIGHT_PIPELINE_ROOFLINE_H

#include "Tilewright/Target/Cuda/Arch.h"

#include <cstdint>
#include <string_view>

namespace tilewright {

/// What one launch computes and moves.
struct KernelCost {
  /// The units that do the arithmetic: fp32 (FMA), tf32, bf16 or fp16 (tensor cores).
  std::string_view unit = "fp32";
  uint64_t flops = 0;
  uint64_t bytesRead = 0;
  uint64_t bytesWritten = 0;
  uint64_t blocks = 1;
  /// Instructions that all threads execute, as far as the assembled code says; 0 where there is none.
  uint64_t instructions = 0;
  /// How often its longest loop goes round.
  uint64_t rounds = 1;
  /// Instructions of a thread's code, and blocks that a multiprocessor holds at a time; 0 where they are not
  /// known.
  uint64_t ofThread = 0, resident = 0;
  /// Warps of these blocks together; 0 where they are not known.
  uint64_t residentWarps = 0;
  /// Bytes that these blocks have loads under way for, at most; 0 where they are not known.
  uint64_t bytesInFlight = 0;
  /// Whether a block loads, computes and stores in turns, so that one that a multiprocessor holds alone does
  /// nothing meanwhile.
  bool takesTurns = false;
  /// What its tiles make the memory and the caches move beside its bytes, parts of sectors and lines, as if
  /// they came from memory. Counted where every multiprocessor has a block.
  uint64_t bytesBeside = 0;
};

/// Microseconds that each of two bounds takes by itself, whatever the other one does: bytes at the bandwidth
/// that kernels of many warps reach, and flops or instructions on as many multiprocessors as there are
/// blocks.
struct RooflineBounds {
  double memory = 0;
  double compute = 0;
};

RooflineBounds boundsOf(const Arch &arch, const KernelCost &cost);

struct Prediction {
  /// "memory", "compute" or "launch".
  const char *bound = "launch";
  double microseconds = 0;
};

/// A launch, and behind it the longer of two times: bytes at the bandwidth that kernels reach, which is less
/// where a multiprocessor holds few warps, and flops at the units' peak on as many multiprocessors as there
/// are blocks. What a multiprocessor issues bounds a kernel as well as its flops: functions take many
/// instructions an element. Before its blocks keep the chip busy each wave of them goes once through its
/// code, an instruction after the other: that is what most small kernels take. A block that a multiprocessor
/// holds alone, and that loads, computes and stores in turns, takes both times. (Of 50 kernels of random
/// programs measured on an H200, which take 1.3 to 16 us, half are within a tenth.)
Prediction predict(const Arch &arch, const KernelCost &cost);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_ROOFLINE_H
