// Which ops make elements wider, and what numbers were before.
#include "Widening.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tilewright;

bool fuse::isWidening(Operation *op) {
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return false;
  auto bytes = [](Value value) { return plan::storageBytes(cast<RankedTensorType>(value.getType())); };
  return bytes(op->getOperand(0)) < bytes(op->getResult(0));
}

FloatAttr fuse::asNarrow(FloatAttr value, FloatType narrow) {
  APFloat rounded = value.getValue();
  bool loses = false;
  rounded.convert(narrow.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return loses || rounded.isNaN() ? FloatAttr() : FloatAttr::get(narrow, rounded);
}

TypedAttr fuse::beforeWidening(Operation *widening, TypedAttr value) {
  Type narrow = getElementTypeOrSelf(widening->getOperand(0).getType());
  Builder builder(widening->getContext());
  if (auto number = dyn_cast<FloatAttr>(value); number && isa<arith::ExtFOp>(widening))
    return asNarrow(number, cast<FloatType>(narrow));
  return value == builder.getZeroAttr(value.getType()) ? cast<TypedAttr>(builder.getZeroAttr(narrow))
                                                       : TypedAttr();
}
