// tile-mark-steady-views: what no kernel of the program writes (inputs, weights) may be read before the
// kernels before have ended.

#include "SteadyArguments.h"

#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_TILEMARKSTEADYVIEWS
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// Whether `value` of a program comes from no kernel: an argument or a constant.
static bool isSteady(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || (!isa<plan::LaunchOp>(op) && llvm::all_of(op->getOperands(), isSteady));
}

llvm::StringMap<SmallVector<bool>> tilewright::steadyArguments(ModuleOp module) {
  llvm::StringMap<SmallVector<bool>> steady;
  module.walk([&](plan::LaunchOp launch) {
    for (FlatSymbolRefAttr name : launch.getKernels()) {
      if (launch.hasBuffers())
        continue;
      SmallVector<bool> &flags = steady[name.getValue()];
      flags.resize(launch.getArgs().size(), true);
      for (auto [flag, argument] : llvm::zip(flags, launch.getArgs()))
        flag = flag && isSteady(argument);
    }
  });
  return steady;
}

namespace {
struct MarkSteadyViews : tilewright::impl::TileMarkSteadyViewsBase<MarkSteadyViews> {
  using Base::Base;
  void runOnOperation() override {
    llvm::StringMap<SmallVector<bool>> steady = steadyArguments(getOperation());
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      auto found = steady.find(kernel.getSymName());
      if (found == steady.end())
        continue;
      for (auto [i, flag] : llvm::enumerate(found->second))
        if (flag)
          kernel.setArgAttr(i, tile::KernelOp::getSteadyAttrName(), UnitAttr::get(&getContext()));
    }
  }
};
} // namespace
