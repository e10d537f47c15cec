// How a layout is reduced: registers, then lanes, then warps.
#include "Bits.h"
#include "Tilewright/Layout/SharedLayout.h"
#include <algorithm>

using namespace tilewright::layout;

namespace {
/// One bit (or a combination of bits) of a hardware coordinate that moves along reduced dims alone.
struct Move {
  uint64_t mask;
  uint64_t reduced; // packed coordinate of the reduced dims
};
} // namespace

/// All independent moves of `hw`: combinations of its bits that leave the kept dims alone. The highest bit of
/// each mask belongs to no other mask.
static std::vector<Move> movesOf(const LinearLayout &layout, Hw hw, const Packing &packing,
                                 uint64_t reducedMask) {
  Span kept;
  std::vector<Move> moves;
  const LinearLayout::Bases &bases = layout.bases(hw);
  for (size_t bit = 0; bit < bases.size(); ++bit) {
    uint64_t column = packing.pack(bases[bit]);
    std::optional<uint64_t> combination = kept.solve(column & ~reducedMask);
    if (!combination) {
      kept.insert(column & ~reducedMask, uint64_t(1) << bit);
      continue;
    }
    uint64_t mask = *combination | (uint64_t(1) << bit), reduced = 0;
    for (size_t b = 0; b <= bit; ++b)
      if ((mask >> b) & 1)
        reduced ^= packing.pack(bases[b]) & reducedMask;
    moves.push_back({mask, reduced});
  }
  return moves;
}

static std::array<LinearLayout::Bases, 4> basesOf(const LinearLayout &layout) {
  std::array<LinearLayout::Bases, 4> bases;
  for (Hw hw : allHw)
    bases[static_cast<size_t>(hw)] = layout.bases(hw);
  return bases;
}

/// Lanes that hold partial results of the same elements, several each, need not all end up with all of them:
/// they go through shared memory anyway. What a lane keeps is its own register bit's half (`bases`, those of
/// the result).
static void halve(ReductionPlan &plan, std::array<LinearLayout::Bases, 4> &bases) {
  LinearLayout::Bases &registers = bases[static_cast<size_t>(Hw::Register)],
                      &lanes = bases[static_cast<size_t>(Hw::Lane)];
  std::vector<int> left;
  for (int mask : plan.laneMasks) {
    int bit = highestBit(static_cast<uint64_t>(mask));
    if (mask != 1 << bit || registers.empty()) {
      left.push_back(mask);
      continue;
    }
    plan.halvings.push_back(bit);
    lanes[bit] = registers.back();
    registers.pop_back();
  }
  plan.laneMasks = std::move(left);
}

/// The atom's elements side by side over lanes and warps, and what is left in registers.
static std::array<LinearLayout::Bases, 4> dividedEvenly(const LinearLayout &layout) {
  std::array<LinearLayout::Bases, 4> bases;
  size_t lanes = layout.bases(Hw::Lane).size(), warps = layout.bases(Hw::Warp).size(), place = 0;
  for (int d = layout.rank() - 1; d >= 0; --d)
    for (int64_t step = 1; step < layout.atom()[d]; step *= 2, ++place) {
      Coord basis(layout.rank(), 0);
      basis[d] = static_cast<int32_t>(step);
      Hw hw = place < lanes ? Hw::Lane : place < lanes + warps ? Hw::Warp : Hw::Register;
      bases[static_cast<size_t>(hw)].push_back(std::move(basis));
    }
  bases[static_cast<size_t>(Hw::Lane)].resize(lanes, Coord(layout.rank(), 0));
  bases[static_cast<size_t>(Hw::Warp)].resize(warps, Coord(layout.rank(), 0));
  bases[static_cast<size_t>(Hw::Block)] = layout.bases(Hw::Block);
  return bases;
}

/// Who folds `partials` of each element of `result` and hands them to the others; nullopt where every thread
/// folds all partials of its own elements.
static std::optional<LinearLayout> foldedBy(const LinearLayout &result, int64_t partials) {
  // Loads and combinations of a thread that folds all partials of its results, from which on another barrier
  // costs less.
  constexpr int64_t manyPartials = 32;
  if (result.numRegisters() * partials < manyPartials)
    return std::nullopt;
  std::optional<LinearLayout> folded =
      LinearLayout::create(result.shape(), dividedEvenly(result), result.repeat());
  // Repeats of the atom are not divided: with many of them there is nothing to share out.
  if (folded && folded->numRegisters() * 2 > result.numRegisters())
    return std::nullopt;
  return folded;
}

std::optional<LinearLayout> tilewright::layout::foldedAcrossBlocks(const ReductionPlan &plan,
                                                                   int64_t blocks) {
  return foldedBy(plan.result, blocks);
}

/// Partial results in shared memory: who stores them, by the `stored` bases of results and the numbers of
/// warp bits; and who folds them. False when they have no layout.
static bool placePartials(ReductionPlan &plan, std::array<LinearLayout::Bases, 4> stored,
                          const std::vector<uint64_t> &partialOfBit) {
  if (plan.needsSharedMemory())
    plan.folded = foldedBy(plan.result, plan.numPartials);
  std::array<LinearLayout::Bases, 4> loaded = basesOf(plan.folded ? *plan.folded : plan.result);
  Shape shape = plan.result.shape(), repeat = plan.result.repeat();
  shape.push_back(plan.numPartials);
  repeat.push_back(1);
  for (Hw hw : allHw) {
    LinearLayout::Bases &store = stored[static_cast<size_t>(hw)];
    for (size_t bit = 0; bit < store.size(); ++bit)
      store[bit].push_back(hw == Hw::Warp ? static_cast<int32_t>(partialOfBit[bit]) : 0);
    for (Coord &basis : loaded[static_cast<size_t>(hw)])
      basis.push_back(0);
  }
  for (int partial = plan.numPartials / 2; partial >= 1; partial /= 2) {
    Coord basis(shape.size(), 0);
    basis.back() = partial;
    loaded[0].insert(loaded[0].begin(), std::move(basis));
  }
  std::optional<LinearLayout> partials = LinearLayout::create(shape, std::move(stored), repeat);
  std::optional<LinearLayout> gather = LinearLayout::create(shape, std::move(loaded), repeat);
  if (!partials || !gather)
    return false;
  plan.partials = *partials;
  plan.gather = *gather;
  return true;
}

std::optional<ReductionPlan> tilewright::layout::reductionPlan(const LinearLayout &layout,
                                                               const std::vector<int> &dims) {
  if (!layout.isSurjective())
    return std::nullopt;
  Packing packing(layout.atom());
  uint64_t reducedMask = 0;
  for (int dim : dims) {
    if (dim < 0 || dim >= layout.rank())
      return std::nullopt;
    Coord top(layout.rank(), 0);
    top[dim] = static_cast<int32_t>(layout.atom()[dim] - 1);
    reducedMask |= packing.pack(top);
  }
  for (const Coord &basis : layout.bases(Hw::Block))
    if (packing.pack(basis) & reducedMask)
      return std::nullopt;

  ReductionPlan plan;
  Projection projection = layout.project(dims);
  plan.result = projection.layout;
  plan.registerGroups.resize(plan.result.numRegisters());
  RegisterMap canonical = layout.canonicalRegisters();
  for (int r = 0; r < layout.numRegisters(); ++r)
    if (canonical[r] == r)
      plan.registerGroups[projection.map[r]].push_back(r);

  Span covered;
  for (const Move &move : movesOf(layout, Hw::Register, packing, reducedMask))
    covered.insert(move.reduced, 0);
  for (const Move &move : movesOf(layout, Hw::Lane, packing, reducedMask))
    if (covered.insert(move.reduced, 0))
      plan.laneMasks.push_back(static_cast<int>(move.mask));
  // Partial results are numbered by the warp moves: a warp's number is linear in its bits, and a warp that
  // repeats another's elements has the same number.
  std::vector<uint64_t> partialOfBit(layout.bases(Hw::Warp).size(), 0);
  for (const Move &move : movesOf(layout, Hw::Warp, packing, reducedMask)) {
    uint64_t number;
    if (covered.insert(move.reduced, uint64_t(1) << plan.warpMasks.size())) {
      number = uint64_t(1) << plan.warpMasks.size();
      plan.warpMasks.push_back(static_cast<int>(move.mask));
    } else {
      number = *covered.solve(move.reduced);
    }
    partialOfBit[highestBit(move.mask)] = number;
  }
  if (covered.size() != __builtin_popcountll(reducedMask))
    return std::nullopt;

  plan.numPartials = 1 << plan.warpMasks.size();
  std::array<LinearLayout::Bases, 4> bases = basesOf(plan.result);
  if (plan.needsSharedMemory())
    halve(plan, bases);
  if (!placePartials(plan, std::move(bases), partialOfBit))
    return std::nullopt;
  return plan;
}

SharedLayout tilewright::layout::partialsLayout(const ReductionPlan &plan, const std::vector<int> &widths) {
  SharedUse store, load;
  store.layout = plan.partials;
  load.layout = plan.gather;
  return bestSwizzle(plan.partials.shape(), widths, {store, load});
}

SharedLayout tilewright::layout::foldedLayout(const ReductionPlan &plan, const std::vector<int> &widths) {
  SharedUse store, load;
  store.layout = *plan.folded;
  load.layout = plan.result;
  return bestSwizzle(plan.result.shape(), widths, {store, load});
}

SharedLayout tilewright::layout::totalsLayout(const LinearLayout &kept, const std::vector<int> &widths) {
  SharedUse use;
  use.layout = kept;
  return bestSwizzle(kept.shape(), widths, {use});
}
