// Transposes and reshapes as values; see Movement.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

DenseElementsAttr tilewright::graph::splatOf(Value value) {
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat() ? attr : DenseElementsAttr();
}

bool tilewright::graph::isTensorElementwise(Operation *op) {
  if (!op || !isElementwise(op) || op->getNumRegions() != 0)
    return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return result && llvm::all_of(op->getOperands(), [&](Value operand) {
           auto type = dyn_cast<RankedTensorType>(operand.getType());
           return type && type.getShape() == result.getShape();
         });
}

Value tilewright::graph::rebuildElementwise(OpBuilder &builder, Operation *op, ArrayRef<Value> operands) {
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(typeOf(op->getResult(0)).clone(typeOf(operands[0]).getShape()));
  return clone->getResult(0);
}

std::optional<Movement> Movement::of(Operation *op) {
  if (!isa<TransposeOp, ReshapeOp>(op))
    return std::nullopt;
  Movement move(op->getLoc());
  move.from = llvm::to_vector(typeOf(op->getOperand(0)).getShape());
  move.to = llvm::to_vector(typeOf(op->getResult(0)).getShape());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    move.permutation = llvm::to_vector(transpose.getPermutation());
  return move;
}

bool Movement::isSame(const Movement &other) const {
  return from == other.from && to == other.to && permutation == other.permutation;
}

bool Movement::undoes(const Movement &inner) const {
  return composesWith(inner) && to == inner.from && permutation == inner.inverse().permutation;
}

Movement Movement::inverse() const {
  Movement result(loc);
  result.from = to;
  result.to = from;
  result.permutation.resize(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result.permutation[dim] = i;
  return result;
}

/// For each dimension of `from`, the dimension of `to` that it is in row-major order, or -1 where a reshape
/// merges or splits it: dimensions are grouped into the shortest runs of equal size.
static SmallVector<int64_t> matchDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> match(from.size(), -1);
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    int64_t left = from[i++], right = to[j++];
    while (left != right && (left < right ? i < from.size() : j < to.size()))
      left < right ? left *= from[i++] : right *= to[j++];
    if (left != right)
      return match;
    // Alone but for unit dimensions on either side.
    auto wide = [](ArrayRef<int64_t> shape, size_t first, size_t last) {
      SmallVector<size_t> dims;
      for (size_t d = first; d < last; ++d)
        if (shape[d] != 1)
          dims.push_back(d);
      return dims;
    };
    SmallVector<size_t> a = wide(from, firstFrom, i), b = wide(to, firstTo, j);
    if (a.size() == 1 && b.size() == 1)
      match[a[0]] = b[0];
  }
  return match;
}

std::optional<SmallVector<int64_t>> Movement::movedDims(BroadcastOp broadcast) const {
  SmallVector<int64_t> moved = isReshape() ? matchDims(from, to) : inverse().permutation;
  SmallVector<int64_t> dims;
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(broadcast.getDims())) {
    bool isUnit = typeOf(broadcast.getInput()).getDimSize(i) == 1;
    dims.push_back(isUnit ? -1 : moved[dim]);
    if (isUnit)
      continue;
    // A transpose that changes the order of the operand's own dimensions stays a transpose.
    if (moved[dim] <= previous)
      return std::nullopt;
    previous = moved[dim];
  }
  return dims;
}

bool Movement::absorbs(BroadcastOp broadcast) const { return movedDims(broadcast).has_value(); }

Value Movement::apply(OpBuilder &builder, Value value) const {
  RankedTensorType result = typeOf(value).clone(to);
  if (DenseElementsAttr splat = splatOf(value))
    return arith::ConstantOp::create(builder, loc, splat.resizeSplat(result));
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (auto dims = broadcast ? movedDims(broadcast) : std::nullopt) {
    RankedTensorType source = typeOf(broadcast.getInput());
    SmallVector<int64_t> wideDims, wideShape;
    for (auto [d, dim] : llvm::enumerate(*dims))
      if (dim >= 0) {
        wideDims.push_back(dim);
        wideShape.push_back(source.getDimSize(d));
      }
    Value wide = builder.createOrFold<ReshapeOp>(loc, source.clone(wideShape), broadcast.getInput());
    return BroadcastOp::create(builder, loc, result, wide, wideDims);
  }
  // Folded with a movement above at once: as two ops they would look like what another pattern undoes.
  if (isReshape())
    return builder.createOrFold<ReshapeOp>(loc, result, value);
  return builder.createOrFold<TransposeOp>(loc, result, value, permutation);
}
