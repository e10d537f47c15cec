// tile-share-copies: blocks of a cluster that read the same tiles of an operand bring a part each to all of
// them (multicast). A slot is free when the readers of all blocks have released it; the blocks meet when
// their barriers are made, and before the first one ends.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESHARECOPIES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// What a role's argument stands for.
static Value origin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto role = dyn_cast<RoleOp>(argument.getOwner()->getParentOp()); role && argument.getArgNumber() > 0)
      return role.getCaptures()[argument.getArgNumber() - 1];
  return value;
}

/// Buffers that products read as their right operand, or as their left one.
static llvm::SmallPtrSet<Value, 4> operandBuffers(KernelOp kernel, bool right) {
  llvm::SmallPtrSet<Value, 4> buffers;
  kernel.walk([&](DotAsyncOp dot) { buffers.insert(origin(right ? dot.getRhs() : dot.getLhs())); });
  return buffers;
}

namespace {
struct ShareCopies : tile::impl::TileShareCopiesBase<ShareCopies> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    int64_t blocks = schedule ? schedule.getOptions().clusterBlocks() : 1;
    if (blocks == 1)
      return;
    SmallVector<RoleOp> roles(kernel.getBody().front().getOps<RoleOp>());
    if (roles.empty()) {
      kernel.emitOpError("has clusters in its schedule and no roles; run tile-specialise-roles");
      return signalPassFailure();
    }
    Builder attributes(kernel.getContext());
    IntegerAttr count = attributes.getI64IntegerAttr(blocks);
    // Tiles below one another share columns of the right operand.
    auto shared = operandBuffers(kernel, schedule.getOptions().clusterM > 1);
    bool any = false;
    kernel.walk([&](CopyBulkOp copy) {
      if (!shared.contains(origin(copy.getBuffer())))
        return;
      copy->setAttr(CopyBulkOp::getSharedByAttrName(), count);
      origin(copy.getRing()).getDefiningOp()->setAttr(RingOp::getPeersAttrName(), count);
      any = true;
    });
    if (!any) {
      kernel.emitOpError(
          "has clusters in its schedule, whose blocks share no operand that bulk copies bring");
      return signalPassFailure();
    }
    OpBuilder builder(roles.front());
    ArriveClusterOp::create(builder, kernel.getLoc(), /*own=*/true);
    AwaitClusterOp::create(builder, kernel.getLoc());
    // The last role has released its last slots in the other blocks when it ends; threads of the others count
    // as arrived when they have ended.
    Block &last = roles.back().getBody().front();
    builder.setInsertionPointToEnd(&last);
    if (!last.empty() && isa<WaitStoresOp>(last.back()))
      builder.setInsertionPoint(&last.back());
    ArriveClusterOp::create(builder, kernel.getLoc(), /*own=*/false);
    AwaitClusterOp::create(builder, kernel.getLoc());
  }
};
} // namespace
