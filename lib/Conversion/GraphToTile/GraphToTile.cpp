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

namespace {
struct ConvertGraphToTile : tilewright::impl::ConvertGraphToTileBase<ConvertGraphToTile> {
  using Base::Base;
  void runOnOperation() override {
    int64_t limit = sharedLimit ? (int64_t)sharedLimit : leastSharedBytes();
    std::string error;
    const Arch *arch = target.empty() ? nullptr : lookupArch(target, &error);
    if (!error.empty()) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<graph::KernelOp>())) {
      if (failed(KernelTiler(kernel, limit, arch).run()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
