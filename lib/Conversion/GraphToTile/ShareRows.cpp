// Few rows, shared by the blocks of a cluster. A block that holds a row of ten thousand elements alone has
// long chains in each of its threads, and all other multiprocessors wait; sixteen blocks with a part each
// load, compute and store at the same time, and exchange their partial results through distributed shared
// memory.

#include "ChooseSchedule.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Instructions of all elements of a block from which on it shares them: what a cluster takes to start and to
/// exchange results is some 0.7 us. Each block has so many elements at least then.
static constexpr int64_t kSharedInstructions = 80 * 1024, kLeastShare = 512;
/// The same with which a block is quick: while it has more the cluster grows. Clusters of more than eight
/// blocks start later: they are for blocks of more elements than these. (Measured on an H200: six kernels
/// with rows of 4624 to 32256 elements, clusters of 1 to 16 blocks.)
static constexpr int64_t kQuickInstructions = 24 * 1024, kSmallCluster = 8, kManyElems = 4096;

/// Elements of a thread of such a block at most. (8 blocks of 8 warps with 9 to 16 elements a thread took 3.4
/// to 4.8 us in the same kernels, those of 16 or 32 warps 3.3 to 5.6.) The same where one block would go over
/// the row in a loop. (H200: 21120 elements with tanh and exp, 20.8 us by one block, 5.0 by 8 of 8 warps with
/// 20 elements a thread.)
static constexpr int64_t kMostOfThread = 16, kMostOfLooped = 32;

/// Blocks that the kept dimensions are divided among.
static int64_t blocksOf(const KernelShape &shape, ArrayRef<int64_t> tile) {
  int64_t blocks = 1;
  for (auto [d, size] : llvm::enumerate(tile))
    blocks *= shape.reduced[d] ? 1 : (int64_t)llvm::divideCeil(shape.extents[d], size);
  return blocks;
}

/// Whether the tile holds all reduced dimensions.
static bool isWhole(const KernelShape &shape, ArrayRef<int64_t> tile) {
  return llvm::all_of(llvm::seq<size_t>(0, tile.size()),
                      [&](size_t d) { return !shape.reduced[d] || tile[d] >= shape.extents[d]; });
}

/// Elements of a thread, with those of the tile that are empty.
static int64_t perThread(tile::ScheduleAttr schedule) {
  int64_t elems = 1;
  for (int64_t size : schedule.getTile())
    elems *= size;
  return elems / (32 * (int64_t)schedule.getWarps());
}

/// Blocks of a cluster that share a row along its dimension `cut`; `schedule` where they cannot.
static tile::ScheduleAttr sharedAlong(int cut, tile::ScheduleAttr schedule, const KernelShape &shape,
                                      const Arch &arch) {
  int64_t row = 1, kept = 1;
  for (auto [d, extent] : llvm::enumerate(shape.extents))
    (shape.reduced[d] ? row : kept) *= shape.reduced[d] ? extent : std::min(schedule.getTile()[d], extent);
  // Loads, stores and what a reduction does with an element count as well.
  int64_t instructions = std::max<int64_t>(shape.pressure.instructions, 16);
  int64_t multiprocessors = arch.numSMs, blocks = blocksOf(shape, schedule.getTile());
  if (row * kept * instructions < kSharedInstructions)
    return schedule;
  tile::ScheduleAttr best = schedule;
  // Vectors lie along the dimension where most bytes do.
  bool areAlong = shape.contiguousBytes[cut] > 0 &&
                  2 * shape.contiguousBytes[cut] >= *llvm::max_element(shape.contiguousBytes);
  int64_t unit = areAlong ? std::max<int64_t>(1, 16 / shape.rowBytes) : 1;
  for (int64_t parts = 2; parts <= shape.clusterBlocks && blocks * parts <= multiprocessors; parts *= 2) {
    int64_t length = (int64_t)llvm::alignTo(llvm::divideCeil(shape.extents[cut], parts), unit);
    if (length * (parts - 1) >= shape.extents[cut] || row / shape.extents[cut] * length * kept < kLeastShare)
      break;
    KernelShape part = shape;
    part.extents[cut] = length;
    tile::ScheduleAttr candidate = chooseSchedule(schedule.getContext(), part);
    int64_t elems = 1;
    for (int64_t size : candidate.getTile())
      elems *= size;
    // Blocks of fewer threads, where these can hold more: as much as those of fewer blocks have.
    int64_t warps = candidate.getWarps(),
            most =
                std::max(kMostOfThread, isWhole(shape, best.getTile()) || best != schedule ? perThread(best)
                                                                                           : kMostOfLooped);
    while (parts * 32 * warps > kMostClusterThreads && elems <= most * 16 * warps &&
           shape.pressure.fits(elems, warps / 2))
      warps /= 2;
    // Parts that threads would hold twice, or that need a loop again.
    if (!isWhole(part, candidate.getTile()) || parts * 32 * warps > kMostClusterThreads ||
        blocksOf(part, candidate.getTile()) * parts > multiprocessors ||
        candidate.getTile()[cut] >= shape.extents[cut])
      continue;
    tile::ScheduleOptions options = candidate.getOptions();
    options.splitK = parts;
    best = tile::ScheduleAttr::get(schedule.getContext(), candidate.getTile(), candidate.getReduce(), warps,
                                   {1, warps}, candidate.getStages(), options);
    if (elems * instructions <= kQuickInstructions || (parts >= kSmallCluster && elems <= kManyElems))
      break;
  }
  return best;
}

tile::ScheduleAttr tilewright::shareRows(tile::ScheduleAttr schedule, const KernelShape &shape,
                                         const Arch &arch) {
  if (shape.anchor != graph::Anchor::Reduction || shape.sorts || shape.scans || shape.wholeRows ||
      shape.isMixed)
    return schedule;
  // The longest of the reduced dimensions is cut, in pieces that vectors are loaded from; another one where
  // no tile holds a piece of that.
  SmallVector<int> cuts;
  for (int d = 0; d < (int)shape.extents.size(); ++d)
    if (shape.reduced[d] && shape.extents[d] > 1)
      cuts.push_back(d);
  llvm::stable_sort(cuts, [&](int a, int b) { return shape.extents[a] > shape.extents[b]; });
  for (int cut : cuts)
    if (tile::ScheduleAttr shared = sharedAlong(cut, schedule, shape, arch); shared != schedule)
      return shared;
  return schedule;
}
