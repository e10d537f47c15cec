// Matrix products: MatMul, Gemm, and convolutions whose windows tile their input (patch embedding, 1x1).

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

static int64_t product(NodeImport::Shape shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

static LogicalResult importMatMul(NodeImport &n) {
  Value a = n.operand(0), b = n.operand(1);
  if (failed(n.expectSameElements(a, b)))
    return failure();
  if (n.isBool(a))
    return n.fail("boolean operands are not supported");
  if (n.rankOf(a) == 0 || n.rankOf(b) == 0)
    return n.fail("an operand is a scalar");
  bool isVectorA = n.rankOf(a) == 1, isVectorB = n.rankOf(b) == 1;
  if (isVectorA)
    a = n.reshape(a, {1, n.shapeOf(a)[0]});
  if (isVectorB)
    b = n.reshape(b, {n.shapeOf(b)[0], 1});
  NodeImport::Shape shapeA = n.shapeOf(a), shapeB = n.shapeOf(b);
  int64_t rows = shapeA[shapeA.size() - 2], depth = shapeA.back(), columns = shapeB.back();
  if (depth != shapeB[shapeB.size() - 2])
    return n.fail("shapes " + n.text(n.shapeOf(n.operand(0))) + " and " + n.text(n.shapeOf(n.operand(1))) +
                  " do not multiply: " + Twine(depth) + " columns meet " + Twine(shapeB[shapeB.size() - 2]) +
                  " rows");
  std::optional<Dims> batch = n.broadcastShape(shapeA.drop_back(2), shapeB.drop_back(2));
  if (!batch)
    return failure();
  Dims shape = *batch;
  llvm::append_values(shape, rows, columns);
  if (failed(n.expectSize(shape, n.elementOf(a))))
    return failure();
  Value result;
  if (product(shapeB.drop_back(2)) == 1 && batch->size() == shapeA.size() - 2) {
    // One right matrix for all: the left ones are the rows of a single matrix.
    int64_t allRows = product(shapeA.drop_back(1));
    result = n.matmul(n.reshape(a, {allRows, depth}), n.reshape(b, {depth, columns}));
  } else {
    Dims batchA = *batch, batchB = *batch;
    llvm::append_values(batchA, rows, depth);
    llvm::append_values(batchB, depth, columns);
    if (failed(n.expectSize(batchA, n.elementOf(a))) || failed(n.expectSize(batchB, n.elementOf(b))))
      return failure();
    result = n.matmul(n.broadcast(a, batchA), n.broadcast(b, batchB));
  }
  shape = *batch;
  if (!isVectorA)
    shape.push_back(rows);
  if (!isVectorB)
    shape.push_back(columns);
  return n.yield(n.reshape(result, shape));
}

static LogicalResult importGemm(NodeImport &n) {
  double alpha = n.floatAttribute("alpha", 1), beta = n.floatAttribute("beta", 1);
  bool transA = n.intAttribute("transA", 0) != 0, transB = n.intAttribute("transB", 0) != 0;
  n.ignoreAttributes({"broadcast"});
  Value a = n.operand(0), b = n.operand(1);
  if (failed(n.expectSameElements(a, b)))
    return failure();
  if (n.rankOf(a) != 2 || n.rankOf(b) != 2)
    return n.fail("operands have ranks " + Twine(n.rankOf(a)) + " and " + Twine(n.rankOf(b)) +
                  ", expected 2");
  if (!n.isFloat(a) && (n.isBool(a) || alpha != 1 || beta != 1))
    return n.fail("integer operands with alpha = " + n.text(alpha) + " and beta = " + n.text(beta) +
                  " are not supported");
  if (transA)
    a = n.transpose(a, {1, 0});
  if (transB)
    b = n.transpose(b, {1, 0});
  if (n.shapeOf(a)[1] != n.shapeOf(b)[0])
    return n.fail(Twine(n.shapeOf(a)[1]) + " columns meet " + Twine(n.shapeOf(b)[0]) + " rows");
  if (failed(n.expectSize({n.shapeOf(a)[0], n.shapeOf(b)[1]}, n.elementOf(a))))
    return failure();
  Value result = n.matmul(a, b);
  if (alpha != 1)
    result = n.mul(result, n.constantLike(result, alpha));
  Value c = n.operand(2);
  if (!c || beta == 0)
    return n.yield(result);
  std::optional<Dims> shape = n.broadcastShape(n.shapeOf(c), n.shapeOf(result));
  if (!shape || failed(n.expectSameElements(result, c)))
    return failure();
  if (NodeImport::Shape(*shape) != n.shapeOf(result))
    return n.fail("C of shape " + n.text(n.shapeOf(c)) + " does not broadcast to " +
                  n.text(n.shapeOf(result)));
  if (beta != 1)
    c = n.mul(c, n.constantLike(c, beta));
  return n.yield(n.add(result, n.broadcast(c, *shape)));
}

/// A convolution whose windows neither overlap nor leave gaps is a matrix product over patches:
/// [N, C, H, W] is read as [N, H/p * W/q, C * p * q] and multiplied by the filters.
static LogicalResult importConv(NodeImport &n) {
  Value x = n.operand(0), filters = n.operand(1), bias = n.operand(2);
  int64_t group = n.intAttribute("group", 1);
  std::optional<Dims> kernel = n.intsAttribute("kernel_shape"), strides = n.intsAttribute("strides"),
                      pads = n.intsAttribute("pads"), dilations = n.intsAttribute("dilations");
  std::string autoPad = n.stringAttribute("auto_pad", "NOTSET");
  int64_t rank = n.rankOf(x), spatial = rank - 2;
  if (failed(n.expectFloat(x, "operand #0")) || failed(n.expectSameElements(x, filters)))
    return failure();
  if (spatial < 1 || n.rankOf(filters) != rank)
    return n.fail("operands have ranks " + Twine(rank) + " and " + Twine(n.rankOf(filters)));
  Dims windows(n.shapeOf(filters).drop_front(2)), steps = strides.value_or(Dims(spatial, 1));
  auto any = [](const std::optional<Dims> &values, int64_t usual) {
    return values && llvm::any_of(*values, [&](int64_t v) { return v != usual; });
  };
  if (group != 1 || windows != steps || any(pads, 0) || any(dilations, 1) ||
      (autoPad != "NOTSET" && autoPad != "VALID"))
    return n.fail("only convolutions of stride equal to their window, without padding, dilation and groups, "
                  "are supported; this one has window " +
                  n.text(windows) + ", stride " + n.text(steps) + ", group " + Twine(group) +
                  (any(pads, 0) ? ", padding" : "") + (any(dilations, 1) ? ", dilation" : ""));
  if (kernel && *kernel != windows)
    return n.fail("kernel_shape is " + n.text(*kernel) + ", the filters are " + n.text(windows));
  int64_t samples = n.shapeOf(x)[0], channels = n.shapeOf(x)[1], outputs = n.shapeOf(filters)[0];
  if (n.shapeOf(filters)[1] != channels)
    return n.fail("filters of " + Twine(n.shapeOf(filters)[1]) + " channels meet " + Twine(channels));
  if (bias && (failed(n.expectSameElements(x, bias)) || n.shapeOf(bias) != NodeImport::Shape(outputs)))
    return n.fail("its bias is " + n.text(bias.getType()) + ", expected " + Twine(outputs) + " elements");
  Dims sizes(n.shapeOf(x)), split = {samples, channels}, order = {0}, counts;
  for (int64_t d = 0; d < spatial; ++d) {
    if (windows[d] <= 0)
      return n.fail("window " + n.text(windows) + " is empty");
    counts.push_back(sizes[2 + d] / windows[d]);
    sizes[2 + d] = counts[d] * windows[d];
    llvm::append_values(split, counts[d], windows[d]);
    order.push_back(2 + 2 * d);
  }
  order.push_back(1);
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(3 + 2 * d);
  if (n.shapeOf(x) != NodeImport::Shape(sizes)) // windows that would reach beyond the end are not formed
    x = n.slice(x, Dims(rank, 0), sizes, Dims(rank, 1));
  int64_t places = product(counts), patch = channels * product(windows);
  Value patches = n.reshape(n.transpose(n.reshape(x, split), order), {samples * places, patch});
  Value product2d = n.matmul(patches, n.transpose(n.reshape(filters, {outputs, patch}), {1, 0}));
  if (bias)
    product2d = n.add(product2d, n.broadcast(bias, n.shapeOf(product2d)));
  Value result = n.transpose(n.reshape(product2d, {samples, places, outputs}), {0, 2, 1});
  Dims shape = {samples, outputs};
  shape.append(counts);
  return n.yield(n.reshape(result, shape));
}

void tilewright::onnx::addMatmul(OperatorTable &table) {
  table["MatMul"] = {importMatMul, 2, 2, Signedness::SameBits};
  table["Gemm"] = {importGemm, 2, 3, Signedness::SameBits};
  table["Conv"] = {importConv, 2, 3};
}
