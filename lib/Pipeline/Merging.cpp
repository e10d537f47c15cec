// Mostly no merged kernel spills, and the first turn is the last. What ptxas says in a turn that is taken
// back is not told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Merging.h"
#include "BackOff.h"
#include "CompileAgain.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tilewright;

/// Adds the parts of merged kernels that spill to those that stay alone; whether there are any.
static bool findSpillingParts(ModuleOp module, ArrayRef<AssembledKernel> kernels,
                              std::vector<std::string> &alone) {
  auto merged = plan::partsOfKernels(module);
  bool found = false;
  for (const AssembledKernel &image : kernels) {
    auto parts = merged.find(image.name);
    unsigned bytes = spillsOf(image);
    if (parts == merged.end() || bytes <= kHarmlessSpills)
      continue;
    found = true;
    emitRemark(module.lookupSymbol(image.name), Remark::MergeUndone, image.name, bytes, image.arch->name);
    for (plan::PartAttr part : parts->second)
      alone.push_back(part.getKernel().str());
  }
  return found;
}

FailureOr<std::vector<AssembledKernel>>
tilewright::runPtxStageOfMerged(OwningOpRef<ModuleOp> &module, ModuleOp lowered, const StageOptions &stages,
                                std::string &toolchain, Assembler::Statistics *statistics) {
  MLIRContext *context = module->getContext();
  TargetStage target = stages.target;
  // Parts that are apart stay so: each turn has fewer that can be merged.
  while (true) {
    std::vector<Diagnostic> held;
    FailureOr<std::vector<AssembledKernel>> kernels = failure();
    {
      ScopedDiagnosticHandler hold(context, [&](Diagnostic &diagnostic) {
        held.push_back(std::move(diagnostic));
        return success();
      });
      kernels = runPtxStage(*module, stages.ptx, toolchain, statistics);
    }
    if (failed(kernels) || !findSpillingParts(*module, *kernels, target.alone)) {
      for (Diagnostic &diagnostic : held)
        context->getDiagEngine().emit(std::move(diagnostic));
      return kernels;
    }
    OwningOpRef<ModuleOp> again(lowered.clone());
    PassManager pm(context, ModuleOp::getOperationName());
    populateMerging(pm, target);
    if (failed(pm.run(*again)))
      return failure();
    module = std::move(again);
  }
}
