// plan-annotate-costs: notes flops, bytes and source nodes of kernels on their launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "MemoryTraffic.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_ANNOTATECOSTS
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

static int64_t bytesOf(Type type) { return storageBytes(cast<RankedTensorType>(type)); }

/// Elements of `value` that some op of its kernel needs: of what is only read through slices, those of the
/// largest one.
static int64_t neededElements(Value value) {
  int64_t needed = 0;
  for (Operation *user : value.getUsers()) {
    if (!isa<graph::SliceOp, graph::ReshapeOp, graph::TransposeOp>(user) || user->getUsers().empty())
      return cast<RankedTensorType>(value.getType()).getNumElements();
    needed = std::max(needed, neededElements(user->getResult(0)));
  }
  return needed;
}

static int64_t flopsOf(Operation *op) {
  if (auto costed = dyn_cast<graph::CostOpInterface>(op))
    return costed.getFlops();
  if (op->getNumResults() != 1 || !graph::isElementwise(op))
    return 0;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return result && isa<FloatType>(result.getElementType()) ? neededElements(op->getResult(0)) : 0;
}

/// Adds the names of the source nodes in a location. A name stands above the place where the node was
/// written; with `lines`, an op of a text file without a name is called by its line.
static void collectSources(Location loc, bool lines, llvm::SetVector<Attribute> &names) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    names.insert(name.getName());
  } else if (auto file = dyn_cast<FileLineColLoc>(loc); file && lines) {
    names.insert(StringAttr::get(loc.getContext(), llvm::sys::path::filename(file.getFilename()) + ":" +
                                                       Twine(file.getLine())));
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collectSources(part, lines, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectSources(call.getCallee(), lines, names);
  }
}

/// The units that do most of a kernel's arithmetic: tensor cores when it holds a matmul whose operands they
/// take.
static StringRef unitOf(graph::KernelOp kernel) {
  StringRef unit = "fp32";
  kernel.walk([&](graph::MatmulOp matmul) {
    Type element = getElementTypeOrSelf(matmul.getLhs().getType());
    if (element.isBF16())
      unit = "bf16";
    else if (element.isF16())
      unit = "fp16";
    else if (element.isF32() && matmul.getPrecision() == graph::Precision::TF32)
      unit = "tf32";
  });
  return unit;
}

static void annotate(LaunchOp launch, graph::KernelOp kernel, ArrayRef<Touch> touches) {
  int64_t flops = 0, read = 0, written = 0;
  // Launches of one kernel come from different nodes, which their own locations name.
  llvm::SetVector<Attribute> names;
  collectSources(launch.getLoc(), /*lines=*/false, names);
  bool named = !names.empty();
  kernel.walk([&](Operation *op) {
    if (op == kernel || op->hasTrait<OpTrait::IsTerminator>())
      return;
    flops += flopsOf(op);
    if (!named)
      collectSources(op->getLoc(), /*lines=*/true, names);
  });
  // Parts that slices take, rows that gathers take; rows that nothing holds as often as they are gone
  // through.
  for (const Touch &touch : touches.take_front(kernel.getBody().getNumArguments()))
    read += touch.moved();
  for (Type type : kernel.getResultTypes())
    written += bytesOf(type);
  Builder builder(launch.getContext());
  launch->setAttr(PlanDialect::getCostAttrName(),
                  CostAttr::get(launch.getContext(), graph::stringifyAnchor(kernel.getAnchor()),
                                unitOf(kernel), flops, read, written));
  launch->setAttr(PlanDialect::getSourcesAttrName(), builder.getArrayAttr(names.getArrayRef()));
}

namespace {
struct AnnotateCosts : plan::impl::AnnotateCostsBase<AnnotateCosts> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    WalkResult onTensors = getOperation().walk([](LaunchOp launch) {
      auto isTensor = llvm::IsaPred<RankedTensorType>;
      if (llvm::all_of(launch->getOperandTypes(), isTensor) &&
          llvm::all_of(launch->getResultTypes(), isTensor))
        return WalkResult::advance();
      launch.emitOpError("is on buffers: costs are counted of tensors, before plan-assign-buffers");
      return WalkResult::interrupt();
    });
    if (onTensors.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([&](LaunchOp launch) {
      if (auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel()))
        annotate(launch, kernel, touchesOf(kernel));
    });
    // What the launches of a program find in the cache depends on those before them.
    Builder builder(&getContext());
    getOperation().walk([&](ProgramOp program) {
      ProgramTraffic traffic = trafficOf(program, symbols, arch->l2Bytes);
      for (auto [launch, moved] : llvm::zip(program.getBody().front().getOps<LaunchOp>(), traffic.launches))
        launch->setAttr(kTrafficAttrName, builder.getDenseI64ArrayAttr({moved.read, moved.written}));
      program->setAttr(kTrafficAttrName, builder.getDenseI64ArrayAttr(
                                             {traffic.read, traffic.written, traffic.dead, traffic.least}));
    });
  }
};
} // namespace
