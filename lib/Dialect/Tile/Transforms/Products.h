// What the passes of this folder ask about products: which unit multiplies, and where operands come from.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PRODUCTS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PRODUCTS_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Mark of a loop whose induction variable counts its iterations through the whole block: it goes on where
/// the loop's last run ended, in steps of 1.
inline constexpr llvm::StringLiteral kNumberedAttrName = "tile.numbered";

/// Mark of a loop of one iteration at least, where that does not follow from its bounds.
inline constexpr llvm::StringLiteral kEnteredAttrName = "tile.entered";

/// Whether `element` is an 8-bit float.
inline bool isNarrowFloat(mlir::Type element) {
  return mlir::isa<mlir::FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
}

/// What multiplies: the schedule's choice where the operands' type has it, else what the type has.
inline ProductUnit productUnit(DotOp dot) {
  mlir::Type element = mlir::getElementTypeOrSelf(dot.getLhs().getType());
  ScheduleAttr schedule = dot->getParentOfType<KernelOp>().getSchedule();
  ProductUnit wanted = schedule ? schedule.getOptions().product : ProductUnit::ByType;
  // Single warps multiply 8-bit floats as fp16, which holds them all.
  if (isNarrowFloat(element))
    return wanted == ProductUnit::ByType ? ProductUnit::MmaSync : wanted;
  if (element.isInteger(8) && mlir::getElementTypeOrSelf(dot.getType()).isInteger(32))
    return wanted == ProductUnit::ByType ? ProductUnit::MmaSync : wanted;
  if (!element.isF16() && !element.isBF16() && !(element.isF32() && dot.getTf32()))
    return ProductUnit::Fma;
  return wanted == ProductUnit::ByType ? ProductUnit::MmaSync : wanted;
}

/// Groups of warps along N that share the accumulators of warpgroup products.
inline int warpgroupsAlongN(ScheduleAttr schedule) {
  return schedule && schedule.getOptions().product == ProductUnit::Wgmma ? (int)schedule.getWarpGrid().back()
                                                                         : 1;
}

/// Bits of an element of a product's operand as an instruction of single warps takes it.
inline int fragmentBits(mlir::Type element) {
  return isNarrowFloat(element) ? 16 : (int)storageBits(element);
}

/// The load from global memory that gives an operand, through conversions of layout; null for a computed
/// tile.
inline LoadOp operandLoad(mlir::Value operand) {
  while (auto conversion = operand.getDefiningOp<ConvertLayoutOp>())
    operand = conversion.getInput();
  return operand.getDefiningOp<LoadOp>();
}

/// Warps of the role that fills rings: one warpgroup.
inline constexpr int64_t kProducerWarps = 4;

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_PRODUCTS_H
