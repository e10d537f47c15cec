// The C functions that compiled kernels call, and the encodings of their operands. The kernel's first
// argument is its Thread; nvvm and ptx operations become calls with it. `site` numbers the operation in the
// site table.
#pragma once

#include "Tilewright/Emulator/Machine.h"

namespace tilewright::emulator {

/// How a memory access is passed to a check: bytes, alignment (a power of two), whether it writes.
constexpr uint32_t accessSpec(uint32_t bytes, uint32_t alignment, bool isWrite) {
  return bytes | alignment << 12 | uint32_t(isWrite) << 31;
}

enum class ShuffleKind : uint32_t { Up, Down, Butterfly, Index };
enum class VoteKind : uint32_t { Any, All, Uniform, Ballot };
enum class ReduxKind : uint32_t {
  Add,
  And,
  Or,
  Xor,
  MaxSigned,
  MinSigned,
  MaxUnsigned,
  MinUnsigned,
  MaxFloat,
  MinFloat
};
enum class BarrierReduction : uint32_t { Count, And, Or };

/// Operands of one mma, `in` word 10: multiplicand types, accumulator, K.
enum class MmaElement : uint32_t { F16, BF16, TF32, S8, U8, E4M3, E5M2 };
constexpr uint32_t kMmaSpecWord = 10;
constexpr uint32_t mmaSpec(MmaElement a, MmaElement b, uint32_t k, bool accumulateF16, bool saturate) {
  return uint32_t(a) | uint32_t(b) << 4 | k << 8 | uint32_t(accumulateF16) << 16 | uint32_t(saturate) << 17;
}
/// ldmatrix and stmatrix: address in words 0 and 1, `in` word 2 as below, the registers to store from word 4.
constexpr uint32_t kMatrixSpecWord = 2;
constexpr uint32_t kMatrixValueWord = 4;
constexpr uint32_t matrixSpec(uint32_t count, bool transposed) { return count | uint32_t(transposed) << 8; }

/// What one wgmma is, beside its operands.
namespace wgmmaFlag {
constexpr uint32_t kNegateA = 1 << 10;
constexpr uint32_t kNegateB = 1 << 11;
constexpr uint32_t kTransposedA = 1 << 12;
constexpr uint32_t kTransposedB = 1 << 13;
constexpr uint32_t kSaturates = 1 << 14;
/// The registers of A are written behind the last fence before the product.
constexpr uint32_t kUnfencedA = 1 << 15;
} // namespace wgmmaFlag
constexpr uint32_t wgmmaSpec(MmaElement a, MmaElement b, WgmmaAccumulator d, uint32_t n, uint32_t flags) {
  return uint32_t(a) | uint32_t(b) << 4 | uint32_t(d) << 8 | flags | n << 16;
}

/// Shared addresses in a cluster carry their block's rank from this bit on, as on the GPU.
constexpr uint32_t kRankShift = 24;

/// A function that kernels may call, by the name that rewritten modules declare.
struct Entry {
  const char *name;
  void *address;
};
/// Every entry, for the JIT's symbol table.
const std::vector<Entry> &entries();

} // namespace tilewright::emulator
