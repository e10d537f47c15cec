// tile-load-early: what is loaded for later results is asked for before the first is stored. No result is an
// argument, so a load may pass a store; but no later pass and no assembler knows, and would wait for memory
// once a result.
#include "Blocks.h"
#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace tilewright::tile {
#define GEN_PASS_DEF_TILELOADEARLY
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// Registers of a thread that tiles loaded ahead may take: without reductions, beside the rows that these
/// hold, and in a step of a loop.
static constexpr int64_t kMostRegisters = 48, kMostBesideRows = 16, kMostOfStep = 32;
/// Elements of a tile that is loaded in front of a loop whose steps all need it, and of all such tiles of a
/// loop: a thread holds them throughout.
static constexpr int64_t kMostInvariant = 4, kMostInvariants = 32;
/// Of a kernel of few blocks: the registers that values of tiles take in a thread, and what a thread needs
/// besides.
static constexpr int64_t kMostLive = 96, kOtherRegisters = 24;

/// Registers that a tile takes in each of `threads` threads.
static int64_t registersOf(Value tile, int64_t threads) {
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t bytes = llvm::divideCeil((uint64_t)storageBits(type.getElementType()), 8u);
  return (int64_t)llvm::divideCeil((uint64_t)(type.getNumElements() * std::max<int64_t>(bytes, 1)),
                                   (uint64_t)(4 * threads));
}

/// Moves `op` and what it needs of its block in front of `place`, or, where that is itself needed, behind it;
/// false when some of that cannot be moved.
static bool moveBefore(Operation *op, Operation *&place, bool onlyAsk) {
  if (op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
    return true;
  for (Value operand : op->getOperands())
    if (Operation *needed = operand.getDefiningOp();
        needed && needed->getBlock() == place->getBlock() && !needed->isBeforeInBlock(place))
      if (!isPure(needed) || needed->getNumRegions() || !moveBefore(needed, place, onlyAsk))
        return false;
  if (op == place)
    place = op->getNextNode();
  else if (!onlyAsk)
    op->moveBefore(place);
  return true;
}

static bool isSame(LoadOp a, LoadOp b) {
  return OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::IgnoreLocations);
}

/// Registers that `value` takes beside what it is made of.
static int64_t weightOf(Value value, int64_t threads) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getElementType().isInteger(1) ||
      isa_and_nonnull<BroadcastOp, SplatOp, IotaOp, arith::ConstantOp>(value.getDefiningOp()))
    return 0;
  return registersOf(value, threads);
}

namespace {
/// Registers that values of tiles take at each op of a kernel's block.
struct LiveTiles {
  int64_t threads;
  DenseMap<Operation *, size_t> positions;
  SmallVector<int64_t> live;

  LiveTiles(Block &body, int64_t threads) : threads(threads) {
    for (Operation &op : body)
      positions[&op] = positions.size();
    live.assign(positions.size(), 0);
    for (Operation &op : body)
      for (Value value : op.getResults()) {
        size_t last = positions[&op];
        for (Operation *user : value.getUsers())
          last = std::max(last, positions[body.findAncestorOpInBlock(*user)]);
        hold(positions[&op] + 1, last + 1, weightOf(value, threads));
      }
  }
  void hold(size_t from, size_t to, int64_t weight) {
    for (size_t at = from; at < to; ++at)
      live[at] += weight;
  }
  /// Whether `value` may be there from `earlier` on, and not from `op` on alone; it is then.
  bool extend(Operation *earlier, Operation *op, Value value, int64_t most) {
    size_t from = positions[earlier], to = positions[op];
    int64_t weight = weightOf(value, threads);
    for (size_t at = from; at <= to; ++at)
      if (live[at] + weight > most)
        return false;
    hold(from, to, weight);
    return true;
  }
};

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
    int64_t most = keepsRows ? kMostBesideRows : kMostRegisters;
    Block &body = kernel.getBody().front();
    if (blocksOf(kernel) <= kFewBlocks)
      loadAllEarly(body, threads);
    else
      loadBeforeStores(body, threads, most);
    kernel.walk([&](scf::ForOp loop) { loadBeforeLoop(loop, kernel); });
    // What a step of a loop loads behind its first store is waited for in every step.
    kernel.walk([&](scf::ForOp loop) { loadBeforeStores(*loop.getBody(), threads, kMostOfStep); });
  }

  /// What each step would load again from one place, where it is little: a step that stores waits for it.
  static void loadBeforeLoop(scf::ForOp loop, KernelOp kernel) {
    int64_t taken = 0;
    moveLoopInvariantCode(
        loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [&](Operation *op, Region *) {
          auto load = dyn_cast<LoadOp>(op);
          int64_t elems = load ? load.getType().getNumElements() : 0;
          if (!load || elems > kMostInvariant || taken + elems > kMostInvariants ||
              isWritten(load.getView(), kernel))
            return false;
          taken += elems;
          return true;
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  }

  /// Whether the kernel writes the memory behind `view`, or that is not known.
  static bool isWritten(Value view, KernelOp kernel) {
    BlockArgument argument = argumentOf(view);
    auto writes = [&](StoreOp store) {
      return argumentOf(store.getView()) == argument ? WalkResult::interrupt() : WalkResult::advance();
    };
    return !argument || isWorkspace(view) || kernel.walk(writes).wasInterrupted();
  }

  /// Loads of `body` before its first store, where their tiles take at most `most` registers of a thread.
  static void loadBeforeStores(Block &body, int64_t threads, int64_t most) {
    int64_t taken = 0;
    // Since the block began or a loop ended: the loads, and whether something was stored.
    SmallVector<LoadOp> loads;
    bool stored = false;
    for (Operation &op : llvm::make_early_inc_range(body)) {
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
        if (Operation *asked = place;
            stored && place && taken <= most && moveBefore(load, asked, /*onlyAsk=*/true))
          moveBefore(load, place, /*onlyAsk=*/false);
        else if (stored)
          continue; // later ones go in front of the store, too, or stay
        loads.push_back(load);
      }
    }
  }

  /// Everything is asked for with the first loads, as long as the registers hold it: a kernel of few blocks
  /// waits for memory once, and not behind each of its reductions and results again.
  static void loadAllEarly(Block &body, int64_t threads) {
    LiveTiles tiles(body, threads);
    int64_t most = std::min(kMostLive, kRegisterFile / threads - kOtherRegisters);
    SmallVector<Operation *> loads;
    // What needs no other load stands before gathers: those wait for their indices.
    Operation *lastPlain = nullptr;
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (op.getNumRegions() && !isa<scf::IfOp, ReduceOp, ScanOp, SortOp>(op)) {
        loads.clear();
        lastPlain = nullptr;
        continue;
      }
      if (!isa<LoadOp, GatherOp>(op))
        continue;
      auto load = dyn_cast<LoadOp>(op);
      auto same = llvm::find_if(loads, [&](Operation *other) {
        return load && isa<LoadOp>(other) && isSame(cast<LoadOp>(other), load);
      });
      if (same != loads.end() && tiles.extend(*same, &op, op.getResult(0), most)) {
        op.getResult(0).replaceAllUsesWith((*same)->getResult(0));
        op.erase();
        continue;
      }
      Operation *last = load && lastPlain ? lastPlain : loads.empty() ? nullptr : loads.back();
      Operation *place = last ? last->getNextNode() : nullptr;
      if (Operation *asked = place; place && !moveBefore(&op, asked, /*onlyAsk=*/true))
        continue;
      if (place && tiles.extend(loads.front(), &op, op.getResult(0), most))
        moveBefore(&op, place, /*onlyAsk=*/false);
      else if (place)
        continue;
      loads.push_back(&op);
      lastPlain = load ? &op : lastPlain;
    }
  }
};
} // namespace
