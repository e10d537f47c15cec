// Writes the kernels of a program as tuning tasks. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/TuningTasks.h"

#include "Tilewright/Analysis/KernelContent.h"
#include "Tilewright/Conversion/Schedules.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Package/OutputFile.h"
#include "Tilewright/Tuner/Task.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;

/// A program that launches `kernel` alone, its arguments as inputs x0, x1, … and its results as outputs y0,
/// ….
static OwningOpRef<ModuleOp> programOf(graph::KernelOp kernel, plan::LaunchOp launch,
                                       tile::ScheduleAttr schedule) {
  MLIRContext *context = kernel.getContext();
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto type = builder.getFunctionType(kernel.getArgumentTypes(), kernel.getResultTypes());
  auto names = [&](StringRef prefix, size_t count) {
    SmallVector<Attribute> attributes;
    for (size_t i = 0; i < count; ++i)
      attributes.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr("plan.name", builder.getStringAttr(prefix + Twine(i)))));
    return builder.getArrayAttr(attributes);
  };
  auto program = plan::ProgramOp::create(builder, loc, "main", type, /*bucket=*/nullptr,
                                         names("x", type.getNumInputs()), names("y", type.getNumResults()),
                                         /*sym_visibility=*/nullptr);
  auto clone = cast<graph::KernelOp>(builder.clone(*kernel));
  clone->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
  clone->walk([&](Operation *op) { op->setLoc(loc); });
  SmallVector<Location> locs(type.getNumInputs(), loc);
  Block *block = builder.createBlock(&program.getBody(), {}, type.getInputs(), locs);
  auto run =
      plan::LaunchOp::create(builder, loc, type.getResults(), kernel.getSymName(), block->getArguments());
  for (StringRef name : {plan::PlanDialect::getCostAttrName(), plan::PlanDialect::getSourcesAttrName()})
    if (Attribute attribute = launch->getAttr(name))
      run->setAttr(name, attribute);
  plan::ReturnOp::create(builder, loc, run.getResults());
  return module;
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// tilewright stage: fuse\n" << module << "\n";
  return text;
}

/// The schedule of a product that is as unlike the others as can be: fused multiply-adds without a ring.
static tile::ScheduleAttr plainSchedule(tile::ScheduleAttr like) {
  SmallVector<int64_t> tile(like.getTile().size(), 1);
  tile[tile.size() - 2] = tile.back() = 64;
  tile::ScheduleOptions options;
  options.product = tile::ProductUnit::Fma;
  return tile::ScheduleAttr::get(like.getContext(), tile, 16, 4, {2, 2}, 1, options);
}

/// The fastest by the model, and the fastest of a kind that the model knows from no measurement: it may be
/// wrong about that one.
static SmallVector<ModelledSchedule> candidatesOf(ArrayRef<ModelledSchedule> schedules, size_t most) {
  auto isStreamed = [](const ModelledSchedule &one) { return one.schedule.getOptions().streamK != 0; };
  SmallVector<ModelledSchedule> chosen(schedules.take_front(most));
  const ModelledSchedule *streamed = llvm::find_if(schedules, isStreamed);
  if (streamed != schedules.end() && llvm::none_of(chosen, isStreamed))
    chosen.push_back(*streamed);
  return chosen;
}

static LogicalResult writeTask(graph::KernelOp kernel, plan::LaunchOp launch, const KernelContent &content,
                               const TuningOptions &options) {
  FailureOr<SmallVector<ModelledSchedule>> schedules = listSchedules(kernel, *options.arch);
  if (failed(schedules))
    return failure();
  if (schedules->size() < 2)
    return success();
  std::string folder =
      llvm::formatv("{0}/{1}-{2}-{3}", options.folder, content.anchor, content.shape, content.digest);
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return kernel.emitError() << "cannot make folder " << folder << ": " << code.message();
  auto write = [&](const std::string &name, tile::ScheduleAttr schedule) -> LogicalResult {
    OwningOpRef<ModuleOp> program = programOf(kernel, launch, schedule);
    std::string error = writeWholeFile(folder + "/" + name + ".mlir", textOf(*program));
    return error.empty() ? success() : kernel.emitError() << error;
  };
  tuner::Task task{
      options.arch->name, content.anchor, content.shape, content.types, content.digest, "reference", {}};
  for (const ModelledSchedule &one : candidatesOf(*schedules, options.schedules)) {
    std::string name = llvm::formatv("{0,0+2}", task.candidates.size()), text;
    llvm::raw_string_ostream(text) << one.schedule;
    if (failed(write(name, one.schedule)))
      return failure();
    task.candidates.push_back({name, one.microseconds, text});
  }
  if (failed(write(task.reference, plainSchedule(schedules->front().schedule))))
    return failure();
  std::string error = writeWholeFile(folder + "/task", task.text());
  return error.empty() ? success() : kernel.emitError() << error;
}

LogicalResult tilewright::writeTuningTasks(ModuleOp module, const TuningOptions &options) {
  // Passes that would load it have not run.
  module.getContext()->getOrLoadDialect<tile::TileDialect>();
  llvm::StringSet<> seen;
  WalkResult result = module.walk([&](plan::LaunchOp launch) {
    auto kernel = module.lookupSymbol<graph::KernelOp>(launch.getKernel());
    if (!kernel)
      return WalkResult::advance();
    KernelContent content = contentOf(kernel);
    if (!seen.insert(content.digest).second)
      return WalkResult::advance();
    // A kernel that masks by true lengths is measured in its program.
    bool masks = kernel.walk([](graph::TrueLengthOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (masks || kernel->hasAttr(tile::KernelOp::getScheduleAttrName()))
      return WalkResult::advance();
    return failed(writeTask(kernel, launch, content, options)) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
