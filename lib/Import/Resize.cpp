// Resize and Upsample. Shapes and scales are known here, and an interpolation is separable: along each
// dimension every element of the result is a sum of a few elements of the operand (its taps), at places and
// with weights that are constants. So each dimension costs one pick for each tap, and their weighted sum.

#include "NodeImport.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

namespace {
/// How one dimension is resized.
struct Axis {
  int64_t dim, in, out;
  double scale;
  /// The region of interest, in parts of the dimension.
  double from = 0, to = 1;
};

/// Which form of interpolation.
struct Form {
  std::string mode, coordinates, nearest;
  double cubic = -0.75;
  bool excludesOutside = false, antialias = false;
};

/// One tap of every element of the result along a dimension.
struct Tap {
  SmallVector<int64_t> places;
  SmallVector<double> weights;
};
} // namespace

/// No operand has as many elements along a dimension.
static constexpr int64_t kFarthestPlace = int64_t(1) << 50;
/// Places and weights are constants of the program: at most this many along a dimension.
static constexpr int64_t kMostTaps = int64_t(1) << 18;

//===-- Places and weights ------------------------------------------------------------------------------===//

/// Where element `i` of the result lies among the elements of the operand.
static double sourcePlace(const Form &form, const Axis &axis, int64_t i) {
  double x = (double)i, length = axis.scale * (double)axis.in, last = (double)axis.in - 1;
  StringRef mode = form.coordinates;
  if (mode == "align_corners")
    return length == 1 ? 0 : x * last / (length - 1);
  if (mode == "asymmetric")
    return x / axis.scale;
  if (mode == "tf_half_pixel_for_nn")
    return (x + 0.5) / axis.scale;
  if (mode == "tf_crop_and_resize") {
    double width = (axis.to - axis.from) * last;
    return axis.from * last + (length == 1 ? width / 2 : x * width / (length - 1));
  }
  if (mode == "pytorch_half_pixel" && axis.out == 1)
    return -0.5;
  double offset = 0;
  if (mode == "half_pixel_symmetric")
    offset = (double)axis.in / 2 * (1 - (double)axis.out / length);
  return offset + (x + 0.5) / axis.scale - 0.5;
}

static double cubicWeight(double distance, double a) {
  double d = std::abs(distance);
  if (d <= 1)
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((d - 5) * d + 8) * d * a - 4 * a : 0;
}

/// The weight of an element at `distance` from the place, in elements of the operand.
static double weightOf(const Form &form, double distance, double shrink) {
  if (form.mode == "cubic")
    return cubicWeight(distance * shrink, form.cubic);
  return std::max(0.0, 1 - std::abs(distance * shrink));
}

static int64_t nearestPlace(const Form &form, double x) {
  if (form.nearest == "floor")
    return (int64_t)std::floor(x);
  if (form.nearest == "ceil")
    return (int64_t)std::ceil(x);
  return (int64_t)(form.nearest == "round_prefer_ceil" ? std::floor(x + 0.5) : std::ceil(x - 0.5));
}

/// How many elements of the operand an element of the result may take from on either side. Antialiasing
/// widens the filter as far as the result is coarser.
static int64_t reachOf(const Form &form, double shrink) {
  return form.mode == "nearest" ? 0 : (int64_t)std::ceil((form.mode == "cubic" ? 2 : 1) / shrink);
}

static double shrinkOf(const Form &form, const Axis &axis) {
  return form.antialias ? std::min(axis.scale, 1.0) : 1.0;
}

static SmallVector<Tap> tapsOf(const Form &form, const Axis &axis) {
  bool nearest = form.mode == "nearest";
  double shrink = shrinkOf(form, axis);
  int64_t reach = reachOf(form, shrink);
  SmallVector<Tap> taps(nearest ? 1 : 2 * reach);
  for (int64_t i = 0; i < axis.out; ++i) {
    double x = sourcePlace(form, axis, i), total = 0;
    // Beyond the operand, as a region of interest may reach, every place is its edge's.
    x = std::isnan(x) ? 0 : std::clamp(x, -(double)kFarthestPlace, (double)kFarthestPlace);
    int64_t first = nearest ? nearestPlace(form, x) : (int64_t)std::floor(x) - reach + 1;
    for (auto [t, tap] : llvm::enumerate(taps)) {
      int64_t place = first + (int64_t)t;
      bool isOutside = place < 0 || place >= axis.in;
      double weight = nearest ? 1 : weightOf(form, (double)place - x, shrink);
      if (form.excludesOutside && isOutside)
        weight = 0;
      total += weight;
      tap.places.push_back(std::clamp<int64_t>(place, 0, axis.in - 1));
      tap.weights.push_back(weight);
    }
    if (form.excludesOutside || form.antialias)
      for (Tap &tap : taps)
        tap.weights.back() /= total;
  }
  return taps;
}

static Value resizeDim(NodeImport &n, Value x, const Form &form, const Axis &axis) {
  Value sum;
  for (const Tap &tap : tapsOf(form, axis)) {
    if (llvm::all_of(tap.weights, [](double weight) { return weight == 0; }))
      continue;
    Value picked = n.pick(x, axis.dim, tap.places);
    if (llvm::any_of(tap.weights, [](double weight) { return weight != 1; })) {
      Value weights = n.floatsConstant({axis.out}, tap.weights, n.elementOf(x));
      picked = n.mul(picked, n.broadcastDims(weights, {axis.dim}, n.shapeOf(picked)));
    }
    sum = sum ? n.add(sum, picked) : picked;
  }
  if (sum)
    return sum;
  // No tap counts: the axis has no elements, since a scale made them fewer than one.
  SmallVector<int64_t> shape(n.shapeOf(x));
  shape[axis.dim] = axis.out;
  return n.constant(shape, n.elementOf(x), 0);
}

//===-- Operands ----------------------------------------------------------------------------------------===//

/// The constant floats of operand `i`, empty when it is absent or empty.
static std::optional<SmallVector<double>> floatsOf(NodeImport &n, unsigned i, StringRef what) {
  if (!n.has(i) || n.typeOf(n.operand(i)).getNumElements() == 0)
    return SmallVector<double>();
  return n.constantFloats(i, what);
}

/// The axes with their scales or sizes; nothing after a failure.
static std::optional<SmallVector<Axis>> axesOf(NodeImport &n, ArrayRef<double> scales, ArrayRef<double> roi,
                                               const std::optional<Dims> &sizes) {
  NodeImport::Shape shape = n.shapeOf(n.operand(0));
  Dims dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  if (std::optional<Dims> axes = n.intsAttribute("axes"); axes && !axes->empty()) {
    dims.clear();
    for (int64_t each : *axes) {
      std::optional<int64_t> dim = n.axis(each, shape.size());
      if (!dim)
        return std::nullopt;
      dims.push_back(*dim);
    }
    if (!n.axes(dims, shape.size()))
      return std::nullopt;
  }
  std::string policy = n.stringAttribute("keep_aspect_ratio_policy", "stretch");
  auto refuse = [&](const Twine &why) { return (void)n.fail(why), std::nullopt; };
  size_t given = sizes ? sizes->size() : scales.size();
  if (n.failed() || given != dims.size() || (!roi.empty() && roi.size() != 2 * dims.size()))
    return refuse("it has " + Twine(given) + " scales or sizes and " + Twine(roi.size()) + " bounds for " +
                  Twine(dims.size()) + " axes");
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    return refuse("keep_aspect_ratio_policy is '" + policy + "'");
  SmallVector<Axis> result;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (shape[dim] == 0)
      return refuse("its operand has no elements");
    double scale = sizes ? (double)(*sizes)[i] / (double)shape[dim] : scales[i];
    if (!(scale > 0) || scale > 1 << 20)
      return refuse("a scale of " + n.text(scale) + " is not supported");
    int64_t out = sizes ? (*sizes)[i] : (int64_t)std::floor((double)shape[dim] * scale);
    result.push_back({dim, shape[dim], out, scale});
    if (!roi.empty()) {
      result.back().from = roi[i];
      result.back().to = roi[i + dims.size()];
    }
  }
  if (sizes && policy != "stretch" && !result.empty()) {
    double common = result.front().scale;
    for (const Axis &axis : result)
      common = policy == "not_larger" ? std::min(common, axis.scale) : std::max(common, axis.scale);
    for (Axis &axis : result) {
      axis.scale = common;
      axis.out = (int64_t)std::floor(common * (double)axis.in + 0.5);
    }
  }
  return result;
}

//===-- The operators -----------------------------------------------------------------------------------===//

static LogicalResult resize(NodeImport &n, ArrayRef<Axis> axes, const Form &form, double outside) {
  Value x = n.operand(0);
  bool nearest = form.mode == "nearest";
  if (!nearest && failed(n.expectFloat(x, "operand #0")))
    return failure();
  Dims shape(n.shapeOf(x));
  for (const Axis &axis : axes)
    shape[axis.dim] = axis.out;
  if (failed(n.expectSize(shape, n.elementOf(x))))
    return failure();
  for (const Axis &axis : axes)
    if (axis.out > 1 << 16 || (form.antialias && axis.scale < 1.0 / 256) ||
        axis.out * 2 * reachOf(form, shrinkOf(form, axis)) > kMostTaps)
      return n.fail("resizing " + Twine(axis.in) + " elements to " + Twine(axis.out) + " is not supported");
  Value result = nearest ? x : n.widen(x);
  for (const Axis &axis : axes)
    if (axis.in != axis.out || axis.scale != 1 || form.coordinates == "tf_crop_and_resize")
      result = resizeDim(n, result, form, axis);
  result = n.castTo(result, n.elementOf(x));
  if (form.coordinates != "tf_crop_and_resize")
    return n.yield(result);
  for (const Axis &axis : axes) {
    SmallVector<int64_t> within;
    for (int64_t i = 0; i < axis.out; ++i) {
      double place = sourcePlace(form, axis, i);
      within.push_back(place >= 0 && place <= (double)axis.in - 1);
    }
    if (!llvm::is_contained(within, 0))
      continue;
    Value isWithin = n.intsConstant({axis.out}, within, n.builder.getI1Type());
    result = n.select(n.broadcastDims(isWithin, {axis.dim}, shape), result, n.constantLike(result, outside));
  }
  return n.yield(result);
}

static LogicalResult importResize(NodeImport &n) {
  bool old = n.opset < 11; // operands are the tensor and its scales
  Form form;
  form.mode = n.stringAttribute("mode", "nearest");
  form.coordinates = n.stringAttribute("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  form.nearest = n.stringAttribute("nearest_mode", old ? "floor" : "round_prefer_floor");
  form.cubic = n.floatAttribute("cubic_coeff_a", -0.75);
  form.excludesOutside = n.intAttribute("exclude_outside", 0) != 0;
  form.antialias = n.intAttribute("antialias", 0) != 0 && form.mode != "nearest";
  double outside = n.floatAttribute("extrapolation_value", 0);
  if (form.mode == "bilinear" || form.mode == "trilinear")
    form.mode = "linear";
  if (form.mode != "nearest" && form.mode != "linear" && form.mode != "cubic")
    return n.fail("mode is '" + form.mode + "'");
  static constexpr StringRef kCoordinates[] = {
      "align_corners",      "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize",
      "pytorch_half_pixel", "half_pixel", "half_pixel_symmetric"};
  if (!llvm::is_contained(kCoordinates, form.coordinates))
    return n.fail("coordinate_transformation_mode is '" + form.coordinates + "'");
  std::optional<SmallVector<double>> scales = floatsOf(n, old ? 1 : 2, "scales"), roi{std::in_place};
  if (form.coordinates == "tf_crop_and_resize")
    roi = floatsOf(n, 1, "region of interest");
  if (!scales || !roi)
    return failure();
  std::optional<Dims> sizes;
  if (!old && n.has(3) && n.typeOf(n.operand(3)).getNumElements() > 0 &&
      !(sizes = n.constantInts(3, "sizes")))
    return failure();
  std::optional<SmallVector<Axis>> axes = axesOf(n, *scales, *roi, sizes);
  if (!axes)
    return failure();
  return resize(n, *axes, form, outside);
}

/// Before Resize: scales are an operand, or in older opsets an attribute; nearest is the next lower element.
static LogicalResult importUpsample(NodeImport &n) {
  Form form{n.stringAttribute("mode", "nearest"), "asymmetric", "floor"};
  if (form.mode == "bilinear")
    form.mode = "linear";
  if (form.mode != "nearest" && form.mode != "linear")
    return n.fail("mode is '" + form.mode + "'");
  std::optional<SmallVector<double>> scales = floatsOf(n, 1, "scales");
  if (!scales)
    return failure();
  if (const NodeAttribute *given = n.attribute("scales", NodeAttribute::Floats); given && !n.has(1))
    scales->assign(given->floats.begin(), given->floats.end());
  std::optional<SmallVector<Axis>> axes = axesOf(n, *scales, {}, std::nullopt);
  if (!axes)
    return failure();
  return resize(n, *axes, form, 0);
}

void tilewright::onnx::addResize(OperatorTable &table) {
  table["Resize"] = {importResize, 1, 4, Signedness::SameBits};
  table["Upsample"] = {importUpsample, 1, 2, Signedness::SameBits};
}
