// The space of warpgroup schedules: tiles, roles, and what follows from them. ProductModel.cpp ranks them.

#include "WarpgroupSchedules.h"
#include "TileOrder.h"

#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Target/Float8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using tile::Roles;
using tile::ScheduleOptions;

/// Bytes of K that a slot of the ring holds of each row.
static constexpr int64_t kStepBytes = 128;
static constexpr int64_t kSpanBytes = 128, kBarrierBytes = 256;
/// Elements of sums to one of padding, and to one more of it where results are transposed (tile-sum-blocks).
static constexpr int64_t kElemsToPad = 8, kRowsToPad = 4;
/// Shared memory that the chip keeps of each block.
static constexpr int64_t kReservedBytes = 1024;
static constexpr int64_t kProducerRegisters = 40, kConsumerRegisters = 232;
/// The same where threads fill slots: by cp.async, or through registers, of which two instances take as many.
static constexpr int64_t kCopyingRegisters = 56, kBesideCopyingRegisters = 216, kStagingRegisters = 152;
/// Registers beside accumulators and kept results.
static constexpr int64_t kBesideKept = 32;
/// Rows of tiles that are walked together, of few rows and of more: with the wider one the tiles of a round
/// are nearly a square.
static constexpr int64_t kGroup = 8, kWideGroup = 16;
/// The share of what the busiest GPC loads below which another order is taken.
static constexpr double kMuchLess = 0.95;
/// Elements of tiles that any such order suits.
static constexpr int64_t kWideTile = 128 * 192;
/// Slots of a ring at most.
static constexpr int64_t kMostSlots = 16;
/// Tiles of fewer columns take two lines of K a step: a slot of one holds so little that barriers bound the
/// step. Of more columns as many bytes in slots of one line are faster, since products begin when the first
/// has come (H200, 70 products: 456x1488x6816 in 64x112 25.2 us in four slots of two lines, 20.5 in nine of
/// one; 0.96 of the time in the mean from 64 columns on, 23x1761x3963 in 64x24 12.9 for 10.5).
static constexpr int64_t kFewColumns = 64;
/// Columns by which tiles differ, those of an instruction, and of the widest tiles.
static constexpr int64_t kWidthStep = 8, kMostColumns = 352;
/// The same of operands that are contiguous along them.
static constexpr int64_t kSpanStep = 16;
/// Operations of an epilogue on each element from which on it is long.
static constexpr int64_t kLongEpilogue = 32;
/// Registers of a thread that multiplies where two blocks share a multiprocessor.
static constexpr int64_t kSharingConsumerRegisters = 216;
/// Accumulators of a thread beside threads that load: with more ptxas spills, or serializes products.
static constexpr int64_t kSumsBesideThreads = 64;
/// The same where another role converts operands.
static constexpr int64_t kFewerProducerRegisters = 24, kFewerConsumerRegisters = 152;
/// The same of threads that multiply where they convert the left operand themselves: as few as ptxas takes
/// without spills, since the converting role is faster with more (184 beside 208 took 3 % off a product).
static constexpr int64_t kConvertingConsumerRegisters = 192;
/// Accumulators of a thread that takes tiles in turn with another, where operands are split.
static constexpr int64_t kMostSplitSumsInTurn = 96;
/// Values of an epilogue beside which ptxas does not spill them.
static constexpr int64_t kMostConvertingPressure = 1;

namespace {
/// The product as the kernel's blocks see it: with `swap_operands` N has the place of M.
struct Problem {
  int64_t m, n, k, batch = 1, bytes;
  bool lhsAlongK, rhsAlongK;
  /// The power of two of bytes that rows of an operand begin at multiples of.
  int64_t lhsUnit, rhsUnit;
};
} // namespace

static Problem problemOf(const KernelShape &shape, bool swapped = false) {
  size_t rank = shape.extents.size();
  auto unitOf = [&](bool ofLeft) { return shape.pitchOf(ofLeft) & -shape.pitchOf(ofLeft); };
  Problem problem{
      shape.extents[rank - 3], shape.extents[rank - 2], shape.extents[rank - 1], 1,
      shape.operandBytes(),    shape.lhsAlongK,         shape.rhsAlongK,         unitOf(/*ofLeft=*/true),
      unitOf(/*ofLeft=*/false)};
  for (size_t d = 0; d + 3 < rank; ++d)
    problem.batch *= shape.extents[d];
  if (swapped) {
    std::swap(problem.m, problem.n);
    std::swap(problem.lhsAlongK, problem.rhsAlongK);
    std::swap(problem.lhsUnit, problem.rhsUnit);
  }
  return problem;
}

/// Whether threads fill slots, since no tensor map describes an operand; and whether through registers, since
/// rows begin at no whole words.
static bool fillsByThreads(const KernelShape &shape) { return shape.lhsPiece || shape.rhsPiece; }
static bool stagesInRegisters(const KernelShape &shape) {
  return goesThroughRegisters(shape.lhsPiece) || goesThroughRegisters(shape.rhsPiece);
}

namespace {
/// Warps and roles that share a tile's rows, and what else a schedule may have.
struct Form {
  Roles roles;
  int64_t bm, warps;
  /// Parts of K, which blocks of a cluster sum up; the product transposed.
  int64_t parts = 1;
  bool swapped = false;
  /// Results are stored from registers, by blocks of one tile each.
  bool stored = false;
  /// Bytes of K of a slot's rows.
  int64_t stepBytes = kStepBytes;
  /// Rounds of tiles whose steps are divided evenly.
  int64_t streamed = 0;
  /// Blocks along M that bring the columns that they share once, and along N that bring rows.
  int64_t clusterM = 1, clusterN = 1;
  /// Blocks of a multiprocessor.
  int64_t resident = 1;
  /// Blocks take no tiles in turn, since there are as many.
  bool oneTile = false;
  /// Groups of warps that take the columns in turn.
  int64_t alongN = 1;
  /// Where products read the left operand.
  tile::LeftOperand left = tile::LeftOperand::Shared;
};

/// Writes the schedules of one product.
class ScheduleSpace {
public:
  ScheduleSpace(MLIRContext *context, const KernelShape &shape, const Arch &arch)
      : context(context), shape(shape), arch(arch), problem(problemOf(shape)),
        transposed(problemOf(shape, /*swapped=*/true)) {}

  SmallVector<ModelledSchedule> list(bool all);

private:
  void addWholeTiles();
  void addSingleTiles();
  void addStreamed();
  void addClusters();
  void addInClusters(const Form &form, int64_t bn);
  void addCluster(Form form, int64_t bn, int64_t below, int64_t beside);
  /// Whether tiles may be those of the transposed product, stored through shared memory.
  bool transposes() const;
  /// Whether the stores of a large tile, which nothing hides, are few beside its products (8096x592x352 in
  /// 128x296 11.5 us, 9.9 in turns; 816x4912x304 in 128x288 9.0 and 8.3).
  bool isLong() const { return problem.k * problem.bytes > 1280; }
  void addTransposed(SmallVectorImpl<Form> &forms) const;
  void addBesideOneAnother(SmallVectorImpl<Form> &forms) const;
  const Problem &of(const Form &form) const { return form.swapped ? transposed : problem; }
  /// Whether the operand in the left one's place is computed from what lies in memory.
  bool computesLeft(const Form &form) const {
    return (form.swapped ? shape.rhsComputedFrom : shape.lhsComputedFrom) > 0;
  }
  std::pair<bool, bool> convertedOf(const Form &form) const {
    ScheduleOptions options;
    options.swapOperands = form.swapped;
    options.left = form.left;
    return convertedOperands(shape, options);
  }
  void addComputedInRegisters();
  void addParts();
  void addSwapped();
  void addLeftInRegisters();
  void add(const Form &form, int64_t bn);
  bool defersStores(const Form &form, int64_t bn, const ScheduleOptions &options) const;
  void addResident(Form form, int64_t bn, int64_t blocks);
  int64_t groupOf(const Form &form, int64_t bn) const;
  int64_t lightestGroup(const Form &form, int64_t bn, int64_t group) const;
  /// Columns of tiles to try of `n`, of an operand that lies along K or across it.
  SmallVector<int64_t> widths(bool alongK, int64_t n, int64_t most = 256) const;
  /// Tiles, with those beyond the last rows and columns that the last clusters have.
  int64_t tilesOf(const Form &form, int64_t bn) const {
    return problem.batch *
           (int64_t)llvm::alignTo(llvm::divideCeil(of(form).m, form.bm), (uint64_t)form.clusterM) *
           (int64_t)llvm::alignTo(llvm::divideCeil(of(form).n, bn), (uint64_t)form.clusterN);
  }
  /// Blocks that take the tiles in turn: of all numbers with as many rounds the least, in whole clusters.
  /// What idle multiprocessors would draw goes into the clocks of the others.
  int64_t persistentBlocks(const Form &form, int64_t bn) const {
    int64_t cluster = form.clusterM * form.clusterN;
    int64_t sms = blocksAtOnce(arch, cluster), tiles = tilesOf(form, bn);
    auto rounds = (int64_t)llvm::divideCeil(tiles, sms);
    int64_t blocks = rounds > 1 && !form.streamed ? (int64_t)llvm::divideCeil(tiles, rounds) : sms;
    blocks = (int64_t)llvm::alignTo(blocks, cluster);
    return blocks > sms ? blocks - cluster : blocks;
  }

  MLIRContext *context;
  const KernelShape &shape;
  const Arch &arch;
  Problem problem, transposed;
  SmallVector<ModelledSchedule> found;
  bool unmeasured = false;
};
} // namespace

SlotBytes tilewright::slotBytes(const KernelShape &shape, const ScheduleOptions &options, int64_t rows,
                                int64_t columns, int64_t reduce) {
  bool swapped = options.swapOperands, inRegisters = options.left == tile::LeftOperand::Registers;
  auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
  int64_t bytes = shape.operandBytes(), copies = shape.splits ? 2 : 1;
  int64_t lhsStored = shape.storedOperandBytes(/*ofLeft=*/!swapped),
          rhsStored = shape.storedOperandBytes(/*ofLeft=*/swapped);
  bool rightAlongK = swapped ? shape.lhsAlongK : shape.rhsAlongK;
  int64_t lhs = rows * (swapped ? shape.rhsTiles : shape.lhsTiles) * reduce,
          rhs = (rightAlongK ? columns : layout::slotColumns(columns, (int)(8 * bytes))) *
                (swapped ? shape.lhsTiles : shape.rhsTiles) * reduce;
  return {lhs * (inRegisters ? lhsStored : copies * bytes) + rhs * copies * bytes,
          (lhsConverts ? lhs * lhsStored : 0) + (rhsConverts ? rhs * rhsStored : 0)};
}

int64_t tilewright::exchangedBytes(const KernelShape &shape, int64_t rows, int64_t columns) {
  return shape.products() * 4 * (rows * columns * (kElemsToPad + 1) / kElemsToPad + rows / kRowsToPad);
}

bool tilewright::waitsInRing(const KernelShape &shape) {
  int64_t row = shape.extents[shape.extents.size() - 2] * shape.storedBytes;
  return shape.stores == 1 && !shape.combinedBytes && !shape.grouped && row % 16 == 0;
}

int64_t tilewright::blocksAtOnce(const Arch &arch, int64_t blocks) {
  int64_t sms = arch.numSMs;
  return blocks <= 2 ? sms : sms / 11 * 10;
}

/// Bytes of the rings in which tiles come that the result is combined with: slots of all warps' rows by a
/// span of the result, as tile-stage-stores makes them. Two more than one are on their way while it is read,
/// and instances that take turns have those of a tile each.
static int64_t combinedRingBytes(const KernelShape &shape, const Form &form, int64_t bn) {
  if (!shape.combinedBytes || shape.extents[shape.extents.size() - 2] * shape.combinedBytes % 16)
    return 0;
  int64_t element = std::max<int64_t>(1, shape.storedBytes / std::max<int64_t>(1, shape.stores)),
          columns = std::min(kSpanBytes / element, bn), rows = 16 * form.warps;
  int64_t pieces = form.bm / rows * (int64_t)llvm::divideCeil(bn, columns);
  int64_t slots = form.roles == Roles::PingPong ? 2 * pieces : std::min<int64_t>(pieces, 3);
  if (slots > kMostSlots)
    return 0;
  return slots * rows * columns * shape.combinedBytes;
}

/// Whether a block takes several tiles, of each of which the results fit, two to a register, beside the next
/// one's accumulators. (H200, in bursts and in the mix: 4096 cubed 1.1 and 2.5 % faster, N = 14336 2.2 and
/// 3.0 %, 8192 cubed 0.8 and 1.2 %, with GELU 1 to 3 %; combined with a tile, whose ring takes a stage, 0.6
/// to 2 % slower.)
bool ScheduleSpace::defersStores(const Form &form, int64_t bn, const ScheduleOptions &options) const {
  auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
  if (form.roles != Roles::Cooperative || form.alongN > 1 || options.store != tile::StoreUnit::Bulk ||
      options.streamK || tilesOf(form, bn) <= options.persistent || lhsConverts || rhsConverts ||
      fillsByThreads(shape) || shape.promotion || shape.stores != 1 || shape.storedBytes != 2)
    return false;
  int64_t elements = form.bm * bn / (32 * form.warps), sums = shape.products() * elements;
  int64_t pieces =
      form.bm / (16 * form.warps) * (int64_t)llvm::divideCeil(bn, kSpanBytes / shape.storedBytes);
  int64_t bytes = problem.k * problem.bytes;
  return bytes >= pieces * form.stepBytes && !shape.combinedBytes &&
         sums + elements / 2 + kBesideKept <= options.consumerRegisters;
}

/// Rows of tiles that are walked together; 0: one after the other. A walk of sixteen tiles along one side has
/// neighbours share one operand alone, which costs narrow tiles up to a tenth, and more where the rows of the
/// last group are few. (H100, bf16: 1024 cubed in tiles of 64x128 5.74 us in groups of up to 8 rows, 6.12 in
/// one of 16; 2816x704x1056 in 128x128 9.55 row by row, 11.3 in groups of 16; 3072x4096x1024 in turns 36.3
/// and 38.5; 576x3072x1984 transposed, 24 rows of five tiles, 12.8 row by row, 15.8 in groups of 8; parts of
/// K the other way round: 2048x512x4096 16.6 in groups of 16, 18.9 row by row;
/// docs/performance/data/product-forms-orders-h100.json.) What GPCs load decides where that is much less
/// (lightestGroup); alone, without the rules before it, it takes 1.01 of the time of the 90 products of 1710
/// that change by it.
int64_t ScheduleSpace::groupOf(const Form &form, int64_t bn) const {
  auto rows = (int64_t)llvm::divideCeil(of(form).m, form.bm),
       columns = (int64_t)llvm::divideCeil(of(form).n, bn);
  if (rows == 1)
    return 0;
  if (form.parts > 1)
    return columns > 1 && rows > std::max(kGroup, columns) ? kWideGroup : 0;
  if (form.clusterM * form.clusterN > 1)
    return rows <= kGroup ? kGroup : kWideGroup;
  int64_t group = columns <= kGroup ? 0 : (int64_t)llvm::divideCeil(rows, llvm::divideCeil(rows, kGroup));
  if (rows <= kGroup)
    group = kGroup;
  else if (form.bm * bn >= kWideTile) {
    group = kWideGroup;
    // Of many rounds those count that pass the cache: 16 rows of such tiles are nearly a square. (H200:
    // 4096x14336x4096 in 128x256 581 us in groups of 16, 587 in those of 8, which GPCs load less for.)
    if (!form.oneTile && tilesOf(form, bn) > 2 * (int64_t)arch.numSMs)
      return group;
  }
  // Blocks below one another share lines of a left operand that lies across K and begins within them.
  else if (form.oneTile && !of(form).lhsAlongK && of(form).lhsUnit < kSpanBytes)
    group = kWideGroup;
  return lightestGroup(form, bn, group);
}

/// `group`, or another number of rows that leaves the GPCs much less to load (TileOrder.h).
int64_t ScheduleSpace::lightestGroup(const Form &form, int64_t bn, int64_t group) const {
  TileWalk walk{(int64_t)llvm::divideCeil(of(form).m, form.bm), (int64_t)llvm::divideCeil(of(form).n, bn),
                problem.batch};
  walk.resident = form.resident;
  bool single = form.oneTile || form.stored || form.resident > 1;
  walk.grid = single ? form.resident * (int64_t)arch.numSMs : persistentBlocks(form, bn);
  auto loadOf = [&](int64_t rows) {
    walk.group = rows;
    return busiestLoad(walk, form.bm, bn);
  };
  double least = loadOf(group);
  for (int64_t rows : {0, 2, 4, 8, 16, 32}) {
    double load = rows == group || rows >= 2 * walk.rows ? least : loadOf(rows);
    if (load < kMuchLess * least) {
      least = load;
      group = rows;
    }
  }
  return group;
}

/// Rows of a tile from which on those that are multiplied by groups are no longer few.
static constexpr int64_t kFewGroupedRows = 32;

/// Adds the schedule with this tile and as many stages as fit, if two do and registers hold it.
void ScheduleSpace::add(const Form &form, int64_t bn) {
  if (shape.grouped && (form.parts > 1 || form.clusterM * form.clusterN > 1 || form.streamed ||
                        form.roles != Roles::Cooperative))
    return;
  // A thread's accumulators, and beside them what the epilogue keeps.
  int64_t sums = shape.products() * form.bm * bn / (32 * form.warps);
  if (shape.promotion) // those of a step and those of all
    sums *= 2;
  ScheduleOptions options;
  options.swapOperands = form.swapped;
  options.left = form.left;
  auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
  bool converts = lhsConverts || rhsConverts, inRegisters = form.left == tile::LeftOperand::Registers;
  int64_t needed = sums + shape.pressure.peak * 8, registers = kConsumerRegisters;
  if (inRegisters) // the left operand of a step, and its parts
    needed += form.bm * form.stepBytes / (32 * form.warps) / 4 * (shape.splits ? 2 : 1);
  bool threads = fillsByThreads(shape), staged = stagesInRegisters(shape);
  int64_t most = form.warps > 4 ? kSumsBesideThreads / 2 : kSumsBesideThreads;
  if (threads && (converts || sums > most))
    return;
  // Two loading instances beside one that multiplies, or ptxas has too few registers for either.
  if (staged && (form.roles != Roles::Cooperative || form.warps != 4))
    return;
  if (threads)
    registers = staged ? kStagingRegisters : kBesideCopyingRegisters;
  // With so many threads ptxas gives a product no more than 64.
  if (converts && shape.products() * form.bm * bn > 64 * 32 * form.warps)
    return;
  if (converts && inRegisters && shape.pressure.peak > kMostConvertingPressure && bn > 64)
    return;
  // Two instances of as many spill.
  if (shape.splits && form.roles == Roles::PingPong && sums > kMostSplitSumsInTurn)
    return;
  if (converts && inRegisters)
    registers = kConvertingConsumerRegisters;
  else if (form.resident > 1)
    registers = kSharingConsumerRegisters;
  else if (converts) // the more are left to those that convert
    registers = std::min<int64_t>(kFewerConsumerRegisters, llvm::alignTo(needed + 48, 8));
  // Instances that take turns save rounds of tiles by wide ones. Beside so many sums there are few registers
  // left: operands that do not lie along K, whose descriptors take more of them, made ptxas spill, and so did
  // clusters, the transposed product, and a K of up to five steps.
  bool turns = form.roles == Roles::PingPong && !shape.combinedBytes;
  bool shares = form.clusterM * form.clusterN > 1 || form.swapped, isShort = problem.k * problem.bytes <= 640;
  int64_t inTurns =
      shape.lhsAlongK && shape.rhsAlongK ? (shares || isShort ? 176 : 192) : (shares && isShort ? 144 : 160);
  int64_t mostSums = shape.promotion ? 192 : turns ? inTurns : form.alongN > 1 || bn > 256 ? 176 : 128;
  // Odd widths of so many sums were a third slower than their neighbours (5312x1056x544: 168, 184 and 200
  // columns 25.3, 19.8 and 21.7 us, 176 and 192 columns 13.5).
  if (turns && sums > 160 && bn % 16)
    return;
  // The instruction itself is refused where a thread begins with fewer registers than it has operands.
  if (form.resident > 1)
    mostSums = 96;
  if (sums > mostSums || needed > registers - (converts ? 16 : 24))
    return;
  // Beside those that load, those that convert.
  int64_t loadingWarps = 4 * (staged ? 2 : 1) + (!converts ? 0 : inRegisters ? 4 : 8);
  if (form.parts > 1 && form.parts * 32 * (form.warps + loadingWarps) > kMostClusterThreads)
    return;
  bool apart = form.parts > 1 || form.stored, oneTile = form.oneTile || shape.grouped;
  options.product = tile::ProductUnit::Wgmma;
  options.roles = form.roles;
  options.producerRegisters = inRegisters ? kProducerRegisters
                              : converts  ? kFewerProducerRegisters
                              : staged    ? kStagingRegisters
                              : threads   ? kCopyingRegisters
                                          : kProducerRegisters;
  options.loaders = staged ? 2 : 1;
  options.consumerRegisters = registers;
  options.splitK = form.parts;
  options.clusterM = form.clusterM;
  options.clusterN = form.clusterN;
  // What a kernel before does not write is fetched while that runs.
  options.dependentLaunch = arch.dependentLaunch && !converts;
  if (!apart) {
    options.store = tile::StoreUnit::Bulk;
    options.persistent = oneTile ? 0 : persistentBlocks(form, bn);
    options.streamK = form.streamed;
    options.group = groupOf(form, bn);
  } else if (inRegisters && !computesLeft(form)) {
    options.persistent = (int64_t)arch.numSMs;
    if (of(form).m > form.bm)
      options.group = kGroup;
  } else {
    options.group = groupOf(form, bn);
  }
  if (shape.grouped) {
    options.persistent = 0;
    options.dependentLaunch = false;
    // All of a group's matrix one after the other: what every block would begin of another one comes slowly.
    // (128 groups of 64 rows, 1536x4096 matrices, H200: 452 us, tiles of the rows first 612; of 8 rows 188
    // and 181.)
    if (form.swapped && bn >= kFewGroupedRows && of(form).n <= bn)
      options.group = (int64_t)llvm::divideCeil(of(form).m, form.bm);
  }
  options.deferStores = !apart && !oneTile && defersStores(form, bn, options);
  // Results go through shared memory, in slices of a span, two of each, or where the ring of a block of one
  // tile was (tile-stage-stores); sums of parts come to a place of their own, since other blocks send theirs
  // while this one still multiplies.
  bool inRing = oneTile && waitsInRing(shape);
  int64_t staging = apart || inRing
                        ? 0
                        : 16 * form.warps / form.alongN * kSpanBytes * 2 * shape.stores * options.instances();
  if (form.parts > 1)
    staging = exchangedBytes(shape, form.bm, bn);
  int64_t stepBytes =
      shape.promotion ? std::min(form.stepBytes, shape.promotion * problem.bytes) : form.stepBytes;
  int64_t room = std::min<int64_t>(shape.sharedLimit, arch.sharedBytesPerBlock);
  if (form.resident > 1)
    room = std::min<int64_t>(room, arch.sharedBytesPerSM / form.resident - kReservedBytes);
  room -= staging + kBarrierBytes;
  SlotBytes slot = slotBytes(shape, options, form.bm, bn, stepBytes / problem.bytes);
  int64_t mostStages = form.bm * bn <= 64 * 64 || (oneTile && form.bm == 64) ? kMostSlots : 8, stages = 0;
  // What is converted comes in another ring, of four stages where the products' then has three.
  for (int64_t raw : {4, 2}) {
    options.rawStages = converts ? raw : tile::ScheduleOptions().rawStages;
    stages = std::min(mostStages, (room - (converts ? raw : 0) * slot.raw) / slot.ring);
    if (stages >= 3 || !converts)
      break;
  }
  // Where three stages are left, what the result is combined with comes through a ring, too.
  if (int64_t ring = apart || converts || options.deferStores ? 0 : combinedRingBytes(shape, form, bn))
    if (int64_t left = std::min(mostStages, (room - ring) / slot.ring); left >= 3)
      stages = left;
  // A block of one tile has no use for more slots than steps.
  if (apart || oneTile)
    stages = std::min(
        stages, std::max<int64_t>(2, llvm::divideCeil(problem.k * problem.bytes, stepBytes * form.parts)));
  if (stages < 2 || (inRing && stages * slot.ring < form.bm * bn * shape.storedBytes))
    return;
  size_t rank = shape.extents.size();
  SmallVector<int64_t> tile(rank - 1, 1);
  tile[rank - 3] = form.bm;
  tile[rank - 2] = bn;
  auto schedule = tile::ScheduleAttr::get(context, tile, stepBytes / problem.bytes, form.warps,
                                          {form.warps / form.alongN, form.alongN}, stages, options);
  found.push_back({schedule, modelProduct(schedule, shape, arch)});
}

SmallVector<int64_t> ScheduleSpace::widths(bool alongK, int64_t n, int64_t most) const {
  // An instruction takes groups of 8 columns. Where N is contiguous in shared memory, rows of it are boxes of
  // 32 or 64, and wide tiles read a part of the last one; where results leave no room for odd pieces, or a
  // role converts operands, wide steps will do.
  bool fine = problem.bytes == 2 && !fillsByThreads(shape) && !shape.combinedBytes;
  int64_t step = !fine ? 32 : alongK ? kWidthStep : kSpanStep;
  SmallVector<int64_t> found;
  // Few columns are one tile's: of two the rows would come twice.
  int64_t least = std::min<int64_t>(32, (int64_t)llvm::alignTo(n, step));
  for (int64_t bn = least; bn <= most; bn += step)
    if (alongK || bn % 64 == 0 || (bn <= 96 && bn % 32 == 0) || (fine && bn > 96))
      found.push_back(bn);
  return found;
}

bool ScheduleSpace::transposes() const {
  auto [lhsConverts, rhsConverts] = convertedOperands(shape);
  int64_t row = problem.n * std::max<int64_t>(1, shape.storedBytes);
  return arch.tma && shape.lhsAlongK && problem.bytes == 2 && !lhsConverts && !rhsConverts &&
         !shape.promotion && !fillsByThreads(shape) && !shape.combinedBytes && shape.stores == 1 &&
         shape.storedBytes == 2 && row % 16 == 0;
}

/// Adds tiles of more rows, of two warpgroups beside one another, where tiles of 128 would be two rounds.
/// (H200: 1064x4144x2456 38.4 us in 128x176 in turns, 34.1 in 192x192; 2208x2080x1248 20.8 and 19.0;
/// 7856x528x8144 105.5 in 128x136, 94.3 in 128x264; 3016x1736x4104 63.9 in 128x176 in turns, 62.2 in 256x160;
/// 4096 cubed in turns 171.9 and 180.1. docs/performance/data/product-forms-large-tiles-h200.json)
void ScheduleSpace::addBesideOneAnother(SmallVectorImpl<Form> &forms) const {
  auto [lhsConverts, rhsConverts] = convertedOperands(shape);
  if (problem.bytes != 2 || lhsConverts || rhsConverts || shape.promotion || fillsByThreads(shape) ||
      shape.combinedBytes || shape.products() > 1 || !isLong())
    return;
  for (int64_t bm : {192, 256}) {
    Form form{Roles::Cooperative, bm, 8};
    form.alongN = 2;
    if (problem.rhsAlongK)
      forms.push_back(form);
    form.swapped = true;
    if (transposes())
      forms.push_back(form);
  }
}

/// Adds the same of the transposed product, whose columns are rows of the left operand: where these lie along
/// K and the right operand does not, its tiles are of any width.
void ScheduleSpace::addTransposed(SmallVectorImpl<Form> &forms) const {
  if (!transposes())
    return;
  for (Form form : SmallVector<Form>(forms.begin(), forms.end()))
    if (form.alongN == 1) {
      form.swapped = true;
      forms.push_back(form);
    }
}

/// Blocks that take tiles in turn, two instances or one.
void ScheduleSpace::addWholeTiles() {
  static constexpr Form bulk[] = {
      {Roles::PingPong, 128, 4}, {Roles::PingPong, 64, 4}, {Roles::Cooperative, 128, 8}};
  static constexpr Form staged[] = {{Roles::Cooperative, 64, 4}, {Roles::Cooperative, 128, 4}};
  static constexpr Form ofGroups[] = {{Roles::Cooperative, 64, 4}, {Roles::Cooperative, 128, 8}};
  SmallVector<Form> forms(stagesInRegisters(shape) ? ArrayRef(staged)
                          : shape.grouped          ? ArrayRef(ofGroups)
                                                   : ArrayRef(bulk));
  addTransposed(forms);
  for (const Form &form : forms)
    for (int64_t bn : widths(of(form).rhsAlongK, of(form).n)) {
      if (bn < 32)
        continue;
      // 64 rows by 256 columns read more of shared memory than the others for nothing.
      if (form.bm == 64 && bn == 256)
        continue;
      // A tile of which more than half would be empty is for a larger problem.
      if ((form.bm > 64 && form.bm >= 2 * of(form).m) || (bn > 32 && bn >= 2 * of(form).n))
        continue;
      add(form, bn);
      addInClusters(form, bn);
    }
}

/// As many blocks as tiles: they keep no count of them, and are stored from where the ring was.
void ScheduleSpace::addSingleTiles() {
  if (fillsByThreads(shape) || shape.promotion || problem.bytes != 2)
    return;
  SmallVector<Form> forms = {{Roles::Cooperative, 64, 4}, {Roles::Cooperative, 128, 8}};
  addBesideOneAnother(forms);
  addTransposed(forms);
  for (Form form : forms)
    for (int64_t bn :
         widths(of(form).rhsAlongK, of(form).n, form.bm == 128 && isLong() ? kMostColumns : 256)) {
      if (bn % (kWidthStep * form.alongN) != 0)
        continue;
      if (tilesOf(form, bn) > arch.numSMs || (form.bm > 64 && form.bm >= 2 * of(form).m) ||
          (bn > 32 && bn >= 2 * of(form).n))
        continue;
      // Wide ones of a long epilogue are for the others: beside so many sums ptxas spills it.
      if (shape.pressure.instructions > kLongEpilogue &&
          shape.products() * form.bm * bn / (32 * form.warps) > kSumsBesideThreads)
        continue;
      form.oneTile = true;
      for (int64_t step : {kStepBytes, 2 * kStepBytes}) {
        form.stepBytes = step;
        if (step == kStepBytes || (form.warps == 4 && bn < kFewColumns)) {
          add(form, bn);
          addInClusters(form, bn);
        }
      }
    }
}

/// Blocks that bring what they share once, a part each: those below one another columns, those beside one
/// another rows. Each line of the caches is asked for by one block of a cluster then, which counts where rows
/// begin within lines: a row of 128 bytes lies in two. Where few columns lie along memory, a line of each row
/// of K is asked for that is partly empty, by every block. (H100: 5984x2352x416 in turns 30.9 us without,
/// 24.0 in eights; 1064x4144x2456 56.5 and 38.3, 2368x672x5824 38.3 and 29.5, 448x1192x3552 18.9 and 13.7;
/// H200: 7312x80x832 6.9 us in fours, 8.5 without; docs/performance/data/product-forms-*.json. Of rows that
/// begin with lines or at half of them blocks wait for one another longer than they save: 1024 cubed 7.4 for
/// 6.2, 3648x256x1472 8.2 for 7.1; of 106 forms of single tiles they are a tenth slower than modelled.)
void ScheduleSpace::addInClusters(const Form &form, int64_t bn) {
  constexpr int64_t kFewInAll = 256;
  // Of half lines a long K gains.
  constexpr int64_t kLongBytes = 4096, kLeastBytesOfEight = 2560;
  if (!arch.clusters || fillsByThreads(shape) || problem.bytes != 2 || shape.promotion)
    return;
  const Problem &own = of(form);
  int64_t unit = form.oneTile && own.k * own.bytes >= kLongBytes ? 2 * kWithinLines : kWithinLines;
  bool ofColumns = own.rhsUnit <= unit || (!own.rhsAlongK && own.n <= kFewInAll && form.oneTile),
       ofRows = own.lhsUnit <= unit;
  for (auto [below, beside] : {std::pair(2, 1), std::pair(4, 1), std::pair(2, 2), std::pair(1, 4),
                               std::pair(4, 2), std::pair(2, 4)}) {
    // In turns two blocks share columns of half lines, too, where the model gives them enough (the margin of
    // KernelTiler::modelledSchedules).
    bool halves = !form.oneTile && below * beside == 2 && own.k * own.bytes >= kLongBytes &&
                  own.rhsUnit <= 2 * kWithinLines;
    bool columnsGain = below > 1 && (ofColumns || halves), rowsGain = beside > 1 && ofRows;
    // Of single tiles either operand gains that is shared, or a long K of eight (H200: 944x1664x1088 8.7 us
    // without, 9.4 in eights; 1088x368x4384 15.5 in two parts of K, 11.0 in eights); in turns either one, but
    // rows that lie across K beside columns alone.
    bool both = columnsGain == (below > 1) && rowsGain == (beside > 1), either = columnsGain || rowsGain;
    if (form.oneTile ? both || (either && below * beside == 8 && own.k * own.bytes > kLeastBytesOfEight)
                     : either && (below > 1 || own.lhsAlongK))
      addCluster(form, bn, below, beside);
  }
}

/// Those of single tiles where they all run at once, of others where they do not. Each block brings a group
/// of 8 rows or columns at least.
void ScheduleSpace::addCluster(Form form, int64_t bn, int64_t below, int64_t beside) {
  form.clusterM = below;
  form.clusterN = beside;
  if ((int64_t)llvm::divideCeil(of(form).m, form.bm) >= below &&
      (int64_t)llvm::divideCeil(of(form).n, bn) >= beside && bn >= 8 * below &&
      (tilesOf(form, bn) <= blocksAtOnce(arch, below * beside)) == form.oneTile)
    add(form, bn);
}

/// The last round of whole tiles would leave many multiprocessors idle: tiles' steps are divided evenly.
void ScheduleSpace::addStreamed() {
  constexpr double kMostBusy = 0.85; // of the multiprocessors, in all rounds of whole tiles
  constexpr int64_t kLeastSteps = 16;
  static constexpr Form forms[] = {{Roles::PingPong, 128, 4}, {Roles::Cooperative, 128, 8}};
  int64_t steps = llvm::divideCeil(problem.k * problem.bytes, kStepBytes), sms = arch.numSMs;
  for (Form form : forms)
    for (int64_t bn : {64, 128, 256}) {
      int64_t tiles = tilesOf(form, bn);
      double busy = (double)tiles / (double)(sms * (int64_t)llvm::divideCeil(tiles, sms));
      if (steps < kLeastSteps || busy > kMostBusy || form.bm >= 2 * problem.m || bn >= 2 * problem.n)
        continue;
      form.streamed = 2;
      add(form, bn);
    }
}

/// Blocks two at a time that bring the columns or the rows that they share once, a half each.
void ScheduleSpace::addClusters() {
  auto [lhsConverts, rhsConverts] = convertedOperands(shape);
  if (!arch.clusters || lhsConverts || rhsConverts || fillsByThreads(shape))
    return;
  static constexpr Form forms[] = {
      {Roles::Cooperative, 64, 4}, {Roles::PingPong, 128, 4}, {Roles::Cooperative, 128, 8}};
  for (Form form : forms)
    for (bool columns : {true, false})
      for (int64_t bn : widths(shape.rhsAlongK, problem.n)) {
        // Each block brings whole groups of 8 of its part.
        if ((columns ? problem.m <= form.bm || bn % 16 : problem.n <= bn) ||
            (form.bm > 64 && form.bm >= 2 * problem.m) || (bn > 32 && bn >= 2 * problem.n))
          continue;
        form.clusterM = columns ? 2 : 1;
        form.clusterN = columns ? 1 : 2;
        add(form, bn);
      }
}

/// Few tiles of a long K: the blocks of a cluster have a part of it each; or as many blocks, the product
/// transposed, so that rows take the place of the instruction's columns. One tile a block.
void ScheduleSpace::addParts() {
  static constexpr Form forms[] = {{Roles::Cooperative, 64, 4}, {Roles::Cooperative, 128, 8}};
  int64_t steps = llvm::divideCeil(problem.k * problem.bytes, kStepBytes);
  for (bool swapped : {false, true}) {
    const Problem &own = swapped ? transposed : problem;
    for (int64_t parts : {1, 2, 4, 8})
      for (Form form : forms)
        for (int64_t bn : widths(own.rhsAlongK, own.n)) {
          if ((parts == 1 && !swapped) || (parts > 1 && steps < 4 * parts) || (!own.rhsAlongK && bn == 96) ||
              (form.bm > 64 && form.bm >= 2 * own.m) || (bn > 32 && bn >= 2 * own.n))
            continue;
          form.parts = parts;
          form.swapped = form.stored = swapped;
          for (int64_t step : {kStepBytes, 2 * kStepBytes}) {
            form.stepBytes = step;
            if (step == kStepBytes ||
                (form.warps == 4 && problem.bytes == 2 && steps >= 8 * parts && bn < kFewColumns))
              addResident(form, bn, tilesOf(form, bn) * parts);
          }
        }
  }
}

/// Adds the schedule where `blocks` run at once, one a multiprocessor or two.
void ScheduleSpace::addResident(Form form, int64_t bn, int64_t blocks) {
  int64_t together = blocksAtOnce(arch, form.parts);
  auto [lhsConverts, rhsConverts] = convertedOf(form);
  bool shares = !fillsByThreads(shape) && !lhsConverts && !rhsConverts && problem.bytes == 2;
  form.resident = blocks <= together || !shares ? 1 : 2;
  if (blocks <= form.resident * together && (form.resident == 1 || form.warps == 4))
    add(form, bn);
  form.resident = 1;
  if (blocks > together && form.parts == 1 && bn < 32)
    add(form, bn);
}

/// Few rows take the place of the instruction's columns, so that no row of it is empty.
void ScheduleSpace::addSwapped() {
  int64_t bn = llvm::alignTo(transposed.n, 8),
          steps = llvm::divideCeil(problem.k * problem.bytes, kStepBytes);
  if (bn > 64 || (!transposed.rhsAlongK && bn != 32 && bn != 64))
    return;
  int64_t tiles = problem.batch * (int64_t)llvm::divideCeil(transposed.m, 64);
  for (int64_t parts : {1, 2, 4, 8}) {
    if (steps < 4 * parts)
      continue;
    for (int64_t width : {1, 2})
      if (steps >= 4 * parts * width && (width > 1 || bn % 32))
        addResident({Roles::Cooperative, 64, 4, parts, /*swapped=*/true, /*stored=*/true, width * kStepBytes},
                    bn, tiles * parts);
  }
}

/// Operands that must be converted, of which the warps that multiply bring one to registers: as it lies in
/// memory, where its conversion costs no way back through shared memory.
void ScheduleSpace::addLeftInRegisters() {
  auto [lhsConverts, rhsConverts] = convertedOperands(shape);
  if (problem.bytes != 4 || fillsByThreads(shape))
    return;
  Form form{Roles::Cooperative, 128, 8};
  form.left = tile::LeftOperand::Registers;
  for (bool swapped : {false, true}) {
    const Problem &own = swapped ? transposed : problem;
    if (!(swapped ? rhsConverts : lhsConverts) || (swapped && shape.splits) || form.bm >= 2 * own.m)
      continue;
    form.swapped = form.stored = swapped;
    for (int64_t bn = 64; bn <= 256; bn += 64)
      if (bn < 2 * own.n)
        add(form, bn);
  }
}

/// Of 16 bits those that are computed from what lies in memory, as many bytes as lie there in the ring: of
/// products of few rows the transposed one, and parts of K.
void ScheduleSpace::addComputedInRegisters() {
  if (problem.bytes != 2 || fillsByThreads(shape))
    return;
  for (bool swapped : {false, true}) {
    const Problem &own = swapped ? transposed : problem;
    for (Form form : {Form{Roles::Cooperative, 64, 4}, Form{Roles::Cooperative, 128, 8}})
      for (int64_t parts : {1, 2, 4, 8}) {
        form.swapped = form.stored = swapped;
        form.left = tile::LeftOperand::Registers;
        form.parts = parts;
        if (!computesLeft(form) || (form.bm > 64 && form.bm >= 2 * own.m))
          continue;
        for (int64_t bn : widths(own.rhsAlongK, own.n))
          for (int64_t step : {kStepBytes, 2 * kStepBytes}) {
            int64_t steps = llvm::divideCeil(problem.k * problem.bytes, step);
            form.stepBytes = step;
            if ((parts == 1 || steps >= 4 * parts) && (bn <= 32 || bn < 2 * own.n) && (parts == 1 || swapped))
              addResident(form, bn, tilesOf(form, bn) * parts);
          }
      }
  }
}

SmallVector<ModelledSchedule> ScheduleSpace::list(bool all) {
  unmeasured = all;
  addWholeTiles();
  addSingleTiles();
  addLeftInRegisters();
  addComputedInRegisters();
  if (unmeasured && !fillsByThreads(shape))
    addStreamed();
  if (unmeasured)
    addClusters();
  bool wide = ((problem.bytes == 2 && !shape.promotion) || shape.splits) && arch.clusters;
  if (wide)
    addParts();
  if (wide)
    addSwapped();
  return std::move(found);
}

SmallVector<ModelledSchedule> tilewright::warpgroupSchedules(MLIRContext *context, const KernelShape &shape,
                                                             const Arch &arch, bool unmeasured) {
  bool fits = shape.operandType.isBF16() || shape.operandType.isF16() ||
              (shape.operandType.isF32() && (shape.tf32 || shape.splits)) || shape.operandType.isInteger(8) ||
              isFloat8(shape.operandType);
  // Rings that threads fill have been measured for matrices of 16-bit floats.
  bool measured = shape.bulkOperands ||
                  (shape.plainOperands && (shape.operandType.isBF16() || shape.operandType.isF16()));
  if (!arch.wgmma || !arch.tma || shape.wideSums || (!measured && !unmeasured) || !fits)
    return {};
  return ScheduleSpace(context, shape, arch).list(unmeasured);
}
