// Verifiers of scans and sorts.

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
