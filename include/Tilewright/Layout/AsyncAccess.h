// How the asynchronous units of Hopper see a tile in shared memory: the tensor memory accelerator, which
// writes and reads boxes of a tensor by a tensor map, and warpgroup products (wgmma), which read operands by
// descriptors.
//
// Both know one family of layouts (SharedLayout::tma): blocks of all rows times a span of 128, 64 or 32
// bytes, in which the 16-byte chunks of a row are permuted by the address bits above: chunk ^= (address >> 7)
// & 7 for the 128-byte span. The permutation counts from the address, so a stage starts at a multiple of 8
// spans. A span of 16 bytes permutes nothing; the tensor memory accelerator also takes rows of any length
// without swizzle.
//
// Everything here is derived once from the layouts of both sides; a lowering emits the numbers as they stand.
#ifndef TILEWRIGHT_LAYOUT_ASYNCACCESS_H
#define TILEWRIGHT_LAYOUT_ASYNCACCESS_H

#include "Tilewright/Layout/SharedLayout.h"
#include "Tilewright/Layout/StridedView.h"

namespace tilewright::layout {

/// The span of a layout of that family: 128, 64, 32 or 16 bytes, 0 for whole rows without swizzle; nullopt
/// for others.
std::optional<int> asyncSpan(const SharedLayout &shared, int elemBits);
/// What the start of a stage must be a multiple of, bytes.
inline int64_t asyncAlignment(int span) { return span > 16 ? 8 * span : 128; }

/// Columns of a slot for `columns` of a right operand that is contiguous along them, not along K: whole spans
/// of 128 bytes, of whose last one products read a part; of narrow tiles spans of 64 bytes where these are
/// whole. As many as there are for elements that are not of 16 bits, which products read along K alone.
int64_t slotColumns(int64_t columns, int elemBits);

/// Columns of the pieces in which a tile of `columns` is stored, of which a span has `span`. Where they do
/// not divide the tile its last piece begins earlier, and stores some of what the one before stores, too: the
/// same values.
int64_t pieceColumns(int64_t columns, int64_t span);

/// One coordinate of a tensor map from the index in one dim of the view:
/// (index / divide) % modulo + add; modulo 0 means none.
struct MapCoordinate {
  int dim = 0;
  int64_t divide = 1;
  int64_t modulo = 0;
  int64_t add = 0;
  int64_t evaluate(int64_t index) const {
    int64_t value = index / divide;
    return (modulo ? value % modulo : value) + add;
  }
};

/// One copy: the box that starts at element `start` of the tile, at `sharedBytes` in the stage.
struct TensorBox {
  std::vector<int64_t> start;
  int64_t sharedBytes = 0;
};

/// A tile of a view as boxes of one tensor map. Dim 0 of the map is the contiguous one.
/// Post (simulated): after all copies element c of the tile at `index` lies at shared.offsetOf(c) and is
/// view(index + c), zero outside of the view.
struct TensorBoxes {
  /// Bytes from the buffer's start to the map's.
  int64_t offsetBytes = 0;
  /// Elements of each dim, bytes between elements of dims 1 and up, elements of a box.
  std::vector<int64_t> dims, strides, box;
  /// 0, 32, 64 or 128
  int swizzleBytes = 0;
  std::vector<MapCoordinate> coordinates;
  std::vector<TensorBox> boxes;
  /// Bytes that all boxes of all parts move.
  int64_t bytes = 0;
  /// Parts that blocks of a cluster share the boxes in: part p has those of part 0, `partElems` elements
  /// along `partDim` and `partBytes` of shared memory farther each. Those that start at element `fewFrom` or
  /// behind it the first `few` parts alone have.
  int64_t parts = 1, partElems = 0, partBytes = 0, fewFrom = 0, few = 0;
  int partDim = 0;
  bool isOfFew(const TensorBox &box) const { return few > 0 && box.start[partDim] >= fewFrom; }
};
/// The copies of a tile of shared.shape(); indices are multiples of divisors[d] (0: the index is zero).
/// nullopt, with the reason in `why`, when no tensor map describes it. With `parts` the boxes are those of
/// the first of so many parts along one dim.
std::optional<TensorBoxes> tensorBoxes(const SharedLayout &shared, const StridedView &view,
                                       const std::vector<int64_t> &divisors, int elemBits,
                                       std::string *why = nullptr, int64_t parts = 1);

/// An operand of a warpgroup product in shared memory. The descriptor of the instruction that starts at row
/// (or column) `mn` and element `k` of the tile: ((stage + offsetBytes(mn, k)) & 0x3ffff) >> 4, and the
/// fields below.
struct WgmmaOperand {
  /// The contiguous dim is M (N), not K.
  bool mnMajor = false;
  /// 128, 64, 32, or 0: none
  int swizzleBytes = 128;
  /// Leading and stride byte offsets of the PTX ISA (matrix-descriptor format).
  int64_t leadingBytes = 16, strideBytes = 1024;
  /// The starts of instructions are multiples of this along M or N.
  int64_t mnStep = 8;
  SharedLayout layout;
  int mnDim = 0, kDim = 0, elemBits = 16;

  int64_t offsetBytes(int64_t mn, int64_t k) const;
  /// The descriptor's bits but for the start address.
  uint64_t bits() const;
};
/// nullopt, with the reason in `why`, when wgmma cannot read the layout. The other dims must have size 1.
std::optional<WgmmaOperand> wgmmaOperand(const SharedLayout &shared, int mnDim, int kDim, int elemBits,
                                         std::string *why = nullptr);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ASYNCACCESS_H
