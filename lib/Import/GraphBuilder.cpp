// Each builder makes one op, or the constant that it folds to.

#include "GraphBuilder.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;

//===-- What values are --===//

RankedTensorType GraphBuilder::typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

bool GraphBuilder::isNarrowFloat(Value value) {
  return isFloat(value) && elementOf(value).getIntOrFloatBitWidth() < 32;
}

std::string GraphBuilder::text(Shape shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t dim : shape)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

std::string GraphBuilder::text(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string GraphBuilder::text(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

//===-- Constants and movement --===//

Value GraphBuilder::constant(Shape shape, Type element, double number) {
  return graph::splat(builder, loc, RankedTensorType::get(shape, element), number);
}

Value GraphBuilder::intsConstant(Shape shape, ArrayRef<int64_t> values, Type element) {
  SmallVector<APInt> numbers;
  for (int64_t value : values)
    numbers.push_back(
        APInt(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true));
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(RankedTensorType::get(shape, element), numbers));
}

Value GraphBuilder::floatsConstant(Shape shape, ArrayRef<double> values, Type element) {
  const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
  SmallVector<APFloat> numbers;
  for (double value : values) {
    bool losesInfo;
    numbers.emplace_back(value);
    numbers.back().convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  }
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(RankedTensorType::get(shape, element), numbers));
}

Value GraphBuilder::reshape(Value x, Shape shape) {
  return shapeOf(x) == shape ? x : create<graph::ReshapeOp>(RankedTensorType::get(shape, elementOf(x)), x);
}

Value GraphBuilder::transpose(Value x, Shape permutation) {
  Dims shape;
  for (int64_t dim : permutation)
    shape.push_back(shapeOf(x)[dim]);
  return create<graph::TransposeOp>(RankedTensorType::get(shape, elementOf(x)), x, permutation);
}

Value GraphBuilder::slice(Value x, Shape offsets, Shape sizes, Shape strides) {
  return create<graph::SliceOp>(RankedTensorType::get(sizes, elementOf(x)), x, offsets, strides);
}

Value GraphBuilder::sliceDim(Value x, int64_t dim, int64_t offset, int64_t size, int64_t stride) {
  Dims offsets(rankOf(x), 0), sizes(shapeOf(x)), strides(rankOf(x), 1);
  offsets[dim] = offset;
  sizes[dim] = size;
  strides[dim] = stride;
  return slice(x, offsets, sizes, strides);
}

Value GraphBuilder::concat(ValueRange values, int64_t dim) {
  Dims shape(shapeOf(values.front()));
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += shapeOf(value)[dim];
  return create<graph::ConcatOp>(RankedTensorType::get(shape, elementOf(values.front())), values,
                                 builder.getI64IntegerAttr(dim));
}

Value GraphBuilder::broadcast(Value x, Shape shape) {
  // Shape arithmetic broadcasts a few integers; a larger constant would only be spread over the IR.
  constexpr int64_t kFoldElems = 64;
  Value wide = graph::broadcastTo(builder, loc, x, shape);
  SmallVector<Value> folded;
  if (auto op = wide.getDefiningOp<graph::BroadcastOp>();
      op && wide != x && typeOf(wide).getNumElements() <= kFoldElems &&
      succeeded(builder.tryFold(op, folded)) && !folded.empty()) {
    op.erase();
    return folded.front();
  }
  return wide;
}

Value GraphBuilder::broadcastDims(Value x, Shape dims, Shape shape) {
  return create<graph::BroadcastOp>(RankedTensorType::get(shape, elementOf(x)), x, dims);
}

Value GraphBuilder::gather(Value x, Value indices, int64_t dim) {
  Dims shape(shapeOf(x).take_front(dim));
  llvm::append_range(shape, shapeOf(indices));
  llvm::append_range(shape, shapeOf(x).drop_front(dim + 1));
  return create<graph::GatherOp>(RankedTensorType::get(shape, elementOf(x)), x, indices,
                                 builder.getI64IntegerAttr(dim));
}

Value GraphBuilder::pick(Value x, int64_t dim, Shape places) {
  int64_t size = shapeOf(x)[dim], count = places.size();
  if (count == 0)
    return sliceDim(x, dim, 0, 0);
  // Equal steps are a slice.
  int64_t step = count > 1 ? places[1] - places[0] : 1;
  bool isSlice = step != 0;
  for (int64_t i = 1; i < count && isSlice; ++i)
    isSlice = places[i] - places[i - 1] == step;
  if (isSlice)
    return step == 1 && places[0] == 0 && count == size ? x : sliceDim(x, dim, places[0], count, step);
  // Every element as often as the others, in order: a dimension of its own that is repeated.
  int64_t times = size == 0 ? 0 : count / size;
  bool isRepeated = times > 0 && times * size == count;
  for (int64_t i = 0; i < count && isRepeated; ++i)
    isRepeated = places[i] == i / times;
  if (isRepeated) {
    Dims ones(shapeOf(x)), wide, shape(shapeOf(x));
    ones.insert(ones.begin() + dim + 1, 1);
    wide = ones;
    wide[dim + 1] = times;
    shape[dim] = count;
    return reshape(broadcast(reshape(x, ones), wide), shape);
  }
  return gather(x, intsConstant({count}, places, builder.getI32Type()), dim);
}

Value GraphBuilder::matmul(Value a, Value b) {
  Dims shape(shapeOf(a));
  shape.back() = shapeOf(b).back();
  return create<graph::MatmulOp>(RankedTensorType::get(shape, elementOf(a)), a, b);
}

Value GraphBuilder::reduce(graph::ReduceKind kind, Value x, Shape dims, bool keepDims) {
  Dims kept, ones(shapeOf(x));
  for (int64_t d = 0; d < rankOf(x); ++d)
    if (!llvm::is_contained(dims, d))
      kept.push_back(shapeOf(x)[d]);
  for (int64_t d : dims)
    ones[d] = 1;
  Value reduced =
      dims.empty() ? x : create<graph::ReduceOp>(RankedTensorType::get(kept, elementOf(x)), x, kind, dims);
  return keepDims ? reshape(reduced, ones) : reduced;
}

Value GraphBuilder::iota(Shape shape, int64_t dim, Type element) {
  return create<graph::IotaOp>(RankedTensorType::get(shape, element), builder.getI64IntegerAttr(dim));
}

//===-- Arithmetic --===//

Value GraphBuilder::add(Value a, Value b) {
  return isFloat(a) ? create<arith::AddFOp>(a, b) : create<arith::AddIOp>(a, b);
}

Value GraphBuilder::sub(Value a, Value b) {
  return isFloat(a) ? create<arith::SubFOp>(a, b) : create<arith::SubIOp>(a, b);
}

Value GraphBuilder::mul(Value a, Value b) {
  return isFloat(a) ? create<arith::MulFOp>(a, b) : create<arith::MulIOp>(a, b);
}

/// Whether an element of the integers `x` may equal `number`; false only where `x` is constant.
static bool mayEqual(Value x, int64_t number) {
  while (auto spread = x.getDefiningOp<graph::BroadcastOp>())
    x = spread.getInput();
  DenseIntElementsAttr dense;
  if (!matchPattern(x, m_Constant(&dense)))
    return true;
  if (dense.isSplat()) // of any size
    return dense.getSplatValue<APInt>().getSExtValue() == number;
  return llvm::any_of(dense.getValues<APInt>(), [&](const APInt &v) { return v.getSExtValue() == number; });
}

Value GraphBuilder::div(Value a, Value b, bool isUnsigned) {
  if (isFloat(a))
    return create<arith::DivFOp>(a, b);
  // x / 0 is 0, and x / -1 is -x, which leaves the least number as it is; both are undefined in arith.
  bool byZero = mayEqual(b, 0), byMinusOne = !isUnsigned && mayEqual(b, -1);
  Value isZero, isMinusOne, divisor = b, one = constantLike(b, 1);
  if (byZero) {
    isZero = compare(arith::CmpIPredicate::eq, b, constantLike(b, 0));
    divisor = select(isZero, one, divisor);
  }
  if (byMinusOne) {
    isMinusOne = compare(arith::CmpIPredicate::eq, b, constantLike(b, -1));
    divisor = select(isMinusOne, one, divisor);
  }
  Value quotient = isUnsigned ? create<arith::DivUIOp>(a, divisor) : create<arith::DivSIOp>(a, divisor);
  if (byMinusOne)
    quotient = select(isMinusOne, sub(constantLike(a, 0), a), quotient);
  return byZero ? select(isZero, constantLike(a, 0), quotient) : quotient;
}

Value GraphBuilder::remainder(Value a, Value b, bool isUnsigned) {
  if (isFloat(a))
    return create<arith::RemFOp>(a, b);
  // x mod 0 and x mod -1 are 0: the remainder by 1.
  Value divisor = b, one = constantLike(b, 1);
  if (mayEqual(b, 0))
    divisor = select(compare(arith::CmpIPredicate::eq, b, constantLike(b, 0)), one, divisor);
  if (!isUnsigned && mayEqual(b, -1))
    divisor = select(compare(arith::CmpIPredicate::eq, b, constantLike(b, -1)), one, divisor);
  return isUnsigned ? create<arith::RemUIOp>(a, divisor) : create<arith::RemSIOp>(a, divisor);
}

Value GraphBuilder::max(Value a, Value b, bool isUnsigned) {
  if (isFloat(a))
    return create<arith::MaximumFOp>(a, b);
  return isUnsigned ? create<arith::MaxUIOp>(a, b) : create<arith::MaxSIOp>(a, b);
}

Value GraphBuilder::min(Value a, Value b, bool isUnsigned) {
  if (isFloat(a))
    return create<arith::MinimumFOp>(a, b);
  return isUnsigned ? create<arith::MinUIOp>(a, b) : create<arith::MinSIOp>(a, b);
}

Value GraphBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return create<arith::CmpFOp>(predicate, a, b);
}

Value GraphBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return create<arith::CmpIOp>(predicate, a, b);
}

Value GraphBuilder::select(Value condition, Value a, Value b) {
  return create<arith::SelectOp>(condition, a, b);
}

Value GraphBuilder::sigmoid(Value x) {
  Value one = constantLike(x, 1);
  return div(one, add(one, unary<math::ExpOp>(unary<arith::NegFOp>(x))));
}

Value GraphBuilder::softplus(Value x) {
  // max(x, 0) + log1p(exp(-|x|)): the exponent is never positive.
  Value decayed = unary<math::ExpOp>(unary<arith::NegFOp>(unary<math::AbsFOp>(x)));
  return add(max(x, constantLike(x, 0)), unary<math::Log1pOp>(decayed));
}

Value GraphBuilder::logSumExp(Value x, Shape dims) {
  Value max = reduce(graph::ReduceKind::Max, x, dims, /*keepDims=*/true);
  Value infinity = constantLike(max, std::numeric_limits<double>::infinity());
  Value isInfinite = compare(arith::CmpFPredicate::OEQ, unary<math::AbsFOp>(max), infinity);
  Value shift = select(isInfinite, constantLike(max, 0), max);
  Value exp = unary<math::ExpOp>(sub(x, broadcast(shift, shapeOf(x))));
  return add(unary<math::LogOp>(reduce(graph::ReduceKind::Sum, exp, dims, true)), shift);
}

//===-- Casts --===//

/// Floats as integers, rounded towards zero. What the integers cannot hold becomes the nearest one that they
/// can, NaN becomes 0.
Value GraphBuilder::floatToInt(Value x, Type element, bool toUnsigned) {
  // Shape arithmetic goes through floats at times; APFloat saturates in the same way.
  auto converted = [&](const APFloat &value) {
    llvm::APSInt number(element.getIntOrFloatBitWidth(), toUnsigned);
    bool isExact;
    (void)value.convertToInteger(number, APFloat::rmTowardZero, &isExact);
    return APInt(number);
  };
  DenseFPElementsAttr dense;
  if (matchPattern(x, m_Constant(&dense)))
    return arith::ConstantOp::create(builder, loc, dense.mapValues(element, converted));
  if (elementOf(x).isF16() || elementOf(x).getIntOrFloatBitWidth() < 16) // whose range ends below 2^16
    x = castTo(x, builder.getF32Type());
  auto type = RankedTensorType::get(shapeOf(x), element);
  unsigned bits = element.getIntOrFloatBitWidth();
  APInt least = toUnsigned ? APInt::getMinValue(bits) : APInt::getSignedMinValue(bits);
  APInt largest = toUnsigned ? APInt::getMaxValue(bits) : APInt::getSignedMaxValue(bits);
  auto limit = [&](const APInt &number) {
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, number)).getResult();
  };
  // The bounds are powers of two (or 0) and exact in every float type that reaches them: below is
  // x < least, above is x >= largest + 1.
  double bound = std::ldexp(1.0, toUnsigned ? bits : bits - 1);
  Value low = constantLike(x, toUnsigned ? 0 : -bound), high = constantLike(x, bound);
  Value isBelow = compare(arith::CmpFPredicate::OLT, x, low);
  Value fits = create<arith::AndIOp>(compare(arith::CmpFPredicate::OGE, x, low),
                                     compare(arith::CmpFPredicate::OLT, x, high));
  Value isNaN = compare(arith::CmpFPredicate::UNO, x, x);
  Value inside = select(fits, x, constantLike(x, 0));
  Value whole = toUnsigned ? create<arith::FPToUIOp>(type, inside) : create<arith::FPToSIOp>(type, inside);
  Value outside = select(isBelow, limit(least), select(isNaN, limit(APInt(bits, 0)), limit(largest)));
  return select(fits, whole, outside);
}

Value GraphBuilder::castTo(Value x, Type element, bool fromUnsigned, bool toUnsigned) {
  Type from = elementOf(x);
  if (from == element)
    return x;
  auto type = RankedTensorType::get(shapeOf(x), element);
  unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = element.getIntOrFloatBitWidth();
  bool toFloat = isa<FloatType>(element);
  DenseFPElementsAttr dense;
  if (element.isInteger(1) && matchPattern(x, m_Constant(&dense)))
    return arith::ConstantOp::create(builder, loc, dense.mapValues(element, [](const APFloat &value) {
      return APInt(1, !value.isZero());
    }));
  if (element.isInteger(1)) // anything but zero is true, NaN included
    return isFloat(x) ? compare(arith::CmpFPredicate::UNE, x, constantLike(x, 0))
                      : compare(arith::CmpIPredicate::ne, x, constantLike(x, 0));
  if (isFloat(x) && toFloat) {
    if (fromBits == toBits) // fp16 and bf16: neither holds the other
      return castTo(castTo(x, builder.getF32Type()), element);
    return fromBits < toBits ? create<arith::ExtFOp>(type, x) : create<arith::TruncFOp>(type, x);
  }
  fromUnsigned |= isBool(x);
  if (isFloat(x))
    return floatToInt(x, element, toUnsigned);
  if (toFloat)
    return fromUnsigned ? create<arith::UIToFPOp>(type, x) : create<arith::SIToFPOp>(type, x);
  if (fromBits > toBits)
    return create<arith::TruncIOp>(type, x);
  return fromUnsigned ? create<arith::ExtUIOp>(type, x) : create<arith::ExtSIOp>(type, x);
}

Value GraphBuilder::widen(Value x) { return isNarrowFloat(x) ? castTo(x, builder.getF32Type()) : x; }
