// What the rules of default schedules share (ChooseSchedule.cpp).
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_SCHEDULERULES_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_SCHEDULERULES_H

#include "ChooseSchedule.h"

namespace tilewright {

/// Blocks that fill the chips we know (132 to 148 multiprocessors); a product's tile shrinks until it has
/// these.
inline constexpr int64_t kFillBlocks = 132;
/// Threads that keep a chip busy: eight warps a multiprocessor.
inline constexpr int64_t kFillThreads = kFillBlocks * 256;
/// Warps of a multiprocessor that find registers.
inline constexpr int64_t kResidentWarps = 32;
/// Bytes that memory moves at once, and those of a line of the caches.
inline constexpr int64_t kSectorBytes = 32, kLineBytes = 128;
/// Tiles along an extent from which on the empty part of the last one is little.
inline constexpr int64_t kTilesToPad = 8;
/// Bytes of memory side by side that a block reads and writes at least of each of its rows, where these lie
/// apart.
inline constexpr int64_t kRunBytes = 512;

/// The size of a tile along an extent of `n`, at most `limit` (a power of two): the whole of a short extent
/// rounded up to a power of two, else the power-of-two factor of `n` when it is wide enough to coalesce, else
/// the limit.
int64_t tileAlong(int64_t n, int64_t limit, int64_t wideEnough);

/// The most elements along a kept extent of `n`, at most `limit`, that leave at most `part` of the tiles
/// empty (8: an eighth of the extent): a power of two.
int64_t keptAlong(int64_t n, int64_t limit, int64_t part);

/// The dimension along which most bytes are contiguous; the last one on a tie. Where next to nothing of what
/// a kernel moves is contiguous along any, the one along which its elements lie nearest to each other.
int fastestDim(const KernelShape &shape);

/// Whether much of what a kernel moves is contiguous along `d` rather than along `fastest`.
bool hasRunsAlong(const KernelShape &shape, int d, int fastest);

/// Whether rows along `along` of the tensor begin anywhere in a sector.
bool beginsWithinSectors(const KernelShape &shape, const TensorAccess &access, int along);

/// Whether rows of some tensor that lies side by side along `fastest` begin anywhere in a sector.
bool haveRowsApart(const KernelShape &shape, int fastest);

/// The kept dimension of few indices, for which nearly all that is loaded is the same; -1: none.
int repeatedDim(const KernelShape &shape);

/// Whether threads load columns of narrow elements one by one, since their rows begin anywhere.
bool loadsOneByOne(const KernelShape &shape, int fastest);

/// Whether a block keeps `width` columns side by side in shared memory, which it loads in tiles.
bool keepsColumns(const KernelShape &shape, int64_t width);

/// Long rows that stay in shared memory, or columns: null where none do.
tile::ScheduleAttr keptTiles(mlir::MLIRContext *context, const KernelShape &shape);

/// Kernels without reductions, those that reduce or scan, and those that sort.
tile::ScheduleAttr elementwiseSchedule(mlir::MLIRContext *context, const KernelShape &shape);
tile::ScheduleAttr reductionSchedule(mlir::MLIRContext *context, const KernelShape &shape);
tile::ScheduleAttr sortSchedule(mlir::MLIRContext *context, const KernelShape &shape);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_SCHEDULERULES_H
