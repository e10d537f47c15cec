// Which ops become one kernel: places ops one after the other, merges groups where an op needs several.

#include "Partition.h"
#include "SplitReductions.h"

#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Analysis/LookBack.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Ops a kernel may have; beyond it, solving for its indexing costs more than a launch saves.
static constexpr size_t kMaxOps = 96;
/// What one kernel of products must gain where nothing combines them, as a share: their model knows no
/// better.
static constexpr double kLeastProductGain = 0.05;

/// A value is returned through movement that is no plain alias: its last movement op is computed. An argument
/// that is returned is copied, which is an op of its own: a kernel that reads the argument stores it as well.
static void materializeReturns(Partition &partition) {
  Operation *terminator = partition.func.getBody().front().getTerminator();
  for (OpOperand &use : terminator->getOpOperands()) {
    MovementChain chain = chainOf(use.get(), {});
    Operation *computed = nullptr;
    for (Operation *op : chain.ops)
      if (!isa<graph::ReshapeOp>(op)) {
        computed = op;
        break;
      }
    auto type = cast<RankedTensorType>(use.get().getType());
    if (!computed && isa<BlockArgument>(chain.root) && type.getNumElements() > 0 &&
        type.getElementTypeBitWidth() >= 8) {
      OpBuilder builder(terminator);
      computed = graph::ReshapeOp::create(builder, terminator->getLoc(), type, use.get());
      use.set(computed->getResult(0));
    }
    if (computed)
      partition.materialized.insert(computed);
  }
}

/// What a product reads in an order in which it is no matrix of memory, such as the columns of heads side by
/// side that lie one head after the other, the kernel that computes it stores in that order, where no other
/// one reads it and runs of memory stay as they are: single elements or rows of heads are copied by threads,
/// matrices as tiles.
static void materializeOperands(Partition &partition) {
  partition.func.walk([&](graph::MatmulOp product) {
    std::string why;
    std::optional<KernelIndexing> indexing = KernelIndexing::solve({product}, partition.materialized, why);
    if (!indexing)
      return;
    for (auto [operand, access] : llvm::zip(product->getOperands(), indexing->accesses[product])) {
      const layout::StridedView &view = access.view;
      MovementChain chain = chainOf(operand, partition.materialized);
      auto *turn = llvm::find_if(chain.ops, llvm::IsaPred<graph::TransposeOp>);
      bool isMatrix =
          llvm::all_of(llvm::seq(0, view.rank()), [&](int d) { return view.dim(d).modes.size() <= 1; });
      if (isMatrix || turn == chain.ops.end() || !partition.isComputed(chain.root.getDefiningOp()))
        continue;
      ArrayRef<int64_t> order = cast<graph::TransposeOp>(*turn).getPermutation();
      bool keepsRuns = order.back() + 1 == (int64_t)order.size();
      bool isAlone = chain.root.hasOneUse() &&
                     llvm::all_of(chain.ops, [](Operation *op) { return op->getResult(0).hasOneUse(); });
      if (keepsRuns && isAlone)
        partition.materialized.insert(*turn);
    }
  });
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
  if (!extension)
    return false;
  // What widens a widened value further is an op like others.
  Operation *producer = chainOf(extension.getIn(), materialized).root.getDefiningOp();
  return isComputed(producer) && !isWidening(producer);
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
          escapes |= !llvm::is_contained(ops, user) && !dropped.contains(user);
      }
    }
    if (escapes)
      outputs.push_back(op->getResult(0));
  }
  return outputs;
}

SmallVector<Operation *> Partition::neededOf(ArrayRef<Operation *> ops) const {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> worklist = outputsOf(ops);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!llvm::is_contained(ops, op) || !needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      worklist.push_back(chainOf(operand, materialized).root);
  }
  return llvm::to_vector(llvm::make_filter_range(ops, [&](Operation *op) { return needed.contains(op); }));
}

void Partition::drop(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    dropped.insert(op);
    // The indexing of what is left does not look at them either.
    op->setAttr("graph.dropped", UnitAttr::get(op->getContext()));
  }
}

void Partition::takeBack(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    dropped.erase(op);
    op->removeAttr("graph.dropped");
  }
}

bool Partition::isReturned(Value value) const {
  return llvm::any_of(func::FuncOp(func).getBody().front().getTerminator()->getOperands(),
                      [&](Value returned) { return chainOf(returned, materialized).root == value; });
}

bool Partition::isReadInPlace(Value value) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isMovement(user) && !materialized.contains(user)) {
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

/// Whether `value` is reduced, or computed of what is, in few steps.
static bool isReduced(Value value, int steps = 4) {
  Operation *op = value.getDefiningOp();
  if (!op || steps == 0)
    return false;
  return isa<graph::ReduceOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return isReduced(operand, steps - 1); });
}

bool fuse::isPartOfReduction(Value value) {
  if (Operation *op = value.getDefiningOp(); op && op->hasAttr(kPartAttrName))
    return true;
  SmallVector<Value> read{value};
  bool merged = false;
  while (!read.empty())
    for (Operation *user : read.pop_back_val().getUsers()) {
      if (isMovement(user))
        read.push_back(user->getResult(0));
      else if (isa<graph::ReduceOp>(user))
        merged = true;
      else
        return false;
    }
  return merged && isReduced(value);
}

ValueBytes Partition::bytesOf(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  bool computed = isComputed(value.getDefiningOp());
  FloatType narrow = storedElement(value);
  int64_t bytes = plan::storageBytes(narrow ? type.clone(narrow) : type);
  // Half of the cache: the rest is for what passes by.
  return {bytes, computed && bytes <= (int64_t)(arch.l2Bytes / 2) && !isReturned(value)};
}

/// Whether rows of `ops` that no tile holds cannot be taken in pieces: sorted ones, and scanned ones that are
/// reduced as well or scanned from both ends.
static bool mixesRowOps(const KernelIndexing &indexing, ArrayRef<Operation *> ops) {
  bool sorts = false, reduces = false, reverse = false, forward = false;
  for (Operation *op : ops) {
    if (indexing.isWithinSteps(op))
      continue;
    sorts |= isa<graph::SortOp>(op);
    reduces |= (bool)graph::asReduction(op);
    if (auto scan = dyn_cast<graph::ScanOp>(op))
      (scan.getReverse() ? reverse : forward) = true;
  }
  return sorts || ((reverse || forward) && reduces) || (reverse && forward);
}

/// Whether some index of a dimension is a number of digits of which `view` reads a part only: the elements
/// that several heads share.
static bool repeatsWithinADim(const layout::StridedView &view) {
  for (int d = 0; d < view.rank(); ++d) {
    bool repeats = false, reads = false;
    for (const layout::Mode &mode : view.dim(d).modes)
      (mode.stride == 0 ? repeats : reads) |= mode.extent > 1;
    if (repeats && reads)
      return true;
  }
  return false;
}

/// Rows in memory below which threads that have no element of them cost more than another kernel, in domains
/// of so many elements.
static constexpr int64_t kShortRow = 64, kLargeDomain = 1 << 20;

/// Whether some op other than a pad loads parts of short rows of the domain, which leaves a part of all
/// threads idle and their accesses apart.
static bool loadsPartsOfShortRows(const KernelIndexing &indexing) {
  int last = (int)indexing.domain.size() - 1;
  while (last > 0 && indexing.domain[last] == 1)
    --last;
  int64_t elements = 1;
  for (int64_t extent : indexing.domain)
    elements *= extent;
  if (indexing.domain[last] >= kShortRow || elements < kLargeDomain)
    return false;
  // What a pad would load of a stored operand may be what that is computed of, where it is one tensor.
  llvm::SmallDenseSet<Value> parts;
  size_t computed = 0;
  for (const auto &entry : indexing.accesses) {
    bool pads = isa<graph::PadOp>(entry.first);
    computed += pads && indexing.contains(entry.second.front().root.getDefiningOp());
    if (pads || isa<graph::ConcatOp, graph::MatmulOp>(entry.first))
      continue;
    for (const OperandAccess &access : entry.second)
      if (!indexing.contains(access.root.getDefiningOp()) && !isSplatConstant(access.root) &&
          !access.view.dim(last).isTotal())
        parts.insert(access.root);
  }
  return parts.size() > computed;
}

static int64_t countProducts(ArrayRef<Operation *> ops) {
  return llvm::count_if(ops, [](Operation *op) { return isa<graph::MatmulOp>(op); });
}

bool Partition::joinsProducts(ArrayRef<Operation *> ops) const {
  // For each op the products that it is computed from; then those that hang together with the first one.
  DenseMap<Operation *, unsigned> from;
  unsigned all = 0, next = 1, reached = 1;
  SmallVector<unsigned> combined;
  for (Operation *op : ops) {
    unsigned &mask = from[op];
    if (isa<graph::MatmulOp>(op)) {
      all |= mask = next;
      next <<= 1;
      continue;
    }
    unsigned combines = 0;
    for (Value root : rootsOf(op))
      combines |= from.lookup(root.getDefiningOp());
    from[op] = combines;
    combined.push_back(combines);
  }
  for (unsigned before = 0; before != reached;) {
    before = reached;
    for (unsigned mask : combined)
      reached |= mask & reached ? mask : 0;
  }
  return (reached & all) == all;
}

/// Whether an op goes along rows of its operand.
static bool isRowOp(Operation *op) {
  return graph::asReduction(op) || isa<graph::ScanOp, graph::SortOp, graph::MatmulOp>(op);
}

std::optional<KernelTraffic> Partition::trafficOf(ArrayRef<Operation *> ops, bool inOnePass, std::string &why,
                                                  bool timesProducts) const {
  if (!known)
    return findTraffic(ops, inOnePass, why, timesProducts);
  auto [it, isNew] = known->try_emplace({{ops.begin(), ops.end()}, inOnePass, timesProducts});
  KnownTraffic &found = it->second;
  if (isNew)
    found.traffic = findTraffic(ops, inOnePass, found.why, timesProducts);
  if (!found.traffic)
    why = found.why;
  return found.traffic;
}

std::optional<KernelTraffic> Partition::findTraffic(ArrayRef<Operation *> ops, bool inOnePass,
                                                    std::string &why, bool timesProducts) const {
  if (ops.size() > kMaxOps) {
    why = "it would have " + std::to_string(ops.size()) + " ops, the limit is " + std::to_string(kMaxOps);
    return std::nullopt;
  }
  if (llvm::any_of(ops, isInOrder) && llvm::count_if(ops, isRowOp) > 1) {
    why = "its rows are taken in order, one element at a time";
    return std::nullopt;
  }
  auto looksBack = [](Operation *op) { return op->hasAttr(kLookBackAttrName); };
  if (llvm::any_of(ops, looksBack) &&
      llvm::any_of(ops, [&](Operation *op) { return graph::asReduction(op) && !looksBack(op); })) {
    why = "the blocks of a scan that look back have pieces of its rows, others whole ones";
    return std::nullopt;
  }
  llvm::SmallSetVector<Value, 16> inputs;
  for (Operation *member : ops)
    for (Value root : rootsOf(member))
      if (!llvm::is_contained(ops, root.getDefiningOp()))
        inputs.insert(root);
  if ((int64_t)inputs.size() > maxInputs) {
    why = "it would read " + std::to_string(inputs.size()) + " tensors, the limit is " +
          std::to_string(maxInputs);
    return std::nullopt;
  }
  auto indexing = KernelIndexing::solve(ops, materialized, why);
  if (!indexing)
    return std::nullopt;
  if (loadsPartsOfShortRows(*indexing)) {
    why = "it would load parts of short rows";
    return std::nullopt;
  }
  // The smallest tile: a product's still gives every thread several elements.
  SmallVector<Value> outputs = outputsOf(ops);
  for (Value output : outputs)
    if (auto view = indexing->views.find(output.getDefiningOp());
        view != indexing->views.end() && repeatsWithinADim(view->second)) {
      why = "it would store a result once for each of those that share it";
      return std::nullopt;
    }
  // What computes operands of products has no place in the domain.
  SmallVector<Operation *> placed =
      llvm::to_vector(llvm::make_filter_range(ops, [&](Operation *op) { return indexing->contains(op); }));
  TilePressure pressure = planPasses(*indexing, placed, outputs);
  int64_t smallest = indexing->anchor == graph::Anchor::Matmul ? kLeastProductElems : 1;
  if (int64_t registers = pressure.registers(smallest); registers > maxRegisters) {
    why = "its smallest tile would take " + std::to_string(registers) + " registers, the limit is " +
          std::to_string(maxRegisters);
    return std::nullopt;
  }
  bool onePass = takesOnePass(*indexing, pressure);
  if (inOnePass && !onePass) {
    why = "the kernel reads its inputs in several passes";
    return std::nullopt;
  }
  if (!onePass && indexing->isMixed && !indexing->isLooped()) {
    why = "reductions over different dimensions need a tile that holds both";
    return std::nullopt;
  }
  if (onePass && indexing->isMixed && mixedElems(*indexing) > mostMixed) {
    why = "reductions over different dimensions would need a tile of " +
          std::to_string(mixedElems(*indexing)) + " elements, the limit is " + std::to_string(mostMixed);
    return std::nullopt;
  }
  if (!onePass && mixesRowOps(*indexing, ops)) {
    why = "scans and sorts beside other reductions need whole rows";
    return std::nullopt;
  }
  KernelTraffic traffic =
      kernelTraffic(*indexing, pressure, placed, outputs, [&](Value value) { return bytesOf(value); });
  if (indexing->isLooped() && (!traffic.keepsColumns || traffic.blocks < (int64_t)arch.numSMs)) {
    why = "reductions over different dimensions need a tile that holds both, or columns of one that many "
          "blocks keep";
    return std::nullopt;
  }
  if (timesProducts && !indexing->products.empty() && !indexing->isChain()) {
    int64_t stored = 0, stores = 0, elements = 1;
    for (int64_t extent : indexing->domain)
      elements *= extent;
    for (Value output : outputs) {
      stored += llvm::divideCeil(bytesOf(output).bytes, std::max<int64_t>(elements, 1));
      stores += indexing->placesOf(output);
    }
    traffic.productMicroseconds = modelledProductTime(*indexing, pressure, stored, stores, arch);
  }
  return traffic;
}

bool Partition::isOneKernel(ArrayRef<Operation *> ops, ArrayRef<Operation *> one, ArrayRef<Operation *> other,
                            bool inOnePass, Comparison &comparison, std::string &why) const {
  // Where products come together, their time depends on it: of the tiles, and of what multiplies in turn.
  int64_t products = countProducts(ops);
  std::optional<KernelTraffic> fused = trafficOf(ops, inOnePass, why, products > 1);
  if (!fused)
    return false;
  comparison = {fused->microseconds(arch), 0, fused->bytes, 0};
  int64_t fewestBlocks = fused->blocks;
  for (ArrayRef<Operation *> part : {one, other}) {
    std::string alone;
    std::optional<KernelTraffic> traffic = trafficOf(part, /*inOnePass=*/false, alone, products > 1);
    if (!traffic) { // there is no other way to compute it
      comparison.apartTime = comparison.oneTime;
      comparison.apartBytes = comparison.oneBytes;
      return true;
    }
    fewestBlocks = std::min(fewestBlocks, traffic->blocks);
    comparison.apartTime += traffic->microseconds(arch);
    comparison.apartBytes += traffic->bytes;
  }
  // Products that nothing combines can run at the same time while each leaves multiprocessors idle.
  bool isLoose =
      products > std::max(countProducts(one), countProducts(other)) && products > 1 && !joinsProducts(ops);
  if (isLoose && fewestBlocks < (int64_t)arch.numSMs) {
    why =
        llvm::formatv("nothing combines the products, and apart from each other they have {0} blocks for {1} "
                      "multiprocessors",
                      fewestBlocks, arch.numSMs)
            .str();
    return false;
  }
  double gain = isLoose ? kLeastProductGain : 0;
  if (comparison.oneTime <= comparison.apartTime * (1 - gain))
    return true;
  why = llvm::formatv("one kernel would take {0:f2} us for {1} bytes and {2} instructions, two take {3:f2} "
                      "us for {4} bytes",
                      comparison.oneTime, comparison.oneBytes, fused->instructions, comparison.apartTime,
                      comparison.apartBytes)
            .str();
  return false;
}

/// `a` and `b` in program order.
SmallVector<Operation *> fuse::inOrder(ArrayRef<Operation *> a, ArrayRef<Operation *> b) {
  SmallVector<Operation *> ops(a);
  llvm::append_range(ops, b);
  llvm::sort(ops, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return ops;
}

bool Partition::canMerge(int from, int into, bool inOnePass, Comparison &comparison, std::string &why) const {
  // A third kernel between the two would need one and feed the other.
  for (auto [start, end] : {std::pair(from, into), std::pair(into, from)})
    for (Operation *member : groups[start].ops)
      for (Value root : rootsOf(member))
        if (auto it = groupOf.find(root.getDefiningOp());
            it != groupOf.end() && it->second != start && it->second != end && dependsOn(it->second, end)) {
          why = "a third kernel lies between them";
          return false;
        }
  return isOneKernel(inOrder(groups[from].ops, groups[into].ops), groups[from].ops, groups[into].ops,
                     inOnePass, comparison, why);
}

void Partition::merge(int from, int into) {
  groups[into].ops = inOrder(groups[from].ops, groups[into].ops);
  for (Operation *member : groups[from].ops)
    groupOf[member] = into;
  groups[from].ops.clear();
}

bool Partition::tryMerge(int from, int into, bool inOnePass, Comparison &comparison, std::string &why) {
  if (!canMerge(from, into, inOnePass, comparison, why))
    return false;
  merge(from, into);
  return true;
}

bool Partition::tryJoin(Operation *op, int group, Comparison &comparison, std::string &why) {
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
  if (!isOneKernel(ops, groups[group].ops, joining, /*inOnePass=*/false, comparison, why))
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
  // Parts are stored at their places only by a kernel that computes all of them.
  if (isa<graph::ConcatOp>(op) && candidates.size() > 1)
    mergeProducers(op, candidates.front(), candidates);
  for (int group : candidates) {
    if (groups[group].ops.empty())
      continue;
    Operation *anchor = groups[group].ops.front();
    std::string why = "a product starts a kernel";
    Comparison weighed;
    if (!isa<graph::MatmulOp>(op) && tryJoin(op, group, weighed, why)) {
      remarks.push_back([=, bytes = bytesBetween(op, group)] {
        emitRemark(op, Remark::Fused, op, anchor, bytes, weighed.oneTime, weighed.oneBytes, weighed.apartTime,
                   weighed.apartBytes);
      });
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
    Comparison weighed;
    // Ops yet to come may add passes, which would read the merged kernel's inputs instead of one tensor.
    if (tryMerge(other, group, /*inOnePass=*/true, weighed, why))
      remarks.push_back([=] {
        emitRemark(producer, Remark::Fused, producer, op, bytes, weighed.oneTime, weighed.oneBytes,
                   weighed.apartTime, weighed.apartBytes);
      });
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
    known.emplace();
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
  if (earliestFirst)
    std::reverse(order.begin(), order.end());
  return success(joinOneOf(op, order) || succeeded(startGroup(op)));
}

LogicalResult Partition::run() {
  findExact();
  materializeReturns(*this);
  materializeOperands(*this);
  // An op that is materialized late may be what earlier groups look through: these are formed again, until no
  // more are.
  size_t before;
  do {
    before = materialized.size();
    groups.clear();
    groupOf.clear();
    remarks.clear();
    known.emplace();
    if (failed(groupAll()))
      return failure();
  } while (materialized.size() != before);
  // What a kernel reads for a copy alone keeps its other ops from being taken apart.
  if (joinsSiblings)
    mergeSiblings(/*copies=*/false);
  joinPrologues();
  known.reset(); // ops are copied and left out
  if (recomputes)
    recompute();
  takeApart();
  // What was joined first may fit others better now.
  separate();
  known.emplace();
  if (joinsSiblings)
    mergeSiblings(/*copies=*/true);
  known.reset();
  mergeResults();
  return success();
}

std::optional<std::pair<double, int64_t>> Partition::cost() const {
  double time = 0;
  int64_t bytes = 0;
  for (const Group &group : groups) {
    std::string why;
    if (group.ops.empty())
      continue;
    std::optional<KernelTraffic> traffic = trafficOf(group.ops, /*inOnePass=*/false, why);
    if (!traffic)
      return std::nullopt;
    time += traffic->microseconds(arch);
    bytes += traffic->bytes;
  }
  return std::pair(time, bytes);
}

LogicalResult Partition::groupAll() {
  Block &body = func.getBody().front();
  placeChains();
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
