// Writes the thread-block program of one kernel: the domain cut into tiles, every value of the kernel
// evaluated on the block's tile by walking from results to operands.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_KERNELTILER_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_KERNELTILER_H

#include "WarpgroupSchedules.h"

#include "Tilewright/Analysis/KeptTerms.h"
#include "Tilewright/Tuner/Records.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright {

/// Indices along one dimension are 32-bit numbers, also those just past the end; addresses have 64 bits.
inline constexpr int64_t kMaxExtent = (int64_t(1) << 31) - (1 << 16);

/// Strides of a tensor map are multiples of so many bytes.
constexpr int64_t kBulkBytes = 16;
/// Bytes of the widest access of a thread.
constexpr int64_t kVectorBytes = 16;

/// Whether an operand is a matrix, or matrices, of which the first `batch` dimensions count, with plain
/// strides: one of the matrix's is 1, the others are whole `unit` bytes. Where these are 16 a tensor map can
/// describe it.
bool isPlainOperand(const layout::StridedView &view, int64_t batch, int64_t bytes, int64_t unit);

/// Rows of a kernel that are gone over from a multiple of a vector's elements on (AlignRows.cpp): where in a
/// vector each begins is the sum of `offset` and of the index along each dimension times its stride, modulo
/// `elems`.
struct AlignedRows {
  int64_t elems = 1, offset = 0;
  unsigned row = 0;
  llvm::SmallVector<int64_t> strides;

  bool operator==(const AlignedRows &other) const {
    return elems == other.elems && offset == other.offset && row == other.row && strides == other.strides;
  }
};

class KernelTiler {
public:
  /// `sharedLimit`: bytes of shared memory that a block may take; `arch`: the only chip that the kernel is
  /// for, or null; `records`: what was measured on it, or null; `inChain`: whether its program launches it
  /// behind or before a kernel that it needs or that needs it; `steady`: which of its arguments no kernel of
  /// the program writes, where that is known.
  KernelTiler(graph::KernelOp kernel, int64_t sharedLimit, const Arch *arch,
              const tuner::Records *records = nullptr, bool inChain = false, llvm::ArrayRef<bool> steady = {})
      : kernel(kernel), builder(kernel.getContext()), sharedLimit(sharedLimit), arch(arch), records(records),
        inChain(inChain), steady(steady) {}

  /// Writes a `tile.kernel` before the kernel; fails with a diagnostic.
  mlir::LogicalResult run();

  /// Schedules that the kernel can have, with the time that a model gives them. Fails with a diagnostic.
  mlir::FailureOr<KernelSchedules> listSchedules();

private:
  /// One dimension of the collapsed domain.
  struct Dim {
    int64_t extent, tile;
    bool reduced;
    /// Whether tiles have all of it beside a loop over another one (KernelIndexing::held).
    bool held = false;
    /// Start of the block's tile; the loop's index inside a loop over a reduced dimension.
    mlir::Value offset;
    /// What divides the offset; 0 when it is always zero.
    int64_t divisor;
    /// Parts that a block's tile was cut into, of which `tile` is one.
    int64_t parts = 1;
    /// Whether a block goes over all tiles along the dimension, though nothing is reduced.
    bool goneOver = false;
    /// Elements before the first one at which tiles may begin.
    int64_t ahead = 0;
    /// What tiles go over.
    int64_t length() const { return extent + ahead; }
    /// Whether one tile holds the extent.
    bool isHeld() const { return tile >= length(); }
    /// Whether the parts are tiles: the blocks of a cluster hold the extent together.
    bool isShared() const { return parts > 1 && tile * parts >= length(); }
    /// Elements that a part has, of which the last one may have fewer: whole tiles, where there are several.
    int64_t piece() const {
      int64_t even = (length() + parts - 1) / parts;
      return parts == 1 ? length() : (even + tile - 1) / tile * tile;
    }
    /// Tiles of a cluster's blocks along this dimension.
    int64_t cluster = 1;
    /// Of rows that are multiplied by groups the most tiles that there can be, each with rows of one group;
    /// 0: tiles follow one another.
    int64_t groupTiles = 0;
    /// Whether the index follows from the tile along another dimension, as a group's does from its rows.
    bool follows = false;

    /// Whether no tile reaches beyond the extent.
    bool isWhole() const { return !ahead && !groupTiles && extent % (tile * parts * cluster) == 0; }
    /// Tiles that cover the extent, or clusters of them.
    int64_t tiles() const { return follows ? 1 : groupTiles ? groupTiles : (extent + tile - 1) / tile; }
    int64_t clusters() const { return (tiles() + cluster - 1) / cluster; }
  };
  /// A scope of evaluated tiles: the block's, or a loop body's inside it.
  using Tiles = llvm::DenseMap<mlir::Operation *, mlir::Value>;

  mlir::LogicalResult analyze();
  void collapse();
  /// Where products are grouped: the dimension of their rows; how many tiles these have; and the block's own.
  size_t groupedRows() const;
  void planGroups();
  void findGroup(mlir::Value index);
  /// Whether `holds` is true of the view of a result that is no concatenation.
  bool anyResult(llvm::function_ref<bool(const layout::StridedView &view)> holds);
  /// Whether a kernel over `extents`, the dimensions of whose `views` merge into the groups `apart`, goes
  /// over all of its elements as one run of at most `most` (OneRun.cpp).
  bool isOneRun(llvm::ArrayRef<layout::StridedView> views, llvm::ArrayRef<int64_t> extents,
                llvm::ArrayRef<std::vector<int>> apart, int64_t most);
  /// Merges neighbouring `groups` of dimensions that follow one another in memory in all large tensors, of up
  /// to `most` elements together: what of small ones keeps them apart is read at digits (OneRun.cpp). Kept
  /// ones whose rows begin anywhere in a vector, and reduced ones whose rows no tile holds.
  void mergeRuns(llvm::ArrayRef<layout::StridedView> views, llvm::ArrayRef<int64_t> extents,
                 llvm::ArrayRef<bool> reduced, std::vector<std::vector<int>> &groups, int64_t most);
  void swapSides();
  /// Calls `change` with each view over the domain.
  void forEachView(llvm::function_ref<void(layout::StridedView &view)> change);
  /// Lets the domain begin, along each dimension, where most bytes are accessed in whole vectors.
  void alignOrigin();
  KernelShape describe();
  /// Bytes of an element of the tensors that have one for each place of the domain.
  int64_t loadedBytes();
  /// The schedules of a product on the only chip that it is for; none where that is not known.
  llvm::SmallVector<ModelledSchedule> modelledSchedules(bool unmeasured = false);
  /// Bytes of an operand that no kernel before writes, which a product under `schedule` fetches while these
  /// run.
  int64_t bytesAhead(tile::ScheduleAttr schedule, const KernelShape &shape);
  bool isSteadyOperand(mlir::Value operand);
  tile::ScheduleAttr chooseOwnSchedule();
  /// The schedule of a kernel that no model of products knows.
  tile::ScheduleAttr ruledSchedule(const KernelShape &shape);
  tile::ScheduleAttr launchedInChain(tile::ScheduleAttr schedule);
  tile::ScheduleAttr launchedEarly(tile::ScheduleAttr schedule);
  tile::ScheduleAttr recordedSchedule();
  /// The schedule of rows that are taken in order, null where none is; and whether `candidate` takes them so.
  tile::ScheduleAttr inOrderSchedule();
  mlir::LogicalResult checkInOrder(tile::ScheduleAttr candidate);
  /// Whether the kernel can have this schedule; a diagnostic says why not.
  mlir::LogicalResult checkSchedule(tile::ScheduleAttr candidate);
  void createKernel();
  void computeOffsets();
  void computeOrderedOffsets(mlir::Value &rest);
  std::pair<mlir::Value, mlir::Value> groupedTile(mlir::Value number, int64_t rows, int64_t columns);
  mlir::Value tileIndex(const Dim &dim, mlir::Value cluster);
  /// The dimension of the domain along which a block has the rows of the table of `gather` where it keeps
  /// them: one that only the indices depend on; none where the table does not lie in memory,
  /// or differs along what is reduced (KeepTables.cpp).
  std::optional<unsigned> tableDim(graph::GatherOp gather) const;
  llvm::SmallVector<GatheredTable> gatheredTables();
  mlir::LogicalResult checkTables(tile::ScheduleAttr candidate);
  /// Where tables are kept: which dimensions a block goes over in loops, and the tables' tiles.
  void planTables();
  void loadTables();
  mlir::Value takeFromTable(graph::GatherOp gather, mlir::Value table, mlir::Value indices,
                            llvm::ArrayRef<int64_t> shape);
  void emitStraight();
  /// Whether rows that fit no tile stay in shared memory between passes, and how many blocks share one.
  void planRows();
  /// The dimension that blocks of a cluster hold together under `candidate`; a diagnostic says why not.
  mlir::FailureOr<unsigned> sharedDim(tile::ScheduleAttr candidate);
  /// Bytes for each place of the domain that the kernel loads, each view of an argument once, where `counts`
  /// holds for the dimensions that it depends on.
  int64_t bytesOfLoads(
      llvm::function_ref<bool(llvm::ArrayRef<bool> depends, const layout::StridedView &view)> counts);
  /// Calls `take` once with each view of memory of the kernel, but for what a gather reads, with the bytes of
  /// its elements and with whether these are stored.
  void forEachRowAccess(
      llvm::function_ref<void(const layout::StridedView &view, int64_t bytes, bool stores)> take);
  /// Where rows begin in a vector, as most of the kernel's bytes lie; nothing where it does not reduce along
  /// rows of memory alone.
  std::optional<AlignedRows> alignedRows();
  /// Elements of a vector of `view` at whose multiples it is where `rows` are; 1: it is not.
  int64_t alignedElems(const AlignedRows &rows, const layout::StridedView &view, int64_t bytes) const;
  mlir::LogicalResult checkAlignedRows(tile::ScheduleAttr candidate);
  void planAlignedRows();
  /// The block's row begins at a vector.
  void offsetAlignedRow();
  /// Says of an access to `view` of elements of `type`, whose tile has `shape`, where it begins.
  void markAligned(mlir::Operation *access, const layout::StridedView &view, llvm::ArrayRef<int64_t> shape,
                   mlir::Type type);
  /// The schedule of rows that threads would access in parts of vectors; null where they do not, where these
  /// are few bytes, or where a block's tile has several rows.
  tile::ScheduleAttr alignedSchedule(const KernelShape &shape);
  /// Bytes of an element of what the passes over a row load, `ofSlices` of several dimensions; 0 when there
  /// is one pass.
  int64_t keptBytes(bool ofSlices = false);
  /// Whether the slices that run at once, of steps of `rows` elements along `row`, stay in the L2 cache from
  /// one pass to the next.
  bool findsSlicesAgain(unsigned row, int64_t rows);
  /// Bytes that a block keeps at most, where there are so many: half of a multiprocessor's or all.
  int64_t mostKeptBytes(int64_t blocks) const;
  /// Level of `op` when each reduction that needs another one's result is a pass of its own.
  int plainLevel(mlir::Operation *op);
  void emitLooped();
  void emitMatmul();
  /// A chain of products: its schedule, and its loop over the second one's terms (EvaluateChains.cpp).
  mlir::LogicalResult runChain();
  tile::ScheduleAttr chooseChainSchedule();
  mlir::LogicalResult checkChainSchedule(tile::ScheduleAttr candidate);
  void emitChain();
  /// What masks leave of the terms of a chain; and where in the loop over them it lies (KeptSteps.cpp).
  std::optional<KeptTerms> keptChainTerms();
  llvm::SmallVector<int64_t> keptStepsOfRows(const KeptTerms &terms, int64_t rows, int64_t step);
  tile::ScheduleAttr orderedChain(tile::ScheduleAttr found, const KeptTerms &terms);
  void computeChainOrder(mlir::Value &turn);
  void computeKeptRange(llvm::ArrayRef<Dim> all, size_t along);
  mlir::Value keepsWhole(mlir::Value offset, int64_t tile);
  mlir::Value evaluateKeptSelect(mlir::Operation *op, unsigned value);
  /// `value` in steps of which all terms are kept, else what `masked` makes of it.
  mlir::Value unlessWhole(mlir::Value value, llvm::function_ref<mlir::Value()> masked);
  llvm::SmallVector<mlir::Value> emitChainStep(mlir::ValueRange carried, mlir::Value lhs,
                                               llvm::ArrayRef<Dim> all, const OperandAccess &rhs,
                                               const OperandAccess &matrix,
                                               llvm::ArrayRef<graph::ReductionOpInterface> reduces);
  /// The tile of an operand whose dimensions are `order` of `all`, which may reach beyond the end of
  /// `ragged`.
  mlir::Value loadMatrix(const OperandAccess &access, llvm::ArrayRef<Dim> all, llvm::ArrayRef<size_t> order,
                         std::optional<size_t> ragged = std::nullopt);
  /// The dimensions `kept` of `all`, and the views of `whole` over them.
  void takeDims(llvm::ArrayRef<Dim> all, const KernelIndexing &whole, llvm::ArrayRef<size_t> kept);
  std::pair<mlir::Value, mlir::Value> splitTf32(mlir::Value tile);
  mlir::Value loadOperand(const OperandAccess &access, bool isLhs, bool wholeK);
  llvm::SmallVector<mlir::Value> emitStep(mlir::ValueRange sums, bool wholeK);
  llvm::SmallVector<mlir::Value> sumsOfParts(mlir::ValueRange accumulators);

  /// Which collapsed dimensions `view` depends on.
  llvm::SmallVector<bool> support(const layout::StridedView &view) const;
  llvm::SmallVector<int64_t> tileShape(llvm::ArrayRef<bool> support) const;

  mlir::Value evaluate(mlir::Value value, const layout::StridedView &view);
  mlir::Value evaluateOp(mlir::Operation *op);
  mlir::Value evaluateConcat(graph::ConcatOp op);
  mlir::Value evaluatePad(graph::PadOp op);
  mlir::Value evaluateReduce(graph::ReductionOpInterface op);
  mlir::Value evaluateIota(graph::IotaOp op);
  mlir::Value evaluateScan(graph::ScanOp op);
  mlir::Value evaluateSort(graph::SortOp op);
  /// The one reduced dimension of more than one element, along which scans and sorts go; of a kernel that
  /// mixes dimensions the one of `op`.
  std::optional<unsigned> rowDim(mlir::Operation *op = nullptr) const;
  /// Whether the reduction or scan `op` runs over dimension `d` of the collapsed domain.
  bool runsAlong(mlir::Operation *op, size_t d) const;
  /// Where what `op` reduces begins and ends along dimension `d` of the collapsed domain.
  std::pair<int64_t, int64_t> reducedPart(mlir::Operation *op, size_t d) const;
  /// Shape of a scan's or sort's tile.
  llvm::SmallVector<int64_t> rowTile(mlir::Operation *op);
  /// What a scan's loop starts from.
  llvm::SmallVector<mlir::Value> initialCarry(graph::ScanOp op);
  /// Why blocks cannot have pieces of the rows under `candidate`; empty when they can.
  std::string whyNoLookBack(tile::ScheduleAttr candidate);
  /// The schedule of a kernel with scans whose blocks are to look back; null where there are none.
  tile::ScheduleAttr lookBackSchedule();
  /// Lines of pieces of scanned rows, one for each tile of the kept dimensions.
  int64_t lines() const;
  /// Takes the block's ticket, which says what piece of what line it has: leaves the line's number in `rest`.
  void takePiece(mlir::Value &rest);
  /// The state of `op` before the block's piece, whose own total is `total`.
  llvm::SmallVector<mlir::Value> lookBack(graph::ScanOp op, mlir::ValueRange total, mlir::Location loc);
  /// A parameter of the kernel: `count` 64-bit words of the workspace, from byte `offset` on.
  mlir::Value addWords(int64_t offset, int64_t count);
  /// Why a kernel with scans or sorts cannot run in a loop over its rows; empty when it can.
  llvm::StringRef whyNoRowLoop() const;
  /// The value of a strided view as a tile of integers of `element` type.
  mlir::Value coordinates(const layout::StridedView &view, mlir::Type element, mlir::Location loc);
  mlir::Value loadTile(mlir::Value argument, const layout::StridedView &view, mlir::TypedAttr fill,
                       mlir::Location loc);
  void storeOutput(unsigned index);
  /// Stores `output`, whose elements are `view`, at `place` of result `index`.
  void store(unsigned index, mlir::Value output, const layout::StridedView &view,
             const layout::StridedView &place, mlir::Location loc);
  mlir::Value broadcast(mlir::Value tile, llvm::ArrayRef<int64_t> shape, mlir::Location loc);
  mlir::Value constant(mlir::TypedAttr scalar, llvm::ArrayRef<int64_t> shape, mlir::Location loc);
  /// `tile` with `identity` where a dimension that `op` runs over has no element.
  mlir::Value maskReduced(mlir::Operation *op, mlir::Value tile, mlir::TypedAttr identity,
                          mlir::Location loc);
  /// The states of `op` for the current tile, before tile.reduce.
  llvm::SmallVector<mlir::Value> partialStates(graph::ReductionOpInterface op);
  /// The same of elements relative to `reference`, a tile of the states that another reduction has reached.
  llvm::SmallVector<mlir::Value> partialStates(graph::ReductionOpInterface op,
                                               const RelativeElements &elements, mlir::Value reference);
  /// What `op` is relative to, when the two run in one loop.
  std::optional<RelativeElements> besideReference(mlir::Operation *op);
  mlir::Value finishReduce(graph::ReductionOpInterface op, mlir::ValueRange states, bool acrossBlocks = true);
  /// The states of `op` over all of the tile.
  llvm::SmallVector<mlir::Value> reducedStates(graph::ReductionOpInterface op, mlir::ValueRange partial,
                                               bool acrossBlocks);
  /// The reduction that `op`, the only one of its level, is relative to, when that one is the only one of the
  /// level before: both are then reduced over the block first, and over the cluster together.
  std::optional<RelativeElements> sharedExchange(mlir::Operation *op);
  /// Exchanges the block's results of both over the cluster.
  void exchangeTogether(graph::ReductionOpInterface op, const RelativeElements &relative, mlir::Value sum);
  /// The state of `op` relative to `to` instead of `from`, its factor as exact as the elements that it sums.
  /// With `base2` the references are those of powers of two.
  llvm::SmallVector<mlir::Value> rescaled(graph::ReductionOpInterface op, const RelativeElements &relative,
                                          mlir::ValueRange state, mlir::Value from, mlir::Value to,
                                          bool base2 = false);
  /// How a step of a chain computes what is relative to `reference`.
  struct ChainTerms {
    /// The elements, times `factor`, are what the reference is the maximum of.
    OperandAccess elements;
    double factor = 1;
    /// Exponentials are powers of two, of one multiplication and addition each.
    bool base2 = false;
    /// What computes them.
    llvm::SmallVector<mlir::Operation *> functions;
  };
  std::optional<size_t> sumBeside(graph::ReductionOpInterface reference,
                                  llvm::ArrayRef<graph::ReductionOpInterface> reduces);
  ChainTerms chainTerms(graph::ReductionOpInterface reference);
  /// Starts and bounds of an access whose tile has `shape`.
  struct Bounds {
    llvm::SmallVector<mlir::Value> indices;
    llvm::SmallVector<int64_t> divisors;
    llvm::SmallVector<bool> inBounds;
  };
  Bounds bounds(const layout::StridedView &view, llvm::ArrayRef<int64_t> shape);
  mlir::Value viewOf(mlir::Value argument, const layout::StridedView &view, mlir::Location loc);
  bool isRowLevel(mlir::Operation *op) const;
  int levelOf(mlir::Operation *op);
  /// Loops over the reduced dimensions that do not fit a tile, with `fromEnd` from the last tile to the
  /// first.
  void emitLoops(unsigned dim, mlir::ValueRange carried,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body,
                 llvm::SmallVector<mlir::Value> &results, bool fromEnd = false);

  graph::KernelOp kernel;
  mlir::OpBuilder builder;
  int64_t sharedLimit;
  const Arch *arch;
  const tuner::Records *records;
  bool inChain;
  llvm::SmallVector<bool> steady;
  TilePressure pressure;
  llvm::SmallVector<mlir::Operation *> ops;
  MaterializedOps materialized;
  KernelIndexing indexing;
  /// Places of the domain ahead of the first one that anybody has, along each collapsed dimension.
  llvm::SmallVector<int64_t> origin;
  /// Groups of analysed dimensions that are one collapsed dimension. For a matmul K is the last one.
  std::vector<std::vector<int>> groups;
  llvm::SmallVector<Dim> dims;
  /// The part of K, or of the rows, that the block has, where a cluster has several.
  mlir::Value partOfK;
  /// Where products are grouped: the end of the rows of the block's tile, and whether they are of some group.
  mlir::Value groupEnd, isGrouped;
  /// The block's row and column in its cluster, where the schedule has clusters of tiles.
  mlir::Value rowInCluster, columnInCluster;
  /// Where rows begin, where tiles begin at vectors before them.
  std::optional<AlignedRows> aligned;
  /// Rows that take several passes stay in shared memory.
  bool keepsRows = false;
  /// Blocks of a cluster that share a row.
  int64_t rowBlocks = 1;
  /// Where blocks look back: the mark of the launch's words, the block's line and piece, and where the words
  /// of the next scan begin.
  mlir::Value wordMark, line, piece;
  int64_t nextWords = tile::KernelOp::kWordsOffset;
  tile::ScheduleAttr schedule;
  /// Where the schedule comes from: `program`, `record`, `model` or `rule`; and what the model says of it,
  /// microseconds, or 0.
  llvm::StringRef chosenBy = "rule";
  double modelled = 0;
  /// Places along a chain's terms, each pair from the first one to that behind the last one: of which some
  /// are kept, and of which all are. Null where the first place is the first of all.
  struct KeptRange {
    mlir::Value first, end, wholeFirst, wholeEnd;
  };
  /// Where steps are skipped: what of the terms is kept, where, and whether all of the running step's are.
  std::optional<KeptTerms> kept;
  std::optional<KeptRange> keptRange;
  mlir::Value wholeStep;
  tile::KernelOp tileKernel;
  mlir::IRMapping arguments;
  Tiles tiles;
  /// The rows of the table of each gather that a block keeps.
  Tiles tables;
  llvm::DenseMap<mlir::Operation *, int> levels, plainLevels;
  /// In a loop over rows: the state of each scan after the tiles so far.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Value>> carries;
};

/// What the product's sums are formed in: fp32 or fp64; of integers in 32 bits, or in 64 where the result has
/// them and they may be needed.
mlir::Type sumsOf(graph::MatmulOp matmul);
/// Whether the operands are fp32, of which two tf32 numbers each are multiplied.
bool splitsOperands(graph::MatmulOp matmul);
/// Elements of K after which the product's sums go into fp32 registers; 0: the tensor cores carry them on.
int64_t promotionOf(graph::MatmulOp matmul);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_KERNELTILER_H
