// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrySchedules.h"
#include "BackOff.h"
#include "KernelCut.h"
#include "LaunchCost.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;

/// Microseconds of kernels that are tried, schedules of one, the share of its modelled work that one may
/// leave, and microseconds that it has to save.
static constexpr double kLeastTried = 8, kMostLeft = 0.88, kLeastSaved = 1.5;
static constexpr size_t kMostTried = 8;
/// Warps of a multiprocessor below which a schedule is none to go to, and the share of the bytes' time from
/// which on instructions matter.
static constexpr uint64_t kFewWarps = 8;
static constexpr double kMatters = 0.15;
/// Elements of a thread, and warps of a block, over those that it has, at most.
static constexpr int64_t kMostLonger = 2;
/// What blocks leave of the shorter time beside the longer one; the same of bytes' time where a block loads,
/// computes and stores in turns, alone on its multiprocessor.
static constexpr double kLeft = 0.1, kLeftAlone = 0.5;

namespace {
/// A kernel that is tried, under schedules that may take the place of its own.
struct Tried {
  graph::KernelOp kernel;
  plan::LaunchOp launch;
  KernelCost cost;
  tile::ScheduleAttr own = {};
  SmallVector<tile::ScheduleAttr> candidates = {};
};
} // namespace

/// Modelled microseconds of a kernel that keeps its multiprocessors busy: the longer one of its bytes and its
/// instructions, and what is not hidden of the other one.
static double workOf(const Arch &arch, const KernelCost &cost) {
  auto [memory, compute] = boundsOf(arch, cost);
  // Loops load ahead.
  bool isAlone = cost.resident == 1 && cost.takesTurns && cost.rounds == 1 && memory > compute;
  return std::max(memory, compute) + (isAlone ? kLeftAlone : kLeft) * std::min(memory, compute);
}

static double mostLeft(double work) { return std::min(kMostLeft * work, work - kLeastSaved); }

/// Whether a kernel that costs this may have a schedule that saves enough. What a block for a multiprocessor
/// does is as long as its waits. (H200: norms of 64 rows of 65536 bf16 in clusters of two blocks, of 8 warps
/// 6.9 us, of 32 warps, which take fewer instructions, 9.0.)
static bool mayGain(const Arch &arch, const KernelCost &cost) {
  auto [memory, compute] = boundsOf(arch, cost);
  if (cost.blocks <= arch.numSMs)
    return false;
  return cost.instructions > 0 && compute >= kMatters * memory && memory <= mostLeft(workOf(arch, cost));
}

/// Elements of a warp.
static int64_t ofWarp(tile::ScheduleAttr schedule) {
  return llvm::product_of(schedule.getTile()) / std::max<int64_t>(1, schedule.getWarps());
}

/// Schedules near the kernel's own; not those that only divide its tile among more threads, which take more
/// instructions, nor those that leave threads much more than they have: these wait longer.
static void listCandidates(Tried &tried, const AssembledKernel &image) {
  MLIRContext *context = tried.kernel.getContext();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  FailureOr<KernelSchedules> schedules = failure();
  TrialRemarks().during(*context, [&] { schedules = listSchedules(tried.kernel, *image.arch); });
  if (failed(schedules) || !schedules->isRuled)
    return;
  for (const ModelledSchedule &near : schedules->candidates) {
    tile::ScheduleAttr schedule = launchedAs(image, near.schedule);
    bool divides = schedule.getTile() == tried.own.getTile() && schedule.getWarps() > tried.own.getWarps();
    bool isLong = ofWarp(schedule) > kMostLonger * ofWarp(tried.own) ||
                  schedule.getWarps() > kMostLonger * tried.own.getWarps();
    if (schedule != tried.own && !divides && !isLong && tried.candidates.size() < kMostTried)
      tried.candidates.push_back(schedule);
  }
}

/// The place among its candidates of the one that is modelled to work shortest, as it was `compiled`, and how
/// long; nothing where none can take the kernel's place.
static std::optional<std::pair<size_t, double>> shortest(const Tried &tried,
                                                         ArrayRef<std::optional<CompiledKernels>> compiled,
                                                         unsigned spilled, const Arch &arch) {
  std::optional<std::pair<size_t, double>> best;
  for (auto [place, one] : llvm::enumerate(compiled)) {
    if (!one || one->spills() > spilled)
      continue;
    auto target = *ModuleOp(one->module.get()).getOps<gpu::GPUModuleOp>().begin();
    KernelCost cost = costOf(tried.launch, functionOf(target), one->images, arch);
    cost.bytesBeside = std::max(cost.bytesBeside, tried.cost.bytesBeside);
    if (cost.residentWarps <= kFewWarps && cost.residentWarps < tried.cost.residentWarps)
      continue;
    double work = workOf(arch, cost);
    if (!best || work < best->second)
      best = {place, work};
  }
  return best;
}

void tilewright::trySchedules(ModuleOp module, ModuleOp fused, const StageOptions &stages,
                              std::vector<AssembledKernel> &kernels) {
  const Arch &arch = *stages.ptx.archs.front();
  std::vector<Tried> all;
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (const AssembledKernel &image : kernels) {
    auto kernel = fused.lookupSymbol<graph::KernelOp>(image.name);
    auto target = module.lookupSymbol<gpu::GPUModuleOp>(image.name);
    if (image.arch != &arch || !isFree(kernel, target))
      continue;
    plan::LaunchOp launch = modelledLaunch(module, target);
    if (!launch || microsecondsOf(launch, target, kernels, arch) < kLeastTried)
      continue;
    Tried tried{kernel, launch, costOf(launch, functionOf(target), kernels, arch)};
    tile::ScheduleAttr usual = mayGain(arch, tried.cost) ? usualSchedule(kernel, stages) : nullptr;
    if (!usual)
      continue;
    tried.own = launchedAs(image, usual);
    listCandidates(tried, image);
    for (tile::ScheduleAttr candidate : tried.candidates)
      modules.push_back(alone(kernel, candidate));
    all.push_back(std::move(tried));
  }
  std::vector<std::optional<CompiledKernels>> compiled = compileSideBySide(std::move(modules), stages);
  ArrayRef<std::optional<CompiledKernels>> left = compiled;
  for (const Tried &tried : all) {
    std::string name = graph::KernelOp(tried.kernel).getSymName().str();
    size_t count = tried.candidates.size();
    auto best = shortest(tried, left.take_front(count), spillsOf(kernels, name), arch);
    left = left.drop_front(count);
    double work = workOf(arch, tried.cost);
    if (!best || best->second > mostLeft(work))
      continue;
    tile::ScheduleAttr schedule = tried.candidates[best->first];
    std::optional<CompiledKernels> taken = compileAgain(alone(tried.kernel, schedule), stages);
    if (!taken)
      continue;
    auto target = module.lookupSymbol<gpu::GPUModuleOp>(name);
    emitRemark(target, Remark::NearScheduleTaken, name, work, tried.own, schedule, best->second, count);
    markChosen(*taken, "rule");
    replaceKernel(target, *taken, kernels);
  }
}
