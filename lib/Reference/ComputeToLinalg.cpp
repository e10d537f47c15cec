// Matmuls and reductions as linalg. The matmul's loops run batch, M, K, N, so that the innermost one reads
// and writes consecutive elements and LLVM vectorizes it without reassociating a sum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// `type` filled with the scalar constant `value`.
static Value filled(OpBuilder &builder, Location loc, RankedTensorType type, TypedAttr value) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// `value`, a scalar or tensor, with float or integer elements of `element`.
static Value castTo(OpBuilder &builder, Location loc, Value value, Type element) {
  Type from = getElementTypeOrSelf(value), target = element;
  if (from == element)
    return value;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    target = tensor.clone(element);
  bool widens = from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth();
  if (isa<FloatType>(element))
    return widens ? Value(arith::ExtFOp::create(builder, loc, target, value))
                  : arith::TruncFOp::create(builder, loc, target, value);
  return widens ? Value(arith::ExtSIOp::create(builder, loc, target, value))
                : arith::TruncIOp::create(builder, loc, target, value);
}

namespace {
struct LowerMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType result = typeOf(op.getResult());
    Type operand = typeOf(op.getLhs()).getElementType();
    if (isa<FloatType>(operand) != isa<FloatType>(result.getElementType()) || isa<IndexType>(operand))
      return rewriter.notifyMatchFailure(op, "operands and result are not both floats or both integers");
    Type accumulator = !isa<FloatType>(operand)                ? result.getElementType()
                       : operand.getIntOrFloatBitWidth() <= 32 ? rewriter.getF32Type()
                                                               : operand;
    auto multiply = [&](OpBuilder &builder, Location at, Value a, Value b, Value sum) -> Value {
      a = castTo(builder, at, a, accumulator);
      b = castTo(builder, at, b, accumulator);
      if (isa<FloatType>(accumulator))
        return arith::AddFOp::create(builder, at, sum, arith::MulFOp::create(builder, at, a, b));
      return arith::AddIOp::create(builder, at, sum, arith::MulIOp::create(builder, at, a, b));
    };
    if (op.getGroups()) {
      Value sum = groupedSums(rewriter, op, accumulator, multiply);
      rewriter.replaceOp(op, castTo(rewriter, loc, sum, result.getElementType()));
      return success();
    }
    int64_t rank = result.getRank(), m = rank - 2, k = rank - 1, n = rank;
    auto map = [&](int64_t rows, int64_t columns) {
      SmallVector<AffineExpr> exprs;
      for (int64_t d = 0; d < rank - 2; ++d)
        exprs.push_back(rewriter.getAffineDimExpr(d));
      exprs.push_back(rewriter.getAffineDimExpr(rows));
      exprs.push_back(rewriter.getAffineDimExpr(columns));
      return AffineMap::get(rank + 1, 0, exprs, getContext());
    };
    SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
    iterators[k] = utils::IteratorType::reduction;
    RankedTensorType sumType = result.clone(accumulator);
    Value zero = filled(rewriter, loc, sumType, cast<TypedAttr>(rewriter.getZeroAttr(accumulator)));
    auto body = [&](OpBuilder &builder, Location at, ValueRange args) {
      linalg::YieldOp::create(builder, at, multiply(builder, at, args[0], args[1], args[2]));
    };
    auto sum = linalg::GenericOp::create(rewriter, loc, sumType, ValueRange{op.getLhs(), op.getRhs()},
                                         ValueRange{zero}, ArrayRef{map(m, k), map(k, n), map(m, n)},
                                         iterators, body);
    rewriter.replaceOp(op, castTo(rewriter, loc, sum.getResult(0), result.getElementType()));
    return success();
  }

private:
  /// For each row the number of ends that it lies behind: an end before the one of an earlier group is none.
  static Value groupsOf(PatternRewriter &rewriter, MatmulOp op) {
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type();
    auto type = RankedTensorType::get({typeOf(op.getLhs()).getDimSize(0)}, word);
    Value least = filled(rewriter, loc, type, rewriter.getI32IntegerAttr(INT32_MIN));
    Value none = filled(rewriter, loc, type, rewriter.getI32IntegerAttr(0));
    AffineExpr row = rewriter.getAffineDimExpr(0), group = rewriter.getAffineDimExpr(1);
    auto map = [&](AffineExpr expr) { return AffineMap::get(2, 0, expr, rewriter.getContext()); };
    auto counts = linalg::GenericOp::create(
        rewriter, loc, TypeRange{type, type}, ValueRange{op.getGroups()}, ValueRange{least, none},
        ArrayRef{map(group), map(row), map(row)},
        ArrayRef{utils::IteratorType::parallel, utils::IteratorType::reduction},
        [&](OpBuilder &builder, Location at, ValueRange args) {
          Value end = arith::MaxSIOp::create(builder, at, args[0], args[1]);
          Value index =
              arith::IndexCastOp::create(builder, at, word, linalg::IndexOp::create(builder, at, 0));
          Value isBehind = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::sle, end, index);
          Value count = arith::AddIOp::create(builder, at, args[2],
                                              arith::ExtUIOp::create(builder, at, word, isBehind));
          linalg::YieldOp::create(builder, at, ValueRange{end, count});
        });
    return counts.getResult(1);
  }

  /// The sums over K of each row with the matrix of its group; zeros for rows of none.
  static Value groupedSums(PatternRewriter &rewriter, MatmulOp op, Type accumulator,
                           function_ref<Value(OpBuilder &, Location, Value, Value, Value)> multiply) {
    Location loc = op.getLoc();
    RankedTensorType sumType = typeOf(op.getResult()).clone(accumulator);
    int64_t groups = typeOf(op.getRhs()).getDimSize(0);
    Value zero = filled(rewriter, loc, sumType, cast<TypedAttr>(rewriter.getZeroAttr(accumulator)));
    AffineExpr row = rewriter.getAffineDimExpr(0), k = rewriter.getAffineDimExpr(1),
               n = rewriter.getAffineDimExpr(2);
    auto map = [&](ArrayRef<AffineExpr> exprs) { return AffineMap::get(3, 0, exprs, rewriter.getContext()); };
    auto parallel = utils::IteratorType::parallel;
    auto sums = linalg::GenericOp::create(
        rewriter, loc, sumType, ValueRange{op.getLhs(), groupsOf(rewriter, op)}, ValueRange{zero},
        ArrayRef{map({row, k}), map({row}), map({row, n})},
        ArrayRef{parallel, utils::IteratorType::reduction, parallel},
        [&](OpBuilder &builder, Location at, ValueRange args) {
          Value last = arith::ConstantIndexOp::create(builder, at, groups - 1);
          Value group = arith::IndexCastOp::create(builder, at, builder.getIndexType(), args[1]);
          Value within = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ule, group, last);
          Value matrix = arith::MinUIOp::create(builder, at, group, last);
          Value factor = tensor::ExtractOp::create(builder, at, op.getRhs(),
                                                   ValueRange{matrix, linalg::IndexOp::create(builder, at, 1),
                                                              linalg::IndexOp::create(builder, at, 2)});
          Value sum = multiply(builder, at, args[0], factor, args[2]);
          linalg::YieldOp::create(builder, at,
                                  arith::SelectOp::create(builder, at, within, sum, args[2]).getResult());
        });
    return sums.getResult(0);
  }
};

/// Reductions of any number of state values, element after element.
template <typename OpT> struct LowerReduction : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType input = typeOf(op.getInput());
    SmallVector<int64_t> dims = op.getReducedDims();
    SmallVector<utils::IteratorType> iterators(input.getRank(), utils::IteratorType::parallel);
    SmallVector<AffineExpr> kept;
    for (int64_t d = 0; d < input.getRank(); ++d) {
      if (llvm::is_contained(dims, d))
        iterators[d] = utils::IteratorType::reduction;
      else
        kept.push_back(rewriter.getAffineDimExpr(d));
    }
    SmallVector<AffineMap> maps{rewriter.getMultiDimIdentityMap(input.getRank())};
    SmallVector<Value> identities;
    for (TypedAttr identity : op.getIdentity()) {
      maps.push_back(AffineMap::get(input.getRank(), 0, kept, this->getContext()));
      identities.push_back(filled(rewriter, loc, typeOf(op.getResult()).clone(identity.getType()), identity));
    }
    auto body = [&](OpBuilder &builder, Location at, ValueRange args) {
      Value index;
      if (op.needsIndex())
        index = arith::IndexCastOp::create(builder, at, builder.getI32Type(),
                                           linalg::IndexOp::create(builder, at, dims.front()));
      SmallVector<Value> element = op.step(builder, at, args[0], index);
      linalg::YieldOp::create(builder, at, op.merge(builder, at, args.drop_front(), element));
    };
    auto state = linalg::GenericOp::create(rewriter, loc, ValueRange(identities).getTypes(),
                                           ValueRange{op.getInput()}, identities, maps, iterators, body);
    rewriter.replaceOp(op, op.finish(rewriter, loc, state.getResults()));
    return success();
  }
};
/// A running reduction, element after element: the loop along the dimension is sequential, and each element
/// is the one before combined with the operand's.
struct LowerScan : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScanOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = typeOf(op.getInput());
    int64_t rank = type.getRank(), dim = op.getDim(), size = type.getDimSize(dim);
    Type stateElement = op.getStateTypes().front();
    SmallVector<int64_t> kept(type.getShape());
    kept.erase(kept.begin() + dim);
    // State [kept…] and result [shape…] are written by one loop nest.
    SmallVector<AffineExpr> rows;
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    iterators[dim] = utils::IteratorType::reduction;
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim)
        rows.push_back(rewriter.getAffineDimExpr(d));
    AffineMap places = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<AffineMap> maps{places, AffineMap::get(rank, 0, rows, getContext()), places};
    // From the end: the tensor turned round, and the result again.
    auto turned = [&](Value value) -> Value {
      SmallVector<int64_t> offsets(rank, 0), strides(rank, 1);
      offsets[dim] = size - 1;
      strides[dim] = -1;
      return op.getReverse() ? Value(SliceOp::create(rewriter, loc, type, value, offsets, strides)) : value;
    };
    Value state = filled(rewriter, loc, RankedTensorType::get(kept, stateElement), op.getIdentity().front());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    auto body = [&](OpBuilder &builder, Location at, ValueRange args) {
      SmallVector<Value> next = op.merge(builder, at, args[1], op.step(builder, at, args[0], Value()));
      linalg::YieldOp::create(builder, at, ValueRange{next[0], op.finish(builder, at, next)});
    };
    auto scan = linalg::GenericOp::create(rewriter, loc, TypeRange{state.getType(), empty.getType()},
                                          ValueRange{turned(op.getInput())}, ValueRange{state, empty}, maps,
                                          iterators, body);
    rewriter.replaceOp(op, turned(scan.getResult(1)));
    return success();
  }
};
} // namespace

void tilewright::reference::populateComputeToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMatmul, LowerReduction<ReduceOp>, LowerReduction<ArgReduceOp>, LowerScan>(
      patterns.getContext());
}
