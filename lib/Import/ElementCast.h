// Element casts on raw little-endian bytes, as weights go through them on the way into a package.
#ifndef TILEWRIGHT_IMPORT_ELEMENTCAST_H
#define TILEWRIGHT_IMPORT_ELEMENTCAST_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright {

/// Bytes of one element; 1 for i1.
int64_t elementBytes(mlir::Type element);

/// Whether elements of this type are whole bytes (or i1), so that they can be cast.
bool isCastable(mlir::Type element);

/// Casts `count` elements: floats round to nearest even, float to integer truncates and saturates (NaN gives
/// 0), to i1 is "differs from zero".
void castElements(mlir::Type from, const char *in, mlir::Type to, char *out, int64_t count);

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_ELEMENTCAST_H
