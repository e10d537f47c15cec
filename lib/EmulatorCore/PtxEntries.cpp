// Number functions. The approximations are those of the host's libm, which are at least as accurate as the
// bounds that PTX states; a GPU may give other last bits. 16-bit arguments come zero-extended in 32-bit
// registers.
#include "PtxEntries.h"

#include "Numbers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace tilewright::emulator;

static float ex2(float x) { return ::exp2f(x); }
static float lg2(float x) { return ::log2f(x); }
static float rcp(float x) { return 1.0f / x; }
static float rsqrt(float x) { return float(1.0 / std::sqrt(double(x))); }
static float quotient(float x, float y) { return x / y; }
static float squareRoot(float x) { return ::sqrtf(x); }
static float hyperbolicTangent(float x) { return ::tanhf(x); }
static float sine(float x) { return ::sinf(x); }
static float cosine(float x) { return ::cosf(x); }

template <float (*function)(float)> static float flushed(float x) {
  return flushSubnormal(function(flushSubnormal(x)));
}
template <float (*function)(float)> static uint32_t onF16(uint32_t x) {
  return floatToF16(function(f16ToFloat(uint16_t(x))));
}
template <float (*function)(float)> static uint32_t onBf16(uint32_t x) {
  return floatToBf16(function(bf16ToFloat(uint16_t(x))));
}
template <uint32_t (*function)(uint32_t)> static uint32_t onPair(uint32_t x) {
  return function(x & 0xFFFF) | function(x >> 16) << 16;
}

/// The pair of a cvt.rn.*x2.f32: `high` goes to the upper half.
static uint32_t packF16(float high, float low, uint32_t relu) {
  if (relu) {
    high = high > 0 || std::isnan(high) ? high : 0;
    low = low > 0 || std::isnan(low) ? low : 0;
  }
  return uint32_t(floatToF16(high)) << 16 | floatToF16(low);
}
template <uint8_t (*convert)(float)> static uint32_t packFloat8(float high, float low, uint32_t relu) {
  if (relu) {
    high = high < 0 ? 0.0f : high;
    low = low < 0 ? 0.0f : low;
  }
  return uint32_t(convert(high)) << 8 | convert(low);
}
template <float (*convert)(uint8_t)> static uint32_t unpackFloat8(uint32_t pair, uint32_t relu) {
  float high = convert(uint8_t(pair >> 8)), low = convert(uint8_t(pair));
  if (relu) {
    high = high < 0 ? 0.0f : high;
    low = low < 0 ? 0.0f : low;
  }
  return uint32_t(floatToF16(high)) << 16 | floatToF16(low);
}
static uint32_t packBf16(float high, float low, uint32_t relu) {
  if (relu) {
    high = high > 0 || std::isnan(high) ? high : 0;
    low = low > 0 || std::isnan(low) ? low : 0;
  }
  return uint32_t(floatToBf16(high)) << 16 | floatToBf16(low);
}
static uint32_t tf32Away(float x) { return floatToTf32Away(x); }
static uint32_t tf32Even(float x) { return floatToTf32Even(x); }

#if defined(__x86_64__)
// Debian 12's libgcc has no bf16 conversions; LLVM's code calls them with the result in the low half of xmm0.
static __m128i truncateFloatToBf16(float value) { return _mm_cvtsi32_si128(floatToBf16(value)); }
static __m128i truncateDoubleToBf16(double value) {
  // To odd first, so that the second rounding sees what was cut off.
  float single = float(value);
  uint32_t bits = floatToBits(single);
  if (!std::isnan(value) && double(single) != value) {
    bool away = std::fabs(double(single)) > std::fabs(value);
    bits = (away ? bits - 1 : bits) | 1;
  }
  return _mm_cvtsi32_si128(floatToBf16(bitsToFloat(bits)));
}
static _Float16 truncateDoubleToF16(double value) { return _Float16(value); }
#endif

template <typename Function> static Entry entry(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

void tilewright::emulator::appendNumberEntries(std::vector<Entry> &list) {
  const Entry numbers[] = {
      entry("tw_emu_ptx_ex2_f32", ex2),
      entry("tw_emu_ptx_ex2_f32_ftz", flushed<ex2>),
      entry("tw_emu_ptx_ex2_f16", onF16<ex2>),
      entry("tw_emu_ptx_ex2_f16x2", onPair<onF16<ex2>>),
      entry("tw_emu_ptx_ex2_f16_ftz", onF16<ex2>),
      entry("tw_emu_ptx_ex2_f16x2_ftz", onPair<onF16<ex2>>),
      entry("tw_emu_ptx_ex2_bf16_ftz", onBf16<flushed<ex2>>),
      entry("tw_emu_ptx_ex2_bf16x2_ftz", onPair<onBf16<flushed<ex2>>>),
      entry("tw_emu_ptx_tanh_f32", hyperbolicTangent),
      entry("tw_emu_ptx_tanh_f16", onF16<hyperbolicTangent>),
      entry("tw_emu_ptx_tanh_f16x2", onPair<onF16<hyperbolicTangent>>),
      entry("tw_emu_ptx_tanh_bf16", onBf16<hyperbolicTangent>),
      entry("tw_emu_ptx_tanh_bf16x2", onPair<onBf16<hyperbolicTangent>>),
      entry("tw_emu_ptx_lg2_f32", lg2),
      entry("tw_emu_ptx_lg2_f32_ftz", flushed<lg2>),
      entry("tw_emu_ptx_rcp_f32", rcp),
      entry("tw_emu_ptx_rcp_f32_ftz", flushed<rcp>),
      entry("tw_emu_ptx_rsqrt_f32", rsqrt),
      entry("tw_emu_ptx_rsqrt_f32_ftz", flushed<rsqrt>),
      entry("tw_emu_ptx_sqrt_approx_f32", squareRoot),
      entry("tw_emu_ptx_sqrt_approx_f32_ftz", flushed<squareRoot>),
      entry("tw_emu_ptx_div_full_f32", quotient),
      entry("tw_emu_ptx_sin_f32", sine),
      entry("tw_emu_ptx_sin_f32_ftz", flushed<sine>),
      entry("tw_emu_ptx_cos_f32", cosine),
      entry("tw_emu_ptx_cos_f32_ftz", flushed<cosine>),
      entry("tw_emu_ptx_cvt_rna_tf32_f32", tf32Away),
      entry("tw_emu_cvt_rn_tf32_f32", tf32Even),
      entry("tw_emu_cvt_f16x2_f32", packF16),
      entry("tw_emu_cvt_bf16x2_f32", packBf16),
      entry("tw_emu_cvt_e4m3x2_f32", packFloat8<floatToE4m3>),
      entry("tw_emu_cvt_e5m2x2_f32", packFloat8<floatToE5m2>),
      entry("tw_emu_cvt_f16x2_e4m3x2", unpackFloat8<e4m3ToFloat>),
      entry("tw_emu_cvt_f16x2_e5m2x2", unpackFloat8<e5m2ToFloat>),
#if defined(__x86_64__)
      entry("__truncsfbf2", truncateFloatToBf16),
      entry("__truncdfbf2", truncateDoubleToBf16),
      entry("__truncdfhf2", truncateDoubleToF16),
#endif
      // The host's libm, by the names that llvm.intr.* become; the program that loads the emulator may not
      // link it.
      entry<float(float)>("expf", ::expf),
      entry<float(float)>("exp2f", ::exp2f),
      entry<float(float)>("logf", ::logf),
      entry<float(float)>("log2f", ::log2f),
      entry<float(float)>("log10f", ::log10f),
      entry<float(float)>("sinf", ::sinf),
      entry<float(float)>("cosf", ::cosf),
      entry<float(float)>("tanf", ::tanf),
      entry<float(float)>("tanhf", ::tanhf),
      entry<float(float, float)>("powf", ::powf),
      entry<float(float, float)>("fmodf", ::fmodf),
      entry<float(float)>("roundf", ::roundf),
      entry<double(double)>("exp", ::exp),
      entry<double(double)>("exp2", ::exp2),
      entry<double(double)>("log", ::log),
      entry<double(double)>("log2", ::log2),
      entry<double(double)>("sin", ::sin),
      entry<double(double)>("cos", ::cos),
      entry<double(double)>("tanh", ::tanh),
      entry<double(double, double)>("pow", ::pow),
      entry<double(double, double)>("fmod", ::fmod),
      entry<double(double)>("round", ::round),
  };
  list.insert(list.end(), std::begin(numbers), std::end(numbers));
}
