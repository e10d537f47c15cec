// Casts between element types. fp32 to 16 bits, which every model's weights may go through, has loops of its
// own; all other pairs go through APFloat and APSInt.

#include "ElementCast.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace tilewright;
namespace endian = llvm::support::endian;

int64_t tilewright::elementBytes(Type element) { return std::max(1u, element.getIntOrFloatBitWidth() / 8); }

bool tilewright::isCastable(Type element) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 64)
    return false;
  return element.isInteger(1) || element.getIntOrFloatBitWidth() % 8 == 0;
}

/// The upper half of an fp32's bits, rounded to nearest even. NaN stays NaN: its upper half gets a set bit.
static uint16_t toBf16(uint32_t bits) {
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return uint16_t((bits >> 16) | 0x40);
  return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

static uint16_t toF16(uint32_t bits) {
  uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return uint16_t(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  if (magnitude >= 0x477ff000u) // rounds to 65536 or more
    return sign | 0x7c00;
  if (magnitude < 0x33000000u) // below half of the smallest subnormal
    return sign;
  uint32_t exponent = magnitude >> 23, mantissa = magnitude & 0x7fffffu;
  // Normal results keep 10 of 23 mantissa bits, subnormal ones fewer; a carry moves into the exponent.
  uint32_t dropped, kept;
  if (exponent >= 113) {
    kept = ((exponent - 112) << 10) | (mantissa >> 13);
    dropped = 13;
  } else {
    mantissa |= 0x800000u;
    dropped = 126 - exponent;
    kept = mantissa >> dropped;
  }
  uint32_t rest = mantissa & ((1u << dropped) - 1), half = 1u << (dropped - 1);
  kept += rest > half || (rest == half && (kept & 1));
  return uint16_t(sign | kept);
}

template <uint16_t (*narrow)(uint32_t)> static void narrowFloats(const char *in, char *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    endian::write16le(out + 2 * i, narrow(endian::read32le(in + 4 * i)));
}

static llvm::APInt readBits(Type type, const char *in) {
  uint64_t bits = 0;
  for (int64_t b = 0, e = elementBytes(type); b < e; ++b)
    bits |= uint64_t(uint8_t(in[b])) << (8 * b);
  unsigned width = type.getIntOrFloatBitWidth();
  return llvm::APInt(width, width == 1 ? bits != 0 : bits, /*isSigned=*/false, /*implicitTrunc=*/true);
}

static void writeBits(Type type, const llvm::APInt &value, char *out) {
  uint64_t bits = value.getZExtValue();
  for (int64_t b = 0, e = elementBytes(type); b < e; ++b)
    out[b] = char(bits >> (8 * b));
}

static llvm::APInt castBits(Type from, const llvm::APInt &bits, Type to) {
  unsigned width = to.getIntOrFloatBitWidth();
  bool fromBool = from.isInteger(1), inexact;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat) {
    llvm::APFloat value(fromFloat.getFloatSemantics(), bits);
    if (toFloat) {
      value.convert(toFloat.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      return value.bitcastToAPInt();
    }
    if (width == 1)
      return llvm::APInt(1, !value.isZero());
    llvm::APSInt integer(width, /*isUnsigned=*/false);
    value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &inexact); // saturates
    return integer;
  }
  if (toFloat) {
    llvm::APFloat value(toFloat.getFloatSemantics());
    value.convertFromAPInt(bits, /*IsSigned=*/!fromBool, llvm::APFloat::rmNearestTiesToEven);
    return value.bitcastToAPInt();
  }
  if (width == 1)
    return llvm::APInt(1, !bits.isZero());
  return fromBool ? bits.zextOrTrunc(width) : bits.sextOrTrunc(width);
}

void tilewright::castElements(Type from, const char *in, Type to, char *out, int64_t count) {
  if (from.isF32() && to.isBF16())
    return narrowFloats<toBf16>(in, out, count);
  if (from.isF32() && to.isF16())
    return narrowFloats<toF16>(in, out, count);
  int64_t inBytes = elementBytes(from), outBytes = elementBytes(to);
  for (int64_t i = 0; i < count; ++i)
    writeBits(to, castBits(from, readBits(from, in + i * inBytes), to), out + i * outBytes);
}
