// Tiles that are one run of memory: whole rows, one after the other. However odd a row's length, the run
// begins and ends at most once within a vector, where each row would do so.
#ifndef TILEWRIGHT_LAYOUT_RUN_H
#define TILEWRIGHT_LAYOUT_RUN_H

#include "Tilewright/Layout/LinearLayout.h"
#include "Tilewright/Layout/StridedView.h"

namespace tilewright::layout {

/// A tile of a view as one run.
struct Run {
  /// Elements along each dimension: of the tile, as far as the view has any.
  Shape counts;
  /// Elements between neighbours along each dimension, within the run.
  Shape strides;
  /// The dimension of which the tile has a part, -1: none. The run ends where the view does along it.
  int along = -1;
  /// Indices along it that have elements.
  int64_t extent = 1;
  /// Elements of one index along it, and of the whole run.
  int64_t inner = 1, elems = 1;

  /// The run as a view of its own, which begins at its first element.
  StridedView view() const;
};

/// Post: element i of a tile of `shape`, wherever it starts in `view`, lies sum(i[d] * strides[d]) elements
/// behind its first, and nothing else lies between. nullopt when the tile is no run.
std::optional<Run> runOf(const StridedView &view, const Shape &shape);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_RUN_H
