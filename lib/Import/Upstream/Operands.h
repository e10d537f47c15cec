// An operand of a structured operation as a tensor whose dimensions are loops: what its indexing map says,
// said in slices, transposes and concatenations.
#ifndef TILEWRIGHT_IMPORT_UPSTREAM_OPERANDS_H
#define TILEWRIGHT_IMPORT_UPSTREAM_OPERANDS_H

#include "ScalarBody.h"

#include "mlir/IR/AffineMap.h"

namespace tilewright::upstream {

/// `operand`, read through `map`, whose dimensions are numbered as in the operation. Fails, naming the
/// operand, where an index is not a sum of loops times constants, or two dimensions share a loop.
mlir::FailureOr<Element> readThrough(ScalarBody &body, mlir::Value operand, mlir::AffineMap map,
                                     const llvm::Twine &name);

} // namespace tilewright::upstream

#endif // TILEWRIGHT_IMPORT_UPSTREAM_OPERANDS_H
