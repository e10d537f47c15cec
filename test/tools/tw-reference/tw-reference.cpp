// tw-reference: runs the tensor program of a file on the CPU reference, and compares what it gives before and
// after a pass pipeline. utils/bisect calls it with .npy files; lit tests with generated data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Import/WeightStore.h"
#include "Tilewright/Reference/Passes.h"
#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <map>
#include <memory>

using namespace mlir;
using namespace tilewright::reference;

namespace cl = llvm::cl;
static cl::opt<std::string> file(cl::Positional, cl::desc("FILE (.mlir, .mlirbc or -)"), cl::init("-"));
static cl::list<std::string> args("arg",
                                  cl::desc("Data of one argument, by number or graph.name: "
                                           "NAME=zeros|splat:V|iota|random[:SEED[:LOW:HIGH]]|FILE.npy"));
static cl::opt<std::string> defaultArg("default-arg", cl::desc("Data of the other arguments"),
                                       cl::init("random"));
static cl::opt<std::string>
    weightsFrom("weights",
                cl::desc("files: those that graph.weight_files names; random[:SEED]; auto: files if named"),
                cl::init("auto"));
static cl::opt<std::string> precision("precision", cl::desc("native or f64"), cl::init("native"));
static cl::opt<std::string> entry("entry", cl::desc("The function to run, or all"), cl::init("main"));
static cl::opt<std::string> output("output", cl::desc("Write results to DIR/<graph.name or number>.npy"));
static cl::opt<std::string>
    comparePasses("compare-passes", cl::desc("Run before and after this pipeline and compare: "
                                             "builtin.module(...) or a comma-separated list of passes"));
static cl::opt<double> allowedRelative("rtol", cl::desc("Allowed relative difference"), cl::init(1e-5));
static cl::opt<double> allowedAbsolute("atol", cl::desc("Allowed absolute difference"), cl::init(1e-6));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tw-reference: " << message << "\n";
  return 1;
}

/// The `graph.name` of an argument or result, or its number.
static std::string nameOf(Attribute attribute, unsigned number) {
  auto name = dyn_cast_if_present<StringAttr>(attribute);
  return name ? name.str() : std::to_string(number);
}

static llvm::Expected<std::vector<HostTensor>> makeInputs(func::FuncOp func) {
  std::vector<HostTensor> inputs;
  SmallVector<bool> used(args.size(), false);
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    // Without a seed of its own each argument differs from the others.
    std::string data = defaultArg == "random" ? "random:" + std::to_string(i) : defaultArg.getValue();
    for (auto [option, text] : llvm::enumerate(args)) {
      auto [name, value] = StringRef(text).split('=');
      if (name != std::to_string(i) && name != nameOf(func.getArgAttr(i, "graph.name"), i))
        continue;
      data = value.str();
      used[option] = true;
    }
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]);
    if (!type || !type.hasStaticShape())
      return llvm::createStringError("argument #" + llvm::Twine(i) + " is no tensor of static shape");
    auto tensor = makeTensor(type, data);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  for (auto [option, text] : llvm::enumerate(args))
    if (!used[option])
      return llvm::createStringError("--arg=" + text + " names no argument");
  return inputs;
}

/// Prints shape and elements, at most 64 of them.
static void print(const HostTensor &tensor, StringRef name) {
  llvm::outs() << name << " : " << tensor.type << " =";
  int64_t count = tensor.type.getNumElements();
  for (int64_t i = 0; i < std::min<int64_t>(count, 64); ++i)
    llvm::outs() << ' ' << llvm::format("%.7g", tensor.at(i));
  llvm::outs() << (count > 64 ? " ...\n" : "\n");
}

namespace {
/// One function's data.
struct Run {
  std::string function;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> results; ///< of the program as it was read
};
} // namespace

static ReferenceOptions optionsFor(const Run &run) {
  return {precision == "f64" ? Precision::F64 : Precision::Native, run.function};
}

/// The weights of `module`: from the files that it names, or random.
static llvm::Expected<WeightSource> makeWeights(ModuleOp module) {
  auto [kind, seedText] = StringRef(weightsFrom).split(':');
  bool random = kind == "random" || (kind == "auto" && !module->hasAttr("graph.weight_files"));
  uint64_t seed = 0;
  if ((!random && kind != "auto" && kind != "files") ||
      (!seedText.empty() && seedText.getAsInteger(10, seed)))
    return llvm::createStringError("--weights=" + weightsFrom + " is none of auto, files, random[:SEED]");
  if (random)
    return randomWeights(seed);
  auto store = tilewright::WeightStore::open(module);
  if (!store)
    return store.takeError();
  auto shared = std::make_shared<tilewright::WeightStore>(std::move(*store));
  auto read = std::make_shared<std::map<std::string, std::vector<char>>>();
  return WeightSource([shared, read](tilewright::graph::WeightAttr weight) -> llvm::Expected<ArrayRef<char>> {
    auto found = read->find(weight.getKey().str());
    if (found != read->end())
      return ArrayRef<char>(found->second);
    // The stored bytes: the reference applies the steps itself.
    auto stored =
        tilewright::graph::WeightAttr::get(weight.getContext(), weight.getKey(), weight.getType(),
                                           weight.getHash(), ArrayAttr::get(weight.getContext(), {}));
    auto bytes = shared->readAll(stored);
    if (!bytes)
      return bytes.takeError();
    return ArrayRef<char>(read->emplace(weight.getKey().str(), std::move(*bytes)).first->second);
  });
}

/// Runs the function of `run` on its inputs.
static llvm::Expected<std::vector<HostTensor>> runWithWeights(ModuleOp module, const Run &run) {
  auto weights = makeWeights(module);
  if (!weights)
    return weights.takeError();
  return runReference(module, run.inputs, *weights, optionsFor(run));
}

/// Makes the inputs of `run` and runs it.
static llvm::Error runBefore(ModuleOp module, Run &run) {
  auto inputs = makeInputs(module.lookupSymbol<func::FuncOp>(run.function));
  if (!inputs)
    return inputs.takeError();
  run.inputs = std::move(*inputs);
  auto results = runWithWeights(module, run);
  if (!results)
    return results.takeError();
  run.results = std::move(*results);
  return llvm::Error::success();
}

/// Prints the results of `run`, or writes them to --output.
static llvm::Error emitResults(ModuleOp module, const Run &run) {
  auto func = module.lookupSymbol<func::FuncOp>(run.function);
  for (auto [i, result] : llvm::enumerate(run.results)) {
    std::string name = nameOf(func.getResultAttr(i, "graph.name"), i);
    if (output.empty()) {
      print(result, name);
      continue;
    }
    llvm::SmallString<128> path(output);
    llvm::sys::fs::create_directories(path);
    llvm::sys::path::append(path, name + ".npy");
    if (llvm::Error error = writeNpy(result, path))
      return error;
  }
  return llvm::Error::success();
}

/// Runs `run` again on the changed module; whether its results are as before.
static llvm::Expected<bool> compareAfter(ModuleOp module, const Run &run) {
  auto after = runWithWeights(module, run);
  if (!after)
    return after.takeError();
  if (after->size() != run.results.size())
    return llvm::createStringError("the number of results changed");
  bool equal = true;
  for (auto [i, pair] : llvm::enumerate(llvm::zip(*after, run.results))) {
    auto &[changed, original] = pair;
    if (changed.type.getShape() != original.type.getShape())
      return llvm::createStringError("result #" + llvm::Twine(i) + " changed its shape");
    Difference difference = compare(changed, original, allowedRelative, allowedAbsolute);
    bool close = difference.worst <= 1.0;
    llvm::outs() << "@" << run.function << " result #" << i << ": " << (close ? "equal" : "DIFFERENT")
                 << ", largest difference " << llvm::format("%.2g", difference.absolute) << "\n";
    if (!close)
      llvm::outs() << "  element " << difference.index << ": " << original.at(difference.index) << " before, "
                   << changed.at(difference.index) << " after\n";
    equal &= close;
  }
  return equal;
}

int main(int argc, char **argv) {
  registerAllPasses();
  tilewright::graph::registerGraphPasses();
  tilewright::graph::registerGraphStagePipeline();
  registerReferencePasses();
  cl::ParseCommandLineOptions(argc, argv, "runs a tensor program on the CPU\n");
  if (precision != "native" && precision != "f64")
    return fail("unknown precision '" + precision + "'; one of native, f64");

  DialectRegistry registry;
  registry
      .insert<tilewright::graph::GraphDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  std::vector<Run> runs;
  for (auto func : module->getOps<func::FuncOp>())
    if (entry == "all" || func.getName() == entry)
      runs.emplace_back().function = func.getName().str();
  if (runs.empty())
    return fail("no function '" + entry + "'");
  for (Run &run : runs)
    if (llvm::Error error = runBefore(*module, run))
      return fail("@" + run.function + ": " + llvm::toString(std::move(error)));
  if (comparePasses.empty()) {
    for (Run &run : runs)
      if (llvm::Error error = emitResults(*module, run))
        return fail(llvm::toString(std::move(error)));
    return 0;
  }
  PassManager pm(&context);
  StringRef pipeline = comparePasses;
  if (pipeline.consume_front("builtin.module("))
    pipeline.consume_back(")");
  if (failed(parsePassPipeline(pipeline, pm)) || failed(pm.run(*module)))
    return fail("the pipeline failed");
  bool equal = true;
  for (Run &run : runs) {
    auto same = compareAfter(*module, run);
    if (!same)
      return fail("@" + run.function + ", after the pipeline: " + llvm::toString(same.takeError()));
    equal &= *same;
  }
  return equal ? 0 : 1;
}
