// Steps of warpgroup products that are numbered through the block, where each tile needs its own number of
// them.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_NUMBERSTEPS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_NUMBERSTEPS_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Makes every loop of warpgroup products whose bounds follow from the block's tile one that counts slots,
/// marked `tile.numbered`; fails with a diagnostic where it stands in more than a loop over tiles.
mlir::LogicalResult numberSteps(KernelOp kernel);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_NUMBERSTEPS_H
