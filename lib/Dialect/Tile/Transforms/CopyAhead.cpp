// tile-copy-ahead: loops whose schedule has several stages copy the tiles of so many iterations ahead to
// shared memory, each thread its own elements. Registers hold one tile of them, and what is in flight is what
// the ring holds: enough, where few blocks share a multiprocessor.

#include "KernelArguments.h"
#include "OwnCopies.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

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
        llvm::all_of(load.getIndices(), [&](Value index) { return collectChain(index, loop, chain); }))
      loads.push_back(load);
  }
  return loads;
}

/// Groups of copies, one an iteration: those of the first stages - 1 are started in front of the loop, and
/// each iteration starts that of the one which is as many behind it, into the stage that its predecessor has
/// read.
static void copyAhead(const Trips &trips, ArrayRef<LoadOp> loads, int64_t stages) {
  scf::ForOp loop = trips.loop;
  Location loc = loop.getLoc();
  int64_t ahead = stages - 1;
  OpBuilder builder(loop);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value size = constant(stages), distance = constant(ahead * trips.step);
  SmallVector<Value> buffers;
  for (LoadOp load : loads)
    buffers.push_back(AllocOp::create(builder, load.getLoc(), ownBufferOf(load, stages), IntegerAttr()));
  auto stageOf = [&](OpBuilder &at, Value index) -> Value {
    return arith::RemUIOp::create(at, loc, trips.number(at, index, loc), size);
  };
  auto copyAll = [&](OpBuilder &at, Value index) {
    Value stage = stageOf(at, index);
    for (auto [load, buffer] : llvm::zip_equal(loads, buffers))
      copyOwnElements(at, load, loop, index, buffer, stage);
  };
  auto first = scf::ForOp::create(builder, loc, loop.getLowerBound(),
                                  constant(trips.begin + ahead * trips.step), loop.getStep());
  OpBuilder inFirst(first.getBody()->getTerminator());
  copyAll(inFirst, first.getInductionVar());
  CommitAsyncOp::create(inFirst, loc);
  OpBuilder inLoop = OpBuilder::atBlockBegin(loop.getBody());
  Value next = arith::AddIOp::create(inLoop, loc, loop.getInductionVar(), distance);
  Value isInside = arith::CmpIOp::create(inLoop, loc, arith::CmpIPredicate::ult, next, loop.getUpperBound());
  auto guard = scf::IfOp::create(inLoop, loc, isInside, /*withElseRegion=*/false);
  OpBuilder inGuard = OpBuilder::atBlockBegin(guard.thenBlock());
  copyAll(inGuard, next);
  CommitAsyncOp::create(inLoop, loc);
  WaitAsyncOp::create(inLoop, loc, ahead);
  for (auto [load, buffer] : llvm::zip_equal(loads, buffers))
    takeOwnElements(load, buffer, [&](OpBuilder &at) { return stageOf(at, loop.getInductionVar()); });
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
    for (auto loop : llvm::make_early_inc_range(kernel.getBody().getOps<scf::ForOp>())) {
      std::optional<Trips> trips = tripsOf(loop);
      bool copies =
          loop.getBody()->walk([](WaitAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (!trips || trips->count() < 3 || copies)
        continue;
      SmallVector<LoadOp> loads = loadsAhead(loop, written);
      if (!loads.empty())
        copyAhead(*trips, loads, std::min<int64_t>(schedule.getStages(), trips->count()));
    }
  }
};
} // namespace
