// 8-bit floats on the host: their conversions as arithmetic. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Reference/Passes.h"
#include "Tilewright/Target/Float8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::reference {
#define GEN_PASS_DEF_REFERENCEEXPANDFLOAT8
#include "Tilewright/Reference/Passes.h.inc"
} // namespace tilewright::reference

/// `value` in `type`, both wider than 8 bits.
static Value castFloat(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

static Value expand(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value input = op->getOperand(0);
  Type from = input.getType(), to = op->getResult(0).getType(), f32 = builder.getF32Type();
  if (isa<arith::ExtFOp>(op) && isFloat8(from)) {
    Value bits = arith::BitcastOp::create(builder, loc, builder.getI8Type(), input);
    return castFloat(builder, loc, widenFloat8(builder, loc, bits, from), to);
  }
  if (isa<arith::TruncFOp>(op) && isFloat8(to)) {
    Value bits = narrowToFloat8(builder, loc, castFloat(builder, loc, input, f32), to, /*saturates=*/false);
    return arith::BitcastOp::create(builder, loc, to, bits);
  }
  return nullptr;
}

namespace {
struct ReferenceExpandFloat8Pass
    : tilewright::reference::impl::ReferenceExpandFloat8Base<ReferenceExpandFloat8Pass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> casts;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        casts.push_back(op);
    });
    for (Operation *op : casts)
      if (Value expanded = expand(op)) {
        op->getResult(0).replaceAllUsesWith(expanded);
        op->erase();
      }
  }
};
} // namespace
