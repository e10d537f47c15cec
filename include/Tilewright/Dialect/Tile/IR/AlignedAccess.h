// A mark on accesses to one row's tile that begins where memory has a multiple of so many elements, up to as
// many before the row itself: rows that begin anywhere are accessed in vectors all the same.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_ALIGNEDACCESS_H
#define TILEWRIGHT_DIALECT_TILE_IR_ALIGNEDACCESS_H

#include "Tilewright/Layout/LinearLayout.h"
#include "Tilewright/Layout/StridedView.h"

#include "mlir/IR/Operation.h"

namespace tilewright::tile {

/// On a load, store or asynchronous copy whose tile has several elements along one dimension alone, a run of
/// memory: the place of the tile's first element, counted in elements, is a multiple of this power of two.
/// Its index may be negative there. What a load or copy brings of places outside of the row is unspecified.
inline constexpr llvm::StringLiteral kAlignedAttrName = "tile.aligned";

/// The multiple; 1: the op has no such mark.
int64_t alignedElems(mlir::Operation *op);

/// Sets the mark; no more than 1 needs none.
void setAligned(mlir::Operation *op, int64_t elems);

/// The dimension along which an access with the mark has a tile.
int alignedDim(llvm::ArrayRef<int64_t> shape);

/// What the vectors of an access follow from: the view and what its tiles start at multiples of; of one with
/// the mark a row that begins at a vector and ends with one.
struct VectorForm {
  layout::StridedView view;
  layout::Shape divisors;
};
VectorForm vectorForm(mlir::Operation *op, const layout::StridedView &view, llvm::ArrayRef<int64_t> divisors,
                      llvm::ArrayRef<int64_t> shape);

/// Fails with a diagnostic where the op has the mark, and `view` or a tile of `shape` does not allow it.
mlir::LogicalResult verifyAligned(mlir::Operation *op, const layout::StridedView &view,
                                  llvm::ArrayRef<int64_t> shape);

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_ALIGNEDACCESS_H
