// What spilled values cost is modelled as their bytes at the speed of L2: they lie in memory of the thread's
// own, which the caches hold. What a cut costs are the bytes between its kernels and their starts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SplitKernel.h"
#include "BackOff.h"
#include "CompileAgain.h"
#include "LaunchCost.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Fuse/CutKernel.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

#include <variant>

using namespace mlir;
using namespace tilewright;

/// Shares of the kernel's registers that are tried, in eighths.
static constexpr int64_t kEighths[] = {6, 4, 2, 1};
/// Orders of results that are tried by themselves; times over that of a kernel's bytes from which on that is
/// worth it, microseconds that it takes at least, and the share of them that must be left.
static constexpr size_t kMostClasses = 4;
static constexpr double kWorthDividing = 1.25, kLeastDivided = 8, kLeastGain = 0.9;

/// Modelled time of one launch, of whose threads ptxas has spilled some bytes.
static double microsecondsOf(plan::LaunchOp launch, gpu::GPUModuleOp module, ArrayRef<AssembledKernel> images,
                             const Arch &arch) {
  ptx::LaunchAttr blocks = launchOf(module);
  if (!launch->hasAttr(plan::PlanDialect::getCostAttrName()) || !blocks)
    return 0;
  unsigned spills = 0;
  for (const AssembledKernel &image : images)
    if (image.name == module.getName())
      spills = std::max(spills, spillsOf(image));
  double spilled = (double)spills * (double)blocks.getBlock() * (double)blocks.numBlocks();
  return predict(arch, costOf(launch, module.getName(), blocks, images, arch)).microseconds +
         spilled / (arch.l2GBps * 1e3);
}

namespace {

/// The kernels that a cut gives, and the program that launches them.
struct Cut {
  OwningOpRef<ModuleOp> program;
  CompiledKernels compiled;
  double microseconds = 0;
};

} // namespace

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

/// Compiles one cut; nothing when a stage refuses one of its kernels.
static std::optional<Cut> compileCut(OwningOpRef<ModuleOp> program, const StageOptions &stages) {
  OwningOpRef<ModuleOp> kernels(ModuleOp::create(program->getLoc()));
  // Without the program: its arguments may be what kernels of the whole one write.
  for (auto part : program->getOps<graph::KernelOp>())
    kernels->push_back(part->clone());
  std::optional<CompiledKernels> compiled = compileAgain(std::move(kernels), stages);
  if (!compiled)
    return std::nullopt;
  Cut cut{std::move(program), std::move(*compiled)};
  // A part may spill as the whole did, and other schedules may help it.
  for (auto part : llvm::make_early_inc_range(cut.compiled.module->getOps<gpu::GPUModuleOp>())) {
    unsigned spills = 0;
    for (const AssembledKernel &image : cut.compiled.images)
      spills = image.name == part.getName() ? std::max(spills, spillsOf(image)) : spills;
    auto kernel = cut.program->lookupSymbol<graph::KernelOp>(part.getName());
    tile::ScheduleAttr usual;
    if (spills > kHarmlessSpills && kernel.getAnchor() != graph::Anchor::Matmul)
      if (std::optional<ScheduledAgain> again = scheduleAgain(kernel, stages, spills, usual))
        replaceKernel(part, again->compiled, cut.compiled.images);
  }
  cut.program->walk([&](plan::LaunchOp launch) {
    auto part = cut.compiled.module->lookupSymbol<gpu::GPUModuleOp>(launch.getKernel());
    cut.microseconds += microsecondsOf(launch, part, cut.compiled.images, *stages.ptx.archs.front());
  });
  return std::optional<Cut>(std::move(cut));
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

/// The launches of a kernel; or why it cannot become several.
static std::variant<SmallVector<plan::LaunchOp>, StringRef> launchesOf(ModuleOp module, StringRef name) {
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

/// Puts the kernels of the cut in the place of `target`.
static void replaceByCut(gpu::GPUModuleOp target, ArrayRef<plan::LaunchOp> launches, Cut &cut,
                         std::vector<AssembledKernel> &kernels) {
  std::string name = target.getName().str();
  OpBuilder builder(target);
  for (auto part : cut.compiled.module->getOps<gpu::GPUModuleOp>())
    builder.clone(*part);
  replaceLaunches(launches, *cut.program);
  target->erase();
  llvm::erase_if(kernels, [&](const AssembledKernel &old) { return old.name == name; });
  for (AssembledKernel &image : cut.compiled.images)
    kernels.push_back(std::move(image));
}

bool tilewright::splitKernel(ModuleOp module, graph::KernelOp kernel, unsigned spills,
                             const StageOptions &stages, std::vector<AssembledKernel> &kernels) {
  std::string name = kernel.getSymName().str();
  auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
  auto refuse = [&](const std::string &why) {
    emitRemark(target, Remark::SplitRefused, name, spills, why);
    return false;
  };
  auto found = launchesOf(module, name);
  if (auto *why = std::get_if<StringRef>(&found))
    return refuse(why->str());
  auto &launches = std::get<SmallVector<plan::LaunchOp>>(found);
  std::optional<int64_t> registers = fuse::leastRegisters(kernel);
  const Arch &arch = *stages.ptx.archs.front();
  double whole = microsecondsOf(launches.front(), target, kernels, arch);
  std::string why = "no smaller groups compute the same";
  std::string before;
  for (int64_t eighths : kEighths) {
    OwningOpRef<ModuleOp> program =
        registers ? fuse::cutKernel(kernel, std::max<int64_t>(1, *registers * eighths / 8), arch.name)
                  : OwningOpRef<ModuleOp>();
    // The same cut as before is no news.
    std::string text;
    if (program)
      llvm::raw_string_ostream(text) << *program;
    if (text.empty() || text == before)
      continue;
    before = text;
    int64_t count = llvm::range_size(program->getOps<graph::KernelOp>());
    nameParts(*program, name, module);
    std::optional<Cut> cut = compileCut(std::move(program), stages);
    if (!cut) {
      why = llvm::formatv("one of {0} kernels is not compiled", count).str();
      continue;
    }
    if (unsigned left = cut->compiled.spills(); left >= spills) {
      why = llvm::formatv("{0} kernels spill {1} bytes", count, left).str();
      continue;
    }
    if (cut->microseconds > whole) {
      why = llvm::formatv("{0} kernels are modelled to take {1:f2} us, the one with its spills {2:f2} us",
                          count, cut->microseconds, whole)
                .str();
      continue;
    }
    emitRemark(target, Remark::KernelSplit, name, spills, count, cut->compiled.spills(), cut->microseconds,
               whole);
    replaceByCut(target, launches, *cut, kernels);
    return true;
  }
  return refuse(why);
}

bool tilewright::divideKernel(ModuleOp module, graph::KernelOp kernel, const StageOptions &stages,
                              std::vector<AssembledKernel> &kernels) {
  std::string name = kernel.getSymName().str();
  auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
  SmallVector<fuse::ResultNumbers> classes = fuse::resultsByOrder(kernel);
  if (!target || classes.size() < 2 || classes.size() > kMostClasses)
    return false;
  auto found = launchesOf(module, name);
  auto *launches = std::get_if<SmallVector<plan::LaunchOp>>(&found);
  ptx::LaunchAttr shape = launchOf(target);
  if (!launches || !shape || !launches->front()->hasAttr(plan::PlanDialect::getCostAttrName()))
    return false;
  const Arch &arch = *stages.ptx.archs.front();
  // Where its bytes at the rate of many warps are what it takes, there is nothing to gain.
  KernelCost cost = costOf(launches->front(), name, shape, kernels, arch), easy = cost;
  easy.instructions = easy.ofThread = easy.residentWarps = 0;
  double whole = microsecondsOf(launches->front(), target, kernels, arch);
  if (whole < kWorthDividing * predict(arch, easy).microseconds || whole < kLeastDivided)
    return false;
  std::optional<Cut> best;
  for (const fuse::ResultNumbers &alone : classes) {
    fuse::ResultNumbers others;
    for (const fuse::ResultNumbers &other : classes)
      if (&other != &alone)
        llvm::append_range(others, other);
    llvm::sort(others);
    OwningOpRef<ModuleOp> program = fuse::divideResults(kernel, {others, alone});
    if (!program)
      continue;
    nameParts(*program, name, module);
    std::optional<Cut> cut = compileCut(std::move(program), stages);
    if (cut && cut->compiled.spills() <= kHarmlessSpills && (!best || cut->microseconds < best->microseconds))
      best = std::move(cut);
    if (classes.size() == 2)
      break; // the other one is the same
  }
  if (!best || best->microseconds > kLeastGain * whole) {
    if (best)
      emitRemark(target, Remark::ResultsKept, name, whole, best->microseconds);
    return false;
  }
  emitRemark(target, Remark::ResultsDivided, name, whole, best->microseconds);
  OwningOpRef<ModuleOp> parts = best->program.get().clone();
  replaceByCut(target, *launches, *best, kernels);
  // The rest may lie in several orders, too.
  for (auto part : parts->getOps<graph::KernelOp>())
    divideKernel(module, part, stages, kernels);
  return true;
}

void tilewright::divideResults(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                               std::vector<AssembledKernel> &kernels) {
  SmallVector<std::string> names;
  for (const AssembledKernel &kernel : kernels)
    if (!llvm::is_contained(names, kernel.name))
      names.push_back(kernel.name);
  for (const std::string &name : names) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(name);
    if (kernel && !kernel->hasAttr(tile::KernelOp::getScheduleAttrName()) &&
        kernel.getAnchor() != graph::Anchor::Matmul)
      divideKernel(module, kernel, stages, kernels);
  }
}
