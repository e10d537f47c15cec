// The fuse stage as a straight pipeline.

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Fuse/Passes.h"

#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;

void fuse::populateFuseStage(OpPassManager &pm, const FuseStageOptions &options) {
  pm.addPass(graph::createGraphDecomposeAttention());
  pm.addPass(graph::createGraphDecomposeNamed());
  if (!options.reorder)
    pm.addPass(graph::createGraphOrderSums());
  pm.addPass(graph::createGraphDecomposeSelection());
  pm.addPass(createFuseComputeSlices({options.storage, options.target}));
  if (options.reorder) {
    pm.addPass(createFuseDistributeConcats());
    pm.addPass(graph::createGraphReduceRepeated());
  }
  pm.addPass(createCSEPass());
  pm.addPass(graph::createGraphFoldWeights());
  if (options.chainProducts && options.reorder)
    pm.addPass(createFuseChainProducts({/*always=*/false, options.target}));
  if (options.reorder)
    pm.addPass(createFuseProductsAhead({options.target}));
  pm.addPass(graph::createGraphPropagateLayout());
  // After this a reduction of pieces computes its operand for itself; CSE would have it stored.
  FuseSplitReductionsOptions split;
  split.lookBack = options.lookBack && options.reorder;
  split.lookBackColumns = options.lookBackColumns;
  split.manyPieces = options.form.has(FormSwitch::ManyPieces);
  split.shareReadings = !options.form.has(FormSwitch::OwnReadings);
  if (const Arch *arch = lookupArch(options.target); arch && !options.form.has(FormSwitch::NoClusters))
    split.clusterBlocks = arch->mostClusterBlocks;
  pm.addPass(createFuseSplitReductions(split));
  if (!options.form.has(FormSwitch::NoSelect))
    pm.addPass(createFuseSelectOperands());
  pm.addPass(createFuseComputePlaces());
  // After this each user of a 16-bit value widens for itself; CSE would join them across kernels again.
  if (options.storage != "fp32")
    pm.addPass(createFuseNarrowStorage({options.storage}));
  if (options.storage != "fp32" || options.reorder)
    pm.addPass(createFuseApproximateMath({options.storage}));
  if (options.alignOperands)
    pm.addPass(createFuseAlignOperands({/*always=*/false, options.target}));
  FusePartitionKernelsOptions partition;
  partition.storage = options.storage;
  partition.target = options.target;
  partition.recompute = !options.form.has(FormSwitch::NoRecompute);
  partition.joinSiblings = !options.form.has(FormSwitch::NoSiblings);
  partition.earliestFirst = options.form.has(FormSwitch::EarliestFirst);
  partition.mostMixed = options.form.has(FormSwitch::SmallMixed) ? kFewMixedElems : kMostMixedElems;
  pm.addPass(createFusePartitionKernels(partition));
  // Equal launches are one. Not in kernels, where equal widenings are read through different views.
  pm.addNestedPass<plan::ProgramOp>(createCSEPass());
}

void fuse::registerFuseStagePipeline() {
  PassPipelineRegistration<>("fuse-stage", "the program cut into kernels, and the plan that launches them",
                             [](OpPassManager &pm) { populateFuseStage(pm, {}); });
}
