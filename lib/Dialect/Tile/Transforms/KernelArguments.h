// Which memory a view is of: the passes of this folder ask it of loads, copies and stores.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_KERNELARGUMENTS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_KERNELARGUMENTS_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// What `view` is a view of in the region it stands in: an argument of the kernel, or of its role.
mlir::Value sourceOf(mlir::Value view);

/// The kernel's argument that `view` is of, through captures of roles; null for shared buffers.
mlir::BlockArgument argumentOf(mlir::Value view);

/// Whether no kernel of the program writes the memory of `view`.
bool isSteady(mlir::Value view);

/// Whether the memory of `view` is the kernel's workspace.
bool isWorkspace(mlir::Value view);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_KERNELARGUMENTS_H
