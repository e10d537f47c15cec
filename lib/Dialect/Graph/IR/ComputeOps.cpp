// Verifiers and interfaces of the structured compute ops, and of kernels.

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewright::graph;

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Graph/IR/GraphOps.cpp.inc"

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===-- matmul, attention ---------------------------------------------------------------------------===//

LogicalResult MatmulOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs()), result = typeOf(getResult());
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank || result.getRank() != rank)
    return emitOpError() << "operands and result have ranks " << rank << ", " << rhs.getRank() << ", "
                         << result.getRank() << "; all must be equal and at least 2";
  for (int64_t d = 0; d < rank - 2; ++d)
    if (lhs.getDimSize(d) != rhs.getDimSize(d) || lhs.getDimSize(d) != result.getDimSize(d))
      return emitOpError() << "batch dimension " << d << " has sizes " << lhs.getDimSize(d) << ", "
                           << rhs.getDimSize(d) << ", " << result.getDimSize(d);
  if (lhs.getDimSize(rank - 1) != rhs.getDimSize(rank - 2))
    return emitOpError() << "K is " << lhs.getDimSize(rank - 1) << " in the left operand and "
                         << rhs.getDimSize(rank - 2) << " in the right one";
  if (lhs.getDimSize(rank - 2) != result.getDimSize(rank - 2) ||
      rhs.getDimSize(rank - 1) != result.getDimSize(rank - 1))
    return emitOpError() << "the product is " << lhs.getDimSize(rank - 2) << "x" << rhs.getDimSize(rank - 1)
                         << ", the result " << result.getDimSize(rank - 2) << "x"
                         << result.getDimSize(rank - 1);
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "operands have element types " << lhs.getElementType() << " and "
                         << rhs.getElementType();
  return success();
}

int64_t MatmulOp::getFlops() {
  return 2 * typeOf(getResult()).getNumElements() * typeOf(getLhs()).getShape().back();
}

LogicalResult AttentionOp::verify() {
  RankedTensorType q = typeOf(getQuery()), k = typeOf(getKey()), v = typeOf(getValue()),
                   r = typeOf(getResult());
  int64_t rank = q.getRank();
  if (rank < 2 || k.getRank() != rank || v.getRank() != rank || r.getRank() != rank)
    return emitOpError() << "query, key, value and result have ranks " << rank << ", " << k.getRank() << ", "
                         << v.getRank() << ", " << r.getRank();
  auto batch = [&](RankedTensorType t) { return t.getShape().drop_back(2); };
  if (batch(q) != batch(k) || batch(q) != batch(v) || batch(q) != batch(r))
    return emitOpError() << "batch dimensions of query, key, value and result differ";
  int64_t s = q.getDimSize(rank - 2), d = q.getDimSize(rank - 1), t = k.getDimSize(rank - 2);
  if (k.getDimSize(rank - 1) != d)
    return emitOpError() << "query has " << d << " features, key " << k.getDimSize(rank - 1);
  if (v.getDimSize(rank - 2) != t)
    return emitOpError() << "key has " << t << " positions, value " << v.getDimSize(rank - 2);
  if (r.getDimSize(rank - 2) != s || r.getDimSize(rank - 1) != v.getDimSize(rank - 1))
    return emitOpError() << "result should end in " << s << "x" << v.getDimSize(rank - 1);
  if (getMask()) {
    RankedTensorType mask = typeOf(getMask());
    if (mask.getRank() != rank || batch(mask) != batch(q) || mask.getDimSize(rank - 2) != s ||
        mask.getDimSize(rank - 1) != t)
      return emitOpError() << "mask should end in " << s << "x" << t << ", got " << mask;
  }
  return success();
}

int64_t AttentionOp::getFlops() {
  int64_t scores = typeOf(getResult()).getNumElements() / typeOf(getResult()).getShape().back() *
                   typeOf(getKey()).getShape().drop_back().back();
  return 2 * scores * (typeOf(getQuery()).getShape().back() + typeOf(getValue()).getShape().back());
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

SmallVector<Type> ReduceOp::getStateTypes() {
  Type element = typeOf(getInput()).getElementType();
  bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return {narrow ? Float32Type::get(getContext()) : element};
}

SmallVector<TypedAttr> ReduceOp::getIdentity() {
  Type type = getStateTypes().front();
  Builder builder(getContext());
  auto extreme = [&](bool lowest) -> TypedAttr {
    if (auto f = dyn_cast<FloatType>(type))
      return builder.getFloatAttr(f, APFloat::getInf(f.getFloatSemantics(), lowest));
    unsigned width = type.getIntOrFloatBitWidth();
    return builder.getIntegerAttr(type,
                                  lowest ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
  };
  switch (getKind()) {
  case ReduceKind::Sum:
    return {cast<TypedAttr>(builder.getZeroAttr(type))};
  case ReduceKind::Prod:
    return {builder.getOneAttr(type)};
  case ReduceKind::Max:
    return {extreme(/*lowest=*/true)};
  case ReduceKind::Min:
    return {extreme(/*lowest=*/false)};
  }
  llvm_unreachable("covered switch");
}

/// `element` of a narrow float extended to the state's element type; tiles and scalars alike.
static Value toStateType(OpBuilder &builder, Location loc, Value value, Type stateElement) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type) == stateElement)
    return value;
  Type target = stateElement;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    target = tensor.clone(stateElement);
  return arith::ExtFOp::create(builder, loc, target, value);
}

SmallVector<Value> ReduceOp::step(OpBuilder &builder, Location loc, Value element) {
  return {toStateType(builder, loc, element, getStateTypes().front())};
}

SmallVector<Value> ReduceOp::merge(OpBuilder &builder, Location loc, ValueRange lhs, ValueRange rhs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs[0].getType()));
  Value a = lhs[0], b = rhs[0];
  switch (getKind()) {
  case ReduceKind::Sum:
    return {isFloat ? Value(arith::AddFOp::create(builder, loc, a, b))
                    : arith::AddIOp::create(builder, loc, a, b)};
  case ReduceKind::Prod:
    return {isFloat ? Value(arith::MulFOp::create(builder, loc, a, b))
                    : arith::MulIOp::create(builder, loc, a, b)};
  case ReduceKind::Max:
    return {isFloat ? Value(arith::MaximumFOp::create(builder, loc, a, b))
                    : arith::MaxSIOp::create(builder, loc, a, b)};
  case ReduceKind::Min:
    return {isFloat ? Value(arith::MinimumFOp::create(builder, loc, a, b))
                    : arith::MinSIOp::create(builder, loc, a, b)};
  }
  llvm_unreachable("covered switch");
}

Value ReduceOp::finish(OpBuilder &builder, Location loc, ValueRange state) {
  Type element = typeOf(getInput()).getElementType(), type = state[0].getType();
  if (getElementTypeOrSelf(type) == element)
    return state[0];
  Type target = element;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    target = tensor.clone(element);
  return arith::TruncFOp::create(builder, loc, target, state[0]);
}

int64_t ReduceOp::getFlops() { return typeOf(getInput()).getNumElements(); }

//===-- softmax, norms, gelu ------------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() {
  if ((int64_t)getDim() < 0 || (int64_t)getDim() >= typeOf(getInput()).getRank())
    return emitOpError() << "dimension " << (int64_t)getDim() << " is outside a tensor of rank "
                         << typeOf(getInput()).getRank();
  return success();
}

static LogicalResult verifyNorm(Operation *op, Value input, Value result, int64_t dim,
                                ArrayRef<std::pair<StringRef, Value>> parameters) {
  RankedTensorType type = typeOf(input);
  if (type.getShape() != typeOf(result).getShape())
    return op->emitOpError() << "operand " << type << " and result " << result.getType()
                             << " differ in shape";
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError() << "dimension " << dim << " is outside a tensor of rank " << type.getRank();
  for (auto [name, value] : parameters)
    if (value && typeOf(value).getShape() != type.getShape().drop_front(dim))
      return op->emitOpError() << name << " is " << value.getType() << ", the normalized dimensions are "
                               << RankedTensorType::get(type.getShape().drop_front(dim),
                                                        type.getElementType());
  return success();
}

LogicalResult LayerNormOp::verify() {
  return verifyNorm(*this, getInput(), getResult(), getDim(), {{"scale", getScale()}, {"bias", getBias()}});
}

LogicalResult RmsNormOp::verify() {
  return verifyNorm(*this, getInput(), getResult(), getDim(), {{"scale", getScale()}});
}

LogicalResult GeluOp::verify() { return success(); }

//===-- kernel --------------------------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parser.parseKeyword("anchor") || parser.parseLParen())
    return failure();
  StringRef anchor;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&anchor) || parser.parseRParen())
    return failure();
  std::optional<Anchor> value = symbolizeAnchor(anchor);
  if (!value)
    return parser.emitError(loc) << "unknown anchor '" << anchor << "'";
  result.addAttribute(getAnchorAttrName(result.name), AnchorAttr::get(parser.getContext(), *value));
  auto buildFuncType = [](Builder &builder, ArrayRef<Type> args, ArrayRef<Type> results,
                          function_interface_impl::VariadicFlag,
                          std::string &) { return builder.getFunctionType(args, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildFuncType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " anchor(" << stringifyAnchor(getAnchor()) << ")";
  // The shared printer prints every attribute but the ones named, and the anchor is printed above.
  Operation *op = getOperation();
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(), false,
                                                  getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, op,
      {getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName(), getAnchorAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

LogicalResult KernelOp::verify() {
  for (Type type : llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return emitOpError() << "arguments and results are tensors of static shape, got " << type;
  return success();
}

LogicalResult ReturnOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (getValues().getTypes() != TypeRange(kernel.getResultTypes()))
    return emitOpError() << "returns " << getValues().size()
                         << " values of types that differ from the kernel's "
                         << kernel.getResultTypes().size() << " results";
  return success();
}
