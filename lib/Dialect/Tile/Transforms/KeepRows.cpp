// tile-keep-rows: loops that go over the same row one after the other read it from global memory once. All of
// its tiles are copied to shared memory before the first loop, which waits for one after the other, or, where
// pieces are too small for asynchronous copies, leaves them there; the later loops take them from there. Each
// thread copies its own elements and reads no others, so no barrier stands between.

#include "KernelArguments.h"
#include "OwnCopies.h"

#include "Tilewright/Dialect/Tile/IR/OwnElements.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEKEEPROWS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// A load that may be kept, and those of later loops that repeat it.
struct KeptLoad {
  LoadOp load;
  Trips trips;
  SmallVector<std::pair<LoadOp, scf::ForOp>> repeats;
};

} // namespace

/// Whether `a` in one loop and `b` in the other are the same number in the same iteration.
static bool isSame(Value a, scf::ForOp loopA, Value b, scf::ForOp loopB) {
  if (a == b)
    return loopA.isDefinedOutsideOfLoop(a) && loopB.isDefinedOutsideOfLoop(b);
  if (a == loopA.getInductionVar())
    return b == loopB.getInductionVar();
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  if (!opA || !opB || opA->getName() != opB->getName() || opA->getAttrs() != opB->getAttrs() ||
      opA->getNumOperands() != opB->getNumOperands() || opA->getNumRegions() != 0 || !isPure(opA) ||
      cast<OpResult>(a).getResultNumber() != cast<OpResult>(b).getResultNumber())
    return false;
  return llvm::all_of(llvm::zip(opA->getOperands(), opB->getOperands()),
                      [&](auto pair) { return isSame(std::get<0>(pair), loopA, std::get<1>(pair), loopB); });
}

static bool varies(LoadOp load, scf::ForOp loop) {
  return llvm::any_of(load.getIndices(), [&](Value index) { return !loop.isDefinedOutsideOfLoop(index); });
}

namespace {

/// What the kept loads of a kernel become.
struct RowKeeper {
  KernelOp kernel;
  /// The loop that starts the copies of a loop's tiles, and the place in the latter where a tile has come.
  llvm::MapVector<Operation *, scf::ForOp> copies = {};

  scf::ForOp copiesBefore(KeptLoad &kept);
  bool copyAhead(KeptLoad &kept, Value buffer);
  void keep(KeptLoad &kept, SharedType type);
};

} // namespace

/// The loop in front of that of `kept` which starts a group of copies for each of its tiles. In the loop of
/// `kept` a group, empty, is closed in each iteration: of as many groups as there are tiles, those that may
/// be in flight then are always the ones behind this iteration's.
scf::ForOp RowKeeper::copiesBefore(KeptLoad &kept) {
  scf::ForOp loop = kept.trips.loop;
  scf::ForOp &ahead = copies[loop];
  if (ahead)
    return ahead;
  Location loc = kept.load.getLoc();
  OpBuilder builder(loop);
  ahead = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  builder.setInsertionPoint(ahead.getBody()->getTerminator());
  CommitAsyncOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  CommitAsyncOp::create(builder, loc);
  WaitAsyncOp::create(builder, loc, kept.trips.count());
  return ahead;
}

/// All tiles of `kept` asked for before its loop; false where threads cannot copy them.
bool RowKeeper::copyAhead(KeptLoad &kept, Value buffer) {
  scf::ForOp loop = kept.trips.loop;
  Chain chain;
  if (!copiesOwnElements(kept.load) || !llvm::all_of(kept.load->getOperands(), [&](Value operand) {
        return collectChain(operand, loop, chain);
      }))
    return false;
  scf::ForOp ahead = copiesBefore(kept);
  OpBuilder builder = OpBuilder::atBlockBegin(ahead.getBody());
  copyOwnElements(builder, kept.load, loop, ahead.getInductionVar(), buffer,
                  kept.trips.number(builder, ahead.getInductionVar(), kept.load.getLoc()));
  return true;
}

void RowKeeper::keep(KeptLoad &kept, SharedType type) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kept.load.getLoc();
  Value buffer = AllocOp::create(builder, loc, type, IntegerAttr());
  auto take = [&](LoadOp load, scf::ForOp loop) {
    takeOwnElements(load, buffer, [&](OpBuilder &at) {
      return Trips{loop, kept.trips.begin, kept.trips.end, kept.trips.step}.number(at, loop.getInductionVar(),
                                                                                   loc);
    });
  };
  for (auto [load, loop] : kept.repeats)
    take(load, loop);
  if (copyAhead(kept, buffer))
    return take(kept.load, kept.trips.loop);
  builder.setInsertionPointAfter(kept.load);
  Value stage = kept.trips.number(builder, kept.trips.loop.getInductionVar(), loc);
  auto stored = StoreSharedOp::create(builder, loc, kept.load.getResult(), buffer, stage);
  stored->setAttr(kOwnElementsAttrName, builder.getUnitAttr());
}

namespace {
struct KeepRows : tile::impl::TileKeepRowsBase<KeepRows> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto limit = kernel->getAttrOfType<IntegerAttr>(KernelOp::getKeptBytesAttrName());
    if (!limit)
      return;
    kernel->removeAttr(KernelOp::getKeptBytesAttrName());
    llvm::SmallDenseSet<Value> written;
    kernel.walk([&](StoreOp store) { written.insert(sourceOf(store.getView())); });
    SmallVector<KeptLoad> found;
    for (auto loop : kernel.getBody().getOps<scf::ForOp>()) {
      std::optional<Trips> trips = tripsOf(loop);
      if (!trips)
        continue;
      for (auto load : loop.getBody()->getOps<LoadOp>()) {
        if (written.contains(sourceOf(load.getView())) || !varies(load, loop) || !isOwned(load))
          continue;
        auto repeats = [&](KeptLoad &kept) {
          return kept.trips.loop != loop && kept.trips == *trips && kept.load.getView() == load.getView() &&
                 kept.load.getType() == load.getType() && kept.load->getAttrs() == load->getAttrs() &&
                 llvm::all_of(llvm::zip(kept.load.getIndices(), load.getIndices()), [&](auto pair) {
                   return isSame(std::get<0>(pair), kept.trips.loop, std::get<1>(pair), loop);
                 });
        };
        auto *earlier = llvm::find_if(found, repeats);
        if (earlier == found.end())
          found.push_back({load, *trips, {}});
        else
          earlier->repeats.push_back({load, loop});
      }
    }
    int64_t left = limit.getInt();
    RowKeeper keeper{kernel};
    for (KeptLoad &kept : found) {
      if (kept.repeats.empty())
        continue;
      SharedType type = ownBufferOf(kept.load, kept.trips.count());
      int64_t bytes = type.getStages() * type.getStageBytes();
      if (bytes > left)
        continue;
      left -= bytes;
      keeper.keep(kept, type);
    }
  }
};
} // namespace
