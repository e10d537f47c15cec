// Values that cost less to compute again than to be stored and read.
//
// An elementwise value that other kernels read is written once and read by each of them. Where it is made of
// tensors that lie in memory anyway, each of these kernels can compute it from them: the activation behind a
// widened input, a normalized row from the row and its mean. The readers get copies of the ops, and the
// modelled times of all kernels concerned, before and after, decide whether they keep them.

#include "Partition.h"

#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Ops that a reader copies at most, and the share of the time that must be gained.
static constexpr size_t kMostCopies = 24;
static constexpr double kLeastGain = 0.01;
/// What it may take longer by the model, as a share, where it moves less than this share of the bytes: bytes
/// are counted, instructions are estimated, and part of them runs while memory is waited for.
static constexpr double kMostLoss = 0.08, kFewerBytes = 0.9;
/// Rounds over all groups: what is copied may be copied on.
static constexpr int kRounds = 4;

namespace {

/// One value and what becomes of it.
struct Recomputation {
  Partition &partition;
  Value value;
  int producer;

  /// Elementwise ops of the producer that make the value from what is stored, in the order of the program.
  llvm::SmallSetVector<Operation *, 16> ops = {};
  /// Undone when it does not pay.
  SmallVector<std::pair<OpOperand *, Value>> replaced = {};
  SmallVector<Operation *> created = {}, dropped = {};
  llvm::MapVector<int, SmallVector<Operation *>> copies = {};

  /// Fills `ops`; false when they are too many or the value itself is none of them.
  bool collect();
  bool visit(Value current);
  /// Gives the readers in `group` the value's copy.
  void copyInto(int group);
  void undo();
  /// Members of the producer that its outputs still need.
  SmallVector<Operation *> remaining() const;
  bool tryFor(ArrayRef<int> readers);
};

} // namespace

/// Whether the kernels that read `op`'s result can have a copy of it: elementwise ops, and what is no more
/// than a number for each place or a load.
static bool canBeCopied(Operation *op) {
  return graph::isElementwise(op) || isa<graph::IotaOp, graph::PadOp, graph::GatherOp>(op);
}

/// Whether the kernel of `ops`, which reads the operand, could compute it instead. Equal parts are joined by
/// who computes them all, where no rows are held meanwhile; what is padded is chosen by where it is.
static bool canBeComputed(OpOperand &operand, ArrayRef<Operation *> ops) {
  if (auto concat = dyn_cast<graph::ConcatOp>(operand.getOwner()))
    return llvm::none_of(ops, graph::asReduction) && llvm::all_of(concat.getInputs(), [&](Value part) {
             return part.getType() == operand.get().getType();
           });
  return isa<graph::PadOp>(operand.getOwner()) || !isReadInMemory(operand);
}

bool Recomputation::visit(Value current) {
  Operation *op = current.getDefiningOp();
  auto it = partition.groupOf.find(op);
  if (!op || it == partition.groupOf.end() || it->second != producer || !canBeCopied(op) ||
      op->getNumResults() != 1)
    return current != value;
  // What is stored anyway is read.
  if (current != value && llvm::is_contained(partition.outputsOf(partition.groups[producer].ops), current))
    return true;
  for (Value root : partition.rootsOf(op))
    if (!visit(root))
      return false;
  ops.insert(op);
  return ops.size() <= kMostCopies;
}

bool Recomputation::collect() { return visit(value); }

void Recomputation::copyInto(int group) {
  const MaterializedOps &materialized = partition.materialized;
  IRMapping mapping;
  OpBuilder builder(partition.func.getContext());
  bool placed = false;
  SmallVector<Operation *> members(partition.groups[group].ops);
  std::function<Value(Value)> copyOf = [&](Value from) -> Value {
    if (Value copy = mapping.lookupOrNull(from))
      return copy;
    Operation *op = from.getDefiningOp();
    bool moves = isMovement(op) && !materialized.contains(op);
    if (!op || (!moves && !ops.contains(op)))
      return from;
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), copyOf);
    if (moves && operands.front() == op->getOperand(0))
      return from; // nothing behind it is copied
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    created.push_back(copy);
    if (!moves)
      copies[group].push_back(copy);
    mapping.map(from, copy->getResult(0));
    return copy->getResult(0);
  };
  for (Operation *member : members)
    for (OpOperand &operand : member->getOpOperands()) {
      if (chainOf(operand.get(), materialized).root != value)
        continue;
      if (!placed)
        builder.setInsertionPoint(member);
      placed = true;
      replaced.push_back({&operand, operand.get()});
      operand.set(copyOf(operand.get()));
    }
}

void Recomputation::undo() {
  partition.takeBack(dropped);
  for (auto [operand, old] : llvm::reverse(replaced))
    operand->set(old);
  for (Operation *op : llvm::reverse(created))
    op->erase();
  replaced.clear();
  created.clear();
  dropped.clear();
  copies.clear();
}

SmallVector<Operation *> Recomputation::remaining() const {
  return partition.neededOf(partition.groups[producer].ops);
}

bool Recomputation::tryFor(ArrayRef<int> readers) {
  double before = 0, after = 0;
  int64_t bytesBefore = 0, bytesAfter = 0;
  std::string why;
  auto count = [&](ArrayRef<Operation *> members, double &time, int64_t &bytes) {
    std::optional<KernelTraffic> traffic = partition.trafficOf(members, /*inOnePass=*/false, why);
    if (!traffic)
      return false;
    time += traffic->microseconds(partition.arch);
    bytes += traffic->bytes;
    return true;
  };
  if (!count(partition.groups[producer].ops, before, bytesBefore))
    return false;
  for (int reader : readers)
    if (!count(partition.groups[reader].ops, before, bytesBefore))
      return false;
  for (int reader : readers)
    copyInto(reader);
  SmallVector<Operation *> kept = remaining();
  // What is left must be a kernel when nobody needs the rest.
  llvm::copy_if(partition.groups[producer].ops, std::back_inserter(dropped),
                [&](Operation *member) { return !llvm::is_contained(kept, member); });
  partition.drop(dropped);
  bool good = kept.empty() || count(kept, after, bytesAfter);
  llvm::MapVector<int, SmallVector<Operation *>> members;
  for (int reader : readers) {
    members[reader] = inOrder(partition.groups[reader].ops, copies[reader]);
    good = good && count(members[reader], after, bytesAfter);
  }
  Operation *op = value.getDefiningOp();
  bool movesLess = (double)bytesAfter <= kFewerBytes * (double)bytesBefore;
  if (!good || after > before * (movesLess ? 1 + kMostLoss : 1 - kLeastGain)) {
    if (good)
      why =
          llvm::formatv(
              "computed again it would take {0:f2} us for {1} bytes, stored it takes {2:f2} us for {3} bytes",
              after, bytesAfter, before, bytesBefore)
              .str();
    partition.remarks.push_back([=] { emitRemark(op, Remark::RecomputeRefused, op, why); });
    undo();
    return false;
  }
  for (Operation *member : dropped)
    partition.groupOf.erase(member);
  partition.groups[producer].ops = kept;
  for (auto &[reader, list] : members) {
    partition.groups[reader].ops = list;
    for (Operation *copy : copies[reader])
      partition.groupOf[copy] = reader;
  }
  // What only the dropped ops read.
  partition.dropUnneeded();
  partition.remarks.push_back([=, kernels = readers.size(), count = ops.size()] {
    emitRemark(op, Remark::Recomputed, op, kernels, count, after, bytesAfter, before, bytesBefore);
  });
  return true;
}

/// Groups that read `value` and could compute it, in order; `all` tells whether these are all its readers.
static SmallVector<int> readersOf(Partition &partition, Value value, int producer, bool &all) {
  SmallVector<int> readers;
  SmallVector<Value> worklist = {value};
  llvm::SmallSetVector<int, 4> refusing;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto it = partition.groupOf.find(user);
      if (isMovement(user) && !partition.materialized.contains(user))
        worklist.push_back(user->getResult(0));
      else if (it == partition.groupOf.end() || it->second == producer)
        continue;
      else if (!canBeComputed(use, partition.groups[it->second].ops))
        refusing.insert(it->second);
      else if (!llvm::is_contained(readers, it->second))
        readers.push_back(it->second);
    }
  llvm::erase_if(readers, [&](int reader) { return refusing.contains(reader); });
  llvm::sort(readers);
  all = refusing.empty();
  return readers;
}

void Partition::recompute() {
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    // Copies of one value are as good as each other: what one of them is stored for need not be computed
    // again.
    mergeCopies();
    for (int group : launchOrder())
      for (Value value : outputsOf(groups[group].ops)) {
        bool all = false;
        SmallVector<int> readers = readersOf(*this, value, group, all);
        if (readers.empty() || !canBeCopied(value.getDefiningOp()))
          continue;
        Recomputation together{*this, value, group};
        if (!together.collect() || together.ops.empty())
          continue;
        if (together.tryFor(readers)) {
          changed = true;
          continue;
        }
        // It is stored all the same for some readers: one by one the others may still gain.
        if (readers.size() == 1 || !(isReturned(value) || !all))
          continue;
        for (int reader : readers) {
          Recomputation alone{*this, value, group};
          changed |= alone.collect() && alone.tryFor({reader});
        }
      }
    if (!changed)
      return;
  }
}
