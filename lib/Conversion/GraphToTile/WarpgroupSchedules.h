// Schedules of products on warpgroups (wgmma), and a model of the time that they take: what is chosen among
// them, and whether they beat the matrix instruction of single warps.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H

#include "ChooseSchedule.h"

#include "Tilewright/Target/Cuda/Arch.h"

namespace tilewright {

/// A schedule and the time that the model gives it.
struct ModelledSchedule {
  tile::ScheduleAttr schedule;
  double microseconds = 0;
};

/// Schedules of a product on the warpgroups of `arch`, the fastest first; none where its operands do not
/// allow it.
llvm::SmallVector<ModelledSchedule> warpgroupSchedules(mlir::MLIRContext *context, const KernelShape &shape,
                                                       const Arch &arch);

/// The time of a schedule on the matrix instruction of single warps.
double modelWarpProduct(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_WARPGROUPSCHEDULES_H
