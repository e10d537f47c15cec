// What the passes of this folder ask about loops, and bounds for them.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
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

inline mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, value);
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_LOOPS_H
