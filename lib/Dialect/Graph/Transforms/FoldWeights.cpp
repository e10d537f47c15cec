// Casts, transposes and reshapes of weights move into the weights' recipes, which packaging applies once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHFOLDWEIGHTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// `steps` followed by `step`; neighbouring transposes compose, of neighbouring reshapes the last counts.
static SmallVector<Attribute> append(ArrayRef<Attribute> steps, Attribute step) {
  SmallVector<Attribute> result(steps);
  Attribute last = result.empty() ? Attribute() : result.back();
  if (isa<ReshapeStepAttr>(step) && isa_and_present<ReshapeStepAttr>(last)) {
    result.back() = step;
    return result;
  }
  auto permutation = dyn_cast<DenseI64ArrayAttr>(step);
  if (auto inner = dyn_cast_if_present<DenseI64ArrayAttr>(last); inner && permutation) {
    SmallVector<int64_t> composed;
    for (int64_t dim : permutation.asArrayRef())
      composed.push_back(inner[dim]);
    result.pop_back();
    if (!llvm::equal(composed, llvm::seq<int64_t>(0, composed.size())))
      result.push_back(DenseI64ArrayAttr::get(step.getContext(), composed));
    return result;
  }
  result.push_back(step);
  return result;
}

/// The step that `op` applies to its operand, or null.
static Attribute stepOf(Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getPermutationAttr();
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return ReshapeStepAttr::get(op->getContext(), reshape.getType().getShape());
  // What reads bytes widens them: a widened weight is twice as many to read.
  if (isa<arith::ExtFOp>(op) && getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() == 8)
    return nullptr;
  if (isa<arith::TruncFOp, arith::ExtFOp>(op))
    return TypeAttr::get(getElementTypeOrSelf(op->getResult(0)));
  return nullptr;
}

namespace {
/// %1 = move(graph.weight <…, [steps]>)  ==>  %1 = graph.weight <…, [steps, move]>
struct AppendStep : RewritePattern {
  AppendStep(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Attribute step = stepOf(op);
    if (!step)
      return rewriter.notifyMatchFailure(op, "not a cast, transpose or reshape");
    auto weight = op->getOperand(0).getDefiningOp<WeightOp>();
    if (!weight)
      return rewriter.notifyMatchFailure(op, "operand #0 is not a weight");
    if (auto truncation = dyn_cast<arith::TruncFOp>(op); truncation && truncation.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "recipes round to nearest even");
    WeightAttr recipe = weight.getWeight();
    SmallVector<Attribute> steps = append(recipe.getSteps().getValue(), step);
    auto longer = WeightAttr::get(op->getContext(), recipe.getKey(), recipe.getType(), recipe.getHash(),
                                  rewriter.getArrayAttr(steps));
    // The weight's own location names the tensor; the moving node leaves no kernel behind.
    auto folded = WeightOp::create(rewriter, weight.getLoc(), op->getResult(0).getType(), longer);
    rewriter.replaceOp(op, folded);
    return success();
  }
};

struct GraphFoldWeightsPass : tilewright::graph::impl::GraphFoldWeightsBase<GraphFoldWeightsPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFoldWeightsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void tilewright::graph::populateFoldWeightsPatterns(RewritePatternSet &patterns) {
  patterns.add<AppendStep>(patterns.getContext());
}
