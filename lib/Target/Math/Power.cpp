// Powers and roots. pow is 2^(y log2 x) with log2 x to about twice the type's digits: u = (m - 1) / (m + 1),
// its square and cube, the first term of the series and the product with y are each kept in two parts, high
// and low.
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

namespace {
/// A value as the unevaluated sum of two.
struct Pair {
  Term hi, lo;
};
} // namespace

/// hi + lo with |a| >= |b|, exactly.
static Pair fastSum(Term a, Term b) {
  Term hi = a + b;
  return {hi, b - (hi - a)};
}

/// a * b; the product of the low parts is left out.
static Pair product(Pair a, Pair b) {
  Term hi = a.hi * b.hi;
  Term lo = fma(a.hi, b.hi, -hi) + fma(a.hi, b.lo, a.lo * b.hi);
  return {hi, lo};
}

static Pair constantPair(Emitter &e, long double value) {
  Split s = split(e, value);
  return {e.real(s.hi), e.real(s.lo)};
}

/// log2 of a positive finite number.
static Pair logTwo(Term x) {
  Emitter &e = *x.emitter;
  Scaled scaled = emitSplitExponent(x);
  Term m = scaled.mantissa;
  Term d = m - 1.0;
  Term s = m + 1.0;
  Term sLow = m - (s - 1.0);
  Pair u;
  u.hi = d / s;
  u.lo = fma(-u.hi, sLow, fma(-u.hi, s, d)) / s;
  Pair z = product(u, u);
  // log m = 2u + u z (2/3 + z P(z))
  Pair third = constantPair(e, 2.0L / 3.0L);
  Term rest = fma(z.hi, polynomial(z.hi, coefficients(e, cPowLogF32, cPowLogF64)), third.lo);
  Pair cubic = product(u, product(z, fastSum(third.hi, rest)));
  Pair log = fastSum(u.hi + u.hi, cubic.hi);
  log.lo = log.lo + (u.lo + u.lo + cubic.lo);
  Pair log2 = product(log, constantPair(e, 1.44269504088896340735992468100189214L));
  Pair sum = fastSum(toFloat(scaled.exponent), log2.hi);
  sum.lo = sum.lo + log2.lo;
  return sum;
}

/// 2^(p.hi + p.lo)
static Term expTwo(Pair p) {
  Emitter &e = *p.hi.emitter;
  // Beyond, the result is 0 or infinite, and the low part may be large.
  double limit = e.pick(160.0, 1100.0);
  Term hi = clamp(p.hi, -limit, limit);
  Term lo = select(abs(p.hi) > limit, 0.0, p.lo);
  Term shifted = hi + e.roundingShift();
  Term r = (hi - (shifted - e.roundingShift())) + lo;
  Term n = bitsOf(shifted) - bitsOf(e.real(e.roundingShift()));
  return emitScale(fma(r, polynomial(r, coefficients(e, cExp2F32, cExp2F64)), 1.0), n);
}

/// |x|^y and IEEE's special cases, for y = yHi + yLo; `isInteger` and `isOdd` are about y.
static Term power(Term x, Term yHi, Term yLo, Term isInteger, Term isOdd) {
  Emitter &e = *x.emitter;
  Term a = abs(x);
  Pair log = logTwo(a);
  // Larger exponents overflow or underflow all the same, and infinity would make the low part NaN.
  Term y = clamp(yHi, e.pick(-0x1p33, -0x1p66), e.pick(0x1p33, 0x1p66));
  Pair p;
  p.hi = y * log.hi;
  p.lo = fma(y, log.hi, -p.hi) + fma(y, log.lo, yLo * log.hi);
  Term result = expTwo(p);

  Term zero = e.real(0.0), infinity = e.infinity();
  Term grows = yHi > 0.0;
  result = select(equal(a, 0.0), select(grows, zero, infinity), result);
  result = select(equal(a, infinity), select(grows, infinity, zero), result);
  Term negative = bitsOf(x) >> (e.mantissaBits() + (e.isDouble() ? 11 : 8));
  Term isNegative = logicalNot(equal(negative, 0.0));
  result = select(isNegative & isOdd, -result, result);
  Term outside = (x < 0.0) & isFinite(x) & logicalNot(isInteger);
  result = select(outside, e.notANumber(), result);
  result = select(isNaN(x) | isNaN(yHi), e.notANumber(), result);
  return select(equal(yHi, 0.0) | equal(x, 1.0), 1.0, result);
}

Term math::emitPow(Term x, Term y) {
  Term isInteger = equal(floor(y), y);
  Term half = y * 0.5;
  Term isOdd = isInteger & logicalNot(equal(floor(half), half));
  return power(x, y, x.emitter->real(0.0), isInteger, isOdd);
}

Term math::emitPowInteger(Term x, Term n) {
  Term isOdd = equal(n & sameType(n, 1), 1.0);
  Term always = equal(n, n);
  // Up to 32 bits: the high half and the low half are exact, and so is their first sum when it is rounded.
  Term low = n & sameType(n, 255);
  Term high = n - low;
  Pair y = fastSum(toFloat(high), toFloat(low));
  return power(x, y.hi, y.lo, always, isOdd);
}

Term math::emitRsqrt(Term x) { return 1.0 / sqrt(x); }

Term math::emitCbrt(Term x) {
  Emitter &e = *x.emitter;
  Term a = abs(x);
  // Cubes that lift subnormals into the normal range and keep 3 x finite.
  Term small = a < e.leastNormal(), large = a > 0x1p60;
  Term scaled = a * select(small, 0x1p54, select(large, 0x1p-54, e.real(1.0)));
  // A third of the exponent, from the bits; the constant makes up for the bias (2/3 of it, less a little).
  Term bits = bitsOf(scaled) / 3.0;
  double third = e.pick(709952000.0, 3071306043645493248.0);
  Term y = floatOf(bits + third);
  // Halley's step triples the digits: y <- y (y^3 + 2 x) / (2 y^3 + x), here as y less a correction.
  int steps = e.isDouble() ? 3 : 2;
  for (int step = 0; step < steps; ++step) {
    Term square = y * y;
    Term squareLow = fma(y, y, -square);
    Term residual = fma(square, y, -scaled) + squareLow * y;
    y = y - y * (residual / fma(square, y + y, scaled));
  }
  y = y * select(small, 0x1p-18, select(large, 0x1p18, e.real(1.0)));
  // 0, infinity and not a number are their own roots.
  Term ordinary = isFinite(x) & logicalNot(equal(x, 0.0));
  return select(ordinary, copysign(y, x), x + x);
}
