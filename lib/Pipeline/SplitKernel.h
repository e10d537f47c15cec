// The last resort for a kernel that spills, and for results that one kernel computes badly: several kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_SPLITKERNEL_H
#define TILEWRIGHT_LIB_PIPELINE_SPLITKERNEL_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Pipeline/Stages.h"

namespace tilewright {

/// Cuts the group of `kernel` (of the fuse stage), which spills `spills` bytes with every schedule, at the
/// fuse stage: kernels whose smallest tiles take 3/4, then half, then a quarter of its registers by the
/// estimate. The first of these cuts that spills no more than kHarmlessSpills, and whose kernels are modelled
/// to take no longer than the one with its spills, takes its place in `module`, in the programs that launch
/// it, and in `kernels`. Otherwise nothing changes, and a remark says why. True when it was cut.
bool splitKernel(mlir::ModuleOp module, graph::KernelOp kernel, unsigned spills, const StageOptions &stages,
                 std::vector<AssembledKernel> &kernels);

/// Results that lie in different orders, or are parts of tensors, may cost a kernel more than what they share
/// saves: accesses of single elements, tiles of many sectors, registers of all of them at a time. Where the
/// assembled code is modelled to take longer than its bytes, the results of each order are compiled in a
/// kernel of their own beside that of the others; the best such pair takes the place of `kernel` (of the fuse
/// stage) in `module`, in the programs that launch it and in `kernels` where it is modelled to take a tenth
/// less, and is divided further. True when it was.
bool divideKernel(mlir::ModuleOp module, graph::KernelOp kernel, const StageOptions &stages,
                  std::vector<AssembledKernel> &kernels);
/// The same for all kernels of `fused` (the program as the fuse stage left it) but products and those whose
/// schedule the program gives.
void divideResults(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                   std::vector<AssembledKernel> &kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_SPLITKERNEL_H
