// The passes on the tile dialect.
#ifndef TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright::tile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"

/// The schedule stage: shared memory, asynchronous copies and barriers made explicit.
void populateScheduleStage(mlir::OpPassManager &pm);

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H
