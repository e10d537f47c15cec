// What one thread block can hold: how large a tile of a kernel may be before its values leave the registers,
// and whether a reduced extent fits one tile or takes several passes over memory.
//
// The fuse stage asks whether a group of ops is worth one kernel, the tile stage chooses sizes; both ask
// here. The register estimate counts what must be live as whole tiles (accumulators of a product, states of a
// looped reduction, values needed on both sides of a reduction) and what an elementwise stretch keeps live
// between neighbouring ops, of which ptxas interleaves a few elements at a time:
//
//   registers(e) = whole * e + peak * min(e, 8)          e elements a thread
//
#ifndef TILEWRIGHT_ANALYSIS_TILEBUDGET_H
#define TILEWRIGHT_ANALYSIS_TILEBUDGET_H

#include "Tilewright/Analysis/KernelIndexing.h"

#include <algorithm>

namespace tilewright {

/// Registers of a thread that tiles may take; addresses, indices and temporaries get the rest of the 255.
inline constexpr int64_t kTileRegisters = 160;
/// The same in an elementwise kernel, where ptxas also interleaves the expansions of neighbouring ops.
inline constexpr int64_t kElementwiseRegisters = 112;
/// Instructions of a thread of an elementwise kernel: its code has no loop, and ptxas' time grows faster than
/// it.
inline constexpr int64_t kElementwiseInstructions = 1024;
/// Elements of a thread that an elementwise stretch works on at a time.
inline constexpr int64_t kInterleavedElems = 8;
/// Elements of a reduced row that a block takes in one pass when registers allow.
inline constexpr int64_t kRowElems = 32 * 1024;
/// Elements of the tile of a reduction along the contiguous dimension's other side, and its least width.
inline constexpr int64_t kColumnTileElems = 8192, kColumnWidth = 32;

/// Elements of a tile that holds all that reductions over different dimensions run over, at most, and at most
/// where such tiles are to be small (the form `small-mixed`). (docs/Fusion.md has what each was measured
/// at.)
inline constexpr int64_t kMostMixedElems = 16 * 1024, kFewMixedElems = 4 * 1024;

/// Registers for tiles in a thread of a block of `warps` warps, which share the register file.
int64_t tileRegisters(int64_t warps);

/// Registers that a kernel's values need, for each element a thread has.
struct TilePressure {
  /// Live as whole tiles at the worst point.
  int64_t whole = 0;
  /// Live in the worst elementwise stretch.
  int64_t peak = 1;
  /// Instructions that compute one element of all values.
  int64_t instructions = 0;
  /// Those of them that compute what short rows are reduced to.
  int64_t ofRows = 0;

  int64_t registers(int64_t elemsPerThread) const {
    return whole * elemsPerThread + peak * std::min(elemsPerThread, kInterleavedElems);
  }
  /// Whether a tile of `elems` elements fits the registers of `warps` warps.
  bool fits(int64_t elems, int64_t warps) const;
};

/// The estimate for `ops` (in program order), which store `outputs`.
TilePressure tilePressure(const KernelIndexing &indexing, llvm::ArrayRef<mlir::Operation *> ops,
                          llvm::ArrayRef<mlir::Value> outputs);

/// The same once it is known what tiles have of the kernel's rows: where one that holds all that reductions
/// over different dimensions run over would be too large, a loop goes over the longest of these, if it can.
TilePressure planPasses(KernelIndexing &indexing, llvm::ArrayRef<mlir::Operation *> ops,
                        llvm::ArrayRef<mlir::Value> outputs);

/// Elements of the smallest tile that holds all that the kernel's reductions over different dimensions run
/// over, with a sector of what is kept side by side; some number beyond kMostMixedElems where it has more.
int64_t mixedElems(const KernelIndexing &indexing);

/// Instructions of one element, about as the target stage expands the op.
int64_t instructionsOf(mlir::Operation *op);

/// The extent of a tile that holds a reduced dimension of `extent` elements whole: lanes and warps divide its
/// power-of-two factor, at most 16 times, so that no thread holds more than its share of a long one.
int64_t wholeExtent(int64_t extent);

/// The largest power of two of elements of a reduced row that a block takes in one pass.
int64_t rowElems(const TilePressure &pressure);

/// Whether the kernel has no reduction, or one whose extent fits a tile: else every level of reductions, and
/// the storing of full-size results, is a pass over memory.
bool takesOnePass(const KernelIndexing &indexing, const TilePressure &pressure);

/// Elements side by side that are one in memory, from which on a tensor is not kept for them: it is little,
/// and stays in the caches.
inline constexpr int64_t kSharedRun = 8;
/// Bytes that a block keeps in shared memory from one pass over its rows to the next, half of what a
/// multiprocessor has room for, so that another one can load meanwhile; those of a cluster, which has a row
/// or columns side by side; the same of columns whose rows begin anywhere in a sector; and the least bytes of
/// such columns that lie side by side in memory.
inline constexpr int64_t kKeptBlockBytes = 108 * 1024, kKeptRowBytes = 16 * kKeptBlockBytes,
                         kSharedColumnBytes = 800 * 1024, kLeastKeptRun = 64;

/// Elements from which on rows that lie across memory cost more than the kernels of a cut: a block that has
/// one of them reads a sector for every element.
inline constexpr int64_t kLeastAcross = 1 << 19;

/// What the blocks of a cluster keep of rows that several passes go over.
struct KeptRows {
  /// Columns side by side, where rows lie across memory; else 0.
  int64_t columns = 0;
  /// Blocks that share the columns.
  int64_t blocks = 1;
};
/// What stays on the chip of that which a pass over the kernel's rows loads, for the next one; nothing where
/// it is loaded again.
std::optional<KeptRows> keptRows(const KernelIndexing &indexing, llvm::ArrayRef<mlir::Operation *> ops);

/// Blocks of a cluster that share `bytes`.
int64_t keepingBlocks(int64_t bytes);

/// The pass over a kernel's rows in which `op` is computed at full size, or its rows reduced, where no tile
/// holds a row: 1 for what needs no reduction.
int64_t passOf(const KernelIndexing &indexing, mlir::Operation *op);

/// Elements `function(difference(x, reference))` of a reduction, relative to another one (getReference).
struct RelativeElements {
  mlir::Operation *reference, *function, *difference;
};

/// How `op` is relative to another reduction of the kernel, so that one pass can do both; nullopt when it is
/// not.
std::optional<RelativeElements> relativeElements(const KernelIndexing &indexing, mlir::Operation *op);

/// Level of `op` among the reductions that need one another's results: 0 before the first. One that is
/// relative to another has that one's level.
int reductionLevel(const KernelIndexing &indexing, mlir::Operation *op);

/// Bytes that memory moves for a sector whose neighbours nobody wants, as for an element that an index
/// selects, and the share of the L2 cache in which those of a table are found that are taken in no order.
/// (Measured on an H200: 23 to 26 of 50 MB.)
inline constexpr int64_t kRandomBytes = 64;
inline constexpr double kRandomShare = 0.48;
/// The share of the L2 cache that a program finds what it touched last in. (Measured on an H200: 37 to 40 of
/// 50 MB.)
inline constexpr double kCacheShare = 0.75;
/// Elements that the blocks of a multiprocessor have at a time, about.
inline constexpr double kResidentElems = 24 * 1024;
/// Cycles of a multiprocessor for each element that an index selects from a row of `rowBytes`, `places` of
/// them from each: those of the lines that a warp touches in the L1 cache, or of a sector from L2 where the
/// rows that the blocks read at a time, `rowsAtATime`, are more than it holds.
double lookupCycles(int64_t rowBytes, int64_t places, double rowsAtATime);
/// What takes `others` without the lookups of single elements, and what these take: the longer one hides most
/// of the other. (On an H200: rows of 490, 600, 2671, 14000, 40000 and 165477 elements, modelled 80, 107,
/// 209, 223, 262 and 330, measured 75, 84, 256, 277, 300 and 360 us.)
inline double besideLookups(double others, double lookups) {
  constexpr double shown = 0.2;
  return std::max(others, lookups) + shown * std::min(others, lookups);
}

/// Whether `view` depends on each dimension of its domain.
llvm::SmallVector<bool> supportOf(const layout::StridedView &view);
/// Elements of the result of `op`, one of the kernel's, that places of its domain need: of what is sliced
/// then, those of the slice.
int64_t neededElements(const KernelIndexing &indexing, mlir::Operation *op);
/// Whether `view` differs along dimension `dim` of its domain.
bool dependsOn(const layout::StridedView &view, unsigned dim);

/// Whether `view` depends on no reduced dimension: one value a row.
bool isRowLevel(const KernelIndexing &indexing, const layout::StridedView &view);

/// About the tile that a block takes along each dimension of the domain, before any schedule is chosen.
llvm::SmallVector<int64_t> typicalTile(const KernelIndexing &indexing);

} // namespace tilewright

#endif // TILEWRIGHT_ANALYSIS_TILEBUDGET_H
