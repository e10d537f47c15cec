// What the files of fuse-split-reductions share.
#ifndef TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H
#define TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::fuse {

/// `value` computed once more, when a few elementwise ops do: for one reader alone, since other kernels would
/// have it stored, wide as it may be.
mlir::Value computedAgain(mlir::IRRewriter &rewriter, mlir::Value value, int depth = 4);

/// Cuts a sum of squared deviations from the mean of long rows into pieces; whether it did.
bool splitDeviations(mlir::IRRewriter &rewriter, graph::ReduceOp sum);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_SPLITREDUCTIONS_H
