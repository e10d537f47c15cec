// convert-graph-to-tile: every kernel's tensor program becomes the program of one thread block.

#include "../SteadyArguments.h"
#include "KernelTiler.h"

#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTGRAPHTOTILE
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// Shared memory that a block has on every chip that runs the kernel: products of warpgroups ask for one that
/// has them.
static int64_t leastSharedBytes(graph::KernelOp kernel) {
  auto schedule = kernel->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  bool warpgroups = schedule && schedule.getOptions().product == tile::ProductUnit::Wgmma;
  int64_t least = INT64_MAX;
  for (const Arch &arch : allArchs())
    if (arch.wgmma || !warpgroups)
      least = std::min<int64_t>(least, arch.sharedBytesPerBlock);
  return least;
}

/// The limit of shared memory and the only chip of a kernel that is for some chips alone; else those of all.
static std::pair<int64_t, const Arch *> chipsOf(graph::KernelOp kernel, int64_t limit, const Arch *arch) {
  auto names = kernel->getAttrOfType<ArrayAttr>(ptx::PtxDialect::getArchsAttrName());
  if (!names)
    return {limit, arch};
  int64_t least = 0;
  const Arch *only = nullptr;
  for (Attribute name : names)
    if (const Arch *own = lookupArch(cast<StringAttr>(name).getValue())) {
      only = own;
      least = least ? std::min<int64_t>(least, own->sharedBytesPerBlock) : own->sharedBytesPerBlock;
    }
  return {least ? least : limit, names.size() == 1 ? only : nullptr};
}

/// The kernels that read what another launch of their program writes, and those that write it.
static llvm::StringSet<> kernelsInChains(ModuleOp module) {
  llvm::StringSet<> found;
  auto insert = [&](plan::LaunchOp launch) {
    for (FlatSymbolRefAttr name : launch.getKernels())
      found.insert(name.getValue());
  };
  module.walk([&](plan::LaunchOp launch) {
    for (Value value : launch.getArgs()) {
      Operation *op = value.getDefiningOp();
      // Behind movement that is no kernel.
      while (op && !isa<plan::LaunchOp>(op) && op->getNumOperands() == 1)
        op = op->getOperand(0).getDefiningOp();
      if (auto before = dyn_cast_or_null<plan::LaunchOp>(op)) {
        insert(before);
        insert(launch);
      }
    }
  });
  return found;
}

FailureOr<KernelSchedules> tilewright::listSchedules(graph::KernelOp kernel, const Arch &arch) {
  return KernelTiler(kernel, arch.sharedBytesPerBlock, &arch).listSchedules();
}

namespace {
struct ConvertGraphToTile : tilewright::impl::ConvertGraphToTileBase<ConvertGraphToTile> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = target.empty() ? nullptr : lookupArch(target, &error);
    if (!error.empty()) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    tuner::Records measured;
    if (std::string why = tuner::readRecords(records, measured); !why.empty()) {
      emitError(UnknownLoc::get(&getContext())) << why;
      return signalPassFailure();
    }
    llvm::StringSet<> inChains = kernelsInChains(getOperation());
    llvm::StringMap<SmallVector<bool>> steady = steadyArguments(getOperation());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<graph::KernelOp>())) {
      int64_t limit = sharedLimit ? (int64_t)sharedLimit
                      : arch      ? (int64_t)arch->sharedBytesPerBlock
                                  : leastSharedBytes(kernel);
      auto [ownLimit, ownArch] = chipsOf(kernel, limit, arch);
      if (failed(KernelTiler(kernel, ownLimit, ownArch, &measured, inChains.contains(kernel.getSymName()),
                             steady.lookup(kernel.getSymName()))
                     .run()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
