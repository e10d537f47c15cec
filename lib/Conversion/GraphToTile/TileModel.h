// The time of a kernel without products in a tile: the sectors of every tensor, the empty places and the
// instructions.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEMODEL_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEMODEL_H

#include "ScheduleRules.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

namespace tilewright {

/// Elements of tiles that are as good as smaller ones.
inline constexpr int64_t kSmallElems = 2048;

/// The times of tiles of one kernel.
struct TileModel {
  const KernelShape &shape;
  const Arch &arch;
  bool ofAnySize = false;
  int64_t rank = (int64_t)shape.extents.size();
  int fastest = fastestDim(shape);

  int64_t elems(llvm::ArrayRef<int64_t> tile) const {
    return std::accumulate(tile.begin(), tile.end(), int64_t(1), std::multiplies<int64_t>());
  }
  /// Elements that lanes, warps and registers can divide among them: what is odd repeats in registers.
  int64_t divisible(llvm::ArrayRef<int64_t> tile) const {
    int64_t product = 1;
    for (int64_t size : tile)
      product *= size & -size;
    return product;
  }
  int64_t perThread(llvm::ArrayRef<int64_t> tile, int64_t warps) const {
    return elems(tile) / std::min(divisible(tile), 32 * warps);
  }
  bool holdsRows(llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  double joinedAlong(llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  int64_t blocks(llvm::ArrayRef<int64_t> tile) const;
  /// Blocks themselves.
  int64_t started(llvm::ArrayRef<int64_t> tile) const {
    int64_t count = 1;
    for (int64_t d = 0; d < rank; ++d)
      count *= shape.reduced[d] ? 1 : (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
    return count;
  }
  double pieces(const TensorAccess &access, llvm::ArrayRef<int64_t> counts, int64_t piece) const;
  double bytesOfTile(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t piece) const;
  double bytesOfTiles(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t piece) const;
  double bytesOfWarps(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  int64_t vectorOf(const TensorAccess &access, llvm::ArrayRef<int64_t> tile) const;
  /// The same of so many warps: what lanes and warps divide among them is not side by side in a thread.
  int64_t vectorOf(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t warps) const {
    return std::min(vectorOf(access, tile), std::max<int64_t>(1, divisible(tile) / (32 * warps)));
  }
  bool isStaged(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  int64_t sectorBytes(llvm::ArrayRef<int64_t> tile) const;
  double bytesOf(const TensorAccess &access) const;
  double partInside(const TensorAccess &access) const;
  double sharedAlong(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t d,
                     int64_t unit = kSectorBytes) const;
  llvm::SmallVector<int64_t> blockOrder(llvm::ArrayRef<int64_t> tile) const;
  llvm::SmallVector<int64_t> blockOrderOfLines(llvm::ArrayRef<int64_t> tile) const;
  bool mayFetchAgain() const;
  double fetchedAgain(llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> order) const;
  double besideOf(const TensorAccess &access, llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  double besideLater(llvm::ArrayRef<int64_t> tile) const;
  /// Bytes that the memory and the caches move beside those of the tensors, as if they came from memory;
  /// without those of elements that indices select one by one.
  double beside(llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  double waitsForLoads(llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  /// Microseconds of the tile; where these are more than `limit`, something between the two.
  double time(llvm::ArrayRef<int64_t> tile, int64_t warps,
              double limit = std::numeric_limits<double>::infinity()) const;
  double issueTime(llvm::ArrayRef<int64_t> tile, int64_t warps) const;
  /// What no tile takes less than: bytes alone, and computation alone, of no empty places.
  double leastTime() const;
  int64_t warpsFor(llvm::ArrayRef<int64_t> tile) const;
  bool selectsSingle(const TensorAccess &access) const;
  double requestTime(const TensorAccess &access, llvm::ArrayRef<int64_t> tile) const;
};

/// Whether tiles are what such a kernel's time depends on: rows that are gone over in parts have loops with
/// schedules of their own.
bool isModelled(const KernelShape &shape, llvm::ArrayRef<int64_t> tile);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEMODEL_H
