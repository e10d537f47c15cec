// Views against brute force: each op's post-condition on every index, and long random chains of ops.
#include "Tilewright/Layout/StridedView.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

using namespace tilewright::layout;
using Index = std::vector<int64_t>;

static int64_t count(const Index &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}
static Index digits(int64_t n, const Index &shape) {
  Index out(shape.size());
  for (size_t d = shape.size(); d-- > 0; n /= shape[d])
    out[d] = n % shape[d];
  return out;
}
static int64_t linear(const Index &index, const Index &shape) {
  int64_t n = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    n = n * shape[d] + index[d];
  return n;
}

/// A tensor of offsets, -1 in padding: what a view is by definition.
struct Reference {
  Index shape;
  std::vector<int64_t> data;
  int64_t at(const Index &index) const { return data[linear(index, shape)]; }
  static Reference make(const Index &shape, const std::function<int64_t(const Index &)> &f) {
    Reference out{shape, {}};
    for (int64_t n = 0; n < count(shape); ++n)
      out.data.push_back(f(digits(n, shape)));
    return out;
  }
};

static Reference referenceOf(const StridedView &view) {
  return Reference::make(view.shape(), [&](const Index &index) { return view.offsetOf(index).value_or(-1); });
}
static void expectSame(const StridedView &view, const Reference &want, const std::string &what) {
  ASSERT_EQ(view.shape(), want.shape) << what;
  ASSERT_EQ(referenceOf(view).data, want.data) << what << "\n" << view.toString();
}

namespace {
/// The same on every machine.
struct Random {
  uint32_t seed;
  int64_t operator()(int64_t low, int64_t high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (seed >> 8) % static_cast<uint32_t>(high - low + 1);
  }
};
} // namespace

/// A random factorisation of n into at most four factors.
static Index randomShape(Random &random, int64_t n) {
  Index shape = {n};
  for (int split = 0; split < 3; ++split) {
    size_t d = random(0, static_cast<int64_t>(shape.size()) - 1);
    std::vector<int64_t> divisors;
    for (int64_t k = 1; k <= shape[d]; ++k)
      if (shape[d] % k == 0)
        divisors.push_back(k);
    int64_t k = divisors[random(0, static_cast<int64_t>(divisors.size()) - 1)];
    shape[d] /= k;
    shape.insert(shape.begin() + d, k);
  }
  while (shape.size() > 1 && random(0, 1))
    if (auto one = std::find(shape.begin(), shape.end(), 1); one != shape.end())
      shape.erase(one);
    else
      break;
  return shape;
}
static std::vector<int> randomPermutation(Random &random, size_t n) {
  std::vector<int> perm(n);
  std::iota(perm.begin(), perm.end(), 0);
  for (size_t i = n; i > 1; --i)
    std::swap(perm[i - 1], perm[random(0, static_cast<int64_t>(i) - 1)]);
  return perm;
}
static void randomSlice(Random &random, const Index &shape, Index &offsets, Index &sizes, Index &steps,
                        bool mayReverse) {
  for (int64_t extent : shape) {
    int64_t step = random(0, 2) ? 1 : random(1, 3), size = random(1, (extent - 1) / step + 1);
    if (random(0, 1))
      size = (extent - 1) / step + 1;
    int64_t offset = random(0, extent - 1 - (size - 1) * step);
    if (mayReverse && random(0, 5) == 0) {
      offset += (size - 1) * step;
      step = -step;
    }
    offsets.push_back(offset);
    sizes.push_back(size);
    steps.push_back(step);
  }
}

/// Applies one random op to the view and to the reference; false when the view declines it.
static bool randomOp(Random &random, StridedView &view, Reference &reference) {
  Index shape = reference.shape;
  std::optional<StridedView> next;
  switch (random(0, 4)) {
  case 0: {
    std::vector<int> perm = randomPermutation(random, shape.size());
    view = view.transpose(perm);
    Index to;
    for (int d : perm)
      to.push_back(shape[d]);
    reference = Reference::make(to, [&](const Index &i) {
      Index j(i.size());
      for (size_t d = 0; d < i.size(); ++d)
        j[perm[d]] = i[d];
      return reference.at(j);
    });
    return true;
  }
  case 1: {
    Index to;
    std::vector<int> map;
    for (int64_t extent : shape) {
      if (to.size() < 4 && random(0, 3) == 0)
        to.push_back(random(1, 3));
      map.push_back(static_cast<int>(to.size()));
      to.push_back(extent == 1 && random(0, 1) ? random(1, 3) : extent);
    }
    next = view.broadcast(to, map);
    EXPECT_TRUE(next);
    reference = Reference::make(to, [&](const Index &i) {
      Index j;
      for (size_t k = 0; k < map.size(); ++k)
        j.push_back(shape[k] == 1 ? 0 : i[map[k]]);
      return reference.at(j);
    });
    view = *next;
    return true;
  }
  case 2: {
    Index offsets, sizes, steps;
    randomSlice(random, shape, offsets, sizes, steps, /*mayReverse=*/true);
    next = view.slice(offsets, sizes, steps);
    EXPECT_TRUE(next);
    reference = Reference::make(sizes, [&](const Index &i) {
      Index j(i);
      for (size_t d = 0; d < i.size(); ++d)
        j[d] = offsets[d] + i[d] * steps[d];
      return reference.at(j);
    });
    view = *next;
    return true;
  }
  case 3: {
    Index low, high, to(shape);
    for (size_t d = 0; d < shape.size(); ++d) {
      low.push_back(random(0, 3) ? 0 : random(0, 2));
      high.push_back(random(0, 3) ? 0 : random(0, 2));
      to[d] += low[d] + high[d];
    }
    next = view.pad(low, high);
    if (!next)
      return false;
    reference = Reference::make(to, [&](const Index &i) {
      Index j(i);
      for (size_t d = 0; d < i.size(); ++d) {
        j[d] -= low[d];
        if (j[d] < 0 || j[d] >= shape[d])
          return int64_t(-1);
      }
      return reference.at(j);
    });
    view = *next;
    return true;
  }
  default: {
    Index to = randomShape(random, count(shape));
    next = view.reshape(to);
    if (!next)
      return false;
    reference.shape = to;
    view = *next;
    return true;
  }
  }
}

TEST(StridedView, TheExamplesOfTheHeader) {
  StridedView view = StridedView::rowMajor({4, 6});
  EXPECT_EQ(view.toString(), "{offset=0, dims=[{extent=4, modes=[[4,6]]}, {extent=6, modes=[[6,1]]}]}");
  std::optional<StridedView> flat = view.transpose({1, 0}).reshape({24});
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->toString(), "{offset=0, dims=[{extent=24, modes=[[6,1],[4,6]]}]}");
  std::optional<StridedView> padded = flat->pad({1}, {1});
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->toString(), "{offset=0, dims=[{extent=26, start=-1, modes=[[6,1],[4,6]]}]}");
  EXPECT_FALSE(padded->inBounds({0}));
  EXPECT_FALSE(padded->inBounds({25}));
  EXPECT_EQ(padded->offsetOf({6}), 7);
}

TEST(StridedView, DigitsThatStaySideBySideAreOne) {
  // A tensor of 8x7x5x6 spread over 3, seen in another shape: its index goes on across the borders.
  StridedView view = StridedView::rowMajor({7, 2, 12, 30});
  std::optional<StridedView> spread = view.pullBroadcast({8, 7, 5, 6}, {8, 7, 5, 6, 3}, {0, 1, 2, 3});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->toString(), "{offset=0, dims=[{extent=7, modes=[[7,240]]}, {extent=2, modes=[[2,120]]}, "
                                "{extent=12, modes=[[12,10]]}, {extent=30, modes=[[10,1],[3,0]]}]}");
  // Whole rows of a slice, but not the border that it moves.
  EXPECT_TRUE(StridedView::rowMajor({4, 20}).pullSlice({9, 8, 5}, {0, 0, 0}, {2, 8, 5}, {1, 1, 1}));
  EXPECT_FALSE(StridedView::rowMajor({4, 10}).pullSlice({9, 8, 5}, {0, 0, 0}, {5, 4, 2}, {1, 1, 1}));
}

TEST(StridedView, RandomChainsKeepEveryOffset) {
  int applied = 0, declined = 0;
  for (uint32_t seed = 1; seed <= 1500; ++seed) {
    Random random{seed};
    Index shape;
    for (int64_t rank = random(1, 3); rank > 0; --rank)
      shape.push_back(random(1, 6));
    StridedView view = StridedView::rowMajor(shape);
    Reference reference = referenceOf(view);
    expectSame(view, Reference::make(shape, [&](const Index &i) { return linear(i, shape); }), "rowMajor");
    for (int step = 0; step < 6 && count(reference.shape) < 3000; ++step) {
      (randomOp(random, view, reference) ? applied : declined) += 1;
      ASSERT_NO_FATAL_FAILURE(expectSame(view, reference, "seed " + std::to_string(seed)));
      ASSERT_NO_FATAL_FAILURE(
          expectSame(view.simplify(), reference, "simplified, seed " + std::to_string(seed)));
      std::string error;
      std::optional<StridedView> again = StridedView::parse(view.toString(), &error);
      ASSERT_TRUE(again) << error;
      ASSERT_EQ(*again, view);
      ASSERT_EQ(again->hash(), view.hash());
      // Facts about the view that lowerings rely on.
      int64_t highest = *std::max_element(reference.data.begin(), reference.data.end());
      ASSERT_LT(highest, view.span());
      bool total = std::find(reference.data.begin(), reference.data.end(), -1) == reference.data.end();
      ASSERT_EQ(view.isTotal(), total);
      std::vector<std::vector<int>> groups = collapseDims({view, view.simplify()});
      StridedView collapsed = view.collapse(groups);
      ASSERT_EQ(referenceOf(collapsed).data, reference.data) << "seed " << seed;
    }
  }
  EXPECT_GT(applied, 7000);
  EXPECT_LT(declined, applied / 10);
}

TEST(StridedView, RemapsFollowTheElements) {
  int moved[2] = {0, 0};
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    Random random{seed * 77};
    Index u;
    for (int64_t rank = random(1, 3); rank > 0; --rank)
      u.push_back(random(1, 6));
    // A view of some domain onto u.
    StridedView view = StridedView::rowMajor(u);
    Reference reference = referenceOf(view);
    for (int64_t steps = random(0, 3); steps > 0 && count(reference.shape) < 1000; --steps)
      randomOp(random, view, reference);
    if (std::optional<StridedView> split = view.splitByShape(u))
      ASSERT_NO_FATAL_FAILURE(expectSame(*split, reference, "split"));
    if (auto box = view.boxIn(u))
      for (int64_t offset : reference.data)
        for (size_t d = 0; offset >= 0 && d < u.size(); ++d) {
          ASSERT_LE((*box)[d].first, digits(offset, u)[d]) << view.toString();
          ASSERT_LT(digits(offset, u)[d], (*box)[d].second) << view.toString();
        }

    Index v;
    std::optional<StridedView> result;
    std::function<int64_t(const Index &)> toV; // u's index to v's linear index, or -1
    auto within = [](const Index &index, const Index &shape) {
      for (size_t d = 0; d < shape.size(); ++d)
        if (index[d] < 0 || index[d] >= shape[d])
          return false;
      return true;
    };
    int kind = static_cast<int>(random(0, 8));
    Index offsets, sizes, steps, low, high;
    for (size_t d = 0; d < u.size(); ++d) {
      low.push_back(random(0, 1) ? 0 : random(0, 2));
      high.push_back(random(0, 1) ? 0 : random(0, 2));
    }
    switch (kind) {
    case 0: { // u = transpose(v)
      std::vector<int> perm = randomPermutation(random, u.size());
      v.resize(u.size());
      for (size_t d = 0; d < u.size(); ++d)
        v[perm[d]] = u[d];
      result = view.pullTranspose(v, perm);
      toV = [=](const Index &x) {
        Index y(x.size());
        for (size_t d = 0; d < x.size(); ++d)
          y[perm[d]] = x[d];
        return linear(y, v);
      };
      break;
    }
    case 1: { // v = transpose(u)
      std::vector<int> perm = randomPermutation(random, u.size());
      for (int d : perm)
        v.push_back(u[d]);
      result = view.pushTranspose(u, perm);
      toV = [=](const Index &x) {
        Index y;
        for (int d : perm)
          y.push_back(x[d]);
        return linear(y, v);
      };
      break;
    }
    case 2: { // u = broadcast(v)
      std::vector<int> map;
      for (size_t d = 0; d < u.size(); ++d)
        if (random(0, 2)) {
          map.push_back(static_cast<int>(d));
          v.push_back(random(0, 2) ? u[d] : 1);
        }
      result = view.pullBroadcast(v, u, map);
      toV = [=](const Index &x) {
        Index y;
        for (size_t k = 0; k < v.size(); ++k)
          y.push_back(v[k] == 1 ? 0 : x[map[k]]);
        return linear(y, v);
      };
      break;
    }
    case 3: // u = v[offsets : : steps]
      for (size_t d = 0; d < u.size(); ++d) {
        int64_t step = random(0, 1) ? 1 : random(1, 3), before = random(0, 2), after = random(0, 2);
        v.push_back(before + (u[d] - 1) * step + 1 + after);
        bool reverse = random(0, 4) == 0;
        offsets.push_back(reverse ? before + (u[d] - 1) * step : before);
        steps.push_back(reverse ? -step : step);
      }
      sizes = u;
      result = view.pullSlice(v, offsets, sizes, steps);
      toV = [=](const Index &x) {
        Index y(x);
        for (size_t d = 0; d < x.size(); ++d)
          y[d] = offsets[d] + x[d] * steps[d];
        return linear(y, v);
      };
      break;
    case 4: // v = u[offsets : : steps]
      randomSlice(random, u, offsets, sizes, steps, /*mayReverse=*/false);
      v = sizes;
      result = view.pushSlice(u, offsets, sizes, steps);
      toV = [=](const Index &x) {
        Index y(x);
        for (size_t d = 0; d < x.size(); ++d) {
          if ((x[d] - offsets[d]) % steps[d] != 0)
            return int64_t(-1);
          y[d] = (x[d] - offsets[d]) / steps[d];
        }
        return within(y, v) ? linear(y, v) : int64_t(-1);
      };
      break;
    case 5: { // u = pad(v)
      bool fits = true;
      for (size_t d = 0; d < u.size(); ++d) {
        v.push_back(u[d] - low[d] - high[d]);
        fits &= v[d] >= 1;
      }
      if (!fits)
        continue;
      result = view.pullPad(v, low, high);
      toV = [=](const Index &x) {
        Index y(x);
        for (size_t d = 0; d < x.size(); ++d)
          y[d] -= low[d];
        return within(y, v) ? linear(y, v) : int64_t(-1);
      };
      break;
    }
    case 6: // v = pad(u)
      for (size_t d = 0; d < u.size(); ++d)
        v.push_back(u[d] + low[d] + high[d]);
      result = view.pushPad(u, low, high);
      toV = [=](const Index &x) {
        Index y(x);
        for (size_t d = 0; d < x.size(); ++d)
          y[d] += low[d];
        return linear(y, v);
      };
      break;
    default: // reshapes
      v = randomShape(random, count(u));
      result = kind == 7 ? view.pullReshape(v, u) : view.pushReshape(u, v);
      toV = [=](const Index &x) { return linear(x, u); };
    }
    ++moved[result.has_value()];
    if (!result)
      continue;
    Reference want{reference.shape, {}};
    for (int64_t offset : reference.data)
      want.data.push_back(offset < 0 ? -1 : toV(digits(offset, u)));
    ASSERT_NO_FATAL_FAILURE(
        expectSame(*result, want, "kind " + std::to_string(kind) + " seed " + std::to_string(seed)));
  }
  EXPECT_GT(moved[1], 2000);
  EXPECT_LT(moved[0], moved[1] / 2) << "most remaps exist";
}

// The chain of attention's heads: [tokens, heads*dim] -> [tokens, heads, dim] -> [heads, tokens, dim] costs
// nothing.
TEST(StridedView, HeadsAreViewsOfRows) {
  StridedView heads = StridedView::rowMajor({12, 128, 64}); // the domain is the transposed tensor itself
  std::optional<StridedView> onRows = heads.pullTranspose({128, 12, 64}, {1, 0, 2});
  ASSERT_TRUE(onRows);
  onRows = onRows->pullReshape({128, 768}, {128, 12, 64});
  ASSERT_TRUE(onRows);
  EXPECT_EQ(onRows->toString(), "{offset=0, dims=[{extent=12, modes=[[12,64]]}, {extent=128, "
                                "modes=[[128,768]]}, {extent=64, modes=[[64,1]]}]}");
  EXPECT_EQ(onRows->maxVectorElems(2, {1, 64, 64}, 16), 8);
  // As one matrix of 12*128 rows the rows have two modes.
  std::optional<StridedView> matrix = onRows->reshape({1536, 64});
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->dim(0).modes.size(), 2u);
  EXPECT_EQ(matrix->maxVectorElems(1, {64, 64}, 32), 4);
}

TEST(StridedView, DeclinesWhatItCannotSay) {
  EXPECT_FALSE(StridedView::rowMajor({4, 6}).transpose({1, 0}).reshape({8, 3}))
      << "modes 6 and 4 do not cut at 8";
  EXPECT_FALSE(StridedView::rowMajor({4, 6}).reshape({5, 5}));
  EXPECT_FALSE(StridedView::rowMajor({6}).pad({1}, {1})->reshape({2, 4})) << "padding is taken apart";
  EXPECT_FALSE(StridedView::rowMajor({6}).slice({2}, {5}, {1})) << "leaves the domain";
  EXPECT_FALSE(StridedView::rowMajor({6}).broadcast({7}, {0}));
  EXPECT_FALSE(StridedView::rowMajor({24}).pullPad({2, 6}, {1, 0}, {1, 0})) << "padding inside of a dim";
}

TEST(StridedView, ContiguityIsTheLargestUniformRun) {
  for (uint32_t seed = 1; seed <= 1500; ++seed) {
    Random random{seed * 31};
    Index shape;
    for (int64_t rank = random(1, 3); rank > 0; --rank)
      shape.push_back(random(1, 8));
    StridedView view = StridedView::rowMajor(shape);
    Reference reference = referenceOf(view);
    for (int64_t steps = random(0, 4); steps > 0 && count(reference.shape) < 1000; --steps)
      randomOp(random, view, reference);
    for (int dim = 0; dim < view.rank(); ++dim) {
      int64_t extent = view.dim(dim).extent;
      // The definition, with the other indices free (in bounds as they may be).
      auto holds = [&](int64_t n) {
        for (int64_t i = 0; i < count(reference.shape); ++i) {
          Index index = digits(i, reference.shape), first = index;
          first[dim] = index[dim] / n * n;
          int64_t start = reference.at(first), here = reference.data[i];
          if ((start < 0) != (here < 0) || (start >= 0 && here != start + index[dim] - first[dim]))
            return false;
        }
        return true;
      };
      int64_t n = view.contiguity(dim);
      ASSERT_TRUE(holds(n)) << view.toString() << " dim " << dim << " n " << n << " seed " << seed;
      bool allOut = *std::max_element(reference.data.begin(), reference.data.end()) < 0;
      for (int64_t more = n + 1; more <= extent && !allOut; ++more)
        ASSERT_FALSE(holds(more)) << view.toString() << " dim " << dim << " " << more << " beyond " << n;
      // Vectors: aligned, contiguous, uniform.
      for (int elemBits : {16, 32}) {
        int64_t elems = view.maxVectorElems(dim, Index(view.rank(), 8), elemBits);
        ASSERT_LE(elems * elemBits, 128);
        ASSERT_TRUE(holds(elems)) << view.toString();
        for (int64_t i = 0; i < count(reference.shape); ++i) {
          int64_t at = digits(i, reference.shape)[dim];
          if (at % elems == 0 && reference.data[i] >= 0)
            ASSERT_EQ(reference.data[i] % elems, 0) << view.toString();
          // What is less than a vector at the end of the dim holds nothing.
          if (at >= extent / elems * elems)
            ASSERT_LT(reference.data[i], 0) << view.toString();
        }
      }
      Index multiples(view.rank(), 1);
      multiples[dim] = random(0, 4);
      int64_t k = view.offsetDivisibility(multiples);
      for (int64_t i = 0; i < count(reference.shape); ++i) {
        int64_t at = digits(i, reference.shape)[dim];
        if ((multiples[dim] ? at % multiples[dim] == 0 : at == 0) && reference.data[i] > 0)
          ASSERT_EQ(reference.data[i] % k, 0) << view.toString() << " multiples of " << multiples[dim];
      }
    }
  }
}

TEST(StridedView, AlignmentIsProvedOrNotClaimed) {
  StridedView rows = StridedView::rowMajor({100, 768});
  EXPECT_EQ(rows.maxVectorElems(1, {1, 64}, 16), 8);
  EXPECT_EQ(rows.maxVectorElems(1, {1, 4}, 16), 4) << "tiles start at multiples of 4";
  EXPECT_EQ(rows.maxVectorElems(1, {1, 0}, 16), 8) << "one tile along the dim";
  EXPECT_EQ(rows.maxVectorElems(0, {64, 64}, 16), 1) << "columns";
  EXPECT_EQ(StridedView::rowMajor({100, 770}).maxVectorElems(1, {1, 64}, 16), 2)
      << "rows of 770 start at odd pairs";
  EXPECT_EQ(StridedView::rowMajor({100, 7}).maxVectorElems(1, {1, 8}, 32), 1);
  EXPECT_EQ(rows.slice({0, 4}, {100, 64}, {1, 1})->maxVectorElems(1, {1, 64}, 16), 4) << "offset of 4";
  EXPECT_EQ(rows.pad({0, 2}, {0, 6})->maxVectorElems(1, {1, 64}, 16), 2) << "the padding ends at 2";
  EXPECT_EQ(rows.pad({0, 0}, {0, 1})->maxVectorElems(1, {1, 64}, 16), 8) << "one place behind whole vectors";
  EXPECT_EQ(rows.pad({0, 8}, {0, 1})->maxVectorElems(1, {1, 64}, 16), 8) << "as many before as a vector has";
}

TEST(StridedView, RunsMayEndWithinAVector) {
  constexpr int widest = 128;
  StridedView odd = StridedView::rowMajor({1001});
  EXPECT_EQ(odd.maxVectorElems(0, {64}, 32), 1);
  EXPECT_EQ(odd.maxVectorElems(0, {64}, 32, widest, /*mayEnd=*/true), 4);
  EXPECT_EQ(odd.maxVectorElems(0, {2}, 32, widest, /*mayEnd=*/true), 2) << "tiles start at multiples of 2";
  EXPECT_EQ(StridedView::rowMajor({100, 1001}).maxVectorElems(1, {1, 64}, 32, widest, /*mayEnd=*/true), 1)
      << "rows start anywhere";
  EXPECT_EQ(StridedView::rowMajor({90, 1024})
                .slice({0, 0}, {90, 1001}, {1, 1})
                ->maxVectorElems(1, {1, 64}, 32, widest, true),
            4)
      << "rows of which ends are left out";
  EXPECT_EQ(odd.pad({3}, {0})->maxVectorElems(0, {64}, 32, widest, /*mayEnd=*/true), 1)
      << "padding is no run";
}

TEST(StridedView, CountsTheIndicesInBounds) {
  for (int64_t inner = 1; inner <= 6; ++inner)
    for (int64_t extent = 1; extent <= 7; ++extent)
      for (int64_t start = -8; start <= 8; ++start)
        for (int64_t step = -3; step <= 3; ++step) {
          ViewDim dim{extent, start, step, {{inner, 5}}};
          int64_t expected = 0;
          for (int64_t i = 0; i < extent; ++i)
            expected += start + i * step >= 0 && start + i * step < inner;
          EXPECT_EQ(dim.indicesInBounds(), expected)
              << "extent " << extent << " start " << start << " step " << step << " inner " << inner;
        }
}

TEST(StridedView, CollapsesWhatAllViewsAllow) {
  StridedView a = StridedView::rowMajor({8, 12, 64});
  StridedView bias = *StridedView::rowMajor({64}).broadcast({8, 12, 64}, {2});
  StridedView heads = StridedView::rowMajor({12, 8, 64}).transpose({1, 0, 2});
  using Groups = std::vector<std::vector<int>>;
  EXPECT_EQ(collapseDims({a}), (Groups{{0, 1, 2}}));
  EXPECT_EQ(collapseDims({a, bias}), (Groups{{0, 1}, {2}}));
  EXPECT_EQ(collapseDims({a, heads}), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(bias.collapse({{0, 1}, {2}}).toString(),
            "{offset=0, dims=[{extent=96, modes=[[96,0]]}, {extent=64, modes=[[64,1]]}]}");
  // A dim of size 1 hides nothing.
  EXPECT_EQ(collapseDims({StridedView::rowMajor({8, 12, 64}).transpose({1, 0, 2}),
                          StridedView::rowMajor({12, 8, 64})}),
            (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(collapseDims({StridedView::rowMajor({4, 1, 6})}), (Groups{{0, 1, 2}}));
}

TEST(StridedView, ParseNamesWhatIsWrong) {
  std::string error;
  EXPECT_FALSE(StridedView::parse("{offset=0}", &error));
  EXPECT_EQ(error, "expected offset=N and dims=[{...}, ...]");
  EXPECT_FALSE(StridedView::parse("{offset=0, dims=[{extent=0, modes=[]}]}", &error));
  EXPECT_EQ(error, "extent 0 is less than 1");
  EXPECT_FALSE(StridedView::parse("{offset=0, dims=[{extent=1, modes=[[99999999999999999,1]]}]}", &error));
  EXPECT_EQ(error, "extent or stride is out of range");
  EXPECT_FALSE(StridedView::parse("{offset=0, dims=[{extent=2, modes=[[0,1]]}]}", &error));
  EXPECT_EQ(error, "expected modes=[[extent,stride], ...] with extents of at least 1");
}

TEST(StridedView, WhatIsCalledInjectiveOrDisjointIs) {
  StridedView rows = StridedView::rowMajor({6, 8});
  std::vector<StridedView> views = {
      rows,
      rows.transpose({1, 0}),
      *rows.reshape({48}),
      *rows.transpose({1, 0}).reshape({48}),
      *rows.slice({0, 0}, {6, 4}, {1, 1}),
      *rows.slice({0, 4}, {6, 4}, {1, 1}),
      *rows.slice({0, 1}, {6, 4}, {1, 2}),
      *rows.slice({0, 0}, {6, 4}, {1, 2}),
      *rows.slice({0, 0}, {3, 8}, {1, 1}),
      *rows.slice({3, 0}, {3, 8}, {1, 1}),
      *rows.slice({5, 7}, {6, 8}, {-1, -1}),
      *rows.pad({1, 2}, {0, 1}),
      *StridedView::rowMajor({8}).broadcast({6, 8}, {1}),
      StridedView({{5, 0, 1, {{5, 2}}}, {4, 0, 1, {{4, 1}}}}),
  };
  auto offsets = [](const StridedView &view) {
    std::vector<int64_t> out;
    for (int64_t offset : referenceOf(view).data)
      if (offset >= 0)
        out.push_back(offset);
    std::sort(out.begin(), out.end());
    return out;
  };
  for (const StridedView &a : views) {
    std::vector<int64_t> of = offsets(a);
    if (a.isInjective()) {
      EXPECT_EQ(std::adjacent_find(of.begin(), of.end()), of.end()) << a.toString();
    }
    for (const StridedView &b : views) {
      std::vector<int64_t> other = offsets(b), both;
      std::set_intersection(of.begin(), of.end(), other.begin(), other.end(), std::back_inserter(both));
      if (areDisjoint(a, b)) {
        EXPECT_TRUE(both.empty()) << a.toString() << " and " << b.toString();
      }
    }
  }
  EXPECT_TRUE(views[3].isInjective()) << "a transpose in one dim";
  EXPECT_TRUE(views[10].isInjective()) << "backwards";
  EXPECT_TRUE(views[11].isInjective()) << "padding has no offsets";
  EXPECT_FALSE(views[12].isInjective()) << "a row for all";
  EXPECT_FALSE(views[13].isInjective()) << "windows that overlap";
  EXPECT_TRUE(areDisjoint(views[4], views[5])) << "halves of rows";
  EXPECT_TRUE(areDisjoint(views[6], views[7])) << "every other element";
  EXPECT_TRUE(areDisjoint(views[8], views[9])) << "upper and lower rows";
  EXPECT_FALSE(areDisjoint(views[4], views[8]));
}
