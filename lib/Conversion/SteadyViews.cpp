// tile-mark-steady-views: what no kernel of the program writes (inputs, weights) may be read before the
// kernels before have ended.

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

namespace {
struct MarkSteadyViews : tilewright::impl::TileMarkSteadyViewsBase<MarkSteadyViews> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    // By kernel: whether each of its arguments has been steady in all launches so far.
    DenseMap<Operation *, SmallVector<bool>> steady;
    getOperation().walk([&](plan::LaunchOp launch) {
      for (FlatSymbolRefAttr name : launch.getKernels()) {
        auto kernel = symbols.lookup<tile::KernelOp>(name.getValue());
        if (!kernel || launch.hasBuffers())
          continue;
        SmallVector<bool> &flags = steady.try_emplace(kernel, launch.getArgs().size(), true).first->second;
        for (auto [flag, argument] : llvm::zip(flags, launch.getArgs()))
          flag = flag && isSteady(argument);
      }
    });
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      auto found = steady.find(kernel);
      if (found == steady.end())
        continue;
      for (auto [i, flag] : llvm::enumerate(found->second))
        if (flag)
          kernel.setArgAttr(i, tile::KernelOp::getSteadyAttrName(), UnitAttr::get(&getContext()));
    }
  }
};
} // namespace
