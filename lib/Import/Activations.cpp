// Activation functions, each spelled out in arith and math. GELU has an op of its own.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// The floating-point operand 0, or null after a failure.
static Value floatOperand(NodeImport &n) {
  return succeeded(n.expectFloat(n.operand(0), "operand #0")) ? n.operand(0) : Value();
}

/// `x > bound ? a : b`.
static Value whereAbove(NodeImport &n, Value x, double bound, Value a, Value b) {
  return n.select(n.compare(arith::CmpFPredicate::OGT, x, n.constantLike(x, bound)), a, b);
}

static Value scaled(NodeImport &n, Value x, double factor) { return n.mul(x, n.constantLike(x, factor)); }

/// exp(x) - 1.
static Value expMinusOne(NodeImport &n, Value x) {
  return n.sub(n.unary<math::ExpOp>(x), n.constantLike(x, 1));
}

/// max(0, min(1, alpha * x + beta)).
static Value hardSigmoid(NodeImport &n, Value x, double alpha, double beta) {
  Value line = n.add(scaled(n, x, alpha), n.constantLike(x, beta));
  return n.max(n.constantLike(x, 0), n.min(n.constantLike(x, 1), line));
}

static LogicalResult importRelu(NodeImport &n) {
  Value x = n.operand(0);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  return n.yield(n.max(x, n.constantLike(x, 0)));
}

static LogicalResult importLeakyRelu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 0.01);
  Value x = floatOperand(n);
  if (!x)
    return failure();
  return n.yield(
      n.select(n.compare(arith::CmpFPredicate::OLT, x, n.constantLike(x, 0)), scaled(n, x, alpha), x));
}

static LogicalResult importPRelu(NodeImport &n) {
  Value x = n.operand(0), slope = n.operand(1);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  if (n.opset < 7 && n.typeOf(slope).getNumElements() != 1)
    return n.fail("a slope of shape " + n.text(n.shapeOf(slope)) + " is not supported before opset 7");
  Value pair[] = {x, slope};
  if (failed(n.broadcastTogether(pair)))
    return failure();
  if (n.shapeOf(pair[0]) != n.shapeOf(x))
    return n.fail("its slope of shape " + n.text(n.shapeOf(slope)) + " does not broadcast to " +
                  n.text(n.shapeOf(x)));
  if (n.isUnsigned(0)) // never below zero
    return n.yield(x);
  Value zero = n.constantLike(x, 0);
  Value isNegative = n.isFloat(x) ? n.compare(arith::CmpFPredicate::OLT, x, zero)
                                  : n.compare(arith::CmpIPredicate::slt, x, zero);
  return n.yield(n.select(isNegative, n.mul(pair[1], x), x));
}

static LogicalResult importElu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1);
  Value x = floatOperand(n);
  if (!x)
    return failure();
  return n.yield(whereAbove(n, x, 0, x, scaled(n, expMinusOne(n, x), alpha)));
}

static LogicalResult importSelu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1.67326319217681884765625);
  double gamma = n.floatAttribute("gamma", 1.05070102214813232421875);
  Value x = floatOperand(n);
  if (!x)
    return failure();
  return n.yield(scaled(n, whereAbove(n, x, 0, x, scaled(n, expMinusOne(n, x), alpha)), gamma));
}

static LogicalResult importCelu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1);
  Value x = floatOperand(n);
  if (!x)
    return failure();
  if (alpha == 0)
    return n.fail("alpha is 0");
  Value negative = scaled(n, expMinusOne(n, n.div(x, n.constantLike(x, alpha))), alpha);
  return n.yield(whereAbove(n, x, 0, x, negative));
}

static LogicalResult importHardSigmoid(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 0.2), beta = n.floatAttribute("beta", 0.5);
  Value x = floatOperand(n);
  return x ? n.yield(hardSigmoid(n, x, alpha, beta)) : failure();
}

static LogicalResult importHardSwish(NodeImport &n) {
  Value x = floatOperand(n);
  return x ? n.yield(n.mul(x, hardSigmoid(n, x, 1.0 / 6, 0.5))) : failure();
}

static LogicalResult importSigmoid(NodeImport &n) {
  Value x = floatOperand(n);
  return x ? n.yield(n.sigmoid(x)) : failure();
}

/// x * sigmoid(alpha * x).
static Value swish(NodeImport &n, Value x, double alpha) {
  return n.mul(x, n.sigmoid(alpha == 1 ? x : scaled(n, x, alpha)));
}

static LogicalResult importSwish(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1);
  Value x = floatOperand(n);
  return x ? n.yield(swish(n, x, alpha)) : failure();
}

static LogicalResult importSwiGlu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1);
  Value gate = floatOperand(n), linear = n.operand(1);
  if (!gate || gate.getType() != linear.getType())
    return n.fail("its operands are " + n.text(n.operand(0).getType()) + " and " + n.text(linear.getType()) +
                  ", expected equal floats");
  return n.yield(n.mul(swish(n, gate, alpha), linear));
}

static LogicalResult importSoftplus(NodeImport &n) {
  Value x = floatOperand(n);
  return x ? n.yield(n.softplus(x)) : failure();
}

static LogicalResult importSoftsign(NodeImport &n) {
  Value x = floatOperand(n);
  return x ? n.yield(n.div(x, n.add(n.constantLike(x, 1), n.unary<math::AbsFOp>(x)))) : failure();
}

static LogicalResult importMish(NodeImport &n) {
  Value x = floatOperand(n);
  return x ? n.yield(n.mul(x, n.unary<math::TanhOp>(n.softplus(x)))) : failure();
}

static LogicalResult importThresholdedRelu(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1);
  Value x = floatOperand(n);
  return x ? n.yield(whereAbove(n, x, alpha, x, n.constantLike(x, 0))) : failure();
}

static LogicalResult importShrink(NodeImport &n) {
  double bias = n.floatAttribute("bias", 0), lambda = n.floatAttribute("lambd", 0.5);
  Value given = n.operand(0), x = given;
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  if (!n.isFloat(x)) // formed in a float that holds every integer of 32 bits, rounded back towards zero
    x = n.castTo(x, n.builder.getF64Type(), n.isUnsigned(0));
  Value below = n.compare(arith::CmpFPredicate::OLT, x, n.constantLike(x, -lambda));
  Value inner = n.select(below, n.add(x, n.constantLike(x, bias)), n.constantLike(x, 0));
  Value y = whereAbove(n, x, lambda, n.sub(x, n.constantLike(x, bias)), inner);
  return n.yield(n.castTo(y, n.elementOf(given), false, n.isUnsigned(0)));
}

static LogicalResult importGelu(NodeImport &n) {
  std::string form = n.stringAttribute("approximate", "none");
  Value x = floatOperand(n);
  if (!x)
    return failure();
  if (form != "none" && form != "tanh")
    return n.fail("approximate is '" + form + "', expected 'none' or 'tanh'");
  graph::GeluForm kind = form == "tanh" ? graph::GeluForm::Tanh : graph::GeluForm::Erf;
  return n.yield(n.create<graph::GeluOp>(x.getType(), x, kind));
}

/// One bound of Clip: operand `i`, or attribute `name` before opset 11; null when neither is there.
static LogicalResult clipBound(NodeImport &n, unsigned i, StringRef name, Value &bound) {
  Value x = n.operand(0);
  bound = nullptr;
  if (n.hasAttribute(name))
    bound = n.constantLike(x, n.floatAttribute(name, 0));
  if (!n.has(i))
    return success();
  if (n.typeOf(n.operand(i)).getNumElements() != 1)
    return n.fail("its " + name + " has shape " + n.text(n.shapeOf(n.operand(i))) + ", expected a scalar");
  if (failed(n.expectSameElements(x, n.operand(i))))
    return failure();
  bound = n.broadcast(n.reshape(n.operand(i), {}), n.shapeOf(x));
  return success();
}

static LogicalResult importClip(NodeImport &n) {
  Value low, high, x = n.operand(0);
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  if (failed(clipBound(n, 1, "min", low)) || failed(clipBound(n, 2, "max", high)))
    return failure();
  if (low)
    x = n.max(x, low, n.isUnsigned(0));
  if (high)
    x = n.min(x, high, n.isUnsigned(0));
  return n.yield(x);
}

void tilewright::onnx::addActivations(OperatorTable &table) {
  table["Relu"] = {importRelu, 1, 1};
  table["LeakyRelu"] = {importLeakyRelu, 1, 1};
  table["PRelu"] = {importPRelu, 2, 2, Signedness::Aware};
  table["Elu"] = {importElu, 1, 1};
  table["Selu"] = {importSelu, 1, 1};
  table["Celu"] = {importCelu, 1, 1};
  table["HardSigmoid"] = {importHardSigmoid, 1, 1};
  table["HardSwish"] = {importHardSwish, 1, 1};
  table["Sigmoid"] = {importSigmoid, 1, 1};
  table["Softplus"] = {importSoftplus, 1, 1};
  table["Softsign"] = {importSoftsign, 1, 1};
  table["Mish"] = {importMish, 1, 1};
  table["ThresholdedRelu"] = {importThresholdedRelu, 1, 1};
  table["Swish"] = {importSwish, 1, 1};
  table["SwiGLU"] = {importSwiGlu, 2, 2};
  table["Shrink"] = {importShrink, 1, 1, Signedness::Aware};
  table["Gelu"] = {importGelu, 1, 1};
  table["Clip"] = {importClip, 1, 3, Signedness::Aware};
}
