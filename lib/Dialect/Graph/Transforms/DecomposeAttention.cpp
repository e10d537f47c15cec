// Attention as two matmuls with scale, mask and softmax between them, until a kernel computes it in one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/Transforms/Decompose.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHDECOMPOSEATTENTION
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

Value tilewright::graph::decomposeAttention(OpBuilder &builder, AttentionOp op) {
  Location loc = op.getLoc();
  RankedTensorType query = typeOf(op.getQuery()), key = typeOf(op.getKey());
  int64_t rank = query.getRank();
  // Scores are fp32 unless the operands are fp64.
  Type scoreElement = query.getElementTypeBitWidth() > 32 ? query.getElementType() : builder.getF32Type();

  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  SmallVector<int64_t> keyShape(key.getShape()), scoreShape(query.getShape());
  std::swap(keyShape[rank - 2], keyShape[rank - 1]);
  scoreShape[rank - 1] = keyShape[rank - 1];
  auto scoreType = RankedTensorType::get(scoreShape, scoreElement);

  Value transposed = TransposeOp::create(builder, loc, key.clone(keyShape), op.getKey(), permutation);
  Value scores = MatmulOp::create(builder, loc, scoreType, op.getQuery(), transposed);
  double scale = op.getScale().convertToDouble();
  if (scale != 1.0)
    scores = arith::MulFOp::create(builder, loc, scores, splat(builder, loc, scoreType, scale));
  if (Value mask = op.getMask()) {
    mask = convertFloat(builder, loc, mask, scoreElement);
    scores = arith::AddFOp::create(builder, loc, scores, mask);
  }
  Type valueElement = typeOf(op.getValue()).getElementType();
  Value probabilities =
      SoftmaxOp::create(builder, loc, scoreType.clone(valueElement), scores, (uint64_t)(rank - 1));
  return MatmulOp::create(builder, loc, op.getType(), probabilities, op.getValue());
}

namespace {
struct GraphDecomposeAttentionPass
    : tilewright::graph::impl::GraphDecomposeAttentionBase<GraphDecomposeAttentionPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](AttentionOp op) {
      OpBuilder builder(op);
      op.getResult().replaceAllUsesWith(decomposeAttention(builder, op));
      op.erase();
    });
  }
};
} // namespace
