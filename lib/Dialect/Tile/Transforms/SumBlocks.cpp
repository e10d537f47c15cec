// tile-sum-blocks: blocks of a cluster add up their tiles through distributed shared memory. Each writes its
// tile to its own shared memory, and reads its part of everyone's.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESUMBLOCKS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Elements between rows of the buffer, so that accumulators are written without bank conflicts: a thread has
/// two neighbours along the last dimension, eight lanes neighbours along the one before.
static constexpr int64_t kPadOfRows = 8, kPadOfColumns = 4;

static Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

static void expand(SumBlocksOp op, KernelOp kernel) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  RankedTensorType input = op.getInput().getType(), result = op.getType();
  int rank = (int)input.getRank(), cut = (int)op.getDim(), whole = cut == rank - 1 ? rank - 2 : rank - 1;
  // The dimension that is cut is not the fastest one: a part is a range of rows.
  std::vector<int> order = {whole, cut};
  for (int d = rank - 1; d >= 0; --d)
    if (d != cut && d != whole)
      order.push_back(d);
  layout::Shape shape(input.getShape().begin(), input.getShape().end());
  auto shared = SharedLayout::plain(shape, order, whole == rank - 1 ? kPadOfRows : kPadOfColumns);
  Value buffer;
  {
    OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
    auto type = SharedType::get(op.getContext(), 1, input.getElementType(), shared);
    auto alloc = AllocOp::create(top, loc, type, IntegerAttr());
    alloc->setAttr(AllocOp::getBehindRingsAttrName(), builder.getUnitAttr());
    buffer = alloc;
  }
  Value stage = index(0);
  // The other warps' products may still read the rings, whose bytes the buffer takes.
  BarrierOp::create(builder, loc);
  StoreSharedOp::create(builder, loc, op.getInput(), buffer, stage);
  ArriveClusterOp::create(builder, loc);
  AwaitClusterOp::create(builder, loc);
  Value block = BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  Value own = arith::RemUIOp::create(builder, loc, block, index(op.getBlocks()));
  SmallVector<Value> offsets(rank, index(0));
  offsets[cut] = arith::MulIOp::create(builder, loc, own, index(result.getDimSize(cut)));
  // From the own one on: so no block's memory is read by all others at once.
  SmallVector<Value> parts;
  for (int64_t i = 0; i < (int64_t)op.getBlocks(); ++i) {
    Value peer = own;
    if (i > 0) {
      peer = arith::AddIOp::create(builder, loc, own, index(i));
      peer = arith::RemUIOp::create(builder, loc, peer, index(op.getBlocks()));
    }
    auto part = LoadPeerOp::create(builder, loc, result, buffer, stage, peer, offsets);
    if (i == 0)
      part->setAttr(LoadPeerOp::getOwnAttrName(), builder.getUnitAttr());
    parts.push_back(part);
  }
  Value sum = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    sum = add(builder, loc, sum, part);
  // Others may still read this block's buffer when it has come to its end.
  ArriveClusterOp::create(builder, loc);
  builder.setInsertionPoint(kernel.getBody().front().getTerminator());
  AwaitClusterOp::create(builder, loc);
  op.replaceAllUsesWith(sum);
  op.erase();
}

namespace {
struct SumBlocks : tile::impl::TileSumBlocksBase<SumBlocks> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<SumBlocksOp> sums;
    kernel.walk([&](SumBlocksOp op) { sums.push_back(op); });
    for (SumBlocksOp op : sums) {
      if (op->getParentOp() != kernel || sums.size() > 1) {
        op.emitOpError() << "stands in a loop or beside another one: a block adds its tile up once";
        return signalPassFailure();
      }
      expand(op, kernel);
    }
  }
};
} // namespace
