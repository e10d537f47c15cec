// Makers of register layouts: blocked, coalesced, and the fragments of mma.sync.
#include "Bits.h"
#include "Tilewright/Layout/LinearLayout.h"
#include <algorithm>
#include <cassert>

using namespace tilewright::layout;

namespace {
/// Fills the power-of-two part of a shape bit by bit; the odd rest becomes repeats.
class Filler {
public:
  explicit Filler(const Shape &shape) : shape(shape) {
    for (int64_t size : shape) {
      assert(size >= 1 && "empty tensors have no layout");
      atom.push_back(powerOfTwoFactor(size));
      covered.push_back(1);
    }
  }
  int64_t room(int dim) const { return atom[dim] / covered[dim]; }
  /// The next bit of `hw` doubles what is covered along `dim`, or replicates when all of it is covered.
  void fill(Hw hw, int dim) {
    if (room(dim) == 1)
      return replicate(hw);
    place(hw, dim, covered[dim]);
    covered[dim] *= 2;
  }
  void replicate(Hw hw) { bases[static_cast<size_t>(hw)].push_back(Coord(shape.size(), 0)); }
  /// The next bit of `hw` moves by `step` along `dim`; outside of the atom it replicates.
  void place(Hw hw, int dim, int64_t step) {
    replicate(hw);
    if (step < atom[dim])
      bases[static_cast<size_t>(hw)].back()[dim] = static_cast<int32_t>(step);
  }
  /// Says that the placed bits cover `size` elements along `dim`.
  void cover(int dim, int64_t size) { covered[dim] = std::min(size, atom[dim]); }
  int bits(Hw hw) const { return static_cast<int>(bases[static_cast<size_t>(hw)].size()); }

  /// Registers hold what is left, dims in `order`.
  LinearLayout finish(const std::vector<int> &order) {
    for (int dim : order)
      while (room(dim) > 1)
        fill(Hw::Register, dim);
    Shape repeat;
    for (size_t d = 0; d < shape.size(); ++d)
      repeat.push_back(shape[d] / atom[d]);
    std::string error;
    std::optional<LinearLayout> layout = LinearLayout::create(shape, bases, repeat, &error);
    assert(layout && "tile too large for a layout");
    return layout ? *layout : LinearLayout();
  }

private:
  const Shape &shape;
  Shape atom, covered;
  std::array<LinearLayout::Bases, 4> bases;
};
} // namespace

std::vector<int> LinearLayout::rowMajorOrder(int rank) {
  std::vector<int> order;
  for (int d = rank - 1; d >= 0; --d)
    order.push_back(d);
  return order;
}

LinearLayout LinearLayout::blocked(const Shape &shape, const Shape &elemsPerThread,
                                   const Shape &threadsPerWarp, const Shape &warps,
                                   const std::vector<int> &order) {
  assert(elemsPerThread.size() == shape.size() && threadsPerWarp.size() == shape.size() &&
         warps.size() == shape.size() && order.size() == shape.size() && "one entry per dim");
  Filler filler(shape);
  for (int dim : order)
    for (int64_t n = 1; n < elemsPerThread[dim] && filler.room(dim) > 1; n *= 2)
      filler.fill(Hw::Register, dim);
  for (int dim : order)
    for (int64_t n = 1; n < threadsPerWarp[dim]; n *= 2)
      filler.fill(Hw::Lane, dim);
  assert(filler.bits(Hw::Lane) <= 5 && "more than 32 threads per warp");
  while (filler.bits(Hw::Lane) < 5)
    filler.replicate(Hw::Lane);
  for (int dim : order)
    for (int64_t n = 1; n < warps[dim]; n *= 2)
      filler.fill(Hw::Warp, dim);
  return filler.finish(order);
}

LinearLayout LinearLayout::coalesced(const Shape &shape, int elemBits, int numWarps,
                                     const std::vector<int> &order, int maxVectorBits,
                                     const Shape &contiguity, const Shape &divisibility) {
  assert(order.size() == shape.size() && "one entry per dim");
  Filler filler(shape);
  if (!order.empty()) {
    int fastest = order[0];
    // Elements below a byte are stored as bytes.
    int64_t vector = std::max(1, maxVectorBits / std::max(elemBits, 8));
    if (!contiguity.empty())
      vector = std::min(vector, powerOfTwoFactor(contiguity[fastest]));
    if (!divisibility.empty())
      vector = std::min(vector, powerOfTwoFactor(divisibility[fastest]));
    for (int64_t n = 1; n * 2 <= vector && filler.room(fastest) > 1; n *= 2)
      filler.fill(Hw::Register, fastest);
  }
  for (int dim : order)
    while (filler.bits(Hw::Lane) < 5 && filler.room(dim) > 1)
      filler.fill(Hw::Lane, dim);
  while (filler.bits(Hw::Lane) < 5)
    filler.replicate(Hw::Lane);
  int warpBits = log2Of(numWarps);
  // Rows of their own for each warp keep row reductions inside warps.
  for (size_t i = 1; i < order.size(); ++i)
    while (filler.bits(Hw::Warp) < warpBits && filler.room(order[i]) > 1)
      filler.fill(Hw::Warp, order[i]);
  while (!order.empty() && filler.bits(Hw::Warp) < warpBits && filler.room(order[0]) > 1)
    filler.fill(Hw::Warp, order[0]);
  while (filler.bits(Hw::Warp) < warpBits)
    filler.replicate(Hw::Warp);
  return filler.finish(order);
}

/// Warps are numbered row-major over warpsM x warpsN; dim -1 replicates.
static void placeWarps(Filler &filler, int dimM, int warpsM, int dimN, int warpsN) {
  for (int n = 1; n < warpsN; n *= 2)
    dimN < 0 ? filler.replicate(Hw::Warp) : filler.fill(Hw::Warp, dimN);
  for (int n = 1; n < warpsM; n *= 2)
    dimM < 0 ? filler.replicate(Hw::Warp) : filler.fill(Hw::Warp, dimM);
}

/// The fragment of 16x8 accumulators.
static Filler accumulators(const Shape &shape, int row, int col) {
  assert(row >= 0 && "a matrix has two dims");
  Filler filler(shape);
  filler.place(Hw::Register, col, 1);
  filler.place(Hw::Register, row, 8);
  for (int step : {2, 4})
    filler.place(Hw::Lane, col, step);
  for (int step : {1, 2, 4})
    filler.place(Hw::Lane, row, step);
  filler.cover(row, 16);
  filler.cover(col, 8);
  return filler;
}

LinearLayout LinearLayout::mmaAccumulator(const Shape &shape, int warpsM, int warpsN) {
  int row = static_cast<int>(shape.size()) - 2, col = row + 1;
  Filler filler = accumulators(shape, row, col);
  placeWarps(filler, row, warpsM, col, warpsN);
  return filler.finish(rowMajorOrder(static_cast<int>(shape.size())));
}

LinearLayout LinearLayout::wgmmaAccumulator(const Shape &shape, int warpsM, int warpsN) {
  int row = static_cast<int>(shape.size()) - 2, col = row + 1;
  Filler filler = accumulators(shape, row, col);
  placeWarps(filler, row, warpsM, -1, 1);
  placeWarps(filler, -1, 1, col, warpsN);
  return filler.finish(rowMajorOrder(static_cast<int>(shape.size())));
}

std::optional<int> LinearLayout::wgmmaGroupsAlongN(int warps) const {
  for (int groups = 1; 4 * groups <= warps; groups *= 2)
    if (warps % (4 * groups) == 0 && *this == wgmmaAccumulator(shape(), warps / groups, groups))
      return groups;
  return std::nullopt;
}

LinearLayout LinearLayout::mmaOperandA(const Shape &shape, int elemBits, int warpsM, int warpsN) {
  int row = static_cast<int>(shape.size()) - 2, k = row + 1;
  assert(row >= 0 && "a matrix has two dims");
  assert((elemBits == 8 || elemBits == 16 || elemBits == 32) && "mma.sync operands have 8, 16 or 32 bits");
  int packed = 32 / elemBits;
  Filler filler(shape);
  for (int step = 1; step < packed; step *= 2)
    filler.place(Hw::Register, k, step);
  filler.place(Hw::Register, row, 8);
  filler.place(Hw::Register, k, 4 * packed);
  for (int step : {packed, 2 * packed})
    filler.place(Hw::Lane, k, step);
  for (int step : {1, 2, 4})
    filler.place(Hw::Lane, row, step);
  filler.cover(row, 16);
  filler.cover(k, 8 * packed);
  placeWarps(filler, row, warpsM, -1, warpsN);
  return filler.finish(rowMajorOrder(static_cast<int>(shape.size())));
}

LinearLayout LinearLayout::mmaOperandB(const Shape &shape, int elemBits, int warpsM, int warpsN) {
  int k = static_cast<int>(shape.size()) - 2, col = k + 1;
  assert(k >= 0 && "a matrix has two dims");
  assert((elemBits == 8 || elemBits == 16 || elemBits == 32) && "mma.sync operands have 8, 16 or 32 bits");
  int packed = 32 / elemBits;
  Filler filler(shape);
  for (int step = 1; step < packed; step *= 2)
    filler.place(Hw::Register, k, step);
  filler.place(Hw::Register, k, 4 * packed);
  for (int step : {packed, 2 * packed})
    filler.place(Hw::Lane, k, step);
  for (int step : {1, 2, 4})
    filler.place(Hw::Lane, col, step);
  filler.cover(k, 8 * packed);
  filler.cover(col, 8);
  placeWarps(filler, -1, warpsM, col, warpsN);
  return filler.finish(rowMajorOrder(static_cast<int>(shape.size())));
}
