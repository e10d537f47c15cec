// Element access by type, random streams, comparison.
#include "Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tilewright::run;

//===-- Elements ------------------------------------------------------------------------------------===//

template <typename T> static T load(const void *from, size_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(from) + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(void *to, size_t i, T value) {
  std::memcpy(static_cast<char *>(to) + i * sizeof(T), &value, sizeof(T));
}

static double fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

static double fromBrain(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// Values here are finite and at most a few units large; rounds to nearest, ties to even.
static uint16_t toHalf(double value) {
  double magnitude = std::fabs(value);
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (magnitude < std::ldexp(1, -14))
    return sign | uint16_t(std::nearbyint(std::ldexp(magnitude, 24)));
  int exponent = std::ilogb(magnitude);
  auto mantissa = unsigned(std::nearbyint(std::ldexp(magnitude, 10 - exponent))); // 1024 to 2048
  return sign | uint16_t(((exponent + 14) << 10) + mantissa); // A carry moves the exponent.
}

/// An 8-bit float with so many bits of mantissa: 3 (E4M3, whose largest pattern alone is no number) or 2
/// (E5M2).
static double fromFloat8(uint8_t bits, int mantissa) {
  int exponent = (bits & 0x7f) >> mantissa, fraction = bits & ((1 << mantissa) - 1);
  int bias = mantissa == 3 ? 7 : 15, most = (1 << (7 - mantissa)) - 1;
  double sign = bits & 0x80 ? -1 : 1;
  if (mantissa == 3 ? (bits & 0x7f) == 0x7f : exponent == most)
    return mantissa == 2 && fraction == 0 ? sign * INFINITY : NAN;
  double value = fraction + (exponent ? 1 << mantissa : 0);
  return sign * std::ldexp(value, (exponent ? exponent : 1) - bias - mantissa);
}

/// The pattern of an 8-bit float nearest to a value below its largest number: of the positive ones, which are
/// in order, the first that is not below, or the one before it.
static uint8_t toFloat8(double value, int mantissa) {
  uint8_t above = 0;
  double size = std::fabs(value);
  while (above < 0x7b && fromFloat8(above, mantissa) < size)
    ++above;
  if (above && size - fromFloat8(uint8_t(above - 1), mantissa) < fromFloat8(above, mantissa) - size)
    --above;
  return uint8_t(above | (value < 0 ? 0x80 : 0));
}

static uint16_t toBrain(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

double Tensor::at(size_t i) const {
  const char *data = bytes.data();
  switch (dtype) {
  case TWRT_F32:
    return load<float>(data, i);
  case TWRT_F16:
    return fromHalf(load<uint16_t>(data, i));
  case TWRT_BF16:
    return fromBrain(load<uint16_t>(data, i));
  case TWRT_F64:
    return load<double>(data, i);
  case TWRT_I8:
    return load<int8_t>(data, i);
  case TWRT_U8:
  case TWRT_BOOL:
    return load<uint8_t>(data, i);
  case TWRT_I16:
    return load<int16_t>(data, i);
  case TWRT_U16:
    return load<uint16_t>(data, i);
  case TWRT_I32:
    return load<int32_t>(data, i);
  case TWRT_U32:
    return load<uint32_t>(data, i);
  case TWRT_I64:
    return double(load<int64_t>(data, i));
  case TWRT_U64:
    return double(load<uint64_t>(data, i));
  case TWRT_F8E4M3:
    return fromFloat8(load<uint8_t>(data, i), 3);
  case TWRT_F8E5M2:
    return fromFloat8(load<uint8_t>(data, i), 2);
  }
  return 0;
}

Tensor tilewright::run::makeTensor(std::string name, twrt_dtype dtype, std::vector<int64_t> shape) {
  size_t bytes = twrt_dtype_bytes(dtype);
  for (int64_t dim : shape)
    bytes *= size_t(dim);
  return {std::move(name), dtype, std::move(shape), std::string(bytes, '\0')};
}

//===-- Random streams ------------------------------------------------------------------------------===//

/// The mixing step of SplitMix64: element i of a stream without the elements before it.
static uint64_t mix(uint64_t seed, uint64_t i) {
  uint64_t z = seed * 0xD1342543DE82EF95ull + (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

void tilewright::run::fillRandom(twrt_dtype dtype, uint64_t seed, uint64_t first, void *to, size_t count,
                                 double scale) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = mix(seed, first + i);
    double uniform = (double(bits >> 11) * 0x1p-52 - 1) * scale;
    switch (dtype) {
    case TWRT_F32:
      store(to, i, float(uniform));
      break;
    case TWRT_F16:
      store(to, i, toHalf(uniform));
      break;
    case TWRT_BF16:
      store(to, i, toBrain(float(uniform)));
      break;
    case TWRT_F64:
      store(to, i, uniform);
      break;
    case TWRT_F8E4M3:
    case TWRT_F8E5M2:
      store(to, i, toFloat8(uniform, dtype == TWRT_F8E4M3 ? 3 : 2));
      break;
    default: { // The low byte is 0 or 1, all others 0.
      unsigned bytes = twrt_dtype_bytes(dtype);
      char *element = static_cast<char *>(to) + i * bytes;
      std::memset(element, 0, bytes);
      element[0] = char(bits & 1);
    }
    }
  }
}

//===-- Comparison ----------------------------------------------------------------------------------===//

Comparison tilewright::run::compare(const Tensor &found, const Tensor &expected, double rtol, double atol) {
  if (found.shape != expected.shape)
    throw Failure("output '" + found.name + "' has shape " + shapeText(found.shape) +
                  ", what is expected has " + shapeText(expected.shape));
  Comparison result;
  result.elements = found.elements();
  double dot = 0, foundNorm = 0, expectedNorm = 0;
  for (size_t i = 0; i < result.elements; ++i) {
    double a = found.at(i), b = expected.at(i);
    bool same = (std::isnan(a) && std::isnan(b)) || a == b; // Equal infinities too.
    double difference = same ? 0 : std::fabs(a - b);
    if (!same && !(difference <= atol + rtol * std::fabs(b)) && result.wrong++ == 0)
      result.firstWrong = i;
    result.maxAbsolute = std::max(result.maxAbsolute, std::isnan(difference) ? INFINITY : difference);
    if (b != 0 && !std::isnan(difference))
      result.maxRelative = std::max(result.maxRelative, difference / std::fabs(b));
    dot += a * b, foundNorm += a * a, expectedNorm += b * b;
  }
  if (foundNorm > 0 && expectedNorm > 0)
    result.cosine = dot / std::sqrt(foundNorm) / std::sqrt(expectedNorm);
  return result;
}

std::string tilewright::run::shapeText(const int64_t *shape, uint32_t rank) {
  std::string text = "[";
  for (uint32_t i = 0; i < rank; ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string tilewright::run::shapeText(const std::vector<int64_t> &shape) {
  return shapeText(shape.data(), uint32_t(shape.size()));
}
