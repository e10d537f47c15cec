// A transpose or reshape as a value: composed, inverted, applied elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENT_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENT_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include <optional>

namespace tilewright::graph {

class Movement {
public:
  /// The movement of a graph.transpose or graph.reshape; none for other ops.
  static std::optional<Movement> of(mlir::Operation *op);

  bool isReshape() const { return permutation.empty(); }
  /// Whether `other` moves elements in the same way between the same shapes.
  bool isSame(const Movement &other) const;
  /// Whether this after `inner` is no movement.
  bool undoes(const Movement &inner) const;
  /// Whether `outer` after this is one movement.
  bool composesWith(const Movement &outer) const { return isReshape() == outer.isReshape(); }
  Movement inverse() const;
  /// Whether the movement of `broadcast` is another broadcast of the same tensor.
  bool absorbs(BroadcastOp broadcast) const;
  /// `value`, of the movement's operand shape and any element type, moved: constants and broadcasts take it
  /// in.
  mlir::Value apply(mlir::OpBuilder &builder, mlir::Value value) const;

private:
  Movement(mlir::Location loc) : loc(loc) {}
  /// For each dimension of the operand of `broadcast`, its dimension in the moved result; unit dimensions are
  /// -1.
  std::optional<llvm::SmallVector<int64_t>> movedDims(BroadcastOp broadcast) const;

  mlir::Location loc;
  llvm::SmallVector<int64_t> from, to;    ///< shapes
  llvm::SmallVector<int64_t> permutation; ///< of a transpose; a reshape has none
};

/// The splat constant that `value` is, or null.
mlir::DenseElementsAttr splatOf(mlir::Value value);

/// Whether `op` is elementwise and all its operands are tensors of the result's shape.
bool isTensorElementwise(mlir::Operation *op);

/// The elementwise `op` on other operands, of another shape.
mlir::Value rebuildElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                               llvm::ArrayRef<mlir::Value> operands);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENT_H
