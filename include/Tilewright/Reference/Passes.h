// The passes of the CPU reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_REFERENCE_PASSES_H
#define TILEWRIGHT_REFERENCE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tilewright::reference {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Reference/Passes.h.inc"

/// Patterns of `convert-graph-to-linalg` on data movement: broadcast, transpose, reshape, slice, concat, pad,
/// gather, iota.
void populateMovementToLinalgPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of `convert-graph-to-linalg` on matmul, reductions and scans.
void populateComputeToLinalgPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of `convert-graph-to-linalg` on top-k, sort and scatter.
void populateSelectionToLinalgPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_PASSES_H
