// The generated coefficients, by float type.
#ifndef TILEWRIGHT_LIB_TARGET_MATH_COEFFICIENTS_H
#define TILEWRIGHT_LIB_TARGET_MATH_COEFFICIENTS_H

#include "Emitter.h"

namespace tilewright::math {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-const-variable"
#include "Coefficients.inc"
#pragma clang diagnostic pop

inline llvm::ArrayRef<double> coefficients(const Emitter &e, llvm::ArrayRef<double> forF32,
                                           llvm::ArrayRef<double> forF64) {
  return e.isDouble() ? forF64 : forF32;
}

} // namespace tilewright::math

#endif // TILEWRIGHT_LIB_TARGET_MATH_COEFFICIENTS_H
