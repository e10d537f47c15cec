// Verifiers of the tile ops, and the text form of kernels.

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "Tilewright/Layout/Run.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileOps.cpp.inc"

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===-- kernel --------------------------------------------------------------------------------------===//

ScheduleAttr KernelOp::getSchedule() { return (*this)->getAttrOfType<ScheduleAttr>(getScheduleAttrName()); }
int64_t KernelOp::getClusterBlocks() {
  auto blocks = (*this)->getAttrOfType<IntegerAttr>(getClusterAttrName());
  return blocks ? blocks.getInt() : 1;
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  DenseI64ArrayAttr grid;
  int64_t warps;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parser.parseKeyword("grid") || parser.parseEqual())
    return failure();
  grid = dyn_cast_if_present<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, Type()));
  if (!grid || parser.parseKeyword("warps") || parser.parseEqual() || parser.parseInteger(warps) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> types = llvm::map_to_vector(arguments, [](auto &argument) { return argument.type; });
  Builder &builder = parser.getBuilder();
  result.addAttribute(getGridAttrName(result.name), grid);
  result.addAttribute(getWarpsAttrName(result.name), builder.getI64IntegerAttr(warps));
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, TypeRange())));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, /*resultAttrs=*/{},
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " grid = ";
  getGridAttr().print(printer);
  printer << " warps = " << getWarps() << ' ';
  printer << '(';
  for (auto [i, argument] : llvm::enumerate(getBody().getArguments())) {
    printer << (i ? ", " : "");
    printer.printRegionArgument(argument, function_interface_impl::getArgAttrDict(*this, i)
                                              ? function_interface_impl::getArgAttrDict(*this, i).getValue()
                                              : ArrayRef<NamedAttribute>());
  }
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getGridAttrName(), getWarpsAttrName(),
                            getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  if (getGrid().size() != 3 || llvm::any_of(getGrid(), [](int64_t size) { return size < 1; })) // kernel_c1
    return emitOpError() << "grid needs three sizes of at least 1";
  if (getGrid()[0] > 0x7fffffff || getGrid()[1] > 65535 || getGrid()[2] > 65535) // kernel_c2
    return emitOpError() << "grid " << getGrid()[0] << "x" << getGrid()[1] << "x" << getGrid()[2]
                         << " exceeds 2147483647x65535x65535";
  if (getWarps() < 1 || getWarps() > 32) // kernel_c3
    return emitOpError() << "a block has 1 to 32 warps, got " << getWarps();
  if (!getResultTypes().empty()) // kernel_c4
    return emitOpError() << "has " << getResultTypes().size() << " results, a kernel has none";
  for (Type type : getArgumentTypes())
    if (!isa<ViewType>(type)) // kernel_c5
      return emitOpError() << "arguments are views, got " << type;
  return success();
}

//===-- global memory -------------------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  ViewType source = getSource().getType(), result = getType();
  if (source.getElementType() != result.getElementType()) // view_c1
    return emitOpError() << "changes the element type from " << source.getElementType() << " to "
                         << result.getElementType();
  if (result.getView().span() > source.getView().span()) // view_c2
    return emitOpError() << "reaches element " << result.getView().span() << " of a buffer of "
                         << source.getView().span();
  return success();
}

/// Checks shared by the ops that take a tile of a view.
template <typename Op> static LogicalResult verifyAccess(Op op, ArrayRef<int64_t> shape, Type element) {
  ViewType view = cast<ViewType>(op.getView().getType());
  int64_t rank = view.getRank();
  if ((int64_t)shape.size() != rank || (int64_t)op.getIndices().size() != rank ||
      (int64_t)op.getDivisors().size() != rank || (int64_t)op.getInBounds().size() != rank) // access_c1
    return op.emitOpError() << "a view of rank " << rank << " with a tile of rank " << shape.size() << ", "
                            << op.getIndices().size() << " indices, " << op.getDivisors().size()
                            << " divisors and " << op.getInBounds().size() << " bounds";
  if (view.getElementType() != element) // access_c2
    return op.emitOpError() << "a view of " << view.getElementType() << " with a tile of " << element;
  for (int64_t divisor : op.getDivisors())
    if (divisor < 0) // access_c3
      return op.emitOpError() << "divisor " << divisor << " is negative";
  return verifyAligned(op, view.getView(), shape); // access_c4
}

LogicalResult LoadOp::verify() {
  if (getFill() && getFillAttr().getType() != typeOf(getResult()).getElementType()) // load_c1
    return emitOpError() << "fill is of type " << getFillAttr().getType() << ", the tile of "
                         << typeOf(getResult()).getElementType();
  return verifyAccess(*this, typeOf(getResult()).getShape(), typeOf(getResult()).getElementType());
}

LogicalResult StoreOp::verify() {
  if ((bool)getEnd() != getEndDim().has_value()) // store_c1
    return emitOpError() << "an end and the dimension along which it is come together";
  if (getEndDim() && (int64_t)*getEndDim() >= typeOf(getValue()).getRank()) // store_c2
    return emitOpError() << "an end along dimension " << *getEndDim() << " of a tile of rank "
                         << typeOf(getValue()).getRank();
  return verifyAccess(*this, typeOf(getValue()).getShape(), typeOf(getValue()).getElementType());
}

LogicalResult GatherOp::verify() {
  RankedTensorType result = typeOf(getResult()), offsets = typeOf(getOffsets());
  if ((int64_t)getExtent() < 0) // gather_c1
    return emitOpError() << "extent " << (int64_t)getExtent() << " is negative";
  if (!offsets.getElementType().isInteger() || offsets.getRank() != result.getRank()) // gather_c2
    return emitOpError() << "offsets must be integers of rank " << result.getRank() << ", got " << offsets;
  for (int64_t d = 0; d < result.getRank(); ++d)
    if (offsets.getDimSize(d) != 1 && offsets.getDimSize(d) != result.getDimSize(d)) // gather_c3
      return emitOpError() << "offsets have size " << offsets.getDimSize(d) << " in dimension " << d
                           << ", the result " << result.getDimSize(d);
  return verifyAccess(*this, result.getShape(), result.getElementType());
}

LogicalResult CopyAsyncOp::verify() {
  SharedType buffer = getBuffer().getType();
  layout::Shape shape = getLayout().getLayout().shape();
  if (ArrayRef<int64_t>(shape) != ArrayRef<int64_t>(buffer.getShape())) { // copy_async_c1
    InFlightDiagnostic diagnostic = emitOpError() << "layout of shape [";
    llvm::interleaveComma(shape, diagnostic);
    diagnostic << "] for a buffer of shape [";
    llvm::interleaveComma(buffer.getShape(), diagnostic);
    return diagnostic << "]";
  }
  return verifyAccess(*this, buffer.getShape(), buffer.getElementType());
}

int64_t tile::runBufferElems(int64_t elems, Type element) {
  int64_t unit = kRunBytes * 8 / storageBits(element);
  return (int64_t)llvm::alignTo(elems + unit - 1, unit);
}

template <typename Op> static LogicalResult verifyRun(Op op, ArrayRef<int64_t> shape, Type element) {
  if (failed(verifyAccess(op, shape, element)))
    return failure();
  for (auto [d, size] : llvm::enumerate(shape))
    if (size < 1) // run_c3
      return op.emitOpError() << "a tile of " << size << " elements in dimension " << d;
  auto view = cast<ViewType>(op.getView().getType());
  auto run = layout::runOf(view.getView(), shape.vec());
  if (!run) // run_c1
    return op.emitOpError() << "a tile that is no run of " << view;
  SharedType buffer = op.getBuffer().getType();
  int64_t needed = runBufferElems(run->elems, element);
  if (buffer.getShape().size() != 1 || buffer.getStages() != 1 || buffer.getElementType() != element ||
      buffer.getShape()[0] < needed) // run_c2
    return op.emitOpError() << "needs one buffer of " << needed << " elements of " << element << ", got "
                            << buffer;
  return success();
}

/// A run that warps copy between memory and a buffer.
template <typename Op> static LogicalResult verifyRunOfWarps(Op op) {
  constexpr int64_t most = 32;
  if (int64_t warps = op.getWarps(); warps < 1 || warps > most) // run_c4
    return op.emitOpError() << "by " << warps << " warps, a block has 1 to " << most;
  return verifyRun(op, op.getShape(), op.getBuffer().getType().getElementType());
}

LogicalResult CopyRunOp::verify() { return verifyRunOfWarps(*this); }

LogicalResult LoadRunOp::verify() {
  return verifyRun(*this, typeOf(getResult()).getShape(), typeOf(getResult()).getElementType());
}

LogicalResult StoreRunOp::verify() {
  return verifyRun(*this, typeOf(getValue()).getShape(), typeOf(getValue()).getElementType());
}

LogicalResult SendRunOp::verify() { return verifyRunOfWarps(*this); }

//===-- tiles ---------------------------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  if (getValue().getType() != typeOf(getResult()).getElementType()) // splat_c1
    return emitOpError() << "a value of " << getValue().getType() << " in a tile of "
                         << typeOf(getResult()).getElementType();
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t rank = typeOf(getResult()).getRank();
  if ((int64_t)getDim() < 0 || (int64_t)getDim() >= rank) // iota_c1
    return emitOpError() << "dimension " << (int64_t)getDim() << " is outside a tile of rank " << rank;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if (input.getRank() != result.getRank() ||
      input.getElementType() != result.getElementType()) // broadcast_c1
    return emitOpError() << "from " << input << " to " << result << " changes rank or element type";
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (input.getDimSize(d) != 1 && input.getDimSize(d) != result.getDimSize(d)) // broadcast_c2
      return emitOpError() << "dimension " << d << " of size " << input.getDimSize(d) << " cannot become "
                           << result.getDimSize(d);
  return success();
}

LogicalResult JoinOp::verify() {
  RankedTensorType part = typeOf(getFirst()), result = typeOf(getResult());
  auto dim = (int64_t)getDim();
  if (dim < 0 || dim >= part.getRank()) // join_c1
    return emitOpError() << "dimension " << dim << " is outside a tile of rank " << part.getRank();
  SmallVector<int64_t> shape(part.getShape());
  shape[dim] *= 2;
  if (result.getElementType() != part.getElementType() ||
      result.getShape() != ArrayRef<int64_t>(shape)) // join_c2
    return emitOpError() << "of two " << part << " along dimension " << dim << " is no " << result;
  return success();
}

/// Whether `whole` has two elements for each one of `part` along `dim`.
static LogicalResult verifyInTurn(Operation *op, RankedTensorType part, RankedTensorType whole, int64_t dim,
                                  int64_t by) {
  if (dim < 0 || dim >= part.getRank()) // interleave_c1
    return op->emitOpError() << "dimension " << dim << " is outside a tile of rank " << part.getRank();
  SmallVector<int64_t> shape(part.getShape());
  shape[dim] *= 2;
  if (whole.getElementType() != part.getElementType() ||
      whole.getShape() != ArrayRef<int64_t>(shape)) // interleave_c2
    return op->emitOpError() << "of two " << part << " in turn along dimension " << dim << " is no " << whole;
  if (by < 1 || !llvm::isPowerOf2_64((uint64_t)by) || part.getDimSize(dim) % by != 0) // interleave_c3
    return op->emitOpError() << "takes " << by << " elements in turn of " << part.getDimSize(dim)
                             << ": no power of two that divides them";
  return success();
}

LogicalResult InterleaveOp::verify() {
  return verifyInTurn(*this, typeOf(getEven()), typeOf(getResult()), (int64_t)getDim(), (int64_t)getBy());
}

LogicalResult DeinterleaveOp::verify() {
  return verifyInTurn(*this, typeOf(getEven()), typeOf(getInput()), (int64_t)getDim(), (int64_t)getBy());
}

LogicalResult AnyOp::verify() {
  if (!typeOf(getInput()).getElementType().isInteger(1)) // any_c1
    return emitOpError() << "of elements of " << typeOf(getInput()).getElementType()
                         << ", which are no conditions";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getInputs().empty() || getInputs().size() != getResults().size()) // reduce_c1
    return emitOpError() << "has " << getInputs().size() << " inputs and " << getResults().size()
                         << " results";
  ArrayRef<int64_t> shape = typeOf(getInputs()[0]).getShape();
  if ((int64_t)getDim() < 0 || (int64_t)getDim() >= (int64_t)shape.size()) // reduce_c2
    return emitOpError() << "dimension " << (int64_t)getDim() << " is outside a tile of rank "
                         << shape.size();
  SmallVector<int64_t> reduced(shape);
  reduced[getDim()] = 1;
  Block &block = getCombiner().front();
  if (block.getNumArguments() != 2 * getInputs().size()) // reduce_c3
    return emitOpError() << "combiner takes " << block.getNumArguments() << " values, not "
                         << 2 * getInputs().size();
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    Type element = typeOf(input).getElementType();
    if (typeOf(input).getShape() != shape || typeOf(getResults()[i]).getShape() != ArrayRef(reduced) ||
        typeOf(getResults()[i]).getElementType() != element) // reduce_c4
      return emitOpError() << "result #" << i << " should be " << RankedTensorType::get(reduced, element);
    if (block.getArgument(i).getType() != element ||
        block.getArgument(i + getInputs().size()).getType() != element) // reduce_c5
      return emitOpError() << "combiner argument " << i << " is not of type " << element;
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield ||
      !llvm::equal(yield.getOperandTypes(), llvm::map_range(getInputs(), [](Value input) { // reduce_c6
                     return typeOf(input).getElementType();
                   })))
    return emitOpError() << "combiner does not yield one merged state of " << getInputs().size() << " values";
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = typeOf(getLhs()), b = typeOf(getRhs()), c = typeOf(getResult());
  int64_t rank = a.getRank();
  if (rank < 2 || b.getRank() != rank || c.getRank() != rank) // dot_c1
    return emitOpError() << "operands have ranks " << rank << ", " << b.getRank() << ", " << c.getRank();
  for (int64_t d = 0; d < rank - 2; ++d) // dot_c2
    if (a.getDimSize(d) != 1 || b.getDimSize(d) != 1 || c.getDimSize(d) != 1)
      return emitOpError() << "batch dimension " << d << " must have size 1";
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2)) // dot_c3
    return emitOpError() << "K is " << a.getDimSize(rank - 1) << " and " << b.getDimSize(rank - 2);
  if (a.getDimSize(rank - 2) != c.getDimSize(rank - 2) ||
      b.getDimSize(rank - 1) != c.getDimSize(rank - 1)) // dot_c4
    return emitOpError() << "the product is " << a.getDimSize(rank - 2) << "x" << b.getDimSize(rank - 1)
                         << ", the accumulator " << c.getDimSize(rank - 2) << "x" << c.getDimSize(rank - 1);
  if (a.getElementType() != b.getElementType()) // dot_c5
    return emitOpError() << "operands are of " << a.getElementType() << " and " << b.getElementType();
  Type element = a.getElementType(), sum = c.getElementType();
  bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 64;
  if (narrow ? !sum.isF32() : isa<FloatType>(element) ? sum != element : !isa<IntegerType>(sum)) // dot_c6
    return emitOpError() << "products of " << element << " are not summed in " << sum;
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  if (input.getShape() != result.getShape() ||
      input.getElementType() != result.getElementType()) // convert_layout_c1
    return emitOpError() << "from " << input << " to " << result << " changes shape or element type";
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

//===-- shared memory -------------------------------------------------------------------------------===//

LogicalResult LoadSharedOp::verify() {
  RankedTensorType result = typeOf(getResult());
  SmallVector<int64_t> shape = getBuffer().getType().getShape();
  if (getBuffer().getType().getElementType() != result.getElementType()) // load_shared_c1
    return emitOpError() << "a buffer of " << getBuffer().getType().getElementType() << " with a tile of "
                         << result.getElementType();
  if ((int64_t)shape.size() != result.getRank()) // load_shared_c2
    return emitOpError() << "a buffer of rank " << shape.size() << " with a tile of rank "
                         << result.getRank();
  if (getOffsets().empty() && ArrayRef(shape) != result.getShape()) // load_shared_c3
    return emitOpError() << "the tile's shape differs from the buffer's and no offsets are given";
  if (!getOffsets().empty() && (int64_t)getOffsets().size() != result.getRank()) // load_shared_c4
    return emitOpError() << getOffsets().size() << " offsets for a tile of rank " << result.getRank();
  return success();
}

LogicalResult StoreSharedOp::verify() {
  SharedType buffer = getBuffer().getType();
  if (ArrayRef<int64_t>(buffer.getShape()) != typeOf(getValue()).getShape() ||
      buffer.getElementType() != typeOf(getValue()).getElementType()) // store_shared_c1
    return emitOpError() << "a tile of " << typeOf(getValue()) << " into a buffer of another shape or type";
  return success();
}
