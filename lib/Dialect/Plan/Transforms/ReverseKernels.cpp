// plan-reverse-kernels: a kernel that reads what the one before it has gone through last begins there.
//
// Kernels go through large tensors from their first bytes to their last. What then lies in the L2 cache are
// the last ones, and the next kernel that begins at the first drives them out before it comes to them. From
// the last to the first it finds them.
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"

#include "MemoryTraffic.h"
#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/MapVector.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_REVERSEKERNELS
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// The share of a program's bytes through memory that a reversed kernel has to save: the model knows no less.
static constexpr double kLeastSaved = 0.01;
/// Kernels of a program that are tried, each of which is a run of the model.
static constexpr int64_t kMostTried = 24;

static Value rootOf(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  return value;
}

namespace {
struct ReverseKernels : plan::impl::ReverseKernelsBase<ReverseKernels> {
  using Base::Base;

  /// Kernels of one launch that go in order through a tensor larger than the cache's share for it, which a
  /// launch before it has touched; in the order of launches.
  SmallVector<std::pair<LaunchOp, graph::KernelOp>> candidates(ProgramOp program, const SymbolTable &symbols,
                                                               const Arch &arch);

  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    getOperation().walk([&](ProgramOp program) {
      auto found = candidates(program, symbols, *arch);
      if (found.empty() || (int64_t)found.size() > kMostTried)
        return;
      auto bytes = [&] {
        ProgramTraffic traffic = trafficOf(program, symbols, arch->l2Bytes);
        return traffic.read + traffic.written;
      };
      int64_t least = bytes();
      for (auto [launch, kernel] : found) {
        kernel->setAttr(kBackwardAttrName, UnitAttr::get(&getContext()));
        int64_t now = bytes();
        if ((double)now <= (double)least * (1 - kLeastSaved)) {
          emitRemark(launch, Remark::KernelReversed, kernel.getSymName(), least - now, least);
          least = now;
          ++reversed;
        } else {
          kernel->removeAttr(kBackwardAttrName);
        }
      }
    });
  }
};
} // namespace

SmallVector<std::pair<LaunchOp, graph::KernelOp>>
ReverseKernels::candidates(ProgramOp program, const SymbolTable &symbols, const Arch &arch) {
  llvm::MapVector<graph::KernelOp, SmallVector<LaunchOp>> launches;
  for (LaunchOp launch : program.getBody().front().getOps<LaunchOp>())
    if (auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel()))
      launches[kernel].push_back(launch);
  SmallVector<std::pair<LaunchOp, graph::KernelOp>> found;
  llvm::DenseSet<Value> touched;
  for (LaunchOp launch : program.getBody().front().getOps<LaunchOp>()) {
    auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel());
    if (!kernel)
      continue;
    bool gains = false;
    if (kernel.getAnchor() != graph::Anchor::Matmul && launches[kernel].size() == 1 &&
        launch.getKernels().size() == 1) {
      SmallVector<Touch> touches = touchesOf(kernel);
      for (auto [touch, arg] : llvm::zip(touches, launch.getArgs()))
        gains |= touch.inOrder && (double)touch.bytes > arch.l2Bytes / 4 && touched.contains(rootOf(arg));
    }
    if (gains)
      found.push_back({launch, kernel});
    for (Value arg : launch.getArgs())
      touched.insert(rootOf(arg));
    for (Value result : launch.getResults())
      touched.insert(result);
  }
  return found;
}
