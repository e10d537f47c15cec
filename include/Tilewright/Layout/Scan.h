// How the index along one dimension of a register tile is divided over registers, lanes and warps: what
// running sums and sorts along that dimension go by.
#ifndef TILEWRIGHT_LAYOUT_SCAN_H
#define TILEWRIGHT_LAYOUT_SCAN_H

#include "Tilewright/Layout/LinearLayout.h"

namespace tilewright::layout {

/// One bit of a hardware coordinate.
struct HwBit {
  Hw hw = Hw::Register;
  int bit = 0;
  bool operator==(const HwBit &o) const { return hw == o.hw && bit == o.bit; }
};

/// The hardware bit of each bit of the index along `dim` within the atom, lowest first; nullopt when a bit
/// moves along several dims, several bits move the same index bit, or blocks divide the dim. Post: flipping
/// bit result[p] of a hardware point flips bit p of the element's index along `dim` and nothing else.
std::optional<std::vector<HwBit>> indexBits(const LinearLayout &layout, int dim);

/// A scan along a dim: inside each warp over `bits`, then over the warps that share a row, then from round to
/// round, which follow one another in the registers of a thread.
///
/// For 2048 columns under {register=[[1],[2]], lane=[[4]…[64]], warp=[[128],[256]], repeat=[4]}: bits are two
/// of registers and five of lanes, warpBits 0 and 1, and there are 4 rounds of 512 elements.
struct ScanPlan {
  /// Bits of the index, lowest first, that a warp holds: of registers or lanes.
  std::vector<HwBit> bits;
  /// The bits above them: of the warp's number.
  std::vector<int> warpBits;
  /// Elements of a round, and rounds.
  int64_t roundSize = 1, rounds = 1;

  int numWarps() const { return 1 << warpBits.size(); }
  /// Lane bits along the dim.
  uint32_t laneMask() const;
  uint32_t warpMask() const;
};

/// nullopt when `indexBits` has none, or registers or lanes hold index bits above those of warps in another
/// way.
std::optional<ScanPlan> scanPlan(const LinearLayout &layout, int dim);

/// Instructions of a thread for a scan along `dim`, about: shuffles, combinations and selections in warps,
/// and what each thread reads of the totals of others.
int64_t scanInstructions(const LinearLayout &layout, const ScanPlan &plan, int dim);

/// The same elements with runs along `dim` in the registers of a thread, then its lanes, then its warps: one
/// round where powers of two divide the dim. nullopt where threads would hold copies.
std::optional<LinearLayout> runLayout(const Shape &shape, int numWarps, int dim);

/// A layout of `shape` that has a scan plan along `dim`, and index bits when shape[dim] is a power of two.
LinearLayout scanLayout(const Shape &shape, int numWarps, int dim);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SCAN_H
