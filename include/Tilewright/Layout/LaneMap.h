// A lane map: how a lowering computes a coordinate or an offset from the runtime lane and warp numbers.
//
// A linear function of an integer's bits is emitted as few terms ((x >> shift) & mask) * mul: a run of bits
// whose bases double (1, 2, 4 ... times mul) is one term. Nothing else in the compiler takes lane numbers
// apart.
#ifndef TILEWRIGHT_LAYOUT_LANEMAP_H
#define TILEWRIGHT_LAYOUT_LANEMAP_H

#include "Tilewright/Layout/LinearLayout.h"

namespace tilewright::layout {

/// ((x >> shift) & mask) * mul, where x is the lane, warp or block number that `source` names.
struct BitTerm {
  Hw source = Hw::Lane;
  int shift = 0;
  uint32_t mask = 0;
  int64_t mul = 0;
  /// The mask keeps all bits of x >> shift, so the `and` can be left out.
  bool coversTop = false;

  int64_t evaluate(int64_t x) const { return ((x >> shift) & mask) * mul; }
  bool operator==(const BitTerm &o) const {
    return source == o.source && shift == o.shift && mask == o.mask && mul == o.mul;
  }
};

/// A sum of terms; when `isXor`, the terms overlap in bits and must be combined by xor instead.
struct BitSum {
  std::vector<BitTerm> terms;
  bool isXor = false;

  /// Post: equals the linear function it was made from, for all lane, warp, block.
  int64_t evaluate(int lane, int warp, int block = 0) const;
  bool isZero() const { return terms.empty(); }
};

/// How a per-register constant joins a runtime base.
enum class Join : uint8_t { Add, Xor };

/// Element coordinates of all registers of a thread: coordinate d of register r is
///   base[d].evaluate(lane, warp)  (+ or ^, by join[d])  constants[r][d].
/// Repeats are always added: with join Xor, coordinate = (base ^ constants[r][d]) + repeatOffsets[r][d];
/// with join Add repeatOffsets are already inside the constants (and are zero).
struct LaneMap {
  std::vector<BitSum> base;
  std::vector<Join> join;
  std::vector<Coord> constants;
  std::vector<Coord> repeatOffsets;

  /// Post: equals layout.apply(reg, lane, warp, block) for all inputs.
  Coord evaluate(int reg, int lane, int warp, int block = 0) const;
};
LaneMap laneMap(const LinearLayout &layout);

/// The fewest terms of the function that sends bit b of `hw` to bases[hw][b] (none for Register), where the
/// values of several bits join by sum or by xor; used for coordinates, offsets and source lanes alike.
BitSum bitSum(const std::array<std::vector<int64_t>, 4> &bases, Join meaning);

/// A choice among 2^n values by the lane number: bit i of the index is the parity of (lane & laneMasks[i]).
struct LaneSelect {
  std::vector<uint32_t> laneMasks;
  int indexOf(int lane) const;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_LANEMAP_H
