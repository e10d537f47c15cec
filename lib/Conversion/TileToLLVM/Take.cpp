// Elements taken from a table in shared memory: an address of its own for each, computed from its index once
// for all elements that share it. An index outside of the table reads element 0 instead and gives zero.

#include "Async.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

namespace {

struct TakeSharedPattern : OpConversionPattern<tile::TakeSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Where in the table an index points, in elements, and whether it points there.
  struct Place {
    Value offset, valid;
  };

  static Place placeOf(OpBuilder &builder, Location loc, Value index, int64_t extent, int64_t stride) {
    unsigned bits = std::max(32u, index.getType().getIntOrFloatBitWidth());
    index = asInt(builder, loc, index, bits);
    Value zero = constantInt(builder, loc, 0, bits), end = constantInt(builder, loc, extent, bits);
    Value negative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, zero);
    Value wrapped = arith::AddIOp::create(builder, loc, index, end);
    index = arith::SelectOp::create(builder, loc, negative, wrapped, index);
    Value valid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, end);
    Value inside = arith::SelectOp::create(builder, loc, valid, asInt(builder, loc, index),
                                           constantInt(builder, loc, 0));
    return {mulInt(builder, loc, inside, stride), valid};
  }

  LogicalResult matchAndRewrite(tile::TakeSharedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::SharedType buffer = op.getBuffer().getType();
    const layout::SharedLayout &shared = buffer.getLayout();
    if (!shared.swizzle().empty() || shared.block() != shared.shape())
      return op.emitError() << "takes elements of a swizzled buffer";
    Type element = buffer.getElementType();
    LinearLayout layout = layoutOf(op.getType());
    auto indices = cast<RankedTensorType>(op.getIndices().getType());
    std::vector<int> dims;
    for (int d = 0; d < layout.rank(); ++d)
      if (layout.shape()[d] != indices.getDimSize(d))
        dims.push_back(d);
    layout::Projection projection = layout.project(dims);
    if (projection.layout != layoutOf(indices))
      return op.emitError() << "the layout of the indices is not the projection of the result's";
    Value base = stagePointer(rewriter, loc, buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    layout::LaneMap map = layout::laneMap(layout);
    ThreadIndex thread(rewriter, loc);
    int along = (int)op.getDim();
    // What the other dimensions add: a part that follows from the thread, and a constant of the register.
    SmallVector<Value> threadCoordinates;
    for (int d = 0; d < layout.rank(); ++d) {
      bool counts = d != along && shared.shape()[d] != 1;
      threadCoordinates.push_back(counts ? thread.emit(map.base[d]) : Value());
    }
    DenseMap<int, Place> places;
    const layout::RegisterMap canonical = layout.canonicalRegisters();
    SmallVector<Value> registers(layout.numRegisters());
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(registerType(element)));
    for (int r = 0; r < layout.numRegisters(); ++r) {
      if (canonical[r] != r)
        continue;
      int source = projection.map[r];
      auto [place, isNew] = places.try_emplace(source);
      if (isNew)
        place->second = placeOf(rewriter, loc, adaptor.getIndices()[source], (int64_t)op.getExtent(),
                                shared.innerStride()[along]);
      Value offset = place->second.offset;
      int64_t constant = 0;
      for (int d = 0; d < layout.rank(); ++d) {
        if (d == along || shared.shape()[d] == 1)
          continue;
        int64_t stride = shared.innerStride()[d], ofRegister = map.constants[r][d];
        constant += map.repeatOffsets[r][d] * stride;
        Value coordinate = threadCoordinates[d];
        if (coordinate && map.join[d] == layout::Join::Xor)
          coordinate =
              arith::XOrIOp::create(rewriter, loc, coordinate, constantInt(rewriter, loc, ofRegister));
        else
          constant += ofRegister * stride;
        if (coordinate)
          offset = addInt(rewriter, loc, offset, mulInt(rewriter, loc, coordinate, stride));
      }
      Value pointer = elementPointer(rewriter, loc, base, element, offset);
      if (constant)
        pointer = elementPointer(rewriter, loc, pointer, element, Value(), constant);
      Value packed = LLVM::LoadOp::create(rewriter, loc, packedType(element, 1), pointer,
                                          (unsigned)(tile::storageBits(element) / 8));
      Value value = unpackVector(rewriter, loc, packed, registerType(element), 1).front();
      registers[r] = arith::SelectOp::create(rewriter, loc, place->second.valid, value, zero);
    }
    for (auto [r, from] : llvm::enumerate(canonical))
      registers[r] = registers[from];
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

} // namespace

void tilewright::populateTakePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<TakeSharedPattern>(converter, patterns.getContext());
}
