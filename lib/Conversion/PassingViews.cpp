// tile-mark-passing-views: what no kernel reads again while the L2 cache could still have it may leave the
// cache at once, and makes room for what is read again.

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

/// The launches of one program in their order.
struct Passage {
  SmallVector<plan::LaunchOp> launches = {};
  /// What each of them moves.
  SmallVector<int64_t> moved = {};
  /// All tensors, each once.
  int64_t footprint = 0;

  explicit Passage(plan::ProgramOp program);
  /// Whether `value`, which launch `index` reads or writes, is read by a later launch before `cacheBytes`
  /// have been moved.
  bool isReadSoon(size_t index, Value value, int64_t cacheBytes) const;
};

} // namespace

Passage::Passage(plan::ProgramOp program) {
  llvm::SmallDenseSet<Value> seen;
  program.walk([&](plan::LaunchOp launch) {
    int64_t bytes = 0;
    auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName());
    auto count = [&](Value value) {
      Value root = rootOf(value);
      bytes += bytesOf(value);
      if (seen.insert(root).second)
        footprint += bytesOf(root);
    };
    llvm::for_each(launch.getArgs(), count);
    llvm::for_each(launch->getResults(), count);
    launches.push_back(launch);
    // Gathers read less than their tables.
    moved.push_back(cost ? std::min(bytes, cost.getRead() + cost.getWritten()) : bytes);
  });
}

bool Passage::isReadSoon(size_t index, Value value, int64_t cacheBytes) const {
  Value root = rootOf(value);
  int64_t between = moved[index];
  for (size_t later = index + 1; later < launches.size() && between <= cacheBytes; ++later) {
    if (llvm::any_of(plan::LaunchOp(launches[later]).getArgs(),
                     [&](Value argument) { return rootOf(argument) == root; }))
      return true;
    between += moved[later];
  }
  return false;
}

namespace {
struct MarkPassingViews : tilewright::impl::TileMarkPassingViewsBase<MarkPassingViews> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    int64_t room = cacheBytes / 2; // the rest is for what passes by
    // By kernel: whether each of its arguments has passed in all launches so far.
    DenseMap<Operation *, SmallVector<bool>> passing;
    for (auto program : getOperation().getOps<plan::ProgramOp>()) {
      Passage passage(program);
      for (size_t i = 0; i < passage.launches.size(); ++i) {
        plan::LaunchOp launch = passage.launches[i];
        if (launch.hasBuffers())
          continue;
        SmallVector<Value> values(launch.getArgs());
        llvm::append_range(values, launch->getResults());
        for (FlatSymbolRefAttr name : launch.getKernels()) {
          auto kernel = symbols.lookup<tile::KernelOp>(name.getValue());
          if (!kernel || kernel.getArgumentTypes().size() != values.size())
            continue;
          SmallVector<bool> &flags = passing.try_emplace(kernel, values.size(), true).first->second;
          for (auto [flag, value] : llvm::zip(flags, values)) {
            auto roots = llvm::map_range(launch.getArgs(), rootOf);
            bool isTwice = llvm::count(roots, rootOf(value)) > 1;
            flag = flag && passage.footprint > room && !isTwice && !passage.isReadSoon(i, value, room);
          }
        }
      }
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
