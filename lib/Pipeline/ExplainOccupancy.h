// Remarks on how full kernels keep a chip.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_EXPLAINOCCUPANCY_H
#define TILEWRIGHT_LIB_PIPELINE_EXPLAINOCCUPANCY_H

#include "Tilewright/Ptx/Assemble.h"

namespace tilewright {

/// Says of each kernel that is bound by memory whether its resident warps keep the memory busy, with the
/// registers that ptxas gave it: at half occupancy that may be enough.
void explainOccupancy(mlir::ModuleOp module, llvm::ArrayRef<AssembledKernel> kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_EXPLAINOCCUPANCY_H
