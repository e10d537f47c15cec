// Bytes of shared memory that a reduction, scan or sort needs: asked where they are placed and where the
// place is verified.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Bytes of what a reduction, scan or sort exchanges across warps; 0 when it stays inside warps, and for all
/// other ops. Fails, with a diagnostic, on tiles without layouts or with one that the op cannot go along.
mlir::FailureOr<int64_t> scratchBytes(mlir::Operation *op);

/// Name of the attribute that holds the place of these bytes.
inline constexpr llvm::StringLiteral kScratchAttrName = "scratch";

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SCRATCHBYTES_H
