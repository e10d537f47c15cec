// Results by the order in which their kernel goes through them, and by whether they wait for a reduction of
// it: one class alone beside all others, computed anew or from what these store, the best of these pairs,
// and again. A kernel of which a multiprocessor has one block is tried in groups of half of the registers,
// too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DivideResults.h"
#include "BackOff.h"
#include "KernelCut.h"
#include "Tilewright/Fuse/CutKernel.h"
#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;

/// Orders of results that are tried by themselves; times over that of a kernel's bytes from which on that is
/// worth it, microseconds that it takes at least, and the share of them that may be left.
static constexpr size_t kMostClasses = 4;
static constexpr double kWorthDividing = 1.25, kLeastDivided = 8, kMostLeft = 0.9;

/// Divides the results of `kernel` (of the fuse stage), where that pays.
static void divideKernel(ModuleOp module, graph::KernelOp kernel, const StageOptions &stages,
                         std::vector<AssembledKernel> &kernels) {
  std::string name = kernel.getSymName().str();
  auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
  SmallVector<fuse::ResultNumbers> classes = fuse::resultsByOrder(kernel, /*byRows=*/true);
  if (classes.size() > kMostClasses)
    classes = fuse::resultsByOrder(kernel, /*byRows=*/false);
  if (!target)
    return;
  auto found = launchesOf(module, name);
  auto *launches = std::get_if<SmallVector<plan::LaunchOp>>(&found);
  if (!launches || !functionOf(target) || !launches->front()->hasAttr(plan::PlanDialect::getCostAttrName()))
    return;
  const Arch &arch = *stages.ptx.archs.front();
  // Where its bytes at the rate of many warps are what it takes, there is nothing to gain.
  KernelCost cost = costOf(launches->front(), functionOf(target), kernels, arch), easy = cost;
  easy.instructions = easy.ofThread = easy.residentWarps = easy.bytesBeside = 0;
  easy.takesTurns = false;
  double whole = microsecondsOf(launches->front(), target, kernels, arch);
  if (whole < kWorthDividing * predict(arch, easy).microseconds || whole < kLeastDivided)
    return;
  std::optional<KernelCut> best;
  auto attempt = [&](OwningOpRef<ModuleOp> program) {
    if (!program)
      return;
    std::optional<KernelCut> cut = compileCut(std::move(program), name, module, stages);
    if (cut && cut->compiled.spills() <= kHarmlessSpills && (!best || cut->microseconds < best->microseconds))
      best = std::move(cut);
  };
  // What a multiprocessor has room for once is loaded, computed and stored in turns: groups of fewer
  // registers.
  if (cost.resident == 1)
    if (std::optional<int64_t> registers = fuse::leastRegisters(kernel))
      attempt(fuse::cutKernel(kernel, std::max<int64_t>(1, *registers / 2), arch.name));
  // Or, of one order, each result by itself: what shares nothing with it but what it reads.
  if (cost.resident == 1 && classes.size() == 1)
    classes =
        llvm::map_to_vector(classes.front(), [](unsigned number) { return fuse::ResultNumbers{number}; });
  if (classes.size() < 2 || classes.size() > kMostClasses)
    classes.clear();
  for (const fuse::ResultNumbers &alone : classes) {
    fuse::ResultNumbers others;
    for (const fuse::ResultNumbers &other : classes)
      if (&other != &alone)
        llvm::append_range(others, other);
    llvm::sort(others);
    // Of two classes either one alone leaves the other.
    if (classes.size() > 2 || &alone == classes.begin())
      attempt(fuse::cutResults(kernel, {others, alone}));
    // What it is made of may be a result of the others.
    attempt(fuse::cutResults(kernel, {others, alone}, /*readResults=*/true));
  }
  auto countOf = [](const KernelCut &cut) {
    return (int64_t)llvm::range_size(cut.program.get().getOps<graph::KernelOp>());
  };
  if (!best || best->microseconds > kMostLeft * whole) {
    if (best)
      emitRemark(target, Remark::ResultsKept, name, whole, countOf(*best), best->microseconds);
    return;
  }
  emitRemark(target, Remark::ResultsDivided, name, whole, countOf(*best), best->microseconds);
  OwningOpRef<ModuleOp> parts = best->program.get().clone();
  replaceByCut(target, *launches, *best, kernels);
  // The rest may lie in several orders, too.
  for (auto part : parts->getOps<graph::KernelOp>())
    divideKernel(module, part, stages, kernels);
}

void tilewright::divideResults(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                               std::vector<AssembledKernel> &kernels) {
  SmallVector<std::string> names;
  for (const AssembledKernel &kernel : kernels)
    if (!llvm::is_contained(names, kernel.name))
      names.push_back(kernel.name);
  for (const std::string &name : names) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(name);
    if (isFree(kernel, module.lookupSymbol<gpu::GPUModuleOp>(name)))
      divideKernel(module, kernel, stages, kernels);
  }
}
