// graph-fold-empty: tensors without elements need no kernel. What has no elements becomes a constant without
// any, and what is computed from nothing becomes what that gives: an identity, zeros, the padding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHFOLDEMPTY
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

/// `state` as an element of `type`; a narrow float's state is fp32.
static Attribute asElement(TypedAttr state, Type type) {
  auto number = dyn_cast<FloatAttr>(state);
  if (!number || number.getType() == type)
    return state;
  APFloat value = number.getValue();
  bool losesInfo;
  value.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return FloatAttr::get(type, value);
}

/// What every element of `op`'s result is when the data it reads has no elements; null when it does not
/// follow.
static Attribute valueFromNothing(Operation *op, Builder &builder) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isEmpty(reduce.getInput()) ? asElement(reduce.getIdentity().front(), element) : Attribute();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return isEmpty(matmul.getLhs()) ? builder.getZeroAttr(element) : Attribute();
  if (auto gather = dyn_cast<GatherOp>(op))
    return isEmpty(gather.getInput()) ? builder.getZeroAttr(element) : Attribute();
  if (auto pad = dyn_cast<PadOp>(op))
    return isEmpty(pad.getInput()) ? Attribute(pad.getValue()) : Attribute();
  return Attribute();
}

namespace {
/// reduce sum %0 : 4x0  ==>  constant 0; exp %0 : 0x3  ==>  constant without elements
struct FoldEmpty : RewritePattern {
  FoldEmpty(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || !isMemoryEffectFree(op) || op->hasTrait<OpTrait::ConstantLike>())
      return rewriter.notifyMatchFailure(op, "not an op on tensors");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "not an op on tensors");
    DenseElementsAttr constant;
    if (type.getNumElements() == 0)
      constant = DenseElementsAttr::get(type, ArrayRef<Attribute>());
    else if (Attribute value = valueFromNothing(op, rewriter))
      constant = DenseElementsAttr::get(type, value);
    else
      return rewriter.notifyMatchFailure(op, "its operands have elements");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, type, constant);
    return success();
  }
};

/// concat %0 : 4x8, %1 : 0x8  ==>  %0
struct DropEmptyParts : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    if (llvm::none_of(op.getInputs(), isEmpty) || llvm::all_of(op.getInputs(), isEmpty))
      return rewriter.notifyMatchFailure(op, "all parts have elements");
    SmallVector<Value> parts;
    llvm::copy_if(op.getInputs(), std::back_inserter(parts), [](Value part) { return !isEmpty(part); });
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, op.getDim());
    return success();
  }
};

/// scatter of no updates  ==>  the tensor that they would go into
struct DropEmptyUpdates : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    if (!isEmpty(op.getUpdates()) || isEmpty(op.getInput()))
      return rewriter.notifyMatchFailure(op, "it has updates");
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

struct GraphFoldEmptyPass : tilewright::graph::impl::GraphFoldEmptyBase<GraphFoldEmptyPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldEmpty, DropEmptyParts, DropEmptyUpdates>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
