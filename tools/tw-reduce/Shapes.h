// The sizes of dimensions, everywhere in a program at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_TW_REDUCE_SHAPES_H
#define TILEWRIGHT_TOOLS_TW_REDUCE_SHAPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright {

/// The sizes above 1 of the dimensions of all tensors of `module`, each once, the largest first.
llvm::SmallVector<int64_t> sizesOf(mlir::ModuleOp module);

/// Gives every dimension of size n the size `map(n)`, in the types of values, in attributes that hold types
/// and shapes, and in constants, which keep their first elements. What needs other numbers to go with it (the
/// offset of a slice) may no longer verify.
void mapSizes(mlir::ModuleOp module, llvm::function_ref<int64_t(int64_t)> map);

} // namespace tilewright

#endif // TILEWRIGHT_TOOLS_TW_REDUCE_SHAPES_H
