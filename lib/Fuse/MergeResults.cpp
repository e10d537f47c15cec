// Values that a group computes twice, and those that it stores twice.
//
// Passes before the partition give readers copies of what they read, so that each kernel can compute it for
// itself, and so does `recompute`. Where two copies meet in one kernel after all one is enough, also for what
// others read of it.

#include "Partition.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

namespace {

/// Whether two values are computed alike, from the same tensors.
struct Likeness {
  DenseMap<std::pair<Value, Value>, bool> known = DenseMap<std::pair<Value, Value>, bool>();

  bool alike(Value a, Value b) {
    if (a == b)
      return true;
    Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
    if (!x || !y || x->getNumRegions() != 0 || x->getNumOperands() != y->getNumOperands() ||
        x->getName() != y->getName() || x->getAttrDictionary() != y->getAttrDictionary() ||
        a.getType() != b.getType() || !isMemoryEffectFree(x))
      return false;
    auto [it, isNew] = known.try_emplace({a, b}, false);
    if (!isNew)
      return it->second;
    bool result = true;
    for (auto [left, right] : llvm::zip_equal(x->getOperands(), y->getOperands()))
      result = result && alike(left, right);
    return known[{a, b}] = result;
  }
};

} // namespace

namespace {

/// Copies of a group that one of them is to stand for, and what read them before.
struct CopiesOf {
  Partition &partition;
  Group &group;
  SmallVector<std::pair<OpOperand *, Value>> replaced = {};

  /// Uses the first of alike ops in place of the others, but for results, which others read.
  void replace();
  void undo() {
    for (auto [operand, old] : llvm::reverse(replaced))
      operand->set(old);
    replaced.clear();
  }
  bool isKernel(ArrayRef<Operation *> ops) const {
    std::string ignored;
    return partition.trafficOf(ops, /*inOnePass=*/false, ignored).has_value();
  }
};

void CopiesOf::replace() {
  Likeness likeness;
  DenseMap<OperationName, SmallVector<Operation *>> byName;
  SmallVector<Value> outputs = partition.outputsOf(group.ops);
  for (Operation *op : group.ops) {
    SmallVector<Operation *> &earlier = byName[op->getName()];
    auto *first = llvm::find_if(
        earlier, [&](Operation *other) { return likeness.alike(other->getResult(0), op->getResult(0)); });
    if (first == earlier.end() || llvm::is_contained(outputs, op->getResult(0))) {
      earlier.push_back(op);
      continue;
    }
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses())) {
      replaced.push_back({&use, use.get()});
      use.set((*first)->getResult(0));
    }
  }
}

} // namespace

void Partition::mergeCopies() {
  for (Group &group : groups) {
    // What lies in two orders stays in two copies.
    CopiesOf copies{*this, group};
    copies.replace();
    if (copies.replaced.empty())
      continue;
    SmallVector<Operation *> kept = neededOf(group.ops), left;
    llvm::copy_if(group.ops, std::back_inserter(left),
                  [&](Operation *op) { return !llvm::is_contained(kept, op); });
    drop(left);
    if (!copies.isKernel(kept)) {
      takeBack(left);
      copies.undo();
      continue;
    }
    for (Operation *op : left)
      groupOf.erase(op);
    group.ops = kept;
    dropUnneeded();
  }
}

void Partition::mergeResults() {
  auto isKernel = [&](ArrayRef<Operation *> ops) {
    std::string ignored;
    return ops.empty() || trafficOf(ops, /*inOnePass=*/false, ignored).has_value();
  };
  for (Group &group : groups) {
    SmallVector<Value> outputs = outputsOf(group.ops);
    for (size_t i = 0; i < outputs.size(); ++i)
      for (size_t j = i + 1; j < outputs.size(); ++j) {
        if (!outputs[j] || !outputs[i] || !Likeness().alike(outputs[i], outputs[j]))
          continue;
        // What a group cannot read in the order of the other one keeps its own.
        SmallVector<OpOperand *> uses =
            llvm::map_to_vector(outputs[j].getUses(), [](OpOperand &use) { return &use; });
        for (OpOperand *use : uses)
          use->set(outputs[i]);
        SmallVector<Operation *> kept = neededOf(group.ops), left;
        llvm::copy_if(group.ops, std::back_inserter(left),
                      [&](Operation *op) { return !llvm::is_contained(kept, op); });
        drop(left);
        bool good = isKernel(kept);
        for (const Group &other : groups)
          good = good && (&other == &group || isKernel(other.ops));
        if (!good) {
          for (OpOperand *use : uses)
            use->set(outputs[j]);
          takeBack(left);
          continue;
        }
        for (Operation *op : left)
          groupOf.erase(op);
        group.ops = kept;
        outputs[j] = Value();
      }
  }
  dropUnneeded();
}

void Partition::dropUnneeded() {
  auto isUnneeded = [&](const Group &group) { return !group.ops.empty() && outputsOf(group.ops).empty(); };
  for (auto unneeded = llvm::find_if(groups, isUnneeded); unneeded != groups.end();
       unneeded = llvm::find_if(groups, isUnneeded)) {
    drop(unneeded->ops);
    for (Operation *op : unneeded->ops)
      groupOf.erase(op);
    unneeded->ops.clear();
  }
}
