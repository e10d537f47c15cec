// graph-resolve-counts and graph-mask-padding: programs of shape buckets compute on true elements alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Padding.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHMASKPADDING
#define GEN_PASS_DEF_GRAPHRESOLVECOUNTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Whether some dimension of the function's arguments belongs to a bucket.
static bool isBucketed(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgAttrOfType<ArrayAttr>(i, "graph.symbols"))
      return true;
  return false;
}

//===-- Masks -------------------------------------------------------------------------------------------===//

namespace {
struct GraphMaskPadding : tilewright::graph::impl::GraphMaskPaddingBase<GraphMaskPadding> {
  void runOnOperation() override {
    auto mask = [&](OpOperand &operand, ArrayRef<PaddedDim> dims, TypedAttr identity) {
      Operation *op = operand.getOwner();
      OpBuilder builder(op);
      SmallVector<Attribute> within;
      for (const PaddedDim &dim : dims)
        within.push_back(dim.within(op->getContext()));
      operand.set(MaskOp::create(builder, op->getLoc(), operand.get().getType(), operand.get(),
                                 builder.getArrayAttr(within), identity));
      ++masks;
    };
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (isBucketed(func) && failed(PaddingTracker(mask).run(func)))
        return signalPassFailure();
  }
};
} // namespace

//===-- Counts ------------------------------------------------------------------------------------------===//

/// The number of true elements along the dims of `op`, as a tensor of its result's type.
static FailureOr<Value> countOf(CountOp op, const Padding &padding) {
  auto from = cast<RankedTensorType>(op.getInput().getType());
  auto type = cast<RankedTensorType>(op.getType());
  OpBuilder builder(op);
  Location loc = op.getLoc();
  double fixed = 1;
  for (int64_t dim : op.getDims())
    fixed *= (double)from.getDimSize(dim);
  auto counted = [&](int64_t d) { return llvm::is_contained(op.getDims(), d); };
  Value count;
  auto integers = type.clone(builder.getI32Type());
  for (const PaddedDim &dim : padding.dims) {
    if (!dim.touches(counted))
      continue;
    if (dim.parts.size() != 1 || dim.parts[0].weight != 1)
      return op.emitError() << "dimension \"" << dim.symbol
                            << "\" cannot be bucketed: elements are counted along a part of it";
    fixed /= (double)dim.parts[0].extent;
    Value length = TrueLengthOp::create(builder, loc, integers, dim.symbol, dim.limit);
    if (dim.base)
      length = arith::SubIOp::create(builder, loc, length, splat(builder, loc, integers, (double)dim.base));
    Value number = arith::SIToFPOp::create(builder, loc, type, length);
    count = count ? arith::MulFOp::create(builder, loc, count, number).getResult() : number;
  }
  if (!count)
    return splat(builder, loc, type, fixed);
  if (fixed != 1)
    count = arith::MulFOp::create(builder, loc, count, splat(builder, loc, type, fixed));
  return count;
}

namespace {
struct GraphResolveCounts : tilewright::graph::impl::GraphResolveCountsBase<GraphResolveCounts> {
  void runOnOperation() override {
    SmallVector<CountOp> resolved;
    auto resolve = [&](Operation *op, PaddingTracker &tracker) -> LogicalResult {
      auto count = dyn_cast<CountOp>(op);
      if (!count)
        return success();
      FailureOr<Value> value = countOf(count, tracker.of(count.getInput()));
      if (failed(value))
        return failure();
      count.getResult().replaceAllUsesWith(*value);
      resolved.push_back(count);
      return success();
    };
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      resolved.clear();
      // Without counts, what cannot be followed yet may still be raised to what can.
      if (func.getOps<CountOp>().empty())
        continue;
      if (failed(PaddingTracker([](OpOperand &, ArrayRef<PaddedDim>, TypedAttr) {}, resolve).run(func)))
        return signalPassFailure();
      for (CountOp op : resolved)
        op.erase();
    }
  }
};
} // namespace
