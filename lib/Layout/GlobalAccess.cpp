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

ShiftedVectors tilewright::layout::shiftedVectors(const StridedView &view, int dim,
                                                  const Shape &tileOffsetMultiple, int elemBits,
                                                  int maxVectorBits, bool mayEnd, Shifts shifts) {
  ShiftedVectors widest;
  widest.elems =
      static_cast<int>(view.maxVectorElems(dim, tileOffsetMultiple, elemBits, maxVectorBits, mayEnd));
  StridedView simple = view.simplify();
  std::vector<ViewDim> dims = simple.dims();
  ViewDim &along = dims[dim];
  if (shifts == Shifts::None || along.step != 1 || along.modes.size() != 1 || along.modes.front().stride != 1)
    return widest;
  for (int shift = 1; shift < maxVectorBits / std::max(elemBits, 8) && along.extent > 1; ++shift) {
    // From the element on at which the first vector begins.
    ++along.start;
    --along.extent;
    auto elems =
        static_cast<int>(StridedView(dims, simple.offset())
                             .maxVectorElems(dim, tileOffsetMultiple, elemBits, maxVectorBits, mayEnd));
    if (elems > widest.elems && shift < elems && (shifts == Shifts::OfStores || elems > 2))
      widest = {elems, shift};
  }
  return widest;
}

std::vector<int> tilewright::layout::piecesBefore(int shift) {
  std::vector<int> pieces;
  for (int bit = 1; bit <= shift; bit *= 2)
    if (shift & bit)
      pieces.push_back(bit);
  return pieces;
}

std::vector<int> tilewright::layout::piecesBehind(int elems, int shift) {
  std::vector<int> pieces = piecesBefore(elems - shift);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

int64_t tilewright::layout::accessInstructions(const GlobalAccess &access, bool stores) {
  auto groups = static_cast<int64_t>(access.vectors.groups.size());
  auto chains = static_cast<int64_t>(access.chains.size());
  if (!stores || chains == 0)
    return groups + chains;
  int elems = access.vectors.elems;
  auto pieces =
      static_cast<int64_t>(piecesBefore(access.shift).size() + piecesBehind(elems, access.shift).size());
  return groups + chains * (std::min(access.shift, elems - access.shift) + pieces);
}

/// Lanes of the shortest run, as a power of two: of fewer most elements are stored in pieces.
static constexpr int kLeastRunLanes = 3;

/// Lanes next to one another, as a power of two, whose groups of `elems` along `dim` are one run.
static int runLanes(const LinearLayout &layout, int dim, int elems) {
  int lanes = 0;
  for (const Coord &basis : layout.bases(Hw::Lane)) {
    Coord next(basis.size(), 0);
    next[dim] = elems << lanes;
    if (basis != next)
      break;
    ++lanes;
  }
  return lanes;
}

GlobalAccess tilewright::layout::globalAccess(const StridedView &view, const LinearLayout &layout,
                                              const Shape &tileOffsetMultiple, int elemBits,
                                              int maxVectorBits, bool mayEnd, Shifts shifts) {
  assert(layout.rank() == view.rank() && "tile and view have the same rank");
  GlobalAccess access;
  access.canonical = layout.canonicalRegisters();
  access.freeLanes = layout.freeBits(Hw::Lane);
  access.freeWarps = layout.freeBits(Hw::Warp);
  access.vectors = {1, {{0}}};
  // Elements below a byte are stored as bytes.
  int bits = std::max(elemBits, 8);
  for (int dim : accessOrder(view)) {
    int64_t elems = view.maxVectorElems(dim, tileOffsetMultiple, elemBits, maxVectorBits, mayEnd);
    VectorAccess vectors = layout.vectorAccess(bits, dim, static_cast<int>(elems) * bits, maxVectorBits);
    bool first = dim == accessOrder(view).front();
    if (first || vectors.elems > access.vectors.elems) {
      access.dim = dim;
      access.vectors = std::move(vectors);
    }
  }
  if (shifts == Shifts::None)
    return access;
  int dim = accessOrder(view).front(), all = static_cast<int>(layout.shape()[dim]) * bits;
  VectorAccess chains = layout.vectorAccess(bits, dim, all, all);
  int lanes = runLanes(layout, dim, chains.elems);
  if (lanes < kLeastRunLanes)
    return access;
  for (int limit = std::min(maxVectorBits, chains.elems * bits); limit > access.vectors.elems * bits;
       limit /= 2) {
    ShiftedVectors shifted = shiftedVectors(view, dim, tileOffsetMultiple, elemBits, limit, mayEnd, shifts);
    if (shifted.elems * bits != limit || shifted.shift == 0)
      continue;
    access.dim = dim;
    access.vectors = layout.vectorAccess(bits, dim, limit, limit);
    access.shift = shifted.shift;
    access.chains = std::move(chains.groups);
    access.runLanes = lanes;
    break;
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

/// Offset that inner index `inner` adds; as if a dim of one mode went on beyond its ends.
static int64_t offsetAlong(const ViewDim &dim, int64_t inner) {
  if (dim.modes.empty())
    return 0;
  if (dim.modes.size() == 1)
    return inner * dim.modes.front().stride;
  int64_t total = dim.innerExtent(), offset = 0;
  inner = ((inner % total) + total) % total;
  for (size_t m = dim.modes.size(); m-- > 0;) {
    offset += inner % dim.modes[m].extent * dim.modes[m].stride;
    inner /= dim.modes[m].extent;
  }
  return offset;
}

WarpTraffic tilewright::layout::warpTraffic(const StridedView &view, const LinearLayout &layout,
                                            const GlobalAccess &access, int elemBits) {
  const int64_t elemBytes = std::max(elemBits, 8) / 8;
  auto sectorOf = [&](int64_t offset) {
    int64_t bytes = offset * elemBytes;
    return (bytes - ((bytes % kSectorBytes) + kSectorBytes) % kSectorBytes) / kSectorBytes;
  };
  std::vector<std::vector<int64_t>> along(view.rank());
  for (int d = 0; d < view.rank(); ++d)
    for (int64_t i = 0, e = std::min(layout.shape()[d], view.dim(d).extent); i < e; ++i)
      along[d].push_back(offsetAlong(view.dim(d), view.dim(d).start + i * view.dim(d).step));
  WarpTraffic traffic;
  std::vector<int64_t> elements;
  for (const std::vector<int> &group : access.vectors.groups) {
    std::vector<int64_t> sectors;
    for (int lane = 0; lane < layout.numLanes(); ++lane) {
      Coord c = layout.apply(group.front(), lane, 0);
      int64_t offset = view.offset();
      bool inside = true;
      for (int d = 0; d < view.rank() && inside; ++d) {
        inside = c[d] < static_cast<int64_t>(along[d].size());
        offset += inside ? along[d][c[d]] : 0;
      }
      if (!inside)
        continue;
      int64_t last = offset + static_cast<int64_t>(group.size()) - 1;
      sectors.push_back(sectorOf(offset));
      if (sectorOf(last) != sectors.back())
        sectors.push_back(sectorOf(last));
      for (int64_t element = offset; element <= last; ++element)
        elements.push_back(element);
    }
    std::sort(sectors.begin(), sectors.end());
    traffic.sectors += std::unique(sectors.begin(), sectors.end()) - sectors.begin();
  }
  std::sort(elements.begin(), elements.end());
  int64_t bytes = (std::unique(elements.begin(), elements.end()) - elements.begin()) * elemBytes;
  traffic.least = (bytes + kSectorBytes - 1) / kSectorBytes;
  return traffic;
}
