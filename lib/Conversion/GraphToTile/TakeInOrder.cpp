// Rows whose elements are taken from the first to the last (Analysis/InOrder.h): a tile has one element along
// them, so that no threads share a row and every step of the loop adds one element to what the steps before
// it left. Blocks are one warp, whose threads have rows of their own.
#include "KernelTiler.h"

#include "Tilewright/Analysis/InOrder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

tile::ScheduleAttr KernelTiler::inOrderSchedule() {
  if (llvm::none_of(ops, isInOrder))
    return {};
  constexpr int64_t threads = 32;
  SmallVector<int64_t> tile(dims.size(), 1);
  int64_t taken = 1;
  for (size_t d = dims.size(); d-- > 0 && taken < threads;)
    if (!dims[d].reduced) {
      tile[d] = std::min<int64_t>(threads / taken, (int64_t)llvm::PowerOf2Ceil((uint64_t)dims[d].extent));
      taken *= tile[d];
    }
  return tile::ScheduleAttr::get(kernel.getContext(), tile, 1, 1, SmallVector<int64_t>(dims.size(), 1), 1);
}

LogicalResult KernelTiler::checkInOrder(tile::ScheduleAttr candidate) {
  if (llvm::none_of(ops, isInOrder))
    return success();
  if (candidate.getStages() != 1 || candidate.getOptions().splitK > 1)
    return kernel.emitError() << "the schedule " << candidate
                              << " takes several tiles of a row at a time, whose elements are taken in order";
  for (auto [size, dim] : llvm::zip(candidate.getTile(), dims))
    if (dim.reduced && size != 1)
      return kernel.emitError() << "the schedule's tile has " << size
                                << " elements of a row whose elements are taken in order; it must be 1";
  return success();
}
