// Candidates of warpgroup schedules and their model. A block's time is that of its tiles' products, or of the
// bytes that L2 and memory must move for all of them; epilogues count where nothing hides them. The constants
// come from measurements of such kernels on an H200 SXM and are round on purpose: they rank schedules.

#include "WarpgroupSchedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using tile::Roles;
using tile::ScheduleOptions;

/// Floating-point operations of a multiprocessor's tensor cores in a cycle, and bytes its shared memory gives
/// them.
static constexpr double kFlopsPerCycle = 4096, kSharedBytesPerCycle = 128;
/// Launch, the first tiles' way from memory, the last stores: microseconds.
static constexpr double kFixedTime = 4.0;
/// Shares of the table's rates that copies reach.
static constexpr double kMemoryShare = 0.85, kL2Share = 1.7;
/// Bytes a nanosecond that one multiprocessor gets from memory.
static constexpr double kBlockRate = 60;
/// What warps reach of the tensor cores with instructions of their own.
static constexpr double kWarpShare = 0.55;
/// Cycles of an epilogue for each element of a thread, without its arithmetic.
static constexpr double kStoreCycles = 6;
static constexpr int64_t kStepElems = 64;
static constexpr int64_t kSpanBytes = 128, kBarrierBytes = 256;
static constexpr int64_t kProducerRegisters = 40, kConsumerRegisters = 232;

namespace {
struct Problem {
  int64_t m, n, k, batch = 1, bytes;
  double flops() const { return 2.0 * (double)m * (double)n * (double)k * (double)batch; }
};
} // namespace

static Problem problemOf(const KernelShape &shape) {
  size_t rank = shape.extents.size();
  Problem problem{shape.extents[rank - 3], shape.extents[rank - 2], shape.extents[rank - 1], 1,
                  std::max<int64_t>(1, shape.operandType.getIntOrFloatBitWidth() / 8)};
  for (size_t d = 0; d + 3 < rank; ++d)
    problem.batch *= shape.extents[d];
  return problem;
}

/// Gigahertz under the load of a product of this many cycles: short ones end before the power limit is felt.
static double clockOf(const Arch &arch, double cycles) {
  constexpr double shortTime = 10, longTime = 100, sustained = 0.745;
  double fastest = 0.96 * arch.clockGHz, time = cycles / fastest / 1000;
  double share = std::clamp(std::log(time / shortTime) / std::log(longTime / shortTime), 0.0, 1.0);
  return fastest * (1 + share * (sustained / 0.96 - 1));
}

/// Microseconds of `cycles` on the busiest multiprocessor, or of what memory and L2 must move meanwhile.
static double timeOf(const Arch &arch, const Problem &problem, double cycles, int64_t tiles, int64_t bm,
                     int64_t bn) {
  double l2 = (double)tiles * (double)problem.k * (double)((bm + bn) * problem.bytes);
  double memory =
      (double)(problem.batch * problem.bytes) *
      ((double)(problem.m * problem.k) + (double)(problem.k * problem.n) + (double)(problem.m * problem.n));
  double busy = (double)std::min<int64_t>(tiles, arch.numSMs);
  double rate = std::min(arch.hbmGBps * kMemoryShare, busy * kBlockRate); // bytes a nanosecond
  return kFixedTime +
         std::max({cycles / clockOf(arch, cycles), memory / rate, l2 / (arch.l2GBps * kL2Share)}) / 1000;
}

/// Tiles of the result.
static int64_t tilesOf(const Problem &problem, int64_t bm, int64_t bn) {
  return problem.batch * (int64_t)llvm::divideCeil(problem.m, bm) * (int64_t)llvm::divideCeil(problem.n, bn);
}

/// Cycles of a tile's instructions: each of 64 rows by bn columns by 32 bytes of K, fed from shared memory.
static double tileCycles(const Problem &problem, int64_t bm, int64_t bn) {
  double steps = (double)llvm::divideCeil(problem.k, kStepElems) * (kStepElems * problem.bytes / 32.0);
  double multiply = 64.0 * (double)bn * (32.0 / (double)problem.bytes) * 2 / kFlopsPerCycle;
  double feed = (64.0 + (double)bn) * 32 / kSharedBytesPerCycle;
  return steps * (double)bm / 64 * std::max(multiply, feed);
}

static double model(const Arch &arch, const Problem &problem, const KernelShape &shape, int64_t bm,
                    int64_t bn, int64_t warps, Roles roles) {
  int64_t tiles = tilesOf(problem, bm, bn);
  double rounds = (double)llvm::divideCeil(tiles, (int64_t)arch.numSMs);
  double product = tileCycles(problem, bm, bn);
  double epilogue =
      (double)(bm * bn) / (32.0 * (double)warps) * (kStoreCycles + 2.0 * (double)shape.pressure.instructions);
  // The other instance multiplies during an epilogue, if its product lasts as long.
  double cycles = roles == Roles::PingPong ? rounds * std::max(product, (product + epilogue) / 2) + epilogue
                                           : rounds * (product + epilogue);
  return timeOf(arch, problem, cycles, tiles, bm, bn);
}

/// The candidate with this tile, as many stages as fit; null when fewer than two do.
static tile::ScheduleAttr candidate(MLIRContext *context, const KernelShape &shape, const Problem &problem,
                                    const Arch &arch, int64_t bm, int64_t bn, int64_t warps, Roles roles) {
  ScheduleOptions options;
  options.product = tile::ProductUnit::Wgmma;
  options.roles = roles;
  options.store = tile::StoreUnit::Bulk;
  options.producerRegisters = kProducerRegisters;
  options.consumerRegisters = kConsumerRegisters;
  options.persistent = arch.numSMs;
  if (llvm::divideCeil(problem.m, bm) > 8)
    options.group = 8;
  int64_t staging = 16 * warps * kSpanBytes * 2 * options.instances();
  int64_t stage = (bm + bn) * kStepElems * problem.bytes;
  int64_t room = std::min<int64_t>(shape.sharedLimit, arch.sharedBytesPerBlock) - staging - kBarrierBytes;
  int64_t stages = std::min<int64_t>(8, room / stage);
  if (stages < 2)
    return {};
  size_t rank = shape.extents.size();
  SmallVector<int64_t> tile(rank - 1, 1);
  tile[rank - 3] = bm;
  tile[rank - 2] = bn;
  return tile::ScheduleAttr::get(context, tile, kStepElems, warps, {warps, 1}, stages, options);
}

SmallVector<ModelledSchedule> tilewright::warpgroupSchedules(MLIRContext *context, const KernelShape &shape,
                                                             const Arch &arch) {
  SmallVector<ModelledSchedule> found;
  if (!arch.wgmma || !arch.tma || !shape.bulkOperands ||
      !(shape.operandType.isBF16() || shape.operandType.isF16()))
    return found;
  Problem problem = problemOf(shape);
  struct Form {
    Roles roles;
    int64_t bm, warps;
  };
  static constexpr Form forms[] = {
      {Roles::PingPong, 128, 4}, {Roles::PingPong, 64, 4}, {Roles::Cooperative, 128, 8}};
  for (const Form &form : forms)
    for (int64_t bn : {32, 64, 128, 256}) {
      // A thread's accumulators, and beside them what the epilogue keeps.
      int64_t sums = form.bm * bn / (32 * form.warps);
      if (sums > 128 || sums + shape.pressure.peak * 8 > kConsumerRegisters - 24)
        continue;
      // 64 rows by 256 columns read more of shared memory than the others for nothing.
      if (form.bm == 64 && bn == 256)
        continue;
      // A tile of which more than half would be empty is for a larger problem.
      if ((form.bm > 64 && form.bm >= 2 * problem.m) || (bn > 32 && bn >= 2 * problem.n))
        continue;
      if (auto schedule = candidate(context, shape, problem, arch, form.bm, bn, form.warps, form.roles))
        found.push_back({schedule, model(arch, problem, shape, form.bm, bn, form.warps, form.roles)});
    }
  llvm::stable_sort(found, [](const ModelledSchedule &a, const ModelledSchedule &b) {
    return a.microseconds < b.microseconds;
  });
  return found;
}

double tilewright::modelWarpProduct(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch) {
  Problem problem = problemOf(shape);
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bm = tile[tile.size() - 2], bn = tile.back(), tiles = tilesOf(problem, bm, bn);
  // Blocks share a multiprocessor's tensor cores; small tiles read their operands more often than they
  // multiply.
  double share = kWarpShare * std::min(1.0, (double)std::min(bm, bn) / 64);
  double product = 2.0 * (double)(bm * bn) * (double)problem.k / (kFlopsPerCycle * share);
  double cycles = (double)llvm::divideCeil(tiles, (int64_t)arch.numSMs) * product;
  return timeOf(arch, problem, cycles, tiles, bm, bn);
}
