// Rows and columns that the blocks of clusters keep in shared memory for what goes over them again: these are
// not cut.

#include "SplitReductions.h"

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Layout/GlobalAccess.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Bytes of a row of fp32 up to which it is not cut for the deviations from its mean either, which would be
/// read once.
static constexpr int64_t kShortKeptBytes = 512 << 10;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

int64_t fuse::sizeOf(ArrayRef<int64_t> shape, int64_t first, int64_t last) {
  return computeProduct(shape.slice(first, last - first));
}

bool fuse::isSpreadAgain(Value value, ArrayRef<int64_t> shape, int depth) {
  return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (isa<BroadcastOp>(user))
             return typeOf(user->getResult(0)).getShape() == shape;
           return isElementwise(user) && isSpreadAgain(user->getResult(0), shape, depth - 1);
         });
}

/// Instructions of an element of tensors of `shape` with what follows from `value`, a value of each row; of
/// so many ops at most.
static int64_t instructionsBehind(Value value, ArrayRef<int64_t> shape) {
  constexpr size_t mostOps = 64;
  llvm::SmallSetVector<Operation *, 16> ops(value.user_begin(), value.user_end());
  int64_t instructions = 0;
  for (size_t i = 0; i < ops.size() && i < mostOps; ++i) {
    Operation *op = ops[i];
    if (!isElementwise(op) && !isa<BroadcastOp>(op))
      continue;
    if (isElementwise(op) && typeOf(op->getResult(0)).getShape() == shape)
      instructions += instructionsOf(op);
    ops.insert(op->user_begin(), op->user_end());
  }
  return instructions;
}

bool fuse::isReducedOtherwise(ReduceOp op) {
  return llvm::any_of(op->getBlock()->getOps<ReduceOp>(), [&](ReduceOp other) {
    return (other.getDims() != op.getDims() ||
            typeOf(other.getInput()).getShape() != typeOf(op.getInput()).getShape()) &&
           fuse::shareSource(other.getInput(), op.getInput());
  });
}

/// Whether the rows of so many elements that `op` reduces lie in one run of memory, of all that they are made
/// of, and begin at words, which is what blocks copy at least. (H100: norms of 348 rows of 300001 bf16
/// take 1.31 of the time of their pieces where clusters keep them, of 174 rows of as many fp32 0.86.)
static bool isOneRow(ReduceOp op, int64_t row) {
  constexpr int64_t wordBits = 32;
  return llvm::all_of(fuse::sourcesOf(op.getInput()), [&](Value source) {
    return !isMovement(source.getDefiningOp()) &&
           row * (int64_t)typeOf(source).getElementTypeBitWidth() % wordBits == 0;
  });
}

/// The same of columns as they lie in memory, side by side: those whose rows all begin at whole sectors.
/// (H200, us, kept and cut: softmax along columns of 24000x1024 bf16 49 and 60, of 12000x2048 49 and 60, and
/// where rows begin within sectors, of 20000x1000 71 and 55; their means taken off, 36 and 41, 31 and 42, and
/// 63 and 37.) Of narrow ones a block has more to compute for its bytes, and few warps for it: they are cut
/// where that is much. (H200, utils/bench/long_row_programs.py: deviations of 24000x1024 bf16 71 and 60.)
static constexpr int64_t kMuchBehind = 32;
static bool clustersKeepColumns(ReduceOp op, int64_t blocks) {
  ArrayRef<int64_t> shape = typeOf(op.getInput()).getShape(), dims = op.getDims();
  int64_t first = dims.front(), behind = dims.back() + 1, widest = 1;
  if (behind - first != (int64_t)dims.size() || behind == (int64_t)shape.size())
    return false;
  int64_t extent = fuse::sizeOf(shape, first, behind),
          columns = fuse::sizeOf(shape, behind, (int64_t)shape.size());
  for (Value source : fuse::sourcesOf(op.getInput())) {
    int64_t bytes = std::max<int64_t>(1, (int64_t)typeOf(source).getElementTypeBitWidth() / 8);
    if (isMovement(source.getDefiningOp()) || columns * bytes % layout::kSectorBytes != 0)
      return false;
    widest = std::max(widest, bytes);
  }
  int64_t run = std::max<int64_t>(1, kLeastKeptRun / widest), bytes = fuse::bytesOfSources(op.getInput());
  int64_t kept = extent * run * bytes;
  int64_t runs = fuse::sizeOf(shape, 0, first) * (int64_t)llvm::divideCeil(columns, run);
  bool computesMuch =
      bytes < (int64_t)sizeof(float) && instructionsBehind(op.getResult(), shape) > kMuchBehind;
  return kept <= kKeptRowBytes && runs * keepingBlocks(kept) >= 2 * blocks && !computesMuch &&
         fuse::isSpreadAgain(op.getResult(), shape) && !fuse::isReducedOtherwise(op);
}

bool fuse::clustersKeep(ReduceOp op, int64_t blocks, int64_t clusterBlocks) {
  if (clusterBlocks < 2 || op.getDims().empty())
    return false;
  if (clustersKeepColumns(op, blocks))
    return true;
  RankedTensorType type = typeOf(op.getInput());
  int64_t kept = type.getRank() - (int64_t)op.getDims().size(), row = 1, rows = 1;
  for (auto [d, size] : llvm::enumerate(type.getShape())) {
    bool reduced = llvm::is_contained(op.getDims(), (int64_t)d);
    if (reduced != ((int64_t)d >= kept))
      return false;
    (reduced ? row : rows) *= size;
  }
  return 2 * rows * clusterBlocks >= blocks && row * bytesOfSources(op.getInput()) <= kKeptRowBytes &&
         fuse::isSpreadAgain(op.getResult(), type.getShape()) &&
         (row * (int64_t)sizeof(float) <= kShortKeptBytes ||
          (rows * clusterBlocks >= 2 * blocks && isOneRow(op, row) && !fuse::isReducedOtherwise(op)));
}
