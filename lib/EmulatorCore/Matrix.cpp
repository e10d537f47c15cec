// mma.sync, ldmatrix and stmatrix for a whole warp at once. Fragment placement follows the tables of the PTX
// ISA, "Matrix Fragments for mma.m16n8kK". With g = lane / 4, q = lane % 4 and e elements in a 32-bit
// register:
//
//     A register r, element i: row g + 8 * (r & 1), column e * q + i + 4 * e * (r >> 1)
//     B register r, element i: row e * q + i + 4 * e * r, column g
//     C and D value v:         row g + 8 * (v >> 1), column 2 * q + (v & 1)
//
// Numbers: products of f16, bf16, tf32 and fp8 operands are exact in fp32; they are added to the accumulator
// in fp32, rounding to nearest even, in the order of k. Tensor cores add with a wider but truncating adder in
// an order that is not documented, so results may differ from theirs in the last bits. An f16 accumulator is
// kept in fp32 and rounded once at the end. Integers accumulate in 32 bits, wrapping or saturating once at
// the end.
#include "Collectives.h"
#include "MmaElement.h"

#include "Tilewright/Emulator/Entries.h"

#include <algorithm>

using namespace tilewright::emulator;

static constexpr uint32_t kM = 16, kN = 8, kMaxK = 32;

/// Elements of one register, decoded. `stride` is the distance between them in the matrix.
template <MmaElement element> static inline void unpack(uint32_t word, float *to, uint32_t stride) {
  if constexpr (element == MmaElement::TF32) {
    to[0] = tf32ToFloat(word);
  } else if constexpr (element == MmaElement::BF16) {
    to[0] = bitsToFloat(word << 16);
    to[stride] = bitsToFloat(word & 0xFFFF0000);
  } else if constexpr (element == MmaElement::F16) {
    to[0] = f16ToFloat(uint16_t(word));
    to[stride] = f16ToFloat(uint16_t(word >> 16));
  } else {
    for (uint32_t i = 0; i < 4; ++i)
      to[i * stride] = decode(element, word >> (8 * i) & 0xFF);
  }
}

template <MmaElement element> static void gatherA(Warp &warp, uint32_t k, float (&a)[kM][kMaxK]) {
  uint32_t perRegister = 4 / bytesOf(element), count = k / (4 * perRegister) * 2;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const uint32_t *in = warp.lanes[lane].registers.in;
    for (uint32_t r = 0; r < count; ++r)
      unpack<element>(in[r],
                      &a[lane / 4 + 8 * (r & 1)][perRegister * (lane % 4) + 4 * perRegister * (r >> 1)], 1);
  }
}

template <MmaElement element> static void gatherB(Warp &warp, uint32_t k, float (&b)[kMaxK][kN]) {
  uint32_t perRegister = 4 / bytesOf(element), count = k / (4 * perRegister);
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const uint32_t *in = warp.lanes[lane].registers.in + 4;
    for (uint32_t r = 0; r < count; ++r)
      unpack<element>(in[r], &b[perRegister * (lane % 4) + 4 * perRegister * r][lane / 4], kN);
  }
}

static void gatherOperands(Warp &warp, MmaElement ofA, MmaElement ofB, uint32_t k, float (&a)[kM][kMaxK],
                           float (&b)[kMaxK][kN]) {
  switch (ofA) {
  case MmaElement::F16:
    gatherA<MmaElement::F16>(warp, k, a);
    return gatherB<MmaElement::F16>(warp, k, b);
  case MmaElement::BF16:
    gatherA<MmaElement::BF16>(warp, k, a);
    return gatherB<MmaElement::BF16>(warp, k, b);
  case MmaElement::TF32:
    gatherA<MmaElement::TF32>(warp, k, a);
    return gatherB<MmaElement::TF32>(warp, k, b);
  default:
    if (ofA == MmaElement::E4M3)
      gatherA<MmaElement::E4M3>(warp, k, a);
    else
      gatherA<MmaElement::E5M2>(warp, k, a);
    if (ofB == MmaElement::E4M3)
      gatherB<MmaElement::E4M3>(warp, k, b);
    else
      gatherB<MmaElement::E5M2>(warp, k, b);
  }
}

static void mmaFloat(Warp &warp, MmaElement ofA, MmaElement ofB, uint32_t k, bool accumulateF16) {
  alignas(32) float a[kM][kMaxK], b[kMaxK][kN], c[kM][kN];
  gatherOperands(warp, ofA, ofB, k, a, b);
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const uint32_t *in = warp.lanes[lane].registers.in + 6;
    for (uint32_t v = 0; v < 4; ++v)
      c[lane / 4 + 8 * (v >> 1)][2 * (lane % 4) + (v & 1)] =
          accumulateF16 ? f16ToFloat(uint16_t(in[v >> 1] >> 16 * (v & 1))) : asFloat(in[v]);
  }
  for (uint32_t m = 0; m < kM; ++m) {
    float row[kN];
    std::copy_n(c[m], kN, row);
    // A product of two 11-bit significands is exact in fp32, so a fused step rounds as a separate add does.
    for (uint32_t i = 0; i < k; ++i)
      for (uint32_t n = 0; n < kN; ++n)
        row[n] = __builtin_fmaf(a[m][i], b[i][n], row[n]);
    std::copy_n(row, kN, c[m]);
  }
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    uint32_t *out = warp.lanes[lane].registers.out;
    const float *top = &c[lane / 4][2 * (lane % 4)], *bottom = &c[lane / 4 + 8][2 * (lane % 4)];
    if (accumulateF16) {
      out[0] = floatToF16(top[0]) | uint32_t(floatToF16(top[1])) << 16;
      out[1] = floatToF16(bottom[0]) | uint32_t(floatToF16(bottom[1])) << 16;
    } else {
      out[0] = asBits(top[0]);
      out[1] = asBits(top[1]);
      out[2] = asBits(bottom[0]);
      out[3] = asBits(bottom[1]);
    }
  }
}

static void mmaInteger(Warp &warp, MmaElement ofA, MmaElement ofB, uint32_t k, bool saturate) {
  int32_t a[kM][kMaxK], b[kMaxK][kN];
  uint32_t halves = k / 16;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const uint32_t *in = warp.lanes[lane].registers.in;
    uint32_t g = lane / 4, q = lane % 4;
    for (uint32_t i = 0; i < 4; ++i) {
      for (uint32_t r = 0; r < 2 * halves; ++r)
        a[g + 8 * (r & 1)][4 * q + i + 16 * (r >> 1)] = int32_t(decode(ofA, in[r] >> 8 * i));
      for (uint32_t r = 0; r < halves; ++r)
        b[4 * q + i + 16 * r][g] = int32_t(decode(ofB, in[4 + r] >> 8 * i));
    }
  }
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    Registers &registers = warp.lanes[lane].registers;
    for (uint32_t v = 0; v < 4; ++v) {
      uint32_t row = lane / 4 + 8 * (v >> 1), column = 2 * (lane % 4) + (v & 1);
      int64_t sum = int32_t(registers.in[6 + v]);
      for (uint32_t i = 0; i < k; ++i)
        sum += a[row][i] * b[i][column];
      if (saturate)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      registers.out[v] = uint32_t(sum);
    }
  }
}

void tilewright::emulator::mma(Block &, Warp &warp, uint32_t, int) {
  uint32_t spec = warp.lanes[0].registers.in[kMmaSpecWord];
  MmaElement ofA = MmaElement(spec & 15), ofB = MmaElement(spec >> 4 & 15);
  uint32_t k = spec >> 8 & 0xFF;
  if (ofA == MmaElement::S8 || ofA == MmaElement::U8)
    mmaInteger(warp, ofA, ofB, k, spec >> 17 & 1);
  else
    mmaFloat(warp, ofA, ofB, k, spec >> 16 & 1);
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix: 8x8 matrices of 16-bit elements
//===----------------------------------------------------------------------===//
//
// Lane 8 * m + r holds the address of row r of matrix m. Register m of lane l holds row l / 4, columns 2 * (l
// % 4) and the next; transposed, rows 2 * (l % 4) and the next of column l / 4.

static std::byte *rowPointer(const Registers &registers) {
  uint64_t address;
  std::memcpy(&address, registers.in, sizeof address);
  return reinterpret_cast<std::byte *>(address);
}

void tilewright::emulator::loadMatrix(Block &block, Warp &warp, uint32_t, int site) {
  uint32_t spec = warp.lanes[0].registers.in[kMatrixSpecWord], count = spec & 0xFF;
  for (uint32_t m = 0; m < count; ++m) {
    uint16_t tile[8][8];
    for (uint32_t r = 0; r < 8; ++r) {
      Thread &owner = warp.lanes[8 * m + r];
      const std::byte *row = rowPointer(owner.registers);
      uint32_t offset = block.checkSharedBounds(owner, row, 16, 16, "ldmatrix", site);
      if (block.options.checkShared) {
        SharedShadow::Finding found = block.shadow.readByWarp(offset, 16, owner.number / kWarpLanes, site);
        if (found.verdict != Verdict::Fine)
          block.reportShared(owner, found, "ldmatrix", offset, 16, site);
      }
      std::memcpy(tile[r], row, 16);
    }
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      uint32_t i = lane / 4, j = 2 * (lane % 4);
      uint16_t low = spec >> 8 ? tile[j][i] : tile[i][j], high = spec >> 8 ? tile[j + 1][i] : tile[i][j + 1];
      warp.lanes[lane].registers.out[m] = low | uint32_t(high) << 16;
    }
  }
}

void tilewright::emulator::storeMatrix(Block &block, Warp &warp, uint32_t, int site) {
  uint32_t spec = warp.lanes[0].registers.in[kMatrixSpecWord], count = spec & 0xFF;
  bool transposed = spec >> 8;
  for (uint32_t m = 0; m < count; ++m) {
    for (uint32_t r = 0; r < 8; ++r) {
      Thread &owner = warp.lanes[8 * m + r];
      std::byte *row = rowPointer(owner.registers);
      uint32_t offset = block.checkSharedBounds(owner, row, 16, 16, "stmatrix", site);
      for (uint32_t c = 0; c < 8; ++c) {
        uint32_t lane = transposed ? 4 * c + r / 2 : 4 * r + c / 2, high = transposed ? r & 1 : c & 1;
        uint16_t value = uint16_t(warp.lanes[lane].registers.in[kMatrixValueWord + m] >> 16 * high);
        if (block.options.checkShared) {
          SharedShadow::Finding found = block.shadow.write(offset + 2 * c, 2, warp.lanes[lane].number, site);
          if (found.verdict != Verdict::Fine)
            block.reportShared(warp.lanes[lane], found, "stmatrix", offset + 2 * c, 2, site);
        }
        std::memcpy(row + 2 * c, &value, 2);
      }
    }
  }
}
