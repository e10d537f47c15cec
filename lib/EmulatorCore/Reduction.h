// What bulk reductions (cp.reduce.async.bulk.tensor) do to global memory, element by element.
#pragma once

#include "Numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace tilewright::emulator {

/// CUtensorMapDataType of the element types that reductions are modelled for.
enum class ReducedType : uint32_t { U32 = 2, S32 = 3, F16 = 6, F32 = 7, BF16 = 9 };
/// 1 + TMAReduxKind.
constexpr uint32_t kReduceAdd = 1, kReduceMin = 2, kReduceMax = 3;

inline bool canReduce(uint32_t reduction, uint32_t dataType) {
  bool isFloat32 = ReducedType(dataType) == ReducedType::F32;
  switch (ReducedType(dataType)) {
  case ReducedType::U32:
  case ReducedType::S32:
  case ReducedType::F16:
  case ReducedType::F32:
  case ReducedType::BF16:
    // PTX has no minimum or maximum of f32 here.
    return reduction == kReduceAdd || (!isFloat32 && (reduction == kReduceMin || reduction == kReduceMax));
  }
  return false;
}

template <typename Type> Type combineElements(uint32_t reduction, Type a, Type b) {
  return reduction == kReduceAdd ? Type(a + b) : reduction == kReduceMin ? std::min(a, b) : std::max(a, b);
}

template <typename Stored, typename Decode, typename Encode>
void reduceElements(uint32_t reduction, std::byte *to, const std::byte *from, uint32_t bytes, Decode decode,
                    Encode encode) {
  for (uint32_t i = 0; i < bytes; i += sizeof(Stored)) {
    Stored a, b;
    std::memcpy(&a, to + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a = encode(combineElements(reduction, decode(a), decode(b)));
    std::memcpy(to + i, &a, sizeof a);
  }
}

inline void reduceInto(uint32_t reduction, uint32_t dataType, std::byte *to, const std::byte *from,
                       uint32_t bytes) {
  // Blocks on other CPU threads reduce into the same memory.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  auto same = [](auto value) { return value; };
  switch (ReducedType(dataType)) {
  case ReducedType::U32:
    return reduceElements<uint32_t>(reduction, to, from, bytes, same, same);
  case ReducedType::S32:
    return reduceElements<int32_t>(
        reduction, to, from, bytes, [](int32_t x) { return int64_t(x); },
        [](int64_t x) { return int32_t(x); });
  case ReducedType::F16:
    return reduceElements<uint16_t>(reduction, to, from, bytes, f16ToFloat, floatToF16);
  case ReducedType::F32:
    return reduceElements<float>(reduction, to, from, bytes, same, same);
  case ReducedType::BF16:
    return reduceElements<uint16_t>(reduction, to, from, bytes, bf16ToFloat, floatToBf16);
  }
}

} // namespace tilewright::emulator
