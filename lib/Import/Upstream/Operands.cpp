// Indexing maps, dimension by dimension: a loop is the dimension itself, a constant one slice of it, a loop
// times a constant a strided slice, and a sum of loops (a window) a stack of slices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Operands.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

/// More slices of one dimension than this are not stacked.
static constexpr int64_t kMostSlices = 256;

namespace {
/// An index: the sum of loops times their steps, and an offset.
struct Index {
  struct Term {
    int64_t loop, step;
  };
  SmallVector<Term> terms;
  int64_t offset = 0;
};
} // namespace

/// Adds `factor` times `expr` to `index`; false when it is no sum of loops times constants.
static bool addTo(Index &index, AffineExpr expr, int64_t factor, ArrayRef<int64_t> rank) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    index.offset += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    index.terms.push_back({rank[dim.getPosition()], factor});
    return true;
  }
  auto pair = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!pair)
    return false;
  if (pair.getKind() == AffineExprKind::Add)
    return addTo(index, pair.getLHS(), factor, rank) && addTo(index, pair.getRHS(), factor, rank);
  auto constant = dyn_cast<AffineConstantExpr>(pair.getRHS());
  return pair.getKind() == AffineExprKind::Mul && constant &&
         addTo(index, pair.getLHS(), factor * constant.getValue(), rank);
}

/// `x` with dimension `dim` replaced by one dimension for each of `terms`.
static Value unfold(ScalarBody &body, Value x, int64_t dim, ArrayRef<Index::Term> terms, int64_t offset) {
  OpImport &n = body.n;
  if (llvm::any_of(terms, [&](const Index::Term &term) { return body.sizes[term.loop] == 0; })) {
    // No slice is taken.
    OpImport::Dims shape(n.shapeOf(x));
    shape.erase(shape.begin() + dim);
    for (auto [i, term] : llvm::enumerate(terms))
      shape.insert(shape.begin() + dim + i, body.sizes[term.loop]);
    return n.constant(shape, n.elementOf(x), 0);
  }
  if (terms.size() == 1) {
    int64_t size = body.sizes[terms.front().loop];
    if (offset == 0 && terms.front().step == 1 && n.shapeOf(x)[dim] == size)
      return x;
    return n.sliceDim(x, dim, offset, size, terms.front().step);
  }
  SmallVector<Value> slices;
  for (int64_t i = 0; i < body.sizes[terms.back().loop]; ++i) {
    Value part = unfold(body, x, dim, terms.drop_back(), offset + i * terms.back().step);
    OpImport::Dims shape(n.shapeOf(part));
    shape.insert(shape.begin() + dim + terms.size() - 1, 1);
    slices.push_back(n.reshape(part, shape));
  }
  return n.concat(slices, dim + terms.size() - 1);
}

FailureOr<Element> tilewright::upstream::readThrough(ScalarBody &body, Value operand, AffineMap map,
                                                     const Twine &name) {
  OpImport &n = body.n;
  SmallVector<int64_t> loops;
  Value x = operand;
  for (AffineExpr expr : map.getResults()) {
    Index index;
    int64_t dim = loops.size();
    if (!addTo(index, expr, 1, body.rank)) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      return n.fail(name + " is indexed by " + text + ", which is no sum of loops times constants");
    }
    if (index.terms.empty()) {
      if (index.offset < 0 || index.offset >= n.shapeOf(x)[dim])
        return n.fail(name + " is read at " + Twine(index.offset) + " of " + Twine(n.shapeOf(x)[dim]) +
                      " places");
      OpImport::Dims shape(n.shapeOf(x));
      shape.erase(shape.begin() + dim);
      x = n.reshape(n.sliceDim(x, dim, index.offset, 1), shape);
      continue;
    }
    // The longest loop stays a slice, the others choose between slices.
    llvm::sort(index.terms, [&](const Index::Term &a, const Index::Term &b) {
      return std::make_pair(-body.sizes[a.loop], a.loop) < std::make_pair(-body.sizes[b.loop], b.loop);
    });
    int64_t slices = 1;
    for (const Index::Term &term : ArrayRef(index.terms).drop_front())
      slices *= body.sizes[term.loop];
    if (slices > kMostSlices)
      return n.fail(name + " is read in windows of " + Twine(slices) + " places, more than " +
                    Twine(kMostSlices));
    x = unfold(body, x, dim, index.terms, index.offset);
    for (const Index::Term &term : index.terms)
      loops.push_back(term.loop);
  }
  SmallVector<int64_t> sorted(loops);
  llvm::sort(sorted);
  if (llvm::adjacent_find(sorted) != sorted.end())
    return n.fail(name + " is read along a diagonal: one loop indexes two of its dimensions");
  return body.arranged(x, loops);
}
