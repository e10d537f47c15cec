// One kernel of several: its blocks are divided among them, and each block runs the body of the part that it
// belongs to. Parts that need one another are interleaved, slice by slice. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEDKERNEL_H
#define TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEDKERNEL_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tilewright::plan {

/// A kernel in the target form that is to be a part of another one.
struct KernelPart {
  mlir::LLVM::LLVMFuncOp function;
  /// Of the parameters that are buffers, the first so many are read, the others written.
  unsigned numInputs = 0;
  /// Its threads meet at barriers or in shared memory: blocks cannot share one.
  bool needsBlock = true;
  /// Blocks share one all the same: each has barriers and shared memory of its own.
  bool packs = false;

  KernelPart() = default;
  KernelPart(mlir::LLVM::LLVMFuncOp function, unsigned numInputs);
  ptx::LaunchAttr shape();
  /// Blocks of `threads` threads that it takes: several of its own blocks share one when they are smaller and
  /// threads of a block have nothing to do with one another beyond their warp.
  int64_t blocksOf(int64_t threads);
  /// Its own blocks that share one of `threads` threads.
  int64_t blocksInOne(int64_t threads);
  /// Bytes of shared memory between the ranges of two of them, and bytes that all of them take.
  int64_t sharedStep();
  int64_t sharedBytes(int64_t threads) {
    return (blocksInOne(threads) - 1) * sharedStep() + shape().getShared();
  }
};

/// Why the kernel cannot be a part of another one; empty when it can.
std::string whyNoPart(KernelPart part);

/// Threads of a block, and bytes of shared memory, that have room for a block of each part.
int64_t threadsOf(llvm::ArrayRef<KernelPart> parts);
int64_t sharedBytesOf(llvm::ArrayRef<KernelPart> parts);

/// A buffer of one part: the part's number, and the parameter's.
struct PartParameter {
  unsigned part = 0, parameter = 0;
};

/// Slice k of a part waits until slices k - before to k + after of part `part` are done; numbers below 0 may
/// stand there.
struct SliceWait {
  unsigned part = 0;
  int64_t before = 0, after = 0;
};

/// The digit of a part's block numbers by which they are cut into slices: (number / unit) % count, from its
/// last value down where it is reversed.
struct SliceDigit {
  int64_t unit = 1, count = 1;
  bool isReversed = false;
  bool operator==(const SliceDigit &o) const {
    return unit == o.unit && count == o.count && isReversed == o.isReversed;
  }
};

/// Parts that go through their tensors slice by slice. The blocks of a part are cut into `count` slices by
/// the values of one digit. Round r has slice r - lag of each part, part by part; a block's ticket says its
/// round, or its number where no part waits for another: what blocks begin in another order than that of
/// their numbers costs bytes then, and changes nothing else.
struct Slices {
  int64_t count = 0;
  /// By part: the digit, rounds before its first slice, and what its slices wait for.
  llvm::SmallVector<SliceDigit> digits;
  llvm::SmallVector<int64_t> lags;
  llvm::SmallVector<llvm::SmallVector<SliceWait>> waits;
  /// What a part reads of another one's results: the reader's parameter, and the writer's.
  llvm::SmallVector<std::pair<PartParameter, PartParameter>> inside;
  /// Where tickets and counters begin in the workspace.
  int64_t workspace = 0;

  int64_t rounds() const { return count + *llvm::max_element(lags); }
  /// Whether buffer `parameter` of `part` is what another part writes.
  bool isInside(unsigned part, unsigned parameter) const;
  /// All of it, as text.
  void print(llvm::raw_ostream &stream) const;
  /// Whether slices of `part` are waited for, and of any part.
  bool isAwaited(unsigned part) const;
  bool areAwaited() const;
  /// Bytes of the workspace; 0 where no part waits.
  int64_t workspaceBytes() const;
  /// The first of a digit's `values` in slice `k`; that of slice k + 1 is behind the last one.
  int64_t firstOfSlice(int64_t k, int64_t values) const { return k * values / count; }
  /// Blocks of the merged kernel, of `threads` threads, that the largest slice of part number `part` takes.
  int64_t mostBlocks(unsigned part, KernelPart kernel, int64_t threads) const;
};

/// Where the blocks of each part are, as `plan.parts` says it: with slices, in a round that has one of each.
/// And how many blocks the kernel has.
llvm::SmallVector<PartAttr> placesOf(llvm::ArrayRef<KernelPart> parts, const Slices *slices = nullptr);
int64_t blocksOf(llvm::ArrayRef<KernelPart> parts, const Slices *slices = nullptr);

/// Slices that one warp waits for, each lane for one.
inline constexpr int64_t kMostAwaited = 32;

/// The kernel `name` of `parts`, none of which has a reason against it. Its parameters are what all parts
/// read, what all parts write, then true lengths, each once; with `slices` the parts are interleaved: what
/// one writes and another reads is one parameter then, and behind the others is one in the workspace.
mlir::gpu::GPUModuleOp createMergedKernel(mlir::OpBuilder &builder, llvm::StringRef name,
                                          llvm::ArrayRef<KernelPart> parts, const Slices *slices = nullptr);

} // namespace tilewright::plan

#endif // TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEDKERNEL_H
