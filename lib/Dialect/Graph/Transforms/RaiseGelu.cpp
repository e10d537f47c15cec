// Decomposed GELU becomes graph.gelu. Multiplied out, every form is 0.5 * x + 0.5 * x * t with t an erf or a
// tanh of an odd polynomial in x. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Raising.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISEGELU
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Whether `formula` has exactly the products `expected`, coefficients but for rounding.
static bool matches(const Formula &formula, const Formula &expected) {
  return formula.size() == expected.size() && llvm::all_of(expected, [&](const auto &entry) {
           auto found = formula.find(entry.first);
           return found != formula.end() && isNear(found->second, entry.second);
         });
}

/// Whether the argument of `bounded` is the one of GELU in `x`: x / sqrt(2), or sqrt(2 / pi) * (x + 0.044715
/// * x^3).
static bool argumentMatches(Operation *bounded, Value x, FormulaReader &reader) {
  std::optional<Formula> argument = reader.read(identityView(bounded->getOperand(0)));
  std::optional<unsigned> atom = reader.find(x);
  if (!argument || !atom)
    return false;
  if (isa<math::ErfOp>(bounded))
    return matches(*argument, {{{*atom}, std::sqrt(0.5)}});
  double outer = std::sqrt(2.0 / M_PI);
  return matches(*argument, {{{*atom}, outer}, {{*atom, *atom, *atom}, 0.044715 * outer}});
}

/// The values that the argument of `bounded` may be a polynomial in, nearest first.
static SmallVector<Value> inputCandidates(Operation *bounded) {
  Operation *argument = bounded->getOperand(0).getDefiningOp();
  llvm::SetVector<Value> values;
  if (argument)
    for (Operation *op : findAbove(argument, [](Operation *) { return true; }))
      for (Value operand : op->getOperands())
        if (operand.getType() == bounded->getOperand(0).getType() && !splatNumber(operand))
          values.insert(operand);
  return values.takeVector();
}

/// The graph.gelu that `root` is, or null.
static Value raiseGelu(Operation *root) {
  if (!isa<arith::AddFOp, arith::MulFOp, arith::DivFOp>(root))
    return nullptr;
  auto isBounded = [](Operation *op) { return isa<math::ErfOp, math::TanhOp>(op); };
  for (Operation *bounded : findAbove(root, isBounded))
    for (Value x : inputCandidates(bounded)) {
      FormulaReader inner({x});
      if (x.getType() != root->getResult(0).getType() || !argumentMatches(bounded, x, inner))
        continue;
      Value t = bounded->getResult(0);
      FormulaReader outer({x, t});
      std::optional<Formula> formula = outer.read(identityView(root->getResult(0)));
      std::optional<unsigned> xAtom = outer.find(x), tAtom = outer.find(t);
      if (!formula || !xAtom || !tAtom)
        continue;
      Product both{std::min(*xAtom, *tAtom), std::max(*xAtom, *tAtom)};
      if (!matches(*formula, {{{*xAtom}, 0.5}, {both, 0.5}}))
        continue;
      SmallVector<Operation *> matched(outer.getVisited());
      llvm::append_range(matched, inner.getVisited());
      matched.push_back(bounded);
      OpBuilder builder(root);
      GeluForm form = isa<math::ErfOp>(bounded) ? GeluForm::Erf : GeluForm::Tanh;
      return GeluOp::create(builder, fuseLocations(root, matched), x, form);
    }
  return nullptr;
}

namespace {
struct GraphRaiseGeluPass : tilewright::graph::impl::GraphRaiseGeluBase<GraphRaiseGeluPass> {
  using Base::Base;
  void runOnOperation() override { raiseRoots(getOperation(), raiseGelu); }
};
} // namespace
