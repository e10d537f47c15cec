// tw-reference: runs the tensor program of a file on the CPU reference, and compares what it gives before and
// after a pass pipeline. utils/bisect calls it with .npy files; lit tests with generated data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
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

using namespace mlir;
using namespace tilewright::reference;

namespace cl = llvm::cl;
static cl::opt<std::string> file(cl::Positional, cl::desc("FILE (.mlir, .mlirbc or -)"), cl::init("-"));
static cl::list<std::string> args("arg",
                                  cl::desc("Data of one argument, by number or graph.name: "
                                           "NAME=zeros|splat:V|iota|random[:SEED[:LOW:HIGH]]|FILE.npy"));
static cl::opt<std::string> defaultArg("default-arg", cl::desc("Data of the other arguments"),
                                       cl::init("random"));
static cl::opt<uint64_t> weightSeed("weights-seed", cl::desc("Weights are random; this is their seed"),
                                    cl::init(0));
static cl::opt<std::string> precision("precision", cl::desc("native or f64"), cl::init("native"));
static cl::opt<std::string> entry("entry", cl::desc("The function to run"), cl::init("main"));
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

int main(int argc, char **argv) {
  registerAllPasses();
  tilewright::graph::registerGraphPasses();
  tilewright::graph::registerGraphStagePipeline();
  registerReferencePasses();
  cl::ParseCommandLineOptions(argc, argv, "runs a tensor program on the CPU\n");
  if (precision != "native" && precision != "f64")
    return fail("unknown precision '" + precision + "'; one of native, f64");

  DialectRegistry registry;
  registry.insert<tilewright::graph::GraphDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  auto func = module->lookupSymbol<func::FuncOp>(entry);
  if (!func)
    return fail("no function '" + entry + "'");
  auto inputs = makeInputs(func);
  if (!inputs)
    return fail(llvm::toString(inputs.takeError()));
  ReferenceOptions options;
  options.precision = precision == "f64" ? Precision::F64 : Precision::Native;
  options.entry = entry;
  WeightSource weights = randomWeights(weightSeed);
  auto results = runReference(*module, *inputs, weights, options);
  if (!results)
    return fail(llvm::toString(results.takeError()));

  if (comparePasses.empty()) {
    for (auto [i, result] : llvm::enumerate(*results)) {
      std::string name = nameOf(func.getResultAttr(i, "graph.name"), i);
      if (output.empty()) {
        print(result, name);
        continue;
      }
      llvm::SmallString<128> path(output);
      llvm::sys::fs::create_directories(path);
      llvm::sys::path::append(path, name + ".npy");
      if (llvm::Error error = writeNpy(result, path))
        return fail(llvm::toString(std::move(error)));
    }
    return 0;
  }

  PassManager pm(&context);
  StringRef pipeline = comparePasses;
  if (pipeline.consume_front("builtin.module("))
    pipeline.consume_back(")");
  if (failed(parsePassPipeline(pipeline, pm)) || failed(pm.run(*module)))
    return fail("the pipeline failed");
  auto after = runReference(*module, *inputs, weights, options);
  if (!after)
    return fail("after the pipeline: " + llvm::toString(after.takeError()));
  bool equal = results->size() == after->size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(*after, *results))) {
    auto &[changed, original] = pair;
    if (changed.type.getShape() != original.type.getShape())
      return fail("result #" + llvm::Twine(i) + " changed its shape");
    Difference difference = compare(changed, original, allowedRelative, allowedAbsolute);
    bool close = difference.worst <= 1.0;
    llvm::outs() << "result #" << i << ": " << (close ? "equal" : "DIFFERENT") << ", largest difference "
                 << llvm::format("%.2g", difference.absolute) << "\n";
    if (!close)
      llvm::outs() << "  element " << difference.index << ": " << original.at(difference.index) << " before, "
                   << changed.at(difference.index) << " after\n";
    equal &= close;
  }
  return equal ? 0 : 1;
}
