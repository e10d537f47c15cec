// The time of a product under a schedule. The busiest multiprocessor's tiles take, step by step of K, what
// tensor cores, shared memory or the ring's latency need; meanwhile rows come in from L2, and L2 and memory
// move what all blocks ask for. These overlap; launch, the last epilogue and stores of single elements do
// not. What a chip reaches of each is fitted to measurements (Target/Cuda/ProductRates.h).

#include "WarpgroupSchedules.h"

#include "Tilewright/Layout/WorkLists.h"
#include "Tilewright/Target/Cuda/ProductRates.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using tile::Roles;

/// Floating-point operations in 16 bits of a multiprocessor's tensor cores in a cycle; a type takes as many
/// bytes in a cycle as any other. Bytes that shared memory moves in one.
static constexpr double kFlopsPerCycle = 4096, kSharedBytesPerCycle = 128;
/// Bytes of a line of L2, and of a row of a slot of the ring.
static constexpr int64_t kLineBytes = 128;
/// Rows of results that can be stored through shared memory start at multiples of so many bytes.
static constexpr int64_t kBulkBytes = 16;
/// Cycles from a product's last instruction to its sums, and the share of such waits that another warpgroup
/// does not fill.
static constexpr double kDrainCycles = 100, kSharedStall = 0.15;

namespace {
/// The product as the kernel's blocks see it: with `swap_operands` N has the place of M.
struct Problem {
  int64_t m, n, k, batch = 1, bytes;
  /// Different left and right operands of the matmuls that share a loop over K.
  int64_t lhsTiles, rhsTiles;
  /// Bytes from one row of an operand to the next.
  int64_t lhsPitch, rhsPitch;
  /// Bytes of them that threads copy at a time; 0 where the tensor memory accelerator does.
  int64_t lhsPiece, rhsPiece;

  Problem(const KernelShape &shape, bool swapped) {
    size_t rank = shape.extents.size();
    m = shape.extents[rank - 3];
    n = shape.extents[rank - 2];
    k = shape.extents[rank - 1];
    for (size_t d = 0; d + 3 < rank; ++d)
      batch *= shape.extents[d];
    bytes = std::max<int64_t>(1, shape.operandType.getIntOrFloatBitWidth() / 8);
    lhsPitch = (shape.lhsAlongK ? k : m) * bytes;
    rhsPitch = (shape.rhsAlongK ? k : n) * bytes;
    lhsPiece = shape.lhsPiece;
    rhsPiece = shape.rhsPiece;
    lhsTiles = shape.lhsTiles;
    rhsTiles = shape.rhsTiles;
    if (swapped) {
      std::swap(m, n);
      std::swap(lhsPitch, rhsPitch);
      std::swap(lhsPiece, rhsPiece);
      std::swap(lhsTiles, rhsTiles);
    }
  }
};
} // namespace

/// Wavefronts of the load-store unit, one a cycle, for 128 bytes of a row that threads copy: by cp.async
/// those of the two lines that an unaligned row lies in and of what is written; through registers an element
/// at a time those of the lines twice, since a thread loads two elements for the word that it stores. By the
/// unit's structure: nobody has measured it.
static double copyWavefronts(int64_t piece) { return piece == 0 ? 0 : piece >= 4 ? 3 : 5; }

/// What a step takes when threads fill slots, where without them it takes `step`: the unit's wavefronts; and
/// memory's latency, of which cp.async overlaps that of all slots but two, and loads those of the loaders'.
static double stepOfThreads(double step, const Problem &problem, tile::ScheduleAttr schedule, double bm,
                            double bn, const ProductRates &rates) {
  double rows128 = (double)(schedule.getReduce() * problem.bytes) / kLineBytes;
  double wavefronts = rows128 * ((double)problem.lhsTiles * bm * copyWavefronts(problem.lhsPiece) +
                                 (double)problem.rhsTiles * bn * copyWavefronts(problem.rhsPiece));
  if (wavefronts == 0)
    return step;
  int64_t staged = goesThroughRegisters(problem.lhsPiece) + goesThroughRegisters(problem.rhsPiece);
  int64_t slots = staged ? schedule.getOptions().loaders : std::max<int64_t>(schedule.getStages() - 2, 1);
  step = std::max(step, wavefronts / rates.feedClock);
  double latency = rates.slotLatency * 1000 * (double)std::max<int64_t>(staged, 1);
  return std::max(step, (latency + step) / (double)slots);
}

/// Lines that a row of 128 bytes counts for.
static double linesOf(const ProductRates &rates, int64_t pitch) {
  int64_t unit = pitch & -pitch; // the power of two that rows begin at multiples of
  return unit >= kLineBytes       ? 1
         : unit == kLineBytes / 2 ? 1 + rates.misaligned64
         : unit == kLineBytes / 4 ? 1 + rates.misaligned32
                                  : 1 + rates.misaligned16;
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

double tilewright::modelProduct(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  ProductRates rates = productRates(arch);
  Problem problem(shape, options.swapOperands);
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bm = tile[tile.size() - 2], bn = tile.back(), warps = schedule.getWarps(), parts = options.splitK;
  int64_t rows = llvm::divideCeil(problem.m, bm), columns = llvm::divideCeil(problem.n, bn);
  int64_t blocks = problem.batch * rows * columns * parts, sms = arch.numSMs;
  double rounds = (double)llvm::divideCeil(blocks, sms), load = std::min(1.0, (double)blocks / (double)sms);
  double elems = (double)(bm * bn),
         epilogueCycles = rates.storeCycles + rates.instructionCycles * (double)shape.pressure.instructions;
  double clock = rates.tensorClock - rates.loadedClockLoss * load; // cycles a nanosecond
  int64_t stepBytes = schedule.getReduce() * problem.bytes;
  double steps = (double)llvm::divideCeil(llvm::divideCeil(problem.k * problem.bytes, stepBytes), parts);

  // A step, nanoseconds.
  double step, epilogue = elems / (32.0 * (double)warps) / (double)parts * epilogueCycles / arch.clockGHz;
  double exposed = 1;
  if (options.product == tile::ProductUnit::Wgmma) {
    double products = (double)shape.products() * (shape.splits ? 3 : 1), copies = shape.splits ? 2 : 1;
    auto [lhsConverts, rhsConverts] = convertedOperands(shape);
    double loaded = (double)(problem.lhsTiles * bm + problem.rhsTiles * bn);
    double converted =
        (double)((lhsConverts ? problem.lhsTiles * bm : 0) + (rhsConverts ? problem.rhsTiles * bn : 0));
    double tensor = products * elems * ((double)stepBytes / 2) * 2 / kFlopsPerCycle;
    double feed = (double)stepBytes / kSharedBytesPerCycle *
                  (products * (double)(bm / 64) * (double)(64 + bn) + loaded + converted * (1 + copies));
    // A warpgroup turns bytes by two instructions each, wider elements by fewer.
    feed = std::max(feed, converted * (double)stepBytes / 128 * (problem.bytes == 1 ? 2.5 : 1.5));
    // A step whose sum goes into registers ends before the next one begins: where instances take turns
    // nothing else multiplies meanwhile; two warpgroups of one instance do so for each other.
    if (shape.promotion) {
      double share = options.roles == Roles::Cooperative && warps > 4 ? kSharedStall : 1;
      tensor += share * (double)shape.products() * (kDrainCycles + elems / (32.0 * (double)warps));
    }
    step = std::max(tensor / clock, feed / rates.feedClock) + rates.stepTime;
    step = std::max(step, (rates.slotLatency * 1000 + step) / (double)schedule.getStages());
    step = stepOfThreads(step, problem, schedule, (double)bm, (double)bn, rates);
    exposed = options.roles == Roles::PingPong ? 0 : rates.exposedEpilogue;
  } else {
    // Small tiles read their operands more often than they multiply, and all warps meet in each step.
    double share =
        (usesTensorCores(shape.operandType, shape.tf32) && options.product != tile::ProductUnit::Fma
             ? rates.warpShare
             : rates.scalarShare) *
        std::min(1.0, (double)std::min(bm, bn) / 64);
    if (shape.operandType.isF32() && shape.tf32) // half as many a cycle as in 16 bits
      share /= 2;
    double flops = 2 * elems * (double)(schedule.getReduce() * shape.products());
    step = std::max(flops / (kFlopsPerCycle * share) / arch.clockGHz, rates.meetingTime);
  }
  Work work = workOf(options, blocks, (int64_t)steps, sms);
  double product = work.steps * step + (work.tiles - 1) * exposed * epilogue;

  // Bytes: as rows of lines into each multiprocessor, through L2, from memory.
  double lhs = (double)problem.lhsTiles * linesOf(rates, problem.lhsPitch),
         rhs = (double)problem.rhsTiles * linesOf(rates, problem.rhsPitch);
  double lines = work.steps * (double)stepBytes / kLineBytes *
                 ((double)std::min(bm, problem.m) * lhs + (double)std::min(bn, problem.n) * rhs);
  double operand = (double)(problem.batch * problem.k * problem.bytes);
  // What the blocks of a cluster share comes once for all of them.
  double throughL2 = operand * ((double)(problem.m * columns) * lhs / (double)options.clusterN +
                                (double)(problem.n * rows) * rhs / (double)options.clusterM);
  double moved = operand * (double)(problem.lhsTiles * problem.m + problem.rhsTiles * problem.n) +
                 (double)(problem.batch * problem.m * problem.n * std::max<int64_t>(1, shape.storedBytes));
  // Tiles that are partly empty keep fewer bytes on their way.
  auto emptiness = [&](int64_t extent, int64_t tiles, int64_t tileSize) {
    return 1 + rates.emptyRows * (1 - (double)extent / (double)(tiles * tileSize));
  };
  moved *= emptiness(problem.m, rows, bm) * emptiness(problem.n, columns, bn);
  double body =
      overlapped(rates, {product, lines * rates.lineTime, throughL2 / rates.l2, moved / rates.memory});
  // Of fp32 sums a block adds up its own part of the tile, which it reads of all others.
  double others = (double)shape.products() * elems * 4 * (double)(parts - 1) / (double)parts;
  double meeting =
      options.swapOperands ? rates.swappedExchangeTime * (double)(parts - 1) : rates.exchangeTime;
  double exchange = parts > 1 ? meeting * 1000 + rounds * others / rates.exchangeRate : 0;
  exchange += handOver(work, rates, (double)shape.products() * elems * 4, sms);
  int64_t resultBytes = std::max<int64_t>(1, shape.storedBytes),
          width = shape.extents[shape.extents.size() - 2];
  double scattered = 0;
  if (width * resultBytes % kBulkBytes)
    scattered = (double)(problem.batch * problem.m * problem.n * resultBytes) / rates.elementStores;
  return rates.launch + (body + epilogue + exchange + scattered) / 1000;
}
