// f32 functions in the fewest instructions that keep a few ulps: the chip's approximations of 2^x, 1 / x and
// their kin where their relative error carries over to the result, polynomials where it would not. Their last
// bits are the chip's. Arguments are reduced as in Exponential.cpp and ErrorFunction.cpp. Bounds are in
// docs/Math.md.
#include "Functions.h"

#include "Coefficients.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::math;

static constexpr long double log2e = 1.44269504088896340735992468100189214L;

/// One of the chip's approximations, of a scalar or of each element of a vector.
template <typename Op, typename... Terms> static Term approximate(bool flush, Term x, Terms... rest) {
  Emitter &e = *x.emitter;
  auto one = [&](ArrayRef<Value> operands) -> Value {
    OperationState state(e.loc, Op::getOperationName(), operands, {e.element});
    if (flush)
      state.addAttribute("ftz", e.builder.getUnitAttr());
    return e.builder.create(state)->getResult(0);
  };
  auto vector = dyn_cast<VectorType>(e.shape);
  if (!vector)
    return e.wrap(one({x.value, rest.value...}));
  SmallVector<Value> elements;
  SmallVector<int64_t> strides = computeStrides(vector.getShape());
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> operands;
    for (Value operand : {x.value, rest.value...})
      operands.push_back(vector::ExtractOp::create(e.builder, e.loc, operand, delinearize(i, strides)));
    elements.push_back(one(operands));
  }
  return e.op<vector::FromElementsOp>(vector, elements);
}

/// 2^x; 0 where that is subnormal.
static Term powerOfTwo(Term x) { return approximate<ptx::Ex2Op>(true, x); }
/// 1 / x for a normal x; 0 where that is subnormal.
static Term reciprocal(Term x) { return approximate<ptx::RcpOp>(true, x); }

/// `x`, which is not negative, with the sign of `sign`: one instruction, of whatever type `sign` was widened
/// from. (LLVM takes the sign of a widened copysign from the narrow number, in six.)
static Term withSign(Term x, Term sign) {
  Term bits = bitsOf(sign);
  return floatOf((bits & sameType(bits, INT32_MIN)) | bitsOf(x));
}

/// Where e^x needs no reduction: what x log2 e loses to rounding is no more than 2^x loses.
static constexpr double kSmallExponent = 1.25;
/// Where n of x = n ln2 + r is an exponent of normal numbers.
static constexpr double kLeastExponent = -87, kLargestExponent = 88;
/// From where on 2^x is a normal number, whatever it is off by.
static constexpr double kLeastPower = -125;
/// From where on tanh and erf are one minus what vanishes.
static constexpr double kFarTanh = 0.55, kFarErf = 1;
/// From where on erfc is 0.
static constexpr double kMostErfc = 10.2;
/// Up to which 1 / y is no subnormal number.
static constexpr double kLargestDivisor = 0x1p126;

Term tilewright::math::chip::emitExp(Term x, FloatRange range) {
  Emitter &e = *x.emitter;
  if (range.isWithin(-kSmallExponent, kSmallExponent))
    return powerOfTwo(x * static_cast<double>(log2e));
  // The low bits of `shifted` are n + 127; n is bounded, not x: 2^(x log2e - n) takes what lies beyond.
  double shift = 0x1.8p23 + 127;
  Term shifted = fma(x, static_cast<double>(log2e), shift);
  if (range.least < kLeastExponent)
    shifted = e.op<arith::MaxNumFOp>(shifted.value, e.real(shift - 126).value);
  if (range.largest > kLargestExponent)
    shifted = e.op<arith::MinNumFOp>(shifted.value, e.real(shift + 127).value);
  Term n = shifted - shift;
  Split l = split(e, log2e);
  Term rest = fma(x, l.lo, fma(x, l.hi, -n));
  return powerOfTwo(rest) * floatOf(bitsOf(shifted) << 23);
}

Term tilewright::math::chip::emitExp2(Term x, FloatRange range) {
  return approximate<ptx::Ex2Op>(range.least >= kLeastPower, x);
}

Term tilewright::math::chip::emitTanh(Term x, FloatRange range) {
  Term a = range.isNotNegative() ? x : abs(x);
  Term square = a * a;
  Term near = fma(a * square, polynomial(square, cTanhF32), a);
  // 1 - 2 / (e^2a + 1)
  Term far = fma(reciprocal(powerOfTwo(a * static_cast<double>(2 * log2e)) + 1.0), -2.0, 1.0);
  Term result = select(a > kFarTanh, far, near);
  return range.isNotNegative() ? result : withSign(result, x);
}

Term tilewright::math::chip::emitOneAndTanh(Term x) {
  return reciprocal(fma(powerOfTwo(x * static_cast<double>(-2 * log2e)), 0.5, 0.5));
}

Term tilewright::math::chip::emitErf(Term x, FloatRange range) {
  Term a = range.isNotNegative() ? x : abs(x);
  Term near = fma(x, polynomial(x * x, cErfF32), x);
  if (range.isWithin(-kFarErf, kFarErf))
    return near;
  // 1 - exp(-P(a))
  Term bounded = select(a > 4.05, 4.05, a);
  Term far = 1.0 - powerOfTwo(polynomial(bounded, cErfTailF32) * static_cast<double>(-log2e));
  return select(a > kFarErf, range.isNotNegative() ? far : copysign(far, x), near);
}

Term tilewright::math::chip::emitErfc(Term x, FloatRange) {
  // exp(-a^2) / (1 + 2a) P((a - 4) / (a + 4)) for a = |x|, and 2 less that for x < 0.
  Term a = abs(x);
  a = select(a > kMostErfc, kMostErfc, a);
  Term square = a * a;
  Term rest = fma(a, a, -square);
  Term p = polynomial((a - 4.0) * reciprocal(a + 4.0), cErfcF32) * reciprocal(fma(a, 2.0, 1.0));
  p = fma(p, -rest, p);
  Term tail = p * chip::emitExp(-square, {-kMostErfc * kMostErfc, 0});
  return select(x < 0.0, 2.0 - tail, tail);
}

Term tilewright::math::chip::emitSqrt(Term x, FloatRange range) {
  return approximate<ptx::SqrtApproxOp>(range.isNormalAndPositive(), x);
}
Term tilewright::math::chip::emitRsqrt(Term x, FloatRange range) {
  return approximate<ptx::RsqrtOp>(range.isNormalAndPositive(), x);
}

Term tilewright::math::chip::emitLog(Term x, FloatRange range) {
  return logOf(x, range.isNormalAndPositive());
}

/// x / d by the reciprocal in two parts, as SharedDivisors.cpp has it; nothing where one is not normal.
static std::optional<Term> quotientByConstant(Term x, const APFloat &d) {
  APFloat high(1.0f);
  // Where it is exact there is no other part.
  if (high.divide(d, APFloat::rmTowardZero) == APFloat::opOK && high.isNormal())
    return x * static_cast<double>(high.convertToFloat());
  // (1 - high d) / d: the numerator has no more digits than a float.
  APFloat low(high);
  low.changeSign();
  low.fusedMultiplyAdd(d, APFloat(1.0f), APFloat::rmNearestTiesToEven);
  low.divide(d, APFloat::rmNearestTiesToEven);
  if (!high.isNormal() || !low.isNormal())
    return std::nullopt;
  return fma(x, static_cast<double>(high.convertToFloat()), x * static_cast<double>(low.convertToFloat()));
}

Term tilewright::math::chip::emitQuotient(Term x, Term y, FloatRange range) {
  FloatAttr::ValueType divisor(0.0f);
  if (matchPattern(y.value, m_ConstantFloat(&divisor)) && divisor.isNormal())
    if (std::optional<Term> quotient = quotientByConstant(x, divisor))
      return *quotient;
  if (range.isNormalAndPositive() && range.largest <= kLargestDivisor)
    return x * reciprocal(y);
  // A quarter of any number is small enough, and of one from 1 on large enough.
  if (range.least >= 1)
    return x * 0.25 * reciprocal(y * 0.25);
  if (matchPattern(x.value, m_OneFloat()))
    return approximate<ptx::RcpOp>(false, y);
  return approximate<ptx::DivFullOp>(false, x, y);
}
