// Number formats of GPU operands that C++ lacks, and conversions that round as the hardware does (to nearest,
// ties to even, unless the name says otherwise).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tilewright::emulator {

inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float bf16ToFloat(uint16_t bits) { return bitsToFloat(uint32_t(bits) << 16); }
inline uint16_t floatToBf16(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return 0x7FFF; // PTX's canonical NaN
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

inline float f16ToFloat(uint16_t bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof value);
  return float(value);
}
inline uint16_t floatToF16(float value) {
  if (std::isnan(value))
    return 0x7FFF;
  _Float16 half = _Float16(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

/// mma ignores the low 13 bits of a tf32 operand.
inline float tf32ToFloat(uint32_t bits) { return bitsToFloat(bits & 0xFFFFE000); }

/// cvt.rna.tf32: to nearest, ties away from zero.
inline uint32_t floatToTf32Away(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7F800000) == 0x7F800000)
    return (bits & 0x007FFFFF) ? 0x7FFFFFFF : bits;
  return (bits + 0x1000) & 0xFFFFE000;
}
/// cvt.rn.tf32: to nearest, ties to even.
inline uint32_t floatToTf32Even(float value) {
  uint32_t bits = floatToBits(value);
  if ((bits & 0x7F800000) == 0x7F800000)
    return (bits & 0x007FFFFF) ? 0x7FFFFFFF : bits;
  return (bits + 0xFFF + (bits >> 13 & 1)) & 0xFFFFE000;
}

/// e4m3 (bias 7, no infinity, 0x7F is NaN) and e5m2 (a float16 cut to its upper byte).
inline float e4m3ToFloat(uint8_t bits) {
  uint32_t magnitude = bits & 0x7F;
  float value;
  if (magnitude == 0x7F)
    value = std::nanf("");
  else if (magnitude < 8)
    value = float(magnitude) * 0x1p-9f;
  else
    value = bitsToFloat((magnitude << 20) + (120u << 23));
  return bits & 0x80 ? -value : value;
}
inline float e5m2ToFloat(uint8_t bits) { return f16ToFloat(uint16_t(bits << 8)); }

/// cvt.rn.satfinite to an 8-bit float with `mantissa` bits: its largest finite value is `most`, its smallest
/// normal 2^`smallest`, and 0x7F is NaN.
inline uint8_t floatToFloat8(float value, uint32_t mantissa, int smallest, uint8_t most) {
  if (std::isnan(value))
    return 0x7F;
  uint32_t bits = floatToBits(value), sign = bits >> 24 & 0x80, magnitude = bits & 0x7FFFFFFF, code;
  if (int(magnitude >> 23) - 127 < smallest) {
    // Multiples of the smallest subnormal; the first normal number follows them.
    code = uint32_t(std::nearbyint(std::ldexp(bitsToFloat(magnitude), int(mantissa) - smallest)));
  } else {
    uint32_t shift = 23 - mantissa, rounded = magnitude + (1u << (shift - 1)) - 1 + (magnitude >> shift & 1);
    code = (rounded >> shift) - (uint32_t(127 + smallest - 1) << mantissa);
  }
  return uint8_t(sign | (code > most ? most : code));
}
inline uint8_t floatToE4m3(float value) { return floatToFloat8(value, 3, -6, 0x7E); }
inline uint8_t floatToE5m2(float value) { return floatToFloat8(value, 2, -14, 0x7B); }

/// A subnormal becomes a zero of its sign, as .ftz does with operands and results.
inline float flushSubnormal(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

} // namespace tilewright::emulator
