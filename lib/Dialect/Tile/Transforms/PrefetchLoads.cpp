// tile-prefetch-loads: a loop over tiles starts to load the next tiles before it works on this one. ptxas
// moves no load across the end of a loop, so that without this a block would have nothing in flight while it
// computes, and nothing to compute while it loads.

#include "Blocks.h"
#include "KernelArguments.h"
#include "Loops.h"
#include "PeelEnd.h"

#include "Tilewright/Analysis/TileBudget.h"
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

namespace {
/// A loop's loads on their way to an earlier step.
struct Prefetch {
  scf::ForOp loop;
  ArrayRef<LoadOp> loads;
  /// The ops that their places follow from.
  const llvm::SmallSetVector<Operation *, 8> &chain;
  /// The step behind the loop's last one, if any, which that loads for, and its loads.
  const std::optional<PeeledEnd> &peeled;
  SmallVector<LoadOp> ofEnd;
  IRRewriter rewriter;
  Location loc;

  Prefetch(scf::ForOp loop, ArrayRef<LoadOp> loads, const llvm::SmallSetVector<Operation *, 8> &chain,
           const std::optional<PeeledEnd> &peeled)
      : loop(loop), loads(loads), chain(chain), peeled(peeled), rewriter(loop.getContext()),
        loc(loop.getLoc()) {
    for (LoadOp load : peeled ? loads : ArrayRef<LoadOp>())
      ofEnd.push_back(cast<LoadOp>(peeled->mapping.lookup(load.getOperation())));
  }
  void askForNext();
  void takeSteps(int64_t depth);

private:
  SmallVector<Value> loadAt(Value start, ArrayRef<LoadOp> these);
  SmallVector<Value> workOn(Value start, ArrayRef<Value> carried, ArrayRef<Value> tiles);
};
} // namespace

/// The loads of the iteration that starts at `start`, as `these` say what is in bounds.
SmallVector<Value> Prefetch::loadAt(Value start, ArrayRef<LoadOp> these) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), start);
  for (Operation *op : chain)
    rewriter.clone(*op, mapping);
  SmallVector<Value> loaded;
  for (auto [load, from] : llvm::zip_equal(loads, these)) {
    LoadOp bounded = from;
    auto copy = cast<LoadOp>(rewriter.clone(*LoadOp(load), mapping));
    copy.setInBounds(bounded.getInBounds());
    loaded.push_back(copy);
  }
  return loaded;
}

/// The step at `start`: what follows from what the loop carries, and from its tiles.
SmallVector<Value> Prefetch::workOn(Value start, ArrayRef<Value> carried, ArrayRef<Value> tiles) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), start);
  mapping.map(loop.getRegionIterArgs(), carried);
  for (auto [load, tile] : llvm::zip_equal(loads, tiles))
    mapping.map(LoadOp(load).getResult(), tile);
  for (Operation &op : loop.getBody()->without_terminator())
    if (!llvm::is_contained(loads, &op))
      rewriter.clone(op, mapping);
  return llvm::map_to_vector(loop.getBody()->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// The tiles of one step on their way: each iteration loads for the next one where there is one.
void Prefetch::askForNext() {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> first = loadAt(loop.getLowerBound(), loads);
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
  scf::YieldOp::create(rewriter, loc, loadAt(next, loads));
  rewriter.setInsertionPointToStart(branch.elseBlock());
  if (peeled)
    scf::YieldOp::create(rewriter, loc, loadAt(peeled->start, ofEnd));
  else
    scf::YieldOp::create(rewriter, loc, tiles);
  for (auto [load, tile] : llvm::zip(ofEnd, loop.getResults().drop_front(carried)))
    rewriter.replaceOp(load, tile);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  yield.getResultsMutable().slice(carried, loads.size()).assign(branch.getResults());
  for (auto [each, tile] : llvm::zip_equal(loads, tiles)) {
    LoadOp load = each;
    load.getResult().replaceAllUsesWith(tile);
    load->erase();
  }
}

/// Bytes that a multiprocessor is to have on their way, its warps at most, and multiprocessors.
static constexpr int64_t kWantedBytes = 36 * 1024, kMostResident = 48, kMultiprocessors = 132;
/// Steps' tiles on their way at most, registers of a thread beside these and beside what the loop carries,
/// and instructions of a loop's steps. (H200, us, with the tiles of 1, 2 and 4 steps on their way: one row
/// times 3001x3001 bf16 15.2, 10.5, 8.8, times 1335x3693 8.6, 6.5, 5.8, times 5001x5001 26.0, 22.8 and, where
/// registers leave a multiprocessor one block of the two that it would have, 24.3.)
static constexpr int64_t kMostDepth = 4, kOtherRegisters = 24, kMostCode = 1024;

/// Registers of a tile that a thread loads: what is narrower than a word takes one by itself.
static int64_t registersOf(LoadOp load) {
  RankedTensorType type = load.getType();
  return getLayout(type).getLayout().numRegisters() *
         std::max<int64_t>(1, storageBits(type.getElementType()) / 32);
}

/// About as many instructions as a thread has in a step.
static int64_t codeOf(scf::ForOp loop) {
  int64_t count = 0;
  loop.getBody()->walk([&](Operation *op) {
    int64_t registers = 1;
    for (Type type : op->getResultTypes())
      if (LayoutAttr layout = getLayout(type))
        registers = std::max<int64_t>(registers, layout.getLayout().numRegisters());
    count += registers * tilewright::instructionsOf(op);
  });
  return count;
}

/// How many steps' tiles are on their way at a time, so that they are enough and blocks find registers.
static int64_t depthOf(KernelOp kernel, scf::ForOp loop, ArrayRef<LoadOp> loads) {
  int64_t blocks = blocksOf(kernel), registers = 0, bytes = 0, others = kOtherRegisters;
  for (LoadOp load : loads) {
    RankedTensorType type = load.getType();
    registers += registersOf(load);
    bytes += type.getNumElements() * storageBits(type.getElementType()) / 8;
  }
  for (Value carried : loop.getRegionIterArgs())
    if (LayoutAttr layout = getLayout(carried.getType()))
      others += layout.getLayout().numRegisters();
  auto warps = (int64_t)kernel.getWarps();
  int64_t together = llvm::divideCeil(blocks, kMultiprocessors),
          resident = std::min(together, std::max<int64_t>(1, kMostResident / warps));
  int64_t wanted = llvm::divideCeil(kWantedBytes, resident * bytes),
          room = (kRegisterFile / (32 * warps * resident) - others) / registers;
  return std::max<int64_t>(1, std::min({wanted, kMostDepth, room, *tripCount(loop) / 2}));
}

/// Tiles of `depth` steps on their way: those of the first ones are loaded before the loop, of which each
/// iteration takes as many steps, and loads for the same ones of the next when it is done with each. The last
/// iteration is behind the loop, with the steps that are left and what is `peeled`. Nothing in the loop asks
/// whether there is a next step.
void Prefetch::takeSteps(int64_t depth) {
  int64_t begin = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep()),
          trips = *tripCount(loop), rounds = trips / depth, rest = trips % depth;
  rewriter.setInsertionPoint(loop);
  auto placeOf = [&](int64_t number) { return indexConstant(rewriter, loc, begin + number * step); };
  SmallVector<SmallVector<Value>> tiles;
  for (int64_t j = 0; j < depth; ++j)
    tiles.push_back(loadAt(placeOf(j), loads));
  SmallVector<Value> carried(loop.getInitArgs());
  unsigned own = carried.size(), each = loads.size();
  if (rounds > 1) {
    SmallVector<Value> inits(carried);
    for (ArrayRef<Value> ofStep : tiles)
      llvm::append_range(inits, ofStep);
    auto ahead = scf::ForOp::create(rewriter, loc, loop.getLowerBound(), placeOf((rounds - 1) * depth),
                                    indexConstant(rewriter, loc, depth * step), inits);
    rewriter.setInsertionPointToStart(ahead.getBody());
    SmallVector<Value> values(ahead.getRegionIterArgs().take_front(own)), next;
    auto place = [&](int64_t number) -> Value {
      return number == 0 ? ahead.getInductionVar()
                         : arith::AddIOp::create(rewriter, loc, ahead.getInductionVar(),
                                                 indexConstant(rewriter, loc, number * step));
    };
    for (int64_t j = 0; j < depth; ++j) {
      SmallVector<Value> ofStep(ahead.getRegionIterArgs().slice(own + j * each, each));
      // One tile comes while the other is worked on; of several each comes where the last one was.
      if (depth == 1)
        llvm::append_range(next, loadAt(place(1), loads));
      values = workOn(place(j), values, ofStep);
      if (depth > 1)
        llvm::append_range(next, loadAt(place(depth + j), loads));
    }
    llvm::append_range(values, next);
    scf::YieldOp::create(rewriter, loc, values);
    rewriter.setInsertionPoint(loop);
    carried.assign(ahead.getResults().begin(), ahead.getResults().begin() + own);
    for (int64_t j = 0; j < depth; ++j)
      tiles[j].assign(ahead.getResults().begin() + own + j * each,
                      ahead.getResults().begin() + own + (j + 1) * each);
  }
  int64_t last = (rounds - 1) * depth;
  for (int64_t j = 0; j < depth; ++j) {
    carried = workOn(placeOf(last + j), carried, tiles[j]);
    if (j < rest)
      tiles[j] = loadAt(placeOf(last + depth + j), loads);
    else if (j == rest && peeled)
      tiles[j] = loadAt(peeled->start, ofEnd);
  }
  for (int64_t j = 0; j < rest; ++j)
    carried = workOn(placeOf(last + depth + j), carried, tiles[j]);
  for (auto [load, tile] : llvm::zip(ofEnd, tiles[rest]))
    rewriter.replaceOp(LoadOp(load), tile);
  rewriter.replaceOp(loop, carried);
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
      int64_t code = codeOf(loop);
      std::optional<PeeledEnd> peeled = 4 * code <= kMostCode ? peelEnd(loop) : std::nullopt;
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
      if (loads.empty())
        continue;
      bool isCounted = getConstantIntValue(loop.getLowerBound()).has_value();
      int64_t depth = isCounted ? depthOf(kernel, loop, loads) : 0;
      code = codeOf(loop);
      while (depth > 1 && (3 * depth + 1) * code > kMostCode)
        --depth;
      if (depth > 0 && (3 * depth + 1) * code <= kMostCode)
        Prefetch(loop, loads, chain, peeled).takeSteps(depth);
      else
        Prefetch(loop, loads, chain, peeled).askForNext();
    }
  }
};
} // namespace
