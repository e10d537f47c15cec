// Sums of exponentials relative to a row's maximum (softmax) of rows too long for a cluster, in one pass over
// them. Pieces p with maxima m_p, of which m is the largest, give
//
//   sum of exp(x - m)  =  sum over p of ( sum of exp(x - m_p) in p ) * exp(m_p - m)
//
// A block reads a piece once, and computes its maximum and its sum. Two passes over everything would be read
// otherwise: one for m, one for the sum.

#include "SplitReductions.h"

#include "Tilewright/Analysis/TileBudget.h"

#include <cfloat>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
/// `sum` of exp(x - max), where `max` is that of x over the same dimensions.
struct Exponentials {
  ReduceOp sum, max;
  arith::SubFOp difference;
  Value x;
};
} // namespace

static std::optional<Exponentials> exponentialsOf(ReduceOp sum) {
  auto exp = sum.getInput().getDefiningOp<math::ExpOp>();
  auto difference = exp ? exp.getOperand().getDefiningOp<arith::SubFOp>() : nullptr;
  auto broadcast = difference ? difference.getRhs().getDefiningOp<BroadcastOp>() : nullptr;
  auto max = broadcast ? broadcast.getInput().getDefiningOp<ReduceOp>() : nullptr;
  if (!max || sum.getKind() != ReduceKind::Sum || max.getKind() != ReduceKind::Max ||
      max.getInput() != difference.getLhs() || max.getDims() != sum.getDims() ||
      !typeOf(difference).getElementType().isF32() || !sum.getStateTypes().front().isF32() ||
      !max.getStateTypes().front().isF32())
    return std::nullopt;
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < typeOf(difference).getRank(); ++d)
    if (!llvm::is_contained(sum.getDims(), d))
      kept.push_back(d);
  if (broadcast.getDims() != ArrayRef<int64_t>(kept))
    return std::nullopt;
  return Exponentials{sum, max, difference, difference.getLhs()};
}

std::optional<fuse::DividedRows> fuse::splitExponentials(IRRewriter &rewriter, ReduceOp sum, int64_t blocks) {
  std::optional<Exponentials> found = exponentialsOf(sum);
  if (!found || !found->max->isBeforeInBlock(sum))
    return std::nullopt;
  RankedTensorType whole = typeOf(found->x);
  int64_t row = 1, rows = typeOf(sum).getNumElements();
  for (int64_t dim : sum.getDims())
    row *= whole.getDimSize(dim);
  std::optional<RowPieces> pieces;
  if (rows <= 2 * blocks && row * bytesOfSources(found->x) > kKeptRowBytes)
    pieces = piecesOfRows(whole, sum.getDims());
  if (!pieces)
    return std::nullopt;
  Location loc = sum.getLoc();
  rewriter.setInsertionPoint(found->max);
  DividedRows divided{SmallVector<int64_t>(whole.getShape()), SmallVector<int64_t>(sum.getDims()),
                      isa_and_nonnull<ReduceOp>(found->x.getDefiningOp()) ? Value() : found->x, *pieces};
  auto [x, rest, inner, outer, keptDims, keptShape] =
      cutIntoPieces(rewriter, computedAgain(rewriter, found->x), sum.getDims(), *pieces);
  RankedTensorType ofPieces = typeOf(x).clone(keptShape), ofRows = typeOf(sum);
  // Of a row whose elements are all -inf the exponentials are zero, not those of -inf - -inf: a piece of it
  // adds nothing to others.
  auto finite = [&](Value value) -> Value {
    Value least = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(typeOf(value), rewriter.getF32FloatAttr(-FLT_MAX)));
    return arith::MaximumFOp::create(rewriter, loc, value, least);
  };
  // The sum of exponentials of `values` relative to `maxima`, which have its dimensions `kept`.
  auto sumOver = [&](Value values, Value maxima, ArrayRef<int64_t> kept, ArrayRef<int64_t> dims) -> Value {
    Value spread = BroadcastOp::create(rewriter, loc, typeOf(values), finite(maxima), kept);
    Value apart = arith::SubFOp::create(rewriter, loc, values, spread);
    return asPart(ReduceOp::create(rewriter, loc, typeOf(maxima), math::ExpOp::create(rewriter, loc, apart),
                                   ReduceKind::Sum, dims));
  };
  Value maxima = asPart(ReduceOp::create(rewriter, loc, ofPieces, x, ReduceKind::Max, inner));
  Value within = sumOver(x, maxima, keptDims, inner);
  Value most = ReduceOp::create(rewriter, loc, ofRows, maxima, ReduceKind::Max, outer), restMax, restSum;
  if (rest) {
    SmallVector<int64_t> keptOfRest;
    for (int64_t d = 0; d < typeOf(rest).getRank(); ++d)
      if (!llvm::is_contained(sum.getDims(), d))
        keptOfRest.push_back(d);
    restMax = asPart(ReduceOp::create(rewriter, loc, ofRows, rest, ReduceKind::Max, sum.getDims()));
    restSum = sumOver(rest, restMax, keptOfRest, sum.getDims());
    most = arith::MaximumFOp::create(rewriter, loc, most, restMax);
  }
  rewriter.replaceOp(found->max, most);

  rewriter.setInsertionPoint(sum);
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < ofPieces.getRank(); ++d)
    if (!llvm::is_contained(outer, d))
      kept.push_back(d);
  auto scaled = [&](Value sums, Value maxima, Value to) -> Value {
    Value apart = arith::SubFOp::create(rewriter, loc, finite(maxima), to);
    return arith::MulFOp::create(rewriter, loc, sums, math::ExpOp::create(rewriter, loc, apart));
  };
  Value top = finite(most);
  Value spread = BroadcastOp::create(rewriter, loc, ofPieces, top, kept);
  Value result =
      ReduceOp::create(rewriter, loc, ofRows, scaled(within, maxima, spread), ReduceKind::Sum, outer);
  if (rest)
    result = arith::AddFOp::create(rewriter, loc, result, scaled(restSum, restMax, top));
  rewriter.replaceOp(sum, result);
  return divided;
}
