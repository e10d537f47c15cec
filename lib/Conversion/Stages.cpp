// The tile and target stages as straight pipelines.

#include "Tilewright/Conversion/Passes.h"

#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Target/Cuda/Arch.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;

/// Indices inside a kernel count elements of tiles and blocks; offsets that need more are computed in i64.
static constexpr unsigned kIndexBits = 32;

void tilewright::populateTileStage(OpPassManager &pm, int64_t sharedLimit, ArrayRef<std::string> chips,
                                   StringRef records) {
  ConvertGraphToTileOptions options;
  options.sharedLimit = sharedLimit;
  options.records = records.str();
  if (chips.size() == 1)
    options.target = chips.front();
  pm.addPass(graph::createGraphDecomposeMasks());
  if (chips.size() > 1) {
    SplitChipsOptions split;
    split.chips.assign(chips.begin(), chips.end());
    pm.addPass(createSplitChips(split));
  }
  pm.addPass(createConvertGraphToTile(options));
  if (chips.size() > 1)
    pm.addPass(createMergeChips());
  pm.addPass(createTileMarkSteadyViews());
  // Where kernels serve several chips, lines stay where one of them could keep them.
  double cacheBytes = 0;
  for (const std::string &chip : chips)
    if (const Arch *arch = lookupArch(chip))
      cacheBytes = std::max(cacheBytes, arch->l2Bytes);
  TileMarkPassingViewsOptions passing;
  if (cacheBytes > 0)
    passing.cacheBytes = (int64_t)cacheBytes;
  pm.addPass(createTileMarkPassingViews(passing));
  OpPassManager &kernels = pm.nest<tile::KernelOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(tile::createTileInterleaveAccesses());
  kernels.addPass(tile::createTileLoadEarly());
  kernels.addPass(tile::createTileSinkResults());
  kernels.addPass(createCSEPass());
  kernels.addPass(tile::createTileAssignLayouts());
}

void tilewright::populateTargetStage(OpPassManager &pm, bool exactMath) {
  pm.addPass(createConvertTileToLLVM());
  {
    OpPassManager &functions = pm.nest<gpu::GPUModuleOp>().nest<LLVM::LLVMFuncOp>();
    functions.addPass(createReconcileUnrealizedCastsPass());
    functions.addPass(createCanonicalizerPass());
    functions.addPass(createCSEPass());
    functions.addPass(createLoopInvariantCodeMotionPass());
    functions.addPass(createTargetExpandMath({/*onChip=*/!exactMath}));
    functions.addPass(createCanonicalizerPass());
    functions.addPass(createCSEPass());
    functions.addPass(createSCFToControlFlowPass());
    functions.addPass(createConvertMathToLLVMPass());
    ArithToLLVMConversionPassOptions arith;
    arith.indexBitwidth = kIndexBits;
    functions.addPass(createArithToLLVMConversionPass(arith));
  }
  ConvertControlFlowToLLVMPassOptions control;
  control.indexBitwidth = kIndexBits;
  pm.addPass(createConvertControlFlowToLLVMPass(control));
  OpPassManager &modules = pm.nest<gpu::GPUModuleOp>();
  modules.addPass(createReconcileUnrealizedCastsPass());
  modules.addPass(createCanonicalizerPass());
  modules.addPass(createCSEPass());
  modules.addPass(createVerifyTargetForm());
}

void tilewright::registerStagePipelines() {
  PassPipelineRegistration<>("tile-stage", "kernels as thread-block programs, with layouts",
                             [](OpPassManager &pm) { populateTileStage(pm); });
  PassPipelineRegistration<>("schedule-stage",
                             "shared memory, asynchronous copies and barriers made explicit",
                             [](OpPassManager &pm) { tile::populateScheduleStage(pm); });
  PassPipelineRegistration<>("target-stage", "kernels of one thread, in llvm, nvvm and ptx ops",
                             [](OpPassManager &pm) { populateTargetStage(pm); });
}
