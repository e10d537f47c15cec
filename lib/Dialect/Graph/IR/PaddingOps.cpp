// Verifiers of what tells true elements from padding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

LogicalResult WithinAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef symbol, int64_t base,
                                 ArrayRef<int64_t> parts) {
  if (symbol.empty()) // within_c1
    return emitError() << "names no dimension of a bucket";
  if (parts.empty() || parts.size() % 4 != 0) // within_c2
    return emitError() << "parts have four numbers each, got " << parts.size() << " numbers";
  for (size_t p = 0; p < parts.size(); p += 4)
    if (parts[p] < 0 || parts[p + 1] < 1 || parts[p + 2] < 1 || parts[p + 3] < 1) // within_c3
      return emitError() << "part [" << parts.slice(p, 4)
                         << "] is not a dimension and three positive numbers";
  return success();
}

LogicalResult TrueLengthOp::verify() {
  if (getSymbol().empty() || (int64_t)getLimit() < 1) // true_length_c1
    return emitOpError() << "is of \"" << getSymbol() << "\" of " << (int64_t)getLimit()
                         << ", not a named dimension of at least 1";
  return success();
}

LogicalResult MaskOp::verify() {
  RankedTensorType type = typeOf(getInput());
  if (getOtherwise().getType() != type.getElementType()) // mask_c1
    return emitOpError() << "puts a " << getOtherwise().getType() << " into " << type;
  for (WithinAttr within : getWithin().getAsRange<WithinAttr>()) {
    ArrayRef<int64_t> parts = within.getParts();
    for (size_t p = 0; p < parts.size(); p += 4) {
      int64_t dim = parts[p], inner = parts[p + 1], extent = parts[p + 2];
      if (dim >= type.getRank() || type.getDimSize(dim) % inner != 0 ||
          (type.getDimSize(dim) / inner) % extent != 0) // mask_c2
        return emitOpError() << "part [" << parts.slice(p, 4) << "] of \"" << within.getSymbol()
                             << "\" does not divide a dimension of " << type;
    }
  }
  return success();
}

LogicalResult CountOp::verify() {
  for (int64_t dim : getDims())
    if (dim < 0 || dim >= typeOf(getInput()).getRank()) // count_c1
      return emitOpError() << "dimension " << dim << " is outside a tensor of rank "
                           << typeOf(getInput()).getRank();
  return success();
}
