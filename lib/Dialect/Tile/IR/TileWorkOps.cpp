// Verifiers of constant lists and of flags between blocks.

#include "Tilewright/Dialect/Tile/IR/Tile.h"

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

static LogicalResult verifyFlags(Operation *op, ViewType flags) {
  if (!flags.getElementType().isInteger(32) || flags.getRank() != 1) // flag_c1
    return op->emitOpError() << "takes a view of 32-bit integers in one dimension, got " << flags;
  return success();
}

LogicalResult RaiseFlagOp::verify() { return verifyFlags(*this, getFlags().getType()); }
LogicalResult LowerFlagOp::verify() { return verifyFlags(*this, getFlags().getType()); }
