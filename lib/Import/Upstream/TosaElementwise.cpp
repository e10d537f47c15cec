// tosa's elementwise operators: operands of one rank broadcast along dimensions of size 1. Where TOSA 1.0 and
// upstream's lowering say what happens at the edges (casts out of range, shifts that round, NaN), so does
// this. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

//===-- One operand -------------------------------------------------------------------------------------===//

static LogicalResult importIdentity(OpImport &n) { return n.yield(n.operand(0)); }

/// A function of floats.
template <typename Op> static LogicalResult importFloat(OpImport &n) {
  if (!n.isFloat(n.operand(0)))
    return n.fail("its elements are " + n.text(n.elementOf(n.operand(0))) + ", expected floats");
  return n.yield(n.unary<Op>(n.operand(0)));
}

static LogicalResult importAbs(OpImport &n) {
  Value x = n.operand(0);
  return n.yield(n.isFloat(x) ? n.unary<math::AbsFOp>(x) : n.unary<math::AbsIOp>(x));
}

static LogicalResult importSigmoid(OpImport &n) {
  if (!n.isFloat(n.operand(0)))
    return n.fail("its elements are " + n.text(n.elementOf(n.operand(0))) + ", expected floats");
  return n.yield(n.sigmoid(n.operand(0)));
}

static LogicalResult importReciprocal(OpImport &n) {
  if (!n.isFloat(n.operand(0)))
    return n.fail("its elements are " + n.text(n.elementOf(n.operand(0))) + ", expected floats");
  return n.yield(n.div(n.constantLike(n.operand(0), 1), n.operand(0)));
}

static LogicalResult importNot(OpImport &n) {
  Value x = n.operand(0);
  return n.yield(n.create<arith::XOrIOp>(x, n.constantLike(x, n.isBool(x) ? 1 : -1)));
}

/// Leading zeros: the bits below the highest one are set in steps, and what is left is counted.
static LogicalResult importClz(OpImport &n) {
  return n.yield(n.create<math::CountLeadingZerosOp>(n.operand(0)));
}

/// Integers are negated about their zero points, and stay in their type's range.
static LogicalResult importNegate(OpImport &n) {
  auto op = cast<tosa::NegateOp>(n.op);
  Value x = n.operand(0);
  if (n.isFloat(x))
    return n.yield(n.unary<arith::NegFOp>(x));
  TypedAttr in = n.constantElement(op.getInput1Zp(), "input zero point"),
            out = n.constantElement(op.getOutputZp(), "output zero point");
  if (!in || !out)
    return failure();
  int64_t zero = cast<IntegerAttr>(in).getInt() + cast<IntegerAttr>(out).getInt();
  unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
  if (zero == 0)
    return n.yield(n.sub(n.constantLike(x, 0), x));
  if (bits > 32)
    return n.fail("zero points of " + Twine(bits) + "-bit integers are not supported");
  Value wide = n.castTo(x, n.builder.getI64Type());
  Value negative = n.sub(n.constantLike(wide, (double)zero), wide);
  double bound = (double)(int64_t(1) << (bits - 1));
  negative = n.min(n.max(negative, n.constantLike(wide, -bound)), n.constantLike(wide, bound - 1));
  return n.yield(n.castTo(negative, n.elementOf(x)));
}

static LogicalResult importClamp(OpImport &n) {
  auto op = cast<tosa::ClampOp>(n.op);
  Value x = n.operand(0);
  auto bound = [&](Attribute attr) -> Value {
    return arith::ConstantOp::create(n.builder, n.loc,
                                     DenseElementsAttr::get(cast<RankedTensorType>(x.getType()), attr));
  };
  auto matches = [&](TypedAttr attr) { return attr.getType() == n.elementOf(x); };
  auto low = cast<TypedAttr>(op.getMinVal()), high = cast<TypedAttr>(op.getMaxVal());
  if (!matches(low) || !matches(high))
    return n.fail("its bounds are " + n.text(low.getType()) + ", its elements " + n.text(n.elementOf(x)));
  Value clamped = n.min(n.max(x, bound(low)), bound(high));
  if (n.isFloat(x) && op.getNanMode() == tosa::NanPropagationMode::IGNORE) // NaN becomes the lower bound
    clamped = n.select(n.compare(arith::CmpFPredicate::UNO, x, x), bound(low), clamped);
  return n.yield(clamped);
}

/// Floats become the nearest integer, ties to even, within the integers' range; NaN becomes 0.
static LogicalResult importCast(OpImport &n) {
  Value x = n.operand(0);
  Type element = n.resultType().getElementType();
  if (n.isFloat(x) && isa<IntegerType>(element) && !element.isInteger(1))
    x = n.unary<math::RoundEvenOp>(x);
  return n.yield(n.castTo(x, element));
}

//===-- Two operands ------------------------------------------------------------------------------------===//

/// A builder of two values in the result's shape.
template <Value (GraphBuilder::*operation)(Value, Value)> static LogicalResult importPair(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  return n.yield((n.*operation)(x[0], x[1]));
}

template <typename Op> static LogicalResult importBits(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  return n.yield(n.create<Op>(x[0], x[1]));
}

/// The extreme of two; with nan_mode IGNORE the other operand where one is NaN.
template <typename Op, bool max> static LogicalResult importExtreme(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  Value extreme = max ? n.max(x[0], x[1]) : n.min(x[0], x[1]);
  if (n.isFloat(x[0]) && cast<Op>(n.op).getNanMode() == tosa::NanPropagationMode::IGNORE) {
    auto isNaN = [&](Value v) { return n.compare(arith::CmpFPredicate::UNO, v, v); };
    extreme = n.select(isNaN(x[0]), x[1], n.select(isNaN(x[1]), x[0], extreme));
  }
  return n.yield(extreme);
}

template <arith::CmpFPredicate floats, arith::CmpIPredicate ints>
static LogicalResult importCompare(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  return n.yield(n.isFloat(x[0]) ? n.compare(floats, x[0], x[1]) : n.compare(ints, x[0], x[1]));
}

static LogicalResult importPow(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  if (!n.isFloat(x[0]))
    return n.fail("its elements are " + n.text(n.elementOf(x[0])) + ", expected floats");
  return n.yield(n.create<math::PowFOp>(x[0], x[1]));
}

static LogicalResult importIntDiv(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  return n.yield(n.div(x[0], x[1]));
}

/// Products of narrow integers are 32 bits wide. With a shift, a 64-bit product is divided by its power of
/// two and rounded to the nearest, halves upwards.
static LogicalResult importMul(OpImport &n) {
  auto op = cast<tosa::MulOp>(n.op);
  Type element = n.resultType().getElementType();
  Value a = n.broadcast(n.operand(0), n.resultShape()), b = n.broadcast(n.operand(1), n.resultShape());
  if (n.isFloat(a))
    return n.yield(n.mul(a, b));
  std::optional<OpImport::Dims> shift = n.constantInts(op.getShift(), "shift");
  if (!shift)
    return failure();
  if (shift->front() < 0 || shift->front() > 62)
    return n.fail("shift " + Twine(shift->front()) + " is outside [0, 62]");
  if (shift->front() == 0)
    return n.yield(n.mul(n.castTo(a, element), n.castTo(b, element)));
  Type i64 = n.builder.getI64Type();
  Value product = n.mul(n.castTo(a, i64), n.castTo(b, i64));
  Value half = n.constantLike(product, (double)(int64_t(1) << (shift->front() - 1)));
  Value places = n.constantLike(product, (double)shift->front());
  return n.yield(n.castTo(n.create<arith::ShRSIOp>(n.add(product, half), places), element));
}

/// With `round`, the last bit that is shifted out is added.
static LogicalResult importShiftRight(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  Value shifted = n.create<arith::ShRSIOp>(x[0], x[1]);
  if (!cast<tosa::ArithmeticRightShiftOp>(n.op).getRound())
    return n.yield(shifted);
  Value one = n.constantLike(x[1], 1), zero = n.constantLike(x[1], 0);
  Value isShift = n.compare(arith::CmpIPredicate::sgt, x[1], zero);
  Value before = n.select(isShift, n.sub(x[1], one), zero);
  Value last = n.create<arith::AndIOp>(n.create<arith::ShRSIOp>(x[0], before), one);
  return n.yield(n.add(shifted, n.select(isShift, last, zero)));
}

static LogicalResult importSelect(OpImport &n) {
  SmallVector<Value> x = n.operandsInResultShape();
  return n.yield(n.select(x[0], x[1], x[2]));
}

void tilewright::upstream::addTosaElementwise(HandlerTable &table) {
  table["tosa.abs"] = importAbs;
  table["tosa.add"] = importPair<&GraphBuilder::add>;
  table["tosa.arithmetic_right_shift"] = importShiftRight;
  table["tosa.bitwise_and"] = importBits<arith::AndIOp>;
  table["tosa.bitwise_not"] = importNot;
  table["tosa.bitwise_or"] = importBits<arith::OrIOp>;
  table["tosa.bitwise_xor"] = importBits<arith::XOrIOp>;
  table["tosa.cast"] = importCast;
  table["tosa.ceil"] = importFloat<math::CeilOp>;
  table["tosa.clamp"] = importClamp;
  table["tosa.clz"] = importClz;
  table["tosa.cos"] = importFloat<math::CosOp>;
  table["tosa.equal"] = importCompare<arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq>;
  table["tosa.erf"] = importFloat<math::ErfOp>;
  table["tosa.exp"] = importFloat<math::ExpOp>;
  table["tosa.floor"] = importFloat<math::FloorOp>;
  table["tosa.greater"] = importCompare<arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt>;
  table["tosa.greater_equal"] = importCompare<arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge>;
  table["tosa.identity"] = importIdentity;
  table["tosa.intdiv"] = importIntDiv;
  table["tosa.log"] = importFloat<math::LogOp>;
  table["tosa.logical_and"] = importBits<arith::AndIOp>;
  table["tosa.logical_left_shift"] = importBits<arith::ShLIOp>;
  table["tosa.logical_not"] = importNot;
  table["tosa.logical_or"] = importBits<arith::OrIOp>;
  table["tosa.logical_right_shift"] = importBits<arith::ShRUIOp>;
  table["tosa.logical_xor"] = importBits<arith::XOrIOp>;
  table["tosa.maximum"] = importExtreme<tosa::MaximumOp, true>;
  table["tosa.minimum"] = importExtreme<tosa::MinimumOp, false>;
  table["tosa.mul"] = importMul;
  table["tosa.negate"] = importNegate;
  table["tosa.pow"] = importPow;
  table["tosa.reciprocal"] = importReciprocal;
  table["tosa.rsqrt"] = importFloat<math::RsqrtOp>;
  table["tosa.select"] = importSelect;
  table["tosa.sigmoid"] = importSigmoid;
  table["tosa.sin"] = importFloat<math::SinOp>;
  table["tosa.sub"] = importPair<&GraphBuilder::sub>;
  table["tosa.tanh"] = importFloat<math::TanhOp>;
}
