// Scanned rows in pieces, one a block, which looks back at what the blocks before have published. Blocks take
// pieces in the order in which they start: the first pieces of all lines, then the second ones, so that a
// line's pieces are as far apart in time as there are lines.

#include "KernelTiler.h"

#include "Tilewright/Analysis/LookBack.h"
#include "Tilewright/Layout/LookBack.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

std::string KernelTiler::whyNoLookBack(tile::ScheduleAttr candidate) {
  std::optional<unsigned> row = rowDim();
  bool scans = llvm::any_of(ops, llvm::IsaPred<graph::ScanOp>);
  if (indexing.anchor != graph::Anchor::Reduction || !scans || !row)
    return "blocks take pieces of scanned rows, and the kernel scans none";
  if (StringRef why = whyNoRowLoop(); !why.empty())
    return why.str();
  ArrayRef<int64_t> tile = candidate.getTile();
  if (tile[*row] >= dims[*row].extent)
    return "the tile holds whole rows";
  int64_t lines = 1, totals = 1, words = 0;
  for (auto [d, dim] : llvm::enumerate(dims))
    if (!dim.reduced) {
      lines *= (int64_t)llvm::divideCeil(dim.extent, tile[d]);
      totals *= tile[d];
    }
  int64_t pieces = (int64_t)llvm::divideCeil(dims[*row].extent, tile[*row]);
  for (Operation *op : ops)
    if (auto scan = dyn_cast<graph::ScanOp>(op))
      for (Type state : scan.getStateTypes())
        words += lines * totals * (int64_t)llvm::divideCeil(tile::storageBits(state), 32) *
                 layout::lookBackPlan(pieces).words;
  int64_t most = (tile::KernelOp::kPartsOffset - tile::KernelOp::kWordsOffset) / 8;
  if (words > most)
    return "the totals of " + std::to_string(lines * pieces) + " pieces take " + std::to_string(words) +
           " words, there are " + std::to_string(most);
  return "";
}

/// Elements of a thread, elements side by side that columns have, and blocks that keep a chip busy.
static constexpr int64_t kPerThread = 32, kColumns = 32, kManyBlocks = 528, kLeastPiece = 1024;
/// The part of the empty places of tiles of twice as many columns that narrower ones may leave. (H200: scans
/// of 683416 rows of 40 bf16 240 us in tiles of 32 columns, 116 in such of 16; of 6657 rows of 109 fp32 15.8
/// and 11.5.)
static constexpr double kLessEmpty = 0.9;
/// Columns that a warp looks back for at most, one trip to memory behind the other for a few of them at a
/// time, where pieces are the smallest: what is left to wait for is that. (H200, us, with warps
/// by elements alone and so: 2063x24 fp32 9.3 and 5.0, 10007x32 11.4 and 8.2, 5003x200 17.1 and 13.4, 1009x64
/// 6.1 and 3.8; pieces of 4096 elements 12.1 and 14.0.)
static constexpr int64_t kColumnsOfWarp = 2;
/// Registers of a thread's values from which on so many elements leave a multiprocessor one block alone, and
/// what pieces and threads of these have instead. (H100: scans with functions of their sums, of 35 and 43
/// million elements, 480 and 340 us in pieces of 8192 by 256 threads, 314 and 273 in such of 2048 by 128.)
static constexpr int64_t kManyRegisters = 64, kSmallPiece = 2048, kFewPerThread = 16;

tile::ScheduleAttr KernelTiler::lookBackSchedule() {
  std::optional<unsigned> row = rowDim();
  bool wanted = llvm::any_of(
      ops, [](Operation *op) { return isa<graph::ScanOp>(op) && op->hasAttr(kLookBackAttrName); });
  if (!wanted || !row)
    return {};
  KernelShape shape = describe();
  int64_t total = 1, elems = kLookBackPiece;
  int fastest = (int)*row;
  for (auto [d, extent] : llvm::enumerate(shape.extents)) {
    total *= extent;
    if (shape.contiguousBytes[d] > shape.contiguousBytes[fastest])
      fastest = (int)d;
  }
  int64_t perThread = kPerThread;
  if (shape.pressure.registers(perThread) > kManyRegisters) {
    elems = kSmallPiece;
    perThread = kFewPerThread;
  }
  // Smaller pieces where there would be few, and where their values take more registers than there are.
  while (elems > kLeastPiece &&
         (total / elems < kManyBlocks || !shape.pressure.fits(elems, elems / (32 * perThread))))
    elems /= 2;
  SmallVector<int64_t> tile(dims.size(), 1);
  if (fastest != (int)*row) {
    int64_t columns = shape.extents[fastest];
    tile[fastest] = std::min<int64_t>(kColumns, (int64_t)llvm::PowerOf2Ceil((uint64_t)columns));
    // Half as many, twice as long, where that leaves less empty.
    int64_t half = tile[fastest] / 2;
    if (tile[fastest] == kColumns &&
        (double)llvm::alignTo(columns, half) < kLessEmpty * (double)llvm::alignTo(columns, tile[fastest]))
      tile[fastest] = half;
  }
  tile::ScheduleOptions options;
  options.lookBack = true;
  // Larger pieces where the workspace has not enough words: of several scans.
  for (int64_t most = 4 * elems; elems <= most; elems *= 2) {
    tile[*row] = elems / tile[fastest];
    int64_t columns = fastest == (int)*row ? 1 : tile[fastest];
    int64_t least = elems == kLeastPiece ? std::max<int64_t>(4, columns / kColumnsOfWarp) : 4;
    int64_t warps = std::clamp<int64_t>(elems / (32 * perThread), least, 32);
    auto schedule = tile::ScheduleAttr::get(kernel.getContext(), tile, 1, warps, {1, warps}, 1, options);
    if (whyNoLookBack(schedule).empty())
      return schedule;
  }
  return {};
}

int64_t KernelTiler::lines() const {
  int64_t lines = 1;
  for (const Dim &dim : dims)
    lines *= dim.reduced ? 1 : dim.clusters();
  return lines;
}

Value KernelTiler::addWords(int64_t offset, int64_t count) {
  unsigned number = tileKernel.getArgumentTypes().size();
  NamedAttribute place =
      builder.getNamedAttr(tile::KernelOp::getWorkspaceAttrName(), builder.getI64IntegerAttr(offset));
  auto type =
      tile::ViewType::get(builder.getContext(), builder.getI64Type(), layout::StridedView::rowMajor({count}));
  (void)tileKernel.insertArgument(number, type, builder.getDictionaryAttr(place),
                                  kernel.getLoc()); // fails for other types alone
  return tileKernel.getBody().getArgument(number);
}

void KernelTiler::takePiece(Value &rest) {
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Dim &row = dims[*rowDim()];
  Value counter = addWords(tile::KernelOp::kTicketOffset, 1);
  auto ticket = tile::TakeTicketOp::create(builder, loc, builder.getIndexType(), builder.getI32Type(),
                                           counter, (uint64_t)tileKernel.getGrid()[0], IntegerAttr());
  wordMark = ticket.getMark();
  line = constant(0);
  piece = ticket.getTicket();
  if (int64_t count = lines(); count > 1) {
    line = arith::RemUIOp::create(builder, loc, ticket.getTicket(), constant(count));
    piece = arith::DivUIOp::create(builder, loc, ticket.getTicket(), constant(count));
  }
  rest = line;
  // A scan from the end begins with the last piece.
  bool reverse = llvm::any_of(ops, [](Operation *op) {
    auto scan = dyn_cast<graph::ScanOp>(op);
    return scan && scan.getReverse();
  });
  Value place = piece;
  if (reverse)
    place = arith::SubIOp::create(builder, loc, constant(row.tiles() - 1), piece);
  row.offset = arith::MulIOp::create(builder, loc, place, constant(row.tile));
  row.divisor = row.tile;
}

SmallVector<Value> KernelTiler::lookBack(graph::ScanOp op, ValueRange total, Location loc) {
  SmallVector<Value> initial;
  SmallVector<Type> types, scalars;
  int64_t pieces = dims[*rowDim()].tiles(), words = 0;
  for (auto [value, identity] : llvm::zip_equal(total, op.getIdentity())) {
    auto type = cast<RankedTensorType>(value.getType());
    initial.push_back(constant(identity, type.getShape(), loc));
    types.push_back(type);
    scalars.push_back(type.getElementType());
    words += type.getNumElements() * (int64_t)llvm::divideCeil(tile::storageBits(type.getElementType()), 32);
  }
  words *= lines() * layout::lookBackPlan(pieces).words;
  Value view = addWords(nextWords, words);
  nextWords += (int64_t)llvm::alignTo(8 * words, 256);
  auto back = tile::LookBackOp::create(builder, loc, types, total, initial, view, wordMark, line, piece,
                                       (uint64_t)pieces, IntegerAttr());
  SmallVector<Type> pair(scalars);
  llvm::append_range(pair, scalars);
  OpBuilder::InsertionGuard guard(builder);
  ValueRange all =
      builder.createBlock(&back.getCombiner(), {}, pair, SmallVector<Location>(pair.size(), loc))
          ->getArguments();
  size_t count = scalars.size();
  tile::YieldOp::create(builder, loc, op.merge(builder, loc, all.take_front(count), all.drop_front(count)));
  return SmallVector<Value>(back.getResults());
}
