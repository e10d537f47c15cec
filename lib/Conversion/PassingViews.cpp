// tile-mark-passing-views: what one kernel alone touches may leave the L2 cache at once, and makes room for
// what is read again.

#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_TILEMARKPASSINGVIEWS
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// The tensor that `value` is, behind movement that is no kernel.
static Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<plan::LaunchOp>(op) || op->getNumOperands() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

static int64_t bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? plan::storageBytes(type) : 0;
}

namespace {
/// The tensors of a program that its launches touch.
struct Touched {
  explicit Touched(plan::ProgramOp program) {
    program.walk([&](plan::LaunchOp launch) {
      for (ValueRange values : {ValueRange(launch.getArgs()), ValueRange(launch->getResults())})
        for (Value value : values)
          if (times[rootOf(value)]++ == 0)
            bytes += bytesOf(rootOf(value));
    });
  }
  bool isOnce(Value value) const { return times.lookup(rootOf(value)) == 1; }

  /// How often each is an argument or a result.
  DenseMap<Value, int64_t> times;
  /// All tensors, each once.
  int64_t bytes = 0;
};

struct MarkPassingViews : tilewright::impl::TileMarkPassingViewsBase<MarkPassingViews> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    int64_t room = cacheBytes / 2; // the rest is for what passes by
    // By kernel: whether each of its arguments has passed in all launches so far.
    DenseMap<Operation *, SmallVector<bool>> passing;
    for (auto program : getOperation().getOps<plan::ProgramOp>()) {
      Touched touched(program);
      program.walk([&](plan::LaunchOp launch) {
        if (launch.hasBuffers())
          return;
        SmallVector<Value> values(launch.getArgs());
        llvm::append_range(values, launch->getResults());
        for (FlatSymbolRefAttr name : launch.getKernels()) {
          auto kernel = symbols.lookup<tile::KernelOp>(name.getValue());
          if (!kernel || kernel.getArgumentTypes().size() != values.size())
            continue;
          SmallVector<bool> &flags = passing.try_emplace(kernel, values.size(), true).first->second;
          for (auto [flag, value] : llvm::zip(flags, values))
            flag = flag && touched.bytes > room && touched.isOnce(value);
        }
      });
    }
    for (auto kernel : getOperation().getOps<tile::KernelOp>()) {
      auto found = passing.find(kernel);
      if (found == passing.end())
        continue;
      for (auto [i, flag] : llvm::enumerate(found->second))
        if (flag)
          kernel.setArgAttr(i, tile::KernelOp::getPassingAttrName(), UnitAttr::get(&getContext()));
    }
  }
};
} // namespace
