// Monte Carlo arithmetic: every step of a program that rounds is off by a random part of a unit of its type,
// so that a few runs in fp64 show how far rounding can take each result (D. S. Parker, "Monte Carlo
// Arithmetic: exploiting randomness in floating-point arithmetic", UCLA CSD-970002, 1997). A sum of n terms
// formed in pairs has log2 n roundings on each term's way (N. J. Higham, "Accuracy and Stability of Numerical
// Algorithms", 4.2): so much its terms are off, in fp32, which narrower types are added in, each for itself
// and all together. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RoundSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reference;

/// Half a unit in the last place of elements of `value` as a part of them; 0 where it is no tensor, or one of
/// which nothing rounds.
static double unitOf(Value value, double unitOfF32) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  auto type = tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
  if (!type || type.isF64() || type.getWidth() < 16)
    return 0;
  return type.isF32() ? unitOfF32 : std::ldexp(1.0, -int(type.getFPMantissaWidth()));
}

/// How many elements `op` adds or multiplies for one of its results, with roundings between them; 0 if it
/// does no such thing.
static int64_t termsOf(Operation *op) {
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  auto terms = [&](graph::ReduceKind kind, int64_t count) {
    return kind == graph::ReduceKind::Sum || kind == graph::ReduceKind::Prod ? count : 0;
  };
  if (auto reduce = dyn_cast<graph::ReduceOp>(op)) {
    int64_t count = 1;
    for (int64_t dim : reduce.getDims())
      count *= shapeOf(reduce.getInput())[dim];
    return terms(reduce.getKind(), count);
  }
  if (auto scan = dyn_cast<graph::ScanOp>(op))
    return terms(scan.getKind(), shapeOf(scan.getInput())[scan.getDim()]);
  if (auto scatter = dyn_cast<graph::ScatterOp>(op))
    return scatter.getKind() == graph::ScatterKind::Add || scatter.getKind() == graph::ScatterKind::Mul
               ? shapeOf(scatter.getUpdates())[scatter.getBatch()] + 1
               : 0;
  if (isa<graph::MatmulOp>(op))
    return shapeOf(op->getOperand(0)).back();
  if (auto softmax = dyn_cast<graph::SoftmaxOp>(op))
    return shapeOf(softmax.getInput())[softmax.getDim()];
  if (auto norm = dyn_cast<graph::LayerNormOp>(op))
    return ShapedType::getNumElements(shapeOf(norm.getInput()).drop_front(norm.getDim()));
  if (auto norm = dyn_cast<graph::RmsNormOp>(op))
    return ShapedType::getNumElements(shapeOf(norm.getInput()).drop_front(norm.getDim()));
  if (auto attention = dyn_cast<graph::AttentionOp>(op))
    return ShapedType::getNumElements(shapeOf(attention.getKey()).take_back(2));
  return 0;
}

/// Whether the results of `op` are rounded: not what only moves, compares or chooses.
static bool rounds(Operation *op) {
  return termsOf(op) ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::TruncFOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::RemFOp, graph::GeluOp>(op) ||
         (isa<math::MathDialect>(op->getDialect()) &&
          !isa<math::AbsFOp, math::CopySignOp, math::CeilOp, math::FloorOp, math::RoundOp, math::RoundEvenOp,
               math::TruncOp>(op));
}

std::vector<HostTensor> tilewright::reference::drawFactors(ArrayRef<RoundingFactor> factors, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<HostTensor> drawn;
  for (auto [type, unit] : factors) {
    HostTensor &numbers = drawn.emplace_back(makeZeros(type));
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      numbers.set(i, 1 + unit * (std::ldexp(double(random() >> 11), -52) - 1));
  }
  return drawn;
}

std::vector<RoundingFactor> tilewright::reference::roundSteps(func::FuncOp func, const Rounding &rounding) {
  std::vector<RoundingFactor> factors;
  SmallVector<Operation *> steps;
  for (Operation &op : func.getBody().front())
    if (rounds(&op))
      steps.push_back(&op);
  // The value times numbers that are drawn, which are one more argument.
  auto moved = [&](OpBuilder &builder, Value value, double unit) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned index = func.getNumArguments();
    (void)func.insertArgument(index, type, {}, value.getLoc());
    factors.push_back({type.clone(Float64Type::get(type.getContext())), unit});
    return arith::MulFOp::create(builder, value.getLoc(), value, func.getArgument(index));
  };
  for (Operation *op : steps) {
    OpBuilder builder(op);
    bool isProduct = isa<graph::MatmulOp>(op);
    int64_t terms = termsOf(op);
    double roundings = std::max(1.0, std::ceil(std::log2(double(std::max<int64_t>(terms, 1)))));
    double ofSum = terms ? std::ldexp(roundings, -24) : 0;
    for (OpOperand &operand : op->getOpOperands())
      if (terms && unitOf(operand.get(), rounding.unitOfF32) > 0)
        operand.set(moved(builder, operand.get(), std::max(ofSum, isProduct ? rounding.unitOfFactors : 0)));
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (double unit = unitOf(result, rounding.unitOfF32)) {
        Value other = moved(builder, result, std::max(ofSum, unit));
        result.replaceAllUsesExcept(other, other.getDefiningOp());
      }
  }
  return factors;
}
