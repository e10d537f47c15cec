// Transposes and reshapes move through elementwise ops where the program then has fewer of them, reshapes
// also where it has as many (downwards, so that whole chains end up in one shape), and elementwise ops on
// broadcasts move to the small side. Every rewrite lowers the number of movement ops or moves a reshape down,
// so the patterns come to an end. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHPUSHMOVEMENT
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// How far a movement op is followed upwards through elementwise ops.
static constexpr unsigned kMaxDepth = 8;

static bool usedOnlyBy(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(), [&](Operation *other) { return other == user; });
}

/// The distinct operands of `op`.
static SmallVector<Value> distinctOperands(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  return operands.takeVector();
}

/// How many movement ops more the program has when `user` reads `value` moved by `move`.
static int64_t costOfMoving(Value value, const Movement &move, Operation *user, unsigned depth) {
  Operation *source = value.getDefiningOp();
  if (!source)
    return 1;
  if (splatOf(value) || isa<WeightOp>(source))
    return 0;
  if (auto broadcast = dyn_cast<BroadcastOp>(source))
    return move.absorbs(broadcast) ? 0 : 1;
  if (std::optional<Movement> inner = Movement::of(source); inner && inner->composesWith(move)) {
    int64_t left = usedOnlyBy(value, user) ? 0 : 1;
    return move.undoes(*inner) ? left - 1 : left;
  }
  if (depth == 0 || !isTensorElementwise(source) || !usedOnlyBy(value, user))
    return 1;
  int64_t sum = 0;
  for (Value operand : distinctOperands(source))
    sum += costOfMoving(operand, move, source, depth - 1);
  return std::min<int64_t>(sum, 1);
}

/// `value` moved by `move`, through elementwise ops where `costOfMoving` has found that worth it.
static Value moveThrough(RewriterBase &rewriter, Value value, const Movement &move, Operation *user,
                         unsigned depth) {
  Operation *source = value.getDefiningOp();
  std::optional<Movement> inner = source ? Movement::of(source) : std::nullopt;
  if (inner && move.undoes(*inner))
    return source->getOperand(0);
  bool isChain = depth > 0 && isTensorElementwise(source) && usedOnlyBy(value, user);
  int64_t sum = 0;
  if (isChain)
    for (Value operand : distinctOperands(source))
      sum += costOfMoving(operand, move, source, depth - 1);
  if (!isChain || sum >= 1)
    return move.apply(rewriter, value);
  llvm::SmallMapVector<Value, Value, 4> moved;
  for (Value operand : distinctOperands(source))
    moved[operand] = moveThrough(rewriter, operand, move, source, depth - 1);
  SmallVector<Value> operands;
  for (Value operand : source->getOperands())
    operands.push_back(moved[operand]);
  return rebuildElementwise(rewriter, source, operands);
}

/// The user of `value` that moves it as `move` does, apart from its place in the block. One that nothing uses
/// is about to go.
static Operation *findMoved(Value value, const Movement &move) {
  for (Operation *user : value.getUsers())
    if (std::optional<Movement> other = Movement::of(user);
        other && other->isSame(move) && !user->use_empty())
      return user;
  return nullptr;
}

namespace {
/// transpose(exp(transpose(x)))  ==>  exp(x)
template <typename MoveOp> struct HoistMove : OpRewritePattern<MoveOp> {
  using OpRewritePattern<MoveOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(MoveOp op, PatternRewriter &rewriter) const override {
    Operation *source = op.getInput().getDefiningOp();
    if (!isTensorElementwise(source))
      return rewriter.notifyMatchFailure(op, "the operand is not elementwise");
    Movement move = *Movement::of(op);
    if (costOfMoving(op.getInput(), move, op, kMaxDepth) >= 1)
      return rewriter.notifyMatchFailure(op, "moving it adds as many movement ops as it removes");
    if (!usedOnlyBy(op.getInput(), op))
      return rewriter.notifyMatchFailure(op, "the elementwise op has other uses");
    rewriter.replaceOp(op, moveThrough(rewriter, op.getInput(), move, op, kMaxDepth));
    eraseDead(rewriter, source);
    return success();
  }
  /// What the hoisted chain replaces is gone at once: other patterns count the uses of its operands.
  static void eraseDead(RewriterBase &rewriter, Operation *op) {
    // Each once: an operand may be what another operand is made of.
    llvm::SmallSetVector<Operation *, 8> left;
    left.insert(op);
    while (!left.empty()) {
      Operation *next = left.pop_back_val();
      if (!isOpTriviallyDead(next))
        continue;
      for (Value operand : distinctOperands(next))
        if (Operation *source = operand.getDefiningOp())
          left.insert(source);
      rewriter.eraseOp(next);
    }
  }
};

/// add(transpose(x), transpose(y))  ==>  transpose(add(x, y)); exp(reshape(x))  ==>  reshape(exp(x))
struct SinkMoves : RewritePattern {
  SinkMoves(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isTensorElementwise(op))
      return rewriter.notifyMatchFailure(op, "not elementwise on tensors");
    std::optional<Movement> move;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !move)
        move = Movement::of(source);
    if (!move)
      return rewriter.notifyMatchFailure(op, "no operand is moved");
    Movement back = move->inverse();
    int64_t added = 1, removed = 0;
    for (Value operand : distinctOperands(op)) {
      Operation *source = operand.getDefiningOp();
      std::optional<Movement> other = source ? Movement::of(source) : std::nullopt;
      if (other && other->isSame(*move))
        removed += usedOnlyBy(operand, op) ? 1 : 0;
      else if (!findMoved(operand, back))
        added += costOfMoving(operand, back, op, /*depth=*/0);
    }
    bool worthIt = move->isReshape() ? added <= removed : added < removed;
    if (!worthIt)
      return rewriter.notifyMatchFailure(op, "moving them adds as many movement ops as it removes");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      std::optional<Movement> other = source ? Movement::of(source) : std::nullopt;
      if (other && other->isSame(*move)) {
        operands.push_back(source->getOperand(0));
        continue;
      }
      // A user that moves it back already may stand above, or below: then it takes the new value.
      Operation *existing = findMoved(operand, back);
      if (existing && existing->getBlock() == op->getBlock() && existing->isBeforeInBlock(op)) {
        operands.push_back(existing->getResult(0));
        continue;
      }
      operands.push_back(back.apply(rewriter, operand));
      if (existing && existing->getBlock() == op->getBlock())
        rewriter.replaceOp(existing, operands.back());
    }
    rewriter.replaceOp(op, move->apply(rewriter, rebuildElementwise(rewriter, op, operands)));
    return success();
  }
};

/// exp(broadcast(x))  ==>  broadcast(exp(x)): the work shrinks with the shape
struct SinkBroadcast : RewritePattern {
  SinkBroadcast(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isTensorElementwise(op))
      return rewriter.notifyMatchFailure(op, "not elementwise on tensors");
    BroadcastOp first;
    for (Value operand : op->getOperands()) {
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (splatOf(operand))
        continue;
      if (!broadcast)
        return rewriter.notifyMatchFailure(op, "an operand is no broadcast");
      if (!first)
        first = broadcast;
      if (broadcast.getDims() != first.getDims() ||
          typeOf(broadcast.getInput()).getShape() != typeOf(first.getInput()).getShape())
        return rewriter.notifyMatchFailure(op, "operands are broadcast in different ways");
    }
    if (!first)
      return rewriter.notifyMatchFailure(op, "all operands are constants");
    ArrayRef<int64_t> small = typeOf(first.getInput()).getShape();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (DenseElementsAttr splat = splatOf(operand))
        operands.push_back(arith::ConstantOp::create(rewriter, operand.getLoc(),
                                                     splat.resizeSplat(typeOf(operand).clone(small))));
      else
        operands.push_back(operand.getDefiningOp<BroadcastOp>().getInput());
    }
    Value value = rebuildElementwise(rewriter, op, operands);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op->getResult(0).getType(), value, first.getDims());
    return success();
  }
};

/// reduce(broadcast(%0 : 2x16 to 2x16x384) dims = [1])  ==>  broadcast(reduce(%0 dims = [1]))
struct SinkBroadcastBelowReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
    RankedTensorType source = typeOf(broadcast.getInput()), repeated = typeOf(broadcast.getResult());
    SmallVector<int64_t> reduced, keptShape, keptDims;
    for (auto [d, dim] : llvm::enumerate(broadcast.getDims())) {
      if (!llvm::is_contained(op.getDims(), dim)) {
        // The result lacks the reduced dimensions before this one.
        keptDims.push_back(dim -
                           llvm::count_if(op.getDims(), [dim = dim](int64_t other) { return other < dim; }));
        keptShape.push_back(source.getDimSize(d));
        continue;
      }
      if (source.getDimSize(d) != repeated.getDimSize(dim))
        return rewriter.notifyMatchFailure(op, "a reduced dimension is repeated");
      reduced.push_back(d);
    }
    if (reduced.size() != op.getDims().size())
      return rewriter.notifyMatchFailure(op, "a reduced dimension is repeated");
    Value small = ReduceOp::create(rewriter, op.getLoc(), source.clone(keptShape), broadcast.getInput(),
                                   op.getKind(), reduced);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), small, keptDims);
    return success();
  }
};

/// layer_norm(reshape(%0 : 2x4x8) : 8x8) dim = 1  ==>  reshape(layer_norm(%0) dim = 2), when rows stay whole
template <typename RowOp> struct SinkThroughRows : OpRewritePattern<RowOp> {
  using OpRewritePattern<RowOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(RowOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getInput().template getDefiningOp<ReshapeOp>();
    if (!reshape || !reshape->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the operand is no reshape with one use");
    RankedTensorType source = typeOf(reshape.getInput()), result = typeOf(op.getResult());
    int64_t rowRank = result.getRank() - (int64_t)op.getDim();
    if (source.getRank() < rowRank ||
        source.getShape().take_back(rowRank) != result.getShape().take_back(rowRank))
      return rewriter.notifyMatchFailure(op, "the reshape changes what is normalized");
    auto moved = cast<RowOp>(rewriter.clone(*op));
    moved.getInputMutable().assign(reshape.getInput());
    moved.setDim(source.getRank() - rowRank);
    moved.getResult().setType(result.clone(source.getShape()));
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, moved.getResult());
    return success();
  }
};

struct GraphPushMovementPass : tilewright::graph::impl::GraphPushMovementBase<GraphPushMovementPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePushMovementPatterns(patterns);
    populateFoldWeightsPatterns(patterns);
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (isa<GraphDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void tilewright::graph::populatePushMovementPatterns(RewritePatternSet &patterns) {
  patterns
      .add<HoistMove<TransposeOp>, HoistMove<ReshapeOp>, SinkMoves, SinkBroadcast, SinkBroadcastBelowReduce,
           SinkThroughRows<SoftmaxOp>, SinkThroughRows<LayerNormOp>, SinkThroughRows<RmsNormOp>>(
          patterns.getContext());
}
