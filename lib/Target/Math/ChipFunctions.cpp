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

/// Neither zero, subnormal nor negative: a sum that holds a normal constant and nothing below zero.
static bool isNormalAndPositive(Value value) {
  auto isConstant = [](Value operand) {
    FloatAttr::ValueType constant(0.0f);
    return matchPattern(operand, m_ConstantFloat(&constant)) && constant.isNormal() && !constant.isNegative();
  };
  auto isNotNegative = [](Value operand) {
    if (auto product = operand.getDefiningOp<arith::MulFOp>())
      return product.getLhs() == product.getRhs();
    return operand.getDefiningOp<::mlir::math::AbsFOp>() != nullptr;
  };
  auto sum = value.getDefiningOp<arith::AddFOp>();
  return sum && ((isConstant(sum.getLhs()) && isNotNegative(sum.getRhs())) ||
                 (isConstant(sum.getRhs()) && isNotNegative(sum.getLhs())));
}

Term tilewright::math::chip::emitExp(Term x) {
  Emitter &e = *x.emitter;
  // The low bits of `shifted` are n + 127; n is bounded, not x: 2^(x log2e - n) takes what lies beyond.
  double shift = 0x1.8p23 + 127;
  Term shifted = fma(x, static_cast<double>(log2e), shift);
  shifted = e.op<arith::MaxNumFOp>(shifted.value, e.real(shift - 126).value);
  shifted = e.op<arith::MinNumFOp>(shifted.value, e.real(shift + 127).value);
  Term n = shifted - shift;
  Split l = split(e, log2e);
  Term rest = fma(x, l.lo, fma(x, l.hi, -n));
  return powerOfTwo(rest) * floatOf(bitsOf(shifted) << 23);
}

Term tilewright::math::chip::emitExp2(Term x) { return approximate<ptx::Ex2Op>(false, x); }

Term tilewright::math::chip::emitTanh(Term x) {
  Term a = abs(x);
  Term square = a * a;
  Term near = fma(a * square, polynomial(square, cTanhF32), a);
  // 1 - 2 / (e^2a + 1)
  Term far = fma(reciprocal(powerOfTwo(a * static_cast<double>(2 * log2e)) + 1.0), -2.0, 1.0);
  return copysign(select(a > 0.55, far, near), x);
}

Term tilewright::math::chip::emitErf(Term x) {
  Term a = abs(x);
  Term near = fma(x, polynomial(x * x, cErfF32), x);
  // 1 - exp(-P(a))
  Term bounded = select(a > 4.05, 4.05, a);
  Term far = 1.0 - powerOfTwo(polynomial(bounded, cErfTailF32) * static_cast<double>(-log2e));
  return select(a > 1.0, copysign(far, x), near);
}

Term tilewright::math::chip::emitErfc(Term x) {
  // exp(-a^2) / (1 + 2a) P((a - 4) / (a + 4)) for a = |x|, and 2 less that for x < 0.
  Term a = abs(x);
  a = select(a > 10.2, 10.2, a);
  Term square = a * a;
  Term rest = fma(a, a, -square);
  Term p = polynomial((a - 4.0) * reciprocal(a + 4.0), cErfcF32) * reciprocal(fma(a, 2.0, 1.0));
  p = fma(p, -rest, p);
  Term tail = p * chip::emitExp(-square);
  return select(x < 0.0, 2.0 - tail, tail);
}

Term tilewright::math::chip::emitSqrt(Term x) {
  return approximate<ptx::SqrtApproxOp>(isNormalAndPositive(x.value), x);
}
Term tilewright::math::chip::emitRsqrt(Term x) {
  return approximate<ptx::RsqrtOp>(isNormalAndPositive(x.value), x);
}

Term tilewright::math::chip::emitLog(Term x) { return logOf(x, isNormalAndPositive(x.value)); }

Term tilewright::math::chip::emitQuotient(Term x, Term y) {
  FloatAttr::ValueType divisor(0.0f), one(0.0f);
  if (matchPattern(y.value, m_ConstantFloat(&divisor)) && divisor.isNormal()) {
    APFloat inverse(1.0f);
    inverse.divide(divisor, APFloat::rmNearestTiesToEven);
    if (inverse.isNormal())
      return x * static_cast<double>(inverse.convertToFloat());
  }
  if (matchPattern(x.value, m_OneFloat()))
    return approximate<ptx::RcpOp>(false, y);
  return approximate<ptx::DivFullOp>(false, x, y);
}
