// Canonical forms of movement: one broadcast instead of a chain, broadcasts of the smallest tensor, no
// transpose or reduction where a reshape says the same, pads that do not crop. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Graph/IR/SliceBroadcast.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The dimensions of `type` whose size is not 1.
static SmallVector<int64_t> wideDims(RankedTensorType type) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.getDimSize(d) != 1)
      dims.push_back(d);
  return dims;
}

/// Whether `reshape` only adds or drops unit dimensions.
static bool changesUnitDimsOnly(ReshapeOp reshape) {
  auto sizes = [](RankedTensorType type) {
    SmallVector<int64_t> wide;
    for (int64_t d : wideDims(type))
      wide.push_back(type.getDimSize(d));
    return wide;
  };
  return sizes(typeOf(reshape.getInput())) == sizes(reshape.getType());
}

namespace {
/// %1 = broadcast %0 dims = [a…]; %2 = broadcast %1 dims = [b…]  ==>  %2 = broadcast %0 dims = [b[a]…]
struct MergeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(op.getDims()[dim]);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getInput(), dims);
    return success();
  }
};

/// slice(broadcast(%0))  ==>  broadcast(slice(%0)), or of %0 where it is whole along its own dimensions.
struct SliceOfBroadcast : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
    rewriter.replaceOp(op, sliceOfBroadcast(rewriter, op, broadcast));
    return success();
  }
};

/// broadcast(reshape(%0 : 4x8) : 4x1x8) : 4x6x8  ==>  broadcast %0 dims = [0, 2]
struct BroadcastOfUnitReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !changesUnitDimsOnly(reshape))
      return rewriter.notifyMatchFailure(op, "the operand does not merely gain or lose unit dimensions");
    RankedTensorType source = typeOf(reshape.getInput());
    // Wide dimensions keep their place in the result; unit ones take any free place between their neighbours.
    SmallVector<int64_t> dims(source.getRank(), -1);
    for (auto [from, through] : llvm::zip_equal(wideDims(source), wideDims(reshape.getType())))
      dims[from] = op.getDims()[through];
    int64_t next = 0;
    for (int64_t d = 0; d < source.getRank(); ++d) {
      if (dims[d] < 0)
        dims[d] = next;
      if (dims[d] < next)
        return rewriter.notifyMatchFailure(op, "no place is left for a unit dimension");
      next = dims[d] + 1;
    }
    if (next > op.getType().getRank())
      return rewriter.notifyMatchFailure(op, "no place is left for a unit dimension");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), reshape.getInput(), dims);
    return success();
  }
};

/// broadcast %0 : 4x8 to 1x4x8  ==>  reshape
struct BroadcastToReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    if (typeOf(op.getInput()).getNumElements() != op.getType().getNumElements())
      return rewriter.notifyMatchFailure(op, "elements are repeated");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
    return success();
  }
};

/// transpose %0 permutation = [1, 0] : 4x1 to 1x4  ==>  reshape
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    int64_t previous = -1;
    for (int64_t dim : op.getPermutation()) {
      if (typeOf(op.getInput()).getDimSize(dim) == 1)
        continue;
      if (dim < previous)
        return rewriter.notifyMatchFailure(op, "dimensions wider than 1 change their order");
      previous = dim;
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
    return success();
  }
};

/// transpose(broadcast(%0))  ==>  broadcast(transpose(%0)): the smaller tensor is transposed, often not at
/// all
struct TransposeOfBroadcast : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "the operand is no broadcast");
    RankedTensorType source = typeOf(broadcast.getInput());
    // In result order: which source dimension runs along each result dimension.
    SmallVector<int64_t> permutation, dims, shape;
    for (auto [resultDim, broadcastDim] : llvm::enumerate(op.getPermutation()))
      for (auto [sourceDim, dim] : llvm::enumerate(broadcast.getDims()))
        if (dim == broadcastDim) {
          permutation.push_back(sourceDim);
          dims.push_back(resultDim);
          shape.push_back(source.getDimSize(sourceDim));
        }
    Value moved = broadcast.getInput();
    if (!llvm::is_sorted(permutation))
      moved = TransposeOp::create(rewriter, op.getLoc(), source.clone(shape), moved, permutation);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), moved, dims);
    return success();
  }
};

/// gather %0[1, 3, 5] dim = 0  ==>  slice %0 offsets = [1…] strides = [2…], reshaped to the indices' shape
struct GatherToSlice : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    DenseIntElementsAttr constant;
    if (!matchPattern(op.getIndices(), m_Constant(&constant)) || constant.empty())
      return rewriter.notifyMatchFailure(op, "the indices are not constant");
    RankedTensorType input = typeOf(op.getInput());
    int64_t dim = op.getDim(), extent = input.getDimSize(dim);
    SmallVector<int64_t> indices;
    for (const APInt &value : constant.getValues<APInt>()) {
      int64_t index = value.getSExtValue();
      if (index < -extent || index >= extent)
        return rewriter.notifyMatchFailure(op, "an index is out of range");
      indices.push_back(index < 0 ? index + extent : index);
    }
    int64_t step = indices.size() > 1 ? indices[1] - indices[0] : 1;
    if (step == 0)
      return rewriter.notifyMatchFailure(op, "an index is repeated");
    for (size_t i = 1; i < indices.size(); ++i)
      if (indices[i] - indices[i - 1] != step)
        return rewriter.notifyMatchFailure(op, "the indices are no arithmetic progression");
    SmallVector<int64_t> offsets(input.getRank(), 0), strides(input.getRank(), 1), shape(input.getShape());
    offsets[dim] = indices.front();
    strides[dim] = step;
    shape[dim] = indices.size();
    Value slice = SliceOp::create(rewriter, op.getLoc(), input.clone(shape), op.getInput(), offsets, strides);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), slice);
    return success();
  }
};

/// gather %0[%i] dim = 0 : 1x8, 4  ==>  select (%i + 1 < 2, unsigned), %0, 0, both spread
struct GatherOfOneToSelect : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    RankedTensorType input = typeOf(op.getInput()), indices = typeOf(op.getIndices());
    int64_t dim = op.getDim(), added = indices.getRank() - 1;
    if (input.getDimSize(dim) != 1)
      return rewriter.notifyMatchFailure(op, "it chooses among several");
    SmallVector<int64_t> shape(input.getShape()), ofInput, ofIndices;
    shape.erase(shape.begin() + dim);
    for (int64_t d = 0; d < (int64_t)shape.size(); ++d)
      ofInput.push_back(d < dim ? d : d + added + 1);
    for (int64_t d = 0; d <= added; ++d)
      ofIndices.push_back(dim + d);
    Location loc = op.getLoc();
    RankedTensorType index = op.getType().clone(indices.getElementType());
    auto splat = [&](RankedTensorType type, TypedAttr value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, SplatElementsAttr::get(type, Attribute(value)));
    };
    auto number = [&](int64_t value) {
      return splat(index, rewriter.getIntegerAttr(index.getElementType(), value));
    };
    Value one = ReshapeOp::create(rewriter, loc, input.clone(shape), op.getInput());
    one = BroadcastOp::create(rewriter, loc, op.getType(), one, ofInput);
    Value chosen = BroadcastOp::create(rewriter, loc, index, op.getIndices(), ofIndices);
    chosen = arith::AddIOp::create(rewriter, loc, chosen, number(1));
    Value isOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, chosen, number(2));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, isOne, one, splat(op.getType(), rewriter.getZeroAttr(input.getElementType())));
    return success();
  }
};

/// pad %0 low = [-2] high = [3]  ==>  pad (slice %0 offsets = [2]) low = [0] high = [3]
struct CropBeforePad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto isNegative = [](int64_t amount) { return amount < 0; };
    if (llvm::none_of(op.getLow(), isNegative) && llvm::none_of(op.getHigh(), isNegative))
      return rewriter.notifyMatchFailure(op, "nothing is cropped");
    SmallVector<int64_t> low(op.getLow()), high(op.getHigh()), offsets,
        shape(typeOf(op.getInput()).getShape());
    for (auto [below, above, size] : llvm::zip_equal(low, high, shape)) {
      offsets.push_back(std::max<int64_t>(-below, 0));
      size -= offsets.back() + std::max<int64_t>(-above, 0);
      if (size <= 0) {
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                       DenseElementsAttr::get(op.getType(), op.getValue()));
        return success();
      }
      below = std::max<int64_t>(below, 0);
      above = std::max<int64_t>(above, 0);
    }
    SmallVector<int64_t> strides(shape.size(), 1);
    Value cropped = SliceOp::create(rewriter, op.getLoc(), op.getType().clone(ArrayRef<int64_t>(shape)),
                                    op.getInput(), offsets, strides);
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), cropped, low, high, op.getValue());
    return success();
  }
};

/// reduce sum %0 dims = [1] : 4x1  ==>  reshape
struct ReduceToReshape : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    for (int64_t dim : op.getDims())
      if (typeOf(op.getInput()).getDimSize(dim) != 1)
        return rewriter.notifyMatchFailure(op, "elements are combined");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput());
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeBroadcasts, SliceOfBroadcast, BroadcastOfUnitReshape, BroadcastToReshape>(context);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TransposeToReshape, TransposeOfBroadcast>(context);
}

void GatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<GatherToSlice, GatherOfOneToSelect>(context);
}

void PadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<CropBeforePad>(context);
}

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReduceToReshape>(context);
}
