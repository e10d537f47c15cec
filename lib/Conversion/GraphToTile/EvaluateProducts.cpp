// The loop of products over K on the block's tile, their operands split where the schedule says so, and the
// sums over parts of K that several blocks form. Products that share an operand go through one loop, in which
// its tile is loaded once.

#include "KernelTiler.h"
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// The sums over the parts of K. Each block goes on with a part of the tile: of rows or columns, so that
/// those of the other dimension, along which the first result is contiguous, stay whole.
SmallVector<Value> KernelTiler::sumsOfParts(ValueRange accumulators) {
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
  auto type = cast<RankedTensorType>(accumulators.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[cut] = dim.tile;
  return llvm::map_to_vector(accumulators, [&](Value accumulator) -> Value {
    return tile::SumBlocksOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()),
                                     accumulator, cut, parts);
  });
}

/// An fp32 tile as the sum of two of tf32 numbers, the first one cut off, so that both have the number's
/// sign: then no product of the parts is of another sign than that of the numbers, and where one overflows,
/// so do they. An infinite number is the sum of one and itself: a part that is infinite meets no zero or
/// infinity of the other sign that the number would not meet.
std::pair<Value, Value> KernelTiler::splitTf32(Value tile) {
  constexpr int64_t sign = 0x80000000, one = 0x3f800000, ofTf32 = 0xffffe000;
  Location loc = kernel.getLoc();
  auto type = cast<RankedTensorType>(tile.getType());
  Type i32 = builder.getI32Type();
  auto bits = [&](int64_t pattern) {
    return constant(builder.getIntegerAttr(i32, (int32_t)pattern), SmallVector<int64_t>(type.getShape()),
                    loc);
  };
  Value whole = arith::BitcastOp::create(builder, loc, type.clone(i32), tile);
  Value cut = arith::AndIOp::create(builder, loc, whole, bits(ofTf32));
  Value ofSign =
      arith::OrIOp::create(builder, loc, arith::AndIOp::create(builder, loc, whole, bits(sign)), bits(one));
  Value infinity = constant(builder.getF32FloatAttr(INFINITY), SmallVector<int64_t>(type.getShape()), loc);
  Value isFinite = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                         math::AbsFOp::create(builder, loc, tile), infinity);
  Value high = arith::BitcastOp::create(builder, loc, type,
                                        arith::SelectOp::create(builder, loc, isFinite, cut, ofSign));
  Value rest = arith::SubFOp::create(builder, loc, tile, high);
  Value rounded = arith::TruncFOp::create(builder, loc, type.clone(builder.getTF32Type()), rest);
  return {high, arith::ExtFOp::create(builder, loc, type, rounded)};
}

/// The tile of a product's operand at the current step of K. Tiles drop N or M: [1…, M, K], [1…, K, N].
Value KernelTiler::loadOperand(const OperandAccess &access, bool isLhs, bool wholeK) {
  size_t m = dims.size() - 3, n = dims.size() - 2, k = dims.size() - 1;
  SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, m));
  order.append({isLhs ? m : k, isLhs ? k : n});
  Value tile = loadMatrix(access, dims, order, wholeK ? std::nullopt : std::optional(k));
  auto typeOf = [&](Value like) {
    return cast<RankedTensorType>(tile.getType()).clone(getElementTypeOrSelf(like.getType()));
  };
  for (Operation *op : access.prologue) {
    Operation *clone = op->clone();
    for (OpOperand &operand : clone->getOpOperands()) {
      DenseElementsAttr dense;
      bool isConstant = matchPattern(chainOf(operand.get(), materialized).root, m_Constant(&dense));
      operand.set(isConstant ? arith::ConstantOp::create(builder, op->getLoc(),
                                                         dense.resizeSplat(typeOf(operand.get())))
                                   .getResult()
                             : tile);
    }
    clone->getResult(0).setType(typeOf(op->getResult(0)));
    builder.insert(clone);
    tile = clone->getResult(0);
  }
  return tile;
}

/// One step of K of all products: `sums` and what the step adds.
SmallVector<Value> KernelTiler::emitStep(ValueRange sums, bool wholeK) {
  SmallVector<std::pair<const OperandAccess *, Value>> loaded[2];
  auto operand = [&](graph::MatmulOp product, bool isLhs) {
    const OperandAccess &access = indexing.accesses[product][isLhs ? 0 : 1];
    auto &known = loaded[isLhs];
    auto same = llvm::find_if(known, [&](const auto &other) { return *other.first == access; });
    if (same != known.end())
      return same->second;
    return known.emplace_back(&access, loadOperand(access, isLhs, wholeK)).second;
  };
  // All loads, then all products: these run while the next step's loads are under way.
  SmallVector<std::pair<Value, Value>> operands;
  for (graph::MatmulOp product : indexing.products) {
    Value lhs = operand(product, /*isLhs=*/true);
    operands.push_back({lhs, operand(product, /*isLhs=*/false)});
  }
  // Each step's sum is one of its own where the tensor cores' is not to be carried on.
  bool onWarpgroups = schedule.getOptions().product == tile::ProductUnit::Wgmma;
  DenseMap<Value, std::pair<Value, Value>> parts;
  auto split = [&](Value tile) {
    auto [it, isNew] = parts.try_emplace(tile);
    if (isNew)
      it->second = splitTf32(tile);
    return it->second;
  };
  SmallVector<Value> results;
  for (auto [product, tiles, carried] : llvm::zip_equal(indexing.products, operands, sums)) {
    Location loc = product.getLoc();
    bool splits = splitsOperands(product) && onWarpgroups, promotes = promotionOf(product) && onWarpgroups;
    bool tf32 = splits || product.getPrecision() == graph::Precision::TF32;
    Value sum = carried;
    if (promotes)
      sum = constant(cast<TypedAttr>(builder.getZeroAttr(getElementTypeOrSelf(carried.getType()))),
                     cast<RankedTensorType>(carried.getType()).getShape(), loc);
    auto multiply = [&, type = carried.getType()](Value a, Value b) {
      sum = tile::DotOp::create(builder, loc, type, a, b, sum, tf32);
    };
    if (splits) {
      // The small ones first; the product of both rests is below what fp32 holds.
      auto [lhsHigh, lhsLow] = split(tiles.first);
      auto [rhsHigh, rhsLow] = split(tiles.second);
      multiply(lhsLow, rhsHigh);
      multiply(lhsHigh, rhsLow);
      multiply(lhsHigh, rhsHigh);
    } else {
      multiply(tiles.first, tiles.second);
    }
    if (promotes)
      sum = arith::AddFOp::create(builder, loc, carried, sum);
    results.push_back(sum);
  }
  return results;
}

/// `sum` as the product's result has it.
static Value castTo(OpBuilder &builder, Location loc, Value sum, RankedTensorType type) {
  Type from = getElementTypeOrSelf(sum.getType()), to = type.getElementType();
  bool narrows = to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
  if (isa<FloatType>(to))
    return graph::convertFloat(builder, loc, sum, to);
  if (from == to)
    return sum;
  return narrows ? arith::TruncIOp::create(builder, loc, type, sum).getResult()
                 : arith::ExtSIOp::create(builder, loc, type, sum);
}

void KernelTiler::emitMatmul() {
  auto matmul = cast<graph::MatmulOp>(indexing.anchorOp);
  Location loc = matmul.getLoc();
  size_t k = dims.size() - 1;
  Type accumulatorType = sumsOf(matmul);
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.tile);
  shape.pop_back();
  // Steps along K, and those of one part; parts that share them unequally read beyond the end, zeros.
  int64_t steps = llvm::divideCeil(dims[k].extent, dims[k].tile), parts = schedule.getOptions().splitK;
  int64_t trips = llvm::divideCeil(steps, parts);
  bool wholeK = dims[k].isWhole() && steps % parts == 0;
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
    return emitStep(carried, wholeK);
  };
  emitLoops(k, SmallVector<Value>(indexing.products.size(), zero), body, results);
  if (parts > 1)
    results = sumsOfParts(results);
  shape.assign(cast<RankedTensorType>(results[0].getType()).getShape().begin(),
               cast<RankedTensorType>(results[0].getType()).getShape().end());
  Type wanted = getElementTypeOrSelf(matmul.getType());
  for (Value &sum : results)
    sum = castTo(builder, loc, sum, RankedTensorType::get(shape, wanted));
  if (isGrouped) {
    Value within =
        tile::SplatOp::create(builder, loc, RankedTensorType::get(shape, builder.getI1Type()), isGrouped);
    Value none = constant(cast<TypedAttr>(builder.getZeroAttr(wanted)), shape, loc);
    for (Value &sum : results)
      sum = arith::SelectOp::create(builder, loc, within, sum, none);
  }
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
  for (auto [product, sum] : llvm::zip_equal(indexing.products, results))
    tiles[product] = sum;
  emitStraight();
}
