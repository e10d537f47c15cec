// Gathers whose tables lie in shared memory. An element that a gather selects alone is a request of its own
// to the L1 cache, which serves one line a cycle, and a sector from L2. Where a block's rows of the table fit
// shared memory, they are copied there whole, with wide accesses; the block then goes over all indices into
// these rows.

#include "KernelTiler.h"

#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// Cycles of a warp that reads 32 words of shared memory at random: as many as fall into the fullest of the
/// banks. And the instructions of a take beside the kernel's own.
static constexpr double kRandomCycles = 3.5;
static constexpr int64_t kTakeInstructions = 8;
/// Bytes that shared memory takes a cycle.
static constexpr double kBankBytes = 128;
/// Shared memory of a block's tables: of as many as leave room for others, of one row, and what is left to
/// other uses.
static constexpr int64_t kManyBytes = 48 * 1024, kOtherBytes = 20 * 1024;
/// Elements of a block where it may have several rows, and those rows at most. Indices come from L2 for each
/// block: one row alone would bring twice as many bytes of them as of its own.
static constexpr int64_t kBlockElems = 6144, kMostRows = 16;
/// Elements of a thread; warps of a block at most, and where a multiprocessor has two such blocks at most.
/// (On an H200: rows of 2671 indices whole 72 us, in pieces of 1024 76, of 512 90.)
static constexpr int64_t kOfThread = 12, kMostWarps = 16, kMostOfFew = 32;
/// The share of the time of the gather through the caches for which tables are kept; what a block costs that
/// is alone on its multiprocessor, where nothing else runs while it copies.
static constexpr double kWorthKeeping = 0.9, kAlone = 1.4;
/// Microseconds that copying first and waiting for it must save.
static constexpr double kLeastSaved = 1;
/// Bytes of the largest element side by side with others that a table is kept for: a sector of memory.
static constexpr int64_t kWholeSector = 32;

/// Elements of a row in its tile: whole vectors of all threads, or the power of two that holds a short one.
static int64_t rowElements(int64_t extent, int64_t rows, int64_t warps, int64_t bytes) {
  int64_t vector = std::max<int64_t>(1, 16 / bytes);
  int64_t unit = std::max<int64_t>(32 * warps * vector / std::max<int64_t>(rows & -rows, 1), vector);
  return std::min((int64_t)llvm::alignTo(extent, unit), (int64_t)llvm::PowerOf2Ceil((uint64_t)extent));
}

/// Rows of a table in a tile.
static int64_t rowsIn(const GatheredTable &table, ArrayRef<int64_t> tile) {
  int64_t rows = 1;
  for (auto [depends, size] : llvm::zip_equal(table.depends, tile))
    rows *= depends ? size : 1;
  return rows;
}

static int64_t tableBytes(const GatheredTable &table, ArrayRef<int64_t> tile, int64_t warps) {
  int64_t rows = rowsIn(table, tile);
  return rows * rowElements(table.extent, rows, warps, table.elementBytes) * table.elementBytes;
}

static int64_t allTableBytes(const KernelShape &shape, ArrayRef<int64_t> tile, int64_t warps) {
  int64_t bytes = 0;
  for (const GatheredTable &table : shape.tables)
    bytes += tableBytes(table, tile, warps);
  return bytes;
}

bool tilewright::selectsSingle(const KernelShape &shape) {
  return !shape.tables.empty() &&
         llvm::all_of(shape.tables, [](const GatheredTable &t) { return t.runBytes < kWholeSector; });
}

SmallVector<bool> tilewright::goneOver(const KernelShape &shape) {
  SmallVector<bool> over;
  for (size_t d = 0; d < shape.extents.size(); ++d)
    over.push_back(shape.anchor == graph::Anchor::Gather && !shape.tables.empty() &&
                   llvm::none_of(shape.tables, [&](const GatheredTable &t) { return t.depends[d]; }));
  return over;
}

namespace {

/// The tile of a kernel that keeps tables, while it is chosen.
struct TableChoice {
  const KernelShape &shape;
  const Arch &arch;
  SmallVector<bool> over = goneOver(shape);
  size_t rank = shape.extents.size();
  SmallVector<int64_t> tile = SmallVector<int64_t>(rank, 1);
  int64_t warps = 1;

  int64_t blocks() const {
    int64_t count = 1;
    for (size_t d = 0; d < rank; ++d)
      count *= over[d] ? 1 : (int64_t)llvm::divideCeil(shape.extents[d], tile[d]);
    return count;
  }
  bool choose();
  bool take(tile::ScheduleAttr schedule);
  double time() const;
};

} // namespace

/// Short runs behind the indices whole, rows along the dimension before, and all indices into them where
/// threads can hold as many elements.
bool TableChoice::choose() {
  int64_t along = -1, row = -1, places = 1, behind = 1;
  for (int64_t d = (int64_t)rank - 1; d >= 0; --d) {
    int64_t extent = shape.extents[d];
    if (over[d]) {
      places *= extent;
      along =
          extent > 1 && (along < 0 || shape.contiguousBytes[d] > shape.contiguousBytes[along]) ? d : along;
    } else if (along < 0) {
      behind *= tile[d] = (int64_t)llvm::PowerOf2Ceil((uint64_t)extent);
    } else if (row < 0 && extent > 1) {
      row = d;
    }
  }
  if (along < 0)
    return false;
  int64_t mostWarps = kMostWarps;
  auto bytes = [&] { return allTableBytes(shape, tile, mostWarps); };
  if (3 * (bytes() + (int64_t)arch.sharedReservedBytes) > (int64_t)arch.sharedBytesPerSM)
    mostWarps = kMostOfFew;
  while (row >= 0 && tile[row] < kMostRows) {
    int64_t before = tile[row], extent = shape.extents[row];
    tile[row] *= 2;
    bool isPadded = (int64_t)llvm::alignTo(extent, tile[row]) - extent > extent / 8;
    if (bytes() > kManyBytes || tile[row] * behind * places > kBlockElems || isPadded ||
        blocks() < 4 * (int64_t)arch.numSMs) {
      tile[row] = before;
      break;
    }
  }
  int64_t rows = behind * (row >= 0 ? tile[row] : 1), extent = shape.extents[along];
  auto fits = [&](int64_t perThread) {
    return shape.pressure.registers(perThread) <= kElementwiseRegisters &&
           shape.pressure.fits(perThread * 32 * warps, warps) &&
           shape.pressure.instructions * perThread <= kElementwiseInstructions;
  };
  // The power of two in a size is for all threads: what is odd repeats in each thread's registers.
  auto whole = [&](int64_t size) {
    int64_t unit = std::max<int64_t>(32 * warps / rows, 1);
    return std::min((int64_t)llvm::alignTo(size, unit), (int64_t)llvm::PowerOf2Ceil((uint64_t)size));
  };
  for (warps = 1; warps < mostWarps && whole(extent) * rows > kOfThread * 32 * warps;)
    warps *= 2;
  int64_t perThread = kOfThread;
  while (perThread > 1 && !fits(perThread))
    --perThread;
  // As few equal pieces as threads can hold: each waits for its indices.
  int64_t pieces = (int64_t)llvm::divideCeil(whole(extent) * rows, perThread * 32 * warps);
  tile[along] = whole((int64_t)llvm::divideCeil(extent, pieces));
  // Results may go through shared memory to where they are stored; in a loop the table is there meanwhile.
  int64_t stored = pieces > 1 ? tile[along] * rows * shape.storedBytes : 0;
  return bytes() + stored + kOtherBytes <= shape.sharedLimit && blocks() >= (int64_t)arch.numSMs;
}

/// The tile of a reduction as it is, where the tables fit beside it and another block on the multiprocessor.
bool TableChoice::take(tile::ScheduleAttr schedule) {
  const tile::ScheduleOptions &options = schedule.getOptions();
  tile = llvm::to_vector(schedule.getTile());
  warps = (int64_t)schedule.getWarps();
  int64_t ofBlock = allTableBytes(shape, tile, warps) + kOtherBytes;
  return !shape.scans && !shape.sorts && !shape.isMixed && !options.lookBack && !options.persistent &&
         options.splitK == 1 && schedule.getStages() == 1 && 2 * ofBlock <= (int64_t)arch.sharedBytesPerSM;
}

/// What the tile takes without the tables, and what these add: their bytes from memory, a store to shared
/// memory and the reads at random.
double TableChoice::time() const {
  KernelShape others = shape;
  llvm::erase_if(others.accesses, [](const TensorAccess &access) { return access.selectedFrom > 0; });
  others.pressure.instructions += kTakeInstructions * (int64_t)shape.tables.size();
  double elems = 1, bytes = 0;
  for (int64_t extent : shape.extents)
    elems *= (double)extent;
  for (const GatheredTable &table : shape.tables) {
    double rows = (double)(table.extent * table.elementBytes), blocks = 1;
    for (size_t d = 0; d < rank; ++d) {
      rows *= table.depends[d] ? (double)shape.extents[d] : 1;
      if (!table.depends[d] && !over[d] && !shape.reduced[d])
        blocks *= (double)llvm::divideCeil(shape.extents[d], tile[d]);
    }
    // Other blocks with the same rows find them in L2.
    bytes += rows * (1 + (blocks - 1) * arch.hbmGBps / arch.l2GBps);
  }
  double cycles = (double)arch.numSMs * arch.clockGHz * 1e3; // of all multiprocessors in a microsecond
  double shared = (elems * (double)shape.tables.size() / 32 * kRandomCycles + bytes / kBankBytes) / cycles;
  int64_t ofBlock = allTableBytes(shape, tile, warps) + (int64_t)arch.sharedReservedBytes;
  bool isAlone = 2 * ofBlock > (int64_t)arch.sharedBytesPerSM;
  // While one block waits others copy: large tiles cost nothing besides.
  double memory = modelTile(others, tile, warps, arch, /*ofAnySize=*/true) + bytes / (arch.hbmGBps * 1e3);
  return besideLookups(memory, shared) * (isAlone ? kAlone : 1);
}

double tilewright::modelGather(const KernelShape &shape, tile::ScheduleAttr schedule, const Arch &arch) {
  ArrayRef<int64_t> tile = schedule.getTile();
  if (!schedule.getOptions().keepTables)
    return modelTile(shape, tile, schedule.getWarps(), arch);
  TableChoice choice{shape, arch};
  choice.tile = llvm::to_vector(tile);
  choice.warps = (int64_t)schedule.getWarps();
  return choice.time();
}

tile::ScheduleAttr tilewright::keepTables(graph::KernelOp kernel, tile::ScheduleAttr schedule,
                                          const KernelShape &shape, const Arch &arch) {
  TableChoice choice{shape, arch};
  if (!selectsSingle(shape) || !arch.cpAsync ||
      !(shape.anchor == graph::Anchor::Reduction ? choice.take(schedule) : choice.choose()))
    return schedule;
  double through = modelGather(shape, schedule, arch), kept = choice.time();
  if (kept > kWorthKeeping * through || through - kept < kLeastSaved)
    return schedule;
  tile::ScheduleOptions options = schedule.getOptions();
  options.keepTables = true;
  auto text =
      llvm::join(llvm::map_range(choice.tile, [](int64_t size) { return std::to_string(size); }), "x");
  emitRemark(kernel, Remark::TablesKept, allTableBytes(shape, choice.tile, choice.warps), text, kept,
             through);
  return tile::ScheduleAttr::get(schedule.getContext(), choice.tile, schedule.getReduce(), choice.warps,
                                 {1, choice.warps}, schedule.getStages(), options);
}

//===-- In the kernel ----------------------------------------------------------------------------------===//

std::optional<unsigned> KernelTiler::tableDim(graph::GatherOp gather) const {
  ArrayRef<OperandAccess> accesses = indexing.accesses.find(gather)->second;
  if (indexing.anchor == graph::Anchor::Matmul || !isa<BlockArgument>(accesses[1].root))
    return std::nullopt;
  SmallVector<bool> ofIndices = support(accesses[0].view), ofTable = support(accesses[1].view);
  std::optional<unsigned> last;
  for (unsigned d = 0; d < dims.size(); ++d) {
    // A loop over what is reduced would need other rows in each iteration.
    if (ofTable[d] && dims[d].reduced && dims[d].extent > 1)
      return std::nullopt;
    if (ofIndices[d] && !ofTable[d])
      last = d;
  }
  return last;
}

/// Elements from one index of a gather to the next.
static int64_t strideOf(graph::GatherOp gather) {
  int64_t stride = 1;
  for (int64_t size :
       cast<RankedTensorType>(gather.getInput().getType()).getShape().drop_front(gather.getDim() + 1))
    stride *= size;
  return stride;
}

static int64_t extentOf(graph::GatherOp gather) {
  return cast<RankedTensorType>(gather.getInput().getType()).getDimSize((int64_t)gather.getDim());
}

SmallVector<GatheredTable> KernelTiler::gatheredTables() {
  SmallVector<GatheredTable> found;
  SmallVector<std::pair<Value, StridedView>> seen;
  for (Operation *op : ops) {
    auto gather = dyn_cast<graph::GatherOp>(op);
    if (!gather || !tableDim(gather))
      continue;
    const OperandAccess &access = indexing.accesses.find(op)->second[1];
    if (llvm::is_contained(seen, std::pair(access.root, access.view)))
      continue;
    seen.push_back({access.root, access.view});
    GatheredTable table;
    table.depends = support(access.view);
    table.extent = extentOf(gather);
    table.elementBytes =
        std::max<int64_t>(tile::storageBits(getElementTypeOrSelf(access.root.getType())) / 8, 1);
    table.runBytes = std::min(strideOf(gather), access.view.numElements()) * table.elementBytes;
    found.push_back(table);
  }
  return found;
}

LogicalResult KernelTiler::checkTables(tile::ScheduleAttr candidate) {
  KernelShape shape = describe();
  if (shape.tables.empty())
    return kernel.emitError() << "the schedule has keep_tables, and the kernel gathers from no table in "
                                 "memory whose rows no loop "
                                 "goes over";
  int64_t bytes = allTableBytes(shape, candidate.getTile(), candidate.getWarps()) + kOtherBytes;
  if (bytes > sharedLimit)
    return kernel.emitError() << "the schedule has keep_tables: the rows of its tile need " << bytes
                              << " bytes of shared memory, a block can have " << sharedLimit;
  return success();
}

void KernelTiler::planTables() {
  if (!schedule.getOptions().keepTables)
    return;
  for (auto [dim, over] : llvm::zip_equal(dims, goneOver(describe())))
    dim.goneOver = over;
}

void KernelTiler::loadTables() {
  if (!schedule.getOptions().keepTables)
    return;
  SmallVector<std::pair<OperandAccess, Value>> loaded;
  for (Operation *op : ops) {
    auto gather = dyn_cast<graph::GatherOp>(op);
    std::optional<unsigned> slot = gather ? tableDim(gather) : std::nullopt;
    if (!slot)
      continue;
    const OperandAccess &access = indexing.accesses.find(op)->second[1];
    auto *same = llvm::find_if(loaded, [&](const auto &entry) {
      return entry.first.root == access.root && entry.first.view == access.view;
    });
    if (same != loaded.end()) {
      tables[op] = same->second;
      continue;
    }
    // The row lies where the indices would be along.
    SmallVector<int64_t> shape = tileShape(support(access.view));
    int64_t rows = 1;
    for (int64_t size : shape)
      rows *= size;
    Type element = getElementTypeOrSelf(access.root.getType());
    int64_t extent = extentOf(gather), bytes = std::max<int64_t>(tile::storageBits(element) / 8, 1);
    Bounds b = bounds(access.view, shape);
    shape[*slot] = rowElements(extent, rows, schedule.getWarps(), bytes);
    b.inBounds[*slot] = shape[*slot] == extent;
    std::vector<layout::ViewDim> viewDims = access.view.dims();
    viewDims[*slot] = layout::ViewDim();
    viewDims[*slot].extent = extent;
    viewDims[*slot].modes = {{extent, strideOf(gather)}};
    Value table =
        tile::LoadOp::create(builder, op->getLoc(), RankedTensorType::get(shape, element),
                             viewOf(access.root, StridedView(viewDims, access.view.offset()), op->getLoc()),
                             b.indices, b.divisors, b.inBounds, TypedAttr());
    loaded.push_back({access, table});
    tables[op] = table;
  }
}

Value KernelTiler::takeFromTable(graph::GatherOp gather, Value table, Value indices,
                                 ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(gather.getType()));
  return tile::TakeOp::create(builder, gather.getLoc(), type, table, indices, *tableDim(gather),
                              extentOf(gather));
}
