// tosa's constants and operators that move data. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;
using Dims = OpImport::Dims;

static LogicalResult importConst(OpImport &n) {
  return n.yieldConstant(cast<tosa::ConstOp>(n.op).getValues());
}

/// A shape is a tensor of integers, which those who take it find constant.
static LogicalResult importConstShape(OpImport &n) {
  return n.yield(
      arith::ConstantOp::create(n.builder, n.loc, graphConstant(cast<tosa::ConstShapeOp>(n.op).getValues())));
}

static LogicalResult importReshape(OpImport &n) { return n.yield(n.reshape(n.operand(0), n.resultShape())); }

static LogicalResult importTranspose(OpImport &n) {
  Dims permutation;
  for (int32_t dim : cast<tosa::TransposeOp>(n.op).getPerms())
    permutation.push_back(dim);
  return n.yield(n.transpose(n.operand(0), permutation));
}

static LogicalResult importReverse(OpImport &n) {
  Value x = n.operand(0);
  int64_t dim = cast<tosa::ReverseOp>(n.op).getAxis(), size = n.shapeOf(x)[dim];
  return n.yield(size == 0 ? x : n.sliceDim(x, dim, size - 1, size, -1));
}

static LogicalResult importSlice(OpImport &n) {
  auto op = cast<tosa::SliceOp>(n.op);
  std::optional<Dims> start = n.constantInts(op.getStart(), "start");
  if (!start)
    return failure();
  Value x = n.operand(0);
  for (auto [d, at] : llvm::enumerate(*start))
    if (at < 0 || at + n.resultShape()[d] > n.shapeOf(x)[d])
      return n.fail("its places from " + Twine(at) + " are outside dimension " + Twine(d) + " of " +
                    Twine(n.shapeOf(x)[d]));
  return n.yield(n.slice(x, *start, n.resultShape(), Dims(start->size(), 1)));
}

/// Repetitions are a dimension of their own, before the one that is repeated.
static LogicalResult importTile(OpImport &n) {
  Value x = n.operand(0);
  Dims ones, wide;
  for (auto [size, result] : llvm::zip(n.shapeOf(x), n.resultShape())) {
    llvm::append_values(ones, 1, size);
    llvm::append_values(wide, size ? result / size : 0, size);
  }
  return n.yield(n.reshape(n.broadcast(n.reshape(x, ones), wide), n.resultShape()));
}

static LogicalResult importConcat(OpImport &n) {
  SmallVector<Value> parts;
  for (Value part : n.op->getOperands())
    parts.push_back(n.value(part));
  return n.yield(n.concat(parts, cast<tosa::ConcatOp>(n.op).getAxis()));
}

/// The amounts of a dimension stand side by side: low, high, low, high, …
static LogicalResult importPad(OpImport &n) {
  auto op = cast<tosa::PadOp>(n.op);
  std::optional<Dims> amounts = n.constantInts(op.getPadding(), "padding");
  TypedAttr around = n.constantElement(op.getPadConst(), "value");
  if (!amounts || !around)
    return failure();
  Dims low, high;
  for (auto [i, amount] : llvm::enumerate(*amounts)) {
    if (amount < 0)
      return n.fail("padding " + Twine(amount) + " is negative");
    (i % 2 ? high : low).push_back(amount);
  }
  return n.yield(n.create<graph::PadOp>(n.resultType(), n.operand(0), low, high, around));
}

/// Rows of each batch: one table of all batches, in which the rows of batch b begin at b * K.
static LogicalResult importGather(OpImport &n) {
  Value table = n.operand(0), indices = n.operand(1);
  int64_t batches = n.shapeOf(table)[0], rows = n.shapeOf(table)[1], width = n.shapeOf(table)[2];
  if (batches > 1) {
    Value batch = n.iota(n.shapeOf(indices), 0, n.elementOf(indices));
    indices = n.add(n.mul(batch, n.constantLike(batch, (double)rows)), indices);
  }
  return n.yield(n.gather(n.reshape(table, {batches * rows, width}), indices, 0));
}

static LogicalResult importScatter(OpImport &n) {
  auto op = cast<tosa::ScatterOp>(n.op);
  return n.yield(n.create<graph::ScatterOp>(n.resultType(), n.value(op.getValuesIn()),
                                            n.value(op.getIndices()), n.value(op.getInput()),
                                            graph::ScatterKind::Set, 1));
}

void tilewright::upstream::addTosaMovement(HandlerTable &table) {
  table["tosa.concat"] = importConcat;
  table["tosa.const"] = importConst;
  table["tosa.const_shape"] = importConstShape;
  table["tosa.gather"] = importGather;
  table["tosa.pad"] = importPad;
  table["tosa.reshape"] = importReshape;
  table["tosa.reverse"] = importReverse;
  table["tosa.scatter"] = importScatter;
  table["tosa.slice"] = importSlice;
  table["tosa.tile"] = importTile;
  table["tosa.transpose"] = importTranspose;
}
