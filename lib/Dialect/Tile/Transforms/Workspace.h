// What passes know of kernels whose blocks hand parts of tiles over through a workspace.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_WORKSPACE_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_WORKSPACE_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Mark of a loop whose induction variable counts its iterations through the whole block: it goes on where
/// the loop's last run ended, in steps of 1.
inline constexpr llvm::StringLiteral kNumberedAttrName = "tile.numbered";

/// Whether the memory of `view` is the kernel's workspace.
bool isWorkspace(mlir::Value view);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_WORKSPACE_H
