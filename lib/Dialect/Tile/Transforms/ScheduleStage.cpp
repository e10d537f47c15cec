// The schedule stage as a straight pipeline.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;

void tile::populateScheduleStage(OpPassManager &pm, bool cacheHints, bool footprints) {
  OpPassManager &kernels = pm.nest<KernelOp>();
  if (footprints)
    kernels.addPass(createTileNoteFootprints());
  kernels.addPass(createTileDivideSteps());
  kernels.addPass(createTilePersistent());
  kernels.addPass(createTileAsyncProducts());
  kernels.addPass(createTileStageProducts());
  kernels.addPass(createTileStageStores());
  kernels.addPass(createTileSumBlocks());
  kernels.addPass(createTileSpecialiseRoles());
  kernels.addPass(createTileOverlapSteps());
  kernels.addPass(createTileTakeTurns());
  kernels.addPass(createTileDeferCommits());
  kernels.addPass(createTileDeferStores());
  kernels.addPass(createTileShareCopies());
  kernels.addPass(createTileDependOnGrid());
  kernels.addPass(createTileKeepRows());
  kernels.addPass(createTileHintCaches({/*all=*/cacheHints}));
  kernels.addPass(createTileJoinStores());
  kernels.addPass(createTileExpandTakes());
  kernels.addPass(createTileStageRuns());
  kernels.addPass(createTileCopyAhead());
  kernels.addPass(createTilePrefetchLoads());
  kernels.addPass(createTileExpandConversions());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createTileAllocateShared());
}
