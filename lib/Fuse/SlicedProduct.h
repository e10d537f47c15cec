// Products that are read in slices which meet again: a gate and what it gates, whose weights are one tensor.
// Each slice is a product of its own, of a slice of one operand; one kernel has all of them.
#ifndef TILEWRIGHT_LIB_FUSE_SLICEDPRODUCT_H
#define TILEWRIGHT_LIB_FUSE_SLICEDPRODUCT_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::fuse {

struct SlicedProduct {
  graph::MatmulOp product;
  llvm::SmallVector<graph::SliceOp> slices = {};
  /// What lies between the product and each slice: reshapes of batch and rows.
  llvm::DenseMap<graph::SliceOp, llvm::SmallVector<mlir::Operation *>> moves;
  bool ofColumns = true;

  explicit SlicedProduct(graph::MatmulOp product) : product(product) {}
  void add(graph::SliceOp slice, llvm::ArrayRef<mlir::Operation *> before) {
    slices.push_back(slice);
    moves[slice].assign(before.begin(), before.end());
  }
  /// Goes from the product to its slices; false where something else reads it.
  bool findSlices();
  /// Whether the slices are as many products as one kernel has, of equal parts of one operand.
  bool arePartsOfOperand();
  /// Whether one kernel of the parts is modelled to be faster than the product, stored as elements of
  /// `storedBytes`, and a kernel that reads it.
  bool pays(const Arch &arch, int64_t storedBytes);
  /// The operand that is sliced.
  mlir::Value operand() { return ofColumns ? product.getRhs() : product.getLhs(); }
  /// What `slice` has of the product, as the product of a part of the operand.
  mlir::Value multiply(mlir::IRRewriter &rewriter, graph::SliceOp slice);

private:
  bool arePartsAlong(int64_t fromLast);
};

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_SLICEDPRODUCT_H
