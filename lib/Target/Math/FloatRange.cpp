// Intervals of floats (R. E. Moore, Interval Analysis, 1966), from operands to results. Ends are rounded
// outward to the type of the result; what functions to a few ulps may give beyond their values' bounds is
// added.
#include "FloatRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tilewright::math;

static constexpr llvm::StringLiteral kRangeAttrName = "target.range";
/// More than any function's relative error, the chip's tanh among them (2^-11).
static constexpr double kOff = 0x1p-9;
/// Ops behind one another that are looked through; noteRanges goes from the first to the last.
static constexpr int kMostDeep = 64;
/// What is less than the least normal number may have been flushed.
static constexpr double kLeastNormal = 0x1p-126;

/// `value` rounded to the float `type`, down or up.
static double rounded(double value, Type type, bool up) {
  APFloat number(value);
  bool loses = false;
  const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
  number.convert(semantics, up ? APFloat::rmTowardPositive : APFloat::rmTowardNegative, &loses);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

namespace {
class Ranges {
public:
  FloatRange of(Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    if (!op || depth == kMostDeep || op->getNumResults() != 1)
      return {};
    ++depth;
    FloatRange range = compute(op);
    --depth;
    Type type = getElementTypeOrSelf(value.getType());
    bool hasInfinity = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
    if (std::isnan(range.least) || std::isnan(range.largest) || !hasInfinity)
      range = {};
    else
      range = {rounded(range.least, type, false), rounded(range.largest, type, true), range.finite};
    if (range.least > 0 && range.least < kLeastNormal)
      range.least = 0;
    if (range.largest < 0 && range.largest > -kLeastNormal)
      range.largest = 0;
    if (type.isF64())
      range.finite = std::numeric_limits<double>::infinity();
    range.finite = std::min(range.finite, std::max(std::fabs(range.least), std::fabs(range.largest)));
    return known[value] = range;
  }

private:
  FloatRange compute(Operation *op);
  FloatRange constant(Operation *op);
  FloatRange product(Operation *op);
  FloatRange quotient(FloatRange x, FloatRange y);
  /// Of a function that does not fall, to a few ulps; its values lie in [least, largest].
  FloatRange rising(Operation *op, double (*function)(double), double least, double largest) {
    FloatRange x = of(op->getOperand(0));
    double lo = function(x.least), hi = function(x.largest);
    return {std::max(least, lo - std::fabs(lo) * kOff), std::min(largest, hi + std::fabs(hi) * kOff)};
  }

  DenseMap<Value, FloatRange> known;
  int depth = 0;
};
} // namespace

FloatRange Ranges::constant(Operation *op) {
  Attribute attribute;
  if (!matchPattern(op, m_Constant(&attribute)))
    return {};
  SmallVector<APFloat> values;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    values.push_back(number.getValue());
  else if (auto dense = dyn_cast<DenseFPElementsAttr>(attribute))
    llvm::append_range(values, dense.getValues<APFloat>());
  if (values.empty())
    return {};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  FloatRange range{infinity, -infinity};
  for (APFloat value : values) {
    bool loses = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    if (value.isNaN())
      return {};
    range = {std::min(range.least, value.convertToDouble()),
             std::max(range.largest, value.convertToDouble())};
  }
  return range;
}

/// A product of 0 and infinity is no number, but of numbers of any size with 0 it is 0.
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

FloatRange Ranges::product(Operation *op) {
  FloatRange x = of(op->getOperand(0)), y = of(op->getOperand(1));
  double ends[] = {times(x.least, y.least), times(x.least, y.largest), times(x.largest, y.least),
                   times(x.largest, y.largest)};
  // What is finite is a product of finite numbers.
  double finite = std::min(FloatRange::kLargestFinite, x.finite * y.finite * (1 + kOff));
  FloatRange range{*llvm::min_element(ends), *llvm::max_element(ends), finite};
  if (op->getOperand(0) == op->getOperand(1))
    range.least = std::max(range.least, 0.0);
  return range;
}

FloatRange Ranges::quotient(FloatRange x, FloatRange y) {
  if (y.least <= 0 && y.largest >= 0)
    return {};
  // Of infinite numbers the quotient is any number up to the others'.
  auto over = [](double a, double b) { return std::isinf(b) ? 0 : a / b; };
  double ends[] = {over(x.least, y.least), over(x.least, y.largest), over(x.largest, y.least),
                   over(x.largest, y.largest)};
  double lo = *llvm::min_element(ends), hi = *llvm::max_element(ends);
  // A quotient by an infinite number is zero.
  double nearest = std::min(std::fabs(y.least), std::fabs(y.largest));
  double finite = std::min(FloatRange::kLargestFinite, x.finite / nearest * (1 + kOff));
  return {lo - std::fabs(lo) * kOff, hi + std::fabs(hi) * kOff, finite};
}

FloatRange Ranges::compute(Operation *op) {
  auto operand = [&](unsigned i) { return of(op->getOperand(i)); };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return llvm::TypeSwitch<Operation *, FloatRange>(op)
      .Case<arith::ConstantOp>([&](auto) { return constant(op); })
      .Case<arith::ExtFOp>([&](auto) { return operand(0); })
      .Case<arith::TruncFOp>([&](auto) {
        FloatRange x = operand(0);
        x.finite = std::min(FloatRange::kLargestFinite, x.finite * (1 + kOff));
        return x;
      })
      .Case<arith::UIToFPOp>([&](arith::UIToFPOp cast) {
        unsigned bits = getElementTypeOrSelf(cast.getIn().getType()).getIntOrFloatBitWidth();
        return FloatRange{0, std::ldexp(1.0, (int)bits)};
      })
      .Case<arith::SIToFPOp>([&](arith::SIToFPOp cast) {
        unsigned bits = getElementTypeOrSelf(cast.getIn().getType()).getIntOrFloatBitWidth();
        return FloatRange{-std::ldexp(1.0, (int)bits - 1), std::ldexp(1.0, (int)bits - 1)};
      })
      .Case<arith::NegFOp>([&](auto) {
        FloatRange x = operand(0);
        return FloatRange{-x.largest, -x.least, x.finite};
      })
      .Case<::mlir::math::AbsFOp>([&](auto) {
        FloatRange x = operand(0);
        double least = x.least > 0 ? x.least : x.largest < 0 ? -x.largest : 0;
        return FloatRange{least, std::max(-x.least, x.largest), x.finite};
      })
      .Case<::mlir::math::CopySignOp>([&](auto) {
        FloatRange x = operand(0);
        double most = std::max(-x.least, x.largest);
        return FloatRange{-most, most};
      })
      .Case<arith::AddFOp>([&](auto) {
        FloatRange x = operand(0), y = operand(1);
        return FloatRange{x.least + y.least, x.largest + y.largest};
      })
      .Case<arith::SubFOp>([&](auto) {
        FloatRange x = operand(0), y = operand(1);
        return FloatRange{x.least - y.largest, x.largest - y.least};
      })
      .Case<arith::MulFOp>([&](auto) { return product(op); })
      .Case<arith::DivFOp>([&](auto) { return quotient(operand(0), operand(1)); })
      .Case<arith::MaximumFOp>([&](auto) {
        FloatRange x = operand(0), y = operand(1);
        return FloatRange{std::max(x.least, y.least), std::max(x.largest, y.largest),
                          std::max(x.finite, y.finite)};
      })
      .Case<arith::MinimumFOp>([&](auto) {
        FloatRange x = operand(0), y = operand(1);
        return FloatRange{std::min(x.least, y.least), std::min(x.largest, y.largest),
                          std::max(x.finite, y.finite)};
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) {
        FloatRange x = of(select.getTrueValue()), y = of(select.getFalseValue());
        return FloatRange{std::min(x.least, y.least), std::max(x.largest, y.largest),
                          std::max(x.finite, y.finite)};
      })
      .Case<::mlir::math::ExpOp>([&](auto) { return rising(op, std::exp, 0, infinity); })
      .Case<::mlir::math::Exp2Op>([&](auto) { return rising(op, std::exp2, 0, infinity); })
      .Case<::mlir::math::TanhOp>([&](auto) { return rising(op, std::tanh, -1 - kOff, 1 + kOff); })
      .Case<::mlir::math::ErfOp>([&](auto) { return rising(op, std::erf, -1 - kOff, 1 + kOff); })
      .Case<::mlir::math::ErfcOp>([&](auto) { return FloatRange{0, 2 + 2 * kOff}; })
      .Case<::mlir::math::SinOp, ::mlir::math::CosOp>([&](auto) { return FloatRange{-1 - kOff, 1 + kOff}; })
      .Case<::mlir::math::SqrtOp>([&](auto) {
        FloatRange x = operand(0);
        return FloatRange{std::sqrt(std::max(x.least, 0.0)) * (1 - kOff),
                          std::sqrt(std::max(x.largest, 0.0)) * (1 + kOff)};
      })
      .Case<::mlir::math::RsqrtOp>([&](auto) {
        FloatRange x = operand(0);
        if (x.least <= 0) // that of -0 is -infinity
          return FloatRange{};
        return FloatRange{(1 - kOff) / std::sqrt(x.largest), (1 + kOff) / std::sqrt(x.least)};
      })
      .Case<::mlir::math::LogOp>([&](::mlir::math::LogOp log) {
        FloatRange x = operand(0);
        if (x.least <= 0)
          return FloatRange{};
        double lo = std::log(x.least), hi = std::log(x.largest);
        // The chip's own is off by as much near one as elsewhere, and may lie below zero.
        double off = bitEnumContainsAny(log.getFastmath(), arith::FastMathFlags::afn) ? kOff : 0;
        return FloatRange{lo - off - std::fabs(lo) * kOff, hi + off + std::fabs(hi) * kOff};
      })
      .Default([](auto) { return FloatRange{}; });
}

static bool hasRange(Operation *op) {
  using namespace ::mlir::math;
  return isa<ExpOp, Exp2Op, TanhOp, ErfOp, LogOp, SqrtOp, RsqrtOp, arith::DivFOp>(op);
}

void tilewright::math::noteRanges(Operation *root) {
  Ranges ranges;
  root->walk([&](Operation *op) {
    if (op->getNumResults() == 1)
      ranges.of(op->getResult(0));
    if (!hasRange(op) || !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      return;
    FloatRange range = ranges.of(op->getOperand(op->getNumOperands() - 1));
    if (range.isKnown())
      op->setDiscardableAttr(
          kRangeAttrName,
          DenseF64ArrayAttr::get(op->getContext(), {range.least, range.largest, range.finite}));
  });
}

void tilewright::math::dropRanges(Operation *root) {
  root->walk([](Operation *op) { op->removeDiscardableAttr(kRangeAttrName); });
}

FloatRange tilewright::math::notedRange(Operation *op) {
  auto noted = op->getAttrOfType<DenseF64ArrayAttr>(kRangeAttrName);
  return noted ? FloatRange{noted[0], noted[1], noted[2]} : FloatRange{};
}
