// exp(x - max(x)) / sum(exp(x - max(x))), in any association, becomes graph.softmax.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Raising.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISESOFTMAX
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// The x of `exponent` = x - max(x) along `dims`, or `exponent` itself: softmax shifts by the maximum in any
/// case.
static Value unshifted(Value exponent, ArrayRef<int64_t> dims, SmallVectorImpl<Operation *> &matched) {
  auto difference = exponent.getDefiningOp<arith::SubFOp>();
  if (!difference)
    return exponent;
  ReduceOp max = reductionOf(peel(identityView(difference.getRhs())), ReduceKind::Max);
  if (!max || max.getInput() != difference.getLhs() || max.getDims() != dims)
    return exponent;
  matched.append({difference, max});
  return difference.getLhs();
}

/// The graph.softmax that `root` is, or null.
static Value raiseSoftmax(Operation *root) {
  if (!isa<arith::DivFOp, arith::MulFOp>(root))
    return nullptr;
  FormulaReader reader({});
  std::optional<Formula> formula = reader.read(identityView(root->getResult(0)));
  if (!formula || formula->size() != 1 || formula->begin()->second != 1.0 ||
      formula->begin()->first.size() != 2)
    return nullptr;
  const Atom *numerator = nullptr, *divisor = nullptr;
  for (unsigned number : formula->begin()->first)
    (reader.atom(number).kind == Atom::Kind::Plain ? numerator : divisor) = &reader.atom(number);
  if (!numerator || !divisor || divisor->kind != Atom::Kind::Inverse || !isIdentity(numerator->view))
    return nullptr;
  auto exp = numerator->view.value.getDefiningOp<math::ExpOp>();
  ReduceOp sum = reductionOf(divisor->view, ReduceKind::Sum);
  if (!exp || !sum || sum.getInput() != exp.getResult() || sum.getDims().size() != 1 ||
      exp.getType() != root->getResult(0).getType())
    return nullptr;
  SmallVector<Operation *> matched(reader.getVisited());
  matched.append({exp, sum});
  Value input = unshifted(exp.getOperand(), sum.getDims(), matched);
  OpBuilder builder(root);
  return SoftmaxOp::create(builder, fuseLocations(root, matched), exp.getType(), input,
                           (uint64_t)sum.getDims().front());
}

namespace {
struct GraphRaiseSoftmaxPass : tilewright::graph::impl::GraphRaiseSoftmaxBase<GraphRaiseSoftmaxPass> {
  using Base::Base;
  void runOnOperation() override { raiseRoots(getOperation(), raiseSoftmax); }
};
} // namespace
