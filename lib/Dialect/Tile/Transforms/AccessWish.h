// How the accesses of a kernel to global memory want their tiles laid out, and what tiles cost in a layout.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_ACCESSWISH_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_ACCESSWISH_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "Tilewright/Layout/GlobalAccess.h"

namespace tilewright::tile {

using TileSizes = llvm::SmallVector<int64_t>;

/// The sizes of a value that is a tile.
TileSizes sizesOf(mlir::Value tile);

/// Whether `small` is `large` with some dimensions of size 1.
bool isProjection(llvm::ArrayRef<int64_t> small, llvm::ArrayRef<int64_t> large);

/// The layout of tiles of sizes `small`, a projection of those of `layout`, in the same threads.
layout::LinearLayout projectedTo(llvm::ArrayRef<int64_t> small, const layout::LinearLayout &layout);

/// How one access to global memory wants its tile laid out.
struct AccessWish {
  TileSizes shape;
  /// Dimensions from the nearest neighbours in memory to the farthest.
  std::vector<int> order;
  /// Elements of the widest access along the first of them.
  int64_t vectorElems = 1;
  int64_t elementBits = 32;
  /// Bytes of the tile, and those that differ in memory where elements stand for many: the access with the
  /// most of these decides.
  int64_t bytes = 0, moved = 0;
  /// What is accessed, and what its tiles start at multiples of.
  layout::StridedView view = {};
  layout::Shape divisors = {};
  bool stores = false;
  /// Tiles within the view are accessed in vectors whatever the view's end is, and wherever these begin.
  bool mayEnd = false;
  layout::Shifts shifts = layout::Shifts::None;

  int fastest() const { return order.front(); }
};

/// The wish of a load or store; nothing for other ops.
std::optional<AccessWish> wishOf(mlir::Operation *op);

/// The layout that a wish asks for, in vectors as wide as the narrowest type of the tile's shape allows.
layout::LinearLayout coalescedLayout(const AccessWish &wish, int64_t warps, int64_t narrowestBits);

/// The layout that the access would have for itself alone.
layout::LinearLayout ownLayout(const AccessWish &wish, int64_t warps);

/// Sectors that the instructions of a warp touch where the tile lies in `layout`.
int64_t sectorsIn(const AccessWish &wish, const layout::LinearLayout &layout);

/// The access with so wide vectors that all accesses together cost least: where most cannot use those of the
/// one that decides, lanes next to one another serve them all.
AccessWish narrowed(AccessWish chosen, llvm::ArrayRef<AccessWish> wishes, int64_t warps, int64_t bits);

/// Whether an access takes its tile as it lies in `assigned`, or would touch few enough sectors less in `own`
/// to be worth an exchange.
bool isServed(const AccessWish &wish, const layout::LinearLayout &assigned, const layout::LinearLayout &own);

/// Whether an access is faster as its tile lies in `assigned` than with an exchange among threads.
bool isFasterAsIs(const AccessWish &wish, const layout::LinearLayout &assigned, int64_t warps);

/// Rows along the fastest dimension that lie in one warp each, where the tile has one for every warp: nothing
/// that goes along them leaves the warp.
std::optional<layout::LinearLayout> warpRowsLayout(const AccessWish &wish, int64_t warps,
                                                   int64_t narrowestBits);

/// Rows along the fastest dimension that lie in one thread each, where the tile has one for every thread.
std::optional<layout::LinearLayout> threadRowsLayout(const AccessWish &wish, int64_t warps);

/// Clocks of a multiprocessor for a warp's part of all that `kernel` does with tiles of `layout` and of its
/// projections. Elements of a row that no tensor has cost nothing where a register holds them in all lanes.
double clocksIn(KernelOp kernel, llvm::ArrayRef<AccessWish> wishes, const layout::LinearLayout &layout);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_ACCESSWISH_H
