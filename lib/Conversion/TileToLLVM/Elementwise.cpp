// Elementwise ops on tiles: the same op on each register. Constants, splats, coordinates, broadcasts.

#include "Patterns.h"

#include "Tilewright/Target/Float8.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

/// Whether `op` divides integers by what may be zero.
static bool mayDivideByZero(Operation *op) {
  DenseElementsAttr dense;
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
         !(matchPattern(op->getOperand(1), m_Constant(&dense)) && dense.isSplat() &&
           !dense.getSplatValue<APInt>().isZero());
}

/// `divisor`, or one where it is zero: elements of a tile that lie outside of a tensor are loaded as zero,
/// and LLVM takes a quotient that nobody stores for a promise that its divisor is none.
static Value avoidZero(OpBuilder &builder, Location loc, Value divisor) {
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(divisor.getType(), value));
  };
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, divisor, number(0));
  return arith::SelectOp::create(builder, loc, isZero, number(1), divisor);
}

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
    auto isNarrow = [](Value value) { return isFloat8(getElementTypeOrSelf(value)); };
    if (!isa<arith::SelectOp, arith::BitcastOp>(op) &&
        (llvm::any_of(op->getOperands(), isNarrow) || isNarrow(op->getResult(0))))
      return op->emitError() << "computes with 8-bit floats, which are stored and multiplied by matrix "
                                "instructions alone; convert them first";
    int count = layoutOf(op->getResult(0).getType()).numRegisters();
    Type type = registerType(getElementTypeOrSelf(op->getResult(0).getType()));
    bool divides = mayDivideByZero(op);
    SmallVector<Value> results;
    for (int r = 0; r < count; ++r) {
      OperationState state(op->getLoc(), op->getName());
      for (ValueRange operand : operands)
        state.operands.push_back(operand.size() == 1 ? operand[0] : operand[r]);
      if (divides)
        state.operands[1] = avoidZero(rewriter, op->getLoc(), state.operands[1]);
      state.addTypes(type);
      state.addAttributes(op->getAttrs());
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// Two floats in 16 bits each, rounded to nearest even by one instruction.
Value convertPair(OpBuilder &builder, Location loc, Value low, Value high, VectorType type) {
  auto convert = [&](auto op) -> Value {
    return decltype(op)::create(builder, loc, type, high, low, /*random_bits=*/Value(),
                                NVVM::FPRoundingMode::RN, NVVM::SaturationMode::NONE, /*relu=*/false);
  };
  return type.getElementType().isBF16() ? convert(NVVM::ConvertF32x2ToBF16x2Op())
                                        : convert(NVVM::ConvertF32x2ToF16x2Op());
}

/// `arith.truncf` to 16 bits of neighbouring registers in pairs. LLVM would take a pair apart whose halves
/// are used one by one, and ptxas lets products wait for one another whose accumulators are converted so
/// (C7514).
struct TruncatePattern : OpConversionPattern<arith::TruncFOp> {
  TruncatePattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    ValueRange registers = adaptor.getIn();
    if (!tile::getLayout(op.getType()) || !getElementTypeOrSelf(op.getIn().getType()).isF32() ||
        !(to.isBF16() || to.isF16()) || registers.size() % 2 != 0 ||
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
            arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "has no pairs of 16-bit results");
    Location loc = op.getLoc();
    auto narrow = VectorType::get({2}, to);
    SmallVector<Value> results;
    for (size_t r = 0; r < registers.size(); r += 2) {
      Value pair = convertPair(rewriter, loc, registers[r], registers[r + 1], narrow);
      for (int i : {0, 1})
        results.push_back(LLVM::ExtractElementOp::create(rewriter, loc, pair, constantInt(rewriter, loc, i)));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// `value`, a float of at least 16 bits, in another such type.
Value castFloat(OpBuilder &builder, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from == to) // between f16 and bf16
    return castFloat(builder, loc, castFloat(builder, loc, value, builder.getF32Type()), type);
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// `arith.extf` of 8-bit floats: cvt.f16x2 of neighbouring registers in pairs, exact.
struct WidenFloat8Pattern : OpConversionPattern<arith::ExtFOp> {
  WidenFloat8Pattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(arith::ExtFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
    if (!tile::getLayout(op.getType()) || !isFloat8(from))
      return rewriter.notifyMatchFailure(op, "has no 8-bit operand");
    Location loc = op.getLoc();
    ValueRange registers = adaptor.getIn();
    auto narrow = VectorType::get({2}, rewriter.getI8Type()),
         wide = VectorType::get({2}, rewriter.getF16Type());
    SmallVector<Value> results;
    for (size_t r = 0; r < registers.size(); r += 2) {
      Value pair = LLVM::PoisonOp::create(rewriter, loc, narrow);
      size_t count = std::min<size_t>(2, registers.size() - r);
      for (size_t i : {0, 1})
        pair = LLVM::InsertElementOp::create(rewriter, loc, pair, registers[r + i % count],
                                             constantInt(rewriter, loc, (int64_t)i));
      pair = NVVM::ConvertF8x2ToF16x2Op::create(rewriter, loc, wide, pair, /*relu=*/false, from);
      for (size_t i = 0; i < count; ++i) {
        Value element =
            LLVM::ExtractElementOp::create(rewriter, loc, pair, constantInt(rewriter, loc, (int64_t)i));
        results.push_back(castFloat(rewriter, loc, element, to));
      }
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// `arith.sitofp` and `arith.uitofp` of bytes by the bits of 2^23 + byte, less 2^23: the byte, or the signed
/// one more by 128, is the end of that fp32 number's significand. The instruction that converts does so at an
/// eighth of the rate. (Warren, Hacker's Delight, 17-3.)
template <typename Op> struct BytesToFloatPattern : OpConversionPattern<Op> {
  BytesToFloatPattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<Op>(converter, context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t exponent = 0x4b000000, bias = std::is_same_v<Op, arith::SIToFPOp> ? 128 : 0;
    Type to = getElementTypeOrSelf(op.getType());
    if (!tile::getLayout(op.getType()) || !getElementTypeOrSelf(op.getIn().getType()).isInteger(8) ||
        !(to.isF32() || to.isBF16() || to.isF16()))
      return rewriter.notifyMatchFailure(op, "converts no bytes to a float of 16 or 32 bits");
    Location loc = op.getLoc();
    Value offset =
        arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr((float)((1 << 23) + bias)));
    SmallVector<Value> wide, results;
    for (Value byte : adaptor.getIn()) {
      Value word = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), byte);
      word = arith::XOrIOp::create(rewriter, loc, word, constantInt(rewriter, loc, exponent | bias));
      Value number = arith::BitcastOp::create(rewriter, loc, rewriter.getF32Type(), word);
      wide.push_back(arith::SubFOp::create(rewriter, loc, number, offset));
    }
    if (to.isF32()) {
      rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{wide});
      return success();
    }
    for (size_t r = 0; r < wide.size(); r += 2) {
      size_t count = std::min<size_t>(2, wide.size() - r);
      Value pair = convertPair(rewriter, loc, wide[r], wide[r + 1 % count], VectorType::get({2}, to));
      for (size_t i = 0; i < count; ++i)
        results.push_back(
            LLVM::ExtractElementOp::create(rewriter, loc, pair, constantInt(rewriter, loc, (int64_t)i)));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// `arith.truncf` to tf32 rounds the fp32 number in each register, `arith.extf` from it does nothing.
struct RoundTf32Pattern : OpConversionPattern<arith::TruncFOp> {
  RoundTf32Pattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/3) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!tile::getLayout(op.getType()) || !getElementTypeOrSelf(op.getType()).isTF32() ||
        !getElementTypeOrSelf(op.getIn().getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is not from fp32 to tf32");
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (Value value : adaptor.getIn()) {
      Value bits = ptx::CvtRnaTf32Op::create(rewriter, loc, rewriter.getI32Type(), value);
      results.push_back(arith::BitcastOp::create(rewriter, loc, rewriter.getF32Type(), bits));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct WidenTf32Pattern : OpConversionPattern<arith::ExtFOp> {
  WidenTf32Pattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/3) {}
  LogicalResult matchAndRewrite(arith::ExtFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!tile::getLayout(op.getType()) || !getElementTypeOrSelf(op.getIn().getType()).isTF32() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is not from tf32 to fp32");
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{adaptor.getIn()});
    return success();
  }
};

/// Whether the tile `value` was clamped to at most `limit` in magnitude: a maximum of a minimum of splats, or
/// the other way round.
bool isClamped(Value value, double limit) {
  bool above = false, below = false;
  for (int step = 0; step < 2; ++step) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
      break;
    DenseFPElementsAttr bound;
    if (!matchPattern(op->getOperand(1), m_Constant(&bound)) || !bound.isSplat())
      break;
    double number = bound.getSplatValue<APFloat>().convertToDouble();
    above |= isa<arith::MinimumFOp, arith::MinNumFOp>(op) && number <= limit && number >= -limit;
    below |= isa<arith::MaximumFOp, arith::MaxNumFOp>(op) && number >= -limit && number <= limit;
    value = op->getOperand(0);
  }
  return above && below;
}

/// `arith.truncf` to 8-bit floats: cvt.satfinite of neighbouring registers in pairs. Where values may lie
/// beyond the largest number they become infinite or not a number, as the types say.
struct NarrowFloat8Pattern : OpConversionPattern<arith::TruncFOp> {
  NarrowFloat8Pattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/3) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    if (!tile::getLayout(op.getType()) || !isFloat8(to))
      return rewriter.notifyMatchFailure(op, "has no 8-bit result");
    Location loc = op.getLoc();
    bool clamped = isClamped(op.getIn(), largestFloat8(to));
    auto narrow = VectorType::get({2}, rewriter.getI8Type());
    SmallVector<Value> wide, results;
    for (Value value : adaptor.getIn())
      wide.push_back(castFloat(rewriter, loc, value, rewriter.getF32Type()));
    for (size_t r = 0; r < wide.size(); r += 2) {
      size_t count = std::min<size_t>(2, wide.size() - r);
      Value pair =
          NVVM::ConvertF32x2ToF8x2Op::create(rewriter, loc, narrow, wide[r + 1 % count], wide[r],
                                             NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
                                             /*relu=*/false, to);
      for (size_t i = 0; i < count; ++i) {
        Value bits =
            LLVM::ExtractElementOp::create(rewriter, loc, pair, constantInt(rewriter, loc, (int64_t)i));
        if (!clamped)
          bits = overflowFloat8(rewriter, loc, wide[r + i], bits, to, /*saturates=*/false);
        results.push_back(bits);
      }
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

/// `arith.extf` of bf16 registers that came in 32-bit words: a word's bits, shifted or masked, are the f32.
/// Taking the word apart first would cost a move for every second one.
struct WidenPattern : OpConversionPattern<arith::ExtFOp> {
  WidenPattern(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  /// The word that holds `value`, and whether in its upper half; null when it comes from none.
  static std::pair<Value, bool> wordOf(OpBuilder &builder, Value value) {
    auto extract = value.getDefiningOp<LLVM::ExtractElementOp>();
    APInt place;
    if (!extract || !matchPattern(extract.getPosition(), m_ConstantInt(&place)))
      return {};
    auto cast = extract.getVector().getDefiningOp<LLVM::BitcastOp>();
    if (!cast)
      return {};
    Value words = cast.getArg();
    bool isUpper = place.getZExtValue() % 2;
    if (words.getType().isInteger(32))
      return {words, isUpper};
    auto vector = dyn_cast<VectorType>(words.getType());
    if (!vector || !vector.getElementType().isInteger(32))
      return {};
    Value index = constantInt(builder, value.getLoc(), (int64_t)place.getZExtValue() / 2);
    return {LLVM::ExtractElementOp::create(builder, value.getLoc(), words, index), isUpper};
  }

  LogicalResult matchAndRewrite(arith::ExtFOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
    if (!tile::getLayout(op.getType()) || !from.isBF16() || !to.isF32())
      return rewriter.notifyMatchFailure(op, "widens no tile of bf16 to f32");
    Location loc = op.getLoc();
    SmallVector<Value> results;
    for (Value value : adaptor.getIn()) {
      auto [word, isUpper] = wordOf(rewriter, value);
      if (!word) {
        results.push_back(arith::ExtFOp::create(rewriter, loc, to, value, op.getFastmathAttr()));
        continue;
      }
      Value bits =
          isUpper ? arith::AndIOp::create(rewriter, loc, word, constantInt(rewriter, loc, -65536)).getResult()
                  : arith::ShLIOp::create(rewriter, loc, word, constantInt(rewriter, loc, 16));
      results.push_back(arith::BitcastOp::create(rewriter, loc, to, bits));
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
    Value scalar = constantRegister(rewriter, op.getLoc(), cast<TypedAttr>(dense.getSplatValue<Attribute>()));
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

struct JoinPattern : OpConversionPattern<tile::JoinOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::JoinOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    layout::LinearLayout to = layoutOf(op.getType()), from = layoutOf(op.getFirst().getType());
    auto dim = (int)op.getDim();
    if (from.twice(dim) != to)
      return op.emitOpError() << "result's layout is not twice that of the parts along dimension " << dim;
    auto extent = from.shape()[dim];
    SmallVector<Value> results;
    for (int r = 0; r < to.numRegisters(); ++r) {
      layout::Coord place = to.apply(r, 0, 0);
      ValueRange part = place[dim] < extent ? adaptor.getFirst() : adaptor.getSecond();
      place[dim] %= extent;
      results.push_back(part[*from.registerAt(place)]);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct InterleavePattern : OpConversionPattern<tile::InterleaveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::InterleaveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dim = (int)op.getDim();
    auto by = (int32_t)op.getBy();
    layout::LinearLayout part = layoutOf(op.getEven().getType()), whole = layoutOf(op.getType());
    if (part.interleaved(dim, by) != whole)
      return op.emitOpError() << "result's layout is not that of the parts in turn along dimension " << dim;
    SmallVector<Value> results;
    for (int r = 0; r < whole.numRegisters(); ++r) {
      layout::Coord place = whole.apply(r, 0, 0);
      bool isOdd = place[dim] / by % 2 != 0;
      place[dim] = place[dim] / (2 * by) * by + place[dim] % by;
      results.push_back((isOdd ? adaptor.getOdd() : adaptor.getEven())[*part.registerAt(place)]);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

struct DeinterleavePattern : OpConversionPattern<tile::DeinterleaveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::DeinterleaveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dim = (int)op.getDim();
    auto by = (int32_t)op.getBy();
    layout::LinearLayout part = layoutOf(op.getEven().getType()), whole = layoutOf(op.getInput().getType());
    if (part.interleaved(dim, by) != whole)
      return op.emitOpError() << "operand's layout is not that of the results in turn along dimension "
                              << dim;
    std::array<SmallVector<Value>, 2> results;
    for (int r = 0; r < part.numRegisters(); ++r) {
      layout::Coord place = part.apply(r, 0, 0);
      place[dim] += place[dim] / by * by;
      results[0].push_back(adaptor.getInput()[*whole.registerAt(place)]);
      place[dim] += by;
      results[1].push_back(adaptor.getInput()[*whole.registerAt(place)]);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results[0], results[1]});
    return success();
  }
};

struct AnyPattern : OpConversionPattern<tile::AnyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::AnyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value own = adaptor.getInput().front();
    for (Value other : adaptor.getInput().drop_front())
      own = arith::OrIOp::create(rewriter, loc, own, other);
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, own.getType(), constantInt(rewriter, loc, -1), own,
                                                  NVVM::VoteSyncKind::any);
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
  patterns.add<BytesToFloatPattern<arith::SIToFPOp>, BytesToFloatPattern<arith::UIToFPOp>>(
      converter, patterns.getContext());
  patterns.add<ElementwisePattern, NarrowFloat8Pattern, RoundTf32Pattern, TruncatePattern, WidenTf32Pattern,
               WidenFloat8Pattern, WidenPattern>(converter, patterns.getContext());
  patterns.add<ConstantPattern, SplatPattern, BroadcastPattern, JoinPattern, InterleavePattern,
               DeinterleavePattern, AnyPattern, IotaPattern>(converter, patterns.getContext());
}
