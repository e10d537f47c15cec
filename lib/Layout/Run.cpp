// Tiles that are one run of memory.
#include "Tilewright/Layout/Run.h"
#include <algorithm>

using namespace tilewright::layout;

StridedView Run::view() const {
  std::vector<ViewDim> dims;
  for (size_t d = 0; d < counts.size(); ++d)
    dims.push_back({counts[d], 0, 1, {{counts[d], counts[d] > 1 ? strides[d] : 0}}});
  return StridedView(dims);
}

/// Indices of a dim from 0 on that have elements.
static int64_t extentOf(const ViewDim &dim) { return std::min(dim.extent, dim.innerExtent()); }

std::optional<Run> tilewright::layout::runOf(const StridedView &view, const Shape &shape) {
  Run run;
  run.counts.assign(shape.size(), 1);
  run.strides.assign(shape.size(), 0);
  std::vector<int> dims;
  for (int d = 0; d < view.rank(); ++d) {
    const ViewDim &dim = view.dim(d);
    // Behind the end of the elements there may be padding.
    bool isPrefix = dim.start == 0 && dim.step == 1;
    run.counts[d] = std::min(shape[d], isPrefix ? extentOf(dim) : dim.extent);
    if (run.counts[d] == 1 && dim.isTotal())
      continue;
    if (!isPrefix || dim.modes.size() != 1 || dim.modes.front().stride < 1 || run.counts[d] == 1)
      return std::nullopt;
    run.strides[d] = dim.modes.front().stride;
    dims.push_back(d);
  }
  std::sort(dims.begin(), dims.end(), [&](int a, int b) { return run.strides[a] < run.strides[b]; });
  for (int d : dims) {
    // Behind a part of a dimension comes the rest of it.
    if (run.strides[d] != run.elems || run.along >= 0)
      return std::nullopt;
    // Of a tile behind it the view has none.
    if (run.counts[d] < extentOf(view.dim(d)) || shape[d] < view.dim(d).extent) {
      run.along = d;
      run.extent = extentOf(view.dim(d));
      run.inner = run.elems;
    }
    run.elems *= run.counts[d];
  }
  if (run.along < 0)
    run.inner = run.elems;
  return run;
}
