// Elementwise identities that upstream's folders leave out: adding zero, powers with small exponents,
// division by a power of two, bytes on their way to wide floats. What upstream folds (x * 1, x - 0, splat
// constants, casts of casts) is not repeated here. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHSIMPLIFYARITHMETIC
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// The value of a splat float constant.
static std::optional<APFloat> splatOf(Value value) {
  DenseFPElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  return attr.getSplatValue<APFloat>();
}

namespace {
/// x + 0  ==>  x
struct DropZero : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    for (unsigned index : {0, 1})
      if (auto number = splatOf(op->getOperand(index)); number && number->isZero()) {
        rewriter.replaceOp(op, op->getOperand(1 - index));
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no operand is zero");
  }
};

/// x / 4  ==>  x * 0.25, exact for powers of two
struct MultiplyByInverse : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    auto number = splatOf(op.getRhs());
    APFloat inverse(0.0);
    if (!number || !number->getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op, "the divisor has no exact inverse");
    auto type = cast<ShapedType>(op.getType());
    auto constant = arith::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, inverse));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), constant);
    return success();
  }
};

/// pow(x, 2)  ==>  x * x; likewise 0.5, 1, 3, -0.5 and -1
struct ExpandPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    auto number = splatOf(op.getRhs());
    if (!number)
      return rewriter.notifyMatchFailure(op, "the exponent is not a splat constant");
    Location loc = op.getLoc();
    Value x = op.getLhs(), result;
    if (number->isExactlyValue(1.0))
      result = x;
    else if (number->isExactlyValue(2.0))
      result = arith::MulFOp::create(rewriter, loc, x, x);
    else if (number->isExactlyValue(3.0))
      result = arith::MulFOp::create(rewriter, loc, arith::MulFOp::create(rewriter, loc, x, x), x);
    else if (number->isExactlyValue(0.5))
      result = math::SqrtOp::create(rewriter, loc, x);
    else if (number->isExactlyValue(-0.5))
      result = math::RsqrtOp::create(rewriter, loc, x);
    else if (number->isExactlyValue(-1.0))
      result = arith::DivFOp::create(rewriter, loc, splat(rewriter, loc, x.getType(), 1.0), x);
    else
      return rewriter.notifyMatchFailure(op, "the exponent is not one of -1, -0.5, 0.5, 1, 2, 3");
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// extf(sitofp(bytes))  ==>  sitofp(bytes): 16 bits hold them all, so that nothing is rounded on the way
template <typename Op> struct WidenBytesAtOnce : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern<arith::ExtFOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    auto number = op.getIn().template getDefiningOp<Op>();
    Type narrow = getElementTypeOrSelf(op.getIn().getType());
    if (!number || !getElementTypeOrSelf(number.getIn().getType()).isInteger(8) ||
        !(narrow.isBF16() || narrow.isF16()))
      return rewriter.notifyMatchFailure(op, "widens no float of bytes");
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), number.getIn());
    return success();
  }
};

struct GraphSimplifyArithmeticPass
    : tilewright::graph::impl::GraphSimplifyArithmeticBase<GraphSimplifyArithmeticPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DropZero, MultiplyByInverse, ExpandPower, WidenBytesAtOnce<arith::SIToFPOp>,
                 WidenBytesAtOnce<arith::UIToFPOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
