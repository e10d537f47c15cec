// Candidates are compiled one after the other: spills are rare, and the first candidate mostly does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BackOff.h"
#include "KernelCut.h"
#include "LaunchCost.h"
#include "SplitKernel.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace mlir;
using namespace tilewright;

/// Warps of a block, and how often a tile is halved.
static constexpr int64_t kMostWarps = 32;
static constexpr int kHalvings = 3;
/// What is halved in place of a dimension that is taken whole: so much leaves a sector side by side.
static constexpr int64_t kLeastHalved = 16;

/// Registers of a thread from which on blocks of few warps are divided among twice as many: a multiprocessor
/// has one of them, whose warps wait together. (H200: three transposed results of 2440x17164 fp32 in blocks
/// of 8 warps with 255 registers, 218 us, and of 16 with 128, 183; another one with 186 registers, 149 and
/// 156.)
static constexpr unsigned kManyRegisters = 200, kRegistersOfDivided = 128;
static constexpr int64_t kFewWarps = 8;
/// The share of the modelled time that may be left where threads have fewer registers than that, and a
/// multiprocessor one block all the same; microseconds of kernels that are tried.
static constexpr double kMostLeft = 0.9, kLeastTried = 8;

/// Schedules of a product that are tried where its own is held up; what products that wait for one another
/// take over those that do not, at most. (H200: one with a maximum in bf16 42.0 and 25.5 us, a gated pair
/// 1630 and 1475.)
static constexpr size_t kTriedForHeld = 6;
static constexpr double kSlowestOfHeld = 1.5;

OwningOpRef<ModuleOp> tilewright::alone(graph::KernelOp kernel, tile::ScheduleAttr schedule) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
  auto clone = cast<graph::KernelOp>(kernel->clone());
  if (schedule)
    clone->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
  module->push_back(clone);
  return module;
}

tile::ScheduleAttr tilewright::usualSchedule(graph::KernelOp kernel, const StageOptions &stages) {
  OwningOpRef<ModuleOp> module = alone(kernel, {});
  if (failed(runStageAgain(*module, Stage::Tile, stages)))
    return {};
  for (auto tiled : module->getOps<tile::KernelOp>())
    return tiled->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName());
  return {};
}

void tilewright::markChosen(CompiledKernels &compiled, StringRef by, std::optional<double> microseconds) {
  Builder builder(compiled.module->getContext());
  SmallVector<NamedAttribute> chosen = {builder.getNamedAttr("by", builder.getStringAttr(by))};
  if (microseconds)
    chosen.push_back(builder.getNamedAttr("us", builder.getF64FloatAttr(*microseconds)));
  compiled.module->walk([&](LLVM::LLVMFuncOp function) {
    if (function->hasAttr(kChosenAttrName))
      function->setAttr(kChosenAttrName, builder.getDictionaryAttr(chosen));
  });
}

/// The kernel under `schedule`, which a rule chose.
static std::optional<ScheduledAgain> compileUnder(graph::KernelOp kernel, tile::ScheduleAttr schedule,
                                                  const StageOptions &stages) {
  std::optional<CompiledKernels> compiled = compileAgain(alone(kernel, schedule), stages);
  if (!compiled)
    return std::nullopt;
  markChosen(*compiled, "rule");
  return std::optional<ScheduledAgain>(ScheduledAgain{std::move(*compiled), schedule});
}

/// `usual` with another tile, warps and options, where that is a schedule.
static tile::ScheduleAttr changed(tile::ScheduleAttr usual, ArrayRef<int64_t> tile, int64_t warps,
                                  const tile::ScheduleOptions &options) {
  MLIRContext *context = usual.getContext();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  auto emit = [&] { return emitError(UnknownLoc::get(context)); };
  int64_t warpGrid[] = {1, warps};
  if (failed(tile::ScheduleAttr::verify(emit, tile, usual.getReduce(), warps, warpGrid, usual.getStages(),
                                        options)))
    return {};
  return tile::ScheduleAttr::get(context, tile, usual.getReduce(), warps, warpGrid, usual.getStages(),
                                 options);
}

static int64_t elementsOf(ArrayRef<int64_t> tile) { return llvm::product_of(tile); }

/// Other schedules for the same kernel, the gentlest change first.
static SmallVector<tile::ScheduleAttr> gentler(tile::ScheduleAttr usual, unsigned spills) {
  SmallVector<tile::ScheduleAttr> found;
  // Rows in pieces stay so: one block alone would take very long.
  tile::ScheduleOptions options;
  options.lookBack = usual.getOptions().lookBack;
  options.keepTables = usual.getOptions().keepTables;
  auto add = [&](ArrayRef<int64_t> tile, int64_t warps) {
    if (tile::ScheduleAttr schedule = changed(usual, tile, warps, options))
      found.push_back(schedule);
  };
  int64_t warps = usual.getWarps();
  SmallVector<int64_t> tile(usual.getTile());
  if (2 * warps <= kMostWarps)
    add(tile, 2 * warps);
  // A row in parts is read once more: that is as much as a thread has of it.
  if ((int64_t)spills <= elementsOf(tile) * 4 / (32 * warps))
    return found;
  for (int i = 0; i < kHalvings; ++i) {
    auto *largest = llvm::max_element(tile);
    if (*largest < 64)
      break;
    // What is no power of two holds an extent whole: of its half the second tile would be mostly empty.
    if (!llvm::isPowerOf2_64((uint64_t)*largest)) {
      auto halvable = [](int64_t size) {
        return size >= kLeastHalved && llvm::isPowerOf2_64((uint64_t)size);
      };
      auto *other = std::max_element(tile.begin(), tile.end(), [&](int64_t a, int64_t b) {
        return (halvable(a) ? a : 0) < (halvable(b) ? b : 0);
      });
      largest = halvable(*other) ? other : largest;
    }
    // Tiles are powers of two, or whole rows in pieces that threads divide.
    *largest = (int64_t)llvm::PowerOf2Ceil((uint64_t)*largest) / 2;
    add(tile, warps);
    if (warps > 4 && elementsOf(tile) <= warps * 32 * 8)
      add(tile, warps / 2);
  }
  return found;
}

std::optional<ScheduledAgain> tilewright::scheduleAgain(graph::KernelOp kernel, const StageOptions &stages,
                                                        unsigned before, tile::ScheduleAttr &usual) {
  std::optional<ScheduledAgain> best;
  usual = usualSchedule(kernel, stages);
  for (tile::ScheduleAttr schedule : usual ? gentler(usual, before) : SmallVector<tile::ScheduleAttr>()) {
    std::optional<ScheduledAgain> attempt = compileUnder(kernel, schedule, stages);
    if (attempt && attempt->compiled.spills() < (best ? best->compiled.spills() : before))
      best = std::move(attempt);
    if (best && best->compiled.spills() <= kHarmlessSpills)
      break;
  }
  return best;
}

bool tilewright::isRecorded(gpu::GPUModuleOp target) {
  return llvm::any_of(target.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
    auto chosen = function->getAttrOfType<DictionaryAttr>(kChosenAttrName);
    auto by = chosen ? chosen.getAs<StringAttr>("by") : StringAttr();
    return by && by == "record";
  });
}

bool tilewright::isFree(graph::KernelOp kernel, gpu::GPUModuleOp target) {
  return kernel && target && !kernel->hasAttr(tile::KernelOp::getScheduleAttrName()) &&
         kernel.getAnchor() != graph::Anchor::Matmul && !isRecorded(target);
}

static unsigned registersOf(ArrayRef<AssembledKernel> images, StringRef name) {
  unsigned most = 0;
  for (const AssembledKernel &image : images)
    if (image.name == name && image.resources)
      most = std::max(most, image.resources->registers);
  return most;
}

plan::LaunchOp tilewright::modelledLaunch(ModuleOp module, gpu::GPUModuleOp target) {
  auto found = launchesOf(module, target.getName());
  auto *launches = std::get_if<SmallVector<plan::LaunchOp>>(&found);
  bool counts = launches && launches->front()->hasAttr(plan::PlanDialect::getCostAttrName());
  return counts && launchOf(target) ? launches->front() : plan::LaunchOp();
}

void tilewright::backOffFromRegisters(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                                      std::vector<AssembledKernel> &kernels) {
  SmallVector<std::string> names;
  const Arch &arch = *stages.ptx.archs.front();
  for (const AssembledKernel &kernel : kernels)
    if (kernel.resources && kernel.resources->registers > kRegistersOfDivided &&
        spillsOf(kernel) <= kHarmlessSpills && !llvm::is_contained(names, kernel.name))
      names.push_back(kernel.name);
  for (const std::string &name : names) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(name);
    auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
    if (!isFree(kernel, target))
      continue;
    // Of nearly all registers the division is better; of fewer it is where it is modelled to be.
    unsigned before = registersOf(kernels, name);
    plan::LaunchOp launch = before > kManyRegisters ? plan::LaunchOp() : modelledLaunch(module, target);
    double whole = launch ? microsecondsOf(launch, target, kernels, arch) : 0;
    if (before <= kManyRegisters &&
        (!launch || whole < kLeastTried || costOf(launch, functionOf(target), kernels, arch).resident != 1))
      continue;
    tile::ScheduleAttr usual = usualSchedule(kernel, stages);
    if (!usual || usual.getWarps() > kFewWarps)
      continue;
    tile::ScheduleAttr wider = changed(usual, usual.getTile(), 2 * usual.getWarps(), usual.getOptions());
    std::optional<ScheduledAgain> attempt = wider ? compileUnder(kernel, wider, stages) : std::nullopt;
    if (!attempt || attempt->compiled.spills() > kHarmlessSpills)
      continue;
    unsigned after = registersOf(attempt->compiled.images, name);
    if (after > kRegistersOfDivided)
      continue;
    auto divided = attempt->compiled.module->lookupSymbol<gpu::GPUModuleOp>(name);
    if (launch &&
        (!divided || microsecondsOf(launch, divided, attempt->compiled.images, arch) > kMostLeft * whole))
      continue;
    emitRemark(target, Remark::MoreWarps, name, before, usual, wider, after);
    replaceKernel(target, attempt->compiled, kernels);
  }
}

/// What holds up products of warpgroups, in words; empty: nothing.
static std::string whatHolds(const AssembledKernel &kernel) {
  if (!kernel.resources || !StringRef(kernel.ptx).contains("wgmma.mma_async"))
    return "";
  for (const PtxasMessage &message : kernel.messages)
    if (StringRef(message.code).starts_with("C75"))
      return message.code;
  if (unsigned spills = spillsOf(kernel))
    return llvm::formatv("{0} bytes spilled", spills);
  if (unsigned bytes = kernel.resources->stackBytes)
    return llvm::formatv("{0} bytes of local memory", bytes);
  return "";
}

/// Schedules that ptxas has as many registers for.
static bool areAlike(tile::ScheduleAttr a, tile::ScheduleAttr b) {
  const tile::ScheduleOptions &ours = a.getOptions(), &theirs = b.getOptions();
  return a.getTile() == b.getTile() && a.getWarps() == b.getWarps() && ours.roles == theirs.roles &&
         a.getStages() == b.getStages() && ours.deferStores == theirs.deferStores &&
         ours.swapOperands == theirs.swapOperands && (ours.splitK == 1) == (theirs.splitK == 1);
}

/// Microseconds that a product of `microseconds` may lose by what holds up `image`, its kernel under `usual`.
/// Spilled values of each tile of results pass through L2. (H200, of four products with 830, 232, 436 and 452
/// bytes: 5.1, 1.9, 7.1 and 7.4 us by this; the fastest schedules that spill nothing, modelled
/// 0.3, 5.7, 9.5 and 20 slower, take 5 less, 6 more, as long, and 11 more.)
static double lostTo(const AssembledKernel &image, tile::ScheduleAttr usual, graph::KernelOp kernel,
                     double microseconds) {
  unsigned spills = spillsOf(image);
  if (!spills)
    return (kSlowestOfHeld - 1) * microseconds;
  int64_t results = 0;
  for (Type type : kernel.getResultTypes())
    results = std::max(results, cast<RankedTensorType>(type).getNumElements());
  double tiles = std::ceil((double)results / (double)elementsOf(usual.getTile()));
  return tiles * (double)(32 * usual.getWarps()) * spills / (image.arch->l2GBps * 1e3);
}

tile::ScheduleAttr tilewright::launchedAs(const AssembledKernel &image, tile::ScheduleAttr schedule) {
  tile::ScheduleOptions options = schedule.getOptions();
  options.dependentLaunch = StringRef(image.ptx).contains("griddepcontrol");
  return tile::ScheduleAttr::get(schedule.getContext(), schedule.getTile(), schedule.getReduce(),
                                 schedule.getWarps(), schedule.getWarpGrid(), schedule.getStages(), options);
}

void tilewright::backOffFromHeldProducts(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                                         std::vector<AssembledKernel> &kernels) {
  std::map<std::string, size_t> held;
  for (auto [place, kernel] : llvm::enumerate(kernels))
    if (!whatHolds(kernel).empty())
      held.try_emplace(kernel.name, place);
  for (auto &[name, place] : held) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(name);
    auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
    if (!kernel || !target || kernel.getAnchor() != graph::Anchor::Matmul ||
        kernel->hasAttr(tile::KernelOp::getScheduleAttrName()) || isRecorded(target))
      continue;
    tile::ScheduleAttr usual = usualSchedule(kernel, stages);
    FailureOr<KernelSchedules> schedules = listSchedules(kernel, *stages.ptx.archs.front());
    if (!usual || failed(schedules) || schedules->candidates.empty())
      continue;
    std::string reason = whatHolds(kernels[place]);
    SmallVector<tile::ScheduleAttr> tried = {usual};
    double fastest = schedules->candidates.front().microseconds,
           most = fastest + lostTo(kernels[place], usual, kernel, fastest);
    for (const ModelledSchedule &candidate : schedules->candidates) {
      if (tried.size() > kTriedForHeld || candidate.microseconds > most)
        break;
      if (llvm::any_of(tried, [&](tile::ScheduleAttr other) { return areAlike(other, candidate.schedule); }))
        continue;
      tile::ScheduleAttr schedule = launchedAs(kernels[place], candidate.schedule);
      tried.push_back(schedule);
      std::optional<ScheduledAgain> attempt = compileUnder(kernel, schedule, stages);
      if (!attempt || llvm::any_of(attempt->compiled.images,
                                   [](const AssembledKernel &image) { return !whatHolds(image).empty(); }))
        continue;
      emitRemark(target, Remark::ProductBackedOff, name, usual, reason, schedule, candidate.microseconds);
      markChosen(attempt->compiled, "model", candidate.microseconds);
      replaceKernel(target, attempt->compiled, kernels);
      target = {};
      break;
    }
    if (target)
      emitRemark(target, Remark::ProductKept, name, usual, reason, tried.size() - 1, most);
  }
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
    if (!kernel || !target || kernel->hasAttr(tile::KernelOp::getScheduleAttrName()) || isRecorded(target))
      continue;
    unsigned spills = spillsOf(kernels, name);
    if (kernel.getAnchor() != graph::Anchor::Matmul) {
      tile::ScheduleAttr usual;
      std::optional<ScheduledAgain> best = scheduleAgain(kernel, stages, spills, usual);
      if (best) {
        emitRemark(target, Remark::BackedOff, name, spills, usual, best->schedule, best->compiled.spills());
        spills = best->compiled.spills();
        replaceKernel(target, best->compiled, kernels);
      } else {
        emitRemark(target, Remark::SpillsKept, name, spills);
      }
    }
    if (spills > kHarmlessSpills)
      splitKernel(module, kernel, spills, stages, kernels);
  }
}
