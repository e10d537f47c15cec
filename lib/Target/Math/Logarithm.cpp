// log and its kin. x = m 2^e with m in [2/3, 4/3), so that numbers near 1 have e = 0 and nothing cancels; log
// m by a polynomial in f = m - 1 (f32), or by the series in f / (2 + f) (f64).
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

static constexpr long double ln2 = 0.693147180559945309417232121458176568L;

/// The bits of 2/3: subtracted, they leave the exponent of x / m in the upper bits.
static Term exponentBits(Term bits) { return bits - bitsOf(bits.emitter->real(2.0 / 3.0)); }

Scaled math::emitSplitExponent(Term x, bool isNormal) {
  Emitter &e = *x.emitter;
  if (isNormal) {
    Term bits = bitsOf(x);
    Term exponent = exponentBits(bits) >> e.mantissaBits();
    return {floatOf(bits - (exponent << e.mantissaBits())), exponent};
  }
  // Numbers below the least normal are scaled up by 2^(mantissaBits + 1) first.
  int up = e.mantissaBits() + 1;
  Term small = x < e.leastNormal();
  Term bits = bitsOf(select(small, x * std::ldexp(1.0, up), x));
  Term exponent = exponentBits(bits) >> e.mantissaBits();
  Term mantissa = floatOf(bits - (exponent << e.mantissaBits()));
  return {mantissa, exponent + select(small, e.integer(-up), e.integer(0))};
}

/// log(1 + f) for f in [-1/3, 1/3].
static Term logNearOne(Term f) {
  if (!f.emitter->isDouble()) {
    Term q = fma(f, polynomial(f, cLogF32), -0.5);
    return fma(f * f, q, f);
  }
  // With s = f / (2 + f): log = 2 s + s R and 2 s = f - s f, hence f - s (f - R), where f is exact.
  Term s = f / (f + 2.0);
  Term z = s * s;
  return f - s * (f - z * polynomial(z, cAtanhLogF64));
}

/// What a logarithm of `x` is where `result` does not hold: x <= 0, infinite, not a number.
static Term finishLog(Term x, Term result, bool isNormal = false) {
  Emitter &e = *x.emitter;
  // As bits without a sign, all of them but 0 are at least infinity. x inf + inf is infinite for infinity,
  // and not a number for those below 0 and those that are none.
  Term beyond =
      e.op<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::uge, bitsOf(x).value, bitsOf(e.infinity()).value);
  result = select(beyond, fma(x, e.infinity(), e.infinity()), result);
  return isNormal ? result : select(equal(x, 0.0), -e.infinity(), result);
}

Term math::logOf(Term x, bool isNormal) {
  Scaled scaled = emitSplitExponent(x, isNormal);
  Term n = toFloat(scaled.exponent);
  Split l = split(*x.emitter, ln2);
  return finishLog(x, fma(n, l.hi, fma(n, l.lo, logNearOne(scaled.mantissa - 1.0))), isNormal);
}

Term math::emitLog(Term x) { return logOf(x, false); }

Term math::emitLog2(Term x) {
  Scaled scaled = emitSplitExponent(x);
  Term log = logNearOne(scaled.mantissa - 1.0);
  Split l = split(*x.emitter, 1.44269504088896340735992468100189214L);
  return finishLog(x, fma(log, l.hi, fma(log, l.lo, toFloat(scaled.exponent))));
}

Term math::emitLog10(Term x) {
  Scaled scaled = emitSplitExponent(x);
  Term n = toFloat(scaled.exponent);
  Term log = logNearOne(scaled.mantissa - 1.0);
  Split ten = split(*x.emitter, 0.434294481903251827651128918916605082L);
  Split two = split(*x.emitter, 0.301029995663981195213738894724493027L);
  return finishLog(x, fma(n, two.hi, fma(log, ten.hi, fma(log, ten.lo, n * two.lo))));
}

/// log(1 + x) for x >= -1, without care for the sign of zero.
static Term logOnePlus(Term x) {
  Emitter &e = *x.emitter;
  // u = 1 + x gives the exponent n; f = (1 + x) 2^-n - 1 is then one fused step away from x itself.
  Term u = x + 1.0;
  Term bits = bitsOf(u);
  Term n = exponentBits(bits) >> e.mantissaBits();
  Term nBits = n << e.mantissaBits();
  Term scale = floatOf(bitsOf(e.real(1.0)) - nBits);
  Term exact = fma(x, scale, scale - 1.0);
  // For large x the scale would underflow, and 1 + x is x.
  Term f = select(x > std::ldexp(1.0, e.mantissaBits() + 2), floatOf(bits - nBits) - 1.0, exact);
  Term nFloat = toFloat(n);
  Split l = split(e, ln2);
  return finishLog(u, fma(nFloat, l.hi, fma(nFloat, l.lo, logNearOne(f))));
}

Term math::emitLog1p(Term x) {
  Term result = logOnePlus(x);
  return select(equal(x, 0.0), x, result);
}

Term math::emitAsinh(Term x) {
  Emitter &e = *x.emitter;
  Term a = abs(x);
  Term square = a * a;
  Term near = logOnePlus(a + square / (sqrt(square + 1.0) + 1.0));
  Term far = emitLog(a) + static_cast<double>(ln2);
  return copysign(select(a > std::ldexp(1.0, e.mantissaBits() / 2 + 4), far, near), x);
}

Term math::emitAcosh(Term x) {
  Emitter &e = *x.emitter;
  Term t = x - 1.0;
  Term near = logOnePlus(t + sqrt(fma(t, t, t + t)));
  Term far = emitLog(x) + static_cast<double>(ln2);
  Term result = select(x > std::ldexp(1.0, e.mantissaBits() / 2 + 4), far, near);
  return select(x < 1.0, e.notANumber(), result);
}

Term math::emitAtanh(Term x) {
  Term a = abs(x);
  return copysign(logOnePlus((a + a) / (1.0 - a)) * 0.5, x);
}
