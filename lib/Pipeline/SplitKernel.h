// The last resort for a kernel that spills: several kernels.
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

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_SPLITKERNEL_H
