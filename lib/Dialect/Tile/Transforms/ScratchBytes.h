// Bytes of shared memory that a reduction needs: asked where they are placed and where the place is verified.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Bytes of the partial results of a reduction across warps; 0 when it stays inside warps. Fails, with a
/// diagnostic, on tiles without layouts or with one that cannot be reduced.
mlir::FailureOr<int64_t> scratchBytes(ReduceOp op);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H
