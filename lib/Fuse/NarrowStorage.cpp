// fuse-narrow-storage: moves the rounding of a product's operand up to the op that computes the value.

#include "ChainProducts.h"

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Analysis/KernelIndexing.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSENARROWSTORAGE
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

/// The movement ops of `chain` applied to `value`, whose element type may differ from the chain's root's.
static Value replayChain(IRRewriter &rewriter, const MovementChain &chain, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  for (Operation *op : llvm::reverse(chain.ops)) {
    Operation *clone = rewriter.clone(*op);
    clone->setOperand(0, value);
    value = clone->getResult(0);
    value.setType(cast<RankedTensorType>(value.getType()).clone(element));
  }
  return value;
}

/// Rewrites `truncf(movement(value))` to `movement(truncf(value))`, and gives `value`'s other users
/// `extf(truncf(value))`.
static void hoistRounding(IRRewriter &rewriter, arith::TruncFOp truncation) {
  auto type = dyn_cast<RankedTensorType>(truncation.getType());
  if (!type)
    return;
  MovementChain chain = chainOf(truncation.getIn(), {});
  Operation *producer = chain.root.getDefiningOp();
  // Arguments, constants and weights are stored as they come; a widened value is stored narrow already.
  if (!producer || isa<arith::ConstantOp, graph::WeightOp, arith::ExtFOp>(producer))
    return;
  auto rootType = cast<RankedTensorType>(chain.root.getType());
  rewriter.setInsertionPointAfter(producer);
  Value narrow = arith::TruncFOp::create(rewriter, producer->getLoc(), rootType.clone(type.getElementType()),
                                         chain.root);
  // Each user widens for itself, so that its kernel reads the narrow value.
  SmallVector<Operation *> users;
  for (Operation *user : chain.root.getUsers())
    if (user != narrow.getDefiningOp() && user != truncation && !llvm::is_contained(users, user))
      users.push_back(user);
  for (Operation *user : users) {
    if (llvm::is_contained(chain.ops, user) && user->hasOneUse())
      continue; // on its way to this rounding alone
    rewriter.setInsertionPoint(user);
    Value wide = arith::ExtFOp::create(rewriter, producer->getLoc(), rootType, narrow);
    rewriter.modifyOpInPlace(user, [&] { user->replaceUsesOfWith(chain.root, wide); });
  }
  rewriter.setInsertionPoint(truncation);
  rewriter.replaceOp(truncation, replayChain(rewriter, chain, narrow));
}

/// Whether the rounded value is no more than the terms of a chain's second product, which are not stored.
static bool isOfChain(arith::TruncFOp truncation) {
  if (!truncation->hasOneUse())
    return false;
  OpOperand &use = *truncation->use_begin();
  return use.getOperandNumber() == 0 && use.getOwner()->hasAttr(fuse::kChainAttrName);
}

namespace {
struct NarrowStorage : fuse::impl::FuseNarrowStorageBase<NarrowStorage> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<arith::TruncFOp> truncations;
    // Other roundings are the program's own: what else reads their operand keeps its precision.
    getOperation()->walk([&](arith::TruncFOp op) {
      Type element = getElementTypeOrSelf(op.getType());
      bool stored = storage == "bf16" ? element.isBF16() : element.isF16();
      if (stored && getElementTypeOrSelf(op.getIn().getType()).isF32() && !isOfChain(op))
        truncations.push_back(op);
    });
    for (arith::TruncFOp op : truncations) {
      // A rounding that an earlier one already made: truncf(extf(x)) of the same type is x.
      MovementChain chain = chainOf(op.getIn(), {});
      if (auto wide = chain.root.getDefiningOp<arith::ExtFOp>();
          wide && getElementTypeOrSelf(wide.getIn().getType()) == getElementTypeOrSelf(op.getType())) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(op, replayChain(rewriter, chain, wide.getIn()));
        continue;
      }
      hoistRounding(rewriter, op);
    }
    // Movement left without users.
    SmallVector<Operation *> dead;
    getOperation()->walk([&](Operation *op) {
      if (isMovement(op))
        dead.push_back(op);
    });
    for (Operation *op : llvm::reverse(dead))
      if (op->use_empty())
        rewriter.eraseOp(op);
  }
};
} // namespace
