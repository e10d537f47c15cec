// tile-load-early: what is loaded for later results is asked for before the first is stored. No result is an
// argument, so a load may pass a store; but no later pass and no assembler knows, and would wait for memory
// once a result.
#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {
#define GEN_PASS_DEF_TILELOADEARLY
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// Registers of a thread that tiles loaded ahead may take: without reductions, and beside the rows that these
/// hold.
static constexpr int64_t kMostRegisters = 48, kMostBesideRows = 16;

/// Registers that a tile takes in each of `threads` threads.
static int64_t registersOf(Value tile, int64_t threads) {
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t bytes = llvm::divideCeil((uint64_t)storageBits(type.getElementType()), 8u);
  return (int64_t)llvm::divideCeil((uint64_t)(type.getNumElements() * std::max<int64_t>(bytes, 1)),
                                   (uint64_t)(4 * threads));
}

/// Moves `op` and what it needs of its block in front of `place`; false when some of that cannot be moved.
static bool moveBefore(Operation *op, Operation *place, bool onlyAsk) {
  if (op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
    return true;
  for (Value operand : op->getOperands())
    if (Operation *needed = operand.getDefiningOp();
        needed && needed->getBlock() == place->getBlock() && !needed->isBeforeInBlock(place))
      if (!isPure(needed) || needed->getNumRegions() || !moveBefore(needed, place, onlyAsk))
        return false;
  if (!onlyAsk)
    op->moveBefore(place);
  return true;
}

static bool isSame(LoadOp a, LoadOp b) {
  return OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::IgnoreLocations);
}

namespace {
struct LoadEarly : tile::impl::TileLoadEarlyBase<LoadEarly> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    int64_t threads = 32 * (int64_t)kernel.getWarps();
    bool keepsRows = kernel
                         .walk([](Operation *op) {
                           return isa<ReduceOp, DotOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
                         })
                         .wasInterrupted();
    int64_t most = keepsRows ? kMostBesideRows : kMostRegisters, taken = 0;
    // Since the block began or a loop ended: the loads, and whether something was stored.
    SmallVector<LoadOp> loads;
    bool stored = false;
    for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front())) {
      auto load = dyn_cast<LoadOp>(op);
      if (op.getNumRegions() && !isa<scf::IfOp>(op)) {
        // Nothing is held through a loop.
        loads.clear();
        stored = false;
        taken = 0;
      } else if (!load) {
        stored |= isa<StoreOp>(op) || op.getNumRegions();
      } else if (auto same = llvm::find_if(loads, [&](LoadOp other) { return isSame(other, load); });
                 same != loads.end() && taken <= most) {
        load.replaceAllUsesWith(same->getResult());
        load.erase();
      } else {
        taken += registersOf(load.getResult(), threads);
        Operation *place = loads.empty() ? nullptr : loads.back()->getNextNode();
        if (stored && place && taken <= most && moveBefore(load, place, /*onlyAsk=*/true))
          moveBefore(load, place, /*onlyAsk=*/false);
        else if (stored)
          continue; // later ones go in front of the store, too, or stay
        loads.push_back(load);
      }
    }
  }
};
} // namespace
