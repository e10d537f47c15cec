// One kernel of several that do not need one another: its blocks are divided among them, and each block runs
// the body of the part that it belongs to. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

  KernelPart() = default;
  KernelPart(mlir::LLVM::LLVMFuncOp function, unsigned numInputs);
  ptx::LaunchAttr shape();
  /// Blocks of `threads` threads that it takes: several of its own blocks share one when they are smaller and
  /// threads of a block have nothing to do with one another beyond their warp.
  int64_t blocksOf(int64_t threads);
  /// Its own blocks that share one of `threads` threads.
  int64_t blocksInOne(int64_t threads);
};

/// Why the kernel cannot be a part of another one; empty when it can.
std::string whyNoPart(KernelPart part);

/// Threads of a block, and bytes of shared memory, that have room for a block of each part.
int64_t threadsOf(llvm::ArrayRef<KernelPart> parts);
int64_t sharedBytesOf(llvm::ArrayRef<KernelPart> parts);

/// Where the blocks of each part are, as `plan.parts` says it.
llvm::SmallVector<PartAttr> placesOf(llvm::ArrayRef<KernelPart> parts);

/// The kernel `name` of `parts`, none of which has a reason against it. Its parameters are what all parts
/// read, what all parts write, then true lengths, each once.
mlir::gpu::GPUModuleOp createMergedKernel(mlir::OpBuilder &builder, llvm::StringRef name,
                                          llvm::ArrayRef<KernelPart> parts);

} // namespace tilewright::plan

#endif // TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEDKERNEL_H
