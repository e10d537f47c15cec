// What the rules of Padding.h share: questions about the padding of one value, and changes to it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDINGRULES_H
#define TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDINGRULES_H

#include "Padding.h"

namespace tilewright::graph {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
inline Content worst(Content a, Content b) { return std::max(a, b); }

/// The padded dim of `padding` over the same elements as `dim`, or null.
const PaddedDim *find(const Padding &padding, const PaddedDim &dim);

/// What elements outside `dim` hold in a value with this padding.
Content contentAt(const Padding &padding, const PaddedDim &dim);

/// Adds `dim` unless it is there; then the worse content stays.
void addDim(Padding &padding, const PaddedDim &dim);

/// `padding` with each dimension renamed by `renamed`; parts of dimensions that become -1 are dropped.
Padding rename(const Padding &padding, llvm::function_ref<int64_t(int64_t)> renamed);

/// What integers hold is a number whatever it was made from.
Padding forType(Padding padding, mlir::Type type);

} // namespace tilewright::graph

#endif // TILEWRIGHT_LIB_DIALECT_GRAPH_TRANSFORMS_PADDINGRULES_H
