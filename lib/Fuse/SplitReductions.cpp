// fuse-split-reductions: reductions and scans of few long rows divided among more blocks.
//
// A block takes whole rows of what it reduces. Four rows of ten million elements would keep four
// multiprocessors busy; cut into 64 pieces each they keep all of them. The pieces follow from the shape
// alone, and so does the order in which they are merged.

#include "SplitReductions.h"
#include "RowCuts.h"

#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Analysis/LookBack.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Fuse/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSESPLITREDUCTIONS
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Elements of a row from which on one block is too slow for a scan, which has some hundred instructions for
/// each element, and of one of columns, of which a block has as many side by side. (H200, us, by one block a
/// row and by blocks that look back: 8 rows of 6000 2.2 and 2.6, one of 9061 7.8 and 2.3, 64 of them 6.4
/// and 4.2.)
static constexpr int64_t kLongScan = 8 * 1024, kLongColumnScan = 12 * 1024;
/// Pieces that are merged by the kernels that read the result; more of them by a kernel of their own.
static constexpr int64_t kMostMerged = 32;
/// Elementwise ops behind one another that are computed again in another shape.
static constexpr int kMostComputed = 4;
/// Elements from which on columns whose rows begin at any element are reduced over several rows as one, the
/// fewest of these, and columns of a row of which blocks have parts: shorter rows a block reads whole, one
/// behind the other. (H200: 760832 rows of 37 bf16, summed beside other kernels, 373 us, folded 408.)
static constexpr int64_t kLeastFolded = 1 << 22, kLeastFoldedRows = 64, kLeastFoldedColumns = 256;
/// Bytes that are reduced beside another kernel's reading from which on the cache has too few of them.
static constexpr int64_t kLeastBeside = 48 << 20;
/// Totals of pieces that blocks may publish, of 32 bits: what the workspace has words for beside groups.
static constexpr int64_t kMostTotals = 480 * 1024;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// The pass on one op.
struct Splitter {
  IRRewriter &rewriter;
  Location loc;
  fuse::RowCuts cuts;
  /// Blocks of a cluster.
  int64_t clusterBlocks;
  /// Whether scans stay whole, for blocks that look back; those across rows in memory too.
  bool lookBack = false, lookBackColumns = false;

  /// The pieces of `x`: a dimension more, of which `cut.dim` counts the pieces.
  Value piecesOf(Value x, const fuse::Cut &cut) {
    RankedTensorType type = typeOf(x);
    SmallVector<int64_t> shape(type.getShape()), offsets(type.getRank(), 0), strides(type.getRank(), 1);
    shape[cut.dim] = cut.pieces * cut.length;
    if (cut.rest)
      x = SliceOp::create(rewriter, loc, type.clone(shape), x, offsets, strides);
    shape[cut.dim] = cut.length;
    shape.insert(shape.begin() + cut.dim, cut.pieces);
    return ReshapeOp::create(rewriter, loc, type.clone(shape), x);
  }
  Value slice(Value x, int64_t dim, int64_t offset, int64_t size) {
    RankedTensorType type = typeOf(x);
    SmallVector<int64_t> shape(type.getShape()), offsets(type.getRank(), 0), strides(type.getRank(), 1);
    shape[dim] = size;
    offsets[dim] = offset;
    return SliceOp::create(rewriter, loc, type.clone(shape), x, offsets, strides);
  }
  Value reduce(Value x, ReduceKind kind, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> shape;
    for (auto [d, size] : llvm::enumerate(typeOf(x).getShape()))
      if (!llvm::is_contained(dims, (int64_t)d))
        shape.push_back(size);
    return ReduceOp::create(rewriter, loc, typeOf(x).clone(shape), x, kind, dims);
  }
  Value cast(Value value, Type element) { return graph::convertFloat(rewriter, loc, value, element); }

  /// What `op` makes of the elements of `partial` along `dim`, merged in pairs.
  Value mergeAlong(ReduceOp op, Value partial, int64_t dim) {
    SmallVector<int64_t> shape(typeOf(partial).getShape());
    shape.erase(shape.begin() + dim);
    SmallVector<Value> parts;
    for (int64_t i = 0, size = typeOf(partial).getDimSize(dim); i < size; ++i)
      parts.push_back(
          ReshapeOp::create(rewriter, loc, typeOf(partial).clone(shape), slice(partial, dim, i, 1)));
    while (parts.size() > 1) {
      SmallVector<Value> merged;
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        merged.push_back(op.merge(rewriter, loc, parts[i], parts[i + 1]).front());
      if (parts.size() % 2)
        merged.push_back(parts.back());
      parts = merged;
    }
    return parts.front();
  }

  /// The results of `pieces` pieces along `dim` as one. Few of one row are merged where the result is read:
  /// less than a kernel's start.
  Value merged(ReduceOp op, Value partial, int64_t dim, int64_t pieces) {
    bool isRow = llvm::is_contained(op.getDims(), typeOf(op.getInput()).getRank() - 1);
    return isRow && pieces <= kMostMerged ? mergeAlong(op, partial, dim)
                                          : reduce(partial, op.getKind(), {dim});
  }

  /// `op` on its input with the dimensions in this order.
  ReduceOp inOrder(ReduceOp op, ArrayRef<int64_t> order);
  /// `value`, of which canComputeIn holds, computed again in another shape.
  Value computedIn(Value value, ArrayRef<int64_t> shape);
  /// `op` with the reduced dimensions that lie side by side around `dim` as one; null where there are none,
  /// or what is reduced cannot be computed so.
  ReduceOp joinedAround(ReduceOp op, int64_t dim);
  /// Whether `op` reduces columns of rows that begin at any element, while several rows side by side as one
  /// would begin at whole vectors: those that lie in memory as its dimensions say.
  bool canFoldRows(ReduceOp op) const;
  void foldRows(ReduceOp op);
  bool split(ReduceOp op);
  bool split(ArgReduceOp op);
  bool split(ScanOp op);
};

} // namespace

Value fuse::asPart(Value value) {
  value.getDefiningOp()->setAttr(kPartAttrName, UnitAttr::get(value.getContext()));
  return value;
}

/// The elements of `x` that a slice takes, computed for it: a slice of what is computed would be stored whole
/// where several kernels read parts of it.
static Value takenOf(IRRewriter &rewriter, Value x, ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                     ArrayRef<int64_t> strides, int depth) {
  Operation *op = x.getDefiningOp();
  RankedTensorType type = typeOf(x).clone(shape);
  if (auto slice = dyn_cast_if_present<SliceOp>(op)) {
    SmallVector<int64_t> first, step;
    for (auto [offset, stride, before, every] :
         llvm::zip_equal(offsets, strides, slice.getOffsets(), slice.getStrides())) {
      first.push_back(before + offset * every);
      step.push_back(stride * every);
    }
    return takenOf(rewriter, slice.getInput(), shape, first, step, depth);
  }
  if (!op || depth == 0 || !isElementwise(op) || op->getNumResults() != 1 || op->getNumOperands() == 0)
    return SliceOp::create(rewriter, x.getLoc(), type, x, offsets, strides);
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value part) {
    return takenOf(rewriter, part, shape, offsets, strides, depth - 1);
  });
  Operation *copy = rewriter.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

Value fuse::computedAgain(IRRewriter &rewriter, Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (auto slice = dyn_cast_if_present<SliceOp>(op); slice && depth > 0) {
    Operation *whole = slice.getInput().getDefiningOp();
    if (whole && isElementwise(whole) && whole->getNumOperands() > 0)
      return takenOf(rewriter, slice.getInput(), slice.getType().getShape(), slice.getOffsets(),
                     slice.getStrides(), depth);
  }
  if (!op || depth == 0 || !isElementwise(op) || op->getNumResults() != 1)
    return value;
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return computedAgain(rewriter, operand, depth - 1); });
  Operation *copy = rewriter.clone(*op);
  copy->setOperands(operands);
  return copy->getResult(0);
}

Value fuse::computedSlice(IRRewriter &rewriter, Value x, int64_t dim, int64_t offset, int64_t size,
                          int depth) {
  SmallVector<int64_t> shape(typeOf(x).getShape()), offsets(shape.size(), 0), strides(shape.size(), 1);
  shape[dim] = size;
  offsets[dim] = offset;
  return takenOf(rewriter, x, shape, offsets, strides, depth);
}

/// The dimensions of `value` from the outermost one in memory to that of neighbours, as far as elementwise
/// ops and transposes say.
static SmallVector<int64_t> memoryOrder(Value value) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  while (Operation *op = value.getDefiningOp()) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> before(order.size());
      for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
        before[from] = order[to];
      order = before;
      value = transpose.getInput();
      continue;
    }
    if (!isElementwise(op))
      break;
    auto operand = llvm::find_if(op->getOperands(), [](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return !isa_and_present<BroadcastOp, arith::ConstantOp>(producer);
    });
    if (operand == op->getOperands().end())
      break;
    value = *operand;
  }
  return order;
}

/// Whether `value` is a transpose, and its dimensions in this order are its operand's.
static bool undoes(ArrayRef<int64_t> order, Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && llvm::all_of(llvm::enumerate(order), [&](auto place) {
           return transpose.getPermutation()[place.value()] == (int64_t)place.index();
         });
}

/// The shape of what `op` reduces, and the dimensions that it does, with the dimensions in this order.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>> reorderedOf(ReduceOp op,
                                                                         ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape, dims;
  for (auto [to, from] : llvm::enumerate(order)) {
    shape.push_back(typeOf(op.getInput()).getDimSize(from));
    if (llvm::is_contained(op.getDims(), from))
      dims.push_back((int64_t)to);
  }
  return {shape, dims};
}

ReduceOp Splitter::inOrder(ReduceOp op, ArrayRef<int64_t> order) {
  auto [shape, dims] = reorderedOf(op, order);
  SmallVector<int64_t> kept, places;
  for (int64_t from : order)
    if (!llvm::is_contained(op.getDims(), from))
      kept.push_back(from);
  Value input = op.getInput();
  input = undoes(order, input) ? input.getDefiningOp<TransposeOp>().getInput()
                               : TransposeOp::create(rewriter, loc, typeOf(input).clone(shape), input, order);
  auto reduced = reduce(input, op.getKind(), dims).getDefiningOp<ReduceOp>();
  Value result = reduced;
  SmallVector<int64_t> sorted(kept);
  llvm::sort(sorted);
  if (kept != sorted) {
    for (int64_t dim : sorted)
      places.push_back(llvm::find(kept, dim) - kept.begin());
    result = TransposeOp::create(rewriter, loc, op.getType(), result, places);
  }
  rewriter.replaceOp(op, result);
  return reduced;
}

/// Whether a scan goes over what `op` reduces: they share a reading.
static bool isScanned(ReduceOp op) {
  return llvm::any_of(op->getBlock()->getOps<ScanOp>(),
                      [&](ScanOp scan) { return fuse::shareSource(scan.getInput(), op.getInput()); });
}

/// Whether `value` is made of whole tensors and of numbers by a few elementwise ops, which are the same in
/// any shape.
static bool canComputeIn(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || isSplatConstant(value))
    return true;
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return broadcast.getDims().empty();
  if (!isElementwise(op) || op->getNumOperands() == 0)
    return !isMovement(op);
  return depth > 0 && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canComputeIn(operand, depth - 1); });
}

Value Splitter::computedIn(Value value, ArrayRef<int64_t> shape) {
  Operation *op = value.getDefiningOp();
  RankedTensorType type = typeOf(value).clone(shape);
  DenseElementsAttr dense;
  if (isSplatConstant(value) && matchPattern(value, m_Constant(&dense)))
    return arith::ConstantOp::create(rewriter, loc,
                                     DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
  if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op))
    return BroadcastOp::create(rewriter, loc, type, broadcast.getInput(), broadcast.getDims());
  if (!op || !isElementwise(op) || op->getNumOperands() == 0)
    return ReshapeOp::create(rewriter, loc, type, value);
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return computedIn(operand, shape); });
  Operation *copy = rewriter.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

ReduceOp Splitter::joinedAround(ReduceOp op, int64_t dim) {
  RankedTensorType type = typeOf(op.getInput());
  int64_t first = dim, last = dim;
  while (first > 0 && llvm::is_contained(op.getDims(), first - 1))
    --first;
  while (last + 1 < type.getRank() && llvm::is_contained(op.getDims(), last + 1))
    ++last;
  if (first == last || !canComputeIn(op.getInput(), kMostComputed))
    return nullptr;
  SmallVector<int64_t> shape(type.getShape()), dims;
  for (int64_t d = first + 1; d <= last; ++d)
    shape[first] *= shape[d];
  shape.erase(shape.begin() + first + 1, shape.begin() + last + 1);
  for (int64_t d : op.getDims())
    if (d <= first || d > last)
      dims.push_back(d > last ? d - (last - first) : d);
  Value input = computedIn(op.getInput(), shape);
  auto reduced = reduce(input, op.getKind(), dims).getDefiningOp<ReduceOp>();
  rewriter.replaceOp(op, reduced.getResult());
  return reduced;
}

/// Whether the columns that `op` reduces may be cut so that some rows are left: of one matrix.
static bool canLeaveRows(ReduceOp op) {
  return op.getDims().size() == 1 &&
         fuse::sizeOf(typeOf(op.getInput()).getShape(), 0, op.getDims().front()) == 1;
}

bool Splitter::canFoldRows(ReduceOp op) const {
  ArrayRef<int64_t> dims = op.getDims(), shape = typeOf(op.getInput()).getShape();
  auto rank = (int64_t)shape.size();
  if (dims.empty())
    return false;
  int64_t first = dims.front(), behind = dims.back() + 1;
  if (behind - first != (int64_t)dims.size() || behind == rank || cuts.vector < 2)
    return false;
  int64_t rows = fuse::sizeOf(shape, first, behind);
  int64_t columns = fuse::sizeOf(shape, behind, rank);
  // Short columns one kernel keeps, or reduces beside others.
  bool isLong = rows * kLeastKeptRun > kSharedColumnBytes;
  // Many blocks beside one another have enough on its way in narrow accesses.
  bool areFew = fuse::sizeOf(shape, 0, first) * columns < 4 * cuts.blocks * cuts.columnsOfBlock;
  return columns % 2 == 1 && columns >= kLeastFoldedColumns && areFew && !isScanned(op) &&
         rows >= kLeastFoldedRows * cuts.vector && (rows % cuts.vector == 0 || canLeaveRows(op)) &&
         typeOf(op.getInput()).getNumElements() >= kLeastFolded &&
         canComputeIn(op.getInput(), kMostComputed) &&
         (isLong || (!fuse::isSpreadAgain(op.getResult(), shape) && !fuse::isReducedOtherwise(op)));
}

/// reduce sum %x dims = [0] : 8192x4097  ==>  reduce sum (reshape (reduce sum (reshape %x : 2048x16388))) :
/// 4x4097
///
/// Four rows side by side begin at 16 bytes, and threads load as many of their columns at once. (H200, us:
/// 8192x4097 fp32 62 and 37, 65536x511 49 and 37, 16384x2047 bf16 26 and 21; 8192x50257 bf16, of which many
/// blocks load, 245 and 253.)
void Splitter::foldRows(ReduceOp op) {
  RankedTensorType type = typeOf(op.getInput());
  ArrayRef<int64_t> shape = type.getShape();
  auto rank = (int64_t)shape.size();
  int64_t first = op.getDims().front(), behind = op.getDims().back() + 1;
  int64_t rows = fuse::sizeOf(shape, first, behind), columns = fuse::sizeOf(shape, behind, rank);
  // As many pieces as fill the chip. What they leave are fewer rows than their results have.
  SmallVector<int64_t> outer(shape.take_front(first)), folded(outer), back(outer);
  folded.append({rows / cuts.vector, cuts.vector * columns});
  std::optional<fuse::Cut> cut = cuts.cutOf(folded, {first}, /*evenly=*/!canLeaveRows(op));
  int64_t pieces = cut && cut->dim == first ? cut->pieces : 1, length = rows / cuts.vector / pieces;
  int64_t rest = rows - pieces * length * cuts.vector;
  folded[first] = pieces;
  folded.insert(folded.begin() + first + 1, length);
  Type element = type.getElementType(), state = op.getStateTypes().front();
  Value input = op.getInput(), left;
  if (rest) {
    left = cast(fuse::computedSlice(rewriter, input, first, rows - rest, rest), state);
    input = fuse::computedSlice(rewriter, input, first, 0, rows - rest);
  }
  Value partial = fuse::asPart(reduce(cast(computedIn(input, folded), state), op.getKind(), {first + 1}));
  back.push_back(pieces * cuts.vector);
  back.append(shape.begin() + behind, shape.end());
  partial = ReshapeOp::create(rewriter, loc, typeOf(partial).clone(back), partial);
  // They join these one by one, with identities behind them.
  if (left) {
    SmallVector<int64_t> none(back.size(), 0), behindLeft(none);
    behindLeft[first] = back[first] - rest;
    left = PadOp::create(rewriter, loc, typeOf(partial), left, none, behindLeft, op.getIdentity().front());
    partial = op.merge(rewriter, loc, partial, left).front();
  }
  rewriter.replaceOp(op, cast(reduce(partial, op.getKind(), {first}), element));
}

/// What else reads what `op` reduces, or what that is computed of and is as large.
static SmallVector<Operation *> otherReaders(ReduceOp op) {
  constexpr int64_t little = 8;
  int64_t elems = typeOf(op.getInput()).getNumElements();
  llvm::SmallSetVector<Value, 8> read;
  llvm::SmallPtrSet<Operation *, 8> own{op};
  read.insert(op.getInput());
  for (size_t i = 0; i < read.size(); ++i)
    if (Operation *producer = read[i].getDefiningOp();
        producer && (isElementwise(producer) || isMovement(producer))) {
      own.insert(producer);
      for (Value operand : producer->getOperands())
        if (little * typeOf(operand).getNumElements() >= elems)
          read.insert(operand);
    }
  SmallVector<Operation *> others;
  for (Value value : read)
    llvm::copy_if(value.getUsers(), std::back_inserter(others),
                  [&](Operation *user) { return !own.contains(user); });
  return others;
}

/// Whether a kernel that does not wait for `op` reads what it reduces, in its own order: one whose results
/// are the program's, or other rows' or columns'.
static bool isReadBeside(ReduceOp op) {
  llvm::SetVector<Operation *> waiting;
  getForwardSlice(op.getOperation(), &waiting);
  llvm::SmallSetVector<Operation *, 16> beside;
  auto add = [&](Operation *other) {
    if (other != op && (!waiting.contains(other) || other->hasTrait<OpTrait::IsTerminator>()))
      beside.insert(other);
  };
  for (Operation *other : otherReaders(op))
    add(other);
  for (size_t i = 0; i < beside.size(); ++i) {
    Operation *other = beside[i];
    if (auto reduce = dyn_cast<ReduceOp>(other)) {
      if (reduce.getDims() != op.getDims())
        return true;
      continue;
    }
    if (isa<ScanOp>(other) || other->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (isElementwise(other) || isMovement(other))
      for (Operation *user : other->getUsers())
        add(user);
  }
  return false;
}

/// reduce sum %x dims = [1] : 4x10000000  ==>  reduce sum (reduce sum of 4x64x156250)
bool Splitter::split(ReduceOp op) {
  RankedTensorType type = typeOf(op.getInput());
  if (fuse::clustersKeep(op, cuts.blocks, clusterBlocks))
    return false;
  int64_t wanted = 0;
  cuts.isAlone = otherReaders(op).empty();
  std::optional<fuse::Cut> cut =
      cuts.cutOf(type.getShape(), op.getDims(), /*evenly=*/false, fuse::kLongRow, &wanted);
  // Blocks go over rows and columns of memory, and pieces lie as it does.
  if (SmallVector<int64_t> order = memoryOrder(op.getInput()); !llvm::is_sorted(order)) {
    int64_t inMemory = 0;
    if (wanted < 2 && type.getNumElements() >= kLeastAcross) {
      auto [shape, dims] = reorderedOf(op, order);
      (void)cuts.cutOf(shape, dims, /*evenly=*/false, fuse::kLongRow, &inMemory);
    }
    if (inMemory >= 2 || (wanted >= 2 && undoes(order, op.getInput()))) {
      ReduceOp ordered = inOrder(op, order);
      rewriter.setInsertionPoint(ordered);
      split(ordered);
      return true;
    }
  }
  if (wanted < 2)
    return false;
  // Dimensions side by side have equal pieces where the longest has not, not enough, or short ones.
  std::optional<fuse::JoinedCut> joined = cuts.joinedCutOf(type.getShape(), op.getDims(), wanted);
  bool isShort = cut && fuse::runOf(type.getShape(), cut->dim, cut->pieces) < fuse::kLeastRun;
  if (joined && cut && !cut->rest && joined->pieces < 2 * cut->pieces && !isShort)
    joined.reset();
  if (!joined && isShort)
    cut = cuts.cutOf(type.getShape(), op.getDims(), /*evenly=*/false, fuse::kLongRow, nullptr,
                     /*keepsRuns=*/true);
  if (!cut && !joined)
    return false;
  // What equal pieces leave would be rows of the other dimensions: of all as one it is a few elements.
  if (!joined && cut->rest)
    if (ReduceOp flat = joinedAround(op, cut->dim)) {
      rewriter.setInsertionPoint(flat);
      split(flat);
      return true;
    }
  Type element = type.getElementType(), state = op.getStateTypes().front();
  Value wide = cast(fuse::computedAgain(rewriter, op.getInput()), state);
  // The reduced dimensions of a piece, and of the dimension that counts the pieces what it is afterwards.
  SmallVector<int64_t> inner;
  int64_t cutDim = joined ? joined->first : cut->dim, counter = cutDim;
  // Dimensions behind the cut one are one more, or fewer by those that join it.
  int64_t moved = joined ? 1 + joined->first - joined->last : 1;
  for (int64_t dim : op.getDims()) {
    if (!joined || dim < joined->first || dim > joined->last)
      inner.push_back(dim > cutDim || (dim == cutDim && !joined) ? dim + moved : dim);
    counter -= dim < cutDim ? 1 : 0;
  }
  if (joined) {
    inner.push_back(cutDim + 1);
    llvm::sort(inner);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + joined->first, shape.begin() + joined->last + 1);
    shape.insert(shape.begin() + joined->first, {joined->pieces, joined->length});
    Value pieces = ReshapeOp::create(rewriter, loc, typeOf(wide).clone(shape), wide);
    Value partial = fuse::asPart(reduce(pieces, op.getKind(), inner));
    rewriter.replaceOp(op, cast(merged(op, partial, counter, joined->pieces), element));
    return true;
  }
  Value partial = fuse::asPart(reduce(piecesOf(wide, *cut), op.getKind(), inner));
  Value rest;
  if (cut->rest)
    rest = cast(fuse::computedSlice(rewriter, op.getInput(), cut->dim, cut->pieces * cut->length, cut->rest),
                state);
  // Fewer elements, or rows of the other dimensions, are left than there are pieces: with identities behind
  // them they join these one by one.
  if (rest) {
    SmallVector<int64_t> others;
    llvm::copy_if(op.getDims(), std::back_inserter(others), [&](int64_t dim) { return dim != cut->dim; });
    if (!others.empty())
      rest = fuse::asPart(reduce(rest, op.getKind(), others));
    SmallVector<int64_t> none(typeOf(rest).getRank(), 0), behind(none);
    behind[counter] = cut->pieces - cut->rest;
    rest = PadOp::create(rewriter, loc, typeOf(partial), rest, none, behind, op.getIdentity().front());
    partial = op.merge(rewriter, loc, partial, rest).front();
  }
  rewriter.replaceOp(op, cast(merged(op, partial, counter, cut->pieces), element));
  return true;
}

/// An arg-reduction of one integer an element is a reduction of these integers.
bool Splitter::split(ArgReduceOp op) {
  RankedTensorType type = typeOf(op.getInput());
  if (op.getStateTypes().size() != 1 ||
      !cuts.cutOf(type.getShape(), {(int64_t)op.getDim()}, /*evenly=*/false))
    return false;
  Value index = IotaOp::create(rewriter, loc, type.clone(rewriter.getI32Type()), op.getDimAttr());
  Value state = op.step(rewriter, loc, op.getInput(), index).front();
  auto reduced = reduce(state, ReduceKind::Min, {(int64_t)op.getDim()}).getDefiningOp<ReduceOp>();
  Value result = op.finish(rewriter, loc, reduced.getResult());
  rewriter.replaceOp(op, result);
  rewriter.setInsertionPoint(reduced);
  return split(reduced);
}

/// scan %x  ==>  scan of each piece, merged with the scan of the totals of those before it
bool Splitter::split(ScanOp op) {
  RankedTensorType type = typeOf(op.getInput());
  int64_t dim = op.getDim(), rank = type.getRank(), size = type.getDimSize(dim), more = 0;
  // One reading instead of two; of columns where equal pieces would be those of a padded copy.
  int64_t columns = dim + 1 == rank ? 1 : std::min(fuse::kColumns, type.getDimSize(rank - 1));
  int64_t wide = op.getStateTypes().front().getIntOrFloatBitWidth() > 32 ? 2 : 1;
  bool hasWords = lookBack && type.getNumElements() / kLookBackPiece * columns * wide <= kMostTotals;
  auto cutInto = [&](bool evenly) {
    return cuts.cutOf(type.getShape(), {dim}, evenly, columns == 1 ? kLongScan : kLongColumnScan, nullptr,
                      /*keepsRuns=*/false,
                      /*readsOnce=*/hasWords && (columns == 1 || lookBackColumns));
  };
  std::optional<fuse::Cut> cut = cutInto(/*evenly=*/true);
  bool even = cut.has_value();
  if (!even && !(cut = cutInto(/*evenly=*/false)))
    return false;
  if (hasWords && (columns == 1 || lookBackColumns || !even)) {
    op->setAttr(kLookBackAttrName, rewriter.getUnitAttr());
    return false;
  }
  if (!even) {
    // Identities behind the end make the pieces equal.
    cut->length = (int64_t)llvm::alignTo(llvm::divideCeil(size, cut->pieces), 8);
    cut->rest = 0;
    more = cut->pieces * cut->length - size;
  }
  auto piecesOfInput = [&] {
    Value x = cast(fuse::computedAgain(rewriter, op.getInput()), op.getStateTypes().front());
    if (more) {
      SmallVector<int64_t> shape(type.getShape()), none(rank, 0), behind(rank, 0);
      shape[dim] += behind[dim] = more;
      x = PadOp::create(rewriter, loc, typeOf(x).clone(shape), x, none, behind, op.getIdentity().front());
    }
    return piecesOf(x, *cut);
  };
  Value pieces = piecesOfInput();
  Value totals = fuse::asPart(reduce(piecesOfInput(), op.getKind(), {dim + 1}));
  // The totals before each piece: shifted by one, the identity in front.
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  (op.getReverse() ? high : low)[dim] = 1;
  Value running =
      ScanOp::create(rewriter, loc, totals.getType(), totals, op.getKind(), op.getDim(), op.getReverse());
  running = slice(running, dim, op.getReverse() ? 1 : 0, cut->pieces - 1);
  Value before = PadOp::create(rewriter, loc, totals.getType(), running, low, high, op.getIdentity().front());
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d <= rank; ++d)
    if (d != dim + 1)
      kept.push_back(d);
  before = BroadcastOp::create(rewriter, loc, typeOf(pieces), before, kept);
  Value scanned =
      ScanOp::create(rewriter, loc, pieces.getType(), pieces, op.getKind(), dim + 1, op.getReverse());
  Value merged = op.merge(rewriter, loc, before, scanned).front();
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] += more;
  Value result = ReshapeOp::create(rewriter, loc, typeOf(merged).clone(shape), merged);
  if (more)
    result = slice(result, dim, 0, size);
  rewriter.replaceOp(op, cast(result, type.getElementType()));
  return true;
}

/// Columns side by side that a block of `op` takes: vectors of those of `vector` elements whose rows begin at
/// words, which threads copy ahead, and which no block keeps.
static int64_t columnsOf(Operation *op, int64_t vector) {
  constexpr int64_t kVectorBytes = 16, kWord = 4;
  auto reduce = dyn_cast<ReduceOp>(op);
  ArrayRef<int64_t> shape = typeOf(op->getOperand(0)).getShape();
  if (!reduce || shape.empty() || fuse::isSpreadAgain(reduce.getResult(), shape))
    return fuse::kColumns;
  bool beginsAtWords = shape.back() * kVectorBytes / vector % kWord == 0;
  return beginsAtWords ? std::max(fuse::kColumns, fuse::kColumnVectors * vector) : fuse::kColumns;
}

/// Elements of 16 bytes of the narrowest tensor that elementwise ops make `value` of.
static int64_t vectorElems(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  int64_t elems = 128 / std::max<int64_t>(8, (int64_t)typeOf(value).getElementTypeBitWidth());
  if (op && depth > 0 && isElementwise(op))
    for (Value operand : op->getOperands())
      if (typeOf(operand).getElementTypeBitWidth() > 1)
        elems = std::max(elems, vectorElems(operand, depth - 1));
  return elems;
}

/// Whether elementwise ops make `value` of numbers that a dimension of it shares with others.
static bool readsSpread(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (auto spread = dyn_cast_if_present<BroadcastOp>(op))
    return typeOf(spread.getInput()).getNumElements() > 1;
  return op && depth > 0 && isElementwise(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return readsSpread(operand, depth - 1); });
}

/// reduce (reshape (x + broadcast %b)) of all elements  ==>  reduce (x + broadcast %b) of all: pieces that
/// follow the broadcast's dimensions can be computed from %b, those of what was reshaped lie across them.
static void reduceBeforeMovement(IRRewriter &rewriter, ReduceOp op) {
  constexpr int kMostDepth = 8;
  Value input = op.getInput();
  while (isa_and_nonnull<ReshapeOp, TransposeOp>(input.getDefiningOp()))
    input = input.getDefiningOp()->getOperand(0);
  if (input == op.getInput() || typeOf(op.getResult()).getRank() != 0 || !readsSpread(input, kMostDepth))
    return;
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(input).getRank()));
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), input, op.getKind(), all);
}

namespace {
struct SplitReductions : fuse::impl::FuseSplitReductionsBase<SplitReductions> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    fuse::reduceParts(rewriter, getOperation());
    getOperation()->walk([&](ReduceOp op) {
      if (!isInOrder(op))
        reduceBeforeMovement(rewriter, op);
    });
    // Deviations first: they take the sum behind their mean with them.
    SmallVector<fuse::DividedRows> divided;
    auto splitOne = [&] {
      return getOperation()
          ->walk([&](ReduceOp op) {
            if (isInOrder(op))
              return WalkResult::advance();
            std::optional<fuse::DividedRows> rows =
                fuse::splitDeviations(rewriter, op, blocks, clusterBlocks);
            if (!rows)
              rows = fuse::splitExponentials(rewriter, op, blocks);
            if (!rows)
              return WalkResult::advance();
            divided.push_back(*rows);
            return WalkResult::interrupt();
          })
          .wasInterrupted();
    };
    while (splitOne()) {
    }
    if (shareReadings)
      fuse::shareReadings(rewriter, getOperation(), divided);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<ReduceOp, ArgReduceOp, ScanOp>(op) && !isInOrder(op) &&
          typeOf(op->getOperand(0)).getNumElements() > 0)
        ops.push_back(op);
    });
    auto splitterOf = [&](Operation *op) {
      rewriter.setInsertionPoint(op);
      int64_t vector =
          llvm::is_sorted(memoryOrder(op->getOperand(0))) ? vectorElems(op->getOperand(0), /*depth=*/8) : 1;
      auto reduce = dyn_cast<ReduceOp>(op);
      bool isBeside = manyPieces && reduce && plan::storageBytes(typeOf(reduce.getInput())) >= kLeastBeside &&
                      isReadBeside(reduce);
      return Splitter{rewriter,      op->getLoc(), {blocks, vector, columnsOf(op, vector), false, isBeside},
                      clusterBlocks, lookBack,     lookBackColumns};
    };
    // Which are folded is decided of all before the first one is: several of one tensor alike.
    SmallVector<ReduceOp> columns;
    for (Operation *op : ops)
      if (auto reduce = dyn_cast<ReduceOp>(op); reduce && splitterOf(op).canFoldRows(reduce))
        columns.push_back(reduce);
    for (ReduceOp op : columns) {
      llvm::erase(ops, op);
      splitterOf(op).foldRows(op);
    }
    for (Operation *op : ops) {
      Splitter splitter = splitterOf(op);
      if (auto reduce = dyn_cast<ReduceOp>(op))
        splitter.split(reduce);
      else if (auto arg = dyn_cast<ArgReduceOp>(op))
        splitter.split(arg);
      else
        splitter.split(cast<ScanOp>(op));
    }
    // What only the reductions needed.
    SmallVector<Operation *> all;
    getOperation()->walk([&](Operation *op) { all.push_back(op); });
    for (Operation *op : llvm::reverse(all))
      if (op != getOperation() && isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }
};
} // namespace
