// matmul(softmax(matmul(q, k^T) * scale + mask), v) becomes graph.attention. From the softmax upwards,
// scales, masks and reshapes of the batch dimensions are peeled off until the first matmul is met.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Raising.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISEATTENTION
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// A select with at most this in masked places is the same as adding it: every finite score is lost in it, so
/// that rows with all places masked keep their meaning too.
static constexpr double kMaskLimit = -1e30;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
/// What lies between the first matmul and the softmax, outermost first.
struct Scores {
  MatmulOp matmul;
  double scale = 1.0;
  /// Values that are added to the scaled scores, with their factors; `select` masks have a condition instead.
  struct Mask {
    Value value;    ///< what is added, or the condition of a select
    double factor;  ///< of `value`, or the number in masked places
    bool isSelect;  ///< whether `value` is a condition
    bool keepsTrue; ///< of a select: whether true places keep their score
  };
  SmallVector<Mask> masks;
  SmallVector<Operation *> ops;
};

/// `value` = inner * factor by a splat constant; inner is `value` itself otherwise.
struct Scaled {
  Value inner;
  double factor;
};
} // namespace

/// One multiplication or division by a splat constant.
static Scaled peelScale(Value value, SmallVectorImpl<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::DivFOp>(op))
    return {value, 1.0};
  if (std::optional<double> number = splatNumber(op->getOperand(1))) {
    ops.push_back(op);
    return {op->getOperand(0), isa<arith::MulFOp>(op) ? *number : 1.0 / *number};
  }
  if (std::optional<double> number = splatNumber(op->getOperand(0)); number && isa<arith::MulFOp>(op)) {
    ops.push_back(op);
    return {op->getOperand(1), *number};
  }
  return {value, 1.0};
}

/// Whether `reshape` keeps the last two dimensions.
static bool reshapesBatch(ReshapeOp reshape) {
  ArrayRef<int64_t> from = typeOf(reshape.getInput()).getShape(), to = typeOf(reshape.getResult()).getShape();
  return from.size() >= 2 && to.size() >= 2 && from.take_back(2) == to.take_back(2);
}

/// Whether a matmul is among the ops that scores may come from, along scales, masks and batch reshapes.
static bool leadsToMatmul(Value value, unsigned depth = 8) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<MatmulOp>(op))
    return true;
  if (!isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::SelectOp, ReshapeOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) { return leadsToMatmul(operand, depth - 1); });
}

/// Peels `value` down to a matmul.
static std::optional<Scores> readScores(Value value) {
  Scores scores;
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !matmul.getGroups()) {
      scores.matmul = matmul;
      scores.ops.push_back(matmul);
      return scores;
    }
    if (auto reshape = dyn_cast<ReshapeOp>(op); reshape && reshapesBatch(reshape)) {
      value = reshape.getInput();
      continue;
    }
    if (isa<arith::MulFOp, arith::DivFOp>(op)) {
      Scaled scaled = peelScale(value, scores.ops);
      if (scaled.inner == value)
        return std::nullopt;
      value = scaled.inner;
      scores.scale *= scaled.factor;
      continue;
    }
    if (isa<arith::AddFOp>(op)) {
      bool left = leadsToMatmul(op->getOperand(0));
      scores.ops.push_back(op);
      scores.masks.push_back({op->getOperand(left ? 1 : 0), scores.scale, false, false});
      value = op->getOperand(left ? 0 : 1);
      continue;
    }
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!select || !isa<RankedTensorType>(select.getCondition().getType()))
      return std::nullopt;
    std::optional<double> whenTrue = splatNumber(select.getTrueValue());
    std::optional<double> masked = whenTrue ? whenTrue : splatNumber(select.getFalseValue());
    if (!masked || !(*masked * scores.scale <= kMaskLimit))
      return std::nullopt;
    scores.ops.push_back(op);
    scores.masks.push_back({select.getCondition(), *masked * scores.scale, true, !whenTrue});
    value = whenTrue ? select.getFalseValue() : select.getTrueValue();
  }
}

/// The additive mask of `mask` in its own shape.
static Value additive(OpBuilder &builder, Location loc, const Scores::Mask &mask, Type element) {
  if (!mask.isSelect) {
    if (mask.factor == 1.0)
      return mask.value;
    return arith::MulFOp::create(builder, loc, mask.value,
                                 splat(builder, loc, mask.value.getType(), mask.factor));
  }
  // The select is made on the condition before its broadcast, where it is small.
  auto broadcast = mask.value.getDefiningOp<BroadcastOp>();
  Value condition = broadcast ? broadcast.getInput() : mask.value;
  RankedTensorType type = typeOf(condition).clone(element);
  Value zero = splat(builder, loc, type, 0.0), lowest = splat(builder, loc, type, mask.factor);
  Value chosen = arith::SelectOp::create(builder, loc, condition, mask.keepsTrue ? zero : lowest,
                                         mask.keepsTrue ? lowest : zero);
  if (!broadcast)
    return chosen;
  return BroadcastOp::create(builder, loc, typeOf(mask.value).clone(element), chosen, broadcast.getDims());
}

/// The graph.attention that ends in `root`, or null.
static Value raiseAttention(Operation *root) {
  auto second = dyn_cast<MatmulOp>(root);
  if (!second || second.getGroups())
    return nullptr;
  SmallVector<Operation *> ops;
  Value probabilities = second.getLhs();
  if (auto reshape = probabilities.getDefiningOp<ReshapeOp>(); reshape && reshapesBatch(reshape))
    probabilities = reshape.getInput();
  auto softmax = probabilities.getDefiningOp<SoftmaxOp>();
  // Probabilities that someone else reads are computed anyhow.
  if (!softmax || !softmax->hasOneUse() || !second.getLhs().hasOneUse() ||
      (int64_t)softmax.getDim() != softmax.getType().getRank() - 1)
    return nullptr;
  std::optional<Scores> scores = readScores(softmax.getInput());
  RankedTensorType result = typeOf(second.getResult());
  Type element = result.getElementType();
  if (!scores || typeOf(scores->matmul.getLhs()).getElementType() != element ||
      typeOf(second.getLhs()).getElementType() != element ||
      typeOf(scores->matmul.getResult()).getElementType() != element || scores->matmul.getPrecision() ||
      second.getPrecision())
    return nullptr;

  // Scales of query and key; the key's may lie under its transpose.
  Scaled query = peelScale(scores->matmul.getLhs(), scores->ops);
  Scaled key = peelScale(scores->matmul.getRhs(), scores->ops);
  SmallVector<int64_t> order;
  if (auto transpose = key.inner.getDefiningOp<TransposeOp>()) {
    order = llvm::to_vector(transpose.getPermutation());
    Scaled under = peelScale(transpose.getInput(), scores->ops);
    key = {under.inner, key.factor * under.factor};
  }

  OpBuilder builder(root);
  llvm::append_range(ops, scores->ops);
  ops.push_back(softmax);
  Location loc = fuseLocations(root, ops);
  // All operands take the batch dimensions of the second matmul, and the key its own last two swapped.
  auto withBatch = [&](Value value) {
    RankedTensorType type = typeOf(value);
    SmallVector<int64_t> shape(result.getShape().drop_back(2));
    llvm::append_range(shape, type.getShape().take_back(2));
    return builder.createOrFold<ReshapeOp>(loc, type.clone(shape), value);
  };
  auto transposed = [&](Value value, ArrayRef<int64_t> permutation) {
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(typeOf(value).getDimSize(dim));
    return builder.createOrFold<TransposeOp>(loc, typeOf(value).clone(shape), value,
                                             ArrayRef<int64_t>(permutation));
  };
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(key.inner).getRank()));
  std::swap(order[order.size() - 2], order[order.size() - 1]);
  Value keyRows = transposed(key.inner, order);

  Value mask;
  for (const Scores::Mask &part : scores->masks) {
    Value added = withBatch(additive(builder, loc, part, element));
    mask = mask ? Value(arith::AddFOp::create(builder, loc, mask, added)) : added;
  }
  double scale = scores->scale * query.factor * key.factor;
  return AttentionOp::create(builder, loc, result, withBatch(query.inner), withBatch(keyRows),
                             second.getRhs(), mask, builder.getF64FloatAttr(scale));
}

namespace {
struct GraphRaiseAttentionPass : tilewright::graph::impl::GraphRaiseAttentionBase<GraphRaiseAttentionPass> {
  using Base::Base;
  void runOnOperation() override { raiseRoots(getOperation(), raiseAttention); }
};
} // namespace
