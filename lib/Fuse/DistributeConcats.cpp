// fuse-distribute-concats: what is computed of a concatenation is computed of each part; the parts are joined
// where they are stored.
//
// A kernel stores parts at their places while it goes over the domain of one part, on which what else is
// computed of the parts lies as well. An op behind the concatenation keeps the kernel from it, since its
// domain is that of the whole. So elementwise ops, movement, gathers, reductions and scans that leave the
// joined dimension alone are done part by part, and a reduction over that dimension is merged from those of
// the parts. Done where every way from the concatenation ends in a result of the function or in such a
// reduction.

#include "SplitReductions.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEDISTRIBUTECONCATS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Copies of ops for all parts, and parts of one concatenation.
static constexpr size_t kMostCopies = 64, kMostParts = 4;
/// Elements of the concatenation for each one of a tensor that may be read twice.
static constexpr int64_t kSmallShare = 16;
/// Elements of inputs that may be read twice for each one of the concatenation, which is not stored and read.
static constexpr int64_t kReadAgain = 2;
/// Elements of the rows of all parts that one tile holds beside one another.
static constexpr int64_t kMostRowElems = 16 * 1024;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// One concatenation and what becomes of it.
struct Distribution {
  IRRewriter &rewriter;
  ConcatOp concat;
  int64_t count = (int64_t)concat.getInputs().size();
  /// Parts that are no copy of an earlier one: what is computed of equal parts is computed once.
  int64_t different = (int64_t)llvm::SmallDenseSet<Value>(llvm::from_range, concat.getInputs()).size();
  int64_t wholeElements = typeOf(concat).getNumElements();
  /// Inputs of the program that are read whole as well.
  llvm::SmallSetVector<Value, 4> readAgain = {};
  /// Values that are computed part by part, with the dimension along which they are cut.
  llvm::MapVector<Value, int64_t> cut = {};
  /// Ops that compute them, and reductions that are merged, in the order of the program.
  SmallVector<Operation *> ops = {}, merged = {};
  /// Parts by value and dimension.
  using Parts = DenseMap<std::pair<Value, int64_t>, SmallVector<Value>>;
  Parts parts = Parts();

  bool run();
  /// Whether all that is computed of the concatenation can be done part by part.
  bool follow();
  bool followOp(Operation *op, int64_t dim);
  /// Whether `value`, which no part of the concatenation reaches, can be cut along `dim` without being read
  /// as a whole beside it.
  bool canCut(Value value, int64_t dim);
  RankedTensorType partType(Value value, int64_t dim) const {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[dim] /= count;
    return typeOf(value).clone(shape);
  }
  /// The parts of `value` along `dim`, created at the rewriter's place.
  SmallVector<Value> partsOf(Value value, int64_t dim);
  SmallVector<Value> partsOfOp(Operation *op, int64_t dim);
  /// The dimension of an operand whose parts give those of the result along `dim`; nothing where the operand
  /// is needed whole.
  std::optional<int64_t> operandDim(Operation *op, int64_t dim) const;
};

} // namespace

/// The dimension of `to` that is cut where dimension `dim` of `from` is cut into `count` parts.
static std::optional<int64_t> reshapedDim(ArrayRef<int64_t> from, int64_t dim, ArrayRef<int64_t> to,
                                          int64_t count) {
  int64_t before = 1, wanted = 1;
  for (int64_t size : from.take_front(dim))
    wanted *= size;
  for (auto [d, size] : llvm::enumerate(to)) {
    if (before == wanted && size > 1)
      return size % count == 0 ? std::optional<int64_t>(d) : std::nullopt;
    before *= size;
  }
  return std::nullopt;
}

bool Distribution::canCut(Value value, int64_t dim) {
  if (auto it = cut.find(value); it != cut.end())
    return it->second == dim;
  if (isSplatConstant(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op)) {
    std::optional<int64_t> source = operandDim(op, dim);
    return !source || canCut(broadcast.getInput(), *source);
  }
  // What others read whole would be read twice.
  bool small = typeOf(value).getNumElements() * kSmallShare <= wholeElements;
  if (!value.hasOneUse() && !small) {
    int64_t elements = 0;
    if (isa<BlockArgument>(value))
      readAgain.insert(value);
    for (Value input : readAgain)
      elements += typeOf(input).getNumElements();
    if (op || elements > kReadAgain * wholeElements)
      return false;
  }
  if (!op || isa<WeightOp>(op))
    return true;
  return isElementwise(op) && op->getNumResults() == 1 && op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canCut(operand, dim); });
}

std::optional<int64_t> Distribution::operandDim(Operation *op, int64_t dim) const {
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    auto *place = llvm::find(broadcast.getDims(), dim);
    int64_t source = place - broadcast.getDims().begin();
    bool whole = place != broadcast.getDims().end() &&
                 typeOf(broadcast.getInput()).getDimSize(source) == typeOf(broadcast).getDimSize(dim);
    return whole ? std::optional(source) : std::nullopt;
  }
  return cut.lookup(op->getOperand(0));
}

bool Distribution::followOp(Operation *op, int64_t dim) {
  auto take = [&](int64_t resultDim) {
    cut.insert({op->getResult(0), resultDim});
    ops.push_back(op);
    return true;
  };
  // The rows of all parts are beside one another in a tile, or one of them is more than it holds.
  auto fits = [&](ArrayRef<int64_t> dims) {
    int64_t row = 1;
    for (int64_t d : dims)
      row *= typeOf(op->getOperand(0)).getDimSize(d) / (d == dim ? count : 1);
    return row * different <= kMostRowElems || row > 2 * kMostRowElems;
  };
  auto behind = [&](ArrayRef<int64_t> dims) {
    return dim - llvm::count_if(dims, [&](int64_t d) { return d < dim; });
  };
  ArrayRef<int64_t> from = typeOf(op->getOperand(0)).getShape();
  if (isElementwise(op) && op->getNumResults() == 1)
    return llvm::all_of(op->getOperands(), [&](Value operand) { return canCut(operand, dim); }) && take(dim);
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    if (!llvm::is_contained(reduce.getDims(), dim))
      return fits(reduce.getDims()) && take(behind(reduce.getDims()));
    merged.push_back(op);
    return fits(reduce.getDims()) && reduce.getStateTypes().size() == 1 &&
           reduce.getStateTypes().front() == typeOf(reduce).getElementType();
  }
  if (auto scan = dyn_cast<ScanOp>(op))
    return (int64_t)scan.getDim() != dim && fits({(int64_t)scan.getDim()}) && take(dim);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    int64_t to = broadcast.getDims()[dim];
    return typeOf(broadcast).getDimSize(to) == from[dim] && take(to);
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return take(llvm::find(transpose.getPermutation(), dim) - transpose.getPermutation().begin());
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<int64_t> to = reshapedDim(from, dim, typeOf(reshape).getShape(), count);
    return to && take(*to);
  }
  if (auto slice = dyn_cast<SliceOp>(op))
    return slice.getOffsets()[dim] == 0 && slice.getStrides()[dim] == 1 &&
           typeOf(slice).getDimSize(dim) == from[dim] && take(dim);
  if (auto gather = dyn_cast<GatherOp>(op)) {
    int64_t along = (int64_t)gather.getDim();
    int64_t more = typeOf(gather.getIndices()).getRank() - 1;
    return !cut.count(gather.getIndices()) && along != dim && take(dim < along ? dim : dim + more);
  }
  if (auto pad = dyn_cast<PadOp>(op))
    return pad.getLow()[dim] == 0 && pad.getHigh()[dim] == 0 && take(dim);
  return false;
}

bool Distribution::follow() {
  RankedTensorType part = typeOf(concat.getInputs().front());
  if (count < 2 || (size_t)count > kMostParts || part.getNumElements() == 0 ||
      llvm::any_of(concat.getInputs(), [&](Value input) { return input.getType() != part; }))
    return false;
  cut.insert({concat.getResult(), concat.getDim()});
  // A reshape of the whole is the same memory.
  bool moves = false;
  for (Operation *op = concat->getNextNode(); op; op = op->getNextNode()) {
    auto reached = llvm::find_if(op->getOperands(), [&](Value operand) { return cut.count(operand); });
    if (reached == op->operand_end() || isa<func::ReturnOp>(op))
      continue;
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !followOp(op, cut.lookup(*reached)))
      return false;
    moves |= !isa<ReshapeOp>(op);
  }
  // Where no reduction has the whole stored, one kernel over the whole reads these once.
  if (!readAgain.empty() && merged.empty())
    return false;
  return moves && (ops.size() + merged.size()) * (size_t)count <= kMostCopies;
}

SmallVector<Value> Distribution::partsOfOp(Operation *op, int64_t dim) {
  SmallVector<SmallVector<Value>> operands;
  bool alike = isElementwise(op);
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> from = alike ? std::optional(dim) : operandDim(op, dim);
    if (auto gather = dyn_cast<GatherOp>(op); gather && operand == gather.getIndices())
      from.reset(); // the same of all parts
    operands.push_back(from ? partsOf(operand, *from) : SmallVector<Value>(count, operand));
  }
  SmallVector<Value> result;
  for (int64_t i = 0; i < count; ++i) {
    Operation *copy = rewriter.clone(*op);
    for (auto [operand, from] : llvm::zip_equal(copy->getOpOperands(), operands))
      operand.set(from[i]);
    copy->getResult(0).setType(partType(op->getResult(0), dim));
    result.push_back(copy->getResult(0));
  }
  return result;
}

SmallVector<Value> Distribution::partsOf(Value value, int64_t dim) {
  if (auto it = parts.find({value, dim}); it != parts.end())
    return it->second;
  SmallVector<Value> result;
  RankedTensorType type = partType(value, dim);
  Operation *op = value.getDefiningOp();
  DenseElementsAttr dense;
  if (isSplatConstant(value) && matchPattern(value, m_Constant(&dense))) {
    auto splat = DenseElementsAttr::get(type, dense.getSplatValue<Attribute>());
    result.assign(count, arith::ConstantOp::create(rewriter, value.getLoc(), splat));
  } else if (op && !isa<WeightOp>(op)) {
    result = partsOfOp(op, dim);
  } else {
    SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
    for (int64_t i = 0; i < count; ++i) {
      offsets[dim] = i * type.getDimSize(dim);
      result.push_back(SliceOp::create(rewriter, value.getLoc(), type, value, offsets, strides));
    }
  }
  parts[{value, dim}] = result;
  return result;
}

bool Distribution::run() {
  if (!follow())
    return false;
  parts[{concat.getResult(), concat.getDim()}] = llvm::to_vector(concat.getInputs());
  llvm::SmallPtrSet<Operation *, 4> merges(merged.begin(), merged.end());
  SmallVector<Operation *> all(ops);
  llvm::append_range(all, merged);
  llvm::sort(all, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : all) {
    rewriter.setInsertionPoint(op);
    if (!merges.contains(op)) {
      int64_t dim = cut.lookup(op->getResult(0));
      parts[{op->getResult(0), dim}] = partsOfOp(op, dim);
      continue;
    }
    auto reduce = cast<ReduceOp>(op);
    Value total;
    for (Value part : partsOf(reduce.getInput(), cut.lookup(reduce.getInput()))) {
      Value one = fuse::asPart(
          ReduceOp::create(rewriter, op->getLoc(), typeOf(reduce), part, reduce.getKind(), reduce.getDims()));
      total = total ? reduce.merge(rewriter, op->getLoc(), total, one).front() : one;
    }
    rewriter.replaceAllUsesWith(reduce.getResult(), total);
  }
  Operation *end = concat->getBlock()->getTerminator();
  rewriter.setInsertionPoint(end);
  DenseMap<Value, Value> joined;
  for (OpOperand &operand : end->getOpOperands()) {
    Value value = operand.get();
    if (!cut.count(value))
      continue;
    Value &result = joined[value];
    if (!result) {
      int64_t dim = cut.lookup(value);
      Value whole = ConcatOp::create(rewriter, value.getLoc(), typeOf(value), parts[{value, dim}], dim);
      result = whole;
    }
    operand.set(result);
  }
  emitRemark(concat, Remark::Distributed, concat, (int64_t)(ops.size() + merged.size()), count);
  return true;
}

namespace {
struct DistributeConcats : fuse::impl::FuseDistributeConcatsBase<DistributeConcats> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ConcatOp> concats;
    getOperation()->walk([&](ConcatOp op) { concats.push_back(op); });
    for (ConcatOp op : concats)
      Distribution{rewriter, op}.run();
    SmallVector<Operation *> all;
    getOperation()->walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : llvm::reverse(all))
      if (op != getOperation() && isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }
};
} // namespace
