// Ops that make elements wider and nothing else: what is moved or selected before them are fewer bytes of the
// same numbers.
#ifndef TILEWRIGHT_LIB_FUSE_WIDENING_H
#define TILEWRIGHT_LIB_FUSE_WIDENING_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tilewright::fuse {

/// Whether `op` makes each element a wider one of the same value; false for null.
bool isWidening(mlir::Operation *op);

/// `value` as a number of type `narrow`; null where it is none.
mlir::FloatAttr asNarrow(mlir::FloatAttr value, mlir::FloatType narrow);

/// What `widening` makes `value` of; null where there is no such number.
mlir::TypedAttr beforeWidening(mlir::Operation *widening, mlir::TypedAttr value);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_WIDENING_H
