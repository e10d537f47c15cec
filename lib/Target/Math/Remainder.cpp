// The remainder of floats, exactly: x = mx 2^ex and y = my 2^ey, then mx 2^(ex - ey) modulo my, some bits at
// a time.
//
// In f32 the mantissas are integers, and shifts of at most 40 bits fit 64 with the 24 bits of my: 253 bits of
// difference take seven of them. In f64 integers of 64 bits would take 190 divisions. There the mantissas are
// floats in [1, 2) and a step is r' = r 2^s - q my with q the integer nearest to r 2^s / my. With s <= 50, q
// is at most 0.75 off, so that |r'| < my; r' is a multiple of 2^-52 as my is, so that the fused subtraction
// is exact. 2097 bits of difference take 42 steps of four operations on floats.
#include "Functions.h"

using namespace tilewright;
using namespace tilewright::math;

namespace {
/// |x| = mantissa 2^(exponent - 150); the mantissa has 64 bits, the exponent is the field, 1 for subnormals.
struct Parts {
  Term mantissa, exponent;
};
} // namespace

static Term unsignedRemainder(Term a, Term b) {
  return a.emitter->op<mlir::arith::RemUIOp>(a.value, b.value);
}

static Parts partsOf(Term positive) {
  Emitter &e = *positive.emitter;
  Term bits = bitsOf(positive);
  Term field = shiftRightLogical(bits, 23);
  Term subnormal = equal(field, 0.0);
  Term mantissa = (bits & e.integer(0x7fffff)) | select(subnormal, e.integer(0), e.integer(0x800000));
  mantissa = e.op<mlir::arith::ExtUIOp>(e.like(e.builder.getI64Type()), mantissa.value);
  return {mantissa, select(subnormal, e.integer(1), field)};
}

/// |x| of two finite positive numbers modulo the other, in f32.
static Term remainderOfSingles(Term a, Term b) {
  Emitter &e = *a.emitter;
  mlir::Type i64 = e.builder.getI64Type();
  Parts px = partsOf(a), py = partsOf(b);
  // No division by zero, even where the result is not used.
  Term divisor = select(equal(py.mantissa, 0.0), e.integer(i64, 1), py.mantissa);
  Term left = e.op<mlir::arith::MaxSIOp>((px.exponent - py.exponent).value, e.integer(0).value);
  left = e.op<mlir::arith::ExtUIOp>(e.like(i64), left.value);
  Term rest = unsignedRemainder(px.mantissa, divisor);
  for (int step = 0; step < 7; ++step) {
    Term shift = e.op<mlir::arith::MinUIOp>(left.value, e.integer(i64, 40).value);
    rest = unsignedRemainder(rest << shift, divisor);
    left = left - shift;
  }
  return emitScale(toFloat(rest), py.exponent - 150.0);
}

/// `positive` = mantissa 2^exponent with the mantissa in [1, 2), in f64. Subnormal numbers are made normal
/// first.
static Parts normalizedParts(Term positive) {
  Emitter &e = *positive.emitter;
  Term small = positive < e.leastNormal();
  Term bits = bitsOf(select(small, positive * 0x1p54, positive));
  Term field = shiftRightLogical(bits, e.mantissaBits());
  Term exponent = field - select(small, e.integer(e.bias() + 54), e.integer(e.bias()));
  Term mantissa =
      (bits & e.integer((int64_t(1) << e.mantissaBits()) - 1)) | e.integer(e.bias() << e.mantissaBits());
  return {floatOf(mantissa), exponent};
}

/// The same in f64.
static Term remainderOfDoubles(Term a, Term b) {
  Emitter &e = *a.emitter;
  Parts px = normalizedParts(a), py = normalizedParts(b);
  Term inverse = 1.0 / py.mantissa;
  auto reduce = [&](Term r) {
    Term q = (r * inverse + e.roundingShift()) - e.roundingShift();
    return fma(-q, py.mantissa, r);
  };
  Term left = e.op<mlir::arith::MaxSIOp>((px.exponent - py.exponent).value, e.integer(0).value);
  Term rest = reduce(px.mantissa);
  for (int step = 0; step < 42; ++step) {
    Term shift = e.op<mlir::arith::MinUIOp>(left.value, e.integer(50).value);
    rest = reduce(rest * floatOf((shift + static_cast<double>(e.bias())) << e.mantissaBits()));
    left = left - shift;
  }
  rest = select(rest < 0.0, rest + py.mantissa, rest);
  return emitScale(rest, py.exponent);
}

Term math::emitRemainder(Term x, Term y) {
  Term a = abs(x), b = abs(y);
  Term result = x.emitter->isDouble() ? remainderOfDoubles(a, b) : remainderOfSingles(a, b);
  result = copysign(select(a < b, a, result), x);
  Term defined = isFinite(x) & (b > 0.0);
  return select(defined, result, x.emitter->notANumber());
}
