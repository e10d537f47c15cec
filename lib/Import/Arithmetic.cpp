// Arithmetic operators: the four operations and their kin, powers, roots, elementary functions, casts.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

//===-- Operators of two operands --===//

/// Broadcasts operands 0 and 1 into `a` and `b` and refuses booleans.
static LogicalResult operandPair(NodeImport &n, Value &a, Value &b) {
  Value pair[] = {n.operand(0), n.operand(1)};
  if (n.isUnsigned(0) != n.isUnsigned(1))
    return n.fail("its operands mix signed and unsigned integers");
  if (failed(n.broadcastTogether(pair)))
    return failure();
  a = pair[0];
  b = pair[1];
  if (n.isBool(a))
    return n.fail("boolean operands are not supported");
  return success();
}

template <Value (GraphBuilder::*operation)(Value, Value)> static LogicalResult importPair(NodeImport &n) {
  Value a, b;
  if (failed(operandPair(n, a, b)))
    return failure();
  return n.yield((n.*operation)(a, b));
}

static LogicalResult importDiv(NodeImport &n) {
  Value a, b;
  if (failed(operandPair(n, a, b)))
    return failure();
  return n.yield(n.div(a, b, n.isUnsigned(0)));
}

/// The remainder with the divisor's sign, zeros included.
static Value flooredRemainder(NodeImport &n, Value a, Value b) {
  Value rest = n.remainder(a, b), zero = n.constantLike(a, 0);
  auto isNegative = [&](Value x) { return n.compare(arith::CmpFPredicate::OLT, x, zero); };
  Value isZero = n.compare(arith::CmpFPredicate::OEQ, rest, zero);
  Value differs = n.create<arith::XOrIOp>(isNegative(rest), isNegative(b));
  // An infinite divisor is the remainder itself where the signs differ, not infinity less a number.
  Value infinity = n.constantLike(b, std::numeric_limits<double>::infinity());
  Value isInfinite = n.compare(arith::CmpFPredicate::OEQ, n.unary<math::AbsFOp>(b), infinity);
  Value moved = n.select(isInfinite, b, n.add(rest, b));
  return n.select(isZero, n.create<math::CopySignOp>(rest, b), n.select(differs, moved, rest));
}

static LogicalResult importMod(NodeImport &n) {
  bool truncates = n.intAttribute("fmod", 0) != 0;
  Value a, b;
  if (failed(operandPair(n, a, b)))
    return failure();
  if (n.isFloat(a) && !truncates)
    return n.yield(flooredRemainder(n, a, b));
  Value rest = n.remainder(a, b, n.isUnsigned(0));
  if (truncates || n.isUnsigned(0))
    return n.yield(rest);
  // The result takes the divisor's sign: a rest of the other sign moves by one divisor.
  Value zero = n.constantLike(a, 0);
  Value differs = n.create<arith::XOrIOp>(n.compare(arith::CmpIPredicate::slt, rest, zero),
                                          n.compare(arith::CmpIPredicate::slt, b, zero));
  Value inexact = n.compare(arith::CmpIPredicate::ne, rest, zero);
  return n.yield(n.select(n.create<arith::AndIOp>(differs, inexact), n.add(rest, b), rest));
}

/// `x` to a small whole power by multiplication.
static Value wholePower(NodeImport &n, Value x, int64_t exponent) {
  if (exponent == 0)
    return n.constantLike(x, 1);
  Value power = x;
  for (int64_t i = 1; i < exponent; ++i)
    power = n.mul(power, x);
  return power;
}

/// `x` to the power of `exponent`, integers of one type, by squaring. A result that is no integer is 0; one
/// beyond the type is its low bits.
static Value integerPower(NodeImport &n, Value x, Value exponent, bool isUnsignedExponent) {
  Value zero = n.constantLike(x, 0), one = n.constantLike(x, 1);
  auto isBitSet = [&](Value of, int64_t bit) {
    Value masked = n.create<arith::AndIOp>(of, n.constantLike(of, (double)(int64_t(1) << bit)));
    return n.compare(arith::CmpIPredicate::ne, masked, zero);
  };
  // Beyond 63 only 0, 1 and -1 have powers that any type holds; for them the lowest bit decides.
  Value isLarge = n.compare(isUnsignedExponent ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt,
                            exponent, n.constantLike(x, 63));
  Value parity = n.select(isBitSet(exponent, 0), n.constantLike(x, 63), n.constantLike(x, 62));
  Value steps = n.select(isLarge, parity, exponent), power = one, square = x;
  for (int64_t bit = 0; bit < 6; ++bit) {
    power = n.select(isBitSet(steps, bit), n.mul(power, square), power);
    square = bit < 5 ? n.mul(square, square) : square;
  }
  if (isUnsignedExponent)
    return power;
  Value minus = n.constantLike(x, -1);
  Value ofMinusOne = n.select(isBitSet(exponent, 0), minus, one);
  Value inverse = n.select(n.compare(arith::CmpIPredicate::eq, x, one), one,
                           n.select(n.compare(arith::CmpIPredicate::eq, x, minus), ofMinusOne, zero));
  return n.select(n.compare(arith::CmpIPredicate::slt, exponent, zero), inverse, power);
}

static LogicalResult importPow(NodeImport &n) {
  Value x = n.operand(0), exponent = n.operand(1);
  if (n.isBool(x) || n.isBool(exponent))
    return n.fail("boolean operands are not supported");
  std::optional<NodeImport::Dims> shape = n.broadcastShape(n.shapeOf(x), n.shapeOf(exponent));
  if (!shape || failed(n.expectSize(*shape, n.elementOf(x))))
    return failure();
  DenseElementsAttr dense;
  if (matchPattern(exponent, m_Constant(&dense)) && dense.getNumElements() > 0 && dense.isSplat()) {
    std::optional<double> number = n.constantNumber(1, "exponent");
    if (!number)
      return failure();
    Value wide = n.broadcast(x, *shape);
    if (*number >= 0 && *number <= 4 && *number == (double)(int64_t)*number)
      return n.yield(wholePower(n, wide, (int64_t)*number));
    if (n.isFloat(x) && *number == 0.5)
      return n.yield(n.unary<math::SqrtOp>(wide));
    if (n.isFloat(x) && *number == -0.5)
      return n.yield(n.div(n.constantLike(wide, 1), n.unary<math::SqrtOp>(wide)));
    if (n.isFloat(x) && *number == -1)
      return n.yield(n.div(n.constantLike(wide, 1), wide));
  }
  Value base = n.broadcast(x, *shape), power = n.broadcast(exponent, *shape);
  if (!n.isFloat(x) && !n.isFloat(power)) {
    // An exponent of a wider type is clamped by the cast to what the base's type can count.
    Type element = n.elementOf(x);
    bool isUnsigned = n.isUnsigned(1);
    if (element.getIntOrFloatBitWidth() < n.elementOf(power).getIntOrFloatBitWidth()) {
      power = n.min(power, n.constantLike(power, 126), isUnsigned);
      if (!isUnsigned)
        power = n.max(power, n.constantLike(power, -127));
    }
    power = n.castTo(power, element, isUnsigned, isUnsigned);
    return n.yield(integerPower(n, base, power, isUnsigned));
  }
  if (!n.isFloat(x)) { // an integer to a real power: the power is formed in the exponent's type
    Value real = n.create<math::PowFOp>(n.castTo(base, n.elementOf(power), n.isUnsigned(0)), power);
    return n.yield(n.castTo(real, n.elementOf(x), false, n.isUnsigned(0)), n.isUnsigned(0));
  }
  return n.yield(n.create<math::PowFOp>(base, n.castTo(power, n.elementOf(x), n.isUnsigned(1))));
}

static LogicalResult importBitShift(NodeImport &n) {
  std::string direction = n.stringAttribute("direction", "");
  Value x, amount;
  if (failed(operandPair(n, x, amount)))
    return failure();
  if (n.isFloat(x) || (direction != "LEFT" && direction != "RIGHT"))
    return n.fail("a shift of " + n.text(n.elementOf(x)) + " with direction '" + direction +
                  "' is not supported");
  // Shifts of the width or more, undefined in arith, leave 0 or copies of the sign.
  unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
  Value isInside = n.compare(arith::CmpIPredicate::ult, amount, n.constantLike(amount, bits));
  Value zero = n.constantLike(x, 0), inside = n.select(isInside, amount, zero);
  if (direction == "LEFT")
    return n.yield(n.select(isInside, n.create<arith::ShLIOp>(x, inside), zero));
  if (n.isUnsigned(0))
    return n.yield(n.select(isInside, n.create<arith::ShRUIOp>(x, inside), zero));
  return n.yield(n.create<arith::ShRSIOp>(x, n.select(isInside, amount, n.constantLike(x, bits - 1))));
}

//===-- Operators of any number of operands --===//

template <Value (*combine)(NodeImport &, Value, Value)> static LogicalResult importMany(NodeImport &n) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    if (!n.has(i))
      return n.fail("operand #" + Twine(i) + " is missing");
    values.push_back(n.operand(i));
    if (n.isUnsigned(i) != n.isUnsigned(0))
      return n.fail("its operands mix signed and unsigned integers");
  }
  if (failed(n.broadcastTogether(values)))
    return failure();
  if (n.isBool(values.front()))
    return n.fail("boolean operands are not supported");
  Value total = values.front();
  for (Value value : ArrayRef(values).drop_front())
    total = combine(n, total, value);
  return n.yield(total);
}

static Value addTwo(NodeImport &n, Value a, Value b) { return n.add(a, b); }
static Value maxTwo(NodeImport &n, Value a, Value b) { return n.max(a, b, n.isUnsigned(0)); }
static Value minTwo(NodeImport &n, Value a, Value b) { return n.min(a, b, n.isUnsigned(0)); }

static LogicalResult importMean(NodeImport &n) {
  if (failed(n.expectFloat(n.operand(0), "operand #0")) || failed(importMany<addTwo>(n)))
    return failure();
  Value &sum = n.results.front().value;
  sum = n.div(sum, n.constantLike(sum, n.numOperands()));
  return success();
}

//===-- Operators of one operand --===//

template <typename Op> static LogicalResult importFloatFunction(NodeImport &n) {
  if (failed(n.expectFloat(n.operand(0), "operand #0")))
    return failure();
  return n.yield(n.unary<Op>(n.operand(0)));
}

static LogicalResult importNeg(NodeImport &n) {
  Value x = n.operand(0);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  return n.yield(n.isFloat(x) ? n.unary<arith::NegFOp>(x) : n.sub(n.constantLike(x, 0), x));
}

static LogicalResult importAbs(NodeImport &n) {
  Value x = n.operand(0);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  if (n.isUnsigned(0))
    return n.yield(x);
  return n.yield(n.isFloat(x) ? n.unary<math::AbsFOp>(x) : n.unary<math::AbsIOp>(x));
}

static LogicalResult importSign(NodeImport &n) {
  Value x = n.operand(0);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  Value zero = n.constantLike(x, 0), one = n.constantLike(x, 1), minus = n.constantLike(x, -1);
  if (n.isFloat(x)) // zeros and NaN are their own sign
    return n.yield(n.select(n.compare(arith::CmpFPredicate::OGT, x, zero), one,
                            n.select(n.compare(arith::CmpFPredicate::OLT, x, zero), minus, x)));
  if (n.isUnsigned(0))
    return n.yield(n.min(x, one, /*isUnsigned=*/true));
  return n.yield(n.min(n.max(x, minus), one));
}

static LogicalResult importReciprocal(NodeImport &n) {
  Value x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  return n.yield(n.div(n.constantLike(x, 1), x));
}

//===-- Casts --===//

/// `x` as an 8-bit float, at most the largest one where `saturates`; other types as castTo gives them.
static Value castSaturating(NodeImport &n, Value x, Type element, bool fromUnsigned, bool toUnsigned,
                            bool saturates) {
  if (!saturates || !isa<Float8E4M3FNType, Float8E5M2Type>(element) || n.elementOf(x) == element)
    return n.castTo(x, element, fromUnsigned, toUnsigned);
  if (n.isFloat(x) && n.elementOf(x).getIntOrFloatBitWidth() <= 32)
    x = n.castTo(x, n.builder.getF32Type());
  else if (!n.isFloat(x))
    x = n.castTo(x, n.builder.getF32Type(), fromUnsigned);
  double largest = isa<Float8E4M3FNType>(element) ? 448 : 57344;
  Value clamped = n.min(n.max(x, n.constantLike(x, -largest)), n.constantLike(x, largest));
  return n.castTo(clamped, element);
}

static LogicalResult importCast(NodeImport &n) {
  n.ignoreAttributes({"round_mode"}); // of casts to 8-bit scales only
  bool saturates = n.intAttribute("saturate", 1);
  bool isUnsigned;
  int64_t to = n.intAttribute("to", 0);
  Type element = elementType(n.builder.getContext(), (int32_t)to, isUnsigned);
  if (!element)
    return n.fail("casts to " + dataTypeName((int32_t)to) + " are not supported");
  return n.yield(castSaturating(n, n.operand(0), element, n.isUnsigned(0), isUnsigned, saturates),
                 isUnsigned);
}

static LogicalResult importCastLike(NodeImport &n) {
  n.ignoreAttributes({"round_mode"});
  bool saturates = n.intAttribute("saturate", 1);
  return n.yield(
      castSaturating(n, n.operand(0), n.elementOf(n.operand(1)), n.isUnsigned(0), n.isUnsigned(1), saturates),
      n.isUnsigned(1));
}

static LogicalResult importBitCast(NodeImport &n) {
  bool isUnsigned;
  int64_t to = n.intAttribute("to", 0);
  Type element = elementType(n.builder.getContext(), (int32_t)to, isUnsigned);
  Value x = n.operand(0);
  if (!element || element.isInteger(1) || n.isBool(x))
    return n.fail("reinterpretation of " + n.text(n.elementOf(x)) + " as " + dataTypeName((int32_t)to) +
                  " is not supported");
  if (element.getIntOrFloatBitWidth() != n.elementOf(x).getIntOrFloatBitWidth())
    return n.fail(n.text(n.elementOf(x)) + " and " + n.text(element) + " differ in width");
  if (element == n.elementOf(x))
    return n.yield(x, isUnsigned);
  return n.yield(n.create<arith::BitcastOp>(RankedTensorType::get(n.shapeOf(x), element), x), isUnsigned);
}

void tilewright::onnx::addArithmetic(OperatorTable &table) {
  table["Add"] = {importPair<&GraphBuilder::add>, 2, 2, Signedness::SameBits};
  table["Sub"] = {importPair<&GraphBuilder::sub>, 2, 2, Signedness::SameBits};
  table["Mul"] = {importPair<&GraphBuilder::mul>, 2, 2, Signedness::SameBits};
  table["Div"] = {importDiv, 2, 2, Signedness::Aware};
  table["Mod"] = {importMod, 2, 2, Signedness::Aware};
  table["BitShift"] = {importBitShift, 2, 2, Signedness::Aware};
  table["Pow"] = {importPow, 2, 2, Signedness::Aware};
  table["Sum"] = {importMany<addTwo>, 1, kVariadic, Signedness::SameBits};
  table["Mean"] = {importMean, 1, kVariadic};
  table["Max"] = {importMany<maxTwo>, 1, kVariadic, Signedness::Aware};
  table["Min"] = {importMany<minTwo>, 1, kVariadic, Signedness::Aware};

  table["Neg"] = {importNeg, 1, 1, Signedness::SameBits};
  table["Abs"] = {importAbs, 1, 1, Signedness::Aware};
  table["Sign"] = {importSign, 1, 1, Signedness::Aware};
  table["Reciprocal"] = {importReciprocal, 1, 1};
  table["Sqrt"] = {importFloatFunction<math::SqrtOp>, 1, 1};
  table["Exp"] = {importFloatFunction<math::ExpOp>, 1, 1};
  table["Log"] = {importFloatFunction<math::LogOp>, 1, 1};
  table["Erf"] = {importFloatFunction<math::ErfOp>, 1, 1};
  table["Tanh"] = {importFloatFunction<math::TanhOp>, 1, 1};
  table["Sin"] = {importFloatFunction<math::SinOp>, 1, 1};
  table["Cos"] = {importFloatFunction<math::CosOp>, 1, 1};
  table["Tan"] = {importFloatFunction<math::TanOp>, 1, 1};
  table["Asin"] = {importFloatFunction<math::AsinOp>, 1, 1};
  table["Acos"] = {importFloatFunction<math::AcosOp>, 1, 1};
  table["Atan"] = {importFloatFunction<math::AtanOp>, 1, 1};
  table["Sinh"] = {importFloatFunction<math::SinhOp>, 1, 1};
  table["Cosh"] = {importFloatFunction<math::CoshOp>, 1, 1};
  table["Asinh"] = {importFloatFunction<math::AsinhOp>, 1, 1};
  table["Acosh"] = {importFloatFunction<math::AcoshOp>, 1, 1};
  table["Atanh"] = {importFloatFunction<math::AtanhOp>, 1, 1};
  table["Floor"] = {importFloatFunction<math::FloorOp>, 1, 1};
  table["Ceil"] = {importFloatFunction<math::CeilOp>, 1, 1};
  table["Round"] = {importFloatFunction<math::RoundEvenOp>, 1, 1}; // halves go to the even neighbour

  table["Cast"] = {importCast, 1, 1, Signedness::Aware};
  table["BitCast"] = {importBitCast, 1, 1, Signedness::Aware};
  table["CastLike"] = {importCastLike, 2, 2, Signedness::Aware};
}
