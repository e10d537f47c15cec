// The default schedule of a kernel: tile sizes and warps from its shape alone.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright {

struct Arch;

/// Threads of clusters that share rows or add up parts of K; larger ones have not been measured.
constexpr int64_t kMostClusterThreads = 2048;

/// Bytes: rows that begin at multiples of no more begin anywhere within lines of the caches.
inline constexpr int64_t kWithinLines = 32;

/// Elements between what two indices of a gather select, for all that is known.
inline constexpr int64_t kGatheredStride = int64_t(1) << 24;

/// How a tensor that a kernel reads or writes lies in memory.
struct TensorAccess {
  int64_t elementBytes = 4;
  bool stores = false;
  /// Elements from one index of a dimension to the next; 0: all of its indices are one element.
  llvm::SmallVector<int64_t> strides;
  /// Indices of a dimension that follow one another at this distance.
  llvm::SmallVector<int64_t> runs;
  /// Indices of a dimension that are in the tensor: all of them, or those of a window of it.
  llvm::SmallVector<int64_t> inside;
  /// Elements from the tensor's first to the one at the first index of all dimensions, of windows before it.
  int64_t begin = 0;
  /// Bytes from which each of its elements, or runs of them, is selected by an index; 0: none is.
  int64_t selectedFrom = 0;

  bool operator==(const TensorAccess &other) const {
    return elementBytes == other.elementBytes && stores == other.stores && strides == other.strides &&
           runs == other.runs && inside == other.inside && begin == other.begin;
  }
};

/// A tensor in memory from whose rows a kernel gathers.
struct GatheredTable {
  /// Elements of a row, and bytes of one.
  int64_t extent = 1, elementBytes = 4;
  /// Bytes side by side in memory that an index selects.
  int64_t runBytes = 4;
  /// Whether rows differ along each dimension of the domain.
  llvm::SmallVector<bool> depends;
};

/// What the choice depends on.
struct KernelShape {
  graph::Anchor anchor = graph::Anchor::Elementwise;
  /// Domain after collapsing; for a matmul [batch…, M, N, K].
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> reduced;
  /// Dimensions that tiles hold whole, whatever they are, beside a loop over a reduced one.
  llvm::SmallVector<bool> held;
  bool holdsDims() const { return llvm::is_contained(held, true); }
  /// Bytes moved along each dimension's contiguous direction: accesses for which it is the fastest dimension.
  llvm::SmallVector<int64_t> contiguousBytes;
  /// Bytes of an element of the largest of these.
  llvm::SmallVector<int64_t> contiguousElement;
  /// For each dimension, the one that goes on in memory where it ends, in most of the bytes that are
  /// contiguous along it; -1: none.
  llvm::SmallVector<int> continued;
  /// Every tensor that is read or written, once for each way in which it is.
  llvm::SmallVector<TensorAccess> accesses;
  /// Tables that could lie in shared memory, the rows of a block's tile whole.
  llvm::SmallVector<GatheredTable> tables;
  /// Widest element among the accesses, in bytes.
  int64_t elementBytes = 4;
  /// The same among those that go along reduced dimensions.
  int64_t rowBytes = 1;
  /// Bytes that one place of the domain stores in all results together.
  int64_t storedBytes = 0;
  /// Elements of a result that one place of the domain stands for: parts that are joined.
  int64_t places = 1;
  /// Stores of a tile: one of each result, and of each part of what is joined.
  int64_t stores = 1;
  /// Element type of a matmul's operands, and whether its fp32 products are tf32.
  mlir::Type operandType;
  /// Sums of 64 bits, which no warpgroup has.
  bool wideSums = false;
  bool tf32 = false;
  /// Operands are split into two tf32 numbers, and three products formed.
  bool splits = false;
  /// Elements of K after which sums go from tensor cores into fp32 registers; 0: never.
  int64_t promotion = 0;
  /// Whether rows are sorted: tiles hold whole ones, of a power of two of elements.
  bool sorts = false;
  /// Whether rows are scanned.
  bool scans = false;
  /// Whether a tile must hold whole rows, since no loop goes over parts of them; and whether that is because
  /// reductions run over different dimensions.
  bool wholeRows = false, isMixed = false;
  /// Reductions that need one another's results.
  int64_t levels = 0;
  /// Bytes of an element of what the passes over a row load, where there are several; else 0.
  int64_t keptBytes = 0;
  /// Bytes of an element of the tensors that are loaded at every place of the domain.
  int64_t loadedBytes = 0;
  /// Bytes of an element of the tensors that a product's result is combined with at each of its places.
  int64_t combinedBytes = 0;
  /// Blocks that a cluster may have.
  int64_t clusterBlocks = 1;
  /// Whether tensor maps describe both operands of a matmul (strides of whole 16 bytes).
  bool bulkOperands = false;
  /// Whether both are matrices with plain strides, so that threads can copy them where no tensor map does.
  bool plainOperands = false;
  /// Bytes that threads can copy of an operand at a time where no tensor map describes it; 0 where one does.
  int64_t lhsPiece = 0, rhsPiece = 0;
  /// Bytes that rows of the operands of a matmul begin at multiples of, as far as known.
  int64_t lhsUnit = 0, rhsUnit = 0;
  /// Whether the operands of a matmul are contiguous along K.
  bool lhsAlongK = false, rhsAlongK = false;
  /// Bytes of an element in memory of an operand that is computed from what lies there; 0: none is.
  int64_t lhsComputedFrom = 0, rhsComputedFrom = 0;
  /// Instructions that compute such an element.
  int64_t lhsInstructions = 0, rhsInstructions = 0;
  /// Different left and right operands of the kernel's matmuls, one of which all share.
  int64_t lhsTiles = 1, rhsTiles = 1;
  /// Registers that the kernel's values need.
  TilePressure pressure;
  /// Shared memory that a block may take, in bytes.
  int64_t sharedLimit = INT64_MAX;

  /// Whether the rows of products are multiplied by groups, of which the extents say the mean: a block has
  /// one tile, which begins where others do not end, and threads store it.
  bool grouped = false;

  /// Matmuls that one loop over K carries out.
  int64_t products() const { return lhsTiles * rhsTiles; }
  /// Bytes of an element of a matmul's operand as it is multiplied, and in memory.
  int64_t operandBytes() const { return std::max<int64_t>(1, operandType.getIntOrFloatBitWidth() / 8); }
  int64_t storedOperandBytes(bool ofLeft) const {
    int64_t computedFrom = ofLeft ? lhsComputedFrom : rhsComputedFrom;
    return computedFrom ? computedFrom : operandBytes();
  }
  /// Bytes from one row of a matmul's operand to the next, or what all rows begin at multiples of.
  int64_t pitchOf(bool ofLeft) const {
    if (int64_t unit = ofLeft ? lhsUnit : rhsUnit)
      return unit;
    bool alongK = ofLeft ? lhsAlongK : rhsAlongK;
    return extents[extents.size() - (alongK ? 1 : ofLeft ? 3 : 2)] * storedOperandBytes(ofLeft);
  }
};

/// Whether an operand that threads copy `piece` bytes at a time goes through registers: cp.async takes no
/// less than a word.
inline bool goesThroughRegisters(int64_t piece) { return piece > 0 && piece < 4; }

/// The operands that a warpgroup's product cannot read as they lie in memory, so that a role of warps
/// converts them: those of other than 16 bits that are not contiguous along K, those that are split, and
/// those that are computed from what lies in memory.
inline std::pair<bool, bool> convertedOperands(const KernelShape &shape) {
  bool turns = shape.operandType.getIntOrFloatBitWidth() != 16;
  return {shape.splits || shape.lhsComputedFrom || (turns && !shape.lhsAlongK),
          shape.splits || shape.rhsComputedFrom || (turns && !shape.rhsAlongK)};
}

/// The same of a schedule, as its blocks see the operands; the left one may be converted in registers.
inline std::pair<bool, bool> convertedOperands(const KernelShape &shape,
                                               const tile::ScheduleOptions &options) {
  std::pair<bool, bool> converted = convertedOperands(shape);
  if (options.swapOperands)
    std::swap(converted.first, converted.second);
  converted.first &= options.left == tile::LeftOperand::Shared;
  return converted;
}

/// A schedule whose `tile` has an entry for each domain dimension but a matmul's K, whose step is `reduce`.
tile::ScheduleAttr chooseSchedule(mlir::MLIRContext *context, const KernelShape &shape);

/// The schedule with another tile where that one is modelled to take much less time: it touches fewer sectors
/// of memory for the bytes that it moves, or has fewer empty places.
tile::ScheduleAttr fitTile(graph::KernelOp kernel, tile::ScheduleAttr schedule, const KernelShape &shape,
                           const Arch &arch);

/// A tile, the warps that hold it, and the microseconds that it is modelled to take.
struct ModelledTile {
  llvm::SmallVector<int64_t> tile;
  int64_t warps = 1;
  double microseconds = 0;
};

/// The `count` tiles of a kernel that are modelled to be the fastest, these first; none of kernels whose
/// rows fit no tile.
llvm::SmallVector<ModelledTile> fittestTiles(tile::ScheduleAttr schedule, const KernelShape &shape,
                                             const Arch &arch, size_t count);

/// Schedules of a kernel without products that may be faster than `own`, which the rules chose: that one
/// first, then the nearest ones, each with its modelled time.
llvm::SmallVector<ModelledSchedule> neighbouringSchedules(tile::ScheduleAttr own, const KernelShape &shape,
                                                          const Arch &arch);

/// A schedule of such a kernel in small tiles and without options: slow, and as unlike others as can be.
tile::ScheduleAttr plainSchedule(tile::ScheduleAttr own, const KernelShape &shape);

/// Bytes that the tiles of a kernel without products make the memory and the caches move beside those of its
/// tensors, as if they came from memory; 0 where no model says so.
int64_t bytesBeside(const KernelShape &shape, tile::ScheduleAttr schedule, const Arch &arch);

/// Microseconds of a kernel without products in tiles of `tile`, by what these touch; with `ofAnySize` large
/// and odd ones cost no more than others.
double modelTile(const KernelShape &shape, llvm::ArrayRef<int64_t> tile, int64_t warps, const Arch &arch,
                 bool ofAnySize = false);

/// The schedule whose blocks keep the rows of gathers' tables in shared memory, where that is modelled to
/// take less time than the requests of single elements; else the schedule as it is.
tile::ScheduleAttr keepTables(graph::KernelOp kernel, tile::ScheduleAttr schedule, const KernelShape &shape,
                              const Arch &arch);

/// Microseconds of a kernel that gathers from tables, kept or not.
double modelGather(const KernelShape &shape, tile::ScheduleAttr schedule, const Arch &arch);

/// Whether a kernel gathers, and all that its indices select are pieces of less than a sector.
bool selectsSingle(const KernelShape &shape);

/// The dimensions that blocks which keep tables go over: those that no table's rows differ along.
llvm::SmallVector<bool> goneOver(const KernelShape &shape);

/// The dimensions of a kernel without products, from that along which neighbouring blocks have neighbouring
/// tiles: the last one first, but where blocks that have parts of the same sectors would run at other times
/// then.
llvm::SmallVector<int64_t> blockOrder(const KernelShape &shape, llvm::ArrayRef<int64_t> tile,
                                      const Arch &arch);

/// The schedule of a reduction whose loops copy tiles ahead through shared memory, where the tiles that its
/// blocks could have in flight in registers do not keep the memory of `arch` busy; else the schedule as it
/// is.
tile::ScheduleAttr runAhead(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch);

/// The schedule of a reduction of few rows, whose blocks would hold them alone, with the blocks of a cluster
/// for each of them; else the schedule as it is.
tile::ScheduleAttr shareRows(tile::ScheduleAttr schedule, const KernelShape &shape, const Arch &arch);

/// Blocks of a cluster that share a row of `extent` elements, gone over in tiles of `tile` of `rows` rows at
/// a time, so that what its passes load stays in shared memory and a multiprocessor holds two blocks; 0 when
/// it does not fit. `least`: how many there should be, a power of two.
int64_t rowBlocks(const KernelShape &shape, int64_t extent, int64_t tile, int64_t rows, int64_t least = 1);

/// Holds the schedule of a product against its tile form and units; an error at the kernel when a later stage
/// could not carry it out.
mlir::LogicalResult checkProductSchedule(graph::KernelOp kernel, const KernelShape &shape,
                                         tile::ScheduleAttr schedule);

/// Whether products of `operandType` run on the tensor cores, and those of a kernel: of bytes those that are
/// summed in 32 bits.
bool usesTensorCores(mlir::Type operandType, bool tf32);
bool usesTensorCores(const KernelShape &shape);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H
