// Orders of tiles: each tile once, neighbours next to one another, short stretches compact.
#include "Tilewright/Layout/WorkLists.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace tilewright::layout;

namespace {

TEST(HilbertOrder, HasEveryTileOnce) {
  for (int64_t rows = 1; rows <= 19; ++rows)
    for (int64_t columns = 1; columns <= 40; ++columns) {
      std::vector<int32_t> tiles = hilbertOrder(rows, columns);
      std::sort(tiles.begin(), tiles.end());
      ASSERT_EQ(int64_t(tiles.size()), rows * columns);
      for (size_t i = 0; i < tiles.size(); ++i)
        ASSERT_EQ(tiles[i], int32_t(i)) << rows << "x" << columns;
    }
}

TEST(HilbertOrder, StepsToNeighboursInSquaresOfPowersOfTwo) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{8, 8}, {16, 16}, {8, 32}, {64, 16}, {2, 8}}) {
    std::vector<int32_t> tiles = hilbertOrder(rows, columns);
    for (size_t i = 1; i < tiles.size(); ++i) {
      int64_t down = std::abs(tiles[i] / columns - tiles[i - 1] / columns);
      int64_t across = std::abs(tiles[i] % columns - tiles[i - 1] % columns);
      ASSERT_EQ(down + across, 1) << rows << "x" << columns << " at " << i;
    }
  }
}

TEST(HilbertOrder, ShortStretchesTouchFewRowsAndColumns) {
  // 132 tiles at once, as blocks of one round have them: 12 + 11 at best, 1 + 64 and more row after row.
  int64_t rows = 64, columns = 112;
  std::vector<int32_t> tiles = hilbertOrder(rows, columns);
  size_t worst = 0;
  for (size_t first = 0; first + 132 <= tiles.size(); first += 132) {
    std::set<int64_t> lines;
    for (size_t i = first; i < first + 132; ++i) {
      lines.insert(tiles[i] / columns);
      lines.insert(rows + tiles[i] % columns);
    }
    worst = std::max(worst, lines.size());
  }
  EXPECT_LE(worst, 48u);
}

/// Every step of every tile is done once; who adds parts finds them with the blocks just before, which give
/// one sum each, first.
void expectSound(int64_t tiles, int64_t steps, int64_t blocks, int64_t rounds) {
  SCOPED_TRACE(testing::Message() << tiles << " tiles of " << steps << " steps on " << blocks << " blocks, "
                                  << rounds << " rounds");
  WorkLists lists = divideSteps(tiles, steps, blocks, rounds);
  if (lists.empty())
    return;
  ASSERT_LE(int64_t(lists.size()), blocks);
  std::vector<std::vector<int>> done(static_cast<size_t>(tiles),
                                     std::vector<int>(static_cast<size_t>(steps)));
  for (size_t block = 0; block < lists.size(); ++block)
    for (size_t i = 0; i < lists[block].size(); ++i) {
      const Segment &segment = lists[block][i];
      ASSERT_GT(segment.steps, 0);
      for (int64_t step = segment.first; step < segment.first + segment.steps; ++step)
        ++done[size_t(segment.tile)][size_t(step)];
      bool ends = segment.first + segment.steps == steps;
      if (!ends)
        ASSERT_EQ(i, 0u) << "block " << block << " gives a sum later than first";
      ASSERT_EQ(segment.parts != 0, ends && segment.first != 0);
      // Those just before have the steps before, all of them from the first one on.
      int64_t from = segment.first;
      for (int64_t part = 1; part <= segment.parts; ++part) {
        ASSERT_GE(int64_t(block), part);
        const std::vector<Segment> &other = lists[block - size_t(part)];
        ASSERT_FALSE(other.empty());
        ASSERT_EQ(other.front().tile, segment.tile);
        ASSERT_EQ(other.front().first + other.front().steps, from);
        from = other.front().first;
      }
      if (segment.parts)
        ASSERT_EQ(from, 0);
    }
  for (const std::vector<int> &tile : done)
    for (int times : tile)
      ASSERT_EQ(times, 1);
}

TEST(DivideSteps, DoesEveryStepOnceAndHandsSumsToTheNextBlock) {
  for (int64_t tiles : {1, 2, 3, 5, 7, 12, 17, 32, 100, 133, 200, 263, 265})
    for (int64_t steps : {1, 2, 3, 4, 5, 16, 17, 63, 64})
      for (int64_t blocks : {1, 2, 3, 4, 8, 66, 132})
        for (int64_t rounds : {1, 2, 3, 9})
          expectSound(tiles, steps, blocks, rounds);
}

TEST(DivideSteps, SharesEvenly) {
  // 64 tiles of 16 steps on 132 blocks: 7.75 steps each, where whole tiles take 16.
  WorkLists lists = divideSteps(64, 16, 132, 1);
  ASSERT_EQ(lists.size(), 132u);
  for (const std::vector<Segment> &list : lists) {
    int64_t steps = 0;
    for (const Segment &segment : list)
      steps += segment.steps;
    EXPECT_LE(steps, 12);
  }
}

TEST(DivideSteps, LeavesWholeRoundsAlone) {
  EXPECT_TRUE(divideSteps(264, 64, 132, 2).empty());
  EXPECT_TRUE(divideSteps(10, 64, 1, 2).empty());
  // 300 tiles: one round of whole tiles, 168 tiles by steps.
  WorkLists lists = divideSteps(300, 64, 132, 2);
  int64_t whole = 0;
  for (const std::vector<Segment> &list : lists)
    for (const Segment &segment : list)
      whole += segment.tile < 132;
  EXPECT_EQ(whole, 132);
}

} // namespace
