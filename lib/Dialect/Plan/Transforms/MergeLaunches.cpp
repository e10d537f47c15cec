// plan-merge-launches: small kernels that do not need one another become one, whose blocks are divided among
// them.
//
// Greedy: each launch takes in the one that gains most, the nearest in time first, until none gains. Then
// kernels are written, and launches; the same parts in the same order are one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchGraph.h"
#include "MergeWriter.h"

#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilewright::plan {
#define GEN_PASS_DEF_MERGELAUNCHES
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Beyond so many launches the search takes longer than what it saves is worth.
static constexpr size_t kMostLaunches = 1024;

//===-- Choice -----------------------------------------------------------------------------------------===//

/// The node that `a` takes in next, or -1; `why` is the reason against the nearest one.
static int partnerOf(const LaunchGraph &graph, int a, std::string &why, int &refused) {
  int best = -1;
  double bestGain = 0, bestDistance = 0, nearest = 0;
  for (int b = 0; b < (int)graph.nodes.size(); ++b) {
    const LaunchNode &node = graph.nodes[b];
    if (b == a || node.gone || !graph.independent(a, b))
      continue;
    double distance = std::fabs(graph.nodes[a].early - node.early);
    std::string reason = graph.nodes[a].whyNot;
    if (reason.empty() && !node.whyNot.empty())
      reason = "of that one, " + node.whyNot;
    if (reason.empty())
      reason = graph.whyApart(a, b);
    if (!reason.empty()) {
      if (refused < 0 || distance < nearest) {
        refused = b;
        nearest = distance;
        why = reason;
      }
      continue;
    }
    double gain = graph.gain(a, b);
    if (best < 0 || gain > bestGain || (gain == bestGain && distance < bestDistance)) {
      best = b;
      bestGain = gain;
      bestDistance = distance;
    }
  }
  return best;
}

/// Merges nodes of `graph` as long as that gains; what it gains by node.
static llvm::DenseMap<int, double> chooseMerges(LaunchGraph &graph) {
  llvm::DenseMap<int, double> gained;
  for (int a = 0; a < (int)graph.nodes.size(); ++a) {
    if (graph.nodes[a].gone)
      continue;
    std::string why;
    int refused = -1;
    for (int b; (b = partnerOf(graph, a, why, refused)) >= 0;) {
      gained[a] += graph.gain(a, b) + gained.lookup(b);
      graph.merge(a, b);
    }
    if (graph.nodes[a].launches.size() == 1 && refused >= 0)
      emitRemark(graph.nodes[a].launches[0], Remark::MergeRefused, graph.nodes[a].launches[0].getKernel(),
                 graph.nodes[refused].launches[0].getKernel(), why);
  }
  return gained;
}

//===-- Pass -------------------------------------------------------------------------------------------===//

/// What the user is told of a merged launch.
static void explain(LaunchOp launch, const LaunchNode &node, double gained, ArrayRef<std::string> names) {
  auto parts = launch->getAttrOfType<ArrayAttr>(PlanDialect::getPartsAttrName());
  auto last = cast<PartAttr>(parts[parts.size() - 1]);
  double apart = 0;
  for (double work : node.apart)
    apart += work;
  emitRemark(launch, Remark::LaunchesMerged, launch.getKernel(), llvm::join(names, ", "),
             last.getFirst() + last.getBlocks(), threadsOf(node.parts), apart, (int64_t)names.size(),
             node.work, gained);
}

namespace {
struct MergeLaunches : plan::impl::MergeLaunchesBase<MergeLaunches> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    MergeWriter writer{getOperation()};
    for (auto program : getOperation().getOps<ProgramOp>()) {
      SmallVector<LaunchOp> launches(program.getBody().getOps<LaunchOp>());
      if (launches.size() < 2 || launches.size() > kMostLaunches ||
          llvm::any_of(launches, [](LaunchOp launch) { return launch.hasBuffers(); }))
        continue;
      LaunchGraph graph(program, *arch, SmallVector<std::string>(alone.begin(), alone.end()));
      llvm::DenseMap<int, double> gained = chooseMerges(graph);
      bool changed = false;
      for (auto [i, node] : llvm::enumerate(graph.nodes)) {
        if (node.gone || node.launches.size() < 2)
          continue;
        SmallVector<std::string> names;
        for (LaunchOp launch : node.launches)
          names.push_back(launch.getKernel().str());
        LaunchOp launch = writer.writeLaunch(node.launches, node.parts);
        explain(launch, node, gained.lookup((int)i), names);
        launchesSaved += names.size() - 1;
        changed = true;
      }
      // A merged launch stands where the first of its parts stood, before what the others need.
      if (changed)
        sortTopologically(&program.getBody().front());
    }
    writer.eraseUnused();
  }
};
} // namespace
