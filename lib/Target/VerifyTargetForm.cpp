// The contract of the target stage: what a gpu.module may hold so that NVPTX selects all of it. An
// allow-list, since what NVPTX cannot select makes LLVM abort.
#include "Tilewright/Target/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright {
#define GEN_PASS_DEF_VERIFYTARGETFORM
#include "Tilewright/Target/Passes.h.inc"
} // namespace tilewright

using namespace mlir;
using namespace tilewright;

/// Operations `llvm.intr.*` that NVPTX selects for integers and for f16, bf16, f32 and f64 alike.
static bool isSelectableIntrinsic(StringRef name) {
  static const llvm::StringSet<> names = {"abs",
                                          "assume",
                                          "bitreverse",
                                          "bswap",
                                          "ceil",
                                          "copysign",
                                          "ctlz",
                                          "ctpop",
                                          "cttz",
                                          "expect",
                                          "fabs",
                                          "floor",
                                          "fma",
                                          "fmuladd",
                                          "fshl",
                                          "fshr",
                                          "is.constant",
                                          "is.fpclass",
                                          "lifetime.end",
                                          "lifetime.start",
                                          "maximum",
                                          "maxnum",
                                          "memcpy",
                                          "memset",
                                          "minimum",
                                          "minnum",
                                          "nearbyint",
                                          "rint",
                                          "round",
                                          "roundeven",
                                          "sadd.sat",
                                          "smax",
                                          "smin",
                                          "sqrt",
                                          "ssub.sat",
                                          "trunc",
                                          "uadd.sat",
                                          "umax",
                                          "umin",
                                          "usub.sat",
                                          "vector.insert",
                                          "vector.extract",
                                          "smul.with.overflow",
                                          "umul.with.overflow",
                                          "sadd.with.overflow",
                                          "uadd.with.overflow"};
  return names.contains(name) || name.starts_with("vector.reduce.");
}

static bool isApproximateF32(Operation *op) {
  auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  return flags && op->getResult(0).getType().isF32() && flags.getFastmathAttr() &&
         bitEnumContainsAll(flags.getFastmathAttr().getValue(), LLVM::FastmathFlags::afn);
}

/// Why NVPTX cannot select the `llvm` operation `op`; empty when it can.
static std::string complaint(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<LLVM::InlineAsmOp>(op))
    return "inline assembly is made by convert-ptx-to-llvm alone";
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    if (!call.getCallee())
      return "indirect calls are not supported";
    auto callee = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, call.getCalleeAttr());
    return callee && !callee.isExternal() ? "" : ("'" + *call.getCallee() + "' has no body").str();
  }
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return intrinsic.getIntrin().starts_with("llvm.nvvm.")
               ? ""
               : ("intrinsic '" + intrinsic.getIntrin() + "' is not one of NVPTX's own").str();
  if (isa<LLVM::FRemOp>(op))
    return "NVPTX approximates the remainder of floats";
  if (isa<LLVM::InvokeOp, LLVM::LandingpadOp, LLVM::ResumeOp, LLVM::VaArgOp>(op))
    return "NVPTX has no such instruction";
  if (!name.consume_front("intr."))
    return "";
  if (isSelectableIntrinsic(name))
    return "";
  // sin, cos and 2^x exist as approximations of f32.
  if ((name == "sin" || name == "cos" || name == "exp2") && isApproximateF32(op))
    return "";
  return "NVPTX does not select it for " + [&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    op->getNumResults() ? stream << op->getResult(0).getType() : stream << "no result";
    return text;
  }();
}

LogicalResult tilewright::verifyTargetForm(Operation *root) {
  bool sound = true;
  root->walk([&](gpu::GPUModuleOp module) {
    module.walk([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return;
      std::string reason;
      Dialect *dialect = op->getDialect();
      if (isa_and_nonnull<LLVM::LLVMDialect>(dialect))
        reason = complaint(op);
      else if (!isa_and_nonnull<NVVM::NVVMDialect, ptx::PtxDialect>(dialect))
        reason = "only llvm, nvvm and ptx belong to the target stage";
      if (reason.empty())
        return;
      op->emitError("'") << op->getName() << "' is not in target form: " << reason;
      sound = false;
    });
  });
  return success(sound);
}

namespace {
struct VerifyTargetFormPass : tilewright::impl::VerifyTargetFormBase<VerifyTargetFormPass> {
  using VerifyTargetFormBase::VerifyTargetFormBase;

  void runOnOperation() override {
    if (failed(verifyTargetForm(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
