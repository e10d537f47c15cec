// Registration of all dialects and passes, in stage order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Register.h"
#include "Tilewright/Analysis/Passes.h"
#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Ptx/Transforms/Passes.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Fuse/Passes.h"
#include "Tilewright/Import/Upstream.h"
#include "Tilewright/Reference/Passes.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

void tilewright::registerAllTilewright(DialectRegistry &registry) {
  // import, graph, fuse
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect, tosa::TosaDialect>();
  registry.insert<graph::GraphDialect, plan::PlanDialect>();
  // tile, schedule
  registry.insert<cf::ControlFlowDialect, scf::SCFDialect, vector::VectorDialect>();
  registry.insert<tile::TileDialect>();
  // target, ptx
  registry.insert<DLTIDialect, gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registry.insert<ptx::PtxDialect>();
}

void tilewright::registerAllTilewrightPasses() {
  registerImportPasses();
  graph::registerGraphPasses();
  graph::registerGraphStagePipeline();
  registerAnalysisPasses();
  fuse::registerFusePasses();
  tile::registerTilePasses();
  registerConversionPasses();
  registerTargetPasses();
  fuse::registerFuseStagePipeline();
  registerStagePipelines();
  plan::registerTilewrightPlanPasses();
  ptx::registerTilewrightPtxPasses();
  reference::registerReferencePasses();
}
