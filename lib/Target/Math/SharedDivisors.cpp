// Quotients of many numbers by one: of a row's elements by its sum, its largest magnitude, its scale. What
// takes a division its time is found once, for the divisor; a quotient is two or three products then, without
// a branch.
//
// The divisor d is scaled by a power of two k so that neither d' = k d nor its reciprocal is subnormal or
// infinite, and x / d = y / d' of y = k x; where the ops that compute d say that it is neither tiny nor huge,
// k is one. A product with the chip's 1 / d' keeps a few ulps. Quotients that are rounded to integers take
// the reciprocal in two parts, high + low = (1 / d') (1 + e) with |e| < 2^-44: fma(y, high, y low) is rounded
// once from there, so that a quotient halfway between two integers is found as by a division. `high` is
// rounded toward zero: `low`, which is never zero, has its sign then, and infinite operands and zeros give
// what IEEE 754 has for them.
#include "FloatRange.h"
#include "Functions.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilewright::math;

/// Quotients by one divisor from which on it is prepared; one in a nested region, or by a constant, stands
/// for as many.
static constexpr unsigned kQuotients = 4;
/// Divisors of magnitudes beyond 2^64 or below 2^-64 are scaled by as much.
static constexpr double kLarge = 0x1p64;
/// Finite divisors up to here need no scale: `low` may be subnormal, with which (1 / d) (1 + e) has |e| <
/// 2^-28.
static constexpr double kMostUnscaled = 0x1p122;
/// What `low` is at least, times `high`: an exact reciprocal leaves nothing.
static constexpr double kLeast = 0x1p-60;

bool tilewright::math::isRoundedToInteger(Value quotient) {
  return llvm::any_of(quotient.getUsers(), [](Operation *user) {
    return isa<::mlir::math::RoundEvenOp, ::mlir::math::RoundOp, ::mlir::math::FloorOp, ::mlir::math::CeilOp,
               ::mlir::math::TruncOp, arith::FPToSIOp, arith::FPToUIOp>(user);
  });
}

namespace {
/// A divisor, and what was found for it.
class Divisor {
public:
  /// Of a value that lies in `range`.
  Divisor(Term d, FloatRange range) {
    scaled = d.value;
    if (range.least >= 1 / kLarge && range.finite <= kMostUnscaled)
      return;
    Term size = abs(d);
    Term one = d.emitter->real(1.0);
    Term k = select(size < 1 / kLarge, kLarge, select(size > kLarge, 1 / kLarge, one));
    scale = k.value;
    scaled = (d * k).value;
  }

  void prepare(Emitter &e) { inverse = chip::emitQuotient(e.real(1.0), e.wrap(scaled), {}).value; }
  void prepareParts(Emitter &e) {
    Term d = e.wrap(scaled), near = e.wrap(inverse);
    // Toward zero: the number below in magnitude, where the one near it is above.
    Term isAbove = fma(-near, d, 1.0) < 0.0;
    Term down = select(isAbove, floatOf(bitsOf(near) - e.integer(1)), near);
    Term left = e.op<arith::MaxNumFOp>(fma(-down, d, 1.0).value, e.real(kLeast).value);
    high = down.value;
    low = (left * near).value;
  }

  /// x / d within 2.5 ulps: one of the reciprocal is up to two of the quotient.
  Term quotient(Term x) const { return wide(x) * x.emitter->wrap(inverse); }
  /// x / d within half an ulp and 2^-20 of one.
  Term exactQuotient(Term x) const {
    Emitter &e = *x.emitter;
    Term y = wide(x);
    return fma(y, e.wrap(high), y * e.wrap(low));
  }

private:
  Term wide(Term x) const { return scale ? x * x.emitter->wrap(scale) : x; }

  /// `scale` is null where none is needed.
  Value scale, scaled, inverse, high, low;
};
} // namespace

void tilewright::math::divideBySharedDivisors(Operation *root) {
  llvm::MapVector<Value, SmallVector<arith::DivFOp>> byDivisor;
  root->walk([&](arith::DivFOp op) {
    bool isApproximate = bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn);
    if (op.getType().isF32() && !isApproximate && !matchPattern(op.getLhs(), m_OneFloat()))
      byDivisor[op.getRhs()].push_back(op);
  });
  for (auto &[value, quotients] : byDivisor) {
    // Others by a constant are products with its reciprocal, in two parts as well.
    bool isConstant = matchPattern(value, m_Constant());
    if (isConstant)
      llvm::erase_if(quotients, [](arith::DivFOp op) { return !isRoundedToInteger(op.getResult()); });
    unsigned count = 0;
    for (arith::DivFOp op : quotients)
      count += isConstant || op->getBlock() != value.getParentBlock() ? kQuotients : 1;
    if (count < kQuotients)
      continue;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Emitter e(builder, value.getLoc(), value.getType());
    Divisor divisor(e.wrap(value), notedRange(quotients.front()));
    divisor.prepare(e);
    if (llvm::any_of(quotients, [](arith::DivFOp op) { return isRoundedToInteger(op.getResult()); }))
      divisor.prepareParts(e);
    for (arith::DivFOp op : quotients) {
      builder.setInsertionPoint(op);
      Emitter at(builder, op.getLoc(), op.getType());
      Term x = at.wrap(op.getLhs());
      bool isRounded = isRoundedToInteger(op.getResult());
      op.replaceAllUsesWith((isRounded ? divisor.exactQuotient(x) : divisor.quotient(x)).value);
      op.erase();
    }
  }
}
