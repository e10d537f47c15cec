// graph-decompose-masks: a mask becomes indices, true lengths, comparisons and a select.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHDECOMPOSEMASKS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Positions of the elements of `type` in a bucket's dimension.
static Value position(OpBuilder &builder, Location loc, RankedTensorType type, WithinAttr within) {
  ArrayRef<int64_t> parts = within.getParts();
  Value sum;
  auto number = [&](int64_t value) { return splat(builder, loc, type, (double)value); };
  for (size_t p = 0; p < parts.size(); p += 4) {
    int64_t dim = parts[p], inner = parts[p + 1], extent = parts[p + 2], weight = parts[p + 3];
    Value digit = IotaOp::create(builder, loc, type, builder.getI64IntegerAttr(dim));
    if (inner != 1)
      digit = arith::DivUIOp::create(builder, loc, digit, number(inner));
    if (inner * extent != type.getDimSize(dim))
      digit = arith::RemUIOp::create(builder, loc, digit, number(extent));
    if (weight != 1)
      digit = arith::MulIOp::create(builder, loc, digit, number(weight));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, digit).getResult() : digit;
  }
  if (within.getBase() != 0)
    sum = arith::AddIOp::create(builder, loc, sum, number(within.getBase()));
  return sum;
}

static void decompose(MaskOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  auto integers = type.clone(builder.getI32Type());
  Value inside;
  for (WithinAttr within : op.getWithin().getAsRange<WithinAttr>()) {
    Value at = position(builder, loc, integers, within);
    Value length = TrueLengthOp::create(builder, loc, integers, within.getSymbol(), INT32_MAX);
    Value isTrue = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, at, length);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, isTrue).getResult() : isTrue;
  }
  Value otherwise = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, op.getOtherwise()));
  Value chosen = arith::SelectOp::create(builder, loc, inside, op.getInput(), otherwise);
  op.getResult().replaceAllUsesWith(chosen);
  op.erase();
}

namespace {
struct GraphDecomposeMasks : tilewright::graph::impl::GraphDecomposeMasksBase<GraphDecomposeMasks> {
  void runOnOperation() override {
    SmallVector<MaskOp> masks;
    getOperation()->walk([&](MaskOp op) { masks.push_back(op); });
    for (MaskOp op : masks)
      decompose(op);
  }
};
} // namespace
