// Elements of matrix instructions: how wide they are, and their values. mma.sync and wgmma share them.
#pragma once

#include "Numbers.h"

#include "Tilewright/Emulator/Entries.h"

namespace tilewright::emulator {

inline uint32_t bytesOf(MmaElement element) {
  switch (element) {
  case MmaElement::TF32:
    return 4;
  case MmaElement::F16:
  case MmaElement::BF16:
    return 2;
  default:
    return 1;
  }
}

/// The value of the low bits of `bits`. 8-bit integers are exact in fp32.
inline float decode(MmaElement element, uint32_t bits) {
  switch (element) {
  case MmaElement::F16:
    return f16ToFloat(uint16_t(bits));
  case MmaElement::BF16:
    return bf16ToFloat(uint16_t(bits));
  case MmaElement::TF32:
    return tf32ToFloat(bits);
  case MmaElement::E4M3:
    return e4m3ToFloat(uint8_t(bits));
  case MmaElement::E5M2:
    return e5m2ToFloat(uint8_t(bits));
  case MmaElement::S8:
    return float(int8_t(bits));
  case MmaElement::U8:
    return float(bits & 0xFF);
  }
  return 0;
}

} // namespace tilewright::emulator
