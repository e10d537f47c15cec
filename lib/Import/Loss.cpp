// Losses: the negative log likelihood of given classes, of log probabilities or of scores before softmax.
//
// A row's class is picked by comparing class numbers, not by a gather: the pick then joins the kernel that
// forms the log probabilities, which reads every class anyway. A class outside the row picks nothing.

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using graph::ReduceKind;
using Dims = NodeImport::Dims;

namespace {
/// The targets of a loss, against values of shape [samples, classes, places…].
struct Targets {
  /// True where the class number is the target.
  Value isTarget;
  /// True where the target counts; null when all do. In the targets' shape.
  Value counts;
};
} // namespace

static std::optional<Targets> readTargets(NodeImport &n, Value scores) {
  Value target = n.operand(1);
  Dims expected(n.shapeOf(scores));
  if (expected.size() >= 2)
    expected.erase(expected.begin() + 1);
  Type element = n.elementOf(target);
  if (n.rankOf(scores) < 2 || n.shapeOf(target) != NodeImport::Shape(expected) ||
      !(element.isInteger(32) || element.isInteger(64))) {
    (void)n.fail("targets " + n.text(target.getType()) + " do not belong to scores of shape " +
                 n.text(n.shapeOf(scores)));
    return std::nullopt;
  }
  Targets targets;
  Dims column = expected;
  column.insert(column.begin() + 1, 1);
  Value wide = n.broadcast(n.reshape(target, column), n.shapeOf(scores));
  targets.isTarget = n.compare(arith::CmpIPredicate::eq, wide, n.iota(n.shapeOf(scores), 1, element));
  if (n.hasAttribute("ignore_index"))
    targets.counts = n.compare(arith::CmpIPredicate::ne, target,
                               n.constantLike(target, (double)n.intAttribute("ignore_index", 0)));
  return targets;
}

/// Yields the loss of `logs`, log probabilities in a type of 32 bits or more.
static LogicalResult yieldLoss(NodeImport &n, Value logs, const Targets &targets, Type element) {
  std::string reduction = n.stringAttribute("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return n.fail("reduction is '" + reduction + "', expected 'none', 'sum' or 'mean'");
  Value zeros = n.constantLike(logs, 0);
  auto pick = [&](Value values) {
    Value picked = n.reduce(ReduceKind::Sum, n.select(targets.isTarget, values, zeros), {1}, false);
    return targets.counts ? n.select(targets.counts, picked, n.constantLike(picked, 0)) : picked;
  };
  Value loss = n.unary<arith::NegFOp>(pick(logs)), weight;
  if (n.has(2)) {
    if (n.shapeOf(n.operand(2)) != n.shapeOf(logs).slice(1, 1) ||
        failed(n.expectFloat(n.operand(2), "operand #2")))
      return n.fail("its weights " + n.text(n.operand(2).getType()) + " are not one number for each of " +
                    Twine(n.shapeOf(logs)[1]) + " classes");
    Value perClass = n.castTo(n.operand(2), n.elementOf(logs));
    weight = pick(n.broadcastDims(perClass, {1}, n.shapeOf(logs)));
    loss = n.mul(loss, weight);
  }
  if (reduction == "none")
    return n.yield(n.castTo(loss, element));
  Dims all = llvm::to_vector(llvm::seq<int64_t>(0, n.rankOf(loss)));
  Value sum = n.reduce(ReduceKind::Sum, loss, all, false);
  if (reduction == "mean") {
    // The mean is over the weights of the targets that count, each 1 without weights.
    if (!weight && targets.counts)
      weight = n.castTo(targets.counts, n.elementOf(loss));
    Value total = weight ? n.reduce(ReduceKind::Sum, weight, all, false)
                         : n.constantLike(sum, (double)n.typeOf(loss).getNumElements());
    sum = n.div(sum, total);
  }
  return n.yield(n.castTo(sum, element));
}

static LogicalResult importNegativeLogLikelihood(NodeImport &n) {
  Value logs = n.operand(0);
  if (failed(n.expectFloat(logs, "operand #0")))
    return failure();
  std::optional<Targets> targets = readTargets(n, logs);
  return targets ? yieldLoss(n, n.widen(logs), *targets, n.elementOf(logs)) : failure();
}

static LogicalResult importSoftmaxCrossEntropy(NodeImport &n) {
  Value scores = n.operand(0);
  if (failed(n.expectFloat(scores, "operand #0")))
    return failure();
  std::optional<Targets> targets = readTargets(n, scores);
  if (!targets)
    return failure();
  Value wide = n.widen(scores);
  Value logs = n.sub(wide, n.broadcast(n.logSumExp(wide, {1}), n.shapeOf(wide)));
  if (failed(yieldLoss(n, logs, *targets, n.elementOf(scores))))
    return failure();
  return n.yield(n.castTo(logs, n.elementOf(scores)));
}

void tilewright::onnx::addLoss(OperatorTable &table) {
  table["NegativeLogLikelihoodLoss"] = {importNegativeLogLikelihood, 2, 3};
  table["SoftmaxCrossEntropyLoss"] = {importSoftmaxCrossEntropy, 2, 3};
}
