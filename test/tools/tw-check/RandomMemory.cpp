// Random programs that move bytes: elementwise, reductions and movement on tensors of one order of magnitude.
// They are measured as well as checked, so every step is continuous in its operands: an element that lies an
// ulp beside a threshold must not change the result. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomGrower.h"
#include "RandomProgram.h"

#include "llvm/ADT/BitVector.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

namespace {

/// A program whose largest tensors have about `elements` elements.
struct MemoryGrower {
  Grower grower;
  int64_t elements;
  /// fp32, or the 16-bit type that inputs and results have; arithmetic is in fp32.
  Type stored;
  SmallVector<int64_t> mainShape = {};
  int64_t steps = 0;

  Dice &dice() { return grower.dice; }
  OpBuilder &builder() { return grower.builder; }
  Location loc() { return grower.loc; }
  RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

  SmallVector<int64_t> randomShape();
  Value input(ArrayRef<int64_t> shape);
  Value pick(int64_t leastElements = 1);
  Value companion(RankedTensorType type);
  Value splat(RankedTensorType type, double value) { return grower.constant(type, value); }
  Value unary();
  Value binary();
  Value reduced(Value x, ArrayRef<int64_t> dims);
  SmallVector<int64_t> randomDims(RankedTensorType type);
  Value reduce();
  Value againstRow();
  Value normalize();
  Value scan();
  Value slice();
  Value pad();
  Value concat();
  Value gather();
  Value step();
  OwningOpRef<ModuleOp> run();
};

} // namespace

/// Sizes whose product is about `elements`: shares of its logarithm; some rounded to multiples of 8.
SmallVector<int64_t> MemoryGrower::randomShape() {
  int64_t rank = dice().between(1, 5);
  SmallVector<double> shares;
  double sum = 0;
  for (int64_t d = 0; d < rank; ++d) {
    shares.push_back((double)dice().between(2, 20));
    sum += shares.back();
  }
  SmallVector<int64_t> shape;
  for (double share : shares) {
    auto size = std::max<int64_t>(1, std::llround(std::pow((double)elements, share / sum)));
    if (dice().chance(50) && size > 8)
      size = (size + 4) / 8 * 8;
    shape.push_back(size);
  }
  return shape;
}

Value MemoryGrower::input(ArrayRef<int64_t> shape) {
  Value argument = grower.addInput(shape, stored);
  if (stored.isF32())
    return argument;
  grower.values.pop_back();
  Value wide =
      arith::ExtFOp::create(builder(), loc(), typeOf(argument).clone(builder().getF32Type()), argument);
  grower.values.push_back(wide);
  return wide;
}

Value MemoryGrower::pick(int64_t leastElements) {
  Value value = grower.any([&](RankedTensorType type) {
    return type.getElementType().isF32() && type.getRank() > 0 && type.getNumElements() >= leastElements;
  });
  return value ? value : grower.values.front();
}

/// A value of `type`: one that exists, a number, or one broadcast from a smaller one or from a new input.
Value MemoryGrower::companion(RankedTensorType type) {
  if (dice().chance(15))
    return splat(type, dice().between(-2, 2));
  Value same = grower.any([&](RankedTensorType other) { return other == type; });
  if (same && dice().chance(60))
    return same;
  SmallVector<int64_t> shape, dims;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (dice().chance(60)) {
      dims.push_back(d);
      shape.push_back(type.getDimSize(d));
    }
  Value source = grower.any([&](RankedTensorType other) {
    return other.getElementType().isF32() && other.getShape() == ArrayRef(shape);
  });
  if (!source)
    source = input(shape);
  if (source.getType() == type)
    return source;
  return graph::BroadcastOp::create(builder(), loc(), type, source, dims);
}

Value MemoryGrower::unary() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  switch (dice().between(0, 9)) {
  case 0:
    return math::ExpOp::create(builder(), loc(), math::TanhOp::create(builder(), loc(), x));
  case 1:
    return math::TanhOp::create(builder(), loc(), x);
  case 2:
    return math::ErfOp::create(builder(), loc(), x);
  case 3: {
    Value shifted =
        arith::AddFOp::create(builder(), loc(), math::AbsFOp::create(builder(), loc(), x), splat(type, 1));
    return dice().chance(50) ? Value(math::SqrtOp::create(builder(), loc(), shifted))
                             : Value(math::RsqrtOp::create(builder(), loc(), shifted));
  }
  case 4:
    return arith::NegFOp::create(builder(), loc(), x);
  case 5:
    return math::AbsFOp::create(builder(), loc(), x);
  case 6: {
    Value shifted =
        arith::AddFOp::create(builder(), loc(), math::AbsFOp::create(builder(), loc(), x), splat(type, 1));
    return math::LogOp::create(builder(), loc(), shifted);
  }
  case 7:
    return graph::GeluOp::create(builder(), loc(), x,
                                 dice().chance(50) ? graph::GeluForm::Erf : graph::GeluForm::Tanh);
  case 8: {
    // Squares of squares would grow without end.
    Value bounded = math::TanhOp::create(builder(), loc(), x);
    return arith::MulFOp::create(builder(), loc(), bounded, x);
  }
  default:
    return arith::MaximumFOp::create(builder(), loc(), x, splat(type, 0));
  }
}

Value MemoryGrower::binary() {
  Value x = pick();
  Value y = companion(typeOf(x));
  if (dice().chance(50))
    std::swap(x, y);
  switch (dice().between(0, 5)) {
  case 0:
    return arith::SubFOp::create(builder(), loc(), x, y);
  case 1:
    return arith::MulFOp::create(builder(), loc(), x, math::TanhOp::create(builder(), loc(), y));
  case 2:
    return arith::DivFOp::create(builder(), loc(), x,
                                 arith::AddFOp::create(builder(), loc(),
                                                       math::AbsFOp::create(builder(), loc(), y),
                                                       splat(typeOf(x), 1)));
  case 3:
    return arith::MaximumFOp::create(builder(), loc(), x, y);
  case 4:
    return arith::MinimumFOp::create(builder(), loc(), x, y);
  default:
    return arith::AddFOp::create(builder(), loc(), x, y);
  }
}

SmallVector<int64_t> MemoryGrower::randomDims(RankedTensorType type) {
  SmallVector<int64_t> dims;
  int64_t mode = dice().between(0, 3);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (mode <= 1 ? d == type.getRank() - 1 : mode == 2 ? d == 0 : dice().chance(50))
      dims.push_back(d);
  if (dims.empty())
    dims.push_back(dice().between(0, type.getRank() - 1));
  return dims;
}

/// A maximum, a minimum, or a mean.
Value MemoryGrower::reduced(Value x, ArrayRef<int64_t> dims) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> kept;
  int64_t count = 1;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (llvm::is_contained(dims, d))
      count *= type.getDimSize(d);
    else
      kept.push_back(type.getDimSize(d));
  }
  auto kind = dice().chance(60)   ? graph::ReduceKind::Sum
              : dice().chance(50) ? graph::ReduceKind::Max
                                  : graph::ReduceKind::Min;
  RankedTensorType result = type.clone(ArrayRef<int64_t>(kept));
  Value value = graph::ReduceOp::create(builder(), loc(), result, x, kind, dims);
  if (kind == graph::ReduceKind::Sum)
    value = arith::MulFOp::create(builder(), loc(), value, splat(result, 1.0 / (double)count));
  return value;
}

Value MemoryGrower::reduce() {
  Value x = pick(elements / 4);
  return reduced(x, randomDims(typeOf(x)));
}

/// What is left of a row beside its mean or extreme: the start of every norm.
Value MemoryGrower::againstRow() {
  Value x = pick(elements / 4);
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims = randomDims(type), kept;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dims, d))
      kept.push_back(d);
  Value row = graph::BroadcastOp::create(builder(), loc(), type, reduced(x, dims), kept);
  return dice().chance(70) ? Value(arith::SubFOp::create(builder(), loc(), x, row))
                           : Value(arith::AddFOp::create(builder(), loc(), x, row));
}

Value MemoryGrower::normalize() {
  Value x = pick(elements / 4);
  RankedTensorType type = typeOf(x);
  int64_t dim = dice().chance(70) ? type.getRank() - 1 : dice().between(0, type.getRank() - 1);
  if (dice().chance(40))
    return graph::SoftmaxOp::create(builder(), loc(), type, x, dim);
  Value scale, bias;
  if (dice().chance(70))
    scale = input(type.getShape().drop_front(dim));
  if (dice().chance(30))
    return graph::RmsNormOp::create(builder(), loc(), type, x, scale, dim, APFloat(1e-2));
  if (dice().chance(50))
    bias = input(type.getShape().drop_front(dim));
  return graph::LayerNormOp::create(builder(), loc(), type, x, scale, bias, dim, APFloat(1e-2));
}

/// The running maximum or mean of what came before.
Value MemoryGrower::scan() {
  Value x = pick(elements / 4);
  RankedTensorType type = typeOf(x);
  int64_t dim = dice().between(0, type.getRank() - 1);
  if (dice().chance(50))
    return graph::ScanOp::create(builder(), loc(), type, x, graph::ReduceKind::Max, dim, false);
  Value share = arith::MulFOp::create(builder(), loc(), x,
                                      splat(type, 1.0 / (double)std::max<int64_t>(1, type.getDimSize(dim))));
  return graph::ScanOp::create(builder(), loc(), type, share, graph::ReduceKind::Sum, dim, dice().chance(30));
}

/// Most of a tensor.
Value MemoryGrower::slice() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1), shape(type.getShape());
  int64_t dim = dice().between(0, type.getRank() - 1), size = shape[dim];
  shape[dim] = dice().between((size + 1) / 2, size);
  offsets[dim] = dice().between(0, size - shape[dim]);
  return graph::SliceOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, offsets, strides);
}

Value MemoryGrower::pad() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0), shape(type.getShape());
  int64_t dim = dice().between(0, type.getRank() - 1);
  low[dim] = dice().between(0, 3);
  high[dim] = dice().between(0, 3);
  shape[dim] += low[dim] + high[dim];
  return graph::PadOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, low, high,
                              TypedAttr(builder().getF32FloatAttr(0)));
}

Value MemoryGrower::concat() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice().between(0, type.getRank() - 1);
  SmallVector<int64_t> shape(type.getShape());
  Value other = companion(type);
  shape[dim] *= 2;
  return graph::ConcatOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), ValueRange{x, other},
                                 dim);
}

/// Rows of a tensor in the order that an input gives.
Value MemoryGrower::gather() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> shape(type.getShape());
  int64_t dim = dice().between(0, type.getRank() - 1);
  shape[dim] = std::max<int64_t>(1, shape[dim] - dice().between(0, 5));
  auto indexType = RankedTensorType::get({shape[dim]}, builder().getI64Type());
  (void)grower.func.insertArgument(grower.func.getNumArguments(), indexType, {}, loc());
  Value indices = grower.func.getArgument(grower.func.getNumArguments() - 1);
  return graph::GatherOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, indices, dim);
}

Value MemoryGrower::step() {
  int64_t roll = dice().between(1, 100);
  return roll <= 26   ? unary()
         : roll <= 54 ? binary()
         : roll <= 61 ? reduce()
         : roll <= 70 ? againstRow()
         : roll <= 76 ? normalize()
         : roll <= 78 ? scan()
         : roll <= 85 ? grower.transpose()
         : roll <= 89 ? grower.reshape()
         : roll <= 93 ? slice()
         : roll <= 95 ? pad()
         : roll <= 97 ? concat()
                      : gather();
}

OwningOpRef<ModuleOp> MemoryGrower::run() {
  OwningOpRef<ModuleOp> module = grower.begin();
  mainShape = randomShape();
  input(mainShape);
  for (int64_t left = dice().between(3, 25); left > 0; --left) {
    Value value = step();
    if (value && typeOf(value).getNumElements() <= 4 * elements)
      grower.values.push_back(value);
  }
  // What nothing reads is returned, the largest first, and now and then something from the middle.
  SmallVector<Value> results;
  for (Value value : llvm::reverse(grower.values))
    if (value.use_empty() && value.getDefiningOp() && !isa<arith::ExtFOp>(value.getDefiningOp()))
      results.push_back(value);
  // A stable order, by insertion: there are few.
  for (size_t i = 1; i < results.size(); ++i)
    for (size_t j = i; j && typeOf(results[j]).getNumElements() > typeOf(results[j - 1]).getNumElements();
         --j)
      std::swap(results[j], results[j - 1]);
  if (results.size() > 3)
    results.resize(3);
  Value last = grower.values.back();
  if (results.empty())
    results.push_back(last);
  if (Value middle = dice().chance(30) ? dice().pick(ArrayRef(grower.values)) : Value();
      middle && middle.getDefiningOp() && !llvm::is_contained(results, middle))
    results.push_back(middle);
  for (Value &result : results)
    if (!stored.isF32())
      result = arith::TruncFOp::create(builder(), loc(), typeOf(result).clone(stored), result);
  func::FuncOp func = grower.func;
  func::ReturnOp::create(builder(), loc(), results);
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value value) { return value.getType(); });
  func.setType(builder().getFunctionType(func.getArgumentTypes(), types));
  // Only what the results need.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
  llvm::BitVector unused(func.getNumArguments());
  for (BlockArgument argument : func.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  if (!unused.all())
    (void)func.eraseArguments(unused);
  return module;
}

OwningOpRef<ModuleOp> tilewright::check::makeMemoryProgram(MLIRContext &context, uint64_t seed,
                                                           MemorySize size) {
  Grower grower{context, Dice{seed * 15485863 + 3 + (uint64_t)size}};
  static const std::pair<int64_t, int64_t> kElements[] = {
      {200, 3000}, {2000, 60000}, {500 * 1000, 3 * 1000 * 1000}, {16 * 1000 * 1000, 48 * 1000 * 1000}};
  auto [least, most] = kElements[(int)size];
  int64_t elements = grower.dice.between(least, most);
  Type stored = grower.dice.chance(55) ? Type(Float32Type::get(&context)) : Type(BFloat16Type::get(&context));
  return MemoryGrower{std::move(grower), elements, stored}.run();
}
