// Writes float and integer arithmetic as it reads in mathematics: `fma(x, x, y) * 0.5`. All values of one
// expansion have one shape, scalar or vector, and one float type, f32 or f64, with the integer type of the
// same width for its bits. Only operations with one rounding (or none) are written, so that every machine
// computes the same bits.
#ifndef TILEWRIGHT_LIB_TARGET_MATH_EMITTER_H
#define TILEWRIGHT_LIB_TARGET_MATH_EMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include <cmath>
#include <limits>

namespace tilewright::math {

class Emitter;

/// A float, integer or boolean under construction; combines with others of its kind and with constants.
struct Term {
  Emitter *emitter = nullptr;
  mlir::Value value;
};

class Emitter {
public:
  /// `type` is f32, f64, or a vector of either.
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), shape(type), element(mlir::getElementTypeOrSelf(type)) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type shape;
  mlir::Type element;

  bool isDouble() const { return element.isF64(); }
  int mantissaBits() const { return isDouble() ? 52 : 23; }
  int64_t bias() const { return isDouble() ? 1023 : 127; }
  /// Least normal number, 2^-126 or 2^-1022.
  double leastNormal() const { return std::ldexp(1.0, 1 - static_cast<int>(bias())); }
  /// Adding and subtracting it rounds to an integer: 1.5 times 2^mantissaBits.
  double roundingShift() const { return std::ldexp(1.5, mantissaBits()); }
  /// `forF32` or `forF64`, by the type at hand.
  template <typename T> T pick(T forF32, T forF64) const { return isDouble() ? forF64 : forF32; }

  mlir::Type like(mlir::Type scalar) const {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(shape))
      return vector.clone(scalar);
    return scalar;
  }
  mlir::Type intType() const { return builder.getIntegerType(element.getIntOrFloatBitWidth()); }

  Term wrap(mlir::Value value) { return {this, value}; }

  Term constant(mlir::Type scalar, mlir::TypedAttr scalarValue) {
    mlir::TypedAttr attribute = scalarValue;
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(shape))
      attribute = mlir::DenseElementsAttr::get(vector.clone(scalar), mlir::Attribute(scalarValue));
    return wrap(mlir::arith::ConstantOp::create(builder, loc, attribute));
  }
  /// A float constant, rounded to the type.
  Term real(double value) { return constant(element, builder.getFloatAttr(element, value)); }
  Term integer(mlir::Type type, int64_t value) { return constant(type, builder.getIntegerAttr(type, value)); }
  Term integer(int64_t value) { return integer(intType(), value); }
  Term infinity() { return real(std::numeric_limits<double>::infinity()); }
  Term notANumber() { return real(std::numeric_limits<double>::quiet_NaN()); }

  template <typename Op, typename... Args> Term op(Args... args) {
    return wrap(Op::create(builder, loc, args...));
  }
};

inline bool isFloat(Term a) {
  return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(a.value.getType()));
}
/// The constant `value` of the type of `a`.
inline Term sameType(Term a, double value) {
  return isFloat(a)
             ? a.emitter->real(value)
             : a.emitter->integer(mlir::getElementTypeOrSelf(a.value.getType()), static_cast<int64_t>(value));
}

#define TILEWRIGHT_TERM_OPERATOR(SYMBOL, FLOAT, INT)                                                         \
  inline Term operator SYMBOL(Term a, Term b) {                                                              \
    return isFloat(a) ? a.emitter->op<mlir::arith::FLOAT>(a.value, b.value)                                  \
                      : a.emitter->op<mlir::arith::INT>(a.value, b.value);                                   \
  }                                                                                                          \
  inline Term operator SYMBOL(Term a, double b) { return a SYMBOL sameType(a, b); }                          \
  inline Term operator SYMBOL(double a, Term b) { return sameType(b, a) SYMBOL b; }
TILEWRIGHT_TERM_OPERATOR(+, AddFOp, AddIOp)
TILEWRIGHT_TERM_OPERATOR(-, SubFOp, SubIOp)
TILEWRIGHT_TERM_OPERATOR(*, MulFOp, MulIOp)
TILEWRIGHT_TERM_OPERATOR(/, DivFOp, DivUIOp)
#undef TILEWRIGHT_TERM_OPERATOR

inline Term operator-(Term a) {
  return isFloat(a) ? a.emitter->op<mlir::arith::NegFOp>(a.value) : sameType(a, 0) - a;
}
inline Term operator&(Term a, Term b) { return a.emitter->op<mlir::arith::AndIOp>(a.value, b.value); }
inline Term operator|(Term a, Term b) { return a.emitter->op<mlir::arith::OrIOp>(a.value, b.value); }
inline Term operator^(Term a, Term b) { return a.emitter->op<mlir::arith::XOrIOp>(a.value, b.value); }
inline Term operator<<(Term a, Term b) { return a.emitter->op<mlir::arith::ShLIOp>(a.value, b.value); }
inline Term operator<<(Term a, int b) { return a << sameType(a, b); }
/// Shifts in the sign.
inline Term operator>>(Term a, int b) {
  return a.emitter->op<mlir::arith::ShRSIOp>(a.value, sameType(a, b).value);
}
/// Shifts in zeros.
inline Term shiftRightLogical(Term a, Term b) {
  return a.emitter->op<mlir::arith::ShRUIOp>(a.value, b.value);
}
inline Term shiftRightLogical(Term a, int b) { return shiftRightLogical(a, sameType(a, b)); }

inline Term fma(Term a, Term b, Term c) {
  return a.emitter->op<mlir::math::FmaOp>(a.value, b.value, c.value);
}
inline Term fma(Term a, double b, Term c) { return fma(a, sameType(a, b), c); }
inline Term fma(Term a, double b, double c) { return fma(a, sameType(a, b), sameType(a, c)); }
inline Term fma(Term a, Term b, double c) { return fma(a, b, sameType(a, c)); }
inline Term abs(Term a) { return a.emitter->op<mlir::math::AbsFOp>(a.value); }
inline Term copysign(Term a, Term sign) { return a.emitter->op<mlir::math::CopySignOp>(a.value, sign.value); }
inline Term sqrt(Term a) { return a.emitter->op<mlir::math::SqrtOp>(a.value); }
inline Term floor(Term a) { return a.emitter->op<mlir::math::FloorOp>(a.value); }

inline Term compare(mlir::arith::CmpFPredicate predicate, Term a, Term b) {
  return a.emitter->op<mlir::arith::CmpFOp>(predicate, a.value, b.value);
}
/// Comparisons are false when an operand is not a number.
inline Term operator<(Term a, Term b) { return compare(mlir::arith::CmpFPredicate::OLT, a, b); }
inline Term operator>(Term a, Term b) { return compare(mlir::arith::CmpFPredicate::OGT, a, b); }
inline Term operator<(Term a, double b) { return a < sameType(a, b); }
inline Term operator>(Term a, double b) { return a > sameType(a, b); }
inline Term equal(Term a, Term b) {
  if (isFloat(a))
    return compare(mlir::arith::CmpFPredicate::OEQ, a, b);
  return a.emitter->op<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::eq, a.value, b.value);
}
inline Term equal(Term a, double b) { return equal(a, sameType(a, b)); }
inline Term isNaN(Term a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }
/// Neither infinite nor not a number.
inline Term isFinite(Term a) { return abs(a) < a.emitter->infinity(); }
inline Term logicalNot(Term a) { return a ^ a.emitter->integer(a.emitter->builder.getI1Type(), 1); }

inline Term select(Term condition, Term a, Term b) {
  return condition.emitter->op<mlir::arith::SelectOp>(condition.value, a.value, b.value);
}
inline Term select(Term condition, double a, Term b) { return select(condition, sameType(b, a), b); }
inline Term select(Term condition, Term a, double b) { return select(condition, a, sameType(a, b)); }

/// `a` held within [lo, hi]; stays what it is when not a number.
inline Term clamp(Term a, double lo, double hi) {
  a = select(a > hi, hi, a);
  return select(a < lo, lo, a);
}

/// The bits of a float as an integer, and back.
inline Term bitsOf(Term a) {
  Emitter &e = *a.emitter;
  return e.op<mlir::arith::BitcastOp>(e.like(e.intType()), a.value);
}
inline Term floatOf(Term bits) {
  Emitter &e = *bits.emitter;
  return e.op<mlir::arith::BitcastOp>(e.shape, bits.value);
}
/// A signed integer as a float.
inline Term toFloat(Term a) { return a.emitter->op<mlir::arith::SIToFPOp>(a.emitter->shape, a.value); }

/// c[0] + x (c[1] + x (…)), one rounding a step.
inline Term polynomial(Term x, llvm::ArrayRef<double> c) {
  Term sum = sameType(x, c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}

/// The double nearest to `value` in the type at hand, and what that leaves.
struct Split {
  double hi, lo;
};
inline Split split(const Emitter &e, long double value) {
  double hi = e.isDouble() ? static_cast<double>(value) : static_cast<double>(static_cast<float>(value));
  return {hi, static_cast<double>(value - hi)};
}

} // namespace tilewright::math

#endif // TILEWRIGHT_LIB_TARGET_MATH_EMITTER_H
