// Reductions and softmax.
//
// Sums of 16-bit floats that are not the result themselves (a mean's sum, a norm's square sum) are held in
// fp32.

#include "NodeImport.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using graph::ReduceKind;

//===-- Reduce* --===//

namespace {
/// What all Reduce operators share.
struct Reduction {
  Value x;
  NodeImport::Dims dims;
  bool keepDims;
  /// Nothing is reduced: ReduceSum and its kin return x itself, norms still map each element.
  int64_t count = 1;
};
} // namespace

/// The dimensions that a reduction from `input` to `result` reduces, when only one choice gives that shape.
static std::optional<NodeImport::Dims> reducedDims(NodeImport::Shape input, NodeImport::Shape result,
                                                   bool keepDims) {
  std::optional<NodeImport::Dims> only;
  if (input.size() > 16)
    return std::nullopt;
  for (unsigned choice = 0; choice < 1u << input.size(); ++choice) {
    NodeImport::Dims dims, shape;
    for (size_t d = 0; d < input.size(); ++d) {
      if (choice >> d & 1)
        dims.push_back(d);
      if (!(choice >> d & 1) || keepDims)
        shape.push_back(choice >> d & 1 ? 1 : input[d]);
    }
    // Reducing a dimension of size 1 and keeping it is no choice of interest.
    bool idle = keepDims && llvm::any_of(dims, [&](int64_t d) { return input[d] == 1; });
    if (NodeImport::Shape(shape) != result || idle)
      continue;
    if (only)
      return std::nullopt;
    only = dims;
  }
  return only;
}

static std::optional<Reduction> reduction(NodeImport &n, bool takesBooleans = false) {
  Reduction r;
  r.x = n.operand(0);
  r.keepDims = n.intAttribute("keepdims", 1) != 0;
  bool noop = n.intAttribute("noop_with_empty_axes", 0) != 0;
  std::optional<NodeImport::Dims> axes, declared = n.declaredInsteadOf(1, "axes");
  if (declared)
    axes = reducedDims(n.shapeOf(r.x), *declared, r.keepDims);
  if (declared && axes && axes->empty())
    noop = true;
  if (!axes)
    axes = n.intsOperandOrAttribute(1, "axes");
  if (n.failed())
    return std::nullopt;
  if (n.isBool(r.x) && !takesBooleans) {
    (void)n.fail("boolean operands are not supported");
    return std::nullopt;
  }
  if (!axes || axes->empty())
    r.dims = noop ? NodeImport::Dims() : llvm::to_vector(llvm::seq<int64_t>(0, n.rankOf(r.x)));
  else if (std::optional<NodeImport::Dims> sorted = n.axes(*axes, n.rankOf(r.x)))
    r.dims = *sorted;
  else
    return std::nullopt;
  for (int64_t dim : r.dims)
    r.count *= n.shapeOf(r.x)[dim];
  return r;
}

/// Reduces a small constant integer tensor, as shape arithmetic does (the size of a tensor from its shape).
static Value foldIntegers(NodeImport &n, ReduceKind kind, const Reduction &r) {
  DenseIntElementsAttr dense;
  if (!matchPattern(r.x, m_Constant(&dense)) || dense.getNumElements() > 4096 ||
      dense.getNumElements() == 0 || (int64_t)r.dims.size() != n.rankOf(r.x))
    return nullptr;
  std::optional<APInt> total;
  for (const APInt &value : dense.getValues<APInt>()) {
    if (!total)
      total = value;
    else if (kind == ReduceKind::Sum)
      *total += value;
    else if (kind == ReduceKind::Prod)
      *total *= value;
    else if (kind == ReduceKind::Max)
      total = value.sgt(*total) ? value : *total;
    else
      total = value.slt(*total) ? value : *total;
  }
  NodeImport::Dims shape(r.keepDims ? n.rankOf(r.x) : 0, 1);
  return n.intsConstant(shape, total->getSExtValue(), n.elementOf(r.x));
}

template <ReduceKind kind> static LogicalResult importReduce(NodeImport &n) {
  bool isExtreme = kind == ReduceKind::Max || kind == ReduceKind::Min;
  std::optional<Reduction> r = reduction(n, /*takesBooleans=*/isExtreme);
  if (!r)
    return failure();
  if (isExtreme && n.isBool(r->x)) {
    // Any of them is true when their count is not 0, all when none is false.
    bool any = kind == ReduceKind::Max;
    Value counted = any ? r->x : n.create<arith::XOrIOp>(r->x, n.constantLike(r->x, 1));
    Value count = n.reduce(ReduceKind::Sum, n.castTo(counted, n.builder.getI32Type()), r->dims, r->keepDims);
    return n.yield(n.compare(any ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq, count,
                             n.constantLike(count, 0)));
  }
  if (isExtreme && n.isUnsigned(0)) {
    // With the top bit turned, unsigned integers are ordered as signed ones are.
    auto turned = [&](Value x) {
      unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
      return n.create<arith::XOrIOp>(x, n.constantLike(x, -std::ldexp(1.0, bits - 1)));
    };
    return n.yield(turned(n.reduce(kind, turned(r->x), r->dims, r->keepDims)));
  }
  if (Value folded = foldIntegers(n, kind, *r))
    return n.yield(folded);
  return n.yield(n.reduce(kind, r->x, r->dims, r->keepDims));
}

/// The reductions below start from fp32 (or wider) values of `x`, and their result goes back to x's type.
static std::optional<Reduction> wideReduction(NodeImport &n) {
  std::optional<Reduction> r = reduction(n);
  if (!r || failed(n.expectFloat(r->x, "operand #0")))
    return std::nullopt;
  r->x = n.widen(r->x);
  return r;
}

static LogicalResult yieldAsOperand(NodeImport &n, Value result) {
  return n.yield(n.castTo(result, n.elementOf(n.operand(0))));
}

static LogicalResult importReduceMean(NodeImport &n) {
  if (!n.isFloat(n.operand(0))) { // rounded towards zero, as integers divide
    std::optional<Reduction> r = reduction(n);
    if (!r)
      return failure();
    Value sum = n.reduce(ReduceKind::Sum, r->x, r->dims, r->keepDims);
    return n.yield(n.div(sum, n.count(r->x, r->dims, sum), n.isUnsigned(0)));
  }
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  Value sum = n.reduce(ReduceKind::Sum, r->x, r->dims, r->keepDims);
  return yieldAsOperand(n, n.div(sum, n.count(r->x, r->dims, sum)));
}

static LogicalResult importReduceL1(NodeImport &n) {
  if (!n.isFloat(n.operand(0))) {
    std::optional<Reduction> r = reduction(n);
    if (!r)
      return failure();
    Value sizes = n.isUnsigned(0) ? r->x : n.unary<math::AbsIOp>(r->x);
    return n.yield(n.reduce(ReduceKind::Sum, sizes, r->dims, r->keepDims));
  }
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  return yieldAsOperand(n, n.reduce(ReduceKind::Sum, n.unary<math::AbsFOp>(r->x), r->dims, r->keepDims));
}

static LogicalResult importReduceL2(NodeImport &n) {
  if (!n.isFloat(n.operand(0))) {
    std::optional<Reduction> r = reduction(n);
    if (!r)
      return failure();
    Value squares = n.reduce(ReduceKind::Sum, n.mul(r->x, r->x), r->dims, r->keepDims);
    Value root = n.unary<math::SqrtOp>(n.castTo(squares, n.builder.getF64Type(), n.isUnsigned(0)));
    return n.yield(n.castTo(root, n.elementOf(r->x), false, n.isUnsigned(0)));
  }
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  Value squares = n.reduce(ReduceKind::Sum, n.mul(r->x, r->x), r->dims, r->keepDims);
  return yieldAsOperand(n, n.unary<math::SqrtOp>(squares));
}

static LogicalResult importReduceSumSquare(NodeImport &n) {
  if (!n.isFloat(n.operand(0))) {
    std::optional<Reduction> r = reduction(n);
    if (!r)
      return failure();
    return n.yield(n.reduce(ReduceKind::Sum, n.mul(r->x, r->x), r->dims, r->keepDims));
  }
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  return yieldAsOperand(n, n.reduce(ReduceKind::Sum, n.mul(r->x, r->x), r->dims, r->keepDims));
}

static LogicalResult importReduceLogSum(NodeImport &n) {
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  return yieldAsOperand(n, n.unary<math::LogOp>(n.reduce(ReduceKind::Sum, r->x, r->dims, r->keepDims)));
}

static LogicalResult importReduceLogSumExp(NodeImport &n) {
  std::optional<Reduction> r = wideReduction(n);
  if (!r)
    return failure();
  Value result = n.logSumExp(r->x, r->dims);
  NodeImport::Dims shape;
  for (int64_t d = 0; d < n.rankOf(r->x); ++d)
    if (r->keepDims || !llvm::is_contained(r->dims, d))
      shape.push_back(n.shapeOf(result)[d]);
  return yieldAsOperand(n, n.reshape(result, shape));
}

//===-- Softmax --===//

/// Applies `along(x, dim)`. Before opset 13, softmax and its kin flattened all dimensions from `axis` on.
static LogicalResult importAlongAxis(NodeImport &n, llvm::function_ref<Value(Value, int64_t)> along) {
  Value x = n.operand(0);
  bool flattens = n.opset < 13;
  std::optional<int64_t> axis = n.axis(n.intAttribute("axis", flattens ? 1 : -1), n.rankOf(x));
  if (!axis || failed(n.expectFloat(x, "operand #0")))
    return failure();
  if (!flattens || *axis == n.rankOf(x) - 1)
    return n.yield(along(x, *axis));
  int64_t rows = 1, columns = 1;
  for (int64_t d = 0; d < n.rankOf(x); ++d)
    (d < *axis ? rows : columns) *= n.shapeOf(x)[d];
  return n.yield(n.reshape(along(n.reshape(x, {rows, columns}), 1), n.shapeOf(x)));
}

static LogicalResult importSoftmax(NodeImport &n) {
  return importAlongAxis(n, [&](Value x, int64_t dim) {
    return n.create<graph::SoftmaxOp>(x.getType(), x, n.builder.getI64IntegerAttr(dim));
  });
}

/// 1 at the first of the largest elements, 0 elsewhere.
static LogicalResult importHardmax(NodeImport &n) {
  return importAlongAxis(n, [&](Value x, int64_t dim) {
    NodeImport::Dims kept(n.shapeOf(x)), column(n.shapeOf(x));
    kept.erase(kept.begin() + dim);
    column[dim] = 1;
    Type i64 = n.builder.getI64Type();
    Value first = n.create<graph::ArgReduceOp>(RankedTensorType::get(kept, i64), x, ReduceKind::Max, dim,
                                               /*last=*/false);
    Value isFirst = n.compare(arith::CmpIPredicate::eq, n.iota(n.shapeOf(x), dim, i64),
                              n.broadcast(n.reshape(first, column), n.shapeOf(x)));
    return n.castTo(isFirst, n.elementOf(x));
  });
}

static LogicalResult importLogSoftmax(NodeImport &n) {
  return importAlongAxis(n, [&](Value x, int64_t dim) {
    Value wide = n.widen(x);
    Value result = n.sub(wide, n.broadcast(n.logSumExp(wide, {dim}), n.shapeOf(x)));
    return n.castTo(result, n.elementOf(x));
  });
}

void tilewright::onnx::addReduction(OperatorTable &table) {
  table["ReduceSum"] = {importReduce<ReduceKind::Sum>, 1, 2, Signedness::SameBits};
  table["ReduceProd"] = {importReduce<ReduceKind::Prod>, 1, 2, Signedness::SameBits};
  table["ReduceMax"] = {importReduce<ReduceKind::Max>, 1, 2, Signedness::Aware};
  table["ReduceMin"] = {importReduce<ReduceKind::Min>, 1, 2, Signedness::Aware};
  table["ReduceMean"] = {importReduceMean, 1, 2, Signedness::Aware};
  table["ReduceL1"] = {importReduceL1, 1, 2, Signedness::Aware};
  table["ReduceL2"] = {importReduceL2, 1, 2, Signedness::Aware};
  table["ReduceSumSquare"] = {importReduceSumSquare, 1, 2, Signedness::SameBits};
  table["ReduceLogSum"] = {importReduceLogSum, 1, 2};
  table["ReduceLogSumExp"] = {importReduceLogSumExp, 1, 2};
  table["Softmax"] = {importSoftmax, 1, 1};
  table["Hardmax"] = {importHardmax, 1, 1};
  table["LogSoftmax"] = {importLogSoftmax, 1, 1};
}
