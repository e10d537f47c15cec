// Random steps that compute: elementwise, reductions, norms, products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomGrower.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

//===-- Elementwise -------------------------------------------------------------------------------------===//

Value Grower::unary() {
  Value x = anyFloat();
  RankedTensorType type = typeOf(x);
  switch (dice.between(0, 11)) {
  case 0:
    return math::ExpOp::create(builder, loc, math::TanhOp::create(builder, loc, x));
  case 1:
    return math::TanhOp::create(builder, loc, x);
  case 2:
    return math::ErfOp::create(builder, loc, x);
  case 3:
    return math::SqrtOp::create(builder, loc, math::AbsFOp::create(builder, loc, x));
  case 4:
    return arith::NegFOp::create(builder, loc, x);
  case 5:
    return math::AbsFOp::create(builder, loc, x);
  case 6: {
    Value shifted =
        arith::AddFOp::create(builder, loc, math::AbsFOp::create(builder, loc, x), constant(type, 1));
    return dice.chance(50) ? Value(math::LogOp::create(builder, loc, shifted))
                           : Value(math::RsqrtOp::create(builder, loc, shifted));
  }
  case 7:
    return graph::GeluOp::create(builder, loc, x,
                                 dice.chance(50) ? graph::GeluForm::Erf : graph::GeluForm::Tanh);
  case 8:
    return type.getElementType().isF64() ? Value(math::CeilOp::create(builder, loc, x))
                                         : Value(math::SinOp::create(builder, loc, x));
  case 9:
    // Not of whole numbers, where an error of one ulp shows.
    return math::FloorOp::create(builder, loc, arith::AddFOp::create(builder, loc, x, constant(type, 0.371)));
  case 10:
    return arith::MulFOp::create(builder, loc, x, x);
  default:
    return arith::MaximumFOp::create(builder, loc, x, constant(type, 0));
  }
}

Value Grower::binary() {
  Value x = anyFloat();
  Value y = companion(typeOf(x));
  if (dice.chance(50))
    std::swap(x, y);
  switch (dice.between(0, 5)) {
  case 0:
    return arith::SubFOp::create(builder, loc, x, y);
  case 1:
    return arith::MulFOp::create(builder, loc, x, y);
  case 2:
    return arith::DivFOp::create(
        builder, loc, x,
        arith::AddFOp::create(builder, loc, math::AbsFOp::create(builder, loc, y), constant(typeOf(x), 1)));
  case 3:
    return arith::MaximumFOp::create(builder, loc, x, y);
  case 4:
    return arith::MinimumFOp::create(builder, loc, x, y);
  default:
    return arith::AddFOp::create(builder, loc, x, y);
  }
}

Value Grower::compare() {
  Value x = anyFloat();
  // An input or a number: two ways of computing much the same would differ in the last bit.
  RankedTensorType type = typeOf(x);
  Value y = dice.chance(50) ? constant(type, 0.371) : addInput(type.getShape(), type.getElementType());
  Value condition = arith::CmpFOp::create(
      builder, loc, dice.chance(50) ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::UGE, x, y);
  if (dice.chance(20))
    return condition;
  return arith::SelectOp::create(builder, loc, condition, x, companion(typeOf(x)));
}

Value Grower::castElements() {
  Value x = any([](RankedTensorType) { return true; });
  RankedTensorType type = typeOf(x);
  Type from = type.getElementType();
  if (auto narrow = dyn_cast<FloatType>(from)) {
    Type to = randomFloat();
    unsigned width = narrow.getWidth(), wanted = to.getIntOrFloatBitWidth();
    if (wanted > width)
      return arith::ExtFOp::create(builder, loc, type.clone(to), x);
    if (wanted < width)
      return arith::TruncFOp::create(builder, loc, type.clone(to), x);
    // NaN, as of the sine of the least of nothing, has no integer: it becomes the bound.
    Value bounded =
        arith::MulFOp::create(builder, loc, math::TanhOp::create(builder, loc, x), constant(type, 3.71));
    bounded = arith::MaxNumFOp::create(builder, loc, bounded, constant(type, -3.71));
    return arith::FPToSIOp::create(builder, loc, type.clone(builder.getI32Type()), bounded);
  }
  if (from.isInteger(1))
    return dice.chance(50)
               ? Value(arith::ExtUIOp::create(builder, loc, type.clone(builder.getI32Type()), x))
               : Value(arith::UIToFPOp::create(builder, loc, type.clone(builder.getF32Type()), x));
  unsigned width = from.getIntOrFloatBitWidth();
  if (dice.chance(50))
    return arith::SIToFPOp::create(builder, loc, type.clone(builder.getF32Type()), x);
  if (width < 64)
    return arith::ExtSIOp::create(builder, loc, type.clone(builder.getI64Type()), x);
  return arith::TruncIOp::create(builder, loc, type.clone(builder.getIntegerType(dice.chance(50) ? 8 : 16)),
                                 x);
}

Value Grower::integerArithmetic() {
  static const unsigned kWidths[] = {8, 16, 32, 32, 64, 64};
  Value x = any([](RankedTensorType type) {
    return type.getElementType().isInteger() && !type.getElementType().isInteger(1);
  });
  if (!x)
    x = addInput(randomShape(), builder.getIntegerType(dice.pick(ArrayRef(kWidths))));
  Value y = companion(typeOf(x));
  switch (dice.between(0, 5)) {
  case 0:
    return arith::MulIOp::create(builder, loc, x, y);
  case 1:
    return arith::SubIOp::create(builder, loc, x, y);
  case 2:
    return arith::MaxSIOp::create(builder, loc, x, y);
  case 3:
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, y);
  case 4:
    return arith::XOrIOp::create(builder, loc, x, y);
  default:
    return arith::AddIOp::create(builder, loc, x, y);
  }
}

//===-- Structured --------------------------------------------------------------------------------------===//

Value Grower::reduce() {
  Value x =
      any([](RankedTensorType type) { return type.getRank() > 0 && !type.getElementType().isInteger(1); });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims, kept;
  int64_t reduced = 1;
  int64_t mode = dice.between(0, 3);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    bool take = mode == 0 ? d == type.getRank() - 1 : mode == 1 ? d == 0 : dice.chance(50);
    (take ? dims : kept).push_back(take ? d : type.getDimSize(d));
    reduced *= take ? type.getDimSize(d) : 1;
  }
  static const graph::ReduceKind kKinds[] = {graph::ReduceKind::Sum, graph::ReduceKind::Max,
                                             graph::ReduceKind::Min, graph::ReduceKind::Prod};
  graph::ReduceKind kind = dice.pick(ArrayRef(kKinds));
  if (kind == graph::ReduceKind::Prod && reduced > 16)
    kind = graph::ReduceKind::Sum;
  return graph::ReduceOp::create(builder, loc, type.clone(ArrayRef<int64_t>(kept)), x, kind, dims);
}

Value Grower::normalize() {
  Value x =
      any([](RankedTensorType type) { return isa<FloatType>(type.getElementType()) && type.getRank() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice.chance(60) ? type.getRank() - 1 : dice.between(0, type.getRank() - 1);
  if (dice.chance(40))
    return graph::SoftmaxOp::create(builder, loc, type, x, dim);
  Value scale, bias;
  if (dice.chance(70))
    scale = addInput(type.getShape().drop_front(dim), type.getElementType());
  if (dice.chance(30))
    return graph::RmsNormOp::create(builder, loc, type, x, scale, dim, APFloat(1e-2));
  if (dice.chance(50))
    bias = addInput(type.getShape().drop_front(dim), type.getElementType());
  return graph::LayerNormOp::create(builder, loc, type, x, scale, bias, dim, APFloat(1e-2));
}

Value Grower::scan() {
  Value x =
      any([](RankedTensorType type) { return type.getRank() > 0 && !type.getElementType().isInteger(1); });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  static const graph::ReduceKind kKinds[] = {graph::ReduceKind::Sum, graph::ReduceKind::Max,
                                             graph::ReduceKind::Min};
  return graph::ScanOp::create(builder, loc, type, x, dice.pick(ArrayRef(kKinds)),
                               dice.between(0, type.getRank() - 1), dice.chance(40));
}

Value Grower::select() {
  // Of an input: where two computed values are much the same, the last bit would decide.
  Value x = any([](RankedTensorType type) {
    return type.getRank() > 0 && type.getNumElements() > 0 && isa<FloatType>(type.getElementType());
  });
  if (!x || x.getDefiningOp())
    x = addInput({dice.between(1, 9), dice.between(1, 70)}, randomFloat());
  RankedTensorType type = typeOf(x);
  int64_t dim = dice.between(0, type.getRank() - 1);
  Type index = dice.chance(50) ? builder.getI64Type() : builder.getI32Type();
  SmallVector<int64_t> shape(type.getShape());
  if (dice.chance(50)) {
    shape.erase(shape.begin() + dim);
    return graph::ArgReduceOp::create(builder, loc, RankedTensorType::get(shape, index), x,
                                      dice.chance(50) ? graph::ReduceKind::Max : graph::ReduceKind::Min, dim,
                                      dice.chance(30));
  }
  shape[dim] = dice.between(1, std::min<int64_t>(shape[dim], 8));
  return graph::TopKOp::create(builder, loc, RankedTensorType::get(shape, index), x, dim, dice.chance(40));
}

Value Grower::matmul() {
  static const int64_t kSizes[] = {1, 2, 3, 8, 15, 16, 17, 32, 33, 48, 64, 100, 128};
  Value x =
      any([](RankedTensorType type) { return isa<FloatType>(type.getElementType()) && type.getRank() >= 2; });
  if (!x)
    x = addInput({dice.pick(ArrayRef(kSizes)), dice.pick(ArrayRef(kSizes))}, randomFloat());
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank(), k = type.getDimSize(rank - 1), n = dice.pick(ArrayRef(kSizes));
  while (type.getNumElements() / std::max<int64_t>(k, 1) * n > kMostElems && n > 1)
    n = (n + 1) / 2;
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> resultShape(shape);
  shape[rank - 2] = k;
  shape[rank - 1] = n;
  resultShape[rank - 1] = n;
  Value y;
  if (dice.chance(40)) {
    // The right operand transposed.
    SmallVector<int64_t> stored(shape), permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(stored[rank - 2], stored[rank - 1]);
    std::swap(permutation[rank - 2], permutation[rank - 1]);
    y = graph::TransposeOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)),
                                   addInput(stored, type.getElementType()), permutation);
  } else if (rank > 2 && dice.chance(50)) {
    y = graph::BroadcastOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)),
                                   addInput({k, n}, type.getElementType()),
                                   ArrayRef<int64_t>{rank - 2, rank - 1});
  } else {
    y = addInput(shape, type.getElementType());
  }
  Type result =
      type.getElementTypeBitWidth() == 16 && dice.chance(50) ? builder.getF32Type() : type.getElementType();
  auto precision =
      type.getElementType().isF32() && dice.chance(15) ? graph::Precision::TF32 : graph::Precision::IEEE;
  (void)precision; // tf32 needs another tolerance: the lit tests have it
  return graph::MatmulOp::create(builder, loc, RankedTensorType::get(resultShape, result), x, y);
}
