// Kernels for which ptxas has too few registers are scheduled again with smaller tiles or other blocks, and
// where that does not help become several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_BACKOFF_H
#define TILEWRIGHT_LIB_PIPELINE_BACKOFF_H

#include "CompileAgain.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright {

/// Spilled bytes (stored and loaded) up to which a kernel is left as it is.
inline constexpr unsigned kHarmlessSpills = 64;

/// The estimate of registers that schedules are chosen by (TileBudget.h) may be wrong; what ptxas reports is
/// not. Each of `kernels` that spills more than kHarmlessSpills goes through the tile, schedule, target and
/// ptx stages again, from its kernel in `fused` (the program as the fuse stage left it), with more warps for
/// its tile and with smaller tiles, until one of them spills nothing; the one that spills least takes its
/// place in `module` and `kernels`. Products keep their schedules. What still spills is cut into several
/// kernels where these take no longer by the model (SplitKernel.h). What was tried is said in remarks.
void backOffFromSpills(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                       std::vector<AssembledKernel> &kernels);

/// Products of warpgroups that ptxas lets wait for one another (C75xx), or that spill or take local memory,
/// lose what the model of products counts on. Each of `kernels` that is such a one, and whose schedule the
/// model chose, is compiled under those that it rejected, the fastest first, until one is not held up or is
/// modelled to be as slow as what holds up the first one makes it.
void backOffFromHeldProducts(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                             std::vector<AssembledKernel> &kernels);

/// Kernels of few warps whose threads have nearly all registers that there are leave a multiprocessor one
/// block, which hides none of its waits. Each of `kernels` that is such a one is compiled with twice the
/// warps for its tile, and stays so where nothing is spilled; one of fewer registers, of which a
/// multiprocessor has one block, too, where it is modelled to be faster. Products keep their schedules.
void backOffFromRegisters(mlir::ModuleOp module, mlir::ModuleOp fused, const StageOptions &stages,
                          std::vector<AssembledKernel> &kernels);

/// Whether `kernel` (of the fuse stage; it may be null) is one whose schedule the tile stage chooses, by a
/// rule, as it did for `target` (null: it is not there any more): neither the program nor a tuning record
/// says it.
bool isFree(graph::KernelOp kernel, mlir::gpu::GPUModuleOp target);

/// Whether a tuning record chose the schedule of the kernel in `target`.
bool isRecorded(mlir::gpu::GPUModuleOp target);

/// `schedule`, started and waiting for the kernels before it as the kernel of `image` does: a kernel alone
/// (below) is in no chain of launches.
tile::ScheduleAttr launchedAs(const AssembledKernel &image, tile::ScheduleAttr schedule);

/// The launch by which the kernel in `target` is modelled; null where nothing is counted of one, or where
/// variants of the program launch it.
plan::LaunchOp modelledLaunch(mlir::ModuleOp module, mlir::gpu::GPUModuleOp target);

/// `kernel` alone in a module: under a schedule, or (null) for the tile stage to choose one.
mlir::OwningOpRef<mlir::ModuleOp> alone(graph::KernelOp kernel, tile::ScheduleAttr schedule);

/// The schedule that the tile stage chooses; null where it refuses the kernel.
tile::ScheduleAttr usualSchedule(graph::KernelOp kernel, const StageOptions &stages);

/// Says of kernels that were compiled under a given schedule who chose it (kChosenAttrName).
void markChosen(CompiledKernels &compiled, llvm::StringRef by, std::optional<double> microseconds = {});

/// A kernel under a schedule.
struct ScheduledAgain {
  CompiledKernels compiled = {};
  tile::ScheduleAttr schedule = {};
};

/// The kernel under the schedule that spills least, where one spills less than `before` bytes; `usual` is
/// what the tile stage chose.
std::optional<ScheduledAgain> scheduleAgain(graph::KernelOp kernel, const StageOptions &stages,
                                            unsigned before, tile::ScheduleAttr &usual);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_BACKOFF_H
