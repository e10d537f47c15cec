// Reductions of transposed values run over them as they lie in memory: elementwise ops go above transposes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"
#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHPROPAGATELAYOUT
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Dimensions of a value from the outermost one in memory to that of neighbours; empty: any.
using DimOrder = SmallVector<int64_t>;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static SmallVector<int64_t> permuted(ArrayRef<int64_t> sizes, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return sizes[dim]; });
}

static DimOrder inverseOf(ArrayRef<int64_t> order) {
  DimOrder inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = (int64_t)to;
  return inverse;
}

/// How far elementwise ops are followed upwards.
static constexpr int kMostDepth = 64;

/// Whether a program gives `value` as a result, in whatever width and shape, or as a part of one: then it is
/// stored as its dimensions say.
static bool isResult(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isa<arith::TruncFOp, ReshapeOp, ConcatOp>(user) && isResult(user->getResult(0)));
  });
}

namespace {
/// How values lie, as far as elementwise ops and transposes say.
struct Layouts {
  DenseMap<Value, std::optional<DimOrder>> known;

  /// Nothing where operands lie differently, or further up than one looks.
  std::optional<DimOrder> of(Value value, int depth = kMostDepth);
};
} // namespace

std::optional<DimOrder> Layouts::of(Value value, int depth) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  std::optional<DimOrder> found;
  if (splatOf(value) || isa_and_present<BroadcastOp>(op)) {
    found = DimOrder();
  } else if (auto transpose = dyn_cast_if_present<TransposeOp>(op)) {
    found = depth > 0 ? of(transpose.getInput(), depth - 1) : std::nullopt;
    if (found && !found->empty())
      found = permuted(inverseOf(transpose.getPermutation()), *found);
  } else if (isTensorElementwise(op) && op->getNumOperands() > 0) {
    if (depth > 0)
      found = DimOrder();
    for (Value operand : op->getOperands()) {
      std::optional<DimOrder> other = found ? of(operand, depth - 1) : std::nullopt;
      if (!other || (!found->empty() && !other->empty() && *found != *other)) {
        found.reset();
        break;
      }
      if (found->empty())
        found = other;
    }
  } else {
    found = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  }
  // What reads a result that lies otherwise would have it stored twice.
  if (found && !llvm::is_sorted(*found) && isResult(value))
    found.reset();
  known[value] = found;
  return found;
}

/// The numbers of each place of few dimensions are turned before they are spread.
static Value spreadInOrder(IRRewriter &rewriter, BroadcastOp op, ArrayRef<int64_t> order) {
  DimOrder places = inverseOf(order), own = llvm::to_vector(llvm::seq<int64_t>(0, op.getDims().size()));
  auto place = [&](int64_t dim) { return places[op.getDims()[dim]]; };
  llvm::sort(own, [&](int64_t a, int64_t b) { return place(a) < place(b); });
  Value small = op.getInput();
  if (!llvm::is_sorted(own))
    small = TransposeOp::create(rewriter, op.getLoc(),
                                typeOf(small).clone(permuted(typeOf(small).getShape(), own)), small, own);
  return BroadcastOp::create(rewriter, op.getLoc(),
                             typeOf(op.getResult()).clone(permuted(typeOf(op.getResult()).getShape(), order)),
                             small, llvm::map_to_vector(own, place));
}

/// `value` with its dimensions in the order in which it lies. What elementwise ops compute is computed so,
/// and a transpose of that from then on.
static Value inOrder(IRRewriter &rewriter, Value value, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return value;
  Operation *op = value.getDefiningOp();
  RankedTensorType type = typeOf(value).clone(permuted(typeOf(value).getShape(), order));
  if (DenseElementsAttr splat = splatOf(value))
    return arith::ConstantOp::create(rewriter, value.getLoc(), splat.resizeSplat(type));
  OpBuilder::InsertionGuard guard(rewriter);
  if (auto transpose = dyn_cast_if_present<TransposeOp>(op))
    return inOrder(rewriter, transpose.getInput(), permuted(transpose.getPermutation(), order));
  if (op)
    rewriter.setInsertionPoint(op);
  if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op))
    return spreadInOrder(rewriter, broadcast, order);
  assert(isTensorElementwise(op) && "leaves lie as their dimensions say");
  // One by one: an operand that is there twice is a transpose the second time.
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(inOrder(rewriter, op->getOperand(i), order));
  rewriter.setInsertionPoint(op);
  Value ordered = rebuildElementwise(rewriter, op, operands);
  auto back = TransposeOp::create(rewriter, op->getLoc(), value.getType(), ordered, inverseOf(order));
  rewriter.replaceOp(op, back.getResult());
  return ordered;
}

/// reduce(exp(transpose(x)))  ==>  transpose(reduce(exp(x)))
static void reduceAsItLies(IRRewriter &rewriter, ReduceOp op) {
  std::optional<DimOrder> order = Layouts().of(op.getInput());
  RankedTensorType type = typeOf(op.getInput());
  bool isWhole = (int64_t)op.getDims().size() == type.getRank();
  if (!order || llvm::is_sorted(*order) || (!isWhole && type.getNumElements() < kLeastAcross))
    return;
  Value input = inOrder(rewriter, op.getInput(), *order);
  SmallVector<int64_t> dims, kept, shape;
  for (auto [place, dim] : llvm::enumerate(*order))
    if (llvm::is_contained(op.getDims(), dim)) {
      dims.push_back((int64_t)place);
    } else {
      kept.push_back(dim);
      shape.push_back(typeOf(input).getDimSize((int64_t)place));
    }
  rewriter.setInsertionPoint(op);
  Value result =
      ReduceOp::create(rewriter, op.getLoc(), op.getType().clone(shape), input, op.getKind(), dims);
  if (!llvm::is_sorted(kept)) {
    SmallVector<int64_t> sorted = llvm::to_vector(llvm::seq<int64_t>(0, kept.size()));
    llvm::sort(sorted, [&](int64_t a, int64_t b) { return kept[a] < kept[b]; });
    result = TransposeOp::create(rewriter, op.getLoc(), op.getType(), result, sorted);
  }
  rewriter.replaceOp(op, result);
}

namespace {
struct PropagateLayout : tilewright::graph::impl::GraphPropagateLayoutBase<PropagateLayout> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ReduceOp> ops;
    getOperation()->walk([&](ReduceOp op) {
      if (!isInOrder(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // From the first one on: what a reduction gives may be turned for the next.
    for (ReduceOp op : ops)
      reduceAsItLies(rewriter, op);
    // Fails where nothing is dead.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
