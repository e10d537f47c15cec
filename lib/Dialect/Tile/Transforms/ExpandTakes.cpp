// tile-expand-takes: a table from which elements are taken at indices goes to shared memory once, and the
// takes read it there. A table that is loaded for them alone is copied asynchronously.

#include "OwnCopies.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEEXPANDTAKES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// The table as it is computed: in whichever layout it is stored, a take finds its elements.
static Value storedTable(TakeOp take) {
  Value table = take.getTable();
  while (auto conversion = table.getDefiningOp<ConvertLayoutOp>())
    table = conversion.getInput();
  return table;
}

/// Whether nothing reads the elements of `value` but takes.
static bool isTakenAlone(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    if (auto take = dyn_cast<TakeOp>(use.getOwner()))
      return use.get() == take.getTable() && use.get() != take.getIndices();
    auto conversion = dyn_cast<ConvertLayoutOp>(use.getOwner());
    return conversion && isTakenAlone(conversion.getResult());
  });
}

/// The buffer is written where the table is computed, and complete before the first of `takes` reads it.
static LogicalResult expand(Value table, MutableArrayRef<TakeOp> takes) {
  auto type = cast<RankedTensorType>(table.getType());
  Operation *definition = table.getDefiningOp();
  if (!definition || !getLayout(type))
    return takes.front().emitError()
           << "takes from a table without a layout, or that no op computes; run tile-assign-layouts";
  OpBuilder builder(table.getContext());
  builder.setInsertionPointAfter(definition);
  Location loc = definition->getLoc();
  Value buffer = AllocOp::create(builder, loc, ownBufferOf(type, 1), IntegerAttr());
  Value stage = arith::ConstantIndexOp::create(builder, loc, 0);
  // In a loop the previous iteration's readers must be done before the buffer is written again.
  if (definition->getParentOfType<LoopLikeOpInterface>())
    BarrierOp::create(builder, loc);
  auto load = dyn_cast<LoadOp>(definition);
  bool copies = load && isTakenAlone(table) && copiesOwnElements(load);
  if (copies) {
    CopyAsyncOp::create(builder, loc, load.getView(), load.getIndices(), buffer, stage, getLayout(type),
                        load.getDivisors(), load.getInBounds());
    CommitAsyncOp::create(builder, loc);
  } else {
    StoreSharedOp::create(builder, loc, table, buffer, stage);
  }
  // As late as possible: what needs no table goes on meanwhile.
  Operation *first = nullptr;
  for (TakeOp take : takes) {
    Operation *here = definition->getBlock()->findAncestorOpInBlock(*take);
    first = !first || here->isBeforeInBlock(first) ? here : first;
  }
  builder.setInsertionPoint(first);
  if (copies)
    WaitAsyncOp::create(builder, loc, 0);
  BarrierOp::create(builder, loc);
  for (TakeOp take : takes) {
    builder.setInsertionPoint(take);
    auto taken = TakeSharedOp::create(builder, take.getLoc(), take.getType(), buffer, stage,
                                      take.getIndices(), take.getDim(), take.getExtent());
    SmallVector<Operation *> dead;
    for (Value value = take.getTable(); value != table;
         value = value.getDefiningOp<ConvertLayoutOp>().getInput())
      dead.push_back(value.getDefiningOp());
    take.replaceAllUsesWith(taken.getResult());
    take.erase();
    for (Operation *op : dead)
      if (op->use_empty())
        op->erase();
  }
  if (copies)
    load.erase();
  return success();
}

namespace {
struct ExpandTakes : tile::impl::TileExpandTakesBase<ExpandTakes> {
  using Base::Base;
  void runOnOperation() override {
    llvm::MapVector<Value, SmallVector<TakeOp>> tables;
    getOperation().walk([&](TakeOp take) { tables[storedTable(take)].push_back(take); });
    for (auto &[table, takes] : tables)
      if (failed(expand(table, takes)))
        return signalPassFailure();
  }
};
} // namespace
