// Passes of the target stage that concern single operations: math expansion, and the stage's contract.
#ifndef TILEWRIGHT_TARGET_PASSES_H
#define TILEWRIGHT_TARGET_PASSES_H

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Target/Passes.h.inc"

/// Patterns that go before the expansion: `1 + erf(x)` and `1 - erf(x)` become `erfc`, `sincos` becomes two.
void populateMathPreparationPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that go before the expansion: casts of rounded f32 to integers of at most 16 bits become sums.
void populateRoundToIntegerPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of `target-expand-math`; `onChip`: with its option of that name.
void populateExpandMathPatterns(mlir::RewritePatternSet &patterns, bool onChip = false);

/// The check of `verify-target-form` on everything inside `root`; failure after an error at each breach.
mlir::LogicalResult verifyTargetForm(mlir::Operation *root);

} // namespace tilewright

#endif // TILEWRIGHT_TARGET_PASSES_H
