// Kernels that go through the stages once more, apart from their program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_COMPILEAGAIN_H
#define TILEWRIGHT_LIB_PIPELINE_COMPILEAGAIN_H

#include "Tilewright/Pipeline/Stages.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tilewright {

/// Spilled bytes of a thread, stored and loaded.
unsigned spillsOf(const AssembledKernel &kernel);

/// The same of the kernel of this name, for the arch where it is most.
unsigned spillsOf(llvm::ArrayRef<AssembledKernel> images, llvm::StringRef name);

/// What came of it: `gpu.module`s with what ptxas said of them, and their images for each arch.
struct CompiledKernels {
  mlir::OwningOpRef<mlir::ModuleOp> module = {};
  std::vector<AssembledKernel> images = {};
  /// What the stages said of them.
  TrialRemarks remarks = {};

  /// Spilled bytes of a thread, summed over the kernels, for the arch where it is most.
  unsigned spills() const;
};

/// Runs the passes of one stage; what they say is not shown.
mlir::LogicalResult runStageAgain(mlir::ModuleOp module, Stage stage, const StageOptions &stages);

/// A module, what its stage is told, and whether that succeeds.
struct StageRun {
  mlir::ModuleOp module;
  StageOptions stages;
  bool succeeds = false;
};

/// The same of several modules, side by side.
void runStageAgain(llvm::MutableArrayRef<StageRun> runs, Stage stage);

/// Takes a module that holds `graph.kernel`s alone through the tile, schedule, target and ptx stages. Nothing
/// when a stage refuses one of them, or when one becomes several.
std::optional<CompiledKernels> compileAgain(mlir::OwningOpRef<mlir::ModuleOp> kernels,
                                            const StageOptions &stages);

/// The same of several modules of one kernel each, side by side; what the stages say of them is lost. Images
/// without what a stage refuses.
std::vector<std::optional<CompiledKernels>>
compileSideBySide(std::vector<mlir::OwningOpRef<mlir::ModuleOp>> kernels, const StageOptions &stages);

/// Puts the only kernel of `by` in the place of `old`, which has its name, and its images in that of the old
/// ones.
void replaceKernel(mlir::gpu::GPUModuleOp old, CompiledKernels &by, std::vector<AssembledKernel> &images);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_COMPILEAGAIN_H
