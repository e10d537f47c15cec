// fuse-compute-slices: what is read in slices that meet again is computed slice by slice.
//
// A kernel goes through each value once, in one order: of x in x[1:] - x[:-1], or of pairs that a rotation
// mixes, it needs two views, so that x, where it is computed, would be stored for it. Of an input there are
// as many views as one likes. So the slices go to what the value is computed of.

#include "ElementwiseTree.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSECOMPUTESLICES
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Slices of one value, and how often they may have it all together.
static constexpr int64_t kMostSlices = 8, kMostTimes = 4;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The slices of `value`, where nothing else reads it; none where there are too many.
static SmallVector<SliceOp> slicesOf(Value value) {
  SmallVector<SliceOp> slices;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || (int64_t)slices.size() == kMostSlices)
      return {};
    slices.push_back(slice);
  }
  return slices;
}

/// Whether an elementwise op reads two of the slices, or what is computed of them elementwise or moved.
static bool meetAgain(ArrayRef<SliceOp> slices) {
  DenseMap<Value, unsigned> of; // a bit for each slice that a value is made of
  for (auto [i, slice] : llvm::enumerate(slices))
    of[SliceOp(slice).getResult()] = 1U << i;
  Operation *first = slices.front();
  for (SliceOp slice : slices)
    if (slice->isBeforeInBlock(first))
      first = slice;
  for (Operation *op = first; op; op = op->getNextNode()) {
    bool computes = isElementwise(op);
    if (!computes && !isMovement(op))
      continue;
    unsigned all = 0;
    for (Value operand : op->getOperands())
      if (unsigned bits = of.lookup(operand)) {
        if (computes && all && all != bits)
          return true;
        all |= bits;
      }
    if (all)
      of[op->getResult(0)] |= all;
  }
  return false;
}

/// Whether the slices had better be computed each for itself: of inputs, which take no more bytes than the
/// value.
static bool pays(Value value, const ElementwiseTree &tree, ArrayRef<SliceOp> slices) {
  int64_t elements = 0, bytes = 0, whole = typeOf(value).getNumElements();
  for (SliceOp slice : slices)
    elements += slice.getType().getNumElements();
  for (Value leaf : tree.leaves) {
    if (!isInput(leaf))
      return false;
    auto spread = leaf.getDefiningOp<BroadcastOp>();
    bytes += plan::storageBytes(typeOf(spread ? spread.getInput() : leaf));
  }
  return !tree.ops.empty() && elements <= kMostTimes * whole &&
         tree.instructions * elements <= kMostTreeInstructions * whole &&
         bytes <= 2 * plan::storageBytes(typeOf(value));
}

/// `slice` of what `tree` computes, of slices of what that is computed of.
static Value computed(IRRewriter &rewriter, SliceOp slice, const ElementwiseTree &tree) {
  rewriter.setInsertionPoint(slice);
  auto sliced = [&](Value leaf) -> Value {
    return SliceOp::create(rewriter, slice.getLoc(), typeOf(leaf).clone(slice.getType().getShape()), leaf,
                           slice.getOffsets(), slice.getStrides());
  };
  auto spread = [&](BroadcastOp broadcast) { return sliced(broadcast.getResult()); };
  Selector selector{rewriter, slice.getLoc(), slice.getType().getShape(), sliced, spread};
  return selector.select(slice.getInput(), tree);
}

namespace {
struct ComputeSlices : fuse::impl::FuseComputeSlicesBase<ComputeSlices> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) && isElementwise(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Value value = op->getResult(0);
      SmallVector<SliceOp> slices = slicesOf(value);
      if (slices.size() < 2 || !meetAgain(slices))
        continue;
      ElementwiseTree tree;
      tree.visit(value);
      if (!pays(value, tree, slices))
        continue;
      for (SliceOp slice : slices) {
        emitRemark(slice, Remark::SelectedFirst, slice.getOperation(), tree.ops.size(),
                   plan::storageBytes(typeOf(value)));
        rewriter.replaceOp(slice, computed(rewriter, slice, tree));
      }
      // From the last op to the first: each one's readers are gone before it.
      for (Operation *left : llvm::reverse(tree.ops))
        if (isOpTriviallyDead(left))
          rewriter.eraseOp(left);
    }
  }
};
} // namespace
