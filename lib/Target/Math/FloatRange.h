// Where the numbers of a value lie, as far as the ops that compute it say: a function of what is bounded
// needs no clamps, a quotient by a number that is neither tiny nor huge no scales.
#ifndef TILEWRIGHT_LIB_TARGET_MATH_FLOATRANGE_H
#define TILEWRIGHT_LIB_TARGET_MATH_FLOATRANGE_H

#include "mlir/IR/Operation.h"

#include <cmath>
#include <limits>

namespace tilewright::math {

/// Bounds, themselves included, of all numbers that a value can be. It may be no number as well.
struct FloatRange {
  static constexpr double kLargestFinite = std::numeric_limits<float>::max();

  double least = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
  /// The largest magnitude of what is finite.
  double finite = kLargestFinite;

  bool isWithin(double lo, double hi) const { return lo <= least && largest <= hi; }
  bool isKnown() const { return !std::isinf(least) || !std::isinf(largest) || finite < kLargestFinite; }
  bool isNotNegative() const { return least >= 0; }
  /// Neither zero, nor subnormal in fp32, nor negative.
  bool isNormalAndPositive() const { return least >= 0x1p-126; }
};

/// Notes at every function of one f32 operand, and every f32 quotient, below `root` in what range its operand
/// lies, or its divisor; where nothing is known of that no note is left.
void noteRanges(mlir::Operation *root);
/// Takes what is left of the notes away.
void dropRanges(mlir::Operation *root);

/// What is noted at `op`.
FloatRange notedRange(mlir::Operation *op);

} // namespace tilewright::math

#endif // TILEWRIGHT_LIB_TARGET_MATH_FLOATRANGE_H
