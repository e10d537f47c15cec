// What the passes of this folder ask about loops.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::tile {

/// Iterations of a loop whose bounds and step are constants.
inline std::optional<int64_t> tripCount(mlir::scf::ForOp loop) {
  auto low = mlir::getConstantIntValue(loop.getLowerBound()),
       high = mlir::getConstantIntValue(loop.getUpperBound()),
       step = mlir::getConstantIntValue(loop.getStep());
  if (!low || !high || !step || *step < 1)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*high - *low, *step));
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H
