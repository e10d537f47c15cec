// Results that a reduction's kernel had better not store.
//
// Ops join the kernel of their producer one after the other, and each step is weighed for itself: what a
// kernel stores of a tensor that lies across its rows may have been the lesser evil while its next reader was
// not there yet, or while other results had the tile their way. Once the grouping stands, a kernel with
// reductions is held against two: one of its reductions, and one of elementwise results, which computes again
// what both need of the inputs and reads what was reduced.

#include "Partition.h"

#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// The share of the time that must be gained, and ops that are computed twice at most.
static constexpr double kLeastGain = 0.1;
static constexpr size_t kMostCopies = 24;

namespace {

/// One group, and some of its results that leave it.
struct Removal {
  Partition &partition;
  int group;
  SmallVector<Value> results;

  /// Ops of the new kernel and of the old one; those of both are copied for the new one.
  llvm::SmallSetVector<Operation *, 16> leaving = {}, staying = {};
  /// Undone when it does not pay.
  SmallVector<std::pair<OpOperand *, Value>> replaced = {};
  SmallVector<Operation *> created = {}, apart = {};

  ArrayRef<Operation *> ops() const { return partition.groups[group].ops; }
  bool collect();
  bool copyShared();
  bool redirect(Value from, Value to);
  void undo();
  bool tryFor();
};

} // namespace

/// Whether each kernel that reads `op`'s result can have it computed for itself.
static bool canBeCopied(Operation *op) {
  return op->getNumResults() == 1 && (graph::isElementwise(op) || isa<graph::IotaOp, graph::PadOp>(op));
}

/// Fills `leaving` and `staying`; false where one of them is no kernel worth thinking of.
bool Removal::collect() {
  SmallVector<Value> outputs = partition.outputsOf(ops());
  SmallVector<Operation *> worklist;
  llvm::SmallPtrSet<Operation *, 8> kept;
  for (Value output : outputs)
    if (!llvm::is_contained(results, output))
      kept.insert(output.getDefiningOp());
  for (Value result : results)
    worklist.push_back(result.getDefiningOp());
  SmallVector<Operation *> read;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!llvm::is_contained(ops(), op))
      continue;
    // What is stored anyway is read.
    if (!canBeCopied(op) || kept.contains(op)) {
      read.push_back(op);
      continue;
    }
    if (leaving.insert(op))
      for (Value root : partition.rootsOf(op))
        if (Operation *producer = root.getDefiningOp())
          worklist.push_back(producer);
  }
  worklist.assign(read);
  worklist.append(kept.begin(), kept.end());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (llvm::is_contained(ops(), op) && staying.insert(op))
      for (Value root : partition.rootsOf(op))
        if (Operation *producer = root.getDefiningOp())
          worklist.push_back(producer);
  }
  size_t copies = llvm::count_if(leaving, [&](Operation *op) { return staying.contains(op); });
  bool reduces = llvm::any_of(staying, [](Operation *op) { return (bool)graph::asReduction(op); });
  return reduces && copies <= kMostCopies;
}

/// Gives the readers of `from` outside of the group `to` instead; false where a movement op is read by both.
bool Removal::redirect(Value from, Value to) {
  std::function<std::pair<bool, bool>(Operation *)> readers = [&](Operation *user) {
    if (!isMovement(user) || partition.materialized.contains(user))
      return std::pair(llvm::is_contained(ops(), user), !llvm::is_contained(ops(), user));
    std::pair<bool, bool> found(false, false);
    for (Operation *next : user->getUsers()) {
      auto [inside, outside] = readers(next);
      found = {found.first || inside, found.second || outside};
    }
    return found;
  };
  for (OpOperand &use : llvm::make_early_inc_range(from.getUses())) {
    auto [inside, outside] = readers(use.getOwner());
    if (inside && outside)
      return false;
    if (!outside)
      continue;
    replaced.push_back({&use, from});
    use.set(to);
  }
  return true;
}

/// Copies what both kernels compute for the new one; false where a result cannot be told apart.
bool Removal::copyShared() {
  const MaterializedOps &materialized = partition.materialized;
  IRMapping mapping;
  OpBuilder builder(partition.func.getContext());
  std::function<Value(Value)> copyOf = [&](Value from) -> Value {
    if (Value copy = mapping.lookupOrNull(from))
      return copy;
    Operation *op = from.getDefiningOp();
    bool moves = op && isMovement(op) && !materialized.contains(op);
    if (!op || (!moves && !(leaving.contains(op) && staying.contains(op))))
      return from;
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), copyOf);
    if (moves && operands.front() == op->getOperand(0))
      return from; // nothing behind it is copied
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    created.push_back(copy);
    if (!moves)
      apart.push_back(copy);
    mapping.map(from, copy->getResult(0));
    return copy->getResult(0);
  };
  for (Operation *op : ops()) {
    if (!leaving.contains(op) || staying.contains(op))
      continue;
    apart.push_back(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value old = operand.get(), copy = copyOf(old);
      if (copy == old)
        continue;
      replaced.push_back({&operand, old});
      operand.set(copy);
    }
  }
  // What the reductions read as well.
  return llvm::all_of(results, [&](Value result) {
    return !staying.contains(result.getDefiningOp()) || redirect(result, copyOf(result));
  });
}

void Removal::undo() {
  for (auto [operand, old] : llvm::reverse(replaced))
    operand->set(old);
  for (Operation *op : llvm::reverse(created))
    op->erase();
  replaced.clear();
  created.clear();
}

bool Removal::tryFor() {
  std::string why;
  std::optional<KernelTraffic> one = partition.trafficOf(ops(), /*inOnePass=*/false, why);
  // The blocks of a cluster share the rows where these are few, which the model does not know.
  bool areFew = one && 2 * one->blocks < (int64_t)partition.arch.numSMs && one->steps == 0;
  if (!one || areFew || !collect())
    return false;
  if (!copyShared()) {
    undo();
    return false;
  }
  SmallVector<Operation *> rest = inOrder({}, staying.getArrayRef()), other = inOrder({}, apart);
  std::optional<KernelTraffic> first = partition.trafficOf(rest, /*inOnePass=*/false, why),
                               second = partition.trafficOf(other, /*inOnePass=*/false, why);
  double together = one->microseconds(partition.arch), separately = 0;
  if (first && second)
    separately = first->microseconds(partition.arch) + second->microseconds(partition.arch);
  if (!first || !second || separately > together * (1 - kLeastGain)) {
    undo();
    return false;
  }
  Operation *op = results.front().getDefiningOp(), *anchor = rest.back();
  int64_t apartBytes = first->bytes + second->bytes, bytes = one->bytes;
  partition.remarks.push_back(
      [=] { emitRemark(op, Remark::TakenApart, op, anchor, separately, apartBytes, together, bytes); });
  partition.groups[group].ops = rest;
  for (Operation *member : other)
    partition.groupOf[member] = (int)partition.groups.size();
  partition.groups.push_back({other});
  return true;
}

void Partition::takeApart() {
  for (int group = 0, count = (int)groups.size(); group < count; ++group) {
    if (llvm::none_of(groups[group].ops, [](Operation *op) { return (bool)graph::asReduction(op); }))
      continue;
    SmallVector<Value> candidates;
    for (Value output : outputsOf(groups[group].ops))
      if (canBeCopied(output.getDefiningOp()))
        candidates.push_back(output);
    if (candidates.empty() || Removal{*this, group, candidates}.tryFor())
      continue;
    if (candidates.size() > 1)
      for (Value result : candidates)
        if (Removal{*this, group, {result}}.tryFor())
          break;
  }
}
