// The schedule of a kernel's tuning record. A record whose schedule the kernel can no longer have is stale: a
// remark says why, and the model chooses.
#include "KernelTiler.h"

#include "Tilewright/Analysis/KernelContent.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tilewright;

LogicalResult KernelTiler::checkSchedule(tile::ScheduleAttr candidate) {
  bool isMatmul = indexing.anchor == graph::Anchor::Matmul;
  const tile::ScheduleOptions &options = candidate.getOptions();
  tile::ScheduleOptions ofAnyKernel;
  ofAnyKernel.dependentLaunch = options.dependentLaunch;
  ofAnyKernel.persistent = options.persistent;
  ofAnyKernel.splitK = options.splitK;
  ofAnyKernel.lookBack = options.lookBack && !isMatmul;
  ofAnyKernel.keepTables = options.keepTables && !isMatmul;
  ofAnyKernel.alignRows = options.alignRows && !isMatmul;
  if (!isMatmul && options != ofAnyKernel)
    return kernel.emitError() << "the schedule " << candidate
                              << " says how a product is formed, and the kernel has none";
  size_t wanted = dims.size() - (isMatmul ? 1 : 0);
  if (candidate.getTile().size() != wanted)
    return kernel.emitError() << "the schedule has " << candidate.getTile().size()
                              << " tile sizes, the kernel's domain " << wanted << " dimensions";
  if (failed(checkInOrder(candidate)))
    return failure();
  if (options.skipSteps)
    return kernel.emitError() << "the schedule has skip_steps, which leaves out steps of a chain of products";
  if (options.overlapSteps)
    return kernel.emitError()
           << "the schedule has overlap_steps, which lets one of a chain's products run beside "
              "the other one of the step before";
  if (options.alignRows && failed(checkAlignedRows(candidate)))
    return failure();
  if (options.lookBack) {
    std::string why = whyNoLookBack(candidate);
    return why.empty() ? LogicalResult(success())
                       : kernel.emitError() << "the schedule has look_back: " << why;
  }
  if (options.keepTables)
    return isMatmul ? kernel.emitError() << "the schedule has keep_tables, and products gather from no table"
                    : checkTables(candidate);
  if (!isMatmul)
    return options.splitK > 1 ? LogicalResult(sharedDim(candidate)) : success();
  if (options.splitK > 1 && options.product != tile::ProductUnit::Wgmma)
    return kernel.emitError() << "the schedule has split_k = " << options.splitK
                              << ", which products take on warpgroups alone";
  for (size_t d = 0; d + 3 < dims.size(); ++d)
    if (candidate.getTile()[d] != 1)
      return kernel.emitError() << "the schedule's tile has size " << candidate.getTile()[d]
                                << " in batch dimension " << d << " of a product; it must be 1";
  if (indexing.groups()) {
    // Tiles begin where groups do, and end where these end. Blocks that take several leave at the first one
    // that has no rows: in any other order some that have would follow.
    tile::ScheduleOptions plain = options;
    plain.streamK = 0;
    if (options.group)
      plain.persistent = 0;
    plain.hilbert = plain.deferStores = plain.dependentLaunch = false;
    plain.list.clear();
    plain.splitK = plain.clusterM = plain.clusterN = 1;
    if (plain != options || (options.instances() > 1 && !options.persistent))
      return kernel.emitError() << "the schedule " << candidate
                                << " is for rows that lie in tiles one after another; "
                                << "rows by groups take blocks of one tile, or tiles row after row";
  }
  // Blocks wait for one another: all must be there at once, one a multiprocessor at least.
  if (arch && options.streamK && options.persistent > (int64_t)arch->numSMs)
    return kernel.emitError() << "the schedule has stream_k and " << options.persistent
                              << " persistent blocks, which wait for one another; " << arch->name << " has "
                              << arch->numSMs << " multiprocessors";
  return checkProductSchedule(kernel, describe(), candidate);
}

/// Kernels are measured alone, where it makes no difference whether they may start early: records say nothing
/// of that.
tile::ScheduleAttr KernelTiler::launchedEarly(tile::ScheduleAttr schedule) {
  if (indexing.anchor != graph::Anchor::Matmul)
    return launchedInChain(schedule);
  tile::ScheduleOptions options = schedule.getOptions();
  auto [lhsConverts, rhsConverts] = convertedOperands(describe());
  if (!arch->dependentLaunch || indexing.groups() || options.roles == tile::Roles::None || lhsConverts ||
      rhsConverts)
    return schedule;
  options.dependentLaunch = true;
  return tile::ScheduleAttr::get(kernel.getContext(), schedule.getTile(), schedule.getReduce(),
                                 schedule.getWarps(), schedule.getWarpGrid(), schedule.getStages(), options);
}

tile::ScheduleAttr KernelTiler::recordedSchedule() {
  if (!records || !arch)
    return {};
  const tuner::Record *record = records->find(arch->name, contentOf(kernel).digest);
  if (!record)
    return {};
  std::string why;
  tile::ScheduleAttr found;
  {
    ScopedDiagnosticHandler handler(kernel.getContext(), [&](Diagnostic &diagnostic) {
      if (why.empty())
        why = diagnostic.str();
      return success();
    });
    found = dyn_cast_or_null<tile::ScheduleAttr>(parseAttribute(record->schedule, kernel.getContext()));
    if (found && succeeded(checkSchedule(found)))
      why.clear();
    else if (why.empty())
      why = "it is no schedule";
  }
  if (!why.empty()) {
    emitRemark(kernel, Remark::RecordStale, record->line, why);
    return {};
  }
  emitRemark(kernel, Remark::ScheduleRecorded, found, record->microseconds, record->line);
  return launchedEarly(found);
}
