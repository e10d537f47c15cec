// Window functions of signal processing: sums of cosines over the sample numbers.

#include "NodeImport.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// sum over k of terms[k] * cos(2 pi k i / n), with n the size, or one less when the window is symmetric.
static LogicalResult importWindow(NodeImport &n, ArrayRef<double> terms) {
  bool periodic = n.intAttribute("periodic", 1) != 0, isUnsigned = false;
  int64_t dtype = n.intAttribute("output_datatype", 1);
  Type element = elementType(n.builder.getContext(), (int32_t)dtype, isUnsigned);
  std::optional<NodeImport::Dims> size = n.constantInts(0, "size");
  if (!size)
    return failure();
  if (size->size() != 1 || size->front() < 0 || !element || element.isInteger(1))
    return n.fail("a window of shape " + n.text(*size) + " and type " + dataTypeName((int32_t)dtype) +
                  " is not supported");
  if (failed(n.expectSize(*size, n.builder.getF64Type())))
    return failure();
  Type f32 = n.builder.getF32Type();
  double period = (double)std::max<int64_t>(1, periodic ? size->front() : size->front() - 1);
  Value index = n.castTo(n.iota(*size, 0, n.builder.getI64Type()), f32);
  Value sum = n.constantLike(index, terms[0]);
  for (size_t k = 1; k < terms.size(); ++k) {
    Value angle = n.mul(index, n.constantLike(index, 2 * M_PI * (double)k / period));
    sum = n.add(sum, n.mul(n.unary<math::CosOp>(angle), n.constantLike(angle, terms[k])));
  }
  return n.yield(n.castTo(sum, element, false, isUnsigned), isUnsigned);
}

static LogicalResult importHann(NodeImport &n) { return importWindow(n, {0.5, -0.5}); }
static LogicalResult importHamming(NodeImport &n) { return importWindow(n, {25.0 / 46, -21.0 / 46}); }
static LogicalResult importBlackman(NodeImport &n) { return importWindow(n, {0.42, -0.5, 0.08}); }

void tilewright::onnx::addWindows(OperatorTable &table) {
  table["HannWindow"] = {importHann, 1, 1};
  table["HammingWindow"] = {importHamming, 1, 1};
  table["BlackmanWindow"] = {importBlackman, 1, 1};
}
