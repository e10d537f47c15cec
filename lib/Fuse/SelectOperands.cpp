// fuse-select-operands: gathers, pads and concatenations select elements of what was computed; the selected
// elements are computed instead.
//
// A kernel cannot select from what it computes itself: another block may hold the element. So a gather of an
// activation reads a stored activation. Selected before, the input's elements pass through the activation in
// the kernel that gathers them, and nothing is stored between.

#include "ElementwiseTree.h"
#include "NarrowMovement.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSESELECTOPERANDS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Tensors that are selected from.
static constexpr size_t kMostLeaves = 3;
/// Instructions of all parts of a concatenation that are computed for every element of it. (H200: five of 309
/// random programs with concatenations have more, and take 0.52, 0.72, 0.78, 1.04 and 1.05 of their time with
/// these joined: docs/performance/data/slices-and-tiles-h200.json.)
static constexpr int64_t kMostJoinedInstructions = 64;
/// The share of a tensor that is read beside another one of its size: values of rows, of columns.
static constexpr int64_t kSmallShare = 8;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// Whether what rows of a transpose are is known: whole runs of memory, in another order.
bool keepsRuns(TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  return permutation.back() + 1 == (int64_t)permutation.size();
}

/// Whether what indices along `dim` of a transpose select are runs of memory of its operand.
bool selectsRuns(TransposeOp op, int64_t dim) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  auto last = (int64_t)permutation.size() - 1;
  return keepsRuns(op) ? dim != last : permutation[dim] != last;
}

/// The dimension of a reshape's operand whose places are those along `dim` of its result.
std::optional<int64_t> dimBefore(ReshapeOp op, int64_t dim) {
  auto before = [](ArrayRef<int64_t> shape, int64_t d) {
    return std::accumulate(shape.begin(), shape.begin() + d, int64_t(1), std::multiplies<int64_t>());
  };
  ArrayRef<int64_t> to = op.getType().getShape(), from = typeOf(op.getInput()).getShape();
  for (int64_t d = 0; d < (int64_t)from.size(); ++d)
    if (from[d] == to[dim] && before(from, d) == before(to, dim))
      return d;
  return std::nullopt;
}

/// Whether nothing but what lies along `dim` is surrounded.
bool padsAlone(PadOp pad, int64_t dim) {
  return llvm::all_of(llvm::enumerate(llvm::zip_equal(pad.getLow(), pad.getHigh())), [&](auto side) {
    return (int64_t)side.index() == dim || side.value() == std::tuple<int64_t, int64_t>(0, 0);
  });
}

/// What an operand is computed of elementwise, where selections read it.
struct Tree : ElementwiseTree {
  Tree() { stopsAtResults = true; }
  /// Whether the leaves are tensors that selections can read, and no more bytes than the value itself, which
  /// `sole` readers need not have stored. `movedToo`: so are parts of the program's inputs, and rows in
  /// another order of what can be selected from; `along`: so is what is joined of that along a dimension.
  bool pays(Value value, bool sole, bool movedToo = false,
            std::optional<int64_t> along = std::nullopt) const {
    if (ops.empty() || instructions > kMostTreeInstructions)
      return false;
    int64_t bytes = 0, whole = plan::storageBytes(typeOf(value));
    size_t large = 0;
    for (Value leaf : leaves) {
      Operation *op = leaf.getDefiningOp();
      bool isPart = along && (isJoined(leaf, *along) || isSelectedBeside(leaf, *along));
      std::optional<int64_t> own = along;
      if (auto spread = dyn_cast_if_present<BroadcastOp>(op)) {
        leaf = spread.getInput();
        op = leaf.getDefiningOp();
        isPart |= along && isSelectedBeside(spread, *along);
        // The dimension of what is spread that lies there, if any does.
        ArrayRef<int64_t> dims = spread.getDims();
        const auto *place = along ? llvm::find(dims, *along) : dims.end();
        own = place == dims.end() ? std::nullopt : std::optional<int64_t>(place - dims.begin());
      }
      large += kSmallShare * plan::storageBytes(typeOf(leaf)) > whole;
      auto transpose = dyn_cast_if_present<TransposeOp>(op);
      isPart |= movedToo && ((isa_and_nonnull<SliceOp>(op) && isInput(op->getOperand(0))) ||
                             (transpose && (keepsRuns(transpose) || (own && selectsRuns(transpose, *own))) &&
                              isSelectable(transpose.getInput())) ||
                             (isa_and_nonnull<ReshapeOp>(op) && isSelectable(op->getOperand(0))) ||
                             (own && isPadded(op) && padsAlone(cast<PadOp>(op), *own)));
      if (!isPart && (isMovement(op) || isa_and_nonnull<ConcatOp, PadOp, GatherOp>(op)))
        return false;
      bytes += plan::storageBytes(typeOf(leaf));
    }
    return large <= kMostLeaves && bytes <= (sole ? 2 * whole : whole + whole / kSmallShare);
  }
  /// Whether indices select `value`, or what it is spread of, along a dimension next to `dim`, for nobody
  /// else: indices along both select at once; or along another one that `dim` of the value is not spread
  /// from.
  static bool isSelectedBeside(Value value, int64_t dim) {
    if (auto spread = value.getDefiningOp<BroadcastOp>()) {
      const auto *place = llvm::find(spread.getDims(), dim);
      return spread.getInput().getDefiningOp<GatherOp>() &&
             (place == spread.getDims().end() ||
              isSelectedBeside(spread.getInput(), place - spread.getDims().begin()));
    }
    auto gather = value.getDefiningOp<GatherOp>();
    return gather && gather->hasOneUse() && selectsBeside(gather, dim);
  }
  static bool selectsBeside(GatherOp gather, int64_t dim) {
    return typeOf(gather.getIndices()).getRank() == 1 && std::abs((int64_t)gather.getDim() - dim) == 1 &&
           areFewBeside(gather, dim);
  }
  /// Whether a place for each two indices, one of `gather` and one along `dim`, is little beside what they
  /// select.
  static bool areFewBeside(GatherOp gather, int64_t dim) {
    RankedTensorType type = gather.getType();
    int64_t places = type.getDimSize(gather.getDim()) * type.getDimSize(dim);
    return kSmallShare * places * (typeOf(gather.getIndices()).getElementTypeBitWidth() / 8) <=
           plan::storageBytes(type);
  }
  /// What a reshape is of, where that is computed from inputs alone, place by place: the same is computed of
  /// these in the shape of the reshape.
  static std::optional<Tree> computedFlat(ReshapeOp reshape) {
    Tree tree;
    tree.visit(reshape.getInput());
    auto isWhole = [](Value leaf) { return isInput(leaf) && !leaf.getDefiningOp<BroadcastOp>(); };
    if (!llvm::all_of(tree.leaves, isWhole) ||
        !tree.pays(reshape.getInput(), /*sole=*/false, /*movedToo=*/true))
      return std::nullopt;
    return tree;
  }
  /// Whether a gather can read the elements of `value`, or those that it is computed from, few ones that are
  /// spread among them.
  static bool isSelectable(Value value) {
    if (isInput(value))
      return true;
    if (auto reshape = value.getDefiningOp<ReshapeOp>())
      return computedFlat(reshape).has_value();
    if (auto spread = value.getDefiningOp<BroadcastOp>())
      return kSmallShare * plan::storageBytes(typeOf(spread.getInput())) <= plan::storageBytes(typeOf(value));
    Tree tree;
    tree.visit(value);
    return tree.pays(value, /*sole=*/false, /*movedToo=*/true);
  }
  /// Whether `op` surrounds what a gather can read by zeros, which is what an index outside selects as well.
  static bool isPadded(Operation *op) {
    auto pad = dyn_cast_if_present<PadOp>(op);
    auto isNegative = [](int64_t n) { return n < 0; };
    return pad &&
           pad.getValue() == Builder(pad.getContext()).getZeroAttr(getElementTypeOrSelf(pad.getType())) &&
           llvm::none_of(pad.getLow(), isNegative) && llvm::none_of(pad.getHigh(), isNegative) &&
           isSelectable(pad.getInput());
  }
  /// Whether `value` is joined, along the dimension, of parts that a gather can read.
  static bool isJoined(Value value, int64_t dim) {
    auto concat = value.getDefiningOp<ConcatOp>();
    return concat && (int64_t)concat.getDim() == dim && isJoined(concat);
  }
  /// The same along any dimension.
  static bool isJoined(ConcatOp concat) {
    return concat.getInputs().size() <= kMostLeaves &&
           llvm::all_of(concat.getInputs(),
                        [](Value part) { return isSplatConstant(part) || isSelectable(part); }) &&
           !llvm::all_of(concat.getInputs(), isSplatConstant);
  }
};

/// The pass on one function.
struct OperandSelection {
  IRRewriter rewriter;

  /// What a gather selects, computed from what it reads then; null where that is no better.
  Value selected(GatherOp op);
  Value selectedOfNumber(GatherOp op);
  Value movedBehind(GatherOp op);
  Value selectedOfParts(GatherOp op);
  Value joinedBehind(GatherOp op);
  Value selectedOfPadded(GatherOp op);
  Value selectedOfSpread(GatherOp op);
  Value selectedOfGathered(GatherOp op);
  Value selectedAtOnce(GatherOp op);
  Value computedBehind(GatherOp op);
  /// What is spread, at the selected places of a tensor of its shape: a gather of it where it differs along
  /// the dimension, else nothing is selected; the latter has its values outside of the tensor, too.
  Value spreadBehind(GatherOp op, BroadcastOp spread);
  static bool differsAlong(BroadcastOp spread, int64_t dim);
  /// `result` of a gather where its index is one of the tensor: what one outside selects is zero, whatever is
  /// computed of a zero.
  Value insideAlone(GatherOp op, Value result);
  /// A new gather of `source`, or what is to be computed in its place.
  Value gathered(Location loc, Value source, Value indices, int64_t dim);
  bool rewrite(PadOp op);
  bool rewrite(ConcatOp op);
  /// The elements of `value` inside `shape`, `low` elements behind its start; outside it holds anything.
  Value padded(Value value, ArrayRef<int64_t> low, ArrayRef<int64_t> shape, const Tree &tree);
  /// Whether the index along `dim` is in [first, first + size), as a tensor of `shape`.
  Value within(Location loc, ArrayRef<int64_t> shape, int64_t dim, int64_t first, int64_t size);
  void done(Operation *op, Value result, const Tree &tree) {
    emitRemark(op, Remark::SelectedFirst, op, tree.ops.size(), plan::storageBytes(typeOf(op->getOperand(0))));
    rewriter.replaceOp(op, result);
  }
};

} // namespace

/// A tensor of `type`, of integers, that are all `value`.
static Value splat(OpBuilder &builder, Location loc, RankedTensorType type, int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getIntegerAttr(type.getElementType(), value)));
}

Value OperandSelection::within(Location loc, ArrayRef<int64_t> shape, int64_t dim, int64_t first,
                               int64_t size) {
  auto type = RankedTensorType::get(shape, rewriter.getI32Type());
  Value index = IotaOp::create(rewriter, loc, type, dim);
  auto number = [&](int64_t value) { return splat(rewriter, loc, type, value); };
  // One unsigned comparison for both ends.
  if (first)
    index = arith::SubIOp::create(rewriter, loc, index, number(first));
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, index, number(size));
}

static bool isSole(Value value) { return value.hasOneUse(); }

/// Indices into a tensor of `extent` elements as those into the tensor of `whole` ones of which it has each
/// `stride`-th from `first` on; what is outside stays outside.
static Value indicesOfWhole(OpBuilder &builder, Location loc, Value indices, int64_t extent, int64_t first,
                            int64_t stride, int64_t whole) {
  auto number = [&](int64_t value) { return splat(builder, loc, typeOf(indices), value); };
  auto select = [&](arith::CmpIPredicate is, int64_t bound, Value left, Value right) -> Value {
    Value condition = arith::CmpIOp::create(builder, loc, is, indices, number(bound));
    return arith::SelectOp::create(builder, loc, condition, left, right);
  };
  Value fromEnd = arith::AddIOp::create(builder, loc, indices, number(extent));
  indices = select(arith::CmpIPredicate::slt, 0, fromEnd, indices);
  Value moved = stride == 1 ? indices : arith::MulIOp::create(builder, loc, indices, number(stride));
  moved = arith::AddIOp::create(builder, loc, moved, number(first));
  return select(arith::CmpIPredicate::ult, extent, moved, number(whole));
}

/// gather (reshape (f %x))  ==>  gather (f (reshape %x)), gather (slice %x)  ==>  slice (gather %x),
/// gather (transpose %x)  ==>  transpose (gather %x): a gather reads what lies in memory, or what is joined
/// or computed of that, of which a part or another order of rows would be a copy. Null where it reads such a
/// tensor anyway, or where runs of memory would not stay.
Value OperandSelection::movedBehind(GatherOp op) {
  Location loc = op.getLoc();
  int64_t dim = op.getDim();
  Operation *moves = op.getInput().getDefiningOp();
  RankedTensorType type = op.getType();
  if (auto transpose = dyn_cast_if_present<TransposeOp>(moves)) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (!selectsRuns(transpose, dim) || !Tree::isSelectable(transpose.getInput()))
      return Value();
    Value rows = gathered(loc, transpose.getInput(), op.getIndices(), permutation[dim]);
    return TransposeOp::create(rewriter, loc, type, rows, permutation);
  }
  if (auto reshape = dyn_cast_if_present<ReshapeOp>(moves); reshape && !isInput(reshape)) {
    std::optional<int64_t> along = dimBefore(reshape, dim);
    if (std::optional<Tree> tree = along ? std::nullopt : Tree::computedFlat(reshape)) {
      ArrayRef<int64_t> shape = reshape.getType().getShape();
      auto leaf = [&](Value value) -> Value {
        return ReshapeOp::create(rewriter, loc, typeOf(value).clone(shape), value);
      };
      Value flat = Selector{rewriter, loc, shape, leaf, /*spread=*/{}}.select(reshape.getInput(), *tree);
      return gathered(loc, flat, op.getIndices(), dim);
    }
    if (!along || !Tree::isSelectable(reshape.getInput()))
      return Value();
    return ReshapeOp::create(rewriter, loc, type, gathered(loc, reshape.getInput(), op.getIndices(), *along));
  }
  auto slice = dyn_cast_if_present<SliceOp>(moves);
  if (!slice ||
      !(isInput(slice) || Tree::isJoined(slice.getInput(), dim) || Tree::isSelectable(slice.getInput())))
    return Value();
  int64_t extent = typeOf(slice).getDimSize(dim), whole = typeOf(slice.getInput()).getDimSize(dim);
  if (!llvm::isIntN(typeOf(op.getIndices()).getElementTypeBitWidth() - 1, whole))
    return Value();
  Value indices = op.getIndices();
  SmallVector<int64_t> offsets(slice.getOffsets()), strides(slice.getStrides());
  if (extent != whole || strides[dim] != 1)
    indices = indicesOfWhole(rewriter, loc, indices, extent, offsets[dim], strides[dim], whole);
  offsets[dim] = 0;
  strides[dim] = 1;
  Value rows = gathered(loc, slice.getInput(), indices, dim);
  // A slice that only reverses a dimension has the type of what it is of.
  bool isWhole = rows.getType() == type && llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  return isWhole ? rows : SliceOp::create(rewriter, loc, type, rows, offsets, strides);
}

Value OperandSelection::gathered(Location loc, Value source, Value indices, int64_t dim) {
  SmallVector<int64_t> shape(typeOf(source).getShape());
  shape[dim] = typeOf(indices).getDimSize(0);
  auto gather = GatherOp::create(rewriter, loc, typeOf(source).clone(shape), source, indices, dim);
  Value behind = selected(gather);
  rewriter.setInsertionPointAfterValue(behind ? behind : gather);
  return behind ? behind : gather;
}

Value OperandSelection::selected(GatherOp op) {
  rewriter.setInsertionPoint(op);
  if (Value number = selectedOfNumber(op))
    return number;
  if (typeOf(op.getIndices()).getRank() != 1)
    return Value();
  for (auto select : {&OperandSelection::movedBehind, &OperandSelection::selectedOfParts,
                      &OperandSelection::joinedBehind, &OperandSelection::selectedOfPadded,
                      &OperandSelection::selectedOfSpread, &OperandSelection::selectedOfGathered,
                      &OperandSelection::selectedAtOnce, &OperandSelection::computedBehind})
    if (Value result = (this->*select)(op))
      return result;
  return Value();
}

/// gather (constant dense<1.0>)  ==>  select (index is one of the tensor), 1.0, 0.0: nothing is read, nor has
/// the package a tensor of one number.
Value OperandSelection::selectedOfNumber(GatherOp op) {
  DenseElementsAttr same = sameNumber(op.getInput(), op.getType());
  if (!same)
    return Value();
  Value result = arith::ConstantOp::create(rewriter, op.getLoc(), same);
  return same == rewriter.getZeroAttr(op.getType()) ? result : insideAlone(op, result);
}

/// gather (concat %a, %b)  ==>  select (index is one of %b), (gather %b), (gather %a): what is joined to be
/// selected from need not be stored. What is joined several times is selected from once, and of a part that
/// is one number everywhere nothing is read.
Value OperandSelection::selectedOfParts(GatherOp op) {
  Location loc = op.getLoc();
  int64_t dim = op.getDim();
  if (!Tree::isJoined(op.getInput(), dim))
    return Value();
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  RankedTensorType indexType = typeOf(op.getIndices());
  int64_t total = typeOf(concat).getDimSize(dim);
  if (!llvm::isIntN(indexType.getElementTypeBitWidth() - 1, total))
    return Value();
  auto number = [&](int64_t value) { return splat(rewriter, loc, indexType, value); };
  // From the start; what is outside stays outside.
  Value indices = indicesOfWhole(rewriter, loc, op.getIndices(), total, 0, 1, total);
  // The indices that select from a part, each time that it is joined, and into it.
  struct Own {
    Value selects, into;
  };
  llvm::MapVector<Value, Own> parts;
  int64_t first = 0;
  for (Value part : concat.getInputs()) {
    int64_t size = typeOf(part).getDimSize(dim);
    Value own = first ? arith::SubIOp::create(rewriter, loc, indices, number(first)).getResult() : indices;
    Value selects = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, own, number(size));
    auto [known, isNew] = parts.try_emplace(part, Own{selects, number(size)});
    if (!isNew)
      known->second.selects = arith::OrIOp::create(rewriter, loc, known->second.selects, selects);
    known->second.into = arith::SelectOp::create(rewriter, loc, selects, own, known->second.into);
    first += size;
  }
  Value result;
  for (auto [part, own] : parts) {
    auto ofRows = [&](Value condition) -> Value {
      return BroadcastOp::create(rewriter, loc, op.getType().clone(rewriter.getI1Type()), condition,
                                 ArrayRef<int64_t>{dim});
    };
    DenseElementsAttr dense;
    if (isSplatConstant(part) && matchPattern(part, m_Constant(&dense))) {
      auto constant = [&](Attribute value) -> Value {
        return arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(op.getType(), value));
      };
      Value others = result ? result : constant(rewriter.getZeroAttr(op.getType().getElementType()));
      result = arith::SelectOp::create(rewriter, loc, ofRows(own.selects),
                                       constant(dense.getSplatValue<Attribute>()), others);
      continue;
    }
    Value rows = gathered(loc, part, own.into, dim);
    result =
        result ? arith::SelectOp::create(rewriter, loc, ofRows(own.selects), rows, result).getResult() : rows;
  }
  return result;
}

/// gather (concat %a, %b dim = 0) [%i] dim = 1  ==>  concat (gather %a [%i]), (gather %b [%i]) dim = 0: parts
/// are joined once, and not to be selected from. Not where something is computed of what is joined, which is
/// then done again behind the gather. (H200: two random programs 0.58 and 0.80 of the time,
/// docs/performance/data/gathers-of-joined-beside-h200.json; with what is computed two others 1.07 and 1.22.)
Value OperandSelection::joinedBehind(GatherOp op) {
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (!concat || concat.getDim() == op.getDim() || !Tree::isJoined(concat))
    return Value();
  llvm::SmallDenseMap<Value, Value> rows;
  SmallVector<Value> parts;
  for (Value part : concat.getInputs()) {
    if (!rows.contains(part))
      rows[part] = gathered(op.getLoc(), part, op.getIndices(), (int64_t)op.getDim());
    parts.push_back(rows[part]);
  }
  return ConcatOp::create(rewriter, op.getLoc(), op.getType(), parts, concat.getDim());
}

/// gather (pad %x)  ==>  pad (gather %x): rows of what is padded need not be stored with their padding. Of
/// zeros alone, which is what an index outside of the tensor selects as well; along the gather's own
/// dimension the padding is such an index.
Value OperandSelection::selectedOfPadded(GatherOp op) {
  Location loc = op.getLoc();
  int64_t dim = op.getDim();
  auto pad = op.getInput().getDefiningOp<PadOp>();
  if (!Tree::isPadded(pad))
    return Value();
  int64_t size = typeOf(pad.getInput()).getDimSize(dim), total = typeOf(pad).getDimSize(dim);
  RankedTensorType indexType = typeOf(op.getIndices());
  Value indices = op.getIndices();
  if (size != total) {
    if (!llvm::isIntN(indexType.getElementTypeBitWidth() - 1, total))
      return Value();
    auto number = [&](int64_t value) { return splat(rewriter, loc, indexType, value); };
    indices = indicesOfWhole(rewriter, loc, indices, total, 0, 1, total);
    if (int64_t low = pad.getLow()[dim])
      indices = arith::SubIOp::create(rewriter, loc, indices, number(low));
    Value isInside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, indices, number(size));
    indices = arith::SelectOp::create(rewriter, loc, isInside, indices, number(size));
  }
  Value rows = gathered(loc, pad.getInput(), indices, dim);
  SmallVector<int64_t> low(pad.getLow()), high(pad.getHigh());
  low[dim] = high[dim] = 0;
  return rows.getType() == op.getType()
             ? rows
             : PadOp::create(rewriter, loc, op.getType(), rows, low, high, pad.getValue());
}

Value OperandSelection::insideAlone(GatherOp op, Value result) {
  Location loc = op.getLoc();
  RankedTensorType indexType = typeOf(op.getIndices());
  auto dim = (int64_t)op.getDim();
  auto number = [&](int64_t value) { return splat(rewriter, loc, indexType, value); };
  int64_t extent = typeOf(op.getInput()).getDimSize(dim);
  Value low =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge, op.getIndices(), number(-extent));
  Value high =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, op.getIndices(), number(extent));
  Value valid = arith::AndIOp::create(rewriter, loc, low, high);
  valid = BroadcastOp::create(rewriter, loc, op.getType().clone(rewriter.getI1Type()), valid,
                              llvm::to_vector(llvm::seq<int64_t>(dim, dim + indexType.getRank())));
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(op.getType()));
  return arith::SelectOp::create(rewriter, loc, valid, result, zero);
}

bool OperandSelection::differsAlong(BroadcastOp spread, int64_t dim) {
  const auto *place = llvm::find(spread.getDims(), dim);
  return place != spread.getDims().end() &&
         typeOf(spread.getInput()).getDimSize(place - spread.getDims().begin()) ==
             typeOf(spread).getDimSize(dim);
}

Value OperandSelection::spreadBehind(GatherOp op, BroadcastOp spread) {
  Location loc = op.getLoc();
  auto dim = (int64_t)op.getDim();
  Value source = spread.getInput();
  if (differsAlong(spread, dim)) {
    int64_t at = llvm::find(spread.getDims(), dim) - spread.getDims().begin();
    SmallVector<int64_t> part(typeOf(source).getShape());
    part[at] = op.getType().getDimSize(dim);
    source = source.getDefiningOp<GatherOp>()
                 ? gathered(loc, source, op.getIndices(), at)
                 : GatherOp::create(rewriter, loc, typeOf(source).clone(part), source, op.getIndices(), at);
  }
  return BroadcastOp::create(rewriter, loc, typeOf(spread).clone(op.getType().getShape()), source,
                             spread.getDims());
}

/// gather (broadcast %x)  ==>  broadcast (gather %x), or broadcast %x where it does not differ along the
/// gather's dimension: nothing is selected from what few elements are spread to.
Value OperandSelection::selectedOfSpread(GatherOp op) {
  auto spread = op.getInput().getDefiningOp<BroadcastOp>();
  if (!spread || !Tree::isSelectable(spread))
    return Value();
  Value result = spreadBehind(op, spread);
  return differsAlong(spread, (int64_t)op.getDim()) ? result : insideAlone(op, result);
}

/// gather (gather %x [%i]) [%j]  ==>  gather %x [gather %i [%j]], where nobody else needs the rows that the
/// first one selects, and the indices are few beside them.
Value OperandSelection::selectedOfGathered(GatherOp op) {
  auto first = op.getInput().getDefiningOp<GatherOp>();
  if (!first || first.getDim() != op.getDim() || !isSole(first.getResult()) ||
      typeOf(first.getIndices()).getRank() != 1 ||
      kSmallShare * plan::storageBytes(typeOf(first.getIndices())) > plan::storageBytes(typeOf(first)))
    return Value();
  RankedTensorType type = typeOf(first.getIndices()).clone(typeOf(op.getIndices()).getShape());
  Value indices = GatherOp::create(rewriter, op.getLoc(), type, first.getIndices(), op.getIndices(), 0);
  // An index outside selects zero, which is an index of the tensor.
  return insideAlone(op, gathered(op.getLoc(), first.getInput(), indices, (int64_t)op.getDim()));
}

/// gather (gather %x [%i] dim = 1) [%j] dim = 2  ==>  a gather of the two dimensions as one, by a place for
/// each two indices: what the first gather selects is not stored.
Value OperandSelection::selectedAtOnce(GatherOp op) {
  Location loc = op.getLoc();
  auto first = op.getInput().getDefiningOp<GatherOp>();
  auto dim = (int64_t)op.getDim();
  if (!first || !Tree::selectsBeside(first, dim))
    return Value();
  GatherOp lower = (int64_t)first.getDim() < dim ? first : op, upper = lower == first ? op : first;
  auto at = (int64_t)lower.getDim();
  RankedTensorType source = typeOf(first.getInput());
  int64_t rows = source.getDimSize(at), columns = source.getDimSize(at + 1);
  Type index = typeOf(lower.getIndices()).getElementType();
  if (index != typeOf(upper.getIndices()).getElementType() ||
      !llvm::isIntN(index.getIntOrFloatBitWidth() - 1, (rows + 1) * columns))
    return Value();
  // From the start; an index outside in one dimension is outside of both.
  int64_t counts[] = {typeOf(lower.getIndices()).getDimSize(0), typeOf(upper.getIndices()).getDimSize(0)};
  auto places = RankedTensorType::get(counts, index);
  auto number = [&](int64_t value) { return splat(rewriter, loc, places, value); };
  auto spread = [&](GatherOp gather, int64_t extent, int64_t along) -> Value {
    Value own = indicesOfWhole(rewriter, loc, gather.getIndices(), extent, 0, 1, extent);
    return BroadcastOp::create(rewriter, loc, places, own, ArrayRef<int64_t>{along});
  };
  Value row = spread(lower, rows, 0), column = spread(upper, columns, 1);
  Value place = arith::MulIOp::create(rewriter, loc, row, number(columns));
  place = arith::AddIOp::create(rewriter, loc, place, column);
  Value isOutside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, column, number(columns));
  place = arith::SelectOp::create(rewriter, loc, isOutside, number(rows * columns), place);
  SmallVector<int64_t> joined(source.getShape());
  joined[at] *= joined[at + 1];
  joined.erase(joined.begin() + at + 1);
  place = ReshapeOp::create(rewriter, loc, RankedTensorType::get({counts[0] * counts[1]}, index), place);
  Value flat = ReshapeOp::create(rewriter, loc, source.clone(joined), first.getInput());
  return ReshapeOp::create(rewriter, loc, op.getType(), gathered(loc, flat, place, at));
}

/// gather (f %x)  ==>  f (gather %x)
Value OperandSelection::computedBehind(GatherOp op) {
  int64_t dim = op.getDim();
  Tree tree;
  tree.visit(op.getInput());
  if (!tree.pays(op.getInput(), isSole(op.getInput()), /*movedToo=*/true, dim))
    return Value();
  Location loc = op.getLoc();
  SmallVector<int64_t> shape(op.getType().getShape());
  auto leaf = [&](Value value) { return gathered(loc, value, op.getIndices(), dim); };
  auto spread = [&](BroadcastOp broadcast) { return spreadBehind(op, broadcast); };
  Value result = Selector{rewriter, loc, shape, leaf, spread}.select(op.getInput(), tree);
  emitRemark(op, Remark::SelectedFirst, op, tree.ops.size(), plan::storageBytes(typeOf(op.getInput())));
  return insideAlone(op, result);
}

Value OperandSelection::padded(Value value, ArrayRef<int64_t> low, ArrayRef<int64_t> shape,
                               const Tree &tree) {
  Location loc = value.getLoc();
  auto pad = [&](Value source, ArrayRef<int64_t> before, ArrayRef<int64_t> size) -> Value {
    RankedTensorType type = typeOf(source);
    SmallVector<int64_t> after;
    for (auto [d, total] : llvm::enumerate(size))
      after.push_back(total - before[d] - type.getDimSize(d));
    if (llvm::all_of(after, [](int64_t n) { return n == 0; }) &&
        llvm::all_of(before, [](int64_t n) { return n == 0; }))
      return source;
    return PadOp::create(rewriter, loc, type.clone(size), source, before, after,
                         cast<TypedAttr>(rewriter.getZeroAttr(type.getElementType())));
  };
  auto leaf = [&](Value source) { return pad(source, low, shape); };
  auto spread = [&](BroadcastOp broadcast) -> Value {
    Value source = broadcast.getInput();
    SmallVector<int64_t> before, size;
    for (auto [d, at] : llvm::enumerate(broadcast.getDims())) {
      bool whole = typeOf(source).getDimSize(d) == typeOf(value).getDimSize(at);
      before.push_back(whole ? low[at] : 0);
      size.push_back(whole ? shape[at] : typeOf(source).getDimSize(d));
    }
    return BroadcastOp::create(rewriter, loc, typeOf(broadcast).clone(shape), pad(source, before, size),
                               broadcast.getDims());
  };
  return Selector{rewriter, loc, shape, leaf, spread}.select(value, tree);
}

bool OperandSelection::rewrite(PadOp op) {
  Tree tree;
  tree.visit(op.getInput());
  DenseElementsAttr same = sameNumber(op.getInput(), op.getType());
  // What others need as it is one kernel computes for all, and the pad chooses by place.
  bool pays = same || (isSole(op.getInput()) && tree.pays(op.getInput(), /*sole=*/true));
  if (!pays || llvm::any_of(op.getLow(), [](int64_t n) { return n < 0; }) ||
      llvm::any_of(op.getHigh(), [](int64_t n) { return n < 0; }))
    return false;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = op.getType().getShape();
  Value result = same ? Value(arith::ConstantOp::create(rewriter, loc, same))
                      : padded(op.getInput(), op.getLow(), shape, tree),
        inside;
  for (auto [d, size] : llvm::enumerate(typeOf(op.getInput()).getShape())) {
    if (!op.getLow()[d] && !op.getHigh()[d])
      continue;
    Value along = within(loc, shape, d, op.getLow()[d], size);
    inside = inside ? Value(arith::AndIOp::create(rewriter, loc, inside, along)) : along;
  }
  if (!inside)
    return false;
  Value outside =
      arith::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(op.getType(), op.getValue()));
  done(op, arith::SelectOp::create(rewriter, loc, inside, result, outside), tree);
  return true;
}

/// Whether `op` gives a result of the function and nothing else needs it, however that is shaped.
static bool isStoredAlone(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user) || (isa<ReshapeOp>(user) && isStoredAlone(user));
  });
}

bool OperandSelection::rewrite(ConcatOp op) {
  int64_t dim = op.getDim();
  SmallVector<Tree> trees(op.getInputs().size());
  bool computes = false, alike = true;
  int64_t instructions = 0;
  Tree all;
  for (auto [tree, part] : llvm::zip_equal(trees, op.getInputs())) {
    tree.visit(part);
    if (!tree.ops.empty() && !tree.pays(part, isSole(part)))
      return false;
    if (tree.ops.empty() && (tree.leaves.empty() || isMovement(part.getDefiningOp()) ||
                             isa_and_nonnull<ConcatOp, PadOp, GatherOp>(part.getDefiningOp())))
      return false;
    computes |= !tree.ops.empty();
    instructions += tree.instructions;
    alike &= part.getType() == op.getInputs().front().getType();
    for (Operation *inner : tree.ops)
      all.ops.insert(inner);
  }
  // Parts of one shape that are joined for memory alone are stored at their places.
  if (!computes || (alike && isStoredAlone(op)) || trees.size() > kMostLeaves ||
      instructions > kMostJoinedInstructions)
    return false;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<int64_t> low(shape.size(), 0);
  Value result;
  // The last part first: each one takes its own range of what the later ones left.
  int64_t end = shape[dim];
  for (auto [tree, part] : llvm::reverse(llvm::zip_equal(trees, op.getInputs()))) {
    int64_t size = typeOf(part).getDimSize(dim);
    low[dim] = end - size;
    Value placed = padded(part, low, shape, tree);
    result =
        result
            ? Value(arith::SelectOp::create(rewriter, loc, within(loc, shape, dim, 0, end), placed, result))
            : placed;
    end -= size;
  }
  done(op, result, all);
  return true;
}

//===-- Pass -------------------------------------------------------------------------------------------===//

/// Ops between movement and the gather, pad or concatenation that selects from it.
static constexpr int kMostBetween = 4;

/// Whether a gather selects, along the dimension that `pad` surrounds, from `value`, which is computed of it
/// place by place.
static bool feedsGather(PadOp pad, Value value, int between = 0) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (auto gather = dyn_cast<GatherOp>(user))
      return gather.getInput() == value && padsAlone(pad, (int64_t)gather.getDim());
    return between < kMostBetween && isElementwise(user) && feedsGather(pad, user->getResult(0), between + 1);
  });
}

/// Whether a gather selects, along the dimension of `concat`, from `value`, which is computed of it place by
/// place.
static bool feedsGather(ConcatOp concat, Value value, int between = 0) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (auto gather = dyn_cast<GatherOp>(user))
      return gather.getInput() == value && gather.getDim() == concat.getDim();
    return between < kMostBetween && isElementwise(user) &&
           feedsGather(concat, user->getResult(0), between + 1);
  });
}

/// Whether a gather, pad or concatenation selects from what `op` moves.
static bool feedsSelection(Operation *op, int between = 0) {
  return between <= kMostBetween && llvm::any_of(op->getUsers(), [&](Operation *user) {
           return isa<GatherOp, PadOp, ConcatOp>(user) ||
                  ((isElementwise(user) || isa<ReshapeOp, TransposeOp, SliceOp>(user)) &&
                   feedsSelection(user, between + 1));
         });
}

namespace {
struct SelectOperands : fuse::impl::FuseSelectOperandsBase<SelectOperands> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<GatherOp, PadOp, ConcatOp>(op) || isa<ReshapeOp, TransposeOp>(op) ||
          (isa<SliceOp>(op) && feedsSelection(op)))
        ops.push_back(op);
    });
    // A gather takes apart what is joined, before that is selected by places for others.
    std::stable_partition(ops.begin(), ops.end(), [](Operation *op) {
      auto concat = dyn_cast<ConcatOp>(op);
      return !concat || !feedsGather(concat, concat);
    });
    OperandSelection selection{IRRewriter(&getContext())};
    SmallVector<PadOp> pads;
    for (Operation *op : ops) {
      if (op->use_empty())
        continue;
      if (Operation *narrow = fuse::widenLater(selection.rewriter, op)) {
        // What is gathered from may now be a part of an input.
        if (!isa<GatherOp>(narrow))
          continue;
        op = narrow;
      }
      if (auto gather = dyn_cast<GatherOp>(op)) {
        if (Value result = selection.selected(gather))
          selection.rewriter.replaceOp(gather, result);
      } else if (auto pad = dyn_cast<PadOp>(op)) {
        // What is selected of it by places is no pad any more that a gather looks through.
        if (feedsGather(pad, pad))
          pads.push_back(pad);
        else
          selection.rewrite(pad);
      } else if (auto concat = dyn_cast<ConcatOp>(op))
        selection.rewrite(concat);
    }
    for (PadOp pad : pads)
      if (!pad->use_empty())
        selection.rewrite(pad);
    fuse::roundEarlier(selection.rewriter, getOperation());
    eraseDead(getOperation());
  }
};
} // namespace
