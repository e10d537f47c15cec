// Views taken apart and put together along the row-major index of their domain: simplify, reshape, collapse.
#include "Bits.h"
#include "Tilewright/Layout/StridedView.h"
#include "ViewDims.h"
#include <cassert>

using namespace tilewright::layout;

//===-------------------------------------------------------------------------------------------------------===//
// Simplify
//===-------------------------------------------------------------------------------------------------------===//

std::vector<Mode> tilewright::layout::mergedModes(const std::vector<Mode> &modes) {
  std::vector<Mode> out;
  for (const Mode &mode : modes) {
    if (mode.extent == 1)
      continue;
    if (!out.empty() && out.back().stride == mode.extent * mode.stride)
      out.back() = {out.back().extent * mode.extent, mode.stride};
    else
      out.push_back(mode);
  }
  return out;
}

/// Modes for the inner indices start, start + step, ... of modes[from..]; appends to `out`, adds to `offset`.
static bool restrictModes(const std::vector<Mode> &modes, size_t from, int64_t extent, int64_t start,
                          int64_t step, std::vector<Mode> &out, int64_t &offset) {
  std::vector<Mode> rest(modes.begin() + static_cast<long>(from), modes.end());
  if (extent == 1) {
    offset += offsetAt(rest, start);
    return true;
  }
  const Mode &outer = rest.front();
  if (rest.size() == 1) {
    offset += start * outer.stride;
    out.push_back({extent, step * outer.stride});
    return true;
  }
  std::vector<Mode> innerModes(rest.begin() + 1, rest.end());
  int64_t inner = innerExtentOf(innerModes), last = start + (extent - 1) * step;
  // All within one value of the outer digit.
  if (start / inner == last / inner) {
    offset += start / inner * outer.stride;
    return restrictModes(modes, from + 1, extent, start % inner, step, out, offset);
  }
  // The outer digit alone moves.
  if (step % inner == 0) {
    offset += start / inner * outer.stride + offsetAt(innerModes, start % inner);
    out.push_back({extent, step / inner * outer.stride});
    return true;
  }
  // Whole rounds of the inner digits, as many steps in each.
  if (step < 1 || inner % step != 0 || start % inner >= step || extent % (inner / step) != 0)
    return false;
  offset += start / inner * outer.stride;
  out.push_back({extent / (inner / step), outer.stride});
  return restrictModes(modes, from + 1, inner / step, start % inner, step, out, offset);
}

std::optional<ViewDim> tilewright::layout::identityForm(const ViewDim &dim, int64_t &offset) {
  if (!dim.isTotal())
    return std::nullopt;
  std::vector<Mode> modes = mergedModes(dim.modes);
  ViewDim out;
  out.extent = dim.extent;
  if (dim.isIdentity()) {
    out.modes = std::move(modes);
    return out;
  }
  int64_t moved = 0;
  if (!restrictModes(modes, 0, dim.extent, dim.start, dim.step, out.modes, moved))
    return std::nullopt;
  offset += moved;
  out.modes = mergedModes(out.modes);
  return out;
}

StridedView StridedView::simplify() const {
  StridedView out(*this);
  for (ViewDim &dim : out.viewDims) {
    if (std::optional<ViewDim> identity = identityForm(dim, out.base)) {
      dim = std::move(*identity);
      continue;
    }
    dim.modes = mergedModes(dim.modes);
    if (dim.extent == 1)
      dim.step = 1;
  }
  return out;
}

//===-------------------------------------------------------------------------------------------------------===//
// Reshape
//===-------------------------------------------------------------------------------------------------------===//

/// Deals `modes` (outermost first) out to dims of the given extents (outermost first).
static bool dealModes(std::vector<Mode> modes, const std::vector<int64_t> &extents,
                      std::vector<ViewDim> &out) {
  modes = mergedModes(modes);
  for (size_t d = extents.size(); d-- > 0;) {
    ViewDim dim;
    dim.extent = extents[d];
    int64_t need = extents[d];
    while (need > 1) {
      if (modes.empty())
        return false;
      Mode &mode = modes.back();
      if (need % mode.extent == 0) {
        need /= mode.extent;
        dim.modes.insert(dim.modes.begin(), mode);
        modes.pop_back();
      } else if (mode.extent % need == 0) {
        dim.modes.insert(dim.modes.begin(), {need, mode.stride});
        mode = {mode.extent / need, mode.stride * need};
        need = 1;
      } else {
        return false;
      }
    }
    out.insert(out.begin(), std::move(dim));
  }
  return modes.empty();
}

std::optional<StridedView> StridedView::reshape(const std::vector<int64_t> &newShape) const {
  if (productOf(newShape) != numElements())
    return std::nullopt;
  StridedView out;
  out.base = base;
  // From the innermost dims outward, match runs of old and new dims of equal size.
  int oldEnd = rank(), newEnd = static_cast<int>(newShape.size());
  while (oldEnd > 0 || newEnd > 0) {
    int oldBegin = oldEnd, newBegin = newEnd;
    int64_t oldSize = 1, newSize = 1;
    if (oldEnd > 0)
      oldSize = viewDims[--oldBegin].extent;
    if (newEnd > 0)
      newSize = newShape[--newBegin];
    while (oldSize != newSize) {
      if (oldSize < newSize && oldBegin > 0)
        oldSize *= viewDims[--oldBegin].extent;
      else if (newSize < oldSize && newBegin > 0)
        newSize *= newShape[--newBegin];
      else
        return std::nullopt;
    }
    std::vector<ViewDim> dims;
    if (oldEnd - oldBegin == 1 && newEnd - newBegin == 1) {
      dims = {viewDims[oldBegin]};
    } else {
      std::vector<Mode> modes;
      for (int d = oldBegin; d < oldEnd; ++d) {
        std::optional<ViewDim> dim = identityForm(viewDims[d], out.base);
        if (!dim)
          return std::nullopt;
        modes.insert(modes.end(), dim->modes.begin(), dim->modes.end());
      }
      if (!dealModes(modes, {newShape.begin() + newBegin, newShape.begin() + newEnd}, dims))
        return std::nullopt;
    }
    out.viewDims.insert(out.viewDims.begin(), dims.begin(), dims.end());
    oldEnd = oldBegin;
    newEnd = newBegin;
  }
  return out;
}

//===-------------------------------------------------------------------------------------------------------===//
// Collapse
//===-------------------------------------------------------------------------------------------------------===//

StridedView StridedView::collapse(const std::vector<std::vector<int>> &groups) const {
  StridedView out;
  out.base = base;
  for (const std::vector<int> &group : groups) {
    ViewDim &merged = out.viewDims.emplace_back();
    if (group.size() == 1) {
      merged = viewDims[group.front()];
      continue;
    }
    for (int d : group) {
      // A dim of one index is nothing but an offset beside its neighbours.
      std::optional<ViewDim> dim = identityForm(viewDims[d], out.base);
      assert(dim && "groups come from collapseDims");
      if (!dim)
        dim = viewDims[d];
      merged.extent *= dim->extent;
      merged.modes.insert(merged.modes.end(), dim->modes.begin(), dim->modes.end());
    }
    merged.modes = mergedModes(merged.modes);
  }
  return out;
}

std::vector<std::vector<int>> tilewright::layout::collapseDims(const std::vector<StridedView> &views) {
  std::vector<std::vector<int>> groups;
  if (views.empty())
    return groups;
  int64_t ignored = 0;
  // For each view the modes of the group so far; none when its dims cannot merge with any.
  std::vector<std::optional<std::vector<Mode>>> groupModes;
  for (int d = 0; d < views.front().rank(); ++d) {
    std::vector<std::optional<std::vector<Mode>>> dimModes;
    for (const StridedView &view : views) {
      std::optional<ViewDim> dim = identityForm(view.dim(d), ignored);
      dimModes.push_back(dim ? std::optional(dim->modes) : std::nullopt);
    }
    bool joins = !groups.empty();
    for (size_t v = 0; v < views.size() && joins; ++v) {
      joins = groupModes[v] && dimModes[v];
      if (joins && !groupModes[v]->empty() && !dimModes[v]->empty())
        joins = groupModes[v]->back().stride == dimModes[v]->front().extent * dimModes[v]->front().stride;
    }
    if (!joins) {
      groups.push_back({d});
      groupModes = std::move(dimModes);
      continue;
    }
    groups.back().push_back(d);
    for (size_t v = 0; v < views.size(); ++v) {
      groupModes[v]->insert(groupModes[v]->end(), dimModes[v]->begin(), dimModes[v]->end());
      groupModes[v] = mergedModes(*groupModes[v]);
    }
  }
  return groups;
}
