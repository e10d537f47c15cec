// The bits of an index along one dimension, and scan plans from them.
#include "Tilewright/Layout/Scan.h"

#include <algorithm>

using namespace tilewright::layout;

std::optional<std::vector<HwBit>> tilewright::layout::indexBits(const LinearLayout &layout, int dim) {
  std::vector<std::optional<HwBit>> found;
  for (int64_t size = layout.atom()[dim]; size > 1; size /= 2)
    found.emplace_back();
  for (Hw hw : allHw)
    for (size_t bit = 0; bit < layout.bases(hw).size(); ++bit) {
      const Coord &basis = layout.bases(hw)[bit];
      int32_t along = basis[dim];
      if (along == 0)
        continue;
      bool moves = std::count_if(basis.begin(), basis.end(), [](int32_t c) { return c != 0; }) > 1;
      int place = __builtin_ctz(static_cast<uint32_t>(along));
      if (moves || (along & (along - 1)) || found[place] || hw == Hw::Block)
        return std::nullopt;
      found[place] = HwBit{hw, static_cast<int>(bit)};
    }
  std::vector<HwBit> bits;
  for (const std::optional<HwBit> &bit : found) {
    if (!bit)
      return std::nullopt;
    bits.push_back(*bit);
  }
  return bits;
}

uint32_t ScanPlan::laneMask() const {
  uint32_t mask = 0;
  for (const HwBit &bit : bits)
    mask |= bit.hw == Hw::Lane ? 1u << bit.bit : 0;
  return mask;
}

uint32_t ScanPlan::warpMask() const {
  uint32_t mask = 0;
  for (int bit : warpBits)
    mask |= 1u << bit;
  return mask;
}

std::optional<ScanPlan> tilewright::layout::scanPlan(const LinearLayout &layout, int dim) {
  std::optional<std::vector<HwBit>> index = indexBits(layout, dim);
  if (!index)
    return std::nullopt;
  ScanPlan plan;
  for (const HwBit &bit : *index) {
    bool above = !plan.warpBits.empty() && bit.hw != Hw::Warp;
    if (above && bit.hw == Hw::Lane)
      return std::nullopt;
    if (above) {
      plan.rounds *= 2;
      continue;
    }
    if (bit.hw == Hw::Warp && plan.rounds > 1)
      return std::nullopt;
    if (bit.hw == Hw::Warp)
      plan.warpBits.push_back(bit.bit);
    else
      plan.bits.push_back(bit);
    plan.roundSize *= 2;
  }
  plan.rounds *= layout.repeat()[dim];
  return plan;
}

LinearLayout tilewright::layout::scanLayout(const Shape &shape, int numWarps, int dim) {
  int rank = static_cast<int>(shape.size());
  auto powerOfTwo = [](int64_t n) { return n & -n; };
  Shape elems(rank, 1), lanes(rank, 1), warps(rank, 1);
  std::vector<int> order = {dim};
  for (int d = rank - 1; d >= 0; --d)
    if (d != dim)
      order.push_back(d);
  int64_t lanesLeft = 32, warpsLeft = numWarps;
  for (int d : order) {
    lanes[d] = std::min(lanesLeft, powerOfTwo(shape[d]));
    lanesLeft /= lanes[d];
  }
  for (int d : order) {
    warps[d] = std::min(warpsLeft, std::max<int64_t>(1, powerOfTwo(shape[d]) / lanes[d]));
    warpsLeft /= warps[d];
  }
  // Threads beyond the elements hold copies.
  lanes[order.back()] *= lanesLeft;
  warps[order.back()] *= warpsLeft;
  return LinearLayout::blocked(shape, elems, lanes, warps, order);
}

int64_t tilewright::layout::scanInstructions(const LinearLayout &layout, const ScanPlan &plan, int dim) {
  int64_t registers = layout.numRegisters(), sources = registers, count = 0;
  for (const HwBit &bit : plan.bits) {
    bool isLane = bit.hw == Hw::Lane;
    // A half takes the last element of the other one: a shuffle for each run, a combination for each element.
    count += isLane ? sources + 2 * registers : registers / 2;
    sources = isLane ? sources : std::max<int64_t>(1, sources / 2);
  }
  int64_t kept = layout.project(dim).layout.numRegisters(), warps = plan.numWarps();
  constexpr int64_t perTotal = 3; // loaded, combined, selected
  return count + (warps > 1 ? plan.rounds * warps * kept * perTotal : 0) + (plan.rounds > 1 ? registers : 0);
}

std::optional<LinearLayout> tilewright::layout::runLayout(const Shape &shape, int numWarps, int dim) {
  int rank = static_cast<int>(shape.size());
  int64_t threads = 32 * numWarps, elems = 1;
  auto powerOfTwo = [](int64_t n) { return n & -n; };
  for (int64_t size : shape)
    elems *= powerOfTwo(size);
  if (elems < threads)
    return std::nullopt;
  Shape run(rank, 1), lanes(rank, 1), warps(rank, 1);
  std::vector<int> order = {dim};
  for (int d = rank - 1; d >= 0; --d)
    if (d != dim)
      order.push_back(d);
  run[dim] = std::min(powerOfTwo(shape[dim]), elems / threads);
  int64_t lanesLeft = 32, warpsLeft = numWarps;
  for (int d : order) {
    lanes[d] = std::min(lanesLeft, powerOfTwo(shape[d]) / run[d]);
    lanesLeft /= lanes[d];
  }
  for (int d : order) {
    warps[d] = std::min(warpsLeft, powerOfTwo(shape[d]) / run[d] / lanes[d]);
    warpsLeft /= warps[d];
  }
  if (lanesLeft > 1 || warpsLeft > 1)
    return std::nullopt;
  return LinearLayout::blocked(shape, run, lanes, warps, order);
}
