// plan-interleave-launches: kernels that need one another, or read the same, become one whose blocks go
// through the tensors slice by slice, so that what one leaves in the L2 cache the next finds there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InterleaveSearch.h"

#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "llvm/ADT/StringExtras.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_INTERLEAVELAUNCHES
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;
using namespace tilewright::plan::interleave;

/// Launches of a program beyond which the search takes longer than it is worth.
static constexpr size_t kMostLaunches = 48;

/// What the user is told of an interleaved launch.
static void explain(LaunchOp launch, ArrayRef<KernelPart> parts, const Slices &slices, int64_t saved,
                    int64_t bytes, ArrayRef<std::string> names) {
  std::string waits;
  llvm::raw_string_ostream stream(waits);
  for (auto [part, own] : llvm::enumerate(slices.waits))
    for (const SliceWait &wait : own)
      stream << (waits.empty() ? "" : ", ") << "slice k of " << names[part] << " waits for slices k - "
             << wait.before << " to k + " << wait.after << " of " << names[wait.part];
  if (waits.empty())
    stream << "none waits for another";
  emitRemark(launch, Remark::LaunchesInterleaved, launch.getKernel(), llvm::join(names, ", "),
             blocksOf(parts, &slices), threadsOf(parts), slices.count, waits, saved, bytes);
}

/// Where the workspace of all kernels of the module ends, at a multiple of a cache line.
static int64_t workspaceEnd(ModuleOp module) {
  constexpr int64_t line = 128;
  int64_t end = 0;
  module.walk([&](LLVM::LLVMFuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto range =
              function.getArgAttrOfType<DenseI64ArrayAttr>(i, ptx::PtxDialect::getWorkspaceAttrName()))
        end = std::max(end, range[0] + range[1]);
  });
  return (int64_t)llvm::alignTo(end, line);
}

/// Subtracts from the bytes through the memory that launch and program are said to move.
static void subtractTraffic(LaunchOp launch, ProgramOp program, MemoryTraffic saved) {
  for (Operation *op : {launch.getOperation(), program.getOperation()})
    if (auto traffic = op->getAttrOfType<DenseI64ArrayAttr>(kTrafficAttrName)) {
      SmallVector<int64_t> bytes(traffic.asArrayRef());
      bytes[0] = std::max<int64_t>(0, bytes[0] - saved.read);
      bytes[1] = std::max<int64_t>(0, bytes[1] - saved.written);
      op->setAttr(kTrafficAttrName, DenseI64ArrayAttr::get(op->getContext(), bytes));
    }
}

namespace {
struct InterleaveLaunches : plan::impl::InterleaveLaunchesBase<InterleaveLaunches> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    MergeWriter writer{getOperation()};
    int64_t workspace = workspaceEnd(getOperation());
    for (auto program : getOperation().getOps<ProgramOp>()) {
      SmallVector<LaunchOp> launches(program.getBody().getOps<LaunchOp>());
      if (launches.size() < 2 || launches.size() > kMostLaunches ||
          llvm::any_of(launches, [](LaunchOp launch) { return launch.hasBuffers(); }))
        continue;
      Search search{program, *arch, {always, independent}};
      search.addNodes(SmallVector<std::string>(alone.begin(), alone.end()));
      search.before = search.now = *search.trafficOf(search.groups);
      while (search.takePair())
        ;
      MemoryTraffic saved{search.before.read - search.now.read, search.before.written - search.now.written};
      int64_t count = llvm::count_if(search.groups, [](const Group &g) { return g.nodes.size() > 1; });
      for (Group &group : search.groups) {
        if (group.nodes.size() < 2)
          continue;
        group.slices.workspace = workspace;
        workspace = (int64_t)llvm::alignTo(workspace + group.slices.workspaceBytes(), 128);
        SmallVector<LaunchOp> merged;
        SmallVector<std::string> names;
        for (int node : group.nodes) {
          merged.push_back(search.nodes[node].launch);
          names.push_back(merged.back().getKernel().str());
        }
        SmallVector<KernelPart> parts = search.partsOf(group);
        LaunchOp launch = writer.writeLaunch(merged, parts, &group.slices);
        MemoryTraffic share{saved.read / count, saved.written / count};
        subtractTraffic(launch, program, share);
        explain(launch, parts, group.slices, share.read + share.written,
                search.before.read + search.before.written, names);
        launchesSaved += names.size() - 1;
      }
      if (count)
        sortTopologically(&program.getBody().front());
    }
    writer.eraseUnused();
  }
};
} // namespace
