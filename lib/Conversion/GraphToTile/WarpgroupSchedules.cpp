// Candidates of warpgroup schedules and their model. A block's time is that of its tiles' products, or of the
// bytes that L2 and memory must move for all of them; epilogues count where nothing hides them. The constants
// come from measurements of such kernels on an H200 SXM and are round on purpose: they rank schedules.

#include "WarpgroupSchedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using tile::Roles;
using tile::ScheduleOptions;

/// Floating-point operations of a multiprocessor's tensor cores in a cycle, and bytes that its shared memory
/// moves.
static constexpr double kFlopsPerCycle = 4096, kSharedBytesPerCycle = 128;
/// Launch, the first tiles' way from memory, the last stores: microseconds.
static constexpr double kFixedTime = 2.7;
/// Shares of the table's rates that copies reach.
static constexpr double kMemoryShare = 0.65, kL2Share = 1.7;
/// Bytes a nanosecond that one multiprocessor gets from memory.
static constexpr double kBlockRate = 36;
/// Shares of the table's clock at which shared memory limits a product, and tensor cores do: those draw more
/// power.
static constexpr double kFeedClock = 0.94, kTensorClock = 0.77;
/// What warps reach of the tensor cores' rate with instructions of their own, and with scalar ones.
static constexpr double kWarpShare = 0.42, kScalarShare = 0.03;
/// Cycles of an epilogue for each element of a thread: its store, and each operation.
static constexpr double kStoreCycles = 6, kInstructionCycles = 0.4;
/// Cycles that a step of K takes at least.
static constexpr double kStepCycles = 400;
/// Bytes of K that a slot of the ring holds of each row, and that an instruction takes.
static constexpr int64_t kStepBytes = 128, kInstructionBytes = 32;
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

namespace {
/// Cycles of the busiest multiprocessor: of its tensor cores, and of its shared memory or whatever else they
/// wait for.
struct Cycles {
  double tensor = 0, feed = 0;
};
} // namespace

/// Microseconds of `cycles`, or of what memory and L2 must move meanwhile.
static double timeOf(const Arch &arch, const Problem &problem, Cycles cycles, int64_t tiles, int64_t bm,
                     int64_t bn) {
  double l2 = (double)tiles * (double)problem.k * (double)((bm + bn) * problem.bytes);
  double memory =
      (double)(problem.batch * problem.bytes) *
      ((double)(problem.m * problem.k) + (double)(problem.k * problem.n) + (double)(problem.m * problem.n));
  double busy = (double)std::min<int64_t>(tiles, arch.numSMs);
  double rate = std::min(arch.hbmGBps * kMemoryShare, busy * kBlockRate); // bytes a nanosecond
  double compute =
      std::max(cycles.tensor / (arch.clockGHz * kTensorClock), cycles.feed / (arch.clockGHz * kFeedClock));
  return kFixedTime + std::max({compute, memory / rate, l2 / (arch.l2GBps * kL2Share)}) / 1000;
}

/// Tiles of the result.
static int64_t tilesOf(const Problem &problem, int64_t bm, int64_t bn) {
  return problem.batch * (int64_t)llvm::divideCeil(problem.m, bm) * (int64_t)llvm::divideCeil(problem.n, bn);
}

/// Cycles of a tile: instructions of 64 rows by bn columns by 32 bytes of K, which read both operands from
/// shared memory, to which they are written once.
static Cycles tileCycles(const Problem &problem, int64_t bm, int64_t bn) {
  double steps =
      (double)(llvm::divideCeil(problem.k * problem.bytes, kStepBytes) * (kStepBytes / kInstructionBytes));
  double instructions = (double)bm / 64, width = (double)bn;
  double read = instructions * (64 + width) * kInstructionBytes,
         written = ((double)bm + width) * kInstructionBytes;
  // Of every type as many bytes in a cycle as of bf16.
  double multiply = 64 * width * (kInstructionBytes / 2.0) * 2 / kFlopsPerCycle;
  // A step waits for its slot and for the instructions of the step before, however small they are.
  double waits = (double)llvm::divideCeil(problem.k * problem.bytes, kStepBytes) * kStepCycles;
  return {steps * instructions * multiply, std::max(waits, steps * (read + written) / kSharedBytesPerCycle)};
}

static double model(const Arch &arch, const Problem &problem, const KernelShape &shape, int64_t bm,
                    int64_t bn, int64_t warps, Roles roles) {
  int64_t tiles = tilesOf(problem, bm, bn);
  double rounds = (double)llvm::divideCeil(tiles, (int64_t)arch.numSMs);
  Cycles product = tileCycles(problem, bm, bn);
  double epilogue = (double)(bm * bn) / (32.0 * (double)warps) *
                    (kStoreCycles + kInstructionCycles * (double)shape.pressure.instructions);
  // The other instance multiplies during an epilogue, if its product lasts as long.
  bool hidden = roles == Roles::PingPong;
  double outside = hidden ? std::max(0.0, (epilogue - product.feed) / 2) : epilogue;
  Cycles all = {rounds * (product.tensor + outside), rounds * (product.feed + outside)};
  if (hidden)
    all = {all.tensor + epilogue, all.feed + epilogue};
  return timeOf(arch, problem, all, tiles, bm, bn);
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
  // Neighbouring blocks share columns of the right operand.
  if (problem.m > bm)
    options.group = 8;
  // Results go through shared memory, in slices of a span: more of them where elements are wide or results
  // many.
  int64_t staging = 16 * warps * kSpanBytes * std::max<int64_t>(2, shape.storedBytes) * options.instances();
  int64_t stage = (bm + bn) * kStepBytes;
  int64_t room = std::min<int64_t>(shape.sharedLimit, arch.sharedBytesPerBlock) - staging - kBarrierBytes;
  int64_t stages = std::min<int64_t>(bm * bn <= 64 * 64 ? 16 : 8, room / stage);
  if (stages < 2)
    return {};
  size_t rank = shape.extents.size();
  SmallVector<int64_t> tile(rank - 1, 1);
  tile[rank - 3] = bm;
  tile[rank - 2] = bn;
  return tile::ScheduleAttr::get(context, tile, kStepBytes / problem.bytes, warps, {warps, 1}, stages,
                                 options);
}

SmallVector<ModelledSchedule> tilewright::warpgroupSchedules(MLIRContext *context, const KernelShape &shape,
                                                             const Arch &arch) {
  SmallVector<ModelledSchedule> found;
  bool alongK = shape.lhsAlongK && shape.rhsAlongK;
  bool fits = shape.operandType.isBF16() || shape.operandType.isF16() ||
              (alongK && ((shape.operandType.isF32() && shape.tf32) || shape.operandType.isInteger(8)));
  if (!arch.wgmma || !arch.tma || !shape.bulkOperands || !fits)
    return found;
  Problem problem = problemOf(shape);
  struct Form {
    Roles roles;
    int64_t bm, warps;
  };
  static constexpr Form forms[] = {
      {Roles::PingPong, 128, 4}, {Roles::PingPong, 64, 4}, {Roles::Cooperative, 128, 8}};
  for (const Form &form : forms)
    for (int64_t bn = 32; bn <= 256; bn += 32) {
      // Where N is contiguous, wide spans of shared memory need multiples of 64.
      if (!shape.rhsAlongK && bn % 64 != 0 && bn != 32)
        continue;
      // 32 columns wait for instructions as long as 64.
      if (bn == 32 && problem.n > 32)
        continue;
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
  double share = (usesTensorCores(shape.operandType, shape.tf32) ? kWarpShare : kScalarShare) *
                 std::min(1.0, (double)std::min(bm, bn) / 64);
  double product = 2.0 * (double)(bm * bn) * (double)problem.k / (kFlopsPerCycle * share);
  // All warps meet in each step.
  double waits = (double)llvm::divideCeil(problem.k, (int64_t)schedule.getReduce()) * 1.5 * kStepCycles;
  double cycles = (double)llvm::divideCeil(tiles, (int64_t)arch.numSMs) * std::max(product, waits);
  return timeOf(arch, problem, {cycles, cycles}, tiles, bm, bn);
}
