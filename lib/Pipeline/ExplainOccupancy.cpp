// What a kernel is bound by follows from the costs on its first launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExplainOccupancy.h"
#include "Tilewright/Analysis/Occupancy.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Pipeline/Roofline.h"
#include "Tilewright/Remarks/Remarks.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;

/// Above this share of resident warps nobody asks why there are not more.
static constexpr double kFewWarps = 0.5;

static void explain(LLVM::LLVMFuncOp function, const KernelOccupancy &kernel, plan::CostAttr cost,
                    const Arch &arch) {
  Prediction prediction =
      predict(arch, {std::string_view(cost.getUnit()), (uint64_t)cost.getFlops(), (uint64_t)cost.getRead(),
                     (uint64_t)cost.getWritten(), kernel.blocks});
  std::string limiter = kernel.limiter(prediction.bound, arch);
  auto percent = (int64_t)std::lround(100 * kernel.resident.warpFraction);
  auto bytes = (int64_t)kernel.bytesInFlight, needed = (int64_t)kernel.bytesNeeded;
  const char *limit = occupancyLimitName(kernel.resident.limit);
  if (limiter == "tail")
    emitRemark(function, Remark::Tail, kernel.blocks, kernel.waves, arch.name,
               (int64_t)std::lround(100 * kernel.tail));
  if (std::string_view(prediction.bound) != "memory" || cost.getRead() < cost.getWritten() / 4)
    return; // stores wait for nothing
  if (!kernel.saturatesMemory())
    emitRemark(function, Remark::OccupancyShort, bytes, arch.name, needed,
               (int64_t)std::lround(100 * kernel.memoryShare()), percent, limit);
  else if (kernel.resident.warpFraction <= kFewWarps)
    emitRemark(function, Remark::OccupancyKept, percent, arch.name, limit, bytes, needed);
}

void tilewright::explainOccupancy(ModuleOp module, ArrayRef<AssembledKernel> kernels) {
  if (!remarksEnabled(module.getContext()))
    return;
  llvm::StringMap<plan::CostAttr> costs;
  module.walk([&](plan::LaunchOp launch) {
    auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName());
    for (FlatSymbolRefAttr name : launch.getKernels())
      costs.try_emplace(name.getValue(), cost);
  });
  for (const AssembledKernel &image : kernels) {
    LLVM::LLVMFuncOp function = plan::kernelFunction(module, image.name);
    plan::CostAttr cost = costs.lookup(image.name);
    if (!function || !cost || !image.resources)
      continue;
    std::optional<KernelOccupancy> kernel =
        occupancyOf(*image.arch, function, image.resources->registers, image.resources->staticShared);
    if (kernel && kernel->resident.blocksPerSM)
      explain(function, *kernel, cost, *image.arch);
  }
}
