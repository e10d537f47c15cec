// tosa's convolutions, pooling and resize. Tensors are [N, spatial…, C]. A window is one strided slice of the
// padded input for each of its places: pooling combines them element by element, a convolution lays them side
// by side and multiplies by the filters. Resize gathers along each dimension at places known here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;
using Dims = OpImport::Dims;

namespace {
/// A window over the spatial dimensions, which are 1, 2, … of the input.
struct Window {
  Dims kernel, stride, dilation;
  /// Before and after each dimension, as the operator has it.
  Dims pad;

  int64_t rank() const { return kernel.size(); }
};
} // namespace

static Dims dims(ArrayRef<int64_t> values) { return Dims(values); }

/// `x` surrounded by `value` along its spatial dimensions.
static Value padded(OpImport &n, Value x, const Window &window, double value) {
  if (llvm::all_of(window.pad, [](int64_t amount) { return amount == 0; }))
    return x;
  Dims low(n.rankOf(x), 0), high(low), shape(n.shapeOf(x));
  for (int64_t d = 0; d < window.rank(); ++d) {
    low[1 + d] = window.pad[2 * d];
    high[1 + d] = window.pad[2 * d + 1];
    shape[1 + d] += low[1 + d] + high[1 + d];
  }
  TypedAttr around;
  if (auto element = dyn_cast<FloatType>(n.elementOf(x)))
    around = FloatAttr::get(element, value);
  else
    around = IntegerAttr::get(n.elementOf(x), (int64_t)value);
  return n.create<graph::PadOp>(RankedTensorType::get(shape, n.elementOf(x)), x, low, high, around);
}

/// The elements of `x`, padded before, that each place of the window meets; `out` is the result's shape.
static SmallVector<Value> places(OpImport &n, Value x, const Window &window, OpImport::Shape out) {
  int64_t count = 1;
  for (int64_t size : window.kernel)
    count *= size;
  SmallVector<Value> slices;
  for (int64_t place = 0; place < count; ++place) {
    Dims offsets(n.rankOf(x), 0), strides(n.rankOf(x), 1), sizes(n.shapeOf(x));
    for (int64_t d = window.rank() - 1, rest = place; d >= 0; rest /= window.kernel[d--]) {
      offsets[1 + d] = rest % window.kernel[d] * window.dilation[d];
      strides[1 + d] = window.stride[d];
      sizes[1 + d] = out[1 + d];
    }
    slices.push_back(n.slice(x, offsets, sizes, strides));
  }
  return slices;
}

/// Sizes along which what differs from place to place is a constant of the program.
static constexpr int64_t kMostKnown = 1 << 16;

/// More places than this are not written out.
static LogicalResult checkWindow(OpImport &n, const Window &window) {
  constexpr int64_t kMostPlaces = 256;
  int64_t count = 1;
  for (int64_t size : window.kernel) {
    if (size < 1)
      return n.fail("its window has " + Twine(size) + " places along a dimension");
    if (llvm::MulOverflow(count, size, count) || count > kMostPlaces)
      return n.fail("its window of " + n.text(window.kernel) + " has more than " + Twine(kMostPlaces) +
                    " places");
  }
  return success();
}

//===-- Pooling -----------------------------------------------------------------------------------------===//

static LogicalResult importMaxPool(OpImport &n) {
  auto op = cast<tosa::MaxPool2dOp>(n.op);
  Value x = n.operand(0);
  Window window{dims(op.getKernel()), dims(op.getStride()), Dims(2, 1), dims(op.getPad())};
  if (failed(checkWindow(n, window)))
    return failure();
  if (n.isFloat(x) && op.getNanMode() == tosa::NanPropagationMode::IGNORE)
    return n.fail("nan_mode IGNORE is not supported");
  unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
  double least = n.isFloat(x) ? -std::numeric_limits<double>::infinity() : -std::ldexp(1.0, bits - 1);
  Value largest;
  for (Value slice : places(n, padded(n, x, window, least), window, n.resultShape()))
    largest = largest ? n.max(largest, slice) : slice;
  return n.yield(largest);
}

/// Padding is no part of an average: sums are divided by the number of elements that each window has.
static LogicalResult importAvgPool(OpImport &n) {
  auto op = cast<tosa::AvgPool2dOp>(n.op);
  Value x = n.operand(0);
  Window window{dims(op.getKernel()), dims(op.getStride()), Dims(2, 1), dims(op.getPad())};
  if (failed(checkWindow(n, window)))
    return failure();
  if (!n.isFloat(x))
    return n.fail("averages of " + n.text(n.elementOf(x)) + " are not supported");
  if (std::max(n.resultShape()[1], n.resultShape()[2]) > kMostKnown)
    return n.fail("its result of " + n.text(n.resultShape()) + " has more than " + Twine(kMostKnown) +
                  " windows along a dimension");
  Value wide = n.widen(x), sum;
  for (Value slice : places(n, padded(n, wide, window, 0), window, n.resultShape()))
    sum = sum ? n.add(sum, slice) : slice;
  auto counts = [&](int64_t d) {
    SmallVector<int64_t> within;
    for (int64_t i = 0; i < n.resultShape()[1 + d]; ++i) {
      int64_t first = i * window.stride[d] - window.pad[2 * d];
      int64_t last = std::min(first + window.kernel[d], n.shapeOf(x)[1 + d]);
      within.push_back(last - std::max<int64_t>(first, 0));
    }
    int64_t size = within.size();
    Value count = n.castTo(n.intsConstant({size}, within, n.builder.getI32Type()), n.elementOf(wide));
    return n.broadcastDims(count, {1 + d}, n.resultShape());
  };
  return n.yield(n.castTo(n.div(sum, n.mul(counts(0), counts(1))), n.elementOf(x)));
}

//===-- Convolutions ------------------------------------------------------------------------------------===//

/// Integers are 32 bits wide once their zero point is subtracted; floats have none.
static FailureOr<Value> centred(OpImport &n, Value x, Value zero, Type accumulator) {
  if (n.isFloat(x))
    return x;
  TypedAttr attr = n.constantElement(zero, "zero point");
  if (!attr)
    return failure();
  Value wide = n.castTo(x, accumulator);
  return n.sub(wide, n.constantLike(wide, (double)cast<IntegerAttr>(attr).getInt()));
}

/// What both kinds of convolution take.
template <typename Op>
static LogicalResult convolutionOperands(OpImport &n, Op op, ArrayRef<int64_t> kernel, Window &window,
                                         Value &x, Value &filters) {
  window = {dims(kernel), dims(op.getStride()), dims(op.getDilation()), dims(op.getPad())};
  if (failed(checkWindow(n, window)))
    return failure();
  Type result = n.resultType().getElementType();
  if (!isa<FloatType>(result) && !result.isInteger(32))
    return n.fail("its result has elements " + n.text(result) + ", expected floats or i32");
  FailureOr<Value> input = centred(n, n.value(op.getInput()), op.getInputZp(), result),
                   weights = centred(n, n.value(op.getWeight()), op.getWeightZp(), result);
  if (failed(input) || failed(weights))
    return failure();
  x = padded(n, *input, window, 0);
  filters = *weights;
  if (n.elementOf(x) != n.elementOf(filters))
    return n.fail("its operands have elements " + n.text(n.elementOf(x)) + " and " +
                  n.text(n.elementOf(filters)));
  return success();
}

/// `sum`, of as many elements as the result, with the bias of each channel (or one for all).
static LogicalResult yieldWithBias(OpImport &n, Value sum, Value bias) {
  Value shaped = n.reshape(sum, n.resultShape());
  Value wide = n.castTo(bias, n.elementOf(shaped));
  return n.yield(n.add(shaped, n.broadcast(wide, n.resultShape())));
}

/// Filters are [O, spatial…, C].
template <typename Op> static LogicalResult importConvolution(OpImport &n) {
  auto op = cast<Op>(n.op);
  Window window;
  Value x, filters, source = n.value(op.getWeight());
  if (failed(convolutionOperands(n, op, n.shapeOf(source).drop_front().drop_back(), window, x, filters)))
    return failure();
  int64_t outputs = n.shapeOf(filters).front(), depth = 1, rows = 1;
  for (int64_t size : n.shapeOf(filters).drop_front())
    depth *= size;
  for (int64_t size : n.resultShape().drop_back())
    rows *= size;
  SmallVector<Value> slices = places(n, x, window, n.resultShape());
  Value patches = slices.size() == 1 ? slices.front() : n.concat(slices, n.rankOf(x) - 1);
  Value matrix = n.transpose(n.reshape(filters, {outputs, depth}), {1, 0});
  Value product =
      n.create<graph::MatmulOp>(RankedTensorType::get({rows, outputs}, n.resultType().getElementType()),
                                n.reshape(patches, {rows, depth}), matrix);
  return yieldWithBias(n, product, n.value(op.getBias()));
}

/// Filters are [height, width, C, M]: each channel has M results of its own.
static LogicalResult importDepthwise(OpImport &n) {
  auto op = cast<tosa::DepthwiseConv2DOp>(n.op);
  Window window;
  Value x, filters, source = n.value(op.getWeight());
  if (failed(convolutionOperands(n, op, n.shapeOf(source).take_front(2), window, x, filters)))
    return failure();
  Type accumulator = n.resultType().getElementType();
  if (n.isNarrowFloat(x))
    accumulator = n.builder.getF32Type();
  x = n.castTo(x, accumulator), filters = n.castTo(filters, accumulator);
  int64_t channels = n.shapeOf(filters)[2], each = n.shapeOf(filters)[3];
  Dims shape(n.resultShape().drop_back());
  llvm::append_values(shape, channels, each);
  Value perPlace = n.reshape(filters, {window.kernel[0] * window.kernel[1], channels, each}), sum;
  for (auto [place, slice] : llvm::enumerate(places(n, x, window, n.resultShape()))) {
    Value weight = n.reshape(n.sliceDim(perPlace, 0, place, 1), {channels, each});
    Value product =
        n.mul(n.broadcastDims(slice, {0, 1, 2, 3}, shape), n.broadcastDims(weight, {3, 4}, shape));
    sum = sum ? n.add(sum, product) : product;
  }
  return yieldWithBias(n, n.castTo(sum, n.resultType().getElementType()), n.value(op.getBias()));
}

//===-- Resize ------------------------------------------------------------------------------------------===//

namespace {
/// Where the results along one dimension come from: two neighbours, and how far to the second, in `scale`ths.
struct Neighbours {
  SmallVector<int64_t> first, second, fraction;
  int64_t scale;
};
} // namespace

static int64_t floorDivide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

static Neighbours neighbours(int64_t in, int64_t out, int64_t numerator, int64_t denominator, int64_t offset,
                             bool nearest) {
  Neighbours result;
  result.scale = numerator;
  for (int64_t i = 0; i < out; ++i) {
    int64_t at = i * denominator + offset, whole = floorDivide(at, numerator), rest = at - whole * numerator;
    auto clamped = [&](int64_t place) { return std::clamp<int64_t>(place, 0, in - 1); };
    result.first.push_back(clamped(nearest && 2 * rest >= numerator ? whole + 1 : whole));
    result.second.push_back(clamped(whole + 1));
    result.fraction.push_back(rest);
  }
  return result;
}

static LogicalResult importResize(OpImport &n) {
  auto op = cast<tosa::ResizeOp>(n.op);
  Value x = n.operand(0);
  std::optional<Dims> scale = n.constantInts(op.getScale(), "scale"),
                      offset = n.constantInts(op.getOffset(), "offset");
  if (!scale || !offset)
    return failure();
  if (llvm::any_of(*scale, [](int64_t s) { return s <= 0; }))
    return n.fail("its scale is not positive");
  if (std::max(n.resultShape()[1], n.resultShape()[2]) > kMostKnown)
    return n.fail("its result of " + n.text(n.resultShape()) + " has more than " + Twine(kMostKnown) +
                  " places along a dimension");
  bool nearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  Type element = n.resultType().getElementType();
  x = n.castTo(x, n.isNarrowFloat(x) ? n.builder.getF32Type() : element);
  for (int64_t d = 0; d < 2; ++d) {
    Neighbours near = neighbours(n.shapeOf(x)[1 + d], n.resultShape()[1 + d], (*scale)[2 * d],
                                 (*scale)[2 * d + 1], (*offset)[d], nearest);
    int64_t size = near.first.size();
    Value low = n.pick(x, 1 + d, near.first);
    if (nearest) {
      x = low;
      continue;
    }
    // Integers are weighed by whole parts of the scale, which the result keeps as a factor.
    Value high = n.pick(x, 1 + d, near.second);
    Value fraction =
        n.castTo(n.intsConstant({size}, near.fraction, n.builder.getI32Type()), n.elementOf(low));
    Value one = n.constantLike(fraction, (double)near.scale);
    if (n.isFloat(low))
      fraction = n.div(fraction, one), one = n.constantLike(fraction, 1);
    auto weighed = [&](Value value, Value weight) {
      return n.mul(value, n.broadcastDims(weight, {1 + d}, n.shapeOf(value)));
    };
    x = n.add(weighed(low, n.sub(one, fraction)), weighed(high, fraction));
  }
  return n.yield(n.castTo(x, element));
}

void tilewright::upstream::addTosaWindows(HandlerTable &table) {
  table["tosa.avg_pool2d"] = importAvgPool;
  table["tosa.conv2d"] = importConvolution<tosa::Conv2DOp>;
  table["tosa.conv3d"] = importConvolution<tosa::Conv3DOp>;
  table["tosa.depthwise_conv2d"] = importDepthwise;
  table["tosa.max_pool2d"] = importMaxPool;
  table["tosa.resize"] = importResize;
}
