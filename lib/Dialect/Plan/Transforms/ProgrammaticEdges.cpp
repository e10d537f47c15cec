// plan-programmatic-edges: a kernel that waits for its predecessors itself need not be launched after their
// end. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

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

/// Threads up to which all blocks of a kernel run at once on chips that we know. What starts early beside
/// more blocks than that takes the place of those that have yet to come: measured, that costs more than the
/// launch.
static constexpr int64_t kThreadsAtOnce = 132 * 2048;

static bool startsAtOnce(LaunchOp launch) {
  return llvm::all_of(launch.getKernels(), [&](FlatSymbolRefAttr name) {
    LLVM::LLVMFuncOp function = kernelFunction(launch, name.getValue());
    auto shape = function ? function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName())
                          : ptx::LaunchAttr();
    return !shape || (int64_t)shape.numBlocks() * (int64_t)shape.getBlock() <= kThreadsAtOnce;
  });
}

namespace {
struct ProgrammaticEdges : plan::impl::ProgrammaticEdgesBase<ProgrammaticEdges> {
  void runOnOperation() override {
    getOperation().walk([&](LaunchOp launch) {
      if (!launch.hasBuffers() || launch.getAfter().empty() || !launch.getProgrammatic().empty())
        return;
      // Events are in program order: the last one is that of the nearest predecessor.
      Value event = launch.getAfter().back();
      auto before = event.getDefiningOp<LaunchOp>();
      if (!before || !startsAtOnce(before) || !anyKernelWaits(launch))
        return;
      launch.getAfterMutable().erase(launch.getAfter().size() - 1);
      launch.getProgrammaticMutable().append(event);
      ++edges;
    });
  }
};
} // namespace
