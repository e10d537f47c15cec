// Schedules of products on warpgroups (wgmma), and a model of the time that they take: what is chosen among
// them, and whether they beat the matrix instruction of single warps.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H

#include "ChooseSchedule.h"

#include "Tilewright/Conversion/Schedules.h"

namespace tilewright {

/// Schedules of a product on the warpgroups of `arch`; none where its operands do not allow it. `unmeasured`:
/// also of kinds that the model does not choose (stream_k, clusters that share an operand) or whose model
/// nobody has compared with a chip, for those who measure.
llvm::SmallVector<ModelledSchedule> warpgroupSchedules(mlir::MLIRContext *context, const KernelShape &shape,
                                                       const Arch &arch, bool unmeasured = false);

/// The time of a product under a schedule: on warpgroups, on the matrix instruction of single warps, or on
/// the fma units. `corrected`: by what was learned of single products on warpgroups (ProductCorrection.h),
/// which is not to be compared with the times of other kinds of kernels.
double modelProduct(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch,
                    bool corrected = true);

/// Whether the time is of the kind whose correction was fitted: one product of 16 bits by warpgroups, whose
/// rings the tensor memory accelerator fills and whose tiles are whole.
bool isCorrected(tile::ScheduleAttr schedule, const KernelShape &shape);

/// Schedules of a product by single warps: the default one, and of 16-bit operands that lie in whole 16 bytes
/// others, whose rings hold as much of K as there is.
llvm::SmallVector<tile::ScheduleAttr> warpSchedules(mlir::MLIRContext *context, const KernelShape &shape,
                                                    const Arch &arch);

/// Whether the schedule is one of single warps that copy 16 bytes at a time and take few steps of K.
bool isAlignedByWarps(tile::ScheduleAttr schedule, const KernelShape &shape);

/// Whether the result of a block of one tile waits for its bulk store where the block's ring was, if it fits
/// there (tile-stage-stores).
bool waitsInRing(const KernelShape &shape);

/// Shared memory, in bytes, in which a block gets the sums that other blocks have of its tile
/// (tile-sum-blocks).
int64_t exchangedBytes(const KernelShape &shape, int64_t rows, int64_t columns);

/// Bytes of shared memory that a step of K takes of the ring that products read, of a tile of so many rows of
/// the left operand and columns of the right one, and of the ring of what is converted on its way.
struct SlotBytes {
  int64_t ring, raw;
};
SlotBytes slotBytes(const KernelShape &shape, const tile::ScheduleOptions &options, int64_t rows,
                    int64_t columns, int64_t reduce);

/// Blocks of a multiprocessor by what their roles' registers and their rings take.
int64_t residentBlocks(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch);

/// Blocks, one a multiprocessor, that run at once in clusters of `blocks`: a cluster lies in one group of
/// multiprocessors, whose number is no multiple of it (an H200 takes 30 clusters of 4, and 15 of 8).
int64_t blocksAtOnce(const Arch &arch, int64_t blocks);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H
