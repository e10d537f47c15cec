// Tensors in another float type.
#ifndef TILEWRIGHT_LIB_FUSE_CONVERTFLOAT_H
#define TILEWRIGHT_LIB_FUSE_CONVERTFLOAT_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::fuse {

/// `value` widened or narrowed to `element`; itself where that is its type.
inline mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                mlir::Type element) {
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  if (type.getElementTypeBitWidth() < element.getIntOrFloatBitWidth())
    return mlir::arith::ExtFOp::create(builder, loc, type.clone(element), value);
  return mlir::arith::TruncFOp::create(builder, loc, type.clone(element), value);
}

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_CONVERTFLOAT_H
