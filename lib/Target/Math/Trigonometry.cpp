// Sine, cosine, tangent and their inverses, in f32. The reduction to x = n pi/2 + r takes three fused steps
// up to 2^17, which leave r exact to below its last digit; beyond, the fraction of a turn is cut out of the
// product of the mantissa with a window of 96 bits of 1/(2 pi), in integers.
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

static constexpr long double pi = 3.14159265358979323846264338327950288L;

namespace {
/// x is `quadrant` (modulo 4) times pi/2, plus r.
struct Turn {
  Term r, quadrant;
};
} // namespace

static Turn reduceModerate(Term x) {
  Emitter &e = *x.emitter;
  Term shifted = fma(x, static_cast<double>(2 / pi), e.roundingShift());
  Term n = shifted - e.roundingShift();
  Split first = split(e, pi / 2);
  Split second = split(e, pi / 2 - first.hi);
  double third = static_cast<double>(pi / 2 - first.hi - second.hi);
  Term r = fma(n, -third, fma(n, -second.hi, fma(n, -first.hi, x)));
  return {r, bitsOf(shifted) - bitsOf(e.real(e.roundingShift()))};
}

static Turn reduceLarge(Term x) {
  Emitter &e = *x.emitter;
  mlir::Type i64 = e.builder.getI64Type(), f64 = e.builder.getF64Type();
  auto wide = [&](Term narrow) { return e.op<mlir::arith::ExtUIOp>(e.like(i64), narrow.value); };
  Term bits = bitsOf(x);
  Term mantissa = wide((bits & e.integer(0x7fffff)) | e.integer(0x800000));
  // |x| = mantissa 2^E. The window begins at bit E of 1/(2 pi), before which 32 zeros are put.
  Term exponent = shiftRightLogical(bits, 23) & e.integer(0xff);
  Term offset = exponent - 118.0;
  Term word = offset >> 5;
  Term shift = wide(offset & e.integer(31));
  Term words[4];
  for (int i = 0; i < 4; ++i) {
    auto entry = [&](int index) { return e.integer(i64, index == 0 ? 0 : int64_t(inverseTwoPi[index - 1])); };
    words[i] = entry(i);
    for (int index = 1; index <= 4; ++index)
      words[i] = select(equal(word, index), entry(index + i), words[i]);
  }
  Term mask = e.integer(i64, 0xffffffff);
  auto window = [&](int i) { return shiftRightLogical(((words[i] << 32) | words[i + 1]) << shift, 32); };
  Term low = mantissa * window(2);
  Term middle = mantissa * window(1) + shiftRightLogical(low, 32);
  Term high = mantissa * window(0) + shiftRightLogical(middle, 32);
  // A turn is 2^64; a quarter is rounded off, and the rest is signed.
  Term fraction = (high << 32) | (middle & mask);
  Term quarters = shiftRightLogical(fraction + e.integer(i64, int64_t(1) << 61), 62);
  Term rest = fraction - (quarters << 62);
  Term angle = e.op<mlir::arith::SIToFPOp>(e.like(f64), rest.value);
  Term unit = e.constant(f64, e.builder.getF64FloatAttr(static_cast<double>(2 * pi / 0x1p64L)));
  Term r = e.op<mlir::arith::TruncFOp>(e.shape, (angle * unit).value);
  Term quadrant = e.op<mlir::arith::TruncIOp>(e.like(e.intType()), quarters.value);
  Term negative = x < 0.0;
  return {select(negative, -r, r), select(negative, -quadrant, quadrant)};
}

static Turn reduce(Term x) {
  Term large = abs(x) > 0x1p17;
  Turn moderate = reduceModerate(x), far = reduceLarge(x);
  return {select(large, far.r, moderate.r), select(large, far.quadrant, moderate.quadrant)};
}

static Term sinOf(Term r) {
  Term square = r * r;
  return fma(r * square, polynomial(square, cSinF32), r);
}

static Term cosOf(Term r) {
  Term square = r * r;
  return fma(square * square, polynomial(square, cCosF32), fma(square, -0.5, 1.0));
}

/// sin of a turn: sin or cos of r by the quadrant's low bit, with the sign of its high bit.
static Term sinOfTurn(Term r, Term quadrant) {
  Emitter &e = *r.emitter;
  Term odd = equal(quadrant & e.integer(1), 1);
  Term value = select(odd, cosOf(r), sinOf(r));
  Term sign = (quadrant & e.integer(2)) << 30;
  return floatOf(bitsOf(value) ^ sign);
}

/// Infinity has no sine.
static Term finish(Term x, Term result) { return select(isFinite(x), result, x.emitter->notANumber()); }

Term math::emitSin(Term x) {
  Turn turn = reduce(x);
  return select(equal(x, 0.0), x, finish(x, sinOfTurn(turn.r, turn.quadrant)));
}

Term math::emitCos(Term x) {
  Turn turn = reduce(x);
  return finish(x, sinOfTurn(turn.r, turn.quadrant + 1.0));
}

Term math::emitTan(Term x) {
  Emitter &e = *x.emitter;
  Turn turn = reduce(x);
  Term odd = equal(turn.quadrant & e.integer(1), 1);
  Term s = sinOf(turn.r), c = cosOf(turn.r);
  Term result = select(odd, -c, s) / select(odd, s, c);
  return select(equal(x, 0.0), x, finish(x, result));
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// asin of s, given z = s^2 <= 1/4.
static Term asinOf(Term s, Term z) { return fma(s * z, polynomial(z, cAsinF32), s); }

/// value - a, for a multiple of pi in two parts.
static Term minus(long double value, Term a) {
  Split s = split(*a.emitter, value);
  return s.hi - (a - s.lo);
}

Term math::emitAsin(Term x) {
  Term a = abs(x);
  Term far = a > 0.5;
  Term z = select(far, (1.0 - a) * 0.5, a * a);
  Term p = asinOf(select(far, sqrt(z), a), z);
  return copysign(select(far, minus(pi / 2, p + p), p), x);
}

Term math::emitAcos(Term x) {
  Term a = abs(x);
  Term far = a > 0.5;
  Term z = select(far, (1.0 - a) * 0.5, a * a);
  Term p = asinOf(select(far, sqrt(z), a), z);
  Term twice = p + p;
  Term outer = select(x < 0.0, minus(pi, twice), twice);
  return select(far, outer, minus(pi / 2, copysign(p, x)));
}

static Term atanOf(Term y) {
  Term z = y * y;
  return fma(y * z, polynomial(z, cAtanF32), y);
}

Term math::emitAtan(Term x) {
  Term a = abs(x);
  Term far = a > 1.0;
  Term p = atanOf(select(far, 1.0 / a, a));
  return copysign(select(far, minus(pi / 2, p), p), x);
}

Term math::emitAtan2(Term y, Term x) {
  Emitter &e = *y.emitter;
  Term ay = abs(y), ax = abs(x);
  Term steep = ay > ax;
  Term quotient = select(steep, ax, ay) / select(steep, ay, ax);
  // 0/0 counts as 0, and infinity over infinity as 1.
  quotient = select(equal(ay, ax), select(equal(ay, 0.0), 0.0, e.real(1.0)), quotient);
  Term p = atanOf(quotient);
  p = select(steep, minus(pi / 2, p), p);
  Term left = logicalNot(equal(bitsOf(x) >> 31, 0.0));
  Term result = copysign(select(left, minus(pi, p), p), y);
  return select(isNaN(x) | isNaN(y), e.notANumber(), result);
}
