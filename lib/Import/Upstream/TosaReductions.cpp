// tosa's reductions, which keep the reduced dimension, and its matrix product. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;
using graph::ReduceKind;

template <typename Op, ReduceKind kind> static LogicalResult importReduce(OpImport &n) {
  return n.yield(n.reduce(kind, n.operand(0), {(int64_t)cast<Op>(n.op).getAxis()}, /*keepDims=*/true));
}

/// With nan_mode IGNORE, NaN is left out; of nothing but NaN the result is NaN.
template <typename Op, ReduceKind kind> static LogicalResult importExtreme(OpImport &n) {
  auto op = cast<Op>(n.op);
  Value x = n.operand(0);
  int64_t axis = op.getAxis();
  if (!n.isFloat(x) || op.getNanMode() == tosa::NanPropagationMode::PROPAGATE)
    return n.yield(n.reduce(kind, x, {axis}, /*keepDims=*/true));
  Value isNaN = n.compare(arith::CmpFPredicate::UNO, x, x);
  double least = std::numeric_limits<double>::infinity() * (kind == ReduceKind::Max ? -1 : 1);
  Value extreme = n.reduce(kind, n.select(isNaN, n.constantLike(x, least), x), {axis}, true);
  Value isNumber = n.castTo(n.compare(arith::CmpFPredicate::ORD, x, x), n.builder.getI32Type());
  Value numbers = n.reduce(ReduceKind::Sum, isNumber, {axis}, true);
  Value none = n.compare(arith::CmpIPredicate::eq, numbers, n.constantLike(numbers, 0));
  return n.yield(n.select(none, n.constantLike(extreme, std::numeric_limits<double>::quiet_NaN()), extreme));
}

/// Truth is counted: any of them is true when the count is not 0, all when none is false.
template <typename Op, bool any> static LogicalResult importTruth(OpImport &n) {
  Value x = n.operand(0);
  if (!any)
    x = n.create<arith::XOrIOp>(x, n.constantLike(x, 1));
  Value count = n.reduce(ReduceKind::Sum, n.castTo(x, n.builder.getI32Type()),
                         {(int64_t)cast<Op>(n.op).getAxis()}, /*keepDims=*/true);
  return n.yield(
      n.compare(any ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq, count, n.constantLike(count, 0)));
}

static LogicalResult importArgMax(OpImport &n) {
  auto op = cast<tosa::ArgMaxOp>(n.op);
  Type element = n.resultType().getElementType();
  if (n.isFloat(n.operand(0)) && op.getNanMode() == tosa::NanPropagationMode::IGNORE)
    return n.fail("nan_mode IGNORE is not supported");
  if (!element.isInteger(32) && !element.isInteger(64))
    return n.fail("its result has elements " + n.text(element) + ", expected i32 or i64");
  return n.yield(n.create<graph::ArgReduceOp>(n.resultType(), n.operand(0), ReduceKind::Max, op.getAxis(),
                                              /*last=*/false));
}

/// Integers are 32 bits wide once a zero point is subtracted.
static LogicalResult importMatMul(OpImport &n) {
  auto op = cast<tosa::MatMulOp>(n.op);
  Value a = n.value(op.getA()), b = n.value(op.getB());
  Type result = n.resultType().getElementType();
  if (n.elementOf(a) != n.elementOf(b))
    return n.fail("its operands have elements " + n.text(n.elementOf(a)) + " and " + n.text(n.elementOf(b)));
  if (!n.isZero(op.getAZp()) || !n.isZero(op.getBZp())) {
    if (n.isFloat(a))
      return n.fail("zero points of floats are 0");
    auto centred = [&](Value x, Value zero) {
      Value wide = n.castTo(x, result);
      return n.sub(wide, n.broadcast(n.reshape(n.castTo(n.value(zero), result), {}), n.shapeOf(wide)));
    };
    a = centred(a, op.getAZp());
    b = centred(b, op.getBZp());
  } else if (!n.isFloat(a) && !n.elementOf(a).isInteger(8)) {
    a = n.castTo(a, result), b = n.castTo(b, result);
  }
  return n.yield(n.create<graph::MatmulOp>(n.resultType(), a, b));
}

void tilewright::upstream::addTosaReductions(HandlerTable &table) {
  table["tosa.argmax"] = importArgMax;
  table["tosa.matmul"] = importMatMul;
  table["tosa.reduce_all"] = importTruth<tosa::ReduceAllOp, false>;
  table["tosa.reduce_any"] = importTruth<tosa::ReduceAnyOp, true>;
  table["tosa.reduce_max"] = importExtreme<tosa::ReduceMaxOp, ReduceKind::Max>;
  table["tosa.reduce_min"] = importExtreme<tosa::ReduceMinOp, ReduceKind::Min>;
  table["tosa.reduce_product"] = importReduce<tosa::ReduceProductOp, ReduceKind::Prod>;
  table["tosa.reduce_sum"] = importReduce<tosa::ReduceSumOp, ReduceKind::Sum>;
}
