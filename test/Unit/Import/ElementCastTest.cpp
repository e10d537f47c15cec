// Element casts of weights: every fp32 rounding to 16 bits against APFloat, saturation and booleans.

#include "ElementCast.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace tilewright;

static uint16_t expected(float value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool inexact;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  return (uint16_t)number.bitcastToAPInt().getZExtValue();
}

/// Bit patterns that cover every exponent, with mantissas round the places where rounding turns.
static std::vector<uint32_t> patterns() {
  std::vector<uint32_t> all;
  for (uint32_t sign : {0u, 1u})
    for (uint32_t exponent = 0; exponent < 256; ++exponent)
      for (unsigned bit = 0; bit < 23; ++bit)
        for (uint32_t mantissa : {1u << bit, (1u << bit) - 1, (1u << bit) + 1, (3u << bit) & 0x7fffff,
                                  0x7fffffu ^ ((1u << bit) - 1)})
          all.push_back(sign << 31 | exponent << 23 | (mantissa & 0x7fffff));
  return all;
}

TEST(ElementCast, RoundsFp32To16BitsAsApFloatDoes) {
  MLIRContext context;
  Type f32 = Float32Type::get(&context);
  std::pair<Type, const llvm::fltSemantics *> targets[] = {
      {Float16Type::get(&context), &llvm::APFloat::IEEEhalf()},
      {BFloat16Type::get(&context), &llvm::APFloat::BFloat()}};
  for (auto [type, semantics] : targets)
    for (uint32_t bits : patterns()) {
      float value;
      std::memcpy(&value, &bits, 4);
      uint16_t narrow;
      castElements(f32, (const char *)&bits, type, (char *)&narrow, 1);
      if (std::isnan(value)) {
        bool half = type.isF16();
        EXPECT_GT(narrow & 0x7fff, half ? 0x7c00 : 0x7f80) << std::hex << bits;
        continue;
      }
      ASSERT_EQ(narrow, expected(value, *semantics)) << std::hex << bits;
    }
}

template <typename From, typename To> static To castOne(Type from, From value, Type to) {
  To result{};
  castElements(from, (const char *)&value, to, (char *)&result, 1);
  return result;
}

TEST(ElementCast, TruncatesAndSaturatesToIntegers) {
  MLIRContext context;
  Type f32 = Float32Type::get(&context), i8 = IntegerType::get(&context, 8),
       i64 = IntegerType::get(&context, 64);
  EXPECT_EQ((castOne<float, int8_t>(f32, -3.9f, i8)), -3);
  EXPECT_EQ((castOne<float, int8_t>(f32, 1000.0f, i8)), 127);
  EXPECT_EQ((castOne<float, int8_t>(f32, -1000.0f, i8)), -128);
  EXPECT_EQ((castOne<float, int64_t>(f32, std::numeric_limits<float>::quiet_NaN(), i64)), 0);
  EXPECT_EQ((castOne<int64_t, int8_t>(i64, -2, i8)), -2);
}

TEST(ElementCast, RoundsWideIntegersOnce) {
  MLIRContext context;
  Type i64 = IntegerType::get(&context, 64), bf16 = BFloat16Type::get(&context),
       f32 = Float32Type::get(&context);
  // 2^60 + 2^52 + 1 lies just above the middle of two bf16 numbers; through a double it would be the middle.
  int64_t value = (int64_t(1) << 60) + (int64_t(1) << 52) + 1;
  EXPECT_EQ((castOne<int64_t, uint16_t>(i64, value, bf16)), 0x5d81);
  EXPECT_EQ((castOne<int64_t, float>(i64, (int64_t(1) << 24) + 1, f32)), 16777216.0f);
}

TEST(ElementCast, BooleansAreBytesOfZeroOrOne) {
  MLIRContext context;
  Type i1 = IntegerType::get(&context, 1), f32 = Float32Type::get(&context);
  EXPECT_EQ(elementBytes(i1), 1);
  EXPECT_EQ((castOne<float, uint8_t>(f32, 0.25f, i1)), 1);
  EXPECT_EQ((castOne<float, uint8_t>(f32, -0.0f, i1)), 0);
  EXPECT_EQ((castOne<uint8_t, float>(i1, 1, f32)), 1.0f);
}
