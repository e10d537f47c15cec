// In which order blocks take the tiles of a result, and which parts of their sums: lists that are computed at
// compile time.
#ifndef TILEWRIGHT_LAYOUT_WORKLISTS_H
#define TILEWRIGHT_LAYOUT_WORKLISTS_H

#include <cstdint>
#include <vector>

namespace tilewright::layout {

/// Numbers (row * columns + column) of all tiles of a grid, along Hilbert curves: any stretch of the list
/// covers few rows and few columns. The longer side is cut into squares, which follow one another.
std::vector<int32_t> hilbertOrder(int64_t rows, int64_t columns);

/// Steps of one tile's sum that one block does in one go.
struct Segment {
  /// The tile's number, the first of its steps, and how many.
  int64_t tile, first, steps;
  /// Blocks just before this one that have done the tile's earlier steps, whose sums this one adds. A segment
  /// that does not reach the tile's end gives its sum to the block that does.
  int64_t parts = 0;
};

/// What each block does, in order.
using WorkLists = std::vector<std::vector<Segment>>;

/// Divides the sums of `tiles` tiles, of `steps` steps each, among at most `blocks` blocks (stream-K,
/// arXiv 2301.03598). Tiles beyond whole rounds of the blocks, and those of `rounds` - 1 rounds more, are
/// laid end to end and cut into as many equal stretches as there are blocks; the rounds before take whole
/// tiles. Empty where whole rounds are all there is, or one block is.
///
/// A block gives away at most one sum, and does that first; what it adds others' sums to comes last. So no
/// block waits before it has given, and it waits only for blocks of smaller numbers: whatever the order in
/// which blocks run, as long as one that has started goes on and they start in the order of their numbers,
/// none waits for ever.
WorkLists divideSteps(int64_t tiles, int64_t steps, int64_t blocks, int64_t rounds);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_WORKLISTS_H
