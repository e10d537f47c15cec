// 8-bit floats as arithmetic. Both directions move the exponent by a multiplication or an addition in fp32,
// so that subnormal numbers need no case of their own.
#include "Tilewright/Target/Float8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;

namespace {

/// What the two formats differ in.
struct Format {
  int mantissa, bias;
  bool hasInfinity;
  /// Bits of infinity, or of the only not-a-number where there is none; of a not-a-number; of the largest
  /// number.
  int64_t infinity, nan, largest;
  /// fp32 values from here on (E4M3FN: above here) round beyond the largest number.
  float limit;
};

/// Integer and float arithmetic on scalars, as it reads.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr((int32_t)value));
  }
  Value number(float value) {
    return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(value));
  }
  Value both(Value a, int64_t mask) { return arith::AndIOp::create(builder, loc, a, number(mask)); }
  Value left(Value a, int64_t by) { return arith::ShLIOp::create(builder, loc, a, number(by)); }
  Value right(Value a, int64_t by) { return arith::ShRUIOp::create(builder, loc, a, number(by)); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value asBits(Value value) { return arith::BitcastOp::create(builder, loc, i32, value); }
  Value asFloat(Value bits) { return arith::BitcastOp::create(builder, loc, f32, bits); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
};

} // namespace

static Format formatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return {3, 7, false, 0x7f, 0x7f, 0x7e, 464.0f};
  return {2, 15, true, 0x7c, 0x7e, 0x7b, 61440.0f};
}

static constexpr int kWideMantissa = 23, kWideBias = 127;
static constexpr int64_t kMagnitude = 0x7fffffff, kWideInfinity = 0x7f800000, kWideNan = 0x7fc00000;

bool tilewright::isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

double tilewright::largestFloat8(Type float8) { return isa<Float8E4M3FNType>(float8) ? 448 : 57344; }

Value tilewright::widenFloat8(OpBuilder &builder, Location loc, Value bits, Type float8) {
  Format format = formatOf(float8);
  Arithmetic a{builder, loc};
  Value wide = arith::ExtUIOp::create(builder, loc, a.i32, bits), magnitude = a.both(wide, 0x7f);
  // The exponent counts from another bias: a multiplication by a power of two, exact.
  Value moved = a.asFloat(a.left(magnitude, kWideMantissa - format.mantissa));
  Value value = a.asBits(
      arith::MulFOp::create(builder, loc, moved, a.number(std::ldexp(1.0f, kWideBias - format.bias))));
  if (format.hasInfinity)
    value = a.select(a.compare(arith::CmpIPredicate::eq, magnitude, a.number(format.infinity)),
                     a.number(kWideInfinity), value);
  value = a.select(a.compare(format.hasInfinity ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::uge,
                             magnitude, a.number(format.infinity)),
                   a.number(kWideNan), value);
  return a.asFloat(a.either(value, a.left(a.both(wide, 0x80), 24)));
}

Value tilewright::overflowFloat8(OpBuilder &builder, Location loc, Value value, Value narrowed, Type float8,
                                 bool saturates) {
  Format format = formatOf(float8);
  Arithmetic a{builder, loc};
  Value bits = a.asBits(value), magnitude = a.both(bits, kMagnitude);
  Value beyond = a.compare(format.hasInfinity ? arith::CmpIPredicate::uge : arith::CmpIPredicate::ugt,
                           magnitude, a.number((int64_t)llvm::bit_cast<int32_t>(format.limit)));
  Value nan = a.compare(arith::CmpIPredicate::ugt, magnitude, a.number(kWideInfinity));
  Value special = a.select(nan, a.number(format.nan), a.number(saturates ? format.largest : format.infinity));
  Value sign = a.both(a.right(bits, 24), 0x80);
  Value signedSpecial = arith::TruncIOp::create(builder, loc, builder.getI8Type(), a.either(special, sign));
  return a.select(beyond, signedSpecial, narrowed);
}

Value tilewright::narrowToFloat8(OpBuilder &builder, Location loc, Value value, Type float8, bool saturates) {
  Format format = formatOf(float8);
  Arithmetic a{builder, loc};
  Value bits = a.asBits(value), magnitude = a.both(bits, kMagnitude);
  int shift = kWideMantissa - format.mantissa;
  // Normal numbers: half of the last bit, less when it is even, is added and the rest dropped.
  Value odd = a.both(a.right(magnitude, shift), 1);
  Value rounded = a.right(a.add(a.add(magnitude, odd), a.number((int64_t(1) << (shift - 1)) - 1)), shift);
  Value normal = a.add(rounded, a.number(-(int64_t(kWideBias - format.bias) << format.mantissa)));
  // Subnormal ones: added to a number whose last bit is the smallest subnormal, fp32 rounds by itself.
  float magic = std::ldexp(1.0f, kWideMantissa + 1 - format.bias - format.mantissa);
  Value sum = arith::AddFOp::create(builder, loc, a.asFloat(magnitude), a.number(magic));
  Value subnormal = a.add(a.asBits(sum), a.number(-(int64_t)llvm::bit_cast<int32_t>(magic)));
  Value small = a.compare(arith::CmpIPredicate::ult, magnitude,
                          a.number((int64_t)llvm::bit_cast<int32_t>(std::ldexp(1.0f, 1 - format.bias))));
  Value result = a.either(a.select(small, subnormal, normal), a.both(a.right(bits, 24), 0x80));
  Value narrowed = arith::TruncIOp::create(builder, loc, builder.getI8Type(), result);
  return overflowFloat8(builder, loc, value, narrowed, float8, saturates);
}
