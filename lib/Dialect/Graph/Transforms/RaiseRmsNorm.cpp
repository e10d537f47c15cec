// Decomposed RMS norms become graph.rms_norm; MatchNorm.h tells how they are recognized.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatchNorm.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISERMSNORM
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// The graph.rms_norm that `root` is, or null.
static Value raiseRmsNorm(Operation *root) {
  std::optional<NormMatch> match = matchNorm(root, /*centred=*/false);
  if (!match)
    return nullptr;
  OpBuilder builder(root);
  Location loc = fuseLocations(root, match->ops);
  auto type = cast<RankedTensorType>(match->input.getType());
  Value scale = match->scale.materialize(builder, loc, type, match->dim);
  return RmsNormOp::create(builder, loc, type, match->input, scale, builder.getI64IntegerAttr(match->dim),
                           builder.getF64FloatAttr(match->epsilon));
}

namespace {
struct GraphRaiseRmsNormPass : tilewright::graph::impl::GraphRaiseRmsNormBase<GraphRaiseRmsNormPass> {
  using Base::Base;
  void runOnOperation() override { raiseRoots(getOperation(), raiseRmsNorm); }
};
} // namespace
