// Tiles by what they touch. The rules of ChooseSchedule take the dimensions along which most bytes are
// contiguous and fill a tile with them; where tensors lie in three or more orders, or rows are short or odd,
// that leaves some of them a few bytes of every sector, or tiles half empty. Here all tiles of a kernel are
// held against the one that the rules chose, by what they are modelled to take (TileModel.h). It stays where
// nothing is much faster.

#include "TileModel.h"

#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;

/// A tile that takes more than this share of the time of the rules' tile is not worth leaving them; and the
/// other one where theirs has no empty places, where elements are only moved, for a tile so many times as
/// large in a reduction, and in a scan, whose blocks wait for one another. (H200: 335 random programs with
/// 0.8 for all and with 0.97: 70 differ, 0.977 of the time in the mean; of those that became slower by more
/// than 4 % most were such. Permutations, and rows whose extents are powers of two, 1.03 to 1.75 of it.)
static constexpr double kWorthwhile = 0.95, kWorthLeaving = 0.8;
/// The same where it touches fewer sectors, by this share at least. (H200: of 804 random programs those 45
/// that have other tiles with 0.975 for all take 1.01 of the time in the mean, the 11 with fewer sectors 0.97
/// of it.)
static constexpr double kWorthFewerSectors = 0.975, kFewerSectors = 0.96;
static constexpr int64_t kMuchLarger = 3, kMovedInstructions = 2;
/// A tile that is worth leaving the rules' for where elements are only moved and tiles have empty places.
/// (H200: 131x96x241x8 fp32 joined with itself behind a transpose, with others' time, in tiles of 4x8x1x32
/// 228 us, of 2x8x1x256 139.)
static constexpr double kWorthMoving = 0.88;
/// Tiles of a kernel that are looked at: elements, those of kernels without reductions, along one kept
/// dimension, and of an extent that is taken as it is.
static constexpr int64_t kLeastElems = 512, kMostElems = 16384, kMostLight = 4096, kMostAlong = 256,
                         kMostOdd = 96;
/// Equal parts of an extent that are looked at, elements of one at least, and what of theirs and the empty
/// places of powers of two is worth it.
static constexpr int64_t kMostParts = 8, kLeastPart = 32;
static constexpr double kLessEmpty = 0.9;
/// Steps of loops over columns, and how many of them a loop has at least.
static constexpr int64_t kSteps[] = {8, 16, 32}, kLeastSteps = 4;
/// Tiles, and beginnings of tiles, that are looked at: of more dimensions fewer sizes.
static constexpr int64_t kMostVisits = 1 << 16;
/// Blocks that every multiprocessor should have.
static constexpr int64_t kBlocksEach = 4;
/// The share of the best such tile's time that makes it worth having fewer blocks in a reduction, one for a
/// multiprocessor at least; and more elements in kernels without reductions, where threads compute, and where
/// few tiles along a dimension leave a last one that is nearly empty: the part of its elements that it has
/// then, and the tiles along that dimension. (H200: a program of 624 times 4x4x48x4 fp32, reduced along the
/// first dimension and stored in two orders, 30.9 us with 768 blocks that have 16 bytes of a row each, 14.1
/// with 192 that have 64, cache-37783; one of rows of 130 in three orders 399 us with tiles of 64 elements,
/// of which every third has two, 266 with such of 256, memory-37740.)
static constexpr double kWorthFewer = 0.8, kWorthLarger = 0.88, kWorthEven = 0.95, kNearlyEmpty = 0.125;
/// The share of the best such tile's time that larger tiles of kernels without reductions may take which have
/// rows whole that begin within sectors: the model knows what parts of sectors are fetched, and not what they
/// wait for one another. (H200, three of 804 random programs: bf16 rows of 93 in three orders in tiles of 32
/// of them 185 us, in such of 96 104; another 178 and 145, the third as long in both.)
static constexpr double kWorthWhole = 0.99;
static constexpr int64_t kFewEach = 1, kFewTiles = 4;

/// Whether blocks may go over what is reduced in a loop without another pass over memory: columns of one
/// dimension, whose results nothing that is stored beside them waits for.
static bool mayLoop(const KernelShape &shape) {
  if (shape.anchor != graph::Anchor::Reduction || shape.levels != 1 || shape.wholeRows || shape.isMixed ||
      shape.scans || shape.keptBytes || shape.loadedBytes == 0)
    return false;
  int reduced = -1;
  for (int d = 0; d < (int)shape.extents.size(); ++d) {
    if (!shape.reduced[d] || shape.extents[d] == 1)
      continue;
    if (reduced >= 0)
      return false;
    reduced = d;
  }
  auto any = [&](auto &&holds) { return llvm::any_of(shape.accesses, holds); };
  return reduced >= 0 &&
         any([&](const TensorAccess &access) { return access.stores && access.strides[reduced] > 0; }) &&
         !any([&](const TensorAccess &access) {
           return access.strides[reduced] == 1 || access.selectedFrom > 0;
         });
}

/// Sizes along `d`: powers of two, what a short extent has, and little more; of a reduced one the whole, or
/// steps of a loop.
static SmallVector<int64_t> sizesAlong(const KernelShape &shape, ArrayRef<int64_t> tile, int d) {
  int64_t extent = shape.extents[d];
  SmallVector<int64_t> sizes;
  auto add = [&](int64_t size) {
    if (!llvm::is_contained(sizes, size))
      sizes.push_back(size);
  };
  // What is loaded once for all of its indices would be loaded for each.
  if (tile[d] >= extent && d == repeatedDim(shape)) {
    add(tile[d]);
    return sizes;
  }
  if (shape.reduced[d] || shape.held[d]) {
    add(tile[d]);
    if (tile[d] >= extent)
      for (int64_t unit : {1, 4, 8, 16, 32})
        add((int64_t)llvm::alignTo(extent, unit));
    if (mayLoop(shape))
      for (int64_t size : kSteps)
        if (kLeastSteps * size <= extent)
          add(size);
    return sizes;
  }
  for (int64_t size = 1; size <= kMostAlong && size < 2 * extent; size *= 2)
    add(size);
  if (extent <= kMostOdd)
    for (int64_t unit : {1, 4, 8})
      add((int64_t)llvm::alignTo(extent, unit));
  // Equal parts, where they leave less empty than powers of two.
  for (int64_t parts = 1; parts <= kMostParts; ++parts)
    for (int64_t unit : {8, 16, 32}) {
      auto size = (int64_t)llvm::alignTo(llvm::divideCeil(extent, parts), unit);
      auto power = (int64_t)llvm::bit_floor((uint64_t)size);
      if (size > kLeastPart && size <= kMostAlong &&
          (double)llvm::alignTo(extent, size) < kLessEmpty * (double)llvm::alignTo(extent, power))
        add(size);
    }
  return sizes;
}

/// Whether tiles of these sizes are more than can be looked at.
static bool areMany(ArrayRef<SmallVector<int64_t>> sizes, int64_t mostElems) {
  int64_t visits = 0;
  auto visit = [&](auto &&self, size_t d, int64_t elems) -> void {
    if (elems > mostElems || ++visits > kMostVisits || d == sizes.size())
      return;
    for (int64_t size : sizes[d])
      self(self, d + 1, elems * size);
  };
  visit(visit, 0, 1);
  return visits > kMostVisits;
}

/// Every second of the sizes, and that of the tile; in the end that one alone.
static void thinOut(SmallVector<int64_t> &sizes, int64_t ofTile) {
  SmallVector<int64_t> left;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (i % 2 == 0 || size == ofTile)
      left.push_back(size);
  if (left.size() == sizes.size())
    left = {ofTile};
  sizes = left;
}

static bool isLooped(const KernelShape &shape, ArrayRef<int64_t> tile) {
  return llvm::any_of(llvm::seq<size_t>(0, tile.size()),
                      [&](size_t d) { return shape.reduced[d] && tile[d] < shape.extents[d]; });
}

bool tilewright::isModelled(const KernelShape &shape, ArrayRef<int64_t> tile) {
  return shape.anchor != graph::Anchor::Matmul && !shape.sorts && !shape.accesses.empty() &&
         (mayLoop(shape) || !isLooped(shape, tile));
}

/// Whether all blocks of a tile run at once.
static bool runAtOnce(const TileModel &model, ArrayRef<int64_t> tile, int64_t warps) {
  int64_t registers = std::min<int64_t>(model.shape.pressure.registers(model.perThread(tile, warps)), 255);
  unsigned resident = occupancy(model.arch, 32 * (unsigned)warps, (unsigned)registers, 0).blocksPerSM;
  return model.started(tile) <= (int64_t)resident * model.arch.numSMs;
}

/// Whether a dimension has few tiles, the last of which has nearly nothing.
static bool hasNearlyEmptyTiles(const KernelShape &shape, ArrayRef<int64_t> tile) {
  return llvm::any_of(llvm::zip_equal(shape.extents, tile), [](auto dim) {
    auto [extent, size] = dim;
    int64_t rest = extent % size;
    return rest && extent > size && extent < kFewTiles * size && (double)rest <= kNearlyEmpty * (double)size;
  });
}

/// Calls `take` with the tiles of at most `most` elements that are looked at beside `chosen`, with their
/// elements and warps; where there are more blocks, with those of which a multiprocessor has `each`.
static void forEachTile(const TileModel &model, const ModelledTile &chosen, int64_t most, int64_t each,
                        function_ref<void(ArrayRef<int64_t> tile, int64_t elems, int64_t warps)> take) {
  const KernelShape &shape = model.shape;
  int64_t least = std::min<int64_t>(model.started(chosen.tile), each * model.arch.numSMs);
  // Blocks that have a multiprocessor each take as long as a thread of theirs. (H200: 72 rows of 32 elements
  // in one block, 1.9 us with 6 elements a thread, 3.2 with 9.)
  int64_t longest = model.started(chosen.tile) > model.arch.numSMs
                        ? std::numeric_limits<int64_t>::max()
                        : model.perThread(chosen.tile, chosen.warps);
  SmallVector<int64_t> tile(model.rank, 1);
  SmallVector<SmallVector<int64_t>> sizes;
  for (int d = 0; d < (int)model.rank; ++d)
    sizes.push_back(sizesAlong(shape, chosen.tile, d));
  while (areMany(sizes, most)) {
    auto *many = llvm::max_element(sizes, [](auto &a, auto &b) { return a.size() < b.size(); });
    thinOut(*many, chosen.tile[(size_t)(many - sizes.begin())]);
  }
  auto visit = [&](auto &&self, int64_t d, int64_t elems) -> void {
    if (elems > most)
      return;
    if (d < model.rank) {
      for (int64_t size : sizes[d]) {
        tile[d] = size;
        self(self, d + 1, elems * size);
      }
      return;
    }
    if (elems < std::min(kLeastElems, model.elems(chosen.tile)) || model.started(tile) < least)
      return;
    if (elems < kSmallElems && isLooped(shape, tile))
      return;
    int64_t warps = model.warpsFor(tile);
    if (warps > 0 && model.perThread(tile, warps) <= longest)
      take(tile, elems, warps);
  };
  visit(visit, 0, 1);
}

SmallVector<ModelledTile> tilewright::fittestTiles(tile::ScheduleAttr schedule, const KernelShape &shape,
                                                   const Arch &arch, size_t count) {
  SmallVector<ModelledTile> found;
  if (!isModelled(shape, schedule.getTile()))
    return found;
  TileModel model{shape, arch};
  ModelledTile chosen{llvm::to_vector(schedule.getTile()), (int64_t)schedule.getWarps()};
  double limit = std::numeric_limits<double>::infinity();
  forEachTile(model, chosen, kMostElems, kBlocksEach, [&](ArrayRef<int64_t> tile, int64_t, int64_t warps) {
    double microseconds = model.time(tile, warps, limit);
    if (microseconds >= limit)
      return;
    auto *place = llvm::partition_point(
        found, [&](const ModelledTile &other) { return other.microseconds <= microseconds; });
    found.insert(place, {llvm::to_vector(tile), warps, microseconds});
    if (found.size() > count)
      found.pop_back();
    if (found.size() == count)
      limit = found.back().microseconds;
  });
  return found;
}

/// Whether `tile` has rows whole of which `other` has parts, rows that begin within sectors.
static bool hasWholeRows(const KernelShape &shape, ArrayRef<int64_t> other, ArrayRef<int64_t> tile) {
  return llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    for (int d = 0; d < (int)tile.size(); ++d)
      if (access.strides[d] == 1 && tile[d] >= shape.extents[d] && other[d] < shape.extents[d])
        return beginsWithinSectors(shape, access, d);
    return false;
  });
}

tile::ScheduleAttr tilewright::fitTile(graph::KernelOp kernel, tile::ScheduleAttr schedule,
                                       const KernelShape &shape, const Arch &arch) {
  if (!isModelled(shape, schedule.getTile()))
    return schedule;
  TileModel model{shape, arch};
  ModelledTile chosen{llvm::to_vector(schedule.getTile()), (int64_t)schedule.getWarps(), 0};
  chosen.microseconds = model.time(chosen.tile, chosen.warps);
  if (model.leastTime() > chosen.microseconds * kWorthFewerSectors)
    return schedule;
  bool isFull = llvm::all_of(llvm::seq<int64_t>(0, model.rank),
                             [&](int64_t d) { return shape.extents[d] % chosen.tile[d] == 0; });
  bool reduces = shape.anchor == graph::Anchor::Reduction;
  bool moves = !reduces && shape.pressure.instructions <= kMovedInstructions;
  bool onlyScans = shape.scans && !shape.isMixed;
  int64_t muchLarger = isFull || moves || onlyScans ? 0
                       : reduces                    ? kMuchLarger * model.elems(chosen.tile)
                                                    : std::numeric_limits<int64_t>::max();
  ModelledTile best = chosen;
  const double sectors = kFewerSectors * (double)model.sectorBytes(chosen.tile);
  forEachTile(model, chosen, reduces ? kMostElems : kMostLight, kBlocksEach,
              [&](ArrayRef<int64_t> tile, int64_t elems, int64_t warps) {
                double worthwhile = moves && !isFull     ? kWorthMoving
                                    : elems > muchLarger ? kWorthLeaving
                                                         : kWorthFewerSectors;
                double limit = std::min(best.microseconds, chosen.microseconds * worthwhile);
                double microseconds = model.time(tile, warps, limit);
                bool needsFewer = microseconds >= chosen.microseconds * kWorthwhile;
                if (microseconds < limit && !(needsFewer && (double)model.sectorBytes(tile) > sectors))
                  best = {llvm::to_vector(tile), warps, microseconds};
              });
  // Tiles of fewer blocks, or of more elements, have to be faster by more than these.
  if (reduces ? !shape.scans : !moves) {
    double worth = reduces                                 ? kWorthFewer
                   : isFull                                ? kWorthLeaving
                   : hasNearlyEmptyTiles(shape, best.tile) ? kWorthEven
                                                           : kWorthLarger;
    const ModelledTile small = best;
    int64_t enough = std::min(model.started(chosen.tile), kBlocksEach * (int64_t)arch.numSMs);
    forEachTile(model, chosen, kMostElems, reduces ? kFewEach : kBlocksEach,
                [&](ArrayRef<int64_t> tile, int64_t elems, int64_t warps) {
                  bool isOther = reduces ? model.started(tile) < enough && !isLooped(shape, tile) &&
                                               runAtOnce(model, tile, warps)
                                         : elems > kMostLight;
                  bool hasWhole = !reduces && hasWholeRows(shape, small.tile, tile);
                  double limit =
                      std::min(best.microseconds,
                               small.microseconds * (hasWhole ? std::max(worth, kWorthWhole) : worth));
                  double microseconds = isOther ? model.time(tile, warps, limit) : limit;
                  if (microseconds < limit)
                    best = {llvm::to_vector(tile), warps, microseconds};
                });
  }
  if (best.microseconds >= chosen.microseconds)
    return schedule;
  auto text = [](ArrayRef<int64_t> sizes) {
    return llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
  };
  emitRemark(kernel, Remark::TileFitted, text(best.tile), best.microseconds, model.sectorBytes(best.tile),
             text(chosen.tile), chosen.microseconds, model.sectorBytes(chosen.tile));
  return tile::ScheduleAttr::get(schedule.getContext(), best.tile, schedule.getReduce(), best.warps,
                                 {1, best.warps}, schedule.getStages(), schedule.getOptions());
}
