// Accesses of register tiles to views of global memory.
#include "Tilewright/Layout/GlobalAccess.h"
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

using namespace tilewright::layout;

std::vector<int> tilewright::layout::accessOrder(const StridedView &view) {
  StridedView simple = view.simplify();
  auto distance = [&](int d) {
    const ViewDim &dim = simple.dim(d);
    if (dim.extent == 1 || dim.modes.empty() || dim.modes.back().stride == 0)
      return std::numeric_limits<int64_t>::max();
    return std::abs(dim.modes.back().stride * dim.step);
  };
  std::vector<int> order = LinearLayout::rowMajorOrder(view.rank());
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return distance(a) != distance(b) ? distance(a) < distance(b) : a > b; });
  return order;
}

LinearLayout tilewright::layout::coalescedFor(const StridedView &view, const Shape &tileShape,
                                              const Shape &tileOffsetMultiple, int elemBits, int numWarps,
                                              int maxVectorBits) {
  assert(static_cast<int>(tileShape.size()) == view.rank() && "tile and view have the same rank");
  std::vector<int> order = accessOrder(view);
  int bits = std::max(elemBits, 8);
  if (!order.empty())
    maxVectorBits =
        static_cast<int>(view.maxVectorElems(order[0], tileOffsetMultiple, elemBits, maxVectorBits)) * bits;
  return LinearLayout::coalesced(tileShape, elemBits, numWarps, order, maxVectorBits);
}

GlobalAccess tilewright::layout::globalAccess(const StridedView &view, const LinearLayout &layout,
                                              const Shape &tileOffsetMultiple, int elemBits,
                                              int maxVectorBits) {
  assert(layout.rank() == view.rank() && "tile and view have the same rank");
  GlobalAccess access;
  access.canonical = layout.canonicalRegisters();
  access.freeLanes = layout.freeBits(Hw::Lane);
  access.freeWarps = layout.freeBits(Hw::Warp);
  access.vectors = {1, {{0}}};
  // Elements below a byte are stored as bytes.
  int bits = std::max(elemBits, 8);
  for (int dim : accessOrder(view)) {
    int64_t elems = view.maxVectorElems(dim, tileOffsetMultiple, elemBits, maxVectorBits);
    VectorAccess vectors = layout.vectorAccess(bits, dim, static_cast<int>(elems) * bits, maxVectorBits);
    bool first = dim == accessOrder(view).front();
    if (first || vectors.elems > access.vectors.elems) {
      access.dim = dim;
      access.vectors = std::move(vectors);
    }
  }
  return access;
}

bool tilewright::layout::coversSectors(const StridedView &view, const LinearLayout &layout,
                                       const GlobalAccess &access, const Shape &tileOffsetMultiple,
                                       int elemBits) {
  const int64_t elemBytes = std::max(elemBits, 8) / 8, sectorElems = kSectorBytes / elemBytes;
  if (sectorElems > 1 && view.offsetDivisibility(tileOffsetMultiple) % sectorElems != 0)
    return false;
  for (const std::vector<int> &group : access.vectors.groups) {
    // Sector to the elements of it that the warp touches.
    std::map<int64_t, std::set<int64_t>> touched;
    for (int lane = 0; lane < layout.numLanes(); ++lane)
      for (int reg : group) {
        Coord c = layout.apply(reg, lane, 0);
        std::vector<int64_t> index(c.begin(), c.end());
        bool inside = true;
        for (int d = 0; d < view.rank(); ++d)
          inside &= index[d] < view.dim(d).extent;
        if (!inside)
          continue;
        if (std::optional<int64_t> offset = view.offsetOf(index))
          touched[*offset / sectorElems].insert(*offset);
      }
    for (const auto &[sector, elems] : touched)
      if (static_cast<int64_t>(elems.size()) != sectorElems)
        return false;
  }
  return true;
}
