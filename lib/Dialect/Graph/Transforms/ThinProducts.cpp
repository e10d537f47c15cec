// Products with one row or one column are sums along K: each number of the matrix is used once, so that
// tensor cores have nothing to do and reading it is all the work. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHTHINPRODUCTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// What computes the matrix, casts aside; null: an argument.
static Operation *behindCasts(Value matrix) {
  Operation *op = matrix.getDefiningOp();
  while (isa_and_nonnull<arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

/// Whether the matrix lies, or can be laid, with its last two dimensions exchanged: a transpose, or a weight,
/// whose steps take one in.
static bool isTurned(Value matrix) {
  Operation *op = behindCasts(matrix);
  return op && (isa<TransposeOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

/// Whether the matrix is computed in an order whose last two dimensions are the other way around in memory.
static bool liesAcross(Value matrix) {
  auto transpose = dyn_cast_or_null<TransposeOp>(behindCasts(matrix));
  if (!transpose || transpose.getInput().getDefiningOp<WeightOp>())
    return false;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  auto rank = (int64_t)permutation.size();
  return permutation[rank - 1] == rank - 2 && permutation[rank - 2] == rank - 1;
}

static Value exchanged(OpBuilder &builder, Location loc, Value matrix) {
  RankedTensorType type = typeOf(matrix);
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape()), permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(shape[rank - 2], shape[rank - 1]);
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return TransposeOp::create(builder, loc, type.clone(shape), matrix, permutation);
}

/// `matrix` times `vector` ([batch…, K]), which goes along the matrix' dimension `dim`; the result lacks it.
static Value sumOfProducts(OpBuilder &builder, Location loc, Value matrix, Value vector, int64_t dim,
                           Type element) {
  RankedTensorType type = typeOf(matrix);
  int64_t rank = type.getRank();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  dims.push_back(dim);
  RankedTensorType wide = type.clone(element);
  auto widened = [&](Value value) -> Value {
    if (isa<FloatType>(element))
      return convertFloat(builder, loc, value, element);
    return arith::ExtSIOp::create(builder, loc, typeOf(value).clone(element), value);
  };
  Value repeated = BroadcastOp::create(builder, loc, wide, widened(vector), dims), other = widened(matrix);
  Value product = isa<FloatType>(element) ? arith::MulFOp::create(builder, loc, repeated, other).getResult()
                                          : arith::MulIOp::create(builder, loc, repeated, other).getResult();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  return ReduceOp::create(builder, loc, RankedTensorType::get(shape, element), product, ReduceKind::Sum,
                          ArrayRef<int64_t>{dim});
}

/// What products are summed in: products of 16-bit numbers are exact in fp32, and rounded once, as a sum.
/// Those of bytes are integers of 32 bits.
static Type sumElement(MatmulOp op) {
  Type stored = op.getType().getElementType();
  if (isa<IntegerType>(stored))
    return stored;
  return stored.getIntOrFloatBitWidth() < 32 ? Float32Type::get(op.getContext()) : stored;
}

static Value asStored(OpBuilder &builder, MatmulOp op, Value sum) {
  auto type = typeOf(sum).clone(op.getType().getElementType());
  return type == sum.getType() ? sum : arith::TruncFOp::create(builder, op.getLoc(), type, sum).getResult();
}

static void expand(MatmulOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType lhs = typeOf(op.getLhs());
  int64_t rank = lhs.getRank();
  Type element = sumElement(op);
  bool oneRow = lhs.getDimSize(rank - 2) == 1;
  Value matrix = oneRow ? op.getRhs() : op.getLhs(), vector = oneRow ? op.getLhs() : op.getRhs();
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  shape.push_back(lhs.getDimSize(rank - 1));
  vector = ReshapeOp::create(builder, loc, typeOf(vector).clone(shape), vector);
  int64_t dim = oneRow ? rank - 2 : rank - 1;
  // K is best the contiguous dimension: rows are then summed one by one. What lies across K is summed as it
  // lies.
  if (oneRow ? isTurned(matrix) : liesAcross(matrix)) {
    matrix = exchanged(builder, loc, matrix);
    dim = oneRow ? rank - 1 : rank - 2;
  }
  Value sum = sumOfProducts(builder, loc, matrix, vector, dim, element);
  sum = asStored(builder, op, sum);
  op.replaceAllUsesWith(ReshapeOp::create(builder, loc, op.getType(), sum).getResult());
  op.erase();
}

namespace {
struct GraphThinProductsPass : tilewright::graph::impl::GraphThinProductsBase<GraphThinProductsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](MatmulOp op) {
      if (op.getGroups())
        return;
      RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
      int64_t rank = lhs.getRank(), m = lhs.getDimSize(rank - 2), n = rhs.getDimSize(rank - 1);
      bool isFloat = isa<FloatType>(lhs.getElementType()) && isa<FloatType>(op.getType().getElementType());
      bool isOfBytes = lhs.getElementType().isInteger(8) && op.getType().getElementType().isInteger(32);
      if ((isFloat || isOfBytes) && (m == 1 || n == 1) &&
          lhs.getDimSize(rank - 1) * std::max(m, n) >= minimum)
        expand(op);
    });
  }
};
} // namespace
