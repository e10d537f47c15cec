// tile-keep-rows: loops that go over the same row one after the other read it from global memory once. All of
// its tiles are copied to shared memory before the first loop, which waits for one after the other, or, where
// pieces are too small for asynchronous copies, leaves them there; the later loops take them from there. Each
// thread copies its own elements and reads no others, so no barrier stands between. Where persistent blocks
// take rows in turn, the last loop over a row asks for a tile of the next one as soon as it has taken the
// tile in whose place that comes: memory is read while results are stored.

#include "KernelArguments.h"
#include "OwnCopies.h"

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
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

/// Whether elements of a tile side by side share what is loaded.
static bool isSharedSideBySide(LoadOp load) {
  const layout::StridedView &view = load.getView().getType().getView();
  ArrayRef<int64_t> shape = load.getType().getShape();
  for (int d = (int)shape.size() - 1; d >= 0; --d)
    if (shape[d] != 1)
      return view.dim(d).repeats() >= kSharedRun;
  return false;
}

/// Whether what is loaded differs along dimensions of which the tile has one element: rows have their own.
static bool differsByRow(LoadOp load) {
  const layout::StridedView &view = load.getView().getType().getView();
  return llvm::any_of(llvm::enumerate(load.getType().getShape()), [&](auto dim) {
    const layout::ViewDim &along = view.dim((int)dim.index());
    return dim.value() == 1 && along.extent > 1 &&
           llvm::any_of(along.modes, [](const layout::Mode &mode) { return mode.stride != 0; });
  });
}

namespace {

/// What the kept loads of a kernel become.
struct RowKeeper {
  KernelOp kernel;
  /// The loop over the rows of a persistent block; null where a block has one.
  scf::ForOp rows = {};
  /// The loop that starts the copies of a loop's tiles, and the place in the latter where a tile has come.
  llvm::MapVector<Operation *, scf::ForOp> copies = {};
  /// In a loop that reads tiles for the last time, what it asks for when there is a next row.
  llvm::MapVector<Operation *, scf::IfOp> guards = {};

  scf::ForOp copiesBefore(KeptLoad &kept);
  bool copyAhead(KeptLoad &kept, Value buffer);
  bool asksInTurn(const KeptLoad &kept) const;
  void copyTile(OpBuilder &builder, const KeptLoad &kept, Value row, Value index, Value buffer);
  void copyNext(KeptLoad &kept, Value buffer, scf::ForOp last);
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
  if (rows) {
    builder.setInsertionPoint(rows);
    auto bound = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    ahead = scf::ForOp::create(builder, loc, bound(kept.trips.begin), bound(kept.trips.end),
                               bound(kept.trips.step));
  } else {
    ahead = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  }
  builder.setInsertionPoint(ahead.getBody()->getTerminator());
  CommitAsyncOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  CommitAsyncOp::create(builder, loc);
  WaitAsyncOp::create(builder, loc, kept.trips.count());
  return ahead;
}

/// Whether what `value` needs of the loops up to `outer` can be computed again elsewhere.
static bool isComputedAgain(Value value, scf::ForOp inner, scf::ForOp outer) {
  if (outer.isDefinedOutsideOfLoop(value) || value == outer.getInductionVar() ||
      value == inner.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isComputedAgain(operand, inner, outer);
         });
}

/// `value` as it is where the induction variables are what `mapping` says.
static Value computeAgain(OpBuilder &builder, Value value, scf::ForOp outer, IRMapping &mapping) {
  if (outer.isDefinedOutsideOfLoop(value) || mapping.contains(value))
    return mapping.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    computeAgain(builder, operand, outer, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Whether the tiles of the next row can be asked for while this row's are read for the last time.
bool RowKeeper::asksInTurn(const KeptLoad &kept) const {
  scf::ForOp loop = kept.trips.loop, outer = rows;
  return outer && llvm::all_of(kept.load->getOperands(),
                               [&](Value operand) { return isComputedAgain(operand, loop, outer); });
}

/// The copy that does what `kept` does for the row at `row` in the iteration at `index`.
void RowKeeper::copyTile(OpBuilder &builder, const KeptLoad &kept, Value row, Value index, Value buffer) {
  scf::ForOp loop = kept.trips.loop;
  LoadOp load = kept.load;
  IRMapping mapping;
  mapping.map(rows.getInductionVar(), row);
  mapping.map(loop.getInductionVar(), index);
  auto at = [&](Value value) { return computeAgain(builder, value, rows, mapping); };
  Value view = at(load.getView());
  SmallVector<Value> indices = llvm::map_to_vector(load.getIndices(), at);
  Location loc = load.getLoc();
  Value step = arith::ConstantIndexOp::create(builder, loc, kept.trips.step), number = index;
  if (kept.trips.begin)
    number = arith::SubIOp::create(builder, loc, index,
                                   arith::ConstantIndexOp::create(builder, loc, kept.trips.begin));
  number = arith::DivUIOp::create(builder, loc, number, step);
  auto copy = CopyAsyncOp::create(builder, loc, view, indices, buffer, number, getLayout(load.getType()),
                                  load.getDivisors(), load.getInBounds());
  setAligned(copy, alignedElems(load));
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
  if (rows)
    copyTile(builder, kept, rows.getLowerBound(), ahead.getInductionVar(), buffer);
  else
    copyOwnElements(builder, kept.load, loop, ahead.getInductionVar(), buffer,
                    kept.trips.number(builder, ahead.getInductionVar(), kept.load.getLoc()));
  return true;
}

/// Where `taken`, in the last loop over the row, has its tile: the copy of the next row's into the same
/// place. The group of each iteration is closed where the loop ends, also behind the last row.
void RowKeeper::copyNext(KeptLoad &kept, Value buffer, scf::ForOp last) {
  Location loc = kept.load.getLoc();
  scf::IfOp &guard = guards[last];
  OpBuilder builder(last.getBody()->getTerminator());
  if (!guard) {
    Value next = arith::AddIOp::create(builder, loc, rows.getInductionVar(), rows.getStep());
    Value isRow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, next, rows.getUpperBound());
    guard = scf::IfOp::create(builder, loc, isRow, /*withElseRegion=*/false);
    CommitAsyncOp::create(builder, loc);
  }
  builder.setInsertionPoint(guard);
  Value next = guard.getCondition().getDefiningOp<arith::CmpIOp>().getLhs();
  builder.setInsertionPoint(guard.thenBlock()->getTerminator());
  copyTile(builder, kept, next, last.getInductionVar(), buffer);
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
  if (copyAhead(kept, buffer)) {
    if (rows)
      copyNext(kept, buffer, kept.repeats.back().second);
    return take(kept.load, kept.trips.loop);
  }
  builder.setInsertionPointAfter(kept.load);
  Value stage = kept.trips.number(builder, kept.trips.loop.getInductionVar(), loc);
  auto stored = StoreSharedOp::create(builder, loc, kept.load.getResult(), buffer, stage);
  stored->setAttr(kOwnElementsAttrName, builder.getUnitAttr());
}

/// The loop of persistent blocks over their tiles (tile-persistent), when the kernel is nothing else.
static scf::ForOp loopOverRows(KernelOp kernel) {
  auto loops = kernel.getBody().getOps<scf::ForOp>();
  if (!llvm::hasSingleElement(loops))
    return {};
  scf::ForOp loop = *loops.begin();
  return loop.getLowerBound().getDefiningOp<BlockIdOp>() ? loop : scf::ForOp();
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
    scf::ForOp rows = loopOverRows(kernel);
    for (auto loop : (rows ? rows.getBodyRegion() : kernel.getBody()).getOps<scf::ForOp>()) {
      std::optional<Trips> trips = tripsOf(loop);
      if (!trips)
        continue;
      for (auto load : loop.getBody()->getOps<LoadOp>()) {
        if (written.contains(sourceOf(load.getView())) || !varies(load, loop) || !isOwned(load) ||
            isSharedSideBySide(load))
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
    llvm::erase_if(found, [](const KeptLoad &kept) { return kept.repeats.empty(); });
    // What all rows share stays in the caches where the rows themselves leave no room.
    llvm::stable_sort(found, [](const KeptLoad &a, const KeptLoad &b) {
      return differsByRow(a.load) && !differsByRow(b.load);
    });
    RowKeeper keeper{kernel, rows};
    // Groups of copies are counted: those of one loop's tiles.
    if (llvm::any_of(found, [&](const KeptLoad &kept) {
          return kept.trips.loop != found.front().trips.loop || !keeper.asksInTurn(kept);
        }))
      keeper.rows = {};
    for (KeptLoad &kept : found) {
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
