// Named graph ops written out as reductions, broadcasts and elementwise arithmetic. The fuse stage, the
// reference and `graph-decompose-named` share these. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_DECOMPOSE_H
#define TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_DECOMPOSE_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tilewright::graph {

// Each function builds the op's value at the builder's insertion point, with the op's location, and returns
// it in the op's result type; the op stays. Floats narrower than 32 bits are computed in fp32.

/// exp(x - max) / sum(exp(x - max)).
mlir::Value decomposeSoftmax(mlir::OpBuilder &builder, SoftmaxOp op);

/// Two passes: mean, then the mean of the centred squares; (x - mean) * rsqrt(variance + epsilon) * scale +
/// bias.
mlir::Value decomposeLayerNorm(mlir::OpBuilder &builder, LayerNormOp op);

/// x * rsqrt(mean(x * x) + epsilon) * scale.
mlir::Value decomposeRmsNorm(mlir::OpBuilder &builder, RmsNormOp op);

/// 0.5 * x * (1 + erf(x / sqrt(2))), or 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
mlir::Value decomposeGelu(mlir::OpBuilder &builder, GeluOp op);

/// matmul(softmax(matmul(query, transpose(key)) * scale + mask), value).
mlir::Value decomposeAttention(mlir::OpBuilder &builder, AttentionOp op);

/// Patterns of `graph-decompose-named`.
void populateDecomposeNamedPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilewright::graph

#endif // TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_DECOMPOSE_H
