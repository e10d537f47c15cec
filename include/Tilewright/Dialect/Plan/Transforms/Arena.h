// Placing buffers in one arena: which bytes may be shared is the caller's question, where they lie is
// answered here. Free of MLIR, so that it is tested by itself. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_ARENA_H
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_ARENA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tilewright::plan {

/// Offsets of buffers, by index, and the bytes that hold them all.
struct ArenaPlacement {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Places buffers of the given sizes at multiples of `alignment`: the largest first (equal ones in the order
/// given), each into the smallest gap between those placed before that interfere with it, or after them all.
/// Post-condition: two buffers for which `interfere(a, b)`, a symmetric relation, share no byte.
ArenaPlacement placeInArena(llvm::ArrayRef<int64_t> bytes, int64_t alignment,
                            llvm::function_ref<bool(unsigned, unsigned)> interfere);

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_ARENA_H
