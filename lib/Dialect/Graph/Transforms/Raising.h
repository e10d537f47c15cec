// What the raising passes share: the walk over candidate roots, locations of what was matched, and clean-up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_RAISING_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_RAISING_H

#include "Formula.h"

namespace tilewright::graph {

/// Tries `raise` on every live op of `scope` with one float tensor result, users before producers, so that
/// the largest expression is met first. `raise` returns the value that replaces the op's result, or null. Ops
/// left without uses are erased.
void raiseRoots(mlir::Operation *scope, llvm::function_ref<mlir::Value(mlir::Operation *)> raise);

/// The locations of `ops` in program order, as one location; reports list them as source nodes.
mlir::Location fuseLocations(mlir::Operation *root, llvm::ArrayRef<mlir::Operation *> ops);

/// The `wanted` ops within a few arithmetic steps above `root`, broadcasts and reshapes looked through;
/// nearest first.
llvm::SmallVector<mlir::Operation *> findAbove(mlir::Operation *root,
                                               llvm::function_ref<bool(mlir::Operation *)> wanted);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_RAISING_H
