// Verifiers and the reduction interface of reductions, arg-reductions and scans; products are reductions,
// too.
//
// An arg-reduction keeps one integer that orders elements: the rank of the value (the best one is the
// smallest integer) in the high half, the index in the low half. Elements of 64 bits keep the two apart.

#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===-- Kinds ---------------------------------------------------------------------------------------===//

/// What elements of `element` are accumulated in.
static Type stateTypeOf(Type element) {
  bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return narrow ? Float32Type::get(element.getContext()) : element;
}

static TypedAttr identityOf(ReduceKind kind, Type type) {
  Builder builder(type.getContext());
  auto extreme = [&](bool lowest) -> TypedAttr {
    if (auto f = dyn_cast<FloatType>(type))
      return builder.getFloatAttr(f, APFloat::getInf(f.getFloatSemantics(), lowest));
    unsigned width = type.getIntOrFloatBitWidth();
    return builder.getIntegerAttr(type,
                                  lowest ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  };
  switch (kind) {
  case ReduceKind::Sum:
    return cast<TypedAttr>(builder.getZeroAttr(type));
  case ReduceKind::Prod:
    return builder.getOneAttr(type);
  case ReduceKind::Max:
    return extreme(/*lowest=*/true);
  case ReduceKind::Min:
    return extreme(/*lowest=*/false);
  }
  llvm_unreachable("covered switch");
}

static Value mergeByKind(OpBuilder &builder, Location loc, ReduceKind kind, Value a, Value b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? Value(arith::AddFOp::create(builder, loc, a, b))
                   : arith::AddIOp::create(builder, loc, a, b);
  case ReduceKind::Prod:
    return isFloat ? Value(arith::MulFOp::create(builder, loc, a, b))
                   : arith::MulIOp::create(builder, loc, a, b);
  case ReduceKind::Max:
    return isFloat ? Value(arith::MaximumFOp::create(builder, loc, a, b))
                   : arith::MaxSIOp::create(builder, loc, a, b);
  case ReduceKind::Min:
    return isFloat ? Value(arith::MinimumFOp::create(builder, loc, a, b))
                   : arith::MinSIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("covered switch");
}

/// `type` (scalar or tensor) with elements of `element`.
static Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

/// The scalar `attr` as a value of the shape of `like`.
static Value constantLike(OpBuilder &builder, Location loc, Value like, TypedAttr attr) {
  auto tensor = dyn_cast<RankedTensorType>(like.getType());
  if (!tensor)
    return arith::ConstantOp::create(builder, loc, attr);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(tensor.clone(attr.getType()), Attribute(attr)));
}

//===-- reduce --------------------------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  SmallVector<int64_t> kept;
  int64_t previous = -1;
  for (int64_t dim : getDims()) {
    if (dim <= previous || dim >= input.getRank())
      return emitOpError() << "dims must increase and stay below the operand's rank " << input.getRank()
                           << ", got " << dim << " after " << previous;
    previous = dim;
  }
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (!llvm::is_contained(getDims(), d))
      kept.push_back(input.getDimSize(d));
  if (result.getShape() != ArrayRef(kept) || result.getElementType() != input.getElementType())
    return emitOpError() << "result should be " << RankedTensorType::get(kept, input.getElementType())
                         << ", not " << result;
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor adaptor) { return getDims().empty() ? getInput() : Value(); }

SmallVector<int64_t> ReduceOp::getReducedDims() { return llvm::to_vector(getDims()); }

SmallVector<Type> ReduceOp::getStateTypes() { return {stateTypeOf(typeOf(getInput()).getElementType())}; }

SmallVector<TypedAttr> ReduceOp::getIdentity() { return {identityOf(getKind(), getStateTypes().front())}; }

SmallVector<Value> ReduceOp::step(OpBuilder &builder, Location loc, Value element, Value) {
  return {convertFloat(builder, loc, element, getStateTypes().front())};
}

SmallVector<Value> ReduceOp::merge(OpBuilder &builder, Location loc, ValueRange lhs, ValueRange rhs) {
  return {mergeByKind(builder, loc, getKind(), lhs[0], rhs[0])};
}

Value ReduceOp::finish(OpBuilder &builder, Location loc, ValueRange state) {
  return convertFloat(builder, loc, state[0], typeOf(getInput()).getElementType());
}

/// The maximum over `dims` that terms exp(x - max) are relative to, or null.
static Value referenceOf(Value terms, ArrayRef<int64_t> dims) {
  auto exp = terms.getDefiningOp<math::ExpOp>();
  auto difference = exp ? exp.getOperand().getDefiningOp<arith::SubFOp>() : nullptr;
  auto broadcast = difference ? difference.getRhs().getDefiningOp<BroadcastOp>() : nullptr;
  auto max = broadcast ? broadcast.getInput().getDefiningOp<ReduceOp>() : nullptr;
  if (!max || max.getKind() != ReduceKind::Max || max.getDims() != dims ||
      max.getInput().getType() != terms.getType())
    return {};
  return max.getResult();
}

/// A sum of exp(x - from) times exp(from - to). Of a row of -inf nothing has been added yet.
static SmallVector<Value> rescaledSum(OpBuilder &builder, Location loc, ValueRange state, Value from,
                                      Value to) {
  auto type = cast<FloatType>(getElementTypeOrSelf(from.getType()));
  Value lowest = constantLike(builder, loc, from, identityOf(ReduceKind::Max, type));
  Value one = constantLike(builder, loc, from, identityOf(ReduceKind::Prod, type));
  Value isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, from, lowest);
  Value factor = math::ExpOp::create(builder, loc, arith::SubFOp::create(builder, loc, from, to));
  factor = arith::SelectOp::create(builder, loc, isEmpty, one, factor);
  return {arith::MulFOp::create(builder, loc, state[0], factor)};
}

/// sum(exp(x - max)): the terms are relative to a maximum over the same dimensions.
Value ReduceOp::getReference() {
  return getKind() == ReduceKind::Sum ? referenceOf(getInput(), getDims()) : Value();
}

SmallVector<Value> ReduceOp::rescale(OpBuilder &builder, Location loc, ValueRange state, Value from,
                                     Value to) {
  return rescaledSum(builder, loc, state, from, to);
}

int64_t ReduceOp::getFlops() { return typeOf(getInput()).getNumElements(); }

//===-- matmul --------------------------------------------------------------------------------------===//

SmallVector<int64_t> MatmulOp::getReducedDims() { return {typeOf(getLhs()).getRank() - 1}; }

SmallVector<Type> MatmulOp::getStateTypes() {
  Type element = typeOf(getLhs()).getElementType();
  return {isa<FloatType>(element) ? stateTypeOf(element) : typeOf(getResult()).getElementType()};
}

SmallVector<TypedAttr> MatmulOp::getIdentity() {
  return {identityOf(ReduceKind::Sum, getStateTypes().front())};
}

/// The state of one product of elements; products of tiles form those of many at once.
SmallVector<Value> MatmulOp::step(OpBuilder &builder, Location loc, Value element, Value) {
  return {convertFloat(builder, loc, element, getStateTypes().front())};
}

SmallVector<Value> MatmulOp::merge(OpBuilder &builder, Location loc, ValueRange lhs, ValueRange rhs) {
  return {mergeByKind(builder, loc, ReduceKind::Sum, lhs[0], rhs[0])};
}

Value MatmulOp::finish(OpBuilder &builder, Location loc, ValueRange state) {
  Type element = typeOf(getResult()).getElementType();
  return isa<FloatType>(element) ? convertFloat(builder, loc, state[0], element) : state[0];
}

/// exp(x - max) times a matrix, rounded or not: the terms are relative to a maximum over K.
Value MatmulOp::getReference() {
  Value terms = getLhs();
  if (auto rounding = terms.getDefiningOp<arith::TruncFOp>())
    terms = rounding.getIn();
  return referenceOf(terms, getReducedDims());
}

SmallVector<Value> MatmulOp::rescale(OpBuilder &builder, Location loc, ValueRange state, Value from,
                                     Value to) {
  return rescaledSum(builder, loc, state, from, to);
}

//===-- arg_reduce ----------------------------------------------------------------------------------===//

LogicalResult ArgReduceOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  int64_t dim = getDim();
  if (getKind() != ReduceKind::Max && getKind() != ReduceKind::Min) // arg_reduce_c1
    return emitOpError() << "has no index of a " << stringifyReduceKind(getKind()) << ", only of max and min";
  if (dim < 0 || dim >= input.getRank()) // arg_reduce_c2
    return emitOpError() << "dimension " << dim << " is outside a tensor of rank " << input.getRank();
  if (input.getElementType().isIndex()) // arg_reduce_c3
    return emitOpError() << "does not compare elements of type index";
  if (input.getDimSize(dim) < 1 || input.getDimSize(dim) > INT32_MAX) // arg_reduce_c4
    return emitOpError() << "dimension " << dim << " has " << input.getDimSize(dim)
                         << " elements, expected 1 to " << INT32_MAX;
  SmallVector<int64_t> kept(input.getShape());
  kept.erase(kept.begin() + dim);
  if (result.getShape() != ArrayRef(kept)) // arg_reduce_c5
    return emitOpError() << "result should be " << RankedTensorType::get(kept, result.getElementType())
                         << ", not " << result;
  return success();
}

/// Whether rank and index fit one integer.
static bool isPacked(ArgReduceOp op) {
  return typeOf(op.getInput()).getElementType().getIntOrFloatBitWidth() <= 32;
}

SmallVector<int64_t> ArgReduceOp::getReducedDims() { return {(int64_t)getDim()}; }

bool ArgReduceOp::needsIndex() { return true; }

SmallVector<Type> ArgReduceOp::getStateTypes() {
  Type wide = IntegerType::get(getContext(), 64), narrow = IntegerType::get(getContext(), 32);
  return isPacked(*this) ? SmallVector<Type>{wide} : SmallVector<Type>{wide, narrow};
}

SmallVector<TypedAttr> ArgReduceOp::getIdentity() {
  return llvm::map_to_vector(getStateTypes(), [](Type type) { return identityOf(ReduceKind::Min, type); });
}

Value tilewright::graph::orderedKey(OpBuilder &builder, Location loc, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  unsigned bits = std::max(32u, element.getIntOrFloatBitWidth());
  Type integer = builder.getIntegerType(bits), target = withElement(value.getType(), integer);
  if (isa<IntegerType>(element)) {
    if (element == integer)
      return value;
    return element.isInteger(1) ? Value(arith::ExtUIOp::create(builder, loc, target, value))
                                : arith::ExtSIOp::create(builder, loc, target, value);
  }
  Type wide = bits == 64 ? Type(builder.getF64Type()) : builder.getF32Type();
  value = convertFloat(builder, loc, value, wide);
  auto integerLike = [&](const APInt &number) {
    return constantLike(builder, loc, value, builder.getIntegerAttr(integer, number));
  };
  // -0 + 0 is 0. Negative floats are ordered against their magnitude.
  value = arith::AddFOp::create(builder, loc, value,
                                constantLike(builder, loc, value, builder.getFloatAttr(wide, 0.0)));
  Value raw = arith::BitcastOp::create(builder, loc, target, value);
  Value sign = arith::ShRSIOp::create(builder, loc, raw, integerLike(APInt(bits, bits - 1)));
  Value flip = arith::AndIOp::create(builder, loc, sign, integerLike(APInt::getSignedMaxValue(bits)));
  Value key = arith::XOrIOp::create(builder, loc, raw, flip);
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(builder, loc, isNan, integerLike(APInt::getSignedMaxValue(bits)), key);
}

SmallVector<Value> ArgReduceOp::step(OpBuilder &builder, Location loc, Value element, Value index) {
  Value key = orderedKey(builder, loc, element);
  auto integer = cast<IntegerType>(getElementTypeOrSelf(key.getType()));
  unsigned bits = integer.getWidth();
  auto like = [&](const APInt &number) {
    Type type = builder.getIntegerType(number.getBitWidth());
    return constantLike(builder, loc, key, builder.getIntegerAttr(type, number));
  };
  // The rank: the best value is the smallest integer, NaN the very smallest.
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(element.getType()));
  Value rank = key;
  if (getKind() == ReduceKind::Max)
    rank = arith::XOrIOp::create(builder, loc, key, like(APInt::getAllOnes(bits)));
  else if (isFloat)
    rank = arith::SelectOp::create(
        builder, loc, arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, element, element),
        like(APInt::getSignedMinValue(bits)), key);
  if (getLast())
    index = arith::XOrIOp::create(builder, loc, index, like(APInt::getSignedMaxValue(32)));
  if (!isPacked(*this))
    return {rank, index};
  Type wide = withElement(key.getType(), builder.getI64Type());
  Value high = arith::ShLIOp::create(builder, loc, arith::ExtSIOp::create(builder, loc, wide, rank),
                                     like(APInt(64, 32)));
  return {arith::OrIOp::create(builder, loc, high, arith::ExtUIOp::create(builder, loc, wide, index))};
}

SmallVector<Value> ArgReduceOp::merge(OpBuilder &builder, Location loc, ValueRange lhs, ValueRange rhs) {
  if (isPacked(*this))
    return {arith::MinSIOp::create(builder, loc, lhs[0], rhs[0])};
  auto compare = [&](arith::CmpIPredicate predicate, int i) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, rhs[i], lhs[i]);
  };
  Value tie = arith::AndIOp::create(builder, loc, compare(arith::CmpIPredicate::eq, 0),
                                    compare(arith::CmpIPredicate::slt, 1));
  Value right = arith::OrIOp::create(builder, loc, compare(arith::CmpIPredicate::slt, 0), tie);
  return {arith::SelectOp::create(builder, loc, right, rhs[0], lhs[0]),
          arith::SelectOp::create(builder, loc, right, rhs[1], lhs[1])};
}

Value ArgReduceOp::finish(OpBuilder &builder, Location loc, ValueRange state) {
  Value index = state.back();
  if (isPacked(*this))
    index = arith::TruncIOp::create(builder, loc, withElement(index.getType(), builder.getI32Type()), index);
  if (getLast())
    index = arith::XOrIOp::create(
        builder, loc, index,
        constantLike(builder, loc, index, builder.getI32IntegerAttr(std::numeric_limits<int32_t>::max())));
  Type element = typeOf(getResult()).getElementType();
  if (element.isInteger(32))
    return index;
  return arith::ExtSIOp::create(builder, loc, withElement(index.getType(), element), index);
}

int64_t ArgReduceOp::getFlops() { return typeOf(getInput()).getNumElements(); }

//===-- scan ----------------------------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  RankedTensorType type = typeOf(getInput());
  if ((int64_t)getDim() < 0 || (int64_t)getDim() >= type.getRank()) // scan_c1
    return emitOpError() << "dimension " << (int64_t)getDim() << " is outside a tensor of rank "
                         << type.getRank();
  if (type.getElementType().isIndex() || type.getElementType().isInteger(1)) // scan_c2
    return emitOpError() << "does not accumulate elements of type " << type.getElementType();
  return success();
}

/// One element is its own sum.
OpFoldResult ScanOp::fold(FoldAdaptor adaptor) {
  return typeOf(getInput()).getDimSize((int64_t)getDim()) == 1 ? getInput() : Value();
}

SmallVector<int64_t> ScanOp::getReducedDims() { return {(int64_t)getDim()}; }

SmallVector<Type> ScanOp::getStateTypes() { return {stateTypeOf(typeOf(getInput()).getElementType())}; }

SmallVector<TypedAttr> ScanOp::getIdentity() { return {identityOf(getKind(), getStateTypes().front())}; }

SmallVector<Value> ScanOp::step(OpBuilder &builder, Location loc, Value element, Value) {
  return {convertFloat(builder, loc, element, getStateTypes().front())};
}

SmallVector<Value> ScanOp::merge(OpBuilder &builder, Location loc, ValueRange lhs, ValueRange rhs) {
  return {mergeByKind(builder, loc, getKind(), lhs[0], rhs[0])};
}

Value ScanOp::finish(OpBuilder &builder, Location loc, ValueRange state) {
  return convertFloat(builder, loc, state[0], typeOf(getInput()).getElementType());
}

int64_t ScanOp::getFlops() { return typeOf(getInput()).getNumElements(); }

//===-- Questions -----------------------------------------------------------------------------------===//

ReductionOpInterface tilewright::graph::asReduction(Operation *op) {
  return isa_and_nonnull<ScanOp, MatmulOp>(op) ? ReductionOpInterface()
                                               : dyn_cast_if_present<ReductionOpInterface>(op);
}

std::optional<int64_t> tilewright::graph::wholeRowDim(Operation *op) {
  if (auto scan = dyn_cast_if_present<ScanOp>(op))
    return (int64_t)scan.getDim();
  if (auto sort = dyn_cast_if_present<SortOp>(op))
    return (int64_t)sort.getDim();
  return std::nullopt;
}
