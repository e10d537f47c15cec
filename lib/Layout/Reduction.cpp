// How a layout is reduced: registers, then lanes, then warps.
#include "Bits.h"
#include "Tilewright/Layout/LinearLayout.h"
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
  Shape shape = plan.result.shape(), repeat = plan.result.repeat();
  shape.push_back(plan.numPartials);
  repeat.push_back(1);
  std::array<LinearLayout::Bases, 4> store, load;
  for (Hw hw : allHw) {
    size_t index = static_cast<size_t>(hw);
    for (size_t bit = 0; bit < plan.result.bases(hw).size(); ++bit) {
      Coord basis = plan.result.bases(hw)[bit];
      basis.push_back(0);
      load[index].push_back(basis);
      if (hw == Hw::Warp)
        basis.back() = static_cast<int32_t>(partialOfBit[bit]);
      store[index].push_back(std::move(basis));
    }
  }
  for (int partial = plan.numPartials / 2; partial >= 1; partial /= 2) {
    Coord basis(shape.size(), 0);
    basis.back() = partial;
    load[0].insert(load[0].begin(), std::move(basis));
  }
  std::optional<LinearLayout> partials = LinearLayout::create(shape, std::move(store), repeat);
  std::optional<LinearLayout> gather = LinearLayout::create(shape, std::move(load), repeat);
  if (!partials || !gather)
    return std::nullopt;
  plan.partials = *partials;
  plan.gather = *gather;
  return plan;
}
