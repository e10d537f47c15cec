// A mark on stores to and loads from shared memory through which each thread meets its own elements alone: no
// barrier stands between them, so that they must not become matrix instructions, whose lanes touch each
// other's rows.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_OWNELEMENTS_H
#define TILEWRIGHT_DIALECT_TILE_IR_OWNELEMENTS_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::tile {

inline constexpr llvm::StringLiteral kOwnElementsAttrName = "tile.own_elements";

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_OWNELEMENTS_H
