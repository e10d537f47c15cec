// Best-fit placement of buffers in an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/Transforms/Arena.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace llvm;
using namespace tilewright::plan;

/// The start of the smallest gap of at least `bytes` between `taken` (sorted [begin, end) ranges that may
/// overlap each other), or the end of them all.
static int64_t bestGap(ArrayRef<std::pair<int64_t, int64_t>> taken, int64_t bytes, int64_t alignment) {
  int64_t end = 0, best = -1, bestSize = std::numeric_limits<int64_t>::max();
  for (auto [from, to] : taken) {
    int64_t start = alignTo(end, alignment);
    if (from - start >= bytes && from - start < bestSize)
      best = start, bestSize = from - start;
    end = std::max(end, to);
  }
  return best >= 0 ? best : alignTo(end, alignment);
}

ArenaPlacement tilewright::plan::placeInArena(ArrayRef<int64_t> bytes, int64_t alignment,
                                              function_ref<bool(unsigned, unsigned)> interfere) {
  SmallVector<unsigned> order = to_vector(seq<unsigned>(0, bytes.size()));
  stable_sort(order, [&](unsigned a, unsigned b) { return bytes[a] > bytes[b]; });
  ArenaPlacement placement;
  placement.offsets.assign(bytes.size(), 0);
  for (auto [position, buffer] : enumerate(order)) {
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (unsigned placed : ArrayRef(order).take_front(position))
      if (interfere(placed, buffer))
        taken.push_back({placement.offsets[placed], placement.offsets[placed] + bytes[placed]});
    sort(taken);
    placement.offsets[buffer] = bestGap(taken, bytes[buffer], alignment);
    placement.bytes = std::max(placement.bytes, placement.offsets[buffer] + bytes[buffer]);
  }
  placement.bytes = alignTo(placement.bytes, alignment);
  return placement;
}
