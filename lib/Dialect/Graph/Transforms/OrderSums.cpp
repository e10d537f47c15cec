// Sums in the order of their elements: each becomes a product with ones, whose sums over K are chains of
// fused multiply-adds from the first element to the last, and products are widened to what such chains are
// formed in. A chain of x * 1 + sum rounds as x + sum does. Products of elements, running and scattered sums
// and products are marked: their kernels take one element after the other. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHORDERSUMS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isRounded(Value value) { return isa<FloatType>(getElementTypeOrSelf(value)); }

/// What sums of `element` are formed in.
static FloatType sumType(Type element) {
  if (element.isF64())
    return Float64Type::get(element.getContext());
  return Float32Type::get(element.getContext());
}

static Value widened(OpBuilder &builder, Location loc, Value value) {
  return convertFloat(builder, loc, value, sumType(typeOf(value).getElementType()));
}

static Value reshaped(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value).clone(shape);
  return typeOf(value) == type ? value : ReshapeOp::create(builder, loc, type, value);
}

/// The operand in what sums are formed in: kept elements are rows, reduced ones are along them in the order
/// of memory.
static Value rowsOf(OpBuilder &builder, ReduceOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = typeOf(op.getInput());
  SmallVector<int64_t> order, shape;
  int64_t kept = 1, reduced = 1;
  for (bool isReduced : {false, true})
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (llvm::is_contained(op.getDims(), dim) == isReduced) {
        order.push_back(dim);
        shape.push_back(type.getDimSize(dim));
        (isReduced ? reduced : kept) *= type.getDimSize(dim);
      }
  Value rows = widened(builder, loc, op.getInput());
  if (!llvm::is_sorted(order))
    rows = TransposeOp::create(builder, loc, typeOf(rows).clone(shape), rows, order);
  return reshaped(builder, loc, rows, {kept, reduced});
}

static void replaceByRows(OpBuilder &builder, ReduceOp op, Value rows) {
  Value result = convertFloat(builder, op.getLoc(), rows, typeOf(op).getElementType());
  op.replaceAllUsesWith(reshaped(builder, op.getLoc(), result, typeOf(op).getShape()));
  op.erase();
}

/// A sum as a product.
static void orderSum(ReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value rows = rowsOf(builder, op);
  FloatType wide = cast<FloatType>(typeOf(rows).getElementType());
  int64_t kept = typeOf(rows).getDimSize(0), reduced = typeOf(rows).getDimSize(1);
  Value ones = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({reduced, 1}, wide), builder.getFloatAttr(wide, 1.0)));
  replaceByRows(builder, op,
                MatmulOp::create(builder, loc, RankedTensorType::get({kept, 1}, wide), rows, ones));
}

/// A product of elements, which no chain of multiply-adds forms: its kernel goes over the rows in order.
static void orderElements(ReduceOp op) {
  OpBuilder builder(op);
  Value rows = rowsOf(builder, op);
  auto type = RankedTensorType::get(typeOf(rows).getShape().take_front(), typeOf(rows).getElementType());
  auto reduce = ReduceOp::create(builder, op.getLoc(), type, rows, op.getKind(), ArrayRef<int64_t>{1});
  reduce->setAttr(kInOrderAttrName, builder.getUnitAttr());
  replaceByRows(builder, op, reduce);
}

static void orderProduct(MatmulOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value lhs = widened(builder, loc, op.getLhs()), rhs = widened(builder, loc, op.getRhs());
  Type wide = typeOf(lhs).getElementType();
  Value product = MatmulOp::create(builder, loc, typeOf(op).clone(wide), lhs, rhs, op.getGroups(),
                                   PrecisionAttr(), IntegerAttr());
  op.replaceAllUsesWith(convertFloat(builder, loc, product, typeOf(op).getElementType()));
  op.erase();
}

namespace {
struct OrderSums : tilewright::graph::impl::GraphOrderSumsBase<OrderSums> {
  void runOnOperation() override {
    SmallVector<ReduceOp> sums, elements;
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumOperands() == 0 || !isRounded(op->getOperand(0)))
        return;
      bool ordered = false;
      if (auto scan = dyn_cast<ScanOp>(op))
        ordered = scan.getKind() == ReduceKind::Sum || scan.getKind() == ReduceKind::Prod;
      if (auto scatter = dyn_cast<ScatterOp>(op))
        ordered = scatter.getKind() == ScatterKind::Add || scatter.getKind() == ScatterKind::Mul;
      if (ordered)
        op->setAttr(kInOrderAttrName, UnitAttr::get(&getContext()));
      if (auto reduce = dyn_cast<ReduceOp>(op); reduce && typeOf(reduce).getNumElements() > 0) {
        if (reduce.getKind() == ReduceKind::Prod)
          elements.push_back(reduce);
        if (reduce.getKind() == ReduceKind::Sum)
          sums.push_back(reduce);
      }
      if (auto matmul = dyn_cast<MatmulOp>(op))
        products.push_back(matmul);
    });
    llvm::for_each(sums, orderSum);
    llvm::for_each(elements, orderElements);
    llvm::for_each(products, orderProduct);
  }
};
} // namespace
