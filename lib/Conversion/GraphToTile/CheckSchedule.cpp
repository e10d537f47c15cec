// What a schedule must keep for the kernel that it is on. A schedule that is taken here is carried out by
// every later stage: what they cannot do is refused now, with the numbers.
#include "WarpgroupSchedules.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/AsyncAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Bytes of K that an instruction of a warpgroup takes, of a swizzled span, and of shared memory that a block
/// of a chip with warpgroups may have.
static constexpr int64_t kWarpgroupStepBytes = 32, kSpanBytes = 128, kMostSharedBytes = 232448;

/// Tiles of the longest list that a kernel carries.
static constexpr int64_t kMostListed = 1 << 16;

/// Of a ring's stage its full and its empty barrier.
static constexpr int64_t kBarrierBytes = 16;

/// Shared memory of a product of warpgroups: the rings with their barriers, and for each result the slice in
/// which it waits for its bulk store, but for the one of a block of one tile, which waits where the ring was;
/// of parts of K what their blocks exchange.
static int64_t warpgroupBytes(const KernelShape &shape, tile::ScheduleAttr schedule) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  ArrayRef<int64_t> tile = schedule.getTile();
  SlotBytes slot = slotBytes(shape, options, tile[tile.size() - 2], tile.back(), schedule.getReduce());
  int64_t ring = schedule.getStages() * slot.ring, slots = schedule.getStages();
  if (slot.raw && options.roles != tile::Roles::None && options.copy != tile::CopyUnit::Plain) {
    ring += options.rawStages * slot.raw;
    slots += options.rawStages;
  }
  int64_t slices = 0, result = tile[tile.size() - 2] * tile.back() * shape.storedBytes;
  bool inRing = !options.persistent && options.splitK == 1 && waitsInRing(shape) && result <= ring;
  if (options.store == tile::StoreUnit::Bulk && !inRing)
    slices = 16 * schedule.getWarps() * options.instances() *
             std::min(kSpanBytes * shape.stores, tile.back() * shape.storedBytes);
  // Parts of sums come while the rings are in use.
  int64_t exchanged =
      options.splitK > 1 ? exchangedBytes(shape, tile[tile.size() - 2], tile.back()) + kBarrierBytes : 0;
  return ring + slices + exchanged + slots * kBarrierBytes;
}

/// Registers that a warp's products need beside their accumulators.
static constexpr int64_t kOtherRegisters = 24;

/// Whether the accumulators of several products fit; the attribute's verifier knows those of one.
static LogicalResult checkAccumulators(graph::KernelOp kernel, const KernelShape &shape,
                                       tile::ScheduleAttr schedule) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t warps = schedule.getWarps();
  int64_t threads = 32 * (warps * options.instances() + options.loadingWarps());
  int64_t accumulators = shape.products() * tile[tile.size() - 2] * tile.back() / (32 * warps);
  int64_t registers =
      options.consumerRegisters ? options.consumerRegisters : tile::startingRegisters(threads);
  if (shape.products() > 1 && accumulators + kOtherRegisters > registers)
    return kernel.emitError() << "the schedule's tile gives a thread " << accumulators
                              << " accumulators of the kernel's " << shape.products() << " products and "
                              << kOtherRegisters << " other registers, but it has " << registers;
  return success();
}

/// What a warpgroup's product asks of its operands; the attribute's verifier knows the shapes.
static LogicalResult checkWarpgroups(graph::KernelOp kernel, const KernelShape &shape,
                                     tile::ScheduleAttr schedule) {
  int64_t k = schedule.getReduce();
  Type type = shape.operandType;
  if (!usesTensorCores(type, shape.tf32 || shape.splits))
    return kernel.emitError() << "the schedule has product = wgmma, which multiplies 16-bit floats, tf32 and "
                                 "bytes; the kernel's operands are "
                              << type;
  if (shape.wideSums)
    return kernel.emitError() << "the schedule has product = wgmma, which sums in 32 bits; the kernel's sums "
                                 "have 64";
  int64_t step = kWarpgroupStepBytes / (tile::storageBits(type) / 8);
  if (k % step)
    return kernel.emitError() << "the schedule takes " << k << " of K at a time, a warpgroup's product of "
                              << type << " multiples of " << step;
  if (int64_t n = schedule.getTile().back(); type.isInteger(8) && n % 16)
    return kernel.emitError() << "the schedule's tile has " << n
                              << " columns, a warpgroup's product of bytes multiples of 16";
  if (schedule.getOptions().copy == tile::CopyUnit::Bulk && !shape.bulkOperands)
    return kernel.emitError() << "the schedule has copy = bulk, and no tensor map describes an operand whose "
                                 "strides are not whole 16 bytes, one of them 1";
  bool byThreads = !shape.bulkOperands || schedule.getOptions().copy == tile::CopyUnit::Plain ||
                   schedule.getOptions().copy == tile::CopyUnit::CpAsync;
  if (byThreads && !llvm::isPowerOf2_64(k))
    return kernel.emitError() << "the schedule takes " << k
                              << " of K at a time, which threads copy here: it must be a power of two";
  bool leftAlongK = schedule.getOptions().swapOperands ? shape.rhsAlongK : shape.lhsAlongK;
  if (schedule.getOptions().left == tile::LeftOperand::Registers && !leftAlongK && !llvm::isPowerOf2_64(k))
    return kernel.emitError() << "the schedule takes " << k
                              << " of K at a time, which warps bring to registers from across the rows here: "
                                 "it must be a power of two";
  if (schedule.getWarpGrid().back() > 1 &&
      !(schedule.getOptions().swapOperands ? shape.lhsAlongK : shape.rhsAlongK))
    return kernel.emitError() << "the schedule has warpgroups along N, which take 8 columns in turn of an "
                                 "operand that must lie along K";
  if (failed(checkAccumulators(kernel, shape, schedule)))
    return failure();
  int64_t bytes = warpgroupBytes(shape, schedule), most = std::min(shape.sharedLimit, kMostSharedBytes);
  if (bytes > most)
    return kernel.emitError() << "the schedule's " << schedule.getStages() << " stages need " << bytes
                              << " bytes of shared memory, a block can have " << most;
  const tile::ScheduleOptions &options = schedule.getOptions();
  if (options.clusterM * options.clusterN > 1 && byThreads)
    return kernel.emitError()
           << "the schedule has clusters, whose blocks share what bulk copies bring, and threads "
              "copy here";
  if (options.clusterN > 1 && options.left == tile::LeftOperand::Registers)
    return kernel.emitError()
           << "the schedule has clusters along N, whose blocks share the left operand, and "
              "left = registers, which each block brings for itself";
  // Blocks along M share the right operand: each copies a part of its rows of the tile, and the other way
  // round.
  ArrayRef<int64_t> tile = schedule.getTile();
  if (tile.back() < 8 * options.clusterM || tile[tile.size() - 2] < 8 * options.clusterN)
    return kernel.emitError() << "the schedule's tile of " << tile[tile.size() - 2] << "x" << tile.back()
                              << " has no group of 8 for each block of a cluster of " << options.clusterM
                              << "x" << options.clusterN << " to copy";
  // Of an operand that lies across K each copies some of its spans, or a part of their steps of K.
  bool rightAlongK = options.swapOperands ? shape.lhsAlongK : shape.rhsAlongK;
  for (auto [alongK, size, blocks] : {std::tuple(rightAlongK, tile.back(), options.clusterM),
                                      std::tuple(leftAlongK, tile[tile.size() - 2], options.clusterN)}) {
    int64_t bytes = size * (tile::storageBits(type) / 8), span = std::min(kSpanBytes, bytes & -bytes);
    if (!alongK && bytes / span % blocks && k < 8 * blocks)
      return kernel.emitError() << "the schedule takes " << k
                                << " of K at a time of an operand that lies across K, "
                                << "which has no group of 8 for each of " << blocks
                                << " blocks of a cluster to copy";
  }
  auto [lhsConverts, rhsConverts] = convertedOperands(shape, options);
  if ((lhsConverts || rhsConverts) && options.roles != tile::Roles::None && options.consumerRegisters &&
      tile::converterRegisters(schedule) < tile::kLeastRoleRegisters)
    return kernel.emitError() << "the schedule has registers = [" << options.producerRegisters << ", "
                              << options.consumerRegisters
                              << "], which leaves too few to the warps that convert an operand here";
  if ((lhsConverts || rhsConverts) && options.copy != tile::CopyUnit::Plain &&
      !options.loadersDivideRawStages())
    return kernel.emitError() << "the schedule's " << options.loaders
                              << " loaders take slots in turn of the ring of an operand that warps convert "
                                 "here: raw_stages must be a multiple, got "
                              << options.rawStages;
  if ((lhsConverts || rhsConverts) && options.clusterM * options.clusterN > 1)
    return kernel.emitError() << "the schedule has clusters, whose blocks share what bulk copies bring, and "
                                 "warps convert an operand here";
  if (shape.promotion && k > shape.promotion)
    return kernel.emitError() << "the schedule sums " << k << " of K in tensor cores, promotion allows "
                              << shape.promotion;
  return success();
}

/// A list of tiles has those of one matrix of the result, or its clusters of them.
static LogicalResult checkOrder(graph::KernelOp kernel, const KernelShape &shape,
                                tile::ScheduleAttr schedule) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  size_t rank = shape.extents.size();
  int64_t m = shape.extents[rank - 3], n = shape.extents[rank - 2];
  if (options.swapOperands)
    std::swap(m, n);
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t rows = llvm::divideCeil(llvm::divideCeil(m, tile[tile.size() - 2]), options.clusterM),
          columns = llvm::divideCeil(llvm::divideCeil(n, tile.back()), options.clusterN);
  if (!options.list.empty() && (int64_t)options.list.size() != rows * columns)
    return kernel.emitError() << "the schedule's list has " << options.list.size()
                              << " tiles, the kernel's result " << rows << "x" << columns;
  if (options.hilbert && rows * columns > kMostListed)
    return kernel.emitError() << "the schedule has order = hilbert for " << rows << "x" << columns
                              << " tiles, lists have up to " << kMostListed;
  return success();
}

LogicalResult tilewright::checkProductSchedule(graph::KernelOp kernel, const KernelShape &shape,
                                               tile::ScheduleAttr schedule) {
  if (failed(checkOrder(kernel, shape, schedule)))
    return failure();
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t m = tile[tile.size() - 2], n = tile[tile.size() - 1], k = schedule.getReduce();
  tile::ProductUnit unit = schedule.getOptions().product;
  if (unit == tile::ProductUnit::Wgmma)
    return checkWarpgroups(kernel, shape, schedule);
  if (schedule.getOptions().persistent)
    return kernel.emitError()
           << "the schedule has persistent blocks, which products of single warps do not take";
  if (!usesTensorCores(shape) || unit == tile::ProductUnit::Fma) {
    // Slices of the operands lie in shared memory as the accumulators lie in registers.
    for (auto [d, size] : llvm::enumerate(tile))
      if (!llvm::isPowerOf2_64(size))
        return kernel.emitError() << "the schedule's tile has size " << size << " in dimension " << d
                                  << " of a product without matrix instructions; it must be a power of two";
    if (!llvm::isPowerOf2_64(k))
      return kernel.emitError() << "the schedule takes " << k
                                << " of K at a time, without matrix instructions it must be a power of two";
    return success();
  }
  int64_t stepK = shape.operandType.isF32() ? 8 : shape.operandType.isInteger(8) ? 32 : 16;
  if (m % 16 || n % 8 || k % stepK)
    return kernel.emitError() << "the schedule's tile shape " << m << "x" << n << "x" << k
                              << " is not a multiple of mma shape 16x8x" << stepK;
  return success();
}
