// Products of dequantized operands become products of the 8-bit values themselves: their scales, which do not
// depend on K, come behind. Of one such operand beside one of floats the bytes are multiplied as floats.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISEQUANTIZEDPRODUCTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Elements of K whose products of bytes are surely below 2^31, and of those of bytes with zero points.
static constexpr int64_t kMostK = (int64_t(1) << 31) / (128 * 128) - 1;
static constexpr int64_t kMostKCentred = (int64_t(1) << 31) / (383 * 383) - 1;
/// What an unsigned byte has more than the signed one with its uppermost bit turned.
static constexpr int64_t kUnsignedOffset = 128;

namespace {
/// An operand as 8-bit values less a zero point, times a scale.
struct Quantized {
  Value values;
  /// Of i32 and broadcast to the operand's shape; null for none. `isUnsigned`: and more by kUnsignedOffset.
  Value zeroPoint = {};
  bool isUnsigned = false;
  /// Broadcast to the operand's shape; null for none.
  Value scale = {};

  bool isCentred() const { return zeroPoint || isUnsigned; }
};
} // namespace

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

/// Whether `scale` is the same along dimension `dim`: a broadcast that does not take it, or a splat.
static bool isConstantAlong(Value scale, int64_t dim) {
  if (matchPattern(scale, m_Constant()))
    return true;
  auto broadcast = scale.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return false;
  for (auto [d, size] : llvm::zip_equal(broadcast.getDims(), typeOf(broadcast.getInput()).getShape()))
    if (d == dim && size != 1)
      return false;
  return true;
}

/// Whether no element of `value`, a zero point, is beyond those of bytes.
static bool isOfBytes(Value value) {
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return llvm::all_of(constant.getValues<APInt>(), [](const APInt &number) {
      return number.sge(-kUnsignedOffset) && number.slt(2 * kUnsignedOffset);
    });
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    return isOfBytes(broadcast.getInput());
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return isOfBytes(transpose.getInput());
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isInteger(8);
}

/// The 8-bit tensor of which `value` is the conversion, less a zero point that is the same along `alongK`.
static std::optional<Quantized> convertedBytes(Value value, int64_t alongK) {
  Quantized found;
  for (bool ofIntegers = false;;) {
    Operation *op = value.getDefiningOp();
    Type element = getElementTypeOrSelf(value);
    if (isFloat8(element) || (element.isInteger(8) && ofIntegers)) {
      found.values = value;
      return found;
    }
    if (auto widening = dyn_cast_or_null<arith::ExtFOp>(op))
      value = widening.getIn();
    else if (auto narrowing = dyn_cast_or_null<arith::TruncFOp>(op); narrowing && !isFloat8(element))
      value = narrowing.getIn(); // from fp32, which holds every 8-bit value, to 16 bits, which do so, too
    else if (auto number = dyn_cast_or_null<arith::SIToFPOp>(op))
      value = number.getIn(), ofIntegers = true;
    else if (auto wide = dyn_cast_or_null<arith::ExtSIOp>(op))
      value = wide.getIn(), ofIntegers = true;
    else if (isa_and_nonnull<arith::ExtUIOp, arith::UIToFPOp>(op) &&
             getElementTypeOrSelf(op->getOperand(0)).isInteger(8)) {
      found.values = op->getOperand(0);
      found.isUnsigned = true;
      return found;
    } else if (auto centred = dyn_cast_or_null<arith::SubIOp>(op); centred && isZero(centred.getRhs()))
      value = centred.getLhs();
    else if (centred && element.isInteger(32) && !found.zeroPoint &&
             isConstantAlong(centred.getRhs(), alongK)) {
      found.zeroPoint = centred.getRhs();
      value = centred.getLhs();
    } else
      return std::nullopt;
  }
}

/// `operand` as quantized values with a scale that is the same along `alongK`.
static std::optional<Quantized> readQuantized(Value operand, int64_t alongK, OpBuilder &builder) {
  if (std::optional<Quantized> plain = convertedBytes(operand, alongK))
    return plain;
  Operation *op = operand.getDefiningOp();
  if (auto narrowing = dyn_cast_or_null<arith::TruncFOp>(op))
    return readQuantized(narrowing.getIn(), alongK, builder);
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op)) {
    auto below = readQuantized(transpose.getInput(), transpose.getPermutation()[alongK], builder);
    if (!below)
      return std::nullopt;
    auto turned = [&](Value value) -> Value {
      auto type = RankedTensorType::get(typeOf(operand).getShape(), typeOf(value).getElementType());
      return TransposeOp::create(builder, transpose.getLoc(), type, value, transpose.getPermutation());
    };
    below->values = turned(below->values);
    for (Value *along : {&below->zeroPoint, &below->scale})
      if (*along)
        *along = turned(*along);
    return below;
  }
  auto product = dyn_cast_or_null<arith::MulFOp>(op);
  if (!product)
    return std::nullopt;
  for (auto [values, scale] :
       {std::pair{product.getLhs(), product.getRhs()}, {product.getRhs(), product.getLhs()}})
    if (auto found = convertedBytes(values, alongK); found && isConstantAlong(scale, alongK)) {
      found->scale = scale;
      return found;
    }
  return std::nullopt;
}

/// What `scale` (or a zero point), which is the same along `alongK`, is for the product: of `shape`, whose
/// dimension `alongK` is another one.
static Value valueOfProduct(OpBuilder &builder, Location loc, Value scale, int64_t alongK,
                            ArrayRef<int64_t> shape) {
  // The first element along K, repeated.
  RankedTensorType type = typeOf(scale);
  SmallVector<int64_t> one(type.getShape()), offsets(type.getRank(), 0), strides(type.getRank(), 1), dims,
      kept;
  one[alongK] = 1;
  Value first = SliceOp::create(builder, loc, type.clone(one), scale, offsets, strides);
  Type element = type.getElementType();
  if (isa<FloatType>(element) && !element.isF32()) {
    element = builder.getF32Type();
    first = arith::ExtFOp::create(builder, loc, type.clone(one).clone(element), first);
  }
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != alongK) {
      dims.push_back(d);
      kept.push_back(one[d]);
    }
  Value column = ReshapeOp::create(builder, loc, RankedTensorType::get(kept, element), first);
  return BroadcastOp::create(builder, loc, RankedTensorType::get(shape, element), column,
                             builder.getDenseI64ArrayAttr(dims));
}

//===-- Zero points -----------------------------------------------------------------------------------===//

namespace {
/// One side of a product of bytes with zero points: an element is `values` + offset.
struct Side {
  Quantized operand;
  int64_t alongK;
  ArrayRef<int64_t> shape;

  /// The bytes as signed ones.
  Value bytes(OpBuilder &builder, Location loc) const {
    if (!operand.isUnsigned)
      return operand.values;
    Value uppermost =
        arith::ConstantOp::create(builder, loc, splat(typeOf(operand.values), -kUnsignedOffset));
    return arith::XOrIOp::create(builder, loc, operand.values, uppermost);
  }
  /// What is added to each of them, as the product has it.
  Value offset(OpBuilder &builder, Location loc) const {
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    Value added =
        arith::ConstantOp::create(builder, loc, splat(type, operand.isUnsigned ? kUnsignedOffset : 0));
    if (!operand.zeroPoint)
      return added;
    return arith::SubIOp::create(builder, loc, added,
                                 valueOfProduct(builder, loc, operand.zeroPoint, alongK, shape));
  }
  /// The sums of `bytes` along K, as the product has them.
  Value sums(OpBuilder &builder, Location loc, Value bytes) const {
    RankedTensorType type = typeOf(bytes), wide = type.clone(builder.getI32Type());
    SmallVector<int64_t> kept(type.getShape()), dims;
    kept.erase(kept.begin() + alongK);
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != alongK)
        dims.push_back(d);
    Value words = arith::ExtSIOp::create(builder, loc, wide, bytes);
    Value sum =
        ReduceOp::create(builder, loc, wide.clone(kept), words, ReduceKind::Sum, ArrayRef<int64_t>{alongK});
    return BroadcastOp::create(builder, loc, RankedTensorType::get(shape, builder.getI32Type()), sum,
                               builder.getDenseI64ArrayAttr(dims));
  }
  static DenseElementsAttr splat(RankedTensorType type, int64_t value) {
    unsigned bits = type.getElementTypeBitWidth();
    return DenseElementsAttr::get(type, APInt(bits, (uint64_t)value, /*isSigned=*/true));
  }
};
} // namespace

/// The sums over K of (a + p)(b + q), in 32 bits: of a b, and p times the sum of b, q times that of a, and K
/// p q.
static Value productOfBytes(OpBuilder &builder, Location loc, const Side &lhs, const Side &rhs, int64_t k) {
  auto type = RankedTensorType::get(lhs.shape, builder.getI32Type());
  Value a = lhs.bytes(builder, loc), b = rhs.bytes(builder, loc);
  Value sum = MatmulOp::create(builder, loc, type, a, b);
  auto add = [&](Value x, Value y) {
    sum = arith::AddIOp::create(builder, loc, sum, arith::MulIOp::create(builder, loc, x, y));
  };
  Value p = lhs.operand.isCentred() ? lhs.offset(builder, loc) : Value(),
        q = rhs.operand.isCentred() ? rhs.offset(builder, loc) : Value();
  if (p)
    add(p, rhs.sums(builder, loc, b));
  if (q)
    add(q, lhs.sums(builder, loc, a));
  if (p && q)
    add(arith::ConstantOp::create(builder, loc, Side::splat(type, k)),
        arith::MulIOp::create(builder, loc, p, q));
  return sum;
}

/// Bytes less their zero point as floats of `element`, which hold them all; null where they do not, or where
/// the zero point is not one number.
static Value widened(OpBuilder &builder, Location loc, const Quantized &operand, Type element) {
  RankedTensorType type = typeOf(operand.values).clone(element);
  if (isFloat8(typeOf(operand.values).getElementType())) {
    bool holds = element.isBF16() || element.isF32() ||
                 (element.isF16() && isa<Float8E4M3FNType>(typeOf(operand.values).getElementType()));
    return holds ? arith::ExtFOp::create(builder, loc, type, operand.values).getResult() : Value();
  }
  if (!element.isBF16() && !element.isF16() && !element.isF32())
    return nullptr;
  Value wide = operand.isUnsigned ? arith::UIToFPOp::create(builder, loc, type, operand.values).getResult()
                                  : arith::SIToFPOp::create(builder, loc, type, operand.values).getResult();
  if (!operand.zeroPoint)
    return wide;
  // The difference of two bytes of one sign is one of the 256 numbers that 16 bits hold on either side.
  DenseIntElementsAttr zeroPoint;
  if (!matchPattern(operand.zeroPoint, m_Constant(&zeroPoint)) || !zeroPoint.isSplat())
    return nullptr;
  APInt number = zeroPoint.getSplatValue<APInt>();
  int64_t low = operand.isUnsigned ? 0 : -kUnsignedOffset;
  if (number.slt(low) || number.sgt(low + 255))
    return nullptr;
  auto value = builder.getFloatAttr(element, (double)number.getSExtValue());
  return arith::SubFOp::create(builder, loc, wide,
                               arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value)));
}

/// One operand is of bytes, the other one of floats: the bytes are multiplied as floats that hold them, which
/// the product's kernel can make of them where it reads them, and the scale comes behind.
static Value raiseMixedProduct(OpBuilder &builder, MatmulOp matmul, const Quantized &bytes, bool isLhs) {
  Location loc = matmul.getLoc();
  RankedTensorType type = typeOf(matmul);
  Type element = typeOf(matmul.getLhs()).getElementType();
  if (!bytes.scale || !isa<FloatType>(type.getElementType()) || type.getElementTypeBitWidth() > 32)
    return nullptr;
  Value wide = widened(builder, loc, bytes, element);
  if (!wide)
    return nullptr;
  Value lhs = isLhs ? wide : matmul.getLhs(), rhs = isLhs ? matmul.getRhs() : wide;
  Value product = MatmulOp::create(builder, loc, type.clone(builder.getF32Type()), lhs, rhs, Value(),
                                   matmul.getPrecisionAttr(), matmul.getPromotionAttr());
  int64_t alongK = type.getRank() - (isLhs ? 1 : 2);
  Value scaled = arith::MulFOp::create(builder, loc, product,
                                       valueOfProduct(builder, loc, bytes.scale, alongK, type.getShape()));
  return type.getElementType().isF32() ? scaled : arith::TruncFOp::create(builder, loc, type, scaled);
}

static Value raiseProduct(MatmulOp matmul) {
  if (typeOf(matmul.getLhs()).getElementTypeBitWidth() == 8 || matmul.getGroups())
    return nullptr;
  OpBuilder builder(matmul);
  Location loc = matmul.getLoc();
  int64_t rank = typeOf(matmul).getRank();
  auto lhs = readQuantized(matmul.getLhs(), rank - 1, builder);
  auto rhs = readQuantized(matmul.getRhs(), rank - 2, builder);
  if (lhs.has_value() != rhs.has_value())
    return raiseMixedProduct(builder, matmul, lhs ? *lhs : *rhs, lhs.has_value());
  if (!rhs)
    return nullptr;
  Type element = typeOf(lhs->values).getElementType(), wanted = typeOf(matmul).getElementType();
  bool integers = element.isInteger(8), isCentred = lhs->isCentred() || rhs->isCentred();
  int64_t k = typeOf(lhs->values).getShape().back();
  if (element != typeOf(rhs->values).getElementType())
    return nullptr;
  Side left{*lhs, rank - 1, typeOf(matmul).getShape()}, right{*rhs, rank - 2, typeOf(matmul).getShape()};
  // Sums of integers that were widened are those of 32 bits, whatever they lose; floats lose nothing.
  if (isa<IntegerType>(wanted))
    return wanted.isInteger(32) && integers ? productOfBytes(builder, loc, left, right, k) : Value();
  for (Value zeroPoint : {lhs->zeroPoint, rhs->zeroPoint})
    if (zeroPoint && !isOfBytes(zeroPoint))
      return nullptr;
  if (integers && k > (isCentred ? kMostKCentred : kMostK))
    return nullptr;
  auto type = typeOf(matmul).clone(builder.getF32Type());
  Value result;
  if (integers)
    result = arith::SIToFPOp::create(builder, loc, type, productOfBytes(builder, loc, left, right, k));
  else
    result = MatmulOp::create(builder, loc, type, lhs->values, rhs->values, Value(), PrecisionAttr(),
                              matmul.getPromotionAttr());
  for (auto [operand, alongK] : {std::pair{*lhs, rank - 1}, {*rhs, rank - 2}})
    if (operand.scale)
      result = arith::MulFOp::create(builder, loc, result,
                                     valueOfProduct(builder, loc, operand.scale, alongK, type.getShape()));
  if (wanted.getIntOrFloatBitWidth() < 32)
    result = arith::TruncFOp::create(builder, loc, typeOf(matmul), result);
  else if (!wanted.isF32())
    result = arith::ExtFOp::create(builder, loc, typeOf(matmul), result);
  return result;
}

namespace {
struct GraphRaiseQuantizedProductsPass
    : tilewright::graph::impl::GraphRaiseQuantizedProductsBase<GraphRaiseQuantizedProductsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp matmul) { products.push_back(matmul); });
    for (MatmulOp matmul : products)
      if (Value value = raiseProduct(matmul)) {
        matmul.replaceAllUsesWith(value);
        matmul.erase();
      }
  }
};
} // namespace
