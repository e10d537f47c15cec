// Decomposed layer norms become graph.layer_norm; MatchNorm.h tells how they are recognized.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatchNorm.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISELAYERNORM
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// The graph.layer_norm that `root` is, or null.
static Value raiseLayerNorm(Operation *root) {
  std::optional<NormMatch> match = matchNorm(root, /*centred=*/true);
  if (!match)
    return nullptr;
  OpBuilder builder(root);
  Location loc = fuseLocations(root, match->ops);
  auto type = cast<RankedTensorType>(match->input.getType());
  Value scale = match->scale.materialize(builder, loc, type, match->dim);
  Value bias = match->bias.materialize(builder, loc, type, match->dim);
  return LayerNormOp::create(builder, loc, type, match->input, scale, bias,
                             builder.getI64IntegerAttr(match->dim), builder.getF64FloatAttr(match->epsilon));
}

namespace {
struct GraphRaiseLayerNormPass : tilewright::graph::impl::GraphRaiseLayerNormBase<GraphRaiseLayerNormPass> {
  using Base::Base;
  void runOnOperation() override { raiseRoots(getOperation(), raiseLayerNorm); }
};
} // namespace
