// Linear algebra over GF(2) on 64-bit columns, and small integer facts. Internal to Layout.
#ifndef TILEWRIGHT_LIB_LAYOUT_BITS_H
#define TILEWRIGHT_LIB_LAYOUT_BITS_H

#include "Tilewright/Layout/LinearLayout.h"

namespace tilewright::layout {

inline bool isPowerOfTwo(int64_t x) { return x > 0 && (x & (x - 1)) == 0; }
/// The largest power of two that divides x; 0 is divided by all (given back as 2^62).
inline int64_t powerOfTwoFactor(int64_t x) { return x == 0 ? int64_t(1) << 62 : (x & -x); }
inline int log2Of(int64_t x) {
  int bits = 0;
  while ((int64_t(1) << bits) < x)
    ++bits;
  return bits;
}
inline int highestBit(uint64_t x) { return 63 - __builtin_clzll(x); }
inline size_t hashMix(size_t seed, uint64_t value) {
  uint64_t x = (seed ^ value) * 0x9E3779B97F4A7C15ull;
  return static_cast<size_t>(x ^ (x >> 29));
}

/// A growing set of independent columns. Each column has an id mask; combinations are xors of ids.
class Span {
public:
  /// The combination of inserted ids that gives `column`; nullopt when it is outside the span.
  std::optional<uint64_t> solve(uint64_t column) const {
    uint64_t combination = 0;
    for (const Row &row : rows)
      if ((column >> row.pivot) & 1) {
        column ^= row.column;
        combination ^= row.combination;
      }
    if (column)
      return std::nullopt;
    return combination;
  }
  /// Inserts an independent column; false (and no change) when it is dependent.
  bool insert(uint64_t column, uint64_t id) {
    for (const Row &row : rows)
      if ((column >> row.pivot) & 1) {
        column ^= row.column;
        id ^= row.combination;
      }
    if (!column)
      return false;
    rows.push_back({column, id, highestBit(column)});
    return true;
  }
  int size() const { return static_cast<int>(rows.size()); }

private:
  struct Row {
    uint64_t column, combination;
    int pivot;
  };
  std::vector<Row> rows;
};

/// Packs coordinates of a power-of-two atom into one word, dim 0 lowest; `dims` selects (all when empty).
class Packing {
public:
  explicit Packing(const Shape &atom) {
    int bit = 0;
    for (int64_t size : atom) {
      shifts.push_back(bit);
      widths.push_back(log2Of(size));
      bit += widths.back();
    }
    bits = bit;
  }
  uint64_t pack(const Coord &c) const {
    uint64_t word = 0;
    for (size_t d = 0; d < shifts.size(); ++d)
      word |= static_cast<uint64_t>(c[d]) << shifts[d];
    return word;
  }
  Coord unpack(uint64_t word) const {
    Coord c(shifts.size());
    for (size_t d = 0; d < shifts.size(); ++d)
      c[d] = static_cast<int32_t>((word >> shifts[d]) & ((uint64_t(1) << widths[d]) - 1));
    return c;
  }
  int totalBits() const { return bits; }

private:
  std::vector<int> shifts, widths;
  int bits = 0;
};

inline void xorInto(Coord &into, const Coord &basis) {
  for (size_t d = 0; d < into.size(); ++d)
    into[d] ^= basis[d];
}
inline bool isZero(const Coord &c) {
  for (int32_t x : c)
    if (x)
      return false;
  return true;
}
inline int64_t productOf(const Shape &shape) {
  int64_t n = 1;
  for (int64_t s : shape)
    n *= s;
  return n;
}
/// Row-major digits of n in `shape`.
inline Coord delinearize(int64_t n, const Shape &shape) {
  Coord c(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    c[d] = static_cast<int32_t>(n % shape[d]);
    n /= shape[d];
  }
  return c;
}
inline int64_t linearize(const Coord &c, const Shape &shape) {
  int64_t n = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    n = n * shape[d] + c[d];
  return n;
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_LIB_LAYOUT_BITS_H
