// Products of dequantized operands become products of the 8-bit values themselves: their scales, which do not
// depend on K, come behind. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHRAISEQUANTIZEDPRODUCTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Elements of K whose products of bytes are surely below 2^31.
static constexpr int64_t kMostK = (int64_t(1) << 31) / (128 * 128) - 1;

namespace {
/// An operand as 8-bit values times a scale.
struct Quantized {
  Value values;
  /// Broadcast to the operand's shape; null for none.
  Value scale;
};
} // namespace

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

/// The 8-bit tensor of which `value` is the plain conversion, or null.
static Value convertedBytes(Value value) {
  for (bool signedOnly = false;;) {
    Operation *op = value.getDefiningOp();
    Type element = getElementTypeOrSelf(value);
    if (isFloat8(element) || (element.isInteger(8) && signedOnly))
      return value;
    if (auto widening = dyn_cast_or_null<arith::ExtFOp>(op))
      value = widening.getIn();
    else if (auto narrowing = dyn_cast_or_null<arith::TruncFOp>(op); narrowing && !isFloat8(element))
      value = narrowing.getIn(); // from fp32, which holds every 8-bit value, to 16 bits, which do so, too
    else if (auto number = dyn_cast_or_null<arith::SIToFPOp>(op))
      value = number.getIn(), signedOnly = true;
    else if (auto wide = dyn_cast_or_null<arith::ExtSIOp>(op))
      value = wide.getIn(), signedOnly = true;
    else if (auto centred = dyn_cast_or_null<arith::SubIOp>(op); centred && isZero(centred.getRhs()))
      value = centred.getLhs();
    else
      return nullptr;
  }
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

/// `operand` as quantized values with a scale that is the same along `alongK`.
static std::optional<Quantized> readQuantized(Value operand, int64_t alongK, OpBuilder &builder) {
  if (Value values = convertedBytes(operand))
    return Quantized{values, nullptr};
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
    return Quantized{turned(below->values), below->scale ? turned(below->scale) : Value()};
  }
  auto product = dyn_cast_or_null<arith::MulFOp>(op);
  if (!product)
    return std::nullopt;
  for (auto [values, scale] :
       {std::pair{product.getLhs(), product.getRhs()}, {product.getRhs(), product.getLhs()}})
    if (Value bytes = convertedBytes(values); bytes && isConstantAlong(scale, alongK))
      return Quantized{bytes, scale};
  return std::nullopt;
}

/// What `scale`, which is the same along `alongK`, is for the product: of `shape`, whose dimension `alongK`
/// is another one.
static Value scaleOfProduct(OpBuilder &builder, Location loc, Value scale, int64_t alongK,
                            ArrayRef<int64_t> shape) {
  // The first element along K, repeated.
  RankedTensorType type = typeOf(scale);
  SmallVector<int64_t> one(type.getShape()), offsets(type.getRank(), 0), strides(type.getRank(), 1), dims,
      kept;
  one[alongK] = 1;
  Value first = SliceOp::create(builder, loc, type.clone(one), scale, offsets, strides);
  if (!type.getElementType().isF32())
    first = arith::ExtFOp::create(builder, loc, type.clone(one).clone(builder.getF32Type()), first);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != alongK) {
      dims.push_back(d);
      kept.push_back(one[d]);
    }
  Value column = ReshapeOp::create(builder, loc, RankedTensorType::get(kept, builder.getF32Type()), first);
  return BroadcastOp::create(builder, loc, RankedTensorType::get(shape, builder.getF32Type()), column,
                             builder.getDenseI64ArrayAttr(dims));
}

static Value raiseProduct(MatmulOp matmul) {
  if (typeOf(matmul.getLhs()).getElementTypeBitWidth() == 8)
    return nullptr;
  OpBuilder builder(matmul);
  Location loc = matmul.getLoc();
  int64_t rank = typeOf(matmul).getRank();
  auto lhs = readQuantized(matmul.getLhs(), rank - 1, builder);
  auto rhs = lhs ? readQuantized(matmul.getRhs(), rank - 2, builder) : std::nullopt;
  if (!rhs)
    return nullptr;
  Type element = typeOf(lhs->values).getElementType(), wanted = typeOf(matmul).getElementType();
  bool integers = element.isInteger(8);
  if (element != typeOf(rhs->values).getElementType() ||
      (integers && typeOf(lhs->values).getShape().back() > kMostK))
    return nullptr;
  if (isa<IntegerType>(wanted)) // products of integers that were widened
    return wanted.isInteger(32) && integers
               ? MatmulOp::create(builder, loc, typeOf(matmul), lhs->values, rhs->values)
               : Value();
  auto type = typeOf(matmul).clone(builder.getF32Type());
  Value result = MatmulOp::create(builder, loc, integers ? type.clone(builder.getI32Type()) : type,
                                  lhs->values, rhs->values, Precision::IEEE, matmul.getPromotionAttr());
  if (integers)
    result = arith::SIToFPOp::create(builder, loc, type, result);
  for (auto [operand, alongK] : {std::pair{*lhs, rank - 1}, {*rhs, rank - 2}})
    if (operand.scale)
      result = arith::MulFOp::create(builder, loc, result,
                                     scaleOfProduct(builder, loc, operand.scale, alongK, type.getShape()));
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
