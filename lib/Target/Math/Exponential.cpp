// exp and its kin. x = n ln2 + r with |r| <= ln2/2: n by adding and subtracting 1.5 * 2^mantissaBits, whose
// low bits are then n itself; r by two fused steps, the first of which is exact. e^r is 1 + r + r^2 P(r).
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

static constexpr long double ln2 = 0.693147180559945309417232121458176568L;
static constexpr long double log2e = 1.44269504088896340735992468100189214L;

/// x = n ln2 + r with r = rHi + rLo, where rHi is exact; n as integer and as float.
namespace {
struct Reduced {
  Term rHi, rLo, n, nFloat;
};
} // namespace

static Reduced reduce(Term x) {
  Emitter &e = *x.emitter;
  Term shifted = fma(x, static_cast<double>(log2e), e.roundingShift());
  Term nFloat = shifted - e.roundingShift();
  Term n = bitsOf(shifted) - bitsOf(e.real(e.roundingShift()));
  Split l = split(e, ln2);
  return {fma(nFloat, -l.hi, x), nFloat * -l.lo, n, nFloat};
}

/// e^r - 1, rounded where rHi joins the rest, and nowhere else that counts.
static Term expm1OfReduced(const Reduced &reduced, llvm::ArrayRef<double> coefficients) {
  Term r = reduced.rHi + reduced.rLo;
  return reduced.rHi + fma(r * r, polynomial(r, coefficients), reduced.rLo);
}

/// Beyond these e^x is 0 or infinite, and n still fits emitScale.
static Term clampExponent(Term x) {
  return clamp(x, x.emitter->pick(-104.5, -746.0), x.emitter->pick(89.5, 710.5));
}

/// 2^n for n within the exponents of normal numbers.
static Term powerOfTwo(Term n) {
  Emitter &e = *n.emitter;
  return floatOf((n + static_cast<double>(e.bias())) << e.mantissaBits());
}

Term math::emitScale(Term mantissa, Term exponent) {
  Term half = exponent >> 1;
  return mantissa * powerOfTwo(half) * powerOfTwo(exponent - half);
}

Scaled math::emitScaledExp(Term x) {
  Reduced reduced = reduce(clampExponent(x));
  return {expm1OfReduced(reduced, coefficients(*x.emitter, cExpF32, cExpF64)) + 1.0, reduced.n};
}

Term math::emitExp(Term x) {
  Scaled scaled = emitScaledExp(x);
  return emitScale(scaled.mantissa, scaled.exponent);
}

Term math::emitExp2(Term x) {
  Emitter &e = *x.emitter;
  x = clamp(x, e.pick(-151.0, -1076.0), e.pick(129.0, 1025.0));
  Term shifted = x + e.roundingShift();
  Term r = x - (shifted - e.roundingShift());
  Term n = bitsOf(shifted) - bitsOf(e.real(e.roundingShift()));
  return emitScale(fma(r, polynomial(r, coefficients(e, cExp2F32, cExp2F64)), 1.0), n);
}

Term math::emitExpm1(Term x) {
  Emitter &e = *x.emitter;
  // Below, the result is -1 to all digits; above, infinite.
  Reduced reduced = reduce(clamp(x, e.pick(-20.0, -40.0), e.pick(89.0, 710.0)));
  Term m = expm1OfReduced(reduced, coefficients(e, cExpm1F32, cExpm1F64));
  // 2^n m + (2^n - 1), halved so that 2^128 does not overflow.
  Term scale = powerOfTwo(reduced.n - 1.0);
  Term result = fma(m, scale, scale - 0.5) * 2.0;
  result = select(equal(reduced.nFloat, 0.0), m, result);
  return copysign(result, x);
}

Term math::emitSinh(Term x) {
  Term a = abs(x);
  Term m = emitExpm1(a);
  Term near = (m + m / (m + 1.0)) * 0.5;
  Scaled scaled = emitScaledExp(a);
  Term far = emitScale(scaled.mantissa, scaled.exponent - 1.0);
  return copysign(select(a > 22.0, far, near), x);
}

Term math::emitCosh(Term x) {
  Scaled scaled = emitScaledExp(abs(x));
  Term half = emitScale(scaled.mantissa, scaled.exponent - 1.0);
  return half + 0.25 / half;
}

Term math::emitTanh(Term x) {
  Term a = abs(x);
  Term square = a * a;
  Term near = fma(a * square, polynomial(square, coefficients(*x.emitter, cTanhF32, cTanhF64)), a);
  Term far = 1.0 - 2.0 / (emitExp(a + a) + 1.0);
  return copysign(select(a > 0.55, far, near), x);
}
