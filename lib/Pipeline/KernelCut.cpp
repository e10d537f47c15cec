// What spilled values cost is modelled as their bytes at the speed of L2: they lie in memory of the thread's
// own, which the caches hold. What a cut costs are the bytes between its kernels and their starts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelCut.h"
#include "BackOff.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;

double tilewright::microsecondsOf(plan::LaunchOp launch, gpu::GPUModuleOp module,
                                  ArrayRef<AssembledKernel> images, const Arch &arch) {
  ptx::LaunchAttr blocks = launchOf(module);
  if (!launch->hasAttr(plan::PlanDialect::getCostAttrName()) || !blocks)
    return 0;
  double spilled =
      (double)spillsOf(images, module.getName()) * (double)blocks.getBlock() * (double)blocks.numBlocks();
  return predict(arch, costOf(launch, functionOf(module), images, arch)).microseconds +
         spilled / (arch.l2GBps * 1e3);
}

std::variant<SmallVector<plan::LaunchOp>, StringRef> tilewright::launchesOf(ModuleOp module, StringRef name) {
  SmallVector<plan::LaunchOp> launches;
  bool hasVariants = false;
  module.walk([&](plan::LaunchOp launch) {
    if (launch.getKernel() != name)
      return;
    hasVariants |= launch.getKernels().size() > 1;
    launches.push_back(launch);
  });
  if (launches.empty())
    return StringRef("no program launches it");
  if (hasVariants)
    return StringRef("other chips have kernels of their own for it");
  return launches;
}

/// Gives the kernels of a cut names that `module` does not have: `<name>_part0`, …
static void nameParts(ModuleOp program, StringRef name, ModuleOp module) {
  SymbolTable symbols(module);
  llvm::StringMap<StringAttr> renamed;
  int number = 0;
  for (auto part : program.getOps<graph::KernelOp>()) {
    std::string fresh;
    do
      fresh = llvm::formatv("{0}_part{1}", name, number++).str();
    while (symbols.lookup(fresh));
    renamed[part.getSymName()] = StringAttr::get(module.getContext(), fresh);
    part.setSymName(fresh);
  }
  program.walk([&](plan::LaunchOp launch) {
    launch.setKernelAttr(FlatSymbolRefAttr::get(renamed.lookup(launch.getKernel())));
  });
}

std::optional<KernelCut> tilewright::compileCut(OwningOpRef<ModuleOp> program, StringRef name,
                                                ModuleOp module, const StageOptions &stages) {
  nameParts(*program, name, module);
  OwningOpRef<ModuleOp> kernels(ModuleOp::create(program->getLoc()));
  // Without the program: its arguments may be what kernels of the whole one write.
  for (auto part : program->getOps<graph::KernelOp>())
    kernels->push_back(part->clone());
  std::optional<CompiledKernels> compiled = compileAgain(std::move(kernels), stages);
  if (!compiled)
    return std::nullopt;
  KernelCut cut{std::move(program), std::move(*compiled)};
  // A part may spill as the whole did, and other schedules may help it.
  TrialRemarks said;
  said.during(*module.getContext(), [&] {
    cut.compiled.remarks.adopt(*module.getContext(), name);
    for (auto part : llvm::make_early_inc_range(cut.compiled.module->getOps<gpu::GPUModuleOp>())) {
      unsigned spills = spillsOf(cut.compiled.images, part.getName());
      auto kernel = cut.program->lookupSymbol<graph::KernelOp>(part.getName());
      tile::ScheduleAttr usual;
      if (spills > kHarmlessSpills && kernel.getAnchor() != graph::Anchor::Matmul)
        if (std::optional<ScheduledAgain> again = scheduleAgain(kernel, stages, spills, usual))
          replaceKernel(part, again->compiled, cut.compiled.images);
    }
  });
  cut.compiled.remarks = std::move(said);
  cut.program->walk([&](plan::LaunchOp launch) {
    auto part = cut.compiled.module->lookupSymbol<gpu::GPUModuleOp>(launch.getKernel());
    cut.microseconds += microsecondsOf(launch, part, cut.compiled.images, *stages.ptx.archs.front());
  });
  return std::optional<KernelCut>(std::move(cut));
}

/// What the launches of the cut move through memory beyond what the one kernel reads and writes is added to
/// what is noted of its program.
static void noteTraffic(plan::LaunchOp launch, plan::ProgramOp cut) {
  auto trafficOf = [](Operation *op) {
    auto bytes = op->getAttrOfType<DenseI64ArrayAttr>(plan::kTrafficAttrName);
    return bytes ? bytes.asArrayRef() : ArrayRef<int64_t>();
  };
  auto program = launch->getParentOfType<plan::ProgramOp>();
  auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName());
  ArrayRef<int64_t> after = trafficOf(cut);
  SmallVector<int64_t> all(trafficOf(program));
  if (!cost || after.size() < 2 || all.size() < 2)
    return;
  all[0] += std::max<int64_t>(0, after[0] - (int64_t)cost.getRead());
  all[1] += std::max<int64_t>(0, after[1] - (int64_t)cost.getWritten());
  program->setAttr(plan::kTrafficAttrName, DenseI64ArrayAttr::get(launch.getContext(), all));
}

/// Puts the body of the cut's program in the place of each launch of the kernel.
static void replaceLaunches(ArrayRef<plan::LaunchOp> launches, ModuleOp program) {
  auto body = *program.getOps<plan::ProgramOp>().begin();
  for (plan::LaunchOp launch : launches) {
    noteTraffic(launch, body);
    OpBuilder builder(launch);
    IRMapping mapping;
    mapping.map(body.getBody().getArguments(), launch.getArgs());
    for (Operation &op : body.getBody().front().without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip_equal(launch.getResults(), body.getBody().front().getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookup(value));
    launch.erase();
  }
}

void tilewright::replaceByCut(gpu::GPUModuleOp target, ArrayRef<plan::LaunchOp> launches, KernelCut &cut,
                              std::vector<AssembledKernel> &kernels) {
  std::string name = target.getName().str();
  cut.compiled.remarks.adopt(*target.getContext(), name);
  OpBuilder builder(target);
  for (auto part : cut.compiled.module->getOps<gpu::GPUModuleOp>())
    builder.clone(*part);
  replaceLaunches(launches, *cut.program);
  target->erase();
  llvm::erase_if(kernels, [&](const AssembledKernel &old) { return old.name == name; });
  for (AssembledKernel &image : cut.compiled.images)
    kernels.push_back(std::move(image));
}
