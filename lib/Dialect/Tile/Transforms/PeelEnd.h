// The step of a loop that reaches over its end, apart from whole ones.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PEELEND_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PEELEND_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace tilewright::tile {

/// The ops behind a loop that are its last step.
struct PeeledEnd {
  /// Where that step begins.
  mlir::Value start;
  /// From the loop's values, and ops, to the last step's.
  mlir::IRMapping mapping;
};

/// Puts the last step of `loop`, whose bounds and step are constants, behind it where that reaches over the
/// end, and takes what asks for the end from the others: whole tiles are loaded without predicates and
/// reduced without masks. Nothing where no step asks, or there are less than two whole ones.
std::optional<PeeledEnd> peelEnd(mlir::scf::ForOp loop);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PEELEND_H
