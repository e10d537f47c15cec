// convert-graph-to-tile: every kernel's tensor program becomes the program of one thread block.

#include "KernelTiler.h"

#include "Tilewright/Conversion/Passes.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTGRAPHTOTILE
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

namespace {
struct ConvertGraphToTile : tilewright::impl::ConvertGraphToTileBase<ConvertGraphToTile> {
  using Base::Base;
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<graph::KernelOp>())) {
      if (failed(KernelTiler(kernel).run()))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
