// Reading elementwise expressions as polynomials; see Formula.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Formula.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

/// Bounds of one formula; decomposed norms and activations stay far below.
static constexpr size_t kMaxOps = 48;
static constexpr size_t kMaxProducts = 24;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static SmallVector<int64_t> wideDims(RankedTensorType type) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) != 1)
      dims.push_back(d);
  return dims;
}

View tilewright::graph::identityView(Value value) {
  return {value, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()))};
}

/// `view` through one reshape that only adds or drops unit dimensions.
static bool peelReshape(View &view, ReshapeOp reshape) {
  RankedTensorType source = typeOf(reshape.getInput()), result = typeOf(reshape.getResult());
  SmallVector<int64_t> from = wideDims(source), to = wideDims(result);
  if (from.size() != to.size())
    return false;
  SmallVector<int64_t> dims(source.getRank(), -1);
  for (auto [s, r] : llvm::zip_equal(from, to)) {
    if (source.getDimSize(s) != result.getDimSize(r))
      return false;
    dims[s] = view.dims[r];
  }
  view = {reshape.getInput(), dims};
  return true;
}

static void peelBroadcast(View &view, BroadcastOp broadcast) {
  RankedTensorType source = typeOf(broadcast.getInput());
  SmallVector<int64_t> dims;
  for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
    dims.push_back(source.getDimSize(i) == 1 ? -1 : view.dims[dim]);
  view = {broadcast.getInput(), dims};
}

View tilewright::graph::peel(View view, ArrayRef<Value> stops) {
  while (!llvm::is_contained(stops, view.value)) {
    if (auto broadcast = view.value.getDefiningOp<BroadcastOp>()) {
      peelBroadcast(view, broadcast);
      continue;
    }
    auto reshape = view.value.getDefiningOp<ReshapeOp>();
    if (!reshape || !peelReshape(view, reshape))
      break;
  }
  return view;
}

bool tilewright::graph::isIdentity(const View &view) {
  for (int64_t d : wideDims(typeOf(view.value)))
    if (view.dims[d] != d)
      return false;
  return true;
}

bool tilewright::graph::isRepeatedAlong(const View &view, ArrayRef<int64_t> reduced) {
  int64_t outer = 0;
  for (int64_t d = 0; d < (int64_t)view.dims.size(); ++d, ++outer) {
    while (llvm::is_contained(reduced, outer))
      ++outer;
    if (typeOf(view.value).getDimSize(d) != 1 && view.dims[d] != outer)
      return false;
  }
  return true;
}

ReduceOp tilewright::graph::reductionOf(const View &view, ReduceKind kind) {
  auto reduce = view.value.getDefiningOp<ReduceOp>();
  return reduce && reduce.getKind() == kind && isRepeatedAlong(view, reduce.getDims()) ? reduce : ReduceOp();
}

std::optional<double> tilewright::graph::splatNumber(Value value) {
  DenseFPElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  return attr.getSplatValue<APFloat>().convertToDouble();
}

bool tilewright::graph::isNear(double number, double expected) {
  return std::abs(number - expected) <= 2e-5 * std::abs(expected);
}

static Formula scale(Formula formula, double factor) {
  for (auto &[product, coefficient] : formula)
    coefficient *= factor;
  return formula;
}

static Formula add(Formula a, const Formula &b) {
  for (auto &[product, coefficient] : b)
    a[product] += coefficient;
  return a;
}

static Formula multiply(const Formula &a, const Formula &b) {
  Formula result;
  for (auto &[left, leftCoefficient] : a)
    for (auto &[right, rightCoefficient] : b) {
      Product product(left);
      product.insert(product.end(), right.begin(), right.end());
      llvm::sort(product);
      result[product] += leftCoefficient * rightCoefficient;
    }
  return result;
}

Formula FormulaReader::single(Atom::Kind kind, View view) {
  Atom atom{kind, std::move(view)};
  auto *found = llvm::find(atoms, atom);
  unsigned number = found - atoms.begin();
  if (found == atoms.end())
    atoms.push_back(atom);
  return {{{number}, 1.0}};
}

std::optional<unsigned> FormulaReader::find(Value value) const {
  for (auto [number, atom] : llvm::enumerate(atoms))
    if (atom.kind == Atom::Kind::Plain && atom.view.value == value && isIdentity(atom.view))
      return number;
  return std::nullopt;
}

std::optional<Formula> FormulaReader::read(View view) {
  view = peel(std::move(view), stops);
  if (llvm::is_contained(stops, view.value))
    return single(Atom::Kind::Plain, view);
  if (std::optional<double> number = splatNumber(view.value))
    return Formula{{{}, *number}};
  if (!isa_and_present<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
                       math::RsqrtOp, math::PowFOp, math::FPowIOp>(view.value.getDefiningOp()))
    return single(Atom::Kind::Plain, view);
  std::optional<Formula> formula = readOperation(view);
  if (!formula || formula->size() > kMaxProducts || visited.size() > kMaxOps)
    return std::nullopt;
  return formula;
}

std::optional<Formula> FormulaReader::readOperation(View view) {
  Operation *op = view.value.getDefiningOp();
  visited.insert(op);
  auto operandView = [&](unsigned index) { return View{op->getOperand(index), view.dims}; };
  if (isa<math::RsqrtOp>(op))
    return single(Atom::Kind::InverseRoot, peel(operandView(0), stops));

  if (isa<math::PowFOp, math::FPowIOp>(op)) {
    std::optional<double> exponent = splatNumber(op->getOperand(1));
    DenseIntElementsAttr integers;
    if (!exponent && matchPattern(op->getOperand(1), m_Constant(&integers)) && integers.isSplat())
      exponent = integers.getSplatValue<APInt>().getSExtValue();
    if (exponent == -0.5)
      return single(Atom::Kind::InverseRoot, peel(operandView(0), stops));
    if (exponent != 1.0 && exponent != 2.0 && exponent != 3.0)
      return single(Atom::Kind::Plain, view);
    std::optional<Formula> base = read(operandView(0));
    if (!base || base->size() > 4)
      return std::nullopt;
    Formula power = *base;
    for (int i = 1; i < *exponent; ++i)
      power = multiply(power, *base);
    return power;
  }

  std::optional<Formula> lhs = read(operandView(0));
  if (!lhs || isa<arith::NegFOp>(op))
    return lhs ? std::optional(scale(*lhs, -1.0)) : std::nullopt;
  if (isa<arith::DivFOp>(op)) {
    View divisor = peel(operandView(1), stops);
    if (std::optional<double> number = splatNumber(divisor.value))
      return scale(*lhs, 1.0 / *number);
    if (auto root = divisor.value.getDefiningOp<math::SqrtOp>()) {
      visited.insert(root);
      View argument = peel(View{root.getOperand(), divisor.dims}, stops);
      return multiply(*lhs, single(Atom::Kind::InverseRoot, argument));
    }
    return multiply(*lhs, single(Atom::Kind::Inverse, divisor));
  }
  std::optional<Formula> rhs = read(operandView(1));
  if (!rhs)
    return std::nullopt;
  if (isa<arith::MulFOp>(op))
    return multiply(*lhs, *rhs);
  return add(*lhs, isa<arith::SubFOp>(op) ? scale(*rhs, -1.0) : *rhs);
}
