// The contracts of the import and graph stages, as conversion targets without patterns: an op that the target
// does not allow is named with the rule that it breaks. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_VERIFYIMPORTFORM
#define GEN_PASS_DEF_VERIFYGRAPHFORM
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

/// Constants with different elements above this count are weights, and weights are references.
static constexpr int64_t kConstantLimitElems = 4096;

/// A rule: false, with a diagnostic on `op`, when the op breaks it.
using Rule = bool (*)(Operation *op);

// form_c2
static bool hasStaticTensors(Operation *op) {
  auto check = [&](Type type, StringRef kind, unsigned index) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      return true;
    op->emitOpError() << kind << " #" << index << " is " << type << ", not a tensor of static shape";
    return false;
  };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (!check(type, "operand", index))
      return false;
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (!check(type, "result", index))
      return false;
  if (auto func = dyn_cast<func::FuncOp>(op))
    for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
      if (!check(type, "argument", index))
        return false;
  return true;
}

// form_c3
static bool hasOneBlock(Operation *op) {
  auto func = dyn_cast<func::FuncOp>(op);
  if (!func || func.getBody().hasOneBlock())
    return true;
  func.emitOpError() << "has " << func.getBody().getBlocks().size() << " blocks, expected 1";
  return false;
}

// form_c4
static bool holdsNoWeights(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto elements = constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
  if (!elements || elements.getNumElements() <= kConstantLimitElems)
    return true;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements); dense && dense.isSplat())
    return true;
  op->emitOpError() << "holds " << elements.getNumElements() << " elements in IR, more than "
                    << kConstantLimitElems << "; weights are graph.weight references";
  return false;
}

/// Whether `loc` says where an op comes from: a node of a model, or a place in a file.
static bool hasSource(Location loc) {
  bool found = false;
  loc->walk([&](Location part) {
    found |= isa<NameLoc, FileLineColRange>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

// import_c1
static bool hasSourceName(Operation *op) {
  if (isa<ModuleOp, func::FuncOp, func::ReturnOp>(op) || hasSource(op->getLoc()))
    return true;
  op->emitOpError() << "has no location: neither a source name nor a place in a file";
  return false;
}

// graph_c1
static bool isUsed(Operation *op) {
  for (OpResult result : op->getResults())
    if (result.use_empty()) {
      op->emitOpError() << "result #" << result.getResultNumber() << " is never used";
      return false;
    }
  return true;
}

static bool isMove(Operation *op) { return isa_and_present<TransposeOp, ReshapeOp>(op); }

// graph_c2
static bool leavesRecipesWhole(Operation *op) {
  if (!isMove(op) && !isa<arith::TruncFOp, arith::ExtFOp>(op))
    return true;
  if (!op->getOperand(0).getDefiningOp<WeightOp>())
    return true;
  op->emitOpError() << "applies to a weight; it belongs to the weight's steps";
  return false;
}

// graph_c3
static bool isComposed(Operation *op) {
  Operation *inner = isMove(op) ? op->getOperand(0).getDefiningOp() : nullptr;
  if (!inner || inner->getName() != op->getName())
    return true;
  op->emitOpError() << "applies to another " << op->getName();
  return false;
}

/// Checks every op of `module` against the legal ops (form_c1) and `rules`, in order.
static LogicalResult verifyForm(ModuleOp module, ArrayRef<Rule> rules) {
  ConversionTarget target(*module.getContext());
  auto obeys = [&](Operation *op) { return llvm::all_of(rules, [&](Rule rule) { return rule(op); }); };
  target.addDynamicallyLegalDialect<GraphDialect, arith::ArithDialect, math::MathDialect>(obeys);
  target.addDynamicallyLegalOp<ModuleOp, func::FuncOp, func::ReturnOp>(obeys);
  target.addIllegalOp<KernelOp, ReturnOp>(); // kernels come with the fuse stage
  bool ok = true;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (target.isLegal(op))
      return WalkResult::advance();
    ok = false;
    // A rule of a dynamically legal op has spoken; anything else breaks form_c1, with all that is in it.
    if (target.getOpAction(op->getName()) == ConversionTarget::LegalizationAction::Dynamic)
      return WalkResult::advance();
    op->emitOpError() << "is not an op of this stage: graph (without kernels), arith, math, func.func";
    return WalkResult::skip();
  });
  return success(ok);
}

namespace {
struct VerifyImportFormPass : tilewright::graph::impl::VerifyImportFormBase<VerifyImportFormPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(verifyForm(getOperation(), {hasStaticTensors, hasOneBlock, holdsNoWeights, hasSourceName})))
      signalPassFailure();
  }
};

struct VerifyGraphFormPass : tilewright::graph::impl::VerifyGraphFormBase<VerifyGraphFormPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(verifyForm(getOperation(), {hasStaticTensors, hasOneBlock, holdsNoWeights, isUsed,
                                           leavesRecipesWhole, isComposed})))
      signalPassFailure();
  }
};
} // namespace
