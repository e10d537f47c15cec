// convert-graph-to-tile: every kernel's tensor program becomes the program of one thread block.

#include "KernelTiler.h"

#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Target/Cuda/Arch.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTGRAPHTOTILE
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// Shared memory that a block has on every chip.
static int64_t leastSharedBytes() {
  unsigned least = allArchs().front().sharedBytesPerBlock;
  for (const Arch &arch : allArchs())
    least = std::min(least, arch.sharedBytesPerBlock);
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

FailureOr<SmallVector<ModelledSchedule>> tilewright::listSchedules(graph::KernelOp kernel, const Arch &arch) {
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
    int64_t limit = sharedLimit ? (int64_t)sharedLimit
                    : arch      ? (int64_t)arch->sharedBytesPerBlock
                                : leastSharedBytes();
    tuner::Records measured;
    if (std::string why = tuner::readRecords(records, measured); !why.empty()) {
      emitError(UnknownLoc::get(&getContext())) << why;
      return signalPassFailure();
    }
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<graph::KernelOp>())) {
      auto [ownLimit, ownArch] = chipsOf(kernel, limit, arch);
      if (failed(KernelTiler(kernel, ownLimit, ownArch, &measured).run()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
