// The passes on the graph dialect, and the graph stage as a straight pipeline of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_H
#define TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir {
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace tilewright::graph {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"

/// What the graph stage leaves to the user.
struct GraphStageOptions {
  /// How products are formed: fp32 (or tf32x3), ieee, tf32, bf16 or fp16.
  std::string precision = "fp32";
  /// Whether formulas may be replaced by others that round differently.
  bool reorder = true;
  /// Whether `verify-graph-form` runs at the end.
  bool verify = false;
};

/// The graph stage: canonical form, decomposed patterns raised to named ops, movement removed, precision
/// applied.
void populateGraphStage(mlir::OpPassManager &pm, const GraphStageOptions &options);

/// Registers `graph-stage`, the pipeline above, under `--pass-pipeline` and as a flag.
void registerGraphStagePipeline();

/// Patterns of `graph-fold-weights`.
void populateFoldWeightsPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of `graph-push-movement`.
void populatePushMovementPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilewright::graph

#endif // TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_H
