// tile-expand-conversions: a conversion through shared memory becomes store, barrier, load.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/Conversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEEXPANDCONVERSIONS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

static LogicalResult expand(ConvertLayoutOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  LayoutAttr from = getLayout(op.getInput().getType()), to = getLayout(op.getType());
  if (!from || !to)
    return op.emitError() << "converts between tiles without layouts; run tile-assign-layouts";
  auto plan = layout::conversionPlan(from.getLayout(), to.getLayout(), (int)storageBits(element));
  if (!plan)
    return op.emitError() << "has no conversion plan from " << from.getLayout().toString() << " to "
                          << to.getLayout().toString();
  const layout::ThroughShared *through = plan->shared();
  if (!through)
    return success();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto buffer = AllocOp::create(builder, loc, SharedType::get(op.getContext(), 1, element, through->shared),
                                IntegerAttr());
  Value stage = arith::ConstantIndexOp::create(builder, loc, 0);
  // In a loop the previous iteration's readers must be done before the buffer is written again.
  if (op->getParentOfType<LoopLikeOpInterface>())
    BarrierOp::create(builder, loc);
  StoreSharedOp::create(builder, loc, op.getInput(), buffer, stage);
  BarrierOp::create(builder, loc);
  auto load = LoadSharedOp::create(builder, loc, op.getType(), buffer, stage, ValueRange());
  op.replaceAllUsesWith(load.getResult());
  op.erase();
  return success();
}

namespace {
struct ExpandConversions : tile::impl::TileExpandConversionsBase<ExpandConversions> {
  using Base::Base;
  void runOnOperation() override {
    // What is stored twice, as parts that are joined may be, is converted once.
    SmallVector<ConvertLayoutOp> conversions, again;
    DenseMap<std::tuple<Block *, Value, Type>, ConvertLayoutOp> first;
    getOperation().walk([&](ConvertLayoutOp op) {
      auto [it, isFirst] = first.try_emplace({op->getBlock(), op.getInput(), op.getType()}, op);
      (isFirst ? conversions : again).push_back(op);
      if (!isFirst)
        op.replaceAllUsesWith(it->second.getResult());
    });
    for (ConvertLayoutOp op : again)
      op.erase();
    for (ConvertLayoutOp op : conversions)
      if (failed(expand(op)))
        return signalPassFailure();
  }
};
} // namespace
