// What spilled values cost is modelled as their bytes at the speed of L2: they lie in memory of the thread's
// own, which the caches hold. What a cut costs are the bytes between its kernels and their starts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SplitKernel.h"
#include "BackOff.h"
#include "CompileAgain.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Fuse/CutKernel.h"
#include "Tilewright/Pipeline/Roofline.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;

/// Shares of the kernel's registers that are tried, in eighths.
static constexpr int64_t kEighths[] = {6, 4, 2, 1};

static ptx::LaunchAttr launchOf(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto launch = function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName()))
      return launch;
  return {};
}

/// Modelled time of one launch whose threads spill `spills` bytes.
static double microsecondsOf(plan::LaunchOp launch, gpu::GPUModuleOp module, unsigned spills,
                             const Arch &arch) {
  auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName());
  ptx::LaunchAttr blocks = launchOf(module);
  if (!cost || !blocks)
    return 0;
  KernelCost counts;
  counts.unit = std::string_view(cost.getUnit().data(), cost.getUnit().size());
  counts.flops = (uint64_t)cost.getFlops();
  counts.bytesRead = (uint64_t)cost.getRead();
  counts.bytesWritten = (uint64_t)cost.getWritten();
  counts.blocks = (uint64_t)blocks.numBlocks();
  double spilled = (double)spills * (double)blocks.getBlock() * (double)blocks.numBlocks();
  return predict(arch, counts).microseconds + spilled / (arch.l2GBps * 1e3);
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
    unsigned spills = 0;
    for (const AssembledKernel &image : cut.compiled.images)
      if (image.name == launch.getKernel())
        spills = std::max(spills, spillsOf(image));
    auto part = cut.compiled.module->lookupSymbol<gpu::GPUModuleOp>(launch.getKernel());
    cut.microseconds += microsecondsOf(launch, part, spills, *stages.ptx.archs.front());
  });
  return std::optional<Cut>(std::move(cut));
}

/// Puts the body of the cut's program in the place of each launch of the kernel.
static void replaceLaunches(ArrayRef<plan::LaunchOp> launches, ModuleOp program) {
  auto body = *program.getOps<plan::ProgramOp>().begin();
  for (plan::LaunchOp launch : launches) {
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

bool tilewright::splitKernel(ModuleOp module, graph::KernelOp kernel, unsigned spills,
                             const StageOptions &stages, std::vector<AssembledKernel> &kernels) {
  std::string name = kernel.getSymName().str();
  auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
  auto refuse = [&](const std::string &why) {
    emitRemark(target, Remark::SplitRefused, name, spills, why);
    return false;
  };
  SmallVector<plan::LaunchOp> launches;
  bool hasVariants = false;
  module.walk([&](plan::LaunchOp launch) {
    if (launch.getKernel() != name)
      return;
    hasVariants |= launch.getKernels().size() > 1;
    launches.push_back(launch);
  });
  if (launches.empty())
    return refuse("no program launches it");
  if (hasVariants)
    return refuse("other chips have kernels of their own for it");
  std::optional<int64_t> registers = fuse::leastRegisters(kernel);
  const Arch &arch = *stages.ptx.archs.front();
  double whole = microsecondsOf(launches.front(), target, spills, arch);
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
    OpBuilder builder(target);
    for (auto part : cut->compiled.module->getOps<gpu::GPUModuleOp>())
      builder.clone(*part);
    replaceLaunches(launches, *cut->program);
    target->erase();
    llvm::erase_if(kernels, [&](const AssembledKernel &old) { return old.name == name; });
    for (AssembledKernel &image : cut->compiled.images)
      kernels.push_back(std::move(image));
    return true;
  }
  return refuse(why);
}
