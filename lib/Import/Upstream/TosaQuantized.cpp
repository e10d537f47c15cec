// tosa's fixed-point operators: rescale by multiplier and shift, and tables. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

/// `value * multiplier / 2^shift`, in 64 bits, rounded to the nearest with halves upwards; where `twice`, and
/// the shift is above 31, halves of the 31st place go away from zero before.
static Value scaled(OpImport &n, Value value, Value multiplier, Value shift, bool twice) {
  Value one = n.constantLike(value, 1), zero = n.constantLike(value, 0);
  Value round = n.create<arith::ShLIOp>(one, n.sub(shift, one));
  if (twice) {
    Value half = n.constantLike(value, (double)(1 << 30));
    Value isNegative = n.compare(arith::CmpIPredicate::slt, value, zero);
    Value away = n.select(isNegative, n.sub(round, half), n.add(round, half));
    Value isLong = n.compare(arith::CmpIPredicate::sgt, shift, n.constantLike(value, 31));
    round = n.select(isLong, away, round);
  }
  return n.create<arith::ShRSIOp>(n.add(n.mul(value, multiplier), round), shift);
}

static LogicalResult importRescale(OpImport &n) {
  auto op = cast<tosa::RescaleOp>(n.op);
  Type i64 = n.builder.getI64Type(), element = n.resultType().getElementType();
  std::optional<OpImport::Dims> shifts = n.constantInts(op.getShift(), "shift");
  TypedAttr inZero = n.constantElement(op.getInputZp(), "input zero point"),
            outZero = n.constantElement(op.getOutputZp(), "output zero point");
  if (op.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND)
    return n.fail("rounding INEXACT_ROUND is not defined");
  if (!shifts || !inZero || !outZero)
    return failure();
  for (int64_t shift : *shifts)
    if (shift < 1 || shift > 62)
      return n.fail("shift " + Twine(shift) + " is outside [1, 62]");
  bool twice = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  if (twice && !op.getScale32())
    return n.fail("rounding DOUBLE_ROUND goes with 32-bit multipliers");
  auto zeroPoint = [](TypedAttr attr, bool isUnsigned) {
    APInt value = cast<IntegerAttr>(attr).getValue();
    return (double)(isUnsigned ? (int64_t)value.getZExtValue() : value.getSExtValue());
  };
  Value x = n.castTo(n.operand(0), i64, op.getInputUnsigned());
  OpImport::Shape shape = n.shapeOf(x);
  // Factors are one, or one for each index of the last dimension.
  auto factor = [&](Value source) {
    Value wide = n.castTo(n.value(source), i64);
    return n.broadcast(op.getPerChannel() ? wide : n.reshape(wide, {}), shape);
  };
  if (!op.getPerChannel() && shifts->size() != 1)
    return n.fail("it has " + Twine(shifts->size()) + " shifts, expected 1");
  if (op.getPerChannel() && (shape.empty() || (int64_t)shifts->size() != shape.back()))
    return n.fail("it has " + Twine(shifts->size()) + " shifts for a tensor of shape " + n.text(shape));
  Value value = n.sub(x, n.constantLike(x, zeroPoint(inZero, op.getInputUnsigned())));
  value = scaled(n, value, factor(op.getMultiplier()), factor(op.getShift()), twice);
  value = n.add(value, n.constantLike(x, zeroPoint(outZero, op.getOutputUnsigned())));
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < 64) {
    double least = op.getOutputUnsigned() ? 0 : -(double)(int64_t(1) << (bits - 1));
    double most = (double)((int64_t(1) << (op.getOutputUnsigned() ? bits : bits - 1)) - 1);
    value = n.min(n.max(value, n.constantLike(x, least)), n.constantLike(x, most));
  }
  return n.yield(n.castTo(value, element));
}

/// 256 entries for i8; 513 for i16, between which the low 7 bits interpolate.
static LogicalResult importTable(OpImport &n) {
  auto op = cast<tosa::TableOp>(n.op);
  Value x = n.value(op.getInput1()), table = n.value(op.getTable());
  Type i32 = n.builder.getI32Type();
  unsigned bits = n.elementOf(x).getIntOrFloatBitWidth();
  int64_t entries = bits == 8 ? 256 : 513;
  if (!isa<IntegerType>(n.elementOf(x)) || (bits != 8 && bits != 16))
    return n.fail("its elements are " + n.text(n.elementOf(x)) + ", expected i8 or i16");
  if (n.shapeOf(table) != OpImport::Shape(entries))
    return n.fail("its table has " + n.text(n.shapeOf(table)) + " entries, expected " + Twine(entries));
  Value place = n.castTo(x, i32);
  place = n.add(place, n.constantLike(place, bits == 8 ? 128 : 32768));
  if (bits == 8)
    return n.yield(n.castTo(n.gather(table, place, 0), n.resultType().getElementType()));
  Value seven = n.constantLike(place, 7), low = n.constantLike(place, 127);
  Value index = n.create<arith::ShRSIOp>(place, seven), fraction = n.create<arith::AndIOp>(place, low);
  Value base = n.castTo(n.gather(table, index, 0), i32);
  Value next = n.castTo(n.gather(table, n.add(index, n.constantLike(index, 1)), 0), i32);
  Value value = n.add(n.create<arith::ShLIOp>(base, seven), n.mul(n.sub(next, base), fraction));
  return n.yield(n.castTo(value, n.resultType().getElementType()));
}

void tilewright::upstream::addTosaQuantized(HandlerTable &table) {
  table["tosa.rescale"] = importRescale;
  table["tosa.table"] = importTable;
}
