// The precision policy: how the products of fp32 matmuls are formed. Accumulators, softmax, norms and
// reductions stay fp32; what is stored between kernels is narrowed later, by the fuse stage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHAPPLYPRECISION
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Casts operand `index` of `op` to `element` when it is fp32.
static void narrowOperand(Operation *op, unsigned index, FloatType element) {
  Value operand = op->getOperand(index);
  auto type = cast<RankedTensorType>(operand.getType());
  if (!type.getElementType().isF32())
    return;
  OpBuilder builder(op);
  op->setOperand(index, arith::TruncFOp::create(builder, op->getLoc(), type.clone(element), operand));
}

static bool isF32(Value value) { return getElementTypeOrSelf(value).isF32(); }

/// Whether the op itself says how its products are formed.
static bool hasPrecision(Operation *op) {
  auto matmul = dyn_cast<MatmulOp>(op);
  return matmul && matmul.getPrecision();
}

/// Narrows the products of `op` to `element`: both operands, or none.
static void narrowProducts(Operation *op, FloatType element) {
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && isF32(matmul.getLhs())) {
    narrowOperand(op, 0, element);
    narrowOperand(op, 1, element);
  }
  if (auto attention = dyn_cast<AttentionOp>(op); attention && isF32(attention.getQuery()))
    for (unsigned index : {0, 1, 2})
      narrowOperand(op, index, element);
}

/// Marks a fp32 matmul; attention has no such mark.
static LogicalResult markTF32(Operation *op, Precision precision) {
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && isF32(matmul.getLhs()))
    matmul.setPrecision(precision);
  if (auto attention = dyn_cast<AttentionOp>(op);
      attention && isF32(attention.getQuery()) && precision == Precision::TF32)
    return attention.emitOpError() << "has no tf32 form; run graph-decompose-attention before precision tf32";
  return success();
}

namespace {
struct GraphApplyPrecisionPass : tilewright::graph::impl::GraphApplyPrecisionBase<GraphApplyPrecisionPass> {
  using Base::Base;
  void runOnOperation() override {
    if (precision == "ieee")
      return;
    Builder builder(&getContext());
    FloatType element = precision == "bf16"   ? FloatType(builder.getBF16Type())
                        : precision == "fp16" ? FloatType(builder.getF16Type())
                                              : FloatType();
    bool splits = precision == "fp32" || precision == "tf32x3";
    if (!element && precision != "tf32" && !splits) {
      getOperation()->emitError() << "unknown precision '" << precision
                                  << "'; one of fp32, ieee, tf32, tf32x3, bf16, fp16";
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (hasPrecision(op))
        return WalkResult::advance();
      if (element)
        narrowProducts(op, element);
      else if (failed(markTF32(op, splits ? Precision::TF32x3 : Precision::TF32)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
