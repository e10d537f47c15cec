// Algebra of register layouts: product, quotients, composition, inverse, projection, reshaping.
#include "Bits.h"
#include "Tilewright/Layout/LinearLayout.h"
#include <algorithm>
#include <cassert>
#include <numeric>

using namespace tilewright::layout;

using BasesByHw = std::array<LinearLayout::Bases, 4>;

static Shape times(const Shape &a, const Shape &b) {
  Shape out(a);
  for (size_t d = 0; d < a.size(); ++d)
    out[d] *= b[d];
  return out;
}

static LinearLayout make(Shape shape, BasesByHw bases, Shape repeat) {
  std::string error;
  std::optional<LinearLayout> layout =
      LinearLayout::create(std::move(shape), std::move(bases), std::move(repeat), &error);
  assert(layout && "layout outgrew its limits");
  return layout ? *layout : LinearLayout();
}

//===-------------------------------------------------------------------------------------------------------===//
// Product, quotients, composition
//===-------------------------------------------------------------------------------------------------------===//

std::optional<LinearLayout> LinearLayout::product(const LinearLayout &outer) const {
  if (rank() != outer.rank() || productOf(repeatCounts) != 1)
    return std::nullopt;
  BasesByHw bases = hwBases;
  for (Hw hw : allHw)
    for (const Coord &basis : outer.bases(hw)) {
      Coord scaled(basis);
      for (int d = 0; d < rank(); ++d)
        scaled[d] *= static_cast<int32_t>(atomShape[d]);
      bases[static_cast<size_t>(hw)].push_back(std::move(scaled));
    }
  return create(times(atomShape, outer.shape()), std::move(bases), outer.repeat());
}

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  std::optional<LinearLayout> out = product(outer);
  assert(out && "the inner factor of a product has no repeats and the same rank");
  return out ? *out : LinearLayout();
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &inner) const {
  if (rank() != inner.rank() || productOf(inner.repeat()) != 1)
    return std::nullopt;
  Shape outerAtom;
  for (int d = 0; d < rank(); ++d) {
    if (atomShape[d] < inner.atom()[d])
      return std::nullopt;
    outerAtom.push_back(atomShape[d] / inner.atom()[d]);
  }
  BasesByHw bases;
  for (Hw hw : allHw) {
    size_t innerBits = inner.bases(hw).size();
    if (this->bases(hw).size() < innerBits ||
        !std::equal(inner.bases(hw).begin(), inner.bases(hw).end(), this->bases(hw).begin()))
      return std::nullopt;
    for (size_t bit = innerBits; bit < this->bases(hw).size(); ++bit) {
      Coord basis = this->bases(hw)[bit];
      for (int d = 0; d < rank(); ++d) {
        if (basis[d] % inner.atom()[d] != 0)
          return std::nullopt;
        basis[d] /= static_cast<int32_t>(inner.atom()[d]);
      }
      bases[static_cast<size_t>(hw)].push_back(std::move(basis));
    }
  }
  return create(times(outerAtom, repeatCounts), std::move(bases), repeatCounts);
}

std::optional<LinearLayout> LinearLayout::divideRight(const LinearLayout &outer) const {
  if (rank() != outer.rank() || repeatCounts != outer.repeat())
    return std::nullopt;
  Shape innerAtom;
  for (int d = 0; d < rank(); ++d) {
    if (atomShape[d] < outer.atom()[d])
      return std::nullopt;
    innerAtom.push_back(atomShape[d] / outer.atom()[d]);
  }
  BasesByHw bases;
  for (Hw hw : allHw) {
    if (this->bases(hw).size() < outer.bases(hw).size())
      return std::nullopt;
    bases[static_cast<size_t>(hw)].assign(this->bases(hw).begin(),
                                          this->bases(hw).end() - static_cast<long>(outer.bases(hw).size()));
  }
  std::optional<LinearLayout> inner = create(innerAtom, std::move(bases), {});
  if (!inner || inner->product(outer) != *this)
    return std::nullopt;
  return inner;
}

std::optional<LinearLayout> LinearLayout::compose(const LinearLayout &inner) const {
  Shape points = {numRegisters(), numLanes(), numWarps(), size(Hw::Block)};
  if (inner.shape() != points || inner.atom()[0] != atomRegisters())
    return std::nullopt;
  BasesByHw bases;
  for (Hw hw : allHw)
    for (const Coord &point : inner.bases(hw)) {
      // Register points are below atomRegisters(), so this stays inside the atom.
      bases[static_cast<size_t>(hw)].push_back(apply(point[0], point[1], point[2], point[3]));
    }
  return create(shape(), std::move(bases), repeatCounts);
}

//===-------------------------------------------------------------------------------------------------------===//
// Inverse
//===-------------------------------------------------------------------------------------------------------===//

std::optional<LayoutInverse> LinearLayout::invert() const {
  Packing packing(atomShape);
  Span span;
  LayoutInverse inverse;
  int hwBit = 0;
  for (Hw hw : allHw) {
    for (const Coord &basis : bases(hw))
      span.insert(packing.pack(basis), uint64_t(1) << hwBit++);
    inverse.hwBits[static_cast<size_t>(hw)] = static_cast<int>(bases(hw).size());
  }
  for (int d = 0; d < rank(); ++d) {
    std::vector<uint64_t> &columns = inverse.columns.emplace_back();
    for (int64_t step = 1; step < atomShape[d]; step *= 2) {
      Coord element(rank(), 0);
      element[d] = static_cast<int32_t>(step);
      std::optional<uint64_t> point = span.solve(packing.pack(element));
      if (!point)
        return std::nullopt;
      columns.push_back(*point);
    }
  }
  inverse.atom = atomShape;
  inverse.repeat = repeatCounts;
  inverse.atomRegisters = atomRegisters();
  return inverse;
}

HwCoord LayoutInverse::at(const Coord &element) const {
  uint64_t point = 0;
  int64_t repeatIndex = 0;
  for (size_t d = 0; d < atom.size(); ++d) {
    int64_t inAtom = element[d] % atom[d];
    repeatIndex = repeatIndex * repeat[d] + element[d] / atom[d];
    for (size_t bit = 0; bit < columns[d].size(); ++bit)
      if ((inAtom >> bit) & 1)
        point ^= columns[d][bit];
  }
  auto take = [&](Hw hw) {
    int bits = hwBits[static_cast<size_t>(hw)];
    auto value = static_cast<int32_t>(point & ((uint64_t(1) << bits) - 1));
    point >>= bits;
    return value;
  };
  HwCoord out;
  out.reg = static_cast<int32_t>(take(Hw::Register) + repeatIndex * atomRegisters);
  out.lane = take(Hw::Lane);
  out.warp = take(Hw::Warp);
  out.block = take(Hw::Block);
  return out;
}

//===-------------------------------------------------------------------------------------------------------===//
// Projection
//===-------------------------------------------------------------------------------------------------------===//

Projection LinearLayout::project(int dim) const { return project(std::vector<int>{dim}); }
Projection LinearLayout::expandSource(int dim) const { return project(dim); }

Projection LinearLayout::project(const std::vector<int> &dims) const {
  Shape atom = atomShape, repeat = repeatCounts;
  BasesByHw bases = hwBases;
  for (int dim : dims) {
    assert(dim >= 0 && dim < rank() && "no such dim");
    atom[dim] = repeat[dim] = 1;
    for (Bases &hw : bases)
      for (Coord &basis : hw)
        basis[dim] = 0;
  }
  // Keep the register bits that still tell elements apart; the others are combinations of the kept ones.
  Packing packing(atom);
  Span span;
  Bases kept;
  std::vector<uint64_t> newBit;
  for (const Coord &basis : bases[0]) {
    uint64_t column = packing.pack(basis);
    if (span.insert(column, uint64_t(1) << kept.size()))
      kept.push_back(basis);
    newBit.push_back(*span.solve(column));
  }
  Projection out;
  int keptRegisters = 1 << kept.size();
  for (int r = 0; r < numRegisters(); ++r) {
    int64_t repeatIndex = 0, rest = r / atomRegisters();
    Coord digits = delinearize(rest, repeatCounts);
    for (int d = 0; d < rank(); ++d)
      repeatIndex = repeatIndex * repeat[d] + (repeat[d] == 1 ? 0 : digits[d]);
    uint64_t atomReg = 0;
    for (size_t bit = 0; bit < newBit.size(); ++bit)
      if ((r >> bit) & 1)
        atomReg ^= newBit[bit];
    out.map.push_back(static_cast<int32_t>(repeatIndex * keptRegisters + static_cast<int64_t>(atomReg)));
  }
  bases[0] = std::move(kept);
  out.layout = make(times(atom, repeat), std::move(bases), repeat);
  return out;
}

//===-------------------------------------------------------------------------------------------------------===//
// Reshaping
//===-------------------------------------------------------------------------------------------------------===//

LinearLayout LinearLayout::transpose(const std::vector<int> &perm, RegisterMap *map) const {
  assert(static_cast<int>(perm.size()) == rank() && "one entry per dim");
  Shape atom(rank()), repeat(rank());
  BasesByHw bases = hwBases;
  for (int d = 0; d < rank(); ++d) {
    atom[d] = atomShape[perm[d]];
    repeat[d] = repeatCounts[perm[d]];
    for (size_t hw = 0; hw < bases.size(); ++hw)
      for (size_t bit = 0; bit < bases[hw].size(); ++bit)
        bases[hw][bit][d] = hwBases[hw][bit][perm[d]];
  }
  if (map) {
    map->clear();
    int atomRegs = atomRegisters();
    for (int r = 0; r < numRegisters(); ++r) {
      Coord digits = delinearize(r / atomRegs, repeat), source(rank());
      for (int d = 0; d < rank(); ++d)
        source[perm[d]] = digits[d];
      map->push_back(static_cast<int32_t>(linearize(source, repeatCounts) * atomRegs + r % atomRegs));
    }
  }
  return make(times(atom, repeat), std::move(bases), repeat);
}

LinearLayout LinearLayout::dropUnitDims(const std::vector<int> &dims) const {
  std::vector<int> keep;
  for (int d = 0; d < rank(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end())
      keep.push_back(d);
    else
      assert(atomShape[d] * repeatCounts[d] == 1 && "only dims of size 1 can be dropped");
  Shape atom, repeat;
  for (int d : keep) {
    atom.push_back(atomShape[d]);
    repeat.push_back(repeatCounts[d]);
  }
  BasesByHw bases;
  for (size_t hw = 0; hw < bases.size(); ++hw)
    for (const Coord &basis : hwBases[hw]) {
      Coord &out = bases[hw].emplace_back();
      for (int d : keep)
        out.push_back(basis[d]);
    }
  return make(times(atom, repeat), std::move(bases), repeat);
}

LinearLayout LinearLayout::addUnitDims(const std::vector<int> &dims) const {
  std::vector<int> sorted(dims);
  std::sort(sorted.begin(), sorted.end());
  Shape atom = atomShape, repeat = repeatCounts;
  BasesByHw bases = hwBases;
  for (int d : sorted) {
    assert(d >= 0 && d <= static_cast<int>(atom.size()) && "dims are positions in the result");
    atom.insert(atom.begin() + d, 1);
    repeat.insert(repeat.begin() + d, 1);
    for (Bases &hw : bases)
      for (Coord &basis : hw)
        basis.insert(basis.begin() + d, 0);
  }
  return make(times(atom, repeat), std::move(bases), repeat);
}

std::optional<LinearLayout> LinearLayout::reshape(const Shape &newShape) const {
  if (productOf(newShape) != productOf(shape()))
    return std::nullopt;
  // The digits of the row-major index, innermost first: single bits of the atom (count 2), and repeats.
  struct Digit {
    int64_t count;
    int dim, bit; // bit < 0: a repeat
  };
  std::vector<Digit> digits;
  for (int d = rank() - 1; d >= 0; --d) {
    for (int bit = 0; bit < log2Of(atomShape[d]); ++bit)
      digits.push_back({2, d, bit});
    if (repeatCounts[d] > 1)
      digits.push_back({repeatCounts[d], d, -1});
  }
  // Where each atom bit of each old dim goes: new dim and step.
  std::vector<std::vector<std::pair<int, int64_t>>> target(rank());
  int newRank = static_cast<int>(newShape.size());
  Shape repeat(newRank, 1);
  size_t next = 0;
  for (int e = newRank - 1; e >= 0; --e) {
    int64_t step = 1, need = newShape[e];
    while (need > 1) {
      if (next == digits.size())
        return std::nullopt;
      Digit &digit = digits[next];
      if (digit.bit >= 0) {
        if (repeat[e] != 1 || need % 2 != 0)
          return std::nullopt;
        target[digit.dim].push_back({e, step});
        step *= 2;
        need /= 2;
        ++next;
        continue;
      }
      int64_t part = std::gcd(digit.count, need);
      if (part == 1 || (part < digit.count && part != need))
        return std::nullopt;
      repeat[e] *= part;
      need /= part;
      digit.count /= part;
      if (digit.count == 1)
        ++next;
    }
  }
  BasesByHw bases;
  for (size_t hw = 0; hw < bases.size(); ++hw)
    for (const Coord &basis : hwBases[hw]) {
      Coord &out = bases[hw].emplace_back(newRank, 0);
      for (int d = 0; d < rank(); ++d)
        for (size_t bit = 0; bit < target[d].size(); ++bit)
          if ((basis[d] >> bit) & 1)
            out[target[d][bit].first] ^= static_cast<int32_t>(target[d][bit].second);
    }
  return create(newShape, std::move(bases), std::move(repeat));
}
