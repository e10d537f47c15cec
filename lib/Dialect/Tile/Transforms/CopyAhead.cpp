// tile-copy-ahead: loops whose schedule has several stages copy the tiles of so many iterations ahead to
// shared memory, each thread its own elements. Registers hold one tile of them, and what is in flight is what
// the ring holds: enough, where few blocks share a multiprocessor.

#include "EpilogueOperands.h"
#include "KernelArguments.h"
#include "OwnCopies.h"
#include "PeelEnd.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILECOPYAHEAD
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// The loads of a loop's body whose tiles can be copied ahead.
static SmallVector<LoadOp> loadsAhead(scf::ForOp loop, const llvm::SmallDenseSet<Value> &written) {
  SmallVector<LoadOp> loads;
  for (auto load : loop.getBody()->getOps<LoadOp>()) {
    Chain chain;
    bool varies =
        llvm::any_of(load.getIndices(), [&](Value index) { return !loop.isDefinedOutsideOfLoop(index); });
    if (varies && !written.contains(sourceOf(load.getView())) && copiesOwnElements(load) &&
        llvm::all_of(load->getOperands(), [&](Value operand) { return collectChain(operand, loop, chain); }))
      loads.push_back(load);
  }
  return loads;
}

/// Groups of copies, one an iteration: those of the first stages - 1 are started in front of the loop, and
/// each iteration starts that of the one which is as many behind it, into the stage that its predecessor has
/// read. What is `peeled` from the loop is copied as another iteration.
static void copyAhead(scf::ForOp loop, int64_t step, ArrayRef<LoadOp> loads, int64_t stages,
                      const std::optional<PeeledEnd> &peeled) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value zero = constant(0), one = constant(1), size = constant(stages), ahead = constant(stages - 1),
        distance = constant((stages - 1) * step);
  SmallVector<Value> buffers;
  SmallVector<LoadOp> ofEnd;
  for (LoadOp load : loads) {
    buffers.push_back(AllocOp::create(builder, load.getLoc(), ownBufferOf(load, stages), IntegerAttr()));
    if (peeled) {
      ofEnd.push_back(cast<LoadOp>(peeled->mapping.lookup(load.getOperation())));
      // Copies ask for the end: of vectors, not of elements.
      load.setInBounds(ofEnd.back().getInBounds());
    }
  }
  Value end = loop.getUpperBound();
  if (peeled)
    end = constant(*getConstantIntValue(end) + step);
  auto stageOf = [&](OpBuilder &at, Value index) -> Value {
    Value done = arith::SubIOp::create(at, loc, index, loop.getLowerBound());
    Value number = arith::DivUIOp::create(at, loc, done, loop.getStep());
    return arith::RemUIOp::create(at, loc, number, size);
  };
  // A group of its own for the iteration at `index`, empty behind the last one.
  auto copyGroup = [&](OpBuilder &at, Value index) {
    Value isInside = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ult, index, end);
    auto guard = scf::IfOp::create(at, loc, isInside, /*withElseRegion=*/false);
    OpBuilder inGuard = OpBuilder::atBlockBegin(guard.thenBlock());
    Value stage = stageOf(inGuard, index);
    for (auto [load, buffer] : llvm::zip_equal(loads, buffers))
      copyOwnElements(inGuard, load, loop, index, buffer, stage);
    CommitAsyncOp::create(at, loc);
  };
  auto first = scf::ForOp::create(builder, loc, zero, ahead, one);
  OpBuilder inFirst(first.getBody()->getTerminator());
  Value offset = arith::MulIOp::create(inFirst, loc, first.getInductionVar(), loop.getStep());
  copyGroup(inFirst, arith::AddIOp::create(inFirst, loc, loop.getLowerBound(), offset));
  OpBuilder inLoop = OpBuilder::atBlockBegin(loop.getBody());
  copyGroup(inLoop, arith::AddIOp::create(inLoop, loc, loop.getInductionVar(), distance));
  WaitAsyncOp::create(inLoop, loc, stages - 1);
  for (auto [load, buffer] : llvm::zip_equal(loads, buffers))
    takeOwnElements(load, buffer, [&](OpBuilder &at) { return stageOf(at, loop.getInductionVar()); });
  if (!peeled)
    return;
  builder.setInsertionPointAfter(loop);
  WaitAsyncOp::create(builder, loc, 0);
  for (auto [load, buffer] : llvm::zip_equal(ofEnd, buffers))
    takeOwnElements(load, buffer, [&](OpBuilder &at) { return stageOf(at, peeled->start); });
}

/// Iterations of a loop at least of which its blocks take some: all of one with constant bounds, and of the
/// tiles of persistent blocks about as many as each block has.
static std::optional<int64_t> iterationsOf(scf::ForOp loop) {
  auto end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  auto begin = loop.getLowerBound().getDefiningOp<BlockIdOp>() ? std::optional<int64_t>(0)
                                                               : getConstantIntValue(loop.getLowerBound());
  if (!begin || !end || !step || *step < 1 || *end <= *begin)
    return std::nullopt;
  return (int64_t)llvm::divideCeil(*end - *begin, *step);
}

/// How many stages of tiles of `loads` fit into `room` bytes of shared memory, beside what goes through it
/// within a step.
static int64_t stagesWithin(int64_t room, scf::ForOp loop, ArrayRef<LoadOp> loads) {
  int64_t converted = 0, bytes = 0;
  loop.walk([&](ConvertLayoutOp op) {
    RankedTensorType type = op.getType();
    converted = std::max(converted, type.getNumElements() * storageBits(type.getElementType()) / 8);
  });
  for (LoadOp load : loads)
    bytes += ownBufferOf(load, 1).getStageBytes();
  return (room - converted) / bytes;
}

namespace {
struct CopyAhead : tile::impl::TileCopyAheadBase<CopyAhead> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    bool hasProducts =
        kernel
            .walk([](Operation *op) {
              return isa<DotOp, DotAsyncOp, RoleOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (!schedule || schedule.getStages() < 2 || hasProducts)
      return markAllAnalysesPreserved();
    llvm::SmallDenseSet<Value> written;
    kernel.walk([&](StoreOp store) { written.insert(sourceOf(store.getView())); });
    // Rings of loops behind one another have the same memory.
    int64_t room = sharedRoom(kernel);
    for (auto loop : llvm::make_early_inc_range(kernel.getBody().getOps<scf::ForOp>())) {
      std::optional<int64_t> trips = iterationsOf(loop);
      // What is copied already, and what is done in loops.
      bool isOther = loop.getBody()
                         ->walk([](Operation *op) {
                           return isa<WaitAsyncOp, LoopLikeOpInterface>(op) ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
                         })
                         .wasInterrupted();
      if (!trips || *trips < 3 || isOther)
        continue;
      moveLoopInvariantCode(loop);
      SmallVector<LoadOp> loads = loadsAhead(loop, written);
      if (loads.empty())
        continue;
      int64_t stages = std::min({(int64_t)schedule.getStages(), *trips, stagesWithin(room, loop, loads)});
      if (stages < 2)
        continue;
      std::optional<PeeledEnd> peeled = peelEnd(loop);
      copyAhead(loop, *getConstantIntValue(loop.getStep()), loadsAhead(loop, written), stages, peeled);
    }
  }
};
} // namespace
