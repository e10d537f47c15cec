// tile-take-turns: instances of a role take the block's tiles in turn. While one multiplies, the other stores
// its results: the order in which they read the rings is that in which the tiles come.

#include "Loops.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILETAKETURNS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Instance i starts i tiles later and takes every so many-th.
static void divideTiles(RoleOp role, scf::ForOp tiles) {
  OpBuilder builder(tiles);
  Location loc = tiles.getLoc();
  Value instance = role.getBody().front().getArgument(0);
  // Slot numbers count on from the loop's old bounds, which stay as they are.
  Value skipped = arith::MulIOp::create(builder, loc, instance, tiles.getStep());
  Value count = indexConstant(builder, loc, role.getInstances());
  tiles.setLowerBound(arith::AddIOp::create(builder, loc, tiles.getLowerBound(), skipped));
  tiles.setStep(arith::MulIOp::create(builder, loc, tiles.getStep(), count));
}

/// Between the first wait for a slot and the last product of a tile it is this instance's turn.
static void takeTurns(RoleOp role, scf::ForOp tiles) {
  Location loc = tiles.getLoc();
  Value instance = role.getBody().front().getArgument(0);
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : *tiles.getBody()) {
    bool waits = false, multiplies = false;
    op.walk([&](Operation *inner) {
      waits |= isa<WaitOp>(inner);
      multiplies |= isa<DotAsyncOp>(inner);
    });
    if (waits && !first)
      first = &op;
    if (waits || multiplies)
      last = &op;
  }
  if (!first)
    return;
  OpBuilder builder(first);
  TakeTurnOp::create(builder, loc, instance);
  builder.setInsertionPointAfter(last);
  PassTurnOp::create(builder, loc, instance);
  // The first turn.
  builder.setInsertionPointToStart(&role.getBody().front());
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, instance,
                                       indexConstant(builder, loc, role.getInstances() - 1));
  auto guard = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(guard.thenBlock());
  PassTurnOp::create(builder, loc, instance);
}

/// Each instance has buffers of its own where it writes.
static LogicalResult divideBuffers(RoleOp role) {
  Block &body = role.getBody().front();
  Value instance = body.getArgument(0);
  for (auto [capture, argument] : llvm::zip(role.getCaptures(), body.getArguments().drop_front())) {
    auto type = dyn_cast<SharedType>(argument.getType());
    if (!type || llvm::none_of(argument.getUsers(), [](Operation *user) { return isa<StoreSharedOp>(user); }))
      continue;
    auto alloc = capture.getDefiningOp<AllocOp>();
    if (!alloc || !llvm::all_of(alloc->getUsers(), [&](Operation *user) { return user == role; }))
      return role.emitOpError() << "@" << role.getSymName()
                                << " takes turns and writes a buffer that others use as well";
    auto wide = SharedType::get(type.getContext(), type.getStages() * role.getInstances(),
                                type.getElementType(), type.getLayout());
    alloc.getResult().setType(wide);
    argument.setType(wide);
    for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
      Operation *user = use.getOwner();
      OpOperand *stage = isa<StoreSharedOp>(user)  ? &cast<StoreSharedOp>(user).getStageMutable()
                         : isa<StoreBulkOp>(user)  ? &cast<StoreBulkOp>(user).getStageMutable()
                         : isa<LoadSharedOp>(user) ? &cast<LoadSharedOp>(user).getStageMutable()
                                                   : nullptr;
      if (!stage)
        return user->emitOpError() << "uses a buffer of which each of " << role.getInstances()
                                   << " instances has its own";
      OpBuilder builder(user);
      Location loc = user->getLoc();
      Value own =
          arith::MulIOp::create(builder, loc, instance, indexConstant(builder, loc, type.getStages()));
      stage->set(arith::AddIOp::create(builder, loc, own, stage->get()));
    }
  }
  return success();
}

namespace {
struct TakeTurns : tile::impl::TileTakeTurnsBase<TakeTurns> {
  using Base::Base;
  void runOnOperation() override {
    for (auto role : getOperation().getBody().front().getOps<RoleOp>()) {
      // Instances that fill rings have taken slots in turn already.
      auto multiplies = [](DotAsyncOp) { return WalkResult::interrupt(); };
      if (role.getInstances() == 1 || !role.walk(multiplies).wasInterrupted())
        continue;
      scf::ForOp tiles;
      for (auto loop : role.getBody().front().getOps<scf::ForOp>()) {
        if (tiles) {
          role.emitOpError() << "@" << role.getSymName()
                             << " takes turns and has more than one loop over tiles";
          return signalPassFailure();
        }
        tiles = loop;
      }
      if (!tiles) {
        role.emitOpError() << "@" << role.getSymName()
                           << " takes turns and has no loop over tiles; run tile-persistent";
        return signalPassFailure();
      }
      divideTiles(role, tiles);
      takeTurns(role, tiles);
      if (failed(divideBuffers(role)))
        return signalPassFailure();
    }
  }
};
} // namespace
