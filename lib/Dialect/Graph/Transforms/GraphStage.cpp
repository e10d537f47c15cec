// The graph stage, top to bottom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

void tilewright::graph::populateGraphStage(OpPassManager &pm, const GraphStageOptions &options) {
  // Canonical form first, so that each decomposed pattern is met in one shape.
  pm.addPass(createGraphFoldEmpty());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createGraphSimplifyArithmetic());

  // A layer norm is an RMS norm of its centred input, so it goes first; attention needs softmax.
  if (options.reorder) {
    pm.addPass(createGraphRaiseSoftmax());
    pm.addPass(createGraphRaiseLayerNorm());
    pm.addPass(createGraphRaiseRmsNorm());
    pm.addPass(createGraphRaiseGelu());
    pm.addPass(createGraphRaiseAttention());
  }

  // Until an attention kernel exists, raised attention is only a way to bring scale and mask to their places.
  pm.addPass(createGraphDecomposeAttention());
  if (options.reorder)
    pm.addPass(createGraphRaiseQuantizedProducts());
  pm.addPass(createGraphApplyPrecision({options.precision}));
  if (options.reorder)
    pm.addPass(createGraphThinProducts());

  pm.addPass(createGraphPushMovement());
  // What products were expanded to meets what it was behind of movement.
  pm.addPass(createGraphSimplifyArithmetic());
  pm.addPass(createGraphFoldWeights());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Last: movement is pushed through what masks would hold up.
  pm.addPass(createGraphMaskPadding());
  if (options.verify)
    pm.addPass(createVerifyGraphForm());
}

namespace {
/// The options of `--graph-stage`, as text.
struct StagePipelineOptions : PassPipelineOptions<StagePipelineOptions> {
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("fp32 (or tf32x3), ieee, tf32, bf16 or fp16"),
                                llvm::cl::init("fp32")};
  Option<bool> reorder{*this, "reorder",
                       llvm::cl::desc("formulas may be replaced by others that round differently"),
                       llvm::cl::init(true)};
  Option<bool> verify{*this, "verify", llvm::cl::desc("check the stage's contract at its end"),
                      llvm::cl::init(true)};
};
} // namespace

void tilewright::graph::registerGraphStagePipeline() {
  PassPipelineRegistration<StagePipelineOptions>(
      "graph-stage", "The graph stage: canonical tensor program, named ops, precision",
      [](OpPassManager &pm, const StagePipelineOptions &options) {
        populateGraphStage(pm, {options.precision, options.reorder, options.verify});
      });
}
