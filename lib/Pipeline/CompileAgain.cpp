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

/// Loads the dialects that the passes of `stage` depend on. A pass manager does so before it runs, which is
/// no work for several threads at once.
static void loadDialects(MLIRContext *context, Stage stage, const StageOptions &stages) {
  PassManager pm(context, ModuleOp::getOperationName());
  populateStage(pm, stage, stages, /*verify=*/false);
  DialectRegistry needed;
  pm.getDependentDialects(needed);
  context->appendDialectRegistry(needed);
  for (StringRef name : needed.getDialectNames())
    context->getOrLoadDialect(name);
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
  for (StageRun &run : runs)
    loadDialects(context, stage, run.stages);
  // What a candidate's compilation says of it is no news to the user.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  TrialRemarks().during(*context, [&] {
    parallelForEach(context, runs, [&](StageRun &run) {
      run.succeeds = succeeded(runPasses(run.module, stage, run.stages));
    });
  });
}

std::vector<std::optional<CompiledKernels>>
tilewright::compileSideBySide(std::vector<OwningOpRef<ModuleOp>> kernels, const StageOptions &stages) {
  std::vector<std::optional<CompiledKernels>> compiled(kernels.size());
  if (kernels.empty())
    return compiled;
  std::vector<StageRun> runs;
  for (OwningOpRef<ModuleOp> &module : kernels)
    runs.push_back({*module, stages, /*succeeds=*/true});
  for (Stage stage : {Stage::Tile, Stage::Schedule, Stage::Target}) {
    llvm::erase_if(runs, [](const StageRun &run) { return !run.succeeds; });
    runStageAgain(runs, stage);
  }
  llvm::SmallDenseMap<Operation *, size_t> places;
  for (auto [place, module] : llvm::enumerate(kernels))
    places[*module] = place;
  SmallVector<gpu::GPUModuleOp> lowered;
  for (StageRun &run : runs)
    if (run.succeeds && llvm::hasSingleElement(run.module.getOps<gpu::GPUModuleOp>()))
      lowered.push_back(*run.module.getOps<gpu::GPUModuleOp>().begin());
  ScopedDiagnosticHandler quiet(kernels.front()->getContext(), [](Diagnostic &) { return success(); });
  Assembler assembler(stages.ptx.assemble);
  auto assemble = [&](ArrayRef<gpu::GPUModuleOp> some) {
    auto images = assembler.assemble(some, stages.ptx.archs);
    ptrdiff_t each = (ptrdiff_t)stages.ptx.archs.size();
    if (failed(images) || (ptrdiff_t)images->size() != (ptrdiff_t)some.size() * each)
      return false;
    auto next = images->begin();
    for (gpu::GPUModuleOp one : some) {
      size_t place = places.lookup(one->getParentOp());
      compiled[place] = CompiledKernels{std::move(kernels[place]), {next, next + each}};
      next += each;
    }
    return true;
  };
  // One that is refused stops none of the others.
  if (!assemble(lowered))
    for (gpu::GPUModuleOp one : lowered)
      assemble(one);
  return compiled;
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
