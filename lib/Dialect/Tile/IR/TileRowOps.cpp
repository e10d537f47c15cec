// Verifiers of scans, sorts and takes.

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Checks that hold for both: inputs of one shape, a dimension of theirs, a combiner on two of their
/// elements.
static LogicalResult verifyRowOp(Operation *op, OperandRange inputs, int64_t dim, Block &combiner) {
  if (inputs.empty()) // row_c1
    return op->emitOpError() << "has no inputs";
  ArrayRef<int64_t> shape = typeOf(inputs[0]).getShape();
  if (dim < 0 || dim >= (int64_t)shape.size()) // row_c2
    return op->emitOpError() << "dimension " << dim << " is outside a tile of rank " << shape.size();
  if (combiner.getNumArguments() != 2 * inputs.size()) // row_c3
    return op->emitOpError() << "combiner takes " << combiner.getNumArguments() << " values, not "
                             << 2 * inputs.size();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (typeOf(input).getShape() != shape) // row_c4
      return op->emitOpError() << "input #" << i << " has another shape than input #0";
    Type element = typeOf(input).getElementType();
    if (combiner.getArgument(i).getType() != element ||
        combiner.getArgument(i + inputs.size()).getType() != element) // row_c5
      return op->emitOpError() << "combiner argument " << i << " is not of type " << element;
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (failed(verifyRowOp(*this, getInputs(), getDim(), getCombiner().front())))
    return failure();
  size_t count = getInputs().size();
  if (getResults().size() != 2 * count) // scan_c1
    return emitOpError() << "has " << getResults().size() << " results, expected " << 2 * count
                         << ": running and final ones";
  for (size_t i = 0; i < count; ++i) {
    RankedTensorType type = typeOf(getInputs()[i]);
    SmallVector<int64_t> total(type.getShape());
    total[getDim()] = 1;
    if (typeOf(getResults()[i]).getShape() != type.getShape() ||
        typeOf(getResults()[i]).getElementType() != type.getElementType()) // scan_c2
      return emitOpError() << "result #" << i << " differs from input #" << i;
    if (typeOf(getResults()[i + count]).getShape() != ArrayRef(total) ||
        typeOf(getResults()[i + count]).getElementType() != type.getElementType()) // scan_c3
      return emitOpError() << "result #" << i + count << " should be "
                           << RankedTensorType::get(total, type.getElementType());
  }
  auto yield = dyn_cast<YieldOp>(getCombiner().front().getTerminator());
  if (!yield ||
      !llvm::equal(yield.getOperandTypes(), llvm::map_range(getInputs(), [](Value input) { // scan_c4
                     return typeOf(input).getElementType();
                   })))
    return emitOpError() << "combiner does not yield one merged state of " << count << " values";
  return success();
}

LogicalResult SortOp::verify() {
  if (failed(verifyRowOp(*this, getInputs(), getDim(), getCombiner().front())))
    return failure();
  if (getResults().size() != getInputs().size()) // sort_c1
    return emitOpError() << "has " << getInputs().size() << " inputs and " << getResults().size()
                         << " results";
  for (size_t i = 0; i < getInputs().size(); ++i)
    if (typeOf(getResults()[i]).getShape() != typeOf(getInputs()[i]).getShape() ||
        typeOf(getResults()[i]).getElementType() != typeOf(getInputs()[i]).getElementType()) // sort_c2
      return emitOpError() << "result #" << i << " differs from input #" << i;
  int64_t size = typeOf(getInputs()[0]).getDimSize(getDim());
  if (!llvm::isPowerOf2_64((uint64_t)size)) // sort_c3
    return emitOpError() << "sorts " << size << " elements, not a power of two";
  auto yield = dyn_cast<YieldOp>(getCombiner().front().getTerminator());
  if (!yield || yield.getValues().size() != 1 || !yield.getValues()[0].getType().isInteger(1)) // sort_c4
    return emitOpError() << "combiner does not yield one i1";
  return success();
}

//===-- takes ---------------------------------------------------------------------------------------===//

/// Checks that hold wherever the table lies, which has `shape` and elements of `element`.
static LogicalResult verifyTake(Operation *op, ArrayRef<int64_t> shape, Type element,
                                RankedTensorType indices, RankedTensorType result, int64_t dim,
                                int64_t extent) {
  int64_t rank = result.getRank();
  if ((int64_t)shape.size() != rank || indices.getRank() != rank) // take_c1
    return op->emitOpError() << "takes a tile of rank " << rank << " from a table of rank " << shape.size()
                             << " at indices of rank " << indices.getRank();
  if (dim < 0 || dim >= rank) // take_c2
    return op->emitOpError() << "dimension " << dim << " is outside a tile of rank " << rank;
  if (extent < 1 || extent > shape[dim]) // take_c3
    return op->emitOpError() << "extent " << extent << " is not 1 to the table's " << shape[dim]
                             << " elements along dimension " << dim;
  if (element != result.getElementType() || !indices.getElementType().isInteger()) // take_c4
    return op->emitOpError() << "takes " << result.getElementType() << " from a table of " << element
                             << " at indices of " << indices.getElementType();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = result.getDimSize(d);
    if (indices.getDimSize(d) != 1 && indices.getDimSize(d) != size) // take_c5
      return op->emitOpError() << "indices have size " << indices.getDimSize(d) << " in dimension " << d
                               << ", the result " << size;
    if (d != dim && shape[d] != 1 && shape[d] != size) // take_c6
      return op->emitOpError() << "the table has size " << shape[d] << " in dimension " << d
                               << ", the result " << size;
  }
  return success();
}

LogicalResult TakeOp::verify() {
  RankedTensorType table = typeOf(getTable());
  return verifyTake(*this, table.getShape(), table.getElementType(), typeOf(getIndices()),
                    typeOf(getResult()), (int64_t)getDim(), (int64_t)getExtent());
}

LogicalResult TakeSharedOp::verify() {
  SharedType buffer = getBuffer().getType();
  return verifyTake(*this, buffer.getShape(), buffer.getElementType(), typeOf(getIndices()),
                    typeOf(getResult()), (int64_t)getDim(), (int64_t)getExtent());
}
