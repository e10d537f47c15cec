// Operators that pick elements by index: Gather and its kin, OneHot.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

static LogicalResult expectIndices(NodeImport &n, Value indices) {
  Type element = n.elementOf(indices);
  if (element.isInteger(32) || element.isInteger(64))
    return success();
  return n.fail("its indices have element type " + n.text(element) + ", expected i32 or i64");
}

/// `indices`, counted from the end where negative, in [0, size).
static Value fromStart(NodeImport &n, Value indices, int64_t size) {
  Value isNegative = n.compare(arith::CmpIPredicate::slt, indices, n.constantLike(indices, 0));
  return n.select(isNegative, n.add(indices, n.constantLike(indices, (double)size)), indices);
}

static LogicalResult importGather(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", 0);
  Value x = n.operand(0), indices = n.operand(1);
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis || failed(expectIndices(n, indices)))
    return failure();
  Dims shape(n.shapeOf(x).take_front(*axis));
  llvm::append_range(shape, n.shapeOf(indices));
  llvm::append_range(shape, n.shapeOf(x).drop_front(*axis + 1));
  if (failed(n.expectSize(shape, n.elementOf(x))))
    return failure();
  int64_t size = n.shapeOf(x)[*axis];
  DenseIntElementsAttr dense;
  constexpr int64_t kMostIndices = int64_t(1) << 16; // one number may stand for any count of them
  if (!matchPattern(indices, m_Constant(&dense)) || dense.getNumElements() == 0 ||
      dense.getNumElements() > kMostIndices)
    return n.yield(n.gather(x, indices, *axis));
  // Constant indices in even steps are a slice.
  Dims places;
  for (const APInt &value : dense.getValues<APInt>()) {
    int64_t place = value.getSExtValue();
    if (place < -size || place >= size)
      return n.fail("index " + Twine(place) + " is outside dimension " + Twine(*axis) + " of size " +
                    Twine(size));
    places.push_back(place < 0 ? place + size : place);
  }
  int64_t step = places.size() > 1 ? places[1] - places[0] : 1;
  for (size_t i = 1; i < places.size(); ++i)
    if (step == 0 || places[i] - places[i - 1] != step)
      return n.yield(n.gather(x, indices, *axis));
  return n.yield(n.reshape(n.sliceDim(x, *axis, places.front(), (int64_t)places.size(), step), shape));
}

/// Elements of `x` at `linear` row-major places.
static Value gatherLinear(NodeImport &n, Value x, Value linear) {
  return n.gather(n.reshape(x, {n.typeOf(x).getNumElements()}), linear, 0);
}

static LogicalResult importGatherElements(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", 0);
  Value x = n.operand(0), indices = n.operand(1);
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis || failed(expectIndices(n, indices)))
    return failure();
  NodeImport::Shape shape = n.shapeOf(indices);
  if ((int64_t)shape.size() != n.rankOf(x))
    return n.fail("its indices have rank " + Twine(shape.size()) + ", its data " + Twine(n.rankOf(x)));
  // place = sum over dimensions of (index or iota) * stride
  Type i64 = n.builder.getI64Type();
  Value linear;
  int64_t stride = 1;
  for (int64_t d = n.rankOf(x) - 1; d >= 0; --d) {
    if (d != *axis && shape[d] > n.shapeOf(x)[d])
      return n.fail("its indices " + n.text(shape) + " reach beyond data " + n.text(n.shapeOf(x)));
    Value index = d == *axis ? fromStart(n, n.castTo(indices, i64), n.shapeOf(x)[d]) : n.iota(shape, d, i64);
    Value term = stride == 1 ? index : n.mul(index, n.constantLike(index, (double)stride));
    linear = linear ? n.add(linear, term) : term;
    stride *= n.shapeOf(x)[d];
  }
  return n.yield(gatherLinear(n, x, linear));
}

static LogicalResult importOneHot(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", -1);
  Value indices = n.operand(0), values = n.operand(2);
  std::optional<double> depth = n.constantNumber(1, "depth");
  if (!depth)
    return failure();
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(indices) + 1);
  if (!axis)
    return failure();
  if (n.shapeOf(values) != NodeImport::Shape(int64_t(2)))
    return n.fail("its values have shape " + n.text(n.shapeOf(values)) + ", expected 2");
  if (n.isBool(indices) || !(*depth >= 0 && *depth < 1e12))
    return n.fail("its depth is " + n.text(*depth));
  Dims shape(n.shapeOf(indices)), column(n.shapeOf(indices));
  shape.insert(shape.begin() + *axis, (int64_t)*depth);
  column.insert(column.begin() + *axis, 1);
  if (failed(n.expectSize(shape, n.builder.getI64Type())))
    return failure();
  Type i64 = n.builder.getI64Type();
  Value hot = fromStart(n, n.castTo(indices, i64), (int64_t)*depth);
  hot = n.broadcast(n.reshape(hot, column), shape);
  auto value = [&](int64_t i) { return n.broadcast(n.reshape(n.sliceDim(values, 0, i, 1), {}), shape); };
  Value isHot = n.compare(arith::CmpIPredicate::eq, hot, n.iota(shape, *axis, i64));
  return n.yield(n.select(isHot, value(1), value(0)), n.isUnsigned(2));
}

void tilewright::onnx::addIndexing(OperatorTable &table) {
  table["Gather"] = {importGather, 2, 2, Signedness::SameBits};
  table["GatherElements"] = {importGatherElements, 2, 2, Signedness::SameBits};
  table["OneHot"] = {importOneHot, 3, 3, Signedness::Aware};
}
