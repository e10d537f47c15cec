// Solves for the views of a kernel's values over its domain: seed at the anchor, spread along the edges by
// pulling and pushing until nothing changes, then check every edge.

#include "KernelSolver.h"

#include "Tilewright/Analysis/TileBudget.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;
using layout::StridedView;

static std::vector<int> toInts(ArrayRef<int64_t> values) {
  return std::vector<int>(values.begin(), values.end());
}

bool tilewright::isMovement(Operation *op) {
  return isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(op);
}

bool tilewright::isSplatConstant(Value value) {
  DenseElementsAttr dense;
  return matchPattern(value, m_Constant(&dense)) && dense.isSplat();
}

std::optional<double> tilewright::splatNumber(Value value) {
  DenseElementsAttr dense;
  if (!matchPattern(value, m_Constant(&dense)) || !dense.isSplat() || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  APFloat number = dense.getSplatValue<APFloat>();
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

MovementChain tilewright::chainOf(Value value, const MaterializedOps &materialized) {
  MovementChain chain;
  chain.root = value;
  while (Operation *op = chain.root.getDefiningOp()) {
    if (!isMovement(op) || materialized.contains(op))
      break;
    chain.ops.push_back(op);
    chain.root = op->getOperand(0);
  }
  return chain;
}

View tilewright::pullThrough(const StridedView &view, Operation *op) {
  std::vector<int64_t> from = shapeOf(op->getResult(0)), to = shapeOf(op->getOperand(0));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return view.pullReshape(to, from);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return view.pullTranspose(to, toInts(transpose.getPermutation()));
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return view.pullBroadcast(to, from, toInts(broadcast.getDims()));
  if (auto slice = dyn_cast<SliceOp>(op))
    return view.pullSlice(to, slice.getOffsets().vec(), from, slice.getStrides().vec());
  return std::nullopt;
}

View tilewright::pushThrough(const StridedView &view, Operation *op, bool cuts) {
  std::vector<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
  if (isa<ReshapeOp>(op))
    return view.pushReshape(from, to);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return view.pushTranspose(from, toInts(transpose.getPermutation()));
  if (auto slice = dyn_cast<SliceOp>(op); slice && cuts)
    return view.pushSlice(from, slice.getOffsets().vec(), to, slice.getStrides().vec());
  return std::nullopt;
}

bool tilewright::isPartOf(const StridedView &part, const StridedView &whole) {
  if (part == whole)
    return true;
  if (part.rank() != whole.rank())
    return false;
  int64_t apart = part.offset() - whole.offset();
  for (int d = 0; d < part.rank(); ++d) {
    const layout::ViewDim &a = part.dim(d), &b = whole.dim(d);
    if (a == b)
      continue;
    // Steps forward through one mode each; the first and last index that the part has.
    if (a.extent != b.extent || a.step != 1 || b.step != 1 || a.modes.size() > 1 || b.modes.size() > 1)
      return false;
    int64_t first = std::max<int64_t>(0, -a.start), last = std::min(a.extent, a.innerExtent() - a.start) - 1;
    if (first > last || first + b.start < 0 || last + b.start >= b.innerExtent())
      return false;
    int64_t strideA = a.modes.empty() ? 0 : a.modes[0].stride,
            strideB = b.modes.empty() ? 0 : b.modes[0].stride;
    if (first != last && strideA != strideB)
      return false;
    apart += strideA * (a.start + first) - strideB * (b.start + first);
  }
  return apart == 0;
}

View tilewright::pull(StridedView view, const MovementChain &chain) {
  for (Operation *op : chain.ops) {
    View pulled = pullThrough(view, op);
    if (!pulled)
      return std::nullopt;
    view = *pulled;
  }
  return view.simplify();
}

View tilewright::push(StridedView view, const MovementChain &chain, bool cuts) {
  for (Operation *op : llvm::reverse(chain.ops)) {
    View pushed = pushThrough(view, op, cuts);
    if (!pushed)
      return std::nullopt;
    view = *pushed;
  }
  return view.simplify();
}

SmallVector<Value> tilewright::readOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  if (isa<GatherOp>(op))
    operands = {op->getOperand(1)};
  return operands;
}

/// Whether a member of `ops` reads `value`, through whatever movement.
static bool isReadBy(Value value, const llvm::SmallPtrSetImpl<Operation *> &ops,
                     const MaterializedOps &materialized) {
  for (Operation *user : value.getUsers())
    if (ops.contains(user) ||
        (isMovement(user) && !materialized.contains(user) && isReadBy(user->getResult(0), ops, materialized)))
      return true;
  return false;
}

/// Whether `op` is computed from `producer`, through members of `ops` and whatever movement.
static bool isComputedFrom(Operation *op, Operation *producer,
                           const llvm::SmallPtrSetImpl<Operation *> &ops) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (next == producer)
      return true;
    for (Value operand : next->getOperands())
      if (Operation *from = operand.getDefiningOp();
          from && (ops.contains(from) || isMovement(from)) && seen.insert(from).second)
        worklist.push_back(from);
  }
  return false;
}

bool KernelSolver::isJoin(Operation *op) {
  auto concat = dyn_cast<ConcatOp>(op);
  if (!concat || isReadBy(concat.getResult(), members, materialized))
    return false;
  return llvm::all_of(concat.getInputs(), [&](Value part) {
    return part.getType() == concat.getInputs().front().getType() &&
           (places || members.contains(part.getDefiningOp()));
  });
}

void KernelSolver::findInFull() {
  auto escapes = [&](Value value, auto &&escapes) -> bool {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return isMovement(user) && !materialized.contains(user) ? escapes(user->getResult(0), escapes)
                                                              : !members.contains(user) && !isDropped(user);
    });
  };
  for (Operation *op : llvm::reverse(ops)) {
    if (!inFull.contains(op) && !escapes(op->getResult(0), escapes))
      continue;
    inFull.insert(op);
    for (Value operand : op->getOperands()) {
      MovementChain chain = chainOf(operand, materialized);
      bool sliced =
          isa<SliceOp>(op) || llvm::any_of(chain.ops, [](Operation *move) { return isa<SliceOp>(move); });
      if (Operation *producer = chain.root.getDefiningOp(); producer && !sliced)
        inFull.insert(producer);
    }
  }
}

bool KernelSolver::chooseAnchor() {
  if (cuts)
    findInFull();
  // A widened input shapes nothing: of a large one the kernel may read but a slice.
  auto widensInput = [&](Operation *op) {
    return isa<arith::ExtFOp>(op) &&
           !members.contains(chainOf(op->getOperand(0), materialized).root.getDefiningOp());
  };
  Operation *largest = nullptr;
  std::pair<int64_t, bool> most(-1, false);
  for (Operation *op : ops) {
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      result.products.push_back(matmul);
      result.anchorOp = result.products.front();
      result.anchor = Anchor::Matmul;
    }
    int64_t elems = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
    if (widensInput(op) || isJoin(op) || (cuts && !inFull.contains(op)))
      elems = 0;
    std::pair<int64_t, bool> size(elems, preferred && shapeOf(op->getResult(0)) == *preferred);
    if (first ? size > most : size >= most) {
      most = size;
      largest = op;
    }
  }
  if (result.products.size() == 2 && isComputedFrom(result.products[1], result.products[0], members)) {
    if (cuts || mixes || places)
      return false;
    result.inner = result.products[0];
    result.products.erase(result.products.begin());
    result.anchorOp = result.products.front();
    return true;
  }
  if (mixes) {
    // The largest domain of all; of several the first one that rows are taken along, whose shape tells the
    // dimension: others take any shape.
    auto elements = [&](Operation *op) {
      Value value = asReduction(op) ? op->getOperand(0) : op->getResult(0);
      bool shapes = !widensInput(op) && !isJoin(op) && (asReduction(op) || inFull.contains(op));
      return shapes ? cast<RankedTensorType>(value.getType()).getNumElements() : 0;
    };
    auto isRow = [](Operation *op) { return asReduction(op) || isa<ScanOp>(op); };
    if (result.anchorOp || llvm::none_of(ops, isRow) ||
        llvm::any_of(ops, [](Operation *op) { return isa<SortOp>(op); }))
      return false;
    result.anchorOp = ops.front();
    for (Operation *op : ops)
      if (std::pair(elements(op), isRow(op)) > std::pair(elements(result.anchorOp), isRow(result.anchorOp)))
        result.anchorOp = op;
    result.anchor = Anchor::Reduction;
    return true;
  }
  if (result.anchorOp)
    return true;
  for (Operation *op : ops)
    if (asReduction(op) || wholeRowDim(op)) {
      result.anchorOp = op;
      result.anchor = Anchor::Reduction;
      return true;
    }
  result.anchorOp = largest;
  bool gathers = llvm::any_of(ops, [](Operation *op) { return isa<GatherOp>(op); });
  bool transposes = llvm::any_of(ops, [](Operation *op) { return isMovement(op); });
  result.anchor = gathers ? Anchor::Gather : transposes ? Anchor::Transpose : Anchor::Elementwise;
  return true;
}

StridedView KernelSolver::chainView(size_t without) const {
  std::vector<int64_t> domain(result.domain.begin(), result.domain.end()), shape;
  std::vector<int> dims;
  for (size_t d = 0; d < domain.size(); ++d)
    if (d != without) {
      dims.push_back((int)d);
      shape.push_back(domain[d]);
    }
  return StridedView::rowMajor(domain).pullBroadcast(shape, domain, dims)->simplify();
}

bool KernelSolver::seed() {
  Operation *anchor = result.anchorOp;
  std::vector<int64_t> domain;
  if (result.isChain()) {
    auto product = cast<MatmulOp>(anchor);
    domain = shapeOf(product.getLhs());
    if (shapeOf(result.inner.getResult()) != domain)
      return fail(result.inner, "has another shape than the left operand of the matmul that it leads to");
    domain.push_back(shapeOf(product.getRhs()).back());
    result.domain.assign(domain.begin(), domain.end());
    result.reduced.assign(domain.size(), false);
    result.reduced[result.chainTerms()] = true;
    result.views[anchor] = chainView(result.chainTerms());
    result.views[result.inner] = chainView(result.chainColumns());
    return true;
  }
  if (auto reduce = asReduction(anchor)) {
    domain = shapeOf(anchor->getOperand(0));
    result.reduced.assign(domain.size(), false);
    for (int64_t dim : reduce.getReducedDims())
      result.reduced[dim] = true;
    View view = StridedView::rowMajor(domain).pullBroadcast(shapeOf(anchor->getResult(0)), domain, [&] {
      std::vector<int> kept;
      for (size_t d = 0; d < domain.size(); ++d)
        if (!result.reduced[d])
          kept.push_back(d);
      return kept;
    }());
    if (!view)
      return fail(anchor, "its result is no strided view of its operand");
    result.domain.assign(domain.begin(), domain.end());
    result.views[anchor] = view->simplify();
    return true;
  }
  domain = shapeOf(isJoin(anchor) ? anchor->getOperand(0) : anchor->getResult(0));
  // A batch dimension of the right operand alone: which of its matrices a row meets follows from the groups.
  if (result.groups())
    domain.insert(domain.begin(), shapeOf(anchor->getOperand(1)).front());
  if (flat)
    domain = {std::accumulate(domain.begin(), domain.end(), int64_t(1), std::multiplies<int64_t>())};
  if (domain.empty())
    domain.push_back(1);
  result.domain.assign(domain.begin(), domain.end());
  result.reduced.assign(domain.size(), false);
  if (std::optional<int64_t> dim = wholeRowDim(anchor))
    result.reduced[*dim] = true;
  const StridedView whole = result.groups() ? chainView(0) : StridedView::rowMajor(domain).simplify();
  result.views[anchor] = whole;
  // Sums of several products lie in registers alike.
  for (MatmulOp product : llvm::drop_begin(result.products, result.products.empty() ? 0 : 1)) {
    if (shapeOf(product.getResult()) != shapeOf(anchor->getResult(0)))
      return fail(product, "has another shape than the matmul before it");
    result.views[product] = whole;
  }
  return true;
}

void KernelSolver::spread() {
  // A guess, one at a time, only when the edges say no more: an equal shape is no reason for an equal order.
  bool guess = false;
  while (true) {
    bool changed = false;
    for (Operation *op : ops) {
      auto it = result.views.find(op);
      if (it == result.views.end()) {
        View view = candidateFor(op, guess);
        if (!view)
          continue;
        result.views[op] = *view;
        changed = true;
      }
      if (!result.accesses.count(op)) {
        SmallVector<OperandAccess> accesses;
        StridedView view = result.views.find(op)->second;
        if (operandAccesses(op, view, accesses)) {
          result.accesses[op] = accesses;
          changed = true;
        }
      }
      if (changed && guess)
        break;
    }
    if (!changed && guess)
      return;
    guess = !changed;
  }
}

bool KernelSolver::checkEdges() {
  for (Operation *op : ops) {
    auto it = result.views.find(op);
    if (it == result.views.end())
      return fail(op, "is not indexed by the kernel's domain");
    bool runsAlong = asReduction(op) || isa<ScanOp, SortOp>(op);
    if (result.anchor == Anchor::Matmul && runsAlong && !(result.isChain() && isa<ReduceOp>(op)))
      return fail(op, "reduces the result of a matmul");
    SmallVector<OperandAccess> accesses;
    StridedView view = it->second;
    if (!operandAccesses(op, view, accesses))
      return false;
    // The operands of a matmul are read over K, which no producer in the kernel is.
    if (auto product = dyn_cast<MatmulOp>(op); product && product.getGroups())
      if (MovementChain ends = chainOf(product.getGroups(), materialized);
          members.contains(ends.root.getDefiningOp()) || !llvm::all_of(ends.ops, llvm::IsaPred<ReshapeOp>))
        return fail(op, "its groups' ends are not in memory as they are");
    if (isa<MatmulOp>(op))
      for (auto [i, access] : llvm::enumerate(accesses))
        if (members.contains(access.root.getDefiningOp()) &&
            !(result.isChain() && op == result.anchorOp && i == 0))
          return fail(op, "reads what the same kernel computes");
    result.accesses[op] = accesses;
  }
  return checkProducts();
}

std::string tilewright::whyNoChain(MatmulOp inner, MatmulOp outer) {
  // A thread has the sums of all columns, and the inner product's operands lie whole in shared memory.
  constexpr int64_t most = 256;
  auto elementOf = [](Value value) { return getElementTypeOrSelf(value.getType()); };
  if (inner.getGroups() || outer.getGroups())
    return "rows are multiplied by groups";
  for (MatmulOp product : {inner, outer})
    if (Type element = elementOf(product.getLhs()); !element.isBF16() && !element.isF16())
      return llvm::formatv("operands are {0}, one kernel takes 16-bit floats", element).str();
  if (elementOf(inner.getLhs()) != elementOf(outer.getLhs()))
    return llvm::formatv("operands are {0} and {1}", elementOf(inner.getLhs()), elementOf(outer.getLhs()))
        .str();
  if (!elementOf(inner.getResult()).isF32())
    return "the first one's result is rounded";
  // Of one term nothing says whether a value is one, or stands behind the sum.
  if (shapeOf(outer.getLhs()).back() == 1)
    return "the second one sums single products";
  if (int64_t columns = shapeOf(outer.getRhs()).back(); columns > most)
    return llvm::formatv("the second one has {0} columns, a block takes {1}", columns, most).str();
  if (int64_t depth = shapeOf(inner.getLhs()).back(); depth > most)
    return llvm::formatv("the first one sums {0} products, a block takes {1}", depth, most).str();
  return "";
}

/// Whether an op beyond the kernel's own reads what `op` computes, through movement.
bool KernelSolver::isReadOutside(Operation *op) const {
  SmallVector<Value> worklist = {op->getResult(0)};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isMovement(user) && !materialized.contains(user))
        worklist.push_back(user->getResult(0));
      else if (!members.contains(user) && !isDropped(user))
        return true;
    }
  return false;
}

bool KernelSolver::checkChain() {
  if (std::string refused = whyNoChain(result.inner, result.products.front()); !refused.empty())
    return fail(result.anchorOp, "follows another matmul, and " + refused);
  for (MatmulOp product : {result.inner, result.products.front()})
    for (unsigned i : {0u, 1u})
      if (hasPrologue(product, i))
        return fail(product, "is one of two that follow one another, whose operands lie in memory");
  for (Operation *op : ops) {
    if ((asReduction(op) || op == result.anchorOp) && reductionLevel(result, op) != 1)
      return fail(op, "needs what is known behind the loop over the terms of the second matmul alone");
    const StridedView &view = result.views.find(op)->second;
    bool ofTerms = dependsOn(view, result.chainTerms()), ofColumns = dependsOn(view, result.chainColumns());
    if (ofTerms && ofColumns)
      return fail(op, "differs along the terms and the columns of the second matmul");
    if (!ofTerms)
      continue;
    if (isReadOutside(op))
      return fail(op, "is a term of the second matmul, and read outside of the kernel");
  }
  return true;
}

bool KernelSolver::checkProducts() {
  if (result.products.empty())
    return true;
  if (result.isChain())
    return checkChain();
  MatmulOp first = result.products.front();
  auto sharesOperand = [&](unsigned operand) {
    const OperandAccess &common = result.accesses.find(first)->second[operand];
    return llvm::all_of(result.products, [&](MatmulOp product) {
      const OperandAccess &access = result.accesses.find(product)->second[operand];
      return access == common;
    });
  };
  result.sharesLhs = sharesOperand(0);
  result.sharesRhs = sharesOperand(1);
  if (result.products.size() > kMostProducts)
    return fail(result.products[kMostProducts],
                "is more than the " + Twine(kMostProducts) + " matmuls of a kernel");
  for (MatmulOp product : llvm::drop_begin(result.products)) {
    auto kind = [](MatmulOp op) {
      return std::make_tuple(getElementTypeOrSelf(op.getLhs().getType()),
                             getElementTypeOrSelf(op.getRhs().getType()), getElementTypeOrSelf(op.getType()),
                             op.getPrecision(), op.getPromotion(), shapeOf(op.getLhs()).back(),
                             op.getGroups());
    };
    if (kind(product) != kind(first))
      return fail(product, "has another type, precision, K or groups of rows than the matmul before it");
    if (!result.sharesLhs && !result.sharesRhs)
      return fail(product, "a second matmul, which shares no operand with the first");
  }
  return true;
}

bool tilewright::coversAll(const StridedView &view, int64_t elements) {
  int64_t lowest = view.offset();
  SmallVector<layout::Mode> modes;
  StridedView simple = view.simplify(); // outlives the loop over its dims
  for (const layout::ViewDim &dim : simple.dims()) {
    // All elements of one mode, and padding around them.
    bool isPadded = dim.step == 1 && dim.modes.size() == 1 && dim.start <= 0 &&
                    dim.start + dim.extent >= dim.innerExtent();
    if (!dim.isIdentity() && !isPadded)
      return false;
    for (layout::Mode mode : dim.modes) {
      if (mode.stride == 0 || mode.extent == 1)
        continue;
      if (mode.stride < 0) {
        lowest += (mode.extent - 1) * mode.stride;
        mode.stride = -mode.stride;
      }
      modes.push_back(mode);
    }
  }
  llvm::sort(modes, [](const layout::Mode &a, const layout::Mode &b) { return a.stride < b.stride; });
  int64_t covered = 1;
  for (const layout::Mode &mode : modes) {
    if (mode.stride > covered)
      return false;
    covered = std::max(covered, mode.stride * (mode.extent - 1) + covered);
  }
  return lowest == 0 && covered == elements;
}

bool KernelSolver::checkCoverage() {
  for (auto &[op, view] : result.views) {
    Value computed = result.joins.count(op) ? op->getOperand(0) : op->getResult(0);
    if (coversAll(view, cast<RankedTensorType>(computed.getType()).getNumElements()))
      continue;
    if (isReadOutside(op))
      return fail(op, "the rest of the kernel needs a part of what others need in full");
  }
  return true;
}

void KernelSolver::shareAccesses() {
  if (!cuts)
    return;
  // What is loaded for its padding keeps it.
  auto loadsPart = [&](Operation *op) { return isa<PadOp, ConcatOp, GatherOp, MatmulOp>(op); };
  for (Operation *op : ops)
    for (OperandAccess &access : result.accesses[op])
      for (Operation *other : ops)
        for (const OperandAccess &whole : result.accesses[other])
          if (!loadsPart(op) && !loadsPart(other) && !members.contains(access.root.getDefiningOp()) &&
              whole.root == access.root && !(whole.view == access.view) && isPartOf(access.view, whole.view))
            access.view = whole.view;
}

void KernelSolver::findAlong() {
  for (Operation *op : ops) {
    std::optional<int64_t> row = wholeRowDim(op);
    auto reduce = asReduction(op);
    if (!row && !reduce)
      continue;
    SmallVector<bool> &along = result.along[op];
    along = result.reduced;
    if (!mixes)
      continue;
    View view = reduce ? reduceOperandView(reduce) : View(result.views.find(op)->second);
    std::vector<int64_t> shape = shapeOf(reduce ? op->getOperand(0) : op->getResult(0)), part;
    std::vector<int> dims;
    SmallVector<int64_t> wanted = reduce ? reduce.getReducedDims() : SmallVector<int64_t>{*row};
    for (size_t d = 0; d < shape.size(); ++d)
      if (llvm::is_contained(wanted, (int64_t)d)) {
        dims.push_back((int)d);
        part.push_back(shape[d]);
      }
    View line = view->pullBroadcast(part, shape, dims);
    for (size_t d = 0; d < along.size(); ++d)
      along[d] = result.domain[d] != 1 && dependsOn(*line, d);
  }
  if (!mixes)
    return;
  result.reduced.assign(result.domain.size(), false);
  for (auto &[op, along] : result.along)
    for (size_t d = 0; d < along.size(); ++d)
      result.reduced[d] = result.reduced[d] || along[d];
  result.isMixed = llvm::any_of(result.along, [&](auto &entry) { return entry.second != result.reduced; });
}

/// Elements of all dimensions that tiles hold beside a loop over another one, side by side in memory and not;
/// and the part of them that may be empty. (H200, docs/performance/data/held-rows-h200.json: steps of columns
/// that hold 8 and 16 elements side by side take 0.89 and 0.67 of the time of two kernels, such that hold 64
/// to 256 0.92 to 1.67.)
static constexpr int64_t kMostHeld = 32, kMostHeldApart = 16, kMostPadded = 4;

bool KernelIndexing::loopOverLongest() {
  if (!isMixed || anchor == Anchor::Matmul)
    return false;
  int longest = -1;
  for (int d = 0; d < (int)domain.size(); ++d)
    if (reduced[d] && (longest < 0 || domain[d] > domain[longest]))
      longest = d;
  // Of rows side by side in memory threads have parts, and what they hold of others is in other warps. (H200,
  // the same record: steps along rows that hold 4 to 32 elements 0.76 to 1.12, 64 1.49 to 4.7.)
  int last = -1;
  bool areColumns = false;
  for (int d = 0; d < (int)domain.size(); ++d)
    if (domain[d] != 1) {
      last = d;
      areColumns |= d > longest && !reduced[d];
    }
  if (longest < 0 || !areColumns)
    return false;
  int64_t elements = 1, inside = 1;
  for (int d = 0; d < (int)domain.size(); ++d)
    if (reduced[d] && d != longest) {
      inside *= domain[d];
      elements *= (int64_t)llvm::PowerOf2Ceil((uint64_t)domain[d]);
      if (elements > (reduced[last] ? kMostHeld : kMostHeldApart))
        return false;
    }
  // Scans and sorts go over a row in order.
  bool isOrdered = llvm::any_of(
      along, [&](const auto &entry) { return isa<ScanOp, SortOp>(entry.first) && entry.second[longest]; });
  if (elements - inside > elements / kMostPadded || isOrdered)
    return false;
  held = reduced;
  held[longest] = false;
  reduced.assign(domain.size(), false);
  reduced[longest] = true;
  return isLooped();
}

bool KernelIndexing::isWithinSteps(Operation *op) const {
  if (!isLooped())
    return false;
  auto runs = along.find(op);
  return runs == along.end() || llvm::none_of(llvm::seq<size_t>(0, reduced.size()),
                                              [&](size_t d) { return reduced[d] && runs->second[d]; });
}

/// The shapes of the results of as many elements as any has; none where they have one shape.
static std::vector<std::vector<int64_t>> shapesOfTheLargest(ArrayRef<Operation *> ops) {
  std::vector<std::vector<int64_t>> shapes;
  int64_t most = 0;
  for (Operation *op : ops) {
    int64_t elements = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
    if (elements > most)
      shapes.clear();
    most = std::max(most, elements);
    if (std::vector<int64_t> shape = shapeOf(op->getResult(0));
        elements == most && !llvm::is_contained(shapes, shape))
      shapes.push_back(shape);
  }
  if (shapes.size() == 1)
    shapes.clear();
  return shapes;
}

std::optional<KernelIndexing> KernelIndexing::solve(ArrayRef<Operation *> ops,
                                                    const MaterializedOps &materialized, std::string &why) {
  auto attempt = [&](bool cuts, bool first, bool mixes, bool places, std::string &why, bool flat = false,
                     std::optional<std::vector<int64_t>> preferred =
                         std::nullopt) -> std::optional<KernelIndexing> {
    KernelSolver solver{ops,   materialized, why,  KernelIndexing(), {}, cuts, first,
                        mixes, places,       flat, preferred};
    solver.findPrologues(ops);
    if (!solver.chooseAnchor() || !solver.seed())
      return std::nullopt;
    solver.spread();
    if (!solver.checkEdges() || !solver.checkCoverage())
      return std::nullopt;
    solver.findAlong();
    solver.shareAccesses();
    return std::move(solver.result);
  };
  std::string ignored; // the first reason is the plainest one
  // A domain of one part of what is joined: of the whole each element asks every operand for its own.
  bool joins = llvm::any_of(ops, [](Operation *op) { return isa<ConcatOp>(op); });
  if (joins)
    if (auto indexing = attempt(/*cuts=*/false, /*first=*/false, /*mixes=*/false, /*places=*/true, ignored))
      return indexing;
  if (auto indexing = attempt(/*cuts=*/false, /*first=*/false, /*mixes=*/false, /*places=*/false, why))
    return indexing;
  bool goesAlong = llvm::any_of(
      ops, [](Operation *op) { return asReduction(op) || wholeRowDim(op) || isa<MatmulOp>(op); });
  // What a tensor is spread along says what the dimensions are: others as large are the same run of memory.
  if (!goesAlong)
    for (const std::vector<int64_t> &shape : shapesOfTheLargest(ops))
      if (auto indexing = attempt(/*cuts=*/false, /*first=*/false, /*mixes=*/false, /*places=*/false, ignored,
                                  /*flat=*/false, shape))
        return indexing;
  for (bool places : {false, true}) {
    if (places && !joins)
      break;
    for (bool first : {false, true})
      if (auto indexing = attempt(/*cuts=*/true, first, /*mixes=*/false, places, ignored))
        return indexing;
    if (auto indexing = attempt(/*cuts=*/true, /*first=*/true, /*mixes=*/true, places, ignored))
      return indexing;
  }
  // Of tensors as the runs of memory that they are, slices may begin anywhere.
  bool cutsRuns = llvm::any_of(ops, [&](Operation *op) {
    auto movesPart = [](Operation *move) { return isa<SliceOp, PadOp>(move); };
    return movesPart(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
             return llvm::any_of(chainOf(operand, materialized).ops, movesPart);
           });
  });
  if (cutsRuns && !goesAlong)
    return attempt(/*cuts=*/true, /*first=*/false, /*mixes=*/false, /*places=*/false, ignored, /*flat=*/true);
  return std::nullopt;
}

std::optional<KernelIndexing> KernelIndexing::solve(graph::KernelOp kernel, std::string &why) {
  SmallVector<Operation *> ops;
  MaterializedOps materialized;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasAttr("graph.materialize"))
      materialized.insert(&op);
    else if (isMovement(&op) || isa<arith::ConstantOp>(op))
      continue;
    ops.push_back(&op);
  }
  if (ops.empty()) {
    why = "computes nothing";
    return std::nullopt;
  }
  return solve(ops, materialized, why);
}
