// Values that lose nothing where they are stored in 16 bits.
//
// What is chosen among widened numbers, or changes no more than their sign, is one of them or its negative: a
// maximum of rows, a clamped input, a gathered one. Between kernels such a value is stored in the type that
// it came from; its readers widen it again, to the same numbers.

#include "Partition.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Ops that copies for readers are followed through, and elements of a constant that are looked at.
static constexpr int kMostSteps = 8;
static constexpr int64_t kMostElements = 1 << 12;
/// Bytes of fp32 below which a value is left as it is: what little it saves is not worth another tile.
static constexpr int64_t kLeastBytes = 1 << 20;
/// Bits of an integer all of whose numbers are bf16, which has 8 bits of significand.
static constexpr unsigned kExactIntegerBits = 8;

/// Types by bits of a set.
static constexpr unsigned kBF16 = 1, kF16 = 2, kBoth = kBF16 | kF16;

static unsigned typesOf(const APFloat &number) {
  unsigned types = 0;
  for (auto [type, semantics] :
       {std::pair(kBF16, &APFloat::BFloat()), std::pair(kF16, &APFloat::IEEEhalf())}) {
    APFloat rounded = number;
    bool loses = false;
    rounded.convert(*semantics, APFloat::rmNearestTiesToEven, &loses);
    types |= loses ? 0 : type;
  }
  return types;
}

static unsigned typesOfConstant(Value value) {
  DenseFPElementsAttr dense;
  if (!matchPattern(value, m_Constant(&dense)) || (!dense.isSplat() && dense.size() > kMostElements))
    return 0;
  if (dense.isSplat())
    return typesOf(dense.getSplatValue<APFloat>());
  unsigned types = kBoth;
  for (const APFloat &number : dense.getValues<APFloat>())
    types &= typesOf(number);
  return types;
}

/// The types that have all numbers of `narrow`.
static unsigned typesOfWidened(Type narrow) {
  auto type = dyn_cast<FloatType>(narrow);
  if (!type || type.getIntOrFloatBitWidth() > 16)
    return 0;
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  unsigned types = typesOf(APFloat::getLargest(semantics)) & typesOf(APFloat::getSmallest(semantics));
  for (auto [set, wide] : {std::pair(kBF16, &APFloat::BFloat()), std::pair(kF16, &APFloat::IEEEhalf())})
    if (APFloat::semanticsPrecision(semantics) > APFloat::semanticsPrecision(*wide))
      types &= ~set;
  return types;
}

/// Whether each element of the result is one of the first operand's, its negative, or a whole number beside
/// it.
static bool keepsNumbers(Operation *op) {
  if (isMovement(op) || isa<graph::GatherOp, arith::NegFOp, math::AbsFOp, math::FloorOp, math::CeilOp,
                            math::TruncOp, math::RoundOp, math::RoundEvenOp>(op))
    return true;
  if (auto reduce = dyn_cast<graph::ReduceOp>(op))
    return reduce.getKind() == graph::ReduceKind::Max || reduce.getKind() == graph::ReduceKind::Min;
  auto scan = dyn_cast<graph::ScanOp>(op);
  return scan && (scan.getKind() == graph::ReduceKind::Max || scan.getKind() == graph::ReduceKind::Min);
}

unsigned Partition::exactTypes(Value value, int steps) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || !getElementTypeOrSelf(value.getType()).isF32())
    return 0;
  if (auto it = exact.find(op); it != exact.end())
    return it->second;
  // Ops of the program are known; one that the partition made is a copy of such.
  if (steps == 0)
    return 0;
  auto ofAll = [&](ValueRange values) {
    unsigned types = kBoth;
    for (Value each : values)
      if (types)
        types &= exactTypes(each, steps - 1);
    return types;
  };
  if (isa<arith::ConstantOp>(op))
    return typesOfConstant(value);
  if (isa<arith::ExtFOp>(op))
    return typesOfWidened(getElementTypeOrSelf(op->getOperand(0).getType()));
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return getElementTypeOrSelf(op->getOperand(0).getType()).getIntOrFloatBitWidth() <= kExactIntegerBits
               ? kBoth
               : 0;
  if (auto pad = dyn_cast<graph::PadOp>(op)) {
    auto number = dyn_cast<FloatAttr>(pad.getValue());
    return number ? typesOf(number.getValue()) & exactTypes(pad.getInput(), steps - 1) : 0;
  }
  if (isa<arith::SelectOp>(op))
    return ofAll(op->getOperands().drop_front());
  if (isa<graph::ConcatOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return ofAll(op->getOperands());
  return keepsNumbers(op) ? exactTypes(op->getOperand(0), steps - 1) : 0;
}

void Partition::findExact() {
  for (Operation &op : func.getBody().front().without_terminator())
    if (op.getNumResults() == 1)
      exact[&op] = exactTypes(op.getResult(0), kMostSteps);
}

FloatType Partition::storedElement(Value value) const {
  if (!getElementTypeOrSelf(value.getType()).isF32() || !isComputed(value.getDefiningOp()) ||
      isReturned(value) || isPartOfReduction(value))
    return FloatType();
  bool isSmall = plan::storageBytes(cast<RankedTensorType>(value.getType())) < kLeastBytes;
  unsigned types = storage || isSmall ? 0 : exactTypes(value, kMostSteps);
  if ((!storage && !types) || isReadInPlace(value))
    return FloatType();
  if (storage)
    return storage;
  MLIRContext *context = value.getContext();
  if (types & kBF16)
    return BFloat16Type::get(context);
  return types & kF16 ? FloatType(Float16Type::get(context)) : FloatType();
}
