// The post-condition of every operation of LinearLayout, over all inputs of a zoo of layouts.
#include "Zoo.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright::layout;

static LinearLayout parse(const char *text) {
  std::string error;
  std::optional<LinearLayout> layout = LinearLayout::parse(text, &error);
  EXPECT_TRUE(layout) << error;
  return layout ? *layout : LinearLayout();
}

static std::string errorOf(const char *text) {
  std::string error;
  EXPECT_FALSE(LinearLayout::parse(text, &error));
  return error;
}

TEST(LinearLayout, TheExampleOfTheHeader) {
  LinearLayout acc = LinearLayout::mmaAccumulator({16, 8}, 1, 1);
  EXPECT_EQ(acc.toString(),
            "{shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}");
  EXPECT_EQ(acc.apply(3, 13, 0), (Coord{11, 3}));
}

TEST(LinearLayout, RepeatsAreOutermostInRegisters) {
  LinearLayout layout = parse("{shape=[2,6], register=[[0,1]], lane=[[1,0]], warp=[], repeat=[1,3]}");
  EXPECT_EQ(layout.numRegisters(), 6);
  for (int r = 0; r < 6; ++r)
    EXPECT_EQ(layout.apply(r, 1, 0), (Coord{1, r}));
}

TEST(LinearLayout, CanonicalFormTurnsInnerPowersOfTwoIntoRegisters) {
  EXPECT_EQ(parse("{shape=[2,24], register=[], lane=[[1,0],[0,1]], warp=[], repeat=[1,12]}"),
            parse("{shape=[2,24], register=[[0,2],[0,4]], lane=[[1,0],[0,1]], warp=[], repeat=[1,3]}"));
  // The 2 of dim 0 is outside of the 3 of dim 1: no bit of the register number is it.
  LinearLayout stays = parse("{shape=[2,3], register=[], lane=[], warp=[], repeat=[2,3]}");
  EXPECT_EQ(stays.repeat(), (Shape{2, 3}));
  for (int r = 0; r < 6; ++r)
    EXPECT_EQ(stays.apply(r, 0, 0), (Coord{r / 3, r % 3}));
}

TEST(LinearLayout, TwiceAsManyElementsAreInTheSameThreads) {
  LinearLayout part = LinearLayout::blocked({96, 2}, {1, 2}, {32, 1}, {1, 1}, {1, 0});
  std::optional<LinearLayout> both = part.twice(1);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->shape(), (Shape{96, 4}));
  EXPECT_EQ(both->numRegisters(), 2 * part.numRegisters());
  for (int reg = 0; reg < both->numRegisters(); ++reg)
    for (int lane : {0, 1, 17}) {
      Coord place = both->apply(reg, lane, 0), atFirst = both->apply(reg, 0, 0);
      place[1] %= 2;
      atFirst[1] %= 2;
      std::optional<int> source = part.registerAt(atFirst);
      ASSERT_TRUE(source);
      EXPECT_EQ(part.apply(*source, lane, 0), place);
    }
  EXPECT_FALSE(part.twice(0)) << "three times 32 rows";
}

TEST(LinearLayout, InterleavedElementsAreInTheSameThreads) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim) {
      std::optional<LinearLayout> both = named.layout.interleaved(dim);
      ASSERT_TRUE(both) << named.name;
      EXPECT_EQ(both->everyOther(dim), named.layout) << named.name;
      for (int reg = 0; reg < both->numRegisters(); ++reg)
        for (int lane = 0; lane < both->numLanes(); lane += 5) {
          Coord place = named.layout.apply(reg / 2, lane, 0);
          place[dim] = 2 * place[dim] + reg % 2;
          EXPECT_EQ(both->apply(reg, lane, 0), place) << named.name;
        }
    }
  LinearLayout lanes = LinearLayout::blocked({4, 64}, {1, 1}, {1, 32}, {1, 1}, {1, 0});
  EXPECT_FALSE(lanes.everyOther(1)) << "the next element is another lane's";
}

TEST(LinearLayout, GroupsInTurnAreInTheSameThreads) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim)
      for (int by : {2, 4}) {
        int64_t atom = named.layout.shape()[dim] / named.layout.repeat()[dim];
        std::optional<LinearLayout> both = named.layout.interleaved(dim, by);
        ASSERT_EQ(both.has_value(), atom % by == 0) << named.name;
        if (!both)
          continue;
        EXPECT_EQ(both->everyOther(dim, by), named.layout) << named.name;
        EXPECT_EQ(both->numRegisters(), 2 * named.layout.numRegisters()) << named.name;
        for (int reg = 0; reg < both->numRegisters(); ++reg)
          for (int lane = 0; lane < both->numLanes(); lane += 5) {
            // The element that the thread has of its part.
            auto ofPart = [&](Coord place) {
              place[dim] = place[dim] / (2 * by) * by + place[dim] % by;
              return place;
            };
            std::optional<int> source = named.layout.registerAt(ofPart(both->apply(reg, 0, 0)));
            ASSERT_TRUE(source) << named.name;
            EXPECT_EQ(named.layout.apply(*source, lane, 0), ofPart(both->apply(reg, lane, 0))) << named.name;
          }
      }
  LinearLayout vectors = LinearLayout::blocked({4, 128}, {1, 4}, {1, 32}, {1, 1}, {1, 0});
  EXPECT_EQ(vectors.interleaved(1, 4)->contiguity(1), 8) << "four of each, side by side";
  EXPECT_FALSE(vectors.everyOther(1, 4)) << "the next group is another lane's";
}

TEST(LinearLayout, RunsAreInRegistersOfTheSameLayout) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim) {
      LinearLayout runs = named.layout.withRun(dim, 4);
      EXPECT_EQ(runs.shape(), named.layout.shape()) << named.name;
      EXPECT_EQ(runs.numRegisters(), named.layout.numRegisters()) << named.name;
      EXPECT_EQ(runs.isSurjective(), named.layout.isSurjective()) << named.name;
      EXPECT_EQ(runs.isInjective(), named.layout.isInjective()) << named.name;
      EXPECT_GE(runs.contiguity(dim), std::min(named.layout.contiguity(dim), 4)) << named.name;
    }
  LinearLayout columns = LinearLayout::coalesced({128, 32}, 16, 8, {1, 0}, 16);
  EXPECT_EQ(columns.contiguity(0), 1) << "rows go to warps first";
  LinearLayout rows = columns.withRun(0, 8);
  EXPECT_EQ(rows.contiguity(0), 8);
  EXPECT_EQ(rows.apply(0, 1, 0), columns.apply(0, 1, 0)) << "lanes stay along columns";
  EXPECT_EQ(rows.apply(0, 0, 1), (Coord{8, 0})) << "each warp has the rows behind the last one's";
  EXPECT_EQ(columns.withRun(0, 1), columns);
  EXPECT_EQ(columns.withRun(1, 8), columns) << "no register is along columns";
}

TEST(LinearLayout, TextRoundTripsAndHashesAlike) {
  std::set<std::string> texts;
  std::set<size_t> hashes;
  for (const Named &named : zoo()) {
    std::string text = named.layout.toString(), error;
    std::optional<LinearLayout> again = LinearLayout::parse(text, &error);
    ASSERT_TRUE(again) << text << ": " << error;
    EXPECT_EQ(*again, named.layout) << named.name;
    EXPECT_EQ(again->hash(), named.layout.hash()) << named.name;
    texts.insert(text);
    hashes.insert(named.layout.hash());
  }
  EXPECT_EQ(texts.size(), hashes.size());
}

TEST(LinearLayout, ParseNamesWhatIsWrong) {
  EXPECT_EQ(errorOf("{shape=[12], register=[]}"),
            "dim 0 of size 12 is not a power of two times its repeat of 1");
  EXPECT_EQ(errorOf("{shape=[4], register=[[4]]}"),
            "register bit 0 is at 4 along dim 0, outside the atom of 4");
  EXPECT_EQ(errorOf("{shape=[4], lane=[[1,2]]}"), "lane bit 0 has 2 coordinates for a tensor of rank 1");
  EXPECT_EQ(errorOf("{shape=[4], lanes=[]}"), "unknown field 'lanes'");
  EXPECT_EQ(errorOf("{shape=[4"), "expected ',' or ']' at character 9");
  EXPECT_EQ(errorOf("{shape=[4], repeat=[1,1]}"), "repeat has 2 entries for a tensor of rank 1");
  EXPECT_EQ(errorOf("{shape=[3000000], repeat=[3000000]}"), "more than 1048576 registers per thread");
  EXPECT_EQ(errorOf("{register=[]}"), "expected shape=[...]");
  EXPECT_EQ(errorOf("{shape=[-4]}"), "dim 0 of size -4 is not a power of two times its repeat of 1");
}

TEST(LinearLayout, InjectiveSurjectiveFreeBits) {
  for (const Named &named : zoo()) {
    const LinearLayout &layout = named.layout;
    std::map<Coord, int> holders;
    std::set<Coord> owned;
    uint32_t freeReg = layout.freeBits(Hw::Register), freeLane = layout.freeBits(Hw::Lane),
             freeWarp = layout.freeBits(Hw::Warp);
    bool ownedOnce = true;
    forAllPoints(layout, [&](const HwCoord &p) {
      Coord c = layout.apply(p);
      ++holders[c];
      if (!(p.lane & freeLane) && !(p.warp & freeWarp) && !((p.reg % layout.atomRegisters()) & freeReg))
        ownedOnce &= owned.insert(c).second;
    });
    bool injective = true;
    for (const auto &[c, count] : holders)
      injective &= count == 1;
    int64_t elements = 1;
    for (int64_t size : layout.shape())
      elements *= size;
    EXPECT_EQ(layout.isInjective(), injective) << named.name;
    EXPECT_EQ(layout.isSurjective(), static_cast<int64_t>(holders.size()) == elements) << named.name;
    EXPECT_TRUE(ownedOnce) << named.name;
    EXPECT_EQ(owned.size(), holders.size()) << named.name;
  }
}

TEST(LinearLayout, CanonicalRegistersAreTheLowestEqualOnes) {
  for (const Named &named : zoo()) {
    RegisterMap canonical = named.layout.canonicalRegisters();
    for (int r = 0; r < named.layout.numRegisters(); ++r) {
      int lowest = 0;
      while (named.layout.apply(lowest, 0, 0) != named.layout.apply(r, 0, 0))
        ++lowest;
      ASSERT_EQ(canonical[r], lowest) << named.name;
      ASSERT_EQ(named.layout.registerAt(named.layout.apply(r, 0, 0)), lowest) << named.name;
    }
  }
}

TEST(LinearLayout, ContiguityIsTheLargestRunOfRegisters) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim) {
      const LinearLayout &layout = named.layout;
      auto holds = [&](int n) {
        if (layout.numRegisters() % n)
          return false;
        bool ok = true;
        forAllPoints(layout, [&](const HwCoord &p) {
          Coord want = layout.apply(p.reg / n * n, p.lane, p.warp);
          ok &= want[dim] % n == 0;
          want[dim] += p.reg % n;
          ok &= layout.apply(p) == want;
        });
        return ok;
      };
      int n = layout.contiguity(dim);
      EXPECT_TRUE(holds(n)) << named.name << " dim " << dim;
      EXPECT_FALSE(holds(2 * n)) << named.name << " dim " << dim;
    }
}

TEST(LinearLayout, VectorGroupsAreAlignedRunsOfCanonicalRegisters) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim)
      for (int elemBits : {8, 16, 32})
        for (int alignment : {16, 128}) {
          if (alignment < elemBits)
            continue;
          const LinearLayout &layout = named.layout;
          VectorAccess access = layout.vectorAccess(elemBits, dim, alignment);
          EXPECT_LE(access.elems * elemBits, alignment);
          EXPECT_EQ(layout.vectorWidth(elemBits, dim, alignment), access.elems);
          std::set<int> seen;
          for (const std::vector<int> &group : access.groups) {
            ASSERT_EQ(static_cast<int>(group.size()), access.elems);
            for (int e = 0; e < access.elems; ++e) {
              EXPECT_TRUE(seen.insert(group[e]).second);
              for (int lane = 0; lane < layout.numLanes(); ++lane) {
                Coord want = layout.apply(group[0], lane, layout.numWarps() - 1);
                ASSERT_EQ(want[dim] % access.elems, 0) << named.name;
                want[dim] += e;
                ASSERT_EQ(layout.apply(group[e], lane, layout.numWarps() - 1), want) << named.name;
              }
            }
          }
          std::set<int> canonical;
          for (int r : layout.canonicalRegisters())
            canonical.insert(r);
          EXPECT_EQ(seen, canonical) << named.name;
        }
}

TEST(LinearLayout, VectorsNeedNotBeTheLowestRegisters) {
  LinearLayout layout = parse("{shape=[2,4], register=[[1,0],[0,1],[0,2]], lane=[], warp=[]}");
  VectorAccess access = layout.vectorAccess(32, 1);
  EXPECT_EQ(layout.contiguity(1), 1);
  EXPECT_EQ(access.elems, 4);
  EXPECT_EQ(access.groups, (std::vector<std::vector<int>>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
}

TEST(LinearLayout, ProductPlacesCopiesAndQuotientsUndoIt) {
  std::vector<LinearLayout> inner = {
      LinearLayout::mmaAccumulator({16, 8}, 1, 1),
      parse("{shape=[1,8], register=[[0,1],[0,2]], lane=[[0,4]], warp=[]}"),
      parse("{shape=[2,2], register=[[0,1],[0,0]], lane=[[1,1]], warp=[[1,0]]}")};
  std::vector<LinearLayout> outer = {
      parse("{shape=[4,2], register=[[0,1]], lane=[], warp=[[1,0],[2,0]]}"),
      parse("{shape=[2,11], register=[], lane=[], warp=[[1,0]], repeat=[1,11]}"),
      parse("{shape=[3,4], register=[[0,0]], lane=[[0,2],[0,1]], warp=[], repeat=[3,1]}")};
  for (const LinearLayout &a : inner)
    for (const LinearLayout &b : outer) {
      LinearLayout ab = a * b;
      Shape shape = ab.shape();
      forAllPoints(ab, [&](const HwCoord &p) {
        HwCoord low{p.reg % a.numRegisters(), p.lane % a.numLanes(), p.warp % a.numWarps(), 0};
        HwCoord high{p.reg / a.numRegisters(), p.lane / a.numLanes(), p.warp / a.numWarps(), 0};
        Coord want = a.apply(low), place = b.apply(high);
        for (int d = 0; d < a.rank(); ++d)
          want[d] += static_cast<int32_t>(a.shape()[d] * place[d]);
        ASSERT_EQ(ab.apply(p), want);
      });
      EXPECT_EQ(ab.divideLeft(a), b);
      EXPECT_EQ(ab.divideRight(b), a);
    }
  // An accumulator of one warp tiles that of four.
  LinearLayout tile = LinearLayout::mmaAccumulator({16, 8}, 1, 1),
               whole = LinearLayout::mmaAccumulator({64, 176}, 4, 1);
  std::optional<LinearLayout> places = whole.divideLeft(tile);
  ASSERT_TRUE(places);
  EXPECT_EQ(tile * *places, whole);
  EXPECT_TRUE(whole.divideLeft(LinearLayout::mmaOperandA({16, 16}, 16, 1, 1))) << "two accumulators are an A";
  EXPECT_FALSE(whole.divideLeft(LinearLayout::mmaOperandB({16, 8}, 16, 1, 1)));
  EXPECT_FALSE(whole.divideRight(tile));
  EXPECT_FALSE(whole.product(tile)) << "repeats stay outermost";
}

TEST(LinearLayout, ComposeFollowsTheInnerLayoutFirst) {
  LinearLayout acc = LinearLayout::mmaAccumulator({64, 176}, 4, 1);
  // Reverse lane bits, exchange two register bits, keep warps.
  Shape points = {acc.numRegisters(), 32, 4, 1};
  std::array<LinearLayout::Bases, 4> bases;
  int registerBits = static_cast<int>(acc.bases(Hw::Register).size());
  for (int bit = 0; bit < registerBits; ++bit)
    bases[0].push_back({bit < 2 ? 2 >> bit : 1 << bit, 0, 0, 0});
  for (int bit = 0; bit < 5; ++bit)
    bases[1].push_back({0, 16 >> bit, 0, 0});
  for (int bit = 0; bit < 2; ++bit)
    bases[2].push_back({0, 0, 1 << bit, 0});
  std::optional<LinearLayout> inner = LinearLayout::create(points, bases, {11, 1, 1, 1});
  ASSERT_TRUE(inner);
  std::optional<LinearLayout> composed = acc.compose(*inner);
  ASSERT_TRUE(composed);
  forAllPoints(*composed, [&](const HwCoord &p) {
    Coord point = inner->apply(p);
    ASSERT_EQ(composed->apply(p), acc.apply(point[0], point[1], point[2], point[3]));
  });
  EXPECT_FALSE(LinearLayout::mmaAccumulator({16, 8}, 1, 1).compose(*inner));
}

TEST(LinearLayout, InverseFindsTheCanonicalHolder) {
  for (const Named &named : zoo()) {
    const LinearLayout &layout = named.layout;
    std::optional<LayoutInverse> inverse = layout.invert();
    ASSERT_EQ(inverse.has_value(), layout.isSurjective()) << named.name;
    if (!inverse)
      continue;
    forAll(layout.shape(), [&](const Coord &c) {
      HwCoord p = inverse->at(c);
      ASSERT_EQ(layout.apply(p), c) << named.name;
      ASSERT_FALSE(p.lane & layout.freeBits(Hw::Lane));
      ASSERT_FALSE(p.warp & layout.freeBits(Hw::Warp));
    });
  }
  EXPECT_FALSE(parse("{shape=[4], register=[[1]], lane=[], warp=[]}").invert());
}

TEST(LinearLayout, ProjectionKeepsElementsUpToTheDim) {
  for (const Named &named : zoo())
    for (int dim = 0; dim < named.layout.rank(); ++dim) {
      const LinearLayout &layout = named.layout;
      Projection projection = layout.project(dim);
      std::set<Coord> offsets;
      for (int r = 0; r < projection.layout.numRegisters(); ++r)
        EXPECT_TRUE(offsets.insert(projection.layout.apply(r, 0, 0)).second) << "duplicated register";
      EXPECT_EQ(projection.layout.shape()[dim], 1);
      forAllPoints(layout, [&](const HwCoord &p) {
        Coord want = layout.apply(p);
        want[dim] = 0;
        ASSERT_EQ(projection.layout.apply(projection.map[p.reg], p.lane, p.warp), want) << named.name;
      });
      EXPECT_EQ(layout.expandSource(dim).layout, projection.layout);
    }
}

TEST(LinearLayout, TransposePermutesCoordinates) {
  for (const Named &named : zoo()) {
    const LinearLayout &layout = named.layout;
    std::vector<int> perm;
    for (int d = 0; d < layout.rank(); ++d)
      perm.push_back((d + 1) % layout.rank());
    RegisterMap map;
    LinearLayout transposed = layout.transpose(perm, &map);
    forAllPoints(transposed, [&](const HwCoord &p) {
      Coord from = layout.apply(map[p.reg], p.lane, p.warp), to = transposed.apply(p);
      for (int d = 0; d < layout.rank(); ++d)
        ASSERT_EQ(to[d], from[perm[d]]) << named.name;
    });
  }
}

TEST(LinearLayout, UnitDimsComeAndGo) {
  LinearLayout acc = LinearLayout::mmaAccumulator({80, 96}, 2, 2);
  LinearLayout batched = acc.addUnitDims({0, 3});
  EXPECT_EQ(batched.shape(), (Shape{1, 80, 96, 1}));
  EXPECT_EQ(batched.apply(7, 5, 3), (Coord{0, acc.apply(7, 5, 3)[0], acc.apply(7, 5, 3)[1], 0}));
  EXPECT_EQ(batched.dropUnitDims({0, 3}), acc);
  EXPECT_EQ(LinearLayout::mmaAccumulator({1, 80, 96}, 2, 2), acc.addUnitDims({0}));
}

TEST(LinearLayout, ReshapeKeepsTheRowMajorIndex) {
  auto check = [](const LinearLayout &layout, const Shape &shape) {
    std::optional<LinearLayout> reshaped = layout.reshape(shape);
    ASSERT_TRUE(reshaped) << layout.toString();
    ASSERT_EQ(reshaped->shape(), shape);
    forAllPoints(layout, [&](const HwCoord &p) {
      ASSERT_EQ(rowMajorIndex(reshaped->apply(p), shape), rowMajorIndex(layout.apply(p), layout.shape()));
    });
  };
  check(LinearLayout::mmaAccumulator({64, 176}, 4, 1), {64, 11, 16});
  check(LinearLayout::mmaAccumulator({64, 176}, 4, 1), {8, 8, 176});
  check(LinearLayout::mmaAccumulator({64, 64}, 2, 2), {4096});
  check(LinearLayout::mmaAccumulator({64, 64}, 2, 2), {1, 16, 1, 256, 1});
  check(LinearLayout::coalesced({1, 384}, 32, 4, {1, 0}), {384});
  check(LinearLayout::coalesced({1, 384}, 32, 4, {1, 0}), {3, 128});
  check(LinearLayout::coalesced({96, 64}, 16, 4, {1, 0}), {12, 8, 64});
  check(LinearLayout::coalesced({6, 1}, 16, 4, {1, 0}), {3, 2});
  EXPECT_FALSE(LinearLayout::coalesced({8, 12}, 16, 4, {1, 0}).reshape({96})) << "8 lies outside of the 3";
  EXPECT_FALSE(LinearLayout::coalesced({8, 12}, 16, 4, {1, 0}).reshape({95}));
}
