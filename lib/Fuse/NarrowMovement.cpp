// Movement and selection of narrow elements: what is widened is widened behind them, what is rounded before
// them, so that fewer bytes of the same numbers lie between kernels.
#include "NarrowMovement.h"

#include "ElementwiseTree.h"
#include "Widening.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;
using namespace tilewright::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

Operation *fuse::widenLater(IRRewriter &rewriter, Operation *op) {
  Operation *widening = op->getOperand(0).getDefiningOp();
  unsigned moved = isa<GatherOp>(op) ? 1 : op->getNumOperands();
  auto isAlike = [&](Value operand) {
    Operation *other = operand.getDefiningOp();
    return isWidening(other) && other->getName() == widening->getName() &&
           getElementTypeOrSelf(other->getOperand(0)) == getElementTypeOrSelf(widening->getOperand(0));
  };
  if (!widening || !llvm::all_of(op->getOperands().take_front(moved), isAlike))
    return nullptr;
  TypedAttr outside;
  if (auto pad = dyn_cast<PadOp>(op); pad && !(outside = beforeWidening(widening, pad.getValue())))
    return nullptr;
  RankedTensorType type = typeOf(op->getResult(0));
  Type narrow = getElementTypeOrSelf(widening->getOperand(0));
  rewriter.setInsertionPoint(op);
  Operation *copy = rewriter.clone(*op);
  for (unsigned i = 0; i < moved; ++i)
    copy->setOperand(i, op->getOperand(i).getDefiningOp()->getOperand(0));
  if (outside)
    cast<PadOp>(copy).setValueAttr(outside);
  copy->getResult(0).setType(type.clone(narrow));
  Operation *wide = rewriter.clone(*widening);
  wide->setOperand(0, copy->getResult(0));
  wide->getResult(0).setType(type);
  // What is rounded again is what it was before.
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (isa<arith::TruncFOp>(user) && user->getResult(0).getType() == copy->getResult(0).getType())
      rewriter.replaceOp(user, copy->getResult(0));
  rewriter.replaceOp(op, wide->getResult(0));
  return copy;
}

/// truncf (concat %a, %b)  ==>  concat (truncf %a), (truncf %b), where nothing else needs what is joined:
/// parts of several kernels, or that reductions leave, are stored as the narrow elements.
static void roundParts(IRRewriter &rewriter, arith::TruncFOp op, ConcatOp concat,
                       SmallVectorImpl<arith::TruncFOp> &roundings) {
  if (!concat.getResult().hasOneUse())
    return;
  rewriter.setInsertionPoint(concat);
  auto parts = llvm::map_to_vector(concat.getInputs(), [&](Value part) -> Value {
    auto rounded = arith::TruncFOp::create(rewriter, op.getLoc(),
                                           typeOf(part).clone(getElementTypeOrSelf(op.getType())), part);
    roundings.push_back(rounded);
    return rounded;
  });
  rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, concat.getDim());
  rewriter.eraseOp(concat);
}

/// truncf (gather %x)  ==>  gather (truncf %x), where nothing else needs what is selected or what it is
/// selected from: what lies between kernels are the narrow elements. Adds the roundings that may go further.
static void roundOneEarlier(IRRewriter &rewriter, arith::TruncFOp op,
                            SmallVectorImpl<arith::TruncFOp> &roundings) {
  Operation *moves = op.getIn().getDefiningOp();
  if (auto concat = dyn_cast_if_present<ConcatOp>(moves); concat && !op.getRoundingmode())
    return roundParts(rewriter, op, concat, roundings);
  if (!isa_and_nonnull<GatherOp, PadOp, ReshapeOp, TransposeOp, SliceOp>(moves) || op.getRoundingmode() ||
      !moves->getResult(0).hasOneUse())
    return;
  Value from = moves->getOperand(0);
  // Inputs lie in memory as they are.
  if (!from.hasOneUse() || isInput(from) || isSplatConstant(from) || isWidening(from.getDefiningOp()))
    return;
  auto narrow = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  FloatAttr outside;
  if (auto pad = dyn_cast<PadOp>(moves);
      pad && !(outside = asNarrow(cast<FloatAttr>(pad.getValue()), narrow)))
    return;
  rewriter.setInsertionPoint(moves);
  auto rounded = arith::TruncFOp::create(rewriter, op.getLoc(), typeOf(from).clone(narrow), from);
  rewriter.modifyOpInPlace(moves, [&] {
    moves->setOperand(0, rounded);
    moves->getResult(0).setType(op.getType());
    if (outside)
      cast<PadOp>(moves).setValueAttr(outside);
  });
  rewriter.replaceOp(op, moves->getResult(0));
  roundings.push_back(rounded);
}

void fuse::roundEarlier(IRRewriter &rewriter, Operation *root) {
  SmallVector<arith::TruncFOp> roundings;
  root->walk([&](arith::TruncFOp op) {
    if (isa<RankedTensorType>(op.getType()))
      roundings.push_back(op);
  });
  while (!roundings.empty())
    roundOneEarlier(rewriter, roundings.pop_back_val(), roundings);
}
