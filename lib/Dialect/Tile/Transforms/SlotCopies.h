// How the tile of a load comes into a slot of a ring: by the tensor memory accelerator where a tensor map
// describes its view, else by threads: cp.async in pieces of 4, 8 or 16 bytes, loads and stores of narrower
// ones.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SLOTCOPIES_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SLOTCOPIES_H

#include "Products.h"

namespace tilewright::tile {

/// The only slot that a role takes for products, at one place; null when it takes several or none.
AcquireOp onlyAcquire(RoleOp role);

/// The dimension along which a load's neighbours in memory lie: one of the last two.
int fastestOf(LoadOp load);

/// How `warps` warps hold a tile that they load: as wide pieces as memory allows, and whole words of shared
/// memory in a thread where it does not.
LayoutAttr loadLayout(LoadOp load, int64_t warps);

/// What brings the load's tile to `buffer` when the schedule asks for `wanted`: that where it can, else what
/// can. `refusal` says why no tensor map describes the view.
CopyUnit slotCopyUnit(LoadOp load, SharedType buffer, CopyUnit wanted, std::string &refusal);

/// The load's tile in registers of `warps` warps.
mlir::Value loadByThreads(mlir::OpBuilder &builder, LoadOp load, int64_t warps);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_SLOTCOPIES_H
