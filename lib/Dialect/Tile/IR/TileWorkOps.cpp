// Verifiers of constant lists, of flags between blocks and of blocks that look back at others.

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "Tilewright/Layout/LookBack.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

LogicalResult LookupOp::verify() {
  if (getEntries().empty()) // lookup_c1
    return emitOpError("has an empty list");
  if (llvm::any_of(getEntries(), [](int32_t entry) { return entry < 0; })) // lookup_c2
    return emitOpError("has a negative entry, and gives an index");
  return success();
}

LogicalResult FindGroupOp::verify() {
  ViewType ends = getEnds().getType();
  if (!ends.getElementType().isInteger(32) || ends.getRank() != 1 || ends.getView().dim(0).extent < 1 ||
      ends.getView() != layout::StridedView::rowMajor({ends.getView().dim(0).extent})) // find_group_c1
    return emitOpError() << "takes a view of 32-bit integers side by side, got " << ends;
  return success();
}

static LogicalResult verifyFlags(Operation *op, ViewType flags) {
  if (!flags.getElementType().isInteger(32) || flags.getRank() != 1) // flag_c1
    return op->emitOpError() << "takes a view of 32-bit integers in one dimension, got " << flags;
  return success();
}

LogicalResult RaiseFlagOp::verify() { return verifyFlags(*this, getFlags().getType()); }
LogicalResult LowerFlagOp::verify() { return verifyFlags(*this, getFlags().getType()); }

/// A view of so many 64-bit words, or more.
static LogicalResult verifyWords(Operation *op, ViewType words, int64_t least) {
  if (!words.getElementType().isInteger(64) || words.getRank() != 1) // look_back_c1
    return op->emitOpError() << "takes a view of 64-bit integers in one dimension, got " << words;
  if (words.getShape()[0] < least) // look_back_c2
    return op->emitOpError() << "needs " << least << " words, the view has " << words.getShape()[0];
  return success();
}

LogicalResult TakeTicketOp::verify() { return verifyWords(*this, getCounter().getType(), 1); }

LogicalResult LookBackOp::verify() {
  size_t count = getTotals().size();
  if (count == 0 || getInitial().size() != count || getResults().size() != count) // look_back_c3
    return emitOpError() << "has " << count << " totals, " << getInitial().size() << " initial states and "
                         << getResults().size() << " results, which are as many, at least one";
  Block &combiner = getCombiner().front();
  if (combiner.getNumArguments() != 2 * count) // look_back_c4
    return emitOpError() << "combiner takes " << combiner.getNumArguments() << " values, not " << 2 * count;
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  int64_t words = 0;
  for (size_t i = 0; i < count; ++i) {
    Value total = getTotals()[i];
    Type element = getElementTypeOrSelf(total.getType());
    int64_t bits = storageBits(element);
    if (!element.isIntOrFloat() || bits % 8 || (bits > 32 && bits % 32)) // look_back_c5
      return emitOpError() << "cannot hand over states of " << element;
    for (Value other : {getInitial()[i], Value(getResults()[i]), getTotals()[0]})
      if (shapeOf(other) != shapeOf(total)) // look_back_c6
        return emitOpError() << "state #" << i << " has tiles of several shapes";
    for (Value other : {getInitial()[i], Value(getResults()[i])})
      if (getElementTypeOrSelf(other.getType()) != element) // look_back_c7
        return emitOpError() << "state #" << i << " has tiles of several types";
    if (combiner.getArgument(i).getType() != element ||
        combiner.getArgument(i + count).getType() != element) // look_back_c8
      return emitOpError() << "combiner argument " << i << " is not of type " << element;
    words += cast<RankedTensorType>(total.getType()).getNumElements() * llvm::divideCeil(bits, 32);
  }
  auto yield = dyn_cast<YieldOp>(combiner.getTerminator());
  if (!yield || !llvm::equal(yield.getOperandTypes(), llvm::map_range(getTotals(), [](Value total) {
                               return getElementTypeOrSelf(total.getType());
                             }))) // look_back_c9
    return emitOpError() << "combiner does not yield one merged state of " << count << " values";
  return verifyWords(*this, getWords().getType(), words * layout::lookBackPlan(getPieces()).words);
}
