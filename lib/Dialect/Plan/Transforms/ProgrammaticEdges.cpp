// plan-programmatic-edges: a kernel that waits for its predecessors itself need not be launched after their
// end. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Target/Cuda/Arch.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_PROGRAMMATICEDGES
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

static bool anyKernelWaits(LaunchOp launch) {
  return llvm::any_of(launch.getKernels(), [&](FlatSymbolRefAttr name) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    return function && ptx::waitsForPrerequisites(function);
  });
}

/// Whether all blocks of a kernel run at once on the chip. What starts early beside more blocks than that
/// takes the place of those that have yet to come: measured, that costs more than the launch.
static bool runsAtOnce(LaunchOp launch, const Arch &arch) {
  int64_t most = (int64_t)arch.numSMs * (int64_t)arch.threadsPerSM;
  return llvm::all_of(launch.getKernels(), [&](FlatSymbolRefAttr name) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    auto shape = function ? function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName())
                          : ptx::LaunchAttr();
    return !shape || (int64_t)shape.numBlocks() * (int64_t)shape.getBlock() <= most;
  });
}

/// Whether a wait stands behind `op` in its block.
static bool waitFollows(Operation *op) {
  while ((op = op->getNextNode()))
    if (ptx::isGridWait(op))
      return true;
  return false;
}

/// What a launch reads that no launch writes has to be so many times what others write: a product's matrix
/// beside its row.
static constexpr int64_t kSteadyShare = 4;

/// Whether all kernels of the launch ask global memory for something before they wait, and most of what it
/// reads is written by no launch. Then what starts early is not idle: its loads follow the last ones of the
/// kernel before.
static bool loadsBeforeItWaits(LaunchOp launch) {
  int64_t steady = 0, written = 0;
  for (Value arg : launch.getArgs())
    if (auto buffer = dyn_cast<BufferType>(arg.getType()))
      (isa_and_nonnull<InputOp, WeightOp>(arg.getDefiningOp()) ? steady : written) += buffer.getBytes();
  if (steady < kSteadyShare * written)
    return false;
  return llvm::all_of(launch.getKernels(), [&](FlatSymbolRefAttr name) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    return function && function
                           .walk([&](Operation *op) {
                             auto load = dyn_cast<LLVM::LoadOp>(op);
                             bool isGlobal = load && load.getAddr().getType().getAddressSpace() == 1;
                             return isGlobal && waitFollows(load) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
                           })
                           .wasInterrupted();
  });
}

namespace {
struct ProgrammaticEdges : plan::impl::ProgrammaticEdgesBase<ProgrammaticEdges> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation()->emitError() << error;
      return signalPassFailure();
    }
    getOperation().walk([&](LaunchOp launch) {
      if (!launch.hasBuffers() || launch.getAfter().empty() || !launch.getProgrammatic().empty())
        return;
      // Events are in program order: the last one is that of the nearest predecessor.
      Value event = launch.getAfter().back();
      auto before = event.getDefiningOp<LaunchOp>();
      if (!before || !anyKernelWaits(launch) || (!runsAtOnce(before, *arch) && !loadsBeforeItWaits(launch)))
        return;
      launch.getAfterMutable().erase(launch.getAfter().size() - 1);
      launch.getProgrammaticMutable().append(event);
      ++edges;
    });
  }
};
} // namespace
