// The kernel is grouped again at the fuse stage with fewer registers, until what comes of it spills less.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SplitKernel.h"
#include "KernelCut.h"
#include "Tilewright/Fuse/CutKernel.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;

/// Shares of the kernel's registers that are tried, in eighths.
static constexpr int64_t kEighths[] = {6, 4, 2, 1};

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
    std::optional<KernelCut> cut = compileCut(std::move(program), name, module, stages);
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
