// A program in several forms of the fuse stage, of which ptxas and the roofline say how long they take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_CHOOSEFORM_H
#define TILEWRIGHT_LIB_PIPELINE_CHOOSEFORM_H

#include "Tilewright/Pipeline/Stages.h"

namespace tilewright {

/// Modelled microseconds of a program that the fuse stage has left; nothing where it cannot be compiled. With
/// `asTheyAre` its kernels are not cut, nor do they back off from what ptxas says.
using TimeOfFused = llvm::function_ref<std::optional<double>(mlir::ModuleOp fused, bool asTheyAre)>;

/// Modelled microseconds of all launches of a program behind the ptx stage.
double microsecondsOf(mlir::ModuleOp program, llvm::ArrayRef<AssembledKernel> kernels, const Arch &arch);

/// Whether a kernel has the schedule of a tuning record.
bool hasRecordedSchedules(mlir::ModuleOp program);

/// A program in the plain form: as the fuse stage left it, and modelled microseconds.
struct PlainForm {
  mlir::ModuleOp fused;
  double microseconds;
};

/// The form of one switch at most, beside that of small tiles, in which `program`, as the graph stage left
/// it, is modelled to take least time: plain where none saves enough, as of programs that take hardly longer
/// than their least bytes; where there are products, whose schedules take long to be modelled; and where
/// there are very many ops.
fuse::Form chooseForm(mlir::ModuleOp program, const PlainForm &plain, const StageOptions &stages,
                      TimeOfFused timeOf);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_CHOOSEFORM_H
