// Facts about one dim of a view. Internal to Layout.
#ifndef TILEWRIGHT_LIB_LAYOUT_VIEWDIMS_H
#define TILEWRIGHT_LIB_LAYOUT_VIEWDIMS_H

#include "Tilewright/Layout/StridedView.h"

namespace tilewright::layout {

inline int64_t innerExtentOf(const std::vector<Mode> &modes) {
  int64_t n = 1;
  for (const Mode &mode : modes)
    n *= mode.extent;
  return n;
}

/// The offset of an inner index that is in bounds.
inline int64_t offsetAt(const std::vector<Mode> &modes, int64_t inner) {
  int64_t offset = 0;
  for (size_t m = modes.size(); m-- > 0;) {
    offset += inner % modes[m].extent * modes[m].stride;
    inner /= modes[m].extent;
  }
  return offset;
}

/// A dim of which every index is padding.
inline ViewDim allPadding(int64_t extent) {
  ViewDim dim;
  dim.extent = extent;
  dim.start = -1;
  dim.step = 0;
  return dim;
}

/// Modes in their fewest form: no extent 1, no two that continue each other.
std::vector<Mode> mergedModes(const std::vector<Mode> &modes);

/// The same dim with start 0, step 1 and exactly `extent` inner indices; what is constant goes to `offset`.
/// nullopt when it has padding, or start and step cut through its modes.
std::optional<ViewDim> identityForm(const ViewDim &dim, int64_t &offset);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LIB_LAYOUT_VIEWDIMS_H
