// Mostly no merged kernel spills, and the first turn is the last. What ptxas says in a turn that is taken
// back is not told. Kernels that only read the same are interleaved at the end, when it is known which ones
// there are and what each takes: their parts are assembled by then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Merging.h"
#include "BackOff.h"
#include "CompileAgain.h"
#include "KernelCut.h"
#include "LaunchCost.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

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

/// What kernels that are interleaved may take of the modelled time of their launches. (H200, 57 random
/// programs, of their time with launches apart: 0.96 in the mean where a pair is modelled to take up to 0.95,
/// 0.90 where up to 1, 1.12 where more.)
static constexpr double kMostOfApart = 1;

/// Modelled microseconds of a launch of each kernel.
static llvm::StringMap<double> microsecondsByKernel(ModuleOp module, ArrayRef<AssembledKernel> kernels,
                                                    const Arch &arch) {
  llvm::StringMap<double> found;
  module.walk([&](plan::LaunchOp launch) {
    if (auto kernel = module.lookupSymbol<gpu::GPUModuleOp>(launch.getKernel()))
      found.try_emplace(launch.getKernel(), microsecondsOf(launch, kernel, kernels, arch));
  });
  return found;
}

/// Adds the parts of merged kernels among `added` that take longer than they do apart; whether there are any.
static bool findSlowParts(ModuleOp module, ArrayRef<AssembledKernel> added,
                          const llvm::StringMap<double> &apart, const Arch &arch,
                          std::vector<std::string> &alone) {
  llvm::StringMap<double> together = microsecondsByKernel(module, added, arch);
  llvm::StringSet<> names;
  for (const AssembledKernel &image : added)
    names.insert(image.name);
  bool found = false;
  for (auto &[name, parts] : plan::partsOfKernels(module)) {
    double sum = 0;
    for (plan::PartAttr part : parts)
      sum += apart.lookup(part.getKernel());
    if (!names.contains(name) || together.lookup(name) <= kMostOfApart * sum)
      continue;
    found = true;
    emitRemark(module.lookupSymbol(name), Remark::InterleaveUndone, name, together.lookup(name), sum);
    for (plan::PartAttr part : parts)
      alone.push_back(part.getKernel().str());
  }
  return found;
}

/// Says of the kernels that have been merged in `trial` what their parts, those of `module`, have all beside
/// their bytes and in instructions.
static void addParts(ModuleOp trial, ModuleOp module, ArrayRef<AssembledKernel> kernels, const Arch &arch) {
  Builder builder(trial.getContext());
  for (auto &[name, parts] : plan::partsOfKernels(trial)) {
    auto merged = trial.lookupSymbol<gpu::GPUModuleOp>(name);
    if (!merged || module.lookupSymbol(name))
      continue;
    int64_t beside = 0, all = 0, longest = 0;
    for (plan::PartAttr part : parts) {
      auto own = module.lookupSymbol<gpu::GPUModuleOp>(part.getKernel());
      LLVM::LLVMFuncOp function = functionOf(own);
      if (auto bytes = function->getAttrOfType<IntegerAttr>(kBesideAttrName))
        beside += bytes.getInt();
      for (const AssembledKernel &image : kernels)
        if (image.name == own.getName() && image.arch == &arch && image.resources) {
          ptx::LaunchAttr shape = launchOf(own);
          all += (int64_t)executedInstructions(function, *image.resources) * shape.getBlock() *
                 shape.numBlocks();
          longest = std::max(longest, (int64_t)image.resources->instructions);
        }
    }
    LLVM::LLVMFuncOp function = functionOf(merged);
    if (beside)
      function->setAttr(kBesideAttrName, builder.getI64IntegerAttr(beside));
    function->setAttr(kPartInstructionsAttrName, builder.getDenseI64ArrayAttr({all, longest}));
  }
}

LogicalResult tilewright::interleaveIndependent(OwningOpRef<ModuleOp> &module, const StageOptions &stages,
                                                std::vector<AssembledKernel> &kernels) {
  if (stages.target.interleaveLaunches != TargetStage::Interleaving::Independent || kernels.empty() ||
      llvm::any_of(kernels, [](const AssembledKernel &kernel) { return !kernel.resources; }))
    return success();
  MLIRContext *context = module->getContext();
  const Arch &arch = *stages.ptx.archs.front();
  llvm::StringMap<double> apart = microsecondsByKernel(*module, kernels, arch);
  plan::InterleaveLaunchesOptions options;
  options.target = arch.name;
  options.independent = true;
  std::vector<std::string> alone = stages.target.alone;
  // Parts that are apart stay so: each turn has fewer that can be interleaved.
  while (true) {
    options.alone.assign(alone.begin(), alone.end());
    OwningOpRef<ModuleOp> trial(module->clone());
    PassManager pm(context, ModuleOp::getOperationName());
    pm.addPass(plan::createInterleaveLaunches(options));
    TrialRemarks said;
    LogicalResult ran = failure();
    said.during(*context, [&] { ran = pm.run(*trial); });
    if (failed(ran))
      return failure();
    addParts(*trial, *module, kernels, arch);
    SmallVector<gpu::GPUModuleOp> merged;
    for (auto kernel : trial->getOps<gpu::GPUModuleOp>())
      if (!module->lookupSymbol(kernel.getName()))
        merged.push_back(kernel);
    std::vector<AssembledKernel> added;
    if (!merged.empty()) {
      Assembler assembler(stages.ptx.assemble);
      auto assembled = assembler.assemble(merged, stages.ptx.archs);
      if (failed(assembled))
        return failure();
      added = std::move(*assembled);
    }
    for (const AssembledKernel &kernel : added)
      attachResources(trial->lookupSymbol<gpu::GPUModuleOp>(kernel.name), *kernel.resources);
    bool spills = findSpillingParts(*trial, added, alone);
    if (findSlowParts(*trial, added, apart, arch, alone) || spills)
      continue;
    said.adopt(*context, merged.empty() ? StringRef() : merged.front().getName());
    if (merged.empty())
      return success();
    llvm::erase_if(kernels, [&](const AssembledKernel &kernel) { return !trial->lookupSymbol(kernel.name); });
    llvm::append_range(kernels, std::move(added));
    module = std::move(trial);
    return success();
  }
}
