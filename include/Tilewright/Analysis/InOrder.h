// Reductions and scans that go from the first element to the last, one at a time: --reorder=off asks for
// them, fuse gives each a kernel of its own, and the tile stage loops over its rows by one element.
#ifndef TILEWRIGHT_ANALYSIS_INORDER_H
#define TILEWRIGHT_ANALYSIS_INORDER_H

#include "mlir/IR/Operation.h"

namespace tilewright {

/// Discardable attribute of graph.reduce, graph.scan and graph.scatter.
inline constexpr llvm::StringLiteral kInOrderAttrName = "graph.in_order";

inline bool isInOrder(mlir::Operation *op) { return op->hasAttr(kInOrderAttrName); }

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_INORDER_H
