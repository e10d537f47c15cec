// What the roofline counts of a launch: its counts in the program, and what ptxas says of its kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_LAUNCHCOST_H
#define TILEWRIGHT_LIB_PIPELINE_LAUNCHCOST_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Pipeline/Roofline.h"
#include "Tilewright/Pipeline/Stages.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilewright {

/// Of a merged kernel: instructions that all threads of its parts execute, and those of a thread of the
/// longest part.
inline constexpr llvm::StringLiteral kPartInstructionsAttrName = "tile.part_instructions";

/// The kernel in `module`; null where it has none.
mlir::LLVM::LLVMFuncOp functionOf(mlir::gpu::GPUModuleOp module);

/// Its blocks; null where it has none.
ptx::LaunchAttr launchOf(mlir::gpu::GPUModuleOp module);

/// Instructions that a thread of the kernel executes: those in loops as often as its longest one goes round.
uint64_t executedInstructions(mlir::LLVM::LLVMFuncOp function, const KernelResources &resources);

/// The counts of `launch`, which has a `plan.cost`, where its kernel is `function`, which has a `ptx.launch`,
/// on `arch`; `images` are those of all kernels.
KernelCost costOf(plan::LaunchOp launch, mlir::LLVM::LLVMFuncOp function,
                  llvm::ArrayRef<AssembledKernel> images, const Arch &arch);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_LAUNCHCOST_H
