// Verifiers of the ops that place elements by value or by index: sort, top_k, scatter.

#include "Tilewright/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static LogicalResult verifyDim(Operation *op, int64_t dim, RankedTensorType type) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError() << "dimension " << dim << " is outside a tensor of rank " << type.getRank();
}

LogicalResult SortOp::verify() {
  RankedTensorType ids = typeOf(getIds()), keys = typeOf(getKeys());
  if (failed(verifyDim(*this, getDim(), ids))) // sort_c1
    return failure();
  if (ids.getShape() != keys.getShape()) // sort_c2
    return emitOpError() << "ids " << ids << " and keys " << keys << " differ in shape";
  if (ids.getDimSize(getDim()) > kMaxExtent) // sort_c3
    return emitOpError() << "sorts " << ids.getDimSize(getDim()) << " elements, one kernel sorts up to "
                         << kMaxExtent;
  return success();
}

LogicalResult TopKOp::verify() {
  RankedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  int64_t dim = getDim();
  if (failed(verifyDim(*this, dim, input))) // top_k_c1
    return failure();
  if (input.getElementType().isIndex()) // top_k_c2
    return emitOpError() << "does not compare elements of type index";
  SmallVector<int64_t> shape(input.getShape());
  if (result.getRank() == input.getRank())
    shape[dim] = result.getDimSize(dim);
  if (result.getShape() != ArrayRef(shape)) // top_k_c3
    return emitOpError() << "result " << result << " differs from operand " << input
                         << " in other dimensions than " << dim;
  if (shape[dim] > input.getDimSize(dim)) // top_k_c4
    return emitOpError() << "takes " << shape[dim] << " of " << input.getDimSize(dim) << " elements";
  if (input.getDimSize(dim) > INT32_MAX) // top_k_c5
    return emitOpError() << "dimension " << dim << " has " << input.getDimSize(dim)
                         << " elements, the limit is " << INT32_MAX;
  return success();
}

LogicalResult ScatterOp::verify() {
  RankedTensorType input = typeOf(getInput()), indices = typeOf(getIndices()), updates = typeOf(getUpdates());
  int64_t batch = getBatch();
  if (batch < 0 || batch >= input.getRank()) // scatter_c1
    return emitOpError() << "has " << batch << " batch dimensions, expected 0 to " << input.getRank() - 1;
  if (indices.getRank() != batch + 1 ||
      indices.getShape().take_front(batch) != input.getShape().take_front(batch))
    return emitOpError() << "indices should have the " << batch << " batch dimensions of "
                         << input // scatter_c2
                         << " and one more, got " << indices;
  SmallVector<int64_t> shape(input.getShape());
  shape[batch] = indices.getDimSize(batch);
  if (updates.getShape() != ArrayRef(shape) ||
      updates.getElementType() != input.getElementType()) // scatter_c3
    return emitOpError() << "updates should be " << RankedTensorType::get(shape, input.getElementType())
                         << ", not " << updates;
  if (getKind() != ScatterKind::Set &&
      (input.getElementType().isInteger(1) || input.getElementType().isIndex())) // scatter_c4
    return emitOpError() << "has no " << stringifyScatterKind(getKind()) << " of elements of type "
                         << input.getElementType();
  return success();
}
