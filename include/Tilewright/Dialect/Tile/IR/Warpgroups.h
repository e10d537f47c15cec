// The mark of an op that each warpgroup of a role does for itself: its own rows of a tile, at a barrier of
// its own. Warpgroups that share a tile then drift apart, and one multiplies while another stores its
// results.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_WARPGROUPS_H
#define TILEWRIGHT_DIALECT_TILE_IR_WARPGROUPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tilewright::tile {

/// On tile.barrier, tile.wait_stores and tile.store_bulk in a role of one instance: the number of its
/// warpgroups, each of which does the op alone (a bulk store of as many equal parts of the buffer's rows).
inline constexpr llvm::StringLiteral kByWarpgroupAttrName = "tile.by_warpgroup";

/// Warpgroups that do `op` each for itself; 1: the role's instance does it as a whole.
inline int64_t warpgroupsApart(mlir::Operation *op) {
  auto groups = op->getAttrOfType<mlir::IntegerAttr>(kByWarpgroupAttrName);
  return groups ? groups.getInt() : 1;
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_WARPGROUPS_H
