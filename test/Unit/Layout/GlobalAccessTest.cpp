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
