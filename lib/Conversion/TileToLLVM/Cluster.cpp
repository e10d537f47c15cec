// Blocks of a cluster: loads from one another's shared memory, and the cluster's barrier.

#include "Async.h"

using namespace mlir;
using namespace tilewright;
using layout::SharedLayout;

/// The address space of shared memory of all blocks of a cluster.
static constexpr unsigned kClusterMemory = 7;

Value tilewright::peerPointer(OpBuilder &builder, Location loc, Value own, Value block) {
  auto cluster = LLVM::LLVMPointerType::get(builder.getContext(), kClusterMemory);
  return NVVM::MapaOp::create(builder, loc, cluster, own, block);
}

namespace {

/// The layout of a part of a buffer that is whole along the fastest dimension: the same strides, fewer rows.
std::optional<SharedLayout> partOf(const SharedLayout &whole, ArrayRef<int64_t> shape) {
  if (!whole.swizzle().empty() || whole.block() != whole.shape() || whole.rank() < 2)
    return std::nullopt;
  int fastest = whole.order()[0], next = whole.order()[1];
  if (shape[fastest] != whole.shape()[fastest])
    return std::nullopt;
  auto part = SharedLayout::plain({shape.begin(), shape.end()}, whole.order(),
                                  whole.innerStride()[next] - whole.shape()[fastest]);
  for (int d = 0; d < whole.rank(); ++d)
    if (shape[d] != 1 && part.innerStride()[d] != whole.innerStride()[d])
      return std::nullopt;
  return part;
}

struct LoadPeerPattern : OpConversionPattern<tile::LoadPeerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LoadPeerOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::SharedType buffer = op.getBuffer().getType();
    Type element = buffer.getElementType();
    Value base = stagePointer(rewriter, loc, buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    auto shared = partOf(buffer.getLayout(), op.getType().getShape());
    if (!shared)
      return op.emitError() << "takes a part of " << buffer << " that is no range of whole rows";
    Value offset;
    for (auto [d, index] : llvm::enumerate(adaptor.getOffsets()))
      offset =
          addInt(rewriter, loc, offset,
                 mulInt(rewriter, loc, asInt(rewriter, loc, index[0]), buffer.getLayout().innerStride()[d]));
    if (offset)
      base = elementPointer(rewriter, loc, base, element, offset);
    if (!op->hasAttr(tile::LoadPeerOp::getOwnAttrName()))
      base = peerPointer(rewriter, loc, base, asInt(rewriter, loc, adaptor.getPeer()[0]));
    auto access = layout::sharedAccess(*shared, layoutOf(op.getType()), (int)tile::storageBits(element));
    if (!access)
      return op.emitError() << "layout " << layoutOf(op.getType()).toString() << " has no access in "
                            << buffer;
    SmallVector<Value> registers = loadShared(rewriter, loc, *access, base, element);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct ArriveClusterPattern : OpConversionPattern<tile::ArriveClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ArriveClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getOwn())
      ptx::ArriveClusterOp::create(rewriter, op.getLoc(), /*aligned=*/false);
    else
      NVVM::ClusterArriveOp::create(rewriter, op.getLoc(), /*aligned=*/UnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AwaitClusterPattern : OpConversionPattern<tile::AwaitClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::AwaitClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::ClusterWaitOp::create(rewriter, op.getLoc(), /*aligned=*/UnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populateClusterPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadPeerPattern, ArriveClusterPattern, AwaitClusterPattern>(converter, patterns.getContext());
}
