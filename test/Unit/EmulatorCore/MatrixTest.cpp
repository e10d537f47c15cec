// mma, ldmatrix and stmatrix: fragments are placed here element by element from the wording of the PTX ISA
// tables, independently of the formulas in Matrix.cpp, and products are compared with a plain matrix product.
#include "KernelFixture.h"
#include "Numbers.h"

using namespace tilewright::emulator;

namespace {
/// Where element `i` of a lane's fragment lies.
struct Place {
  uint32_t row, column;
};
struct Problem {
  MmaElement a, b;
  uint32_t k;
  bool halfAccumulator = false;
};
} // namespace

static uint32_t widthOf(MmaElement element) {
  if (element == MmaElement::TF32)
    return 32;
  return element == MmaElement::F16 || element == MmaElement::BF16 ? 16 : 8;
}

/// PTX ISA, the pictures of multiplicand A: i counts the elements of the lane in register order.
static Place placeOfA(uint32_t width, uint32_t lane, uint32_t i) {
  uint32_t group = lane >> 2, thread = lane % 4;
  if (width == 16) // row = group for (0 <= i < 2 || 4 <= i < 6), else group + 8; col = thread * 2 + (i & 1)
                   // [+ 8 for i >= 4]
    return {(i % 4 < 2) ? group : group + 8, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  if (width == 32) // a0, a2: row group; a1, a3: group + 8; a2, a3: columns thread + 4
    return {i % 2 ? group + 8 : group, thread + (i >= 2 ? 4 : 0)};
  // row = group for (0 <= i < 4 || 8 <= i < 12), else group + 8; col = thread * 4 + (i & 3) [+ 16 for i >= 8]
  return {(i % 8 < 4) ? group : group + 8, thread * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}

/// B is K x N: row counts k.
static Place placeOfB(uint32_t width, uint32_t lane, uint32_t i) {
  uint32_t group = lane >> 2, thread = lane % 4;
  if (width == 16)
    return {thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
  if (width == 32)
    return {thread + (i >= 1 ? 4 : 0), group};
  return {thread * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
}

static Place placeOfC(uint32_t lane, uint32_t i) {
  return {i < 2 ? lane >> 2 : (lane >> 2) + 8, (lane % 4) * 2 + (i & 1)};
}

/// Small numbers that every format holds exactly.
static int smallNumber(uint32_t row, uint32_t column, uint32_t salt) {
  return int((row * 7 + column * 3 + salt) % 5) - 2;
}

static uint32_t encode(MmaElement element, int value) {
  switch (element) {
  case MmaElement::F16:
    return floatToF16(float(value));
  case MmaElement::BF16:
    return floatToBf16(float(value));
  case MmaElement::TF32:
    return floatToBits(float(value));
  case MmaElement::S8:
    return uint8_t(value);
  case MmaElement::U8:
    return uint8_t(value + 2);
  case MmaElement::E4M3: {
    static const uint8_t codes[5] = {0xC0, 0xB8, 0x00, 0x38, 0x40};
    return codes[value + 2];
  }
  case MmaElement::E5M2: {
    static const uint8_t codes[5] = {0xC0, 0xBC, 0x00, 0x3C, 0x40};
    return codes[value + 2];
  }
  }
  return 0;
}
static int valueOf(MmaElement element, int value) { return element == MmaElement::U8 ? value + 2 : value; }

class Mma : public testing::TestWithParam<Problem> {};

TEST_P(Mma, EqualsThePlainProduct) {
  Problem problem = GetParam();
  bool isInteger = problem.a == MmaElement::S8 || problem.a == MmaElement::U8;
  uint32_t widthA = widthOf(problem.a), widthB = widthOf(problem.b);
  KernelFixture kernel;
  kernel.block = {64, 1, 1};
  Fault fault = kernel.run([&](Thread &self) {
    uint32_t lane = self.registers.lane, *in = self.registers.in;
    std::fill_n(in, 10, 0);
    for (uint32_t i = 0; i < 16 * problem.k / 32; ++i) {
      Place place = placeOfA(widthA, lane, i);
      in[i * widthA / 32] |= encode(problem.a, smallNumber(place.row, place.column, 0)) << i * widthA % 32;
    }
    for (uint32_t i = 0; i < 8 * problem.k / 32; ++i) {
      Place place = placeOfB(widthB, lane, i);
      in[4 + i * widthB / 32] |= encode(problem.b, smallNumber(place.row, place.column, 1))
                                 << i * widthB % 32;
    }
    for (uint32_t i = 0; i < 4; ++i) {
      Place place = placeOfC(lane, i);
      int value = smallNumber(place.row, place.column, 2);
      if (problem.halfAccumulator)
        in[6 + i / 2] |= uint32_t(floatToF16(float(value))) << 16 * (i & 1);
      else
        in[6 + i] = isInteger ? uint32_t(value) : floatToBits(float(value));
    }
    in[kMmaSpecWord] = mmaSpec(problem.a, problem.b, problem.k, problem.halfAccumulator, false);
    callCollective(self, CollectiveKind::Mma);
    for (uint32_t i = 0; i < 4; ++i) {
      Place place = placeOfC(lane, i);
      int expected = smallNumber(place.row, place.column, 2);
      for (uint32_t k = 0; k < problem.k; ++k)
        expected += valueOf(problem.a, smallNumber(place.row, k, 0)) *
                    valueOf(problem.b, smallNumber(k, place.column, 1));
      uint32_t out = self.registers.out[problem.halfAccumulator ? i / 2 : i];
      float got = problem.halfAccumulator ? f16ToFloat(uint16_t(out >> 16 * (i & 1)))
                  : isInteger             ? float(int32_t(out))
                                          : bitsToFloat(out);
      EXPECT_EQ(got, float(expected)) << "lane " << lane << " element " << i;
    }
  });
  EXPECT_FALSE(fault) << fault.sentence;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Mma,
    testing::Values(
        Problem{MmaElement::F16, MmaElement::F16, 16}, Problem{MmaElement::F16, MmaElement::F16, 8},
        Problem{MmaElement::F16, MmaElement::F16, 16, true},
        Problem{MmaElement::F16, MmaElement::F16, 8, true}, Problem{MmaElement::BF16, MmaElement::BF16, 16},
        Problem{MmaElement::BF16, MmaElement::BF16, 8}, Problem{MmaElement::TF32, MmaElement::TF32, 8},
        Problem{MmaElement::TF32, MmaElement::TF32, 4}, Problem{MmaElement::S8, MmaElement::S8, 16},
        Problem{MmaElement::S8, MmaElement::S8, 32}, Problem{MmaElement::U8, MmaElement::S8, 32},
        Problem{MmaElement::U8, MmaElement::U8, 16}, Problem{MmaElement::E4M3, MmaElement::E4M3, 32},
        Problem{MmaElement::E4M3, MmaElement::E5M2, 32}, Problem{MmaElement::E5M2, MmaElement::E5M2, 32}));

TEST(Mma, IntegersSaturateOrWrap) {
  for (bool saturate : {false, true}) {
    KernelFixture kernel;
    kernel.run([&](Thread &self) {
      uint32_t *in = self.registers.in;
      std::fill_n(in, 6, 0x01010101u);
      std::fill_n(in + 6, 4, uint32_t(INT32_MAX));
      in[kMmaSpecWord] = mmaSpec(MmaElement::S8, MmaElement::S8, 32, false, saturate);
      callCollective(self, CollectiveKind::Mma);
      EXPECT_EQ(int32_t(self.registers.out[0]), saturate ? INT32_MAX : INT32_MIN + 31);
    });
  }
}

TEST(Mma, AccumulatesInOrderOfK) {
  // 2^24 + 1 + 1 + ...: each 1 alone is rounded away, as in a sequential fp32 sum.
  KernelFixture kernel;
  kernel.run([&](Thread &self) {
    uint32_t *in = self.registers.in;
    std::fill_n(in, 6, 0x3F803F80u);
    std::fill_n(in + 6, 4, floatToBits(0x1p24f));
    in[kMmaSpecWord] = mmaSpec(MmaElement::BF16, MmaElement::BF16, 16, false, false);
    callCollective(self, CollectiveKind::Mma);
    EXPECT_EQ(bitsToFloat(self.registers.out[0]), 0x1p24f);
  });
}

/// The value at row r, column c of matrix m.
static uint16_t cell(uint32_t m, uint32_t r, uint32_t c) { return uint16_t(m * 1000 + r * 10 + c); }

TEST(LoadMatrix, FragmentsOfUpToFourMatrices) {
  for (uint32_t count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      KernelFixture kernel;
      kernel.sharedBytes = 4 * 128;
      kernel.options.checkShared = false;
      Fault fault = kernel.run([&](Thread &self) {
        uint32_t lane = self.registers.lane;
        auto *shared = reinterpret_cast<uint16_t *>(self.registers.shared);
        if (lane == 0)
          for (uint32_t i = 0; i < 256; ++i)
            shared[i] = cell(i / 64, i / 8 % 8, i % 8);
        uint64_t address = uint64_t(self.registers.shared) + 16 * (lane % (8 * count));
        std::memcpy(self.registers.in, &address, 8);
        self.registers.in[kMatrixSpecWord] = matrixSpec(count, transposed);
        self.block->barrier(self, 0, 0, 0);
        callCollective(self, CollectiveKind::LoadMatrix);
        for (uint32_t m = 0; m < count; ++m)
          for (uint32_t half = 0; half < 2; ++half) {
            uint32_t r = lane / 4, c = 2 * (lane % 4) + half;
            EXPECT_EQ(uint16_t(self.registers.out[m] >> 16 * half),
                      transposed ? cell(m, c, r) : cell(m, r, c));
          }
      });
      EXPECT_FALSE(fault) << fault.sentence;
    }
}

TEST(StoreMatrix, IsTheInverseOfLoadMatrix) {
  for (bool transposed : {false, true}) {
    KernelFixture kernel;
    kernel.sharedBytes = 4 * 128;
    std::vector<uint16_t> stored(256);
    Fault fault = kernel.run([&](Thread &self) {
      uint32_t lane = self.registers.lane;
      uint64_t address = uint64_t(self.registers.shared) + 16 * lane;
      std::memcpy(self.registers.in, &address, 8);
      self.registers.in[kMatrixSpecWord] = matrixSpec(4, transposed);
      for (uint32_t m = 0; m < 4; ++m)
        self.registers.in[kMatrixValueWord + m] = cell(m, lane, 0) | uint32_t(cell(m, lane, 1)) << 16;
      callCollective(self, CollectiveKind::StoreMatrix);
      self.block->barrier(self, 0, 0, 0);
      callCollective(self, CollectiveKind::LoadMatrix);
      for (uint32_t m = 0; m < 4; ++m)
        EXPECT_EQ(self.registers.out[m], cell(m, lane, 0) | uint32_t(cell(m, lane, 1)) << 16);
    });
    EXPECT_FALSE(fault) << fault.sentence;
  }
}

TEST(LoadMatrix, WantsAlignedRowsInsideSharedMemory) {
  for (uint32_t wrong : {8u, 512u}) {
    KernelFixture kernel;
    kernel.sharedBytes = 512;
    kernel.options.checkShared = false;
    Fault fault = kernel.run([&](Thread &self) {
      uint64_t address = uint64_t(self.registers.shared) + (self.registers.lane == 9 ? wrong : 0);
      std::memcpy(self.registers.in, &address, 8);
      self.registers.in[kMatrixSpecWord] = matrixSpec(4, false);
      callCollective(self, CollectiveKind::LoadMatrix);
    });
    EXPECT_EQ(fault.kind, wrong == 8 ? FaultKind::Misaligned : FaultKind::OutOfBounds);
    EXPECT_NE(fault.sentence.find("thread 9]"), std::string::npos) << fault.sentence;
  }
}
