// Tuning tasks: each distinct kernel of a program by itself, under the schedules that it can have, for
// tw-tune to compile and measure. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_TUNINGTASKS_H
#define TILEWRIGHT_PIPELINE_TUNINGTASKS_H

#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tilewright {

struct TuningOptions {
  const Arch *arch = nullptr;
  /// Schedules of a product, the best by the model; other kernels have three times as many.
  unsigned schedules = 8;
  /// Gets a folder for each kernel: `matmul-64x64x128-<digest>`.
  std::string folder;
};

/// Writes the tasks of a program in the fuse form: for each kernel with several schedules `NN.mlir`, a
/// program of that kernel alone (of a kernel without products the first one has no schedule),
/// `reference.mlir` with a schedule of another kind, which results are compared with, and `task`, which lists
/// them (Tuner/Task.h).
mlir::LogicalResult writeTuningTasks(mlir::ModuleOp module, const TuningOptions &options);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_TUNINGTASKS_H
