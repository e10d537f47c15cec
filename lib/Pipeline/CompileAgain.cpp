// Kernels that go through the stages once more, apart from their program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompileAgain.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;
using namespace tilewright;

unsigned tilewright::spillsOf(const AssembledKernel &kernel) {
  return kernel.resources ? kernel.resources->spillStores + kernel.resources->spillLoads : 0;
}

unsigned tilewright::spillsOf(ArrayRef<AssembledKernel> images, StringRef name) {
  unsigned most = 0;
  for (const AssembledKernel &image : images)
    if (image.name == name)
      most = std::max(most, spillsOf(image));
  return most;
}

unsigned CompiledKernels::spills() const {
  std::map<std::string, unsigned> byArch;
  unsigned most = 0;
  for (const AssembledKernel &image : images)
    most = std::max(most, byArch[image.arch->name] += spillsOf(image));
  return most;
}

static LogicalResult runPasses(ModuleOp module, Stage stage, const StageOptions &stages) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  populateStage(pm, stage, stages, /*verify=*/false);
  return pm.run(module);
}

LogicalResult tilewright::runStageAgain(ModuleOp module, Stage stage, const StageOptions &stages) {
  StageRun run{module, stages};
  runStageAgain(run, stage);
  return success(run.succeeds);
}

void tilewright::runStageAgain(MutableArrayRef<StageRun> runs, Stage stage) {
  if (runs.empty())
    return;
  MLIRContext *context = runs.front().module.getContext();
  // What a candidate's compilation says of it is no news to the user.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  TrialRemarks().during(*context, [&] {
    parallelForEach(context, runs, [&](StageRun &run) {
      run.succeeds = succeeded(runPasses(run.module, stage, run.stages));
    });
  });
}

std::optional<CompiledKernels> tilewright::compileAgain(OwningOpRef<ModuleOp> kernels,
                                                        const StageOptions &stages) {
  CompiledKernels compiled{std::move(kernels)};
  size_t count = llvm::range_size(compiled.module->getOps<graph::KernelOp>());
  bool succeeds = true;
  ScopedDiagnosticHandler quiet(compiled.module->getContext(), [](Diagnostic &) { return success(); });
  compiled.remarks.during(*compiled.module->getContext(), [&] {
    for (Stage stage : {Stage::Tile, Stage::Schedule, Stage::Target})
      succeeds = succeeds && succeeded(runPasses(*compiled.module, stage, stages));
  });
  if (!succeeds)
    return std::nullopt;
  SmallVector<gpu::GPUModuleOp> modules(compiled.module->getOps<gpu::GPUModuleOp>());
  if (modules.size() != count)
    return std::nullopt;
  Assembler assembler(stages.ptx.assemble);
  auto images = assembler.assemble(modules, stages.ptx.archs);
  if (failed(images))
    return std::nullopt;
  compiled.images = std::move(*images);
  llvm::StringSet<> seen;
  for (const AssembledKernel &image : compiled.images)
    if (image.resources && seen.insert(image.name).second)
      attachResources(compiled.module->lookupSymbol<gpu::GPUModuleOp>(image.name), *image.resources);
  return std::optional<CompiledKernels>(std::move(compiled));
}

void tilewright::replaceKernel(gpu::GPUModuleOp old, CompiledKernels &by,
                               std::vector<AssembledKernel> &images) {
  by.remarks.adopt(*old.getContext(), old.getName());
  auto replacement = *by.module->getOps<gpu::GPUModuleOp>().begin();
  for (AssembledKernel &image : by.images)
    for (AssembledKernel &known : images)
      if (known.name == image.name && known.arch == image.arch)
        known = std::move(image);
  OpBuilder(old).clone(*replacement);
  old->erase();
}
