// The passes on the tile dialect.
#ifndef TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright::tile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"

/// Registers of a thread of the role that converts operands, where the schedule gives the other roles theirs;
/// fewer than kLeastRoleRegisters where these leave too few.
int64_t converterRegisters(ScheduleAttr schedule);
inline constexpr int64_t kLeastRoleRegisters = 24;

/// The schedule stage: shared memory, asynchronous copies and barriers made explicit; with `cacheHints`,
/// loads and stores say what the caches need not keep.
void populateScheduleStage(mlir::OpPassManager &pm, bool cacheHints = false, bool footprints = false);

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_TRANSFORMS_PASSES_H
