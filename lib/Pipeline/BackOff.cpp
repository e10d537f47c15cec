// Candidates are compiled one after the other: spills are rare, and the first candidate mostly does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BackOff.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;
using namespace tilewright;

/// Warps of a block, and how often a tile is halved.
static constexpr int64_t kMostWarps = 32;
static constexpr int kHalvings = 3;

static unsigned spillsOf(const AssembledKernel &kernel) {
  return kernel.resources ? kernel.resources->spillStores + kernel.resources->spillLoads : 0;
}

namespace {

/// One kernel and what was tried for it.
struct Attempt {
  OwningOpRef<ModuleOp> module = {};
  std::vector<AssembledKernel> images = {};
  tile::ScheduleAttr schedule = {};

  unsigned spills() const {
    unsigned most = 0;
    for (const AssembledKernel &image : images)
      most = std::max(most, spillsOf(image));
    return most;
  }
};

/// The kernel on its way through the stages again.
struct Retry {
  mutable graph::KernelOp kernel;
  const StageOptions &stages;

  OwningOpRef<ModuleOp> alone(tile::ScheduleAttr schedule) const {
    OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
    auto clone = cast<graph::KernelOp>(kernel->clone());
    if (schedule)
      clone->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
    module->push_back(clone);
    return module;
  }
  bool run(ModuleOp module, Stage stage) const {
    PassManager pm(module.getContext(), ModuleOp::getOperationName());
    populateStage(pm, stage, stages, /*verify=*/false);
    return succeeded(pm.run(module));
  }
  /// The schedule that the tile stage chooses.
  tile::ScheduleAttr usual() const {
    OwningOpRef<ModuleOp> module = alone({});
    if (!run(*module, Stage::Tile))
      return {};
    for (auto tiled : module->getOps<tile::KernelOp>())
      return tiled->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
    return {};
  }
  std::optional<Attempt> compile(tile::ScheduleAttr schedule) const {
    Attempt attempt;
    attempt.module = alone(schedule);
    attempt.schedule = schedule;
    for (Stage stage : {Stage::Tile, Stage::Schedule, Stage::Target})
      if (!run(*attempt.module, stage))
        return std::nullopt;
    SmallVector<gpu::GPUModuleOp> modules(attempt.module->getOps<gpu::GPUModuleOp>());
    Assembler assembler(stages.ptx.assemble);
    auto images = assembler.assemble(modules, stages.ptx.archs);
    if (modules.size() != 1 || failed(images))
      return std::nullopt;
    attempt.images = std::move(*images);
    for (const AssembledKernel &image : attempt.images)
      if (image.resources) {
        attachResources(modules.front(), *image.resources);
        break;
      }
    return std::optional<Attempt>(std::move(attempt));
  }
};

} // namespace

/// Other schedules for the same kernel, the gentlest change first.
static SmallVector<tile::ScheduleAttr> gentler(tile::ScheduleAttr usual, unsigned spills) {
  MLIRContext *context = usual.getContext();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  SmallVector<tile::ScheduleAttr> found;
  auto add = [&](ArrayRef<int64_t> tile, int64_t warps) {
    auto emit = [&] { return emitError(UnknownLoc::get(context)); };
    int64_t warpGrid[] = {1, warps};
    if (succeeded(tile::ScheduleAttr::verify(emit, tile, usual.getReduce(), warps, warpGrid,
                                             usual.getStages(), {})))
      found.push_back(
          tile::ScheduleAttr::get(context, tile, usual.getReduce(), warps, warpGrid, usual.getStages()));
  };
  int64_t warps = usual.getWarps();
  SmallVector<int64_t> tile(usual.getTile());
  if (2 * warps <= kMostWarps)
    add(tile, 2 * warps);
  // A row in parts is read once more: that is as much as a thread has of it.
  int64_t whole = 1;
  for (int64_t size : tile)
    whole *= size;
  if ((int64_t)spills <= whole * 4 / (32 * warps))
    return found;
  for (int i = 0; i < kHalvings; ++i) {
    auto *largest = llvm::max_element(tile);
    if (*largest < 64)
      break;
    // Tiles are powers of two, or whole rows in pieces that threads divide.
    *largest = (int64_t)llvm::PowerOf2Ceil((uint64_t)*largest) / 2;
    int64_t elems = 1;
    for (int64_t size : tile)
      elems *= size;
    add(tile, warps);
    if (warps > 4 && elems <= warps * 32 * 8)
      add(tile, warps / 2);
  }
  return found;
}

void tilewright::backOffFromSpills(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                                   std::vector<AssembledKernel> &kernels) {
  SmallVector<std::string> names;
  for (const AssembledKernel &kernel : kernels)
    if (spillsOf(kernel) > kHarmlessSpills && !llvm::is_contained(names, kernel.name))
      names.push_back(kernel.name);
  for (const std::string &name : names) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(name);
    auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
    if (!kernel || !target || kernel.getAnchor() == graph::Anchor::Matmul ||
        kernel->hasAttr(tile::KernelOp::getScheduleAttrName()))
      continue;
    unsigned before = 0;
    for (const AssembledKernel &image : kernels)
      before = image.name == name ? std::max(before, spillsOf(image)) : before;
    // What a candidate's compilation says of it is no news to the user.
    std::optional<Attempt> best;
    tile::ScheduleAttr usual;
    {
      ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
      Retry retry{kernel, stages};
      usual = retry.usual();
      for (tile::ScheduleAttr schedule : usual ? gentler(usual, before) : SmallVector<tile::ScheduleAttr>()) {
        std::optional<Attempt> attempt = retry.compile(schedule);
        if (attempt && attempt->spills() < (best ? best->spills() : before))
          best = std::move(attempt);
        if (best && best->spills() <= kHarmlessSpills)
          break;
      }
    }
    if (!best) {
      emitRemark(target, Remark::SpillsKept, name, before);
      continue;
    }
    auto replacement = *best->module->getOps<gpu::GPUModuleOp>().begin();
    emitRemark(target, Remark::BackedOff, name, before, usual, best->schedule, best->spills());
    OpBuilder(target).clone(*replacement);
    target->erase();
    for (AssembledKernel &image : best->images)
      for (AssembledKernel &old : kernels)
        if (old.name == name && old.arch == image.arch)
          old = std::move(image);
  }
}
