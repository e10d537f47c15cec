// Slices of what is spread are spread slices. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_GRAPH_IR_SLICEBROADCAST_H
#define TILEWRIGHT_DIALECT_GRAPH_IR_SLICEBROADCAST_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

namespace tilewright::graph {

/// What `slice` takes of `broadcast`'s result (or of another tensor of its shape), as the broadcast of a part
/// of the broadcast's operand: of the operand itself where that is all of it.
inline mlir::Value sliceOfBroadcast(mlir::OpBuilder &builder, SliceOp slice, BroadcastOp broadcast) {
  mlir::Value few = broadcast.getInput();
  auto type = mlir::cast<mlir::RankedTensorType>(few.getType());
  llvm::SmallVector<int64_t> offsets, strides, shape;
  for (auto [size, dim] : llvm::zip_equal(type.getShape(), broadcast.getDims())) {
    bool isAlong = size == broadcast.getType().getDimSize(dim);
    offsets.push_back(isAlong ? slice.getOffsets()[dim] : 0);
    strides.push_back(isAlong ? slice.getStrides()[dim] : 1);
    shape.push_back(isAlong ? slice.getType().getDimSize(dim) : size);
  }
  mlir::Location loc = slice.getLoc();
  few = builder.createOrFold<SliceOp>(loc, type.clone(llvm::ArrayRef<int64_t>(shape)), few, offsets, strides);
  return BroadcastOp::create(builder, loc, slice.getType().clone(type.getElementType()), few,
                             broadcast.getDims());
}

} // namespace tilewright::graph

#endif // TILEWRIGHT_DIALECT_GRAPH_IR_SLICEBROADCAST_H
