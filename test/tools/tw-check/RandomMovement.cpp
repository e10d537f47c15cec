// Random steps that move elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomGrower.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

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
  SmallVector<int64_t> shape(dice.between(0, 4) == 0 ? 1 : dice.between(1, kMostRank), 1);
  int64_t left = type.getNumElements();
  if (left == 0)
    shape[dice.between(0, (int64_t)shape.size() - 1)] = 0;
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
    if (size == 0) {
      offsets.push_back(0);
      strides.push_back(1);
      shape.push_back(0);
      continue;
    }
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
  Value x = any([](RankedTensorType type) { return type.getRank() > 0 && type.getNumElements() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice.between(0, type.getRank() - 1);
  SmallVector<int64_t> indexShape;
  for (int64_t i = dice.between(0, std::min<int64_t>(2, kMostRank + 1 - type.getRank())); i > 0; --i)
    indexShape.push_back(dice.between(1, 6));
  SmallVector<int64_t> shape(type.getShape().take_front(dim));
  llvm::append_range(shape, indexShape);
  llvm::append_range(shape, type.getShape().drop_front(dim + 1));
  // Inputs are 0 to 3; one less, some count from the end, and some are outside of small tables.
  Value indices = addInput(indexShape, dice.chance(50) ? builder.getI64Type() : builder.getI32Type());
  indices = arith::SubIOp::create(builder, loc, indices, constant(typeOf(indices), 1));
  return graph::GatherOp::create(builder, loc, type.clone(ArrayRef<int64_t>(shape)), x, indices, dim);
}

Value Grower::scatter() {
  // Of 16-bit floats, sums in another order differ by more than the other steps' roundings.
  Value x = any([](RankedTensorType type) {
    return type.getRank() > 0 && type.getNumElements() > 0 &&
           (type.getElementType().isF32() || type.getElementType().isInteger(32));
  });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t batch = dice.chance(70) ? 0 : dice.between(0, type.getRank() - 1), count = dice.between(1, 7);
  SmallVector<int64_t> indexShape(type.getShape().take_front(batch));
  indexShape.push_back(count);
  SmallVector<int64_t> updateShape(type.getShape());
  updateShape[batch] = count;
  // Inputs are 0 to 3: several updates meet at one place, and some lie outside of small tensors.
  Value indices = addInput(indexShape, dice.chance(50) ? builder.getI64Type() : builder.getI32Type());
  indices = arith::SubIOp::create(builder, loc, indices, constant(typeOf(indices), 1));
  static const graph::ScatterKind kKinds[] = {graph::ScatterKind::Set, graph::ScatterKind::Set,
                                              graph::ScatterKind::Add, graph::ScatterKind::Max,
                                              graph::ScatterKind::Min};
  Value updates = companion(RankedTensorType::get(updateShape, type.getElementType()));
  return graph::ScatterOp::create(builder, loc, type, x, indices, updates, dice.pick(ArrayRef(kKinds)),
                                  batch);
}

Value Grower::broadcast() {
  Value x = any([](RankedTensorType type) { return type.getRank() < kMostRank; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims, shape;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (dice.chance(25) && (int64_t)shape.size() + type.getRank() - d < kMostRank)
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
