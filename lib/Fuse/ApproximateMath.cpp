// fuse-approximate-math: fp32 functions and divisions may be approximate, products and sums contracted.

#include "Tilewright/Fuse/Passes.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::fuse {
#define GEN_PASS_DEF_FUSEAPPROXIMATEMATH
#include "Tilewright/Fuse/Passes.h.inc"
} // namespace tilewright::fuse

namespace {
struct ApproximateMath : fuse::impl::FuseApproximateMathBase<ApproximateMath> {
  using Base::Base;
  void runOnOperation() override {
    using arith::FastMathFlags;
    // tanh.approx has a relative error of 2^-11 (PTX ISA, tanh): an eighth of the last place of bf16, but all
    // of it in f16.
    bool coarse = storage == "bf16";
    getOperation()->walk([&](Operation *op) {
      auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
      // Only functions whose approximation keeps its relative accuracy for every argument.
      bool isFunction =
          isa<math::ExpOp, math::Exp2Op, math::ErfOp, math::RsqrtOp>(op) || (coarse && isa<math::TanhOp>(op));
      bool isDivision = isa<arith::DivFOp>(op);
      bool isSum = isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op);
      if (!interface || (!isFunction && !isDivision && !isSum) ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      FastMathFlags flags = interface.getFastMathFlagsAttr().getValue();
      flags = flags | (isSum ? FastMathFlags::contract : FastMathFlags::afn);
      if (isDivision)
        flags = flags | FastMathFlags::arcp | FastMathFlags::contract;
      op->setAttr(interface.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
    });
  }
};
} // namespace
