// fuse-approximate-math: fp32 functions and divisions may be approximate, products and sums contracted, where
// activations are stored in 16 bits; exponentials elsewhere, where all that is made of them is rounded to 16
// bits.

#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilewright;
using arith::FastMathFlags;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEAPPROXIMATEMATH
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

static bool isExponential(Operation *op) { return isa_and_nonnull<math::ExpOp, math::Exp2Op>(op); }

/// A sum of such values has at most the largest relative error of them.
static bool isNotNegative(Value value) {
  Operation *op = value.getDefiningOp();
  DenseFPElementsAttr numbers;
  if (matchPattern(value, m_Constant(&numbers)))
    return numbers.isSplat() && !numbers.getSplatValue<APFloat>().isNegative();
  if (auto product = dyn_cast_or_null<arith::MulFOp>(op))
    return product.getLhs() == product.getRhs() ||
           (isNotNegative(product.getLhs()) && isNotNegative(product.getRhs()));
  if (isa_and_nonnull<arith::AddFOp, arith::DivFOp>(op))
    return isNotNegative(op->getOperand(0)) && isNotNegative(op->getOperand(1));
  if (isa_and_nonnull<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
                      graph::ReduceOp>(op))
    return isNotNegative(op->getOperand(0));
  return isExponential(op) || isa_and_nonnull<math::AbsFOp, math::SqrtOp>(op);
}

namespace {
/// Whether values end up rounded to 16 bits, all of them, with nothing on the way in which relative errors
/// grow.
class RoundedValues {
public:
  bool contains(Value value) {
    auto [entry, isNew] = known.try_emplace(value, false);
    if (!isNew)
      return entry->second;
    bool all =
        !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) { return keeps(use); });
    return known[value] = all;
  }

private:
  bool keeps(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
      Type to = getElementTypeOrSelf(narrow.getType());
      return to.isBF16() || to.isF16();
    }
    if (auto sum = dyn_cast<graph::ReduceOp>(op)) {
      bool isSum = sum.getKind() == graph::ReduceKind::Sum && isNotNegative(use.get());
      bool isBound = sum.getKind() == graph::ReduceKind::Max || sum.getKind() == graph::ReduceKind::Min;
      return (isSum || isBound) && contains(sum->getResult(0));
    }
    if (isa<arith::AddFOp>(op) && !(isNotNegative(op->getOperand(0)) && isNotNegative(op->getOperand(1))))
      return false;
    // The relative error of x is no larger in tanh(x) and erf(x), and half of it in roots.
    return isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp, arith::MinimumFOp,
               arith::NegFOp, math::AbsFOp, math::TanhOp, math::ErfOp, math::SqrtOp, math::RsqrtOp,
               graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp, graph::SliceOp>(op) &&
           contains(op->getResult(0));
  }

  DenseMap<Value, bool> known;
};

/// Whether all that is made of `value` are sums 1 + value and 1 - value that end up rounded.
static bool isInRoundedSums(Value value, RoundedValues &rounded) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (!isa<arith::AddFOp>(op) && !(isa<arith::SubFOp>(op) && use.getOperandNumber() == 1))
      return false;
    Value other = op->getOperand(1 - use.getOperandNumber());
    return matchPattern(other, m_OneFloat()) && rounded.contains(op->getResult(0));
  });
}

struct ApproximateMath : fuse::impl::FuseApproximateMathBase<ApproximateMath> {
  using Base::Base;
  void runOnOperation() override {
    RoundedValues rounded;
    getOperation()->walk([&](Operation *op) {
      auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
      if (!interface || !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      FastMathFlags flags = storage != "fp32" ? ofStorage(op) : FastMathFlags::none;
      // e^x as 2^(x log2 e): the product's rounding is a relative error of |x| 2^-24, 2^-17 where e^x is a
      // number.
      if (storage == "fp32" && isa<math::ExpOp>(op) && rounded.contains(op->getResult(0)))
        flags = FastMathFlags::reassoc;
      // 1 + tanh(x) and 1 + erf(x) as functions of their own, as accurate where they vanish.
      if (storage == "fp32" && isa<math::TanhOp, math::ErfOp>(op) &&
          isInRoundedSums(op->getResult(0), rounded))
        flags = FastMathFlags::reassoc;
      if (flags == FastMathFlags::none)
        return;
      flags = flags | interface.getFastMathFlagsAttr().getValue();
      op->setAttr(interface.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
    });
  }

private:
  /// What is allowed where each value is stored in 16 bits.
  FastMathFlags ofStorage(Operation *op) const {
    // tanh.approx has a relative error of 2^-11 (PTX ISA, tanh): an eighth of the last place of bf16, but all
    // of it in f16.
    bool coarse = storage == "bf16";
    // Only functions whose approximation keeps its relative accuracy for every argument.
    if (isExponential(op) || isa<math::ErfOp, math::RsqrtOp>(op) || (coarse && isa<math::TanhOp>(op)))
      return FastMathFlags::afn;
    if (isa<arith::DivFOp>(op))
      return FastMathFlags::afn | FastMathFlags::arcp | FastMathFlags::contract;
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) ? FastMathFlags::contract
                                                                : FastMathFlags::none;
  }
};
} // namespace
