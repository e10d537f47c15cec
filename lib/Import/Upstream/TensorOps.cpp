// The tensor dialect, constants, and linalg's operations that are no loops. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "ScalarBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;
using Dims = OpImport::Dims;

static LogicalResult importConstant(OpImport &n) {
  return n.yieldConstant(cast<arith::ConstantOp>(n.op).getValue());
}

/// Elements that nobody may read: any will do.
static LogicalResult importEmpty(OpImport &n) {
  return n.yield(n.constant(n.resultShape(), n.resultType().getElementType(), 0));
}

static LogicalResult importSplat(OpImport &n) { return n.yield(n.broadcast(n.operand(0), n.resultShape())); }

static LogicalResult importFromElements(OpImport &n) {
  SmallVector<Value> parts;
  for (unsigned i = 0; i < n.op->getNumOperands(); ++i)
    parts.push_back(n.reshape(n.operand(i), {1}));
  if (parts.empty())
    return importEmpty(n);
  return n.yield(n.reshape(parts.size() == 1 ? parts.front() : n.concat(parts, 0), n.resultShape()));
}

/// Casts between static shapes that are equal, reshapes of every kind.
static LogicalResult importReshape(OpImport &n) { return n.yield(n.reshape(n.operand(0), n.resultShape())); }

static LogicalResult importBitcast(OpImport &n) {
  return n.yield(n.create<arith::BitcastOp>(n.resultType(), n.operand(0)));
}

static LogicalResult importDim(OpImport &n) {
  auto op = cast<tensor::DimOp>(n.op);
  std::optional<Dims> dim = n.constantInts(op.getIndex(), "index");
  if (!dim)
    return failure();
  OpImport::Shape shape = n.shapeOf(n.operand(0));
  if (dim->front() < 0 || dim->front() >= (int64_t)shape.size())
    return n.fail("dimension " + Twine(dim->front()) + " is outside a tensor of rank " + Twine(shape.size()));
  return n.yield(n.intsConstant({}, shape[dim->front()], n.builder.getI64Type()));
}

//===-- Slices ------------------------------------------------------------------------------------------===//

/// Static numbers, or constants among the operands.
static std::optional<Dims> staticInts(OpImport &n, ArrayRef<OpFoldResult> mixed, StringRef what) {
  Dims ints;
  for (OpFoldResult each : mixed) {
    if (auto attr = dyn_cast<Attribute>(each)) {
      ints.push_back(cast<IntegerAttr>(attr).getInt());
      continue;
    }
    std::optional<Dims> one = n.constantInts(cast<Value>(each), what);
    if (!one)
      return std::nullopt;
    ints.push_back(one->front());
  }
  return ints;
}

namespace {
struct Places {
  Dims offsets, sizes, strides;
};
} // namespace

template <typename Op> static std::optional<Places> placesOf(OpImport &n, Op op, OpImport::Shape shape) {
  std::optional<Dims> offsets = staticInts(n, op.getMixedOffsets(), "offset"),
                      sizes = staticInts(n, op.getMixedSizes(), "size"),
                      strides = staticInts(n, op.getMixedStrides(), "stride");
  if (!offsets || !sizes || !strides)
    return std::nullopt;
  for (auto [d, size] : llvm::enumerate(*sizes)) {
    int64_t first = (*offsets)[d], last = 0;
    bool overflows = llvm::MulOverflow(size - 1, (*strides)[d], last) || llvm::AddOverflow(first, last, last);
    if (size < 0 || (size > 0 && overflows)) {
      (void)n.fail("it takes " + Twine(size) + " elements of dimension " + Twine(d) + " in steps of " +
                   Twine((*strides)[d]));
      return std::nullopt;
    }
    if (size > 0 && (std::min(first, last) < 0 || std::max(first, last) >= shape[d])) {
      (void)n.fail("its places [" + Twine(first) + ", " + Twine(last) + "] of dimension " + Twine(d) +
                   " are outside " + Twine(shape[d]));
      return std::nullopt;
    }
  }
  return Places{*offsets, *sizes, *strides};
}

static LogicalResult importExtractSlice(OpImport &n) {
  Value x = n.operand(0);
  std::optional<Places> places = placesOf(n, cast<tensor::ExtractSliceOp>(n.op), n.shapeOf(x));
  if (!places)
    return failure();
  return n.yield(n.reshape(n.slice(x, places->offsets, places->sizes, places->strides), n.resultShape()));
}

/// `into` with `source` at places of stride 1: dimension by dimension, what lies before, the rest of the
/// dimensions within, and what lies after.
static Value insert(OpImport &n, Value source, Value into, const Places &places, int64_t dim) {
  while (dim < n.rankOf(into) && places.offsets[dim] == 0 && places.sizes[dim] == n.shapeOf(into)[dim])
    ++dim;
  if (dim == n.rankOf(into))
    return source;
  int64_t begin = places.offsets[dim], end = begin + places.sizes[dim], size = n.shapeOf(into)[dim];
  SmallVector<Value> parts;
  if (begin > 0)
    parts.push_back(n.sliceDim(into, dim, 0, begin));
  parts.push_back(insert(n, source, n.sliceDim(into, dim, begin, end - begin), places, dim + 1));
  if (end < size)
    parts.push_back(n.sliceDim(into, dim, end, size - end));
  return n.concat(parts, dim);
}

static LogicalResult importInsertSlice(OpImport &n) {
  auto op = cast<tensor::InsertSliceOp>(n.op);
  Value into = n.value(op.getDest());
  std::optional<Places> places = placesOf(n, op, n.shapeOf(into));
  if (!places)
    return failure();
  for (auto [d, stride] : llvm::enumerate(places->strides))
    if (stride != 1 && places->sizes[d] > 1)
      return n.fail("it inserts with stride " + Twine(stride) + ", expected 1");
  if (llvm::is_contained(places->sizes, 0))
    return n.yield(into);
  return n.yield(insert(n, n.reshape(n.value(op.getSource()), places->sizes), into, *places, 0));
}

/// The one place that `indices` name.
static std::optional<Places> placeOf(OpImport &n, ValueRange indices, OpImport::Shape shape) {
  Places places;
  for (auto [d, index] : llvm::enumerate(indices)) {
    std::optional<Dims> at = n.constantInts(index, "index");
    if (!at)
      return std::nullopt;
    if (at->front() < 0 || at->front() >= shape[d]) {
      (void)n.fail("index " + Twine(at->front()) + " is outside dimension " + Twine(d) + " of " +
                   Twine(shape[d]));
      return std::nullopt;
    }
    places.offsets.push_back(at->front());
    places.sizes.push_back(1);
    places.strides.push_back(1);
  }
  return places;
}

static LogicalResult importExtract(OpImport &n) {
  auto op = cast<tensor::ExtractOp>(n.op);
  Value x = n.value(op.getTensor());
  std::optional<Places> at = placeOf(n, op.getIndices(), n.shapeOf(x));
  if (!at)
    return failure();
  return n.yield(n.reshape(n.slice(x, at->offsets, at->sizes, at->strides), {}));
}

static LogicalResult importInsert(OpImport &n) {
  auto op = cast<tensor::InsertOp>(n.op);
  Value into = n.value(op.getDest());
  std::optional<Places> at = placeOf(n, op.getIndices(), n.shapeOf(into));
  if (!at)
    return failure();
  return n.yield(insert(n, n.reshape(n.value(op.getScalar()), at->sizes), into, *at, 0));
}

static LogicalResult importConcat(OpImport &n) {
  SmallVector<Value> parts;
  for (Value part : n.op->getOperands())
    parts.push_back(n.value(part));
  return n.yield(n.concat(parts, cast<tensor::ConcatOp>(n.op).getDim()));
}

static LogicalResult importPad(OpImport &n) {
  auto op = cast<tensor::PadOp>(n.op);
  std::optional<Dims> low = staticInts(n, op.getMixedLowPad(), "low padding"),
                      high = staticInts(n, op.getMixedHighPad(), "high padding");
  if (!low || !high)
    return failure();
  Value around = op.getConstantPaddingValue();
  DenseElementsAttr dense;
  Attribute constant;
  if (around && matchPattern(around, m_Constant(&constant)))
    dense = graphConstant(constant);
  if (!dense)
    return n.fail("it pads with values that are no constant");
  return n.yield(
      n.create<graph::PadOp>(n.resultType(), n.operand(0), *low, *high, dense.getSplatValue<TypedAttr>()));
}

/// The body of tensor.generate is that of a loop nest that reads its counters.
static LogicalResult importGenerate(OpImport &n) {
  auto op = cast<tensor::GenerateOp>(n.op);
  SmallVector<int64_t> loops = llvm::to_vector(llvm::seq<int64_t>(0, n.resultType().getRank()));
  ScalarBody body(n, n.resultShape(), loops);
  Block &block = op.getBody().front();
  for (auto [loop, argument] : llvm::enumerate(block.getArguments()))
    body.set(argument, body.counter(loop));
  if (failed(body.evaluate(block)))
    return failure();
  return n.yield(body.spread(body.get(block.getTerminator()->getOperand(0)), loops));
}

static LogicalResult importSoftmax(OpImport &n) {
  auto op = cast<linalg::SoftmaxOp>(n.op);
  if (!n.isFloat(n.operand(0)))
    return n.fail("its elements are " + n.text(n.elementOf(n.operand(0))) + ", expected floats");
  return n.yield(n.create<graph::SoftmaxOp>(n.resultType(), n.operand(0),
                                            n.builder.getI64IntegerAttr(op.getDimension())));
}

void tilewright::upstream::addTensorOps(HandlerTable &table) {
  table["arith.constant"] = importConstant;
  table["tensor.bitcast"] = importBitcast;
  table["tensor.cast"] = importReshape;
  table["tensor.collapse_shape"] = importReshape;
  table["tensor.concat"] = importConcat;
  table["tensor.dim"] = importDim;
  table["tensor.empty"] = importEmpty;
  table["tensor.expand_shape"] = importReshape;
  table["tensor.extract"] = importExtract;
  table["tensor.extract_slice"] = importExtractSlice;
  table["tensor.from_elements"] = importFromElements;
  table["tensor.generate"] = importGenerate;
  table["tensor.insert"] = importInsert;
  table["tensor.insert_slice"] = importInsertSlice;
  table["tensor.pad"] = importPad;
  table["tensor.reshape"] = importReshape;
  table["tensor.splat"] = importSplat;
  table["linalg.softmax"] = importSoftmax;
}
