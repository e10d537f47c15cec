// The time of a product under a schedule. The busiest multiprocessor's tiles take, step by step of K, what
// tensor cores, shared memory or the ring's latency need; meanwhile rows come in from L2, and L2 and memory
// move what all blocks ask for. These overlap; launch, the last epilogue and stores of single elements do
// not. What a chip reaches of each is fitted to measurements (Target/Cuda/ProductRates.h), and so is what
// that leaves unexplained of rings of warpgroups (Target/Cuda/ProductCorrection.h).

#include "TileOrder.h"
#include "WarpgroupSchedules.h"

#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Layout/WorkLists.h"
#include "Tilewright/Target/Cuda/ProductCorrection.h"
#include "Tilewright/Target/Cuda/ProductRates.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace tilewright;
using tile::Roles;

/// Floating-point operations in 16 bits of a multiprocessor's tensor cores in a cycle; a type takes as many
/// bytes in a cycle as any other. Bytes that shared memory moves in one.
static constexpr double kFlopsPerCycle = 4096, kSharedBytesPerCycle = 128;
/// Blocks that share a multiprocessor at most.
static constexpr int64_t kMostResident = 4;
/// Slots of a ring that is as good as one that holds all steps.
static constexpr int64_t kAllSlots = 16;
/// Bytes of a line of L2, and of a row of a slot of the ring.
static constexpr int64_t kLineBytes = 128;
/// Rows of results that can be stored through shared memory start at multiples of so many bytes.
static constexpr int64_t kBulkBytes = 16;
/// Bytes of a sector, and bytes a nanosecond that results take to memory by themselves.
static constexpr int64_t kSectorBytes = 32;
static constexpr double kStoredRate = 4200;
/// Bytes a nanosecond that a GPC takes, about.
static constexpr double kGpcRate = 2000;
/// Cycles from a product's last instruction to its sums, and the share of such waits that another warpgroup
/// does not fill.
static constexpr double kDrainCycles = 100, kSharedStall = 0.15;
/// Cycles of a step whose left operand is computed in registers: until its elements are there, for each
/// instruction's, and what the product takes of its own beside another warpgroup and alone. (H200, weights of
/// bytes and casts of fp32 beside 16 to 1024 rows, 60 schedules.)
static constexpr double kComputingStart = 400, kComputingCycles = 1.15, kComputingHides = 0.5,
                        kComputingAlone = 0.9;
/// Nanoseconds in which a role of warps computes the elements of a step, whatever they are. (The same, and
/// casts of fp32: 60 schedules.)
static constexpr double kRoleTime = 110, kRoleElementTime = 0.055;

namespace {
/// The product as the kernel's blocks see it: with `swap_operands` N has the place of M.
struct Problem {
  int64_t m, n, k, batch = 1, bytes;
  /// The same of the operands in memory.
  int64_t lhsBytes, rhsBytes;
  /// Instructions that compute an element of them from what lies there.
  int64_t lhsInstructions, rhsInstructions;
  /// Different left and right operands of the matmuls that share a loop over K.
  int64_t lhsTiles, rhsTiles;
  /// Bytes from one row of an operand to the next.
  int64_t lhsPitch, rhsPitch;
  /// Bytes of them that threads copy at a time; 0 where the tensor memory accelerator does.
  int64_t lhsPiece, rhsPiece;
  /// Whether they are contiguous along K.
  bool lhsAlongK, rhsAlongK;

  Problem(const KernelShape &shape, bool swapped) {
    size_t rank = shape.extents.size();
    m = shape.extents[rank - 3];
    n = shape.extents[rank - 2];
    k = shape.extents[rank - 1];
    for (size_t d = 0; d + 3 < rank; ++d)
      batch *= shape.extents[d];
    bytes = shape.operandBytes();
    lhsBytes = shape.storedOperandBytes(/*ofLeft=*/true);
    rhsBytes = shape.storedOperandBytes(/*ofLeft=*/false);
    lhsInstructions = shape.lhsInstructions;
    rhsInstructions = shape.rhsInstructions;
    lhsPitch = shape.pitchOf(/*ofLeft=*/true);
    rhsPitch = shape.pitchOf(/*ofLeft=*/false);
    lhsPiece = shape.lhsPiece;
    rhsPiece = shape.rhsPiece;
    lhsAlongK = shape.lhsAlongK;
    rhsAlongK = shape.rhsAlongK;
    lhsTiles = shape.lhsTiles;
    rhsTiles = shape.rhsTiles;
    if (swapped) {
      std::swap(m, n);
      std::swap(lhsPitch, rhsPitch);
      std::swap(lhsPiece, rhsPiece);
      std::swap(lhsAlongK, rhsAlongK);
      std::swap(lhsTiles, rhsTiles);
      std::swap(lhsBytes, rhsBytes);
      std::swap(lhsInstructions, rhsInstructions);
    }
  }
  /// Cycles in which a multiprocessor computes the operands' elements of a step: each as often as warps read
  /// it.
  double computingCycles(double rows, double columns, double reduce, double readersOfRows,
                         double readersOfColumns) const {
    constexpr double kLanes = 128;
    return reduce / kLanes *
           ((double)(lhsTiles * lhsInstructions) * rows * readersOfRows +
            (double)(rhsTiles * rhsInstructions) * columns * readersOfColumns);
  }
  /// Bytes of both operands in memory.
  double operandBytes() const {
    return (double)(batch * k) * (double)(lhsBytes * lhsTiles * m + rhsBytes * rhsTiles * n);
  }
};
} // namespace

/// Time in which threads copy 128 bytes of a row.
static double rowOfThreads(const ProductRates &rates, int64_t piece) {
  return piece == 0                    ? 0
         : goesThroughRegisters(piece) ? rates.elementRow
         : piece == 4                  ? rates.wordRow
                                       : rates.wideRow;
}

/// What a step takes when threads fill slots, where without them it takes `step`: their copies; and memory's
/// latency, of which cp.async overlaps that of all slots but two, and loads that of the loaders' next ones.
static double stepOfThreads(double step, const Problem &problem, tile::ScheduleAttr schedule, double bm,
                            double bn, const ProductRates &rates) {
  // Rows of at most 128 bytes: along K one of each row of the tile, across it of each K.
  int64_t reduce = schedule.getReduce();
  auto rowsOf = [&](double tile, bool alongK) {
    double bytes = (alongK ? (double)reduce : tile) * (double)problem.bytes;
    return (alongK ? tile : (double)reduce) * std::ceil(bytes / kLineBytes);
  };
  double copies =
      (double)problem.lhsTiles * rowsOf(bm, problem.lhsAlongK) * rowOfThreads(rates, problem.lhsPiece) +
      (double)problem.rhsTiles * rowsOf(bn, problem.rhsAlongK) * rowOfThreads(rates, problem.rhsPiece);
  if (copies == 0)
    return step;
  step = std::max(step, copies);
  if (goesThroughRegisters(problem.lhsPiece) || goesThroughRegisters(problem.rhsPiece))
    return std::max(step, rates.stagedStep / (double)schedule.getOptions().loaders);
  return std::max(step,
                  (rates.slotLatency * 1000 + step) / (double)std::max<int64_t>(schedule.getStages() - 2, 1));
}

/// Lines that a row of 128 bytes counts for, `filled` of which are bytes of the operand: of what is beyond
/// these each of the blocks that share the row asks for a part.
static double linesOf(const ProductRates &rates, int64_t pitch, int64_t sharers = 1, double filled = 1) {
  int64_t unit = pitch & -pitch; // the power of two that rows begin at multiples of
  double beyond = unit >= kLineBytes       ? 0
                  : unit == kLineBytes / 2 ? rates.misaligned64
                  : unit == kLineBytes / 4 ? rates.misaligned32
                                           : rates.misaligned16;
  return filled + (1 - filled + beyond) / (double)sharers;
}

/// The sum of times that overlap.
static double overlapped(const ProductRates &rates, std::initializer_list<double> times) {
  double sum = 0;
  for (double time : times)
    sum += std::pow(time, rates.overlap);
  return std::pow(sum, 1 / rates.overlap);
}

namespace {
/// What the busiest block does.
struct Work {
  /// Steps of K, tiles that it ends, sums of other blocks that it adds, and whether it gives one away.
  double steps, tiles, parts = 0, gives = 0;
};
} // namespace

int64_t tilewright::residentBlocks(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  int64_t registers = 32 * (options.loadingWarps() * options.producerRegisters +
                            schedule.getWarps() * options.instances() * options.consumerRegisters);
  if (options.persistent || options.roles == Roles::None || !options.consumerRegisters)
    return 1;
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t left = options.left == tile::LeftOperand::Registers
                     ? shape.storedOperandBytes(/*ofLeft=*/!options.swapOperands)
                     : shape.operandBytes();
  int64_t ring = schedule.getStages() * schedule.getReduce() * std::max(shape.lhsTiles, shape.rhsTiles) *
                 (left * tile[tile.size() - 2] + shape.operandBytes() * tile.back());
  return std::clamp<int64_t>(
      std::min((int64_t)arch.registersPerSM / registers, arch.sharedBytesPerBlock / ring), 1, kMostResident);
}

/// With `stream_k` blocks share steps evenly, without it whole tiles.
static Work workOf(const tile::ScheduleOptions &options, int64_t blocks, int64_t steps, int64_t sms) {
  double rounds = (double)llvm::divideCeil(blocks, sms);
  Work work{rounds * (double)steps, rounds};
  layout::WorkLists lists;
  if (options.streamK)
    lists = layout::divideSteps(blocks, steps, options.persistent, options.streamK);
  if (lists.size() < 2)
    return work;
  work = {0, 0};
  for (const std::vector<layout::Segment> &list : lists) {
    Work own{0, 0};
    for (const layout::Segment &segment : list) {
      own.steps += (double)segment.steps;
      (segment.first + segment.steps == steps ? own.tiles : own.gives) += 1;
      own.parts += (double)segment.parts;
    }
    work = {std::max(work.steps, own.steps), std::max(work.tiles, own.tiles), std::max(work.parts, own.parts),
            std::max(work.gives, own.gives)};
  }
  return work;
}

/// Sums that blocks hand to one another go to L2 and come back; what waits for a flag waits as long as for a
/// slot of the ring. Nobody has measured it: half of a multiprocessor's share of L2's rate is assumed.
static double handOver(const Work &work, const ProductRates &rates, double bytes, int64_t sms) {
  double rate = rates.l2 / (double)sms / 2;
  return work.gives * bytes / rate + work.parts * (rates.slotLatency * 1000 + bytes / rate);
}

/// Bytes of the rows in which a tile comes that is contiguous along its columns.
static int64_t spanOf(int64_t tile, int64_t bytes) {
  return std::gcd(layout::slotColumns(tile, (int)(8 * bytes)) * bytes, kLineBytes);
}

/// Where tiles of an operand begin in memory, as a distance whose power of two counts: of one that lies
/// across K in whole lines each tile begins where the one before ends.
static int64_t pitchOf(int64_t pitch, int64_t tile, bool alongK, int64_t bytes) {
  return alongK || spanOf(tile, bytes) < kLineBytes ? pitch : pitch | tile * bytes;
}

/// Rows of at most 128 bytes that come of an operand of `extent` rows or columns, of which a block has
/// `tile`, for a step of `stepBytes` of K. Across K such a row is the elements of one K, however few of them
/// are used: as many as divide the tile.
static double rowsOf(const ProductRates &rates, int64_t extent, int64_t tile, bool alongK, int64_t stepBytes,
                     int64_t bytes) {
  int64_t used = std::min(extent, tile);
  if (alongK)
    return (double)used * (double)stepBytes / kLineBytes;
  int64_t span = spanOf(tile, bytes);
  return rates.rowsAcrossK * (double)(stepBytes / bytes) * (double)llvm::divideCeil(used * bytes, span);
}

/// The share of these rows that are bytes of the operand.
static double filledOf(int64_t extent, int64_t tile, bool alongK, int64_t bytes) {
  if (alongK)
    return 1;
  int64_t used = std::min(extent, tile) * bytes, span = spanOf(tile, bytes);
  return (double)used / (double)((int64_t)llvm::divideCeil(used, span) * kLineBytes);
}

/// Columns that the pieces of a tile store, all of one width: the last one begins where it ends with the tile
/// (tile-stage-stores).
static int64_t storedColumns(int64_t columns, int64_t span) {
  int64_t width = layout::pieceColumns(columns, span);
  return (int64_t)llvm::divideCeil(columns, width) * width;
}

/// Products of 16 bits by single warps. A step takes a block the way of its operands through shared memory
/// into registers, which costs about the same however wide the pieces are that threads copy, down to words;
/// blocks of a multiprocessor share that. A block alone waits for memory: through registers in every step.
static double modelWarps(tile::ScheduleAttr schedule, const KernelShape &shape, const Problem &problem,
                         const Arch &arch) {
  const ProductRates rates = productRates(arch);
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bm = tile[tile.size() - 2], bn = tile.back(), bk = schedule.getReduce();
  int64_t blocks =
      problem.batch * (int64_t)(llvm::divideCeil(problem.m, bm) * llvm::divideCeil(problem.n, bn));
  double steps = (double)llvm::divideCeil(problem.k, bk);
  auto onOne = (double)llvm::divideCeil(blocks, (int64_t)arch.numSMs);
  auto copied = [&](int64_t tiles, int64_t rows, int64_t piece) {
    return (double)(tiles * rows * bk) * (goesThroughRegisters(piece) ? rates.warpElement : rates.warpWord);
  };
  double copies =
      copied(problem.lhsTiles, bm, problem.lhsPiece) + copied(problem.rhsTiles, bn, problem.rhsPiece);
  double flops = 2 * (double)(bm * bn * bk * shape.products()) /
                 (kFlopsPerCycle * rates.warpShare * std::min(1.0, (double)std::min(bm, bn) / 64)) /
                 arch.clockGHz;
  copies += problem.computingCycles((double)bm, (double)bn, (double)bk, (double)schedule.getWarpGrid().back(),
                                    (double)schedule.getWarps() / (double)schedule.getWarpGrid().back()) /
            arch.clockGHz;
  bool staged = goesThroughRegisters(problem.lhsPiece) || goesThroughRegisters(problem.rhsPiece);
  double latency = (staged ? rates.warpStagedLatency : rates.warpLatency) * (double)bk / 32;
  double resident = std::max<double>(1, rates.warpsResident / (double)schedule.getWarps());
  double body =
      std::max(std::ceil(onOne / resident) * steps * latency, onOne * steps * std::max(copies, flops));
  // Stores of blocks that end are beside the products of those that follow, where there are any; those of
  // rows of no whole 16 bytes, whose lines are written in parts, are not taken for as fast.
  bool whole = problem.n * std::max<int64_t>(1, shape.storedBytes) % kBulkBytes == 0;
  double waves = whole ? std::max(1.0, onOne / resident) : 1, share = 1 / waves;
  double stored = (double)(problem.batch * problem.m * problem.n * std::max<int64_t>(1, shape.storedBytes)) /
                  rates.warpStores * (2 + share) / 3;
  return rates.warpLaunch + (std::max(body, stored) + std::min(body, stored) * share) / 1000;
}

bool tilewright::isAlignedByWarps(tile::ScheduleAttr schedule, const KernelShape &shape) {
  constexpr int64_t mostSteps = 12;
  return schedule.getOptions().product != tile::ProductUnit::Wgmma && shape.bulkOperands &&
         (shape.operandType.isF16() || shape.operandType.isBF16()) &&
         shape.extents.back() <= mostSteps * schedule.getReduce();
}

/// The same where threads copy 16 bytes at a time: what all stages hold is on its way at once, so that a
/// block waits for memory once where its ring holds all steps.
static double modelAlignedWarps(tile::ScheduleAttr schedule, const KernelShape &shape, const Problem &problem,
                                const Arch &arch) {
  const WarpRates rates = productRates(arch).aligned;
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bm = tile[tile.size() - 2], bn = tile.back(), bk = schedule.getReduce(), sms = arch.numSMs;
  int64_t blocks =
      problem.batch * (int64_t)(llvm::divideCeil(problem.m, bm) * llvm::divideCeil(problem.n, bn));
  int64_t steps = llvm::divideCeil(problem.k, bk), stages = std::max<int64_t>(schedule.getStages(), 2);
  auto onOne = (double)llvm::divideCeil(blocks, sms);
  double elements = (double)((problem.lhsTiles * bm + problem.rhsTiles * bn) * bk);
  double room = (double)arch.sharedBytesPerBlock / (elements * (double)(stages * problem.bytes));
  double resident = std::max(1.0, std::min(rates.resident / (double)schedule.getWarps(), room));
  double flops = 2 * (double)(bm * bn * bk * shape.products()) /
                 (kFlopsPerCycle * rates.share * std::min(1.0, (double)std::min(bm, bn) / 64)) /
                 arch.clockGHz;
  double computing =
      problem.computingCycles((double)bm, (double)bn, (double)bk, (double)schedule.getWarpGrid().back(),
                              (double)schedule.getWarps() / (double)schedule.getWarpGrid().back()) /
      arch.clockGHz;
  double step = rates.step * (double)bk / 32;
  if (steps >= stages)
    step = std::max(step, rates.latency / (double)(stages - 1));
  double waits = std::ceil(onOne / resident) * (double)steps * step;
  double works = onOne * (double)steps * (std::max(elements * rates.element, flops) + computing);
  double moved = problem.operandBytes() / rates.memory;
  double body = std::pow(std::pow(waits, rates.overlap) + std::pow(works, rates.overlap) +
                             std::pow(moved, rates.overlap),
                         1 / rates.overlap);
  body = std::max(body, (double)blocks / rates.starts);
  double share = std::min(1.0, resident / onOne);
  double stored = (double)(problem.batch * problem.m * problem.n * std::max<int64_t>(1, shape.storedBytes)) /
                  rates.stores * (2 + share) / 3;
  return rates.launch + (std::max(body, stored) + std::min(body, stored) * share) / 1000;
}

bool tilewright::isCorrected(tile::ScheduleAttr schedule, const KernelShape &shape) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
  return options.product == tile::ProductUnit::Wgmma && tile::storageBits(shape.operandType) == 16 &&
         shape.products() == 1 && !shape.lhsPiece && !shape.rhsPiece && !options.streamK && !lhsConverts &&
         !rhsConverts && options.left == tile::LeftOperand::Shared;
}

double tilewright::modelProduct(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch,
                                bool corrected) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  ProductRates rates = productRates(arch);
  Problem problem(shape, options.swapOperands);
  bool byWarps = options.product != tile::ProductUnit::Wgmma;
  if (byWarps && options.product != tile::ProductUnit::Fma && problem.bytes == 2 && usesTensorCores(shape))
    return isAlignedByWarps(schedule, shape) && arch.tma ? modelAlignedWarps(schedule, shape, problem, arch)
                                                         : modelWarps(schedule, shape, problem, arch);
  bool staged = options.store == tile::StoreUnit::Bulk;
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bm = tile[tile.size() - 2], bn = tile.back(), warps = schedule.getWarps(), parts = options.splitK;
  int64_t rows = llvm::divideCeil(problem.m, bm), columns = llvm::divideCeil(problem.n, bn);
  // The last clusters may have more tiles than there are.
  int64_t blocks = problem.batch * (int64_t)llvm::alignTo(rows, options.clusterM) *
                   (int64_t)llvm::alignTo(columns, options.clusterN) * parts;
  int64_t sms = arch.numSMs;
  int64_t resident = byWarps ? 1 : residentBlocks(schedule, shape, arch);
  int64_t together = byWarps ? sms : resident * blocksAtOnce(arch, std::max(parts, options.clusterBlocks()));
  double rounds = (double)llvm::divideCeil(blocks, together);
  double load = std::min(1.0, (double)blocks / (double)sms);
  // Blocks that share a multiprocessor share its rates, and wait beside one another.
  double ofOne = resident > 1 ? std::max(1.0, (double)blocks / (double)sms) : rounds;
  double elems = (double)(bm * bn),
         epilogueCycles = rates.storeCycles + rates.instructionCycles * (double)shape.pressure.instructions;
  double clock = rates.tensorClock - rates.loadedClockLoss * load; // cycles a nanosecond
  int64_t stepBytes = schedule.getReduce() * problem.bytes;
  double steps = (double)llvm::divideCeil(llvm::divideCeil(problem.k * problem.bytes, stepBytes), parts);

  // A step, nanoseconds.
  double step, alone = 0,
               epilogue = elems / (32.0 * (double)warps) / (double)parts * epilogueCycles / arch.clockGHz;
  if (staged)
    epilogue *= (double)storedColumns(bn, kLineBytes / std::max<int64_t>(1, shape.storedBytes)) / (double)bn;
  if (!byWarps)
    epilogue += rates.epilogueTime;
  double exposed = 1;
  bool alternates = !byWarps && options.roles == Roles::PingPong;
  if (!byWarps) {
    double products = (double)shape.products() * (shape.splits ? 3 : 1), copies = shape.splits ? 2 : 1;
    auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
    bool inRegisters = options.left == tile::LeftOperand::Registers;
    double loaded = (double)(problem.lhsTiles * bm + problem.rhsTiles * bn);
    double converted =
        (double)((lhsConverts ? problem.lhsTiles * bm : 0) + (rhsConverts ? problem.rhsTiles * bn : 0));
    double fragments = inRegisters ? (double)(problem.lhsTiles * bm) : 0;
    double tensor = products * elems * ((double)stepBytes / 2) * 2 / kFlopsPerCycle;
    double feed = (double)stepBytes / kSharedBytesPerCycle *
                  (products * (double)(bm / 64) *
                       (double)((inRegisters ? 0 : 64 * schedule.getWarpGrid().back()) + bn) +
                   loaded + fragments + converted * (1 + copies));
    // A warpgroup turns bytes by two instructions each, wider elements by fewer.
    feed = std::max(feed, converted * (double)stepBytes / 128 * (problem.bytes == 1 ? 2.5 : 1.5));
    auto reduceOf = (double)schedule.getReduce();
    double byRole = (lhsConverts && problem.lhsInstructions ? (double)(problem.lhsTiles * bm) : 0) +
                    (rhsConverts && problem.rhsInstructions ? (double)(problem.rhsTiles * bn) : 0);
    // A step whose sum goes into registers ends before the next one begins: where instances take turns
    // nothing else multiplies meanwhile; two warpgroups of one instance do so for each other.
    bool computes = inRegisters && problem.lhsInstructions;
    if (computes) {
      // A part of it is hidden by what another warpgroup multiplies.
      tensor = (warps > 4 || resident > 1 ? kComputingHides : kComputingAlone) * tensor + kComputingStart +
               kComputingCycles * problem.computingCycles((double)bm, 0, reduceOf, 1, 1);
    } else if (shape.promotion || inRegisters) {
      double share = options.roles == Roles::Cooperative && warps > 4 ? kSharedStall : 1;
      tensor += share * (double)shape.products() * (kDrainCycles + elems / (32.0 * (double)warps));
    }
    alone = std::max(tensor / clock, feed / rates.feedClock) + (computes ? 0 : rates.stepTime);
    if (byRole > 0)
      alone = std::max(alone, kRoleTime + kRoleElementTime * byRole * reduceOf);
    // Where a ring holds all of a block's steps no slot is asked for again.
    int64_t slots = schedule.getStages();
    if (!options.persistent && (double)slots >= steps)
      slots = std::max(slots, kAllSlots);
    step = std::max(alone, (rates.slotLatency * 1000 + alone) / (double)slots);
    step = stepOfThreads(step, problem, schedule, (double)bm, (double)bn, rates);
    exposed = rates.exposedEpilogue;
  } else {
    // Small tiles read their operands more often than they multiply, and all warps meet in each step.
    double share = (usesTensorCores(shape) && options.product != tile::ProductUnit::Fma ? rates.warpShare
                                                                                        : rates.scalarShare) *
                   std::min(1.0, (double)std::min(bm, bn) / 64);
    if (shape.operandType.isF32() && shape.tf32) // half as many a cycle as in 16 bits
      share /= 2;
    double flops = 2 * elems * (double)(schedule.getReduce() * shape.products());
    step = std::max(flops / (kFlopsPerCycle * share) / arch.clockGHz, rates.meetingTime);
  }
  Work work = workOf(options, blocks, (int64_t)steps, together);
  double stepsOfOne = resident > 1 ? ofOne * steps : work.steps;
  // Two instances take turns: a tile takes its steps, or half of all that an instance does for it.
  double ofTile = work.steps / work.tiles * step;
  double product = work.steps * step + (work.tiles - 1) * exposed * epilogue;
  if (alternates)
    product = ofTile + (work.tiles - 1) * std::max(ofTile, (ofTile + epilogue) / 2);
  if (resident > 1)
    product = std::max(work.steps * step, stepsOfOne * alone);

  // Bytes: as rows of lines into each multiprocessor, through L2, from memory.
  int64_t lhsBytes = problem.lhsBytes, rhsBytes = problem.rhsBytes, reduce = schedule.getReduce();
  double lhs = (double)problem.lhsTiles *
               rowsOf(rates, problem.m, bm, problem.lhsAlongK, reduce * lhsBytes, lhsBytes),
         rhs = (double)problem.rhsTiles *
               rowsOf(rates, problem.n, bn, problem.rhsAlongK, reduce * rhsBytes, rhsBytes);
  int64_t lhsPitch = pitchOf(problem.lhsPitch, bm, problem.lhsAlongK, lhsBytes),
          rhsPitch = pitchOf(problem.rhsPitch, bn, problem.rhsAlongK, rhsBytes);
  double lhsFilled = filledOf(problem.m, bm, problem.lhsAlongK, lhsBytes),
         rhsFilled = filledOf(problem.n, bn, problem.rhsAlongK, rhsBytes);
  double lines = stepsOfOne * (lhs * linesOf(rates, lhsPitch, options.clusterN, lhsFilled) +
                               rhs * linesOf(rates, rhsPitch, options.clusterM, rhsFilled));
  // What the blocks of a cluster share comes once for all of them.
  double throughL2 = (double)blocks * steps * kLineBytes *
                     (lhs * linesOf(rates, lhsPitch) / (double)options.clusterN +
                      rhs * linesOf(rates, rhsPitch) / (double)options.clusterM);
  double operand = (double)(problem.batch * problem.k * problem.bytes);
  double moved = problem.operandBytes() +
                 (double)(problem.batch * problem.m * problem.n * std::max<int64_t>(1, shape.storedBytes));
  // Tiles that are partly empty keep fewer bytes on their way.
  auto emptiness = [&](int64_t extent, int64_t tiles, int64_t tileSize) {
    return 1 + rates.emptyRows * (1 - (double)extent / (double)(tiles * tileSize));
  };
  if (!problem.lhsPiece && !problem.rhsPiece)
    moved *= emptiness(problem.m, rows, bm) * emptiness(problem.n, columns, bn);
  // Memory comes to its rate while it moves the first bytes.
  double memory = moved / rates.memory + rates.rampTime * (1 - std::exp(-moved / rates.rampBytes));
  double body = overlapped(rates, {product, lines * rates.lineTime, throughL2 / rates.l2, memory});
  double waits = options.clusterBlocks() > 1 && options.persistent ? 1 + rates.clusterWaits : 1;
  // Of fp32 sums a block adds up its own part of the tile, which all others send it.
  double others = (double)shape.products() * elems * 4 * (double)(parts - 1) / (double)parts;
  double meeting =
      options.swapOperands ? rates.swappedExchangeTime * (double)(parts - 1) : rates.exchangeTime;
  double exchangeRate = options.swapOperands ? rates.swappedExchangeRate : rates.exchangeRate;
  double exchange = parts > 1 ? meeting * 1000 + ofOne * others / exchangeRate : 0;
  exchange += handOver(work, rates, (double)shape.products() * elems * 4, sms);
  int64_t resultBytes = std::max<int64_t>(1, shape.storedBytes),
          width = shape.extents[shape.extents.size() - 2];
  double scattered = 0, stored = (double)(problem.batch * problem.m * problem.n * resultBytes);
  if (options.swapOperands && !staged)
    scattered = stored / rates.swappedStores;
  else if (!staged && !byWarps && (parts == 1 || resultBytes <= 2) && width * resultBytes % kBulkBytes == 0)
    scattered = stored / rates.directStores;
  else if (width * resultBytes % kBulkBytes)
    scattered = stored / (options.store != tile::StoreUnit::Bulk ? rates.elementStores
                          : width * resultBytes % 4              ? rates.rowStores
                                                                 : rates.wordRowStores);
  double launch = rates.launch + (!byWarps && !alternates && warps > 4 ? rates.wideLaunch : 0);
  if (staged && !options.persistent)
    launch -= rates.oneTile;
  if (options.clusterBlocks() > 1)
    launch += options.persistent
                  ? rates.clusterLaunch
                  : rates.clusterOnce * (double)llvm::Log2_64_Ceil((uint64_t)options.clusterBlocks()) +
                        (options.clusterBlocks() == 2 ? rates.clusterPair : 0);
  if (!byWarps && !options.persistent)
    launch += rates.laterBlocks * (double)(llvm::divideCeil(blocks, sms) - 1);
  double whole = launch * 1000 + body * waits + epilogue + exchange + scattered;
  if (!corrected || !isCorrected(schedule, shape))
    return whole / 1000;
  auto log2 = [](int64_t value) { return std::log2((double)value); };
  double storing = stored / kStoredRate / whole;
  int64_t last = blocks % together, unit = width * resultBytes;
  TileWalk walk{.rows = (int64_t)llvm::divideCeil(rows, options.clusterM),
                .columns = (int64_t)llvm::divideCeil(columns, options.clusterN),
                .batch = problem.batch,
                .group = options.group,
                .clusterM = options.clusterM,
                .clusterN = options.clusterN,
                .parts = parts,
                .grid = options.persistent ? options.persistent : resident * sms,
                .resident = resident};
  CorrectionFeatures features{
      .product = product / body,
      .rows = lines * rates.lineTime / body,
      .l2 = throughL2 / rates.l2 / body,
      .memory = memory / body,
      .launch = launch * 1000 / whole,
      .epilogue = epilogue / whole,
      .exchange = exchange / whole,
      .scattered = scattered / whole,
      .tileRows = (double)bm,
      .tileColumns = log2(bn),
      .ring = (double)(schedule.getStages() * schedule.getReduce()),
      .parts = log2(parts),
      .bulk = (double)staged,
      .persistent = (double)(options.persistent > 0),
      .pingpong = (double)alternates,
      .alongN = (double)schedule.getWarpGrid().back(),
      .clusterM = log2(options.clusterM),
      .clusterN = log2(options.clusterN),
      .rightAlongK = (double)problem.rhsAlongK,
      .steps = std::log2(steps),
      .blocks = std::log2(std::max(1.0, (double)blocks / (double)sms)),
      .whole = std::log(whole),
      .usedRows = (double)problem.m / (double)(rows * bm),
      .usedColumns = (double)problem.n / (double)(columns * bn),
      .group = options.group ? log2(options.group) : -1,
      .warps = (double)warps,
      .stored = storing,
      .partSectors = bn * resultBytes % kSectorBytes && !options.swapOperands ? storing : 0,
      .resultUnit = std::min<double>(12, log2(unit & -unit)),
      .lastRound = (double)(last ? last : together) / (double)together,
      .rowsOfTiles = log2(rows),
      .columnsOfTiles = log2(columns),
      .gpc = work.steps * busiestLoad(walk, bm, bn) * (double)stepBytes / kGpcRate / whole,
      .operands = std::log2(operand * (double)(problem.m + problem.n) / 1e6 + 0.1),
  };
  return whole * productCorrection(features) / 1000;
}
