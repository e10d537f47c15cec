// Default schedules. Elementwise kernels and reductions have rules of their own; products take the largest
// tile that still gives every multiprocessor a block. Whatever the shape asks for, tiles stay small enough
// for the registers that the kernel's live values need (TileBudget.h), and rings for shared memory.

#include "ScheduleRules.h"

#include "Tilewright/Target/Float8.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;

/// A kernel's bytes over those that are contiguous along a dimension, from which on these say nothing.
static constexpr int64_t kScattered = 64;

int64_t tilewright::tileAlong(int64_t n, int64_t limit, int64_t wideEnough) {
  int64_t rounded = (int64_t)llvm::PowerOf2Ceil((uint64_t)n);
  if (rounded <= limit && rounded - n <= n / 8)
    return rounded;
  int64_t factor = n & -n;
  if (factor >= wideEnough)
    return std::min(factor, limit);
  return std::min(rounded, limit);
}

int64_t tilewright::keptAlong(int64_t n, int64_t limit, int64_t part) {
  int64_t size = (int64_t)std::min(llvm::bit_floor((uint64_t)limit), llvm::PowerOf2Ceil((uint64_t)n));
  while (size > 1 && (int64_t)llvm::alignTo(n, size) - n > n / part)
    size /= 2;
  return size;
}

/// The dimension with most of `bytes`; the last one on a tie.
static int largestDim(ArrayRef<int64_t> bytes) {
  int best = (int)bytes.size() - 1;
  for (int d = (int)bytes.size() - 1; d >= 0; --d)
    if (bytes[d] > bytes[best])
      best = d;
  return best;
}

int tilewright::fastestDim(const KernelShape &shape) {
  int best = largestDim(shape.contiguousBytes);
  int64_t moved = 0;
  SmallVector<int64_t> nearest(shape.extents.size(), 0);
  for (const TensorAccess &access : shape.accesses) {
    int64_t bytes = access.elementBytes;
    int nearestDim = -1;
    for (int d = 0; d < (int)shape.extents.size(); ++d) {
      if (access.strides[d] == 0 || shape.extents[d] == 1)
        continue;
      bytes *= shape.extents[d];
      if (nearestDim < 0 || access.strides[d] <= access.strides[nearestDim])
        nearestDim = d;
    }
    moved += bytes;
    if (nearestDim >= 0)
      nearest[nearestDim] += bytes;
  }
  return shape.contiguousBytes[best] >= moved / kScattered ? best : largestDim(nearest);
}

bool tilewright::hasRunsAlong(const KernelShape &shape, int d, int fastest) {
  return d != fastest && shape.contiguousBytes[d] > shape.contiguousBytes[fastest] / 16;
}

bool tilewright::beginsWithinSectors(const KernelShape &shape, const TensorAccess &access, int along) {
  return llvm::any_of(llvm::seq<int>(0, (int)access.strides.size()), [&](int d) {
    return d != along && shape.extents[d] > 1 && access.strides[d] * access.elementBytes % kSectorBytes != 0;
  });
}

bool tilewright::haveRowsApart(const KernelShape &shape, int fastest) {
  return llvm::any_of(shape.accesses, [&](const TensorAccess &access) {
    return access.strides[fastest] == 1 && beginsWithinSectors(shape, access, fastest);
  });
}

bool tilewright::usesTensorCores(Type operandType, bool tf32) {
  return operandType.isF16() || operandType.isBF16() || (operandType.isF32() && tf32) ||
         isFloat8(operandType) || operandType.isInteger(8);
}

bool tilewright::usesTensorCores(const KernelShape &shape) {
  return usesTensorCores(shape.operandType, shape.tf32) && !shape.wideSums;
}

/// Bytes of the ring that holds `stages` tiles of all operands.
static int64_t ringBytes(const KernelShape &shape, int64_t bm, int64_t bn, int64_t bk, int64_t stages,
                         int64_t elementBytes) {
  return stages * (shape.lhsTiles * (int64_t)llvm::alignTo(bm * bk * elementBytes, 128) +
                   shape.rhsTiles * (int64_t)llvm::alignTo(bk * bn * elementBytes, 128));
}

/// Warps of a product's block and how they divide the tile.
static std::pair<int64_t, SmallVector<int64_t>> productWarps(int64_t bm, int64_t bn) {
  if (bm * bn > 128 * 64)
    return {8, {2, 4}};
  return {4, {2, 2}};
}

static tile::ScheduleAttr matmulSchedule(MLIRContext *context, const KernelShape &shape) {
  int64_t rank = shape.extents.size();
  int64_t m = shape.extents[rank - 3], n = shape.extents[rank - 2], k = shape.extents[rank - 1], batch = 1;
  for (int64_t d = 0; d < rank - 3; ++d)
    batch *= shape.extents[d];
  bool tensorCores = usesTensorCores(shape);
  static constexpr int64_t sizes[][2] = {{128, 128}, {128, 64}, {64, 128}, {64, 64},
                                         {64, 32},   {32, 64},  {32, 32}};
  int64_t bytes = std::max<int64_t>(1, shape.operandType.getIntOrFloatBitWidth() / 8);
  if (isFloat8(shape.operandType)) // single warps multiply them as fp16
    bytes = 2;
  // Long products take 128 bytes of K at a time: half the barriers for the same bytes in flight.
  int64_t bk = tensorCores ? (k * bytes >= 512 ? 128 : 64) / bytes : (k >= 256 && bytes <= 4 ? 32 : 16);
  // An instruction takes 32 bytes of K, of tf32 half as many elements as of 16 bits.
  int64_t leastStep = bytes == 1 ? 32 : 16;
  while (bk > leastStep && bk >= 2 * k)
    bk /= 2;
  int64_t bm = 32, bn = 32;
  for (auto [tm, tn] : sizes) {
    if (!tensorCores && tm * tn > 64 * 64)
      continue;
    // A tile of which more than half would be empty is for a larger problem.
    if ((tm > 32 && tm >= 2 * m) || (tn > 32 && tn >= 2 * n))
      continue;
    // Two blocks a multiprocessor: one computes while the other waits for memory.
    if (batch * llvm::divideCeil(m, tm) * llvm::divideCeil(n, tn) < 2 * kFillBlocks && tm * tn > 32 * 32)
      continue;
    // What follows the product must fit the registers beside the accumulators, and two stages shared memory.
    if (tm * tn > 32 * 32 &&
        (!shape.pressure.fits(tm * tn, productWarps(tm, tn).first) ||
         ringBytes(shape, tm, tn, std::min<int64_t>(bk, leastStep), 2, bytes) > shape.sharedLimit))
      continue;
    bm = tm;
    bn = tn;
    break;
  }
  SmallVector<int64_t> tile(rank - 1, 1);
  tile[rank - 3] = bm;
  tile[rank - 2] = bn;
  int64_t stages = k > bk ? std::min<int64_t>(bm * bn > 64 * 64 ? 3 : 4, llvm::divideCeil(k, bk) + 1) : 1;
  // Fewer stages, then shorter steps of K, until the ring fits.
  while (ringBytes(shape, bm, bn, bk, stages, bytes) > shape.sharedLimit && (stages > 2 || bk > leastStep)) {
    if (stages > 2)
      --stages;
    else
      bk /= 2;
  }
  auto [warps, warpGrid] = productWarps(bm, bn);
  return tile::ScheduleAttr::get(context, tile, bk, warps, warpGrid, stages);
}

tile::ScheduleAttr tilewright::chooseSchedule(MLIRContext *context, const KernelShape &shape) {
  switch (shape.anchor) {
  case graph::Anchor::Matmul:
    return matmulSchedule(context, shape);
  case graph::Anchor::Reduction:
    return shape.sorts ? sortSchedule(context, shape) : reductionSchedule(context, shape);
  case graph::Anchor::Elementwise:
  case graph::Anchor::Gather:
  case graph::Anchor::Transpose:
    return elementwiseSchedule(context, shape);
  }
  llvm_unreachable("covered switch");
}
