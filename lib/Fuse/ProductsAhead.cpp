// fuse-products-ahead: products of one row that read what another product gives are products again, where
// their matrix is one that no kernel writes. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Fuse/Passes.h"
#include "Tilewright/Target/Cuda/Arch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEPRODUCTSAHEAD
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// Bytes of the matrix, and its rows and columns at most. The rings of all blocks hold 25 MB, and beyond so
/// many rows or columns their tiles are too few or too many for one round of all multiprocessors. (H200, us a
/// product in chains of sums and of products: 1024 squared 1.55 and 1.58, 2048 3.91 and 3.19, 3072 6.31
/// and 5.84, 4096 8.95 and 8.42, 6144 18.1 and 19.3, 8192 31.2 and 31.5; 1024x4096 in turn 3.49 and 3.08,
/// 2048x8192 9.1 and 10.1, 4096x14336 27.4 and 31.7, 2056x5000 6.92 and 6.98.)
static constexpr int64_t kLeastBytes = 4 << 20, kMostRows = 4096;

namespace {
/// The sums over K of a vector [K] times the rows of a matrix [N, K], both of 16 bits.
struct ThinProduct {
  Value vector, matrix;
};
} // namespace

/// What `value` is widened from: 16-bit floats; null: something else.
static Value narrowOf(Value value) {
  auto widen = value.getDefiningOp<arith::ExtFOp>();
  Type type = widen ? getElementTypeOrSelf(widen.getIn().getType()) : Type();
  return type && (type.isBF16() || type.isF16()) ? widen.getIn() : Value();
}

/// Whether each row of the result is the input: [K], or [1, K].
static bool isVector(graph::BroadcastOp repeated) {
  auto input = cast<RankedTensorType>(repeated.getInput().getType());
  return !repeated.getDims().empty() && repeated.getDims().back() == 1 &&
         input.getNumElements() == input.getShape().back() &&
         input.getNumElements() == repeated.getType().getDimSize(1);
}

/// As graph-thin-products makes them of products with one row.
static std::optional<ThinProduct> thinProduct(graph::ReduceOp sum) {
  auto product = sum.getInput().getDefiningOp<arith::MulFOp>();
  if (sum.getKind() != graph::ReduceKind::Sum || sum.getDims() != ArrayRef<int64_t>{1} || !product ||
      !sum.getType().getElementType().isF32() || sum.getType().getRank() != 1)
    return std::nullopt;
  for (auto [row, rows] :
       {std::pair(product.getLhs(), product.getRhs()), {product.getRhs(), product.getLhs()}}) {
    auto repeated = row.getDefiningOp<graph::BroadcastOp>();
    if (!repeated || !isVector(repeated))
      continue;
    Value vector = narrowOf(repeated.getInput()), matrix = narrowOf(rows);
    if (vector && matrix && getElementTypeOrSelf(vector.getType()) == getElementTypeOrSelf(matrix.getType()))
      return ThinProduct{vector, matrix};
  }
  return std::nullopt;
}

/// Whether another product's sums go into `value`, number by number.
static bool isOfProduct(Value value) {
  SmallVector<Value> pending{value};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(next).second)
      continue;
    auto sum = dyn_cast<graph::ReduceOp>(op);
    if (isa<graph::MatmulOp>(op) || (sum && thinProduct(sum)))
      return true;
    if (graph::isElementwise(op) || isMovement(op))
      llvm::append_range(pending, op->getOperands());
  }
  return false;
}

/// Whether no kernel writes it: an argument or a weight, whose dimensions may be exchanged.
static bool isSteady(Value value) {
  while (auto movement = value.getDefiningOp<graph::TransposeOp>())
    value = movement.getInput();
  return !value.getDefiningOp() || value.getDefiningOp<graph::WeightOp>();
}

static bool comesAhead(const ThinProduct &product) {
  auto matrix = cast<RankedTensorType>(product.matrix.getType());
  int64_t rows = matrix.getDimSize(0), columns = matrix.getDimSize(1);
  return rows * columns * 2 >= kLeastBytes && rows <= kMostRows && columns <= kMostRows &&
         isSteady(product.matrix) && isOfProduct(product.vector);
}

static void makeProduct(graph::ReduceOp sum, const ThinProduct &thin) {
  OpBuilder builder(sum);
  Location loc = sum.getLoc();
  auto matrix = cast<RankedTensorType>(thin.matrix.getType());
  int64_t n = matrix.getDimSize(0), k = matrix.getDimSize(1);
  Value row = graph::ReshapeOp::create(builder, loc, matrix.clone({1, k}), thin.vector);
  Value turned =
      graph::TransposeOp::create(builder, loc, matrix.clone({k, n}), thin.matrix, ArrayRef<int64_t>{1, 0});
  Value product = graph::MatmulOp::create(builder, loc, sum.getType().clone({1, n}), row, turned);
  sum.replaceAllUsesWith(graph::ReshapeOp::create(builder, loc, sum.getType(), product).getResult());
}

namespace {
struct ProductsAhead : fuse::impl::FuseProductsAheadBase<ProductsAhead> {
  using Base::Base;
  void runOnOperation() override {
    const Arch *arch = lookupArch(target);
    if (!arch || !arch->wgmma || !arch->tma || !arch->dependentLaunch)
      return markAllAnalysesPreserved();
    // All are found before any is another op.
    SmallVector<std::pair<graph::ReduceOp, ThinProduct>> found;
    getOperation()->walk([&](graph::ReduceOp sum) {
      std::optional<ThinProduct> product = thinProduct(sum);
      if (product && comesAhead(*product))
        found.push_back({sum, *product});
    });
    for (auto &[sum, product] : found) {
      makeProduct(sum, product);
      sum.erase();
    }
  }
};
} // namespace
