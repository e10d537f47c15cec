// A tensor map as kernels of the emulator take it: 128 bytes like the driver's, with the fields in the clear.
// The runtime's emulator device makes them with `encodeTensorMap` (twemu_encode_tensor_map in the C ABI)
// where a GPU's device calls cuTensorMapEncodeTiled; the numbers of types and modes are the driver's.
#pragma once

#include <cstdint>
#include <string>

namespace tilewright::emulator {

constexpr uint32_t kMaxTensorRank = 5;

/// CUtensorMapSwizzle: the bytes of a row within which 16-byte chunks are permuted.
enum class TensorSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };

struct alignas(8) TensorMap {
  static constexpr uint64_t kMagic = 0x50414D2D534E5431; // "1TNS-MAP"

  uint64_t magic;
  /// Address of element 0.
  uint64_t base;
  /// Bytes from one index of dimension 1 and up to the next.
  uint64_t strides[kMaxTensorRank - 1];
  /// Elements of each dimension less one (a dimension may have 2^32), innermost first.
  uint32_t lastIndex[kMaxTensorRank];
  /// Elements of the box, 1 to 256.
  uint16_t box[kMaxTensorRank];
  uint8_t elementStrides[kMaxTensorRank];
  uint8_t rank;
  /// CUtensorMapDataType and the bytes of one element.
  uint8_t dataType;
  uint8_t elementBytes;
  TensorSwizzle swizzle;
  /// What lies outside the tensor reads as NaN rather than zero.
  uint8_t fillWithNaN;
  uint8_t l2Promotion;
  uint8_t reserved[39];

  /// Elements that a copy moves in dimension `dim`.
  uint32_t boxSteps(uint32_t dim) const { return (box[dim] + elementStrides[dim] - 1) / elementStrides[dim]; }
  /// Bytes that one copy writes to shared memory and counts at its barrier, filled ones included.
  uint32_t boxBytes() const {
    uint32_t bytes = elementBytes;
    for (uint32_t dim = 0; dim < rank; ++dim)
      bytes *= boxSteps(dim);
    return bytes;
  }
};
static_assert(sizeof(TensorMap) == 128, "a tensor map is a parameter of 128 bytes");

/// What cuTensorMapEncodeTiled takes.
struct TensorMapRequest {
  uint32_t dataType = 0;
  uint32_t rank = 0;
  uint64_t base = 0;
  const uint64_t *dims = nullptr;
  /// Of dimensions 1 and up.
  const uint64_t *strides = nullptr;
  const uint32_t *box = nullptr;
  const uint32_t *elementStrides = nullptr;
  uint32_t interleave = 0;
  uint32_t swizzle = 0;
  uint32_t l2Promotion = 0;
  uint32_t outOfBoundsFill = 0;
};

/// Fills `map`; on refusal returns the sentence that says what the driver (or the emulator) does not take.
std::string encodeTensorMap(const TensorMapRequest &request, TensorMap &map);

/// `shared` byte address -> the address where a swizzled row keeps that byte.
///
///     128 bytes: bits 4-6 ^= bits 7-9    64: bits 4-5 ^= bits 7-8    32: bit 4 ^= bit 7
inline uint32_t swizzleAddress(TensorSwizzle swizzle, uint32_t address) {
  uint32_t mask = (1u << uint32_t(swizzle)) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace tilewright::emulator
