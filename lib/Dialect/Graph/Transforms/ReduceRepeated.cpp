// graph-reduce-repeated: what is the same all along a reduced dimension is reduced without it: of equal terms
// the sum is one of them times their number, the largest and the least are any of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"

#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHREDUCEREPEATED
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Elements from which on it is worth a kernel of its own to reduce fewer. (H200: a bound of 10816 repeated
/// elements beside others in one kernel 1.6 us, by a kernel before that one 2.5.)
static constexpr int64_t kLeastElements = 1 << 20;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// Values that broadcasts, constants and elementwise ops make.
class Repeated {
public:
  Repeated(OpBuilder &builder) : builder(builder) {}

  /// Whether all elements of `value` that differ in dimension `dim` alone are equal, as the ops that make it
  /// say.
  bool isAlong(Value value, int64_t dim) {
    if (typeOf(value).getDimSize(dim) == 1 || splatOf(value))
      return true;
    auto [entry, isNew] = known.try_emplace({value, dim}, false);
    if (!isNew)
      return entry->second;
    Operation *op = value.getDefiningOp();
    bool is = false;
    if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
      const auto *at = llvm::find(broadcast.getDims(), dim);
      int64_t from = at - broadcast.getDims().begin();
      is = at == broadcast.getDims().end() || typeOf(broadcast.getInput()).getDimSize(from) == 1;
    } else if (op && isTensorElementwise(op)) {
      is = llvm::all_of(op->getOperands(), [&](Value operand) { return isAlong(operand, dim); });
    }
    return known[{value, dim}] = is;
  }

  /// `value` without `dims`, along which it is repeated, and which broadcasts and splats make.
  Value without(Value value, ArrayRef<int64_t> dims) {
    Value &made = small[value];
    if (made)
      return made;
    SmallVector<int64_t> shape, places;
    for (auto [d, size] : llvm::enumerate(typeOf(value).getShape())) {
      places.push_back((int64_t)shape.size());
      if (!llvm::is_contained(dims, (int64_t)d))
        shape.push_back(size);
    }
    RankedTensorType type = typeOf(value).clone(shape);
    if (DenseElementsAttr splat = splatOf(value)) {
      Value constant = arith::ConstantOp::create(builder, value.getLoc(), splat.resizeSplat(type));
      return small[value] = constant;
    }
    Operation *op = value.getDefiningOp();
    if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
      // Of a dimension that it has once the input has one element.
      SmallVector<int64_t> kept, keptShape;
      for (auto [d, dim] : llvm::enumerate(broadcast.getDims())) {
        if (llvm::is_contained(dims, dim))
          continue;
        kept.push_back(places[dim]);
        keptShape.push_back(typeOf(broadcast.getInput()).getDimSize(d));
      }
      Value input = broadcast.getInput();
      if (keptShape.size() != typeOf(input).getShape().size())
        input = ReshapeOp::create(builder, op->getLoc(), typeOf(input).clone(keptShape), input);
      if (keptShape != shape)
        input = BroadcastOp::create(builder, op->getLoc(), type, input, kept);
      return small[value] = input;
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(without(operand, dims));
    Value rebuilt = rebuildElementwise(builder, op, operands);
    return small[value] = rebuilt;
  }

private:
  OpBuilder &builder;
  llvm::DenseMap<std::pair<Value, int64_t>, bool> known;
  llvm::DenseMap<Value, Value> small;
};

struct GraphReduceRepeated : tilewright::graph::impl::GraphReduceRepeatedBase<GraphReduceRepeated> {
  using Base::Base;

  /// Whether many equal terms need not be reduced one by one.
  static bool isSimple(ReduceOp op) {
    if (isInOrder(op) || typeOf(op.getInput()).getNumElements() < kLeastElements)
      return false;
    Type element = op.getType().getElementType();
    bool isBound = op.getKind() == ReduceKind::Max || op.getKind() == ReduceKind::Min;
    return isBound || (op.getKind() == ReduceKind::Sum && (element.isF32() || element.isF64()));
  }

  static void simplify(ReduceOp op) {
    OpBuilder builder(op);
    Value input = op.getInput();
    SmallVector<int64_t> dims(op.getDims());
    // All elements of a reshaped tensor are all of the tensor.
    auto reshape = input.getDefiningOp<ReshapeOp>();
    if (reshape && (int64_t)dims.size() == typeOf(input).getRank()) {
      input = reshape.getInput();
      dims = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(input).getRank()));
    }
    Repeated repeated(builder);
    SmallVector<int64_t> dropped, left;
    double count = 1;
    for (int64_t dim : dims) {
      int64_t size = typeOf(input).getDimSize(dim);
      if (size > 1 && repeated.isAlong(input, dim)) {
        dropped.push_back(dim);
        count *= (double)size;
      }
    }
    if (dropped.empty())
      return;
    for (int64_t dim : dims)
      if (!llvm::is_contained(dropped, dim))
        left.push_back(dim - llvm::count_if(dropped, [&](int64_t other) { return other < dim; }));
    Value result = repeated.without(input, dropped);
    if (!left.empty()) {
      auto small = ReduceOp::create(builder, op.getLoc(), op.getType(), result, op.getKind(), left);
      small->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      result = small.getResult();
    }
    if (op.getKind() == ReduceKind::Sum) {
      Attribute number = builder.getFloatAttr(op.getType().getElementType(), count);
      Value times =
          arith::ConstantOp::create(builder, op.getLoc(), DenseElementsAttr::get(op.getType(), number));
      result = arith::MulFOp::create(builder, op.getLoc(), result, times);
    }
    op.getResult().replaceAllUsesWith(result);
    op.erase();
  }

  void runOnOperation() override {
    SmallVector<ReduceOp> found;
    getOperation()->walk([&](ReduceOp op) {
      if (isSimple(op))
        found.push_back(op);
    });
    for (ReduceOp op : found)
      simplify(op);
    // What nothing reads any more.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }
};
} // namespace
