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

/// How many times as many schedules a kernel has that rules choose for: their order says less.
static constexpr size_t kRuledSchedules = 3;

/// A program that launches `kernel` alone, under a schedule or (null) the compiler's own, its arguments as
/// inputs x0, x1, … and its results as outputs y0, ….
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
  if (schedule)
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

/// What an index into a table must be below, for each argument that is one or that indices are made of.
static std::vector<tuner::Limit> limitsOf(graph::KernelOp kernel) {
  DenseMap<unsigned, int64_t> least;
  kernel.walk([&](graph::GatherOp gather) {
    int64_t extent = cast<ShapedType>(gather.getInput().getType()).getDimSize((int64_t)gather.getDim());
    SmallVector<Value> pending{gather.getIndices()};
    llvm::SmallDenseSet<Value> seen;
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (Operation *op = value.getDefiningOp()) {
        llvm::append_range(pending, op->getOperands());
      } else if (getElementTypeOrSelf(value.getType()).isInteger()) {
        int64_t &limit = least.try_emplace(cast<BlockArgument>(value).getArgNumber(), extent).first->second;
        limit = std::min(limit, extent);
      }
    }
  });
  std::vector<tuner::Limit> limits;
  for (auto [argument, extent] : least)
    limits.push_back({"x" + std::to_string(argument), (uint64_t)extent});
  llvm::sort(limits, [](auto &a, auto &b) { return a.input < b.input; });
  return limits;
}

static LogicalResult writeTask(graph::KernelOp kernel, plan::LaunchOp launch, const KernelContent &content,
                               const TuningOptions &options) {
  FailureOr<KernelSchedules> schedules = listSchedules(kernel, *options.arch);
  if (failed(schedules))
    return failure();
  if (schedules->candidates.size() < 2)
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
  tuner::Task task{options.arch->name, content.anchor, content.shape,    content.types,
                   content.digest,     "reference",    limitsOf(kernel), {}};
  size_t most = schedules->isRuled ? (size_t)options.schedules * kRuledSchedules : options.schedules;
  auto add = [&](const ModelledSchedule &one, bool isOwn) -> LogicalResult {
    std::string name = llvm::formatv("{0,0+2}", task.candidates.size()), text;
    if (isOwn)
      text = tuner::kOwnSchedule;
    else
      llvm::raw_string_ostream(text) << one.schedule;
    task.candidates.push_back({name, one.microseconds, text});
    return write(name, isOwn ? tile::ScheduleAttr() : one.schedule);
  };
  // What the compiler makes of such a kernel by itself may be several.
  if (schedules->isRuled && failed(add(schedules->candidates.front(), /*isOwn=*/true)))
    return failure();
  for (const ModelledSchedule &one : candidatesOf(schedules->candidates, most))
    if (failed(add(one, /*isOwn=*/false)))
      return failure();
  if (failed(write(task.reference, schedules->reference)))
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
    // A kernel that masks by true lengths is measured in its program, and so is one whose rows lie in groups:
    // how many rows each has is what its time depends on.
    bool ofData = kernel
                      .walk([](Operation *op) {
                        auto product = dyn_cast<graph::MatmulOp>(op);
                        bool is = isa<graph::TrueLengthOp>(op) || (product && product.getGroups());
                        return is ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (ofData || kernel->hasAttr(tile::KernelOp::getScheduleAttrName()))
      return WalkResult::advance();
    return failed(writeTask(kernel, launch, content, options)) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
