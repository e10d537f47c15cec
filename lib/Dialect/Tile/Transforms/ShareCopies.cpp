// tile-share-copies: blocks of a cluster that read the same tiles of an operand bring a part each to all of
// them (multicast): those below one another of the right operand, those beside one another of the left one.
// A slot is free when the readers of all blocks that it comes from have released it; the blocks meet when
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

/// Where `tiles` of an operand's tiles of `size` elements along its dimension number `fromLast` from the end
/// are those of one cluster, the last cluster may have more than there are. Its blocks bring the last tile
/// once more, for products that nobody stores: boxes outside of a tensor would come later than others, and
/// all blocks of the cluster wait for them. (H200: 688x1728x6624 in tiles of 64x192, of which two beside one
/// another share a cluster, and nine are a row: 49.7 us with copies from outside, 31.0 without.)
static void bringTilesThatExist(CopyBulkOp copy, int64_t fromLast, int64_t size, int64_t tiles) {
  int64_t dim = copy.getView().getType().getRank() - fromLast;
  auto count = (int64_t)llvm::divideCeil(copy.getView().getType().getView().dim((int)dim).extent, size);
  if (count % tiles == 0)
    return;
  OpBuilder builder(copy);
  Value last = arith::ConstantIndexOp::create(builder, copy.getLoc(), (count - 1) * size);
  OpOperand &index = copy.getIndicesMutable()[dim];
  index.set(arith::MinUIOp::create(builder, copy.getLoc(), index.get(), last));
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
    int64_t rows = schedule.getOptions().clusterM, columns = schedule.getOptions().clusterN;
    auto left = operandBuffers(kernel, /*right=*/false), right = operandBuffers(kernel, /*right=*/true);
    bool any = false;
    kernel.walk([&](CopyBulkOp copy) {
      Value buffer = origin(copy.getBuffer());
      if (!left.contains(buffer) && !right.contains(buffer))
        return;
      bool isRight = right.contains(buffer);
      // The slot may have more columns than the tile (tile-async-products).
      ArrayRef<int64_t> tile = schedule.getTile();
      int64_t fromLast = isRight ? 1 : 2;
      bringTilesThatExist(copy, fromLast, tile[tile.size() - fromLast], isRight ? columns : rows);
      // Blocks are numbered row after row.
      int64_t sharers = isRight ? rows : columns, apart = isRight ? columns : 1;
      if (sharers == 1)
        return;
      copy->setAttr(CopyBulkOp::getSharedByAttrName(), attributes.getDenseI64ArrayAttr({sharers, apart}));
      origin(copy.getRing())
          .getDefiningOp()
          ->setAttr(RingOp::getPeersAttrName(), attributes.getDenseI64ArrayAttr({rows, columns}));
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
