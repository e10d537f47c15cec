// Grows a program op by op from values made before; operands that do not fit get an input of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomProgram.h"

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

namespace {

/// The splitmix64 sequence.
struct Dice {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high].
  int64_t between(int64_t low, int64_t high) { return low + (int64_t)(next() % (uint64_t)(high - low + 1)); }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <typename T> T pick(ArrayRef<T> from) { return from[between(0, (int64_t)from.size() - 1)]; }
};

/// A function while it grows.
struct Grower {
  static constexpr int64_t kMostElems = 6000;

  MLIRContext &context;
  Dice dice;
  OpBuilder builder{&context};
  Location loc = builder.getUnknownLoc();
  func::FuncOp func = {};
  SmallVector<Value> values = {};

  OwningOpRef<ModuleOp> run();
  void step();

  // Operands.
  RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  Value addInput(ArrayRef<int64_t> shape, Type element);
  SmallVector<int64_t> randomShape();
  Type randomFloat();
  Value any(function_ref<bool(RankedTensorType)> accepts);
  Value anyFloat();
  Value constant(RankedTensorType type, double value);
  /// A value of exactly `type`: one that exists, or broadcast from a smaller one or from a new input.
  Value companion(RankedTensorType type);

  // Steps; null when nothing fits.
  Value unary();
  Value binary();
  Value compare();
  Value castElements();
  Value integerArithmetic();
  Value reduce();
  Value normalize();
  Value matmul();
  Value transpose();
  Value reshape();
  Value slice();
  Value concat();
  Value pad();
  Value gather();
  Value broadcast();
  Value iota();
};

} // namespace

//===-- Operands ----------------------------------------------------------------------------------------===//

Value Grower::addInput(ArrayRef<int64_t> shape, Type element) {
  auto type = RankedTensorType::get(shape, element);
  (void)func.insertArgument(func.getNumArguments(), type, {}, loc);
  values.push_back(func.getArgument(func.getNumArguments() - 1));
  return values.back();
}

SmallVector<int64_t> Grower::randomShape() {
  static const int64_t kSizes[] = {1,  1,  2,  3,  4,  5,  7,  8,   16,  17,  24,
                                   31, 32, 33, 48, 64, 65, 96, 100, 128, 200, 257};
  SmallVector<int64_t> shape(dice.between(0, 9) == 0 ? 0 : dice.between(1, 4));
  int64_t elems = 1;
  for (int64_t &size : shape) {
    size = dice.pick(ArrayRef(kSizes));
    while (elems * size > kMostElems)
      size = (size + 1) / 2;
    elems *= size;
  }
  return shape;
}

Type Grower::randomFloat() {
  int64_t roll = dice.between(1, 20);
  return roll <= 13   ? Type(builder.getF32Type())
         : roll <= 15 ? Type(builder.getF16Type())
         : roll <= 17 ? Type(builder.getBF16Type())
                      : Type(builder.getF64Type());
}

Value Grower::any(function_ref<bool(RankedTensorType)> accepts) {
  SmallVector<Value> fitting;
  for (Value value : values)
    if (accepts(typeOf(value)))
      fitting.push_back(value);
  if (fitting.empty())
    return Value();
  // Late values are likelier: programs become deep rather than wide.
  if (fitting.size() > 3 && dice.chance(60))
    return fitting[dice.between((int64_t)fitting.size() - 3, (int64_t)fitting.size() - 1)];
  return dice.pick(ArrayRef(fitting));
}

Value Grower::anyFloat() {
  Value value = any([](RankedTensorType type) { return isa<FloatType>(type.getElementType()); });
  return value ? value : addInput(randomShape(), randomFloat());
}

Value Grower::constant(RankedTensorType type, double value) {
  Attribute element = isa<FloatType>(type.getElementType())
                          ? Attribute(builder.getFloatAttr(type.getElementType(), value))
                          : Attribute(builder.getIntegerAttr(type.getElementType(), (int64_t)value));
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

Value Grower::companion(RankedTensorType type) {
  if (dice.chance(15) && !type.getElementType().isInteger(1))
    return constant(type, dice.between(-2, 2));
  Value same = any([&](RankedTensorType other) { return other == type; });
  if (same && dice.chance(50))
    return same;
  // A tensor over some of the dimensions, some of them of size 1.
  SmallVector<int64_t> shape, dims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (dice.chance(60)) {
      dims.push_back(d);
      shape.push_back(dice.chance(20) ? 1 : type.getDimSize(d));
    }
  Value input = any([&](RankedTensorType other) {
    return other.getElementType() == type.getElementType() && other.getShape() == ArrayRef(shape);
  });
  if (!input)
    input = addInput(shape, type.getElementType());
  if (input.getType() == type)
    return input;
  return graph::BroadcastOp::create(builder, loc, type, input, dims);
}

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
    return arith::FPToSIOp::create(
        builder, loc, type.clone(builder.getI32Type()),
        arith::MulFOp::create(builder, loc, math::TanhOp::create(builder, loc, x), constant(type, 3.71)));
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

//===-- Movement ----------------------------------------------------------------------------------------===//

Value Grower::transpose() {
  Value x = any([](RankedTensorType type) { return type.getRank() >= 2; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())), shape;
  for (int64_t d = type.getRank() - 1; d > 0; --d)
    std::swap(permutation[d], permutation[dice.between(0, d)]);
  for (int64_t d : permutation)
    shape.push_back(type.getDimSize(d));
  return graph::TransposeOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, permutation);
}

Value Grower::reshape() {
  Value x = any([](RankedTensorType) { return true; });
  RankedTensorType type = typeOf(x);
  // The prime factors dealt to a few dimensions.
  SmallVector<int64_t> shape(dice.between(0, 4) == 0 ? 1 : dice.between(1, 4), 1);
  int64_t left = type.getNumElements();
  for (int64_t p = 2; left > 1; ++p)
    while (left % p == 0) {
      shape[dice.between(0, (int64_t)shape.size() - 1)] *= p;
      left /= p;
    }
  return graph::ReshapeOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x);
}

Value Grower::slice() {
  Value x = any([](RankedTensorType type) { return type.getRank() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> offsets, strides, shape;
  for (int64_t size : type.getShape()) {
    int64_t step = dice.chance(60) ? 1 : dice.between(1, 3);
    int64_t count = dice.chance(40) ? (size + step - 1) / step : dice.between(1, (size + step - 1) / step);
    int64_t span = (count - 1) * step;
    int64_t first = dice.between(0, size - 1 - span);
    bool backwards = dice.chance(20);
    offsets.push_back(backwards ? first + span : first);
    strides.push_back(backwards ? -step : step);
    shape.push_back(count);
  }
  return graph::SliceOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, offsets, strides);
}

Value Grower::concat() {
  Value x = any([](RankedTensorType type) { return type.getRank() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice.between(0, type.getRank() - 1);
  SmallVector<Value> parts = {x};
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i = dice.between(1, 2); i > 0; --i) {
    SmallVector<int64_t> part(type.getShape());
    part[dim] = dice.chance(50) ? part[dim] : dice.between(1, 5);
    parts.push_back(part[dim] == type.getDimSize(dim) ? companion(type)
                                                      : addInput(part, type.getElementType()));
    shape[dim] += part[dim];
  }
  if (dice.chance(50))
    std::swap(parts.front(), parts.back());
  return graph::ConcatOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), parts, dim);
}

Value Grower::pad() {
  Value x =
      any([](RankedTensorType type) { return type.getRank() > 0 && !type.getElementType().isInteger(1); });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> low, high, shape;
  for (int64_t size : type.getShape()) {
    low.push_back(dice.chance(50) ? 0 : dice.between(-1, 3));
    high.push_back(dice.chance(50) ? 0 : dice.between(-1, 3));
    if (low.back() + size + high.back() < 1)
      low.back() = high.back() = 1;
    shape.push_back(low.back() + size + high.back());
  }
  TypedAttr value = isa<FloatType>(type.getElementType())
                        ? TypedAttr(builder.getFloatAttr(type.getElementType(), dice.between(-2, 2)))
                        : TypedAttr(builder.getIntegerAttr(type.getElementType(), dice.between(-2, 2)));
  return graph::PadOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, low, high, value);
}

Value Grower::gather() {
  Value x = any([](RankedTensorType type) { return type.getRank() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice.between(0, type.getRank() - 1);
  SmallVector<int64_t> indexShape;
  for (int64_t i = dice.between(0, 2); i > 0; --i)
    indexShape.push_back(dice.between(1, 6));
  SmallVector<int64_t> shape(type.getShape().take_front(dim));
  llvm::append_range(shape, indexShape);
  llvm::append_range(shape, type.getShape().drop_front(dim + 1));
  // Inputs are 0 to 3; one less, some count from the end, and some are outside of small tables.
  Value indices = addInput(indexShape, dice.chance(50) ? builder.getI64Type() : builder.getI32Type());
  indices = arith::SubIOp::create(builder, loc, indices, constant(typeOf(indices), 1));
  return graph::GatherOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, indices, dim);
}

Value Grower::broadcast() {
  Value x = any([](RankedTensorType type) { return type.getRank() < 4; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims, shape;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (dice.chance(25) && shape.size() < 4)
      shape.push_back(dice.between(1, 5));
    dims.push_back(shape.size());
    shape.push_back(type.getDimSize(d) == 1 && dice.chance(50) ? dice.between(1, 9) : type.getDimSize(d));
  }
  if (shape.size() == dims.size())
    shape.push_back(dice.between(1, 5));
  return graph::BroadcastOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, dims);
}

Value Grower::iota() {
  SmallVector<int64_t> shape = randomShape();
  if (shape.empty())
    return Value();
  return graph::IotaOp::create(
      builder, loc,
      RankedTensorType::get(shape, dice.chance(50) ? builder.getI64Type() : builder.getI32Type()),
      dice.between(0, (int64_t)shape.size() - 1));
}

//===-- The whole ---------------------------------------------------------------------------------------===//

void Grower::step() {
  using Step = Value (Grower::*)();
  static const std::pair<Step, int> kSteps[] = {{&Grower::unary, 14},
                                                {&Grower::binary, 18},
                                                {&Grower::compare, 5},
                                                {&Grower::castElements, 7},
                                                {&Grower::integerArithmetic, 4},
                                                {&Grower::reduce, 9},
                                                {&Grower::normalize, 7},
                                                {&Grower::matmul, 7},
                                                {&Grower::transpose, 7},
                                                {&Grower::reshape, 6},
                                                {&Grower::slice, 4},
                                                {&Grower::concat, 3},
                                                {&Grower::pad, 3},
                                                {&Grower::gather, 3},
                                                {&Grower::broadcast, 4},
                                                {&Grower::iota, 1}};
  int total = 0;
  for (auto [step, weight] : kSteps)
    total += weight;
  int64_t roll = dice.between(0, total - 1);
  for (auto [step, weight] : kSteps) {
    roll -= weight;
    if (roll >= 0)
      continue;
    Value value = (this->*step)();
    if (value && typeOf(value).getNumElements() <= 4 * kMostElems)
      values.push_back(value);
    return;
  }
}

OwningOpRef<ModuleOp> Grower::run() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  func = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(func.addEntryBlock());
  addInput(randomShape(), randomFloat());
  for (int64_t i = dice.between(3, 20); i > 0; --i)
    step();
  // What nothing uses is returned, at most three values, and now and then something from the middle.
  SmallVector<Value> results;
  for (Value value : llvm::reverse(values))
    if (value.use_empty() && value.getDefiningOp() && results.size() < 3)
      results.push_back(value);
  if (dice.chance(30))
    results.push_back(dice.pick(ArrayRef(values)));
  if (results.empty())
    results.push_back(values.back());
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value value) { return value.getType(); });
  func::ReturnOp::create(builder, loc, results);
  func.setType(builder.getFunctionType(func.getArgumentTypes(), types));
  return module;
}

OwningOpRef<ModuleOp> tilewright::check::makeRandomProgram(MLIRContext &context, uint64_t seed) {
  return Grower{context, Dice{seed * 7919 + 1}}.run();
}
