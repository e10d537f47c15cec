// A footprint says of a set of blocks in which range, modulo a period, lie the bytes that they touch: it
// holds every byte that one of them touches when all digits are gone through, and is no wider than those
// where digits nest.
#include "Tilewright/Dialect/Ptx/IR/Footprint.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <functional>
#include <random>
#include <set>

using namespace tilewright::ptx;

/// First bytes of the elements that block `block` touches.
static std::set<int64_t> placesOf(const FootprintAccess &access, int64_t block) {
  std::set<int64_t> places = {access.offset};
  for (const FootprintDim &dim : access.dims) {
    std::set<int64_t> sums = {dim.first};
    for (const FootprintTerm &term : dim.terms) {
      std::set<int64_t> next;
      for (int64_t sum : sums)
        for (int64_t digit = 0; digit < term.count; ++digit)
          if (!term.unit || digit == block / term.unit % term.count)
            next.insert(sum + digit * term.bytes);
      sums = next;
    }
    std::set<int64_t> next;
    for (int64_t place : places)
      for (int64_t sum : sums)
        if (sum >= dim.least && sum <= dim.most)
          next.insert(place + sum);
    places = next;
  }
  return places;
}

/// Whether the range, modulo the period, holds all that blocks of `set`, of `blocks`, touch.
static bool holdsAll(const FootprintAccess &access, BlockSet set, int64_t blocks, int64_t period) {
  Footprint footprint;
  footprint.accesses.push_back(access);
  ByteSpan span = footprint.touched(set, period);
  for (int64_t block = 0; block < blocks; ++block) {
    int64_t digit = block / set.unit % set.count;
    if (digit < set.first || digit > set.last)
      continue;
    for (int64_t place : placesOf(access, block))
      for (int64_t byte = place; byte < place + access.width; ++byte) {
        int64_t inside = (byte % period + period) % period;
        if (inside < span.from || inside >= span.to)
          return false;
      }
  }
  return true;
}

TEST(Footprint, HoldsWhatBlocksTouch) {
  std::mt19937 random(7);
  auto draw = [&](std::initializer_list<int64_t> from) { return *(from.begin() + random() % from.size()); };
  for (int round = 0; round < 3000; ++round) {
    // Grids of three digits, of which a dimension takes some, from either end.
    int64_t counts[3] = {draw({1, 2, 3, 4, 6}), draw({1, 2, 4, 5}), draw({1, 2, 3, 8})};
    int64_t units[3] = {1, counts[0], counts[0] * counts[1]}, blocks = units[2] * counts[2];
    FootprintAccess access{draw({0, 0, 8, 40}), draw({1, 4, 8}), {}};
    for (int d = 0, dims = 1 + (int)(random() % 2); d < dims; ++d) {
      FootprintDim dim;
      dim.least = 0;
      dim.most = draw({100, 500, 4000});
      for (int i = 0, terms = 1 + (int)(random() % 3); i < terms; ++i) {
        int which = (int)(random() % 4);
        FootprintTerm term{draw({4, 8, 16, 32, 64, 96, 192}), which < 3 ? counts[which] : draw({2, 3, 6}),
                           which < 3 ? units[which] : 0};
        if (which < 2 && random() % 3 == 0)
          term.count *= counts[which + 1];
        if (random() % 4 == 0) {
          dim.first += term.bytes * (term.count - 1);
          term.bytes = -term.bytes;
        }
        dim.terms.push_back(term);
      }
      access.dims.push_back(dim);
    }
    int which = (int)(random() % 3);
    BlockSet set{units[which], counts[which], 0, 0};
    if (which < 2 && random() % 2)
      set.count *= counts[which + 1];
    set.first = (int64_t)(random() % (unsigned)set.count);
    set.last = set.first + (int64_t)(random() % (unsigned)(set.count - set.first));
    int64_t period = draw({16, 64, 96, 192, 384, 768, 100000});
    ASSERT_TRUE(holdsAll(access, set, blocks, period)) << "round " << round;
  }
}

TEST(Footprint, IsTight) {
  // 64 rows of 384 bytes in tiles of 8, as 4 matrices of 16 rows: of the second half of each matrix the rows
  // 8 to 15.
  Footprint rows;
  rows.accesses.push_back({0, 4, {{0, 0, 24192, {{3072, 8, 1}, {384, 8, 0}}}, {0, 0, 380, {{4, 96, 0}}}}});
  ByteSpan half = rows.touched({1, 2, 1, 1}, 6144);
  EXPECT_EQ(half.from, 3072);
  EXPECT_EQ(half.to, 6144);
  // The second and third matrix.
  ByteSpan matrices = rows.touched({2, 4, 1, 2}, 24576);
  EXPECT_EQ(matrices.from, 6144);
  EXPECT_EQ(matrices.to, 18432);
  // Columns of all rows: those of the row's period.
  Footprint columns;
  columns.accesses.push_back({0, 4, {{0, 0, 24192, {{384, 64, 0}}}, {0, 0, 380, {{128, 3, 1}, {4, 32, 0}}}}});
  ByteSpan middle = columns.touched({1, 3, 1, 1}, 384);
  EXPECT_EQ(middle.from, 128);
  EXPECT_EQ(middle.to, 256);
}

TEST(Footprint, IsWrittenAndReadAgain) {
  mlir::MLIRContext context;
  Footprint footprint;
  footprint.accesses.push_back({8, 4, {{0, 0, 380, {{128, 3, 1}, {4, 32, 0}}}, {4, 0, 4, {}}}});
  auto again = Footprint::decode(footprint.encode(&context));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->encode(&context), footprint.encode(&context));
  EXPECT_FALSE(Footprint::decode(mlir::Attribute()).has_value());
}
