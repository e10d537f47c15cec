// Register tiles on global memory: the layout in which to load or store a tile of a view, and its
// instructions.
//
// A view says what is contiguous and aligned, a layout which registers are neighbours; an access is as wide
// as both allow. Tiles start at multiples of `tileOffsetMultiple` (mostly the tile's shape; 0 along a dim
// with one tile) and may stick out of the view at the end; an instruction is always in bounds or out of
// bounds as a whole, but for those that may end within (`mayEnd`), which tiles that stick out do not use.
#ifndef TILEWRIGHT_LAYOUT_GLOBALACCESS_H
#define TILEWRIGHT_LAYOUT_GLOBALACCESS_H

#include "Tilewright/Layout/LinearLayout.h"
#include "Tilewright/Layout/StridedView.h"

namespace tilewright::layout {

/// Dims of the view from the one with the nearest neighbours to the one with the farthest; broadcast dims and
/// dims of size 1 last, the last dim first among equals.
std::vector<int> accessOrder(const StridedView &view);

/// The best coalesced layout for a tile of the view: order, vector width and alignment from the view.
LinearLayout coalescedFor(const StridedView &view, const Shape &tileShape, const Shape &tileOffsetMultiple,
                          int elemBits, int numWarps, int maxVectorBits = 128);

/// Whether vectors may begin within the groups of a thread: of loads, which then take two vectors for each,
/// or of stores, which put them together among lanes.
enum class Shifts { None, OfLoads, OfStores };

/// The accesses of a thread: `vectors.groups` along `dim`.
/// Post: for every tile start, thread and group, the members' offsets are consecutive, the first is a
/// multiple of vectors.elems, and all members are in bounds or none is; with `mayEnd` not where a dim of one
/// run begins or ends.
/// With a `shift` (see Shifts) it is the member of that number whose offset is the multiple: each group has
/// parts of two vectors, and of each of these all members are in bounds or none is.
struct GlobalAccess {
  int dim = 0;
  VectorAccess vectors;
  int shift = 0;
  /// With a shift: groups that follow one another in a thread, as one; those of 2^runLanes lanes next to one
  /// another are one run.
  std::vector<std::vector<int>> chains = {};
  int runLanes = 0;
  /// entry r is the register loaded in place of r
  RegisterMap canonical;
  /// a store is done by threads with (lane & freeLanes) == 0 && (warp & freeWarps) == 0
  uint32_t freeLanes = 0, freeWarps = 0;
};
GlobalAccess globalAccess(const StridedView &view, const LinearLayout &layout,
                          const Shape &tileOffsetMultiple, int elemBits, int maxVectorBits = 128,
                          bool mayEnd = false, Shifts shifts = Shifts::None);

/// Vectors along dim `dim` of a view that begin `shift` elements behind each multiple of `elems`.
struct ShiftedVectors {
  int elems = 1, shift = 0;
};
/// The widest vectors along `dim`, wherever they begin; those of maxVectorElems where these are as wide. Two
/// loads for a pair are no fewer than one for each element.
ShiftedVectors shiftedVectors(const StridedView &view, int dim, const Shape &tileOffsetMultiple, int elemBits,
                              int maxVectorBits, bool mayEnd, Shifts shifts);

/// A vector of which some elements are stored alone, as the sizes of aligned accesses in the order of memory:
/// its last `shift` ones, or its first `elems - shift`.
std::vector<int> piecesBefore(int shift);
std::vector<int> piecesBehind(int elems, int shift);

/// Instructions of a thread: of a chain it loads all vectors that it has parts of; it stores as many as it
/// has groups, of one of which it gets the rest from a neighbour, and in pieces what no neighbour has the
/// rest of.
int64_t accessInstructions(const GlobalAccess &access, bool stores);

/// Bytes that caches fetch at once.
inline constexpr int64_t kSectorBytes = 32;

/// Post, when true: every access of a warp touches whole sectors, from every tile start, but for what lies
/// out of bounds: what it leaves of a sector to another access is nothing.
bool coversSectors(const StridedView &view, const LinearLayout &layout, const GlobalAccess &access,
                   const Shape &tileOffsetMultiple, int elemBits);

/// Sectors that the instructions of the first warp of a tile at the origin touch, each instruction counted
/// for itself, and those that its elements would fill.
struct WarpTraffic {
  int64_t sectors = 0, least = 0;
};
WarpTraffic warpTraffic(const StridedView &view, const LinearLayout &layout, const GlobalAccess &access,
                        int elemBits);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_GLOBALACCESS_H
