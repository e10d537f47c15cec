// Top-k, sort and scatter as linalg, by their definitions: the rank of an element is the number of elements
// that come before it; a scattered element meets all updates in their order. Quadratic, and independent of
// every kernel. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static Value filled(OpBuilder &builder, Location loc, RankedTensorType type, int64_t number) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  Value scalar =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type.getElementType(), number));
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

static Value position(OpBuilder &builder, Location loc, int64_t loop) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                    linalg::IndexOp::create(builder, loc, loop));
}

/// Whether scalar `a` is larger than `b`; NaN is larger than every number.
static Value isLarger(OpBuilder &builder, Location loc, Value a, Value b) {
  if (a.getType().isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, a, b);
  if (!isa<FloatType>(a.getType()))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, a, b);
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, x, y);
  };
  Value nanOverNumber = arith::AndIOp::create(builder, loc, compare(arith::CmpFPredicate::UNO, a, a),
                                              compare(arith::CmpFPredicate::ORD, b, b));
  return arith::OrIOp::create(builder, loc, compare(arith::CmpFPredicate::OGT, a, b), nanOverNumber);
}

/// The elements of `ids` along `dim`, at the places that the order of `keys` gives them: the result has
/// `count` of them. `comesFirst(a, b)` says that key a comes before key b; ties go by id.
static Value sortedIds(OpBuilder &builder, Location loc, Value keys, Value ids, int64_t dim, int64_t count,
                       function_ref<Value(OpBuilder &, Location, Value, Value)> comesFirst) {
  RankedTensorType type = typeOf(keys);
  int64_t rank = type.getRank();
  // Ranks: loops over the elements, and innermost over the others of the row.
  SmallVector<AffineExpr> own, other;
  SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
  iterators[rank] = utils::IteratorType::reduction;
  for (int64_t d = 0; d < rank; ++d) {
    own.push_back(builder.getAffineDimExpr(d));
    other.push_back(builder.getAffineDimExpr(d == dim ? rank : d));
  }
  MLIRContext *context = builder.getContext();
  AffineMap ownMap = AffineMap::get(rank + 1, 0, own, context),
            otherMap = AffineMap::get(rank + 1, 0, other, context);
  Value zeros = filled(builder, loc, type.clone(builder.getI64Type()), 0);
  auto rankBody = [&](OpBuilder &b, Location at, ValueRange args) {
    Value mine = args[0], theirs = args[1];
    Value before = comesFirst(b, at, theirs, mine), after = comesFirst(b, at, mine, theirs);
    Value lower = arith::CmpIOp::create(b, at, arith::CmpIPredicate::slt, args[3], args[2]);
    Value one = arith::ConstantOp::create(b, at, b.getBoolAttr(true));
    Value tie = arith::AndIOp::create(b, at, arith::XOrIOp::create(b, at, after, one), lower);
    Value counts = arith::OrIOp::create(b, at, before, tie);
    Value step = arith::ExtUIOp::create(b, at, b.getI64Type(), counts);
    linalg::YieldOp::create(b, at, arith::AddIOp::create(b, at, args[4], step).getResult());
  };
  Value ranks =
      linalg::GenericOp::create(builder, loc, zeros.getType(), ValueRange{keys, keys, ids, ids}, zeros,
                                ArrayRef{ownMap, otherMap, ownMap, otherMap, ownMap}, iterators, rankBody)
          .getResult(0);
  // The id whose rank is the place.
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = count;
  Value start = filled(builder, loc, typeOf(ids).clone(shape), 0);
  auto pickBody = [&](OpBuilder &b, Location at, ValueRange args) {
    Value here = arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, args[0], position(b, at, dim));
    linalg::YieldOp::create(b, at, arith::SelectOp::create(b, at, here, args[1], args[2]).getResult());
  };
  return linalg::GenericOp::create(builder, loc, start.getType(), ValueRange{ranks, ids}, start,
                                   ArrayRef{otherMap, otherMap, ownMap}, iterators, pickBody)
      .getResult(0);
}

namespace {
struct LowerTopK : OpRewritePattern<TopKOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TopKOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = typeOf(op.getInput());
    Type element = typeOf(op.getResult()).getElementType();
    int64_t dim = op.getDim();
    Value ids = IotaOp::create(rewriter, loc, type.clone(element), rewriter.getI64IntegerAttr(dim));
    rewriter.replaceOp(
        op, sortedIds(rewriter, loc, op.getInput(), ids, dim, typeOf(op.getResult()).getDimSize(dim),
                      [&](OpBuilder &builder, Location at, Value a, Value b) {
                        return op.getSmallest() ? isLarger(builder, at, b, a) : isLarger(builder, at, a, b);
                      }));
    return success();
  }
};

struct LowerSort : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SortOp op, PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    rewriter.replaceOp(op, sortedIds(rewriter, op.getLoc(), op.getKeys(), op.getIds(), dim,
                                     typeOf(op.getKeys()).getDimSize(dim),
                                     [&](OpBuilder &builder, Location at, Value a, Value b) {
                                       return isLarger(builder, at, b, a);
                                     }));
    return success();
  }
};

struct LowerScatter : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = typeOf(op.getInput());
    int64_t rank = type.getRank(), batch = op.getBatch();
    Type element = type.getElementType();
    bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
    // 16-bit floats are accumulated in fp32, over all updates.
    Type wide = narrow ? Type(rewriter.getF32Type()) : element;
    auto cast = [&](OpBuilder &builder, Location at, Value value) -> Value {
      return narrow ? Value(arith::ExtFOp::create(builder, at, wide, value)) : value;
    };
    // Loops over the elements of the result, and innermost over the updates.
    SmallVector<AffineExpr> places, updates, indices;
    SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
    iterators[rank] = utils::IteratorType::reduction;
    for (int64_t d = 0; d < rank; ++d) {
      places.push_back(rewriter.getAffineDimExpr(d));
      updates.push_back(rewriter.getAffineDimExpr(d == batch ? rank : d));
      if (d <= batch)
        indices.push_back(updates.back());
    }
    auto map = [&](ArrayRef<AffineExpr> exprs) { return AffineMap::get(rank + 1, 0, exprs, getContext()); };
    Value start = op.getInput();
    if (narrow)
      start = arith::ExtFOp::create(rewriter, loc, type.clone(wide), start);
    auto body = [&](OpBuilder &builder, Location at, ValueRange args) {
      Value index = args[0], update = cast(builder, at, args[1]), old = args[2];
      if (!index.getType().isInteger(64))
        index = arith::ExtSIOp::create(builder, at, builder.getI64Type(), index);
      auto number = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(builder, at, builder.getI64IntegerAttr(value));
      };
      Value negative = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::slt, index, number(0));
      Value wrapped = arith::AddIOp::create(builder, at, index, number(type.getDimSize(batch)));
      index = arith::SelectOp::create(builder, at, negative, wrapped, index);
      Value hit =
          arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, index, position(builder, at, batch));
      bool isFloat = isa<FloatType>(wide);
      Value met = update;
      switch (op.getKind()) {
      case ScatterKind::Set:
        break;
      case ScatterKind::Add:
        met = isFloat ? Value(arith::AddFOp::create(builder, at, old, update))
                      : arith::AddIOp::create(builder, at, old, update);
        break;
      case ScatterKind::Mul:
        met = isFloat ? Value(arith::MulFOp::create(builder, at, old, update))
                      : arith::MulIOp::create(builder, at, old, update);
        break;
      case ScatterKind::Max:
        met = isFloat ? Value(arith::MaximumFOp::create(builder, at, old, update))
                      : arith::MaxSIOp::create(builder, at, old, update);
        break;
      case ScatterKind::Min:
        met = isFloat ? Value(arith::MinimumFOp::create(builder, at, old, update))
                      : arith::MinSIOp::create(builder, at, old, update);
        break;
      }
      linalg::YieldOp::create(builder, at, arith::SelectOp::create(builder, at, hit, met, old).getResult());
    };
    Value result = linalg::GenericOp::create(
                       rewriter, loc, start.getType(), ValueRange{op.getIndices(), op.getUpdates()}, start,
                       ArrayRef{map(indices), map(updates), map(places)}, iterators, body)
                       .getResult(0);
    if (narrow)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void tilewright::reference::populateSelectionToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerTopK, LowerSort, LowerScatter>(patterns.getContext());
}
