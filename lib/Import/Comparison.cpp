// Comparisons, logic and selection. Truth values are i1.

#include "NodeImport.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// A comparison by its predicates on floats, signed and unsigned integers.
template <arith::CmpFPredicate onFloats, arith::CmpIPredicate onSigned, arith::CmpIPredicate onUnsigned>
static LogicalResult importComparison(NodeImport &n) {
  Value pair[] = {n.operand(0), n.operand(1)};
  if (n.isUnsigned(0) != n.isUnsigned(1))
    return n.fail("its operands mix signed and unsigned integers");
  if (failed(n.broadcastTogether(pair)))
    return failure();
  if (n.isFloat(pair[0]))
    return n.yield(n.compare(onFloats, pair[0], pair[1]));
  bool isUnsigned = n.isUnsigned(0) || n.isBool(pair[0]);
  return n.yield(n.compare(isUnsigned ? onUnsigned : onSigned, pair[0], pair[1]));
}

template <typename Op> static LogicalResult importLogic(NodeImport &n) {
  Value pair[] = {n.operand(0), n.operand(1)};
  if (!n.isBool(pair[0]))
    return n.fail("operand #0 has element type " + n.text(n.elementOf(pair[0])) + ", expected booleans");
  if (failed(n.broadcastTogether(pair)))
    return failure();
  return n.yield(n.create<Op>(pair[0], pair[1]));
}

template <typename Op> static LogicalResult importBitwise(NodeImport &n) {
  Value pair[] = {n.operand(0), n.operand(1)};
  if (n.isFloat(pair[0]))
    return n.fail("operand #0 has element type " + n.text(n.elementOf(pair[0])) + ", expected integers");
  if (failed(n.broadcastTogether(pair)))
    return failure();
  return n.yield(n.create<Op>(pair[0], pair[1]));
}

static LogicalResult importNot(NodeImport &n) {
  Value x = n.operand(0);
  if (!n.isBool(x))
    return n.fail("operand #0 has element type " + n.text(n.elementOf(x)) + ", expected booleans");
  return n.yield(n.create<arith::XOrIOp>(x, n.constantLike(x, 1)));
}

static LogicalResult importBitwiseNot(NodeImport &n) {
  Value x = n.operand(0);
  if (n.isFloat(x))
    return n.fail("operand #0 has element type " + n.text(n.elementOf(x)) + ", expected integers");
  return n.yield(n.create<arith::XOrIOp>(x, n.constantLike(x, -1)));
}

static LogicalResult importWhere(NodeImport &n) {
  Value condition = n.operand(0), a = n.operand(1), b = n.operand(2);
  if (!n.isBool(condition))
    return n.fail("operand #0 has element type " + n.text(n.elementOf(condition)) + ", expected booleans");
  if (n.isUnsigned(1) != n.isUnsigned(2))
    return n.fail("its operands mix signed and unsigned integers");
  std::optional<NodeImport::Dims> shape = n.broadcastShape(n.shapeOf(a), n.shapeOf(b));
  if (!shape || failed(n.expectSameElements(a, b)) ||
      !(shape = n.broadcastShape(*shape, n.shapeOf(condition))) ||
      failed(n.expectSize(*shape, n.elementOf(a))))
    return failure();
  return n.yield(n.select(n.broadcast(condition, *shape), n.broadcast(a, *shape), n.broadcast(b, *shape)));
}

static LogicalResult importIsNaN(NodeImport &n) {
  Value x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  return n.yield(n.compare(arith::CmpFPredicate::UNO, x, x));
}

static LogicalResult importIsInf(NodeImport &n) {
  bool negative = n.intAttribute("detect_negative", 1), positive = n.intAttribute("detect_positive", 1);
  Value x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!negative && !positive)
    return n.yield(n.constant(n.shapeOf(x), n.builder.getI1Type(), 0));
  if (negative && positive)
    x = n.unary<math::AbsFOp>(x);
  return n.yield(n.compare(arith::CmpFPredicate::OEQ, x, n.constantLike(x, positive ? infinity : -infinity)));
}

void tilewright::onnx::addComparison(OperatorTable &table) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  table["Equal"] = {importComparison<F::OEQ, I::eq, I::eq>, 2, 2, Signedness::Aware};
  table["Less"] = {importComparison<F::OLT, I::slt, I::ult>, 2, 2, Signedness::Aware};
  table["LessOrEqual"] = {importComparison<F::OLE, I::sle, I::ule>, 2, 2, Signedness::Aware};
  table["Greater"] = {importComparison<F::OGT, I::sgt, I::ugt>, 2, 2, Signedness::Aware};
  table["GreaterOrEqual"] = {importComparison<F::OGE, I::sge, I::uge>, 2, 2, Signedness::Aware};
  table["And"] = {importLogic<arith::AndIOp>, 2, 2};
  table["Or"] = {importLogic<arith::OrIOp>, 2, 2};
  table["Xor"] = {importLogic<arith::XOrIOp>, 2, 2};
  table["Not"] = {importNot, 1, 1};
  table["BitwiseAnd"] = {importBitwise<arith::AndIOp>, 2, 2, Signedness::SameBits};
  table["BitwiseOr"] = {importBitwise<arith::OrIOp>, 2, 2, Signedness::SameBits};
  table["BitwiseXor"] = {importBitwise<arith::XOrIOp>, 2, 2, Signedness::SameBits};
  table["BitwiseNot"] = {importBitwiseNot, 1, 1, Signedness::SameBits};
  table["Where"] = {importWhere, 3, 3, Signedness::SameBits};
  table["IsNaN"] = {importIsNaN, 1, 1};
  table["IsInf"] = {importIsInf, 1, 1};
}
