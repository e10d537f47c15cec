// tw-compile: a model in, a package out. The command line becomes CompileOptions; the driver does the rest.
//
// Exit codes: 0 done, 1 the program could not be compiled, 2 the command line is wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../CommandLine.h"
#include "Tilewright/Package/OutputFile.h"
#include "Tilewright/Package/Reproducer.h"
#include "Tilewright/Pipeline/Driver.h"
#include "Tilewright/Pipeline/Register.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include <thread>

using namespace llvm;
using namespace tilewright;

namespace {
/// The command line. Made in main, once LLVM's own flags are gone: some have our names.
struct Flags {
  cl::OptionCategory category{"tw-compile"};

  cl::opt<std::string> input{cl::Positional, cl::desc("INPUT(.onnx|.mlir|.mlirbc|-)"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Where the result goes; - is standard output"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::list<std::string> targets{"target", cl::CommaSeparated,
                                cl::desc("Chips to compile for (default sm_90a)"),
                                cl::value_desc("sm_90a,sm_80,..."), cl::cat(category)};
  cl::opt<std::string> emit{
      "emit", cl::init("package"),
      cl::desc("What is written: package (default), c-stub (a package with model.h and "
               "model.c beside it), cubin, ptx, tuning (a folder with each kernel under "
               "the schedules that it can have, for tw-tune), or the program after a "
               "stage: import, graph, fuse, tile, schedule, target"),
      cl::value_desc("what"), cl::cat(category)};
  cl::opt<std::string> precision{
      "precision", cl::init("fp32"),
      cl::desc("How products are formed and activations stored: fp32 (default; as exact "
               "as fp32, on tensor cores where that is faster), ieee (each a chain of "
               "fused multiply-adds), tf32, bf16, fp16; inputs and outputs keep their "
               "types"),
      cl::value_desc("type"), cl::cat(category)};
  cl::list<std::string> shapes{"input-shape",
                               cl::desc("Sizes of an input's dimensions; lists make a program of every "
                                        "combination (repeatable)"),
                               cl::value_desc("name=1x128 or name=[1,8]x[64,128]"), cl::cat(category)};
  cl::opt<std::string> weights{"weights", cl::init("embed"),
                               cl::desc("Weights inside the package or in a file beside it: embed (default), "
                                        "external"),
                               cl::value_desc("where"), cl::cat(category)};
  cl::opt<std::string> stubPackage{
      "stub-package", cl::init("embed"),
      cl::desc("Where a C stub has its package: embed (default) in the object file, "
               "beside the program"),
      cl::value_desc("embed|beside"), cl::cat(category)};
  cl::opt<std::string> depfile{"depfile",
                               cl::desc("List the files that the output was made from, as a Makefile rule"),
                               cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> emulation{"emulation", cl::init("on"), cl::desc("Keep the kernels for the emulator"),
                                 cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<std::string> cacheHints{
      "cache-hints", cl::init("reread"),
      cl::desc("Which loads and stores say what the caches need not keep: those of kernels that go through "
               "tensors again, backward, of those before them, and of those that select from tables larger "
               "than the "
               "cache (reread, default), those of all memory-bound kernels (on), or none (off)"),
      cl::value_desc("reread|on|off"), cl::cat(category)};
  cl::opt<std::string> golden{
      "golden",
      cl::desc("Put inputs and expected outputs into the package, for tw-run --self-test: this "
               "many random sets for each entry, or those of a folder of .npy files"),
      cl::value_desc("n|folder"), cl::cat(category)};
  cl::opt<bool> strip{"strip",
                      cl::desc("Leave out the emulator's kernels and golden vectors; INPUT may be a package"),
                      cl::cat(category)};
  cl::opt<std::string> startFrom{
      "start-from", cl::desc("The first stage to run (default: what the input's first line says)"),
      cl::value_desc("stage"), cl::cat(category)};
  cl::opt<std::string> stopAfter{"stop-after", cl::desc("The last stage to run; like --emit=<stage>"),
                                 cl::value_desc("stage"), cl::cat(category)};
  cl::opt<std::string> dumpStages{"dump-stages", cl::desc("Write the program after every stage"),
                                  cl::value_desc("folder"), cl::cat(category)};
  cl::opt<std::string> report{"report", cl::desc("Print what was made"), cl::value_desc("text|json"),
                              cl::cat(category)};
  cl::opt<std::string> remarksFile{"remarks", cl::desc("Write every decision and its reason"),
                                   cl::value_desc("file.yaml"), cl::cat(category)};
  cl::opt<std::string> records{
      "records", cl::init("builtin"),
      cl::desc("Tuning records that kernels take their schedules from: builtin (default), none, or a file; "
               "kernels without one are scheduled by the model"),
      cl::value_desc("file|builtin|none"), cl::cat(category)};
  cl::opt<std::string> math{"math", cl::init("chip"),
                            cl::desc("fp32 functions: to a few ulps with the chip's approximations (chip, "
                                     "default), or with the same bits "
                                     "on every machine (exact)"),
                            cl::value_desc("chip|exact"), cl::cat(category)};
  cl::opt<std::string> chainProducts{
      "chain-products", cl::init("on"),
      cl::desc(
          "Products of which one takes its terms from the other, as in attention, become one kernel where "
          "that is modelled to be faster: on (default), off"),
      cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<std::string> mergeLaunches{
      "merge-launches", cl::init("on"),
      cl::desc(
          "Small kernels that do not need one another become one where that is modelled to be faster: on "
          "(default), off"),
      cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<std::string> interleaveLaunches{
      "interleave-launches", cl::init("independent"),
      cl::desc("Kernels become one that goes through the tensors slice by slice: those that do not need one "
               "another and read the same, where fewer bytes are modelled to pass through the memory "
               "(independent, default), those that need one another, too (on), all wherever that can be done "
               "(always, for tests), or none (off)"),
      cl::value_desc("independent|on|always|off"), cl::cat(category)};
  cl::opt<std::string> spreadBlocks{"spread-blocks", cl::init("on"),
                                    cl::desc("Few blocks of a kernel that starts while another one runs have "
                                             "a multiprocessor each: on (default), off"),
                                    cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<std::string> form{
      "form", cl::init("auto"),
      cl::desc("What the fuse stage does otherwise than its models say: what makes the kernels that are "
               "modelled to take least time behind ptxas (auto, default; up to that stage plain), nothing "
               "(plain), or any of many-pieces, no-clusters, own-readings, no-recompute, no-siblings, "
               "earliest-first and no-select, joined by +"),
      cl::value_desc("auto|plain|…"), cl::cat(category)};
  cl::opt<std::string> reverseKernels{
      "reverse-kernels", cl::init("on"),
      cl::desc("Kernels begin with what the one before them has gone through last, where that is modelled to "
               "be found in the L2 cache: on (default), off"),
      cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<std::string> lookBack{
      "look-back", cl::init("rows"),
      cl::desc(
          "Scans of few long rows read them once: blocks take pieces and wait for what those before "
          "publish (rows, default), scans of columns too (on), or all in pieces by several kernels (off)"),
      cl::value_desc("rows|on|off"), cl::cat(category)};
  cl::opt<std::string> reorder{
      "reorder", cl::init("on"),
      cl::desc(
          "Whether sums may be formed in any order, and formulas be replaced by others that round "
          "differently: on (default), or off: every sum goes from its first element to its last, with the "
          "same bits under every schedule, and is slower; needs --precision=ieee"),
      cl::value_desc("on|off"), cl::cat(category)};
  cl::opt<unsigned> schedules{"schedules", cl::init(8),
                              cl::desc("Of --emit=tuning: how many schedules of a kernel (default 8)"),
                              cl::value_desc("n"), cl::cat(category)};
  cl::opt<std::string> reproducer{
      "reproducer",
      cl::desc("If it fails, leave one file there with what it takes to fail again, without weights"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> runReproducer{"run-reproducer",
                                     cl::desc("Run what --reproducer left, and nothing else"),
                                     cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> verifyStages{"verify-stages", cl::desc("Check the contract of every stage"),
                             cl::cat(category)};
  cl::opt<unsigned> jobs{"jobs", cl::desc("Threads and worker processes (default: one a core)"),
                         cl::value_desc("n"), cl::cat(category)};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("The ptxas to use (default: PATH, then usual places)"),
                             cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> kernelCache{
      "kernel-cache",
      cl::desc("Where kernels are kept for later runs (default: tilewright in the user's cache folder)"),
      cl::value_desc("folder|off"), cl::cat(category)};
  cl::opt<unsigned> kernelCacheLimit{
      "kernel-cache-limit", cl::init(512),
      cl::desc("What the kernel cache may take; kernels that were not used for "
               "longest go first (default 512)"),
      cl::value_desc("MiB"), cl::cat(category)};
};
} // namespace

/// Says what is wrong with the command line; the exit code.
static int usageError(const Twine &message) {
  errs() << "tw-compile: error: " << message << "\n";
  return 2;
}

/// `value` is one of `known`, or a message says so.
static bool isOneOf(StringRef flag, StringRef value, ArrayRef<StringRef> known) {
  if (is_contained(known, value))
    return true;
  usageError("--" + flag + "=" + value + " is not one of " + join(known, ", "));
  return false;
}

static void printVersion(raw_ostream &os) {
  os << "tw-compile (Tilewright) " TILEWRIGHT_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
}

/// What a reproducer may ask of this tool: it reads its own files and writes nothing.
static const std::vector<std::string> kReproducerFlags = {"--cache-hints",
                                                          "--chain-products",
                                                          "--emulation",
                                                          "--input-shape",
                                                          "--jobs",
                                                          "--interleave-launches",
                                                          "--look-back",
                                                          "--math",
                                                          "--merge-launches",
                                                          "--form",
                                                          "--precision",
                                                          "--reorder",
                                                          "--reverse-kernels",
                                                          "--spread-blocks",
                                                          "--start-from",
                                                          "--stop-after",
                                                          "--target",
                                                          "--verify-stages",
                                                          "--weights"};

/// The flags that a reproducer keeps as they are; the driver knows stages and shapes.
static std::vector<std::string> reproducerArguments(const Flags &flags) {
  std::vector<std::string> arguments = {"--precision=" + flags.precision,
                                        "--emulation=" + flags.emulation,
                                        "--cache-hints=" + flags.cacheHints,
                                        "--math=" + flags.math,
                                        "--chain-products=" + flags.chainProducts,
                                        "--merge-launches=" + flags.mergeLaunches,
                                        "--interleave-launches=" + flags.interleaveLaunches,
                                        "--form=" + flags.form,
                                        "--look-back=" + flags.lookBack,
                                        "--reorder=" + flags.reorder,
                                        "--reverse-kernels=" + flags.reverseKernels,
                                        "--spread-blocks=" + flags.spreadBlocks};
  for (const std::string &target : flags.targets)
    arguments.push_back("--target=" + target);
  if (flags.verifyStages)
    arguments.push_back("--verify-stages");
  return arguments;
}

/// Whether a flag of MLIR's pass manager is set: who looks at passes wants them to run.
static bool watchesPasses() {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (name.starts_with("mlir-") && option->getNumOccurrences())
      return true;
  return false;
}

/// The folder of the kernel cache; empty: none.
static std::string cacheFolder(StringRef flag) {
  if (flag == "off" || (flag.empty() && watchesPasses()))
    return "";
  if (!flag.empty())
    return flag.str();
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "tilewright");
  return folder.str().str();
}

/// Sets `options` from the flags; an exit code, or -1 when all is well.
static int readFlags(Flags &flags, CompileOptions &options) {
  static const StringRef kPrecisions[] = {"fp32", "ieee", "tf32", "tf32x3", "bf16", "fp16"};
  if (flags.input.empty())
    return usageError("no input; see --help");
  if (!isOneOf("precision", flags.precision, kPrecisions) ||
      !isOneOf("weights", flags.weights, {"embed", "external"}) ||
      !isOneOf("stub-package", flags.stubPackage, {"embed", "beside"}) ||
      !isOneOf("emulation", flags.emulation, {"on", "off"}) ||
      !isOneOf("cache-hints", flags.cacheHints, {"reread", "on", "off"}) ||
      !isOneOf("math", flags.math, {"chip", "exact"}) ||
      !isOneOf("chain-products", flags.chainProducts, {"on", "off"}) ||
      !isOneOf("merge-launches", flags.mergeLaunches, {"on", "off"}) ||
      !isOneOf("interleave-launches", flags.interleaveLaunches, {"independent", "on", "always", "off"}) ||
      !isOneOf("look-back", flags.lookBack, {"rows", "on", "off"}) ||
      !isOneOf("reverse-kernels", flags.reverseKernels, {"on", "off"}) ||
      !isOneOf("spread-blocks", flags.spreadBlocks, {"on", "off"}) ||
      !isOneOf("reorder", flags.reorder, {"on", "off"}) ||
      (flags.report.getNumOccurrences() && !isOneOf("report", flags.report, {"text", "json"})))
    return 2;

  if (flags.reorder == "off" && flags.precision != "ieee")
    return usageError("--reorder=off needs --precision=ieee: tensor cores have an order of their own");

  std::string what = flags.stopAfter.empty() ? flags.emit.getValue() : flags.stopAfter.getValue();
  if (!flags.stopAfter.empty() && flags.emit.getNumOccurrences() && flags.emit != what)
    return usageError("--stop-after=" + flags.stopAfter + " contradicts --emit=" + flags.emit);
  std::optional<Stage> last = what == "cubin"    ? Stage::Ptx
                              : what == "c-stub" ? Stage::Package
                              : what == "tuning" ? Stage::Fuse
                                                 : parseStage(what);
  if (!last)
    return usageError("'" + what +
                      "' is no stage: import, graph, fuse, tile, schedule, target, ptx, package");
  options.stopAfter = *last;
  options.emit = what == "cubin"           ? Emit::Cubin
                 : what == "c-stub"        ? Emit::CStub
                 : what == "tuning"        ? Emit::Tuning
                 : *last == Stage::Ptx     ? Emit::Ptx
                 : *last == Stage::Package ? Emit::Package
                                           : Emit::Program;
  if (!flags.startFrom.empty() && !(options.startFrom = parseStage(flags.startFrom)))
    return usageError("--start-from=" + flags.startFrom + " is no stage");
  if (flags.output.empty() && flags.emit.getNumOccurrences() == 0 && flags.stopAfter.empty() &&
      flags.dumpStages.empty() && flags.report.empty())
    return usageError("no output: give -o FILE, or --stop-after, --dump-stages or --report alone");
  if (flags.output == "-" && (options.emit == Emit::Package || options.emit == Emit::CStub))
    return usageError("a package cannot go to standard output");
  if (flags.output.empty() && options.emit == Emit::CStub)
    return usageError("--emit=c-stub writes three files: give -o model.c");
  if ((flags.output.empty() || flags.output == "-") && options.emit == Emit::Tuning)
    return usageError("--emit=tuning writes a folder: give -o FOLDER");
  if (!flags.depfile.empty() && (flags.output.empty() || flags.output == "-"))
    return usageError("--depfile names what the output was made from: give -o FILE");
  if (flags.output == "-" && !flags.report.empty())
    return usageError("the report and the output cannot both go to standard output");

  options.input = flags.input;
  options.output = flags.output;
  bool text = options.emit == Emit::Program || options.emit == Emit::Ptx;
  if (text && flags.emit.getNumOccurrences() && flags.output.empty() && flags.report.empty())
    options.output = "-";
  options.dumpDirectory = flags.dumpStages;
  options.reproducer = flags.reproducer;
  options.reproducerArguments = reproducerArguments(flags);
  options.verifyStages = flags.verifyStages;
  options.externalWeights = flags.weights == "external";
  options.schedules = flags.schedules;
  options.embedPackage = flags.stubPackage == "embed";
  options.depfile = flags.depfile;
  StageOptions &stages = options.stages;
  for (const std::string &text : flags.shapes) {
    std::string error;
    if (!parseShapeFlag(text, stages.import.shapes.emplace_back(), error))
      return usageError(error);
  }
  stages.graph.precision = flags.precision;
  stages.fuse.storage = storageOf(flags.precision);
  stages.fuse.lookBack = flags.lookBack != "off";
  stages.fuse.lookBackColumns = flags.lookBack == "on";
  stages.fuse.choosesForm = flags.form == "auto";
  if (std::optional<fuse::Form> form = fuse::Form::parse(flags.form))
    stages.fuse.form = *form;
  else if (!stages.fuse.choosesForm)
    return usageError("--form=" + flags.form + " is no form: auto, plain, or some of " +
                      fuse::formSwitchNames() + " joined by +");
  stages.fuse.reverseKernels = flags.reverseKernels == "on";
  stages.fuse.cacheHints = flags.cacheHints != "off";
  stages.graph.reorder = stages.fuse.reorder = flags.reorder == "on";
  std::vector<std::string> names(flags.targets.begin(), flags.targets.end());
  if (names.empty())
    names.push_back("sm_90a");
  for (const std::string &name : names) {
    std::string error;
    const Arch *arch = lookupArch(name, &error);
    if (!arch)
      return usageError(error);
    if (is_contained(stages.ptx.archs, arch))
      return usageError("--target names " + name + " twice");
    stages.ptx.archs.push_back(arch);
  }
  stages.tile.records = flags.records;
  stages.target.exactMath = flags.math == "exact";
  stages.fuse.chainProducts = flags.chainProducts == "on";
  stages.target.mergeLaunches = flags.mergeLaunches == "on";
  using Interleaving = TargetStage::Interleaving;
  stages.target.interleaveLaunches = flags.interleaveLaunches == "independent" ? Interleaving::Independent
                                     : flags.interleaveLaunches == "on"        ? Interleaving::On
                                     : flags.interleaveLaunches == "always"    ? Interleaving::Always
                                                                               : Interleaving::Off;
  stages.schedule.footprints = flags.interleaveLaunches != "off";
  stages.package.spreadBlocks = flags.spreadBlocks == "on";
  stages.schedule.cacheHints = flags.cacheHints == "on";
  stages.ptx.assemble.ptxas = flags.ptxas;
  stages.ptx.assemble.jobs = flags.jobs ? flags.jobs : std::max(1u, std::thread::hardware_concurrency());
  stages.ptx.assemble.cache.directory = cacheFolder(flags.kernelCache);
  stages.ptx.assemble.cache.limitBytes = uint64_t(flags.kernelCacheLimit) << 20;
  stages.package.inputs.emulation = flags.emulation == "on" && !flags.strip;
  if (!flags.golden.empty()) {
    StringRef golden = flags.golden;
    if (flags.strip || options.stopAfter != Stage::Package)
      return usageError("--golden is for a package that is not stripped");
    options.golden.precision = flags.precision;
    if (golden.getAsInteger(10, options.golden.sets))
      options.golden.directory = flags.golden;
    else if (options.golden.sets < 1 || options.golden.sets > 1000)
      return usageError("--golden=" + flags.golden + " is not within 1 to 1000");
    if (!options.golden.directory.empty() && !sys::fs::is_directory(options.golden.directory))
      return usageError("--golden=" + flags.golden + " is neither a number nor a folder");
  }
  auto &manifest = stages.package.inputs.manifest;
  manifest["tilewright"] = TILEWRIGHT_VERSION;
  manifest["precision"] = flags.precision;
  manifest["targets"] = join(names, ",");
  if (options.golden.wanted())
    manifest["golden"] =
        options.golden.directory.empty()
            ? std::to_string(options.golden.sets) + " sets of random inputs, outputs of the reference"
            : "sets that were given";
  if (flags.strip)
    manifest["stripped"] = "emulation, golden";
  std::vector<std::string> sizes;
  for (const ShapeFlag &flag : stages.import.shapes)
    sizes.push_back(formatShapeFlag(flag));
  manifest["input_shapes"] = join(sizes, " ");
  return -1;
}

/// Writes the remarks, complete or not at all.
static bool writeRemarks(const RemarkCollection &collection, StringRef path) {
  if (path == "-") {
    outs() << collection.toYaml();
    return true;
  }
  std::string error = writeWholeFile(path.str(), collection.toYaml());
  if (!error.empty())
    errs() << "tw-compile: error: " << error << "\n";
  return error.empty();
}

/// Takes what only tests need out of a package; the exit code.
static int stripInput(const Flags &flags) {
  if (flags.output.empty() || flags.output == "-")
    return usageError("--strip of a package needs -o FILE");
  std::string error = package::stripPackage(flags.input, flags.output);
  if (error.empty())
    return 0;
  errs() << "tw-compile: error: " << error << "\n";
  return 1;
}

int main(int argc, char **argv) {
  if (int code = maybeRunPtxWorker(argc, argv); code >= 0)
    return code;
  InitLLVM init(argc, argv);
  dropLLVMFlags();
  Flags flags;
  mlir::registerAsmPrinterCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions(flags.category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "tw-compile: an ahead-of-time compiler from models to packages\n", &errs()))
    return 2;
  if (!flags.runReproducer.empty()) // a kernel that was assembled before would hide what failed
    return runReproducer(flags.runReproducer, "tw-compile", kReproducerFlags, {"--kernel-cache=off"});
  if (flags.strip && StringRef(flags.input).ends_with(".tw"))
    return stripInput(flags);
  CompileOptions options;
  if (int code = readFlags(flags, options); code >= 0)
    return code;

  mlir::DialectRegistry registry;
  registerAllTilewright(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::unique_ptr<DefaultThreadPool> threads;
  if (options.stages.ptx.assemble.jobs > 1) {
    threads = std::make_unique<DefaultThreadPool>(hardware_concurrency(options.stages.ptx.assemble.jobs));
    context.setThreadPool(*threads);
  }
  std::unique_ptr<RemarkCollection> collection;
  if (!flags.remarksFile.empty())
    collection = std::make_unique<RemarkCollection>(context);

  mlir::DefaultTimingManager timing;
  mlir::applyDefaultTimingManagerCLOptions(timing);
  mlir::TimingScope scope = timing.getRootScope();
  options.timing = &scope;
  options.configurePasses = [](mlir::PassManager &pm) { return mlir::applyPassManagerCLOptions(pm); };
  CompileReport result;
  bool done = mlir::succeeded(compile(context, options, result));
  if (collection)
    done &= writeRemarks(*collection, flags.remarksFile);
  if (done && flags.report == "text")
    printReport(result, outs());
  if (done && flags.report == "json")
    printReportJson(result, outs());
  return done ? 0 : 1;
}
