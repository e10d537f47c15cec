// Several kernels in the place of one: compiled, modelled, and put into the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_KERNELCUT_H
#define TILEWRIGHT_LIB_PIPELINE_KERNELCUT_H

#include "CompileAgain.h"
#include "LaunchCost.h"

#include <variant>

namespace tilewright {

/// Modelled time of one launch of the kernel in `module`: the roofline's, and what its threads spill at the
/// speed of L2. 0 where the launch has no cost.
double microsecondsOf(plan::LaunchOp launch, mlir::gpu::GPUModuleOp module,
                      llvm::ArrayRef<AssembledKernel> images, const Arch &arch);

/// The launches of the kernel of this name; or why it cannot become several.
std::variant<llvm::SmallVector<plan::LaunchOp>, llvm::StringRef> launchesOf(mlir::ModuleOp module,
                                                                            llvm::StringRef name);

/// The kernels that a cut gives, and the program that launches them.
struct KernelCut {
  mlir::OwningOpRef<mlir::ModuleOp> program;
  CompiledKernels compiled;
  double microseconds = 0;
};

/// Compiles the kernels of `program` (fuse::cutKernel) under names that `module` does not have,
/// `<name>_part0`, …; nothing when a stage refuses one of them. Those that spill are scheduled again.
std::optional<KernelCut> compileCut(mlir::OwningOpRef<mlir::ModuleOp> program, llvm::StringRef name,
                                    mlir::ModuleOp module, const StageOptions &stages);

/// Puts the kernels of the cut in the place of `target`, in its module, in the programs that launch it and in
/// `kernels`.
void replaceByCut(mlir::gpu::GPUModuleOp target, llvm::ArrayRef<plan::LaunchOp> launches, KernelCut &cut,
                  std::vector<AssembledKernel> &kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_KERNELCUT_H
