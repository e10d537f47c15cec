// Lists of tiles along Hilbert curves, and of the steps of their sums.
#include "Tilewright/Layout/WorkLists.h"

#include <algorithm>
#include <utility>

using namespace tilewright;

/// The cell at place `distance` of the Hilbert curve through a square of 2^order cells a side: across, and
/// down. The curve begins in one corner and ends in the next one across.
static std::pair<int64_t, int64_t> hilbertCell(int order, int64_t distance) {
  int64_t across = 0, down = 0;
  // From the innermost square outwards: each digit of the distance in base 4 names a quarter, in which the
  // curve so far is turned.
  for (int level = 0; level < order; ++level, distance /= 4) {
    int64_t side = int64_t(1) << level;
    switch (distance % 4) {
    case 0:
      std::swap(across, down);
      break;
    case 1:
      down += side;
      break;
    case 2:
      across += side;
      down += side;
      break;
    case 3:
      std::swap(across, down);
      across = 2 * side - 1 - across;
      down = side - 1 - down;
      break;
    }
  }
  return {across, down};
}

std::vector<int32_t> layout::hilbertOrder(int64_t rows, int64_t columns) {
  bool wide = columns >= rows;
  int64_t shorter = std::min(rows, columns), longer = std::max(rows, columns);
  std::vector<int32_t> tiles;
  tiles.reserve(size_t(rows * columns));
  int64_t squares = std::max<int64_t>(1, (longer + shorter / 2) / std::max<int64_t>(shorter, 1));
  for (int64_t square = 0; square < squares; ++square) {
    int64_t from = longer * square / squares, to = longer * (square + 1) / squares;
    int order = 0;
    while ((int64_t(1) << order) < std::max(shorter, to - from))
      ++order;
    for (int64_t distance = 0; distance < int64_t(1) << (2 * order); ++distance) {
      auto [across, down] = hilbertCell(order, distance);
      if (across >= to - from || down >= shorter)
        continue; // the square is larger than the tiles
      int64_t row = wide ? down : from + across, column = wide ? from + across : down;
      tiles.push_back(int32_t(row * columns + column));
    }
  }
  return tiles;
}

/// Fewer steps than these are no stretch of their own: the ring of operands would hardly have filled.
static constexpr int64_t kLeastSteps = 4;

/// Where the stretch of block `block` begins: its even share, or the end of a tile that is near.
static int64_t stretchStart(int64_t block, int64_t blocks, int64_t tiles, int64_t steps) {
  int64_t place = block * (tiles * steps) / blocks, inside = place % steps;
  int64_t least = std::min(kLeastSteps, (steps + 1) / 2);
  if (inside < least)
    return place - inside;
  return steps - inside < least ? place + steps - inside : place;
}

layout::WorkLists layout::divideSteps(int64_t tiles, int64_t steps, int64_t blocks, int64_t rounds) {
  if (tiles % blocks == 0 || blocks < 2 || steps < 2)
    return {};
  int64_t streamed = std::min(tiles, tiles % blocks + (rounds - 1) * blocks), whole = tiles - streamed;
  // Where there is little to do, fewer blocks do it.
  int64_t stretches = std::clamp<int64_t>(streamed * steps / kLeastSteps, 1, blocks);
  WorkLists lists(static_cast<size_t>(whole ? blocks : stretches));
  for (int64_t block = 0; block < int64_t(lists.size()); ++block) {
    std::vector<Segment> &list = lists[size_t(block)], complete;
    std::vector<Segment> added;
    int64_t from = 0, to = 0;
    if (block < stretches) {
      from = stretchStart(block, stretches, streamed, steps);
      to = stretchStart(block + 1, stretches, streamed, steps);
    }
    for (int64_t place = from; place < to;) {
      int64_t tile = place / steps, end = std::min(to, (tile + 1) * steps);
      Segment segment{whole + tile, place - tile * steps, end - place};
      if (end != (tile + 1) * steps) {
        list.push_back(segment); // the last one of the stretch, and the first that is done
      } else if (segment.first == 0) {
        complete.push_back(segment);
      } else {
        for (int64_t other = block - 1; other >= 0; --other) {
          ++segment.parts;
          if (stretchStart(other, stretches, streamed, steps) <= tile * steps)
            break;
        }
        added.push_back(segment);
      }
      place = end;
    }
    for (int64_t tile = block; tile < whole; tile += blocks)
      list.push_back({tile, 0, steps});
    list.insert(list.end(), complete.begin(), complete.end());
    list.insert(list.end(), added.begin(), added.end());
  }
  return lists;
}
