// Rows that stay in the shared memory of a cluster, where several come to each place of the chip: as many
// clusters as are resident take them in turn, and ask for the next one while they store the last. A cluster
// that starts anew waits for all of its blocks' places, and for its first tiles. Rows of one block have a new
// one each.

#include "ChooseSchedule.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Registers of a thread that goes over such rows.
static constexpr int64_t kThreadRegisters = 48;
/// Shared memory of a block beside the row: partial results of its warps and of other blocks.
static constexpr int64_t kPartialBytes = 512;
/// Multiprocessors that lie together and form clusters: at least so many; the others of such a group may be
/// too few for one more.
static constexpr int64_t kGroupedProcessors = 16;
/// Rows of a place from which on taking them in turn is worth it.
static constexpr int64_t kLeastTurns = 3;

tile::ScheduleAttr tilewright::rowsInTurn(tile::ScheduleAttr schedule, const KernelShape &shape,
                                          const Arch &arch) {
  int looped = -1;
  int64_t rows = 1, together = 1;
  for (int64_t d = 0, rank = (int64_t)shape.extents.size(); d < rank; ++d) {
    int64_t tile = schedule.getTile()[d];
    if (!shape.reduced[d]) {
      rows *= (int64_t)llvm::divideCeil(shape.extents[d], tile);
      together *= tile;
    } else if (tile < shape.extents[d]) {
      looped = (int)d;
    }
  }
  int64_t blocks = looped < 0 || schedule.getOptions().splitK > 1
                       ? 0
                       : rowBlocks(shape, shape.extents[looped], schedule.getTile()[looped], together);
  if (shape.anchor != graph::Anchor::Reduction || blocks < 2)
    return schedule;
  int64_t part = (int64_t)llvm::alignTo(shape.extents[looped] / blocks, schedule.getTile()[looped]);
  int64_t bytes = part * together * shape.keptBytes + kPartialBytes + (int64_t)arch.sharedReservedBytes;
  int64_t threads = 32 * schedule.getWarps();
  int64_t resident = std::min({(int64_t)arch.sharedBytesPerSM / bytes, (int64_t)arch.threadsPerSM / threads,
                               (int64_t)arch.registersPerSM / (kThreadRegisters * threads)});
  int64_t places = (int64_t)arch.numSMs / kGroupedProcessors * (kGroupedProcessors * resident / blocks);
  if (places < 1 || rows < kLeastTurns * places)
    return schedule;
  // No more of them than give each as many rows as the one that has most.
  int64_t turns = (int64_t)llvm::divideCeil(rows, places);
  tile::ScheduleOptions options = schedule.getOptions();
  options.persistent = (int64_t)llvm::divideCeil(rows, turns) * blocks;
  return tile::ScheduleAttr::get(schedule.getContext(), schedule.getTile(), schedule.getReduce(),
                                 schedule.getWarps(), schedule.getWarpGrid(), schedule.getStages(), options);
}
