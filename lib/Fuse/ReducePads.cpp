// Reductions of long rows that padding surrounds are those of what is inside, merged with those of the
// padding: pieces of the inside are strided views of the tensor in memory, pieces of a padded row are not, so
// that the padded tensor would be stored to be reduced.
//
//   sum of (pad(x) - m)^2   =   sum of (x - m)^2  +  sum of (value - m)^2 over the padding
//
// What else is computed of the padded tensor pads while it loads.

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

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// A box of a tensor.
struct Part {
  SmallVector<int64_t> offsets, sizes;
};

/// What one reduction is computed from, on parts of its rows.
struct PaddedRows {
  IRRewriter &rewriter;
  ReduceOp op;
  /// The pad whose inside is reduced by itself.
  PadOp pad = nullptr;
  /// All elements of a row's padding are alike.
  bool alike = true;

  /// Finds the pad; false where parts would have more than a few ops computed again.
  bool find();
  /// `value` on `part`, where `inside` tells whether that is what the pad surrounds.
  Value on(const Part &part, bool inside);
  void rewrite();
};

} // namespace

/// Whether parts of `op`'s result are computed from parts of its operands.
static bool isCut(Operation *op) {
  return op && isElementwise(op) && op->getNumResults() == 1 && op->getNumOperands() > 0;
}

bool PaddedRows::find() {
  llvm::SmallSetVector<Value, 16> tree;
  tree.insert(op.getInput());
  for (size_t i = 0; i < tree.size(); ++i) {
    if ((int64_t)i >= kMostOps)
      return false;
    Operation *producer = tree[i].getDefiningOp();
    if (auto found = dyn_cast_if_present<PadOp>(producer)) {
      if (pad)
        return false;
      pad = found;
    } else if (isCut(producer)) {
      tree.insert(producer->operand_begin(), producer->operand_end());
    } else if (auto broadcast = dyn_cast_if_present<BroadcastOp>(producer)) {
      alike &=
          llvm::none_of(broadcast.getDims(), [&](int64_t d) { return llvm::is_contained(op.getDims(), d); });
    } else {
      alike &= isSplatConstant(tree[i]);
    }
  }
  if (!pad || typeOf(pad.getInput()).getNumElements() == 0 || isMovement(pad.getInput().getDefiningOp()))
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

Value PaddedRows::on(const Part &part, bool inside) {
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
    } else if (producer == pad.getOperation()) {
      result = inside ? Value(pad.getInput())
                      : Value(arith::ConstantOp::create(
                            rewriter, op.getLoc(), DenseElementsAttr::get(type, Attribute(pad.getValue()))));
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

void PaddedRows::rewrite() {
  rewriter.setInsertionPoint(op);
  ArrayRef<int64_t> whole = typeOf(pad).getShape();
  Part left{SmallVector<int64_t>(whole.size(), 0), SmallVector<int64_t>(whole)};
  Type element = typeOf(op.getInput()).getElementType(), state = op.getStateTypes().front();
  auto convert = [&](Value value, Type to) { return graph::convertFloat(rewriter, op.getLoc(), value, to); };
  Value total;
  auto add = [&](const Part &part, bool inside) {
    Value input = convert(on(part, inside), state);
    Value one =
        ReduceOp::create(rewriter, op.getLoc(), typeOf(op).clone(state), input, op.getKind(), op.getDims());
    total = total ? op.merge(rewriter, op.getLoc(), total, one).front() : one;
  };
  // The padding of one dimension after the other, of what the ones before leave.
  SmallVector<Part> padding;
  for (int64_t d = 0; d < (int64_t)whole.size(); ++d) {
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
  add(left, /*inside=*/true);
  int64_t row = 1, inside = 1;
  for (int64_t d : op.getDims()) {
    row *= whole[d];
    inside *= left.sizes[d];
  }
  if (alike && row > inside && op.getKind() != ReduceKind::Prod) {
    // One element for all of them, in the shape of the result.
    Part one{SmallVector<int64_t>(whole.size(), 0), SmallVector<int64_t>(whole)};
    for (int64_t d : op.getDims())
      one.sizes[d] = 1;
    Value element = ReshapeOp::create(rewriter, op.getLoc(), typeOf(op).clone(state),
                                      convert(on(one, /*inside=*/false), state));
    if (op.getKind() == ReduceKind::Sum) {
      auto count =
          DenseElementsAttr::get(typeOf(element), rewriter.getFloatAttr(state, (double)(row - inside)));
      element = arith::MulFOp::create(rewriter, op.getLoc(), element,
                                      arith::ConstantOp::create(rewriter, op.getLoc(), count));
    }
    total = op.merge(rewriter, op.getLoc(), total, element).front();
    padding.clear();
  }
  for (const Part &part : padding)
    add(part, /*inside=*/false);
  rewriter.replaceOp(op, convert(total, element));
}

void fuse::reducePads(IRRewriter &rewriter, Operation *root) {
  SmallVector<ReduceOp> all;
  root->walk([&](ReduceOp op) {
    if (!isInOrder(op))
      all.push_back(op);
  });
  for (ReduceOp op : all) {
    PaddedRows rows{rewriter, op};
    if (op.getStateTypes().size() == 1 && isa<FloatType>(typeOf(op.getInput()).getElementType()) &&
        rows.find())
      rows.rewrite();
  }
}
