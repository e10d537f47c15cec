// wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"): operands
// from shared memory by descriptor or from registers, as floats or integers, then one plain product.
//
// A descriptor names 16-byte chunks. With P the bytes of a swizzled row (16 without swizzle, else 32, 64,
// 128), row the index along M or N, and k the byte along K (a step has 32 bytes), a chunk lies at
//
//     K-major:   start + row % 8 * P + row / 8 * stride + chunk * 16     (without swizzle: + chunk * leading)
//     MN-major:  start + mn * 16 % P + mn * 16 / P * leading + k % 8 * P + k / 8 * stride
//                (without swizzle: start + mn * stride + k % 8 * 16 + k / 8 * leading)
//
// where mn counts chunks of eight elements along M or N and k elements; the swizzle then permutes address
// bits. Accumulator register v of lane l in warp w: row 16 w + l / 4 + 8 (v / 2 % 2), column 8 (v / 4) + 2 (l
// % 4) + v % 2.
//
// Numbers are those of Matrix.cpp: products exact, added in fp32 in the order of k.
#include "Wgmma.h"

#include "MmaElement.h"

#include "Tilewright/Emulator/Entries.h"

#include <algorithm>
#include <cstring>

using namespace tilewright::emulator;

static constexpr uint32_t kRows = 64, kMaxColumns = 256, kMaxDepth = 32, kChunk = 16, kStepBytes = 32;

namespace {
struct Descriptor {
  uint32_t start, leading, stride;
  TensorSwizzle swizzle;
  uint32_t rowBytes() const { return kChunk << uint32_t(swizzle); }
};

/// Reads chunks of shared memory for an agent.
struct ChunkReader {
  Block &block;
  Thread *threads;
  AsyncReader reader;
  int site;

  const std::byte *operator()(TensorSwizzle swizzle, uint32_t address) {
    address = swizzleAddress(swizzle, address);
    Thread &first = threads[0];
    block.checkSharedBounds(first, block.shared + address, kChunk, kChunk, "wgmma operand", site);
    if (block.options.checkShared) {
      SharedShadow::Finding found = block.shadow.readAsync(address, kChunk, reader, site);
      if (found.verdict != Verdict::Fine)
        block.reportShared(first, found, "wgmma operand", address, kChunk, site);
    }
    return block.shared + address;
  }
};
} // namespace

/// Elements of one chunk, `stride` apart.
static void decodeChunk(MmaElement element, const std::byte *chunk, float *to, uint32_t stride) {
  uint32_t bytes = bytesOf(element);
  if (bytes == 2) {
    uint16_t words[8];
    std::memcpy(words, chunk, sizeof words);
    for (uint32_t i = 0; i < 8; ++i)
      to[i * stride] = element == MmaElement::BF16 ? bf16ToFloat(words[i]) : f16ToFloat(words[i]);
    return;
  }
  for (uint32_t i = 0; i < kChunk / bytes; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, chunk + i * bytes, bytes);
    to[i * stride] = decode(element, bits);
  }
}

static Descriptor readDescriptor(Block &block, Thread &thread, uint64_t bits, const char *name, int site) {
  Descriptor descriptor{uint32_t(bits & 0x3FFF) << 4, uint32_t(bits >> 16 & 0x3FFF) << 4,
                        uint32_t(bits >> 32 & 0x3FFF) << 4, TensorSwizzle::None};
  // The field counts the other way round: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes.
  static constexpr TensorSwizzle modes[] = {TensorSwizzle::None, TensorSwizzle::Bytes128,
                                            TensorSwizzle::Bytes64, TensorSwizzle::Bytes32};
  descriptor.swizzle = modes[bits >> 62];
  if (uint32_t base = bits >> 49 & 7)
    block.raise(thread, FaultKind::BadDescriptor, site,
                "descriptor 0x%llx of %s has base offset %u, which the emulator does not model",
                static_cast<unsigned long long>(bits), name, base);
  return descriptor;
}

static void loadOperand(ChunkReader &read, const Descriptor &from, MmaElement element, uint32_t rows,
                        bool isMajorMN, float (*to)[kMaxDepth]) {
  uint32_t pitch = from.rowBytes(), bytes = bytesOf(element);
  bool plain = from.swizzle == TensorSwizzle::None;
  if (!isMajorMN) {
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t chunk = 0; chunk < kStepBytes / kChunk; ++chunk) {
        uint32_t address =
            from.start + row % 8 * pitch + row / 8 * from.stride + chunk * (plain ? from.leading : kChunk);
        decodeChunk(element, read(from.swizzle, address), &to[row][chunk * kChunk / bytes], 1);
      }
    return;
  }
  for (uint32_t k = 0; k < kStepBytes / bytes; ++k)
    for (uint32_t mn = 0; mn < rows / 8; ++mn) {
      uint32_t address = from.start + k % 8 * pitch;
      if (plain)
        address += mn * from.stride + k / 8 * from.leading;
      else
        address += mn * kChunk % pitch + mn * kChunk / pitch * from.leading + k / 8 * from.stride;
      decodeChunk(element, read(from.swizzle, address), &to[8 * mn][k], kMaxDepth);
    }
}

/// A from registers lies as in mma.sync, sixteen rows a warp (Matrix.cpp).
static void gatherA(const Thread *threads, MmaElement element, float (*to)[kMaxDepth]) {
  uint32_t perRegister = 4 / bytesOf(element), bits = 32 / perRegister;
  for (uint32_t t = 0; t < kWarpgroupThreads; ++t) {
    const uint32_t *in = threads[t].wgmma.request->registersOfA;
    uint32_t lane = t % kWarpLanes, row = t / kWarpLanes * 16 + lane / 4;
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t i = 0; i < perRegister; ++i)
        to[row + 8 * (r & 1)][perRegister * (lane % 4) + i + 4 * perRegister * (r >> 1)] =
            decode(element, bits == 32 ? in[r] : in[r] >> (bits * i) & ((1u << bits) - 1));
  }
}

static void negate(float (*values)[kMaxDepth], uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t k = 0; k < kMaxDepth; ++k)
      values[row][k] = -values[row][k];
}

/// Calls `body(register, row, column)` for each 32-bit accumulator of thread `t`.
template <typename Body> static void forEachValue(uint32_t t, uint32_t n, Body body) {
  uint32_t lane = t % kWarpLanes, row = t / kWarpLanes * 16 + lane / 4, column = 2 * (lane % 4);
  for (uint32_t v = 0; v < n / 2; ++v)
    body(v, row + 8 * (v >> 1 & 1), 8 * (v >> 2) + column + (v & 1));
}

namespace {
/// Where a product is computed; too large for a fiber's stack.
struct Workspace {
  alignas(32) float a[kRows][kMaxDepth];
  alignas(32) float b[kMaxColumns][kMaxDepth];
  alignas(32) float bByK[kMaxDepth][kMaxColumns];
  alignas(32) float c[kRows][kMaxColumns];
  alignas(32) int32_t integers[kRows][kMaxColumns];
};
} // namespace

static void multiplyFloats(Workspace &w, uint32_t n, uint32_t k) {
  for (uint32_t m = 0; m < kRows; ++m) {
    float *row = w.c[m];
    for (uint32_t i = 0; i < k; ++i) {
      float a = w.a[m][i];
      const float *b = w.bByK[i];
      for (uint32_t column = 0; column < n; ++column)
        row[column] = __builtin_fmaf(a, b[column], row[column]);
    }
  }
}

static void multiplyIntegers(Workspace &w, uint32_t n, uint32_t k, bool saturates) {
  for (uint32_t m = 0; m < kRows; ++m)
    for (uint32_t column = 0; column < n; ++column) {
      int64_t sum = w.integers[m][column];
      for (uint32_t i = 0; i < k; ++i)
        sum += int32_t(w.a[m][i]) * int32_t(w.bByK[i][column]);
      if (saturates)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      w.integers[m][column] = int32_t(sum);
    }
}

static void gatherAccumulators(Workspace &w, const Thread *threads, const WgmmaRequest &request) {
  if (!request.accumulates) {
    for (uint32_t m = 0; m < kRows; ++m) {
      std::fill_n(w.c[m], request.n, 0.0f);
      std::fill_n(w.integers[m], request.n, 0);
    }
    return;
  }
  for (uint32_t t = 0; t < kWarpgroupThreads; ++t) {
    const uint32_t *from = threads[t].wgmma.request->accumulators;
    forEachValue(t, request.n, [&](uint32_t v, uint32_t row, uint32_t column) {
      if (request.typeD == WgmmaAccumulator::S32)
        w.integers[row][column] = int32_t(from[v]);
      else if (request.typeD == WgmmaAccumulator::F32)
        w.c[row][column] = bitsToFloat(from[v]);
      else
        w.c[row][column] = f16ToFloat(uint16_t(from[v / 2] >> 16 * (v & 1)));
    });
  }
}

static void scatterAccumulators(const Workspace &w, Thread *threads, const WgmmaRequest &request) {
  for (uint32_t t = 0; t < kWarpgroupThreads; ++t) {
    uint32_t *to = threads[t].wgmma.request->accumulators;
    forEachValue(t, request.n, [&](uint32_t v, uint32_t row, uint32_t column) {
      if (request.typeD == WgmmaAccumulator::S32)
        to[v] = uint32_t(w.integers[row][column]);
      else if (request.typeD == WgmmaAccumulator::F32)
        to[v] = floatToBits(w.c[row][column]);
      else if (v & 1)
        to[v / 2] |= uint32_t(floatToF16(w.c[row][column])) << 16;
      else
        to[v / 2] = floatToF16(w.c[row][column]);
    });
  }
}

void tilewright::emulator::multiply(Block &block, Thread *threads, uint32_t agent, int site) {
  // One per CPU thread: nothing in here switches fibers.
  static thread_local std::unique_ptr<Workspace> workspace;
  if (!workspace)
    workspace = std::make_unique<Workspace>();
  Workspace &w = *workspace;
  const WgmmaRequest &request = *threads[0].wgmma.request;
  MmaElement ofA = MmaElement(request.typeA), ofB = MmaElement(request.typeB);
  uint32_t k = kStepBytes / bytesOf(ofB), n = request.n;
  ChunkReader read{block, threads, {agent, threads[0].number, kWarpgroupThreads}, site};
  if (request.registersOfA)
    gatherA(threads, ofA, w.a);
  else
    loadOperand(read, readDescriptor(block, threads[0], request.a, "A", site), ofA, kRows,
                request.transposedA, w.a);
  loadOperand(read, readDescriptor(block, threads[0], request.b, "B", site), ofB, n, request.transposedB,
              w.b);
  if (request.negateA)
    negate(w.a, kRows);
  if (request.negateB)
    negate(w.b, n);
  for (uint32_t column = 0; column < n; ++column)
    for (uint32_t i = 0; i < k; ++i)
      w.bByK[i][column] = w.b[column][i];
  gatherAccumulators(w, threads, request);
  if (request.typeD == WgmmaAccumulator::S32)
    multiplyIntegers(w, n, k, request.saturates);
  else
    multiplyFloats(w, n, k);
  scatterAccumulators(w, threads, request);
}
