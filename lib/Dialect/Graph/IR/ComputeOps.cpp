// Verifiers and interfaces of the structured compute ops, and of kernels.

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewright::graph;

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Graph/IR/GraphOps.cpp.inc"

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===-- matmul, attention ---------------------------------------------------------------------------===//

/// What a grouped product asks of its operands beyond those of a product.
static LogicalResult verifyGroups(MatmulOp op) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs()), groups = typeOf(op.getGroups());
  if (lhs.getRank() != 2 || rhs.getRank() != 3) // matmul_c8
    return op.emitOpError() << "rows by groups have ranks 2 and 3, one matrix for each group, got "
                            << lhs.getRank() << " and " << rhs.getRank();
  if (groups.getRank() != 1 || groups.getDimSize(0) != rhs.getDimSize(0) || groups.getDimSize(0) == 0 ||
      !groups.getElementType().isInteger(32)) // matmul_c9
    return op.emitOpError() << rhs.getDimSize(0) << " groups end at as many numbers of i32, got " << groups;
  return success();
}

LogicalResult MatmulOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs()), result = typeOf(getResult());
  if (getGroups() && failed(verifyGroups(*this)))
    return failure();
  // The groups' matrices are one more dimension.
  int64_t rank = lhs.getRank(), batch = getGroups() ? 1 : 0;
  if (rank < 2 || rhs.getRank() != rank + batch || result.getRank() != rank)
    return emitOpError() << "operands and result have ranks " << rank << ", " << rhs.getRank() << ", "
                         << result.getRank() << "; all must be equal and at least 2";
  for (int64_t d = 0; d < rank - 2; ++d)
    if (lhs.getDimSize(d) != rhs.getDimSize(d) || lhs.getDimSize(d) != result.getDimSize(d))
      return emitOpError() << "batch dimension " << d << " has sizes " << lhs.getDimSize(d) << ", "
                           << rhs.getDimSize(d) << ", " << result.getDimSize(d);
  if (lhs.getDimSize(rank - 1) != rhs.getDimSize(rank + batch - 2))
    return emitOpError() << "K is " << lhs.getDimSize(rank - 1) << " in the left operand and "
                         << rhs.getDimSize(rank + batch - 2) << " in the right one";
  if (lhs.getDimSize(rank - 2) != result.getDimSize(rank - 2) ||
      rhs.getDimSize(rank + batch - 1) != result.getDimSize(rank - 1))
    return emitOpError() << "the product is " << lhs.getDimSize(rank - 2) << "x"
                         << rhs.getDimSize(rank + batch - 1) << ", the result " << result.getDimSize(rank - 2)
                         << "x" << result.getDimSize(rank - 1);
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "operands have element types " << lhs.getElementType() << " and "
                         << rhs.getElementType();
  if (isa<FloatType>(lhs.getElementType()) != isa<FloatType>(result.getElementType()))
    return emitOpError() << "products of " << lhs.getElementType() << " are not summed in "
                         << result.getElementType();
  if (getPromotion().value_or(0) % 32 != 0)
    return emitOpError() << "sums go into fp32 after multiples of 32 elements of K, not after "
                         << *getPromotion();
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
