// Grows a program op by op from values made before; operands that do not fit get an input of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomProgram.h"
#include "RandomGrower.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

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
  SmallVector<int64_t> shape(dice.between(0, 9) == 0 ? 0 : dice.between(1, kMostRank));
  int64_t elems = 1;
  for (int64_t &size : shape) {
    size = dice.pick(ArrayRef(kSizes));
    while (elems * size > kMostElems)
      size = (size + 1) / 2;
    elems *= size;
  }
  if (!shape.empty() && dice.chance(3))
    shape[dice.between(0, (int64_t)shape.size() - 1)] = 0;
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
      shape.push_back(type.getDimSize(d) && dice.chance(20) ? 1 : type.getDimSize(d));
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
                                                {&Grower::scan, 3},
                                                {&Grower::select, 2},
                                                {&Grower::matmul, 7},
                                                {&Grower::transpose, 7},
                                                {&Grower::reshape, 6},
                                                {&Grower::slice, 4},
                                                {&Grower::concat, 3},
                                                {&Grower::pad, 3},
                                                {&Grower::gather, 3},
                                                {&Grower::scatter, 2},
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

OwningOpRef<ModuleOp> Grower::begin() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  func = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(func.addEntryBlock());
  return module;
}

void Grower::finish() {
  // At most three values, and now and then something from the middle.
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
}

OwningOpRef<ModuleOp> Grower::run() {
  OwningOpRef<ModuleOp> module = begin();
  addInput(randomShape(), randomFloat());
  for (int64_t i = dice.between(3, 25); i > 0; --i)
    step();
  finish();
  return module;
}

OwningOpRef<ModuleOp> tilewright::check::makeRandomProgram(MLIRContext &context, uint64_t seed) {
  return Grower{context, Dice{seed * 7919 + 1}}.run();
}
