// verify-fuse-form: the contract between the fuse stage and those that only see kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "llvm/ADT/StringSet.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_VERIFYFUSEFORM
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

static LogicalResult verifyProgram(ProgramOp program, llvm::StringSet<> &launched) {
  for (Operation &op : program.getBody().front()) {
    auto launch = dyn_cast<LaunchOp>(op);
    bool known = launch ? !launch.hasBuffers()
                        : isa<graph::WeightOp, graph::ReshapeOp, arith::ConstantOp, ReturnOp>(op);
    if (!known) // fuse_form_2
      return op.emitOpError("has no place in a program: only launches, weights, constants and reshapes do");
    if (!launch)
      continue;
    launched.insert(launch.getKernel());
    for (StringRef name : {PlanDialect::getCostAttrName(), PlanDialect::getSourcesAttrName()})
      if (!launch->hasAttr(name)) // fuse_form_4
        return launch.emitOpError() << "of @" << launch.getKernel() << " has no '" << name << "'";
  }
  return success();
}

static LogicalResult verifyKernel(graph::KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    bool known =
        isa_and_nonnull<graph::GraphDialect, arith::ArithDialect, math::MathDialect>(op.getDialect());
    if (!known || isa<graph::WeightOp>(op)) // fuse_form_5
      return op.emitOpError() << "has no place in kernel @" << kernel.getSymName();
    if (isa<graph::AttentionOp, graph::GeluOp, graph::LayerNormOp, graph::RmsNormOp, graph::SoftmaxOp>(
            op)) // fuse_form_6
      return op.emitOpError() << "is a named op in kernel @" << kernel.getSymName()
                              << "; run graph-decompose-attention and graph-decompose-named";
  }
  std::string why;
  if (!KernelIndexing::solve(kernel, why)) // fuse_form_7
    return kernel.emitOpError() << "@" << kernel.getSymName() << " is no single kernel: " << why;
  return success();
}

namespace {
struct VerifyFuseForm : plan::impl::VerifyFuseFormBase<VerifyFuseForm> {
  void runOnOperation() override {
    llvm::StringSet<> launched;
    bool programs = false;
    for (Operation &op : *getOperation().getBody()) {
      LogicalResult result = success();
      if (auto program = dyn_cast<ProgramOp>(op)) {
        programs = true;
        result = verifyProgram(program, launched);
      } else if (auto kernel = dyn_cast<graph::KernelOp>(op)) {
        result = verifyKernel(kernel);
      } else { // fuse_form_1
        result = op.emitOpError("has no place beside kernels and programs");
      }
      if (failed(result))
        return signalPassFailure();
    }
    if (!programs) { // fuse_form_1
      getOperation().emitOpError("has no plan.program");
      return signalPassFailure();
    }
    for (auto kernel : getOperation().getOps<graph::KernelOp>())
      if (!launched.contains(kernel.getSymName())) { // fuse_form_3
        kernel.emitOpError() << "@" << kernel.getSymName() << " is launched by no program";
        return signalPassFailure();
      }
  }
};
} // namespace
