// Rows that begin anywhere in 16 bytes, as those of 50257 halves: a block goes over each from the last
// multiple of 16 bytes before it, so that threads load and store whole vectors. The tiles of all tensors
// whose rows begin at the same place in a vector do; elements that are not the row's are masked where they
// are reduced, and never stored.

#include "KernelTiler.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

/// The stride of a dimension that has one, or none because of its one element; nothing where it is cut.
static std::optional<int64_t> plainStride(const StridedView &view, unsigned d) {
  const layout::ViewDim &dim = view.dim((int)d);
  if (dim.extent == 1 || dim.modes.empty())
    return dim.extent == 1 ? std::optional<int64_t>(0) : std::nullopt;
  if (!dim.isIdentity() || dim.modes.size() != 1 || dim.modes.front().stride < 0)
    return std::nullopt;
  return dim.modes.front().stride;
}

/// Where the rows of `view` along `row` begin in a vector of `elems` elements: a stride for each dimension
/// and an offset, modulo `elems`; nothing where they are no runs of memory.
static std::optional<AlignedRows> rowsOf(const StridedView &view, unsigned row, int64_t elems) {
  AlignedRows rows;
  rows.elems = elems;
  rows.row = row;
  rows.offset = view.offset() % elems;
  for (unsigned d = 0; d < (unsigned)view.rank(); ++d) {
    std::optional<int64_t> stride = plainStride(view, d);
    if (!stride || (d == row && *stride != 1))
      return std::nullopt;
    rows.strides.push_back(d == row ? 1 : *stride % elems);
  }
  return view.offset() < 0 ? std::nullopt : std::optional(rows);
}

void KernelTiler::forEachRowAccess(
    function_ref<void(const StridedView &view, int64_t bytes, bool stores)> take) {
  SmallVector<std::pair<Value, StridedView>> seen;
  for (Operation *op : ops)
    for (const OperandAccess &access : indexing.accesses.find(op)->second) {
      std::pair<Value, StridedView> read(access.root, access.view);
      if (!isa<BlockArgument>(access.root) || isa<graph::GatherOp>(op) || llvm::is_contained(seen, read))
        continue;
      seen.push_back(read);
      take(access.view, tile::storageBits(getElementTypeOrSelf(access.root.getType())) / 8, /*stores=*/false);
    }
  for (Value output : kernel.getBody().front().getTerminator()->getOperands()) {
    Operation *op = output.getDefiningOp();
    if (!indexing.views.contains(op))
      continue;
    int64_t bytes = tile::storageBits(getElementTypeOrSelf(output.getType())) / 8;
    if (auto *places = indexing.joins.find(op); places != indexing.joins.end())
      for (const StridedView &place : places->second)
        take(place, bytes, /*stores=*/true);
    else
      take(indexing.views.find(op)->second, bytes, /*stores=*/true);
  }
}

std::optional<AlignedRows> KernelTiler::alignedRows() {
  std::optional<unsigned> row = rowDim();
  bool several = llvm::count_if(dims, [](const Dim &dim) { return dim.reduced && dim.extent != 1; }) > 1;
  if (!row || several || indexing.isMixed || indexing.anchor != graph::Anchor::Reduction ||
      dims[*row].extent < kVectorBytes ||
      llvm::any_of(ops, llvm::IsaPred<graph::ScanOp, graph::SortOp, graph::GatherOp>))
    return std::nullopt;
  // The narrowest elements say how many a vector has; of the places in it where rows begin, that of most
  // bytes.
  int64_t narrowest = kVectorBytes;
  forEachRowAccess([&](const StridedView &view, int64_t bytes, bool) {
    if (rowsOf(view, *row, 1))
      narrowest = std::min(narrowest, bytes);
  });
  int64_t elems = kVectorBytes / narrowest;
  if (elems < 2)
    return std::nullopt;
  SmallVector<std::pair<AlignedRows, int64_t>> found;
  forEachRowAccess([&](const StridedView &view, int64_t bytes, bool) {
    std::optional<AlignedRows> rows = rowsOf(view, *row, elems);
    if (!rows)
      return;
    for (auto [d, dim] : llvm::enumerate(dims))
      bytes *= support(view)[d] ? dim.extent : 1;
    auto *same = llvm::find_if(found, [&](const auto &other) { return other.first == *rows; });
    if (same == found.end())
      found.push_back({*rows, bytes});
    else
      same->second += bytes;
  });
  auto *most = llvm::max_element(found, [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == found.end() ? std::nullopt : std::optional(most->first);
}

int64_t KernelTiler::alignedElems(const AlignedRows &rows, const StridedView &view, int64_t bytes) const {
  int64_t elems = kVectorBytes / bytes;
  std::optional<AlignedRows> own = rowsOf(view, rows.row, std::max<int64_t>(elems, 1));
  if (!own || elems < 2 || elems > rows.elems || (own->offset - rows.offset) % elems != 0)
    return 1;
  for (auto [mine, theirs] : llvm::zip_equal(own->strides, rows.strides))
    if ((mine - theirs) % elems != 0)
      return 1;
  return elems;
}

LogicalResult KernelTiler::checkAlignedRows(tile::ScheduleAttr candidate) {
  auto refuse = [&](const Twine &why) {
    return kernel.emitError() << "the schedule has align_rows, and " << why;
  };
  std::optional<AlignedRows> rows = alignedRows();
  if (!rows)
    return refuse(
        "the kernel does not reduce along rows of memory and along nothing else, without scans, sorts "
        "and gathers");
  for (auto [d, size] : llvm::enumerate(candidate.getTile()))
    if (size != 1 && d != rows->row)
      return refuse("its tile has " + Twine(size) + " elements along dimension " + Twine(d) +
                    ": each row begins elsewhere");
  if (int64_t size = candidate.getTile()[rows->row]; size % rows->elems != 0)
    return refuse("its tile has " + Twine(size) + " elements of the row, no multiple of the " +
                  Twine(rows->elems) + " of a vector");
  return success();
}

void KernelTiler::planAlignedRows() {
  if (!schedule.getOptions().alignRows)
    return;
  aligned = alignedRows();
  dims[aligned->row].ahead = aligned->elems - 1;
}

void KernelTiler::offsetAlignedRow() {
  if (!aligned)
    return;
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value place = constant(aligned->offset);
  for (auto [d, stride] : llvm::enumerate(aligned->strides)) {
    if (d == aligned->row || stride == 0 || dims[d].divisor == 0)
      continue;
    Value term = arith::MulIOp::create(builder, loc, dims[d].offset, constant(stride));
    place = arith::AddIOp::create(builder, loc, place, term);
  }
  Dim &row = dims[aligned->row];
  Value before = arith::RemUIOp::create(builder, loc, place, constant(aligned->elems));
  row.offset = arith::SubIOp::create(builder, loc, row.offset, before);
  row.divisor = 1;
}

void KernelTiler::markAligned(Operation *access, const StridedView &view, ArrayRef<int64_t> shape,
                              Type type) {
  if (!aligned || shape[aligned->row] == 1)
    return;
  tile::setAligned(access, alignedElems(*aligned, view, tile::storageBits(getElementTypeOrSelf(type)) / 8));
}

/// Bytes of what lies along the rows at least: less waits for its blocks rather than for memory.
static constexpr int64_t kLeastOfAll = 1 << 20;

tile::ScheduleAttr KernelTiler::alignedSchedule(const KernelShape &shape) {
  std::optional<AlignedRows> rows = arch ? alignedRows() : std::nullopt;
  if (!rows)
    return nullptr;
  // Bytes that threads would access in parts of a vector; and of what each element is loaded with and stored
  // to, what begins with the rows and what does not.
  int64_t narrow = 0, together = 0, apart = 0;
  // The least elements of a vector that any access has as rows lie, and whether a store has one of aligned
  // rows: then all of the tile is divided like that (AccessWish.h). (H200, us, aligned and not: norms of 4608
  // rows of 9250 fp32 of which one result is joined with a row 400 and 326; another random program 463 and
  // 432.)
  int64_t plain = kVectorBytes;
  bool storesSingles = false;
  forEachRowAccess([&](const StridedView &view, int64_t bytes, bool stores) {
    layout::Shape multiples(view.rank(), 1);
    multiples[rows->row] = kVectorBytes;
    int64_t elems = alignedElems(*rows, view, bytes);
    int64_t own =
        view.maxVectorElems((int)rows->row, multiples, (int)bytes * 8, /*maxBits=*/128, /*mayEnd=*/true);
    if (support(view)[rows->row]) {
      (elems > 1 ? together : apart) += 1;
      plain = std::min(plain, own);
      storesSingles |= stores && elems == 1;
    }
    if (own >= elems)
      return;
    for (auto [d, depends] : llvm::enumerate(support(view)))
      bytes *= depends ? dims[d].extent : 1;
    narrow += bytes;
  });
  if (narrow < kLeastOfAll || (storesSingles && plain > 1))
    return nullptr;
  // As if each row began a vector behind the end of the one before.
  KernelShape padded = shape;
  int64_t length = (int64_t)llvm::alignTo(shape.extents[rows->row] + rows->elems - 1, rows->elems);
  padded.extents[rows->row] = length;
  for (TensorAccess &access : padded.accesses)
    if (access.strides[rows->row] == 1) {
      access.runs[rows->row] = access.inside[rows->row] = length;
      access.begin = 0;
      for (auto [d, stride] : llvm::enumerate(access.strides))
        if (d != rows->row)
          stride = (int64_t)llvm::alignTo(stride, rows->elems);
    }
  tile::ScheduleAttr found = fitTile(kernel, chooseSchedule(kernel.getContext(), padded), padded, *arch);
  found = shareRows(found, padded, *arch);
  tile::ScheduleOptions options = found.getOptions();
  options.alignRows = true;
  found = tile::ScheduleAttr::get(kernel.getContext(), found.getTile(), found.getReduce(), found.getWarps(),
                                  found.getWarpGrid(), found.getStages(), options);
  found = runAhead(found, padded, *arch);
  for (auto [d, size] : llvm::enumerate(found.getTile()))
    if (d == rows->row ? size % rows->elems != 0 : size != 1)
      return nullptr;

  // A row that one tile holds may come through shared memory instead (tile-stage-runs), which is sooner where
  // most of what belongs to it is loaded one by one, and where blocks share it, which wait for one another.
  // (H100, us, runs and vectors: norms of 16384 rows of 2049 bf16 with two operands for all rows 63.5
  // and 52.9, a norm with five 199 and 223; 64 rows of 11879 in pairs of blocks 8.3 and 9.4.)
  bool isHeld = found.getTile()[rows->row] * found.getOptions().splitK >= length;
  if (isHeld && (found.getOptions().splitK > 1 || apart > together))
    return nullptr;
  return found;
}
