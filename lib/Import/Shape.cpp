// Shapes as values, and tensors made from nothing: all of it is known at import, and becomes constants.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

static LogicalResult importShape(NodeImport &n) {
  NodeImport::Shape shape = n.shapeOf(n.operand(0));
  int64_t rank = shape.size();
  int64_t start = n.intAttribute("start", 0), end = n.intAttribute("end", rank);
  start = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<int64_t>(end < 0 ? end + rank : end, start, rank);
  return n.yield(n.intsConstant(end - start, shape.slice(start, end - start), n.builder.getI64Type()), false);
}

static LogicalResult importSize(NodeImport &n) {
  int64_t count = n.typeOf(n.operand(0)).getNumElements();
  return n.yield(n.intsConstant({}, count, n.builder.getI64Type()), false);
}

/// Ranges of at most this many elements become constants, on which shape arithmetic goes on; longer ones are
/// computed where they are used.
static constexpr int64_t kConstantRangeElems = 64;

static LogicalResult importRange(NodeImport &n) {
  Type element = n.elementOf(n.operand(0));
  bool isFloat = isa<FloatType>(element);
  n.ignoreAttributes({"stash_type"}); // elements are formed from their numbers, not by adding up
  if (failed(n.expectSameElements(n.operand(0), n.operand(1))) ||
      failed(n.expectSameElements(n.operand(0), n.operand(2))))
    return failure();
  int64_t count;
  double start, delta;
  if (isFloat) {
    std::optional<double> a = n.constantNumber(0, "start"), b = n.constantNumber(1, "limit"),
                          c = n.constantNumber(2, "delta");
    if (!a || !b || !c)
      return failure();
    start = *a;
    delta = *c;
    double steps = std::ceil((*b - *a) / *c);
    if (!(std::abs(steps) < double(int64_t(1) << 40)))
      return n.fail("its range from " + n.text(*a) + " to " + n.text(*b) + " by " + n.text(*c) +
                    " has no size");
    count = std::max<int64_t>(0, (int64_t)steps);
  } else {
    std::optional<Dims> a = n.constantInts(0, "start"), b = n.constantInts(1, "limit"),
                        c = n.constantInts(2, "delta");
    if (!a || !b || !c)
      return failure();
    if (a->size() != 1 || b->size() != 1 || c->size() != 1)
      return n.fail("start, limit and delta are not single numbers");
    int64_t step = c->front(), span;
    if (step == 0 || llvm::SubOverflow(b->front(), a->front(), span) || step == INT64_MIN ||
        span == INT64_MIN)
      return n.fail("its range from " + Twine(a->front()) + " to " + Twine(b->front()) + " by " +
                    Twine(step) + " has no size");
    count = (span > 0) == (step > 0) && span != 0 ? (std::abs(span) - 1) / std::abs(step) + 1 : 0;
    if (failed(n.expectSize(count, element)))
      return failure();
    if (count <= kConstantRangeElems) {
      Dims values;
      for (int64_t i = 0; i < count; ++i)
        values.push_back(a->front() + i * step);
      return n.yield(n.intsConstant(count, values, element));
    }
    start = (double)a->front();
    delta = (double)step;
  }
  if (failed(n.expectSize(count, element)))
    return failure();
  Value index =
      isFloat ? n.castTo(n.iota(count, 0, n.builder.getI64Type()), element) : n.iota(count, 0, element);
  Value scaled = delta == 1 ? index : n.mul(index, n.constantLike(index, delta));
  return n.yield(start == 0 ? scaled : n.add(scaled, n.constantLike(scaled, start)));
}

static LogicalResult importConstantOfShape(NodeImport &n) {
  const NodeAttribute *value = n.attribute("value", NodeAttribute::TensorValue);
  std::optional<Dims> shape = n.declaredInsteadOf(0, "shape");
  if (!shape)
    shape = n.constantInts(0, "shape");
  if (!shape || n.failed())
    return failure();
  bool isUnsigned = false;
  Type element = value ? elementType(n.builder.getContext(), value->tensor->type, isUnsigned)
                       : Type(n.builder.getF32Type());
  if (value && !value->tensor->defect.empty())
    return n.fail("its value: " + value->tensor->defect);
  if (value && value->tensor->external)
    return n.fail("its value lies in external data, which is not supported");
  if (!element || failed(n.expectSize(*shape, element)))
    return n.fail("its value has an unsupported element type");
  if (!value)
    return n.yield(n.constant(*shape, element, 0));
  Dims dims(value->tensor->dims);
  if (byteCount(dims, 1) != 1)
    return n.fail("its value has shape " + n.text(dims) + ", expected one element");
  DenseElementsAttr one = denseElements(*value->tensor, RankedTensorType::get(dims, element));
  auto type = RankedTensorType::get(*shape, element);
  return n.yield(arith::ConstantOp::create(n.builder, n.loc, one.resizeSplat(type)), isUnsigned);
}

static LogicalResult importEyeLike(NodeImport &n) {
  int64_t k = n.intAttribute("k", 0), dtype = n.intAttribute("dtype", 0);
  Value x = n.operand(0);
  bool isUnsigned = n.isUnsigned(0);
  Type element =
      dtype == 0 ? n.elementOf(x) : elementType(n.builder.getContext(), (int32_t)dtype, isUnsigned);
  if (n.rankOf(x) != 2)
    return n.fail("operand #0 has rank " + Twine(n.rankOf(x)) + ", expected 2");
  if (!element)
    return n.fail("element type " + dataTypeName((int32_t)dtype) + " is not supported");
  Type i64 = n.builder.getI64Type();
  Value row = n.iota(n.shapeOf(x), 0, i64), column = n.iota(n.shapeOf(x), 1, i64);
  Value isDiagonal =
      n.compare(arith::CmpIPredicate::eq, column, n.add(row, n.intsConstant(n.shapeOf(x), k, i64)));
  return n.yield(n.castTo(isDiagonal, element), isUnsigned);
}

static LogicalResult importTrilu(NodeImport &n) {
  bool upper = n.intAttribute("upper", 1) != 0;
  Value x = n.operand(0);
  int64_t rank = n.rankOf(x), k = 0;
  if (rank < 2)
    return n.fail("operand #0 has rank " + Twine(rank) + ", expected at least 2");
  Value offset = n.operand(1);
  DenseIntElementsAttr dense;
  if (offset && (n.typeOf(offset).getNumElements() != 1 || !n.elementOf(offset).isInteger(64)))
    return n.fail("k is not a single 64-bit integer");
  if (offset && matchPattern(offset, m_Constant(&dense))) {
    k = (*dense.getValues<APInt>().begin()).getSExtValue();
    offset = nullptr;
  }
  // The mask is formed once for the two last dimensions: column - row against k.
  NodeImport::Shape square = n.shapeOf(x).take_back(2);
  Type i64 = n.builder.getI64Type();
  Value row = n.iota(square, 0, i64), column = n.iota(square, 1, i64);
  if (offset)
    row = n.add(row, n.broadcast(n.reshape(offset, {}), square));
  else if (k != 0)
    row = n.add(row, n.intsConstant(square, k, i64));
  Value kept = n.compare(upper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, column, row);
  return n.yield(n.select(n.broadcast(kept, n.shapeOf(x)), x, n.constantLike(x, 0)));
}

void tilewright::onnx::addShape(OperatorTable &table) {
  table["Shape"] = {importShape, 1, 1, Signedness::Aware};
  table["Size"] = {importSize, 1, 1, Signedness::Aware};
  table["Range"] = {importRange, 3, 3};
  table["ConstantOfShape"] = {importConstantOfShape, 1, 1};
  table["EyeLike"] = {importEyeLike, 1, 1, Signedness::Aware};
  table["Trilu"] = {importTrilu, 1, 2, Signedness::SameBits};
}
