// tile-sink-results: what only some blocks store is computed in those blocks.
#include "Blocks.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESINKRESULTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// What costs little to compute again.
static bool isCheap(Operation *op) {
  return isa<BroadcastOp, SplatOp, arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::SIToFPOp>(op);
}

/// Whether everything that uses the op's results stands in `region`.
static bool isUsedInside(Operation *op, Region &region) {
  return llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return region.isAncestor(user->getParentRegion()); });
}

namespace {
/// A branch of some blocks, and what moves there.
struct Branch {
  scf::IfOp guard;
  /// Whether the branch may load.
  bool loads;

  bool canMove(Operation *op) const {
    return op->getBlock() == guard->getBlock() && op->getNumRegions() == 0 &&
           (isPure(op) || (loads && isa<LoadOp>(op)));
  }
  void moveIn(Operation *op) { op->moveBefore(&guard.thenBlock()->front()); }
  bool moveAll();
  void copyShared();
};
} // namespace

/// Moves what nothing outside uses; whether there was any.
bool Branch::moveAll() {
  bool any = false;
  // Users stand behind what they use: in one turn upwards, users move first.
  for (Operation *op = guard->getPrevNode(); op;) {
    Operation *before = op->getPrevNode();
    if (!op->use_empty() && isUsedInside(op, guard.getThenRegion()) && canMove(op)) {
      moveIn(op);
      any = true;
    }
    op = before;
  }
  return any;
}

/// Loads that others use, too, and what is cheaply made of them: in the branch the tile then lies among the
/// threads as the result does, and no thread computes what another one has.
void Branch::copyShared() {
  SmallVector<Operation *> ops(llvm::make_pointer_range(*guard.thenBlock()));
  for (size_t i = 0; i < ops.size(); ++i)
    for (OpOperand &operand : ops[i]->getOpOperands()) {
      Operation *made = operand.get().getDefiningOp();
      if (!made || made->getBlock() != guard->getBlock() || !isa<RankedTensorType>(operand.get().getType()))
        continue;
      // Down to a load, by cheap steps alone.
      Operation *source = made;
      while (source && isCheap(source) && source->getNumOperands() == 1 &&
             source->getOperand(0).getDefiningOp() &&
             source->getOperand(0).getDefiningOp()->getBlock() == guard->getBlock())
        source = source->getOperand(0).getDefiningOp();
      if (!isa_and_nonnull<LoadOp>(source))
        continue;
      OpBuilder builder(guard.thenBlock(), guard.thenBlock()->begin());
      Operation *copy = builder.clone(*made);
      operand.set(copy->getResult(cast<OpResult>(operand.get()).getResultNumber()));
      ops.push_back(copy);
    }
}

namespace {
struct SinkResults : tile::impl::TileSinkResultsBase<SinkResults> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<scf::IfOp> guards;
    kernel.walk([&](scf::IfOp guard) {
      auto stores = guard.thenBlock()->without_terminator();
      if (guard.getNumResults() == 0 && guard.getElseRegion().empty() && !stores.empty() &&
          llvm::all_of(stores, llvm::IsaPred<StoreOp>))
        guards.push_back(guard);
    });
    for (scf::IfOp guard : guards) {
      Branch branch{guard, blocksOf(kernel) > kFewBlocks};
      if (branch.moveAll() && branch.loads)
        branch.copyShared();
    }
  }
};
} // namespace
