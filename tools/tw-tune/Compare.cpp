// Random inputs and comparison of results. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

using namespace tilewright;

/// A counter's hash (splitmix64).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// The sum of four uniform 16-bit numbers, scaled to mean 0 and variance 1.
static float nearlyNormal(uint64_t bits) {
  uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
  return ((float)sum / 65535.0f - 2.0f) * 1.7320508f;
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

static uint16_t toHalf(float value) {
  // Of magnitude below 8, above 2^-14 or flushed: enough for inputs.
  uint32_t bits = bitsOf(value), sign = bits >> 16 & 0x8000;
  int exponent = (int)(bits >> 23 & 0xff) - 112;
  return exponent <= 0 ? (uint16_t)sign : (uint16_t)(sign | exponent << 10 | (bits >> 13 & 0x3ff));
}

static float fromHalf(uint16_t half) {
  uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
  if (exponent == 31)
    return floatOf(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0)
    return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
  return floatOf(sign | (exponent + 112) << 23 | fraction << 13);
}

/// Calls `work` with parts of the elements 0 to `count`, in threads.
static void inParts(uint64_t count, const std::function<void(uint64_t begin, uint64_t end)> &work) {
  constexpr uint64_t least = 1 << 16;
  uint64_t parts = std::clamp<uint64_t>(count / least, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (uint64_t part = 0; part < parts; ++part)
    threads.emplace_back(work, count * part / parts, count * (part + 1) / parts);
  for (std::thread &thread : threads)
    thread.join();
}

static void writeRandom(twrt_dtype dtype, uint8_t *to, uint64_t bits, uint64_t limit) {
  float value = nearlyNormal(bits);
  double wide = value;
  uint32_t word = bitsOf(value);
  uint16_t narrow = dtype == TWRT_F16 ? toHalf(value) : (uint16_t)(word >> 16);
  uint64_t index = limit ? bits % limit : 0; // the low bytes come first
  switch (dtype) {
  case TWRT_F64:
    std::memcpy(to, &wide, 8);
    return;
  case TWRT_F32:
    std::memcpy(to, &word, 4);
    return;
  case TWRT_BF16:
  case TWRT_F16:
    std::memcpy(to, &narrow, 2);
    return;
  case TWRT_I8:
  case TWRT_U8:
    *to = (uint8_t)bits;
    return;
  case TWRT_BOOL:
    *to = bits & 1;
    return;
  case TWRT_I32:
  case TWRT_I64:
    std::memcpy(to, &index, twrt_dtype_bytes(dtype));
    return;
  default:
    return;
  }
}

std::vector<uint8_t> tune::randomBytes(twrt_dtype dtype, uint64_t bytes, uint64_t seed, uint64_t limit) {
  std::vector<uint8_t> out(bytes);
  unsigned size = twrt_dtype_bytes(dtype);
  inParts(bytes / size, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i)
      writeRandom(dtype, &out[i * size], mix(seed * 0x10001 + i), limit);
  });
  return out;
}

static double element(twrt_dtype dtype, const uint8_t *bytes) {
  uint16_t narrow;
  uint32_t word;
  uint64_t wide = 0;
  double real;
  switch (dtype) {
  case TWRT_F32:
    std::memcpy(&word, bytes, 4);
    return floatOf(word);
  case TWRT_BF16:
    std::memcpy(&narrow, bytes, 2);
    return floatOf((uint32_t)narrow << 16);
  case TWRT_F16:
    std::memcpy(&narrow, bytes, 2);
    return fromHalf(narrow);
  case TWRT_F64:
    std::memcpy(&real, bytes, 8);
    return real;
  case TWRT_I8:
    return (int8_t)*bytes;
  case TWRT_I32:
    std::memcpy(&word, bytes, 4);
    return (int32_t)word;
  default:
    std::memcpy(&wide, bytes, std::min<size_t>(8, twrt_dtype_bytes(dtype)));
    return (double)wide;
  }
}

/// How far elements may be apart, as a share of the largest one; integers may differ by a rounding.
static double tolerance(twrt_dtype dtype) {
  switch (dtype) {
  case TWRT_BF16:
    return 1e-2;
  case TWRT_F16:
    return 3e-3;
  case TWRT_F32: // of products of tf32 too
    return 1e-3;
  default:
    return 1e-2;
  }
}

namespace {
/// What a part of the elements shows.
struct Difference {
  double largest = 0, worst = 0;
  const char *what = nullptr;
};
} // namespace

std::string tune::compare(twrt_dtype dtype, const std::vector<uint8_t> &result,
                          const std::vector<uint8_t> &reference) {
  unsigned size = twrt_dtype_bytes(dtype);
  Difference all;
  std::mutex mutex;
  inParts(reference.size() / size, [&](uint64_t begin, uint64_t end) {
    Difference part;
    for (uint64_t i = begin; i < end; ++i) {
      double want = element(dtype, &reference[i * size]), got = element(dtype, &result[i * size]);
      if (std::isnan(want) != std::isnan(got))
        part.what = "NaN in one of the reference and the result";
      else if (!std::isnan(want) && (std::isinf(want) || std::isinf(got)) && want != got)
        part.what = "infinity in one of the reference and the result";
      if (!std::isfinite(want) || !std::isfinite(got))
        continue;
      part.largest = std::max(part.largest, std::fabs(want));
      part.worst = std::max(part.worst, std::fabs(want - got));
    }
    std::lock_guard<std::mutex> lock(mutex);
    all.largest = std::max(all.largest, part.largest);
    all.worst = std::max(all.worst, part.worst);
    all.what = part.what ? part.what : all.what;
  });
  if (all.what)
    return all.what;
  if (all.worst <= tolerance(dtype) * all.largest)
    return "";
  char text[80];
  std::snprintf(text, sizeof text, "differs by %.2g of the largest element",
                all.largest > 0 ? all.worst / all.largest : all.worst);
  return text;
}
