// The step of a loop that reaches over its end, apart from whole ones.

#include "PeelEnd.h"
#include "Loops.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// Steps of a loop that are whole, so that they are worth code of their own.
static constexpr int64_t kLeastWhole = 2;

namespace {
/// What steps that begin from `first` to `last` have of tiles along the induction variable.
struct WholeSteps {
  Value step;
  int64_t first = 0, last = 0;

  bool isInside(const layout::ViewDim &dim, int64_t size) const;
  /// Dimensions of the access that are in bounds in these steps, but are not said to be.
  template <typename Op> SmallVector<unsigned> dimsInside(Op access) const;
  bool holds(arith::CmpIOp compare) const;
};
} // namespace

/// Whether tiles of `size` are within the view along `dim`.
bool WholeSteps::isInside(const layout::ViewDim &dim, int64_t size) const {
  int64_t end = last + size - 1;
  bool isWithin = end < dim.extent && dim.step > 0;
  return isWithin && dim.start + first * dim.step >= 0 && dim.start + end * dim.step < dim.innerExtent();
}

template <typename Op> SmallVector<unsigned> WholeSteps::dimsInside(Op access) const {
  SmallVector<unsigned> dims;
  Value tile;
  if constexpr (std::is_same_v<Op, StoreOp>)
    tile = access.getValue();
  else
    tile = access.getResult();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  const layout::StridedView &view = cast<ViewType>(access.getView().getType()).getView();
  if (access->hasAttr(kAlignedAttrName))
    return dims;
  for (auto [d, index] : llvm::enumerate(access.getIndices()))
    if (index == step && !access.getInBounds()[d] && isInside(view.dim((int)d), shape[d]))
      dims.push_back((unsigned)d);
  return dims;
}

/// Whether all elements of the comparison are true: indices along the steps are below a number.
bool WholeSteps::holds(arith::CmpIOp compare) const {
  auto index = compare.getLhs().getDefiningOp<IotaOp>();
  DenseElementsAttr bound;
  bool isBelow = compare.getPredicate() == arith::CmpIPredicate::slt ||
                 (compare.getPredicate() == arith::CmpIPredicate::ult && first >= 0);
  if (!isBelow || !index || index.getStart() != step || !matchPattern(compare.getRhs(), m_Constant(&bound)) ||
      !bound.isSplat())
    return false;
  int64_t size = cast<RankedTensorType>(index.getType()).getDimSize((int64_t)index.getDim());
  return last + size - 1 < bound.getSplatValue<APInt>().getSExtValue();
}

/// `value`, all elements of which are true, and what follows from that.
static void foldTrue(IRRewriter &rewriter, Value value) {
  for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
    if (isa<BroadcastOp, ConvertLayoutOp>(user)) {
      foldTrue(rewriter, user->getResult(0));
      if (user->use_empty())
        rewriter.eraseOp(user);
    } else if (auto select = dyn_cast<arith::SelectOp>(user); select && select.getCondition() == value) {
      rewriter.replaceOp(select, select.getTrueValue());
    } else if (auto both = dyn_cast<arith::AndIOp>(user)) {
      rewriter.replaceOp(both, both.getLhs() == value ? both.getRhs() : both.getLhs());
    }
  }
}

/// Takes from the ops of `loop` what they ask of its end, in vain in `steps`.
static void foldEnds(IRRewriter &rewriter, scf::ForOp loop, const WholeSteps &steps) {
  auto sayInside = [&](auto access) {
    SmallVector<bool> inBounds(access.getInBounds());
    for (unsigned d : steps.dimsInside(access))
      inBounds[d] = true;
    access.setInBounds(inBounds);
  };
  SmallVector<arith::CmpIOp> compares;
  loop.getBody()->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      sayInside(load);
    else if (auto store = dyn_cast<StoreOp>(op))
      sayInside(store);
    else if (auto compare = dyn_cast<arith::CmpIOp>(op); compare && steps.holds(compare))
      compares.push_back(compare);
  });
  for (arith::CmpIOp compare : compares) {
    foldTrue(rewriter, compare.getResult());
    if (compare->use_empty())
      rewriter.eraseOp(compare);
  }
}

static bool asksForEnd(scf::ForOp loop, const WholeSteps &steps) {
  return loop.getBody()
      ->walk([&](Operation *op) {
        auto load = dyn_cast<LoadOp>(op);
        auto store = dyn_cast<StoreOp>(op);
        auto compare = dyn_cast<arith::CmpIOp>(op);
        bool asks = (load && !steps.dimsInside(load).empty()) ||
                    (store && !steps.dimsInside(store).empty()) || (compare && steps.holds(compare));
        return asks ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<PeeledEnd> tile::peelEnd(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound()), end = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step || *end <= *begin || (*end - *begin) % *step == 0)
    return std::nullopt;
  int64_t count = (*end - *begin) / *step, whole = *begin + count * *step;
  WholeSteps steps{loop.getInductionVar(), *begin, whole - *step};
  if (count < kLeastWhole || !asksForEnd(loop, steps))
    return std::nullopt;
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  PeeledEnd peeled;
  peeled.start = indexConstant(rewriter, loop.getLoc(), whole);
  loop.setUpperBound(peeled.start);
  rewriter.setInsertionPointAfter(loop);
  peeled.mapping.map(loop.getInductionVar(), peeled.start);
  peeled.mapping.map(loop.getRegionIterArgs(), loop.getResults());
  llvm::SmallPtrSet<Operation *, 32> copies;
  for (Operation &op : loop.getBody()->without_terminator())
    copies.insert(rewriter.clone(op, peeled.mapping));
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<std::pair<OpOperand *, Value>> behind;
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), yield.getOperands()))
    for (OpOperand &use : result.getUses())
      if (!llvm::any_of(copies, [&](Operation *copy) { return copy->isAncestor(use.getOwner()); }))
        behind.push_back({&use, peeled.mapping.lookupOrDefault(value)});
  for (auto [use, value] : behind)
    use->set(value);
  foldEnds(rewriter, loop, steps);
  return peeled;
}
