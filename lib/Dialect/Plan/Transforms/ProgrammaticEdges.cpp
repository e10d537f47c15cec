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

namespace {
struct ProgrammaticEdges : plan::impl::ProgrammaticEdgesBase<ProgrammaticEdges> {
  void runOnOperation() override {
    getOperation().walk([&](LaunchOp launch) {
      if (!launch.hasBuffers() || launch.getAfter().empty() || !launch.getProgrammatic().empty())
        return;
      // Events are in program order: the last one is that of the nearest predecessor.
      Value event = launch.getAfter().back();
      if (!event.getDefiningOp<LaunchOp>() || !anyKernelWaits(launch))
        return;
      launch.getAfterMutable().erase(launch.getAfter().size() - 1);
      launch.getProgrammaticMutable().append(event);
      ++edges;
    });
  }
};
} // namespace
