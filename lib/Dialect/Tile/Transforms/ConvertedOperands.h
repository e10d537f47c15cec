// Operands of products that do not lie in memory as the product reads them: with another contiguous
// dimension, or as other values. What multiplies converts them in registers, or, for warpgroups, a role of
// warps does.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_CONVERTEDOPERANDS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_CONVERTEDOPERANDS_H

#include "Products.h"

namespace tilewright::tile {

/// Warps of an instance of the role that converts.
inline constexpr int64_t kConverterWarps = 4;
/// Instances of the role that converts, which take slots in turn: one where the warps that multiply convert
/// the other operand.
inline int64_t converterInstances(const ScheduleOptions &options) {
  return options.left == LeftOperand::Registers ? 1 : 2;
}

/// The load that `operand` is computed from, element by element and from nothing else but constants, in the
/// load's own block; the load itself where it is not changed. Null for other operands.
LoadOp convertedLoad(mlir::Value operand);

/// The operand without conversions of layout.
mlir::Value withoutLayoutConversions(mlir::Value operand);

/// How `warps` warps hold a tile that they read from `from` and write to `to`: whole words of both sides in a
/// thread, of all such divisions the one with the fewest wavefronts.
layout::LinearLayout conversionLayout(const layout::SharedLayout &from, int fromBits,
                                      const layout::SharedLayout &to, int toBits, int64_t warps);

/// How the threads of `fragment` read it from `shared`: as it is, or some lanes in another order of their
/// registers, so that fewer of them meet in a bank; a thread then puts its registers in order by selects.
layout::LinearLayout readingLayout(const layout::SharedLayout &shared, const layout::LinearLayout &fragment,
                                   int bits);

/// `value` computed from `tile`, which stands for what its load gives, in the layout of `tile`.
mlir::Value convertFrom(mlir::OpBuilder &builder, mlir::Value value, LoadOp load, mlir::Value tile);

/// Erases what computes the tiles and is read by nothing.
void eraseUnused(llvm::ArrayRef<mlir::Value> tiles);

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_CONVERTEDOPERANDS_H
