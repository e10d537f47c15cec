// Rows that fit no tile and are gone over several times: how many blocks share one, so that what the first
// pass loads stays in shared memory for the others.

#include "KernelTiler.h"

#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

/// Shared memory that is left to reductions.
static constexpr int64_t kScratchBytes = 4096;
/// Threads of a multiprocessor that go through slices at once, about, and blocks that share a slice at most.
/// (H200: six programs whose slices do not stay in the L2 cache 0.78 to 0.98 of the time with them kept;
/// three whose do 1.16 to 1.85, one of sixteen blocks to a slice 1.10.)
static constexpr int64_t kThreadsAtOnce = 512, kMostSliceBlocks = 8;

int64_t tilewright::rowBlocks(const KernelShape &shape, int64_t extent, int64_t tile, int64_t rows,
                              int64_t least) {
  // Of two blocks of a multiprocessor one loads while the other computes or stores.
  int64_t most = shape.sharedLimit / 2 - kScratchBytes;
  for (int64_t blocks = least; shape.keptBytes && blocks <= shape.clusterBlocks; blocks *= 2) {
    // Blocks have as many tiles each, but for the last one, which has what is left.
    auto piece = (int64_t)llvm::alignTo(llvm::divideCeil(extent, blocks), tile);
    if (blocks > 1 && (piece == tile || (blocks - 1) * piece >= extent))
      return 0;
    if (piece * rows * shape.keptBytes <= most)
      return blocks;
  }
  return 0;
}

int KernelTiler::plainLevel(Operation *op) {
  if (!op || !indexing.contains(op))
    return 0;
  if (auto it = plainLevels.find(op); it != plainLevels.end())
    return it->second;
  int level = indexing.rowReduction(op) ? 1 : 0, below = 0;
  for (const OperandAccess &access : indexing.accesses.find(op)->second)
    below = std::max(below, plainLevel(access.root.getDefiningOp()));
  return plainLevels[op] = level + below;
}

int64_t KernelTiler::keptBytes(bool ofSlices) {
  std::optional<unsigned> row = rowDim();
  bool several = llvm::count_if(dims, [](const Dim &dim) { return dim.reduced && dim.extent != 1; }) > 1;
  if (!row || several != ofSlices || (indexing.isMixed && !indexing.isLooped()) ||
      indexing.anchor != graph::Anchor::Reduction)
    return 0;
  int passes = 0;
  bool isStored = false;
  for (Operation *op : ops) {
    if (isa<graph::ScanOp, graph::SortOp>(op) && !indexing.isWithinSteps(op))
      return 0;
    passes = std::max(passes, plainLevel(op));
  }
  // What needs no result of the last pass is stored in one before.
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    isStored |= !isRowLevel(output.getDefiningOp()) && plainLevel(output.getDefiningOp()) == passes;
  if (passes + (isStored ? 1 : 0) < 2)
    return 0;
  bool oneRow = llvm::all_of(dims, [](const Dim &dim) { return dim.reduced || dim.extent == 1; });
  size_t last = dims.size() - 1;
  while (last > 0 && dims[last].extent == 1)
    --last;
  return bytesOfLoads([&](ArrayRef<bool> depends, const layout::StridedView &view) {
    // What all rows share stays in the caches, and so does what columns side by side share (keepsRows).
    bool isOwn = oneRow || llvm::any_of(llvm::seq<size_t>(0, dims.size()), [&](size_t d) {
                   return !dims[d].reduced && dims[d].extent != 1 && depends[d];
                 });
    return depends[*row] && isOwn && (dims[last].reduced || depends[last]) &&
           view.dim((int)last).repeats() < kSharedRun;
  });
}

FailureOr<unsigned> KernelTiler::sharedDim(tile::ScheduleAttr candidate) {
  int64_t blocks = candidate.getOptions().splitK;
  auto refuse = [&](const Twine &why) {
    return kernel.emitError() << "the schedule has split_k = " << blocks << ": " << why;
  };
  if (indexing.anchor != graph::Anchor::Reduction)
    return refuse("blocks share what a product or a reduction runs over, and the kernel has neither");
  // Scans and sorts go over a row in order.
  if (indexing.isMixed || llvm::any_of(ops, llvm::IsaPred<graph::ScanOp, graph::SortOp>))
    return refuse("scans, sorts and reductions over different dimensions need whole rows in a block");
  std::optional<unsigned> cut;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (!dim.reduced || candidate.getTile()[d] >= dim.extent)
      continue;
    if (cut)
      return refuse("blocks share one dimension, the tile is smaller than the row along two");
    cut = (unsigned)d;
  }
  int64_t ahead = cut && candidate.getOptions().alignRows ? alignedRows()->elems - 1 : 0;
  if (!cut || candidate.getTile()[*cut] * blocks < dims[*cut].extent + ahead)
    return refuse(cut ? "a row of " + Twine(dims[*cut].extent) +
                            " elements is longer than as many tiles of " + Twine(candidate.getTile()[*cut])
                      : Twine("the tile holds whole rows"));
  return *cut;
}

bool KernelTiler::findsSlicesAgain(unsigned row, int64_t rows) {
  int64_t slice = dims[row].length() * rows * keptBytes(/*ofSlices=*/true), slices = 1;
  for (const Dim &dim : dims)
    slices *= dim.reduced ? 1 : dim.tiles();
  if (!arch)
    return false;
  // Of few slices clusters go through each in less time.
  int64_t atOnce = std::max<int64_t>(1, kThreadsAtOnce / (32 * schedule.getWarps())) * arch->numSMs;
  return 2 * slices > (int64_t)arch->numSMs &&
         (double)(slice * std::min(slices, atOnce)) <= arch->l2Bytes / 2;
}

void KernelTiler::planRows() {
  if (schedule.getOptions().splitK > 1) {
    dims[*sharedDim(schedule)].parts = schedule.getOptions().splitK;
    return;
  }
  std::optional<unsigned> row = rowDim();
  if (!row || indexing.anchor != graph::Anchor::Reduction || dims[*row].isHeld())
    return;
  int64_t rows = 1;
  bool isSlice = false;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    if (d == *row)
      continue;
    rows *= dim.tile;
    if (!dim.reduced || dim.extent == 1)
      continue;
    // A loop goes along one dimension: a step of it has all of the others.
    if (dim.tile < dim.extent)
      return;
    isSlice = true;
  }
  KernelShape shape = describe();
  if (isSlice)
    shape.keptBytes = findsSlicesAgain(*row, rows) ? 0 : keptBytes(/*ofSlices=*/true);
  int64_t blocks = tilewright::rowBlocks(shape, dims[*row].length(), dims[*row].tile, rows);
  if (isSlice && blocks > kMostSliceBlocks)
    blocks = 0;
  // Persistent blocks are whole clusters.
  int64_t persistent = schedule.getOptions().persistent;
  if (persistent && blocks > persistent)
    return;
  keepsRows = blocks > 0;
  // Few rows: as many blocks of each as there are multiprocessors for.
  int64_t groups = 1;
  for (const Dim &dim : dims)
    groups *= dim.reduced ? 1 : dim.tiles();
  int64_t most = arch ? (int64_t)arch->numSMs : 0;
  if (persistent)
    most = std::min(most, persistent);
  while (blocks > 0 && 2 * groups * blocks <= most) {
    int64_t more = tilewright::rowBlocks(shape, dims[*row].length(), dims[*row].tile, rows, 2 * blocks);
    if (more == 0)
      break;
    blocks = more;
  }
  if (blocks > 1)
    dims[*row].parts = rowBlocks = blocks;
}

int64_t KernelTiler::mostKeptBytes(int64_t blocks) const {
  bool haveOneEach = arch && blocks <= (int64_t)arch->numSMs;
  return sharedLimit / (haveOneEach ? 1 : 2) - kScratchBytes;
}
