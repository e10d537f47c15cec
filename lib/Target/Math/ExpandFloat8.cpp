// The pass target-expand-float8: conversions of 8-bit floats for chips without the instructions.
#include "Tilewright/Target/Float8.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tilewright {
#define GEN_PASS_DEF_TARGETEXPANDFLOAT8
#include "Tilewright/Target/Passes.h.inc"
} // namespace tilewright

using namespace mlir;
using namespace tilewright;

static Value element(OpBuilder &builder, Location loc, Value vector, int64_t i) {
  Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr((int32_t)i));
  return LLVM::ExtractElementOp::create(builder, loc, vector, index);
}

static Value pair(OpBuilder &builder, Location loc, Value first, Value second) {
  Value vector = LLVM::PoisonOp::create(builder, loc, VectorType::get({2}, first.getType()));
  for (auto [i, value] : llvm::enumerate(std::array<Value, 2>{first, second})) {
    Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr((int32_t)i));
    vector = LLVM::InsertElementOp::create(builder, loc, vector, value, index);
  }
  return vector;
}

/// `nvvm.convert.f8x2.to.f16x2`  ==>  the two values by arithmetic
static void expandWidening(NVVM::ConvertF8x2ToF16x2Op op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto half = [&](int64_t i) -> Value {
    Value wide = widenFloat8(builder, loc, element(builder, loc, op.getSrc(), i), op.getSrcType());
    return arith::TruncFOp::create(builder, loc, builder.getF16Type(), wide);
  };
  Value first = half(0), second = half(1);
  op.replaceAllUsesWith(pair(builder, loc, first, second));
  op.erase();
}

/// `nvvm.convert.f32x2.to.f8x2`, of which `a` is the upper half  ==>  the two values by arithmetic
static LogicalResult expandNarrowing(NVVM::ConvertF32x2ToF8x2Op op) {
  if (!isa<VectorType>(op.getType()) || !isFloat8(op.getDstTy()) || op.getRelu() ||
      op.getSat() != NVVM::SaturationMode::SATFINITE)
    return op.emitOpError() << "has no expansion in this form";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value low = narrowToFloat8(builder, loc, op.getB(), op.getDstTy(), /*saturates=*/true);
  Value high = narrowToFloat8(builder, loc, op.getA(), op.getDstTy(), /*saturates=*/true);
  op.replaceAllUsesWith(pair(builder, loc, low, high));
  op.erase();
  return success();
}

namespace {
struct TargetExpandFloat8 : tilewright::impl::TargetExpandFloat8Base<TargetExpandFloat8> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> conversions;
    getOperation()->walk([&](Operation *op) {
      if (isa<NVVM::ConvertF8x2ToF16x2Op, NVVM::ConvertF32x2ToF8x2Op>(op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions) {
      if (auto widening = dyn_cast<NVVM::ConvertF8x2ToF16x2Op>(op))
        expandWidening(widening);
      else if (failed(expandNarrowing(cast<NVVM::ConvertF32x2ToF8x2Op>(op))))
        return signalPassFailure();
    }
  }
};
} // namespace
