// How many blocks a kernel has.
#ifndef TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_BLOCKS_H
#define TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_BLOCKS_H

#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright::tile {

/// Blocks of a kernel that is done before others would hide its waits: it waits for memory once.
inline constexpr int64_t kFewBlocks = 264;

inline int64_t blocksOf(KernelOp kernel) {
  int64_t blocks = 1;
  for (int64_t size : kernel.getGrid())
    blocks *= size;
  return blocks;
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_LIB_DIALECT_TILE_TRANSFORMS_BLOCKS_H
