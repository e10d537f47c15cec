// Register layouts: data, evaluation, properties, text. Makers and algebra are in the files of those names.
#include "Tilewright/Layout/LinearLayout.h"
#include "Bits.h"
#include "Text.h"
#include <algorithm>
#include <cassert>

using namespace tilewright::layout;

const char *tilewright::layout::toString(Hw hw) {
  switch (hw) {
  case Hw::Register:
    return "register";
  case Hw::Lane:
    return "lane";
  case Hw::Warp:
    return "warp";
  case Hw::Block:
    return "block";
  }
  return "";
}

//===-------------------------------------------------------------------------------------------------------===//
// Data
//===-------------------------------------------------------------------------------------------------------===//

std::optional<LinearLayout> LinearLayout::create(Shape shape, std::array<Bases, 4> bases, Shape repeat,
                                                 std::string *error) {
  size_t rank = shape.size();
  if (repeat.empty())
    repeat.assign(rank, 1);
  if (repeat.size() != rank)
    return fail(error, "repeat has " + std::to_string(repeat.size()) + " entries for a tensor of rank " +
                           std::to_string(rank));
  LinearLayout layout;
  int totalBits = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (shape[d] < 1 || repeat[d] < 1 || shape[d] % repeat[d] != 0 || !isPowerOfTwo(shape[d] / repeat[d]))
      return fail(error, "dim " + std::to_string(d) + " of size " + std::to_string(shape[d]) +
                             " is not a power of two times its repeat of " + std::to_string(repeat[d]));
    layout.atomShape.push_back(shape[d] / repeat[d]);
    totalBits += log2Of(layout.atomShape.back());
  }
  if (totalBits > 30)
    return fail(error, "atom of 2^" + std::to_string(totalBits) + " elements is larger than 2^30");
  for (Hw hw : allHw) {
    const Bases &hwBases = bases[static_cast<size_t>(hw)];
    if (hwBases.size() > (hw == Hw::Register ? 16u : 10u))
      return fail(error,
                  std::string(layout::toString(hw)) + " has " + std::to_string(hwBases.size()) + " bits");
    for (size_t bit = 0; bit < hwBases.size(); ++bit) {
      if (hwBases[bit].size() != rank)
        return fail(error, std::string(layout::toString(hw)) + " bit " + std::to_string(bit) + " has " +
                               std::to_string(hwBases[bit].size()) + " coordinates for a tensor of rank " +
                               std::to_string(rank));
      for (size_t d = 0; d < rank; ++d)
        if (hwBases[bit][d] < 0 || hwBases[bit][d] >= layout.atomShape[d])
          return fail(error, std::string(layout::toString(hw)) + " bit " + std::to_string(bit) + " is at " +
                                 std::to_string(hwBases[bit][d]) + " along dim " + std::to_string(d) +
                                 ", outside the atom of " + std::to_string(layout.atomShape[d]));
    }
  }
  constexpr int64_t maxRegisters = 1 << 20;
  int64_t registers = int64_t(1) << bases[0].size();
  for (int64_t count : repeat) {
    if (count > maxRegisters / registers)
      return fail(error, "more than " + std::to_string(maxRegisters) + " registers per thread");
    registers *= count;
  }
  layout.repeatCounts = std::move(repeat);
  layout.hwBases = std::move(bases);
  layout.canonicalize();
  return layout;
}

/// Powers of two of the innermost repeats become register bits; the register numbering stays.
void LinearLayout::canonicalize() {
  for (int d = rank() - 1; d >= 0; --d) {
    while (repeatCounts[d] % 2 == 0) {
      Coord basis(rank(), 0);
      basis[d] = static_cast<int32_t>(atomShape[d]);
      hwBases[0].push_back(std::move(basis));
      atomShape[d] *= 2;
      repeatCounts[d] /= 2;
    }
    if (repeatCounts[d] != 1)
      return;
  }
}

Shape LinearLayout::shape() const {
  Shape out(atomShape);
  for (int d = 0; d < rank(); ++d)
    out[d] *= repeatCounts[d];
  return out;
}

int LinearLayout::atomRegisters() const { return 1 << bases(Hw::Register).size(); }

int LinearLayout::size(Hw hw) const {
  int atomSize = 1 << bases(hw).size();
  return hw == Hw::Register ? static_cast<int>(atomSize * productOf(repeatCounts)) : atomSize;
}

static void xorBits(Coord &out, const LinearLayout::Bases &bases, uint32_t value) {
  for (size_t bit = 0; bit < bases.size(); ++bit)
    if ((value >> bit) & 1)
      xorInto(out, bases[bit]);
}

void LinearLayout::apply(const HwCoord &hw, Coord &out) const {
  assert(hw.reg >= 0 && hw.reg < numRegisters() && "no such register");
  out.assign(rank(), 0);
  xorBits(out, bases(Hw::Register), static_cast<uint32_t>(hw.reg & (atomRegisters() - 1)));
  xorBits(out, bases(Hw::Lane), static_cast<uint32_t>(hw.lane));
  xorBits(out, bases(Hw::Warp), static_cast<uint32_t>(hw.warp));
  xorBits(out, bases(Hw::Block), static_cast<uint32_t>(hw.block));
  int repeatIndex = hw.reg / atomRegisters();
  for (int d = rank() - 1; d >= 0; --d) {
    out[d] += static_cast<int32_t>(repeatIndex % repeatCounts[d] * atomShape[d]);
    repeatIndex = static_cast<int>(repeatIndex / repeatCounts[d]);
  }
}

std::optional<LinearLayout> LinearLayout::twice(int dim) const {
  if (repeatCounts[dim] != 1)
    return std::nullopt;
  Shape more = shape();
  std::array<Bases, 4> bases = hwBases;
  Coord again(more.size(), 0);
  again[dim] = more[dim];
  bases[static_cast<size_t>(Hw::Register)].push_back(again);
  more[dim] *= 2;
  return create(more, bases, repeatCounts);
}

/// Where among register bits the one stands that tells apart what lies in turns of `by` elements along `dim`:
/// behind those of these elements, or in front of all where lanes have some of them.
static size_t bitOfTurns(const LinearLayout::Bases &registers, int dim, int64_t by) {
  size_t bit = 0;
  for (int64_t place = 1; place < by; place *= 2, ++bit) {
    if (bit == registers.size())
      return 0;
    for (size_t d = 0; d < registers[bit].size(); ++d)
      if (registers[bit][d] != (static_cast<int>(d) == dim ? place : 0))
        return 0;
  }
  return bit;
}

LinearLayout LinearLayout::withRun(int dim, int64_t count) const {
  std::array<Bases, 4> bases = hwBases;
  std::vector<Coord *> along;
  for (Bases &ofHw : bases)
    for (Coord &basis : ofHw) {
      if (basis[dim] == 0)
        continue;
      for (size_t d = 0; d < basis.size(); ++d)
        if (basis[d] != 0 && d != static_cast<size_t>(dim))
          return *this;
      along.push_back(&basis);
    }
  auto byPlace = [&](const Coord *a, const Coord *b) { return (*a)[dim] < (*b)[dim]; };
  std::stable_sort(along.begin(), along.end(), byPlace);
  Bases places;
  for (const Coord *basis : along)
    places.push_back(*basis);
  const Bases &registers = bases[static_cast<size_t>(Hw::Register)];
  auto isRegister = [&](const Coord *basis) {
    return basis >= registers.data() && basis < registers.data() + registers.size();
  };
  std::vector<Coord *> first, others;
  for (Coord *basis : along)
    (isRegister(basis) && (int64_t(1) << first.size()) < count ? first : others).push_back(basis);
  first.insert(first.end(), others.begin(), others.end());
  for (size_t i = 0; i < first.size(); ++i)
    *first[i] = places[i];
  std::optional<LinearLayout> layout = create(shape(), bases, repeatCounts);
  return layout ? *layout : *this;
}

std::optional<LinearLayout> LinearLayout::interleaved(int dim, int64_t by) const {
  if (atomShape[dim] % by != 0)
    return std::nullopt;
  Shape more = shape();
  more[dim] *= 2;
  std::array<Bases, 4> bases = hwBases;
  auto low = static_cast<int32_t>(by - 1);
  for (Bases &of : bases)
    for (Coord &basis : of)
      basis[dim] = (basis[dim] & low) | ((basis[dim] & ~low) << 1);
  Coord next(more.size(), 0);
  next[dim] = static_cast<int32_t>(by);
  Bases &registers = bases[static_cast<size_t>(Hw::Register)];
  registers.insert(registers.begin() + static_cast<ptrdiff_t>(bitOfTurns(registers, dim, by)), next);
  return create(more, bases, repeatCounts);
}

std::optional<LinearLayout> LinearLayout::everyOther(int dim, int64_t by) const {
  Coord next(rank(), 0);
  next[dim] = static_cast<int32_t>(by);
  std::array<Bases, 4> bases = hwBases;
  Bases &registers = bases[static_cast<size_t>(Hw::Register)];
  size_t bit = bitOfTurns(registers, dim, by);
  if (bit >= registers.size() || registers[bit] != next || atomShape[dim] % (2 * by) != 0)
    return std::nullopt;
  registers.erase(registers.begin() + static_cast<ptrdiff_t>(bit));
  auto low = static_cast<int32_t>(by - 1);
  for (Bases &of : bases)
    for (Coord &basis : of) {
      if ((basis[dim] & static_cast<int32_t>(by)) != 0)
        return std::nullopt;
      basis[dim] = (basis[dim] & low) | ((basis[dim] >> 1) & ~low);
    }
  Shape less = shape();
  less[dim] /= 2;
  return create(less, bases, repeatCounts);
}

std::optional<int> LinearLayout::registerAt(const Coord &offset) const {
  assert(static_cast<int>(offset.size()) == rank() && "one coordinate per dim");
  Packing packing(atomShape);
  Span span;
  for (size_t bit = 0; bit < bases(Hw::Register).size(); ++bit)
    span.insert(packing.pack(bases(Hw::Register)[bit]), uint64_t(1) << bit);
  Coord inAtom(rank());
  int64_t repeatIndex = 0;
  for (int d = 0; d < rank(); ++d) {
    if (offset[d] < 0 || offset[d] >= atomShape[d] * repeatCounts[d])
      return std::nullopt;
    inAtom[d] = static_cast<int32_t>(offset[d] % atomShape[d]);
    repeatIndex = repeatIndex * repeatCounts[d] + offset[d] / atomShape[d];
  }
  std::optional<uint64_t> atomReg = span.solve(packing.pack(inAtom));
  if (!atomReg)
    return std::nullopt;
  return static_cast<int>(repeatIndex * atomRegisters() + static_cast<int64_t>(*atomReg));
}

//===-------------------------------------------------------------------------------------------------------===//
// Properties
//===-------------------------------------------------------------------------------------------------------===//

static int rankOfBases(const LinearLayout &layout) {
  Packing packing(layout.atom());
  Span span;
  for (Hw hw : allHw)
    for (const Coord &basis : layout.bases(hw))
      span.insert(packing.pack(basis), 0);
  return span.size();
}

bool LinearLayout::isInjective() const {
  size_t hwBits = 0;
  for (Hw hw : allHw)
    hwBits += bases(hw).size();
  return static_cast<size_t>(rankOfBases(*this)) == hwBits;
}

bool LinearLayout::isSurjective() const { return rankOfBases(*this) == Packing(atomShape).totalBits(); }

uint32_t LinearLayout::freeBits(Hw wanted) const {
  Packing packing(atomShape);
  Span span;
  for (Hw hw : allHw) {
    uint32_t mask = 0;
    for (size_t bit = 0; bit < bases(hw).size(); ++bit)
      if (!span.insert(packing.pack(bases(hw)[bit]), 0))
        mask |= 1u << bit;
    if (hw == wanted)
      return mask;
  }
  return 0;
}

RegisterMap LinearLayout::canonicalRegisters() const {
  Packing packing(atomShape);
  Span span;
  std::vector<uint64_t> canonicalBit;
  for (size_t bit = 0; bit < bases(Hw::Register).size(); ++bit) {
    uint64_t column = packing.pack(bases(Hw::Register)[bit]);
    span.insert(column, uint64_t(1) << bit);
    canonicalBit.push_back(*span.solve(column));
  }
  RegisterMap out(numRegisters());
  int atomRegs = atomRegisters();
  for (int r = 0; r < numRegisters(); ++r) {
    uint64_t canonical = 0;
    for (size_t bit = 0; bit < canonicalBit.size(); ++bit)
      if ((r >> bit) & 1)
        canonical ^= canonicalBit[bit];
    out[r] = r / atomRegs * atomRegs + static_cast<int>(canonical);
  }
  return out;
}

/// The register bits that count 1, 2, 4... along `dim` while no other bit moves below the count.
/// With `lowestOnly` they must be bits 0, 1, 2...
static std::vector<int> countingBits(const LinearLayout &layout, int dim, bool lowestOnly) {
  const LinearLayout::Bases &registers = layout.bases(Hw::Register);
  std::vector<int> bits;
  for (int32_t step = 1; step < layout.atom()[dim]; step *= 2) {
    int found = -1;
    for (size_t bit = 0; bit < registers.size() && found < 0; ++bit) {
      Coord want(layout.rank(), 0);
      want[dim] = step;
      if (registers[bit] == want)
        found = static_cast<int>(bit);
    }
    if (found < 0 || (lowestOnly && found != static_cast<int>(bits.size())))
      return bits;
    uint32_t freeRegisters = layout.freeBits(Hw::Register);
    for (Hw hw : allHw)
      for (size_t bit = 0; bit < layout.bases(hw).size(); ++bit) {
        if (hw == Hw::Register &&
            (static_cast<int>(bit) == found || (!lowestOnly && ((freeRegisters >> bit) & 1))))
          continue;
        if (layout.bases(hw)[bit][dim] & step)
          return bits;
      }
    bits.push_back(found);
  }
  return bits;
}

int LinearLayout::contiguity(int dim) const {
  return 1 << countingBits(*this, dim, /*lowestOnly=*/true).size();
}

VectorAccess LinearLayout::vectorAccess(int elemBits, int dim, int alignmentBits, int maxBits) const {
  VectorAccess out;
  int limit = std::min(alignmentBits, maxBits);
  std::vector<int> used;
  for (int bit : countingBits(*this, dim, /*lowestOnly=*/false)) {
    if (out.elems * 2 * elemBits > limit)
      break;
    used.push_back(bit);
    out.elems *= 2;
  }
  uint32_t skip = freeBits(Hw::Register);
  for (int bit : used)
    skip |= 1u << bit;
  int atomRegs = atomRegisters();
  for (int r = 0; r < numRegisters(); ++r) {
    if (static_cast<uint32_t>(r % atomRegs) & skip)
      continue;
    std::vector<int> &group = out.groups.emplace_back();
    for (int e = 0; e < out.elems; ++e) {
      int member = r;
      for (size_t i = 0; i < used.size(); ++i)
        if ((e >> i) & 1)
          member += 1 << used[i];
      group.push_back(member);
    }
  }
  return out;
}

int LinearLayout::vectorWidth(int elemBits, int dim, int alignmentBits, int maxBits) const {
  return vectorAccess(elemBits, dim, alignmentBits, maxBits).elems;
}

//===-------------------------------------------------------------------------------------------------------===//
// Text
//===-------------------------------------------------------------------------------------------------------===//

std::string LinearLayout::toString() const {
  std::string out = "{shape=" + listText(shape());
  for (Hw hw : allHw)
    if (hw != Hw::Block || !bases(hw).empty())
      out += std::string(", ") + layout::toString(hw) + "=" + listText(bases(hw));
  if (productOf(repeatCounts) != 1)
    out += ", repeat=" + listText(repeatCounts);
  return out + "}";
}

std::optional<LinearLayout> LinearLayout::parse(std::string_view text, std::string *error) {
  std::optional<TextValue> value = parseText(text, error);
  if (!value || !hasOnlyFields(*value, {"shape", "register", "lane", "warp", "block", "repeat"}, error))
    return std::nullopt;
  const TextValue *shapeField = value->field("shape");
  std::optional<Shape> shape = shapeField ? shapeField->integers() : std::nullopt;
  if (!shape)
    return fail(error, "expected shape=[...]");
  Shape repeat;
  if (const TextValue *field = value->field("repeat")) {
    std::optional<Shape> counts = field->integers();
    if (!counts)
      return fail(error, "expected repeat=[...]");
    repeat = *counts;
    if (repeat.empty() && !shape->empty())
      return fail(error, "repeat has no entries");
  }
  std::array<Bases, 4> bases;
  for (Hw hw : allHw) {
    const TextValue *field = value->field(layout::toString(hw));
    if (!field)
      continue;
    std::optional<std::vector<Shape>> lists = field->integerLists();
    if (!lists)
      return fail(error, std::string("expected ") + layout::toString(hw) + "=[[...], ...]");
    for (const Shape &list : *lists) {
      Coord &basis = bases[static_cast<size_t>(hw)].emplace_back();
      for (int64_t x : list) {
        if (x < 0 || x >= (int64_t(1) << 30))
          return fail(error, "coordinate " + std::to_string(x) + " is out of range");
        basis.push_back(static_cast<int32_t>(x));
      }
    }
  }
  return create(std::move(*shape), std::move(bases), std::move(repeat), error);
}

size_t LinearLayout::hash() const {
  size_t h = hashMix(0, atomShape.size());
  for (int d = 0; d < rank(); ++d)
    h = hashMix(hashMix(h, static_cast<uint64_t>(atomShape[d])), static_cast<uint64_t>(repeatCounts[d]));
  for (Hw hw : allHw) {
    h = hashMix(h, bases(hw).size());
    for (const Coord &basis : bases(hw))
      for (int32_t x : basis)
        h = hashMix(h, static_cast<uint64_t>(x));
  }
  return h;
}
