// Arithmetic operators: the four operations and their kin, powers, roots, elementary functions, casts.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

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

template <Value (NodeImport::*operation)(Value, Value)> static LogicalResult importPair(NodeImport &n) {
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

static LogicalResult importMod(NodeImport &n) {
  bool truncates = n.intAttribute("fmod", 0) != 0;
  Value a, b;
  if (failed(operandPair(n, a, b)))
    return failure();
  if (n.isFloat(a))
    return truncates ? n.yield(n.create<arith::RemFOp>(a, b))
                     : n.fail("fmod is 0 for floating-point operands");
  if (n.isUnsigned(0))
    return n.yield(n.create<arith::RemUIOp>(a, b));
  Value rest = n.create<arith::RemSIOp>(a, b);
  if (truncates)
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
  if (!n.isFloat(x))
    return n.fail("an integer base needs a constant exponent from 0 to 4");
  if (n.isUnsigned(1))
    return n.fail("unsigned exponents are not supported");
  Value power = n.castTo(exponent, n.elementOf(x));
  return n.yield(n.create<math::PowFOp>(n.broadcast(x, *shape), n.broadcast(power, *shape)));
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
  return n.yield(n.min(n.max(x, minus), one));
}

static LogicalResult importReciprocal(NodeImport &n) {
  Value x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  return n.yield(n.div(n.constantLike(x, 1), x));
}

//===-- Casts --===//

static LogicalResult importCast(NodeImport &n) {
  n.ignoreAttributes({"saturate"}); // of casts to 8-bit floats only
  bool isUnsigned;
  int64_t to = n.intAttribute("to", 0);
  Type element = elementType(n.builder.getContext(), (int32_t)to, isUnsigned);
  if (!element)
    return n.fail("casts to " + dataTypeName((int32_t)to) + " are not supported");
  return n.yield(n.castTo(n.operand(0), element, n.isUnsigned(0), isUnsigned), isUnsigned);
}

static LogicalResult importCastLike(NodeImport &n) {
  n.ignoreAttributes({"saturate"});
  return n.yield(n.castTo(n.operand(0), n.elementOf(n.operand(1)), n.isUnsigned(0), n.isUnsigned(1)),
                 n.isUnsigned(1));
}

void tilewright::onnx::addArithmetic(OperatorTable &table) {
  table["Add"] = {importPair<&NodeImport::add>, 2, 2, Signedness::SameBits};
  table["Sub"] = {importPair<&NodeImport::sub>, 2, 2, Signedness::SameBits};
  table["Mul"] = {importPair<&NodeImport::mul>, 2, 2, Signedness::SameBits};
  table["Div"] = {importDiv, 2, 2, Signedness::Aware};
  table["Mod"] = {importMod, 2, 2, Signedness::Aware};
  table["Pow"] = {importPow, 2, 2};
  table["Sum"] = {importMany<addTwo>, 1, kVariadic};
  table["Mean"] = {importMean, 1, kVariadic};
  table["Max"] = {importMany<maxTwo>, 1, kVariadic, Signedness::Aware};
  table["Min"] = {importMany<minTwo>, 1, kVariadic, Signedness::Aware};

  table["Neg"] = {importNeg, 1, 1};
  table["Abs"] = {importAbs, 1, 1, Signedness::Aware};
  table["Sign"] = {importSign, 1, 1};
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
  table["CastLike"] = {importCastLike, 2, 2, Signedness::Aware};
}
