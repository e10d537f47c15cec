// Casts of rounded floats to integers of at most 16 bits. Each of the two conversions, to a whole float and
// to an integer, runs at a quarter of the rate of an addition or less. Adding 1.5 * 2^23 rounds to even as
// well, and leaves the integer, in two's complement, in the low bits of the sum.
#include "Functions.h"

#include "Tilewright/Target/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::math;

/// The widest integers: any value that fits one is far below 2^22, up to which the sum is exact.
static constexpr unsigned kMostBits = 16;
/// Bounds between a rounding and its cast that are looked through.
static constexpr int kMostBounds = 4;

static bool isWholeConstant(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isInteger();
}

/// `value` before it was rounded to even: bounds that are whole numbers may as well come first. Null when
/// `value` was not rounded.
static Value beforeRounding(OpBuilder &builder, Value value, int depth = kMostBounds) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return Value();
  if (auto round = dyn_cast<::mlir::math::RoundEvenOp>(op))
    return round.getOperand();
  bool isBound =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, ::mlir::math::ClampFOp>(
          op);
  if (!isBound)
    return Value();
  // One operand was rounded, the others are whole constants.
  Value inner;
  unsigned place = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isWholeConstant(operand.get()))
      continue;
    if (inner)
      return Value();
    inner = operand.get();
    place = operand.getOperandNumber();
  }
  inner = inner ? beforeRounding(builder, inner, depth - 1) : Value();
  if (!inner)
    return Value();
  Operation *clone = builder.clone(*op);
  clone->setOperand(place, inner);
  return clone->getResult(0);
}

namespace {
/// `%r = math.roundeven %x; %b = bounds of %r; %y = arith.fptosi %b : f32 to i8`
///   ==>
/// `%b = bounds of %x; %s = arith.addf %b, 12582912.0; %y = arith.trunci (bits of %s) to i8`, where the sum
/// may be contracted
template <typename Op> struct RoundBySum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    if (!getElementTypeOrSelf(from).isF32() || getElementTypeOrSelf(to).getIntOrFloatBitWidth() > kMostBits)
      return rewriter.notifyMatchFailure(op, "no cast from f32 to an integer of at most 16 bits");
    Value value = beforeRounding(rewriter, op.getIn());
    if (!value)
      return rewriter.notifyMatchFailure(op, "what is cast was not rounded to even");
    Emitter emitter(rewriter, op.getLoc(), from);
    // A product that may be contracted is rounded to the integer at once.
    Term sum = emitter.op<arith::AddFOp>(value, emitter.real(emitter.roundingShift()).value,
                                         arith::FastMathFlags::contract);
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, to, bitsOf(sum).value);
    return success();
  }
};
} // namespace

void tilewright::populateRoundToIntegerPatterns(RewritePatternSet &patterns) {
  patterns.add<RoundBySum<arith::FPToSIOp>, RoundBySum<arith::FPToUIOp>>(patterns.getContext());
}
