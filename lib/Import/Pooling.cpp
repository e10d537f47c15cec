// Pooling over windows: maxima, means and norms.
//
// Windows are walked one dimension at a time: the operand is padded along it, and the strided slices that
// start at each place of the window are combined. So an 11x11 window costs 22 slices, which join one kernel
// as views.

#include "NodeImport.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

namespace {
/// A window along one spatial dimension.
struct Window {
  int64_t size, stride, dilation;
  /// Padding that the node asks for.
  int64_t low, high;
  /// Elements of the operand and of the result.
  int64_t in, out;

  int64_t reach() const { return (size - 1) * dilation + 1; }
  /// Padding at the end that the last window needs; negative where elements are left over.
  int64_t needed() const { return (out - 1) * stride + reach() - low - in; }
};
} // namespace

/// Windows take at most this many places along a dimension.
static constexpr int64_t kWindowLimit = 256;

/// The windows of a pooling node over operand 0; nothing after a failure.
static std::optional<SmallVector<Window>> readWindows(NodeImport &n) {
  NodeImport::Shape shape = n.shapeOf(n.operand(0));
  int64_t spatial = (int64_t)shape.size() - 2;
  std::string autoPad = n.stringAttribute("auto_pad", "NOTSET");
  bool ceils = n.intAttribute("ceil_mode", 0) != 0;
  std::optional<Dims> sizes = n.intsAttribute("kernel_shape"), strides = n.intsAttribute("strides"),
                      dilations = n.intsAttribute("dilations"), pads = n.intsAttribute("pads");
  auto refuse = [&](const Twine &why) { return (void)n.fail(why), std::nullopt; };
  auto has = [&](const std::optional<Dims> &values, int64_t count) {
    return !values || values->empty() || (int64_t)values->size() == count;
  };
  if (n.failed() || spatial < 1 || !sizes || (int64_t)sizes->size() != spatial || !has(strides, spatial) ||
      !has(dilations, spatial) || !has(pads, 2 * spatial))
    return refuse("its window does not fit an operand of rank " + Twine(shape.size()));
  if (autoPad != "NOTSET" && autoPad != "VALID" && autoPad != "SAME_UPPER" && autoPad != "SAME_LOWER")
    return refuse("auto_pad is '" + autoPad + "'");
  auto at = [](const std::optional<Dims> &values, int64_t i, int64_t otherwise) {
    return values && !values->empty() ? (*values)[i] : otherwise;
  };
  SmallVector<Window> windows;
  for (int64_t d = 0; d < spatial; ++d) {
    Window w{(*sizes)[d], at(strides, d, 1), at(dilations, d, 1), 0, 0, shape[2 + d], 0};
    constexpr int64_t kLimit = 1 << 20;
    if (w.size < 1 || w.size > kWindowLimit || w.stride < 1 || w.stride > kLimit || w.dilation < 1 ||
        w.dilation > kLimit)
      return refuse("a window of " + Twine(w.size) + " places with stride " + Twine(w.stride) +
                    " and dilation " + Twine(w.dilation) + " is not supported");
    if (StringRef(autoPad).starts_with("SAME")) {
      w.out = (w.in + w.stride - 1) / w.stride;
      int64_t total = std::max<int64_t>(w.needed(), 0);
      w.low = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.high = total - w.low;
    } else {
      if (autoPad == "NOTSET") {
        w.low = at(pads, d, 0);
        w.high = at(pads, spatial + d, 0);
      }
      if (w.low < 0 || w.high < 0 || w.low > kLimit || w.high > kLimit)
        return refuse("padding by " + Twine(w.low) + " and " + Twine(w.high) + " is not supported");
      int64_t room = w.in + w.low + w.high - w.reach();
      w.out = room < 0 ? 0 : (room + (ceils ? w.stride - 1 : 0)) / w.stride + 1;
      if (ceils && w.out > 0 && (w.out - 1) * w.stride >= w.in + w.low) // would start in the padding
        --w.out;
    }
    windows.push_back(w);
  }
  return windows;
}

/// The elements of `x` at each place of the windows along `dim`; `outside` stands where there is none.
static SmallVector<Value> places(NodeImport &n, Value x, int64_t dim, const Window &w, TypedAttr outside) {
  Dims low(n.rankOf(x), 0), high(n.rankOf(x), 0), shape(n.shapeOf(x));
  if (w.out > 0) {
    low[dim] = w.low;
    high[dim] = w.needed();
    shape[dim] = w.low + w.in + w.needed();
    if (low[dim] != 0 || high[dim] != 0)
      x = n.create<graph::PadOp>(RankedTensorType::get(shape, n.elementOf(x)), x, low, high, outside);
  }
  SmallVector<Value> parts;
  for (int64_t place = 0; place < w.size; ++place)
    parts.push_back(n.sliceDim(x, dim, w.out > 0 ? place * w.dilation : 0, w.out, w.out > 1 ? w.stride : 1));
  return parts;
}

/// `x` with the places of each window along `dim` combined.
static Value pool(NodeImport &n, Value x, int64_t dim, const Window &w, TypedAttr outside,
                  llvm::function_ref<Value(Value, Value)> combine) {
  SmallVector<Value> parts = places(n, x, dim, w, outside);
  Value all = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    all = combine(all, part);
  return all;
}

/// The indices of the largest elements, in the whole tensor: of equal ones the first. They walk the windows
/// with the values, each dimension after the other. With `columnMajor`, the first spatial dimension counts
/// fastest.
static Value maxIndices(NodeImport &n, Value x, ArrayRef<Window> windows, TypedAttr least, bool columnMajor) {
  Type i64 = n.builder.getI64Type();
  NodeImport::Shape shape = n.shapeOf(x);
  int64_t rank = shape.size(), stride = 1;
  Dims strides(rank);
  for (int64_t d = rank; d-- > 0; stride *= shape[d])
    strides[d] = stride;
  Value index = n.constant(shape, i64, 0);
  for (int64_t d = 0; d < rank; ++d)
    index = n.add(index, n.mul(n.iota(shape, d, i64), n.constant(shape, i64, (double)strides[d])));
  TypedAttr beyond = n.builder.getIntegerAttr(i64, std::numeric_limits<int64_t>::max());
  for (auto [d, w] : llvm::enumerate(windows)) {
    int64_t dim = 2 + (int64_t)d;
    SmallVector<Value> values = places(n, x, dim, w, least), indices = places(n, index, dim, w, beyond);
    x = values.front(), index = indices.front();
    for (size_t i = 1; i < values.size(); ++i) {
      bool isFloat = n.isFloat(x), isUnsigned = n.isUnsigned(0);
      Value isLarger = isFloat ? n.compare(arith::CmpFPredicate::OGT, values[i], x)
                               : n.compare(isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt,
                                           values[i], x);
      Value isEqual = isFloat ? n.compare(arith::CmpFPredicate::OEQ, values[i], x)
                              : n.compare(arith::CmpIPredicate::eq, values[i], x);
      Value isEarlier = n.compare(arith::CmpIPredicate::slt, indices[i], index);
      Value takes = n.create<arith::OrIOp>(isLarger, n.create<arith::AndIOp>(isEqual, isEarlier));
      x = n.select(takes, values[i], x);
      index = n.select(takes, indices[i], index);
    }
  }
  if (!columnMajor)
    return index;
  // Row-major within the spatial dimensions to column-major.
  Value result;
  int64_t turned = 1;
  for (int64_t d = 0; d < rank; ++d) {
    Value place = n.div(index, n.constantLike(index, (double)strides[d]));
    if (d > 0)
      place = n.remainder(place, n.constantLike(place, (double)shape[d]));
    int64_t step = d < 2 ? strides[d] : turned;
    turned *= d < 2 ? 1 : shape[d];
    Value part = n.mul(place, n.constantLike(place, (double)step));
    result = result ? n.add(result, part) : part;
  }
  return result;
}

static LogicalResult importMaxPool(NodeImport &n) {
  bool columnMajor = n.intAttribute("storage_order", 0) != 0;
  Value x = n.operand(0);
  std::optional<SmallVector<Window>> windows = readWindows(n);
  if (!windows)
    return failure();
  if (n.isBool(x))
    return n.fail("boolean operands are not supported");
  Type element = n.elementOf(x);
  unsigned bits = element.getIntOrFloatBitWidth();
  TypedAttr least =
      n.isFloat(x)
          ? TypedAttr(n.builder.getFloatAttr(element, -std::numeric_limits<double>::infinity()))
          : TypedAttr(n.builder.getIntegerAttr(element, n.isUnsigned(0) ? APInt::getMinValue(bits)
                                                                        : APInt::getSignedMinValue(bits)));
  Value source = x;
  for (auto [d, window] : llvm::enumerate(*windows))
    x = pool(n, x, 2 + (int64_t)d, window, least,
             [&](Value a, Value b) { return n.max(a, b, n.isUnsigned(0)); });
  if (!n.wantsOutput(1))
    return n.yield(x);
  (void)n.yield(x, n.isUnsigned(0));
  return n.yield(maxIndices(n, source, *windows, least, columnMajor), /*isUnsigned=*/false);
}

/// Sums of `x` over the windows.
static Value sumWindows(NodeImport &n, Value x, ArrayRef<Window> windows) {
  auto zero = cast<TypedAttr>(n.builder.getZeroAttr(n.elementOf(x)));
  for (auto [d, window] : llvm::enumerate(windows))
    x = pool(n, x, 2 + (int64_t)d, window, zero, [&](Value a, Value b) { return n.add(a, b); });
  return x;
}

static LogicalResult importAveragePool(NodeImport &n) {
  bool countsPadding = n.intAttribute("count_include_pad", 0) != 0;
  Value x = n.operand(0);
  std::optional<SmallVector<Window>> windows = readWindows(n);
  if (!windows || failed(n.expectFloat(x, "operand #0")))
    return failure();
  Value sum = sumWindows(n, n.widen(x), *windows);
  // Along each dimension: how many places of the window count. What lies beyond the padding never does.
  Value total;
  for (auto [d, given] : llvm::enumerate(*windows)) {
    Window w = given;
    if (countsPadding) {
      w.in += w.low + w.high;
      w.low = w.high = 0;
    }
    Value ones = n.constant({w.in}, n.elementOf(sum), 1);
    auto zero = cast<TypedAttr>(n.builder.getZeroAttr(n.elementOf(sum)));
    Value count = pool(n, ones, 0, w, zero, [&](Value a, Value b) { return n.add(a, b); });
    count = n.broadcastDims(count, {2 + (int64_t)d}, n.shapeOf(sum));
    total = total ? n.mul(total, count) : count;
  }
  return n.yield(n.castTo(n.div(sum, total), n.elementOf(x)));
}

static LogicalResult importLpPool(NodeImport &n) {
  int64_t p = n.intAttribute("p", 2);
  Value x = n.operand(0);
  std::optional<SmallVector<Window>> windows = readWindows(n);
  if (!windows || failed(n.expectFloat(x, "operand #0")))
    return failure();
  if (p < 1)
    return n.fail("p is " + Twine(p) + ", expected at least 1");
  Value size = n.unary<math::AbsFOp>(n.widen(x));
  Value power = p == 1   ? size
                : p == 2 ? n.mul(size, size)
                         : n.create<math::PowFOp>(size, n.constantLike(size, (double)p));
  Value sum = sumWindows(n, power, *windows);
  Value root = p == 1   ? sum
               : p == 2 ? n.unary<math::SqrtOp>(sum)
                        : n.create<math::PowFOp>(sum, n.constantLike(sum, 1.0 / (double)p));
  return n.yield(n.castTo(root, n.elementOf(x)));
}

void tilewright::onnx::addPooling(OperatorTable &table) {
  table["MaxPool"] = {importMaxPool, 1, 1, Signedness::Aware};
  table["AveragePool"] = {importAveragePool, 1, 1};
  table["LpPool"] = {importLpPool, 1, 1};
}
