// The pass that lowers graph ops to linalg; the patterns lie beside it, by family.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tilewright::reference {
#define GEN_PASS_DEF_CONVERTGRAPHTOLINALG
#include "Tilewright/Reference/Passes.h.inc"
} // namespace tilewright::reference

namespace {
struct ConvertGraphToLinalgPass
    : tilewright::reference::impl::ConvertGraphToLinalgBase<ConvertGraphToLinalgPass> {
  using Base::Base;
  void runOnOperation() override {
    ConversionTarget target(getContext());
    target.addIllegalDialect<tilewright::graph::GraphDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(&getContext());
    tilewright::reference::populateMovementToLinalgPatterns(patterns);
    tilewright::reference::populateComputeToLinalgPatterns(patterns);
    tilewright::reference::populateSelectionToLinalgPatterns(patterns);
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
