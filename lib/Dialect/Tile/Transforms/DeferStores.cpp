// tile-defer-stores: warps that multiply keep a tile's results in registers, rounded to the type that is
// stored, and store them piece by piece while the products of their next tile run. The tensor cores then wait
// for a conversion between two tiles, not for shared memory.

#include "KernelArguments.h"
#include "Loops.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEDEFERSTORES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// What stores one piece: from the wait for its buffer to the bulk store.
using Piece = SmallVector<Operation *>;

/// A role's loop over tiles, in it the loop over K and behind that the pieces of the result.
struct TileLoop {
  scf::ForOp tiles, steps;
  DotAsyncOp dot;
  SmallVector<Piece> pieces;
  /// What the pieces use of the tile: their elements, and where they go.
  SmallVector<Value> kept;

  std::string find(RoleOp role);
  void defer();

private:
  std::string findPieces();
  void loadEarly(RewriterBase &rewriter);
  void store(OpBuilder &builder, const Piece &piece, ValueRange values);
};

} // namespace

/// Registers of a thread, and those that it needs beside tiles.
static constexpr int64_t kMostRegisters = 232, kOtherRegisters = 32;

static bool isOfPiece(Operation *op) {
  return isa<WaitStoresOp, BarrierOp, StoreSharedOp, FenceAsyncOp, StoreBulkOp>(op);
}

/// A number, or a view of the kernel's memory: what each tile has anew.
static bool isSameForAll(Value value) {
  return isa_and_present<arith::ConstantOp, ViewOp>(value.getDefiningOp());
}

/// Finds the pieces behind the loop over K; says why they cannot be stored later.
std::string TileLoop::findPieces() {
  Piece piece;
  for (Operation *op = steps->getNextNode(); op; op = op->getNextNode()) {
    if (isOfPiece(op)) {
      piece.push_back(op);
      if (isa<StoreBulkOp>(op))
        pieces.push_back(std::exchange(piece, {}));
      continue;
    }
    if (!isPure(op) && !isa<scf::YieldOp, AwaitOp, ReleaseOp, WaitOp, LoadOp, LoadSharedOp>(op))
      return "other ops with effects stand between products and stores";
  }
  if (pieces.empty() || !piece.empty())
    return "no results are stored in bulk";
  llvm::SmallSetVector<Value, 8> values;
  for (const Piece &one : pieces)
    for (Operation *op : one)
      for (Value operand : op->getOperands())
        if (operand.getParentRegion() == &tiles.getRegion() && !isSameForAll(operand))
          values.insert(operand);
  kept = values.takeVector();
  if (!llvm::all_of(kept, llvm::IsaPred<OpResult>))
    return "a tile's number is a place of its result";
  return "";
}

/// Says why the role's stores cannot come later; empty: they can.
std::string TileLoop::find(RoleOp role) {
  for (auto loop : role.getBody().front().getOps<scf::ForOp>())
    tiles = loop;
  if (!tiles || tiles.getNumResults() || role.getInstances() != 1)
    return "the role has no loop over tiles, or takes turns";
  for (auto loop : tiles.getBody()->getOps<scf::ForOp>()) {
    if (steps)
      return "a tile has several loops";
    steps = loop;
  }
  for (auto found : steps ? steps.getBody()->getOps<DotAsyncOp>() : tiles.getBody()->getOps<DotAsyncOp>())
    dot = found;
  std::optional<int64_t> trips = steps ? tripCount(steps) : std::nullopt;
  auto end = getConstantIntValue(tiles.getUpperBound()), step = getConstantIntValue(tiles.getStep());
  if (!trips || !dot || dot->getParentOp() != steps || !end || !step || *step > *end)
    return "steps of K, or tiles, are not known";
  if (*step == *end)
    return "a block has one tile";
  if (std::string why = findPieces(); !why.empty())
    return why;
  if (*trips < (int64_t)pieces.size())
    return "a tile has fewer steps than pieces";
  return "";
}

/// A copy of the piece on `values` in place of what is kept.
void TileLoop::store(OpBuilder &builder, const Piece &piece, ValueRange values) {
  IRMapping mapping;
  mapping.map(ValueRange(kept), values);
  for (Operation *op : piece) {
    for (Value operand : op->getOperands())
      if (isSameForAll(operand) && !mapping.contains(operand))
        mapping.map(operand, builder.clone(*operand.getDefiningOp())->getResult(0));
    builder.clone(*op, mapping);
  }
}

/// Registers of a thread that hold a tile of `type`.
static int64_t registersOf(Type type) {
  LayoutAttr layout = getLayout(type);
  int64_t bits = storageBits(getElementTypeOrSelf(type));
  return layout ? llvm::divideCeil(layout.getLayout().numRegisters() * std::max<int64_t>(bits, 16), 32) : 0;
}

/// What the result is combined with is loaded behind the steps whose products hide the stores, in whose
/// registers: the loop over K is parted there.
void TileLoop::loadEarly(RewriterBase &rewriter) {
  // Beside accumulators.
  auto role = tiles->getParentOfType<RoleOp>();
  int64_t room = (int64_t)role.getRegisters().value_or(kMostRegisters) - kOtherRegisters;
  for (auto one : steps.getBody()->getOps<DotAsyncOp>())
    room -= registersOf(cast<PendingType>(one.getResult().getType()).getTile());
  SmallVector<LoadOp> loads;
  for (Operation *op = steps->getNextNode(); op; op = op->getNextNode())
    if (auto load = dyn_cast<LoadOp>(op)) {
      loads.push_back(load);
      room -= registersOf(load.getType());
    }
  int64_t low = *getConstantIntValue(steps.getLowerBound()), step = *getConstantIntValue(steps.getStep());
  if (loads.empty() || room < 0 || *tripCount(steps) <= (int64_t)pieces.size())
    return;
  // Places of tiles are computed ahead of the loop, too.
  SetVector<Operation *> ahead;
  for (LoadOp load : loads) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *op) {
      return op->getBlock() == steps->getBlock() && steps->isBeforeInBlock(op);
    };
    (void)getBackwardSlice(load.getOperation(), &ahead, options);
  }
  if (!llvm::all_of(ahead, [](Operation *op) { return isPure(op) || isa<LoadOp>(op); }))
    return;
  Location loc = steps.getLoc();
  rewriter.setInsertionPoint(steps);
  Value end = arith::ConstantIndexOp::create(rewriter, loc, low + (int64_t)pieces.size() * step);
  rewriter.setInsertionPointAfter(steps);
  auto rest = cast<scf::ForOp>(rewriter.clone(*steps));
  rewriter.replaceAllUsesWith(steps.getResults(), rest.getResults());
  rest.setLowerBound(end);
  rest.getInitArgsMutable().assign(steps.getResults());
  steps.setUpperBound(end);
  for (Operation *op : ahead)
    op->moveBefore(rest);
}

void TileLoop::defer() {
  Location loc = tiles.getLoc();
  IRRewriter rewriter(tiles.getContext());
  loadEarly(rewriter);
  rewriter.setInsertionPoint(tiles);
  SmallVector<Value> none;
  for (Value value : kept)
    none.push_back(arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(value.getType())));
  // The loop's own values are found again by the ops that define them, which stay.
  SmallVector<OpResult> defined =
      llvm::map_to_vector(kept, [](Value value) { return cast<OpResult>(value); });
  tiles = cast<scf::ForOp>(
      *tiles.replaceWithAdditionalYields(rewriter, none, /*replaceInitOperandUsesInLoop=*/false,
                                         [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
                                           return SmallVector<Value>(defined.begin(), defined.end());
                                         }));
  // Behind the first products of the next tile the first piece, behind the second ones the next.
  rewriter.setInsertionPointAfter(dot);
  Value first = steps.getLowerBound();
  Value later = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, tiles.getInductionVar(),
                                      tiles.getLowerBound());
  int64_t low = *getConstantIntValue(first), step = *getConstantIntValue(steps.getStep());
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    Value at = arith::ConstantIndexOp::create(rewriter, loc, low + (int64_t)number * step);
    Value isStep =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, steps.getInductionVar(), at);
    Value both = arith::AndIOp::create(rewriter, loc, isStep, later);
    auto guard = scf::IfOp::create(rewriter, loc, both, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(guard.thenBlock());
    store(inside, piece, tiles.getRegionIterArgs());
  }
  // The last tile's pieces.
  rewriter.setInsertionPointAfter(tiles);
  for (const Piece &piece : pieces)
    store(rewriter, piece, tiles.getResults());
  for (const Piece &piece : pieces)
    for (Operation *op : piece)
      rewriter.eraseOp(op);
}

namespace {
struct DeferStores : tile::impl::TileDeferStoresBase<DeferStores> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().deferStores)
      return markAllAnalysesPreserved();
    for (auto role : kernel.getBody().front().getOps<RoleOp>()) {
      if (!role.walk([](DotAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted())
        continue;
      TileLoop loop;
      if (std::string why = loop.find(role); !why.empty())
        emitRemark(role, Remark::StoresNotDeferred, why);
      else
        loop.defer();
    }
  }
};
} // namespace
