// Tiles of kernels without reductions: about a thousand elements a block along the contiguous dimension, or a
// square where tensors are contiguous along two.

#include "ScheduleRules.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;

/// Warps of a block that exchanges a tile between two contiguous dimensions, and of one whose threads hold
/// too much of a wide tile else. (H200: seven programs in tiles of 64x64 in 16 warps and of 64x32 in 8, 0.61
/// to 1.08 of the time, 0.89 in the mean; 31 whose threads had 16 elements in 4 warps and have 8 in 8, 0.69
/// to 1.04, 0.95 in the mean.)
static constexpr int64_t kWideWarps = 8, kMoreWarps = 16;
/// Part of such a tile that must hold elements; where less does, a narrow tile takes the shorter of the two
/// dimensions whole, and so much of the other.
static constexpr double kLeastUsefulShare = 0.5;
static constexpr int64_t kNarrowSide = 32;
/// Where blocks are many, but threads have too much to compute for wide tiles: elements side by side along
/// which more is stored, and those of a tile. (H200: a program with seven accesses of 4660x5629 fp32 and erf,
/// tanh and logarithm, in tiles of 32x32, 32x64 and 64x32: 626, 585 and 555 us.)
static constexpr int64_t kLongSide = 64, kLongTile = 2048;
/// Elements a thread has in an elementwise kernel, and a block at least.
static constexpr int64_t kElemsPerThread = 8, kLeastBlockElems = 128;
/// Instructions for each byte moved from which on threads compute for a good part of the time, and elements
/// of a block of these where a multiprocessor has all of its blocks at once: some load or store while others
/// compute.
static constexpr double kComputedPerByte = 4.5;
static constexpr int64_t kComputedElems = 512, kBlocksAtOnce = 8;
/// The smallest tile between two contiguous dimensions: a line of memory along one, a sector along the other.
static constexpr int64_t kLeastSquare = 256;
/// Sides of a tile whose results begin within sectors: the blocks that share one store it in parts, which
/// costs more than what they read in parts. Of words the shorter side is twice as long, where that fits.
/// (H200, us, in tiles of 128x128, 256x64 and 256x32, the results' rows along the longer side: 8191x8191 bf16
/// transposed 104, 87, 85, fp32 180, 144, 148; 256 of 197x768 64, 40, 41 and 110, 79, 89; 4095x4097 27, 24,
/// 23 and 45, 38, 38; 768x50257 57, 62, 60 and 96, 85, 88.)
static constexpr int64_t kStoredSide = 256, kLeastStoredRun = 192, kReadSide = 32;
/// Rows of results that follow one another are one run where a tile has them whole: the shortest such rows,
/// and how many of them it has. (H200: three results of rows of 177 fp32 behind a transpose, in tiles of
/// 64x64 286 us, with 16 and 32 whole rows 177 and 210.)
static constexpr int64_t kLeastWholeRow = 64, kWholeRows = 16;
/// Threads that the chip holds at once, and threads of a block of which each has a vector of words at least.
/// (H200: 22 random programs of up to 3 million fp32 elements in tiles of 2048 and by this, 0.97 of the time
/// in the mean, 0.89 to 1.065; eleven with results of 16 bits, 1.01.)
static constexpr int64_t kMostThreads = kFillBlocks * 2048, kThreadsOfBlock = 128, kWordBytes = 4;

/// Warps of a block of which each thread has one vector, and bytes that it moves for its start at least.
/// (H200, us, by threads of four vectors of fp32, two of bf16, in blocks of 128, and of one in blocks of 256:
/// 32 million fp32 with one operand and result 69.5 and 65.9, with three results 141.2 and 136.3, three
/// operands and two results 164.4 and 159.9; 64 million bf16 66.1 and 65.7, 138.3 and 136.3, 161.8 and
/// 160.4.)
static constexpr int64_t kManyWarps = 8, kLeastBlockBytes = 8192;
/// Places at which a tensor is read, as a filter reads it, from which on threads with more elements load less
/// of it again. (H200: a box filter of 3x3 of 32x3x512x512 fp32 with a vector a thread 76.8 us, with
/// four 61.8.)
static constexpr int64_t kManyPlaces = 4;
static bool readsNeighbours(const KernelShape &shape, int fastest) {
  return llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    return access.strides[fastest] == 1 && !access.stores &&
           llvm::count_if(shape.accesses,
                          [&](const TensorAccess &other) {
                            return !other.stores && access.strides == other.strides &&
                                   access.elementBytes == other.elementBytes && access.begin != other.begin;
                          }) +
                   1 >=
               kManyPlaces;
  });
}

/// Elements of a vector of the narrowest tensor along `fastest` where blocks of such are many and move
/// enough, `moved` bytes all together; 0 else, where indices select, and where neighbours are read.
static int64_t vectorOfMany(const KernelShape &shape, int fastest, int64_t total, int64_t moved) {
  int64_t narrowest = 16;
  if (readsNeighbours(shape, fastest))
    return 0;
  for (const TensorAccess &access : shape.accesses) {
    if (access.selectedFrom > 0)
      return 0;
    if (access.strides[fastest] == 1)
      narrowest = std::min(narrowest, access.elementBytes);
  }
  int64_t vector = 16 / narrowest, elems = 32 * kManyWarps * vector;
  bool areMany = total >= kMostThreads * vector && moved / total * elems >= kLeastBlockBytes;
  // Threads that compute for a good part of the time have more elements to go on with.
  bool computes = (double)shape.pressure.instructions * (double)total >= kComputedPerByte * (double)moved;
  return areMany && !computes ? vector : 0;
}

/// Gives `elems` elements to `d` and, where that is short, to what goes on where it ends, but for `other`.
static int64_t takeRun(const KernelShape &shape, int d, int other, int64_t elems, int64_t wideEnough,
                       SmallVectorImpl<int64_t> &tile) {
  int64_t taken = 1;
  for (; d >= 0 && d != other && tile[d] == 1 && taken < elems; d = shape.continued[d]) {
    tile[d] = tileAlong(shape.extents[d], elems / taken, taken == 1 ? wideEnough : elems / taken);
    taken *= tile[d];
    if (tile[d] < shape.extents[d])
      break;
  }
  return taken;
}

/// That of two dimensions along which all results lie, -1 where they do along both; whether their rows begin
/// within sectors, and follow one another.
struct StoredSide {
  int dim = -1;
  bool isApart = false, follow = true;
};
static StoredSide storedSide(const KernelShape &shape, int fastest, int across) {
  StoredSide side;
  for (const TensorAccess &access : shape.accesses) {
    if (!access.stores)
      continue;
    int along = access.strides[fastest] == 1 ? fastest : access.strides[across] == 1 ? across : -1;
    if (along < 0 || (side.dim >= 0 && along != side.dim))
      return {};
    side.dim = along;
    side.follow &= access.strides[along == fastest ? across : fastest] == shape.extents[along];
    side.isApart |= beginsWithinSectors(shape, access, along);
  }
  return side;
}

/// Bytes of an element of what is stored along `d`.
static int64_t storedAlong(const KernelShape &shape, int d) {
  int64_t bytes = 0;
  for (const TensorAccess &access : shape.accesses)
    bytes += access.stores && access.strides[d] == 1 ? access.elementBytes : 0;
  return bytes;
}

static bool storesWords(const KernelShape &shape) {
  return llvm::all_of(shape.accesses, [](const TensorAccess &access) {
    return !access.stores || access.elementBytes >= kWordBytes;
  });
}

tile::ScheduleAttr tilewright::elementwiseSchedule(MLIRContext *context, const KernelShape &shape) {
  int64_t rank = shape.extents.size(), total = 1;
  for (int64_t extent : shape.extents)
    total *= extent;
  // Fewer elements a block while there are not enough blocks; more of them only take longer to start. (H200,
  // small random programs of which one to five kernels have up to 264 blocks instead of 528: 25 take 0.98 of
  // the time in the mean, 0.91 to 1.04.)
  int64_t budget =
      std::max<int64_t>(2048 / (int64_t)llvm::bit_ceil((uint64_t)shape.places), kLeastBlockElems);
  while (budget > kLeastBlockElems && total / budget < kFillBlocks)
    budget /= 2;
  // Fewer elements a thread, in more warps, while their values do not fit the registers.
  int64_t perThread = kElemsPerThread, mostWarps = 4;
  while (perThread > 1 && (shape.pressure.registers(perThread) > kElementwiseRegisters ||
                           shape.pressure.instructions * perThread > kElementwiseInstructions))
    perThread /= 2;
  int64_t square = std::min<int64_t>(1024, 32 * (perThread < kElemsPerThread ? 8 : 4) * perThread);
  // Few elements are divided among as many threads as keep the chip busy: each is done the sooner.
  while (perThread > 1 && total / perThread < kFillThreads)
    perThread /= 2;
  if (perThread < kElemsPerThread) {
    mostWarps = 8;
    budget = std::min(budget, 32 * mostWarps * perThread);
  }
  SmallVector<int64_t> tile(rank, 1);
  int fastest = fastestDim(shape);
  // A second contiguous dimension, when much is read or written across: both get a square share.
  int across = -1;
  for (int d = 0; d < rank; ++d)
    if (d != fastest && shape.contiguousBytes[d] > shape.contiguousBytes[fastest] / 16)
      across = across < 0 || shape.contiguousBytes[d] > shape.contiguousBytes[across] ? d : across;
  if (across >= 0) {
    // Of few elements smaller squares, so that more multiprocessors have some.
    while (square > kLeastSquare && total / square < kFillBlocks / 2)
      square /= 2;
    budget = std::max(budget, square);
    // Long runs on both sides while the values fit and blocks are many: whole pages of memory are read and
    // written at a time. A short dimension is taken whole, and a part of the threads has nothing to move.
    bool isWide = false;
    const int along[] = {across, fastest};
    auto take = [&](int64_t first, int64_t second, int64_t least, int64_t warps = kWideWarps) {
      int64_t sides[] = {first, second}, useful = 1, padded = 1;
      for (auto [side, d] : llvm::zip_equal(sides, along)) {
        side = std::min<int64_t>(side, (int64_t)llvm::PowerOf2Ceil((uint64_t)shape.extents[d]));
        useful *= shape.extents[d];
        padded *= (int64_t)llvm::alignTo(shape.extents[d], side);
      }
      int64_t elems = sides[0] * sides[1];
      if (isWide || std::min(sides[0], sides[1]) < least || total / elems < 4 * kFillBlocks ||
          useful < kLeastUsefulShare * padded || !shape.pressure.fits(elems, warps) ||
          shape.pressure.instructions * elems / (32 * warps) > kElementwiseInstructions)
        return;
      isWide = true;
      tile[across] = sides[0];
      tile[fastest] = sides[1];
      budget = elems;
      mostWarps = warps;
    };
    if (StoredSide stored = storedSide(shape, fastest, across); stored.isApart) {
      bool isAcross = stored.dim == across;
      int64_t row = shape.extents[stored.dim], rows = shape.extents[isAcross ? fastest : across];
      auto takeRuns = [&](int64_t run, int64_t count) {
        take(isAcross ? run : count, isAcross ? count : run, std::min(kReadSide, count));
      };
      if (row >= kLeastStoredRun && rows > kStoredSide / 4)
        for (int64_t side : {2 * kReadSide, kReadSide})
          if (side == kReadSide || storesWords(shape))
            takeRuns(kStoredSide, side);
      if (stored.follow && row >= kLeastWholeRow && row <= kStoredSide)
        takeRuns((int64_t)llvm::PowerOf2Ceil((uint64_t)row), kWholeRows);
    }
    for (int64_t wide : {128, 64}) {
      // Short runs that lie apart in memory: fewer of them at a time.
      bool apart = shape.extents[across] < wide && shape.continued[across] != fastest;
      take(wide, apart ? 64 : wide, 64);
    }
    take(64, 64, 64, kMoreWarps);
    // Both sides would be padded much: the shorter one whole, less of the other.
    int shorter = shape.extents[across] < shape.extents[fastest] ? across : fastest;
    int longer = shorter == across ? fastest : across;
    int64_t whole = shape.extents[shorter], narrow = whole * kNarrowSide;
    if (!isWide && whole > 64 && whole <= 128 && shape.extents[longer] % kNarrowSide == 0 &&
        shape.extents[longer] <= 128 && total / narrow >= 4 * kFillBlocks &&
        shape.pressure.fits(narrow, mostWarps) &&
        shape.pressure.instructions * narrow / (32 * mostWarps) <= kElementwiseInstructions) {
      isWide = true;
      tile[shorter] = (int64_t)llvm::PowerOf2Ceil((uint64_t)whole);
      tile[longer] = kNarrowSide;
      budget = tile[shorter] * kNarrowSide;
      mostWarps = kWideWarps;
    }
    if (!isWide) {
      bool isLong = perThread == kElemsPerThread && shape.extents[across] >= kLongSide &&
                    shape.extents[fastest] >= kNarrowSide && total / kLongTile >= 4 * kFillBlocks;
      if (isLong)
        budget = std::max(budget, kLongTile);
      bool storesAcross = storedAlong(shape, across) > storedAlong(shape, fastest);
      int64_t run =
          takeRun(shape, across, fastest, isLong && storesAcross ? kLongSide : kNarrowSide, 8, tile);
      if (tile[fastest] == 1)
        takeRun(shape, fastest, across, std::max<int64_t>(1, budget / run), 16, tile);
    }
  } else {
    int64_t moved = std::accumulate(shape.contiguousBytes.begin(), shape.contiguousBytes.end(), int64_t(0));
    if (total <= budget * kBlocksAtOnce * kFillBlocks &&
        (double)shape.pressure.instructions * (double)total >= kComputedPerByte * (double)moved)
      budget = std::min(budget, kComputedElems);
    // As many threads as there can be at once, where these have a vector each; of narrow elements threads
    // need more for whole ones.
    bool areWords =
        llvm::all_of(shape.accesses, [](const TensorAccess &a) { return a.elementBytes >= kWordBytes; });
    int64_t each = std::max<int64_t>(
        16 / kWordBytes, (int64_t)llvm::PowerOf2Ceil((uint64_t)llvm::divideCeil(total, kMostThreads)));
    if (areWords)
      budget = std::min(budget, kThreadsOfBlock * each);
    if (int64_t vector = vectorOfMany(shape, fastest, total, moved)) {
      perThread = std::min(perThread, vector);
      mostWarps = kManyWarps;
      budget = std::min(budget, 32 * mostWarps * perThread);
    }
    // A short factor of a long extent is for tiles that other dimensions fill up.
    int64_t others = std::max<int64_t>(total / std::max<int64_t>(shape.extents[fastest], 1), 1);
    int64_t extent = shape.extents[fastest];
    tile[fastest] = tileAlong(extent, budget, std::max<int64_t>(64, budget / others));
    // Of few tiles the last one is not to be mostly empty: less of the row, and of more rows.
    int64_t kept = keptAlong(extent, tile[fastest], kTilesToPad);
    if (kept * shape.elementBytes >= kRunBytes)
      tile[fastest] = kept;
    // Places anywhere in a row of a table: one block takes all of them, and finds in its cache what it has
    // read for others.
    bool gathers = llvm::any_of(shape.accesses,
                                [&](const TensorAccess &a) { return a.strides[fastest] == kGatheredStride; });
    if (int64_t whole = (int64_t)llvm::PowerOf2Ceil((uint64_t)extent); gathers && whole <= budget)
      tile[fastest] = whole;
  }
  int64_t used = 1;
  for (int64_t size : tile)
    used *= size;
  for (int d = (int)rank - 1; d >= 0 && used < budget; --d) {
    if (d == fastest || d == across || tile[d] > 1)
      continue;
    // Of a long extent the last tile may be partly empty: an odd number of rows does not make blocks of one.
    int64_t rest = (int64_t)llvm::bit_floor((uint64_t)(budget / used));
    tile[d] = tileAlong(shape.extents[d], rest, shape.extents[d] >= kTilesToPad * rest ? rest : 1);
    tile[d] = std::max(tile[d], keptAlong(shape.extents[d], rest, kTilesToPad));
    used *= tile[d];
  }
  // A factor of a long extent that is less than a block's work: the last tile may be partly empty instead.
  // The same across, where the contiguous dimension is short, and where a run of either goes on beyond a
  // short one.
  auto endOfRun = [&](int d) {
    // Tensors in several orders may go on in a circle.
    for (int64_t steps = 0; d >= 0 && tile[d] >= shape.extents[d]; ++steps)
      d = steps < rank ? shape.continued[d] : -1;
    return d;
  };
  for (int d : {endOfRun(fastest), across < 0 ? across : endOfRun(across)})
    while (d >= 0 && 2 * used <= budget && 2 * kTilesToPad * tile[d] <= shape.extents[d] &&
           total / (2 * used) >= 4 * kFillBlocks) {
      tile[d] *= 2;
      used *= 2;
    }
  if (across >= 0)
    mostWarps = std::max(mostWarps, kWideWarps);
  int64_t warps = std::clamp<int64_t>(used / (32 * perThread), 1, mostWarps);
  warps = (int64_t)llvm::bit_floor((uint64_t)warps);
  return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
}
