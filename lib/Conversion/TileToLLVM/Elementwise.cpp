// Elementwise ops on tiles: the same op on each register. Constants, splats, coordinates, broadcasts.

#include "Patterns.h"

using namespace mlir;
using namespace tilewright;

namespace {

/// `arith.addf %a, %b : tensor<…, L>` ==> one `arith.addf` per register of L.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !tile::getLayout(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "has no single tile as result");
    if (!op->hasTrait<OpTrait::Elementwise>())
      return rewriter.notifyMatchFailure(op, "is not elementwise");
    int count = layoutOf(op->getResult(0).getType()).numRegisters();
    Type type = registerType(getElementTypeOrSelf(op->getResult(0).getType()));
    SmallVector<Value> results;
    for (int r = 0; r < count; ++r) {
      OperationState state(op->getLoc(), op->getName());
      for (ValueRange operand : operands)
        state.operands.push_back(operand.size() == 1 ? operand[0] : operand[r]);
      state.addTypes(type);
      state.addAttributes(op->getAttrs());
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// `arith.truncf` to 16 bits of neighbouring registers in pairs: one cvt.rn.bf16x2.f32 where LLVM would not
/// see two conversions as one.
struct TruncatePattern : OpConversionPattern<arith::TruncFOp> {
  TruncatePattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    ValueRange registers = adaptor.getIn();
    if (!tile::getLayout(op.getType()) || !getElementTypeOrSelf(op.getIn().getType()).isF32() ||
        !(to.isBF16() || to.isF16()) || registers.size() % 2 != 0)
      return rewriter.notifyMatchFailure(op, "has no pairs of 16-bit results");
    Location loc = op.getLoc();
    auto wide = VectorType::get({2}, rewriter.getF32Type()), narrow = VectorType::get({2}, to);
    SmallVector<Value> results;
    for (size_t r = 0; r < registers.size(); r += 2) {
      Value pair = LLVM::PoisonOp::create(rewriter, loc, wide);
      for (int i : {0, 1})
        pair = LLVM::InsertElementOp::create(rewriter, loc, pair, registers[r + i],
                                             constantInt(rewriter, loc, i));
      pair = arith::TruncFOp::create(rewriter, loc, narrow, pair, op.getRoundingmodeAttr(),
                                     op.getFastmathAttr());
      for (int i : {0, 1})
        results.push_back(LLVM::ExtractElementOp::create(rewriter, loc, pair, constantInt(rewriter, loc, i)));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct ConstantPattern : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!tile::getLayout(op.getType()) || !dense || !dense.isSplat())
      return rewriter.notifyMatchFailure(op, "is no splat tile");
    Value scalar =
        arith::ConstantOp::create(rewriter, op.getLoc(), cast<TypedAttr>(dense.getSplatValue<Attribute>()));
    SmallVector<Value> results(layoutOf(op.getType()).numRegisters(), scalar);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct SplatPattern : OpConversionPattern<tile::SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::SplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results(layoutOf(op.getType()).numRegisters(), adaptor.getValue()[0]);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct BroadcastPattern : OpConversionPattern<tile::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::BroadcastOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    layout::LinearLayout to = layoutOf(op.getType()), from = layoutOf(op.getInput().getType());
    std::vector<int> dims;
    for (int d = 0; d < to.rank(); ++d)
      if (to.shape()[d] != from.shape()[d])
        dims.push_back(d);
    layout::Projection projection = to.project(dims);
    if (projection.layout != from)
      return op.emitError() << "operand's layout is not the projection of the result's";
    SmallVector<Value> results;
    for (int source : projection.map)
      results.push_back(adaptor.getInput()[source]);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct IotaPattern : OpConversionPattern<tile::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::IotaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    layout::LaneMap map = layout::laneMap(layoutOf(op.getType()));
    int d = (int)op.getDim();
    ThreadIndex thread(rewriter, loc);
    Value base = thread.emit(map.base[d]);
    Value start = asInt(rewriter, loc, adaptor.getStart()[0]);
    Type type = getElementTypeOrSelf(op.getType());
    SmallVector<Value> results;
    for (auto [constants, repeats] : llvm::zip_equal(map.constants, map.repeatOffsets)) {
      Value index = base;
      if (map.join[d] == layout::Join::Xor && index && constants[d])
        index = arith::XOrIOp::create(rewriter, loc, index, constantInt(rewriter, loc, constants[d]));
      else
        index = index ? addInt(rewriter, loc, index, constants[d]) : constantInt(rewriter, loc, constants[d]);
      index = addInt(rewriter, loc, addInt(rewriter, loc, index, repeats[d]), start);
      results.push_back(asInt(rewriter, loc, index, type.getIntOrFloatBitWidth()));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void tilewright::populateElementwisePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ElementwisePattern, TruncatePattern>(converter, patterns.getContext());
  patterns.add<ConstantPattern, SplatPattern, BroadcastPattern, IotaPattern>(converter,
                                                                             patterns.getContext());
}
