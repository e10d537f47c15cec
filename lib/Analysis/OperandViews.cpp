// What each op reads of its operands when its result has a view, and views for ops from those of their
// neighbours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelSolver.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;
using layout::StridedView;

bool tilewright::dependsOn(const StridedView &view, unsigned dim) {
  return llvm::any_of(view.dim(dim).modes,
                      [](const layout::Mode &m) { return m.stride != 0 && m.extent != 1; });
}

/// `view` with all of the dimensions that it does not depend on.
static StridedView withoutIdleBounds(const StridedView &view) {
  std::vector<layout::ViewDim> dims = view.dims();
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].isTotal() && !dependsOn(view, d)) {
      layout::ViewDim idle;
      idle.extent = dims[d].extent;
      idle.modes = {{dims[d].extent, 0}};
      dims[d] = idle;
    }
  return StridedView(dims, view.offset()).simplify();
}

bool KernelSolver::runsAlongRows(Operation *op, int64_t dim, const StridedView &view) {
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
  if (cuts)
    along = withoutIdleBounds(*along);
  StridedView row = along->simplify();
  int rows = 0;
  for (unsigned d = 0; d < result.domain.size(); ++d) {
    if (result.domain[d] == 1)
      continue;
    bool runs = mixes ? dependsOn(row, d) : result.reduced[d];
    if (mixes ? runs && dependsOn(*keptView, d)
              : dependsOn(*keptView, d) == runs || dependsOn(row, d) != runs)
      return false;
    if (!runs)
      continue;
    // One dimension, whole and in order.
    if (result.domain[d] != shape[dim])
      return false;
    const layout::ViewDim &line = row.dim(d);
    if (rows++ || !line.isIdentity() || line.modes.size() != 1 || line.modes[0].stride != 1)
      return false;
  }
  return rows == 1 || shape[dim] == 1;
}

View KernelSolver::droppedView(ReductionOpInterface op, const StridedView &view) {
  std::vector<int64_t> input = shapeOf(op->getOperand(0)), shape;
  std::vector<int> dropped;
  SmallVector<int64_t> dims = op.getReducedDims();
  for (size_t d = 0; d < input.size(); ++d)
    if (llvm::is_contained(dims, (int64_t)d)) {
      dropped.push_back(d);
      shape.push_back(input[d]);
    }
  View result = view.pullBroadcast(shape, input, dropped);
  return result && cuts ? View(withoutIdleBounds(*result)) : result;
}

/// Elements that a reduction meets along a dimension of its operand: all of the dimension, or all of one mode
/// with padding around it; nothing for any other part.
static std::optional<int64_t> elementsAlong(const layout::ViewDim &dim) {
  if (dim.isTotal())
    return dim.extent;
  bool surrounded =
      dim.step == 1 && dim.modes.size() == 1 && dim.start <= 0 && dim.start + dim.extent >= dim.innerExtent();
  return surrounded ? std::optional(dim.innerExtent()) : std::nullopt;
}

void KernelSolver::notePart(ReductionOpInterface op, const StridedView &view) {
  result.within.erase(op);
  View dropped = droppedView(op, view);
  if (!dropped || dropped->isTotal())
    return;
  SmallVector<std::pair<int64_t, int64_t>> &part = result.within[op];
  for (const layout::ViewDim &dim : dropped->dims())
    part.push_back(dim.isTotal() ? std::pair<int64_t, int64_t>(0, dim.extent)
                                 : std::pair(-dim.start, dim.innerExtent() - dim.start));
}

View KernelSolver::reduceResultView(ReductionOpInterface op, const StridedView &view) {
  std::vector<int64_t> input = shapeOf(op->getOperand(0));
  std::vector<int> kept;
  SmallVector<int64_t> dims = op.getReducedDims();
  int64_t along = 1, wanted = 1;
  for (size_t d = 0; d < input.size(); ++d) {
    if (llvm::is_contained(dims, (int64_t)d))
      wanted *= input[d];
    else
      kept.push_back(d);
  }
  View keptView = view.pullBroadcast(shapeOf(op->getResult(0)), input, kept);
  View dropped = droppedView(op, view);
  if (!keptView || !dropped)
    return std::nullopt;
  if (cuts)
    keptView = withoutIdleBounds(*keptView);
  for (unsigned d = 0; d < result.domain.size(); ++d) {
    if (result.domain[d] == 1)
      continue;
    bool kept = dependsOn(*keptView, d), runs = dependsOn(*dropped, d);
    // Terms of a chain's second product have no columns.
    if (result.isChain() && d == result.chainColumns() && !kept && !runs)
      continue;
    if (mixes ? kept && runs : kept == result.reduced[d] || runs != result.reduced[d])
      return std::nullopt;
    std::optional<int64_t> elements = elementsAlong(dropped->dim(d));
    if (runs && !elements)
      return std::nullopt;
    along *= runs ? *elements : 1;
  }
  // Each element once, whichever dimensions it is.
  bool isPart = !dropped->isTotal();
  if (along != wanted || (isPart && !cuts) || ((mixes || isPart) && !coversAll(*dropped, wanted)))
    return std::nullopt;
  return keptView->simplify();
}

/// Whether one before has the same view: ops of a kernel share few.
static bool isRepeated(ArrayRef<StridedView> views, size_t i) {
  return llvm::is_contained(views.take_front(i), views[i]);
}

View KernelSolver::reduceOperandView(ReductionOpInterface op) {
  // A view on the operand that reduces the kernel's dimensions and gives the result its view.
  std::vector<int64_t> shape = shapeOf(op->getOperand(0));
  SmallVector<StridedView> candidates;
  MovementChain chain = chainOf(op->getOperand(0), materialized);
  if (auto it = result.views.find(chain.root.getDefiningOp()); it != result.views.end())
    if (View pushed = push(it->second, chain, cuts))
      candidates.push_back(*pushed);
  for (auto &[other, view] : result.views) {
    if (shapeOf(other->getResult(0)) == shape && !result.joins.count(other))
      candidates.push_back(view);
    if (auto reduce = asReduction(other); reduce && reduce != op)
      if (auto it = result.accesses.find(other);
          it != result.accesses.end() && shapeOf(it->second[0].root) == shape)
        candidates.push_back(it->second[0].view);
  }
  if (std::vector<int64_t>(result.domain.begin(), result.domain.end()) == shape)
    candidates.push_back(StridedView::rowMajor(shape).simplify());
  // In the order in which others read the same memory.
  if (cuts && !members.contains(chain.root.getDefiningOp()))
    for (Operation *other : ops)
      if (auto it = result.accesses.find(other);
          it != result.accesses.end() && !isa<MatmulOp, GatherOp>(other))
        for (const OperandAccess &access : it->second)
          if (access.root == chain.root)
            if (View pushed = push(access.view, chain, cuts))
              candidates.push_back(*pushed);
  // Sums of everything have their result in any order; the producer's is the one it is computed in.
  auto agrees = [&](const StridedView &candidate) {
    auto it = result.views.find(chain.root.getDefiningOp());
    if (it == result.views.end())
      return true;
    View pulled = pull(candidate, chain);
    if (pulled && cuts)
      pulled = withoutIdleBounds(*pulled);
    return pulled && (cuts ? isPartOf(*pulled, it->second) : it->second == *pulled);
  };
  for (auto [i, found] : llvm::enumerate(candidates)) {
    if (isRepeated(candidates, i))
      continue;
    // What is read has no bounds that the result lacks.
    StridedView candidate = cuts ? withoutIdleBounds(found) : found;
    View reducedView = reduceResultView(op, candidate);
    if (!reducedView || !agrees(candidate))
      continue;
    auto it = result.views.find(op);
    if (it == result.views.end() || it->second == *reducedView)
      return candidate;
  }
  return std::nullopt;
}

/// Whether a reduction whose operand has `view` meets its elements in the order of the domain: one that needs
/// their indices counts them.
static bool meetsInOrder(ReductionOpInterface op, const StridedView &view) {
  std::vector<int64_t> shape = shapeOf(op->getOperand(0));
  int dim = (int)op.getReducedDims().front();
  View index = view.pullBroadcast({shape[dim]}, shape, {dim});
  if (!index)
    return false;
  StridedView line = withoutIdleBounds(*index);
  int64_t stride = 1;
  for (int d = line.rank() - 1; d >= 0; --d) {
    if (!dependsOn(line, d))
      continue;
    const layout::ViewDim &along = line.dim(d);
    if (!along.isTotal() || !along.isIdentity() || along.modes.size() != 1 || along.modes[0].stride != stride)
      return false;
    stride *= along.extent;
  }
  return line.offset() == 0;
}

bool KernelSolver::operandAccesses(Operation *op, const StridedView &view,
                                   SmallVector<OperandAccess> &accesses) {
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
      if (cuts)
        pulled = withoutIdleBounds(*pulled);
      bool agrees =
          it == result.views.end() || (cuts ? isPartOf(*pulled, it->second) : it->second == *pulled);
      if (!agrees)
        return fail(op, "needs elements of " + producer->getName().getStringRef() +
                            " in another order than they are computed");
    }
    accesses.push_back({chain.root, *pulled});
    return true;
  };
  // Numbers that padding holds may be zeros, by which no integer is divided.
  if (cuts && !view.isTotal() &&
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return fail(op, "divides integers in a part of the domain");
  if (isMovement(op)) { // materialized: the result is the operand, moved
    View moved = pullThrough(view, op);
    return moved ? add(op->getOperand(0), *moved) : fail(op, "is no strided view of its operand");
  }
  if (std::optional<int64_t> dim = wholeRowDim(op); dim && !runsAlongRows(op, *dim, view))
    return fail(op, "runs along another dimension than the rest of the kernel reduces");
  if (auto reduce = asReduction(op)) {
    View operandView = reduceOperandView(reduce);
    if (operandView)
      notePart(reduce, *operandView);
    if (!operandView)
      return fail(op, "reduces other dimensions than the rest of the kernel");
    if (reduce.needsIndex() && !meetsInOrder(reduce, *operandView))
      return fail(op, "counts its elements in another order than the kernel's domain");
    return add(op->getOperand(0), *operandView);
  }
  if (result.isChain() && op == result.anchorOp)
    return add(op->getOperand(0), chainView(result.chainColumns())) &&
           add(op->getOperand(1), chainView(result.chainRows()));
  if (auto product = dyn_cast<MatmulOp>(op)) {
    bool all = llvm::all_of(ArrayRef<unsigned>{0, 1}, [&](unsigned i) {
      return hasPrologue(product, i)
                 ? addProductOperand(product, i, accesses)
                 : add(op->getOperand(i), StridedView::rowMajor(shapeOf(op->getOperand(i))));
    });
    if (all && product.getGroups()) {
      // The rows are the same for all groups, as far as the view says.
      std::vector<layout::ViewDim> dims = accesses.front().view.dims();
      layout::ViewDim &groups = *dims.emplace(dims.begin());
      groups.extent = result.domain.front();
      groups.modes = {{groups.extent, 0}};
      accesses.front().view = StridedView(dims, accesses.front().view.offset());
    }
    return all;
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
      if (!cuts && members.contains(chainOf(input, materialized).root.getDefiningOp()))
        return fail(op, "reads what the same kernel computes");
      // The tile of a part has all places of a dimension that bounds it, that of its one index has none.
      for (unsigned d = 0; d < result.domain.size(); ++d)
        if (result.domain[d] != 1 && !padded->dim(d).isTotal() && view.dim(d).isTotal() &&
            !dependsOn(view, d))
          return fail(op, "is read at one index of the joined dimension alone");
      if (!add(input, *padded))
        return false;
    }
    return true;
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    View padded = view.pullPad(shapeOf(pad.getInput()), pad.getLow().vec(), pad.getHigh().vec());
    if (!padded)
      return fail(op, "its operand is no strided view of the result");
    if (!cuts && members.contains(chainOf(pad.getInput(), materialized).root.getDefiningOp()))
      return fail(op, "reads what the same kernel computes");
    return add(pad.getInput(), *padded);
  }
  for (Value operand : op->getOperands())
    if (!add(operand, view))
      return false;
  return true;
}

/// The view on the result of `pad` whose operand has `view`, padding included: around all of the operand the
/// domain goes on by as much as is padded, or the view is one on a part of the result.
static View pushWholePad(const StridedView &view, PadOp pad) {
  std::vector<int64_t> input = shapeOf(pad.getInput()), output = shapeOf(pad.getResult());
  View placed = view.pushPad(input, pad.getLow().vec(), pad.getHigh().vec());
  if (!placed)
    return std::nullopt;
  std::vector<layout::ViewDim> dims = placed->dims();
  int64_t offset = placed->offset(), stride = 1;
  for (size_t d = output.size(); d-- > 0; stride *= output[d]) {
    int64_t low = pad.getLow()[d];
    if (input[d] == output[d])
      continue;
    auto counts = [&](const layout::ViewDim &dim) {
      return dim.step == 1 && dim.modes.size() == 1 && dim.modes[0] == layout::Mode{input[d], stride};
    };
    auto found = llvm::find_if(dims, counts);
    if (found == dims.end())
      return std::nullopt;
    found->start += low;
    found->modes[0].extent = output[d];
    offset -= low * stride;
  }
  return StridedView(dims, offset);
}

View KernelSolver::candidateFor(Operation *op, bool guess) {
  // From consumers that have accesses: the view they need, or the one that has all that they need.
  View needed;
  for (Operation *consumer : ops) {
    auto it = result.accesses.find(consumer);
    if (it == result.accesses.end())
      continue;
    for (const OperandAccess &access : it->second)
      if (access.root.getDefiningOp() == op && (!needed || isPartOf(*needed, access.view)))
        needed = access.view;
    if (needed && !cuts)
      break;
  }
  if (needed)
    return needed;
  // From operands: push their views; else any view of the right shape whose operands agree.
  SmallVector<StridedView> candidates;
  if (auto reduce = asReduction(op)) {
    View operandView = reduceOperandView(reduce);
    return operandView ? reduceResultView(reduce, *operandView) : std::nullopt;
  }
  std::vector<int64_t> shape = shapeOf(isJoin(op) ? op->getOperand(0) : op->getResult(0));
  // The view of the result, where an operand's chain begins with `view`.
  auto addPushed = [&](const StridedView &view, const MovementChain &chain) {
    View pushed = push(view, chain, cuts);
    if (pushed && isMovement(op))
      pushed = pushThrough(*pushed, op, cuts);
    if (auto pad = dyn_cast<PadOp>(op); pad && pushed && cuts)
      pushed = pushWholePad(*pushed, pad);
    if (pushed)
      candidates.push_back(pushed->simplify());
  };
  for (Value operand : readOperands(op)) {
    MovementChain chain = chainOf(operand, materialized);
    if (auto it = result.views.find(chain.root.getDefiningOp()); it != result.views.end())
      addPushed(it->second, chain);
  }
  // In the order in which others read the same memory.
  if (guess && cuts)
    for (Value operand : readOperands(op)) {
      MovementChain chain = chainOf(operand, materialized);
      if (isSplatConstant(chain.root) || members.contains(chain.root.getDefiningOp()))
        continue;
      for (Operation *other : ops)
        if (auto it = result.accesses.find(other);
            it != result.accesses.end() && !isa<MatmulOp, GatherOp>(other))
          for (const OperandAccess &access : it->second)
            if (access.root == chain.root)
              addPushed(access.view, chain);
    }
  if (guess) {
    for (auto &[other, view] : result.views)
      if (shapeOf(other->getResult(0)) == shape && !result.joins.count(other))
        candidates.push_back(view);
    for (Operation *other : ops)
      if (auto it = result.accesses.find(other);
          it != result.accesses.end() && asReduction(other) && shapeOf(it->second[0].root) == shape)
        candidates.push_back(it->second[0].view);
    if (std::vector<int64_t>(result.domain.begin(), result.domain.end()) == shape)
      candidates.push_back(StridedView::rowMajor(shape).simplify());
  }
  SmallVector<OperandAccess> accesses;
  // A neighbour in a part of the domain lends its bounds only along what the op itself depends on.
  if (cuts)
    for (StridedView &candidate : candidates)
      candidate = withoutIdleBounds(candidate);
  // What is needed in full has no part of the domain that leaves elements out, as another reader may have.
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  for (auto [i, candidate] : llvm::enumerate(candidates))
    if (!isRepeated(candidates, i) && (!cuts || !inFull.contains(op) || coversAll(candidate, elements)) &&
        operandAccesses(op, candidate, accesses))
      return candidate;
  return std::nullopt;
}
