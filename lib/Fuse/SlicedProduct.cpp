#include "SlicedProduct.h"
#include "OperandInMemory.h"
#include "TrafficModel.h"

#include "Tilewright/Analysis/KernelIndexing.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

/// What the modelled time of the parts may be of the other one: of eleven gates of 16 to 8192 rows (K = 4096,
/// 11008 columns each) the parts were faster by 1 to 9 %, one of them where they are modelled to be slower by
/// 5 % (docs/performance/data/fused-products-h200.json).
static constexpr double kMargin = 1.06;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Whether the slices are parts of one size of a dimension, and nothing is part of two.
bool SlicedProduct::arePartsAlong(int64_t fromLast) {
  llvm::SmallDenseSet<int64_t> taken;
  for (SliceOp slice : slices) {
    RankedTensorType type = slice.getType(), whole = typeOf(slice.getInput());
    int64_t along = type.getRank() - fromLast, size = type.getDimSize(along);
    RankedTensorType first = slices.front().getType();
    if ((fromLast > 1 && !moves[slice].empty()) || size != first.getDimSize(first.getRank() - fromLast))
      return false;
    for (auto [d, n] : llvm::enumerate(whole.getShape()))
      if ((int64_t)d != along && n != type.getDimSize(d))
        return false;
    int64_t offset = slice.getOffsets()[along], stride = slice.getStrides()[along];
    for (int64_t i = 0; i < size; ++i)
      if (!taken.insert(offset + i * stride).second)
        return false;
  }
  return true;
}

bool SlicedProduct::arePartsOfOperand() {
  auto keepsColumns = [](Operation *move) {
    return isa<ReshapeOp>(move) &&
           typeOf(move->getOperand(0)).getShape().back() == typeOf(move->getResult(0)).getShape().back();
  };
  if (slices.size() < 2 || slices.size() > kMostProducts ||
      !llvm::all_of(slices, [&](SliceOp slice) { return llvm::all_of(moves[slice], keepsColumns); }))
    return false;
  ofColumns = arePartsAlong(1);
  return ofColumns || arePartsAlong(2);
}

bool SlicedProduct::findSlices() {
  SmallVector<std::pair<Value, SmallVector<Operation *>>> pending;
  pending.push_back({product, {}});
  while (!pending.empty()) {
    auto [value, before] = pending.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (auto slice = dyn_cast<SliceOp>(user)) {
        add(slice, before);
      } else if (isa<ReshapeOp>(user)) {
        pending.push_back({user->getResult(0), before});
        pending.back().second.push_back(user);
      } else {
        return false;
      }
    }
  }
  return true;
}

bool SlicedProduct::pays(const Arch &arch, int64_t storedBytes) {
  OperandInMemory lhs = inMemory(product.getLhs()), rhs = inMemory(product.getRhs());
  if (!lhs.contiguous || !rhs.contiguous || lhs.type().getElementTypeBitWidth() % 8)
    return true; // computed, or spread: nothing is known of it
  int64_t fromEnd = ofColumns ? 1 : 2, count = (int64_t)slices.size();
  OperandInMemory &whole = ofColumns ? rhs : lhs;
  ProductInMemory one = describeProduct(product, lhs, rhs);
  // The part whose rows begin at the least convenient places.
  std::optional<OperandInMemory> worst;
  for (SliceOp slice : slices) {
    int64_t along = slice.getType().getRank() - fromEnd;
    OperandInMemory part = whole.sliced(fromEnd, slice.getOffsets()[along], slice.getStrides()[along]);
    if (!part.contiguous)
      return false; // single elements
    if (!worst || part.piece() < worst->piece())
      worst = part;
  }
  whole = *worst;
  ProductInMemory parts = describeProduct(product, lhs, rhs);
  one.storedBytes = parts.storedBytes = storedBytes;
  RankedTensorType part = slices.front().getType();
  (ofColumns ? parts.n : parts.m) = part.getDimSize(part.getRank() - fromEnd);
  (ofColumns ? parts.rhsTiles : parts.lhsTiles) = count;
  // What combines the slices reads all of them and stores as much as one.
  KernelTraffic combining;
  int64_t read = part.getNumElements() * count * storedBytes;
  combining.bytes = read + part.getNumElements() * storedBytes;
  combining.cachedBytes = read <= (int64_t)(arch.l2Bytes / 2) ? read : 0;
  combining.blocks = arch.numSMs;
  MLIRContext *context = product.getContext();
  return modelledProductTime(context, parts, arch) <=
         kMargin * (modelledProductTime(context, one, arch) + combining.microseconds(arch));
}

Value SlicedProduct::multiply(IRRewriter &rewriter, SliceOp slice) {
  rewriter.setInsertionPoint(slice);
  int64_t fromLast = ofColumns ? 1 : 2, along = slice.getType().getRank() - fromLast,
          size = slice.getType().getDimSize(along);
  auto ofPart = [&](RankedTensorType whole) {
    SmallVector<int64_t> shape(whole.getShape());
    shape[whole.getRank() - fromLast] = size;
    return whole.clone(ArrayRef<int64_t>(shape));
  };
  RankedTensorType type = typeOf(operand());
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[type.getRank() - fromLast] = slice.getOffsets()[along];
  strides[type.getRank() - fromLast] = slice.getStrides()[along];
  Value part = SliceOp::create(rewriter, slice.getLoc(), ofPart(type), operand(), offsets, strides);
  Operation *copy = rewriter.clone(*product);
  copy->setOperand(ofColumns ? 1 : 0, part);
  copy->getResult(0).setType(ofPart(product.getType()));
  Value result = copy->getResult(0);
  for (Operation *move : moves[slice])
    result = ReshapeOp::create(rewriter, move->getLoc(), ofPart(typeOf(move->getResult(0))), result);
  return result;
}
