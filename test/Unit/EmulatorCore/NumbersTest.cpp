// Conversions between float formats, over every 16-bit value and around the ties of rounding.
#include "Numbers.h"

#include <gtest/gtest.h>

using namespace tilewright::emulator;

TEST(Numbers, EverySixteenBitValueSurvives) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    if (!std::isnan(bf16ToFloat(uint16_t(bits))))
      EXPECT_EQ(floatToBf16(bf16ToFloat(uint16_t(bits))), bits);
    if (!std::isnan(f16ToFloat(uint16_t(bits))))
      EXPECT_EQ(floatToF16(f16ToFloat(uint16_t(bits))), bits);
  }
}

TEST(Numbers, Bf16RoundsToNearestEven) {
  EXPECT_EQ(floatToBf16(bitsToFloat(0x3F808000)), 0x3F80); // a tie goes to even
  EXPECT_EQ(floatToBf16(bitsToFloat(0x3F818000)), 0x3F82);
  EXPECT_EQ(floatToBf16(bitsToFloat(0x3F808001)), 0x3F81);
  EXPECT_EQ(floatToBf16(bitsToFloat(0x00400000)), 0x0040); // subnormals are kept
  EXPECT_EQ(floatToBf16(bitsToFloat(0x7F7FFFFF)), 0x7F80);
  EXPECT_EQ(floatToBf16(NAN), 0x7FFF);
}

TEST(Numbers, Tf32) {
  EXPECT_EQ(floatToTf32Away(bitsToFloat(0x3F801000)), 0x3F802000u); // a tie goes away from zero
  EXPECT_EQ(floatToTf32Even(bitsToFloat(0x3F801000)), 0x3F800000u); // or to even
  EXPECT_EQ(floatToTf32Away(bitsToFloat(0xBF801000)), 0xBF802000u);
  EXPECT_EQ(floatToTf32Even(bitsToFloat(0x3F803000)), 0x3F804000u);
  EXPECT_EQ(floatToBits(tf32ToFloat(0x3F801FFF)), 0x3F800000u);
}

TEST(Numbers, Fp8) {
  EXPECT_EQ(e4m3ToFloat(0x38), 1.0f);
  EXPECT_EQ(e4m3ToFloat(0x7E), 448.0f);
  EXPECT_EQ(e4m3ToFloat(0x01), 0x1p-9f);
  EXPECT_EQ(e4m3ToFloat(0x08), 0x1p-6f);
  EXPECT_EQ(e4m3ToFloat(0xB8), -1.0f);
  EXPECT_TRUE(std::isnan(e4m3ToFloat(0x7F)));
  EXPECT_EQ(e5m2ToFloat(0x3C), 1.0f);
  EXPECT_EQ(e5m2ToFloat(0x7B), 57344.0f);
  EXPECT_TRUE(std::isinf(e5m2ToFloat(0x7C)));
  EXPECT_EQ(e5m2ToFloat(0x01), 0x1p-16f);
}

TEST(Numbers, ConversionsToFp8) {
  for (uint32_t bits = 0; bits < 256; ++bits) {
    uint8_t code = uint8_t(bits);
    if (!std::isnan(e4m3ToFloat(code)))
      EXPECT_EQ(floatToE4m3(e4m3ToFloat(code)), code);
    if (std::isfinite(e5m2ToFloat(code)))
      EXPECT_EQ(floatToE5m2(e5m2ToFloat(code)), code);
  }
  EXPECT_EQ(floatToE4m3(1.0625f), 0x38); // ties go to even
  EXPECT_EQ(floatToE4m3(1.1875f), 0x3A);
  EXPECT_EQ(floatToE4m3(0x1.8p-9f), 0x02); // among the subnormals too
  EXPECT_EQ(floatToE4m3(0x1p-10f), 0x00);
  EXPECT_EQ(floatToE4m3(-1e9f), 0xFE); // what is too large is the largest
  EXPECT_EQ(floatToE4m3(INFINITY), 0x7E);
  EXPECT_EQ(floatToE4m3(NAN), 0x7F);
  EXPECT_EQ(floatToE5m2(1.125f), 0x3C);
  EXPECT_EQ(floatToE5m2(1.375f), 0x3E);
  EXPECT_EQ(floatToE5m2(INFINITY), 0x7B);
}
