// The walk, the search and the clean-up that raising passes share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Raising.h"

using namespace mlir;
using namespace tilewright::graph;

void tilewright::graph::raiseRoots(Operation *scope, function_ref<Value(Operation *)> raise) {
  SmallVector<Operation *> roots;
  scope->walk([&](Operation *op) {
    auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : nullptr;
    if (type && isa<FloatType>(type.getElementType()))
      roots.push_back(op);
  });
  for (Operation *root : llvm::reverse(roots)) {
    // Users come first, so that an op whose users were all raised is seen to be dead.
    if (isOpTriviallyDead(root)) {
      root->erase();
      continue;
    }
    if (Value value = raise(root)) {
      root->getResult(0).replaceAllUsesWith(value);
      root->erase();
    }
  }
}

Location tilewright::graph::fuseLocations(Operation *root, ArrayRef<Operation *> ops) {
  SmallVector<Operation *> sorted(ops);
  sorted.push_back(root);
  llvm::erase_if(sorted, [&](Operation *op) { return op->getBlock() != root->getBlock(); });
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a != b && a->isBeforeInBlock(b); });
  SmallVector<Location> locations;
  for (Operation *op : sorted)
    locations.push_back(op->getLoc());
  return FusedLoc::get(root->getContext(), locations);
}

SmallVector<Operation *> tilewright::graph::findAbove(Operation *root,
                                                      function_ref<bool(Operation *)> wanted) {
  static constexpr size_t kMaxSteps = 24;
  llvm::SetVector<Operation *> queue;
  SmallVector<Operation *> found;
  queue.insert(root);
  for (size_t next = 0; next < queue.size() && next < kMaxSteps; ++next) {
    Operation *op = queue[next];
    if (wanted(op))
      found.push_back(op);
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, BroadcastOp,
             ReshapeOp>(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        queue.insert(source);
  }
  return found;
}
