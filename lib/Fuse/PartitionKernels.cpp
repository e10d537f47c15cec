// fuse-partition-kernels: groups the ops of a function into kernels (Partition.h), then writes the kernels
// and the program that launches them.

#include "Partition.h"

#include "Tilewright/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEPARTITIONKERNELS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

void fuse::orderOps(func::FuncOp func) {
  Block &body = func.getBody().front();
  SmallVector<Operation *> order;
  llvm::SmallPtrSet<Operation *, 32> seen;
  // Operands first, in their order; without recursion, since chains are as long as models.
  SmallVector<std::pair<Operation *, unsigned>> stack = {{body.getTerminator(), 0}};
  while (!stack.empty()) {
    auto &[op, next] = stack.back();
    if (next == op->getNumOperands()) {
      order.push_back(op);
      stack.pop_back();
      continue;
    }
    Operation *producer = op->getOperand(next++).getDefiningOp();
    if (producer && producer->getBlock() == &body && seen.insert(producer).second)
      stack.push_back({producer, 0});
  }
  for (Operation *op : order)
    op->moveBefore(&body, body.end());
}

/// What passes before have left to be computed of constants alone is a constant: no kernel does that.
static void foldConstants(func::FuncOp func) {
  OpBuilder builder(func);
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front())) {
    if (op.getNumOperands() == 0 || !llvm::all_of(op.getOperands(), isSplatConstant))
      continue;
    builder.setInsertionPoint(&op);
    SmallVector<Value> results;
    if (succeeded(builder.tryFold(&op, results)) && !results.empty()) {
      op.replaceAllUsesWith(results);
      op.erase();
    }
  }
}

/// Ops of a function that is grouped in a second way, too.
static constexpr int64_t kMostRegrouped = 256;

/// Whether the kernels of `other` are to be preferred: they take less time and move no more, or move less and
/// take hardly more time. Bytes are counted, time is estimated.
static bool isBetter(const fuse::Partition &other, const fuse::Partition &than) {
  auto a = other.cost(), b = than.cost();
  if (!a || !b)
    return false;
  double time = a->first / b->first, bytes = (double)a->second / (double)std::max<int64_t>(b->second, 1);
  return (time < 0.99 && bytes <= 1) || (time <= 1.02 && bytes < 0.98);
}

namespace {
struct PartitionKernels : fuse::impl::FusePartitionKernelsBase<PartitionKernels> {
  using Base::Base;
  void runOnOperation() override {
    FloatType narrow;
    if (storage == "bf16")
      narrow = BFloat16Type::get(&getContext());
    else if (storage == "fp16")
      narrow = Float16Type::get(&getContext());
    else if (storage != "fp32") {
      getOperation().emitError() << "unknown storage type '" << storage << "', expected fp32, bf16 or fp16";
      return signalPassFailure();
    }
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    llvm::StringMap<StringAttr> known;
    OpBuilder builder(&getContext());
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!func.getBody().hasOneBlock()) {
        func.emitOpError() << "must have one block";
        return signalPassFailure();
      }
      foldConstants(func);
      fuse::orderOps(func);
      // Which kernel an op joins decides what can join later: the order of its candidates is tried both ways.
      func::FuncOp clone = func.clone();
      fuse::Partition partition(func, *arch, maxInputs, maxRegisters, narrow),
          other(clone, *arch, maxInputs, maxRegisters, narrow);
      partition.earliestFirst = earliestFirst;
      partition.recomputes = other.recomputes = recompute;
      partition.joinsSiblings = other.joinsSiblings = joinSiblings;
      partition.mostMixed = other.mostMixed = mostMixed;
      other.earliestFirst = true;
      if (failed(partition.run())) {
        clone.erase();
        return signalPassFailure();
      }
      bool several =
          llvm::count_if(partition.groups, [](const fuse::Group &g) { return !g.ops.empty(); }) > 1;
      bool few = (int64_t)func.getBody().front().getOperations().size() <= kMostRegrouped;
      fuse::Partition *best = &partition;
      if (several && few && !earliestFirst && succeeded(other.run()) && isBetter(other, partition))
        best = &other;
      if (best == &other) {
        Operation *place = func->getNextNode();
        symbols.erase(func);
        symbols.insert(clone, place ? Block::iterator(place) : getOperation().getBody()->end());
      } else {
        clone.erase();
      }
      best->explain();
      if (failed(fuse::writeProgram(*best, builder, symbols, known)))
        return signalPassFailure();
    }
  }
};
} // namespace
