// The whole compiler, top to bottom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Stages.h"
#include "Contracts.h"
#include "ExplainOccupancy.h"
#include "Tilewright/Conversion/Passes.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Fuse/Passes.h"
#include "Tilewright/Remarks/Remarks.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright;

//===-- Names -------------------------------------------------------------------------------------------===//

namespace {
struct StageText {
  const char *name;
  const char *sentence;
};
} // namespace

static constexpr StageText kTexts[] = {
    {"import", "one graph op per source node, located at its name; weights are references"},
    {"graph", "a canonical tensor program: named patterns raised, movement removed, precision applied"},
    {"fuse", "the program cut into kernels, each with one anchor, and a plan that launches them"},
    {"tile", "for each kernel what one thread block does, with layouts assigned"},
    {"schedule", "memory spaces, swizzles, asynchronous copies and barriers made explicit, by one attribute"},
    {"target", "kernels of one thread, in llvm, nvvm and ptx ops"},
    {"ptx", "PTX, and a cubin where ptxas is found, of every kernel for every arch"},
    {"package", "buffers planned, launches as data, kernels and weights in one file"},
};
static_assert(std::size(kTexts) == kStages.size());

StringRef tilewright::stageName(Stage stage) { return kTexts[(unsigned)stage].name; }
StringRef tilewright::stageSentence(Stage stage) { return kTexts[(unsigned)stage].sentence; }

std::optional<Stage> tilewright::parseStage(StringRef name) {
  for (Stage stage : kStages)
    if (stageName(stage) == name)
      return stage;
  return std::nullopt;
}

//===-- import: Import.cpp ------------------------------------------------------------------------------===//

//===-- graph -------------------------------------------------------------------------------------------===//

void tilewright::populateStage(OpPassManager &pm, const GraphStage &stage) {
  graph::GraphStageOptions options;
  options.precision = stage.precision;
  options.reorder = stage.reorder;
  graph::populateGraphStage(pm, options);
}

//===-- fuse --------------------------------------------------------------------------------------------===//

std::string tilewright::storageOf(StringRef precision) {
  return precision == "bf16" || precision == "fp16" ? precision.str() : "fp32";
}

void tilewright::populateStage(OpPassManager &pm, const FuseStage &stage) {
  fuse::FuseStageOptions options;
  options.storage = stage.storage;
  options.reorder = stage.reorder;
  options.chainProducts = stage.chainProducts;
  options.alignOperands = stage.alignOperands;
  options.lookBack = stage.lookBack;
  options.lookBackColumns = stage.lookBackColumns;
  options.target = stage.target;
  options.form = stage.form;
  fuse::populateFuseStage(pm, options);
  if (stage.reverseKernels) {
    plan::ReverseKernelsOptions reverse;
    reverse.target = stage.target;
    reverse.cacheHints = stage.cacheHints;
    pm.addPass(plan::createReverseKernels(reverse));
  }
  plan::AnnotateCostsOptions costs;
  costs.target = stage.target;
  pm.addPass(plan::createAnnotateCosts(costs));
}

//===-- tile, schedule, target --------------------------------------------------------------------------===//

void tilewright::populateStage(OpPassManager &pm, const TileStage &stage) {
  populateTileStage(pm, stage.sharedLimit, stage.chips, stage.records);
}
void tilewright::populateStage(OpPassManager &pm, const ScheduleStage &stage) {
  tile::populateScheduleStage(pm, stage.cacheHints, stage.footprints);
}
void tilewright::populateStage(OpPassManager &pm, const TargetStage &stage) {
  populateTargetStage(pm, stage.exactMath);
  if (stage.mergesAny())
    populateMerging(pm, stage);
}

void tilewright::populateMerging(OpPassManager &pm, const TargetStage &stage) {
  if (stage.interleavesAny()) {
    plan::InterleaveLaunchesOptions options;
    options.target = stage.target;
    options.alone.assign(stage.alone.begin(), stage.alone.end());
    options.always = stage.interleaveLaunches == TargetStage::Interleaving::Always;
    pm.addPass(plan::createInterleaveLaunches(options));
  }
  if (stage.mergeLaunches) {
    plan::MergeLaunchesOptions options;
    options.target = stage.target;
    options.alone.assign(stage.alone.begin(), stage.alone.end());
    pm.addPass(plan::createMergeLaunches(options));
  }
  // The stage ends with its contract: LLVM aborts on what breaks it.
  populateContract(pm, Stage::Target);
}

//===-- ptx ---------------------------------------------------------------------------------------------===//

/// What is known of a kernel is written to the module of its name.
static LogicalResult standInModulesOfTheirName(ArrayRef<gpu::GPUModuleOp> modules) {
  for (gpu::GPUModuleOp module : modules)
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
          function.getSymName() != module.getName())
        return function.emitError() << "kernel @" << function.getSymName() << " stands in gpu.module @"
                                    << module.getName() << ", whose name must be the kernel's";
  return success();
}

FailureOr<std::vector<AssembledKernel>> tilewright::runPtxStage(ModuleOp module, const PtxStage &stage,
                                                                std::string &toolchain,
                                                                Assembler::Statistics *statistics) {
  // A program that starts here may hold no op or attribute of the dialect that resources are written in.
  module.getContext()->getOrLoadDialect<ptx::PtxDialect>();
  SmallVector<gpu::GPUModuleOp> kernels(module.getOps<gpu::GPUModuleOp>());
  if (failed(standInModulesOfTheirName(kernels)))
    return failure();
  Assembler assembler(stage.assemble);
  FailureOr<std::vector<AssembledKernel>> assembled = assembler.assemble(kernels, stage.archs);
  toolchain = assembler.toolchain();
  if (statistics)
    *statistics = assembler.statistics();
  if (failed(assembled))
    return failure();
  // Reports and dumps show what the code of its first arch needs.
  llvm::StringSet<> seen;
  for (const AssembledKernel &kernel : *assembled)
    if (seen.insert(kernel.name).second && kernel.resources)
      attachResources(module.lookupSymbol<gpu::GPUModuleOp>(kernel.name), *kernel.resources);
  if (failed(checkContracts(module, *assembled))) {
    explainKernels(module, *assembled);
    return failure();
  }
  return assembled;
}

void tilewright::explainKernels(ModuleOp module, ArrayRef<AssembledKernel> kernels) {
  for (const AssembledKernel &kernel : kernels) {
    Operation *op = module.lookupSymbol<gpu::GPUModuleOp>(kernel.name);
    if (kernel.resources)
      emitRemark(op, Remark::Resources, kernel.resources->registers,
                 kernel.resources->spillStores + kernel.resources->spillLoads, kernel.arch->name);
    for (const PtxasMessage &message : kernel.messages)
      if (message.severity != PtxasMessage::Severity::Info)
        emitRemark(op, Remark::Assembler, kernel.arch->name, message.text);
  }
  explainOccupancy(module, kernels);
}

//===-- package: Packaging.cpp --------------------------------------------------------------------------===//

void tilewright::populateStage(OpPassManager &pm, const PackageStage &stage) {
  pm.addNestedPass<plan::ProgramOp>(plan::createAssignBuffers());
  pm.addPass(plan::createAssignWorkspace());
  plan::ProgrammaticEdgesOptions edges;
  if (stage.inputs.arch)
    edges.target = stage.inputs.arch->name;
  pm.addPass(plan::createProgrammaticEdges(edges));
  plan::SpreadBlocksOptions spread;
  if (stage.inputs.arch)
    spread.target = stage.inputs.arch->name;
  if (stage.spreadBlocks)
    pm.addPass(plan::createSpreadBlocks(spread));
}

//===-- By name -----------------------------------------------------------------------------------------===//

void tilewright::populateContract(OpPassManager &pm, Stage stage) {
  switch (stage) {
  case Stage::Import:
    pm.addPass(graph::createVerifyImportForm());
    return;
  case Stage::Graph:
    pm.addPass(graph::createVerifyGraphForm());
    return;
  case Stage::Fuse:
    pm.addPass(plan::createVerifyFuseForm());
    return;
  case Stage::Tile:
    pm.addPass(tile::createVerifyTileForm());
    return;
  case Stage::Schedule:
    pm.addPass(tile::createVerifyScheduleForm());
    return;
  case Stage::Target:
    pm.addNestedPass<gpu::GPUModuleOp>(createVerifyTargetForm());
    return;
  case Stage::Ptx:
    return;
  case Stage::Package:
    pm.addPass(plan::createVerifyPlanForm());
    return;
  }
}

void tilewright::populateStage(OpPassManager &pm, Stage stage, const StageOptions &options, bool verify) {
  switch (stage) {
  case Stage::Import:
  case Stage::Ptx:
    break;
  case Stage::Graph:
    populateStage(pm, options.graph);
    break;
  case Stage::Fuse: {
    FuseStage fuse = options.fuse;
    if (!options.ptx.archs.empty())
      fuse.target = options.ptx.archs.front()->name;
    if (options.ptx.archs.size() == 1)
      fuse.alignOperands |= options.ptx.archs.front()->wgmma;
    populateStage(pm, fuse);
    break;
  }
  case Stage::Tile: {
    // Where one schedule serves several targets, the smallest of them limits it.
    TileStage tile = options.tile;
    for (const Arch *arch : options.ptx.archs)
      if (!tile.sharedLimit || tile.sharedLimit > arch->sharedBytesPerBlock)
        tile.sharedLimit = arch->sharedBytesPerBlock;
    if (tile.chips.empty())
      for (const Arch *arch : options.ptx.archs)
        tile.chips.push_back(arch->name);
    populateStage(pm, tile);
    break;
  }
  case Stage::Schedule:
    populateStage(pm, options.schedule);
    break;
  case Stage::Target: {
    TargetStage target = options.target;
    if (!options.ptx.archs.empty())
      target.target = options.ptx.archs.front()->name;
    return populateStage(pm, target);
  }
  case Stage::Package:
    populateStage(pm, options.package);
    verify = true; // a launch table that races is never shipped
    break;
  }
  if (verify)
    populateContract(pm, stage);
}
