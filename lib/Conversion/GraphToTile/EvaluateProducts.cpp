// The loop of a product over K on the block's tile, its operands split where the schedule says so, and the
// sum over parts of K that several blocks form.

#include "KernelTiler.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// The sum over the parts of K. Each block goes on with a part of the tile: of rows or columns, so that those
/// of the other dimension, along which the first result is contiguous, stay whole.
Value KernelTiler::sumOfParts(Value accumulator) {
  Location loc = kernel.getLoc();
  int64_t parts = schedule.getOptions().splitK;
  size_t m = dims.size() - 3, n = dims.size() - 2;
  Value output = kernel.getBody().front().getTerminator()->getOperand(0);
  auto view = indexing.views.find(output.getDefiningOp());
  auto isContiguous = [&](size_t d) {
    if (view == indexing.views.end())
      return d == n;
    const std::vector<layout::Mode> &modes = view->second.dim(d).modes;
    return !modes.empty() && modes.back().stride == 1;
  };
  size_t cut = isContiguous(m) && !isContiguous(n) ? n : m;
  if (dims[cut].tile % parts != 0)
    cut = cut == m ? n : m;
  Dim &dim = dims[cut];
  dim.tile /= parts;
  dim.parts = parts;
  Value size = arith::ConstantIndexOp::create(builder, loc, dim.tile);
  dim.offset =
      arith::AddIOp::create(builder, loc, dim.offset, arith::MulIOp::create(builder, loc, partOfK, size));
  dim.divisor = dim.tile;
  auto type = cast<RankedTensorType>(accumulator.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[cut] = dim.tile;
  return tile::SumBlocksOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()),
                                   accumulator, cut, parts);
}

/// An fp32 tile as the sum of two of tf32 numbers; the rest of an infinite one is zero.
std::pair<Value, Value> KernelTiler::splitTf32(Value tile) {
  Location loc = kernel.getLoc();
  auto type = cast<RankedTensorType>(tile.getType());
  auto rounded = [&](Value value) -> Value {
    Value narrow = arith::TruncFOp::create(builder, loc, type.clone(builder.getTF32Type()), value);
    return arith::ExtFOp::create(builder, loc, type, narrow);
  };
  auto splat = [&](float value) {
    return constant(builder.getF32FloatAttr(value), SmallVector<int64_t>(type.getShape()), loc);
  };
  Value high = rounded(tile), rest = arith::SubFOp::create(builder, loc, tile, high);
  Value isFinite = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                         math::AbsFOp::create(builder, loc, rest), splat(INFINITY));
  return {high, rounded(arith::SelectOp::create(builder, loc, isFinite, rest, splat(0)))};
}

void KernelTiler::emitMatmul() {
  auto matmul = cast<graph::MatmulOp>(indexing.anchorOp);
  Location loc = matmul.getLoc();
  size_t n = dims.size() - 2, k = dims.size() - 1;
  // Tiles of products drop K or N: [1…, M, K], [1…, K, N], [1…, M, N].
  ArrayRef<OperandAccess> operands = indexing.accesses[matmul];
  Type element = getElementTypeOrSelf(matmul.getLhs().getType());
  Type accumulatorType = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 64
                             ? builder.getF32Type()
                         : isa<FloatType>(element) ? element
                                                   : getElementTypeOrSelf(matmul.getType());
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.tile);
  shape.pop_back();
  SmallVector<int64_t> lhsShape(shape), rhsShape(shape);
  lhsShape[n] = dims[k].tile;
  rhsShape[n - 1] = dims[k].tile;
  // Steps along K, and those of one part; parts that share them unequally read beyond the end, zeros.
  int64_t steps = llvm::divideCeil(dims[k].extent, dims[k].tile), parts = schedule.getOptions().splitK;
  int64_t trips = llvm::divideCeil(steps, parts);
  bool wholeK = dims[k].isWhole() && steps % parts == 0;
  // The operand's view over the dimensions its tile has.
  auto operandView = [&](const StridedView &view, bool isLhs) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    viewDims.erase(viewDims.begin() + (isLhs ? n : n - 1));
    if (!isLhs)
      std::swap(viewDims[n - 1], viewDims[n]); // N, K to K, N
    return StridedView(viewDims, view.offset());
  };
  auto load = [&](const OperandAccess &access, bool isLhs, ArrayRef<int64_t> tileSizes) -> Value {
    StridedView view = operandView(access.view, isLhs);
    SmallVector<unsigned> order;
    for (unsigned d = 0; d + 3 < dims.size(); ++d)
      order.push_back(d);
    order.push_back(isLhs ? n - 1 : k);
    order.push_back(isLhs ? k : n);
    Bounds b;
    for (auto [i, d] : llvm::enumerate(order)) {
      b.indices.push_back(dims[d].offset);
      b.divisors.push_back(dims[d].divisor);
      b.inBounds.push_back(view.dim(i).isTotal() && (d == k ? wholeK : dims[d].isWhole()));
    }
    auto type = RankedTensorType::get(tileSizes, getElementTypeOrSelf(access.root.getType()));
    return tile::LoadOp::create(builder, loc, type, viewOf(access.root, view, loc), b.indices, b.divisors,
                                b.inBounds, TypedAttr());
  };
  Value zero = constant(cast<TypedAttr>(builder.getZeroAttr(accumulatorType)), shape, loc);
  SmallVector<Value> results;
  Value firstStep, start;
  if (parts > 1) {
    dims[k].extent = trips * dims[k].tile;
    start = arith::MulIOp::create(builder, loc, partOfK,
                                  arith::ConstantIndexOp::create(builder, loc, dims[k].extent));
  }
  if (schedule.getOptions().rotateK && trips > 1) {
    Value number = tile::BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
    Value step =
        arith::RemUIOp::create(builder, loc, number, arith::ConstantIndexOp::create(builder, loc, trips));
    firstStep =
        arith::MulIOp::create(builder, loc, step, arith::ConstantIndexOp::create(builder, loc, dims[k].tile));
  }
  auto body = [&](ValueRange carried) {
    if (firstStep) {
      // The step's place, counted from the tile's own first one and round.
      Value size = arith::ConstantIndexOp::create(builder, loc, trips * dims[k].tile);
      Value place = arith::AddIOp::create(builder, loc, dims[k].offset, firstStep);
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place, size);
      dims[k].offset = arith::SelectOp::create(builder, loc, inside, place,
                                               arith::SubIOp::create(builder, loc, place, size));
    }
    if (start) {
      dims[k].offset = arith::AddIOp::create(builder, loc, dims[k].offset, start);
      dims[k].divisor = dims[k].tile;
    }
    Value lhs = load(operands[0], true, lhsShape), rhs = load(operands[1], false, rhsShape);
    bool tf32 = matmul.getPrecision() == graph::Precision::TF32;
    // Each step's sum is one of its own where the tensor cores' is not to be carried on.
    bool onWarpgroups = schedule.getOptions().product == tile::ProductUnit::Wgmma;
    bool promotes = promotionOf(matmul) && onWarpgroups;
    Value sum = promotes ? zero : carried[0];
    auto multiply = [&](Value a, Value b) {
      sum = tile::DotOp::create(builder, loc, carried[0].getType(), a, b, sum, tf32);
    };
    if (splitsOperands(matmul) && onWarpgroups) {
      // The small ones first; the product of both rests is below what fp32 holds.
      tf32 = true;
      auto [lhsHigh, lhsLow] = splitTf32(lhs);
      auto [rhsHigh, rhsLow] = splitTf32(rhs);
      multiply(lhsLow, rhsHigh);
      multiply(lhsHigh, rhsLow);
      multiply(lhsHigh, rhsHigh);
    } else {
      multiply(lhs, rhs);
    }
    if (promotes)
      sum = arith::AddFOp::create(builder, loc, carried[0], sum);
    return SmallVector<Value>{sum};
  };
  emitLoops(k, zero, body, results);
  Value accumulator = parts > 1 ? sumOfParts(results[0]) : results[0];
  shape.assign(cast<RankedTensorType>(accumulator.getType()).getShape().begin(),
               cast<RankedTensorType>(accumulator.getType()).getShape().end());
  Type wanted = getElementTypeOrSelf(matmul.getType());
  if (wanted != accumulatorType)
    accumulator = arith::TruncFOp::create(builder, loc, RankedTensorType::get(shape, wanted), accumulator);
  // From here on the domain has no K; its one element serves views that carry the dimension.
  dims.pop_back();
  auto dropLast = [](StridedView &view) {
    std::vector<layout::ViewDim> viewDims = view.dims();
    viewDims.pop_back();
    view = StridedView(viewDims, view.offset());
  };
  for (auto &[op, view] : indexing.views)
    dropLast(view);
  for (auto &[op, accesses] : indexing.accesses)
    for (OperandAccess &access : accesses)
      dropLast(access.view);
  for (auto &[op, places] : indexing.joins)
    llvm::for_each(places, dropLast);
  tiles[matmul] = accumulator;
  emitStraight();
}
