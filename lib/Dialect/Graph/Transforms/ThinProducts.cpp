// Products with one row or one column are sums along K: each number of the matrix is used once, so that
// tensor cores have nothing to do and reading it is all the work, however small it is (H200: forty products
// of 24 to 500 numbers of bf16 0.69 of the time in the mean, 2x1x191 1.0 us and 2.4). So are those with two,
// or few beside a small matrix, where its rows begin anywhere in 16 bytes: as a product it would be copied
// first, or go through the registers of threads, an element at a time. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHTHINPRODUCTS
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The matrix, casts aside.
static Value behindCasts(Value matrix) {
  while (isa_and_nonnull<arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(
      matrix.getDefiningOp()))
    matrix = matrix.getDefiningOp()->getOperand(0);
  return matrix;
}

/// Whether the matrix is a weight, which steps lay as they want it.
static bool isWeight(Value matrix) {
  Operation *op = behindCasts(matrix).getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether the matrix lies, or can be laid, with its last two dimensions exchanged: a transpose, or a weight.
static bool isTurned(Value matrix) {
  return behindCasts(matrix).getDefiningOp<TransposeOp>() || isWeight(matrix);
}

/// Whether the matrix is computed in an order whose last two dimensions are the other way around in memory.
static bool liesAcross(Value matrix) {
  auto transpose = behindCasts(matrix).getDefiningOp<TransposeOp>();
  if (!transpose || transpose.getInput().getDefiningOp<WeightOp>())
    return false;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  auto rank = (int64_t)permutation.size();
  return permutation[rank - 1] == rank - 2 && permutation[rank - 2] == rank - 1;
}

/// Vectors of a product that is sums along K nonetheless, and those beside a small matrix: bytes of one with
/// K contiguous, and of one that lies across. (H200, us, as a product and as sums: two times 7332x348 10.3
/// and 6.1, times 1045x4403 with K contiguous 9.5 and 6.8, times 5001x5001 38.8 and 23.7; 51 of the products
/// of seven drawn sets with two vectors 1.48 times as fast in the mean, 0.93 to 3.1; with three to five of up
/// to 2 MB with K contiguous 1.31, of up to 0.3 MB across K 1.34, of more of either 1.10 and 0.84, 0.23 at
/// worst.)
static constexpr int64_t kFewVectors = 2, kMoreVectors = 5, kSmallAlong = 2 << 20, kSmallAcross = 300 << 10;

/// Whether the rows of the matrix, as it lies in memory, begin at no multiples of 16 bytes.
static bool beginsAnywhere(Value matrix) {
  constexpr int64_t rowBits = 128;
  matrix = behindCasts(matrix);
  if (auto transpose = matrix.getDefiningOp<TransposeOp>())
    matrix = transpose.getInput();
  RankedTensorType type = typeOf(matrix);
  return type.getShape().back() * (int64_t)type.getElementTypeBitWidth() % rowBits != 0;
}

/// Whether the product is one of a matrix with few vectors, of no batch. A weight is laid in aligned rows.
static bool hasFewVectors(MatmulOp op) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs()), result = op.getType();
  int64_t rank = result.getRank(), m = result.getDimSize(rank - 2), n = result.getDimSize(rank - 1);
  bool fewRows = m <= n;
  Value matrix = fewRows ? op.getRhs() : op.getLhs();
  RankedTensorType type = typeOf(matrix);
  int64_t bytes = type.getNumElements() * (int64_t)type.getElementTypeBitWidth() / 8;
  bool isAlong = fewRows ? isTurned(matrix) : !liesAcross(matrix);
  int64_t most = bytes <= (isAlong ? kSmallAlong : kSmallAcross) ? kMoreVectors : kFewVectors;
  return llvm::product_of(result.getShape().drop_back(2)) == 1 && std::min(m, n) <= most &&
         isa<FloatType>(lhs.getElementType()) && isa<FloatType>(rhs.getElementType()) && !isWeight(matrix) &&
         beginsAnywhere(matrix);
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

/// `vectors` ([count, K]) times `matrix` ([K, N] or [N, K], K along `dim`): [count, N], as one sum for which
/// the matrix is repeated.
static Value sumsOfProducts(OpBuilder &builder, Location loc, Value matrix, Value vectors, int64_t dim,
                            Type element) {
  SmallVector<int64_t> repeated(typeOf(matrix).getShape());
  repeated.insert(repeated.begin(), typeOf(vectors).getDimSize(0));
  matrix = BroadcastOp::create(builder, loc, RankedTensorType::get(repeated, element),
                               convertFloat(builder, loc, matrix, element), ArrayRef<int64_t>{1, 2});
  return sumOfProducts(builder, loc, matrix, vectors, 1 + dim, element);
}

/// The product with several rows or columns as sums.
static void expandFew(MatmulOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto flat = [&](Value value) -> Value {
    RankedTensorType type = typeOf(value);
    return type.getRank() == 2
               ? value
               : ReshapeOp::create(builder, loc, type.clone(type.getShape().take_back(2)), value).getResult();
  };
  Value lhs = flat(op.getLhs()), rhs = flat(op.getRhs());
  bool fewRows = typeOf(lhs).getDimSize(0) <= typeOf(rhs).getDimSize(1);
  Value matrix = fewRows ? rhs : lhs, vectors = fewRows ? lhs : exchanged(builder, loc, rhs);
  int64_t dim = fewRows ? 0 : 1;
  if (fewRows ? isTurned(matrix) : liesAcross(matrix)) {
    matrix = exchanged(builder, loc, matrix);
    dim = 1 - dim;
  }
  Value sums = asStored(builder, op, sumsOfProducts(builder, loc, matrix, vectors, dim, sumElement(op)));
  if (!fewRows)
    sums = exchanged(builder, loc, sums);
  if (sums.getType() != op.getType())
    sums = ReshapeOp::create(builder, loc, op.getType(), sums);
  op.replaceAllUsesWith(sums);
  op.erase();
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
      if (lhs.getNumElements() == 0 || rhs.getNumElements() == 0)
        return;
      if ((isFloat || isOfBytes) && (m == 1 || n == 1))
        expand(op);
      else if (isFloat && hasFewVectors(op))
        expandFew(op);
    });
  }
};
} // namespace
