// Operators that move elements: reshapes, transposes, slices, concatenation, padding, repetition.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

//===-- Reshapes --===//

/// The result of a reshape whose target is known at run time only, by the shape that the model declares.
static Value reshapeAsDeclared(NodeImport &n, StringRef what) {
  std::optional<Dims> shape = n.declaredInsteadOf(1, what);
  if (!shape || byteCount(*shape, 1) != byteCount(n.shapeOf(n.operand(0)), 1))
    return nullptr;
  return n.reshape(n.operand(0), *shape);
}

static LogicalResult importReshape(NodeImport &n) {
  bool allowZero = n.intAttribute("allowzero", 0) != 0;
  if (Value result = reshapeAsDeclared(n, "shape"))
    return n.yield(result);
  std::optional<Dims> shape = n.intsOperandOrAttribute(1, "shape");
  Value x = n.operand(0);
  if (n.failed())
    return failure();
  if (!shape)
    return n.fail("it has no shape");
  int64_t unknown = -1, known = 1, total = n.typeOf(x).getNumElements();
  for (auto [i, size] : llvm::enumerate(*shape)) {
    if (size == 0 && !allowZero) {
      if ((int64_t)i >= n.rankOf(x))
        return n.fail("dimension " + Twine(i) + " of shape " + n.text(*shape) +
                      " copies from an operand of rank " + Twine(n.rankOf(x)));
      size = n.shapeOf(x)[i];
    }
    if (size == -1) {
      if (unknown >= 0)
        return n.fail("shape " + n.text(*shape) + " leaves two dimensions open");
      unknown = i;
    } else if (size < 0 || llvm::MulOverflow(known, size, known)) {
      return n.fail("shape " + n.text(*shape) + " is negative in a dimension or too large");
    }
  }
  if (unknown >= 0) {
    if (known == 0 || total % known != 0)
      return n.fail(Twine(total) + " elements do not divide into shape " + n.text(*shape));
    (*shape)[unknown] = total / known;
  } else if (known != total) {
    return n.fail(Twine(total) + " elements do not fit shape " + n.text(*shape));
  }
  return n.yield(n.reshape(x, *shape));
}

static LogicalResult importFlatten(NodeImport &n) {
  int64_t axis = n.intAttribute("axis", 1), rank = n.rankOf(n.operand(0));
  if (axis < -rank || axis > rank)
    return n.fail("axis " + Twine(axis) + " is outside a tensor of rank " + Twine(rank));
  axis += axis < 0 ? rank : 0;
  int64_t rows = 1, columns = 1;
  for (auto [d, size] : llvm::enumerate(n.shapeOf(n.operand(0))))
    ((int64_t)d < axis ? rows : columns) *= size;
  return n.yield(n.reshape(n.operand(0), {rows, columns}));
}

static LogicalResult importSqueeze(NodeImport &n) {
  if (Value result = reshapeAsDeclared(n, "axes"))
    return n.yield(result);
  std::optional<Dims> given = n.intsOperandOrAttribute(1, "axes");
  Value x = n.operand(0);
  if (n.failed())
    return failure();
  std::optional<Dims> axes = given ? n.axes(*given, n.rankOf(x)) : Dims();
  if (!axes)
    return failure();
  Dims shape;
  for (auto [d, size] : llvm::enumerate(n.shapeOf(x))) {
    bool named = llvm::is_contained(*axes, (int64_t)d);
    if (named && size != 1)
      return n.fail("dimension " + Twine(d) + " of size " + Twine(size) + " cannot be squeezed");
    if (given ? !named : size != 1)
      shape.push_back(size);
  }
  return n.yield(n.reshape(x, shape));
}

static LogicalResult importUnsqueeze(NodeImport &n) {
  if (Value result = reshapeAsDeclared(n, "axes"))
    return n.yield(result);
  std::optional<Dims> given = n.intsOperandOrAttribute(1, "axes");
  Value x = n.operand(0);
  if (n.failed())
    return failure();
  if (!given)
    return n.fail("it has no axes");
  std::optional<Dims> axes = n.axes(*given, n.rankOf(x) + (int64_t)given->size());
  if (!axes)
    return failure();
  Dims shape(n.shapeOf(x));
  for (int64_t axis : *axes)
    shape.insert(shape.begin() + axis, 1);
  return n.yield(n.reshape(x, shape));
}

static LogicalResult importTranspose(NodeImport &n) {
  Value x = n.operand(0);
  int64_t rank = n.rankOf(x);
  std::optional<Dims> perm = n.intsAttribute("perm");
  if (n.failed())
    return failure();
  if (!perm) {
    perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::reverse(perm->begin(), perm->end());
  }
  std::optional<Dims> sorted = n.axes(*perm, rank);
  if (!sorted)
    return failure();
  if ((int64_t)perm->size() != rank)
    return n.fail("perm names " + Twine(perm->size()) + " of " + Twine(rank) + " dimensions");
  for (int64_t &dim : *perm)
    dim += dim < 0 ? rank : 0;
  return n.yield(n.transpose(x, *perm));
}

/// Blocks of space are at most this wide, so that no size overflows, not even beside a dimension of 0.
static constexpr int64_t kMostBlock = 128;

static LogicalResult importDepthToSpace(NodeImport &n) {
  int64_t b = n.intAttribute("blocksize", 0);
  std::string mode = n.stringAttribute("mode", "DCR");
  Value x = n.operand(0);
  if (n.rankOf(x) != 4)
    return n.fail("operand #0 has rank " + Twine(n.rankOf(x)) + ", expected 4");
  int64_t s = n.shapeOf(x)[0], c = n.shapeOf(x)[1], h = n.shapeOf(x)[2], w = n.shapeOf(x)[3];
  if (b <= 0 || b > kMostBlock || c % (b * b) != 0)
    return n.fail(Twine(c) + " channels do not divide into blocks of " + Twine(b) + "x" + Twine(b));
  if (mode != "DCR" && mode != "CRD")
    return n.fail("mode is '" + mode + "', expected 'DCR' or 'CRD'");
  Value moved = mode == "DCR" ? n.transpose(n.reshape(x, {s, b, b, c / (b * b), h, w}), {0, 3, 4, 1, 5, 2})
                              : n.transpose(n.reshape(x, {s, c / (b * b), b, b, h, w}), {0, 1, 4, 2, 5, 3});
  return n.yield(n.reshape(moved, {s, c / (b * b), h * b, w * b}));
}

static LogicalResult importSpaceToDepth(NodeImport &n) {
  int64_t b = n.intAttribute("blocksize", 0);
  std::string mode = n.stringAttribute("mode", "DCR");
  Value x = n.operand(0);
  if (n.rankOf(x) != 4)
    return n.fail("operand #0 has rank " + Twine(n.rankOf(x)) + ", expected 4");
  int64_t s = n.shapeOf(x)[0], c = n.shapeOf(x)[1], h = n.shapeOf(x)[2], w = n.shapeOf(x)[3];
  if (b <= 0 || b > kMostBlock || h % b != 0 || w % b != 0)
    return n.fail(Twine(h) + "x" + Twine(w) + " elements do not divide into blocks of " + Twine(b));
  if (mode != "DCR" && mode != "CRD")
    return n.fail("mode is '" + mode + "', expected 'DCR' or 'CRD'");
  Value split = n.reshape(x, {s, c, h / b, b, w / b, b});
  Value moved =
      mode == "DCR" ? n.transpose(split, {0, 3, 5, 1, 2, 4}) : n.transpose(split, {0, 1, 3, 5, 2, 4});
  return n.yield(n.reshape(moved, {s, c * b * b, h / b, w / b}));
}

//===-- Slices --===//

/// A slice whose place is known at run time only, with the shape that the model declares: elements start,
/// start + step, … of the only dimension whose size differs. Null when there is not one such dimension.
static Value sliceAsDeclared(NodeImport &n) {
  std::optional<Dims> shape;
  for (unsigned i = 1; i <= 4 && !shape; ++i)
    shape = n.declaredInsteadOf(i, i == 1 ? "starts" : i == 2 ? "ends" : i == 3 ? "axes" : "steps");
  Value x = n.operand(0);
  if (!shape || (int64_t)shape->size() != n.rankOf(x) || !n.has(1))
    return nullptr;
  std::optional<int64_t> dim;
  for (int64_t d = 0; d < n.rankOf(x); ++d) {
    if ((*shape)[d] == n.shapeOf(x)[d])
      continue;
    if (dim || (*shape)[d] > n.shapeOf(x)[d])
      return nullptr;
    dim = d;
  }
  Type i64 = n.builder.getI64Type();
  auto number = [&](unsigned i) { return n.reshape(n.castTo(n.operand(i), i64), {}); };
  for (unsigned i : {1, 4})
    if (n.has(i) && (n.typeOf(n.operand(i)).getNumElements() != 1 || n.isFloat(n.operand(i))))
      return nullptr;
  if (!dim || (*shape)[*dim] == 0)
    return nullptr;
  Value start = number(1), zero = n.constantLike(start, 0);
  Value size = n.constantLike(start, (double)n.shapeOf(x)[*dim]);
  Value isNegative = n.compare(arith::CmpIPredicate::slt, start, zero);
  start = n.min(n.max(n.select(isNegative, n.add(start, size), start), zero), size);
  Value place = n.iota((*shape)[*dim], 0, i64);
  if (n.has(4))
    place = n.mul(place, n.broadcast(number(4), (*shape)[*dim]));
  return n.gather(x, n.add(place, n.broadcast(start, (*shape)[*dim])), *dim);
}

static LogicalResult importSlice(NodeImport &n) {
  if (Value result = sliceAsDeclared(n))
    return n.yield(result);
  std::optional<Dims> starts = n.intsOperandOrAttribute(1, "starts"),
                      ends = n.intsOperandOrAttribute(2, "ends"), axes = n.intsOperandOrAttribute(3, "axes"),
                      steps;
  if (n.has(4))
    steps = n.constantInts(4, "steps");
  if (n.failed())
    return failure();
  Value x = n.operand(0);
  if (!starts || !ends || starts->size() != ends->size() || (axes && axes->size() != starts->size()) ||
      (steps && steps->size() != starts->size()))
    return n.fail("starts, ends, axes and steps differ in length");
  if (!axes)
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  if (!n.axes(*axes, n.rankOf(x)))
    return failure();
  Dims offsets(n.rankOf(x), 0), sizes(n.shapeOf(x)), strides(n.rankOf(x), 1);
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t dim = (*axes)[i] + ((*axes)[i] < 0 ? n.rankOf(x) : 0), size = n.shapeOf(x)[dim];
    int64_t step = steps ? (*steps)[i] : 1, start = (*starts)[i], end = (*ends)[i];
    if (step == 0)
      return n.fail("its step in dimension " + Twine(dim) + " is 0");
    // Counted from the end when negative, then clamped to what a forward or backward walk can touch.
    start += start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    start = std::clamp<int64_t>(start, 0, std::max<int64_t>(high, 0));
    end = std::clamp(end, low, std::max(high, low));
    int64_t span = step > 0 ? end - start : start - end;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
    sizes[dim] = span <= 0 || size == 0 ? 0 : (int64_t)(((uint64_t)span - 1) / stride + 1);
    offsets[dim] = sizes[dim] == 0 ? 0 : start;
    strides[dim] = sizes[dim] <= 1 ? 1 : step;
  }
  return n.yield(n.slice(x, offsets, sizes, strides));
}

static LogicalResult importSplit(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", 0), count = n.intAttribute("num_outputs", n.node.outputs.size());
  std::optional<Dims> sizes = n.intsOperandOrAttribute(1, "split");
  Value x = n.operand(0);
  if (n.failed())
    return failure();
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis)
    return failure();
  int64_t size = n.shapeOf(x)[*axis];
  if (!sizes) {
    if (count < 1 || count > 65536 || (!n.hasAttribute("num_outputs") && size % count != 0))
      return n.fail(Twine(size) + " elements do not divide into " + Twine(count) + " parts");
    // The last part takes what is left, which may be less.
    int64_t part = (size + count - 1) / count;
    sizes = Dims(count, part);
    sizes->back() = size - part * (count - 1);
  }
  int64_t sum = 0;
  for (int64_t part : *sizes)
    if (part < 0 || part > size || (sum += part) > size)
      return n.fail("parts of " + n.text(*sizes) + " elements do not make up " + Twine(size));
  if (sum != size)
    return n.fail("parts of " + n.text(*sizes) + " elements do not make up " + Twine(size));
  int64_t offset = 0;
  for (int64_t part : *sizes) {
    (void)n.yield(n.sliceDim(x, *axis, offset, part));
    offset += part;
  }
  return success();
}

//===-- Concatenation and padding --===//

static LogicalResult importConcat(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", 1);
  SmallVector<Value> values;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    if (!n.has(i))
      return n.fail("operand #" + Twine(i) + " is missing");
    if (failed(n.expectSameElements(n.operand(0), n.operand(i))))
      return failure();
    values.push_back(n.operand(i));
  }
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(values.front()));
  if (!axis)
    return failure();
  Dims shape(n.shapeOf(values.front()));
  for (Value value : ArrayRef(values).drop_front()) {
    Dims other(n.shapeOf(value));
    if (other.size() == shape.size())
      other[*axis] = shape[*axis];
    if (other != shape)
      return n.fail("shapes " + n.text(n.shapeOf(values.front())) + " and " + n.text(n.shapeOf(value)) +
                    " differ beyond axis " + Twine(*axis));
  }
  // Parts without elements, such as an empty cache, add nothing.
  SmallVector<Value> filled = llvm::to_vector(
      llvm::make_filter_range(values, [&](Value value) { return n.shapeOf(value)[*axis] != 0; }));
  if (filled.empty())
    return n.yield(values.front());
  return n.yield(n.concat(filled, *axis));
}

/// The indices that padding `size` elements by `low` and `high` reads, as runs of a slice each.
static LogicalResult padByCopy(NodeImport &n, Value &x, int64_t dim, int64_t low, int64_t high,
                               StringRef mode) {
  int64_t size = n.shapeOf(x)[dim];
  if (size == 0 && (low > 0 || high > 0))
    return n.fail("dimension " + Twine(dim) + " is empty and cannot be padded by " + mode);
  if (mode == "reflect" && std::max(low, high) >= size)
    return n.fail("dimension " + Twine(dim) + " of size " + Twine(size) + " cannot be reflected by " +
                  Twine(std::max(low, high)));
  if (mode == "wrap" && std::max(low, high) > size)
    return n.fail("dimension " + Twine(dim) + " of size " + Twine(size) + " cannot be wrapped by " +
                  Twine(std::max(low, high)));
  auto edge = [&](int64_t offset, int64_t count) {
    Dims shape(n.shapeOf(x));
    shape[dim] = count;
    return n.broadcast(n.sliceDim(x, dim, offset, 1), shape);
  };
  SmallVector<Value> parts;
  if (low > 0)
    parts.push_back(mode == "reflect" ? n.sliceDim(x, dim, low, low, -1)
                    : mode == "edge"  ? edge(0, low)
                                      : n.sliceDim(x, dim, size - low, low));
  int64_t cropLow = std::max<int64_t>(-low, 0), cropHigh = std::max<int64_t>(-high, 0);
  parts.push_back(n.sliceDim(x, dim, cropLow, size - cropLow - cropHigh));
  if (high > 0)
    parts.push_back(mode == "reflect" ? n.sliceDim(x, dim, size - 2, high, -1)
                    : mode == "edge"  ? edge(size - 1, high)
                                      : n.sliceDim(x, dim, 0, high));
  x = n.concat(parts, dim);
  return success();
}

static LogicalResult importPad(NodeImport &n) {
  std::string mode = n.stringAttribute("mode", "constant");
  double number = n.floatAttribute("value", 0);
  TypedAttr given; // an integer of 64 bits is no double
  std::optional<Dims> pads = n.intsOperandOrAttribute(1, "pads");
  Value x = n.operand(0);
  if (n.has(2)) {
    if (failed(n.expectSameElements(x, n.operand(2))))
      return failure();
    number = n.constantNumber(2, "constant_value").value_or(0);
    DenseIntElementsAttr dense;
    if (!n.failed() && matchPattern(n.operand(2), m_Constant(&dense)))
      given = dense.getSplatValue<TypedAttr>();
  }
  int64_t rank = n.rankOf(x);
  std::optional<Dims> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (n.has(3)) {
    axes = n.constantInts(3, "axes");
    if (!axes || !n.axes(*axes, rank))
      return failure();
  }
  if (n.failed())
    return failure();
  if (!pads || pads->size() != 2 * axes->size())
    return n.fail("it has " + Twine(pads ? pads->size() : 0) + " pads for " + Twine(axes->size()) +
                  " dimensions");
  Dims low(rank, 0), high(rank, 0), shape(n.shapeOf(x));
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    int64_t dim = axis < 0 ? axis + rank : axis;
    low[dim] = (*pads)[i];
    high[dim] = (*pads)[i + axes->size()];
    constexpr int64_t kLimit = int64_t(1) << 40;
    if (std::min(low[dim], high[dim]) < -kLimit || std::max(low[dim], high[dim]) > kLimit)
      return n.fail("dimension " + Twine(dim) + " is padded by " + Twine(low[dim]) + " and " +
                    Twine(high[dim]));
    shape[dim] += low[dim] + high[dim];
    if (std::min<int64_t>(low[dim], 0) + std::min<int64_t>(high[dim], 0) + n.shapeOf(x)[dim] < 0)
      return n.fail("dimension " + Twine(dim) + " of size " + Twine(n.shapeOf(x)[dim]) + " is cropped to " +
                    Twine(shape[dim]));
  }
  if (failed(n.expectSize(shape, n.elementOf(x))))
    return failure();
  if (mode == "constant") {
    Type element = n.elementOf(x);
    DenseElementsAttr dense;
    if (!given && matchPattern(n.constant({}, element, number), m_Constant(&dense)))
      given = dense.getSplatValue<TypedAttr>();
    return n.yield(n.create<graph::PadOp>(RankedTensorType::get(shape, element), x, low, high, given));
  }
  if (mode != "reflect" && mode != "edge" && mode != "wrap")
    return n.fail("mode is '" + mode + "', expected 'constant', 'reflect', 'edge' or 'wrap'");
  for (int64_t dim = 0; dim < rank; ++dim)
    if ((low[dim] != 0 || high[dim] != 0) && failed(padByCopy(n, x, dim, low[dim], high[dim], mode)))
      return failure();
  return n.yield(x);
}

static LogicalResult importCenterCropPad(NodeImport &n) {
  Value x = n.operand(0);
  std::optional<Dims> axes = n.intsAttribute("axes"), sizes = n.constantInts(1, "shape");
  if (!axes)
    axes = llvm::to_vector(llvm::seq<int64_t>(0, n.rankOf(x)));
  if (!sizes || !n.axes(*axes, n.rankOf(x)))
    return failure();
  if (sizes->size() != axes->size())
    return n.fail("it has " + Twine(sizes->size()) + " sizes for " + Twine(axes->size()) + " dimensions");
  Dims low(n.rankOf(x), 0), high(n.rankOf(x), 0), shape(n.shapeOf(x));
  for (auto [given, size] : llvm::zip_equal(*axes, *sizes)) {
    int64_t dim = given < 0 ? given + n.rankOf(x) : given;
    if (size < 0 || size > (int64_t(1) << 40))
      return n.fail("dimension " + Twine(dim) + " would have size " + Twine(size));
    int64_t more = size - shape[dim];
    low[dim] = more > 0 ? more / 2 : -(-more / 2);
    high[dim] = more - low[dim];
    shape[dim] = size;
  }
  Type element = n.elementOf(x);
  if (failed(n.expectSize(shape, element)))
    return failure();
  return n.yield(n.create<graph::PadOp>(RankedTensorType::get(shape, element), x, low, high,
                                        cast<TypedAttr>(n.builder.getZeroAttr(element))));
}

//===-- Repetition --===//

static LogicalResult importExpand(NodeImport &n) {
  Value x = n.operand(0);
  std::optional<Dims> given = n.declaredInsteadOf(1, "shape");
  if (!given)
    given = n.constantInts(1, "shape");
  if (!given || failed(n.expectSize(*given, n.elementOf(x))))
    return failure();
  std::optional<Dims> shape = n.broadcastShape(n.shapeOf(x), *given);
  if (!shape || failed(n.expectSize(*shape, n.elementOf(x))))
    return failure();
  return n.yield(n.broadcast(x, *shape));
}

static LogicalResult importTile(NodeImport &n) {
  Value x = n.operand(0);
  std::optional<Dims> repeats = n.constantInts(1, "repeats");
  if (!repeats)
    return failure();
  if ((int64_t)repeats->size() != n.rankOf(x))
    return n.fail("it has " + Twine(repeats->size()) + " repeats for " + Twine(n.rankOf(x)) + " dimensions");
  Dims split, repeated, shape;
  if (failed(n.expectSize(*repeats, n.elementOf(x))))
    return failure();
  for (auto [size, count] : llvm::zip_equal(n.shapeOf(x), *repeats)) {
    int64_t whole;
    if (llvm::MulOverflow<int64_t>(size, count, whole))
      return n.fail("repeats " + n.text(*repeats) + " overflow");
    shape.push_back(whole);
    if (count != 1) {
      split.push_back(1);
      repeated.push_back(count);
    }
    split.push_back(size);
    repeated.push_back(size);
  }
  if (failed(n.expectSize(shape, n.elementOf(x))))
    return failure();
  return n.yield(n.reshape(n.broadcast(n.reshape(x, split), repeated), shape));
}

static LogicalResult importIdentity(NodeImport &n) { return n.yield(n.operand(0)); }

void tilewright::onnx::addMovement(OperatorTable &table) {
  table["Reshape"] = {importReshape, 1, 2, Signedness::SameBits};
  table["Flatten"] = {importFlatten, 1, 1, Signedness::SameBits};
  table["Squeeze"] = {importSqueeze, 1, 2, Signedness::SameBits};
  table["Unsqueeze"] = {importUnsqueeze, 1, 2, Signedness::SameBits};
  table["Transpose"] = {importTranspose, 1, 1, Signedness::SameBits};
  table["DepthToSpace"] = {importDepthToSpace, 1, 1, Signedness::SameBits};
  table["SpaceToDepth"] = {importSpaceToDepth, 1, 1, Signedness::SameBits};
  table["Slice"] = {importSlice, 1, 5, Signedness::SameBits};
  table["Split"] = {importSplit, 1, 2, Signedness::SameBits};
  table["Concat"] = {importConcat, 1, kVariadic, Signedness::SameBits};
  table["Pad"] = {importPad, 1, 4, Signedness::SameBits};
  table["CenterCropPad"] = {importCenterCropPad, 2, 2, Signedness::SameBits};
  table["Expand"] = {importExpand, 2, 2, Signedness::SameBits};
  table["Tile"] = {importTile, 2, 2, Signedness::SameBits};
  table["Identity"] = {importIdentity, 1, 1, Signedness::SameBits};
}
