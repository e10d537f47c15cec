// Sums of squared deviations of rows too long for one block's memory, in one pass over them. For any value m,
// pieces p of n elements with means m_p give
//
//   sum of (x - m)^2  =  sum over p of ( sum of (x - m_p)^2 in p  +  n (m_p - m)^2 )
//
// A block reads a piece once, and computes its sum and, around its own mean, its deviations: as exact as two
// passes over everything. What is left has an element for each piece.

#include "SplitReductions.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Bytes of a row that blocks may keep among them, and elements of the pieces of a longer one.
static constexpr int64_t kKeptBytes = 512 << 10, kMostPiece = 16 << 10, kLeastPiece = 1024;
/// The same of columns, of which a block has several side by side.
static constexpr int64_t kKeptRows = 1024, kMostRows = 256, kLeastRows = 32;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
/// `sum` of the squares of `x` minus a mean, which has a value for each kept element and follows from
/// `sumOfX`.
struct Deviations {
  ReduceOp sum, sumOfX;
  Value x;
};
} // namespace

/// A sum of `x` over `dims` that `value` is computed from, through ops on kept elements alone.
static ReduceOp sumBehind(Value value, Value x, ArrayRef<int64_t> dims, int depth = 4) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return nullptr;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == ReduceKind::Sum && reduce.getInput() == x && reduce.getDims() == dims
               ? reduce
               : nullptr;
  if (!isElementwise(op) && !isa<ReshapeOp>(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (ReduceOp found = sumBehind(operand, x, dims, depth - 1))
      return found;
  return nullptr;
}

static std::optional<Deviations> deviationsOf(ReduceOp sum) {
  auto square = sum.getInput().getDefiningOp<arith::MulFOp>();
  if (sum.getKind() != ReduceKind::Sum || !square || square.getLhs() != square.getRhs() ||
      !typeOf(square).getElementType().isF32() || !sum.getStateTypes().front().isF32())
    return std::nullopt;
  auto difference = square.getLhs().getDefiningOp<arith::SubFOp>();
  auto broadcast = difference ? difference.getRhs().getDefiningOp<BroadcastOp>() : nullptr;
  if (!broadcast)
    return std::nullopt;
  // The mean has exactly the kept dimensions.
  RankedTensorType type = typeOf(difference);
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(sum.getDims(), d))
      kept.push_back(d);
  if (broadcast.getDims() != ArrayRef<int64_t>(kept))
    return std::nullopt;
  ReduceOp sumOfX = sumBehind(broadcast.getInput(), difference.getLhs(), sum.getDims());
  if (!sumOfX)
    return std::nullopt;
  return Deviations{sum, sumOfX, difference.getLhs()};
}

std::optional<fuse::RowPieces> fuse::piecesOfRows(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t row = 1, last = type.getRank() - 1;
  for (int64_t dim : dims)
    row *= type.getDimSize(dim);
  while (last > 0 && type.getDimSize(last) == 1)
    --last;
  bool alongRow = llvm::is_contained(dims, last);
  if (alongRow ? row * (int64_t)sizeof(float) <= kKeptBytes : row <= kKeptRows)
    return std::nullopt;
  int64_t most = alongRow ? kMostPiece : kMostRows, least = alongRow ? kLeastPiece : kLeastRows;
  fuse::RowPieces pieces;
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted, std::greater<int64_t>());
  for (int64_t dim : sorted) {
    int64_t size = type.getDimSize(dim);
    if (pieces.elems * size <= most) {
      pieces.inner.push_back(dim);
      pieces.elems *= size;
      continue;
    }
    if (pieces.elems >= least)
      break;
    // The longest even part; along the row it keeps vectors aligned. Else one that leaves few elements, where
    // nothing else counts pieces.
    int64_t unit = alongRow && pieces.elems == 1 ? 8 : 1, best = 0, longest = most / pieces.elems;
    bool alone = pieces.inner.size() + 1 == sorted.size();
    for (int64_t length = longest; length >= 2 && (!best || size % best != 0); --length) {
      // Equal pieces that are too short would be no better than none.
      bool even = size % length == 0 && length * pieces.elems >= least,
           few = alone && 2 * length >= longest && size >= 4 * length;
      if (length % unit == 0 && (even || (few && (!best || size % length < size % best))))
        best = length;
    }
    if (best) {
      pieces.inner.push_back(dim);
      pieces.length = best;
      pieces.elems *= best;
      pieces.rest = size % best;
    }
    break;
  }
  if (pieces.elems < least || pieces.elems >= row)
    return std::nullopt;
  return pieces;
}

fuse::PiecesOfValue fuse::cutIntoPieces(IRRewriter &rewriter, Value x, ArrayRef<int64_t> dims,
                                        const RowPieces &pieces) {
  RankedTensorType type = typeOf(x);
  int64_t cut = pieces.length ? pieces.inner.back() : -1;
  Value rest;
  if (pieces.rest) {
    int64_t whole = type.getDimSize(cut) - pieces.rest;
    rest = computedSlice(rewriter, x, cut, whole, pieces.rest);
    x = computedSlice(rewriter, x, cut, 0, whole);
    type = typeOf(x);
  }
  // The dimension that is cut becomes two: which piece, and the place in it.
  auto moved = [&](int64_t dim) { return cut >= 0 && dim >= cut ? dim + 1 : dim; };
  if (cut >= 0) {
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin() + cut, shape[cut] / pieces.length);
    shape[cut + 1] = pieces.length;
    type = type.clone(shape);
    x = ReshapeOp::create(rewriter, x.getLoc(), type, x);
  }
  PiecesOfValue result{x, rest, {}, {}, {}, {}};
  for (int64_t dim : pieces.inner)
    result.inner.push_back(moved(dim));
  llvm::sort(result.inner);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(result.inner, d)) {
      // Among the dimensions of a piece's results, those that count pieces.
      if (d == cut || llvm::any_of(dims, [&](int64_t dim) { return moved(dim) == d; }))
        result.outer.push_back((int64_t)result.keptDims.size());
      result.keptDims.push_back(d);
      result.keptShape.push_back(type.getDimSize(d));
    }
  return result;
}

std::optional<fuse::DividedRows> fuse::splitDeviations(IRRewriter &rewriter, ReduceOp sum, int64_t blocks,
                                                       int64_t clusterBlocks) {
  std::optional<Deviations> found = deviationsOf(sum);
  if (found && clustersKeep(sum, blocks, clusterBlocks))
    return std::nullopt;
  std::optional<RowPieces> pieces = found ? piecesOfRows(typeOf(found->x), sum.getDims()) : std::nullopt;
  if (!pieces || !found->sumOfX->isBeforeInBlock(sum))
    return std::nullopt;
  Location loc = sum.getLoc();
  rewriter.setInsertionPoint(found->sumOfX);
  DividedRows divided{SmallVector<int64_t>(typeOf(found->x).getShape()), SmallVector<int64_t>(sum.getDims()),
                      isa_and_nonnull<ReduceOp>(found->x.getDefiningOp()) ? Value() : found->x, *pieces};
  auto [x, rest, inner, outer, keptDims, keptShape] =
      cutIntoPieces(rewriter, computedAgain(rewriter, found->x), sum.getDims(), *pieces);
  RankedTensorType type = typeOf(x);
  RankedTensorType ofPieces = type.clone(keptShape);
  auto splat = [&](RankedTensorType of, double value) -> Value {
    return arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(of, rewriter.getFloatAttr(of.getElementType(), value)));
  };
  double count = (double)pieces->elems;
  Value sums = asPart(ReduceOp::create(rewriter, loc, ofPieces, x, ReduceKind::Sum, inner));
  Value means = arith::MulFOp::create(rewriter, loc, sums, splat(ofPieces, 1.0 / count));
  Value difference = arith::SubFOp::create(
      rewriter, loc, x, BroadcastOp::create(rewriter, loc, type, means, keptDims).getResult());
  Value squares = arith::MulFOp::create(rewriter, loc, difference, difference);
  Value within = asPart(ReduceOp::create(rewriter, loc, ofPieces, squares, ReduceKind::Sum, inner));
  Value total = ReduceOp::create(rewriter, loc, found->sumOfX.getType(), sums, ReduceKind::Sum, outer);
  // What no piece has is a piece of its own, of fewer elements.
  RankedTensorType ofRest = typeOf(found->sumOfX);
  int64_t restElems = pieces->length ? pieces->elems / pieces->length * pieces->rest : 0;
  Value restMeans, restWithin;
  if (rest) {
    SmallVector<int64_t> keptOfRest;
    for (int64_t d = 0; d < typeOf(rest).getRank(); ++d)
      if (!llvm::is_contained(sum.getDims(), d))
        keptOfRest.push_back(d);
    Value restSums = asPart(ReduceOp::create(rewriter, loc, ofRest, rest, ReduceKind::Sum, sum.getDims()));
    restMeans = arith::MulFOp::create(rewriter, loc, restSums, splat(ofRest, 1.0 / (double)restElems));
    Value apart = arith::SubFOp::create(
        rewriter, loc, rest,
        BroadcastOp::create(rewriter, loc, typeOf(rest), restMeans, keptOfRest).getResult());
    restWithin =
        asPart(ReduceOp::create(rewriter, loc, ofRest, arith::MulFOp::create(rewriter, loc, apart, apart),
                                ReduceKind::Sum, sum.getDims()));
    total = arith::AddFOp::create(rewriter, loc, total, restSums);
  }
  rewriter.replaceOp(found->sumOfX, total);

  rewriter.setInsertionPoint(sum);
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < ofPieces.getRank(); ++d)
    if (!llvm::is_contained(outer, d))
      kept.push_back(d);
  // The mean itself may have been computed from the sum just replaced.
  auto old = sum.getInput().getDefiningOp<arith::MulFOp>().getLhs().getDefiningOp<arith::SubFOp>();
  Value mean = old.getRhs().getDefiningOp<BroadcastOp>().getInput();
  Value apart = arith::SubFOp::create(rewriter, loc, means,
                                      BroadcastOp::create(rewriter, loc, ofPieces, mean, kept).getResult());
  Value between = arith::MulFOp::create(rewriter, loc, arith::MulFOp::create(rewriter, loc, apart, apart),
                                        splat(ofPieces, count));
  Value both = arith::AddFOp::create(rewriter, loc, within, between);
  Value result = ReduceOp::create(rewriter, loc, sum.getType(), both, ReduceKind::Sum, outer);
  if (rest) {
    Value fromMean = arith::SubFOp::create(rewriter, loc, restMeans, mean);
    Value squared = arith::MulFOp::create(rewriter, loc, fromMean, fromMean);
    Value between = arith::MulFOp::create(rewriter, loc, squared, splat(ofRest, (double)restElems));
    result = arith::AddFOp::create(rewriter, loc, result,
                                   arith::AddFOp::create(rewriter, loc, restWithin, between));
  }
  rewriter.replaceOp(sum, result);
  return divided;
}
