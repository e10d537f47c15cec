// Tiles of reductions, scans and sorts: whole rows while these fit in registers, columns side by side, and as
// many of both as make a block worth its start.

#include "ReductionTile.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;

/// Reductions that need one another's results: from so many on, waiting for other warps costs more than long
/// chains in a thread.
static constexpr int64_t kManyLevels = 3;
/// Rows that one warp takes, and how many of them a block has.
static constexpr int64_t kLeastWarpRow = 256, kMostWarpRow = 1024, kWarpRows = 1;
/// Elements of the tile of a loop whose steps hold other dimensions whole.
static constexpr int64_t kLoopedElems = 4096;
/// Elements along a dimension that a block takes whole, however many they are, where it has room for them.
static constexpr int64_t kFewAlong = 8;
/// Bytes that a block should move for its start.
static constexpr int64_t kLeastBlockBytes = 8192;
/// Short rows that follow one another in memory: so many are taken whole.
static constexpr int64_t kWholeFollowing = 64;
/// Blocks that have a multiprocessor each, and more to do than to wait for.
static constexpr int64_t kFewBlocks = 32;
/// What half of the warps cost a block, as a part of its work: in a kernel of few blocks, of many, and in a
/// lone block. (H200: 72 rows of 32 elements in one block of 16 warps, 1.9 to 2.2 us by the rows of its tile,
/// of 8, 3.2.)
static constexpr double kHalvedWarps = 0.15, kHalvedCrowdedWarps = 0.1, kHalvedAloneWarps = 0.5;
/// What accesses of half the width cost, as a part of the work.
static constexpr double kHalvedVectors = 0.15;
/// Elements of a thread in a step of columns that few blocks scan. (H100: 5x4787x879 bf16 along its second
/// dimension in 140 blocks, with eight elements of a thread 351 us, with four 255.)
static constexpr int64_t kScanStep = 4;
/// Warps of a block that is not to wait for its longest thread.
static constexpr int64_t kFewWarps = 4;
/// Elements that 16 warps of a lone block have before more of them take part: each waits for all of them.
/// (H200: 72 rows of 32 elements by 16 warps 1.9 us, by 32 2.5.)
static constexpr int64_t kMostOf16Warps = 4096;
/// Elements of a thread for which a block gives up half of its warps.
static constexpr int64_t kMostPerThread = 24;
/// Instructions of a thread of a reduction from which on more threads share the elements.
static constexpr int64_t kReductionInstructions = 1024;
/// The same where the multiprocessors have few blocks each: code that runs once waits for being fetched.
/// (H200: of 174 kernels of random programs of up to 3 million elements five differ from 256, 0.96 of the
/// time.)
static constexpr int64_t kQuickInstructions = 192;
/// Elements of a kernel from which on multiprocessors have warps enough for long threads: sixteen for each,
/// of 16 elements a thread. (H200: 29184 rows of 15 elements in 912 blocks, 4.9 us with a warp each, 3.0 with
/// two; 102400 rows of five in 1600 blocks, 8.0 us with a warp each, 3.9 with two, 3.8 with four.)
static constexpr int64_t kEnoughElems = kFillBlocks * 16 * 32 * 16;

/// Narrows whole reduced extents, and widens those of an odd row, until the power-of-two parts of the tile
/// have a vector of elements for each thread and little else, with fewer `warps` where much of the tile would
/// be empty: a layout spreads only those parts over lanes and warps, and what repeats is in every thread's
/// registers. (A row of 2776 = 8 * 347 elements, rounded to 11 * 256, would be held whole by each of 8 warps
/// that load vectors of 8.) `halving`: what half of the warps cost, as a part of the work.
static void divideRows(const KernelShape &shape, int fastest, double halving, int64_t &warps,
                       SmallVectorImpl<int64_t> &tile) {
  int64_t vector =
      std::clamp<int64_t>(16 / shape.rowBytes, 1, shape.extents[fastest] & -shape.extents[fastest]);
  // The contiguous dimension first: it gets the lanes that the others leave.
  SmallVector<int> dims;
  if (shape.reduced[fastest])
    dims.push_back(fastest);
  for (int d = (int)tile.size() - 1; d >= 0; --d)
    if (d != fastest && shape.reduced[d])
      dims.push_back(d);
  llvm::erase_if(dims, [&](int d) { return tile[d] < shape.extents[d]; });
  std::optional<double> best;
  int64_t bestWarps = warps;
  SmallVector<int64_t> bestTile(tile.begin(), tile.end());
  auto consider = [&](int64_t count, int64_t vector, double penalty) {
    SmallVector<int64_t> narrow(tile.begin(), tile.end());
    for (int dim : dims) {
      int64_t others = 1;
      for (int64_t d = 0, e = narrow.size(); d < e; ++d)
        others *= d == dim ? 1 : narrow[d] & -narrow[d];
      // Lanes have whole sectors of a contiguous row: pieces of one made kernels two to three times slower.
      bool isRun = dim == fastest || hasRunsAlong(shape, dim, fastest);
      int64_t least = isRun ? std::max<int64_t>(1, 32 / shape.contiguousElement[dim]) : 1;
      // A shorter row is rounded to a power of two: more of its lanes would have nothing.
      least = std::min(least, (int64_t)llvm::PowerOf2Ceil((uint64_t)shape.extents[dim]));
      int64_t part = std::max<int64_t>(least, 32 * count * vector / others);
      narrow[dim] = (int64_t)llvm::alignTo(shape.extents[dim], part);
    }
    int64_t elems = 1;
    for (int64_t size : narrow)
      elems *= size;
    // Elements, full or empty, and a little for each halving of the warps.
    double work = (double)elems * (1 - halving + halving * (double)warps / (double)count) * penalty;
    if ((!best || work < *best) &&
        (count == warps || (elems <= kMostPerThread * 32 * count && shape.pressure.fits(elems, count)))) {
      best = work;
      bestWarps = count;
      bestTile = narrow;
    }
  };
  for (int64_t count = warps; count >= std::max<int64_t>(1, warps / 4); count /= 2) {
    // Accesses half as wide are twice as many; a quarter as wide only for threads that wait alone.
    int64_t narrowest = halving < kHalvedAloneWarps ? std::max<int64_t>(1, vector / 2) : 1;
    double penalty = 1;
    for (int64_t width = vector; width >= narrowest; width /= 2, penalty += kHalvedVectors)
      consider(count, width, penalty);
  }
  warps = bestWarps;
  tile.assign(bestTile.begin(), bestTile.end());
}

/// Bytes of a step through a row of which elements are stored, too, from so many bytes an element on: blocks
/// of fewer warps beside one another load while others store. (H200: a program of which one kernel has 229
/// rows of 144641 elements of 24 bytes, in steps of 2048, 4096 and 8192 elements: 390, 429 and 460 us.)
static constexpr int64_t kStoringStep = 64 * 1024, kStoringElement = 16;

/// Bytes of a thread in a step of a loop across rows, of which it has those of the next one on their way,
/// too. (H200: a random program that sums 1168 times 323 pieces of 91 fp32 556 us by 8 warps of 128 bytes
/// each, 396 by 16 of 64.)
static constexpr int64_t kStepBytes = 64;

/// Reduced dimensions, innermost first, as long as a block can hold them.
void ReductionTile::holdRows() {
  bool loops = shape.holdsDims();
  int64_t limit = loops ? kLoopedElems : rowElems(shape.pressure);
  // A block that has a multiprocessor for itself takes as much at a time as it can hold.
  int64_t part = shape.reduced[fastest] && rows <= kFewBlocks ? 1 : 4;
  SmallVector<int> order(llvm::make_filter_range(llvm::reverse(llvm::seq<int>(0, (int)rank)),
                                                 [&](int d) { return shape.reduced[d]; }));
  llvm::stable_sort(order, [&](int a, int b) { return shape.held[a] > shape.held[b]; });
  for (int d : order) {
    int64_t width = wholeExtent(shape.extents[d]);
    bool isWhole = row * width <= limit || shape.held[d] || (shape.isMixed && !loops);
    tile[d] = isWhole ? width : std::max<int64_t>(1, limit / row / part);
    if (tile[d] != width)
      tile[d] = (int64_t)llvm::bit_floor((uint64_t)tile[d]);
    row *= tile[d];
  }
}

/// Of many tensors short steps.
void ReductionTile::shortenSteps() {
  while (shape.reduced[fastest] && rows > kFewBlocks && row < whole && shape.levels == 1 && !shape.scans &&
         ofElement >= kStoringElement && row * ofElement > kStoringStep) {
    tile[fastest] /= 2;
    row /= 2;
  }
}

/// Rows that a warp holds, null where none does: where reductions wait for one another it takes one alone,
/// and waits for no other. What lies across the rows needs several of them.
tile::ScheduleAttr ReductionTile::rowsOfWarps() {
  bool areHeld = shape.levels >= kManyLevels && shape.reduced[fastest] && !shape.scans &&
                 row == tile[fastest] && across.empty() && row >= kLeastWarpRow && row <= kMostWarpRow &&
                 rows >= 4 * kFillBlocks * kWarpRows && shape.pressure.fits(kWarpRows * row, kWarpRows);
  if (!areHeld)
    return {};
  for (int d = (int)rank - 1, left = kWarpRows; d >= 0; --d)
    if (!shape.reduced[d]) {
      tile[d] = keptAlong(shape.extents[d], left, kTilesToPad);
      left /= tile[d];
    }
  int64_t warps = 1;
  for (int d = 0; d < (int)rank; ++d)
    warps *= shape.reduced[d] ? 1 : tile[d];
  int64_t one = 1;
  SmallVector<int64_t> alone(rank, 1);
  alone[fastest] = tile[fastest];
  divideRows(shape, fastest, kHalvedWarps, one, alone);
  tile[fastest] = alone[fastest];
  return get(warps);
}

/// Kept elements a block takes: along the contiguous dimension when that is kept, so that accesses coalesce.
void ReductionTile::allowElements() {
  while (budget > kLeastReducedElems && total / budget < 4 * kFillBlocks)
    budget /= 2;
  // Many blocks that move little of each element take more of them.
  if (ofElement < kLeastBlockBytes / budget && total / budget > 16 * kFillBlocks)
    budget *= 2;
  keptBudget = std::max<int64_t>(1, budget / row);
  if (!across.empty() && !shape.reduced[fastest])
    keptBudget = std::min(keptBudget, kColumnWidth);
}

/// Rows shorter than a line: as many of those that follow one another in memory as a line has.
void ReductionTile::fillLines() {
  int64_t run = shape.extents[fastest] * shape.rowBytes, next = shape.continued[fastest];
  if (shape.reduced[fastest] && run < kColumnBytes && !across.empty() && next >= 0 && !shape.reduced[next] &&
      rows > kFillBlocks) {
    int64_t wanted = (int64_t)llvm::PowerOf2Ceil((uint64_t)llvm::divideCeil(kColumnBytes, run));
    while (wanted > 1 && taken * wanted > kReducedElems)
      wanted /= 2;
    // All of a short extent: then what lies behind it follows, too.
    int64_t all = (int64_t)llvm::alignTo(shape.extents[next], 8);
    bool takesAll = wanted > 1 && all <= kWholeFollowing && taken * all <= kReducedElems;
    tile[next] = takesAll ? all : keptAlong(shape.extents[next], wanted, 2);
    taken *= tile[next];
    keptBudget = std::max<int64_t>(1, keptBudget / tile[next]);
  }
}

/// Whole sectors of what lies across.
void ReductionTile::fillSectorsAcross() {
  for (int d : across) {
    if (tile[d] > 1)
      continue;
    bool isMuch = shape.contiguousBytes[d] > shape.contiguousBytes[fastest] / 8;
    auto fits = [&](int64_t elems) {
      return atATime / elems >= kFillBlocks &&
             ((elems <= kMostAcrossElems && shape.pressure.fits(elems, 8)) ||
              (isMuch && elems <= 2 * kMostAcrossElems && shape.pressure.fits(elems, 16)));
    };
    // Less of the other dimension, down to as many bytes, where both do not fit and much lies across.
    int64_t needed = std::min(shape.extents[d], kAcrossBytes / shape.contiguousElement[d]);
    while (!shape.reduced[fastest] && isMuch &&
           tile[fastest] * shape.contiguousElement[fastest] > kAcrossBytes && tile[fastest] % 2 == 0 &&
           tile[fastest] < shape.extents[fastest] && !fits(taken * needed)) {
      tile[fastest] /= 2;
      taken /= 2;
    }
    int64_t extent = shape.extents[d];
    int64_t wanted = std::max<int64_t>(1, kAcrossBytes / shape.contiguousElement[d]);
    int64_t whole =
        extent <= 8 ? (int64_t)llvm::PowerOf2Ceil((uint64_t)extent) : (int64_t)llvm::alignTo(extent, 8);
    while (wanted > 1 && !fits(taken * wanted))
      wanted /= 2;
    tile[d] = extent <= kWholeAcross && fits(taken * whole) ? whole : keptAlong(extent, wanted, 2);
    taken *= tile[d];
    keptBudget /= tile[d];
  }
}

/// The same of short rows that another tensor has along a reduced dimension: what follows them in memory.
void ReductionTile::followShortRows() {
  for (int d = 0; d < (int)rank; ++d) {
    int next = shape.continued[d];
    int64_t run = shape.extents[d] * shape.contiguousElement[d];
    if (!shape.reduced[d] || d == fastest || run >= kColumnBytes || next < 0 || next == fastest ||
        shape.reduced[next] || tile[next] > 1 || tile[d] < shape.extents[d] ||
        !hasRunsAlong(shape, d, fastest))
      continue;
    int64_t wanted = (int64_t)llvm::PowerOf2Ceil((uint64_t)llvm::divideCeil(kColumnBytes, run));
    // As many as a block is to have.
    wanted = std::max(wanted, (int64_t)llvm::bit_floor((uint64_t)keptBudget));
    wanted = keptAlong(shape.extents[next], wanted, 2);
    while (!shape.reduced[fastest] && tile[fastest] * shape.contiguousElement[fastest] > 2 * kColumnBytes &&
           tile[fastest] % 2 == 0 && taken * wanted > kReducedElems) {
      tile[fastest] /= 2;
      taken /= 2;
    }
    while (wanted > 1 &&
           (atATime / (taken * wanted) < kFillBlocks || !shape.pressure.fits(taken * wanted, 8)))
      wanted /= 2;
    tile[next] = wanted;
    taken *= wanted;
    keptBudget = std::max<int64_t>(1, keptBudget / wanted);
  }
}

/// More of short rows, so that a block is worth its start: equal parts of extents that twice as many would
/// not divide.
void ReductionTile::takeMoreAcross() {
  for (int d : across)
    while (shape.reduced[fastest] && tile[d] < shape.extents[d]) {
      int64_t extent = shape.extents[d], more = 2 * tile[d];
      auto parts = [&](int64_t count) { return (int64_t)llvm::alignTo(llvm::divideCeil(extent, count), 8); };
      if ((int64_t)llvm::alignTo(extent, more) - extent > extent / kTilesToPad) {
        int64_t count = 1;
        while (count < extent && parts(count) > tile[d] && taken / tile[d] * parts(count) > budget)
          ++count;
        more = parts(count);
      }
      int64_t elems = taken / tile[d] * more;
      if (more <= tile[d] || elems > budget || atATime / elems < kFillBlocks ||
          !shape.pressure.fits(elems, 8))
        break;
      keptBudget = std::max<int64_t>(1, keptBudget * tile[d] / more);
      tile[d] = more;
      taken = elems;
    }
}

/// Where rows are gone over along another dimension, too, a block has a run of memory for each element of
/// that.
void ReductionTile::takeRuns() {
  bool isStrided = false;
  for (int d = 0; d < (int)rank; ++d)
    isStrided |= shape.reduced[d] && d != fastest && shape.extents[d] > 1;
  if (isStrided && shape.reduced[fastest]) {
    int64_t run = shape.extents[fastest] * shape.elementBytes;
    int64_t wanted = std::min<int64_t>((int64_t)llvm::divideCeil(kRunBytes, run),
                                       kMostAcrossElems / std::max<int64_t>(taken, 1));
    while (wanted > 1 &&
           (atATime / (taken * wanted) < 4 * kFillBlocks || !shape.pressure.fits(taken * wanted, 8)))
      wanted /= 2;
    keptBudget = std::max(keptBudget, wanted);
  }
}

/// What is left of the kept elements, along the dimensions that have none yet.
void ReductionTile::takeRest() {
  for (int d = (int)rank - 1; d >= 0; --d)
    if (!shape.reduced[d] && d != fastest && tile[d] == 1 && keptBudget > 1 && rows > kFillBlocks) {
      // What a row has too few bytes for, those beside it fill.
      bool narrow = taken * shape.elementBytes < 32;
      tile[d] = keptAlong(shape.extents[d], keptBudget, narrow ? 1 : kTilesToPad);
      // All of a few: what lies behind them follows in memory.
      if (shape.extents[d] <= std::min<int64_t>(keptBudget, kFewAlong))
        tile[d] = std::max(tile[d], shape.extents[d]);
      keptBudget /= tile[d];
      taken *= tile[d];
    }
}

/// Columns that have become narrow are gone over in longer steps, so that as many bytes are in flight.
void ReductionTile::lengthenSteps() {
  int64_t step = 1;
  for (int64_t size : tile)
    step *= size;
  for (int64_t d = rank - 1; d >= 0 && !shape.reduced[fastest] && !shape.scans; --d)
    while (shape.reduced[d] && tile[d] < shape.extents[d] && step < leastStep &&
           shape.pressure.fits(2 * step, 8)) {
      int64_t more = std::min(2 * tile[d], wholeExtent(shape.extents[d]));
      step = step / tile[d] * more;
      tile[d] = more;
    }
}

/// The tile with warps enough for its elements, and fewer where much of it would be empty.
tile::ScheduleAttr ReductionTile::withWarps() {
  int64_t elems = 1, blocks = 1;
  bool isWhole = true;
  for (int64_t d = 0; d < rank; ++d) {
    isWhole &= !shape.reduced[d] || tile[d] >= shape.extents[d];
    elems *= tile[d];
    blocks *= shape.reduced[d] ? 1 : (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
  }
  // Where many blocks share a multiprocessor, small ones with much to load each keep most bytes in flight:
  // while one waits at its barriers the others load. A block that is alone has to be quick instead.
  bool crowded = blocks >= (shape.scans ? 2 : 4) * kFillBlocks;
  int64_t perThread = !crowded ? 12 : shape.levels >= kManyLevels ? 32 : 16;
  // Of two tensors a thread loads twice as much, and with one reduction it waits once.
  bool loadsTwo = crowded && shape.levels == 1 && shape.reduced[fastest] && !shape.scans && row >= 1024 &&
                  shape.loadedBytes >= 2 * shape.elementBytes;
  if (loadsTwo)
    perThread = 8;
  if (leastStep < kLeastStep)
    perThread = leastStep / (8 * 32);
  // Scans that few blocks go through step by step: nothing else hides how long each step takes.
  if (shape.scans && !crowded && !isWhole && !shape.reduced[fastest])
    perThread = kScanStep;
  // Many blocks of a warp each are few warps: long chains of instructions are not hidden by others'.
  bool hides = crowded && (shape.scans || total >= kEnoughElems);
  int64_t mostInstructions = hides ? kReductionInstructions : kQuickInstructions;
  // What rows are reduced to is worth more threads up to a few warps: more of them wait for one another.
  // (H200: rows of 14 pairs, 13.0 us with one warp a block, 7.5 with four; columns of pairs, 8.3 us with four
  // and 10.5 with eight.)
  int64_t ofElements = shape.pressure.instructions - shape.pressure.ofRows;
  while (perThread > 2 &&
         (perThread * ofElements > mostInstructions ||
          (perThread * shape.pressure.instructions > mostInstructions && elems < kFewWarps * 32 * perThread)))
    perThread /= 2;
  int64_t mostHeld = across.empty() ? 64 : 32;
  int64_t mostWarps = crowded && !loadsTwo && elems <= mostHeld * 8 * 32          ? 8
                      : blocks <= kFewBlocks && isWhole && elems > kMostOf16Warps ? 32
                                                                                  : 16;
  // What threads load of the next step has room beside what they hold of this one (tile-prefetch-loads).
  bool loadsAhead = !isWhole && !shape.scans && shape.reduced[fastest] && tile[fastest] >= whole;
  if (loadsAhead && crowded && elems * shape.elementBytes > kStepBytes * 8 * 32)
    mostWarps = 16;
  int64_t warps = 1;
  while (warps < mostWarps && elems / (warps * 32) > perThread)
    warps *= 2;
  if (!crowded && warps < 4 && elems >= 512)
    warps = 4;
  // The threads of a large block share the register file: fewer of them hold more each, more of them less.
  // 32 warps leave a thread 64 registers: only for tiles that 16 cannot hold.
  for (int64_t count : {warps, (int64_t)32, (int64_t)16, (int64_t)8})
    if (shape.pressure.fits(elems, count)) {
      warps = count;
      break;
    }
  // Of reductions over different dimensions no other block can have a part.
  bool alone = blocks == 1 && shape.isMixed;
  double halving = crowded ? kHalvedCrowdedWarps : alone ? kHalvedAloneWarps : kHalvedWarps;
  divideRows(shape, fastest, halving, warps, tile);
  return get(warps);
}

tile::ScheduleAttr ReductionTile::choose() {
  for (int64_t d = 0; d < rank; ++d)
    rows *= shape.reduced[d] ? 1 : shape.extents[d];
  for (int64_t extent : shape.extents)
    total *= extent;
  int64_t moved = std::accumulate(shape.contiguousBytes.begin(), shape.contiguousBytes.end(), int64_t(0));
  ofElement = moved / std::max<int64_t>(total, 1);
  holdRows();
  shortenSteps();
  for (int d = 0; d < (int)rank; ++d)
    if (!shape.reduced[d] && hasRunsAlong(shape, d, fastest))
      across.push_back(d);
  if (tile::ScheduleAttr held = rowsOfWarps())
    return held;
  allowElements();
  if (!shape.reduced[fastest])
    takeColumns();
  widenWhole();
  widenApart();
  taken = row * (shape.reduced[fastest] ? 1 : keptElems());
  atATime = total;
  for (int64_t d = 0; d < rank; ++d)
    atATime /= shape.reduced[d] ? (int64_t)llvm::divideCeil(shape.extents[d], tile[d]) : 1;
  fillLines();
  fillSectorsAcross();
  followShortRows();
  takeMoreAcross();
  takeRuns();
  takeRest();
  lengthenSteps();
  return withWarps();
}

/// Indices of a dimension for which nearly all that is loaded is the same, and the share of it; elements of a
/// thread that has them all.
static constexpr int64_t kFewRepeats = 5, kNearlyAll = 8, kMostRepeated = 24;
int tilewright::repeatedDim(const KernelShape &shape) {
  for (int d = 0; d < (int)shape.extents.size(); ++d) {
    if (shape.reduced[d] || shape.extents[d] < 2 || shape.extents[d] > kFewRepeats)
      continue;
    int64_t loaded = 0, repeated = 0;
    for (const TensorAccess &access : shape.accesses) {
      int64_t bytes = access.elementBytes;
      for (auto [extent, stride] : llvm::zip_equal(shape.extents, access.strides))
        bytes *= stride ? extent : 1;
      loaded += access.stores ? 0 : bytes;
      repeated += access.stores || access.strides[d] ? 0 : bytes;
    }
    if (kNearlyAll * (loaded - repeated) <= loaded)
      return d;
  }
  return -1;
}

/// `schedule` with all indices of such a dimension in each tile, of which threads load what is the same once.
/// (H200, us, one index and all in a tile: two vectors times 5001x5001 bf16 36.1 and 23.7, three times
/// 387x7082 6.9 and 5.5, two times 1045x4403 8.2 and 6.8, two times 7332x348 5.9 and 6.1.)
static tile::ScheduleAttr takeRepeated(MLIRContext *context, const KernelShape &shape,
                                       tile::ScheduleAttr schedule) {
  int repeated = shape.scans || shape.isMixed ? -1 : repeatedDim(shape);
  if (!schedule || repeated < 0 || schedule.getTile()[repeated] >= shape.extents[repeated])
    return schedule;
  SmallVector<int64_t> tile(schedule.getTile());
  tile[repeated] = shape.extents[repeated];
  int64_t warps = schedule.getWarps(), elems = llvm::product_of(tile);
  // Shorter steps of a loop.
  for (int d = 0; d < (int)tile.size(); ++d)
    while (shape.reduced[d] && tile[d] < shape.extents[d] && tile[d] > 1 && tile[d] % 2 == 0 &&
           elems > kMostRepeated * 32 * warps) {
      tile[d] /= 2;
      elems /= 2;
    }
  while (warps < 32 && !shape.pressure.fits(elems, warps))
    warps *= 2;
  if (!shape.pressure.fits(elems, warps))
    return schedule;
  return tile::ScheduleAttr::get(context, tile, schedule.getReduce(), warps, {1, warps}, schedule.getStages(),
                                 schedule.getOptions());
}

tile::ScheduleAttr tilewright::reductionSchedule(MLIRContext *context, const KernelShape &shape) {
  if (tile::ScheduleAttr kept = keptTiles(context, shape))
    return kept;
  if (!shape.holdsDims())
    return takeRepeated(context, shape, ReductionTile{context, shape}.choose());
  // What tiles hold is a part of the rows that they have.
  KernelShape rows = shape;
  for (size_t d = 0; d < rows.held.size(); ++d)
    rows.reduced[d] = rows.reduced[d] || rows.held[d];
  rows.keptBytes = 0;
  return ReductionTile{context, rows}.choose();
}

/// Whole rows, several of short ones, four elements a thread: the stages of a sort are many, and each waits
/// for the one before. Two where each multiprocessor has a block at most: no other one's work hides a wait.
tile::ScheduleAttr tilewright::sortSchedule(MLIRContext *context, const KernelShape &shape) {
  SmallVector<int64_t> tile(shape.extents.size(), 1);
  int64_t elems = 1;
  for (auto [d, extent] : llvm::enumerate(shape.extents))
    if (shape.reduced[d])
      elems *= tile[d] = (int64_t)llvm::PowerOf2Ceil((uint64_t)extent);
  for (int64_t d = (int64_t)tile.size() - 1; d >= 0; --d)
    if (!shape.reduced[d] && elems < 512) {
      tile[d] = (int64_t)llvm::PowerOf2Ceil((uint64_t)std::min(shape.extents[d], 512 / elems));
      elems *= tile[d];
    }
  int64_t blocks = 1;
  for (auto [d, extent] : llvm::enumerate(shape.extents))
    blocks *= shape.reduced[d] ? 1 : (int64_t)llvm::divideCeil(extent, tile[d]);
  int64_t perThread = blocks <= kFillBlocks ? 2 : 4;
  int64_t warps = std::clamp<int64_t>((int64_t)llvm::bit_floor((uint64_t)(elems / (32 * perThread))), 1, 32);
  return tile::ScheduleAttr::get(context, tile, 1, warps, {1, warps}, 1);
}
