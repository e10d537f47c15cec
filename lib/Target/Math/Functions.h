// The functions of the expansion: each writes its result as float arithmetic. Bounds are in docs/Math.md.
#ifndef TILEWRIGHT_LIB_TARGET_MATH_FUNCTIONS_H
#define TILEWRIGHT_LIB_TARGET_MATH_FUNCTIONS_H

#include "Emitter.h"
#include "FloatRange.h"

namespace tilewright::math {

// Exponential.cpp
Term emitExp(Term x);
Term emitExp2(Term x);
Term emitExpm1(Term x);
Term emitSinh(Term x);
Term emitCosh(Term x);
Term emitTanh(Term x);

/// e^x as `mantissa` times 2^`exponent`, for factors that must join before the result is rounded.
struct Scaled {
  Term mantissa;
  Term exponent;
};
Scaled emitScaledExp(Term x);
/// mantissa * 2^exponent, rounded once, for exponents within twice the type's range.
Term emitScale(Term mantissa, Term exponent);

// Logarithm.cpp
Term emitLog(Term x);
/// The same; `isNormal`: x is known to be neither zero, subnormal nor negative.
Term logOf(Term x, bool isNormal);
Term emitLog2(Term x);
Term emitLog10(Term x);
Term emitLog1p(Term x);
Term emitAsinh(Term x);
Term emitAcosh(Term x);
Term emitAtanh(Term x);

/// x = mantissa * 2^exponent with the mantissa in [2/3, 4/3), for positive finite x; the exponent as integer.
Scaled emitSplitExponent(Term x, bool isNormal = false);

// ErrorFunction.cpp
Term emitErf(Term x);
Term emitErfc(Term x);

// Trigonometry.cpp (f32 alone)
Term emitSin(Term x);
Term emitCos(Term x);
Term emitTan(Term x);
Term emitAsin(Term x);
Term emitAcos(Term x);
Term emitAtan(Term x);
Term emitAtan2(Term y, Term x);

// ChipFunctions.cpp (f32 alone): a few ulps, with the chip's approximations; `range`: where x, or y of x / y,
// lies
namespace chip {
Term emitExp(Term x, FloatRange range);
Term emitExp2(Term x, FloatRange range);
Term emitTanh(Term x, FloatRange range);
/// 1 + tanh(x) with a relative error of 2^-17 wherever it is a normal number; 0 where it is less.
Term emitOneAndTanh(Term x);
Term emitErf(Term x, FloatRange range);
Term emitErfc(Term x, FloatRange range);
Term emitLog(Term x, FloatRange range);
Term emitSqrt(Term x, FloatRange range);
Term emitRsqrt(Term x, FloatRange range);
Term emitQuotient(Term x, Term y, FloatRange range);
} // namespace chip

// SharedDivisors.cpp (f32 alone)
/// Replaces quotients by a divisor that several share, or a loop, with products.
void divideBySharedDivisors(mlir::Operation *root);
/// Whether a user rounds it: a last bit is a whole step there.
bool isRoundedToInteger(mlir::Value quotient);

// Power.cpp
Term emitRsqrt(Term x);
Term emitCbrt(Term x);
Term emitPow(Term x, Term y);
/// x to an integer power; `n` is a signed integer of 32 bits or fewer.
Term emitPowInteger(Term x, Term n);

// Remainder.cpp (f32 alone)
/// x - y trunc(x / y), exactly.
Term emitRemainder(Term x, Term y);

} // namespace tilewright::math

#endif // TILEWRIGHT_LIB_TARGET_MATH_FUNCTIONS_H
