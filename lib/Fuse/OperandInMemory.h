// How a product's operands lie in memory, as the model of products wants to know it before kernels exist.
#ifndef TILEWRIGHT_LIB_FUSE_OPERANDINMEMORY_H
#define TILEWRIGHT_LIB_FUSE_OPERANDINMEMORY_H

#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"

namespace tilewright::fuse {

/// An operand, and how it lies in memory: as it is computed or passed, behind transposes and slices.
struct OperandInMemory {
  /// Rows that can be copied by bulk copies start at multiples of so many bytes.
  static constexpr int64_t kRowBytes = 16;

  mlir::Value value;
  /// Elements from one index of a dimension to the next, and to the operand's first one.
  llvm::SmallVector<int64_t> strides = {};
  int64_t offset = 0;
  /// Dimension of the operand along which memory is contiguous, from the end: 1 is the last; 0: none is.
  int64_t contiguous = 0;

  mlir::RankedTensorType type() const { return mlir::cast<mlir::RankedTensorType>(value.getType()); }
  int64_t size(int64_t fromEnd) const { return type().getDimSize(type().getRank() - fromEnd); }
  int64_t elementBytes() const { return type().getElementTypeBitWidth() / 8; }
  /// The power of two of bytes, up to those of a row that can be copied, at whose multiples all rows begin.
  int64_t piece() const;
  bool isAligned() const { return piece() >= kRowBytes; }
  /// Bytes from a row to the next; of rows that begin anywhere about as many, which pieces no larger divide.
  int64_t rowBytes() const;
  /// Every `stride`th index of a dimension from `from` on. Its `value`, and sizes, are still the whole's.
  OperandInMemory sliced(int64_t fromEnd, int64_t from, int64_t stride) const;

private:
  friend OperandInMemory inMemory(mlir::Value value);
  void findContiguous();
};

/// How `value` lies, behind transposes and slices without strides.
OperandInMemory inMemory(mlir::Value value);

/// What the model needs of `matmul`, whose operands lie as `lhs` and `rhs` say.
ProductInMemory describeProduct(graph::MatmulOp matmul, const OperandInMemory &lhs,
                                const OperandInMemory &rhs);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_OPERANDINMEMORY_H
