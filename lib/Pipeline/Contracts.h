// Resource contracts: what a kernel promises (`tile.contract`) held against what ptxas made of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_CONTRACTS_H
#define TILEWRIGHT_LIB_PIPELINE_CONTRACTS_H

#include "Tilewright/Ptx/Assemble.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright {

/// Checks the contract of every kernel that has one, for every arch. Each breach is an error at the kernel.
mlir::LogicalResult checkContracts(mlir::ModuleOp module, llvm::ArrayRef<AssembledKernel> kernels);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_CONTRACTS_H
