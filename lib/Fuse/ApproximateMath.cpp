// fuse-approximate-math: fp32 functions and divisions may be approximate.

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
      if (!interface || (!isFunction && !isa<arith::DivFOp>(op)) ||
          !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        return;
      FastMathFlags flags = interface.getFastMathFlagsAttr().getValue() | FastMathFlags::afn;
      if (!isFunction)
        flags = flags | FastMathFlags::arcp;
      op->setAttr(interface.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
    });
  }
};
} // namespace
