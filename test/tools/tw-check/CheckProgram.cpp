// Reference, compilation through the target stage, packaging, the emulator, comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckProgram.h"
#include "RandomSchedule.h"

#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Import/Upstream.h"
#include "Tilewright/Import/WeightStore.h"
#include "Tilewright/Reference/Reference.h"
#include "Tilewright/Runtime/tilewright_runtime.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>
#include <memory>
#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;
using namespace tilewright::reference;

OwningOpRef<ModuleOp> tilewright::check::extractProgram(func::FuncOp func) {
  OwningOpRef<ModuleOp> program = ModuleOp::create(func.getLoc());
  func::FuncOp copy = func.clone();
  copy.setSymName("main");
  auto isOurs = [](NamedAttribute attr) { return attr.getName().getValue().starts_with("check."); };
  for (NamedAttribute attr : llvm::to_vector(copy->getDiscardableAttrs()))
    if (isOurs(attr))
      copy->removeDiscardableAttr(attr.getName());
  for (unsigned i = 0; i < copy.getNumArguments(); ++i)
    copy.removeArgAttr(i, "check.data");
  program->push_back(copy);
  return program;
}

/// Random numbers with what arithmetic goes wrong on in between: NaN, infinities, zeros of both signs, the
/// largest and the smallest.
static void sprinkleSpecials(HostTensor &tensor) {
  static const double kSpecials[] = {NAN, INFINITY, -INFINITY, 0.0,     -0.0,
                                     1.0, -1.0,     3.0e38,    -3.0e38, 1.0e-40};
  if (!isa<FloatType>(tensor.type.getElementType()))
    return;
  for (int64_t i = 0, e = tensor.type.getNumElements(), next = 0; i < e; i += 3)
    tensor.set(i, kSpecials[next++ % std::size(kSpecials)]);
}

llvm::Expected<std::vector<HostTensor>> tilewright::check::makeInputs(func::FuncOp func,
                                                                      const CheckOptions &options) {
  std::vector<HostTensor> inputs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]);
    if (!type || !type.hasStaticShape())
      return llvm::createStringError("argument #" + llvm::Twine(i) + " is no tensor of static shape");
    std::string data = options.data;
    if (auto own = func.getArgAttrOfType<StringAttr>(i, "check.data"))
      data = own.str();
    bool special = data == "special";
    // random:LOW:HIGH leaves the seed to us.
    std::string seed = std::to_string(options.seed * 1000 + i);
    StringRef text = data;
    if (special || text == "random")
      data = "random:" + seed;
    else if (text.consume_front("random:") && text.count(':') == 1)
      data = ("random:" + seed + ":" + text).str();
    auto tensor = makeTensor(type, data);
    if (!tensor)
      return tensor.takeError();
    if (special)
      sprinkleSpecials(*tensor);
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

//===-- Compiling ---------------------------------------------------------------------------------------===//

StageOptions tilewright::check::stageOptions(const CheckOptions &options) {
  StageOptions stages;
  stages.graph.precision = options.precision;
  stages.fuse.storage = storageOf(options.precision);
  stages.fuse.lookBackColumns = options.lookBack;
  stages.fuse.form = options.form;
  stages.schedule.footprints = options.interleave;
  if (options.interleave)
    stages.target.interleaveLaunches = TargetStage::Interleaving::Always;
  stages.ptx.archs = options.archs;
  if (options.target && options.archs.empty())
    stages.ptx.archs = {options.target};
  stages.package.inputs.program = "main";
  std::string error;
  stages.package.inputs.arch = lookupArch("sm_90a", &error);
  return stages;
}

LogicalResult tilewright::check::runStage(ModuleOp program, Stage stage, const StageOptions &stages) {
  PassManager pm(program.getContext(), ModuleOp::getOperationName());
  populateStage(pm, stage, stages, /*verify=*/true);
  return pm.run(program);
}

/// Registers that were spilled, as a sentence, or empty.
static std::string describeSpills(ArrayRef<AssembledKernel> kernels) {
  std::string text;
  for (const AssembledKernel &kernel : kernels)
    if (kernel.resources && kernel.resources->spillStores + kernel.resources->spillLoads > 0)
      text += llvm::formatv("kernel {0} spills {1} bytes on {2} at {3} registers\n", kernel.name,
                            kernel.resources->spillStores + kernel.resources->spillLoads, kernel.arch->name,
                            kernel.resources->registers);
  return text;
}

/// Gives the kernels of a program after fuse random schedules; false when even its own do not do.
static bool drawSchedules(ModuleOp program, const StageOptions &stages, const CheckOptions &options,
                          std::string &schedules) {
  OwningOpRef<ModuleOp> tiled = program.clone();
  if (failed(runStage(*tiled, Stage::Tile, stages)))
    return false;
  schedules = setRandomSchedules(program, *tiled, options.scheduleSeed);
  return true;
}

/// Whether the schedule that the program comes with is for `kernel`: one of products, or any in a program
/// without these; where it looks back, any other, where it goes over rows from vectors on, one that reduces,
/// and where it keeps tables, one that gathers.
static bool isScheduled(graph::KernelOp kernel, tile::ScheduleAttr schedule, bool hasProducts) {
  bool isProduct = kernel.getAnchor() == graph::Anchor::Matmul;
  if (schedule.getOptions().keepTables)
    return kernel.walk([](graph::GatherOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (schedule.getOptions().alignRows)
    return kernel.getAnchor() == graph::Anchor::Reduction;
  return schedule.getOptions().lookBack ? !isProduct : isProduct == hasProducts;
}

/// Gives its kernels the schedule that the program comes with; whether it is for any.
static bool setSchedule(ModuleOp program, tile::ScheduleAttr schedule) {
  bool found = false,
       hasProducts = llvm::any_of(program.getOps<graph::KernelOp>(), [](graph::KernelOp kernel) {
         return kernel.getAnchor() == graph::Anchor::Matmul;
       });
  for (auto kernel : program.getOps<graph::KernelOp>())
    if (isScheduled(kernel, schedule, hasProducts)) {
      kernel->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
      found = true;
    }
  return found;
}

/// Compiles to the target stage, and to cubins when chips are given; the verdict is Equal when all went well.
static Outcome compileToTarget(ModuleOp program, const CheckOptions &options, std::string &schedules) {
  std::string messages;
  ScopedDiagnosticHandler collect(program.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      messages += llvm::formatv("{0}: {1}\n", diagnostic.getLocation(), diagnostic.str()).str();
    return success();
  });
  StageOptions stages = stageOptions(options);
  for (Stage stage : {Stage::Graph, Stage::Fuse, Stage::Tile, Stage::Schedule, Stage::Target}) {
    if (stage == Stage::Tile && options.schedule &&
        !setSchedule(program, cast<tile::ScheduleAttr>(options.schedule)))
      return {Verdict::Broken, "check.schedule is for none of the program's kernels"};
    {
      if (stage == Stage::Tile && options.scheduleSeed >= 0 &&
          !drawSchedules(program, stages, options, schedules))
        return {Verdict::Broken, "stage tile failed without random schedules: " + messages};
      if (succeeded(runStage(program, stage, stages)))
        continue;
      // What the tile stage takes, nothing after it may refuse.
      bool late = options.scheduleSeed >= 0 && stage > Stage::Tile;
      return {messages.empty() || late ? Verdict::Broken : Verdict::Refused,
              ("stage " + stageName(stage) + " failed: " + messages).str()};
    }
  }
  if (options.archs.empty())
    return {};
  std::string toolchain;
  FailureOr<std::vector<AssembledKernel>> kernels = runPtxStage(program, stages.ptx, toolchain);
  if (failed(kernels))
    return {Verdict::Broken, "stage ptx failed: " + messages};
  if (std::string spills = describeSpills(*kernels); !spills.empty())
    return {Verdict::Broken, spills};
  return {};
}

/// Writes the package of a program in target form to `path`.
static Outcome writePackage(ModuleOp program, StringRef path, const CheckOptions &options) {
  std::string messages;
  ScopedDiagnosticHandler collect(program.getContext(), [&](Diagnostic &diagnostic) {
    messages += llvm::formatv("{0}: {1}\n", diagnostic.getLocation(), diagnostic.str()).str();
    return success();
  });
  StageOptions stages = stageOptions(options);
  package::WriteSummary summary;
  if (failed(runStage(program, Stage::Package, stages)))
    return {Verdict::Broken, "stage package failed: " + messages};
  FailureOr<PackageContents> contents = buildPackage(program, {}, stages.package.inputs);
  if (failed(contents) ||
      failed(writePackageFile(program, *contents, {path.str(), "", std::nullopt}, summary)))
    return {Verdict::Broken, "packaging failed: " + messages};
  return {};
}

//===-- Running -----------------------------------------------------------------------------------------===//

/// Runs the package on the emulator; fills `results`, which have the right types.
static Outcome runPackage(const std::string &path, ArrayRef<HostTensor> inputs,
                          std::vector<HostTensor> &results, const CheckOptions &options) {
  twrt_error error = {};
  twrt_package *package = nullptr;
  twrt_session *session = nullptr;
  Outcome outcome;
  auto finish = [&](twrt_status status) {
    if (status != TWRT_OK)
      outcome = {Verdict::Broken, error.message};
    twrt_session_destroy(session);
    twrt_package_close(package);
    return outcome;
  };
  if (twrt_status status = twrt_package_open(path.c_str(), &package, &error))
    return finish(status);
  twrt_session_options session_options;
  twrt_session_options_init(&session_options);
  session_options.device = TWRT_DEVICE_EMULATOR;
  session_options.emulator_seed = options.emulatorSeed;
  session_options.emulator_early = options.earlyCompletion;
  if (twrt_status status = twrt_session_create(package, &session_options, &session, &error))
    return finish(status);
  twrt_entry_info entry;
  if (twrt_status status = twrt_entry_get_info(package, 0, &entry))
    return finish(status);
  outcome.launches = entry.launches;
  auto describe = [](const twrt_tensor_info &info, const HostTensor &tensor) {
    static char nothing[16];
    return twrt_host_tensor{info.name, info.dtype, info.rank, info.shape,
                            tensor.bytes.empty() ? nothing : const_cast<char *>(tensor.bytes.data())};
  };
  std::vector<twrt_host_tensor> in, out;
  for (uint32_t i = 0; i < entry.inputs; ++i) {
    twrt_tensor_info info;
    twrt_input_get_info(package, 0, i, &info);
    in.push_back(describe(info, inputs[i]));
  }
  for (uint32_t i = 0; i < entry.outputs; ++i) {
    twrt_tensor_info info;
    twrt_output_get_info(package, 0, i, &info);
    if (info.bytes != results[i].bytes.size()) {
      error = {TWRT_ERROR_SHAPE, "an output has another size than the program's result"};
      return finish(TWRT_ERROR_SHAPE);
    }
    out.push_back(describe(info, results[i]));
  }
  if (in.size() != inputs.size() || out.size() != results.size()) {
    error = {TWRT_ERROR_ARGUMENT, "the package has other inputs or outputs than the program"};
    return finish(TWRT_ERROR_ARGUMENT);
  }
  // Counters go on from launch to launch: the second one has to find them as the first left them.
  for (int run = 0; run < (options.interleave ? 2 : 1); ++run)
    if (twrt_status status = twrt_run_host(session, in.data(), in.size(), out.data(), out.size(), &error))
      return finish(status);
  return finish(TWRT_OK);
}

//===-- Comparing ---------------------------------------------------------------------------------------===//

namespace {
/// What the elements of one result are compared with.
struct Expected {
  HostTensor wide; ///< fp64, rounded once to the result's type
  double atol = 0;
  /// Every operation rounded in the program's types, where that had to be found out.
  std::optional<HostTensor> native = std::nullopt;
  /// How far rounding takes each element, where that had to be found out; else empty.
  std::vector<double> spread = {};
};
} // namespace

/// How many times the spread that rounding makes is right.
static constexpr double kSpreads = 4;

/// Whether `value` may stand for element `i`. Where the program's own rounding takes the native reference
/// away from the wide one (a comparison that flips, an overflow, cancellation), values near either are right.
static bool isClose(double value, const Expected &expected, int64_t i, const CheckOptions &options) {
  double wide = expected.wide.at(i);
  auto near = [&](double target, double slack) {
    if (value == target || (std::isnan(value) && std::isnan(target)))
      return true;
    return std::abs(value - target) <= expected.atol + options.rtol * std::abs(target) + slack;
  };
  // Nothing below makes what is near this wrong.
  if (near(wide, 0) || !expected.native)
    return near(wide, 0);
  double native = expected.native->at(i);
  double slack =
      kSpreads * std::max(std::abs(wide - native), expected.spread.empty() ? 0 : expected.spread[i]);
  return near(wide, std::isfinite(slack) ? slack : 0) || near(native, 0);
}

/// The largest finite magnitude.
static double largestOf(const HostTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0, e = tensor.type.getNumElements(); i < e; ++i)
    if (double value = std::abs(tensor.at(i)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

static std::string formatIndex(int64_t i, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; i /= shape[d])
    index[d] = i % shape[d];
  return llvm::formatv("[{0}]", llvm::make_range(index.begin(), index.end())).str();
}

static Outcome compareResults(ArrayRef<HostTensor> results, ArrayRef<Expected> expected, Outcome outcome,
                              const CheckOptions &options) {
  double largest = 0;
  for (auto [number, result] : llvm::enumerate(results)) {
    const Expected &want = expected[number];
    int64_t count = result.type.getNumElements(), wrong = 0, first = -1;
    for (int64_t i = 0; i < count; ++i) {
      double value = result.at(i), difference = std::abs(value - want.wide.at(i));
      if (std::isfinite(difference))
        largest = std::max(largest, difference);
      if (isClose(value, want, i, options))
        continue;
      if (wrong++ == 0)
        first = i;
    }
    if (!wrong)
      continue;
    outcome.verdict = Verdict::Different;
    outcome.text += llvm::formatv(
        "result #{0}: {1} of {2} elements differ; the first is {3}: {4}, expected {5} (natively {6})\n",
        number, wrong, count, formatIndex(first, result.type.getShape()),
        llvm::formatv("{0:e8}", result.at(first)), llvm::formatv("{0:e8}", want.wide.at(first)),
        want.native ? llvm::formatv("{0:e8}", want.native->at(first)).str() : "not computed");
  }
  if (outcome.verdict == Verdict::Equal)
    outcome.text = llvm::formatv("largest difference {0:e1}, {1} launches", largest, outcome.launches);
  return outcome;
}

/// Floats of `inputs` moved by one unit in the last place up, down or not at all.
static std::vector<HostTensor> perturbInputs(ArrayRef<HostTensor> inputs, uint64_t seed) {
  std::vector<HostTensor> moved(inputs.begin(), inputs.end());
  std::mt19937_64 random(seed);
  for (HostTensor &tensor : moved) {
    auto element = dyn_cast<FloatType>(tensor.type.getElementType());
    for (int64_t i = 0, e = element ? tensor.type.getNumElements() : 0; i < e; ++i) {
      double unit = std::ldexp(1.0, 1 - int(element.getFPMantissaWidth()));
      double value = tensor.at(i), step = double(random() % 3) - 1;
      if (std::isfinite(value) && std::isfinite(value + step * unit * value))
        tensor.set(i, value * (1 + step * unit));
    }
  }
  return moved;
}

/// What steps round to under a precision policy: products read what they are told to, and values between
/// kernels are stored in 16 bits under a policy of 16 bits.
static Rounding roundingUnder(StringRef precision) {
  Rounding rounding;
  if (precision == "bf16")
    rounding.unitOfF32 = rounding.unitOfFactors = 0x1p-8;
  else if (precision == "fp16" || precision == "f16")
    rounding.unitOfF32 = rounding.unitOfFactors = 0x1p-11;
  else if (precision == "tf32")
    rounding.unitOfFactors = 0x1p-11;
  return rounding;
}

/// Finds how far rounding takes the results: the largest move of `kSamples` runs in fp64 whose inputs are off
/// by units in the last place and whose steps are off by parts of one, at random (RoundSteps.cpp names the
/// paper). One native run is one sample of this, which may be near the wide one by chance.
static llvm::Error measureSpread(ModuleOp program, ArrayRef<HostTensor> inputs, const WeightSource &weights,
                                 const CheckOptions &options, std::vector<Expected> &expected) {
  constexpr unsigned kSamples = 16;
  auto compiled = CompiledReference::compile(program, weights,
                                             {Precision::F64, "main", roundingUnder(options.precision)});
  if (!compiled)
    return compiled.takeError();
  for (Expected &one : expected)
    one.spread.assign(one.wide.type.getNumElements(), 0);
  for (unsigned sample = 0; sample < kSamples; ++sample) {
    uint64_t seed = options.seed + sample;
    auto results = compiled->run(perturbInputs(inputs, seed), seed);
    if (!results)
      return results.takeError();
    for (auto [result, one] : llvm::zip_equal(*results, expected))
      for (int64_t i = 0, e = one.spread.size(); i < e; ++i)
        if (double moved = std::abs(result.at(i) - one.wide.at(i)); std::isfinite(moved))
          one.spread[i] = std::max(one.spread[i], moved);
  }
  return llvm::Error::success();
}

Outcome tilewright::check::runTarget(ModuleOp program, ArrayRef<HostTensor> inputs,
                                     std::vector<HostTensor> &results, const CheckOptions &options) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("tw-check", "tw", path))
    return {Verdict::Broken, "cannot make a temporary file"};
  Outcome outcome = writePackage(program, path, options);
  if (outcome.verdict == Verdict::Equal)
    outcome = runPackage(path.str().str(), inputs, results, options);
  llvm::sys::fs::remove(path);
  return outcome;
}

llvm::Expected<WeightSource> tilewright::check::weightsOf(ModuleOp program, uint64_t seed) {
  if (!program->hasAttr("graph.weight_files"))
    return randomWeights(seed);
  auto store = WeightStore::open(program);
  if (!store)
    return store.takeError();
  auto shared = std::make_shared<WeightStore>(std::move(*store));
  auto read = std::make_shared<std::map<std::string, std::vector<char>>>();
  return WeightSource([shared, read](graph::WeightAttr weight) -> llvm::Expected<ArrayRef<char>> {
    auto [entry, isNew] = read->try_emplace(weight.getKey().str());
    if (!isNew)
      return ArrayRef<char>(entry->second);
    // The stored bytes: the reference applies the steps itself.
    MLIRContext *context = weight.getContext();
    auto bytes = shared->readAll(graph::WeightAttr::get(context, weight.getKey(), weight.getType(),
                                                        weight.getHash(), ArrayAttr::get(context, {})));
    if (!bytes)
      return bytes.takeError();
    entry->second = std::move(*bytes);
    return ArrayRef<char>(entry->second);
  });
}

/// Imports a program of upstream dialects; the verdict is Equal when all of it is understood.
static Outcome importProgram(ModuleOp program) {
  std::string messages;
  ScopedDiagnosticHandler collect(program.getContext(), [&](Diagnostic &diagnostic) {
    messages += llvm::formatv("{0}: {1}\n", diagnostic.getLocation(), diagnostic.str()).str();
    return success();
  });
  if (failed(importUpstream(program)))
    return {Verdict::Refused, "stage import failed: " + messages};
  return {};
}

Outcome tilewright::check::checkProgram(ModuleOp program, ArrayRef<HostTensor> inputs,
                                        const CheckOptions &options) {
  auto func = program.lookupSymbol<func::FuncOp>("main");
  SmallVector<RankedTensorType> types;
  for (Type type : func.getResultTypes())
    types.push_back(cast<RankedTensorType>(type));
  auto weights = weightsOf(program, options.seed);
  if (!weights)
    return {Verdict::Broken, llvm::toString(weights.takeError())};
  // Programs of upstream dialects are compared with upstream's own lowering of them.
  OwningOpRef<ModuleOp> source = program.clone();
  if (Outcome imported = importProgram(program); imported.verdict != Verdict::Equal)
    return imported;
  if (options.referenceOfGraph)
    source = program.clone();
  ModuleOp compared = options.reference ? options.reference : *source;
  auto wide = runReference(compared, inputs, *weights, {Precision::F64, "main"});
  if (!wide)
    return {Verdict::Broken, llvm::toString(wide.takeError())};
  std::vector<Expected> expected;
  std::vector<HostTensor> results;
  for (auto [i, type] : llvm::enumerate(types)) {
    expected.push_back({convertElements((*wide)[i], type.getElementType()), options.atol});
    if (options.scaled)
      expected.back().atol *= std::max(1.0, largestOf(expected.back().wide));
    results.push_back(makeZeros(type));
  }
  std::string schedules;
  Outcome outcome = compileToTarget(program, options, schedules);
  if (outcome.verdict == Verdict::Equal)
    outcome = runTarget(program, inputs, results, options);
  if (outcome.verdict == Verdict::Equal) {
    Outcome difference = compareResults(results, expected, outcome, options);
    if (difference.verdict == Verdict::Different) {
      auto native = runReference(compared, inputs, *weights, {Precision::Native, "main"});
      if (!native)
        return {Verdict::Broken, llvm::toString(native.takeError())};
      for (auto [one, computed] : llvm::zip_equal(expected, *native))
        one.native = std::move(computed);
      difference = compareResults(results, expected, outcome, options);
    }
    if (difference.verdict == Verdict::Different && options.rounded) {
      if (auto error = measureSpread(compared, inputs, *weights, options, expected))
        return {Verdict::Broken, llvm::toString(std::move(error))};
      difference = compareResults(results, expected, outcome, options);
    }
    outcome = std::move(difference);
  }
  if (outcome.verdict != Verdict::Equal)
    outcome.text += schedules;
  return outcome;
}
