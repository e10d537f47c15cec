// Solves for the views of a kernel's values over its domain: seed at the anchor, spread along the edges by
// pulling and pushing until nothing changes, then check every edge.

#include "Tilewright/Analysis/KernelIndexing.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;
using layout::StridedView;

using View = std::optional<StridedView>;

static std::vector<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().vec();
}

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

/// The view on the operand of one movement op from the view on its result.
static View pullThrough(const StridedView &view, Operation *op) {
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

/// The view on the result of one movement op from the view on its operand; broadcasts have none.
static View pushThrough(const StridedView &view, Operation *op) {
  std::vector<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
  if (isa<ReshapeOp>(op))
    return view.pushReshape(from, to);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return view.pushTranspose(from, toInts(transpose.getPermutation()));
  return std::nullopt;
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

static View push(StridedView view, const MovementChain &chain) {
  for (Operation *op : llvm::reverse(chain.ops)) {
    View pushed = pushThrough(view, op);
    if (!pushed)
      return std::nullopt;
    view = *pushed;
  }
  return view.simplify();
}

/// Products of one kernel: accumulators of more leave tiles that are not worth their loads.
static constexpr size_t kMostProducts = 4;

namespace {

/// The state of one solution.
struct Solver {
  ArrayRef<Operation *> ops;
  const MaterializedOps &materialized;
  std::string &why;
  KernelIndexing result;
  llvm::SmallPtrSet<Operation *, 16> members;

  bool chooseAnchor();
  bool seed();
  void spread();
  bool checkEdges();
  /// Whether the kernel's matmuls share an operand and differ in the other one alone.
  bool checkProducts();
  /// Whether every value that is read outside of the kernel is computed in full.
  bool checkCoverage();
  /// Operand views of `op` when its result has `view`; false with `why` when one is not strided or disagrees.
  bool operandAccesses(Operation *op, const StridedView &view, SmallVector<OperandAccess> &accesses);
  /// The view on reduce `op`'s operand, given by its unique solution.
  View reduceOperandView(ReductionOpInterface op);
  /// The view on a reduction's result when its operand has `view`, or nullopt when the reduced domain
  /// dimensions are not those of the kernel.
  View reduceResultView(ReductionOpInterface op, const StridedView &view);
  /// Whether `op` joins parts of equal shape, all computed by the kernel, which does not read the result:
  /// each part is then stored at its place, and the domain is that of a part.
  bool isJoin(Operation *op);
  /// Whether a scan or sort along `dim` of a result with `view` runs along what the kernel reduces.
  bool runsAlongRows(Operation *op, int64_t dim, const StridedView &view);
  /// A view for an op without one: along the edges to ops that have theirs; with `guess` also any view that
  /// fits its shape and its operands.
  View candidateFor(Operation *op, bool guess);
  bool fail(Operation *op, const Twine &reason) {
    why = (op->getName().getStringRef() + ": " + reason).str();
    return false;
  }
};

} // namespace

/// The tensor movement ops read, for an op that is materialized itself.
static SmallVector<Value> readOperands(Operation *op) {
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

bool Solver::isJoin(Operation *op) {
  auto concat = dyn_cast<ConcatOp>(op);
  if (!concat || isReadBy(concat.getResult(), members, materialized))
    return false;
  return llvm::all_of(concat.getInputs(), [&](Value part) {
    return part.getType() == concat.getInputs().front().getType() && members.contains(part.getDefiningOp());
  });
}

bool Solver::chooseAnchor() {
  // A widened input shapes nothing: of a large one the kernel may read but a slice.
  auto widensInput = [&](Operation *op) {
    return isa<arith::ExtFOp>(op) &&
           !members.contains(chainOf(op->getOperand(0), materialized).root.getDefiningOp());
  };
  Operation *largest = nullptr;
  int64_t most = -1;
  for (Operation *op : ops) {
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      result.products.push_back(matmul);
      result.anchorOp = result.products.front();
      result.anchor = Anchor::Matmul;
    }
    int64_t elems = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
    if (widensInput(op) || isJoin(op))
      elems = 0;
    if (elems >= most) {
      most = elems;
      largest = op;
    }
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

bool Solver::seed() {
  Operation *anchor = result.anchorOp;
  std::vector<int64_t> domain;
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
  domain = shapeOf(anchor->getResult(0));
  if (domain.empty())
    domain.push_back(1);
  result.domain.assign(domain.begin(), domain.end());
  result.reduced.assign(domain.size(), false);
  if (std::optional<int64_t> dim = wholeRowDim(anchor))
    result.reduced[*dim] = true;
  const StridedView whole = StridedView::rowMajor(domain).simplify();
  result.views[anchor] = whole;
  // Sums of several products lie in registers alike.
  for (MatmulOp product : llvm::drop_begin(result.products, result.products.empty() ? 0 : 1)) {
    if (shapeOf(product.getResult()) != shapeOf(anchor->getResult(0)))
      return fail(product, "has another shape than the matmul before it");
    result.views[product] = whole;
  }
  return true;
}

static bool dependsOn(const StridedView &view, unsigned dim) {
  return llvm::any_of(view.dim(dim).modes,
                      [](const layout::Mode &m) { return m.stride != 0 && m.extent != 1; });
}

bool Solver::runsAlongRows(Operation *op, int64_t dim, const StridedView &view) {
  std::vector<int64_t> shape = shapeOf(op->getResult(0)), keptShape;
  std::vector<int> kept;
  for (size_t d = 0; d < shape.size(); ++d)
    if ((int64_t)d != dim) {
      kept.push_back((int)d);
      keptShape.push_back(shape[d]);
    }
  View keptView = view.pullBroadcast(keptShape, shape, kept);
  View along = view.pullBroadcast({shape[dim]}, shape, {(int)dim});
  if (!keptView || !along)
    return false;
  StridedView row = along->simplify();
  int rows = 0;
  for (unsigned d = 0; d < result.domain.size(); ++d) {
    if (result.domain[d] == 1)
      continue;
    if (dependsOn(*keptView, d) == result.reduced[d] || dependsOn(row, d) != result.reduced[d])
      return false;
    if (!result.reduced[d])
      continue;
    // One dimension, in order.
    const layout::ViewDim &line = row.dim(d);
    if (rows++ || !line.isIdentity() || line.modes.size() != 1 || line.modes[0].stride != 1)
      return false;
  }
  return true;
}

View Solver::reduceResultView(ReductionOpInterface op, const StridedView &view) {
  std::vector<int64_t> input = shapeOf(op->getOperand(0));
  std::vector<int> kept, dropped;
  std::vector<int64_t> droppedShape;
  SmallVector<int64_t> dims = op.getReducedDims();
  for (size_t d = 0; d < input.size(); ++d) {
    if (llvm::is_contained(dims, (int64_t)d)) {
      dropped.push_back(d);
      droppedShape.push_back(input[d]);
      continue;
    }
    kept.push_back(d);
  }
  View keptView = view.pullBroadcast(shapeOf(op->getResult(0)), input, kept);
  View droppedView = view.pullBroadcast(droppedShape, input, dropped);
  if (!keptView || !droppedView)
    return std::nullopt;
  for (unsigned d = 0; d < result.domain.size(); ++d) {
    if (result.domain[d] == 1)
      continue;
    if (dependsOn(*keptView, d) == result.reduced[d] || dependsOn(*droppedView, d) != result.reduced[d])
      return std::nullopt;
  }
  return keptView->simplify();
}

View Solver::reduceOperandView(ReductionOpInterface op) {
  // A view on the operand that reduces the kernel's dimensions and gives the result its view.
  std::vector<int64_t> shape = shapeOf(op->getOperand(0));
  SmallVector<StridedView> candidates;
  MovementChain chain = chainOf(op->getOperand(0), materialized);
  if (auto it = result.views.find(chain.root.getDefiningOp()); it != result.views.end())
    if (View pushed = push(it->second, chain))
      candidates.push_back(*pushed);
  for (auto &[other, view] : result.views) {
    if (shapeOf(other->getResult(0)) == shape && !result.joins.count(other))
      candidates.push_back(view);
    if (auto reduce = asReduction(other); reduce && reduce != op && shapeOf(other->getOperand(0)) == shape)
      if (auto it = result.accesses.find(other); it != result.accesses.end())
        candidates.push_back(it->second[0].view);
  }
  if (std::vector<int64_t>(result.domain.begin(), result.domain.end()) == shape)
    candidates.push_back(StridedView::rowMajor(shape).simplify());
  for (const StridedView &candidate : candidates) {
    View reducedView = reduceResultView(op, candidate);
    if (!reducedView)
      continue;
    auto it = result.views.find(op);
    if (it == result.views.end() || it->second == *reducedView)
      return candidate;
  }
  return std::nullopt;
}

bool Solver::operandAccesses(Operation *op, const StridedView &view, SmallVector<OperandAccess> &accesses) {
  accesses.clear();
  auto add = [&](Value operand, const StridedView &operandView) {
    if (isSplatConstant(operand)) {
      accesses.push_back({operand, operandView});
      return true;
    }
    MovementChain chain = chainOf(operand, materialized);
    View pulled = pull(operandView, chain);
    if (!pulled)
      return fail(op, "an operand is no strided view of what it is made from");
    if (isSplatConstant(chain.root)) {
      accesses.push_back({chain.root, *pulled});
      return true;
    }
    Operation *producer = chain.root.getDefiningOp();
    if (members.contains(producer)) {
      auto it = result.views.find(producer);
      if (it != result.views.end() && !(it->second == *pulled))
        return fail(op, "needs elements of " + producer->getName().getStringRef() +
                            " in another order than they are computed");
    }
    accesses.push_back({chain.root, *pulled});
    return true;
  };
  if (isMovement(op)) { // materialized: the result is the operand, moved
    View moved = pullThrough(view, op);
    return moved ? add(op->getOperand(0), *moved) : fail(op, "is no strided view of its operand");
  }
  if (std::optional<int64_t> dim = wholeRowDim(op); dim && !runsAlongRows(op, *dim, view))
    return fail(op, "runs along another dimension than the rest of the kernel reduces");
  if (auto reduce = asReduction(op)) {
    View operandView = reduceOperandView(reduce);
    return operandView ? add(op->getOperand(0), *operandView)
                       : fail(op, "reduces other dimensions than the rest of the kernel");
  }
  if (isa<MatmulOp>(op)) {
    return add(op->getOperand(0), StridedView::rowMajor(shapeOf(op->getOperand(0)))) &&
           add(op->getOperand(1), StridedView::rowMajor(shapeOf(op->getOperand(1))));
  }
  if (auto gather = dyn_cast<GatherOp>(op)) {
    // The indices, as if the result were their broadcast over the gathered slices.
    std::vector<int64_t> indexShape = shapeOf(gather.getIndices());
    std::vector<int> dims;
    for (size_t i = 0; i < indexShape.size(); ++i)
      dims.push_back((int)gather.getDim() + (int)i);
    View indices = view.pullBroadcast(indexShape, shapeOf(gather.getResult()), dims);
    if (!indices)
      return fail(op, "its indices are no strided view");
    if (!add(gather.getIndices(), indices->simplify()))
      return false;
    // The table at index 0 of the gathered dimension; the index adds a multiple of that dimension's stride.
    std::vector<int64_t> table = shapeOf(gather.getInput()), result = shapeOf(gather.getResult()), slices,
                         one = table;
    std::vector<int> sliceDims;
    one[gather.getDim()] = 1;
    for (size_t d = 0; d < table.size(); ++d) {
      if ((int64_t)d == (int64_t)gather.getDim())
        continue;
      slices.push_back(table[d]);
      sliceDims.push_back((int)d < (int)gather.getDim() ? (int)d : (int)(d - 1 + indexShape.size()));
    }
    View slice = view.pullBroadcast(slices, result, sliceDims);
    if (slice)
      slice = slice->pullSlice(table, std::vector<int64_t>(table.size(), 0), one,
                               std::vector<int64_t>(table.size(), 1));
    if (!slice)
      return fail(op, "its table is no strided view");
    // A reshape is the same memory: offsets count elements in row-major order.
    MovementChain chain = chainOf(gather.getInput(), materialized);
    if (!llvm::all_of(chain.ops, [](Operation *move) { return isa<ReshapeOp>(move); }) ||
        members.contains(chain.root.getDefiningOp()))
      return fail(op, "its table is not in memory as it is");
    accesses.push_back({chain.root, slice->simplify()});
    return true;
  }
  // Ops whose value follows from where they are need their index along one dimension.
  auto hasIndexAlong = [&](int64_t dim) {
    std::vector<int64_t> shape = shapeOf(op->getResult(0));
    return view.pullBroadcast({shape[dim]}, shape, {(int)dim}).has_value();
  };
  if (auto mask = dyn_cast<MaskOp>(op)) {
    for (WithinAttr within : mask.getWithin().getAsRange<WithinAttr>())
      for (size_t p = 0; p < within.getParts().size(); p += 4)
        if (!hasIndexAlong(within.getParts()[p]))
          return fail(op, "its index is no strided view");
    return add(mask.getInput(), view);
  }
  if (auto iota = dyn_cast<IotaOp>(op))
    return hasIndexAlong(iota.getDim()) || fail(op, "its index is no strided view");
  if (isJoin(op)) {
    auto concat = cast<ConcatOp>(op);
    std::vector<int64_t> shape = shapeOf(concat.getInputs().front());
    std::vector<int64_t> low(shape.size(), 0), high(shape.size(), 0);
    int64_t size = shape[concat.getDim()], total = size * (int64_t)concat.getInputs().size();
    SmallVector<StridedView> places;
    for (auto [i, part] : llvm::enumerate(concat.getInputs())) {
      low[concat.getDim()] = (int64_t)i * size;
      high[concat.getDim()] = total - size - (int64_t)i * size;
      View place = view.pushPad(shape, low, high);
      if (!place)
        return fail(op, "the place of a part is no strided view of the result");
      places.push_back(place->simplify());
      if (!add(part, view))
        return false;
    }
    result.joins[op] = places;
    return true;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    if (!hasIndexAlong(concat.getDim()))
      return fail(op, "its index is no strided view");
    int64_t before = 0, total = shapeOf(concat.getResult())[concat.getDim()];
    for (Value input : concat.getInputs()) {
      std::vector<int64_t> shape = shapeOf(input), low(shape.size(), 0), high(shape.size(), 0);
      low[concat.getDim()] = before;
      before += shape[concat.getDim()];
      high[concat.getDim()] = total - before;
      View padded = view.pullPad(shape, low, high);
      if (!padded)
        return fail(op, "an operand is no strided view of the result");
      if (members.contains(chainOf(input, materialized).root.getDefiningOp()))
        return fail(op, "reads what the same kernel computes");
      if (!add(input, *padded))
        return false;
    }
    return true;
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    View padded = view.pullPad(shapeOf(pad.getInput()), pad.getLow().vec(), pad.getHigh().vec());
    if (!padded)
      return fail(op, "its operand is no strided view of the result");
    if (members.contains(chainOf(pad.getInput(), materialized).root.getDefiningOp()))
      return fail(op, "reads what the same kernel computes");
    return add(pad.getInput(), *padded);
  }
  for (Value operand : op->getOperands())
    if (!add(operand, view))
      return false;
  return true;
}

View Solver::candidateFor(Operation *op, bool guess) {
  // From consumers that have accesses: the view they need.
  for (Operation *consumer : ops) {
    auto it = result.accesses.find(consumer);
    if (it == result.accesses.end())
      continue;
    for (const OperandAccess &access : it->second)
      if (access.root.getDefiningOp() == op)
        return access.view;
  }
  // From operands: push their views; else any view of the right shape whose operands agree.
  SmallVector<StridedView> candidates;
  if (auto reduce = asReduction(op)) {
    View operandView = reduceOperandView(reduce);
    return operandView ? reduceResultView(reduce, *operandView) : std::nullopt;
  }
  std::vector<int64_t> shape = shapeOf(isJoin(op) ? op->getOperand(0) : op->getResult(0));
  for (Value operand : readOperands(op)) {
    MovementChain chain = chainOf(operand, materialized);
    auto it = result.views.find(chain.root.getDefiningOp());
    if (it == result.views.end())
      continue;
    if (View pushed = push(it->second, chain)) {
      if (isMovement(op))
        pushed = pushThrough(*pushed, op);
      if (pushed)
        candidates.push_back(pushed->simplify());
    }
  }
  if (guess) {
    for (auto &[other, view] : result.views)
      if (shapeOf(other->getResult(0)) == shape && !result.joins.count(other))
        candidates.push_back(view);
    for (auto &[other, accesses] : result.accesses)
      if (asReduction(other) && shapeOf(other->getOperand(0)) == shape)
        candidates.push_back(StridedView::rowMajor(shape).simplify());
    if (std::vector<int64_t>(result.domain.begin(), result.domain.end()) == shape)
      candidates.push_back(StridedView::rowMajor(shape).simplify());
  }
  SmallVector<OperandAccess> accesses;
  for (const StridedView &candidate : candidates)
    if (operandAccesses(op, candidate, accesses))
      return candidate;
  return std::nullopt;
}

void Solver::spread() {
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

bool Solver::checkEdges() {
  for (Operation *op : ops) {
    auto it = result.views.find(op);
    if (it == result.views.end())
      return fail(op, "is not indexed by the kernel's domain");
    if (result.anchor == Anchor::Matmul && isa<ReductionOpInterface, SortOp>(op))
      return fail(op, "reduces the result of a matmul");
    SmallVector<OperandAccess> accesses;
    StridedView view = it->second;
    if (!operandAccesses(op, view, accesses))
      return false;
    // The operands of a matmul are read over K, which no producer in the kernel is.
    if (isa<MatmulOp>(op))
      for (const OperandAccess &access : accesses)
        if (members.contains(access.root.getDefiningOp()))
          return fail(op, "reads what the same kernel computes");
    result.accesses[op] = accesses;
  }
  return checkProducts();
}

bool Solver::checkProducts() {
  if (result.products.empty())
    return true;
  MatmulOp first = result.products.front();
  auto sharesOperand = [&](unsigned operand) {
    const OperandAccess &common = result.accesses.find(first)->second[operand];
    return llvm::all_of(result.products, [&](MatmulOp product) {
      const OperandAccess &access = result.accesses.find(product)->second[operand];
      return access.root == common.root && access.view == common.view;
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
                             op.getPrecision(), op.getPromotion(), shapeOf(op.getLhs()).back());
    };
    if (kind(product) != kind(first))
      return fail(product, "has another type, precision or K than the matmul before it");
    if (!result.sharesLhs && !result.sharesRhs)
      return fail(product, "a second matmul, which shares no operand with the first");
  }
  return true;
}

/// Whether `view` reaches every one of `elements` elements: its strides, in order, are those of a row-major
/// index.
static bool coversAll(const StridedView &view, int64_t elements) {
  int64_t lowest = view.offset();
  SmallVector<layout::Mode> modes;
  StridedView simple = view.simplify(); // outlives the loop over its dims
  for (const layout::ViewDim &dim : simple.dims()) {
    if (!dim.isIdentity())
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

bool Solver::checkCoverage() {
  for (auto &[op, view] : result.views) {
    Value computed = result.joins.count(op) ? op->getOperand(0) : op->getResult(0);
    if (coversAll(view, cast<RankedTensorType>(computed.getType()).getNumElements()))
      continue;
    SmallVector<Value> worklist = {op->getResult(0)};
    while (!worklist.empty())
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (isMovement(user) && !materialized.contains(user))
          worklist.push_back(user->getResult(0));
        else if (!members.contains(user))
          return fail(op, "the rest of the kernel needs a part of what others need in full");
      }
  }
  return true;
}

std::optional<KernelIndexing> KernelIndexing::solve(ArrayRef<Operation *> ops,
                                                    const MaterializedOps &materialized, std::string &why) {
  Solver solver{ops, materialized, why, KernelIndexing(), {}};
  solver.members.insert(ops.begin(), ops.end());
  if (!solver.chooseAnchor() || !solver.seed())
    return std::nullopt;
  solver.spread();
  if (!solver.checkEdges() || !solver.checkCoverage())
    return std::nullopt;
  return std::move(solver.result);
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
