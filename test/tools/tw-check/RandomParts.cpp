// Random programs whose values are parts of one another: slices, shifts, rotations, pads and concatenations
// beside the whole, read by reductions, scans, selections and products, in floats and small integers, many of
// them returned; now and then over few long rows, which are cut into pieces or kept by clusters. What the
// fuse stage joins most eagerly is what these are made of. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "RandomGrower.h"
#include "RandomProgram.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

namespace {

struct PartsGrower {
  Grower grower;
  Type element = {};
  SmallVector<int64_t> mainShape = {};
  /// Rows of tens of thousands of elements: fewer steps, each of which takes the emulator long.
  bool isLong = false;
  /// Values that every way of computing them gives the same bits: what is compared may come from these alone.
  llvm::SmallPtrSet<Operation *, 16> exact = {};

  Dice &dice() { return grower.dice; }
  OpBuilder &builder() { return grower.builder; }
  Location loc() { return grower.loc; }
  RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  bool isFloat(Value value) { return isa<FloatType>(typeOf(value).getElementType()); }
  bool isExact(Value value) {
    return !value.getDefiningOp() || exact.contains(value.getDefiningOp()) ||
           typeOf(value).getElementType().isInteger();
  }
  /// `value`, which has the bits that `from` decides.
  Value movedFrom(Value from, Value value) {
    if (isExact(from))
      exact.insert(value.getDefiningOp());
    return value;
  }

  void chooseMain();
  Value pick(int64_t leastRank = 0);
  Value sameAs(RankedTensorType type);
  Value sliceOf(Value x, int64_t dim, int64_t offset, int64_t size, int64_t stride = 1);
  Value joined(ArrayRef<Value> parts, int64_t dim);
  Value padded(Value x, int64_t dim, int64_t low, int64_t high);

  // Steps; null when nothing fits.
  Value unary();
  Value combined(Value x, Value y);
  Value binary() {
    Value x = pick();
    return combined(x, sameAs(typeOf(x)));
  }
  Value part();
  Value shiftedDifference();
  Value rotated();
  Value inTurn();
  Value rejoined();
  Value wholeAgain();
  Value reduced();
  Value scanned();
  Value normalized();
  Value chosen();
  Value masked();
  Value gathered();
  Value scattered();
  Value product();
  Value castElements();
  Value step();
  OwningOpRef<ModuleOp> run();
};

} // namespace

//===-- Operands ----------------------------------------------------------------------------------------===//

void PartsGrower::chooseMain() {
  static const int64_t kSizes[] = {1,  1,  2,  3,  4,  5,  7,  8,   9,   16, 17,
                                   24, 31, 32, 33, 40, 64, 65, 100, 129, 256};
  int64_t roll = dice().between(1, 100);
  element = roll <= 62   ? Type(builder().getF32Type())
            : roll <= 68 ? Type(builder().getF16Type())
            : roll <= 76 ? Type(builder().getBF16Type())
            : roll <= 84 ? Type(builder().getI32Type())
            : roll <= 93 ? Type(builder().getI8Type())
            : roll <= 97 ? Type(builder().getI64Type())
                         : Type(builder().getI16Type());
  isLong = dice().chance(8);
  if (isLong) {
    int64_t length = dice().between(12000, 70000), others = dice().between(1, 3);
    mainShape = dice().chance(70)   ? SmallVector<int64_t>{others, length}
                : dice().chance(50) ? SmallVector<int64_t>{length}
                                    : SmallVector<int64_t>{length, others};
    return;
  }
  mainShape.assign(dice().between(1, 4), 1);
  int64_t elements = 1;
  for (int64_t &size : mainShape) {
    size = dice().pick(ArrayRef(kSizes));
    while (elements * size > Grower::kMostElems)
      size = (size + 1) / 2;
    elements *= size;
  }
}

Value PartsGrower::pick(int64_t leastRank) {
  Value value = grower.any([&](RankedTensorType type) {
    return type.getRank() >= leastRank && !type.getElementType().isInteger(1);
  });
  return value ? value : grower.values.front();
}

/// Another value of `type`, or a part of the main tensor's dimensions repeated, or a new input.
Value PartsGrower::sameAs(RankedTensorType type) {
  Value same = grower.any([&](RankedTensorType other) { return other == type; });
  return same && dice().chance(70) ? same : grower.companion(type);
}

Value PartsGrower::sliceOf(Value x, int64_t dim, int64_t offset, int64_t size, int64_t stride) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1), shape(type.getShape());
  offsets[dim] = offset;
  strides[dim] = stride;
  shape[dim] = size;
  return movedFrom(
      x, graph::SliceOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, offsets, strides));
}

Value PartsGrower::joined(ArrayRef<Value> parts, int64_t dim) {
  SmallVector<int64_t> shape(typeOf(parts.front()).getShape());
  shape[dim] = 0;
  bool allExact = true;
  for (Value part : parts) {
    shape[dim] += typeOf(part).getDimSize(dim);
    allExact &= isExact(part);
  }
  Value value = graph::ConcatOp::create(builder(), loc(),
                                        typeOf(parts.front()).clone(ArrayRef<int64_t>(shape)), parts, dim);
  if (allExact)
    exact.insert(value.getDefiningOp());
  return value;
}

Value PartsGrower::padded(Value x, int64_t dim, int64_t low, int64_t high) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> lows(type.getRank(), 0), highs(type.getRank(), 0), shape(type.getShape());
  lows[dim] = low;
  highs[dim] = high;
  shape[dim] += low + high;
  int64_t filling = dice().chance(60) ? 0 : dice().between(-2, 2);
  Type of = type.getElementType();
  TypedAttr value = isa<FloatType>(of) ? TypedAttr(builder().getFloatAttr(of, (double)filling))
                                       : TypedAttr(builder().getIntegerAttr(of, filling));
  return movedFrom(
      x, graph::PadOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, lows, highs, value));
}

//===-- Elementwise -------------------------------------------------------------------------------------===//

Value PartsGrower::unary() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  if (!isFloat(x)) {
    unsigned width = type.getElementTypeBitWidth();
    switch (dice().between(0, 3)) {
    case 0:
      return arith::ShRUIOp::create(builder(), loc(), x, grower.constant(type, dice().between(0, width - 1)));
    case 1:
      return arith::ShLIOp::create(builder(), loc(), x, grower.constant(type, dice().between(0, width - 1)));
    case 2:
      return arith::XOrIOp::create(builder(), loc(), x, grower.constant(type, -1));
    default:
      return math::AbsIOp::create(builder(), loc(), x);
    }
  }
  switch (dice().between(0, 7)) {
  case 0:
    return math::ExpOp::create(builder(), loc(), math::TanhOp::create(builder(), loc(), x));
  case 1:
    return math::TanhOp::create(builder(), loc(), x);
  case 2:
    return movedFrom(x, arith::NegFOp::create(builder(), loc(), x));
  case 3:
    return movedFrom(x, math::AbsFOp::create(builder(), loc(), x));
  case 4:
    return math::SqrtOp::create(builder(), loc(), math::AbsFOp::create(builder(), loc(), x));
  case 5:
    return math::ErfOp::create(builder(), loc(), x);
  case 6:
    return arith::MulFOp::create(builder(), loc(), math::TanhOp::create(builder(), loc(), x), x);
  default:
    return movedFrom(x, arith::MaximumFOp::create(builder(), loc(), x, grower.constant(type, 0)));
  }
}

Value PartsGrower::combined(Value x, Value y) {
  RankedTensorType type = typeOf(x);
  if (dice().chance(50))
    std::swap(x, y);
  if (isFloat(x))
    switch (dice().between(0, 4)) {
    case 0:
      return arith::SubFOp::create(builder(), loc(), x, y);
    case 1:
      return arith::MulFOp::create(builder(), loc(), x, math::TanhOp::create(builder(), loc(), y));
    case 2:
      return arith::MaximumFOp::create(builder(), loc(), x, y);
    case 3:
      return arith::DivFOp::create(builder(), loc(), x,
                                   arith::AddFOp::create(builder(), loc(),
                                                         math::AbsFOp::create(builder(), loc(), y),
                                                         grower.constant(type, 1)));
    default:
      return arith::AddFOp::create(builder(), loc(), x, y);
    }
  if (type.getElementType().isInteger(1))
    return arith::XOrIOp::create(builder(), loc(), x, y);
  switch (dice().between(0, 5)) {
  case 0:
    return arith::SubIOp::create(builder(), loc(), x, y);
  case 1:
    return arith::MulIOp::create(builder(), loc(), x, y);
  case 2:
    return arith::MaxUIOp::create(builder(), loc(), x, y);
  case 3: {
    Value odd = arith::OrIOp::create(builder(), loc(), y, grower.constant(type, 1));
    return dice().chance(50) ? Value(arith::DivUIOp::create(builder(), loc(), x, odd))
                             : Value(arith::RemUIOp::create(builder(), loc(), x, odd));
  }
  case 4:
    return arith::MinSIOp::create(builder(), loc(), x, y);
  default:
    return arith::AddIOp::create(builder(), loc(), x, y);
  }
}

Value PartsGrower::castElements() {
  Value x = pick();
  RankedTensorType type = typeOf(x);
  Type f32 = builder().getF32Type();
  if (auto from = dyn_cast<FloatType>(type.getElementType())) {
    if (!from.isF32())
      return movedFrom(x, arith::ExtFOp::create(builder(), loc(), type.clone(f32), x));
    return arith::TruncFOp::create(
        builder(), loc(),
        type.clone(dice().chance(50) ? Type(builder().getF16Type()) : Type(builder().getBF16Type())), x);
  }
  unsigned width = type.getElementTypeBitWidth();
  if (dice().chance(40))
    return dice().chance(50) ? Value(arith::SIToFPOp::create(builder(), loc(), type.clone(f32), x))
                             : Value(arith::UIToFPOp::create(builder(), loc(), type.clone(f32), x));
  if (width < 32)
    return dice().chance(50)
               ? Value(arith::ExtSIOp::create(builder(), loc(), type.clone(builder().getI32Type()), x))
               : Value(arith::ExtUIOp::create(builder(), loc(), type.clone(builder().getI32Type()), x));
  return arith::TruncIOp::create(builder(), loc(), type.clone(builder().getI8Type()), x);
}

/// Where values are larger than others, or behind a diagonal: one or the other.
Value PartsGrower::masked() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  if (type.getRank() == 0)
    return Value();
  auto indices = type.clone(builder().getI32Type());
  Value condition;
  if (dice().chance(50) && type.getRank() >= 2) {
    Value row = graph::IotaOp::create(builder(), loc(), indices, dice().between(0, type.getRank() - 2));
    Value column = graph::IotaOp::create(builder(), loc(), indices, type.getRank() - 1);
    condition = arith::CmpIOp::create(builder(), loc(), arith::CmpIPredicate::sge, row, column);
  } else {
    int64_t dim = dice().between(0, type.getRank() - 1);
    Value place = graph::IotaOp::create(builder(), loc(), indices, dim);
    condition = arith::CmpIOp::create(
        builder(), loc(), arith::CmpIPredicate::ult, place,
        grower.constant(indices, dice().between(0, std::min<int64_t>(100, type.getDimSize(dim)))));
  }
  if (dice().chance(20))
    return condition;
  return arith::SelectOp::create(builder(), loc(), condition, x, sameAs(type));
}

//===-- Parts -------------------------------------------------------------------------------------------===//

Value PartsGrower::part() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  if (type.getRank() == 0)
    return Value();
  for (int64_t again = dice().between(1, 2); again > 0; --again) {
    int64_t dim = dice().between(0, type.getRank() - 1), extent = typeOf(x).getDimSize(dim);
    if (extent == 0)
      continue;
    int64_t step = dice().chance(75) ? 1 : dice().between(2, 3);
    int64_t most = (extent + step - 1) / step;
    int64_t size = dice().chance(10)  ? 1
                   : dice().chance(4) ? 0
                                      : dice().between(std::max<int64_t>(1, most / 3), most);
    int64_t span = size ? (size - 1) * step : 0,
            first = dice().between(0, std::max<int64_t>(0, extent - 1 - span));
    bool backwards = size > 0 && dice().chance(15);
    x = sliceOf(x, dim, backwards ? first + span : first, size, backwards ? -step : step);
  }
  return x;
}

/// What each element has more than the one before it.
Value PartsGrower::shiftedDifference() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  int64_t dim = type.getRank() ? dice().between(0, type.getRank() - 1) : 0;
  if (type.getRank() == 0 || type.getDimSize(dim) < 2)
    return Value();
  int64_t by = dice().between(1, std::min<int64_t>(3, type.getDimSize(dim) - 1)),
          size = type.getDimSize(dim) - by;
  Value late = sliceOf(x, dim, by, size), early = sliceOf(x, dim, 0, size);
  Value difference = combined(late, early);
  return dice().chance(40) ? padded(difference, dim, dice().chance(50) ? by : 0, dice().chance(50) ? by : 0)
                           : difference;
}

/// One part behind the other, and one of them computed with.
Value PartsGrower::rotated() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  int64_t dim = type.getRank() ? dice().between(0, type.getRank() - 1) : 0;
  if (type.getRank() == 0 || type.getDimSize(dim) < 2)
    return Value();
  int64_t size = type.getDimSize(dim), cut = dice().chance(50) ? size / 2 : dice().between(1, size - 1);
  Value first = sliceOf(x, dim, 0, cut), second = sliceOf(x, dim, cut, size - cut);
  if (isFloat(x) && dice().chance(60))
    second = movedFrom(second, arith::NegFOp::create(builder(), loc(), second));
  if (isFloat(x) && dice().chance(30))
    first = math::TanhOp::create(builder(), loc(), first);
  Value turned = joined({second, first}, dim);
  return dice().chance(60) ? combined(turned, x) : turned;
}

/// Every second, fourth or eighth element with those behind it, which may take turns again.
Value PartsGrower::inTurn() {
  Value x = pick(1);
  int64_t rank = typeOf(x).getRank(), stride = int64_t(1) << (dice().chance(70) ? 1 : dice().between(2, 3));
  if (rank == 0)
    return Value();
  int64_t dim = dice().chance(80) ? rank - 1 : dice().between(0, rank - 1), size = typeOf(x).getDimSize(dim);
  if (size % stride != 0 || size == 0) {
    SmallVector<int64_t> shape(typeOf(x).getShape());
    shape[dim] = stride * std::max<int64_t>(1, size / stride);
    x = grower.addInput(shape, typeOf(x).getElementType());
    size = shape[dim];
  }
  SmallVector<Value> parts;
  for (int64_t i = 0; i < stride; ++i)
    parts.push_back(sliceOf(x, dim, i, size / stride, stride));
  Value sum = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    sum = combined(sum, part);
  if (dice().chance(40) || rank == Grower::kMostRank)
    return sum;
  parts.front() = sum;
  if (dice().chance(50))
    std::reverse(parts.begin(), parts.end());
  SmallVector<int64_t> apart(typeOf(sum).getShape());
  apart.insert(apart.begin() + dim + 1, 1);
  for (Value &part : parts)
    part = movedFrom(
        part, graph::ReshapeOp::create(builder(), loc(), typeOf(part).clone(ArrayRef<int64_t>(apart)), part));
  Value turns = joined(parts, dim + 1);
  return movedFrom(turns, graph::ReshapeOp::create(builder(), loc(), typeOf(x), turns));
}

/// Values of one shape, parts of them, or nothing, one behind the other.
Value PartsGrower::rejoined() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  if (type.getRank() == 0)
    return Value();
  int64_t dim = dice().between(0, type.getRank() - 1);
  SmallVector<Value> parts = {x};
  for (int64_t more = dice().between(1, 3); more > 0; --more) {
    Value other = dice().chance(20) ? x : sameAs(type);
    int64_t size = type.getDimSize(dim);
    if (size && dice().chance(40)) {
      int64_t taken = dice().chance(10) ? 0 : dice().between(1, size);
      other = sliceOf(other, dim, dice().between(0, size - std::max<int64_t>(taken, 1)), taken);
    }
    parts.push_back(other);
  }
  if (dice().chance(50))
    std::swap(parts.front(), parts.back());
  return joined(parts, dim);
}

/// A part padded to the main shape, beside a value that has all of it.
Value PartsGrower::wholeAgain() {
  Value x = grower.any([&](RankedTensorType type) {
    return type.getElementType() == element && type.getRank() == (int64_t)mainShape.size() &&
           type.getShape() != ArrayRef(mainShape) &&
           llvm::all_of(llvm::zip(type.getShape(), mainShape),
                        [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
  });
  if (!x)
    return Value();
  for (int64_t d = 0; d < (int64_t)mainShape.size(); ++d)
    if (int64_t missing = mainShape[d] - typeOf(x).getDimSize(d)) {
      int64_t low = dice().chance(40) ? 0 : dice().between(0, missing);
      x = padded(x, d, low, missing - low);
    }
  return dice().chance(60) ? combined(x, sameAs(typeOf(x))) : x;
}

//===-- Structured --------------------------------------------------------------------------------------===//

Value PartsGrower::reduced() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  if (type.getRank() == 0)
    return Value();
  SmallVector<int64_t> dims, kept, shape;
  int64_t mode = dice().between(0, 3);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    bool take = mode <= 1 ? d == type.getRank() - 1 : mode == 2 ? d == 0 : dice().chance(50);
    (take ? dims : kept).push_back(d);
    if (!take)
      shape.push_back(type.getDimSize(d));
  }
  if (dims.empty())
    return Value();
  static const graph::ReduceKind kKinds[] = {graph::ReduceKind::Sum, graph::ReduceKind::Sum,
                                             graph::ReduceKind::Max, graph::ReduceKind::Min};
  graph::ReduceKind kind = dice().pick(ArrayRef(kKinds));
  Value row = graph::ReduceOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, kind, dims);
  if (kind != graph::ReduceKind::Sum)
    movedFrom(x, row);
  if (dice().chance(50))
    return row;
  grower.values.push_back(row);
  return combined(x, graph::BroadcastOp::create(builder(), loc(), type, row, kept));
}

Value PartsGrower::scanned() {
  Value x = pick(1);
  RankedTensorType type = typeOf(x);
  if (type.getRank() == 0)
    return Value();
  static const graph::ReduceKind kKinds[] = {graph::ReduceKind::Sum, graph::ReduceKind::Max,
                                             graph::ReduceKind::Min};
  graph::ReduceKind kind = dice().pick(ArrayRef(kKinds));
  int64_t dim = dice().between(0, type.getRank() - 1);
  Value value = graph::ScanOp::create(builder(), loc(), type, x, kind, dim, dice().chance(50));
  if (kind != graph::ReduceKind::Sum)
    movedFrom(x, value);
  if (dice().chance(60) || type.getDimSize(dim) < 2)
    return value;
  // Without its own element: the scan moved on by one.
  int64_t rest = type.getDimSize(dim) - 1;
  return padded(sliceOf(value, dim, 0, rest), dim, 1, 0);
}

Value PartsGrower::normalized() {
  Value x = grower.any(
      [](RankedTensorType type) { return isa<FloatType>(type.getElementType()) && type.getRank() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t dim = dice().chance(70) ? type.getRank() - 1 : dice().between(0, type.getRank() - 1);
  if (dice().chance(60))
    return graph::SoftmaxOp::create(builder(), loc(), type, x, dim);
  return graph::LayerNormOp::create(builder(), loc(), type, x, Value(), Value(), dim, APFloat(1e-2));
}

/// Where the extreme of a row is, or of its first few: indices to gather with, among equals as well.
Value PartsGrower::chosen() {
  Value x = grower.any([](RankedTensorType type) {
    return type.getRank() > 0 && type.getNumElements() > 0 && !type.getElementType().isInteger(1);
  });
  if (!x || !isExact(x))
    x = grower.addInput(mainShape, dice().chance(50) ? Type(builder().getI8Type()) : element);
  RankedTensorType type = typeOf(x);
  int64_t dim = dice().between(0, type.getRank() - 1);
  if (type.getDimSize(dim) > 4096)
    return Value();
  Type index = dice().chance(50) ? builder().getI64Type() : builder().getI32Type();
  SmallVector<int64_t> shape(type.getShape());
  if (dice().chance(65)) {
    shape.erase(shape.begin() + dim);
    return graph::ArgReduceOp::create(builder(), loc(), RankedTensorType::get(shape, index), x,
                                      dice().chance(50) ? graph::ReduceKind::Max : graph::ReduceKind::Min,
                                      dim, dice().chance(50));
  }
  shape[dim] = dice().between(1, std::min<int64_t>(shape[dim], 6));
  return graph::TopKOp::create(builder(), loc(), RankedTensorType::get(shape, index), x, dim,
                               dice().chance(50));
}

/// Rows by indices that were computed, counted from the end in part.
Value PartsGrower::gathered() {
  Value x = grower.any([](RankedTensorType type) { return type.getRank() > 0 && type.getNumElements() > 0; });
  if (!x)
    return Value();
  RankedTensorType type = typeOf(x);
  Value indices = grower.any([&](RankedTensorType other) {
    return (other.getElementType().isInteger(32) || other.getElementType().isInteger(64)) &&
           other.getRank() + type.getRank() - 1 <= Grower::kMostRank &&
           other.getNumElements() * type.getNumElements() <= 4 * Grower::kMostElems;
  });
  if (!indices || dice().chance(40))
    indices = grower.addInput({dice().between(1, 12)}, builder().getI64Type());
  indices = arith::SubIOp::create(builder(), loc(), indices, grower.constant(typeOf(indices), 1));
  int64_t dim = dice().between(0, type.getRank() - 1);
  SmallVector<int64_t> shape(type.getShape().take_front(dim));
  llvm::append_range(shape, typeOf(indices).getShape());
  llvm::append_range(shape, type.getShape().drop_front(dim + 1));
  return movedFrom(
      x, graph::GatherOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(shape)), x, indices, dim));
}

/// Parts put back into the whole at places that an input names.
Value PartsGrower::scattered() {
  Value x = grower.any([](RankedTensorType type) {
    return type.getRank() > 0 && type.getNumElements() > 0 &&
           (type.getElementType().isF32() || type.getElementType().isInteger(32));
  });
  if (!x || isLong)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t count = dice().between(1, std::min<int64_t>(9, type.getDimSize(0)));
  Value updates =
      sliceOf(dice().chance(50) ? x : sameAs(type), 0, dice().between(0, type.getDimSize(0) - count), count);
  Value indices = grower.addInput({count}, builder().getI64Type());
  static const graph::ScatterKind kKinds[] = {graph::ScatterKind::Set, graph::ScatterKind::Add,
                                              graph::ScatterKind::Max};
  return graph::ScatterOp::create(builder(), loc(), type, x, indices, updates, dice().pick(ArrayRef(kKinds)),
                                  0);
}

/// A product of a value with an input, which is beside its own parts then.
Value PartsGrower::product() {
  Value x = grower.any([&](RankedTensorType type) {
    return isa<FloatType>(type.getElementType()) && type.getRank() >= 2 && !type.getElementType().isF64();
  });
  if (!x || isLong)
    return Value();
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank(), k = type.getDimSize(rank - 1);
  int64_t n = dice().chance(50) ? k : dice().between(1, 40);
  if (type.getNumElements() / std::max<int64_t>(k, 1) * n > Grower::kMostElems)
    return Value();
  SmallVector<int64_t> shape(type.getShape()), result(type.getShape());
  shape[rank - 2] = k;
  shape[rank - 1] = n;
  result[rank - 1] = n;
  Value y = grower.addInput(shape, type.getElementType());
  return graph::MatmulOp::create(builder(), loc(), type.clone(ArrayRef<int64_t>(result)), x, y);
}

//===-- The whole ---------------------------------------------------------------------------------------===//

Value PartsGrower::step() {
  int64_t roll = dice().between(1, 100);
  return roll <= 10   ? unary()
         : roll <= 22 ? binary()
         : roll <= 31 ? part()
         : roll <= 36 ? inTurn()
         : roll <= 43 ? shiftedDifference()
         : roll <= 51 ? rotated()
         : roll <= 58 ? rejoined()
         : roll <= 65 ? wholeAgain()
         : roll <= 74 ? reduced()
         : roll <= 80 ? scanned()
         : roll <= 84 ? normalized()
         : roll <= 87 ? chosen()
         : roll <= 89 ? masked()
         : roll <= 91 ? gathered()
         : roll <= 92 ? scattered()
         : roll <= 94 ? product()
         : roll <= 96 ? castElements()
         : roll <= 98 ? grower.transpose()
                      : grower.reshape();
}

OwningOpRef<ModuleOp> PartsGrower::run() {
  OwningOpRef<ModuleOp> module = grower.begin();
  chooseMain();
  grower.addInput(mainShape, element);
  for (int64_t left = isLong ? dice().between(2, 6) : dice().between(3, 18); left > 0; --left) {
    Value value = step();
    if (value && typeOf(value).getNumElements() <= (isLong ? 300000 : 4 * Grower::kMostElems))
      grower.values.push_back(value);
  }
  SmallVector<Value> results;
  for (Value value : llvm::reverse(grower.values))
    if (value.use_empty() && value.getDefiningOp() && results.size() < 5)
      results.push_back(value);
  for (int64_t more = dice().between(0, 2); more > 0; --more)
    results.push_back(dice().pick(ArrayRef(grower.values)));
  if (results.empty())
    results.push_back(grower.values.back());
  func::FuncOp func = grower.func;
  func::ReturnOp::create(builder(), loc(), results);
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value value) { return value.getType(); });
  func.setType(builder().getFunctionType(func.getArgumentTypes(), types));
  return module;
}

OwningOpRef<ModuleOp> tilewright::check::makePartsProgram(MLIRContext &context, uint64_t seed) {
  return PartsGrower{Grower{context, Dice{seed * 32452843 + 5}}}.run();
}
