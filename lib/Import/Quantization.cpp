// Quantization spelled out: scales and zero points as arithmetic, products of 8-bit integers in 32 bits.
//
// Quotients are formed in fp32, rounded to even and clamped as floats, so that the cast to the narrow integer
// is exact.

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using graph::ReduceKind;
using Dims = NodeImport::Dims;

namespace {
/// An integer type that floats are quantized to.
struct NarrowInteger {
  Type element;
  bool isUnsigned;

  double least() const { return isUnsigned ? 0 : -double(1ull << (bits() - 1)); }
  double largest() const { return double(1ull << (isUnsigned ? bits() : bits() - 1)) - 1; }
  unsigned bits() const { return element.getIntOrFloatBitWidth(); }
};
} // namespace

/// The type as one to quantize to; fails for others.
static LogicalResult expectNarrow(NodeImport &n, NarrowInteger type) {
  if (type.element && isa<IntegerType>(type.element) && (type.bits() == 8 || type.bits() == 16))
    return success();
  return n.fail("quantized values of type " + (type.element ? n.text(type.element) : "unknown") +
                " are not supported; 8 and 16-bit integers are");
}

/// `parameter` (a scale or zero point) in the shape of `x`: a scalar, a number for each index of `axis`, or
/// one for each block of `block` elements along it. Null after a failure.
static Value spread(NodeImport &n, Value parameter, Value x, int64_t axis, int64_t block) {
  NodeImport::Shape shape = n.shapeOf(x), given = n.shapeOf(parameter);
  if (n.typeOf(parameter).getNumElements() == 1 && n.rankOf(parameter) <= 1)
    return n.broadcast(n.reshape(parameter, {}), shape);
  std::optional<int64_t> dim = n.axis(axis, n.rankOf(x));
  if (!dim)
    return nullptr;
  if (block == 0 && given == shape.slice(*dim, 1))
    return n.broadcastDims(parameter, {*dim}, shape);
  block = std::min(block, std::max<int64_t>(shape[*dim], 1)); // a longer one holds no more
  Dims blocks(shape);
  blocks[*dim] = block > 0 ? (shape[*dim] + block - 1) / block : 0;
  if (block > 0 && given == NodeImport::Shape(blocks)) {
    Dims column(given), wide(given), whole(given);
    column.insert(column.begin() + *dim + 1, 1);
    wide.insert(wide.begin() + *dim + 1, block);
    whole[*dim] *= block;
    Value all = n.reshape(n.broadcast(n.reshape(parameter, column), wide), whole);
    return whole[*dim] == shape[*dim] ? all : n.sliceDim(all, *dim, 0, shape[*dim]);
  }
  (void)n.fail("a parameter of shape " + n.text(given) + " does not belong to values of shape " +
               n.text(shape) + " along axis " + Twine(*dim) +
               (block ? " in blocks of " + Twine(block) : Twine()));
  return nullptr;
}

/// round(x / scale) + zero, clamped to `type`; all three are floats of one shape, `zero` may be null.
static Value quantized(NodeImport &n, Value x, Value scale, Value zero, NarrowInteger type) {
  Value rounded = n.unary<math::RoundEvenOp>(n.div(x, scale));
  if (zero)
    rounded = n.add(rounded, zero);
  Value clamped =
      n.min(n.max(rounded, n.constantLike(rounded, type.least())), n.constantLike(rounded, type.largest()));
  return n.castTo(clamped, type.element, false, type.isUnsigned);
}

static LogicalResult importQuantize(NodeImport &n) {
  int64_t axis = n.intAttribute("axis", 1), block = n.intAttribute("block_size", 0);
  int64_t dtype = n.intAttribute("output_dtype", 0);
  n.ignoreAttributes({"precision"}); // quotients are in fp32 at least
  bool saturates = n.intAttribute("saturate", 1);
  Type f32 = n.builder.getF32Type();
  NarrowInteger type{n.builder.getI8Type(), true};
  if (n.has(2))
    type = {n.elementOf(n.operand(2)), n.isUnsigned(2)};
  else if (dtype != 0)
    type.element = elementType(n.builder.getContext(), (int32_t)dtype, type.isUnsigned);
  bool isFloat8 = isa_and_nonnull<Float8E4M3FNType, Float8E5M2Type>(type.element);
  if ((!isFloat8 && failed(expectNarrow(n, type))) || failed(n.expectFloat(n.operand(1), "its scale")))
    return failure();
  Value x = n.castTo(n.operand(0), f32, n.isUnsigned(0)), zero;
  Value scale = spread(n, n.castTo(n.operand(1), f32), x, axis, block);
  if (isFloat8) { // its zero point is 0: it names the type
    if (n.failed())
      return failure();
    Value quotient = n.div(x, scale);
    double largest = isa<Float8E4M3FNType>(type.element) ? 448 : 57344;
    if (saturates)
      quotient =
          n.min(n.max(quotient, n.constantLike(quotient, -largest)), n.constantLike(quotient, largest));
    return n.yield(n.castTo(quotient, type.element), false);
  }
  if (n.has(2) && scale)
    zero = spread(n, n.castTo(n.operand(2), f32, type.isUnsigned), x, axis, block);
  if (n.failed())
    return failure();
  return n.yield(quantized(n, x, scale, zero, type), type.isUnsigned);
}

static LogicalResult importDequantize(NodeImport &n) {
  int64_t axis = n.intAttribute("axis", 1), block = n.intAttribute("block_size", 0);
  int64_t dtype = n.intAttribute("output_dtype", 0);
  Value x = n.operand(0), scale = n.operand(1);
  bool isFloat8 = isa<Float8E4M3FNType, Float8E5M2Type>(n.elementOf(x));
  if ((n.isFloat(x) && !isFloat8) || n.isBool(x) || failed(n.expectFloat(scale, "its scale")))
    return n.fail("dequantization of " + n.text(n.elementOf(x)) + " is not supported; of integers it is");
  bool isUnsigned = n.isUnsigned(0);
  Type element = dtype ? elementType(n.builder.getContext(), (int32_t)dtype, isUnsigned) : n.elementOf(scale);
  if (!element || !isa<FloatType>(element))
    return n.fail("output type " + dataTypeName((int32_t)dtype) + " is not supported");
  Value wideScale = spread(n, n.widen(scale), x, axis, block);
  if (isFloat8) {
    if (n.failed())
      return failure();
    return n.yield(n.castTo(n.mul(n.castTo(x, n.elementOf(wideScale)), wideScale), element), false);
  }
  Value difference = n.castTo(x, n.builder.getI32Type(), n.isUnsigned(0));
  if (n.has(2) && wideScale) {
    if (n.elementOf(n.operand(2)) != n.elementOf(x))
      return n.fail("its zero point has element type " + n.text(n.elementOf(n.operand(2))) + ", its values " +
                    n.text(n.elementOf(x)));
    Value zero = spread(n, n.operand(2), x, axis, block);
    if (zero)
      difference = n.sub(difference, n.castTo(zero, n.builder.getI32Type(), n.isUnsigned(2)));
  }
  if (n.failed())
    return failure();
  return n.yield(n.castTo(n.mul(n.castTo(difference, n.elementOf(wideScale)), wideScale), element), false);
}

static LogicalResult importDynamicQuantize(NodeImport &n) {
  Value x = n.operand(0);
  if (!n.elementOf(x).isF32())
    return n.fail("operand #0 has element type " + n.text(n.elementOf(x)) + ", expected f32");
  NarrowInteger u8{n.builder.getI8Type(), true};
  Dims all = llvm::to_vector(llvm::seq<int64_t>(0, n.rankOf(x)));
  Value largest = n.reduce(ReduceKind::Max, x, all, false), least = n.reduce(ReduceKind::Min, x, all, false);
  Value zero = n.constantLike(largest, 0);
  largest = n.max(largest, zero);
  least = n.min(least, zero);
  Value scale = n.div(n.sub(largest, least), n.constantLike(largest, 255));
  // A tensor of zeros has no range: its scale is taken as 1.
  scale = n.select(n.compare(arith::CmpFPredicate::OEQ, scale, zero), n.constantLike(scale, 1), scale);
  Value point = n.min(n.max(n.unary<math::RoundEvenOp>(n.div(n.sub(zero, least), scale)), zero),
                      n.constantLike(zero, 255));
  Value y = quantized(n, x, n.broadcast(scale, n.shapeOf(x)), n.broadcast(point, n.shapeOf(x)), u8);
  (void)n.yield(y, true);
  (void)n.yield(scale, false);
  return n.yield(n.castTo(point, u8.element, false, true), true);
}

//===-- Products --===//

/// Operand `i` in 32 bits less its zero point, operand `zero`: a scalar, or a number for each row (dimension
/// `dim`). Null after a failure.
static Value centred(NodeImport &n, unsigned i, unsigned zero, int64_t dim) {
  Type i32 = n.builder.getI32Type();
  Value x = n.operand(i);
  if (!n.elementOf(x).isInteger(8))
    return (void)n.fail("operand #" + Twine(i) + " has element type " + n.text(n.elementOf(x)) +
                        ", expected 8-bit integers"),
           nullptr;
  Value wide = n.castTo(x, i32, n.isUnsigned(i));
  if (!n.has(zero))
    return wide;
  Value point = n.castTo(n.operand(zero), i32, n.isUnsigned(zero));
  if (n.rankOf(point) == n.rankOf(x)) { // [..., rows, 1] or [..., 1, columns]
    std::optional<Dims> shape = n.broadcastShape(n.shapeOf(point), n.shapeOf(x));
    if (!shape || NodeImport::Shape(*shape) != n.shapeOf(x))
      return (void)n.fail("operand #" + Twine(zero) + " has shape " + n.text(n.shapeOf(point)) +
                          ", its values " + n.text(n.shapeOf(x))),
             nullptr;
    point = n.broadcast(point, n.shapeOf(x));
  } else
    point = spread(n, point, x, dim, 0);
  return point ? n.sub(wide, point) : nullptr;
}

/// The matrix product of 32-bit integers `a` and `b`, batches broadcast. Null after a failure.
static Value integerProduct(NodeImport &n, Value a, Value b) {
  NodeImport::Shape shapeA = n.shapeOf(a), shapeB = n.shapeOf(b);
  if (shapeA.size() < 2 || shapeB.size() < 2 || shapeA.back() != shapeB[shapeB.size() - 2])
    return (void)n.fail("shapes " + n.text(shapeA) + " and " + n.text(shapeB) + " do not multiply"), nullptr;
  std::optional<Dims> batch = n.broadcastShape(shapeA.drop_back(2), shapeB.drop_back(2));
  if (!batch)
    return nullptr;
  Dims wideA = *batch, wideB = *batch;
  llvm::append_range(wideA, shapeA.take_back(2));
  llvm::append_range(wideB, shapeB.take_back(2));
  return n.matmul(n.broadcast(a, wideA), n.broadcast(b, wideB));
}

static LogicalResult importMatMulInteger(NodeImport &n) {
  Value a = centred(n, 0, 2, -2), b = a ? centred(n, 1, 3, -1) : Value();
  Value product = b ? integerProduct(n, a, b) : Value();
  return product ? n.yield(product, false) : failure();
}

static LogicalResult importQLinearMatMul(NodeImport &n) {
  NarrowInteger type{n.elementOf(n.operand(7)), n.isUnsigned(7)};
  if (failed(expectNarrow(n, type)))
    return failure();
  Value a = centred(n, 0, 2, -2), b = a ? centred(n, 3, 5, -1) : Value();
  Value product = b ? integerProduct(n, a, b) : Value();
  if (!product)
    return failure();
  Type f32 = n.builder.getF32Type();
  auto parameter = [&](unsigned i, int64_t dim) {
    return spread(n, n.castTo(n.operand(i), f32, n.isUnsigned(i)), product, dim, 0);
  };
  Value scaleA = parameter(1, -2), scaleB = parameter(4, -1), scaleY = parameter(6, -1),
        zero = parameter(7, -1);
  if (n.failed())
    return failure();
  Value real = n.mul(n.castTo(product, f32), n.mul(scaleA, scaleB));
  return n.yield(quantized(n, real, scaleY, zero, type), type.isUnsigned);
}

void tilewright::onnx::addQuantization(OperatorTable &table) {
  table["QuantizeLinear"] = {importQuantize, 2, 3, Signedness::Aware};
  table["DequantizeLinear"] = {importDequantize, 2, 3, Signedness::Aware};
  table["DynamicQuantizeLinear"] = {importDynamicQuantize, 1, 1};
  table["MatMulInteger"] = {importMatMulInteger, 2, 4, Signedness::Aware};
  table["QLinearMatMul"] = {importQLinearMatMul, 8, 8, Signedness::Aware};
}
