// What is known of the padding of a shape bucket, value by value: which elements of a tensor lie within the
// true lengths, and what the others hold. The caller's inputs are padded with zeros; from there facts follow
// the ops of a function in order. Where an op combines elements across a padded dimension, what it reads
// there must be neutral: the visitor is asked to mask it. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDING_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDING_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::graph {

/// What elements hold, in rising ignorance. `Finite` leaves overflow out of account: sums and products of
/// finite numbers count as finite.
enum class Content { Zero, Finite, Unknown };

/// `weight * (i[dim] / inner % extent)` of a position.
struct PositionPart {
  int64_t dim, inner, extent, weight;
  bool operator==(const PositionPart &o) const {
    return dim == o.dim && inner == o.inner && extent == o.extent && weight == o.weight;
  }
};

/// Elements at positions from the true length of `symbol` on are padding, which holds `content`.
struct PaddedDim {
  std::string symbol;
  int64_t limit; ///< The bucket's length.
  int64_t base = 0;
  llvm::SmallVector<PositionPart> parts;
  Content content = Content::Zero;

  bool sameElements(const PaddedDim &other) const {
    return symbol == other.symbol && base == other.base && llvm::equal(parts, other.parts);
  }
  bool touches(llvm::function_ref<bool(int64_t)> dim) const {
    return llvm::any_of(parts, [&](const PositionPart &part) { return dim(part.dim); });
  }
  WithinAttr within(mlir::MLIRContext *context) const;
};

/// The padding of one value.
struct Padding {
  Content rest = Content::Finite; ///< What true elements hold: Finite or Unknown.
  llvm::SmallVector<PaddedDim> dims;
};

class PaddingTracker {
public:
  /// Puts `identity` in place of the padding `dims` of an operand, before its op.
  using Mask =
      std::function<void(mlir::OpOperand &operand, llvm::ArrayRef<PaddedDim> dims, mlir::TypedAttr identity)>;
  /// Called for every op with the padding of its operands known.
  using Visit = std::function<mlir::LogicalResult(mlir::Operation *op, PaddingTracker &tracker)>;

  PaddingTracker(Mask mask, Visit visit = nullptr) : mask(std::move(mask)), visit(std::move(visit)) {}

  /// Follows the ops of `func`; fails with a located error at what cannot be told apart from padding.
  mlir::LogicalResult run(mlir::func::FuncOp func);
  const Padding &of(mlir::Value value) { return known[value]; }

private:
  mlir::LogicalResult follow(mlir::Operation *op);
  mlir::LogicalResult followReduction(mlir::Operation *op, llvm::ArrayRef<int64_t> dims, ReduceKind kind,
                                      bool dropsDims);
  mlir::LogicalResult followMatmul(MatmulOp op);
  mlir::LogicalResult followGroupedMatmul(MatmulOp op);
  mlir::LogicalResult followAttention(AttentionOp op);
  mlir::LogicalResult followSlice(SliceOp op);
  mlir::LogicalResult followConcat(ConcatOp op);
  mlir::LogicalResult followGather(GatherOp op);
  mlir::LogicalResult followScatter(ScatterOp op);
  mlir::LogicalResult followReshape(ReshapeOp op);
  mlir::LogicalResult followReturn(mlir::func::FuncOp func);
  Padding elementwise(mlir::Operation *op);
  /// Asks for a mask of those of `dims` whose padding is not neutral, and notes what it leaves.
  Padding neutral(mlir::OpOperand &operand, llvm::function_ref<bool(const PaddedDim &)> isNeutral,
                  llvm::function_ref<bool(int64_t)> combined, mlir::TypedAttr identity);
  /// `op: "seq" cannot be bucketed: why`.
  mlir::LogicalResult refuse(mlir::Operation *op, const PaddedDim &dim, const llvm::Twine &why);

  Mask mask;
  Visit visit;
  llvm::DenseMap<mlir::Value, Padding> known;
};

/// The identity of a reduction over elements of `type`.
mlir::TypedAttr maskIdentity(ReduceKind kind, mlir::Type type);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDING_H
