// The 8-bit floats f8E4M3FN and f8E5M2 as their bits in i8: what no host and no older chip computes with, as
// arithmetic of integers and fp32.
#ifndef TILEWRIGHT_TARGET_FLOAT8_H
#define TILEWRIGHT_TARGET_FLOAT8_H

#include "mlir/IR/Builders.h"

namespace tilewright {

/// Whether `type` is one of the two 8-bit floats that products take.
bool isFloat8(mlir::Type type);

/// The largest finite number of an 8-bit float.
double largestFloat8(mlir::Type float8);

/// The fp32 value of `bits`, an i8.
mlir::Value widenFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bits, mlir::Type float8);

/// The bits of an fp32 value rounded to nearest even. Beyond the largest number it becomes that number where
/// `saturates`, else infinite, or in f8E4M3FN, which has no infinity, not a number.
mlir::Value narrowToFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type float8,
                           bool saturates);

/// `narrowed`, the bits of `value` narrowed in whichever way, with what narrowToFloat8 gives beyond the
/// largest number.
mlir::Value overflowFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                           mlir::Value narrowed, mlir::Type float8, bool saturates);

} // namespace tilewright

#endif // TILEWRIGHT_TARGET_FLOAT8_H
