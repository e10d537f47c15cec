// Launches merged by the model are held against what ptxas makes of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_MERGING_H
#define TILEWRIGHT_LIB_PIPELINE_MERGING_H

#include "Tilewright/Pipeline/Stages.h"

namespace tilewright {

/// The ptx stage of a program whose launches were merged. ptxas gives all parts of a merged kernel the
/// registers of the largest, within the limit of the merged block: where that spills more than
/// kHarmlessSpills, the parts are launched on their own. `module` is then made from `lowered`, the target
/// form before launches were merged, with the other merges made again.
mlir::FailureOr<std::vector<AssembledKernel>>
runPtxStageOfMerged(mlir::OwningOpRef<mlir::ModuleOp> &module, mlir::ModuleOp lowered,
                    const StageOptions &stages, std::string &toolchain, Assembler::Statistics *statistics);

/// Makes launches that do not need one another and read the same one (plan-interleave-launches), where ptxas
/// takes the registers for it; `kernels` are then those of the new `module`. Nothing where nobody asks for it
/// or nothing is assembled.
mlir::LogicalResult interleaveIndependent(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                          const StageOptions &stages, std::vector<AssembledKernel> &kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_MERGING_H
