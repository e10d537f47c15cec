// Most switches change nothing of most programs: only what differs behind the fuse stage is compiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChooseForm.h"
#include "BackOff.h"
#include "CompileAgain.h"
#include "KernelCut.h"
#include "LaunchCost.h"

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace tilewright;
using fuse::Form;
using fuse::FormSwitch;

/// Ops of a program that is compiled in several forms; what a form may leave of the plain one's time, and
/// microseconds that it has to save.
/// (H200, forms of random programs that are modelled to take up to 0.93 of the plain one's time: 62, 0.88 of
/// it in the mean, six of them 1.03 to 1.11; of 124 modelled at 0.93 to 1 34 save 2 % and 24 lose as much.)
static constexpr size_t kMostOps = 256;
static constexpr double kMostLeft = 0.93, kLeastSaved = 0.5;
/// What a form may take of the plain one's time before its kernels are cut and back off; and what the bytes
/// and flops of its kernels may. (Of 745 forms that differ some 250 pass, and 50 of the 62 that are to be
/// taken.)
static constexpr double kMayGain = 1.15, kMostOfFloor = 0.8;

double tilewright::microsecondsOf(ModuleOp program, ArrayRef<AssembledKernel> kernels, const Arch &arch) {
  double time = 0;
  program.walk([&](plan::LaunchOp launch) {
    if (auto kernel = program.lookupSymbol<gpu::GPUModuleOp>(launch.getKernel()))
      time += microsecondsOf(launch, kernel, kernels, arch);
  });
  return time;
}

bool tilewright::hasRecordedSchedules(ModuleOp program) {
  return llvm::any_of(program.getOps<gpu::GPUModuleOp>(), isRecorded);
}

static bool areAlike(ModuleOp one, ModuleOp other) {
  return OperationEquivalence::isEquivalentTo(one, other, OperationEquivalence::IgnoreLocations);
}

/// Microseconds that the bytes take that any kernels of the program move.
static double leastMicroseconds(ModuleOp fused, const Arch &arch) {
  double bytes = 0;
  for (auto program : fused.getOps<plan::ProgramOp>())
    if (auto of = program->getAttrOfType<DenseI64ArrayAttr>(plan::kTrafficAttrName))
      bytes += (double)of[3];
  return predict(arch, {"fp32", 0, (uint64_t)bytes, 0, arch.numSMs}).microseconds;
}

/// The same of the bytes and flops of its kernels, whatever these are like.
static double floorOf(ModuleOp fused, const Arch &arch) {
  double time = 0;
  fused.walk([&](plan::LaunchOp launch) {
    if (auto cost = launch->getAttrOfType<plan::CostAttr>(plan::PlanDialect::getCostAttrName()))
      time += predict(arch, {std::string_view(cost.getUnit().data(), cost.getUnit().size()),
                             (uint64_t)cost.getFlops(), (uint64_t)cost.getRead(), (uint64_t)cost.getWritten(),
                             arch.numSMs})
                  .microseconds;
  });
  return time;
}

namespace {
/// A form that is tried.
struct Trial {
  Form form = {};
  OwningOpRef<ModuleOp> fused = {};
  std::optional<double> microseconds = {};

  double time() const { return microseconds.value_or(INFINITY); }
};
} // namespace

/// Adds those of `forms` whose programs are none of the others', nor the plain one's.
static void addForms(ModuleOp program, ModuleOp plain, ArrayRef<Form> forms, const StageOptions &stages,
                     std::vector<Trial> &others) {
  std::vector<OwningOpRef<ModuleOp>> made;
  std::vector<StageRun> runs;
  for (Form form : forms) {
    made.emplace_back(program.clone());
    StageOptions own = stages;
    own.fuse.form = form;
    runs.push_back({*made.back(), own});
  }
  runStageAgain(runs, Stage::Fuse);
  for (auto [fused, run] : llvm::zip_equal(made, runs)) {
    auto isAlike = [&](const Trial &other) { return areAlike(other.fused.get(), run.module); };
    if (run.succeeds && !areAlike(run.module, plain) && llvm::none_of(others, isAlike))
      others.push_back({run.stages.fuse.form, std::move(fused)});
  }
}

/// The forms of one switch, and those of small tiles and another one where they differ.
static std::vector<Trial> otherForms(ModuleOp program, ModuleOp plain, const StageOptions &stages) {
  std::vector<Trial> others;
  addForms(program, plain,
           llvm::map_to_vector(fuse::kFormSwitches, [](FormSwitch which) { return Form().with(which); }),
           stages, others);
  Form small = Form().with(FormSwitch::SmallMixed);
  if (llvm::any_of(others, [&](const Trial &other) { return other.form == small; })) {
    SmallVector<Form> pairs;
    for (FormSwitch which : fuse::kFormSwitches)
      if (which != FormSwitch::SmallMixed)
        pairs.push_back(small.with(which));
    addForms(program, plain, pairs, stages, others);
  }
  return others;
}

Form tilewright::chooseForm(ModuleOp program, const PlainForm &plain, const StageOptions &stages,
                            TimeOfFused timeOf) {
  const Arch &arch = *stages.ptx.archs.front();
  double most = std::min(kMostLeft * plain.microseconds, plain.microseconds - kLeastSaved);
  size_t ops = 0;
  bool multiplies = false;
  program.walk([&](Operation *op) {
    ++ops;
    multiplies |= isa<graph::MatmulOp, graph::AttentionOp>(op);
  });
  if (multiplies || ops > kMostOps || leastMicroseconds(plain.fused, arch) > most)
    return {};
  std::vector<Trial> trials = otherForms(program, plain.fused, stages);
  // Launches of many pieces are interleaved, and share their bytes; large tiles take longer than their bytes.
  llvm::erase_if(trials, [&](Trial &trial) {
    return !trial.form.has(FormSwitch::ManyPieces) && !trial.form.has(FormSwitch::SmallMixed) &&
           floorOf(*trial.fused, arch) > kMostOfFloor * plain.microseconds;
  });
  for (Trial &trial : trials)
    trial.microseconds = timeOf(*trial.fused, /*asTheyAre=*/true);
  auto best = llvm::min_element(
      trials, [](const Trial &one, const Trial &other) { return one.time() < other.time(); });
  if (best == trials.end() || !best->microseconds)
    return {};
  // What is not much slower may gain by being cut, as the plain form has.
  if (best->time() > most && best->time() <= kMayGain * plain.microseconds)
    best->microseconds = timeOf(*best->fused, /*asTheyAre=*/false);
  bool pays = best->time() <= most;
  program.walk([&](func::FuncOp function) {
    emitRemark(function, pays ? Remark::FormChosen : Remark::FormKept, trials.size(), plain.microseconds,
               best->form.text(), best->time());
  });
  return pays ? best->form : Form();
}
