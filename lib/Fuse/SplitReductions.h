// What the files of fuse-split-reductions share.
#ifndef TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H
#define TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::fuse {

/// `value` computed once more, when a few elementwise ops do: for one reader alone, since other kernels would
/// have it stored, wide as it may be.
mlir::Value computedAgain(mlir::IRRewriter &rewriter, mlir::Value value, int depth = 4);

/// Elements of `x` along `dim`, computed of those of what it is made from elementwise.
mlir::Value computedSlice(mlir::IRRewriter &rewriter, mlir::Value x, int64_t dim, int64_t offset,
                          int64_t size, int depth = 16);

/// How rows are cut: the reduced dimensions inside of a piece; `length` elements of the last of these when it
/// is cut itself, else 0; and elements of a piece.
struct RowPieces {
  llvm::SmallVector<int64_t> inner;
  int64_t length = 0, elems = 1;
  /// Elements of the dimension that is cut which no piece has; then no other reduced dimension counts pieces.
  int64_t rest = 0;
};

/// Rows that were cut, of tensors of this shape along these dimensions; no tensor where it may be replaced.
struct DividedRows {
  llvm::SmallVector<int64_t> shape, dims;
  mlir::Value tensor;
  RowPieces pieces;
};

/// A value cut into pieces: `tensor` with a dimension more where one is cut itself. Of its dimensions `inner`
/// are those of a piece; of the results of pieces, which have all others, `outer` count pieces. `rest` is
/// what no piece has, if anything.
struct PiecesOfValue {
  mlir::Value tensor, rest;
  llvm::SmallVector<int64_t> inner, outer, keptDims, keptShape;
};
PiecesOfValue cutIntoPieces(mlir::IRRewriter &rewriter, mlir::Value x, llvm::ArrayRef<int64_t> dims,
                            const RowPieces &pieces);

/// The pieces of rows of `type` over `dims`, of which a block takes one at once; nothing when rows are short
/// or cannot be cut evenly.
std::optional<RowPieces> piecesOfRows(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> dims);

/// Tensors of `value`'s size that it is computed from elementwise, and the bytes of an element of each of
/// them.
llvm::SmallSetVector<mlir::Value, 8> sourcesOf(mlir::Value value);
int64_t bytesOfSources(mlir::Value value);
/// Whether two values have such a tensor in common.
bool shareSource(mlir::Value a, mlir::Value b);

/// Set on reductions whose results are merged with one another into that of a longer one: between kernels
/// they keep their type, whatever activations are stored as.
inline constexpr llvm::StringLiteral kPartAttrName = "graph.part";
/// `value`, a result of such a reduction.
mlir::Value asPart(mlir::Value value);

/// The product of `shape` from dimension `first` to before `last`.
int64_t sizeOf(llvm::ArrayRef<int64_t> shape, int64_t first, int64_t last);
/// Whether what follows from `value`, a value of each row, goes into elements of tensors of `shape` again.
bool isSpreadAgain(mlir::Value value, llvm::ArrayRef<int64_t> shape, int depth = 8);
/// Whether another reduction runs over other dimensions of what `op` reduces: in one kernel with it, no rows
/// are kept.
bool isReducedOtherwise(graph::ReduceOp op);

/// Whether the blocks of clusters keep the rows that `op` reduces, so that what goes over them again reads
/// them from shared memory: rows as they lie in memory, enough of them for half of `blocks`, and long ones
/// for two rounds of them.
bool clustersKeep(graph::ReduceOp op, int64_t blocks, int64_t clusterBlocks);

/// Cuts a sum of squared deviations from the mean of long rows into pieces, where clusters keep none; what it
/// cut. `blocks`: those that fill a chip.
std::optional<DividedRows> splitDeviations(mlir::IRRewriter &rewriter, graph::ReduceOp sum, int64_t blocks,
                                           int64_t clusterBlocks);

/// Cuts a sum of exponentials relative to the maximum of rows that are few, and longer than a cluster keeps,
/// into pieces that have maxima of their own; what it cut. `blocks`: those that fill a chip.
std::optional<DividedRows> splitExponentials(mlir::IRRewriter &rewriter, graph::ReduceOp sum, int64_t blocks);

/// Reduces long rows without the padding that surrounds them, and the padding beside; joined rows part by
/// part.
void reduceParts(mlir::IRRewriter &rewriter, mlir::Operation *root);

/// Brings reductions of one tensor to common pieces, so that one kernel can do them: those of rows that were
/// `divided` for others to the same pieces, and those over more dimensions than others of the tensor to a
/// reduction over the dimensions of these and one of its results.
void shareReadings(mlir::IRRewriter &rewriter, mlir::Operation *root, llvm::ArrayRef<DividedRows> divided);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H
