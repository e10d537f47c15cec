// wgmma against its definition: every element type, operands by descriptor in each swizzle and both majors, A
// from registers. Operands are laid out as a bulk tensor copy would lay them out.
#include "KernelFixture.h"

#include "Numbers.h"

#include "Tilewright/Emulator/TensorMap.h"

#include <algorithm>

using namespace tilewright::emulator;

namespace {
using WgmmaEntry = void (*)(Thread *, uint32_t *, uint64_t, uint64_t, const uint32_t *, uint32_t, uint32_t,
                            int);
using ThreadEntry = void (*)(Thread *);
using SiteEntry = void (*)(Thread *, int);
using WaitEntry = void (*)(Thread *, uint32_t, int);
using BarrierEntry = void (*)(Thread *, uint32_t, uint32_t, int);

struct WgmmaCase {
  MmaElement a, b;
  WgmmaAccumulator d;
  uint32_t n;
  TensorSwizzle swizzle = TensorSwizzle::Bytes128;
  bool majorA = false, majorB = false;
  bool registersOfA = false;
  bool accumulates = true;
};

uint32_t bytesOf(MmaElement element) {
  return element == MmaElement::TF32 ? 4 : element == MmaElement::F16 || element == MmaElement::BF16 ? 2 : 1;
}

/// Small integers, which every type holds exactly.
int valueAt(bool ofB, uint32_t row, uint32_t k) {
  return int((row * 7 + k * 3 + (ofB ? 5 : 0)) % 5) - (ofB ? 1 : 2);
}

uint32_t encode(MmaElement element, int value) {
  // e4m3 and e5m2 of 0, 1, 2, 3 and their signs.
  static constexpr uint8_t e4m3[] = {0x00, 0x38, 0x40, 0x44}, e5m2[] = {0x00, 0x3C, 0x40, 0x42};
  uint32_t sign = value < 0 ? 0x80 : 0, magnitude = uint32_t(std::abs(value));
  switch (element) {
  case MmaElement::TF32:
    return floatToBits(float(value));
  case MmaElement::F16:
    return floatToF16(float(value));
  case MmaElement::BF16:
    return floatToBf16(float(value));
  case MmaElement::E4M3:
    return sign | e4m3[magnitude];
  case MmaElement::E5M2:
    return sign | e5m2[magnitude];
  case MmaElement::U8:
    return magnitude;
  case MmaElement::S8:
    return uint8_t(value);
  }
  return 0;
}

/// U8 has no signs.
int seenAs(MmaElement element, int value) { return element == MmaElement::U8 ? std::abs(value) : value; }

/// One operand in shared memory from `base` on.
struct Place {
  uint32_t base, rows, depth, leading, stride;
  TensorSwizzle swizzle;
  bool isMajorMN;

  Place(uint32_t base, uint32_t rows, uint32_t depth, TensorSwizzle swizzle, bool isMajorMN, uint32_t bytes)
      : base(base), rows(rows), depth(depth), swizzle(swizzle), isMajorMN(isMajorMN) {
    uint32_t span = 16u << uint32_t(swizzle);
    stride = 8 * span;
    if (swizzle == TensorSwizzle::None) {
      // Blocks of eight rows of 16 bytes, those along K behind each other.
      leading = isMajorMN ? rows / 8 * 128 : 128;
      stride = isMajorMN ? 128 : depth * bytes / 16 * 128;
    } else {
      leading = isMajorMN ? depth * span : 16;
    }
  }
  uint32_t address(uint32_t row, uint32_t k, uint32_t bytes) const {
    uint32_t span = 16u << uint32_t(swizzle), offset;
    if (swizzle == TensorSwizzle::None && !isMajorMN) {
      uint32_t chunk = k * bytes / 16;
      offset = row / 8 * stride + chunk * leading + row % 8 * 16 + k * bytes % 16;
    } else if (swizzle == TensorSwizzle::None) {
      offset = k / 8 * leading + row / 8 * stride + k % 8 * 16 + row % 8 * bytes;
    } else if (!isMajorMN) {
      offset = row * span + k * bytes; // a box of rows, span bytes wide
    } else {
      uint32_t wide = span / bytes;
      offset = row / wide * leading + k * span + row % wide * bytes; // boxes of K rows
    }
    return swizzleAddress(swizzle, base + offset);
  }
  uint64_t descriptor() const {
    static constexpr uint64_t modes[] = {0, 3, 2, 1};
    return uint64_t(base >> 4) | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
           modes[uint32_t(swizzle)] << 62;
  }
};
} // namespace

static void check(const WgmmaCase &c) {
  uint32_t bytes = bytesOf(c.a), depth = 32 / bytes;
  Place a(0, 64, depth, c.swizzle, c.majorA, bytes), b(65536, c.n, depth, c.swizzle, c.majorB, bytes);
  KernelFixture fixture;
  fixture.block = {128, 1, 1};
  fixture.sharedBytes = 131072;
  fixture.usesAsyncProxy = true;
  uint32_t flags = (c.majorA ? wgmmaFlag::kTransposedA : 0) | (c.majorB ? wgmmaFlag::kTransposedB : 0);
  int wrong = 0;
  std::string first;
  Fault fault = fixture.run([&](Thread &self) {
    Block &block = *self.block;
    uint32_t t = self.registers.linear, lane = t % 32, top = t / 32 * 16 + lane / 4;
    auto put = [&](const Place &place, MmaElement element, uint32_t row, bool ofB) {
      for (uint32_t k = 0; k < depth; ++k) {
        uint32_t bits = encode(element, valueAt(ofB, row, k)), at = place.address(row, k, bytes);
        block.checkShared(self, block.shared + at, bytes, bytes, true, 0);
        std::memcpy(block.shared + at, &bits, bytes);
      }
    };
    if (t < 64 && !c.registersOfA)
      put(a, c.a, t, false);
    for (uint32_t row = t; row < c.n; row += 128)
      put(b, c.b, row, true);
    reinterpret_cast<ThreadEntry>(entryAddress("tw_emu_fence_proxy"))(&self);
    reinterpret_cast<BarrierEntry>(entryAddress("tw_emu_barrier"))(&self, 0, 0, 0);
    uint32_t registers[4] = {};
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t i = 0; i < 4 / bytes; ++i)
        registers[r] |=
            encode(c.a, valueAt(false, top + 8 * (r & 1), 4 / bytes * (lane % 4) + i + 16 / bytes * (r >> 1)))
            << (8 * bytes * i);
    bool halves = c.d == WgmmaAccumulator::F16;
    uint32_t accumulators[128];
    for (uint32_t v = 0; v < c.n / 2; ++v) {
      if (halves)
        accumulators[v / 2] = (v & 1 ? accumulators[v / 2] : 0) | uint32_t(floatToF16(float(v % 4)))
                                                                      << 16 * (v & 1);
      else
        accumulators[v] = c.d == WgmmaAccumulator::S32 ? v : floatToBits(float(v));
    }
    reinterpret_cast<SiteEntry>(entryAddress("tw_emu_wgmma_fence"))(&self, 0);
    reinterpret_cast<WgmmaEntry>(entryAddress("tw_emu_wgmma"))(
        &self, accumulators, a.descriptor(), b.descriptor(), c.registersOfA ? registers : nullptr,
        c.accumulates, wgmmaSpec(c.a, c.b, c.d, c.n, flags), 1);
    reinterpret_cast<SiteEntry>(entryAddress("tw_emu_wgmma_commit"))(&self, 2);
    reinterpret_cast<WaitEntry>(entryAddress("tw_emu_wgmma_wait"))(&self, 0, 3);
    for (uint32_t v = 0; v < c.n / 2; ++v) {
      uint32_t row = top + 8 * (v / 2 % 2), column = 8 * (v / 4) + 2 * (lane % 4) + v % 2;
      int expected = c.accumulates ? int(halves ? v % 4 : v) : 0;
      for (uint32_t k = 0; k < depth; ++k)
        expected += seenAs(c.a, valueAt(false, row, k)) * seenAs(c.b, valueAt(true, column, k));
      float got = halves                         ? f16ToFloat(uint16_t(accumulators[v / 2] >> 16 * (v & 1)))
                  : c.d == WgmmaAccumulator::S32 ? float(int32_t(accumulators[v]))
                                                 : bitsToFloat(accumulators[v]);
      if (got != float(expected) && !wrong++)
        first = "row " + std::to_string(row) + ", column " + std::to_string(column) + ": " +
                std::to_string(got) + ", not " + std::to_string(expected);
    }
  });
  EXPECT_FALSE(fault) << fault.sentence;
  EXPECT_EQ(wrong, 0) << first;
}

TEST(Wgmma, ElementTypes) {
  using E = MmaElement;
  using D = WgmmaAccumulator;
  for (bool registersOfA : {false, true})
    for (const WgmmaCase &c : {WgmmaCase{E::BF16, E::BF16, D::F32, 64},
                               {E::F16, E::F16, D::F32, 16},
                               {E::F16, E::F16, D::F16, 32},
                               {E::TF32, E::TF32, D::F32, 24},
                               {E::E4M3, E::E4M3, D::F32, 64},
                               {E::E5M2, E::E4M3, D::F32, 40},
                               {E::E4M3, E::E5M2, D::F16, 8},
                               {E::S8, E::S8, D::S32, 32},
                               {E::U8, E::S8, D::S32, 96},
                               {E::S8, E::U8, D::S32, 256}}) {
      WgmmaCase with = c;
      with.registersOfA = registersOfA;
      SCOPED_TRACE("types " + std::to_string(int(c.a)) + " " + std::to_string(int(c.b)) +
                   (registersOfA ? ", A in registers" : ""));
      check(with);
    }
}

TEST(Wgmma, SwizzlesAndMajors) {
  for (TensorSwizzle swizzle :
       {TensorSwizzle::None, TensorSwizzle::Bytes32, TensorSwizzle::Bytes64, TensorSwizzle::Bytes128})
    for (int major = 0; major < 4; ++major) {
      SCOPED_TRACE("swizzle " + std::to_string(int(swizzle)) + ", majors " + std::to_string(major));
      check({MmaElement::BF16, MmaElement::BF16, WgmmaAccumulator::F32, 128, swizzle, (major & 1) != 0,
             major >> 1 != 0});
    }
}

TEST(Wgmma, WithoutAccumulating) {
  WgmmaCase c{MmaElement::BF16, MmaElement::BF16, WgmmaAccumulator::F32, 32};
  c.accumulates = false;
  check(c);
}
