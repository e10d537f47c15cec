// Operators that place elements by value or by index: arg-max, running sums, top-k, scatter, Compress,
// NonZero.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;
using graph::ReduceKind;
using graph::ScatterKind;

/// Unsigned integers with the top bit turned, which are ordered as signed ones; other values as they are.
static Value asSigned(NodeImport &n, Value x, bool isUnsigned) {
  if (!isUnsigned)
    return x;
  unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
  return n.create<arith::XOrIOp>(x, n.constantLike(x, -std::ldexp(1.0, (int)bits - 1)));
}

static Value zeros(NodeImport &n, NodeImport::Shape shape, Type element) {
  return n.constant(shape, element, 0);
}

/// `x` with dimension `dim` moved to the end, and back.
static Value moveLast(NodeImport &n, Value x, int64_t dim, bool back = false) {
  int64_t rank = n.rankOf(x);
  Dims order;
  for (int64_t d = 0; d < rank; ++d)
    if (back || d != dim)
      order.push_back(d);
  if (back) {
    order.pop_back();
    order.insert(order.begin() + dim, rank - 1);
  } else {
    order.push_back(dim);
  }
  return dim == rank - 1 ? x : n.transpose(x, order);
}

//===-- By value --===//

template <ReduceKind kind> static LogicalResult importArgExtreme(NodeImport &n) {
  Value x = n.operand(0);
  int64_t axisAttr = n.intAttribute("axis", 0);
  bool keepDims = n.intAttribute("keepdims", 1) != 0, last = n.intAttribute("select_last_index", 0) != 0;
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis)
    return failure();
  int64_t size = n.shapeOf(x)[*axis];
  if (size < 1 || size > INT32_MAX)
    return n.fail("axis " + Twine(*axis) + " has size " + Twine(size));
  Dims kept(n.shapeOf(x)), shape(n.shapeOf(x));
  kept.erase(kept.begin() + *axis);
  shape[*axis] = 1;
  Value index = n.create<graph::ArgReduceOp>(RankedTensorType::get(kept, n.builder.getI64Type()),
                                             asSigned(n, x, n.isUnsigned(0)), kind, *axis, last);
  return n.yield(keepDims ? n.reshape(index, shape) : index, false);
}

/// CumSum and CumProd: exclusive ones shift the elements by one, with the identity in front.
template <ReduceKind kind> static LogicalResult importRunning(NodeImport &n) {
  bool exclusive = n.intAttribute("exclusive", 0) != 0, reverse = n.intAttribute("reverse", 0) != 0;
  Value x = n.operand(0);
  std::optional<Dims> axis = n.constantInts(1, "axis");
  if (!axis)
    return failure();
  if (axis->size() != 1)
    return n.fail("its axis has " + Twine(axis->size()) + " elements, expected one");
  std::optional<int64_t> dim = n.axis(axis->front(), n.rankOf(x));
  if (!dim)
    return failure();
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  if (exclusive && n.shapeOf(x)[*dim] > 0) {
    Dims low(n.rankOf(x), 0), high(n.rankOf(x), 0);
    (reverse ? high : low)[*dim] = 1;
    (reverse ? low : high)[*dim] = -1;
    Type element = n.elementOf(x);
    TypedAttr identity = kind == ReduceKind::Sum ? cast<TypedAttr>(n.builder.getZeroAttr(element))
                                                 : n.builder.getOneAttr(element);
    x = n.create<graph::PadOp>(x.getType(), x, low, high, identity);
  }
  return n.yield(n.create<graph::ScanOp>(x.getType(), x, kind, *dim, reverse));
}

static LogicalResult importTopK(NodeImport &n) {
  Value x = n.operand(0);
  int64_t axisAttr = n.intAttribute("axis", -1);
  bool largest = n.intAttribute("largest", 1) != 0;
  (void)n.intAttribute("sorted", 1); // in order always
  int64_t k;
  if (n.opset < 10) {
    k = n.intAttribute("k", -1);
  } else {
    std::optional<Dims> count = n.constantInts(1, "k");
    if (!count)
      return failure();
    k = count->size() == 1 ? count->front() : -1;
  }
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis)
    return failure();
  int64_t size = n.shapeOf(x)[*axis];
  if (k < 0 || k > size)
    return n.fail("it takes " + Twine(k) + " of " + Twine(size) + " elements");
  if (size > INT32_MAX || (size > graph::SortOp::kMaxExtent && 2 * k >= graph::SortOp::kMaxExtent))
    return n.fail("it takes " + Twine(k) + " of " + Twine(size) + " elements; of more than " +
                  Twine(graph::SortOp::kMaxExtent) + " it can take up to " +
                  Twine(graph::SortOp::kMaxExtent / 2 - 1));
  Dims shape(n.shapeOf(x));
  shape[*axis] = k;
  Type i64 = n.builder.getI64Type();
  Value indices = n.create<graph::TopKOp>(RankedTensorType::get(shape, i64), asSigned(n, x, n.isUnsigned(0)),
                                          *axis, !largest);
  // The values: place = sum over dimensions of (index or iota) * stride.
  Value linear;
  int64_t stride = 1;
  for (int64_t d = n.rankOf(x) - 1; d >= 0; --d) {
    Value index = d == *axis ? indices : n.iota(shape, d, i64);
    Value term = stride == 1 ? index : n.mul(index, n.constantLike(index, (double)stride));
    linear = linear ? n.add(linear, term) : term;
    stride *= n.shapeOf(x)[d];
  }
  if (failed(n.yield(n.gather(n.reshape(x, {n.typeOf(x).getNumElements()}), linear, 0), n.isUnsigned(0))))
    return failure();
  return n.yield(indices, false);
}

//===-- Scatter --===//

static LogicalResult expectIndices(NodeImport &n, Value indices) {
  Type element = n.elementOf(indices);
  if (element.isInteger(32) || element.isInteger(64))
    return success();
  return n.fail("its indices have element type " + n.text(element) + ", expected i32 or i64");
}

static std::optional<ScatterKind> scatterKind(NodeImport &n) {
  std::string name = n.stringAttribute("reduction", "none");
  for (auto [text, kind] : {std::pair("none", ScatterKind::Set),
                            {"add", ScatterKind::Add},
                            {"mul", ScatterKind::Mul},
                            {"max", ScatterKind::Max},
                            {"min", ScatterKind::Min}})
    if (name == text)
      return kind;
  (void)n.fail("its reduction is '" + name + "', expected none, add, mul, max or min");
  return std::nullopt;
}

/// A scatter into the tensor `x` of [batch…, N, rest…].
static Value scatter(NodeImport &n, ScatterKind kind, Value x, Value indices, Value updates, int64_t batch) {
  bool turns = n.isUnsigned(0) && (kind == ScatterKind::Max || kind == ScatterKind::Min);
  x = asSigned(n, x, turns);
  Value result =
      n.create<graph::ScatterOp>(x.getType(), x, indices, asSigned(n, updates, turns), kind, batch);
  return asSigned(n, result, turns);
}

static LogicalResult importScatterElements(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", 0);
  std::optional<ScatterKind> kind = scatterKind(n);
  Value x = n.operand(0), indices = n.operand(1), updates = n.operand(2);
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!kind || !axis || failed(expectIndices(n, indices)) || failed(n.expectSameElements(x, updates)))
    return failure();
  if (n.isBool(x) && *kind != ScatterKind::Set)
    return n.fail("boolean operands have no reduction");
  if (n.rankOf(indices) != n.rankOf(x) || n.shapeOf(indices) != n.shapeOf(updates))
    return n.fail("its indices " + n.text(n.shapeOf(indices)) + " and updates " + n.text(n.shapeOf(updates)) +
                  " do not fit data " + n.text(n.shapeOf(x)));
  for (int64_t d = 0; d < n.rankOf(x); ++d)
    if (d != *axis && n.shapeOf(indices)[d] > n.shapeOf(x)[d])
      return n.fail("its indices " + n.text(n.shapeOf(indices)) + " reach beyond data " +
                    n.text(n.shapeOf(x)));
  int64_t places = n.shapeOf(x)[*axis];
  // Rows without updates get one that names no place.
  Dims low(n.rankOf(x), 0), high(n.rankOf(x), 0), shape(n.shapeOf(x));
  shape[*axis] = n.shapeOf(indices)[*axis];
  for (int64_t d = 0; d < n.rankOf(x); ++d)
    high[d] = shape[d] - n.shapeOf(indices)[d];
  if (NodeImport::Shape(shape) != n.shapeOf(indices)) {
    auto pad = [&](Value value, TypedAttr fill) {
      return n.create<graph::PadOp>(RankedTensorType::get(shape, n.elementOf(value)), value, low, high, fill);
    };
    indices = pad(indices, n.builder.getIntegerAttr(n.elementOf(indices), places));
    updates = pad(updates, cast<TypedAttr>(n.builder.getZeroAttr(n.elementOf(updates))));
  }
  Value result = scatter(n, *kind, moveLast(n, x, *axis), moveLast(n, indices, *axis),
                         moveLast(n, updates, *axis), n.rankOf(x) - 1);
  return n.yield(moveLast(n, result, *axis, /*back=*/true), n.isUnsigned(0));
}

/// The row-major place that the last dimension of `indices` [rows…, q] names in `shape` [q], over [rows…].
static Value placesOf(NodeImport &n, Value indices, NodeImport::Shape shape) {
  NodeImport::Shape rows = n.shapeOf(indices).drop_back();
  int64_t last = n.rankOf(indices) - 1, stride = 1;
  Value wide = n.castTo(indices, n.builder.getI64Type()), place;
  for (int64_t d = (int64_t)shape.size() - 1; d >= 0; --d) {
    Value index = n.reshape(n.sliceDim(wide, last, d, 1), rows);
    Value isNegative = n.compare(arith::CmpIPredicate::slt, index, n.constantLike(index, 0));
    index = n.select(isNegative, n.add(index, n.constantLike(index, (double)shape[d])), index);
    Value term = stride == 1 ? index : n.mul(index, n.constantLike(index, (double)stride));
    place = place ? n.add(place, term) : term;
    stride *= shape[d];
  }
  return place;
}

static int64_t elementsOf(NodeImport::Shape shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

static LogicalResult importScatterNd(NodeImport &n) {
  std::optional<ScatterKind> kind = scatterKind(n);
  Value x = n.operand(0), indices = n.operand(1), updates = n.operand(2);
  if (!kind || failed(expectIndices(n, indices)) || failed(n.expectSameElements(x, updates)))
    return failure();
  if (n.isBool(x) && *kind != ScatterKind::Set)
    return n.fail("boolean operands have no reduction");
  if (n.rankOf(indices) < 1 || n.rankOf(x) < 1 || n.shapeOf(indices).back() < 1 ||
      n.shapeOf(indices).back() > n.rankOf(x))
    return n.fail("its indices " + n.text(n.shapeOf(indices)) + " do not index data of rank " +
                  Twine(n.rankOf(x)));
  int64_t indexed = n.shapeOf(indices).back();
  NodeImport::Shape rows = n.shapeOf(indices).drop_back(), rest = n.shapeOf(x).drop_front(indexed);
  Dims wanted(rows);
  llvm::append_range(wanted, rest);
  if (n.shapeOf(updates) != NodeImport::Shape(wanted))
    return n.fail("its updates have shape " + n.text(n.shapeOf(updates)) + ", expected " + n.text(wanted));
  Value places = placesOf(n, indices, n.shapeOf(x).take_front(indexed));
  int64_t count = elementsOf(rows), slice = elementsOf(rest);
  Value result = scatter(n, *kind, n.reshape(x, {elementsOf(n.shapeOf(x).take_front(indexed)), slice}),
                         n.reshape(places, {count}), n.reshape(updates, {count, slice}), 0);
  return n.yield(n.reshape(result, n.shapeOf(x)), n.isUnsigned(0));
}

//===-- Gather --===//

static LogicalResult importGatherNd(NodeImport &n) {
  int64_t batch = n.intAttribute("batch_dims", 0);
  Value x = n.operand(0), indices = n.operand(1);
  if (failed(expectIndices(n, indices)))
    return failure();
  if (batch < 0 || batch >= n.rankOf(indices) || batch >= n.rankOf(x) || n.shapeOf(indices).back() < 1 ||
      n.shapeOf(indices).back() > n.rankOf(x) - batch)
    return n.fail("its indices " + n.text(n.shapeOf(indices)) + " with batch_dims = " + Twine(batch) +
                  " do not index data of rank " + Twine(n.rankOf(x)));
  NodeImport::Shape batches = n.shapeOf(x).take_front(batch);
  if (n.shapeOf(indices).take_front(batch) != batches)
    return n.fail("its indices " + n.text(n.shapeOf(indices)) + " have other batch dimensions than data " +
                  n.text(n.shapeOf(x)));
  int64_t indexed = n.shapeOf(indices).back();
  NodeImport::Shape rows = n.shapeOf(indices).drop_back(), picked = n.shapeOf(x).slice(batch, indexed);
  Value place = placesOf(n, indices, picked);
  // Each batch has its own part of the data.
  int64_t stride = elementsOf(picked);
  Dims flat = {elementsOf(batches) * stride}, shape(rows);
  for (int64_t d = batch - 1; d >= 0; --d) {
    Value row = n.iota(rows, d, n.builder.getI64Type());
    place = n.add(place, n.mul(row, n.constantLike(row, (double)stride)));
    stride *= batches[d];
  }
  llvm::append_range(flat, n.shapeOf(x).drop_front(batch + indexed));
  llvm::append_range(shape, n.shapeOf(x).drop_front(batch + indexed));
  if (failed(n.expectSize(shape, n.elementOf(x))))
    return failure();
  return n.yield(n.gather(n.reshape(x, flat), place, 0));
}

/// The elements (along `axis`, or of all in a row) whose condition is true. The condition decides the shape.
static LogicalResult importCompress(NodeImport &n) {
  Value x = n.operand(0);
  int64_t dim = 0;
  if (n.hasAttribute("axis")) {
    std::optional<int64_t> axis = n.axis(n.intAttribute("axis", 0), n.rankOf(x));
    if (!axis)
      return failure();
    dim = *axis;
  } else {
    x = n.reshape(x, {n.typeOf(x).getNumElements()});
  }
  std::optional<Dims> condition = n.constantInts(1, "condition, which decides the size of the result");
  if (!condition)
    return failure();
  if ((int64_t)condition->size() > n.shapeOf(x)[dim])
    return n.fail("its condition has " + Twine(condition->size()) + " elements for " +
                  Twine(n.shapeOf(x)[dim]));
  Dims places;
  for (auto [i, on] : llvm::enumerate(*condition))
    if (on)
      places.push_back((int64_t)i);
  if (places.empty()) {
    Dims shape(n.shapeOf(x));
    shape[dim] = 0;
    return n.yield(zeros(n, shape, n.elementOf(x)));
  }
  return n.yield(n.gather(x, n.intsConstant({(int64_t)places.size()}, places, n.builder.getI64Type()), dim));
}

/// Indices of the elements that are not zero, one column each. Of a tensor that is given at run time the
/// result's declared shape bounds their number: the columns behind the last one hold zeros.
static LogicalResult importNonZero(NodeImport &n) {
  Value x = n.operand(0);
  Type i64 = n.builder.getI64Type();
  int64_t rank = n.rankOf(x), total = n.typeOf(x).getNumElements();
  NodeImport::Shape shape = n.shapeOf(x);
  DenseElementsAttr dense;
  if (matchPattern(x, m_Constant(&dense)) && total <= 4096) {
    Dims columns;
    auto isZero = [&](int64_t i) {
      if (isa<FloatType>(dense.getElementType()))
        return (dense.isSplat() ? dense.getSplatValue<APFloat>() : dense.getValues<APFloat>()[i]).isZero();
      return (dense.isSplat() ? dense.getSplatValue<APInt>() : dense.getValues<APInt>()[i]).isZero();
    };
    for (int64_t i = 0; i < total; ++i)
      if (!isZero(i))
        columns.push_back(i);
    Dims values;
    int64_t stride = total;
    for (int64_t d = 0; d < rank; ++d) {
      stride /= std::max<int64_t>(shape[d], 1);
      for (int64_t place : columns)
        values.push_back(place / stride % shape[d]);
    }
    return n.yield(n.intsConstant({rank, (int64_t)columns.size()}, values, i64), false);
  }
  std::optional<Dims> bound = n.declaredInsteadOf(0, "number of results");
  if (!bound)
    return n.fail(
        "the number of elements that are not zero is known at run time only; a static shape declared for "
        "its result bounds it");
  if (bound->size() != 2 || (*bound)[0] != rank || (*bound)[1] < 0 || rank < 1)
    return n.fail("its result is declared as " + n.text(*bound) + ", expected " + Twine(rank) + " rows");
  int64_t count = (*bound)[1];
  if (count == 0 || total == 0)
    return n.yield(zeros(n, *bound, i64), false);
  if (total > INT32_MAX || count > INT32_MAX)
    return n.fail("a tensor of " + Twine(total) + " elements is too large");
  // Each element that counts is put where the number of those before it says; the others nowhere.
  Value line = n.reshape(x, {total});
  Value counts = n.isFloat(line) ? n.compare(arith::CmpFPredicate::UNE, line, n.constantLike(line, 0))
                                 : n.compare(arith::CmpIPredicate::ne, line, n.constantLike(line, 0));
  Value ones = n.castTo(counts, n.builder.getI32Type());
  Value upTo = n.create<graph::ScanOp>(ones.getType(), ones, ReduceKind::Sum, int64_t(0), false);
  Value place = n.select(counts, n.sub(upTo, n.constantLike(upTo, 1)), n.constantLike(upTo, (double)count));
  Value index = n.create<graph::ScatterOp>(RankedTensorType::get({count}, i64), zeros(n, {count}, i64), place,
                                           n.iota({total}, 0, i64), ScatterKind::Set, int64_t(0));
  SmallVector<Value> digits;
  int64_t stride = total;
  for (int64_t d = 0; d < rank; ++d) {
    stride /= shape[d];
    Value digit =
        stride == 1 ? index : n.create<arith::DivUIOp>(index, n.constantLike(index, (double)stride));
    if (d > 0)
      digit = n.create<arith::RemUIOp>(digit, n.constantLike(digit, (double)shape[d]));
    digits.push_back(n.reshape(digit, {1, count}));
  }
  return n.yield(rank == 1 ? digits.front() : n.concat(digits, 0), false);
}

void tilewright::onnx::addSelection(OperatorTable &table) {
  table["ArgMax"] = {importArgExtreme<ReduceKind::Max>, 1, 1, Signedness::Aware};
  table["ArgMin"] = {importArgExtreme<ReduceKind::Min>, 1, 1, Signedness::Aware};
  table["CumSum"] = {importRunning<ReduceKind::Sum>, 2, 2, Signedness::SameBits};
  table["CumProd"] = {importRunning<ReduceKind::Prod>, 2, 2, Signedness::SameBits};
  table["TopK"] = {importTopK, 1, 2, Signedness::Aware};
  table["Scatter"] = {importScatterElements, 3, 3, Signedness::Aware};
  table["ScatterElements"] = {importScatterElements, 3, 3, Signedness::Aware};
  table["ScatterND"] = {importScatterNd, 3, 3, Signedness::Aware};
  table["GatherND"] = {importGatherNd, 2, 2, Signedness::SameBits};
  table["Compress"] = {importCompress, 2, 2, Signedness::SameBits};
  table["NonZero"] = {importNonZero, 1, 1, Signedness::Aware};
}
