// The remainder of floats, exactly, in f32: x = mx 2^ex and y = my 2^ey as integers, then mx 2^(ex - ey)
// modulo my by shifts of at most 40 bits, which with the 24 bits of my fit 64. 253 bits of difference take
// seven of them.
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

Term math::emitRemainder(Term x, Term y) {
  Emitter &e = *x.emitter;
  mlir::Type i64 = e.builder.getI64Type();
  Term a = abs(x), b = abs(y);
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
  Term result = emitScale(toFloat(rest), py.exponent - 150.0);
  result = copysign(select(a < b, a, result), x);
  Term defined = isFinite(x) & (b > 0.0);
  return select(defined, result, e.notANumber());
}
