// tile-prefetch-loads: a loop over tiles starts to load the next tile before it works on this one. ptxas
// moves no load across the end of a loop, so that without this a block would have nothing in flight while it
// computes, and nothing to compute while it loads.

#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEPREFETCHLOADS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bytes of a thread that may be in flight for the next iteration: a quarter of its registers.
static constexpr int64_t kMostBytes = 128;

static int64_t bytesOfThread(LoadOp load) {
  RankedTensorType type = load.getType();
  return getLayout(type).getLayout().numRegisters() * storageBits(type.getElementType()) / 8;
}

/// The ops of the loop that compute `value`, in order; false when one of them is not pure.
static bool collect(Value value, scf::ForOp loop, llvm::SmallSetVector<Operation *, 8> &chain) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 || !isPure(op))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, loop, chain); }))
    return false;
  chain.insert(op);
  return true;
}

/// A loop whose body does nothing but load, compute and store: no products, no copies in flight.
static bool isPlain(scf::ForOp loop) {
  return !loop.getBody()
              ->walk([](Operation *op) {
                bool isOther = isa<DotOp, DotAsyncOp, CopyAsyncOp, CopyBulkOp, CommitAsyncOp, WaitAsyncOp,
                                   LoopLikeOpInterface>(op);
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

static void prefetch(scf::ForOp loop, ArrayRef<LoadOp> loads,
                     const llvm::SmallSetVector<Operation *, 8> &chain) {
  IRRewriter rewriter(loop.getContext());
  Location loc = loop.getLoc();
  /// The loads of the iteration that starts at `start`.
  auto loadAt = [&](Value start) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), start);
    for (Operation *op : chain)
      rewriter.clone(*op, mapping);
    return llvm::map_to_vector(loads, [&](LoadOp load) -> Value {
      return rewriter.clone(*load.getOperation(), mapping)->getResult(0);
    });
  };
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first = loadAt(loop.getLowerBound());
  unsigned carried = loop.getInitArgs().size();
  auto wider = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
                                        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                                          return SmallVector<Value>(arguments.begin(), arguments.end());
                                        }));
  loop = wider;
  ValueRange tiles = loop.getRegionIterArgs().drop_front(carried);
  // Nothing is loaded behind the end.
  rewriter.setInsertionPointToStart(loop.getBody());
  Value next = arith::AddIOp::create(rewriter, loc, loop.getInductionVar(), loop.getStep());
  Value isInside =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, next, loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc, tiles.getTypes(), isInside, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, loadAt(next));
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, tiles);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  yield.getResultsMutable().slice(carried, loads.size()).assign(branch.getResults());
  for (auto [each, tile] : llvm::zip_equal(loads, tiles)) {
    LoadOp load = each;
    load.getResult().replaceAllUsesWith(tile);
    load->erase();
  }
}

/// What every iteration loads alike is loaded before the loop, once.
static void hoistInvariant(scf::ForOp loop, const llvm::SmallDenseSet<Value> &written) {
  moveLoopInvariantCode(loop);
  int64_t bytes = 0;
  for (auto load : llvm::make_early_inc_range(loop.getBody()->getOps<LoadOp>())) {
    bool isInvariant = llvm::all_of(load->getOperands(),
                                    [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); });
    bytes += isInvariant ? bytesOfThread(load) : 0;
    if (isInvariant && !written.contains(sourceOf(load.getView())) && bytes <= kMostBytes)
      load->moveBefore(loop);
  }
}

namespace {
struct PrefetchLoads : tile::impl::TilePrefetchLoadsBase<PrefetchLoads> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    llvm::SmallDenseSet<Value> written;
    kernel.walk([&](Operation *op) {
      if (isa<StoreOp, StoreBulkOp>(op))
        for (Value operand : op->getOperands())
          if (isa<ViewType>(operand.getType()))
            written.insert(sourceOf(operand));
    });
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    for (scf::ForOp loop : loops) {
      // Blocks of a persistent grid all have a first tile.
      auto begin = getConstantIntValue(loop.getLowerBound()), end = getConstantIntValue(loop.getUpperBound()),
           step = getConstantIntValue(loop.getStep());
      if (loop.getLowerBound().getDefiningOp<BlockIdOp>())
        begin = 0;
      if (!begin || !end || !step || *begin + *step >= *end || !isPlain(loop))
        continue;
      hoistInvariant(loop, written);
      SmallVector<LoadOp> loads;
      llvm::SmallSetVector<Operation *, 8> chain;
      int64_t bytes = 0;
      for (auto load : loop.getBody()->getOps<LoadOp>()) {
        bool varies =
            llvm::any_of(load.getIndices(), [&](Value index) { return !loop.isDefinedOutsideOfLoop(index); });
        llvm::SmallSetVector<Operation *, 8> own(chain);
        // Before tile-assign-layouts nobody knows what a thread would have in flight.
        if (!varies || !getLayout(load.getType()) || written.contains(sourceOf(load.getView())) ||
            bytes + bytesOfThread(load) > kMostBytes ||
            !llvm::all_of(load.getIndices(), [&](Value index) { return collect(index, loop, own); }))
          continue;
        chain = own;
        bytes += bytesOfThread(load);
        loads.push_back(load);
      }
      if (!loads.empty())
        prefetch(loop, loads, chain);
    }
  }
};
} // namespace
