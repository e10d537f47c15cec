// Tiles of rows and columns that blocks load once and keep in shared memory for what goes over them again.

#include "ScheduleRules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Rows up to which a block holds one in registers beside a second block; longer ones may stay in shared
/// memory, loaded by so many warps in tiles of so many elements at least.
static constexpr int64_t kRegisterRow = 16384, kLeastKeptTile = 1024, kKeptWarps = 8;

bool tilewright::keepsColumns(const KernelShape &shape, int64_t width) {
  int64_t extent = 1;
  for (auto [size, reduced] : llvm::zip_equal(shape.extents, shape.reduced))
    extent *= reduced ? size : 1;
  return rowBlocks(shape, extent, kColumnTileElems / width, width) == 1;
}

/// Bytes of each row that blocks which keep columns take, where rows begin anywhere in a sector and where
/// they do not, their rows in the first case, elements in the other, and blocks that share the wider ones of
/// steps that hold other dimensions. (H200, us, in runs of 64, 128 and 256 bytes: softmax along columns of
/// 1128 rows of 38054 fp32 175, 150, 131, of 38048 109, 98, 104; least of columns of 531 rows of 80586 bf16
/// 95, 77, 64, of 2000 rows of 30016 78, 69, 79.) Tiles that are shorter by up to so much, where the last
/// block of a cluster would have none else, and from what elements on. (H200: 18 programs along columns of
/// 1713 to 8936 rows: those of fp32 in tiles of 64x32 0.59 to 0.95 of the time that they take in 256x16 or
/// without keeping their columns, those of bf16 in 32x64 1.04 to 1.14 of that in 128x32.)
static constexpr int64_t kKeptApart = 256, kKeptRun = 128, kKeptRows = 64, kKeptColumns = 4096,
                         kMostSharing = 8, kShorterTile = 4, kWideElement = 4;
/// The unit of all of few columns that blocks keep, and warps of theirs. (H200: 2516 times 944 rows of 19
/// bf16 with three results in 8 warps, with others' time, in tiles of 256x16 517 us, of 128x20 374, of 256x20
/// 384, of 192x20 363, of 256x24 437; in 4 warps of 256x20 396, of 128x20 369, of 64x20 357.)
static constexpr int64_t kFewUnit = 4, kFewColumnsWarps = 4;
/// Columns side by side that blocks keep in shared memory, one alone or several of a cluster, in tiles that
/// are shorter by up to `shorter`: null where they keep none.
static tile::ScheduleAttr keptColumns(MLIRContext *context, const KernelShape &shape, int fastest,
                                      int64_t shorter) {
  int reduced = -1;
  int64_t others = 1;
  for (int d = 0; d < (int)shape.extents.size(); ++d) {
    if (shape.reduced[d] && shape.extents[d] > 1)
      reduced = d;
    else if (d != fastest)
      others *= shape.extents[d];
  }
  if (!shape.keptBytes || reduced < 0 || shape.scans || shape.wholeRows || shape.isMixed)
    return nullptr;
  bool isApart = llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    return access.strides[fastest] == 1 && access.strides[reduced] * access.elementBytes % kSectorBytes != 0;
  });
  // Tensors that lie across, too, have as much side by side (H200: two bf16 results of 1910 rows of 23698,
  // one across, in tiles of 64x64 and 128x64: 237 and 184 us).
  bool isSquare = llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    return access.strides[reduced] == 1 && access.strides[fastest] != 0;
  });
  int64_t extent = shape.extents[reduced];
  for (int64_t bytes = isSquare  ? kKeptRows * shape.elementBytes
                       : isApart ? kKeptApart
                                 : kKeptRun;
       bytes >= kLeastKeptRun; bytes /= 2) {
    int64_t width = std::max<int64_t>(bytes / shape.elementBytes, 1), rows = kKeptColumns / width,
            warps = kKeptWarps;
    // All of few columns, rather than tiles of which the last one is nearly empty.
    int64_t few = (int64_t)llvm::alignTo(shape.extents[fastest], kFewUnit), half = width / 2;
    bool takesAll = !isSquare && width > shape.extents[fastest] && half < shape.extents[fastest] &&
                    (int64_t)llvm::alignTo(shape.extents[fastest], half) - few > few / kTilesToPad;
    if (takesAll) {
      width = few;
      rows = (int64_t)llvm::bit_floor((uint64_t)(kKeptColumns / few));
      warps = kFewColumnsWarps;
    } else if (width > shape.extents[fastest]) {
      continue;
    }
    if (isSquare && shape.pressure.fits(2 * kKeptColumns, 2 * warps) &&
        rows * shape.elementBytes < kKeptApart) {
      rows *= 2;
      warps *= 2;
    } else if (!isSquare && bytes == kKeptApart && shape.pressure.fits(kKeptRows * width, warps)) {
      rows = kKeptRows;
    }
    int64_t blocks = rowBlocks(shape, extent, rows, width);
    // Shorter tiles where those of the last block would begin beyond the end.
    for (int64_t least = rows / shorter; blocks == 0 && rows > least;
         blocks = rowBlocks(shape, extent, rows, width))
      rows /= 2;
    int64_t columns = others * (int64_t)llvm::divideCeil(shape.extents[fastest], width);
    if (blocks == 0 || columns * blocks < 2 * kFillBlocks || extent <= kColumnTileElems / width)
      continue;
    SmallVector<int64_t> tile(shape.extents.size(), 1);
    tile[fastest] = width;
    tile[reduced] = rows;
    return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
  }
  return nullptr;
}

/// Elements of the tiles of rows that stay in shared memory: 16 bytes for each thread of the narrowest tensor
/// along them. Of smaller tiles the blocks that share a row have more equal parts. (H100, us, in tiles of
/// 4096, 2048 and 1024: rows of 18160 fp32 with a GELU 346, 286, 265; norms and softmax of rows of 17 to 262
/// thousand fp32 within 1 % of one another, of bf16 within 1 % in the first two, 1.06 in tiles of 1024.) What
/// each step waits for comes in long ones: of all rows the same, as scales of norms are (rows of 20000 fp32
/// 78, 89, 105), and elements of rows that begin anywhere.
static int64_t keptTile(const KernelShape &shape, int fastest) {
  constexpr int64_t vectorBytes = 16, longTile = 4096;
  int64_t narrow = 4;
  for (const TensorAccess &access : shape.accesses) {
    int64_t extent = shape.extents[fastest];
    bool isShared = llvm::all_of(llvm::seq<size_t>(0, access.strides.size()), [&](size_t d) {
      return shape.reduced[d] || shape.extents[d] == 1 || access.strides[d] == 0;
    });
    if (!access.stores && isShared && (access.strides[fastest] != 0 || access.runs[fastest] < extent))
      return longTile;
    if (access.strides[fastest] != 1)
      continue;
    narrow = std::min(narrow, access.elementBytes);
    if (!access.stores && extent * access.elementBytes % vectorBytes != 0)
      return longTile;
  }
  return kKeptWarps * 32 * (vectorBytes / narrow);
}

/// Elements of a thread in a step of columns that holds short rows.
static constexpr int64_t kStepShare = 8;
/// What steps hold of a dimension: all of it, of narrow elements in fours where these leave much less empty
/// than a power of two, and elements of a thread then, which has no part of a four. (H200, us: layer norms of
/// 848x1868 rows of 24 bf16 less the means of their columns, in steps of 16x5x32 by 16 warps 315, of 16x4x32
/// by four 151, of 32x4x24 by 8 81, by 16 90; of 1200x2000 rows of 12 bf16, of 16x10x16 151, of 32x8x16 63,
/// of 32x8x12 by 8 52, by 16 58; of 2000x1500 rows of 24 fp32, of 128x1x32 178, of 128x1x24 by 8 199.)
static constexpr int64_t kHeldUnit = 4;
static int64_t heldSize(int64_t extent, bool isNarrow) {
  auto power = (int64_t)llvm::PowerOf2Ceil((uint64_t)extent),
       whole = (int64_t)llvm::alignTo(extent, kHeldUnit);
  return isNarrow && whole <= power - power / kTilesToPad ? whole : power;
}
/// Steps of columns that hold other dimensions whole (KernelShape::held), with as much beside these as blocks
/// that keep columns have side by side: null where none are kept.
static tile::ScheduleAttr keptSteps(MLIRContext *context, const KernelShape &shape, int fastest) {
  SmallVector<int64_t> tile(shape.extents.size(), 1);
  int looped = -1;
  int64_t held = 1, run = 1, others = 1;
  for (int d = 0; d < (int)tile.size(); ++d) {
    if (shape.held[d])
      held *= tile[d] = heldSize(shape.extents[d], shape.contiguousElement[fastest] < kWideElement);
    else if (!shape.reduced[d])
      others *= shape.extents[d];
    else if (shape.extents[d] > 1)
      looped = d;
  }
  if (!shape.keptBytes || looped < 0 || looped == fastest || shape.scans || shape.wholeRows)
    return nullptr;
  auto get = [&](int64_t elems) {
    int64_t warps = 1, parts = 1;
    for (int64_t size : tile)
      parts *= size & -size;
    while (warps < 2 * kKeptWarps && elems > 32 * kStepShare * warps && parts >= 2 * 32 * kHeldUnit * warps)
      warps *= 2;
    while (warps < 2 * kKeptWarps && !shape.pressure.fits(elems, warps))
      warps *= 2;
    return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
  };
  // The longest step of which the blocks that share the rows have nearly equal parts; 0: they are not kept.
  int64_t extent = shape.extents[looped];
  auto takeStep = [&](int64_t most, int64_t side) {
    int64_t best = 0, found = 0;
    for (int64_t step = most; step >= std::max<int64_t>(most / kShorterTile, 1); step /= 2) {
      int64_t blocks = rowBlocks(shape, extent, step, side);
      int64_t taken =
          blocks * (int64_t)llvm::alignTo(llvm::divideCeil(extent, std::max<int64_t>(blocks, 1)), step);
      if (blocks > 0 && (best == 0 || taken < best - best / kTilesToPad)) {
        best = taken;
        tile[looped] = step;
        found = blocks;
      }
    }
    return found;
  };
  // What goes on in memory where that which tiles hold ends.
  int along = fastest;
  for (size_t steps = 0; along >= 0 && shape.held[along]; ++steps) {
    run *= shape.extents[along];
    // Tensors in several orders may go on in a circle.
    along = steps < tile.size() ? shape.continued[along] : -1;
  }
  bool widens = along >= 0 && along != looped;
  for (int64_t bytes = haveRowsApart(shape, fastest) ? kKeptApart : kKeptRun; bytes >= kLeastKeptRun;
       bytes /= 2) {
    int64_t width = std::max<int64_t>(bytes / (run * shape.elementBytes), 1);
    // Lanes go along powers of two.
    width = widens ? std::min((int64_t)llvm::bit_floor((uint64_t)width),
                              (int64_t)llvm::PowerOf2Ceil((uint64_t)shape.extents[along]))
                   : 1;
    if (widens)
      tile[along] = width;
    int64_t columns = llvm::divideCeil(others, width),
            most = std::max<int64_t>((int64_t)llvm::bit_floor((uint64_t)(kKeptColumns / (held * width))), 1);
    int64_t blocks = takeStep(most, held * width);
    bool isNarrowest = bytes == kLeastKeptRun;
    if (blocks > 0 && (isNarrowest || (blocks <= kMostSharing && columns * blocks >= 2 * kFillBlocks)))
      return get(held * width * tile[looped]);
  }
  return nullptr;
}

static int64_t rowsOf(const KernelShape &shape) {
  int64_t rows = 1;
  for (auto [size, reduced] : llvm::zip_equal(shape.extents, shape.reduced))
    rows *= reduced ? 1 : size;
  return rows;
}

/// The tile of rows that are fewer than multiprocessors: one that is shorter, by up to so much, where as many
/// blocks share a row as find one have equal parts in it alone. (H200: softmax of seven rows of 119809 bf16
/// by 56 blocks in tiles of 2048, 9.4 us, by 112 in tiles of 512, 8.0.)
static constexpr int64_t kShorterShared = 4;
static int64_t sharedTile(const KernelShape &shape, int64_t extent, int64_t tile) {
  int64_t rows = rowsOf(shape), blocks = 1;
  while (2 * blocks * rows <= kFillBlocks && 2 * blocks <= shape.clusterBlocks)
    blocks *= 2;
  for (int64_t shorter = tile; blocks > 1 && shorter >= tile / kShorterShared; shorter /= 2)
    if (rowBlocks(shape, extent, shorter, 1, blocks) == blocks)
      return shorter;
  return tile;
}

/// Instructions of an element from which on blocks that have a multiprocessor each take twice as many warps.
/// (H200, us, by 8 and 16 warps: layer norm of a GELU of 132 rows of 40000 bf16 38.1 and 27.8, two programs
/// with error functions 30.3 and 26.8, 64.7 and 60.8; norms and softmax of 16 to 128 such rows 8.0 and 8.1,
/// 8.0 and 8.9, 9.4 and 9.1, 12.7 and 12.9.)
static constexpr int64_t kMuchComputed = 48;
/// Whether blocks of rows that are fewer than multiprocessors compute much, with no other block beside them,
/// and keep their rows in tiles of twice as many elements, too.
static bool computesAlone(const KernelShape &shape, int64_t extent, int64_t tile) {
  int64_t rows = rowsOf(shape), blocks = rowBlocks(shape, extent, tile, 1);
  while (int64_t more = 2 * blocks * rows <= kFillBlocks ? rowBlocks(shape, extent, tile, 1, 2 * blocks) : 0)
    blocks = more;
  return rows * blocks <= kFillBlocks && shape.pressure.instructions >= kMuchComputed &&
         rowBlocks(shape, extent, 2 * tile, 1, blocks) == blocks &&
         shape.pressure.fits(2 * tile, 2 * kKeptWarps);
}

tile::ScheduleAttr tilewright::keptTiles(MLIRContext *context, const KernelShape &shape) {
  int fastest = fastestDim(shape);
  if (shape.holdsDims())
    return keptSteps(context, shape, fastest);
  int64_t whole = shape.extents[fastest];
  SmallVector<int64_t> tile(shape.extents.size(), 1);
  // Smaller tiles where blocks share a row of no whole number of them.
  for (int64_t kept = keptTile(shape, fastest);
       shape.reduced[fastest] && whole > kRegisterRow && kept >= kLeastKeptTile; kept /= 2)
    if (rowBlocks(shape, whole, kept, 1) > 0) {
      tile[fastest] = sharedTile(shape, whole, kept);
      int64_t warps = kKeptWarps;
      if (computesAlone(shape, whole, tile[fastest])) {
        tile[fastest] *= 2;
        warps *= 2;
      }
      return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
    }
  // Of narrow elements as many side by side as whole tiles allow, rather than more in short ones.
  for (int64_t shorter : {shape.contiguousElement[fastest] >= kWideElement ? kShorterTile : 1, kShorterTile})
    if (!shape.reduced[fastest])
      if (tile::ScheduleAttr schedule = keptColumns(context, shape, fastest, shorter))
        return schedule;
  return {};
}
