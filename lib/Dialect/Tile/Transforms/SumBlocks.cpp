// tile-sum-blocks: blocks of a cluster add up their tiles through distributed shared memory. Each writes its
// tiles to its own shared memory, and reads its part of everyone's.

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

/// The buffer that holds the block's own tile: its parts are ranges of rows.
static Value bufferFor(SumBlocksOp op, KernelOp kernel) {
  RankedTensorType input = op.getInput().getType();
  int rank = (int)input.getRank(), cut = (int)op.getDim(), whole = cut == rank - 1 ? rank - 2 : rank - 1;
  // The dimension that is cut is not the fastest one.
  std::vector<int> order = {whole, cut};
  for (int d = rank - 1; d >= 0; --d)
    if (d != cut && d != whole)
      order.push_back(d);
  layout::Shape shape(input.getShape().begin(), input.getShape().end());
  auto shared = SharedLayout::plain(shape, order, whole == rank - 1 ? kPadOfRows : kPadOfColumns);
  OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto type = SharedType::get(op.getContext(), 1, input.getElementType(), shared);
  auto alloc = AllocOp::create(top, op.getLoc(), type, IntegerAttr());
  alloc->setAttr(AllocOp::getBehindRingsAttrName(), top.getUnitAttr());
  return alloc;
}

/// The sum of the block's part of all blocks' tiles in `buffer`.
static Value sumOfParts(OpBuilder &builder, SumBlocksOp op, Value buffer, Value stage, Value own) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  RankedTensorType result = op.getType();
  int cut = (int)op.getDim();
  SmallVector<Value> offsets(result.getRank(), index(0));
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
  return sum;
}

/// All sums of the kernel, at the last one: the blocks meet twice for all of them.
static void expand(ArrayRef<SumBlocksOp> ops, KernelOp kernel) {
  SumBlocksOp last = ops.back();
  OpBuilder builder(last);
  Location loc = last.getLoc();
  SmallVector<Value> buffers =
      llvm::map_to_vector(ops, [&](SumBlocksOp op) { return bufferFor(op, kernel); });
  Value stage = arith::ConstantIndexOp::create(builder, loc, 0);
  // The other warps' products may still read the rings, whose bytes the buffers take.
  BarrierOp::create(builder, loc);
  for (auto [op, buffer] : llvm::zip_equal(ops, buffers))
    StoreSharedOp::create(builder, loc, SumBlocksOp(op).getInput(), buffer, stage);
  ArriveClusterOp::create(builder, loc, /*own=*/true);
  AwaitClusterOp::create(builder, loc);
  Value block = BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  Value blocks = arith::ConstantIndexOp::create(builder, loc, last.getBlocks());
  Value own = arith::RemUIOp::create(builder, loc, block, blocks);
  SmallVector<Value> sums;
  for (auto [op, buffer] : llvm::zip_equal(ops, buffers))
    sums.push_back(sumOfParts(builder, op, buffer, stage, own));
  // Others may still read this block's buffers when it has come to its end.
  ArriveClusterOp::create(builder, loc, /*own=*/false);
  builder.setInsertionPoint(kernel.getBody().front().getTerminator());
  AwaitClusterOp::create(builder, loc);
  for (auto [each, sum] : llvm::zip_equal(ops, sums)) {
    SumBlocksOp op = each;
    op.replaceAllUsesWith(sum);
    op.erase();
  }
}

/// Whether the blocks can add up this tile when they add up `last`.
static bool standsBeside(SumBlocksOp op, SumBlocksOp last) {
  return op->getBlock() == last->getBlock() && op.getBlocks() == last.getBlocks() &&
         llvm::none_of(op->getUsers(), [&](Operation *user) {
           Operation *inBlock = last->getBlock()->findAncestorOpInBlock(*user);
           return !inBlock || inBlock == last || inBlock->isBeforeInBlock(last);
         });
}

namespace {
struct SumBlocks : tile::impl::TileSumBlocksBase<SumBlocks> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<SumBlocksOp> sums;
    kernel.walk([&](SumBlocksOp op) { sums.push_back(op); });
    if (sums.empty())
      return;
    for (SumBlocksOp op : sums)
      if (op->getParentOp() != kernel || !standsBeside(op, sums.back())) {
        op.emitOpError() << "stands in a loop, or apart from another one: a block adds its tiles up once";
        return signalPassFailure();
      }
    expand(sums, kernel);
  }
};
} // namespace
