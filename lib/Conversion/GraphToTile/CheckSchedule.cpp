// What a schedule must keep for the kernel that it is on. A schedule that is taken here is carried out by
// every later stage: what they cannot do is refused now, with the numbers.
#include "ChooseSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

LogicalResult tilewright::checkProductSchedule(graph::KernelOp kernel, const KernelShape &shape,
                                               tile::ScheduleAttr schedule) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t m = tile[tile.size() - 2], n = tile[tile.size() - 1], k = schedule.getReduce();
  tile::ProductUnit unit = schedule.getOptions().product;
  if (unit == tile::ProductUnit::Wgmma)
    return success(); // the attribute's verifier knows its shapes
  if (!usesTensorCores(shape.operandType, shape.tf32) || unit == tile::ProductUnit::Fma) {
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
  int64_t stepK = shape.operandType.isF32() ? 8 : 16;
  if (m % 16 || n % 8 || k % stepK)
    return kernel.emitError() << "the schedule's tile shape " << m << "x" << n << "x" << k
                              << " is not a multiple of mma shape 16x8x" << stepK;
  return success();
}
