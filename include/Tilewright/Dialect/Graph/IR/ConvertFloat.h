// Numbers and tensors in another float type.
#ifndef TILEWRIGHT_DIALECT_GRAPH_IR_CONVERTFLOAT_H
#define TILEWRIGHT_DIALECT_GRAPH_IR_CONVERTFLOAT_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::graph {

/// `value`, a float or a tensor of floats, widened or narrowed to `element`; itself where that is its type.
inline mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                mlir::Type element) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  auto typed = [&](mlir::Type type) { return tensor ? mlir::Type(tensor.clone(type)) : type; };
  mlir::Type from = mlir::getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  unsigned bits = from.getIntOrFloatBitWidth(), wanted = element.getIntOrFloatBitWidth();
  // bf16 and f16 meet in fp32.
  if (bits == wanted)
    value = mlir::arith::ExtFOp::create(builder, loc, typed(builder.getF32Type()), value);
  if (bits < wanted)
    return mlir::arith::ExtFOp::create(builder, loc, typed(element), value);
  return mlir::arith::TruncFOp::create(builder, loc, typed(element), value);
}

} // namespace tilewright::graph

#endif // TILEWRIGHT_DIALECT_GRAPH_IR_CONVERTFLOAT_H
