// Movement and selection of narrow elements instead of the wide ones that they are made into.
#ifndef TILEWRIGHT_LIB_FUSE_NARROWMOVEMENT_H
#define TILEWRIGHT_LIB_FUSE_NARROWMOVEMENT_H

#include "mlir/IR/PatternMatch.h"

namespace tilewright::fuse {

/// pad (extf %x)  ==>  extf (pad %x): what is gathered, or stored between kernels, are the narrow elements.
/// The narrow op; null where there is none.
mlir::Operation *widenLater(mlir::IRRewriter &rewriter, mlir::Operation *op);

/// Rounds what is rounded to fewer bits before it is moved, selected or joined, wherever nothing else below
/// `root` needs the wide elements.
void roundEarlier(mlir::IRRewriter &rewriter, mlir::Operation *root);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_NARROWMOVEMENT_H
