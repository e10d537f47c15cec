// Normalizations, and Dropout as inference sees it.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using graph::ReduceKind;

/// `parameter` (scale or bias) in the shape of x's dimensions from `dim` on, or null after a failure.
static Value normParameter(NodeImport &n, unsigned i, StringRef name, Value x, int64_t dim) {
  Value parameter = n.operand(i);
  NodeImport::Shape target = n.shapeOf(x).drop_front(dim);
  std::optional<NodeImport::Dims> shape = n.broadcastShape(n.shapeOf(parameter), target);
  if (!shape || failed(n.expectFloat(parameter, name)))
    return nullptr;
  if (NodeImport::Shape(*shape) != target) {
    (void)n.fail("its " + name + " of shape " + n.text(n.shapeOf(parameter)) + " varies beyond the " +
                 n.text(target) + " normalized elements");
    return nullptr;
  }
  return n.castTo(n.broadcast(parameter, *shape), n.elementOf(x));
}

static Value layerNorm(NodeImport &n, Value x, Value scale, Value bias, int64_t dim, double epsilon) {
  return n.create<graph::LayerNormOp>(x.getType(), x, scale, bias, n.builder.getI64IntegerAttr(dim),
                                      n.builder.getF64FloatAttr(epsilon));
}

static LogicalResult importLayerNormalization(NodeImport &n) {
  Value x = n.operand(0);
  int64_t axisAttr = n.intAttribute("axis", -1);
  double epsilon = n.floatAttribute("epsilon", 1e-5f);
  bool ignored; // sums are held in fp32 at least; the type is that of the statistics
  Type stash = elementType(n.builder.getContext(), (int32_t)n.intAttribute("stash_type", Float), ignored);
  std::optional<int64_t> dim = n.axis(axisAttr, n.rankOf(x));
  if (!dim || failed(n.expectFloat(x, "operand #0")))
    return failure();
  if (!stash || !isa<FloatType>(stash))
    return n.fail("its stash_type is no floating-point type");
  Value scale = normParameter(n, 1, "scale", x, *dim);
  Value bias = n.has(2) ? normParameter(n, 2, "bias", x, *dim) : Value();
  if (n.failed())
    return failure();
  (void)n.yield(layerNorm(n, x, scale, bias, *dim, epsilon));
  if (!n.wantsOutput(1) && !n.wantsOutput(2))
    return success();
  // Mean and 1 / standard deviation, with the normalized dimensions kept as 1.
  Value wide = n.widen(x);
  NodeImport::Dims dims = llvm::to_vector(llvm::seq<int64_t>(*dim, n.rankOf(x)));
  auto mean = [&](Value v) {
    Value sum = n.reduce(ReduceKind::Sum, v, dims, /*keepDims=*/true);
    return n.div(sum, n.count(v, dims, sum));
  };
  Value average = mean(wide), centred = n.sub(wide, n.broadcast(average, n.shapeOf(x)));
  Value variance = mean(n.mul(centred, centred));
  Value deviation = n.unary<math::SqrtOp>(n.add(variance, n.constantLike(variance, epsilon)));
  (void)n.yield(n.castTo(average, stash));
  return n.yield(n.castTo(n.div(n.constantLike(deviation, 1), deviation), stash));
}

static LogicalResult importRmsNormalization(NodeImport &n) {
  Value x = n.operand(0);
  int64_t axisAttr = n.intAttribute("axis", -1);
  double epsilon = n.floatAttribute("epsilon", 1e-5f);
  n.ignoreAttributes({"stash_type"});
  std::optional<int64_t> dim = n.axis(axisAttr, n.rankOf(x));
  if (!dim || failed(n.expectFloat(x, "operand #0")))
    return failure();
  Value scale = normParameter(n, 1, "scale", x, *dim);
  if (!scale)
    return failure();
  return n.yield(n.create<graph::RmsNormOp>(x.getType(), x, scale, n.builder.getI64IntegerAttr(*dim),
                                            n.builder.getF64FloatAttr(epsilon)));
}

/// Operands `first` to `last` as one number per channel; fails otherwise.
static LogicalResult expectPerChannel(NodeImport &n, unsigned first, unsigned last, int64_t channels) {
  for (unsigned i = first; i <= last; ++i) {
    Value parameter = n.operand(i);
    if (n.shapeOf(parameter) != NodeImport::Shape(channels))
      return n.fail("operand #" + Twine(i) + " has shape " + n.text(n.shapeOf(parameter)) + ", expected " +
                    Twine(channels) + " as there are channels");
    if (failed(n.expectFloat(parameter, "operand #" + std::to_string(i))))
      return failure();
  }
  return success();
}

/// `parameter`, one number per channel, in the shape of `x`, whose dimension 1 counts channels.
static Value perChannel(NodeImport &n, Value parameter, Value x) {
  return n.broadcastDims(n.castTo(parameter, n.elementOf(x)), {1}, n.shapeOf(x));
}

static LogicalResult expectChannels(NodeImport &n, Value x) {
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  if (n.rankOf(x) < 2)
    return n.fail("operand #0 of rank " + Twine(n.rankOf(x)) + " has no channel dimension");
  return success();
}

static LogicalResult importBatchNormalization(NodeImport &n) {
  double epsilon = n.floatAttribute("epsilon", 1e-5f), momentum = n.floatAttribute("momentum", 0.9f);
  Value x = n.operand(0);
  bool isTraining = n.intAttribute("training_mode", 0) != 0;
  if (n.intAttribute("spatial", 1) == 0)
    return n.fail("spatial = 0 (statistics per element) is not supported");
  if (failed(expectChannels(n, x)) || failed(expectPerChannel(n, 1, 4, n.shapeOf(x)[1])))
    return failure();
  // x * a + b with a = scale / sqrt(variance + epsilon), b = bias - mean * a; a and b are formed per channel.
  Value scale = n.widen(n.operand(1)), bias = n.widen(n.operand(2));
  Value mean = n.widen(n.operand(3)), variance = n.widen(n.operand(4));
  if (failed(n.expectSameElements(scale, bias)) || failed(n.expectSameElements(mean, variance)) ||
      failed(n.expectSameElements(scale, mean)))
    return failure();
  Value wide = n.castTo(x, n.elementOf(scale)), runningMean = mean, runningVariance = variance;
  if (isTraining) {
    // The statistics are the batch's own; the running ones move towards them.
    NodeImport::Dims dims = {0};
    for (int64_t d = 2; d < n.rankOf(x); ++d)
      dims.push_back(d);
    auto average = [&](Value v) {
      Value sum = n.reduce(ReduceKind::Sum, v, dims, /*keepDims=*/false);
      return n.div(sum, n.count(v, dims, sum));
    };
    auto moved = [&](Value running, Value current) {
      return n.add(n.mul(running, n.constantLike(running, momentum)),
                   n.mul(current, n.constantLike(current, 1 - momentum)));
    };
    mean = average(wide);
    Value centred = n.sub(wide, perChannel(n, mean, wide));
    variance = average(n.mul(centred, centred));
    runningMean = moved(runningMean, mean);
    runningVariance = moved(runningVariance, variance);
  }
  Value deviation = n.unary<math::SqrtOp>(n.add(variance, n.constantLike(variance, epsilon)));
  Value a = n.div(scale, deviation), b = n.sub(bias, n.mul(mean, a));
  Value y = n.add(n.mul(wide, perChannel(n, a, wide)), perChannel(n, b, wide));
  (void)n.yield(n.castTo(y, n.elementOf(x)));
  if (!isTraining)
    return success();
  (void)n.yield(n.castTo(runningMean, n.elementOf(n.operand(3))));
  return n.yield(n.castTo(runningVariance, n.elementOf(n.operand(4))));
}

/// x normalized within each of `groups` groups of channels of each sample, without scale and bias.
static Value normalizeGroups(NodeImport &n, Value x, int64_t groups, double epsilon) {
  int64_t samples = n.shapeOf(x)[0], rest = 1;
  for (int64_t size : n.shapeOf(x).drop_front(1))
    rest *= size;
  Value grouped = n.reshape(x, {samples, groups, rest / groups});
  return n.reshape(layerNorm(n, grouped, nullptr, nullptr, 2, epsilon), n.shapeOf(x));
}

static LogicalResult importInstanceNormalization(NodeImport &n) {
  double epsilon = n.floatAttribute("epsilon", 1e-5f);
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)) || failed(expectPerChannel(n, 1, 2, n.shapeOf(x)[1])))
    return failure();
  if (n.shapeOf(x)[1] == 0)
    return n.yield(x);
  Value y = normalizeGroups(n, x, n.shapeOf(x)[1], epsilon);
  return n.yield(n.add(n.mul(y, perChannel(n, n.operand(1), y)), perChannel(n, n.operand(2), y)));
}

static LogicalResult importGroupNormalization(NodeImport &n) {
  double epsilon = n.floatAttribute("epsilon", 1e-5f);
  int64_t groups = n.intAttribute("num_groups", 0);
  n.ignoreAttributes({"stash_type"});
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)))
    return failure();
  int64_t channels = n.shapeOf(x)[1];
  if (groups <= 0 || channels % groups != 0)
    return n.fail(Twine(channels) + " channels do not divide into " + Twine(groups) + " groups");
  // Opset 18 has scale and bias per group, later ones per channel.
  bool perGroup = n.opset < 21;
  if (failed(expectPerChannel(n, 1, 2, perGroup ? groups : channels)))
    return failure();
  auto parameter = [&](unsigned i) {
    Value value = n.operand(i);
    if (perGroup)
      value = n.reshape(n.broadcastDims(value, {0}, {groups, channels / groups}), {channels});
    return perChannel(n, value, x);
  };
  return n.yield(n.add(n.mul(normalizeGroups(n, x, groups, epsilon), parameter(1)), parameter(2)));
}

static LogicalResult importLpNormalization(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", -1), p = n.intAttribute("p", 2);
  Value x = n.operand(0);
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(x));
  if (!axis || failed(n.expectFloat(x, "operand #0")))
    return failure();
  if (p != 1 && p != 2)
    return n.fail("p is " + Twine(p) + ", expected 1 or 2");
  Value wide = n.widen(x);
  Value norm =
      n.reduce(ReduceKind::Sum, p == 1 ? n.unary<math::AbsFOp>(wide) : n.mul(wide, wide), {*axis}, true);
  if (p == 2)
    norm = n.unary<math::SqrtOp>(norm);
  // Zeros stay zeros: where the norm is 0, so is the result.
  Value all = n.broadcast(norm, n.shapeOf(x)), zero = n.constantLike(all, 0);
  Value isZero = n.compare(arith::CmpFPredicate::OEQ, all, zero);
  return n.yield(n.castTo(n.select(isZero, zero, n.div(wide, all)), n.elementOf(x)));
}

static LogicalResult importMeanVarianceNormalization(NodeImport &n) {
  std::optional<NodeImport::Dims> given = n.intsAttribute("axes");
  Value x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")))
    return failure();
  std::optional<NodeImport::Dims> dims = n.axes(given.value_or(NodeImport::Dims{0, 2, 3}), n.rankOf(x));
  if (!dims)
    return failure();
  auto mean = [&](Value v) {
    Value sum = n.reduce(ReduceKind::Sum, v, *dims, /*keepDims=*/true);
    return n.div(sum, n.count(v, *dims, sum));
  };
  Value wide = n.widen(x), centred = n.sub(wide, n.broadcast(mean(wide), n.shapeOf(x)));
  Value deviation = n.unary<math::SqrtOp>(mean(n.mul(centred, centred)));
  Value y = n.div(centred, n.broadcast(n.add(deviation, n.constantLike(deviation, 1e-9)), n.shapeOf(x)));
  return n.yield(n.castTo(y, n.elementOf(x)));
}

/// Local response: x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ^ beta.
static LogicalResult importLrn(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 0.0001f), beta = n.floatAttribute("beta", 0.75f),
         bias = n.floatAttribute("bias", 1);
  int64_t size = n.intAttribute("size", 0);
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)))
    return failure();
  if (size < 1 || size > 256)
    return n.fail("size is " + Twine(size) + ", expected 1 to 256 channels");
  Value wide = n.widen(x), squares = n.mul(wide, wide);
  NodeImport::Dims low(n.rankOf(x), 0), high(n.rankOf(x), 0), shape(n.shapeOf(x));
  low[1] = (size - 1) / 2;
  high[1] = size - 1 - low[1];
  shape[1] += size - 1;
  Value padded = n.create<graph::PadOp>(RankedTensorType::get(shape, n.elementOf(squares)), squares, low,
                                        high, cast<TypedAttr>(n.builder.getZeroAttr(n.elementOf(squares))));
  Value sum;
  for (int64_t i = 0; i < size; ++i) {
    Value part = n.sliceDim(padded, 1, i, n.shapeOf(x)[1]);
    sum = sum ? n.add(sum, part) : part;
  }
  Value base = n.add(n.mul(sum, n.constantLike(sum, alpha / (double)size)), n.constantLike(sum, bias));
  Value y = n.div(wide, n.create<math::PowFOp>(base, n.constantLike(base, beta)));
  return n.yield(n.castTo(y, n.elementOf(x)));
}

static LogicalResult importGlobalLpPool(NodeImport &n) {
  int64_t p = n.intAttribute("p", 2);
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)))
    return failure();
  if (p != 1 && p != 2)
    return n.fail("p is " + Twine(p) + ", expected 1 or 2");
  Value wide = n.widen(x);
  Value sum = n.reduce(ReduceKind::Sum, p == 1 ? n.unary<math::AbsFOp>(wide) : n.mul(wide, wide),
                       llvm::to_vector(llvm::seq<int64_t>(2, n.rankOf(x))), /*keepDims=*/true);
  return n.yield(n.castTo(p == 1 ? sum : n.unary<math::SqrtOp>(sum), n.elementOf(x)));
}

static LogicalResult importGlobalAveragePool(NodeImport &n) {
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)))
    return failure();
  NodeImport::Dims dims = llvm::to_vector(llvm::seq<int64_t>(2, n.rankOf(x)));
  int64_t count = 1;
  for (int64_t d : dims)
    count *= n.shapeOf(x)[d];
  Value sum = n.reduce(ReduceKind::Sum, n.widen(x), dims, /*keepDims=*/true);
  return n.yield(n.castTo(n.div(sum, n.constantLike(sum, (double)count)), n.elementOf(x)));
}

static LogicalResult importGlobalMaxPool(NodeImport &n) {
  Value x = n.operand(0);
  if (failed(expectChannels(n, x)))
    return failure();
  return n.yield(n.reduce(ReduceKind::Max, x, llvm::to_vector(llvm::seq<int64_t>(2, n.rankOf(x))), true));
}

static LogicalResult importDropout(NodeImport &n) {
  n.ignoreAttributes({"seed", "ratio", "is_test"});
  DenseElementsAttr training, ratio;
  bool dropsNothing = n.has(1) && matchPattern(n.operand(1), m_Constant(&ratio)) && ratio.isSplat() &&
                      n.isFloat(n.operand(1)) && ratio.getSplatValue<APFloat>().isZero();
  if (n.has(2) && !dropsNothing &&
      (!matchPattern(n.operand(2), m_Constant(&training)) || !n.isBool(n.operand(2)) ||
       training.getNumElements() != 1 || training.getSplatValue<bool>()))
    return n.fail("its training_mode is not the constant false: random numbers are not supported");
  (void)n.yield(n.operand(0));
  return n.yield(n.constant(n.shapeOf(n.operand(0)), n.builder.getI1Type(), 1));
}

void tilewright::onnx::addNormalization(OperatorTable &table) {
  table["LayerNormalization"] = {importLayerNormalization, 2, 3};
  table["RMSNormalization"] = {importRmsNormalization, 2, 2};
  table["BatchNormalization"] = {importBatchNormalization, 5, 5};
  table["InstanceNormalization"] = {importInstanceNormalization, 3, 3};
  table["GroupNormalization"] = {importGroupNormalization, 3, 3};
  table["LpNormalization"] = {importLpNormalization, 1, 1};
  table["MeanVarianceNormalization"] = {importMeanVarianceNormalization, 1, 1};
  table["LRN"] = {importLrn, 1, 1};
  table["GlobalLpPool"] = {importGlobalLpPool, 1, 1};
  table["GlobalAveragePool"] = {importGlobalAveragePool, 1, 1};
  table["GlobalMaxPool"] = {importGlobalMaxPool, 1, 1};
  table["Dropout"] = {importDropout, 1, 3};
}
