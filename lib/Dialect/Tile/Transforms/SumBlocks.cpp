// tile-sum-blocks: blocks of a cluster add up their tiles through distributed shared memory. Each pushes the
// parts of its tiles to the blocks that they are for, and adds up what it got.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESUMBLOCKS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Of accumulators an instruction of a warp stores 8 rows of 8 elements, two for each lane (PTX ISA, wgmma,
/// the fragment of D): where these lie together other blocks get twice the bytes in the same time.
static constexpr int64_t kFragment = 8;
/// So that threads read other banks: elements of a fragment to one of the padding behind it, for those that
/// go along rows, and elements behind a row of fragments for those that go along columns.
static constexpr int64_t kElemsToPad = 8, kColumnPad = 2;

static Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

/// The buffer that gets the blocks' parts.
static Value bufferFor(OpBuilder &builder, SumBlocksOp op) {
  RankedTensorType input = op.getInput().getType();
  std::vector<int> order;
  for (int d = (int)input.getRank(); d-- > 0;)
    order.push_back(d);
  layout::Shape shape(input.getShape().begin(), input.getShape().end()), block(shape.size(), 1);
  for (int64_t d = input.getRank() - 2; d < input.getRank(); ++d)
    block[d] = std::gcd(kFragment, op.getType().getDimSize(d));
  // Results that are cut along the last dimension are contiguous along the one before.
  bool alongColumns = (int64_t)op.getDim() == input.getRank() - 1;
  auto shared = SharedLayout::blockedBy(
      shape, block, order, {llvm::product_of(block) / kElemsToPad, alongColumns ? kColumnPad : 0});
  return AllocOp::create(builder, op.getLoc(),
                         SharedType::get(op.getContext(), 1, input.getElementType(), shared), IntegerAttr());
}

/// The sum of all blocks' parts in `buffer`, from the own one on: an order that does not vary.
static Value sumOfParts(OpBuilder &builder, SumBlocksOp op, Value buffer, Value stage, Value own) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  RankedTensorType result = op.getType();
  int cut = (int)op.getDim();
  Value sum;
  for (int64_t i = 0; i < (int64_t)op.getBlocks(); ++i) {
    Value block = own;
    if (i > 0) {
      block = arith::AddIOp::create(builder, loc, own, index(i));
      block = arith::RemUIOp::create(builder, loc, block, index(op.getBlocks()));
    }
    SmallVector<Value> offsets(result.getRank(), index(0));
    offsets[cut] = arith::MulIOp::create(builder, loc, block, index(result.getDimSize(cut)));
    Value part = LoadSharedOp::create(builder, loc, result, buffer, stage, offsets);
    sum = sum ? add(builder, loc, sum, part) : part;
  }
  return sum;
}

/// All sums of the kernel, at the last one, with one barrier for the parts of all of them.
static void expand(ArrayRef<SumBlocksOp> ops, KernelOp kernel) {
  SumBlocksOp last = ops.back();
  Location loc = last.getLoc();
  OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<Value> buffers = llvm::map_to_vector(ops, [&](SumBlocksOp op) { return bufferFor(top, op); });
  auto ring =
      RingOp::create(top, loc, RingType::get(kernel.getContext(), 1), buffers, IntegerAttr(), IntegerAttr());
  ring->setAttr(RingOp::getPushersAttrName(), top.getI64IntegerAttr((int64_t)last.getBlocks()));
  OpBuilder builder(last);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value block = BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  Value blocks = arith::ConstantIndexOp::create(builder, loc, last.getBlocks());
  Value own = arith::RemUIOp::create(builder, loc, block, blocks);
  // Nobody may push before the others have made their barriers. An arrival at the top would let early blocks
  // push sooner (at most 1 % of a product's time on an H200); but under compute-sanitizer kernels do not end
  // whose warps have arrived, but not waited, while they go through a ring and the warps that fill it end.
  ArriveClusterOp::create(builder, loc, /*own=*/true);
  AwaitClusterOp::create(builder, loc);
  for (auto [op, buffer] : llvm::zip_equal(ops, buffers))
    PushPartsOp::create(builder, loc, SumBlocksOp(op).getInput(), buffer, zero, own, ring, zero,
                        SumBlocksOp(op).getDim(), last.getBlocks());
  BarrierOp::create(builder, loc);
  WaitOp::create(builder, loc, ring, zero);
  SmallVector<Value> sums;
  for (auto [op, buffer] : llvm::zip_equal(ops, buffers))
    sums.push_back(sumOfParts(builder, op, buffer, zero, own));
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
