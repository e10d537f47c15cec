// tile-persistent: a fixed number of blocks takes the tiles of the grid in turn.

#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEPERSISTENT
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

static bool isDivided(KernelOp kernel) { return llvm::any_of(kernel.getBody().getArguments(), isWorkspace); }

namespace {
struct Persistent : tile::impl::TilePersistentBase<Persistent> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().persistent)
      return;
    // tile-divide-steps has given each block its tiles already.
    if (isDivided(kernel))
      return;
    int64_t tiles = kernel.getGrid()[0], blocks = schedule.getOptions().persistent;
    if (kernel.getGrid()[1] != 1 || kernel.getGrid()[2] != 1) {
      kernel.emitOpError() << "a persistent grid has one dimension, not " << kernel.getGrid()[1] << "x"
                           << kernel.getGrid()[2] << " more";
      return signalPassFailure();
    }
    // One tile a block needs no loop, unless instances of a role divide the tiles among them.
    if (tiles <= blocks && schedule.getOptions().roles != Roles::PingPong)
      return;
    // Whole clusters; their blocks take as many tiles each.
    blocks = std::min(blocks, tiles);
    blocks -= blocks % kernel.getClusterBlocks();
    Block &body = kernel.getBody().front();
    SmallVector<BlockIdOp> ids;
    kernel.walk([&](BlockIdOp id) {
      if (id.getDim() == 0)
        ids.push_back(id);
    });
    Location loc = kernel.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    Value first = BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
    Value end = arith::ConstantIndexOp::create(builder, loc, tiles);
    Value step = arith::ConstantIndexOp::create(builder, loc, blocks);
    auto loop = scf::ForOp::create(builder, loc, first, end, step);
    // Everything between the loop and the end of the kernel is done for each tile.
    loop.getBody()->getOperations().splice(std::prev(loop.getBody()->end()), body.getOperations(),
                                           std::next(loop->getIterator()), std::prev(body.end()));
    for (BlockIdOp id : ids) {
      id.replaceAllUsesWith(loop.getInductionVar());
      id.erase();
    }
    kernel.setGrid({blocks, 1, 1});
  }
};
} // namespace
