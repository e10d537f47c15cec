// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchCost.h"

#include "Tilewright/Analysis/Occupancy.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilewright;

static ptx::LaunchAttr launchOf(LLVM::LLVMFuncOp function) {
  return function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
}

LLVM::LLVMFuncOp tilewright::functionOf(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (::launchOf(function))
      return function;
  return {};
}

ptx::LaunchAttr tilewright::launchOf(gpu::GPUModuleOp module) {
  LLVM::LLVMFuncOp function = functionOf(module);
  return function ? ::launchOf(function) : ptx::LaunchAttr();
}

/// How often the longest loop of a kernel goes round.
static uint64_t roundsOf(LLVM::LLVMFuncOp function) {
  auto rounds = function->getAttrOfType<IntegerAttr>(kRoundsAttrName);
  return rounds && rounds.getType().isSignlessInteger(64) ? (uint64_t)std::max<int64_t>(rounds.getInt(), 1)
                                                          : 1;
}

uint64_t tilewright::executedInstructions(LLVM::LLVMFuncOp function, const KernelResources &resources) {
  return resources.instructions + (roundsOf(function) - 1) * resources.inLoops;
}

KernelCost tilewright::costOf(plan::LaunchOp launch, LLVM::LLVMFuncOp function,
                              ArrayRef<AssembledKernel> images, const Arch &arch) {
  ptx::LaunchAttr shape = ::launchOf(function);
  auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName());
  KernelCost counts{std::string_view(cost.getUnit().data(), cost.getUnit().size()), (uint64_t)cost.getFlops(),
                    (uint64_t)cost.getRead(), (uint64_t)cost.getWritten(), (uint64_t)shape.numBlocks()};
  // Indices that select elements of large tensors take sectors of memory for them.
  // Parts that are interleaved find there what others have read.
  if (auto moved = launch->getAttrOfType<DenseI64ArrayAttr>(plan::kTrafficAttrName); moved && !moved.empty())
    counts.bytesRead = launch->hasAttr(plan::PlanDialect::getSlicesAttrName())
                           ? (uint64_t)moved[0]
                           : std::max(counts.bytesRead, (uint64_t)moved[0]);
  auto beside = function->getAttrOfType<IntegerAttr>(kBesideAttrName);
  if (beside && beside.getType().isSignlessInteger(64) && beside.getInt() > 0)
    counts.bytesBeside = (uint64_t)beside.getInt();
  counts.rounds = roundsOf(function);
  // Products load ahead.
  counts.takesTurns = cost.getAnchor() != "matmul";
  // A block of a merged kernel goes through the code of one of its parts.
  auto parts = launch->getAttrOfType<ArrayAttr>(plan::PlanDialect::getPartsAttrName());
  for (const AssembledKernel &image : images)
    if (image.name == function.getName() && image.arch == &arch && image.resources) {
      counts.ofThread = image.resources->instructions / (parts ? parts.size() : 1);
      counts.instructions = executedInstructions(function, *image.resources) / (parts ? parts.size() : 1) *
                            shape.getBlock() * shape.numBlocks();
      if (auto ofParts = function->getAttrOfType<DenseI64ArrayAttr>(kPartInstructionsAttrName);
          ofParts && ofParts.size() == 2) {
        counts.instructions = (uint64_t)ofParts[0];
        counts.ofThread = (uint64_t)ofParts[1];
      }
      KernelOccupancy found =
          *occupancyOf(arch, function, image.resources->registers, image.resources->staticShared);
      counts.resident = found.resident.blocksPerSM;
      counts.residentWarps = counts.resident * llvm::divideCeil((uint64_t)shape.getBlock(), 32u);
      counts.bytesInFlight = (uint64_t)found.bytesInFlight;
    }
  return counts;
}
