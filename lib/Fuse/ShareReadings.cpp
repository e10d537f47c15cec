// Reductions of one tensor over different dimensions, or in different pieces, are kernels of their own, each
// of which reads the tensor. Some of them differ by choice alone:
//
//   rows that were cut into pieces for one reduction are cut into the same pieces for the others;
//   a reduction over more dimensions than another one starts with one over the dimensions of that one, whose
//   results are few, and goes on with these.

#include "SplitReductions.h"

#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Elements of a first reduction from which on its results are few beside what need not be read again.
static constexpr int64_t kLeastElems = 32;
/// Elements of a row up to which a block takes it as it is.
static constexpr int64_t kShortRow = 32 * 1024;
/// Elements of a tensor that is worth an additional kernel, and ops looked through for what it is made of.
static constexpr int64_t kLeastTensor = 64 * 1024, kMostOps = 64;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

llvm::SmallSetVector<Value, 8> fuse::sourcesOf(Value value) {
  llvm::SmallSetVector<Value, 8> sources;
  llvm::SmallSetVector<Value, 16> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size() && (int64_t)i < kMostOps; ++i) {
    Operation *op = seen[i].getDefiningOp();
    bool computes = op && op->getNumOperands() > 0 && (isElementwise(op) || isa<ReshapeOp>(op));
    if (!computes && typeOf(seen[i]).getNumElements() == typeOf(value).getNumElements() &&
        !isa_and_nonnull<arith::ConstantOp, BroadcastOp>(op))
      sources.insert(seen[i]);
    for (Value operand : computes ? ValueRange(op->getOperands()) : ValueRange())
      seen.insert(operand);
  }
  return sources;
}

int64_t fuse::bytesOfSources(Value value) {
  int64_t bytes = 0;
  for (Value source : sourcesOf(value))
    bytes += std::max<int64_t>(1, typeOf(source).getElementTypeBitWidth() / 8);
  return bytes;
}

bool fuse::shareSource(Value a, Value b) {
  llvm::SmallSetVector<Value, 8> sources = fuse::sourcesOf(a);
  return llvm::any_of(fuse::sourcesOf(b), [&](Value source) { return sources.contains(source); });
}

/// Whether `op` needs the result of `other`, directly or not.
static bool needs(Operation *op, Operation *other) {
  llvm::SmallSetVector<Operation *, 32> seen;
  seen.insert(op);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == other)
      return true;
    for (Value operand : seen[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && !producer->isBeforeInBlock(other))
        seen.insert(producer);
  }
  return false;
}

/// Whether all that is made of `op`'s result is made of `other`'s, too: then their kernel waits for `other`.
static bool onlyServes(Operation *op, Operation *other) {
  llvm::SmallSetVector<Operation *, 32> seen;
  seen.insert(op);
  for (size_t i = 0; i < seen.size(); ++i)
    for (Operation *user : seen[i]->getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (user == other || !needs(user, other))
        seen.insert(user);
    }
  return true;
}

/// `op` as a reduction of `first`'s dimensions and one of its results over the others.
static void stage(IRRewriter &rewriter, ReduceOp op, const fuse::RowPieces &first) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Type element = typeOf(op.getInput()).getElementType();
  Value wide = graph::convertFloat(rewriter, loc, fuse::computedAgain(rewriter, op.getInput()),
                                   op.getStateTypes().front());
  fuse::PiecesOfValue cut = fuse::cutIntoPieces(rewriter, wide, op.getDims(), first);
  Value partial = fuse::asPart(ReduceOp::create(rewriter, loc, typeOf(cut.tensor).clone(cut.keptShape),
                                                cut.tensor, op.getKind(), cut.inner));
  Value result = ReduceOp::create(rewriter, loc, typeOf(op).clone(typeOf(partial).getElementType()), partial,
                                  op.getKind(), cut.outer);
  if (cut.rest) {
    Value rest =
        fuse::asPart(ReduceOp::create(rewriter, loc, typeOf(result), cut.rest, op.getKind(), op.getDims()));
    result = op.merge(rewriter, loc, result, rest).front();
  }
  rewriter.replaceOp(op, graph::convertFloat(rewriter, loc, result, element));
}

/// The most dimensions that another reduction of the same tensor has of `op`'s, and no others; none where it
/// waits for `op`, or has as many.
static SmallVector<int64_t> dimsOfOther(ReduceOp op, ArrayRef<ReduceOp> all) {
  SmallVector<int64_t> best;
  int64_t most = 0, row = 1;
  for (int64_t dim : op.getDims())
    row *= typeOf(op.getInput()).getDimSize(dim);
  if (row <= kShortRow)
    return best;
  for (ReduceOp other : all) {
    ArrayRef<int64_t> dims = other.getDims();
    bool inside = other != op && other->getBlock() == op->getBlock() && dims.size() < op.getDims().size() &&
                  typeOf(other.getInput()).getShape() == typeOf(op.getInput()).getShape() &&
                  llvm::all_of(dims, [&](int64_t dim) { return llvm::is_contained(op.getDims(), dim); });
    int64_t elems = 1;
    for (int64_t dim : inside ? dims : ArrayRef<int64_t>())
      elems *= typeOf(op.getInput()).getDimSize(dim);
    if (inside && elems >= kLeastElems && elems > most &&
        fuse::shareSource(other.getInput(), op.getInput()) && !needs(other, op) &&
        (elems > kShortRow || needs(op, other) || !onlyServes(other, op))) {
      most = elems;
      best = SmallVector<int64_t>(dims);
    }
  }
  return best;
}

void fuse::shareReadings(IRRewriter &rewriter, Operation *root, ArrayRef<DividedRows> divided) {
  SmallVector<ReduceOp> all;
  root->walk([&](ReduceOp op) {
    if (!isInOrder(op) && op.getStateTypes().size() == 1 &&
        typeOf(op.getInput()).getNumElements() >= kLeastTensor &&
        isa<FloatType>(typeOf(op.getInput()).getElementType()))
      all.push_back(op);
  });
  for (ReduceOp &op : all) {
    const DividedRows *rows = llvm::find_if(divided, [&](const DividedRows &rows) {
      return ArrayRef<int64_t>(rows.shape) == typeOf(op.getInput()).getShape() &&
             ArrayRef<int64_t>(rows.dims) == op.getDims() && rows.tensor &&
             fuse::shareSource(rows.tensor, op.getInput());
    });
    SmallVector<int64_t> dims = dimsOfOther(op, all);
    RowPieces first;
    if (rows != divided.end())
      first = rows->pieces;
    else if (!dims.empty())
      first.inner = dims;
    else
      continue;
    ReduceOp old = op;
    llvm::erase(all, op);
    stage(rewriter, old, first);
    return shareReadings(rewriter, root, divided);
  }
}
