// erf and erfc. Near 0 erf is x + x P(x^2). Beyond 1, f32 takes erf = 1 - exp(-P(a)) with P fitted to
// -log(erfc), whose errors erfc itself damps. erfc keeps its relative accuracy down to the least number:
// exp(-a^2) / (1 + 2a) P(q) with q = (a - 4) / (a + 4), a^2 in two parts, and the scale 2^n applied last.
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

/// erfc(a) for a >= 0.
static Term tail(Term a) {
  Emitter &e = *a.emitter;
  // Beyond, the result is 0.
  a = select(a > e.pick(10.2, 27.4), e.pick(10.2, 27.4), a);
  Term square = a * a;
  Term rest = fma(a, a, -square);
  Scaled scaled = emitScaledExp(-square);
  Term q = (a - 4.0) / (a + 4.0);
  Term p = polynomial(q, coefficients(e, cErfcF32, cErfcWideF64)) / fma(a, 2.0, 1.0);
  // exp(-rest) is 1 - rest: |rest| is below 2^-17.
  p = fma(p, -rest, p);
  return emitScale(scaled.mantissa * p, scaled.exponent);
}

static Term erfNearZero(Term x) {
  return fma(x, polynomial(x * x, coefficients(*x.emitter, cErfF32, cErfF64)), x);
}

Term math::emitErf(Term x) {
  Term a = abs(x);
  Term far;
  if (x.emitter->isDouble()) {
    far = 1.0 - tail(a);
  } else {
    Term bounded = select(a > 4.05, 4.05, a);
    far = 1.0 - emitExp(-polynomial(bounded, cErfTailF32));
  }
  return copysign(select(a > 1.0, far, erfNearZero(a)), x);
}

Term math::emitErfc(Term x) {
  Term a = abs(x);
  Term positive = tail(a);
  Term result = select(x < 0.0, 2.0 - positive, positive);
  // Around 0, where 1 - erf loses nothing.
  return select(a < 0.25, 1.0 - erfNearZero(x), result);
}
