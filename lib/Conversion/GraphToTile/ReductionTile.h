// The tile of a reduction or a scan: ReductionSchedules.cpp has the rules of rows and of blocks,
// ColumnTiles.cpp those of columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_REDUCTIONTILE_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_REDUCTIONTILE_H

#include "ScheduleRules.h"

namespace tilewright {

/// Elements that a block of a reduction takes at most where it may choose, and at least. While a chip starts
/// 1600 blocks (TileModel.cpp), its memory moves four million bytes: small blocks are bound by their starts.
inline constexpr int64_t kReducedElems = 2048, kLeastReducedElems = 256;
/// Bytes that a reduction's block writes or reads side by side in memory along a kept dimension that another
/// tensor has innermost: two sectors; the longest such dimension that it takes whole, which makes what lies
/// behind it contiguous, too; and elements that it may have for that.
inline constexpr int64_t kAcrossBytes = 64, kWholeAcross = 48, kMostAcrossElems = 8192;
/// Bytes of a row of a column reduction's tile: a line of the L2 cache.
inline constexpr int64_t kColumnBytes = 128;
/// Elements of a column reduction's step at least.
inline constexpr int64_t kLeastStep = 4096;

/// The tile of a reduction, while rule after rule makes it larger or smaller.
struct ReductionTile {
  mlir::MLIRContext *context;
  const KernelShape &shape;
  int64_t rank = (int64_t)shape.extents.size();
  int fastest = fastestDim(shape);
  llvm::SmallVector<int64_t> tile = llvm::SmallVector<int64_t>(rank, 1);
  /// Rows or columns of the kernel, elements of all of them, and what is contiguous of one.
  int64_t rows = 1, total = 1, whole = shape.extents[fastest];
  /// Elements of a row that the tile has, and of all its rows.
  int64_t row = 1, taken = 1;
  /// Bytes that an element moves.
  int64_t ofElement = 0;
  /// Kept dimensions that other tensors have innermost.
  llvm::SmallVector<int> across;
  /// Elements that a block takes where it may choose; kept ones that are left of these.
  int64_t budget = kReducedElems, keptBudget = 1;
  /// Elements that blocks have at a time: of rows that they go through in a loop a part.
  int64_t atATime = 1;
  /// Elements of a step of columns at least.
  int64_t leastStep = kLeastStep;

  tile::ScheduleAttr choose();

private:
  tile::ScheduleAttr get(int64_t warps) const {
    return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
  }
  void holdRows();
  void shortenSteps();
  tile::ScheduleAttr rowsOfWarps();
  void allowElements();
  bool isWideScan() const;
  int64_t columnsWidth() const;
  void takeColumns();
  int64_t keptElems() const;
  void followShortColumns(int64_t width, int64_t most);
  void cutColumns(int64_t most);
  void widenWhole();
  void widenApart();
  void fillLines();
  void fillSectorsAcross();
  void followShortRows();
  void takeMoreAcross();
  void takeRuns();
  void takeRest();
  void lengthenSteps();
  tile::ScheduleAttr withWarps();
};

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_REDUCTIONTILE_H
