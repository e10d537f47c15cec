// From a launch to the function of its kernel and to the parts of a merged one, once kernels are in the
// target form. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_KERNELFUNCTIONS_H
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_KERNELFUNCTIONS_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright::plan {

/// The function of kernel `name` in the module round `op`: that of the `gpu.module` of its name. Null when
/// the kernel is not in the target form.
inline mlir::LLVM::LLVMFuncOp kernelFunction(mlir::Operation *op, llvm::StringRef name) {
  auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<mlir::ModuleOp>();
  auto gpuModule = module ? module.lookupSymbol<mlir::gpu::GPUModuleOp>(name) : nullptr;
  return gpuModule ? gpuModule.lookupSymbol<mlir::LLVM::LLVMFuncOp>(name) : nullptr;
}

/// By name, the parts of every merged kernel that a program of `module` launches.
inline llvm::StringMap<llvm::SmallVector<PartAttr>> partsOfKernels(mlir::ModuleOp module) {
  llvm::StringMap<llvm::SmallVector<PartAttr>> merged;
  module.walk([&](LaunchOp launch) {
    auto parts = launch->getAttrOfType<mlir::ArrayAttr>(PlanDialect::getPartsAttrName());
    if (parts && !merged.contains(launch.getKernel()))
      llvm::append_range(merged[launch.getKernel()], parts.getAsRange<PartAttr>());
  });
  return merged;
}

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_KERNELFUNCTIONS_H
