// Softmax, normalizations and GELU as reductions, broadcasts and elementwise arithmetic. These definitions
// are the meaning of the named ops: kernels and the reference are both made from them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/Transforms/Decompose.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHDECOMPOSENAMED
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// `value` in the type that the op computes in: fp32 for narrower floats.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  bool narrow = typeOf(value).getElementTypeBitWidth() < 32;
  return narrow ? convertFloat(builder, loc, value, builder.getF32Type()) : value;
}

/// `value` reduced over `dims`, repeated to its shape again by `finish(reduced)`.
static Value reduceRows(OpBuilder &builder, Location loc, ReduceKind kind, Value value,
                        ArrayRef<int64_t> dims, function_ref<Value(Value)> finish = nullptr) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> kept, shape;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dims, d)) {
      kept.push_back(d);
      shape.push_back(type.getDimSize(d));
    }
  // One element is its own sum, maximum and mean.
  bool isOne = llvm::all_of(dims, [&](int64_t d) { return type.getDimSize(d) == 1; });
  Value reduced = isOne ? Value(ReshapeOp::create(builder, loc, type.clone(shape), value))
                        : ReduceOp::create(builder, loc, type.clone(shape), value, kind, dims);
  if (finish)
    reduced = finish(reduced);
  return BroadcastOp::create(builder, loc, type, reduced, kept);
}

/// The dimensions from `dim` on, and how many elements they have.
static SmallVector<int64_t> trailingDims(RankedTensorType type, int64_t dim, int64_t &elems) {
  elems = 1;
  for (int64_t size : type.getShape().drop_front(dim))
    elems *= size;
  return llvm::to_vector(llvm::seq<int64_t>(dim, type.getRank()));
}

/// The mean of `value` over its trailing dimensions from `dim` on, then `finish`, repeated to its shape.
static Value meanRows(OpBuilder &builder, Location loc, Value value, int64_t dim,
                      function_ref<Value(Value)> finish = nullptr) {
  int64_t elems;
  SmallVector<int64_t> dims = trailingDims(typeOf(value), dim, elems);
  return reduceRows(builder, loc, ReduceKind::Sum, value, dims, [&](Value sum) -> Value {
    Value count = splat(builder, loc, sum.getType(), (double)elems);
    Value mean = arith::DivFOp::create(builder, loc, sum, count);
    return finish ? finish(mean) : mean;
  });
}

/// value * rsqrt(mean(value^2) + epsilon).
static Value normalizeRows(OpBuilder &builder, Location loc, Value value, int64_t dim, double epsilon) {
  Value square = arith::MulFOp::create(builder, loc, value, value);
  Value inverse = meanRows(builder, loc, square, dim, [&](Value mean) -> Value {
    Value eps = splat(builder, loc, mean.getType(), epsilon);
    return math::RsqrtOp::create(builder, loc, arith::AddFOp::create(builder, loc, mean, eps));
  });
  return arith::MulFOp::create(builder, loc, value, inverse);
}

Value tilewright::graph::decomposeSoftmax(OpBuilder &builder, SoftmaxOp op) {
  Location loc = op.getLoc();
  int64_t dim = op.getDim();
  Value input = widen(builder, loc, op.getInput());
  Value max = reduceRows(builder, loc, ReduceKind::Max, input, dim);
  Value exp = math::ExpOp::create(builder, loc, arith::SubFOp::create(builder, loc, input, max));
  Value sum = reduceRows(builder, loc, ReduceKind::Sum, exp, dim);
  return convertFloat(builder, loc, arith::DivFOp::create(builder, loc, exp, sum),
                      op.getType().getElementType());
}

Value tilewright::graph::decomposeLayerNorm(OpBuilder &builder, LayerNormOp op) {
  Location loc = op.getLoc();
  int64_t dim = op.getDim();
  Value input = widen(builder, loc, op.getInput());
  RankedTensorType type = typeOf(input);
  Value mean = meanRows(builder, loc, input, dim);
  Value centred = arith::SubFOp::create(builder, loc, input, mean);
  Value result = normalizeRows(builder, loc, centred, dim, op.getEpsilon().convertToDouble());
  auto parameter = [&](Value value) {
    return broadcastTo(builder, loc, convertFloat(builder, loc, value, type.getElementType()),
                       type.getShape());
  };
  if (op.getScale())
    result = arith::MulFOp::create(builder, loc, result, parameter(op.getScale()));
  if (op.getBias())
    result = arith::AddFOp::create(builder, loc, result, parameter(op.getBias()));
  return convertFloat(builder, loc, result, op.getType().getElementType());
}

Value tilewright::graph::decomposeRmsNorm(OpBuilder &builder, RmsNormOp op) {
  Location loc = op.getLoc();
  Value input = widen(builder, loc, op.getInput());
  RankedTensorType type = typeOf(input);
  Value result = normalizeRows(builder, loc, input, op.getDim(), op.getEpsilon().convertToDouble());
  if (op.getScale()) {
    Value scale = convertFloat(builder, loc, op.getScale(), type.getElementType());
    result = arith::MulFOp::create(builder, loc, result, broadcastTo(builder, loc, scale, type.getShape()));
  }
  return convertFloat(builder, loc, result, op.getType().getElementType());
}

Value tilewright::graph::decomposeGelu(OpBuilder &builder, GeluOp op) {
  Location loc = op.getLoc();
  Value x = widen(builder, loc, op.getInput());
  auto constant = [&](double number) { return splat(builder, loc, x.getType(), number); };
  auto mul = [&](Value a, Value b) -> Value { return arith::MulFOp::create(builder, loc, a, b); };
  auto add = [&](Value a, Value b) -> Value { return arith::AddFOp::create(builder, loc, a, b); };
  Value bounded;
  if (op.getForm() == GeluForm::Erf) {
    bounded = math::ErfOp::create(builder, loc, mul(x, constant(std::sqrt(0.5))));
  } else {
    Value cubic = mul(constant(0.044715), mul(x, mul(x, x)));
    bounded = math::TanhOp::create(builder, loc, mul(constant(std::sqrt(2.0 / M_PI)), add(x, cubic)));
  }
  Value result = mul(mul(constant(0.5), x), add(constant(1.0), bounded));
  return convertFloat(builder, loc, result, op.getType().getElementType());
}

namespace {
/// Replaces each `OpT` by what `decompose` builds.
template <typename OpT> struct Decompose : OpRewritePattern<OpT> {
  using Function = Value (*)(OpBuilder &, OpT);
  Decompose(MLIRContext *context, Function decompose)
      : OpRewritePattern<OpT>(context), decompose(decompose) {}
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, decompose(rewriter, op));
    return success();
  }
  Function decompose;
};

struct GraphDecomposeNamedPass : tilewright::graph::impl::GraphDecomposeNamedBase<GraphDecomposeNamedPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeNamedPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void tilewright::graph::populateDecomposeNamedPatterns(RewritePatternSet &patterns) {
  patterns.add<Decompose<SoftmaxOp>>(patterns.getContext(), decomposeSoftmax);
  patterns.add<Decompose<LayerNormOp>>(patterns.getContext(), decomposeLayerNorm);
  patterns.add<Decompose<RmsNormOp>>(patterns.getContext(), decomposeRmsNorm);
  patterns.add<Decompose<GeluOp>>(patterns.getContext(), decomposeGelu);
}
