// Recognizing normalizations: first the mean of squares under an inverse root, which tells x; then the
// formula of the root in x, its sum, the inverse root, and what else is there. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "MatchNorm.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The first of the trailing dimensions that `dims` are, and their number of elements; none when others are
/// reduced.
static std::optional<int64_t> trailingDim(RankedTensorType type, ArrayRef<int64_t> dims, int64_t &elems) {
  elems = 1;
  int64_t first = type.getRank() - (int64_t)dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim != first + (int64_t)i)
      return std::nullopt;
    elems *= type.getDimSize(dim);
  }
  return dims.empty() ? std::nullopt : std::optional(first);
}

/// The c of `value` = c * c.
static Value squared(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    return product.getLhs() == product.getRhs() ? product.getLhs() : Value();
  if (auto power = value.getDefiningOp<math::PowFOp>())
    return splatNumber(power.getRhs()) == 2.0 ? power.getLhs() : Value();
  return nullptr;
}

namespace {
/// mean(c * c) + epsilon, and the sum that it is made of.
struct Variance {
  ReduceOp sum;
  double epsilon;
  int64_t dim, elems;
};
} // namespace

/// Reads `argument`, in the dimensions of the normalized tensor, as a variance.
static std::optional<Variance> readVariance(const View &argument, SmallVectorImpl<Operation *> &ops) {
  FormulaReader reader({});
  std::optional<Formula> formula = reader.read(argument);
  if (!formula)
    return std::nullopt;
  Variance variance{nullptr, 0.0, 0, 0};
  double factor = 0.0;
  for (auto &[product, coefficient] : *formula) {
    if (product.empty()) {
      variance.epsilon = coefficient;
      continue;
    }
    const Atom &atom = reader.atom(product.front());
    if (product.size() != 1 || variance.sum || atom.kind != Atom::Kind::Plain)
      return std::nullopt;
    variance.sum = reductionOf(atom.view, ReduceKind::Sum);
    if (!variance.sum)
      return std::nullopt;
    factor = coefficient;
  }
  if (!variance.sum)
    return std::nullopt;
  auto dim = trailingDim(typeOf(variance.sum.getInput()), variance.sum.getDims(), variance.elems);
  if (!dim || !isNear(factor * variance.elems, 1.0))
    return std::nullopt;
  variance.dim = *dim;
  llvm::append_range(ops, reader.getVisited());
  ops.push_back(variance.sum);
  return variance;
}

/// The x of `centre` = x - mean(x) along `dims`.
static Value uncentred(Value centre, ArrayRef<int64_t> dims, int64_t elems,
                       SmallVectorImpl<Operation *> &ops) {
  auto difference = centre.getDefiningOp<arith::SubFOp>();
  if (!difference)
    return nullptr;
  FormulaReader reader({});
  std::optional<Formula> mean = reader.read(identityView(difference.getRhs()));
  if (!mean || mean->size() != 1 || mean->begin()->first.size() != 1 ||
      !isNear(mean->begin()->second * elems, 1.0))
    return nullptr;
  ReduceOp sum = reductionOf(reader.atom(mean->begin()->first.front()).view, ReduceKind::Sum);
  if (!sum || sum.getInput() != difference.getLhs() || sum.getDims() != dims)
    return nullptr;
  llvm::append_range(ops, reader.getVisited());
  ops.append({difference, sum});
  return difference.getLhs();
}

/// Whether `view` varies along dimensions from `dim` on only.
static bool variesFrom(const View &view, int64_t dim) {
  int64_t previous = -1;
  for (auto [d, outer] : llvm::enumerate(view.dims)) {
    if (typeOf(view.value).getDimSize(d) == 1)
      continue;
    if (outer < dim || outer <= previous)
      return false;
    previous = outer;
  }
  return true;
}

Value NormParameter::materialize(OpBuilder &builder, Location loc, RankedTensorType input,
                                 int64_t dim) const {
  RankedTensorType type = input.clone(input.getShape().drop_front(dim));
  if (number)
    return splat(builder, loc, type, *number);
  if (!view.value)
    return nullptr;
  SmallVector<int64_t> shape, dims;
  for (auto [d, outer] : llvm::enumerate(view.dims))
    if (typeOf(view.value).getDimSize(d) != 1) {
      shape.push_back(typeOf(view.value).getDimSize(d));
      dims.push_back(outer - dim);
    }
  Value wide = builder.createOrFold<ReshapeOp>(loc, typeOf(view.value).clone(shape), view.value);
  return wide.getType() == type ? wide : builder.createOrFold<BroadcastOp>(loc, type, wide, dims);
}

/// `parameter` set from the atoms of a product that are neither x nor statistics: at most one, along `dim`
/// and on.
static bool setParameter(NormParameter &parameter, const FormulaReader &reader, ArrayRef<unsigned> rest,
                         double coefficient, int64_t dim) {
  if (rest.empty()) {
    parameter.number = coefficient;
    return true;
  }
  const Atom &atom = reader.atom(rest.front());
  if (rest.size() != 1 || !isNear(coefficient, 1.0) || atom.kind != Atom::Kind::Plain ||
      !variesFrom(atom.view, dim))
    return false;
  parameter.view = atom.view;
  return true;
}

namespace {
/// The products of a norm's formula, told apart.
struct NormTerms {
  /// Coefficient and further atoms of the products with x, and with its sum, times the inverse root.
  std::optional<std::pair<double, Product>> input, sum;
  /// The product without the inverse root.
  std::optional<std::pair<double, Product>> bias;
};
} // namespace

/// Sorts the products of `formula`; none when one is neither.
static std::optional<NormTerms> sortTerms(const Formula &formula, const FormulaReader &reader,
                                          unsigned inverse, unsigned x, ArrayRef<int64_t> dims) {
  NormTerms terms;
  auto take = [](Product &product, unsigned atom) {
    auto found = llvm::find(product, atom);
    if (found == product.end())
      return false;
    product.erase(found);
    return true;
  };
  auto isSum = [&](unsigned number) {
    const Atom &atom = reader.atom(number);
    ReduceOp sum = atom.kind == Atom::Kind::Plain ? reductionOf(atom.view, ReduceKind::Sum) : ReduceOp();
    return sum && sum.getInput() == reader.atom(x).view.value && sum.getDims() == dims;
  };
  for (auto &[product, coefficient] : formula) {
    Product rest = product;
    std::optional<std::pair<double, Product>> *term = &terms.bias;
    if (take(rest, inverse)) {
      auto sum = llvm::find_if(rest, isSum);
      term = sum == rest.end() ? &terms.input : &terms.sum;
      if (sum != rest.end())
        rest.erase(sum);
      else if (!take(rest, x))
        return std::nullopt;
    }
    if (*term || llvm::is_contained(rest, inverse) || llvm::is_contained(rest, x))
      return std::nullopt;
    *term = {coefficient, rest};
  }
  return terms;
}

/// The number of the inverse root of `variance` in `formula`, in the place of a row statistic.
static std::optional<unsigned> findInverse(const Formula &formula, const FormulaReader &reader,
                                           const Variance &variance) {
  for (auto &[product, coefficient] : formula)
    for (unsigned number : product) {
      const Atom &atom = reader.atom(number);
      SmallVector<Operation *> ops;
      auto found = atom.kind == Atom::Kind::InverseRoot ? readVariance(atom.view, ops) : std::nullopt;
      if (found && found->sum == variance.sum)
        return number;
    }
  return std::nullopt;
}

/// Matches with `argument` under the inverse root.
static std::optional<NormMatch> matchWith(Operation *root, Value argument, bool centred) {
  NormMatch match;
  std::optional<Variance> variance = readVariance(identityView(argument), match.ops);
  Value centre = variance ? squared(variance->sum.getInput()) : Value();
  if (!centre || centre.getType() != root->getResult(0).getType())
    return std::nullopt;
  match.ops.push_back(variance->sum.getInput().getDefiningOp());
  ArrayRef<int64_t> dims = variance->sum.getDims();
  match.input = centred ? uncentred(centre, dims, variance->elems, match.ops) : centre;
  if (!match.input)
    return std::nullopt;

  FormulaReader reader({match.input});
  std::optional<Formula> formula = reader.read(identityView(root->getResult(0)));
  std::optional<unsigned> x = reader.find(match.input);
  std::optional<unsigned> inverse = formula ? findInverse(*formula, reader, *variance) : std::nullopt;
  if (!x || !inverse)
    return std::nullopt;
  std::optional<NormTerms> terms = sortTerms(*formula, reader, *inverse, *x, dims);
  if (!terms || !terms->input || terms->sum.has_value() != centred || (terms->bias && !centred))
    return std::nullopt;
  auto &[factor, scale] = *terms->input;
  if (centred && (terms->sum->second != scale || !isNear(terms->sum->first * variance->elems, -factor)))
    return std::nullopt;
  bool plain = scale.empty() && isNear(factor, 1.0);
  if (!plain && !setParameter(match.scale, reader, scale, factor, variance->dim))
    return std::nullopt;
  if (terms->bias &&
      !setParameter(match.bias, reader, terms->bias->second, terms->bias->first, variance->dim))
    return std::nullopt;
  match.dim = variance->dim;
  match.epsilon = variance->epsilon;
  llvm::append_range(match.ops, reader.getVisited());
  return match;
}

std::optional<NormMatch> tilewright::graph::matchNorm(Operation *root, bool centred) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(root))
    return std::nullopt;
  auto isRoot = [](Operation *op) { return isa<math::RsqrtOp, math::SqrtOp, math::PowFOp>(op); };
  for (Operation *inverse : findAbove(root, isRoot))
    if (auto match = matchWith(root, inverse->getOperand(0), centred))
      return match;
  return std::nullopt;
}
