// Sine, cosine, tangent and their inverses. The reduction to x = n pi/2 + r takes three fused steps up to
// 2^17 (f64: 2^30), which leave r exact to below its last digit; beyond, the fraction of a turn is cut out of
// the product of the mantissa with a window of 96 (f64: 192) bits of 1/(2 pi), in integers.
#include "Functions.h"

#include "Coefficients.h"

using namespace tilewright;
using namespace tilewright::math;

static constexpr long double pi = 3.14159265358979323846264338327950288L;

namespace {
/// x is `quadrant` (modulo 4) times pi/2, plus r.
struct Turn {
  Term r, quadrant;
};
} // namespace

/// pi/2 in three doubles, more than a long double holds.
static constexpr double halfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

static Turn reduceModerate(Term x) {
  Emitter &e = *x.emitter;
  Term shifted = fma(x, static_cast<double>(2 / pi), e.roundingShift());
  Term n = shifted - e.roundingShift();
  Split first = split(e, pi / 2);
  Split second = split(e, pi / 2 - first.hi);
  double third = static_cast<double>(pi / 2 - first.hi - second.hi);
  Term r = e.isDouble() ? fma(n, -halfPi[2], fma(n, -halfPi[1], fma(n, -halfPi[0], x)))
                        : fma(n, -third, fma(n, -second.hi, fma(n, -first.hi, x)));
  return {r, bitsOf(shifted) - bitsOf(e.real(e.roundingShift()))};
}

static Turn reduceLarge(Term x) {
  Emitter &e = *x.emitter;
  mlir::Type i64 = e.builder.getI64Type(), f64 = e.builder.getF64Type();
  auto wide = [&](Term narrow) { return e.op<mlir::arith::ExtUIOp>(e.like(i64), narrow.value); };
  Term bits = bitsOf(x);
  Term mantissa = wide((bits & e.integer(0x7fffff)) | e.integer(0x800000));
  // |x| = mantissa 2^E. The window begins at bit E of 1/(2 pi), before which 32 zeros are put.
  Term exponent = shiftRightLogical(bits, 23) & e.integer(0xff);
  Term offset = exponent - 118.0;
  Term word = offset >> 5;
  Term shift = wide(offset & e.integer(31));
  Term words[4];
  for (int i = 0; i < 4; ++i) {
    auto entry = [&](int index) { return e.integer(i64, index == 0 ? 0 : int64_t(inverseTwoPi[index - 1])); };
    words[i] = entry(i);
    for (int index = 1; index <= 4; ++index)
      words[i] = select(equal(word, index), entry(index + i), words[i]);
  }
  Term mask = e.integer(i64, 0xffffffff);
  auto window = [&](int i) { return shiftRightLogical(((words[i] << 32) | words[i + 1]) << shift, 32); };
  Term low = mantissa * window(2);
  Term middle = mantissa * window(1) + shiftRightLogical(low, 32);
  Term high = mantissa * window(0) + shiftRightLogical(middle, 32);
  // A turn is 2^64; a quarter is rounded off, and the rest is signed.
  Term fraction = (high << 32) | (middle & mask);
  Term quarters = shiftRightLogical(fraction + e.integer(i64, int64_t(1) << 61), 62);
  Term rest = fraction - (quarters << 62);
  Term angle = e.op<mlir::arith::SIToFPOp>(e.like(f64), rest.value);
  Term unit = e.constant(f64, e.builder.getF64FloatAttr(static_cast<double>(2 * pi / 0x1p64L)));
  Term r = e.op<mlir::arith::TruncFOp>(e.shape, (angle * unit).value);
  Term quadrant = e.op<mlir::arith::TruncIOp>(e.like(e.intType()), quarters.value);
  Term negative = x < 0.0;
  return {select(negative, -r, r), select(negative, -quadrant, quadrant)};
}

/// As reduceLarge, of f64: its mantissa is two limbs of 32 bits, the window six, and of their product the 128
/// bits of the fraction are kept, since a double may lie within 2^-61 of a multiple of pi/2.
static Turn reduceLargeDouble(Term x) {
  Emitter &e = *x.emitter;
  Term bits = bitsOf(x), mask = e.integer(0xffffffff);
  Term mantissa = (bits & e.integer(0xfffffffffffff)) | e.integer(int64_t(1) << 52);
  Term low = mantissa & mask, high = shiftRightLogical(mantissa, 32);
  // |x| = mantissa 2^E. The window begins at bit E of 1/(2 pi), before which 32 zeros are put. Here E is at
  // least -23; what lies below is not used.
  Term exponent = shiftRightLogical(bits, 52) & e.integer(0x7ff);
  Term offset = exponent - (1075.0 - 32.0);
  offset =
      select(e.op<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::slt, offset.value, e.integer(0).value),
             e.integer(0), offset);
  Term word = offset >> 5, shift = offset & e.integer(31);
  // The seven words from `word` on, by halves of the table.
  llvm::SmallVector<Term> words = {e.integer(0)};
  for (uint32_t entry : inverseTwoPi)
    words.push_back(e.integer(int64_t(entry)));
  for (int step = 16; step >= 1; step /= 2) {
    Term taken = logicalNot(equal(word & e.integer(step), 0.0));
    int needed = step + 6; // what smaller steps may still skip, and seven words
    llvm::SmallVector<Term> rest;
    for (int i = 0; i < needed; ++i) {
      Term here = i < (int)words.size() ? words[i] : e.integer(0);
      Term there = i + step < (int)words.size() ? words[i + step] : e.integer(0);
      rest.push_back(select(taken, there, here));
    }
    words = rest;
  }
  auto upper = [&](Term a) { return shiftRightLogical(a, 32); };
  Term none = e.integer(0), ofLow[7], ofHigh[8], carry = none, limbs[6];
  for (int i = 0; i < 6; ++i) {
    Term window = upper(((words[i] << 32) | words[i + 1]) << shift);
    ofLow[i] = low * window;
    ofHigh[i] = high * window;
  }
  ofLow[6] = ofHigh[6] = ofHigh[7] = none;
  for (int i = 5; i >= 0; --i) {
    Term sum =
        (ofLow[i] & mask) + upper(ofLow[i + 1]) + (ofHigh[i + 1] & mask) + upper(ofHigh[i + 2]) + carry;
    limbs[i] = sum & mask;
    carry = upper(sum);
  }
  // A turn is 2^64; a quarter is rounded off, and the rest is signed.
  Term fraction = (limbs[0] << 32) | limbs[1], below = (limbs[2] << 32) | limbs[3];
  Term quarters = shiftRightLogical(fraction + e.integer(int64_t(1) << 61), 62);
  Term rest = fraction - (quarters << 62);
  // rest + below 2^-64 as the sum of two doubles, and that times a 2^64th of 2 pi.
  Term whole = toFloat(rest);
  Term lost = rest - e.op<mlir::arith::FPToSIOp>(e.like(e.intType()), whole.value);
  Term part = toFloat(lost) + toFloat(shiftRightLogical(below, 1)) * 0x1p-63;
  Term sum = whole + part, error = part - (sum - whole);
  double unit = halfPi[0] * 0x1p-62, unitLow = halfPi[1] * 0x1p-62;
  Term product = sum * unit;
  Term correction = fma(sum, unit, -product) + fma(sum, unitLow, error * unit);
  Term r = product + correction, quadrant = quarters;
  Term negative = x < 0.0;
  return {select(negative, -r, r), select(negative, -quadrant, quadrant)};
}

static Turn reduce(Term x) {
  Emitter &e = *x.emitter;
  Term large = abs(x) > e.pick(0x1p17, 0x1p30);
  Turn moderate = reduceModerate(x), far = e.isDouble() ? reduceLargeDouble(x) : reduceLarge(x);
  return {select(large, far.r, moderate.r), select(large, far.quadrant, moderate.quadrant)};
}

static Term sinOf(Term r) {
  Term square = r * r;
  return fma(r * square, polynomial(square, square.emitter->pick<llvm::ArrayRef<double>>(cSinF32, cSinF64)),
             r);
}

static Term cosOf(Term r) {
  Term square = r * r;
  return fma(square * square,
             polynomial(square, square.emitter->pick<llvm::ArrayRef<double>>(cCosF32, cCosF64)),
             fma(square, -0.5, 1.0));
}

/// sin of a turn: sin or cos of r by the quadrant's low bit, with the sign of its high bit.
static Term sinOfTurn(Term r, Term quadrant) {
  Emitter &e = *r.emitter;
  Term odd = equal(quadrant & e.integer(1), 1);
  Term value = select(odd, cosOf(r), sinOf(r));
  Term sign = (quadrant & e.integer(2)) << e.pick(30, 62);
  return floatOf(bitsOf(value) ^ sign);
}

/// Infinity has no sine.
static Term finish(Term x, Term result) { return select(isFinite(x), result, x.emitter->notANumber()); }

Term math::emitSin(Term x) {
  Turn turn = reduce(x);
  return select(equal(x, 0.0), x, finish(x, sinOfTurn(turn.r, turn.quadrant)));
}

Term math::emitCos(Term x) {
  Turn turn = reduce(x);
  return finish(x, sinOfTurn(turn.r, turn.quadrant + 1.0));
}

Term math::emitTan(Term x) {
  Emitter &e = *x.emitter;
  Turn turn = reduce(x);
  Term odd = equal(turn.quadrant & e.integer(1), 1);
  Term s = sinOf(turn.r), c = cosOf(turn.r);
  Term result = select(odd, -c, s) / select(odd, s, c);
  return select(equal(x, 0.0), x, finish(x, result));
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// asin of s, given z = s^2 <= 1/4.
static Term asinOf(Term s, Term z) {
  return fma(s * z, polynomial(z, z.emitter->pick<llvm::ArrayRef<double>>(cAsinF32, cAsinF64)), s);
}

/// value - a, for a multiple of pi in two parts.
static Term minus(long double value, Term a) {
  Split s = split(*a.emitter, value);
  return s.hi - (a - s.lo);
}

Term math::emitAsin(Term x) {
  Term a = abs(x);
  Term far = a > 0.5;
  Term z = select(far, (1.0 - a) * 0.5, a * a);
  Term p = asinOf(select(far, sqrt(z), a), z);
  return copysign(select(far, minus(pi / 2, p + p), p), x);
}

Term math::emitAcos(Term x) {
  Term a = abs(x);
  Term far = a > 0.5;
  Term z = select(far, (1.0 - a) * 0.5, a * a);
  Term p = asinOf(select(far, sqrt(z), a), z);
  Term twice = p + p;
  Term outer = select(x < 0.0, minus(pi, twice), twice);
  return select(far, outer, minus(pi / 2, copysign(p, x)));
}

static Term atanOf(Term y) {
  Term z = y * y;
  return fma(y * z, polynomial(z, z.emitter->pick<llvm::ArrayRef<double>>(cAtanF32, cAtanF64)), y);
}

Term math::emitAtan(Term x) {
  Term a = abs(x);
  Term far = a > 1.0;
  Term p = atanOf(select(far, 1.0 / a, a));
  return copysign(select(far, minus(pi / 2, p), p), x);
}

Term math::emitAtan2(Term y, Term x) {
  Emitter &e = *y.emitter;
  Term ay = abs(y), ax = abs(x);
  Term steep = ay > ax;
  Term quotient = select(steep, ax, ay) / select(steep, ay, ax);
  // 0/0 counts as 0, and infinity over infinity as 1.
  quotient = select(equal(ay, ax), select(equal(ay, 0.0), 0.0, e.real(1.0)), quotient);
  Term p = atanOf(quotient);
  p = select(steep, minus(pi / 2, p), p);
  Term left = logicalNot(equal(bitsOf(x) >> e.pick(31, 63), 0.0));
  Term result = copysign(select(left, minus(pi, p), p), y);
  return select(isNaN(x) | isNaN(y), e.notANumber(), result);
}
