// runStageAgain: kernels that go through a stage side by side, in a context that has none of its dialects
// yet.
#include "CompileAgain.h"
#include "Tilewright/Pipeline/Register.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

static constexpr llvm::StringLiteral kKernel = R"(
  graph.kernel anchor(elementwise) @tanh(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = math.tanh %x : tensor<64x64xf32>
    graph.return %0 : tensor<64x64xf32>
  })";

TEST(CompileAgain, DialectsAreLoadedBeforeTheThreadsBegin) {
  DialectRegistry registry;
  registerAllTilewright(registry);
  for (int round = 0; round < 200; ++round) {
    MLIRContext context(registry);
    std::vector<OwningOpRef<ModuleOp>> modules;
    std::vector<StageRun> runs;
    StageOptions stages;
    stages.ptx.archs = {lookupArch("sm_90a")};
    for (int kernel = 0; kernel < 4; ++kernel) {
      modules.push_back(parseSourceString<ModuleOp>(kKernel, ParserConfig(&context)));
      ASSERT_TRUE(modules.back());
      runs.push_back({*modules.back(), stages});
    }
    runStageAgain(runs, Stage::Tile);
    for (StageRun &run : runs)
      EXPECT_TRUE(run.succeeds);
  }
}
