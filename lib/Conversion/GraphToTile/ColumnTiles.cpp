// Tiles of columns: as many side by side as fill the sectors of what is loaded and stored, and what of their
// rows registers hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReductionTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Instructions for an element of columns up to which wide tiles have threads enough, copied ahead or not.
/// (H200: 2327x1150 bf16 with logarithms and tanh before their sum 14.3 us in 32 columns, 18.0 in 64.)
static constexpr int64_t kLightInstructions = 8;
/// Columns side by side that a block has at most of rows that begin anywhere in a sector, and elements of a
/// step along them, which threads load beside what they store.
static constexpr int64_t kMostApart = 256, kStepApart = 2048;
/// The one dimension that columns are reduced along, where rows are stored beside it that do not wait for its
/// result and begin anywhere in a sector: of a narrow tile's rows much would be sectors that are stored in
/// parts; -1: none.
static int storedApart(const KernelShape &shape, int fastest) {
  if (shape.reduced[fastest] || shape.wholeRows || shape.isMixed || shape.scans || shape.levels != 1 ||
      shape.keptBytes)
    return -1;
  int reduced = -1;
  for (int d = 0; d < (int)shape.extents.size(); ++d) {
    if (shape.extents[d] == 1 || d == fastest)
      continue;
    if (!shape.reduced[d] || reduced >= 0)
      return -1;
    reduced = d;
  }
  bool isApart = reduced >= 0 && llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
                   return access.stores && access.strides[fastest] == 1 &&
                          access.strides[reduced] * access.elementBytes % kSectorBytes != 0;
                 });
  return isApart ? reduced : -1;
}

bool tilewright::loadsOneByOne(const KernelShape &shape, int fastest) {
  constexpr int64_t kWord = 4;
  return llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    if (access.stores || access.strides[fastest] != 1 || access.elementBytes >= kWord)
      return false;
    return llvm::any_of(llvm::enumerate(access.strides), [&](auto stride) {
      return (int)stride.index() != fastest && shape.extents[stride.index()] > 1 &&
             stride.value() * access.elementBytes % kWord != 0;
    });
  });
}

/// Bytes side by side of columns that a tile has whole where rows that are stored begin anywhere in a sector:
/// of narrow ones much is sectors that are stored in parts. (H200, us, in the tiles that the rules have else
/// and in these: 24 bf16 rows of 1672558 scanned, with four results, 64 columns 383, 256 285, 512 260; 23
/// fp32 rows of 1014090 with three results, 128 columns 145, 256 130; six other random programs 0.89 to 1.02
/// of the time; where other tensors lie across, 0.71 to 1.31.)
static constexpr int64_t kApartRun = 1024, kMostWhole = 16384, kWholeWarps = 8;

/// Whether columns have whole tiles that loops can copy ahead (runAhead).
static bool hasWholeTiles(const KernelShape &shape) {
  constexpr int64_t tileRows = 64;
  return llvm::any_of(llvm::zip_equal(shape.extents, shape.reduced), [&](auto dim) {
    auto [extent, reduced] = dim;
    return reduced && extent % tileRows == 0;
  });
}

/// Columns side by side of a scan's tile where rows begin anywhere in a sector: of narrow ones much is
/// sectors that are stored in parts. (H200, us, in the narrower tiles that the rules
/// have else and in 64 columns: 61 times 668 rows of 668 fp32
/// 100 and 69, with two results 158 and 117, 700 times 47 of 1001 101 and 76, 100 times 300 of 1201 bf16 78
/// and 62; of 672, which begin at sectors, 65 and 64; 4096 rows of 4099, few columns, 48 and 63.)
static constexpr int64_t kScanApart = 64;
/// Blocks of such columns that are gone over in steps for each multiprocessor, at least, and those beyond
/// which wider columns are better: where more run after others, neighbours are at rows far apart, and their
/// parts of sectors meet in memory. (H200, us, fp32 maxima in blocks of 16, 32 and 64 columns: 4097 rows of
/// 9001 191, 107 and 156, 2086 of 17001 172, 109 and 103, of 24002 254, 191 and 116, of 33678 382, 255 and
/// 179; bf16 sums of 32 and 64: 9001 72 and 119, 17001 62 and 75, 24002 101 and 81, 33678 155 and 98.)
static constexpr double kLeastApart = 2, kManyApart = 4.5;
/// Whether a block of a scan has whole lines of columns that begin anywhere.
bool ReductionTile::isWideScan() const {
  return shape.scans && haveRowsApart(shape, fastest) && rows >= 4 * kFillBlocks * kScanApart &&
         row * kScanApart >= kReducedElems;
}

/// Columns that a block has side by side, of which each is a row here.
int64_t ReductionTile::columnsWidth() const {
  // A scan stops at a barrier with every tile: narrow blocks are more, and load while others wait.
  // What columns come to is little beside them, however wide.
  bool loadsWords = !shape.scans && !loadsOneByOne(shape, fastest),
       isAhead = loadsWords && hasWholeTiles(shape);
  bool isWideLoad = isAhead || (loadsWords && shape.pressure.instructions <= kLightInstructions);
  int64_t bytes = isWideLoad ? shape.rowBytes : shape.elementBytes;
  int64_t width =
      shape.scans ? std::max<int64_t>(64 / bytes, 16) : std::max(kColumnBytes / bytes, kColumnWidth);
  if (isWideScan())
    width = std::max(width, kScanApart);
  else if (shape.scans && haveRowsApart(shape, fastest))
    while (width < kScanApart && row * 2 * width > kColumnTileElems &&
           (double)rows >= kLeastApart * kFillBlocks * 2 * (double)width &&
           (width < kColumnWidth || (double)rows > kManyApart * kFillBlocks * (double)width))
      width *= 2;
  // Columns that are gone over again stay in shared memory: of those that would not, a block takes fewer.
  int64_t keptRun = std::max<int64_t>(1, kLeastKeptRun / shape.elementBytes), narrow = width;
  while (narrow > keptRun && row * width > kColumnTileElems && shape.keptBytes &&
         !keepsColumns(shape, narrow))
    narrow /= 2;
  if (narrow < width && keepsColumns(shape, narrow))
    width = narrow;
  // Narrower columns, of what memory moves at a time, while a good part of the multiprocessors have no
  // block; of whole sectors while few have one.
  int64_t least = std::max<int64_t>(kSectorBytes / bytes, 1);
  int64_t wanted = isAhead ? 3 * kFillBlocks / 4 : kFillBlocks;
  while (width > 2 * least && rows < wanted * width)
    width /= 2;
  while (width > least && rows < kFillBlocks / 2 * width)
    width /= 2;
  // Half sectors, too, while hardly any has, and no cluster can share a block's columns: what they move
  // comes from the caches. (H200: 85 columns of 48x7 bf16 with a scan and two orders in six blocks 5.7 us,
  // in eleven 4.4.)
  if ((shape.scans || shape.isMixed) && width > least / 2 && width > 1 && rows < kFillBlocks / 8 * width)
    width /= 2;
  return width;
}

/// Columns, and what of their rows the tile has.
void ReductionTile::takeColumns() {
  bool isWide = isWideScan();
  int64_t width = columnsWidth();
  // A power of two: of what is not, threads hold every element of the rows.
  keptBudget =
      std::min(keptBudget, std::max(width, (int64_t)llvm::bit_floor((uint64_t)rows / (2 * kFillBlocks))));
  int64_t most =
      shape.scans && row * width > kColumnTileElems ? kColumnTileElems / (isWide ? 2 : 4) : kColumnTileElems;
  if (shape.elementBytes > 4) // two registers each, and as many for what is loaded ahead
    most /= 4;
  tile[fastest] = tileAlong(
      shape.extents[fastest], std::max<int64_t>(keptBudget, width),
      std::min<int64_t>(width, kAcrossBytes / std::min<int64_t>(shape.contiguousElement[fastest], 4)));
  // Of short columns a factor of their number is less than a block's work: the last tile may be partly
  // empty.
  while (2 * tile[fastest] <= keptBudget && 2 * kTilesToPad * tile[fastest] <= shape.extents[fastest] &&
         2 * tile[fastest] * row <= budget)
    tile[fastest] *= 2;
  // All of a few, in whole sectors, rather than tiles of which the last one is nearly empty. (H200: a
  // program that sums 21 fp32 columns 192 us in tiles of 32 and 173 in such of 24, memory-773355; the
  // largest of 47 columns of 725120 bf16 rows in tiles of 32 and of 48, with others' time 216 and 201.)
  int64_t sector = std::max<int64_t>(1, kSectorBytes / shape.elementBytes);
  int64_t few = (int64_t)llvm::alignTo(shape.extents[fastest], sector);
  int64_t inTiles = (int64_t)llvm::alignTo(shape.extents[fastest], tile[fastest]);
  bool isMore = few > tile[fastest] && few <= 2 * tile[fastest] && inTiles - few > few / kTilesToPad;
  if (!shape.scans && few * row > kColumnTileElems && (few < tile[fastest] || isMore))
    tile[fastest] = few;
  keptBudget /= tile[fastest];
  followShortColumns(width, most);
  cutColumns(most);
}

/// Of scans in steps fewer columns than a block is to have side by side: as many of those that follow them in
/// memory. (H200: a program with a scan of 3808 rows of 1600x6, memory-604985, 596 us where blocks have six
/// columns, 272 where they have 48.)
void ReductionTile::followShortColumns(int64_t width, int64_t most) {
  int64_t next = shape.continued[fastest], run = shape.extents[fastest];
  bool isInSteps = shape.scans && !shape.wholeRows && row * tile[fastest] > most;
  if (!isInSteps || run >= width || tile[fastest] < run || next < 0 || shape.reduced[next])
    return;
  auto wanted = (int64_t)llvm::PowerOf2Ceil((uint64_t)llvm::divideCeil(width, run));
  while (wanted > 1 && rows < kFillBlocks * run * wanted)
    wanted /= 2;
  if (wanted <= keptBudget)
    return;
  tile[next] = keptAlong(shape.extents[next], wanted, 2);
  keptBudget = std::max<int64_t>(1, keptBudget / tile[next]);
}

/// Elements of the tile along kept dimensions.
int64_t ReductionTile::keptElems() const {
  int64_t elems = 1;
  for (int d = 0; d < (int)rank; ++d)
    elems *= shape.reduced[d] ? 1 : tile[d];
  return elems;
}

/// Leaves `most` elements to the tile.
void ReductionTile::cutColumns(int64_t most) {
  // What is gone over in steps anyway: where threads load one by one, a register each instead of half of
  // one.
  int64_t columns = keptElems();
  if (!shape.scans && !shape.wholeRows && row * columns > most && loadsOneByOne(shape, fastest))
    most /= 2;
  // The tile of a column reduction is cut along the reduced dimensions: registers hold partial results.
  // Where it must be whole, the block takes fewer columns.
  while (shape.wholeRows && row * columns > most && tile[fastest] > 1) {
    columns /= tile[fastest];
    tile[fastest] = (int64_t)llvm::bit_floor((uint64_t)tile[fastest] - 1);
    columns *= tile[fastest];
  }
  // Last those along which another tensor lies side by side: of what is stored across, a few elements at a
  // time are parts of sectors.
  SmallVector<int> cut(llvm::make_filter_range(llvm::seq<int>(0, (int)rank), [&](int d) {
    return shape.reduced[d] && !shape.held[d] && !shape.wholeRows;
  }));
  llvm::stable_sort(cut, [&](int a, int b) { return shape.contiguousBytes[a] < shape.contiguousBytes[b]; });
  for (int d : cut)
    while (row * columns > most && tile[d] > 1) {
      // A power of two: what is not, threads hold in part more than once.
      row /= tile[d];
      tile[d] = (int64_t)llvm::bit_floor((uint64_t)tile[d] - 1);
      row *= tile[d];
    }
}

/// More columns side by side where the tile has them whole, and stores rows of them that begin anywhere.
void ReductionTile::widenWhole() {
  int64_t elems = tile[fastest], narrowest = kApartRun;
  bool isApart = false, isWhole = true;
  for (int d = 0; d < (int)rank; ++d) {
    isWhole &= !shape.reduced[d] || tile[d] >= shape.extents[d];
    elems *= shape.reduced[d] ? tile[d] : 1;
  }
  for (const TensorAccess &access : shape.accesses) {
    if (!access.stores || access.strides[fastest] != 1)
      continue;
    narrowest = std::min(narrowest, access.elementBytes);
    isApart |= beginsWithinSectors(shape, access, fastest);
  }
  if (shape.reduced[fastest] || shape.isMixed || !across.empty() || row == 1 || !isWhole || !isApart)
    return;
  for (int64_t width = 2 * tile[fastest];
       width * narrowest <= kApartRun && width <= shape.extents[fastest] && rows >= 4 * kFillBlocks * width &&
       2 * elems <= kMostWhole && shape.pressure.fits(2 * elems, kWholeWarps);
       width *= 2, elems *= 2)
    tile[fastest] = width;
}

/// Tiles of whole lines where many columns are summed beside what is stored.
void ReductionTile::widenApart() {
  if (int d = storedApart(shape, fastest); d >= 0) {
    int64_t width = kMostApart;
    while (width > tile[fastest] && shape.extents[fastest] < 4 * kFillBlocks * width)
      width /= 2;
    if (width > tile[fastest]) {
      leastStep = kStepApart;
      tile[fastest] = width;
      row = tile[d] = leastStep / width;
    }
  }
}
