// fuse-compute-places: elements that lie at no strided places are read at places that are computed.
//
// A kernel's values are strided views over one domain. A bias for each row, read in a shape whose rows are
// others, is none; neither is a transposed tensor in the order of another transpose. What is computed of such
// values is stored, for its readers to start from. Where few elements are spread so, or where all of it is
// small, the readers compute it instead: each place's number in the tensor follows from its number in theirs,
// by divisions through constants.

#include "ElementwiseTree.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSECOMPUTEPLACES
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// The share of the result's bytes up to which a tensor is small beside it, and bytes of which launches take
/// more than memory does.
static constexpr int64_t kSmallShare = 8, kLaunchBytes = 256 << 10;
/// Tensors that are read at computed places, large ones that are read as they are, and ops that are computed
/// for each place of one of the former.
static constexpr size_t kMostPlaced = 2, kMostLarge = 1;
static constexpr int kMostOps = 24;
/// Ops behind a reshape that may need its shape.
static constexpr int kMostBehind = 8;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
static std::vector<int64_t> shapeOf(Value value) { return typeOf(value).getShape().vec(); }

/// Elements behind one along each dimension.
static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

/// The movement ops behind `value`, and what they move.
static MovementChain movesBehind(Value value) { return chainOf(value, MaterializedOps()); }

/// Whether `value`, of `moved`'s operand's shape, is a strided view over the result of `moved`.
static bool isStridedBehind(Operation *moved, Value value) {
  MovementChain chain = movesBehind(value);
  chain.ops.insert(chain.ops.begin(), moved);
  return pull(layout::StridedView::rowMajor(shapeOf(moved->getResult(0))), chain).has_value();
}

/// Whether something that is computed of `value` cannot be indexed by places of `domain`, a shape of as many
/// elements: what it is computed of besides has none there, or it runs over a dimension.
static bool needsOwnShape(Value value, ArrayRef<int64_t> domain, int depth = 0) {
  return depth < kMostBehind &&
         llvm::any_of(
             value.getUsers(),
             [&](Operation *user) {
               if (isa<TransposeOp>(user) || asReduction(user))
                 return true;
               if (!isElementwise(user))
                 return false;
               for (Value operand : user->getOperands())
                 if (!isSplatConstant(operand) &&
                     !pull(layout::StridedView::rowMajor(domain.vec()), movesBehind(operand)))
                   return true;
               return needsOwnShape(user->getResult(0), domain, depth + 1);
             });
}

namespace {

/// Values at places of a shape.
struct PlacedValues {
  IRRewriter &rewriter;
  Location loc;
  SmallVector<int64_t> shape;
  /// By value, and by movement op: what it is at places, and its operand's places.
  llvm::MapVector<std::pair<Value, Value>, Value> known = {};
  llvm::MapVector<std::pair<Operation *, Value>, Value> moved = {};

  Value number(int64_t value) {
    auto type = RankedTensorType::get(shape, rewriter.getI32Type());
    return arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(type, rewriter.getI32IntegerAttr((int32_t)value)));
  }
  /// The numbers of all places, in row-major order.
  Value own() {
    int64_t elems = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
    Value index =
        IotaOp::create(rewriter, loc, RankedTensorType::get({elems}, rewriter.getI32Type()), /*dim=*/0);
    return ReshapeOp::create(rewriter, loc, RankedTensorType::get(shape, rewriter.getI32Type()), index);
  }
  /// Numbers in the operand of `op` from those in its result.
  Value behind(Operation *op, Value places);
  Value digits(Value places, ArrayRef<std::array<int64_t, 3>> parts);
  Value at(Value value, Value places);
};

} // namespace

/// The sum over `parts` of places / [0] % [1] * [2].
Value PlacedValues::digits(Value places, ArrayRef<std::array<int64_t, 3>> parts) {
  Value sum;
  for (auto [unit, count, stride] : parts) {
    Value digit = places;
    if (unit != 1)
      digit = arith::DivUIOp::create(rewriter, loc, digit, number(unit));
    if (count)
      digit = arith::RemUIOp::create(rewriter, loc, digit, number(count));
    if (stride != 1)
      digit = arith::MulIOp::create(rewriter, loc, digit, number(stride));
    sum = sum ? arith::AddIOp::create(rewriter, loc, sum, digit).getResult() : digit;
  }
  return sum ? sum : number(0);
}

Value PlacedValues::behind(Operation *op, Value places) {
  if (isa<ReshapeOp>(op))
    return places;
  if (Value before = moved.lookup({op, places}))
    return before;
  std::vector<int64_t> result = shapeOf(op->getResult(0)), operand = shapeOf(op->getOperand(0));
  // Of each dimension of the operand the one of the result that it lies along.
  SmallVector<int64_t> along(operand.size());
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [d, from] : llvm::enumerate(transpose.getPermutation()))
      along[from] = (int64_t)d;
  } else {
    along.assign(cast<BroadcastOp>(op).getDims());
  }
  SmallVector<int64_t> units = stridesOf(result), strides = stridesOf(operand);
  SmallVector<std::array<int64_t, 3>> parts;
  // A dimension of one element may be spread.
  auto isWhole = [&](size_t d) { return operand[d] == result[along[d]]; };
  for (size_t d = operand.size(), end = d; d > 0; d = end) {
    // Dimensions that follow one another in both are one.
    end = d - 1;
    int64_t count = operand[end];
    while (end > 0 && isWhole(end) && isWhole(end - 1) && along[end - 1] + 1 == along[end]) {
      --end;
      count *= operand[end];
    }
    if (count > 1)
      parts.push_back({units[along[d - 1]], along[end] == 0 ? 0 : count, strides[d - 1]});
  }
  return moved[{op, places}] = digits(places, parts);
}

Value PlacedValues::at(Value value, Value places) {
  if (Value before = known.lookup({value, places}))
    return before;
  Operation *op = value.getDefiningOp();
  RankedTensorType type = typeOf(value).clone(shape);
  DenseElementsAttr dense;
  Value found;
  if (isSplatConstant(value) && matchPattern(value, m_Constant(&dense))) {
    found = arith::ConstantOp::create(rewriter, loc,
                                      DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
  } else if (isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp>(op)) {
    found = at(op->getOperand(0), behind(op, places));
  } else if (op && isElementwise(op)) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return at(operand, places); });
    Operation *copy = rewriter.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(type);
    found = copy->getResult(0);
  } else {
    Value flat = value;
    if (typeOf(value).getRank() != 1)
      flat = ReshapeOp::create(rewriter, loc,
                               RankedTensorType::get({typeOf(value).getNumElements()}, type.getElementType()),
                               value);
    found = GatherOp::create(rewriter, loc, type, flat, places, /*dim=*/0);
  }
  return known[{value, places}] = found;
}

namespace {
/// Whether `value` can be had at any places: what lies in memory, moved, and what is computed of it; counts
/// the ops.
struct Placeable {
  int ops = 0;
  bool isSo(Value value) {
    Operation *op = value.getDefiningOp();
    if (isSplatConstant(value) || !op || isa<WeightOp>(op))
      return true;
    if (!(isa<ReshapeOp, TransposeOp, BroadcastOp>(op) || isElementwise(op)) || ++ops > kMostOps)
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isSo(operand); });
  }
};
} // namespace

/// Computes what `move` moves at places of its result, where that pays.
static void computePlaces(IRRewriter &rewriter, Operation *move) {
  Value input = move->getOperand(0), result = move->getResult(0);
  ElementwiseTree tree;
  tree.visit(input);
  int64_t bytes = plan::storageBytes(typeOf(result));
  if (tree.instructions > kMostTreeInstructions || bytes == 0 || typeOf(result).getNumElements() > INT32_MAX)
    return;
  llvm::SmallSetVector<Value, 4> placed;
  size_t large = 0;
  for (Value leaf : tree.leaves) {
    int64_t own = plan::storageBytes(typeOf(movesBehind(leaf).root));
    bool isSmall = kSmallShare * own <= bytes;
    if (isStridedBehind(move, leaf)) {
      large += !isSmall;
      continue;
    }
    if (!(isSmall || std::max(own, bytes) <= kLaunchBytes) || !Placeable().isSo(leaf))
      return;
    placed.insert(leaf);
  }
  if (placed.empty() || placed.size() > kMostPlaced || (large > kMostLarge && bytes > kLaunchBytes))
    return;
  if (isa<ReshapeOp>(move) && !needsOwnShape(result, typeOf(input).getShape()))
    return;
  rewriter.setInsertionPoint(move);
  PlacedValues values{rewriter, move->getLoc(), SmallVector<int64_t>(typeOf(result).getShape())};
  Value places;
  auto leaf = [&](Value value) -> Value {
    if (placed.contains(value)) {
      if (!places)
        places = values.behind(move, values.own());
      return values.at(value, places);
    }
    Operation *copy = rewriter.clone(*move);
    copy->setOperand(0, value);
    copy->getResult(0).setType(typeOf(value).clone(values.shape));
    return copy->getResult(0);
  };
  auto spread = [&](BroadcastOp op) { return leaf(op.getResult()); };
  Value computed = Selector{rewriter, move->getLoc(), values.shape, leaf, spread}.select(input, tree);
  emitRemark(move, Remark::PlacesComputed, move, tree.ops.size(), placed.size());
  rewriter.replaceOp(move, computed);
}

namespace {
struct ComputePlaces : fuse::impl::FuseComputePlacesBase<ComputePlaces> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> moves;
    getOperation()->walk([&](Operation *op) {
      if (isa<ReshapeOp, TransposeOp>(op))
        moves.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // From the last on: what one is computed of may be moved itself.
    for (Operation *move : llvm::reverse(moves))
      if (!move->use_empty())
        computePlaces(rewriter, move);
    eraseDead(getOperation());
  }
};
} // namespace
