// Kernels of their own for results that one kernel computes badly together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_DIVIDERESULTS_H
#define TILEWRIGHT_LIB_PIPELINE_DIVIDERESULTS_H

#include "Tilewright/Pipeline/Stages.h"

namespace tilewright {

/// Results that lie in different orders, or are parts of tensors, may cost a kernel more than what they share
/// saves: accesses of single elements, tiles of many sectors, registers of all of them at a time. Where the
/// assembled code of a kernel of `fused` (the program as the fuse stage left it) is modelled to take longer
/// than its bytes, the results of each order are compiled in a kernel of their own beside that of the others.
/// The best such pair takes its place in `module`, in the programs that launch it and in `kernels` where it
/// is modelled to take a tenth less, and is divided further. Products and kernels whose schedule the program
/// gives stay as they are.
void divideResults(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                   std::vector<AssembledKernel> &kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_DIVIDERESULTS_H
