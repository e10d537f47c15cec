// fuse-compute-slices: what is read in slices that meet again is computed slice by slice.
//
// A kernel goes through each value once, in one order: of x in x[1:] - x[:-1], or of pairs that a rotation
// mixes, it needs two views, so that x, where it is computed, would be stored for it. Of an input there are
// as many views as one likes. So the slices go to what the value is computed of.

#include "ElementwiseTree.h"
#include "SlicedProduct.h"
#include "Widening.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Graph/IR/SliceBroadcast.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"
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
static constexpr int64_t kMostSlices = 32, kMostTimes = 32;
/// Bytes of what a value is computed of for each of its own, which would be stored and read.
static constexpr int64_t kMostBytes = 4;
/// The share of a value that few numbers are which are spread.
static constexpr int64_t kSmallShare = 8;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The slices of `value`; none where there are too many.
static SmallVector<SliceOp> slicesOf(Value value) {
  SmallVector<SliceOp> slices;
  for (Operation *user : value.getUsers())
    if (auto slice = dyn_cast<SliceOp>(user))
      slices.push_back(slice);
  if ((int64_t)slices.size() > kMostSlices)
    slices.clear();
  return slices;
}

/// Whether slices alone read `value`.
static bool isReadInSlices(Value value) { return llvm::all_of(value.getUsers(), llvm::IsaPred<SliceOp>); }

/// Whether an op reads two of the slices, or what is computed of them elementwise or moved: an elementwise
/// one, or where `joined` says so a concatenation, of that shape if there is one.
static bool meetAgain(ArrayRef<SliceOp> slices, bool joined = false, ArrayRef<int64_t> shape = {}) {
  DenseMap<Value, unsigned> of; // a bit for each slice that a value is made of
  for (auto [i, slice] : llvm::enumerate(slices))
    of[SliceOp(slice).getResult()] = 1U << i;
  Operation *first = slices.front();
  for (SliceOp slice : slices)
    if (slice->isBeforeInBlock(first))
      first = slice;
  for (Operation *op = first; op; op = op->getNextNode()) {
    bool isMeeting = isa<ConcatOp>(op)
                         ? joined && (shape.empty() || typeOf(op->getResult(0)).getShape() == shape)
                         : isElementwise(op) && shape.empty();
    if (!isMeeting && !isElementwise(op) && !isMovement(op))
      continue;
    unsigned all = 0;
    for (Value operand : op->getOperands())
      if (unsigned bits = of.lookup(operand)) {
        if (isMeeting && all && all != bits)
          return true;
        all |= bits;
      }
    if (all)
      of[op->getResult(0)] |= all;
  }
  return false;
}

namespace {

/// Whether a product of slices that meet again had better be one of each slice.
using DividesProduct = llvm::function_ref<bool(SlicedProduct &)>;

/// What slices that meet again are of: elementwise ops, and movement of their result.
struct SlicedValue {
  SmallVector<SliceOp> slices;
  DividesProduct divides;
  /// From what is computed to what is sliced; what lies between is read by the next one alone.
  SmallVector<Operation *> moves = {};
  ElementwiseTree tree = {};
  Value computed = {};

  Value sliced() { return slices.front().getInput(); }
  bool find();
  bool climb();
  bool pays();
  bool isProductOfParts(Value leaf);
  Value sliceOfComputed(IRRewriter &rewriter, SliceOp slice);
};

} // namespace

/// Whether `value` is an input, widened and moved at most.
static bool isWidenedInput(Value value) {
  Operation *op = value.getDefiningOp();
  return isInput(value) || ((isMovement(op) || isWidening(op)) && isWidenedInput(op->getOperand(0)));
}

/// Whether the slices meet again, and are of something that had better be computed for each of them.
bool SlicedValue::find() {
  // Halves that have changed places, beside what they are halves of (a rotation): one kernel computes both of
  // the same inputs.
  bool isSole = isReadInSlices(sliced());
  return (isSole ? meetAgain(slices) : meetAgain(slices, /*joined=*/true, typeOf(sliced()).getShape())) &&
         climb();
}

/// Goes from the slices up to what is computed.
bool SlicedValue::climb() {
  computed = sliced();
  while (isa_and_nonnull<SliceOp, ReshapeOp, TransposeOp>(computed.getDefiningOp())) {
    if (computed != sliced() && !computed.hasOneUse())
      return false;
    moves.insert(moves.begin(), computed.getDefiningOp());
    computed = moves.front()->getOperand(0);
  }
  tree.visit(computed);
  return !tree.ops.empty() && pays();
}

/// Whether `leaf` is a product that nothing but the slices needs, and that had better be one of each.
bool SlicedValue::isProductOfParts(Value leaf) {
  auto product = leaf.getDefiningOp<MatmulOp>();
  if (!product || product.getGroups())
    return false;
  SlicedProduct parts(product);
  for (SliceOp slice : slices)
    parts.add(slice, moves);
  auto isWithin = [&](Operation *op) {
    return tree.ops.contains(op) || llvm::is_contained(moves, op) ||
           (isa<SliceOp>(op) && llvm::is_contained(slices, cast<SliceOp>(op)));
  };
  auto isSolelyRead = [&](Operation *op) { return llvm::all_of(op->getUsers(), isWithin); };
  return isSolelyRead(product) && llvm::all_of(tree.ops, isSolelyRead) && divides(parts);
}

/// Whether the slices had better be computed each for itself: of inputs, which take not many more bytes than
/// the value. Where something else reads the value whole, few numbers that are spread may be computed as
/// well.
bool SlicedValue::pays() {
  int64_t elements = 0, bytes = 0, whole = typeOf(sliced()).getNumElements(),
          own = plan::storageBytes(typeOf(computed));
  bool isSole = isReadInSlices(sliced());
  bool ofProduct = isSole && llvm::any_of(tree.leaves, [&](Value leaf) { return isProductOfParts(leaf); });
  for (SliceOp slice : slices)
    elements += slice.getType().getNumElements();
  for (Value leaf : tree.leaves) {
    if (ofProduct && isProductOfParts(leaf))
      continue;
    auto spread = leaf.getDefiningOp<BroadcastOp>();
    int64_t read = plan::storageBytes(typeOf(spread ? spread.getInput() : leaf));
    bool isFew = spread && moves.empty() && read * kSmallShare <= own;
    if (isSole && !ofProduct ? !isInput(leaf) : !isFew && !isWidenedInput(leaf))
      return false;
    bytes += isSole || !isFew ? read : 0;
  }
  // Whoever else reads what is computed may have it stored.
  bool isAlone = isSole && (moves.empty() || computed.hasOneUse());
  return elements <= (isSole ? kMostTimes : 1) * whole &&
         tree.instructions * elements <= kMostTreeInstructions * whole &&
         bytes <= (isAlone ? kMostBytes : 1) * own;
}

/// What `slice` has, computed of the same elements of what the value is computed of.
Value SlicedValue::sliceOfComputed(IRRewriter &rewriter, SliceOp slice) {
  rewriter.setInsertionPoint(slice);
  auto sliced = [&](Value leaf) -> Value {
    Type element = typeOf(leaf).getElementType();
    Value moved = leaf;
    for (Operation *move : moves) {
      Operation *copy = rewriter.clone(*move);
      copy->setOperand(0, moved);
      copy->getResult(0).setType(typeOf(move->getResult(0)).clone(element));
      moved = copy->getResult(0);
    }
    return SliceOp::create(rewriter, slice.getLoc(), slice.getType().clone(element), moved,
                           slice.getOffsets(), slice.getStrides());
  };
  auto spread = [&](BroadcastOp broadcast) {
    return moves.empty() ? sliceOfBroadcast(rewriter, slice, broadcast) : sliced(broadcast.getResult());
  };
  Selector selector{rewriter, slice.getLoc(), slice.getType().getShape(), sliced, spread};
  return selector.select(computed, tree);
}

/// `slice` of what is joined, as what is joined of slices of its parts; null where it goes backwards.
static Value sliceOfJoined(IRRewriter &rewriter, SliceOp slice, ConcatOp concat) {
  auto dim = (int64_t)concat.getDim();
  int64_t first = slice.getOffsets()[dim], stride = slice.getStrides()[dim],
          size = slice.getType().getDimSize(dim);
  if (stride < 1)
    return nullptr;
  rewriter.setInsertionPoint(slice);
  SmallVector<Value> parts;
  int64_t taken = 0, end = 0;
  for (Value part : concat.getInputs()) {
    int64_t begin = std::exchange(end, end + typeOf(part).getDimSize(dim));
    // The elements of the slice that lie in front of the part's end.
    int64_t until = std::clamp<int64_t>(llvm::divideCeilSigned(end - first, stride), taken, size);
    if (until == taken)
      continue;
    SmallVector<int64_t> offsets(slice.getOffsets()), shape(slice.getType().getShape());
    offsets[dim] = first + taken * stride - begin;
    shape[dim] = until - std::exchange(taken, until);
    parts.push_back(SliceOp::create(rewriter, slice.getLoc(), slice.getType().clone(ArrayRef<int64_t>(shape)),
                                    part, offsets, slice.getStrides()));
  }
  return parts.size() == 1
             ? parts.front()
             : ConcatOp::create(rewriter, slice.getLoc(), slice.getType(), parts, dim).getResult();
}

/// `slice` of a tensor with padding around it, as a slice of the tensor with what padding the slice has; null
/// where it goes backwards, has nothing of the tensor, or the value of the padding is no narrow one.
static Value sliceOfPadded(IRRewriter &rewriter, SliceOp slice, PadOp pad) {
  Operation *widening = pad.getInput().getDefiningOp();
  bool widens = isWidening(widening);
  Value input = widens ? widening->getOperand(0) : pad.getInput();
  TypedAttr value = widens ? beforeWidening(widening, pad.getValue()) : pad.getValue();
  if (!value)
    return nullptr;
  SmallVector<int64_t> offsets(slice.getOffsets()), inner, low, high;
  for (auto [d, size] : llvm::enumerate(slice.getType().getShape())) {
    int64_t stride = slice.getStrides()[d], begin = pad.getLow()[d] - offsets[d];
    if (stride < 1)
      return nullptr;
    // Of the slice's indices, the first one in the tensor, and the first one behind it.
    low.push_back(std::clamp<int64_t>(llvm::divideCeilSigned(begin, stride), 0, size));
    int64_t end = llvm::divideCeilSigned(begin + typeOf(input).getDimSize(d), stride);
    inner.push_back(std::clamp<int64_t>(end, low.back(), size) - low.back());
    high.push_back(size - low.back() - inner.back());
    if (inner.back() == 0)
      return nullptr;
    offsets[d] = low.back() * stride - begin;
  }
  rewriter.setInsertionPoint(slice);
  Location loc = slice.getLoc();
  Type element = typeOf(input).getElementType();
  Value result = SliceOp::create(rewriter, loc, RankedTensorType::get(inner, element), input, offsets,
                                 slice.getStrides());
  if (llvm::any_of(low, [](int64_t n) { return n; }) || llvm::any_of(high, [](int64_t n) { return n; }))
    result = PadOp::create(rewriter, loc, slice.getType().clone(element), result, low, high, value);
  if (!widens)
    return result;
  Operation *wide = rewriter.clone(*widening);
  wide->setOperand(0, result);
  wide->getResult(0).setType(slice.getType());
  return wide->getResult(0);
}

/// Takes slices that meet again of an input inside its padding.
static void slicePadded(IRRewriter &rewriter, PadOp pad) {
  Operation *widening = pad.getInput().getDefiningOp();
  SmallVector<SliceOp> slices = slicesOf(pad);
  if (slices.size() < 2 || !isReadInSlices(pad) ||
      !isInput(isWidening(widening) ? widening->getOperand(0) : pad.getInput()) ||
      !meetAgain(slices, /*joined=*/true))
    return;
  for (SliceOp slice : slices)
    if (Value inside = sliceOfPadded(rewriter, slice, pad)) {
      emitRemark(slice, Remark::SelectedFirst, slice.getOperation(), 1, plan::storageBytes(pad.getType()));
      rewriter.replaceOp(slice, inside);
    }
  if (pad->use_empty())
    rewriter.eraseOp(pad);
}

/// Takes slices that meet again of the parts of what is joined of inputs.
static void sliceParts(IRRewriter &rewriter, ConcatOp concat) {
  SmallVector<SliceOp> slices = slicesOf(concat);
  int64_t elements = 0;
  for (SliceOp slice : slices)
    elements += slice.getType().getNumElements();
  if (slices.size() < 2 || !isReadInSlices(concat) || elements > concat.getType().getNumElements() ||
      !llvm::all_of(concat.getInputs(), isInput) || !meetAgain(slices, /*joined=*/true))
    return;
  for (SliceOp slice : slices)
    if (Value parts = sliceOfJoined(rewriter, slice, concat)) {
      emitRemark(slice, Remark::SelectedFirst, slice.getOperation(), 1, plan::storageBytes(concat.getType()));
      rewriter.replaceOp(slice, parts);
    }
  if (concat->use_empty())
    rewriter.eraseOp(concat);
}

namespace {
struct ComputeSlices : fuse::impl::FuseComputeSlicesBase<ComputeSlices> {
  using Base::Base;
  void runOnOperation() override;

private:
  bool divides(SlicedProduct &parts);
  void compute(SlicedValue &value);
  void divide(MatmulOp product);
  void replace(SliceOp slice, Value value);
  void eraseDead(llvm::SetVector<Operation *> ops);

  /// Ops of the walk that are no more.
  llvm::SmallPtrSet<Operation *, 8> gone;
};
} // namespace

void ComputeSlices::replace(SliceOp slice, Value value) {
  IRRewriter rewriter(slice.getContext());
  gone.insert(slice);
  rewriter.replaceOp(slice, value);
}

/// From the last op to the first: each one's readers are gone before it.
void ComputeSlices::eraseDead(llvm::SetVector<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op)) {
      gone.insert(op);
      op->erase();
    }
}

/// Has what the slices are of computed for each of them.
void ComputeSlices::compute(SlicedValue &value) {
  IRRewriter rewriter(&getContext());
  for (SliceOp slice : value.slices) {
    emitRemark(slice, Remark::SelectedFirst, slice.getOperation(), value.tree.ops.size(),
               plan::storageBytes(typeOf(value.computed)));
    replace(slice, value.sliceOfComputed(rewriter, slice));
  }
  // What is spread has its slices, too.
  llvm::SetVector<Operation *> behind;
  for (Value leaf : value.tree.leaves)
    if (auto spread = leaf.getDefiningOp<BroadcastOp>())
      behind.insert(spread);
  behind.insert_range(value.tree.ops);
  behind.insert_range(value.moves);
  eraseDead(std::move(behind));
}

bool ComputeSlices::divides(SlicedProduct &parts) {
  const Arch *arch = lookupArch(target);
  int64_t elementBytes = plan::storageBytes(RankedTensorType::get({1}, getElementTypeOrSelf(parts.product)));
  if (storage != "fp32")
    elementBytes = std::min<int64_t>(elementBytes, 2);
  return parts.arePartsOfOperand() && (!arch || parts.pays(*arch, elementBytes));
}

/// Has each slice of `product` be a product of its own, and what its operand is computed of computed for it.
void ComputeSlices::divide(MatmulOp product) {
  if (product.getGroups())
    return;
  SlicedProduct parts(product);
  if (!parts.findSlices() || parts.slices.size() < 2 || !meetAgain(parts.slices) || !divides(parts))
    return;
  emitRemark(product, Remark::ProductDivided, product.getOperation(), parts.slices.size(),
             plan::storageBytes(product.getType()));
  IRRewriter rewriter(&getContext());
  Value operand = parts.operand();
  llvm::SetVector<Operation *> behind;
  behind.insert(product);
  for (SliceOp slice : parts.slices) {
    behind.insert_range(parts.moves[slice]);
    replace(slice, parts.multiply(rewriter, slice));
  }
  eraseDead(std::move(behind));
  auto no = [](SlicedProduct &) { return false; };
  SlicedValue computed{slicesOf(operand), no};
  if (!computed.slices.empty() && isReadInSlices(operand) && computed.climb())
    compute(computed);
}

void ComputeSlices::runOnOperation() {
  IRRewriter rewriter(&getContext());
  SmallVector<Operation *> around;
  getOperation()->walk([&](Operation *op) {
    if (isa<ConcatOp, PadOp>(op))
      around.push_back(op);
  });
  for (Operation *op : around)
    if (auto concat = dyn_cast<ConcatOp>(op))
      sliceParts(rewriter, concat);
    else
      slicePadded(rewriter, cast<PadOp>(op));
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
        (isElementwise(op) || isa<SliceOp, ReshapeOp, TransposeOp, MatmulOp>(op)))
      ops.push_back(op);
  });
  // What is computed of a value gives the value slices: from the last op to the first.
  gone.clear();
  auto isDivided = [&](SlicedProduct &parts) { return divides(parts); };
  for (Operation *op : llvm::reverse(ops)) {
    if (gone.contains(op))
      continue;
    if (auto product = dyn_cast<MatmulOp>(op)) {
      divide(product);
      continue;
    }
    SlicedValue value{slicesOf(op->getResult(0)), isDivided};
    if (value.slices.size() >= 2 && value.find())
      compute(value);
  }
}
