// The fuse stage is run by putting its kernels back in line; tile and schedule have no interpreter of their
// own, so what goes wrong in them shows after target. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BisectProgram.h"
#include "Tilewright/Import/Upstream.h"

#include "Tilewright/Dialect/Plan/IR/Plan.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"

#include <optional>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;
using namespace tilewright::reference;

/// The program of a fuse-stage module as one function, its kernels in line.
static OwningOpRef<ModuleOp> inlineKernels(ModuleOp module) {
  plan::ProgramOp program = *module.getOps<plan::ProgramOp>().begin();
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  if (Attribute files = module->getAttr("graph.weight_files"))
    (*result)->setAttr("graph.weight_files", files);
  OpBuilder builder = OpBuilder::atBlockEnd(result->getBody());
  auto type = builder.getFunctionType(program.getArgumentTypes(), program.getResultTypes());
  auto func = func::FuncOp::create(builder, program.getLoc(), "main", type);
  builder.setInsertionPointToEnd(func.addEntryBlock());
  IRMapping values;
  values.map(program.getBody().getArguments(), func.getArguments());
  auto look = [&](IRMapping &mapping, ValueRange range) {
    return llvm::map_to_vector(range, [&](Value value) { return mapping.lookup(value); });
  };
  for (Operation &op : program.getBody().front()) {
    if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
      auto kernel = module.lookupSymbol<graph::KernelOp>(launch.getKernel());
      IRMapping inner;
      inner.map(kernel.getBody().getArguments(), look(values, launch.getArgs()));
      for (Operation &step : kernel.getBody().front().without_terminator())
        builder.clone(step, inner);
      values.map(launch.getResults(), look(inner, kernel.getBody().front().getTerminator()->getOperands()));
    } else if (isa<plan::ReturnOp>(op)) {
      func::ReturnOp::create(builder, op.getLoc(), look(values, op.getOperands()));
    } else {
      builder.clone(op, values);
    }
  }
  return result;
}

namespace {
/// One bisection.
struct Bisection {
  const CheckOptions &options;
  ArrayRef<std::string> stageFiles;
  std::vector<HostTensor> inputs = {};
  WeightSource weights = {};
  /// What the program as it came gives in fp64.
  std::vector<HostTensor> expected = {};
  /// The first stage whose values differ.
  std::optional<Stage> culprit = {};

  bool compare(Stage stage, ArrayRef<HostTensor> results);
  bool runOnReference(Stage stage, ModuleOp program);
  OwningOpRef<ModuleOp> replacementFor(Stage stage, MLIRContext *context) const;
  bool run(OwningOpRef<ModuleOp> program);
};
} // namespace

static bool complain(Stage stage, const llvm::Twine &message) {
  llvm::outs() << "after " << stageName(stage) << ": " << message << "\n";
  return false;
}

bool Bisection::compare(Stage stage, ArrayRef<HostTensor> results) {
  double largest = 0, worst = 0;
  for (auto [result, wanted] : llvm::zip_equal(results, expected)) {
    HostTensor rounded = convertElements(wanted, result.type.getElementType());
    Difference difference = reference::compare(result, rounded, options.rtol, options.atol);
    largest = std::max(largest, difference.absolute);
    worst = std::max(worst, difference.worst);
  }
  bool close = worst <= 1;
  llvm::outs() << "after " << stageName(stage) << ": " << (close ? "equal" : "DIFFERENT")
               << ", largest difference " << llvm::format("%.2g", largest) << "\n";
  if (!close && !culprit)
    culprit = stage;
  return close;
}

bool Bisection::runOnReference(Stage stage, ModuleOp program) {
  auto results = runReference(program, inputs, weights, {Precision::Native, "main"});
  if (!results)
    return complain(stage, llvm::toString(results.takeError()));
  compare(stage, *results);
  return true;
}

/// The program of --stage-file, or null.
OwningOpRef<ModuleOp> Bisection::replacementFor(Stage stage, MLIRContext *context) const {
  for (const std::string &text : stageFiles)
    if (auto [name, path] = StringRef(text).split('='); name == stageName(stage))
      return parseSourceFile<ModuleOp>(path, context);
  return {};
}

bool Bisection::run(OwningOpRef<ModuleOp> program) {
  MLIRContext *context = program->getContext();
  auto func = program->lookupSymbol<func::FuncOp>("main");
  std::vector<HostTensor> results;
  for (Type type : func.getResultTypes())
    results.push_back(makeZeros(cast<RankedTensorType>(type)));
  auto wide = runReference(*program, inputs, weights, {Precision::F64, "main"});
  if (!wide)
    return complain(Stage::Import, llvm::toString(wide.takeError()));
  expected = std::move(*wide);
  if (failed(importUpstream(*program)))
    return complain(Stage::Import, "the stage failed");
  if (!runOnReference(Stage::Import, *program))
    return false;
  StageOptions stages = stageOptions(options);
  for (Stage stage : {Stage::Graph, Stage::Fuse, Stage::Tile, Stage::Schedule, Stage::Target}) {
    if (OwningOpRef<ModuleOp> replacement = replacementFor(stage, context))
      program = std::move(replacement);
    else if (failed(runStage(*program, stage, stages)))
      return complain(stage, "the stage failed");
    if (stage == Stage::Graph && !runOnReference(stage, *program))
      return false;
    if (stage == Stage::Fuse && !runOnReference(stage, *inlineKernels(*program)))
      return false;
  }
  Outcome outcome = runTarget(*program, inputs, results, options);
  if (outcome.verdict != Verdict::Equal)
    return complain(Stage::Target, outcome.text);
  compare(Stage::Target, results);
  if (culprit)
    llvm::outs() << "the first stage that differs is " << stageName(*culprit) << "\n";
  else
    llvm::outs() << "no stage differs\n";
  return !culprit;
}

bool tilewright::check::bisectProgram(ModuleOp file, func::FuncOp func, const CheckOptions &options,
                                      ArrayRef<std::string> stageFiles) {
  Bisection bisection{options, stageFiles};
  auto inputs = makeInputs(func, options);
  auto weights = weightsOf(file, options.seed);
  if (!inputs)
    return complain(Stage::Import, llvm::toString(inputs.takeError()));
  if (!weights)
    return complain(Stage::Import, llvm::toString(weights.takeError()));
  bisection.inputs = std::move(*inputs);
  bisection.weights = std::move(*weights);
  OwningOpRef<ModuleOp> program = extractProgram(func);
  if (Attribute files = file->getAttr("graph.weight_files"))
    (*program)->setAttr("graph.weight_files", files);
  return bisection.run(std::move(program));
}
