// Transposes and reshapes move through elementwise ops where the program then has fewer of them, and
// elementwise ops on broadcasts move to the small side. A move is worth it when `added < removed`, counted in
// movement ops. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHPUSHMOVEMENT
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isMove(Operation *op) { return op && isa<TransposeOp, ReshapeOp>(op); }

/// Whether `op` is elementwise and all its operands are tensors of the result's shape.
static bool isTensorElementwise(Operation *op) {
  if (!op || !isElementwise(op) || op->getNumRegions() != 0)
    return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return result && llvm::all_of(op->getOperands(), [&](Value operand) {
           auto type = dyn_cast<RankedTensorType>(operand.getType());
           return type && type.getShape() == result.getShape();
         });
}

static DenseElementsAttr splatOf(Value value) {
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat() ? attr : DenseElementsAttr();
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result[dim] = i;
  return result;
}

/// Whether `outer` undoes `inner`.
static bool undoes(Operation *outer, Operation *inner) {
  if (auto transpose = dyn_cast<TransposeOp>(outer)) {
    auto first = dyn_cast<TransposeOp>(inner);
    return first && ArrayRef(inverse(transpose.getPermutation())) == first.getPermutation();
  }
  return isa<ReshapeOp>(inner) &&
         typeOf(outer->getResult(0)).getShape() == typeOf(inner->getOperand(0)).getShape();
}

/// Whether `a` and `b` move elements in the same way, whatever the element type.
static bool moveAlike(Operation *a, Operation *b) {
  if (a->getName() != b->getName())
    return false;
  if (typeOf(a->getOperand(0)).getShape() != typeOf(b->getOperand(0)).getShape() ||
      typeOf(a->getResult(0)).getShape() != typeOf(b->getResult(0)).getShape())
    return false;
  if (auto transpose = dyn_cast<TransposeOp>(a))
    return transpose.getPermutation() == cast<TransposeOp>(b).getPermutation();
  if (auto broadcast = dyn_cast<BroadcastOp>(a))
    return broadcast.getDims() == cast<BroadcastOp>(b).getDims();
  return true;
}

/// `value` moved as `move` does.
static Value applyMove(OpBuilder &builder, Operation *move, Value value) {
  RankedTensorType result = typeOf(value).clone(typeOf(move->getResult(0)).getShape());
  if (DenseElementsAttr splat = splatOf(value))
    return arith::ConstantOp::create(builder, move->getLoc(), splat.resizeSplat(result));
  if (auto transpose = dyn_cast<TransposeOp>(move))
    return TransposeOp::create(builder, move->getLoc(), result, value, transpose.getPermutation());
  if (auto broadcast = dyn_cast<BroadcastOp>(move))
    return BroadcastOp::create(builder, move->getLoc(), result, value, broadcast.getDims());
  return ReshapeOp::create(builder, move->getLoc(), result, value);
}

/// `value` moved so that `move` would bring it back.
static Value applyInverse(OpBuilder &builder, Operation *move, Value value) {
  RankedTensorType result = typeOf(value).clone(typeOf(move->getOperand(0)).getShape());
  if (DenseElementsAttr splat = splatOf(value))
    return arith::ConstantOp::create(builder, move->getLoc(), splat.resizeSplat(result));
  if (auto transpose = dyn_cast<TransposeOp>(move))
    return TransposeOp::create(builder, move->getLoc(), result, value, inverse(transpose.getPermutation()));
  return ReshapeOp::create(builder, move->getLoc(), result, value);
}

/// `op` on other operands of another shape.
static Value rebuild(OpBuilder &builder, Operation *op, ArrayRef<Value> operands) {
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(typeOf(op->getResult(0)).clone(typeOf(operands[0]).getShape()));
  return clone->getResult(0);
}

static bool usedOnlyBy(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(), [&](Operation *other) { return other == user; });
}

namespace {
/// transpose(exp(transpose(x)))  ==>  exp(transpose(transpose(x))), which folds.
template <typename MoveOp> struct HoistMove : OpRewritePattern<MoveOp> {
  using OpRewritePattern<MoveOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(MoveOp move, PatternRewriter &rewriter) const override {
    Operation *op = move.getInput().getDefiningOp();
    if (!isTensorElementwise(op))
      return rewriter.notifyMatchFailure(move, "the operand is not elementwise");
    if (!op->hasOneUse())
      return rewriter.notifyMatchFailure(move, "the elementwise op has other uses");
    int64_t added = 0, removed = 1;
    llvm::SmallPtrSet<Value, 4> seen;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!seen.insert(operand).second || splatOf(operand) || operand.template getDefiningOp<WeightOp>())
        continue;
      bool composes = source && source->getName() == move->getName();
      bool leavesInner = composes && !usedOnlyBy(operand, op);
      if (composes && undoes(move, source))
        removed += leavesInner ? 0 : 1;
      else if (!composes || leavesInner)
        ++added;
    }
    if (added >= removed)
      return rewriter.notifyMatchFailure(move, "moving it adds as many movement ops as it removes");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(applyMove(rewriter, move, operand));
    rewriter.replaceOp(move, rebuild(rewriter, op, operands));
    return success();
  }
};

/// add(transpose(x), transpose(y))  ==>  transpose(add(x, y)); exp(broadcast(x))  ==>  broadcast(exp(x))
struct SinkMoves : RewritePattern {
  SinkMoves(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isTensorElementwise(op))
      return rewriter.notifyMatchFailure(op, "not elementwise on tensors");
    Operation *move = nullptr;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          !move && (isMove(source) || isa_and_present<BroadcastOp>(source)))
        move = source;
    if (!move)
      return rewriter.notifyMatchFailure(op, "no operand is moved");
    int64_t added = 1, removed = 0;
    llvm::SmallPtrSet<Value, 4> seen;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!seen.insert(operand).second || splatOf(operand))
        continue;
      if (source && moveAlike(move, source))
        removed += usedOnlyBy(operand, op) ? 1 : 0;
      else if (!isa_and_present<WeightOp>(source) || isa<BroadcastOp>(move))
        ++added;
    }
    if (isa<BroadcastOp>(move)) {
      // Work shrinks with the shape, so that one broadcast is reason enough; but there is no way back for
      // others.
      if (added > 1 ||
          typeOf(move->getOperand(0)).getNumElements() >= typeOf(op->getResult(0)).getNumElements())
        return rewriter.notifyMatchFailure(op, "an operand is no broadcast of that kind");
    } else if (added >= removed) {
      return rewriter.notifyMatchFailure(op, "moving them adds as many movement ops as it removes");
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source && moveAlike(move, source))
        operands.push_back(source->getOperand(0));
      else if (DenseElementsAttr splat = splatOf(operand))
        operands.push_back(arith::ConstantOp::create(
            rewriter, operand.getLoc(),
            splat.resizeSplat(typeOf(operand).clone(typeOf(move->getOperand(0)).getShape()))));
      else
        operands.push_back(applyInverse(rewriter, move, operand));
    }
    rewriter.replaceOp(op, applyMove(rewriter, move, rebuild(rewriter, op, operands)));
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
  patterns.add<HoistMove<TransposeOp>, HoistMove<ReshapeOp>, SinkMoves>(patterns.getContext());
}
