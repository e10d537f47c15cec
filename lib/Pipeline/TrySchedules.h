// Kernels whose code takes longer than their bytes are compiled under schedules near their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_TRYSCHEDULES_H
#define TILEWRIGHT_LIB_PIPELINE_TRYSCHEDULES_H

#include "CompileAgain.h"

namespace tilewright {

/// How many instructions a tile takes, and how many of its blocks a multiprocessor has room for, is known
/// when ptxas has seen it. Each of `kernels` that issues instructions for longer than its bytes take, or
/// whose blocks are alone on their multiprocessors, is compiled under schedules near the one that the rules
/// chose (listSchedules); the one that is modelled to work shortest takes its place in `module` and `kernels`
/// where it saves enough. What tiles move beside their tensors' bytes counts for no schedule: the model of it
/// is too coarse to tell neighbours apart. Products, and schedules that are given or recorded, stay.
void trySchedules(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                  std::vector<AssembledKernel> &kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_TRYSCHEDULES_H
