// What is computed elementwise of a few tensors, and the same computed of elements that are selected of them:
// the passes that select before they compute build it anew.
#ifndef TILEWRIGHT_LIB_FUSE_ELEMENTWISETREE_H
#define TILEWRIGHT_LIB_FUSE_ELEMENTWISETREE_H

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::fuse {

/// Ops that are computed on selected elements, and their instructions.
inline constexpr int64_t kMostTreeOps = 16, kMostTreeInstructions = 96;

/// Whether `value` is a tensor that the program is given, or moved elements of one.
inline bool isInput(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  return !op || mlir::isa<graph::WeightOp>(op) || (isMovement(op) && isInput(op->getOperand(0)));
}

/// A constant of `type` that has the one number which `value` has everywhere; null where it has none.
inline mlir::DenseElementsAttr sameNumber(mlir::Value value, mlir::RankedTensorType type) {
  mlir::DenseElementsAttr dense;
  if (!matchPattern(value, mlir::m_Constant(&dense)) || !dense.isSplat())
    return nullptr;
  return mlir::DenseElementsAttr::get(type, dense.getSplatValue<mlir::Attribute>());
}

/// Whether `value` is a result of the function, however that is shaped: it is stored in any case.
inline bool isResult(mlir::Value value) {
  return llvm::any_of(value.getUsers(), [](mlir::Operation *user) {
    return user->hasTrait<mlir::OpTrait::IsTerminator>() ||
           (mlir::isa<graph::ReshapeOp>(user) && isResult(user->getResult(0)));
  });
}

/// The elementwise ops behind one operand, and what they read.
struct ElementwiseTree {
  /// Stored tensors and broadcasts, where the selection is done.
  llvm::SmallSetVector<mlir::Value, 4> leaves = {};
  llvm::SmallSetVector<mlir::Operation *, 16> ops = {};
  int64_t instructions = 0;
  /// Results that are computed of tensors which nobody else may need stored are read as they are.
  bool stopsAtResults = false;

  void visit(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (isSplatConstant(value) || leaves.contains(value) || ops.contains(op))
      return;
    if (!op || !graph::isElementwise(op) || (int64_t)ops.size() == kMostTreeOps) {
      leaves.insert(value);
      return;
    }
    if (stopsAtResults && isResult(value) && !isOfInputs(value)) {
      leaves.insert(value);
      return;
    }
    for (mlir::Value operand : op->getOperands())
      visit(operand);
    ops.insert(op);
    instructions += instructionsOf(op);
  }

  /// Whether all that `value` is computed of lies in memory, or is moved or spread of what does.
  static bool isOfInputs(mlir::Value value) {
    ElementwiseTree tree;
    tree.visit(value);
    return llvm::all_of(tree.leaves, [](mlir::Value leaf) {
      mlir::Operation *op = leaf.getDefiningOp();
      return isInput(leaf) || mlir::isa<graph::BroadcastOp>(op) ||
             (isMovement(op) && isOfInputs(op->getOperand(0)));
    });
  }
};

/// A selection as what becomes of one tensor: `leaf` of a tensor with the operand's shape, `spread` of one
/// that is broadcast to it.
struct Selector {
  mlir::IRRewriter &rewriter;
  mlir::Location loc;
  llvm::ArrayRef<int64_t> shape; ///< Of the result.
  llvm::function_ref<mlir::Value(mlir::Value)> leaf;
  llvm::function_ref<mlir::Value(graph::BroadcastOp)> spread;
  mlir::IRMapping mapping = {};

  mlir::Value select(mlir::Value value, const ElementwiseTree &tree) {
    if (mlir::Value known = mapping.lookupOrNull(value))
      return known;
    mlir::Value result;
    auto type = mlir::cast<mlir::RankedTensorType>(value.getType()).clone(shape);
    if (mlir::DenseElementsAttr same = sameNumber(value, type)) {
      result = mlir::arith::ConstantOp::create(rewriter, loc, same);
    } else if (tree.leaves.contains(value)) {
      auto broadcast = value.getDefiningOp<graph::BroadcastOp>();
      result = broadcast ? spread(broadcast) : leaf(value);
    } else {
      mlir::Operation *op = value.getDefiningOp();
      llvm::SmallVector<mlir::Value> operands =
          llvm::map_to_vector(op->getOperands(), [&](mlir::Value operand) { return select(operand, tree); });
      mlir::Operation *copy = rewriter.clone(*op);
      copy->setOperands(operands);
      copy->getResult(0).setType(type);
      result = copy->getResult(0);
    }
    mapping.map(value, result);
    return result;
  }
};

/// Erases what has become of no use below `root`.
inline void eraseDead(mlir::Operation *root) {
  llvm::SmallVector<mlir::Operation *> all;
  root->walk([&](mlir::Operation *op) { all.push_back(op); });
  for (mlir::Operation *op : llvm::reverse(all))
    if (op != root && mlir::isOpTriviallyDead(op))
      op->erase();
}

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_ELEMENTWISETREE_H
