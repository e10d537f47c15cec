// One compilation: read, run the stages in order, write. Between stages it dumps and times; nothing here
// knows what a stage does. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Driver.h"
#include "BackOff.h"
#include "ChooseForm.h"
#include "DivideResults.h"
#include "KeepReproducer.h"
#include "Merging.h"
#include "ParseGuard.h"
#include "TargetCache.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Import/Upstream.h"
#include "Tilewright/Import/WeightStore.h"
#include "Tilewright/Package/OutputFile.h"
#include "Tilewright/Pipeline/CStub.h"
#include "Tilewright/Pipeline/TuningTasks.h"
#include "Tilewright/Remarks/Remarks.h"
#include "TrySchedules.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <sys/resource.h>

using namespace mlir;
using namespace tilewright;

namespace {

enum class InputKind { Onnx, Mlir };

/// Seconds since it was asked last.
struct Watch {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double seconds() {
    auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start, now)).count();
  }
};

/// A compilation under way.
struct Compilation {
  MLIRContext &context;
  const CompileOptions &options;
  CompileReport &report;
  StageOptions stages = options.stages;
  llvm::SourceMgr sources = {}; ///< The input, for excerpts in diagnostics.
  StringRef text = {};          ///< The input's bytes.
  InputKind kind = InputKind::Mlir;
  Stage first = Stage::Import;
  bool mayImport = false; ///< Whether an MLIR program starts at import when it holds upstream ops.
  OwningOpRef<ModuleOp> module = {};
  OwningOpRef<ModuleOp> fused = {};   ///< As the fuse stage left it.
  OwningOpRef<ModuleOp> lowered = {}; ///< In the target form, before launches were merged.
  std::vector<AssembledKernel> kernels = {};
  PackageContents package = {};
  std::vector<package::GoldenTensor> golden = {};
  StageAttempt attempt = {}; ///< The stage that runs, for the reproducer.
  std::string log = {};      ///< What was said, for the reproducer.
  bool keepsKernels = false; ///< Whether kernels stay as they are, whatever ptxas says.

  LogicalResult run();
  LogicalResult readInput();
  LogicalResult parse();
  /// Whether there is a stage to run.
  LogicalResult checkFirst();
  LogicalResult runStages();
  /// Runs those of the stages that are to run.
  LogicalResult takeStages(Stage from, Stage to);
  LogicalResult runStage(Stage stage);
  LogicalResult runPasses(Stage stage) { return runPasses(stage, *module); }
  LogicalResult runPasses(Stage stage, ModuleOp program);
  LogicalResult runPasses(Stage stage, ModuleOp program, function_ref<void(OpPassManager &)> populate);
  /// The target stage: kernels through the cache, then launches of the whole program.
  LogicalResult lowerAndMerge();
  /// Checks the contract of the stage before `first`, which a program that enters there must keep.
  LogicalResult verifyEntry();
  LogicalResult runPackageStage();
  /// Whether programs may have another form than the plain one.
  bool choosesForm() const;
  /// The stages from fuse to ptx, in the form that is modelled to take least time.
  LogicalResult makeKernels();
  LogicalResult describeKernels();
  /// Modelled microseconds of a program that the fuse stage has left (ChooseForm.h); nothing of it is told.
  std::optional<double> timeOfFused(ModuleOp program, bool asTheyAre) const;
  /// Computes golden vectors from the graph stage's program, when they are asked for.
  LogicalResult makeGolden();
  LogicalResult dump(Stage stage);
  LogicalResult writeOutput();
  LogicalResult writePackage(StringRef path);
  LogicalResult writeCStub();
  LogicalResult writeDepfile();
  /// Before `stage`, and before the input is parsed for it: leaves what it takes to run it again.
  LogicalResult prepareReproducer(Stage stage);
  /// At the end: with what was said when the stage failed, or nothing is left.
  LogicalResult finishReproducer(LogicalResult result);
  Location inputLocation() { return NameLoc::get(StringAttr::get(&context, options.input)); }
};

} // namespace

//===-- Diagnostics -------------------------------------------------------------------------------------===//

namespace {
/// Prints diagnostics: those in a text file with an excerpt, those at a node of a model as `error: /node: …`.
/// With a `log` it keeps them as well.
struct DiagnosticPrinter : SourceMgrDiagnosticHandler {
  DiagnosticPrinter(llvm::SourceMgr &sources, MLIRContext &context, std::string *log)
      : SourceMgrDiagnosticHandler(sources, &context) {
    setHandler([this, log](Diagnostic &diagnostic) {
      if (log) {
        *log += llvm::formatv("{0}: {1}\n", diagnostic.getLocation(), diagnostic.str()).str();
        for (Diagnostic &note : diagnostic.getNotes())
          *log += llvm::formatv("  {0}: {1}\n", note.getLocation(), note.str()).str();
      }
      if (!print(diagnostic))
        return emitDiagnostic(diagnostic), success();
      for (Diagnostic &note : diagnostic.getNotes())
        if (!print(note))
          emitDiagnostic(note);
      return success();
    });
  }

  static bool print(Diagnostic &diagnostic) {
    SmallVector<StringRef> nodes;
    if (!collect(diagnostic.getLocation(), nodes))
      return false;
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      llvm::WithColor::error();
      break;
    case DiagnosticSeverity::Warning:
      llvm::WithColor::warning();
      break;
    case DiagnosticSeverity::Note:
      llvm::WithColor::note();
      break;
    case DiagnosticSeverity::Remark:
      llvm::WithColor::remark();
      break;
    }
    if (!nodes.empty())
      llvm::errs() << nodes.front();
    if (nodes.size() > 1)
      llvm::errs() << " (to " << nodes.back() << ")";
    llvm::errs() << (nodes.empty() ? "" : ": ") << diagnostic << "\n";
    return true;
  }

  /// Adds the nodes of a location; false when it has a place in a file.
  static bool collect(Location loc, SmallVectorImpl<StringRef> &nodes) {
    if (isa<FileLineColRange>(loc))
      return false;
    if (auto name = dyn_cast<NameLoc>(loc)) {
      nodes.push_back(name.getName());
      return collect(name.getChildLoc(), nodes);
    }
    if (auto call = dyn_cast<CallSiteLoc>(loc))
      return collect(call.getCallee(), nodes);
    if (auto fused = dyn_cast<FusedLoc>(loc))
      return llvm::all_of(fused.getLocations(), [&](Location part) { return collect(part, nodes); });
    return true;
  }
};
} // namespace

//===-- Files -------------------------------------------------------------------------------------------===//

/// Writes `text` whole or not at all.
static LogicalResult writeFile(Location loc, StringRef path, StringRef text) {
  if (path == "-") {
    llvm::outs() << text;
    return success();
  }
  std::string error = writeWholeFile(path.str(), text);
  if (!error.empty())
    return emitError(loc) << error;
  return success();
}

/// nvvm.barrier takes `loc` behind its operands for the attribute of a reduction, and then does not parse.
/// Lines that hold one with a location are spelled generically:
///
///     nvvm.barrier id = %a number_of_threads = %b loc(#loc1)
///     "nvvm.barrier"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc(#loc1)
static std::string spellBarriers(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    StringRef op = line.ltrim(), indent = line.drop_back(op.size());
    auto [before, location] = op.split(" loc(");
    bool isBarrier = before.consume_front("nvvm.barrier") && (before.empty() || before.starts_with(" "));
    if (!isBarrier || location.empty() || before.contains("reduction")) {
      result += (line + "\n").str();
      continue;
    }
    auto [first, threads] = before.split("number_of_threads =");
    StringRef id = first.split('=').second.trim();
    threads = threads.trim();
    bool both = !id.empty() && !threads.empty();
    result += (indent + "\"nvvm.barrier\"(" + id + (both ? ", " : "") + threads +
               ") <{operandSegmentSizes = array<i32: " + (id.empty() ? "0" : "1") + ", " +
               (threads.empty() ? "0" : "1") + ", 0>}> : (" +
               (both                            ? "i32, i32"
                : id.empty() && threads.empty() ? ""
                                                : "i32") +
               ") -> () loc(" + location + "\n")
                  .str();
  }
  return result;
}

/// The program as text that can be read again, with its locations. The first line says where to go on.
static std::string programText(ModuleOp module, Stage stage) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// tilewright stage: " << stageName(stage) << "\n";
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  module.print(os, flags);
  os << "\n";
  return text.find("nvvm.barrier") == std::string::npos ? text : spellBarriers(text);
}

/// The stage in the first line of a dump.
static std::optional<Stage> stageOfDump(StringRef text) {
  StringRef line = text.split('\n').first.trim();
  if (!line.consume_front("// tilewright stage:"))
    return std::nullopt;
  return parseStage(line.trim());
}

static InputKind kindOf(StringRef path, StringRef bytes) {
  if (path.ends_with(".onnx"))
    return InputKind::Onnx;
  if (path.ends_with(".mlir") || path.ends_with(".mlirbc"))
    return InputKind::Mlir;
  // Standard input: MLIR bytecode has a magic number, and text has no control characters; protobuf starts
  // with a field tag, which is one.
  if (isBytecode(llvm::MemoryBufferRef(bytes, path)))
    return InputKind::Mlir;
  bool text = !bytes.empty() && ((unsigned char)bytes[0] >= ' ' || bytes[0] == '\n' || bytes[0] == '\t');
  return text ? InputKind::Mlir : InputKind::Onnx;
}

LogicalResult Compilation::readInput() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!buffer)
    return emitError(inputLocation()) << "cannot read: " << buffer.getError().message();
  text = (*buffer)->getBuffer();
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  kind = kindOf(options.input, text);
  if (kind == InputKind::Onnx) {
    first = options.startFrom.value_or(Stage::Import);
    if (first != Stage::Import)
      return emitError(inputLocation()) << "an ONNX model starts at stage import, not " << stageName(first);
    return success();
  }
  std::optional<Stage> reached = stageOfDump(text);
  first = options.startFrom.value_or(reached ? Stage((unsigned)*reached + 1) : Stage::Graph);
  mayImport = !reached && !options.startFrom;
  if (reached == Stage::Package)
    return emitError(inputLocation()) << "an MLIR program cannot start at stage after package";
  if (!stages.import.shapes.empty())
    return emitError(inputLocation()) << "shapes are given by flags for ONNX models only";
  return success();
}

//===-- Stages ------------------------------------------------------------------------------------------===//

LogicalResult Compilation::runPasses(Stage stage, ModuleOp program) {
  return runPasses(stage, program,
                   [&](OpPassManager &pm) { populateStage(pm, stage, stages, options.verifyStages); });
}

LogicalResult Compilation::runPasses(Stage stage, ModuleOp program,
                                     function_ref<void(OpPassManager &)> populate) {
  PassManager pm(&context, ModuleOp::getOperationName());
  if (options.configurePasses && failed(options.configurePasses(pm)))
    return failure();
  populate(pm);
  TimingScope scope = options.timing ? options.timing->nest(stageName(stage)) : TimingScope();
  pm.enableTiming(scope);
  return pm.run(program);
}

LogicalResult Compilation::lowerAndMerge() {
  StageOptions apart = stages;
  apart.target.mergeLaunches = false;
  apart.target.interleaveLaunches = TargetStage::Interleaving::Off;
  auto lower = [&](ModuleOp program) {
    return runPasses(Stage::Target, program, [&](OpPassManager &pm) {
      populateStage(pm, Stage::Target, apart, options.verifyStages);
    });
  };
  StringRef variant = apart.target.exactMath ? "exact math" : "math on chip";
  if (failed(lowerThroughCache(*module, stages.ptx.assemble.cache, variant, lower)))
    return failure();
  if (!stages.target.mergesAny())
    return success();
  // Parts that spill together are taken apart again.
  if (options.stopAfter >= Stage::Ptx && stages.ptx.assemble.cubins)
    lowered = module->clone();
  stages.target.target = stages.ptx.archs.front()->name;
  return runPasses(Stage::Target, *module, [&](OpPassManager &pm) { populateMerging(pm, stages.target); });
}

LogicalResult Compilation::verifyEntry() {
  PassManager pm(&context, ModuleOp::getOperationName());
  populateContract(pm, Stage((unsigned)first - 1));
  return pm.run(*module);
}

LogicalResult Compilation::runPackageStage() {
  PackageInputs &inputs = stages.package.inputs;
  inputs.sourcePath = options.input;
  if (inputs.program.empty())
    inputs.program = options.input == "-" ? "program" : llvm::sys::path::stem(options.input).str();
  inputs.arch = stages.ptx.archs.front();
  // Chips have multiprocessors of their own sizes.
  stages.package.spreadBlocks &= stages.ptx.archs.size() == 1;
  inputs.manifest["input_hash"] =
      llvm::formatv("xxh64:{0:x-16}", package::contentHash(text.data(), text.size()));
  inputs.manifest["toolchain"] = report.toolchain;
  if (options.golden.wanted() && first > Stage::Graph)
    return emitError(inputLocation())
           << "golden vectors are computed from the program of stage graph; this one starts "
              "at stage "
           << stageName(first);
  if (failed(runPasses(Stage::Package)))
    return failure();
  FailureOr<PackageContents> built = buildPackage(*module, kernels, inputs);
  if (failed(built))
    return failure();
  package = std::move(*built);
  package.package.golden = std::move(golden);
  if (std::string error = package::checkPackage(package.package); !error.empty())
    return module->emitError() << "the package is not sound: " << error;
  reportPackage(*module, package.package, kernels, report);
  return success();
}

std::optional<double> Compilation::timeOfFused(ModuleOp program, bool asTheyAre) const {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  CompileReport ignored;
  Compilation trial{context, options, ignored};
  trial.stages = stages;
  trial.module = program.clone();
  trial.keepsKernels = asTheyAre;
  bool compiles = true;
  TrialRemarks().during(context, [&] {
    for (Stage stage : {Stage::Tile, Stage::Schedule, Stage::Target, Stage::Ptx})
      compiles = compiles && succeeded(trial.runStage(stage));
  });
  if (!compiles)
    return std::nullopt;
  return microsecondsOf(*trial.module, trial.kernels, *stages.ptx.archs.front());
}

bool Compilation::choosesForm() const {
  // Without ptxas nobody knows what kernels take.
  return stages.fuse.choosesForm && first <= Stage::Fuse && options.stopAfter >= Stage::Ptx &&
         stages.ptx.assemble.cubins && stages.ptx.archs.size() == 1 &&
         !findPtxas(stages.ptx.assemble.ptxas).empty();
}

LogicalResult Compilation::makeKernels() {
  if (!choosesForm())
    return failed(takeStages(Stage::Fuse, Stage::Ptx)) ? failure() : describeKernels();
  OwningOpRef<ModuleOp> tensors(module->clone());
  TrialRemarks said;
  LogicalResult result = success();
  auto make = [&] { result = takeStages(Stage::Fuse, Stage::Ptx); };
  said.during(context, make);
  // What was measured stays.
  if (succeeded(result) && !hasRecordedSchedules(*module)) {
    double plain = microsecondsOf(*module, kernels, *stages.ptx.archs.front());
    auto timeOf = [&](ModuleOp program, bool asTheyAre) { return timeOfFused(program, asTheyAre); };
    Watch watch;
    fuse::Form form = chooseForm(*tensors, {*fused, plain}, stages, timeOf);
    report.add(Stage::Fuse, watch.seconds());
    if (!(form == stages.fuse.form)) {
      stages.fuse.form = form;
      module = std::move(tensors);
      lowered = {};
      said = TrialRemarks();
      said.during(context, make);
    }
  }
  said.adopt(context, /*replaced=*/"");
  return failed(result) ? failure() : describeKernels();
}

LogicalResult Compilation::describeKernels() {
  if (first <= Stage::Ptx && options.stopAfter >= Stage::Ptx) {
    reportWarnings(*module, kernels);
    explainKernels(*module, kernels);
  }
  return success();
}

LogicalResult Compilation::makeGolden() {
  if (!options.golden.wanted() || options.stopAfter != Stage::Package)
    return success();
  std::optional<StringRef> model;
  if (kind == InputKind::Onnx && options.input == "-")
    model = text;
  FailureOr<std::vector<package::GoldenTensor>> made = computeGolden(*module, model, options.golden);
  if (failed(made))
    return failure();
  golden = std::move(*made);
  return success();
}

LogicalResult Compilation::runStage(Stage stage) {
  switch (stage) {
  case Stage::Import:
    stages.import.path = options.input;
    if (options.input == "-")
      stages.import.bytes = text;
    if (kind == InputKind::Mlir && failed(importUpstream(*module)))
      return failure();
    if (kind == InputKind::Onnx)
      module = runImportStage(context, stages.import);
    return module && (!options.verifyStages || succeeded(runPasses(stage))) ? success() : failure();
  case Stage::Ptx: {
    // What is scheduled again, cut or divided need not be spoken of.
    stages.ptx.assemble.warns = false;
    FailureOr<std::vector<AssembledKernel>> assembled =
        lowered ? runPtxStageOfMerged(module, *lowered, stages, report.toolchain, &report.assembly)
                : runPtxStage(*module, stages.ptx, report.toolchain, &report.assembly);
    if (failed(assembled))
      return failure();
    kernels = std::move(*assembled);
    if (fused && !keepsKernels) {
      backOffFromRegisters(*module, *fused, stages, kernels);
      backOffFromHeldProducts(*module, *fused, stages, kernels);
      backOffFromSpills(*module, *fused, stages, kernels);
      trySchedules(*module, *fused, stages, kernels);
      divideResults(*module, *fused, stages, kernels);
    }
    return interleaveIndependent(module, stages, kernels);
  }
  case Stage::Tile:
    // Kernels that spill are tried again from here.
    if (options.stopAfter >= Stage::Ptx && stages.ptx.assemble.cubins)
      fused = module->clone();
    return runPasses(stage);
  case Stage::Package:
    return runPackageStage();
  case Stage::Target:
    return lowerAndMerge();
  case Stage::Graph:
    return failed(runPasses(stage)) ? failure() : makeGolden();
  default:
    return runPasses(stage);
  }
}

/// `00-import.mlir`, …, `06-ptx/<kernel>.<arch>.ptx`, `07-package.json`.
LogicalResult Compilation::dump(Stage stage) {
  if (options.dumpDirectory.empty())
    return success();
  std::string base =
      options.dumpDirectory + "/0" + std::to_string((unsigned)stage) + "-" + stageName(stage).str();
  std::error_code error =
      llvm::sys::fs::create_directories(stage == Stage::Ptx ? base : options.dumpDirectory);
  if (error)
    return emitError(inputLocation())
           << "cannot make folder " << options.dumpDirectory << ": " << error.message();
  if (stage == Stage::Package)
    return writeFile(inputLocation(), base + ".json", packageToJson(package.package));
  if (stage != Stage::Ptx)
    return writeFile(inputLocation(), base + ".mlir", programText(*module, stage));
  for (const AssembledKernel &kernel : kernels)
    if (failed(writeFile(inputLocation(), base + "/" + kernel.name + "." + kernel.arch->name + ".ptx",
                         kernel.ptx)))
      return failure();
  return success();
}

//===-- Output ------------------------------------------------------------------------------------------===//

LogicalResult Compilation::writePackage(StringRef path) {
  PackageFile file{path.str(), "", std::nullopt};
  if (options.externalWeights)
    file.externalWeights = llvm::sys::path::stem(path).str() + ".weights";
  if (kind == InputKind::Onnx && options.input == "-")
    file.modelBytes = text;
  package::WriteSummary summary;
  if (failed(writePackageFile(*module, package, file, summary)))
    return failure();
  report.weightBytes = summary.weightBytes;
  report.packageBytes = summary.packageBytes;
  report.imageBytes = summary.imageBytes;
  report.emulationBytes = summary.emulationBytes;
  return success();
}

/// `-o model.c` (or `-o model`) makes model.tw, model.h and model.c.
LogicalResult Compilation::writeCStub() {
  StringRef base = options.output;
  base.consume_back(".c");
  CStub stub;
  std::string error =
      makeCStub(package.package, {llvm::sys::path::filename(base).str(), options.embedPackage}, stub);
  if (!error.empty())
    return emitError(inputLocation()) << error;
  if (failed(writePackage((base + ".tw").str())) ||
      failed(writeFile(inputLocation(), (base + ".h").str(), stub.header)))
    return failure();
  return writeFile(inputLocation(), (base + ".c").str(), stub.source);
}

/// `output: input weights…`, as make and ninja read it.
LogicalResult Compilation::writeDepfile() {
  if (options.depfile.empty())
    return success();
  std::vector<std::string> files;
  if (options.input != "-")
    files.push_back(options.input);
  auto store = WeightStore::open(*module);
  if (!store)
    return emitError(inputLocation()) << llvm::toString(store.takeError());
  for (const std::string &file : store->paths())
    if (!llvm::is_contained(files, file))
      files.push_back(file);
  std::string rule;
  auto append = [&](StringRef path) {
    for (char c : path) {
      if (c == ' ' || c == '#' || c == '\\')
        rule += '\\';
      rule += c == '$' ? "$$" : std::string(1, c);
    }
  };
  append(options.output);
  rule += ":";
  for (const std::string &file : files) {
    rule += " \\\n  ";
    append(file);
  }
  return writeFile(inputLocation(), options.depfile, rule + "\n");
}

LogicalResult Compilation::writeOutput() {
  if (options.output.empty())
    return success();
  Location loc = inputLocation();
  switch (options.emit) {
  case Emit::Program:
    return writeFile(loc, options.output, programText(*module, options.stopAfter));
  case Emit::Ptx: {
    std::string ptx;
    for (const AssembledKernel &kernel : kernels)
      ptx += "// kernel " + kernel.name + " for " + kernel.arch->name + "\n" + kernel.ptx;
    return writeFile(loc, options.output, ptx);
  }
  case Emit::Cubin:
    if (kernels.size() != 1)
      return emitError(loc) << "--emit=cubin writes one kernel for one arch, the program has "
                            << kernels.size() << " cubins; --emit=package holds them all";
    if (kernels.front().cubin.empty())
      return emitError(loc) << "there is no cubin: ptxas was not found";
    return writeFile(loc, options.output, kernels.front().cubin);
  case Emit::Package:
    return writePackage(options.output);
  case Emit::CStub:
    return writeCStub();
  case Emit::Tuning:
    return writeTuningTasks(*module, {stages.ptx.archs.front(), options.schedules, options.output});
  }
  llvm_unreachable("covered switch");
}

static uint64_t peakBytes(int who) {
  rusage usage;
  return getrusage(who, &usage) == 0 ? uint64_t(usage.ru_maxrss) * 1024 : 0;
}

LogicalResult Compilation::prepareReproducer(Stage stage) {
  if (options.reproducer.empty())
    return success();
  bool isSource = !module || stage == Stage::Import; // what the user gave
  attempt = {stage, isSource ? "" : programText(*module, Stage((unsigned)stage - 1)), text,
             kind == InputKind::Onnx, ""};
  std::string error = keepReproducer(options, attempt, report.toolchain);
  if (!error.empty())
    return emitError(inputLocation()) << error;
  return success();
}

LogicalResult Compilation::finishReproducer(LogicalResult result) {
  if (options.reproducer.empty())
    return result;
  if (succeeded(result)) {
    llvm::sys::fs::remove(options.reproducer);
    return result;
  }
  attempt.log = log;
  std::string error = keepReproducer(options, attempt, report.toolchain);
  if (error.empty())
    llvm::errs() << "to see it again: tw-compile --run-reproducer=" << options.reproducer << "\n";
  else
    emitError(inputLocation()) << error;
  return failure();
}

LogicalResult Compilation::parse() {
  if (kind != InputKind::Mlir)
    return success();
  module = parseInChild(inputLocation(), text, options.input, ParseLimits::forInput(text.size()));
  if (!module)
    return failure();
  if (mayImport && holdsUpstreamOps(*module))
    first = Stage::Import;
  // Passes on tiles count on layouts that fit together, which whoever edited a dump may have broken.
  bool verifies =
      (options.verifyStages && first != Stage::Import) || first == Stage::Schedule || first == Stage::Target;
  return !verifies || succeeded(verifyEntry()) ? success() : failure();
}

LogicalResult Compilation::takeStages(Stage from, Stage to) {
  Watch watch;
  for (Stage stage : kStages) {
    if (stage < std::max(first, from) || stage > std::min(options.stopAfter, to))
      continue;
    LogicalResult result = module ? prepareReproducer(stage) : success();
    if (succeeded(result))
      result = runStage(stage);
    report.add(stage, watch.seconds());
    if (failed(result))
      return emitError(inputLocation()) << "stage " << stageName(stage) << " failed";
    if (failed(dump(stage)))
      return failure();
  }
  return success();
}

LogicalResult Compilation::runStages() {
  if (failed(takeStages(Stage::Import, Stage::Graph)))
    return failure();
  if (failed(makeKernels()) || failed(takeStages(Stage::Package, Stage::Package)))
    return failure();
  Watch watch;
  LogicalResult result = failed(writeOutput()) ? failure() : writeDepfile();
  report.add(options.stopAfter, watch.seconds());
  if (failed(result))
    return emitError(inputLocation()) << "stage " << stageName(options.stopAfter) << " failed";
  return success();
}

LogicalResult Compilation::checkFirst() {
  if (first <= options.stopAfter)
    return success();
  return emitError(inputLocation()) << "there is nothing to do: the program starts at stage "
                                    << stageName(first) << " and stops after "
                                    << stageName(options.stopAfter);
}

LogicalResult Compilation::run() {
  DiagnosticPrinter handler(sources, context, options.reproducer.empty() ? nullptr : &log);
  if (failed(readInput()))
    return failure();
  if (!mayImport && failed(checkFirst()))
    return failure();
  if (failed(prepareReproducer(first)))
    return failure();
  LogicalResult result = finishReproducer(failed(parse()) || failed(checkFirst()) ? failure() : runStages());
  report.peakMemoryBytes = peakBytes(RUSAGE_SELF);
  report.peakWorkerMemoryBytes = peakBytes(RUSAGE_CHILDREN);
  return result;
}

LogicalResult tilewright::compile(MLIRContext &context, const CompileOptions &options,
                                  CompileReport &report) {
  return Compilation{context, options, report}.run();
}
