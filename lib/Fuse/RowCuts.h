// How rows and columns that a reduction or scan runs over are cut into pieces: from shapes alone.
#ifndef TILEWRIGHT_LIB_FUSE_ROWCUTS_H
#define TILEWRIGHT_LIB_FUSE_ROWCUTS_H

#include "mlir/Support/LLVM.h"

#include <optional>

namespace tilewright::fuse {

/// Elements of a row from which on one block is too slow: those that it holds in registers it reads once.
inline constexpr int64_t kLongRow = 32 * 1024;
/// Elements side by side in memory that a piece of several dimensions has, where another cut gives as many.
inline constexpr int64_t kLeastRun = 256;
/// Kept elements along the contiguous dimension that a block of a column reduction takes, of 32 bits; and
/// vectors of 16 bytes of narrower ones. (H200, us, bf16 in blocks of 32 columns and of 64: 8192x8192 45 and
/// 35, 65536x1024 45 and 35, 16384x2048 24 and 19.)
inline constexpr int64_t kColumns = 32, kColumnVectors = 8;

/// How one dimension is cut: `pieces` of `length`, and `rest` elements behind them.
struct Cut {
  int64_t dim = 0, pieces = 1, length = 0, rest = 0;
};

/// Neighbouring reduced dimensions, `first` to `last`, cut as one: where two of them meet, or along one.
struct JoinedCut {
  int64_t first = 0, last = 0, pieces = 1, length = 0;
};

/// Elements side by side in memory that a piece has, of `pieces` along `dim`.
int64_t runOf(mlir::ArrayRef<int64_t> shape, int64_t dim, int64_t pieces);

/// The cuts of one op.
struct RowCuts {
  /// Blocks that fill a chip.
  int64_t blocks;
  /// Elements of 16 bytes of what is reduced, where it lies as its dimensions say; 1 where it does not.
  int64_t vector = 8;
  /// Columns side by side that share a block.
  int64_t columnsOfBlock = kColumns;
  /// Nothing else reads what is reduced: a kernel of its own takes it from no other's.
  bool isAlone = false;
  /// A kernel that does not wait for this one reads it too: their blocks may go through it together, which
  /// takes some rounds of them.
  bool isBeside = false;

  /// The largest of `dims` cut so that the blocks of a kernel over `shape` become enough; nothing when they
  /// are. `pieces`: how many there should be. With `keepsRuns` another one where the largest would be cut
  /// into short runs of memory; with `readsOnce`, where a cut costs no second reading, more rows are cut
  /// whose rounds are ragged.
  std::optional<Cut> cutOf(mlir::ArrayRef<int64_t> shape, mlir::ArrayRef<int64_t> dims, bool evenly,
                           int64_t longRow = kLongRow, int64_t *pieces = nullptr, bool keepsRuns = false,
                           bool readsOnce = false) const;
  /// The same for two or more of `dims` that lie side by side, in equal pieces and about as many as `wanted`.
  std::optional<JoinedCut> joinedCutOf(mlir::ArrayRef<int64_t> shape, mlir::ArrayRef<int64_t> dims,
                                       int64_t wanted) const;
  /// Whether columns are worth being cut: `elems` in all, `inner` side by side, in `rows` blocks.
  bool isWorthCutting(int64_t rows, int64_t inner, int64_t elems) const;
  /// Whether `count` blocks leave the chip to few of them in their last round.
  bool isRagged(int64_t count) const;
};

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_ROWCUTS_H
