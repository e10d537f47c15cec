// Reductions of long rows that padding surrounds are those of what is inside, merged with those of the
// padding, and those of joined rows are those of the parts: pieces of the inside, and of a part, are strided
// views of the tensor in memory, pieces of the whole are not, so that it would be stored to be reduced.
//
//   sum of (pad(x) - m)^2        =   sum of (x - m)^2  +  sum of (value - m)^2 over the padding
//   sum of f(concat(x - m, x))   =   sum of f(x - m)  +  sum of f(x)
//   sum of f(2)                  =   n f(2)
//
// What else is computed of the whole selects while it loads.

#include "SplitReductions.h"

#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Elements of rows that no block keeps, ops that are computed again for a part, and elements of a row for
/// each one of its padding: where that is computed, and where it is one number many times.
static constexpr int64_t kLongRow = 32 * 1024, kMostOps = 32, kPaddingShare = 16, kAlikeShare = 3;
/// Ops behind one another that compute one number.
static constexpr int kMostDepth = 8;
/// Parts of a concatenation, and its elements for each one of what is spread over it.
static constexpr int64_t kMostParts = 4, kSmallShare = 16;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// A box of a tensor.
struct Part {
  SmallVector<int64_t> offsets, sizes;
};

/// What one reduction is computed from, on parts of its rows.
struct RowsOfParts {
  IRRewriter &rewriter;
  ReduceOp op;
  /// The pad or the concatenation whose operands are reduced by themselves.
  Operation *whole = nullptr;
  /// All elements of a row's padding are alike.
  bool alike = true;

  /// Finds the whole; false where parts would have more than a few ops computed again.
  bool find();
  bool canTakeInside(PadOp pad);
  bool canTakeParts(ConcatOp concat);
  /// What is reduced, on `part`, where `operand` stands for the whole; null in the padding.
  Value on(const Part &part, Value operand);
  /// The reduction of a part, merged with the total of those before.
  Value merged(Value total, const Part &part, Value operand);
  void rewrite();
  /// What `count` elements of each row come to, where what is reduced of `operand` is one number; else null.
  Value ofAlike(int64_t count, Value operand);
  Value rewritePad(PadOp pad);
  Value rewriteConcat(ConcatOp concat);
  Value converted(Value value, Type to) { return graph::convertFloat(rewriter, op.getLoc(), value, to); }
};

} // namespace

/// Whether parts of `op`'s result are computed from parts of its operands.
static bool isCut(Operation *op) {
  return op && isElementwise(op) && op->getNumResults() == 1 && op->getNumOperands() > 0;
}

bool RowsOfParts::find() {
  llvm::SmallSetVector<Value, 16> tree;
  tree.insert(op.getInput());
  for (size_t i = 0; i < tree.size(); ++i) {
    if ((int64_t)i >= kMostOps)
      return false;
    Operation *producer = tree[i].getDefiningOp();
    if (isa_and_nonnull<PadOp, ConcatOp>(producer)) {
      if (whole)
        return false;
      whole = producer;
    } else if (isCut(producer)) {
      tree.insert(producer->operand_begin(), producer->operand_end());
    } else if (auto broadcast = dyn_cast_if_present<BroadcastOp>(producer)) {
      alike &=
          llvm::none_of(broadcast.getDims(), [&](int64_t d) { return llvm::is_contained(op.getDims(), d); });
    } else {
      alike &= isSplatConstant(tree[i]);
    }
  }
  if (auto pad = dyn_cast_if_present<PadOp>(whole))
    return canTakeInside(pad);
  return whole && canTakeParts(cast<ConcatOp>(whole));
}

bool RowsOfParts::canTakeInside(PadOp pad) {
  // What is inside lies in memory as it is, in whatever shape.
  Value inner = pad.getInput();
  while (auto reshape = inner.getDefiningOp<ReshapeOp>())
    inner = reshape.getInput();
  if (typeOf(inner).getNumElements() == 0 || isMovement(inner.getDefiningOp()))
    return false;
  // Along what is reduced alone, and little of it.
  int64_t inside = 1, row = 1;
  for (auto [d, size] : llvm::enumerate(typeOf(pad.getInput()).getShape())) {
    bool reduced = llvm::is_contained(op.getDims(), (int64_t)d);
    if (pad.getLow()[d] < 0 || pad.getHigh()[d] < 0 || (!reduced && (pad.getLow()[d] || pad.getHigh()[d])))
      return false;
    inside *= reduced ? size : 1;
    row *= reduced ? typeOf(pad).getDimSize(d) : 1;
  }
  return row > kLongRow && inside > 0 && (row - inside) * (alike ? kAlikeShare : kPaddingShare) <= row;
}

bool RowsOfParts::canTakeParts(ConcatOp concat) {
  int64_t elements = typeOf(concat).getNumElements(), row = 1;
  for (int64_t d : op.getDims())
    row *= typeOf(concat).getDimSize(d);
  if ((int64_t)concat.getInputs().size() > kMostParts || row <= kLongRow ||
      !llvm::is_contained(op.getDims(), (int64_t)concat.getDim()) ||
      llvm::any_of(concat.getInputs(), [](Value part) { return typeOf(part).getNumElements() == 0; }))
    return false;
  // The parts are made of tensors in memory, of which no more is read than of the whole, were it stored.
  llvm::SmallSetVector<Value, 16> tree;
  tree.insert(concat.getInputs().begin(), concat.getInputs().end());
  int64_t read = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    Operation *producer = tree[i].getDefiningOp();
    auto broadcast = dyn_cast_if_present<BroadcastOp>(producer);
    if ((int64_t)i >= kMostOps)
      return false;
    if (isCut(producer))
      tree.insert(producer->operand_begin(), producer->operand_end());
    else if (!producer || isa<WeightOp>(producer))
      read += typeOf(tree[i]).getNumElements();
    else if (!isSplatConstant(tree[i]) &&
             !(broadcast && typeOf(broadcast.getInput()).getNumElements() * kSmallShare <= elements))
      return false;
  }
  return read <= elements;
}

Value RowsOfParts::on(const Part &part, Value operand) {
  IRMapping mapping;
  std::function<Value(Value)> cut = [&](Value value) -> Value {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    RankedTensorType type = typeOf(value).clone(part.sizes);
    Operation *producer = value.getDefiningOp();
    DenseElementsAttr dense;
    Value result;
    if (isSplatConstant(value) && matchPattern(value, m_Constant(&dense))) {
      result = arith::ConstantOp::create(rewriter, op.getLoc(),
                                         DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
    } else if (producer == whole && operand) {
      result = operand;
    } else if (producer == whole) {
      Attribute padding = cast<PadOp>(whole).getValue();
      result = arith::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, padding));
    } else if (isCut(producer)) {
      SmallVector<Value> operands = llvm::map_to_vector(producer->getOperands(), cut);
      Operation *copy = rewriter.clone(*producer);
      copy->setOperands(operands);
      copy->getResult(0).setType(type);
      result = copy->getResult(0);
    } else if (auto broadcast = dyn_cast_if_present<BroadcastOp>(producer);
               broadcast && llvm::all_of(broadcast.getDims(), [&](int64_t d) {
                 return part.sizes[d] == typeOf(broadcast).getDimSize(d);
               })) {
      result = BroadcastOp::create(rewriter, op.getLoc(), type, broadcast.getInput(), broadcast.getDims());
    } else {
      SmallVector<int64_t> strides(part.sizes.size(), 1);
      result = SliceOp::create(rewriter, op.getLoc(), type, value, part.offsets, strides);
    }
    mapping.map(value, result);
    return result;
  };
  return cut(op.getInput());
}

Value RowsOfParts::merged(Value total, const Part &part, Value operand) {
  Type state = op.getStateTypes().front();
  Value input = converted(on(part, operand), state);
  Value one = fuse::asPart(
      ReduceOp::create(rewriter, op.getLoc(), typeOf(op).clone(state), input, op.getKind(), op.getDims()));
  return total ? op.merge(rewriter, op.getLoc(), total, one).front() : one;
}

/// `value` in another shape, where it is one number; null where it is not.
static Value oneNumber(OpBuilder &builder, Value value, ArrayRef<int64_t> shape, int depth = 0) {
  RankedTensorType type = typeOf(value).clone(shape);
  DenseElementsAttr dense;
  if (isSplatConstant(value) && matchPattern(value, m_Constant(&dense)))
    return arith::ConstantOp::create(builder, value.getLoc(),
                                     DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
  Operation *producer = value.getDefiningOp();
  if (!isCut(producer) || depth > kMostDepth)
    return nullptr;
  SmallVector<Value> operands;
  for (Value operand : producer->getOperands()) {
    operands.push_back(oneNumber(builder, operand, shape, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  Operation *copy = builder.clone(*producer);
  copy->setOperands(operands);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

/// What `op` makes of `count` elements that are `number`.
static Value timesOf(OpBuilder &builder, ReduceOp op, Value number, int64_t count) {
  if (op.getKind() != ReduceKind::Sum)
    return number;
  RankedTensorType type = typeOf(number);
  auto times = DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), (double)count));
  return arith::MulFOp::create(builder, op.getLoc(), number,
                               arith::ConstantOp::create(builder, op.getLoc(), times));
}

Value RowsOfParts::ofAlike(int64_t count, Value operand) {
  if (!alike || count == 0 || op.getKind() == ReduceKind::Prod)
    return nullptr;
  // One element for all of them, in the shape of the result.
  RankedTensorType whole = typeOf(op.getInput());
  Part one{SmallVector<int64_t>(whole.getRank(), 0), SmallVector<int64_t>(whole.getShape())};
  for (int64_t d : op.getDims())
    one.sizes[d] = 1;
  operand = oneNumber(rewriter, operand, one.sizes);
  if (!operand)
    return nullptr;
  Type state = op.getStateTypes().front();
  Value element =
      ReshapeOp::create(rewriter, op.getLoc(), typeOf(op).clone(state), converted(on(one, operand), state));
  return timesOf(rewriter, op, element, count);
}

/// reduce of one number  ==>  the number, as often as a row has elements. Whether it is one.
static bool reduceOneNumber(IRRewriter &rewriter, ReduceOp op) {
  int64_t elements = typeOf(op.getInput()).getNumElements(), rows = typeOf(op).getNumElements();
  if (op.getKind() == ReduceKind::Prod || elements == 0)
    return false;
  rewriter.setInsertionPoint(op);
  Value number = oneNumber(rewriter, op.getInput(), typeOf(op).getShape());
  if (!number)
    return false;
  Value state = convertFloat(rewriter, op.getLoc(), number, op.getStateTypes().front());
  Value result = timesOf(rewriter, op, state, elements / rows);
  // Sums start with 0: those of negative zeros are 0.
  if (op.getKind() == ReduceKind::Sum)
    result = arith::AddFOp::create(
        rewriter, op.getLoc(), result,
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(result.getType())));
  rewriter.replaceOp(op, convertFloat(rewriter, op.getLoc(), result, typeOf(op).getElementType()));
  return true;
}

Value RowsOfParts::rewritePad(PadOp pad) {
  ArrayRef<int64_t> shape = typeOf(pad).getShape();
  Part left{SmallVector<int64_t>(shape.size(), 0), SmallVector<int64_t>(shape)};
  // The padding of one dimension after the other, of what the ones before leave.
  SmallVector<Part> padding;
  for (int64_t d = 0; d < (int64_t)shape.size(); ++d) {
    int64_t size = typeOf(pad.getInput()).getDimSize(d);
    for (auto [offset, length] : {std::pair<int64_t, int64_t>(0, pad.getLow()[d]),
                                  std::pair<int64_t, int64_t>(pad.getLow()[d] + size, pad.getHigh()[d])}) {
      if (length == 0)
        continue;
      Part part = left;
      part.offsets[d] = offset;
      part.sizes[d] = length;
      padding.push_back(part);
    }
    left.offsets[d] = pad.getLow()[d];
    left.sizes[d] = size;
  }
  Value total = merged(/*total=*/nullptr, left, pad.getInput());
  int64_t row = 1, inside = 1;
  for (int64_t d : op.getDims()) {
    row *= shape[d];
    inside *= left.sizes[d];
  }
  Value number = arith::ConstantOp::create(
      rewriter, op.getLoc(),
      DenseElementsAttr::get(RankedTensorType::get({}, typeOf(pad).getElementType()),
                             Attribute(pad.getValue())));
  if (Value surrounding = ofAlike(row - inside, number))
    return op.merge(rewriter, op.getLoc(), total, surrounding).front();
  for (const Part &part : padding)
    total = merged(total, part, /*operand=*/nullptr);
  return total;
}

Value RowsOfParts::rewriteConcat(ConcatOp concat) {
  Value total;
  RankedTensorType type = typeOf(concat);
  Part part{SmallVector<int64_t>(type.getRank(), 0), SmallVector<int64_t>(type.getShape())};
  int64_t dim = (int64_t)concat.getDim();
  for (Value input : concat.getInputs()) {
    part.sizes[dim] = typeOf(input).getDimSize(dim);
    int64_t count = 1;
    for (int64_t d : op.getDims())
      count *= part.sizes[d];
    if (Value sum = ofAlike(count, input))
      total = total ? op.merge(rewriter, op.getLoc(), total, sum).front() : sum;
    else
      total = merged(total, part, input);
    part.offsets[dim] += part.sizes[dim];
  }
  return total;
}

void RowsOfParts::rewrite() {
  rewriter.setInsertionPoint(op);
  auto pad = dyn_cast<PadOp>(whole);
  Value total = pad ? rewritePad(pad) : rewriteConcat(cast<ConcatOp>(whole));
  rewriter.replaceOp(op, converted(total, typeOf(op.getInput()).getElementType()));
}

void fuse::reduceParts(IRRewriter &rewriter, Operation *root) {
  SmallVector<ReduceOp> all;
  root->walk([&](ReduceOp op) {
    if (!isInOrder(op))
      all.push_back(op);
  });
  for (ReduceOp op : all) {
    if (op.getStateTypes().size() != 1 || !isa<FloatType>(typeOf(op.getInput()).getElementType()) ||
        reduceOneNumber(rewriter, op))
      continue;
    RowsOfParts rows{rewriter, op};
    if (rows.find())
      rows.rewrite();
  }
}
