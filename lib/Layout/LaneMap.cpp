// Lane maps: linear functions of lane and warp numbers as few shift-and-mask terms.
#include "Tilewright/Layout/LaneMap.h"
#include "Bits.h"
#include <cassert>

using namespace tilewright::layout;

int64_t BitSum::evaluate(int lane, int warp, int block) const {
  int64_t out = 0;
  for (const BitTerm &term : terms) {
    int64_t value = term.evaluate(term.source == Hw::Lane ? lane : term.source == Hw::Warp ? warp : block);
    out = isXor ? out ^ value : out + value;
  }
  return out;
}

/// Whether any two of the bases have a bit in common, so that xor and sum differ.
static bool overlaps(const std::array<std::vector<int64_t>, 4> &bases) {
  int64_t seen = 0;
  for (const std::vector<int64_t> &hw : bases)
    for (int64_t basis : hw) {
      if (seen & basis)
        return true;
      seen |= basis;
    }
  return false;
}

BitSum tilewright::layout::bitSum(const std::array<std::vector<int64_t>, 4> &bases, Join meaning) {
  assert(bases[0].empty() && "registers are no runtime numbers");
  BitSum out;
  out.isXor = meaning == Join::Xor && overlaps(bases);
  for (Hw hw : {Hw::Lane, Hw::Warp, Hw::Block}) {
    const std::vector<int64_t> &hwBases = bases[static_cast<size_t>(hw)];
    int count = static_cast<int>(hwBases.size());
    for (int bit = 0; bit < count;) {
      if (hwBases[bit] == 0) {
        ++bit;
        continue;
      }
      int end = bit + 1;
      // Under xor a run is a product only while its shifted copies stay apart.
      int64_t seen = hwBases[bit];
      while (end < count && hwBases[end] == 2 * hwBases[end - 1] && !(out.isXor && (seen & hwBases[end])))
        seen |= hwBases[end++];
      BitTerm term;
      term.source = hw;
      term.shift = bit;
      term.mask = static_cast<uint32_t>((uint64_t(1) << (end - bit)) - 1);
      term.mul = hwBases[bit];
      term.coversTop = end == count;
      out.terms.push_back(term);
      bit = end;
    }
  }
  return out;
}

LaneMap tilewright::layout::laneMap(const LinearLayout &layout) {
  LaneMap map;
  int rank = layout.rank();
  for (int d = 0; d < rank; ++d) {
    std::array<std::vector<int64_t>, 4> bases;
    int32_t runtimeBits = 0, registerBits = 0;
    for (Hw hw : allHw)
      for (const Coord &basis : layout.bases(hw)) {
        if (hw == Hw::Register) {
          registerBits |= basis[d];
          continue;
        }
        bases[static_cast<size_t>(hw)].push_back(basis[d]);
        runtimeBits |= basis[d];
      }
    map.base.push_back(bitSum(bases, Join::Xor));
    map.join.push_back((runtimeBits & registerBits) ? Join::Xor : Join::Add);
  }
  for (int r = 0; r < layout.numRegisters(); ++r) {
    Coord constant = layout.apply(r, 0, 0), added(rank, 0);
    for (int d = 0; d < rank; ++d)
      if (map.join[d] == Join::Xor) {
        auto atom = static_cast<int32_t>(layout.atom()[d]);
        added[d] = constant[d] / atom * atom;
        constant[d] %= atom;
      }
    map.constants.push_back(std::move(constant));
    map.repeatOffsets.push_back(std::move(added));
  }
  return map;
}

Coord LaneMap::evaluate(int reg, int lane, int warp, int block) const {
  Coord out(base.size());
  for (size_t d = 0; d < base.size(); ++d) {
    int64_t value = base[d].evaluate(lane, warp, block);
    value = join[d] == Join::Xor ? value ^ constants[reg][d] : value + constants[reg][d];
    out[d] = static_cast<int32_t>(value + repeatOffsets[reg][d]);
  }
  return out;
}

int LaneSelect::indexOf(int lane) const {
  int index = 0;
  for (size_t bit = 0; bit < laneMasks.size(); ++bit)
    index |= __builtin_parity(static_cast<uint32_t>(lane) & laneMasks[bit]) << bit;
  return index;
}
