// Data movement as linalg: each result element extracts the operand element that it is. Indices are always in
// range: where an element comes from nowhere (pad, gather out of range), the index is clamped and the value
// replaced. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {
/// Builds index arithmetic at one location.
struct Index {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, int64_t b) { return arith::AddIOp::create(builder, loc, a, constant(b)); }
  Value mul(Value a, int64_t b) { return arith::MulIOp::create(builder, loc, a, constant(b)); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value isBelow(Value a, int64_t limit) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, constant(limit));
  }
  Value isAtLeast(Value a, int64_t limit) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, a, constant(limit));
  }
  Value isInside(Value a, int64_t size) { return both(isAtLeast(a, 0), isBelow(a, size)); }
  Value clamp(Value a, int64_t size) {
    Value high = arith::MinSIOp::create(builder, loc, a, constant(size - 1));
    return arith::MaxSIOp::create(builder, loc, high, constant(0));
  }
  Value extract(Value tensor, ValueRange indices) {
    return tensor::ExtractOp::create(builder, loc, tensor, indices);
  }
};
} // namespace

/// A tensor of `type` whose element at `indices` is `element(index, indices)`.
static Value generate(OpBuilder &builder, Location loc, RankedTensorType type,
                      function_ref<Value(Index &, SmallVector<Value>)> element) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location nestedLoc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t d = 0; d < rank; ++d)
      indices.push_back(linalg::IndexOp::create(nested, nestedLoc, d));
    Index index{nested, nestedLoc};
    linalg::YieldOp::create(nested, nestedLoc, element(index, indices));
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange{}, ValueRange{empty}, maps, iterators, body)
      .getResult(0);
}

/// A scalar constant zero.
static Value zero(Index &index, Type element) {
  return arith::ConstantOp::create(index.builder, index.loc,
                                   cast<TypedAttr>(index.builder.getZeroAttr(element)));
}

static Value lowerIota(OpBuilder &builder, IotaOp op) {
  RankedTensorType type = typeOf(op.getResult());
  return generate(builder, op.getLoc(), type, [&](Index &index, SmallVector<Value> at) -> Value {
    Type element = type.getElementType();
    Value position = at[op.getDim()];
    if (isa<IndexType>(element))
      return position;
    if (!isa<FloatType>(element))
      return arith::IndexCastOp::create(index.builder, index.loc, element, position);
    Value wide = arith::IndexCastOp::create(index.builder, index.loc, index.builder.getI64Type(), position);
    return arith::SIToFPOp::create(index.builder, index.loc, element, wide);
  });
}

/// The whole bucket is true.
static Value lowerTrueLength(OpBuilder &builder, TrueLengthOp op) {
  return splat(builder, op.getLoc(), op.getType(), (double)(int64_t)op.getLimit());
}

static Value lowerBroadcast(OpBuilder &builder, BroadcastOp op) {
  return generate(builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) {
    SmallVector<Value> source;
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      source.push_back(typeOf(op.getInput()).getDimSize(i) == 1 ? index.constant(0) : at[dim]);
    return index.extract(op.getInput(), source);
  });
}

static Value lowerTranspose(OpBuilder &builder, TransposeOp op) {
  return generate(builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) {
    SmallVector<Value> source(at.size());
    for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
      source[dim] = at[i];
    return index.extract(op.getInput(), source);
  });
}

/// Through one dimension: collapse, then expand.
static Value lowerReshape(OpBuilder &builder, ReshapeOp op) {
  RankedTensorType type = typeOf(op.getResult());
  auto all = [](int64_t rank) {
    ReassociationIndices dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    return rank == 0 ? SmallVector<ReassociationIndices>{} : SmallVector<ReassociationIndices>{dims};
  };
  Value value = op.getInput();
  int64_t rank = typeOf(value).getRank();
  if (type.getRank() == 0)
    return rank == 0 ? value
                     : tensor::CollapseShapeOp::create(builder, op.getLoc(), type, value,
                                                       ArrayRef<ReassociationIndices>{})
                           .getResult();
  if (rank > 1) {
    auto line = RankedTensorType::get({type.getNumElements()}, type.getElementType());
    value = tensor::CollapseShapeOp::create(builder, op.getLoc(), line, value, all(rank));
  }
  if (typeOf(value) == type)
    return value;
  return tensor::ExpandShapeOp::create(builder, op.getLoc(), type, value,
                                       rank == 0 ? SmallVector<ReassociationIndices>{} : all(type.getRank()));
}

static Value lowerSlice(OpBuilder &builder, SliceOp op) {
  return generate(builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) {
    for (auto [d, position] : llvm::enumerate(at))
      position = index.add(index.mul(position, op.getStrides()[d]), op.getOffsets()[d]);
    return index.extract(op.getInput(), at);
  });
}

static Value lowerConcat(OpBuilder &builder, ConcatOp op) {
  int64_t dim = op.getDim();
  return generate(builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) {
    Value result, position = at[dim];
    int64_t start = 0;
    for (Value input : op.getInputs()) {
      int64_t size = typeOf(input).getDimSize(dim);
      if (size == 0)
        continue;
      at[dim] = index.clamp(index.add(position, -start), size);
      Value element = index.extract(input, at);
      // Earlier operands have been chosen already for positions below `start`.
      result = result ? index.select(index.isBelow(position, start), result, element) : element;
      start += size;
    }
    return result ? result : zero(index, typeOf(op.getResult()).getElementType());
  });
}

static Value lowerPad(OpBuilder &builder, PadOp op) {
  RankedTensorType input = typeOf(op.getInput());
  return generate(
      builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) -> Value {
        Value fill = arith::ConstantOp::create(index.builder, index.loc, cast<TypedAttr>(op.getValue()));
        if (input.getNumElements() == 0)
          return fill;
        Value inside;
        for (auto [d, position] : llvm::enumerate(at)) {
          position = index.add(position, -op.getLow()[d]);
          Value in = index.isInside(position, input.getDimSize(d));
          inside = inside ? index.both(inside, in) : in;
          position = index.clamp(position, input.getDimSize(d));
        }
        Value element = index.extract(op.getInput(), at);
        return inside ? index.select(inside, element, fill) : element;
      });
}

static Value lowerGather(OpBuilder &builder, GatherOp op) {
  RankedTensorType input = typeOf(op.getInput());
  int64_t dim = op.getDim(), extent = input.getDimSize(dim), indexRank = typeOf(op.getIndices()).getRank();
  return generate(
      builder, op.getLoc(), typeOf(op.getResult()), [&](Index &index, SmallVector<Value> at) -> Value {
        Value nothing = zero(index, input.getElementType());
        if (extent == 0)
          return nothing;
        ArrayRef<Value> all(at);
        Value chosen = index.extract(op.getIndices(), ValueRange(all.slice(dim, indexRank)));
        chosen = arith::IndexCastOp::create(index.builder, index.loc, index.builder.getIndexType(), chosen);
        chosen = index.select(index.isBelow(chosen, 0), index.add(chosen, extent), chosen);
        SmallVector<Value> source(all.take_front(dim));
        source.push_back(index.clamp(chosen, extent));
        llvm::append_range(source, all.drop_front(dim + indexRank));
        return index.select(index.isInside(chosen, extent), index.extract(op.getInput(), source), nothing);
      });
}

namespace {
/// Replaces each `OpT` by what `lower` builds.
template <typename OpT> struct Lower : OpRewritePattern<OpT> {
  using Function = Value (*)(OpBuilder &, OpT);
  Lower(MLIRContext *context, Function lower) : OpRewritePattern<OpT>(context), lower(lower) {}
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, lower(rewriter, op));
    return success();
  }
  Function lower;
};
} // namespace

void tilewright::reference::populateMovementToLinalgPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<Lower<IotaOp>>(context, lowerIota);
  patterns.add<Lower<TrueLengthOp>>(context, lowerTrueLength);
  patterns.add<Lower<BroadcastOp>>(context, lowerBroadcast);
  patterns.add<Lower<TransposeOp>>(context, lowerTranspose);
  patterns.add<Lower<ReshapeOp>>(context, lowerReshape);
  patterns.add<Lower<SliceOp>>(context, lowerSlice);
  patterns.add<Lower<ConcatOp>>(context, lowerConcat);
  patterns.add<Lower<PadOp>>(context, lowerPad);
  patterns.add<Lower<GatherOp>>(context, lowerGather);
}
