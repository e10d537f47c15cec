// fuse-partition-kernels: groups the ops of a function into kernels, then writes the kernels and the program
// that launches them. An op joins a group of one of its producers when the group's values stay strided views
// over one domain, no cycle of groups arises, and one kernel costs no more than two (TrafficModel.h) and fits
// the registers (TileBudget.h); else it starts a group of its own.

#include "Tilewright/Fuse/Passes.h"

#include "TrafficModel.h"

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEPARTITIONKERNELS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Ops a kernel may have; beyond it, solving for its indexing costs more than a launch saves.
static constexpr size_t kMaxOps = 96;
/// Elements that a thread has of a product's smallest tile: 32x32 for 4 warps.
static constexpr int64_t kLeastProductElems = 8;

namespace {

/// Ops that become one kernel, in program order.
struct Group {
  SmallVector<Operation *> ops;
};

/// Whether the kernel of the operand's owner reads it through its address, even when it is one number.
static bool isReadInMemory(OpOperand &operand) {
  Operation *user = operand.getOwner();
  return isa<graph::MatmulOp, graph::PadOp>(user) ||
         (isa<graph::GatherOp>(user) && operand.getOperandNumber() == 0);
}

/// The grouping of one function's ops.
struct Partition {
  Partition(func::FuncOp func, int64_t maxInputs, int64_t maxRegisters, FloatType storage)
      : func(func), maxInputs(maxInputs), maxRegisters(maxRegisters), storage(storage) {}

  func::FuncOp func;
  int64_t maxInputs;
  /// Registers of a thread that the values of a kernel's smallest tile may take.
  int64_t maxRegisters;
  /// Element type that fp32 values are stored in between kernels; null for fp32 itself.
  FloatType storage;
  MaterializedOps materialized;
  /// Groups in order of creation; emptied ones stay as holes.
  std::vector<Group> groups;
  DenseMap<Operation *, int> groupOf;

  /// What was decided and why, said once the grouping stands.
  std::vector<std::function<void()>> remarks;

  LogicalResult run();
  /// Groups every op from the start, under the movement ops that are materialized so far.
  LogicalResult groupAll();

  /// Whether `op` is computed by some kernel.
  bool isComputed(Operation *op) const {
    return op && !isa<arith::ConstantOp, graph::WeightOp, func::ReturnOp>(op) &&
           (!isMovement(op) || materialized.contains(op));
  }
  /// Values that `op` reads from memory or other kernels: the roots of its operands' chains.
  SmallVector<Value> rootsOf(Operation *op) const {
    SmallVector<Value> roots;
    for (OpOperand &operand : op->getOpOperands()) {
      // A materialized movement op reads its operand's root, not itself.
      MovementChain chain = chainOf(operand.get(), materialized);
      if (!isSplatConstant(chain.root) || isReadInMemory(operand))
        roots.push_back(chain.root);
    }
    return roots;
  }
  /// Adds `op` to the group when they make one kernel; else says in `why` what keeps them apart.
  bool tryJoin(Operation *op, int group, std::string &why);
  /// Moves the ops of group `from` into `into` when these make one kernel; else says why not.
  bool tryMerge(int from, int into, std::string &why);
  /// Whether `ops` are one kernel that is no worse than the kernels of `one` and `other`. With `inOnePass` it
  /// may not read anything twice.
  bool isOneKernel(ArrayRef<Operation *> ops, ArrayRef<Operation *> one, ArrayRef<Operation *> other,
                   bool inOnePass, std::string &why) const;
  /// Results of `ops` that other ops or the caller read.
  SmallVector<Value> outputsOf(ArrayRef<Operation *> ops) const;
  /// Bytes of `value` in memory between kernels.
  int64_t bytesOf(Value value) const;
  /// Bytes of the group's results that `op` reads.
  int64_t bytesBetween(Operation *op, int group) const;
  /// Merges the other `candidates`, which `op` reads too, into its group.
  void mergeProducers(Operation *op, int group, ArrayRef<int> candidates);
  /// Joins the first of `candidates` that `op` can join.
  bool joinOneOf(Operation *op, ArrayRef<int> candidates);
  /// Whether group `from` needs, directly or not, a result of group `to`.
  bool dependsOn(int from, int to) const;
  LogicalResult startGroup(Operation *op);
  /// Puts `op` into a group of one of its producers, or one of its own.
  LogicalResult place(Operation *op);
  /// Whether `op` widens a stored 16-bit value: it is computed where the wide value is read, never stored.
  bool isWidening(Operation *op) const;
  /// `op` behind the widenings of its operands that no kernel computes yet.
  SmallVector<Operation *> withWidenings(Operation *op) const;
  /// Groups such that each comes after those it needs; ties by the first op.
  SmallVector<int> launchOrder() const;
};

} // namespace

/// A value is returned through movement that is no plain alias: its last movement op is computed.
static void materializeReturns(Partition &partition) {
  for (Value value : partition.func.getBody().front().getTerminator()->getOperands())
    for (Operation *op : chainOf(value, {}).ops)
      if (!isa<graph::ReshapeOp>(op)) {
        partition.materialized.insert(op);
        break;
      }
}

bool Partition::dependsOn(int from, int to) const {
  SmallVector<int> worklist = {from};
  llvm::SmallDenseSet<int> seen = {from};
  while (!worklist.empty()) {
    int group = worklist.pop_back_val();
    for (Operation *op : groups[group].ops)
      for (Value root : rootsOf(op)) {
        auto it = groupOf.find(root.getDefiningOp());
        if (it == groupOf.end() || it->second == group)
          continue;
        if (it->second == to)
          return true;
        if (seen.insert(it->second).second)
          worklist.push_back(it->second);
      }
  }
  return false;
}

bool Partition::isWidening(Operation *op) const {
  auto extension = dyn_cast_if_present<arith::ExtFOp>(op);
  return extension && isComputed(chainOf(extension.getIn(), materialized).root.getDefiningOp());
}

SmallVector<Operation *> Partition::withWidenings(Operation *op) const {
  SmallVector<Operation *> ops;
  // Products, gathers and joined tensors read memory, not what their own kernel computes.
  bool readsMemory = isa<graph::MatmulOp, graph::GatherOp, graph::ConcatOp, graph::PadOp>(op);
  for (Value root : readsMemory ? SmallVector<Value>() : rootsOf(op))
    if (Operation *producer = root.getDefiningOp();
        isWidening(producer) && !groupOf.count(producer) && !llvm::is_contained(ops, producer))
      ops.push_back(producer);
  ops.push_back(op);
  return ops;
}

SmallVector<Value> Partition::outputsOf(ArrayRef<Operation *> ops) const {
  SmallVector<Value> outputs;
  for (Operation *op : ops) {
    // Used by another kernel, through whatever movement, or returned.
    bool escapes = false;
    SmallVector<Value> worklist = {op->getResult(0)};
    while (!worklist.empty() && !escapes) {
      Value value = worklist.pop_back_val();
      for (Operation *user : value.getUsers()) {
        if (isMovement(user) && !materialized.contains(user))
          worklist.push_back(user->getResult(0));
        else
          escapes |= !llvm::is_contained(ops, user);
      }
    }
    if (escapes)
      outputs.push_back(op->getResult(0));
  }
  return outputs;
}

int64_t Partition::bytesOf(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  bool narrow = storage && type.getElementType().isF32() && isComputed(value.getDefiningOp());
  return plan::storageBytes(narrow ? type.clone(storage) : type);
}

bool Partition::isOneKernel(ArrayRef<Operation *> ops, ArrayRef<Operation *> one, ArrayRef<Operation *> other,
                            bool inOnePass, std::string &why) const {
  if (ops.size() > kMaxOps) {
    why = "it would have " + std::to_string(ops.size()) + " ops, the limit is " + std::to_string(kMaxOps);
    return false;
  }
  llvm::SmallSetVector<Value, 16> inputs;
  for (Operation *member : ops)
    for (Value root : rootsOf(member))
      if (!llvm::is_contained(ops, root.getDefiningOp()))
        inputs.insert(root);
  if ((int64_t)inputs.size() > maxInputs) {
    why = "it would read " + std::to_string(inputs.size()) + " tensors, the limit is " +
          std::to_string(maxInputs);
    return false;
  }
  auto indexing = KernelIndexing::solve(ops, materialized, why);
  if (!indexing)
    return false;
  // The smallest tile: a product's still gives every thread several elements.
  SmallVector<Value> outputs = outputsOf(ops);
  TilePressure pressure = tilePressure(*indexing, ops, outputs);
  int64_t smallest = indexing->anchor == graph::Anchor::Matmul ? kLeastProductElems : 1;
  if (int64_t registers = pressure.registers(smallest); registers > maxRegisters) {
    why = "its smallest tile would take " + std::to_string(registers) + " registers, the limit is " +
          std::to_string(maxRegisters);
    return false;
  }
  if (inOnePass && !takesOnePass(*indexing, pressure)) {
    why = "the kernel reads its inputs in several passes";
    return false;
  }
  fuse::KernelTraffic fused, apart;
  int64_t costApart = fuse::launchCost();
  auto count = [&](const KernelIndexing &indexing, const TilePressure &pressure, ArrayRef<Operation *> part,
                   ArrayRef<Value> stored) {
    return fuse::kernelTraffic(indexing, pressure, part, stored, [&](Value value) { return bytesOf(value); });
  };
  fused = count(*indexing, pressure, ops, outputs);
  for (ArrayRef<Operation *> part : {one, other}) {
    std::string alone;
    auto partIndexing = KernelIndexing::solve(part, materialized, alone);
    if (!partIndexing)
      return true; // there is no other way to compute it
    SmallVector<Value> stored = outputsOf(part);
    fuse::KernelTraffic traffic =
        count(*partIndexing, tilePressure(*partIndexing, part, stored), part, stored);
    apart.bytes += traffic.bytes;
    costApart += traffic.cost();
  }
  if (fused.bytes > apart.bytes) {
    why = "it would move " + std::to_string(fused.bytes) + " bytes, apart they move " +
          std::to_string(apart.bytes);
    return false;
  }
  if (fused.cost() > costApart) {
    why = "computed again by every block it would cost as much as moving " + std::to_string(fused.cost()) +
          " bytes, apart they cost " + std::to_string(costApart);
    return false;
  }
  return true;
}

/// `a` and `b` in program order.
static SmallVector<Operation *> inOrder(ArrayRef<Operation *> a, ArrayRef<Operation *> b) {
  SmallVector<Operation *> ops(a);
  llvm::append_range(ops, b);
  llvm::sort(ops, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return ops;
}

bool Partition::tryMerge(int from, int into, std::string &why) {
  // A third kernel between the two would need one and feed the other.
  for (auto [start, end] : {std::pair(from, into), std::pair(into, from)})
    for (Operation *member : groups[start].ops)
      for (Value root : rootsOf(member))
        if (auto it = groupOf.find(root.getDefiningOp());
            it != groupOf.end() && it->second != start && it->second != end && dependsOn(it->second, end)) {
          why = "a third kernel lies between them";
          return false;
        }
  SmallVector<Operation *> ops = inOrder(groups[from].ops, groups[into].ops);
  // Ops yet to come may add passes, which would read the merged kernel's inputs instead of one tensor.
  if (!isOneKernel(ops, groups[from].ops, groups[into].ops, /*inOnePass=*/true, why))
    return false;
  for (Operation *member : groups[from].ops)
    groupOf[member] = into;
  groups[from].ops.clear();
  groups[into].ops = ops;
  return true;
}

bool Partition::tryJoin(Operation *op, int group, std::string &why) {
  SmallVector<Operation *> joining = withWidenings(op);
  SmallVector<Operation *> ops = inOrder(groups[group].ops, joining);
  for (Operation *member : joining)
    for (Value root : rootsOf(member)) {
      auto it = groupOf.find(root.getDefiningOp());
      if (it != groupOf.end() && it->second != group && dependsOn(it->second, group)) {
        why = "another operand needs a result of that kernel";
        return false;
      }
    }
  if (!isOneKernel(ops, groups[group].ops, joining, /*inOnePass=*/false, why))
    return false;
  groups[group].ops = ops;
  for (Operation *member : joining)
    groupOf[member] = group;
  return true;
}

int64_t Partition::bytesBetween(Operation *op, int group) const {
  llvm::SmallSetVector<Value, 4> read;
  for (Value root : rootsOf(op))
    if (auto it = groupOf.find(root.getDefiningOp()); it != groupOf.end() && it->second == group)
      read.insert(root);
  int64_t bytes = 0;
  for (Value root : read)
    bytes += plan::storageBytes(cast<RankedTensorType>(root.getType()));
  return bytes;
}

bool Partition::joinOneOf(Operation *op, ArrayRef<int> candidates) {
  for (int group : candidates) {
    Operation *anchor = groups[group].ops.front();
    std::string why = "a product starts a kernel";
    if (!isa<graph::MatmulOp>(op) && tryJoin(op, group, why)) {
      remarks.push_back(
          [=, bytes = bytesBetween(op, group)] { emitRemark(op, Remark::Fused, op, anchor, bytes); });
      mergeProducers(op, group, candidates);
      return true;
    }
    remarks.push_back([=] { emitRemark(op, Remark::FusionRefused, op, anchor, why); });
  }
  return false;
}

void Partition::mergeProducers(Operation *op, int group, ArrayRef<int> candidates) {
  for (int other : candidates) {
    if (other == group || groups[other].ops.empty())
      continue;
    Operation *producer = groups[other].ops.front();
    int64_t bytes = bytesBetween(op, other);
    std::string why;
    if (tryMerge(other, group, why))
      remarks.push_back([=] { emitRemark(producer, Remark::Fused, producer, op, bytes); });
    else
      remarks.push_back([=] { emitRemark(producer, Remark::FusionRefused, producer, op, why); });
  }
}

LogicalResult Partition::startGroup(Operation *op) {
  std::string why;
  SmallVector<Operation *> ops = withWidenings(op);
  // An operand that is no strided view of its root is computed by a kernel of its own: the movement op
  // nearest to the root that breaks the chain, then the next one.
  while (!KernelIndexing::solve(ops, materialized, why)) {
    // A widening that others read differently is computed for itself.
    std::string ignored;
    if (ops.size() > 1 && KernelIndexing::solve({op}, materialized, ignored)) {
      for (Operation *widening : ArrayRef(ops).drop_back())
        if (failed(startGroup(widening)))
          return failure();
      ops = withWidenings(op);
      continue;
    }
    Operation *broken = nullptr;
    for (Value operand : op->getOperands()) {
      MovementChain chain = chainOf(operand, materialized);
      if (!chain.ops.empty())
        broken = chain.ops.front();
    }
    if (!broken)
      return op->emitError() << "cannot be made a kernel: " << why;
    materialized.insert(broken);
    if (failed(startGroup(broken)))
      return failure();
    ops = withWidenings(op);
  }
  for (Operation *member : ops)
    groupOf[member] = (int)groups.size();
  groups.push_back({ops});
  return success();
}

LogicalResult Partition::place(Operation *op) {
  if (groupOf.count(op))
    return success();
  llvm::SmallSetVector<int, 4> candidates;
  for (Operation *member : withWidenings(op))
    for (Value root : rootsOf(member)) {
      if (auto it = groupOf.find(root.getDefiningOp()); it != groupOf.end())
        candidates.insert(it->second);
      else if (isWidening(root.getDefiningOp()) && member == op && withWidenings(op).size() == 1 &&
               failed(place(root.getDefiningOp())))
        return failure();
    }
  // The latest producer first: its result is the one most likely to be still on its way to memory.
  SmallVector<int> order = candidates.takeVector();
  llvm::sort(order, std::greater<int>());
  return success(joinOneOf(op, order) || succeeded(startGroup(op)));
}

LogicalResult Partition::run() {
  materializeReturns(*this);
  // An op that is materialized late may be what earlier groups look through: these are formed again, until no
  // more are.
  size_t before;
  do {
    before = materialized.size();
    groups.clear();
    groupOf.clear();
    remarks.clear();
    if (failed(groupAll()))
      return failure();
  } while (materialized.size() != before);
  for (const std::function<void()> &remark : remarks)
    remark();
  return success();
}

LogicalResult Partition::groupAll() {
  Block &body = func.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (!isComputed(&op) || isWidening(&op))
      continue;
    if (op.getNumResults() != 1 || op.getNumRegions() != 0)
      return op.emitOpError() << "is not an op of a tensor program";
    if (failed(place(&op)))
      return failure();
  }
  for (Value returned : body.getTerminator()->getOperands()) {
    Operation *producer = chainOf(returned, materialized).root.getDefiningOp();
    if (isWidening(producer) && failed(place(producer)))
      return failure();
  }
  return success();
}

SmallVector<int> Partition::launchOrder() const {
  SmallVector<int> order;
  SmallVector<bool> done(groups.size(), false);
  std::function<void(int)> visit = [&](int group) {
    if (done[group])
      return;
    done[group] = true;
    SmallVector<int> needed;
    for (Operation *op : groups[group].ops)
      for (Value root : rootsOf(op))
        if (auto it = groupOf.find(root.getDefiningOp()); it != groupOf.end() && it->second != group)
          needed.push_back(it->second);
    llvm::sort(needed);
    for (int other : needed)
      visit(other);
    order.push_back(group);
  };
  SmallVector<int> byFirstOp = llvm::to_vector(llvm::make_filter_range(
      llvm::seq<int>(0, groups.size()), [&](int group) { return !groups[group].ops.empty(); }));
  llvm::sort(byFirstOp,
             [&](int a, int b) { return groups[a].ops.front()->isBeforeInBlock(groups[b].ops.front()); });
  for (int group : byFirstOp)
    visit(group);
  return order;
}

//===-- Writing kernels and programs
//----------------------------------------------------------------------===//

namespace {

/// Writes the kernels and the program of one partition.
struct Writer {
  Partition &partition;
  OpBuilder &builder;
  SymbolTable &symbols;
  /// Text of a kernel without its name to the symbol that has it.
  llvm::StringMap<StringAttr> &known;
  /// Element type that fp32 values are stored in between kernels; null for fp32 itself.
  FloatType storage;
  /// Values of the function to values of the program.
  IRMapping program;
  /// Values that some kernel reads through different views: widened there, they would be needed in two
  /// orders.
  llvm::DenseSet<Value> readInTwoOrders = {};

  LogicalResult run();
  /// Fills readInTwoOrders.
  void findReadInTwoOrders();
  void writeLaunch(const Group &group);
  graph::KernelOp writeKernel(const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs);
  /// Type that `value` has in memory between kernels.
  RankedTensorType storedType(Value value);
  bool isReturned(Value value);
  /// Whether some op reads `value` only as it lies in memory, so that no kernel could widen it first.
  bool isReadInPlace(Value value);
  Value programValue(Value value);
};

} // namespace

bool Writer::isReturned(Value value) {
  return llvm::any_of(partition.func.getBody().front().getTerminator()->getOperands(), [&](Value returned) {
    return chainOf(returned, partition.materialized).root == value;
  });
}

bool Writer::isReadInPlace(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isMovement(user) && !partition.materialized.contains(user)) {
      if (isReadInPlace(user->getResult(0)))
        return true;
      continue;
    }
    if (isa<graph::MatmulOp, graph::ConcatOp, graph::PadOp>(user) ||
        (isa<graph::GatherOp>(user) && use.getOperandNumber() == 0))
      return true;
  }
  return false;
}

void Writer::findReadInTwoOrders() {
  for (const Group &group : partition.groups) {
    if (group.ops.empty())
      continue;
    std::string why;
    auto indexing = KernelIndexing::solve(group.ops, partition.materialized, why);
    assert(indexing && "the partition holds groups that have an indexing");
    DenseMap<Value, layout::StridedView> views;
    for (Operation *op : group.ops)
      for (const OperandAccess &access : indexing->accesses[op])
        if (auto [it, isNew] = views.try_emplace(access.root, access.view);
            !isNew && !(it->second == access.view))
          readInTwoOrders.insert(access.root);
  }
}

RankedTensorType Writer::storedType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  bool between = partition.isComputed(value.getDefiningOp()) && !isReturned(value) && !isReadInPlace(value) &&
                 !readInTwoOrders.contains(value);
  return storage && between && type.getElementType().isF32() ? type.clone(storage) : type;
}

/// `value` widened or narrowed to `type`, which differs in the float element type at most.
static Value convertFloat(OpBuilder &builder, Location loc, Value value, RankedTensorType type) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < type.getElementTypeBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// A readable symbol: the anchor's name, then the first and last op's.
static std::string kernelName(const Group &group, graph::Anchor anchor) {
  auto stem = [](Operation *op) { return op->getName().stripDialect().str(); };
  std::string name = stem(group.ops.front());
  if (anchor == graph::Anchor::Matmul || anchor == graph::Anchor::Reduction) {
    name = stringifyAnchor(anchor).str();
    if (stem(group.ops.back()) != "matmul")
      name += "_" + stem(group.ops.back());
    return name;
  }
  if (group.ops.size() > 1)
    name += "_" + stem(group.ops.back());
  return name;
}

graph::KernelOp Writer::writeKernel(const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
  std::string why;
  auto indexing = KernelIndexing::solve(group.ops, partition.materialized, why);
  assert(indexing && "the partition holds groups that have an indexing");
  SmallVector<Type> argumentTypes, resultTypes;
  for (Value input : inputs)
    argumentTypes.push_back(storedType(input));
  for (Value output : outputs)
    resultTypes.push_back(storedType(output));
  SmallVector<Location> locs = llvm::map_to_vector(group.ops, [](Operation *op) { return op->getLoc(); });
  Location loc = FusedLoc::get(builder.getContext(), locs);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(partition.func);
  auto kernel =
      graph::KernelOp::create(builder, loc, kernelName(group, indexing->anchor),
                              builder.getFunctionType(argumentTypes, resultTypes), indexing->anchor,
                              /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr, /*sym_visibility=*/nullptr);
  Block *block = builder.createBlock(&kernel.getBody());
  IRMapping mapping;
  for (auto [input, type] : llvm::zip_equal(inputs, argumentTypes)) {
    Value argument = block->addArgument(type, input.getLoc());
    mapping.map(input,
                convertFloat(builder, input.getLoc(), argument, cast<RankedTensorType>(input.getType())));
  }
  std::function<Value(Value)> materialize = [&](Value value) -> Value {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      materialize(operand);
    Operation *clone = builder.clone(*op, mapping);
    return clone->getResult(0);
  };
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      materialize(operand);
    Operation *clone = builder.clone(*op, mapping);
    if (isMovement(op))
      clone->setAttr("graph.materialize", builder.getUnitAttr());
    if (auto truncation = dyn_cast<arith::TruncFOp>(clone))
      if (auto widened = truncation.getIn().getDefiningOp<arith::ExtFOp>();
          widened && widened.getIn().getType() == truncation.getType())
        mapping.map(op->getResult(0), widened.getIn());
  }
  SmallVector<Value> results;
  for (auto [output, type] : llvm::zip_equal(outputs, resultTypes))
    results.push_back(
        convertFloat(builder, output.getLoc(), mapping.lookup(output), cast<RankedTensorType>(type)));
  graph::ReturnOp::create(builder, loc, results);
  // Clones that nothing reads: a widened argument used narrow only, a folded rounding.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return kernel;
}

/// The kernel's text without name and locations: equal texts are equal kernels.
static std::string kernelText(graph::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  StringAttr name = kernel.getSymNameAttr();
  kernel.setSymName("k");
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  kernel.setSymNameAttr(name);
  return text;
}

void Writer::writeLaunch(const Group &group) {
  llvm::SmallSetVector<Value, 8> inputs;
  SmallVector<Value> outputs = partition.outputsOf(group.ops);
  for (Operation *op : group.ops)
    for (Value root : partition.rootsOf(op))
      if (!llvm::is_contained(group.ops, root.getDefiningOp()))
        inputs.insert(root);
  graph::KernelOp kernel = writeKernel(group, inputs.getArrayRef(), outputs);
  auto [it, isNew] = known.try_emplace(kernelText(kernel), StringAttr());
  if (isNew) {
    symbols.insert(kernel);
    it->second = kernel.getSymNameAttr();
  }
  StringAttr name = it->second;
  SmallVector<Value> arguments;
  for (Value input : inputs)
    arguments.push_back(programValue(input));
  auto launch = plan::LaunchOp::create(builder, kernel.getLoc(), kernel.getResultTypes(), name, arguments);
  if (!isNew)
    kernel.erase();
  for (auto [output, result] : llvm::zip_equal(outputs, launch.getResults()))
    program.map(output, result);
}

Value Writer::programValue(Value value) {
  if (Value mapped = program.lookupOrNull(value))
    return mapped;
  Operation *clone = builder.clone(*value.getDefiningOp(), program);
  return clone->getResult(0);
}

LogicalResult Writer::run() {
  func::FuncOp func = partition.func;
  builder.setInsertionPoint(func);
  // Inputs and outputs that the source does not name are numbered.
  auto rename = [&](DictionaryAttr attrs, const Twine &fallback) {
    NamedAttrList renamed;
    for (NamedAttribute attr : attrs ? attrs.getValue() : ArrayRef<NamedAttribute>()) {
      StringRef name = attr.getName().getValue();
      renamed.append(name.starts_with("graph.") ? ("plan." + name.drop_front(6)).str() : name.str(),
                     attr.getValue());
    }
    if (!renamed.get("plan.name"))
      renamed.append("plan.name", builder.getStringAttr(fallback));
    return renamed.getDictionary(func.getContext());
  };
  SmallVector<Attribute> argAttrs, resAttrs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    argAttrs.push_back(rename(func.getArgAttrDict(i), "input" + Twine(i)));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    resAttrs.push_back(rename(func.getResultAttrDict(i), "output" + Twine(i)));
  auto programOp =
      plan::ProgramOp::create(builder, func.getLoc(), func.getSymName(), func.getFunctionType(),
                              func->getAttrOfType<ArrayAttr>(plan::PlanDialect::getBucketAttrName()),
                              builder.getArrayAttr(argAttrs), builder.getArrayAttr(resAttrs),
                              /*sym_visibility=*/nullptr);
  Block *block = builder.createBlock(&programOp.getBody());
  for (BlockArgument argument : func.getArguments())
    program.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
  if (storage)
    findReadInTwoOrders();
  for (int group : partition.launchOrder())
    writeLaunch(partition.groups[group]);
  SmallVector<Value> results;
  for (Value returned : func.getBody().front().getTerminator()->getOperands()) {
    MovementChain chain = chainOf(returned, partition.materialized);
    programValue(chain.root);
    for (Operation *op : llvm::reverse(chain.ops))
      programValue(op->getResult(0));
    results.push_back(programValue(returned));
  }
  plan::ReturnOp::create(builder, func.getLoc(), results);
  symbols.erase(func);
  return success();
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
    SymbolTable symbols(getOperation());
    llvm::StringMap<StringAttr> known;
    OpBuilder builder(&getContext());
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!func.getBody().hasOneBlock()) {
        func.emitOpError() << "must have one block";
        return signalPassFailure();
      }
      Partition partition(func, maxInputs, maxRegisters, narrow);
      Writer writer{partition, builder, symbols, known, narrow, {}};
      if (failed(partition.run()) || failed(writer.run()))
        return signalPassFailure();
    }
  }
};
} // namespace
