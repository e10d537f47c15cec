// Tiles of views: every access is consecutive, aligned, and in or out of bounds as a whole.
#include "Tilewright/Layout/GlobalAccess.h"
#include "Zoo.h"
#include <gtest/gtest.h>

using namespace tilewright::layout;

namespace {
struct NamedView {
  std::string name;
  StridedView view;
};
} // namespace

static std::vector<NamedView> views() {
  std::vector<NamedView> out;
  for (const Shape &shape : std::vector<Shape>{{100, 96}, {70, 77}, {64, 6}, {1, 384}, {33, 130}}) {
    std::string name = std::to_string(shape[0]) + "x" + std::to_string(shape[1]);
    StridedView rows = StridedView::rowMajor(shape);
    out.push_back({name, rows});
    out.push_back({name + " transposed", rows.transpose({1, 0})});
    out.push_back({name + " padded", *rows.pad({1, 4}, {0, 2})});
    out.push_back({name + " sliced", *rows.slice({0, 2}, {shape[0], shape[1] - 2}, {1, 1})});
    out.push_back({name + " every other", *rows.slice({0, 0}, {shape[0], shape[1] / 2}, {1, 2})});
    out.push_back({name + " broadcast", *StridedView::rowMajor({shape[1]}).broadcast({40, shape[1]}, {1})});
  }
  out.push_back({"heads", *StridedView::rowMajor({16, 4, 32}).transpose({1, 0, 2}).reshape({64, 32})});
  return out;
}

TEST(GlobalAccess, InstructionsAreConsecutiveAlignedAndUniform) {
  for (const NamedView &named : views())
    for (const Shape &tile : std::vector<Shape>{{16, 32}, {32, 16}, {8, 48}, {1, 64}, {3, 5}})
      for (int elemBits : {8, 16, 32}) {
        Shape extents = named.view.shape();
        std::vector<LinearLayout> layouts = {coalescedFor(named.view, tile, tile, elemBits, 2),
                                             LinearLayout::mmaAccumulator(tile, 2, 1),
                                             LinearLayout::coalesced(tile, elemBits, 2, {1, 0})};
        for (const LinearLayout &layout : layouts) {
          GlobalAccess access = globalAccess(named.view, layout, tile, elemBits);
          int elems = access.vectors.elems;
          Coord c;
          ASSERT_LE(elems * elemBits, 128);
          for (int64_t i = 0; i < extents[0]; i += tile[0])
            for (int64_t j = 0; j < extents[1]; j += tile[1])
              for (const std::vector<int> &group : access.vectors.groups)
                for (int lane = 0; lane < 32; lane += 3)
                  for (int warp = 0; warp < 2; ++warp) {
                    auto offset = [&](int reg) -> std::optional<int64_t> {
                      layout.apply({reg, lane, warp}, c);
                      if (i + c[0] >= extents[0] || j + c[1] >= extents[1])
                        return std::nullopt;
                      return named.view.offsetOf({i + c[0], j + c[1]});
                    };
                    std::optional<int64_t> first = offset(group[0]);
                    if (first)
                      ASSERT_EQ(*first % elems, 0) << named.name;
                    for (int e = 1; e < elems; ++e) {
                      std::optional<int64_t> here = offset(group[e]);
                      ASSERT_EQ(here.has_value(), first.has_value()) << named.name;
                      if (first)
                        ASSERT_EQ(*here, *first + e) << named.name;
                    }
                  }
        }
      }
}

/// Views whose rows, or all of which, begin at no multiple of a vector.
static std::vector<NamedView> viewsThatBeginAnywhere() {
  std::vector<NamedView> out;
  for (int64_t low : {1, 2, 3, 5})
    for (int64_t high : {0, 1, 3}) {
      std::string name = std::to_string(low) + ", " + std::to_string(high);
      out.push_back({"padded by " + name, *StridedView::rowMajor({7, 592}).pad({0, low}, {0, high})});
      out.push_back({"sliced by " + name,
                     *StridedView::rowMajor({7, 592}).slice({0, low}, {7, 592 - low - high}, {1, 1})});
      out.push_back(
          {"run sliced by " + name, *StridedView::rowMajor({2377}).slice({low}, {2377 - low - high}, {1})});
      out.push_back({"run padded by " + name, *StridedView::rowMajor({2377}).pad({low}, {high})});
    }
  return out;
}

TEST(GlobalAccess, GroupsWithAShiftArePartsOfTwoVectors) {
  int shifted = 0, chained = 0;
  for (const NamedView &named : viewsThatBeginAnywhere())
    for (int64_t along : {128, 256, 1024})
      for (int elemBits : {16, 32})
        for (int registerBits : {16, 32})
          for (auto [mayEnd, shifts] : {std::pair(false, Shifts::OfLoads), std::pair(false, Shifts::OfStores),
                                        std::pair(true, Shifts::OfStores)}) {
            Shape extents = named.view.shape(), tile(extents.size(), 1);
            tile.back() = along;
            LinearLayout layout =
                LinearLayout::coalesced(tile, registerBits, 2, LinearLayout::rowMajorOrder((int)tile.size()));
            GlobalAccess access = globalAccess(named.view, layout, tile, elemBits, 128, mayEnd, shifts);
            if (access.shift == 0)
              continue;
            ++shifted;
            int elems = access.vectors.elems, lanes = 1 << access.runLanes;
            chained += (int)access.chains.front().size() > elems;
            const ViewDim &dim = named.view.dims().back();
            Coord c;
            for (int64_t i = 0; i < (tile.size() == 1 ? 1 : extents[0]); ++i)
              for (int64_t j = 0; j < extents.back(); j += along) {
                // Of tiles that stick out those of views that end anywhere are accessed otherwise.
                bool inside = dim.start + j >= 0 && dim.start + j + along <= dim.innerExtent() &&
                              j + along <= extents.back();
                if (mayEnd && !inside)
                  continue;
                for (const std::vector<int> &chain : access.chains)
                  for (int lane = 0; lane < 32; ++lane)
                    for (int warp = 0; warp < 2; ++warp) {
                      auto offset = [&](int reg, int lane) -> std::optional<int64_t> {
                        layout.apply({reg, lane, warp}, c);
                        if (j + c.back() >= extents.back())
                          return std::nullopt;
                        return named.view.offsetOf(tile.size() == 1 ? Shape{j + c[0]}
                                                                    : Shape{i + c[0], j + c[1]});
                      };
                      for (size_t r = 0; r < chain.size(); ++r) {
                        std::optional<int64_t> here = offset(chain[r], lane);
                        size_t begin = (int)r < access.shift ? 0 : r - (r - access.shift) % elems;
                        std::optional<int64_t> first = offset(chain[begin], lane);
                        ASSERT_EQ(here.has_value(), first.has_value()) << named.name;
                        if (!here)
                          continue;
                        ASSERT_EQ(*here, *first + (int64_t)(r - begin)) << named.name;
                        ASSERT_EQ(((*here - (int64_t)r + access.shift) % elems + elems) % elems, 0)
                            << named.name;
                      }
                      if ((lane + 1) % lanes == 0)
                        continue;
                      std::optional<int64_t> end = offset(chain.back(), lane),
                                             next = offset(chain[0], lane + 1);
                      ASSERT_EQ(end.has_value(), next.has_value()) << named.name;
                      if (end)
                        ASSERT_EQ(*next, *end + 1) << named.name;
                    }
              }
          }
  EXPECT_GE(shifted, 40);
  EXPECT_GE(chained, 10);
}

TEST(GlobalAccess, PiecesOfAVectorAreAligned) {
  for (int elems : {2, 4, 8, 16})
    for (int shift = 1; shift < elems; ++shift) {
      int at = elems - shift;
      for (int size : piecesBefore(shift)) {
        EXPECT_EQ(at % size, 0);
        at += size;
      }
      EXPECT_EQ(at, elems);
      at = 0;
      for (int size : piecesBehind(elems, shift)) {
        EXPECT_EQ(at % size, 0);
        at += size;
      }
      EXPECT_EQ(at, elems - shift);
    }
}

TEST(GlobalAccess, FollowsTheViewsOrder) {
  StridedView rows = StridedView::rowMajor({128, 768});
  EXPECT_EQ(accessOrder(rows), (std::vector<int>{1, 0}));
  EXPECT_EQ(accessOrder(rows.transpose({1, 0})), (std::vector<int>{0, 1}));
  EXPECT_EQ(accessOrder(*StridedView::rowMajor({768}).broadcast({128, 768, 4}, {1})),
            (std::vector<int>{1, 2, 0}));
  LinearLayout layout = coalescedFor(rows, {64, 64}, {64, 64}, 16, 4);
  EXPECT_EQ(globalAccess(rows, layout, {64, 64}, 16).vectors.elems, 8);
  LinearLayout columns = coalescedFor(rows.transpose({1, 0}), {64, 64}, {64, 64}, 32, 4);
  EXPECT_EQ(columns.contiguity(0), 4);
  EXPECT_EQ(globalAccess(rows.transpose({1, 0}), columns, {64, 64}, 32).dim, 0);
  // A row of 770 bf16 starts at multiples of 4 bytes only.
  EXPECT_EQ(coalescedFor(StridedView::rowMajor({128, 770}), {64, 64}, {64, 64}, 16, 4).contiguity(1), 2);
}

TEST(GlobalAccess, CountsTheSectorsOfAWarp) {
  auto traffic = [](const StridedView &view, const Shape &tile, const LinearLayout &layout, int bits) {
    return warpTraffic(view, layout, globalAccess(view, layout, tile, bits), bits);
  };
  // 32 lanes of 16 bytes side by side.
  StridedView rows = StridedView::rowMajor({64, 128});
  LinearLayout along = coalescedFor(rows, {4, 128}, {4, 128}, 32, 4);
  EXPECT_EQ(traffic(rows, {4, 128}, along, 32).sectors, 16);
  EXPECT_EQ(traffic(rows, {4, 128}, along, 32).least, 16);
  // A lane a row: eight instructions, each of half of 32 sectors; or 32, of two words each of 16.
  LinearLayout across = LinearLayout::blocked({32, 32}, {1, 1}, {32, 1}, {1, 1}, {0, 1});
  EXPECT_EQ(traffic(rows, {32, 32}, across, 32).sectors, 8 * 32);
  EXPECT_EQ(traffic(rows, {32, 32}, across, 32).least, 4 * 32);
  LinearLayout pairs = LinearLayout::blocked({32, 32}, {1, 1}, {16, 2}, {1, 1}, {1, 0});
  EXPECT_EQ(traffic(rows, {32, 32}, pairs, 32).sectors, 16 * 32);
  // Of eight 16-bit elements of a lane each is stored by itself where the tensor is a slice from an odd
  // place.
  StridedView odd = *StridedView::rowMajor({8192}).pad({-3}, {0});
  LinearLayout wide = LinearLayout::coalesced({256}, 16, 1, {0}, 128);
  EXPECT_EQ(traffic(odd, {256}, wide, 16).sectors, 8 * 16 + 3)
      << "lanes whose sector ends earlier than the first";
  // Lanes beyond the end touch nothing, and all of a broadcast one.
  StridedView few = StridedView::rowMajor({5});
  EXPECT_EQ(traffic(few, {32}, LinearLayout::coalesced({32}, 32, 1, {0}, 32), 32).sectors, 1);
  StridedView same = *StridedView::rowMajor({1}).broadcast({32}, {0});
  EXPECT_EQ(traffic(same, {32}, LinearLayout::coalesced({32}, 32, 1, {0}, 32), 32).sectors, 1);
}

TEST(GlobalAccess, WarpsCoverWholeSectorsOrNot) {
  auto covers = [](const StridedView &view, const Shape &tile, const LinearLayout &layout) {
    return coversSectors(view, layout, globalAccess(view, layout, tile, 32), tile, 32);
  };
  StridedView rows = StridedView::rowMajor({64, 128});
  EXPECT_TRUE(covers(rows, {4, 128}, coalescedFor(rows, {4, 128}, {4, 128}, 32, 4)));
  EXPECT_TRUE(covers(rows.transpose({1, 0}), {128, 4},
                     coalescedFor(rows.transpose({1, 0}), {128, 4}, {128, 4}, 32, 4)));
  EXPECT_TRUE(covers(rows, {64, 64}, LinearLayout::mmaAccumulator({64, 64}, 2, 2)))
      << "four lanes have eight neighbours";
  EXPECT_FALSE(covers(rows, {32, 32}, LinearLayout::coalesced({32, 32}, 32, 4, {0, 1}))) << "a lane a row";
  StridedView odd = StridedView::rowMajor({64, 129});
  EXPECT_FALSE(covers(odd, {4, 128}, coalescedFor(odd, {4, 128}, {4, 128}, 32, 4))) << "rows of odd length";
  StridedView half = *rows.slice({0, 4}, {64, 64}, {1, 1});
  EXPECT_FALSE(covers(half, {4, 64}, coalescedFor(half, {4, 64}, {4, 64}, 32, 4)))
      << "from the middle of one";
}
