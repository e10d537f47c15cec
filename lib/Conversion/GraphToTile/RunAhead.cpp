// How far the loops of reductions load ahead. Of few blocks each multiprocessor has one or two, whose
// registers hold one tile that is on its way: too little for the memory (Little's law). Their tiles become
// smaller, and several of them wait in shared memory.

#include "ScheduleRules.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Bytes that the loads of a multiprocessor have in flight: twice what latency and bandwidth ask for, since a
/// block asks for the next tile when it is done with the last one.
static double wantedBytes(const Arch &arch) {
  return 2 * arch.hbmGBps * arch.memoryNanoseconds / arch.numSMs;
}

/// Elements of the tile of a loop that copies ahead, and a thread's share of them, along the row or where it
/// stores what it computes of them, and across; the most stages. (H200: sums of 328 times 6784 pieces of 23
/// fp32, of which three results are stored in two orders, by blocks of two warps and of four: 561 and 462
/// us.)
static constexpr int64_t kRowTile = 4096, kRowShare = 8, kColumnTile = 2048, kColumnShare = 16,
                         kMostStages = 4;
/// Shared memory for the copies of one multiprocessor's blocks.
static constexpr int64_t kAheadBytes = 128 * 1024;
/// The share of the bytes that memory's latency wants on their way, which the most stages have to reach.
static constexpr double kLeastAhead = 0.5;
/// Iterations from which on copying ahead is worth its start.
static constexpr int64_t kLeastTrips = 8;

/// The tile of a scan across lines of the L2 cache: each tile costs its warps a barrier, so that few warps
/// take much.
static constexpr int64_t kScanTile = 4096, kScanWarps = 4;

/// A scan across rows in memory: blocks take whole lines, where every multiprocessor still has a block.
static tile::ScheduleAttr scanLines(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch) {
  int64_t last = (int64_t)shape.extents.size() - 1, line = kLineBytes / shape.elementBytes, looped = -1,
          blocks = 1;
  for (int64_t d = 0; d <= last; ++d) {
    if (!shape.reduced[d])
      blocks *= d == last ? shape.extents[d] / line : shape.extents[d];
    else if (shape.extents[d] > 1 && looped >= 0)
      return schedule;
    else if (shape.extents[d] > 1)
      looped = d;
  }
  if (looped < 0 || shape.reduced[last] || shape.contiguousBytes[last] == 0 ||
      schedule.getTile()[looped] >= shape.extents[looped] || shape.extents[last] % line != 0 ||
      blocks < (int64_t)arch.numSMs || !shape.pressure.fits(kScanTile, kScanWarps))
    return schedule;
  SmallVector<int64_t> tile(last + 1, 1);
  tile[last] = line;
  tile[looped] = kScanTile / line;
  return tile::ScheduleAttr::get(schedule.getContext(), tile, 1, kScanWarps, {1, kScanWarps}, 1,
                                 schedule.getOptions());
}

/// Whether a kernel's elements take longer to compute than to move: what is on its way is no limit then.
/// (H200: sums of 8192 columns of the logarithms of tanh of logarithms, 226 us ahead and 185 in whole tiles.)
static bool computesLonger(const KernelShape &shape, const Arch &arch) {
  int64_t elems = 1, bytes = 0;
  for (int64_t extent : shape.extents)
    elems *= extent;
  for (int64_t moved : shape.contiguousBytes)
    bytes += moved;
  double computing = (double)(elems * shape.pressure.instructions) / (arch.fp32TFlops / 2 * 1e6);
  return computing > (double)bytes / (arch.hbmGBps * 1e3);
}

/// Stages of loops along rows that compute longer than they move: the next tile comes while a block computes
/// on one, and the tile stays, since what is on its way is no limit. (H200, random programs: five kernels
/// 0.75 to 0.97 of the time, one 1.04; of those that compute less, or across rows, none gains.)
static constexpr int64_t kComputingStages = 3;

/// The schedule of a loop along rows that computes longer than it moves, with tiles ahead where a
/// multiprocessor's blocks have room for them. Masks of rows that begin anywhere leave copies nothing to hide
/// but that threads alone have too little on its way. (H200, such sums of 226 to 263 pieces: of 145 and 105
/// thousand fp32 66 and 38 us with the next tiles copied ahead, 60 and 30 without; of 155 and 111 thousand
/// bf16 32 and 53, 44 and 66 without.)
static tile::ScheduleAttr computeBeside(tile::ScheduleAttr schedule, const KernelShape &shape,
                                        const Arch &arch) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t last = (int64_t)tile.size() - 1, blocks = 1, elems = 1;
  while (last > 0 && shape.extents[last] == 1)
    --last;
  for (int64_t d = 0; d <= last; ++d) {
    elems *= tile[d];
    blocks *= shape.reduced[d] ? 1 : (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
    if (d != last && shape.reduced[d] && tile[d] < shape.extents[d])
      return schedule;
  }
  int64_t resident = std::min<int64_t>(llvm::divideCeil(blocks, (int64_t)arch.numSMs),
                                       std::max<int64_t>(1, kResidentWarps / (int64_t)schedule.getWarps()));
  int64_t bytes = resident * elems * shape.loadedBytes;
  if (schedule.getOptions().alignRows && (double)bytes >= wantedBytes(arch))
    return schedule;
  if (!shape.reduced[last] || shape.levels != 1 || tile[last] >= shape.extents[last] ||
      rowBlocks(shape, shape.extents[last], tile[last], elems / tile[last]) > 0 ||
      (int64_t)llvm::divideCeil(shape.extents[last], tile[last]) < kLeastTrips ||
      kComputingStages * bytes > (int64_t)arch.sharedBytesPerSM)
    return schedule;
  return tile::ScheduleAttr::get(schedule.getContext(), tile, schedule.getReduce(), schedule.getWarps(),
                                 schedule.getWarpGrid(), kComputingStages, schedule.getOptions());
}

/// Whether tiles of columns are copied ahead where the last one is not whole: by words at least, and where
/// more is on its way then than in registers (tile-prefetch-loads), which have words as they come. (H200, us,
/// with copies and without: sums of 2128x4024 bf16 by 126 blocks 9.1 and 11.8, of 2500x2560 by 80 5.6
/// and 6.0, of 3000x10000 by 785 18.0 and 19.4; programs with columns of fp32 by 165 to 540 blocks 275 and
/// 267, 409 and 382, 161 and 153, 360 and 342, 317 and 288.)
static bool copiesRagged(const KernelShape &shape, int64_t blocks, const Arch &arch) {
  constexpr int64_t kWord = 4;
  return !loadsOneByOne(shape, fastestDim(shape)) &&
         (blocks <= (int64_t)arch.numSMs || shape.loadedBytes < kWord);
}

tile::ScheduleAttr tilewright::runAhead(tile::ScheduleAttr schedule, const KernelShape &shape,
                                        const Arch &arch) {
  if (shape.anchor != graph::Anchor::Reduction || shape.sorts || shape.wholeRows || shape.isMixed ||
      shape.loadedBytes == 0 || schedule.getOptions().splitK > 1)
    return schedule;
  if (computesLonger(shape, arch))
    return shape.scans ? schedule : computeBeside(schedule, shape, arch);
  if (shape.scans)
    return scanLines(schedule, shape, arch);
  SmallVector<int64_t> tile(schedule.getTile());
  int64_t blocks = 1, kept = 1, elems = 1;
  int looped = -1, loops = 0;
  for (int d = 0; d < (int)tile.size(); ++d) {
    elems *= tile[d];
    if (!shape.reduced[d]) {
      blocks *= (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
      kept *= tile[d];
    } else if (tile[d] < shape.extents[d]) {
      looped = d;
      ++loops;
    }
  }
  if (loops != 1 || rowBlocks(shape, shape.extents[looped], tile[looped], kept) > 0)
    return schedule;
  // A smaller tile, of which several are on their way; of few blocks of columns one that is large enough.
  bool alongRow = looped == (int)tile.size() - 1 || kept == 1;
  int64_t most = alongRow ? kRowTile : kColumnTile, together = llvm::divideCeil(blocks, (int64_t)arch.numSMs);
  double needed =
      alongRow ? 0 : wantedBytes(arch) / (double)((kMostStages - 1) * together * shape.loadedBytes);
  while (elems > most && tile[looped] % 2 == 0 && (double)elems / 2 >= needed) {
    tile[looped] /= 2;
    elems /= 2;
  }
  // Of large tiles whose extents are no powers of two threads hold much more than once. (H200: 120x19 rows of
  // 2x6272 bf16, 66 us in 4x24x64 ahead, 64 in whole tiles.)
  if (elems > most && !llvm::isPowerOf2_64((uint64_t)elems))
    return schedule;
  bool storesSteps = llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    return access.stores && access.strides[looped] != 0;
  });
  int64_t share = 32 * (alongRow || storesSteps ? kRowShare : kColumnShare);
  int64_t warps = std::clamp<int64_t>((int64_t)llvm::bit_floor((uint64_t)(elems / share)), 1, 16);
  while (warps < 16 && !shape.pressure.fits(elems, warps))
    warps *= 2;
  int64_t resident = std::min<int64_t>(llvm::divideCeil(blocks, (int64_t)arch.numSMs),
                                       std::max<int64_t>(1, kResidentWarps / warps));
  int64_t trips = shape.extents[looped] / tile[looped];
  int64_t bytes = resident * elems * shape.loadedBytes;
  int64_t stages = 1 + (int64_t)std::ceil(wantedBytes(arch) / (double)bytes);
  stages = std::min({stages, kMostStages, kAheadBytes / bytes});
  // Few blocks of small tiles would have less on their way than those of whole ones.
  if ((double)((kMostStages - 1) * bytes) < kLeastAhead * wantedBytes(arch))
    return schedule;
  if (stages < 3 || trips < kLeastTrips ||
      (shape.extents[looped] % tile[looped] != 0 && (alongRow || !copiesRagged(shape, blocks, arch))))
    return schedule;
  return tile::ScheduleAttr::get(schedule.getContext(), tile, schedule.getReduce(), warps, {1, warps}, stages,
                                 schedule.getOptions());
}
