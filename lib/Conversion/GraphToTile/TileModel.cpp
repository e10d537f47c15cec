#include "TileModel.h"

#include "Tilewright/Dialect/Tile/IR/StagedRuns.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;

/// What sectors cost beyond those that a tensor fills, as a part of what these cost: those of a tile, and
/// those that a warp's instruction shares with others of its tile. What is loaded comes from L2 or L1 then.
static constexpr double kStoredAgain = 1.5, kReadAgain = 0.5, kSentAgain = 0.5, kHitAgain = 0.15;
/// What a byte costs that many blocks read.
static constexpr double kFromL2 = 0.1;
/// What they cost besides where the blocks that have the other parts of them run much later: a sector that is
/// stored in parts is read, joined and written for each, and memory moves two sectors for one. (507661 of the
/// random programs on an H200: 64, 32, 16 and 8 elements of rows of 165: 366, 458, 548 and 605 us.)
static constexpr double kStoredLater = 3, kReadLater = 0.5;
/// Blocks that run at about the same time, and the share of a kernel's bytes from which on parts of sectors
/// say which of them do.
static constexpr int64_t kNearBlocks = 256;
static constexpr double kMatters = 0.02;
/// What a line costs of which a tile touches a part, as a part of its bytes: the caches answer for lines.
/// (H200: 20 tiles of two programs that exchange odd rows take times as if it were 0.8; of the random
/// programs of three commits, those whose tiles depend on it take 0.91, 1.00 and 1.01 of the time that they
/// take with 0.15, and 0.91, 1.00 and 1.04 with 0.8.)
static constexpr double kOpenedLine = 0.5;
/// What a line costs of which blocks read parts at other times, as a part of its bytes: less than one that is
/// stored so. (H200: rows of 816 fp32 that tiles of 64x2x16 read across, with those that share lines after
/// one another 325 us, with those whose results follow one another 305.)
static constexpr double kReadLine = 0.15;
/// Bytes of a tensor from which on it matters how often it comes from memory.
static constexpr double kLeastFetched = 1 << 20;
/// Tiles along a dimension of which the last one is as the others.
static constexpr int64_t kManyTiles = 16;
/// Of the work that does not limit a kernel, the share that nothing hides.
static constexpr double kShown = 0.4;
/// What a tile twice as large costs: fewer blocks wait for memory while others compute.
static constexpr double kDoubled = 0.07;
/// The share of the fp32 units' rate at which kernels issue.
static constexpr double kIssueShare = 0.9;
/// What a tile costs whose odd part is twice as large: it repeats in the registers of a thread, past lanes
/// that could have been side by side.
static constexpr double kRepeated = 0.05;
/// Blocks that a chip starts in a microsecond, where a multiprocessor has more of them than run at once.
/// (H200: 853760 rows of 40 bf16 less their means in tiles of 4, 8, 16 and 32 rows, 213440 to 26680 blocks:
/// 133, 67, 35 and 35 us, however many warps they have.)
static constexpr double kStartsPerMicrosecond = 1600;
static constexpr int64_t kMostAtOnce = 32;
/// Elements of a thread: as many as it may have, and as it should have.
static constexpr int64_t kMostOfThread = 32, kOfReduction = 16, kOfElementwise = 8;
static constexpr int64_t kMostWarps = 16;
/// Instructions of a thread that the caches of a multiprocessor hold; more are fetched again by each block.
/// (H200: 4824 instructions, 442 us; the same elements in threads of a fifth as many, 217 us.)
static constexpr double kMostCode = 2048;
/// Instructions of an access beside the values that it moves.
static constexpr double kAccessInstructions = 3;
/// Those of an element that goes through shared memory: there and back, and its part of an access of 16
/// bytes; and bytes of an access of a thread from which on only those do that touch many sectors, and from
/// which on none. (H200, random programs with short rows of words whose tiles depend on it: 32 take 0.94 of
/// their time in the mean, 0.75 to 1.08.)
static constexpr double kStagedInstructions = 2;
static constexpr int64_t kLeastWord = 4, kWholeVector = 16;

/// Visits of blocks, those that go over parts of a row one after another among them.
int64_t TileModel::blocks(ArrayRef<int64_t> tile) const {
  int64_t count = 1;
  for (int64_t d = 0; d < rank; ++d)
    count *= (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
  return count;
}

/// Bytes of the sectors or lines of `piece` bytes that hold `counts` elements along the dimensions, somewhere
/// in a tile: with what lies between elements that are less than one apart, from wherever in one their first
/// byte is.
double TileModel::pieces(const TensorAccess &access, ArrayRef<int64_t> counts, int64_t piece) const {
  SmallVector<std::pair<int64_t, double>> digits; // bytes from one to the next, and how many
  double apart = 1;
  int64_t granule = std::gcd(piece, access.begin * access.elementBytes);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t stride = access.strides[d] * access.elementBytes;
    if (stride == 0)
      continue;
    if (counts[d] < shape.extents[d])
      granule = std::gcd(granule, stride * counts[d]);
    // What lies in several runs has a part of each.
    int64_t count = std::min(counts[d], access.inside[d]);
    auto runs = (double)llvm::divideCeil(count, std::min(counts[d], access.runs[d]));
    double inRun = (double)count / runs;
    apart *= runs;
    if (inRun > 1)
      digits.push_back({stride, inRun});
  }
  llvm::sort(digits);
  auto span = (double)access.elementBytes;
  for (auto [stride, count] : digits) {
    if ((double)stride < span + (double)piece) {
      span += (count - 1) * (double)stride;
      continue;
    }
    granule = std::gcd(granule, stride);
    apart *= count;
  }
  return partInside(access) * apart * (span - std::min((double)granule, span) + (double)piece);
}

/// Of a window in a dimension, the part of the tiles that have elements of it.
double TileModel::partInside(const TensorAccess &access) const {
  double part = 1;
  for (int64_t d = 0; d < rank; ++d)
    if (access.strides[d])
      part *= (double)access.inside[d] / (double)shape.extents[d];
  return part;
}

double TileModel::bytesOfTile(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t piece) const {
  SmallVector<int64_t> counts;
  for (auto [size, extent] : llvm::zip_equal(tile, shape.extents))
    counts.push_back(std::min(size, extent));
  return pieces(access, counts, piece);
}

/// The same of all tiles, of which the last ones along a dimension may have fewer elements.
double TileModel::bytesOfTiles(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t piece) const {
  SmallVector<int64_t> sizes(tile);
  auto along = [&](auto &&self, int64_t d) -> double {
    if (d == rank)
      return bytesOfTile(access, sizes, piece);
    int64_t extent = shape.extents[d], count = (int64_t)llvm::divideCeil(extent, tile[d]);
    int64_t last = extent - (count - 1) * tile[d];
    if (count == 1 || last == tile[d] || access.strides[d] == 0 || count > kManyTiles)
      return (double)count * self(self, d + 1);
    double whole = (double)(count - 1) * self(self, d + 1);
    sizes[d] = last;
    double rest = self(self, d + 1);
    sizes[d] = tile[d];
    return whole + rest;
  };
  return along(along, 0);
}

/// The sectors of each instruction of a warp, whose lanes lie along memory as far as powers of two divide the
/// tile.
double TileModel::bytesOfWarps(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t warps) const {
  SmallVector<int64_t> order;
  for (int64_t d = 0; d < rank; ++d)
    if (access.strides[d] && tile[d] > 1)
      order.push_back(d);
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return access.strides[a] < access.strides[b]; });
  SmallVector<int64_t> counts(rank, 1);
  int64_t left = 32 * vectorOf(access, tile, warps);
  double instructions = 1;
  for (int64_t d : order) {
    int64_t inTile = std::min(tile[d], shape.extents[d]);
    counts[d] = std::min(left, tile[d] & -tile[d]);
    left /= counts[d];
    instructions *= std::max(1.0, (double)inTile / (double)counts[d]);
    counts[d] = std::min(counts[d], inTile);
  }
  return instructions * pieces(access, counts, kSectorBytes);
}

/// Elements of an access of a thread.
int64_t TileModel::vectorOf(const TensorAccess &access, ArrayRef<int64_t> tile) const {
  int64_t vector = 16 / std::min<int64_t>(access.elementBytes, 16);
  bool hasNeighbours = false;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = access.strides[d] == 1 ? tile[d] : access.strides[d];
    hasNeighbours |= access.strides[d] == 1 && tile[d] > 1;
    if (size && (access.strides[d] == 1 || shape.extents[d] > 1))
      vector = std::min(vector, size & -size);
    // What is one run may end within a vector, which the last tile alone takes apart.
    if (access.strides[d] == 1 && (access.runs[d] != shape.extents[d] || tile[d] >= shape.extents[d]))
      vector = std::min(vector, shape.extents[d] & -shape.extents[d]);
  }
  return hasNeighbours ? vector : 1;
}

/// Whether tiles are runs of memory that go through shared memory 16 bytes at a time (tile-stage-runs): whole
/// rows of narrow elements, that threads would access one by one, or such that fill too few sectors of a
/// warp's instructions.
bool TileModel::isStaged(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t warps) const {
  int64_t width = vectorOf(access, tile) * access.elementBytes;
  bool isWhole = width >= kWholeVector;
  if ((isWhole && !access.stores) || bytesOf(access) < tile::kLeastStagedBytes)
    return false;
  // Of a window of which the tile has one index none may be there.
  for (int64_t d = 0; d < rank; ++d)
    if (tile[d] == 1 && access.inside[d] != shape.extents[d])
      return false;
  if (width >= kLeastWord) {
    int64_t bytes = elems(tile) * access.elementBytes, all = 0;
    double touched = bytesOfWarps(access, tile, warps) / (double)bytes;
    if (access.stores && beginsWithinSectors(shape, access, fastest))
      touched += (double)kSectorBytes / (double)(32 * width);
    bool isCached = bytesOf(access) < tile::kLeastInMemory;
    if (touched < (isWhole ? tile::kPartsOfSectors : isCached ? tile::kManyTouched : tile::kTouchedInMemory))
      return false;
    for (const TensorAccess &other : shape.accesses)
      all += bytesOf(other) < tile::kLeastStagedBytes ? 0 : elems(tile) * other.elementBytes;
    if (all > tile::kMostBytesOfThread * 32 * warps)
      return false;
  }
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride, and the dimension
  for (int64_t d = 0; d < rank; ++d)
    if (std::min(tile[d], shape.extents[d]) > 1)
      dims.push_back({access.strides[d], d});
  llvm::sort(dims);
  int64_t elems = 1;
  bool ends = false;
  for (auto [stride, d] : dims) {
    int64_t extent = shape.extents[d];
    if (ends || stride != elems || access.runs[d] != extent)
      return false;
    elems *= std::min(tile[d], extent);
    ends = tile[d] < extent;
  }
  return elems * access.elementBytes >= tile::kLeastRunBytes;
}

/// Bytes of the sectors that all tiles touch, each for itself.
int64_t TileModel::sectorBytes(ArrayRef<int64_t> tile) const {
  double total = 0;
  for (const TensorAccess &access : shape.accesses)
    total += bytesOfTiles(access, tile, kSectorBytes);
  return (int64_t)total;
}

double TileModel::bytesOf(const TensorAccess &access) const {
  double bytes = (double)access.elementBytes;
  for (int64_t d = 0; d < rank; ++d)
    bytes *= access.strides[d] ? (double)access.inside[d] : 1;
  return bytes;
}

/// Bytes of sectors, or of other units, that tiles which follow one another along `d` share.
double TileModel::sharedAlong(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t d,
                              int64_t unit) const {
  if (access.strides[d] == 0 || tile[d] >= shape.extents[d])
    return 0;
  SmallVector<int64_t> whole(tile);
  whole[d] = shape.extents[d];
  return std::max(0.0, bytesOfTiles(access, tile, unit) - bytesOfTiles(access, whole, unit));
}

/// Dimensions from the one along which neighbouring blocks follow one another. The last one first, but where
/// blocks that share sectors would run at other times.
SmallVector<int64_t> TileModel::blockOrder(ArrayRef<int64_t> tile) const {
  SmallVector<int64_t> order;
  SmallVector<double> parts(rank, 0);
  double bytes = 0;
  for (int64_t d = rank - 1; d >= 0; --d)
    order.push_back(d);
  for (const TensorAccess &access : shape.accesses) {
    bytes += bytesOf(access);
    for (int64_t d = 0; d < rank; ++d)
      parts[d] += sharedAlong(access, tile, d) * (access.stores ? kStoredLater : kReadLater);
  }
  int64_t distance = 1;
  bool areFar = false;
  for (int64_t d : order) {
    areFar |= distance > kNearBlocks && parts[d] > kMatters * bytes;
    distance *= (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
  }
  if (areFar)
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      return std::max(parts[a], kMatters * bytes) > std::max(parts[b], kMatters * bytes);
    });
  return order;
}

/// The same where blocks that share lines run at about the same time, too, as far as those do that share
/// sectors. (H200: tiles of 16x1x2x64 of 80x104x56x56 fp32 that are stored in another order, 64 bytes of each
/// 320 side by side: 155 us, with the five parts of these one after the other 128.)
SmallVector<int64_t> TileModel::blockOrderOfLines(ArrayRef<int64_t> tile) const {
  SmallVector<int64_t> bySectors = blockOrder(tile), byLines;
  SmallVector<double> parts(rank, 0);
  double bytes = 0;
  for (const TensorAccess &access : shape.accesses) {
    bytes += bytesOf(access);
    for (int64_t d = 0; d < rank; ++d)
      parts[d] += sharedAlong(access, tile, d) * (access.stores ? kStoredLater : kReadLater) +
                  sharedAlong(access, tile, d, kLineBytes) * (access.stores ? kOpenedLine : kReadLine);
  }
  for (int64_t d = rank - 1; d >= 0; --d)
    byLines.push_back(d);
  llvm::stable_sort(byLines, [&](int64_t a, int64_t b) {
    return std::max(parts[a], kMatters * bytes) > std::max(parts[b], kMatters * bytes);
  });
  auto sharedFar = [&](ArrayRef<int64_t> order) {
    int64_t distance = 1;
    double far = 0;
    for (int64_t d : order) {
      far += distance > kNearBlocks ? parts[d] : 0;
      distance *= (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
    }
    return far;
  };
  SmallVector<int64_t> found =
      sharedFar(byLines) + kMatters * bytes < sharedFar(bySectors) ? byLines : bySectors;
  if (!mayFetchAgain())
    return found;
  // What is spread along a dimension comes from memory once where the blocks along that one follow one
  // another.
  double least = sharedFar(found) + fetchedAgain(tile, found) - kMatters * bytes;
  for (int64_t d : SmallVector<int64_t>(found)) {
    SmallVector<int64_t> order = {d};
    llvm::copy_if(found, std::back_inserter(order), [&](int64_t other) { return other != d; });
    if (double cost = sharedFar(order) + fetchedAgain(tile, order); cost < least) {
      least = cost;
      found = order;
    }
  }
  return found;
}

/// Whether blocks may read tensors again that the cache has lost by then.
bool TileModel::mayFetchAgain() const {
  double all = 0;
  bool isSpread = false;
  for (const TensorAccess &access : shape.accesses) {
    all += bytesOf(access);
    for (int64_t d = 0; d < rank; ++d)
      isSpread |= !access.selectedFrom && !access.strides[d] && !shape.reduced[d] && shape.extents[d] > 1 &&
                  bytesOf(access) >= kLeastFetched;
  }
  return isSpread && all > kCacheShare * arch.l2Bytes;
}

/// Bytes that come from memory again, where blocks follow one another along the dimensions of `order`: those
/// of tensors that are spread along one of them, if from one of its indices to the next more passes than the
/// cache holds.
double TileModel::fetchedAgain(ArrayRef<int64_t> tile, ArrayRef<int64_t> order) const {
  struct Passed {
    double distinct, fetched;
  };
  SmallVector<Passed> passed;
  for (const TensorAccess &access : shape.accesses) {
    double bytes = bytesOf(access);
    for (int64_t d = 0; d < rank; ++d)
      if (access.strides[d] && !shape.reduced[d])
        bytes *= std::min(1.0, (double)tile[d] / (double)access.inside[d]);
    passed.push_back({bytes, bytes});
  }
  for (int64_t d : order) {
    if (shape.reduced[d] || tile[d] >= shape.extents[d])
      continue;
    double all = 0;
    for (const Passed &each : passed)
      all += each.distinct;
    for (auto [access, each] : llvm::zip_equal(shape.accesses, passed)) {
      double grown = access.strides[d] ? std::max(1.0, (double)access.inside[d] / (double)tile[d]) : 1;
      bool isLost = !access.strides[d] && all > kCacheShare * arch.l2Bytes;
      each.fetched *= isLost ? (double)llvm::divideCeil(shape.extents[d], tile[d]) : grown;
      each.distinct *= grown;
    }
  }
  double again = 0;
  for (auto [access, each] : llvm::zip_equal(shape.accesses, passed))
    again += access.selectedFrom ? 0 : each.fetched - each.distinct;
  return again;
}

/// Whether indices select less than a sector each.
bool TileModel::selectsSingle(const TensorAccess &access) const {
  int64_t run = access.elementBytes;
  for (int64_t d = 0; d < rank; ++d)
    if (access.strides[d] == 1)
      run *= access.runs[d];
  return access.selectedFrom > 0 && run < kSectorBytes;
}

/// Microseconds of the lookups of single elements, by what rows of the table the tiles of a multiprocessor
/// reach.
double TileModel::requestTime(const TensorAccess &access, ArrayRef<int64_t> tile) const {
  if (!selectsSingle(access))
    return 0;
  int64_t places = 1, rows = 1;
  for (int64_t d = 0; d < rank; ++d) {
    if (access.strides[d] == kGatheredStride)
      places *= shape.extents[d];
    else if (access.strides[d] * access.elementBytes >= access.selectedFrom)
      rows *= std::min(tile[d], shape.extents[d]);
  }
  double atATime = std::max(1.0, kResidentElems / (double)elems(tile)) * (double)rows;
  double cycles =
      bytesOf(access) / (double)access.elementBytes * lookupCycles(access.selectedFrom, places, atATime);
  return cycles / ((double)arch.numSMs * arch.clockGHz * 1e3);
}

/// Whether the tile has a short row, or several, for each thread.
bool TileModel::holdsRows(ArrayRef<int64_t> tile, int64_t warps) const {
  if (shape.anchor != graph::Anchor::Reduction || !shape.reduced[fastest])
    return false;
  int64_t rows = 1;
  for (int64_t d = 0; d < rank; ++d)
    rows *= shape.reduced[d] ? 1 : tile[d] & -tile[d];
  return rows >= 32 * warps && tile[fastest] <= kMostOfThread;
}

/// Instructions of an element with which the lanes along a short row join what they have of it: at each level
/// of reductions one shuffle and one step for each halving. None where threads hold whole rows. (H200, random
/// programs of fp32 whose tiles depend on it: memory-41062 278 and 192 us, memory-555102 197 and 146,
/// cache-41031 14.2 and 12.3; memory-41034 73 and 83. Of what is less than a word threads hold rows badly.)
double TileModel::joinedAlong(ArrayRef<int64_t> tile, int64_t warps) const {
  if (shape.anchor != graph::Anchor::Reduction || !shape.reduced[fastest] || holdsRows(tile, warps))
    return 0;
  int64_t row = tile[fastest], power = row & -row, vector = power;
  for (const TensorAccess &access : shape.accesses) {
    if (access.strides[fastest] != 1)
      continue;
    if (access.elementBytes < kLeastWord)
      return 0;
    vector = std::min(vector, vectorOf(access, tile, warps));
  }
  double lanes = (double)std::min<int64_t>(power / vector, 32);
  return (double)shape.levels * 2 * std::log2(lanes) * lanes / (double)row;
}

/// Microseconds in which the multiprocessors issue the instructions of all tiles, those of empty places among
/// them.
double TileModel::issueTime(ArrayRef<int64_t> tile, int64_t warps) const {
  double issued = (double)shape.pressure.instructions + joinedAlong(tile, warps),
         ofThread = (double)perThread(tile, warps);
  for (const TensorAccess &access : shape.accesses)
    issued += isStaged(access, tile, warps) ? kStagedInstructions
                                            : kAccessInstructions / (double)vectorOf(access, tile, warps);
  double perMicrosecond = arch.fp32TFlops / 2 * 1e6 * kIssueShare;
  double work = (double)blocks(tile) * ofThread * 32 * (double)warps * issued / perMicrosecond;
  // Long code is fetched from memory by every block anew.
  return work * std::max(1.0, ofThread * (double)shape.pressure.instructions / kMostCode);
}

/// Bytes beside those of the tensor, weighed as if they came from memory: what does not differ along a
/// dimension is read again by the blocks along it, parts of sectors and lines by those that share them.
double TileModel::besideOf(const TensorAccess &access, ArrayRef<int64_t> tile, int64_t warps) const {
  double bytes = bytesOf(access), needed = bytes;
  for (int64_t d = 0; d < rank; ++d)
    if (access.strides[d] == 0)
      needed *= (double)llvm::divideCeil(shape.extents[d], tile[d]);
  double touched = bytesOfTiles(access, tile, kSectorBytes), ofTiles = std::max(needed, touched);
  double ofWarps = ofTiles;
  // Those of a last tile as of a whole one.
  if (!isStaged(access, tile, warps))
    ofWarps = std::max(ofTiles,
                       touched * bytesOfWarps(access, tile, warps) / bytesOfTile(access, tile, kSectorBytes));
  double lines = std::max(needed, bytesOfTiles(access, tile, kLineBytes));
  return (needed - bytes) * kFromL2 + (ofTiles - needed) * (access.stores ? kStoredAgain : kReadAgain) +
         (ofWarps - ofTiles) * (access.stores ? kSentAgain : kHitAgain) + (lines - needed) * kOpenedLine;
}

/// Those of sectors whose other parts come much later, and those that come from memory again.
double TileModel::besideLater(ArrayRef<int64_t> tile) const {
  double bytes = 0;
  int64_t distance = 1;
  for (int64_t d : blockOrder(tile)) {
    for (const TensorAccess &access : shape.accesses)
      if (distance > kNearBlocks)
        bytes += sharedAlong(access, tile, d) * (access.stores ? kStoredLater : kReadLater);
    distance *= (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
  }
  if (mayFetchAgain())
    bytes += fetchedAgain(tile, blockOrderOfLines(tile));
  return bytes;
}

double TileModel::beside(ArrayRef<int64_t> tile, int64_t warps) const {
  double bytes = besideLater(tile);
  for (const TensorAccess &access : shape.accesses)
    if (!selectsSingle(access))
      bytes += besideOf(access, tile, warps);
  return bytes;
}

/// How many times longer memory takes where blocks that go over rows in steps have too little of them on its
/// way: they load the next step when the one before is done. (H200: means of 968 rows of 29760 bf16 beside a
/// result of their size, in tiles of 32x64, 15 KB a multiprocessor, 41.6 us, of 128x64 36.8.)
double TileModel::waitsForLoads(ArrayRef<int64_t> tile, int64_t warps) const {
  // Whole tiles are copied ahead (runAhead).
  bool waits = llvm::any_of(llvm::seq<int64_t>(0, rank), [&](int64_t d) {
    return shape.reduced[d] && tile[d] < shape.extents[d] && shape.extents[d] % tile[d] != 0;
  });
  // What gathers load is not known to wait for anything.
  if (!waits || shape.loadedBytes == 0)
    return 1;
  double resident =
      std::min((double)started(tile) / arch.numSMs, (double)std::max<int64_t>(1, kResidentWarps / warps));
  double wanted = arch.hbmGBps * arch.memoryNanoseconds / arch.numSMs;
  return std::max(1.0, wanted / (resident * (double)(elems(tile) * shape.loadedBytes)));
}

double TileModel::time(ArrayRef<int64_t> tile, int64_t warps, double limit) const {
  double moved = 0, requests = 0;
  for (const TensorAccess &access : shape.accesses) {
    moved += bytesOf(access);
    requests += requestTime(access, tile);
  }
  double work = issueTime(tile, warps);
  // What is odd of rows that threads hold is past no lane, nor is what is odd of columns.
  int64_t odd = elems(tile) / divisible(tile);
  for (int64_t d = 0; d < rank; ++d)
    if (d == fastest ? holdsRows(tile, warps) : shape.reduced[d] && !shape.reduced[fastest])
      odd /= tile[d] / (tile[d] & -tile[d]);
  double larger = std::max(0.0, std::log2((double)elems(tile) / kSmallElems)) * kDoubled +
                  std::log2((double)odd) * kRepeated;
  if (ofAnySize)
    larger = 0;
  double waits = waitsForLoads(tile, warps), starting = 0;
  if (started(tile) > kMostAtOnce * (int64_t)arch.numSMs)
    starting = (double)started(tile) / kStartsPerMicrosecond;
  auto microseconds = [&] {
    double memory = moved * waits / (arch.hbmGBps * 1e3);
    double busy = (std::max(memory, work) + kShown * std::min(memory, work)) * (1 + larger);
    return besideLookups(std::max(busy, starting), requests);
  };
  for (const TensorAccess &access : shape.accesses) {
    if (microseconds() > limit)
      return microseconds();
    // What single elements cost is the same whichever tile they are of: their lookups, and what the memory
    // moves for those that the cache does not have.
    if (selectsSingle(access)) {
      double missing = std::max(0.0, 1 - kRandomShare * arch.l2Bytes / (double)access.selectedFrom);
      moved += bytesOf(access) / (double)access.elementBytes * (double)kRandomBytes * missing;
      continue;
    }
    moved += besideOf(access, tile, warps);
  }
  if (microseconds() > limit)
    return microseconds();
  moved += besideLater(tile);
  return microseconds();
}

double TileModel::leastTime() const {
  double moved = 0, work = (double)shape.pressure.instructions;
  for (const TensorAccess &access : shape.accesses)
    moved += bytesOf(access);
  for (int64_t extent : shape.extents)
    work *= (double)extent;
  double memory = moved / (arch.hbmGBps * 1e3);
  work /= arch.fp32TFlops / 2 * 1e6 * kIssueShare;
  return std::max(memory, work) + kShown * std::min(memory, work);
}

/// The warps of a tile; 0 where threads would hold too much.
int64_t TileModel::warpsFor(ArrayRef<int64_t> tile) const {
  bool reduces = shape.anchor == graph::Anchor::Reduction;
  int64_t wanted = reduces ? kOfReduction : kOfElementwise, found = 0;
  // Few elements are divided among as many threads as keep the chip busy.
  while (wanted > 1 && blocks(tile) * elems(tile) / wanted < kFillThreads)
    wanted /= 2;
  for (int64_t warps = 1; warps <= kMostWarps && 32 * warps <= divisible(tile); warps *= 2) {
    int64_t each = perThread(tile, warps);
    bool fits = each <= kMostOfThread &&
                (reduces ? shape.pressure.fits(each * 32 * warps, warps)
                         : shape.pressure.registers(each) <= kElementwiseRegisters &&
                               shape.pressure.instructions * each <= kElementwiseInstructions);
    if (!fits)
      continue;
    found = warps;
    if (each <= wanted)
      break;
  }
  return found;
}

SmallVector<int64_t> tilewright::blockOrder(const KernelShape &shape, ArrayRef<int64_t> tile,
                                            const Arch &arch) {
  return TileModel{shape, arch}.blockOrderOfLines(tile);
}

int64_t tilewright::bytesBeside(const KernelShape &shape, tile::ScheduleAttr schedule, const Arch &arch) {
  ArrayRef<int64_t> tile = schedule.getTile();
  const tile::ScheduleOptions &options = schedule.getOptions();
  if (options.alignRows || options.splitK > 1 || options.lookBack)
    return 0;
  TileModel model{shape, arch};
  if (isModelled(shape, tile))
    return (int64_t)model.beside(tile, (int64_t)schedule.getWarps());
  if (!shape.keptBytes || shape.isMixed || shape.sorts)
    return 0;
  // What blocks keep of rows or columns they store once, all of it: sectors that they share with others.
  SmallVector<int64_t> whole(tile);
  for (size_t d = 0; d < whole.size(); ++d)
    whole[d] = shape.reduced[d] ? shape.extents[d] : whole[d];
  double bytes = 0;
  for (const TensorAccess &access : shape.accesses)
    if (access.stores)
      bytes += std::max(0.0, model.bytesOfTiles(access, whole, kSectorBytes) - model.bytesOf(access)) *
               kStoredAgain;
  return (int64_t)bytes;
}

double tilewright::modelTile(const KernelShape &shape, ArrayRef<int64_t> tile, int64_t warps,
                             const Arch &arch, bool ofAnySize) {
  return TileModel{shape, arch, ofAnySize}.time(tile, warps);
}
