// tw-check: proves on values that programs compile right. Each function of the file, or each random program,
// is run on the CPU reference in fp64, compiled through every stage, run on the emulator, and compared.
//
//   tw-check softmax.mlir --rtol=1e-5               every function of the file
//   tw-check --random=0 --count=60                  random programs 0 to 59
//   tw-check --random=17 --print                    the program of a seed
//   tw-check --random=17 --reduce                   the shortest part of it that fails
//   tw-check --random=0 --memory=tiny               programs that move bytes: tiny, launch, cache or memory
//                                                   is how large their tensors are
//   tw-check --random=0 --parts                     programs whose values are parts of one another
//   tw-check --random=0 --target=sm_90a             scheduled for that chip: with clusters, warpgroups, …
//   tw-check --random-schedules=0 --count=60        random schedules of small programs: refused at once, or
//                                                   right
//   tw-check --assemble-only=sm_80,sm_90a FILE…     every kernel of every function assembles and spills
//                                                   nothing
//   tw-check model.mlir --bisect                    the first stage after which values differ
//                                                   (utils/bisect)
//
// Attributes in the file change the options for one function: `check.rtol`, `check.atol`, `check.precision`,
// `check.schedule` (the #tile.schedule of kernels around a product, of all where there is none, of scans that
// look back, of reductions along rows from vectors on, or of gathers that keep tables),
// `check.look_back` (scans of few long rows are one kernel), `check.interleave` (as --interleave),
// `check.refused = "part of the message"` (it must not compile), `check.rounded` (differences that rounding
// of inputs and steps makes as well are right), `check.reference = @function` (whose values are right), and
// `check.data` on an argument (what tw-reference's --arg takes, random:LOW:HIGH, or special: NaN, infinities
// and such in between). Each program is checked in a process of its own, so that a crash is one failure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssembleKernels.h"
#include "BisectProgram.h"
#include "CheckProgram.h"
#include "RandomProgram.h"
#include "RandomSchedule.h"

#include "Tilewright/Dialect/Tile/IR/Tile.h"
#include "Tilewright/Package/OutputFile.h"
#include "Tilewright/Pipeline/Register.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

namespace {
struct Flags {
  llvm::cl::OptionCategory category{"tw-check"};
  llvm::cl::list<std::string> inputs{llvm::cl::Positional, llvm::cl::desc("FILE.mlir…"),
                                     llvm::cl::cat(category)};
  llvm::cl::opt<std::string> function{"function", llvm::cl::desc("Only this one"), llvm::cl::cat(category)};
  llvm::cl::opt<double> rtol{"rtol", llvm::cl::init(1e-5), llvm::cl::cat(category)};
  llvm::cl::opt<double> atol{"atol", llvm::cl::init(1e-6), llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{"seed", llvm::cl::desc("Of the inputs"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> data{
      "data", llvm::cl::init("random"),
      llvm::cl::desc("Inputs without check.data: random, random:LOW:HIGH, special, …"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> precision{"precision", llvm::cl::init("fp32"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> form{"form", llvm::cl::init("plain"),
                                  llvm::cl::desc("What the fuse stage does otherwise, as for tw-compile"),
                                  llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> emulatorSeed{"emulator-seed", llvm::cl::cat(category)};
  llvm::cl::opt<bool> early{"early", llvm::cl::desc("Asynchronous copies complete at issue"),
                            llvm::cl::cat(category)};
  llvm::cl::opt<std::string> target{
      "target",
      llvm::cl::desc("The chip that kernels are scheduled for (default: any, so that none has clusters)"),
      llvm::cl::cat(category)};
  llvm::cl::list<std::string> assemble{"assemble", llvm::cl::CommaSeparated, llvm::cl::cat(category),
                                       llvm::cl::desc("Also assemble for these chips; spills are failures")};
  llvm::cl::opt<std::string> inTurn{
      "in-turn", llvm::cl::cat(category),
      llvm::cl::desc("With --assemble-only: each kernel for this chip, and for one of the others in turn")};
  llvm::cl::list<std::string> assembleOnly{
      "assemble-only", llvm::cl::CommaSeparated, llvm::cl::cat(category),
      llvm::cl::desc("Compute nothing: assemble every distinct kernel of all files for these chips")};
  llvm::cl::opt<unsigned> jobs{"jobs", llvm::cl::init(2), llvm::cl::desc("Worker processes that assemble"),
                               llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> random{"random", llvm::cl::init(-1),
                                llvm::cl::desc("Seed of the first random program"), llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> count{"count", llvm::cl::init(1), llvm::cl::desc("How many random programs"),
                               llvm::cl::cat(category)};
  llvm::cl::opt<std::string> memory{
      "memory",
      llvm::cl::desc("Random programs that move bytes: tiny, launch, cache or memory is how large they are"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> interleave{
      "interleave", llvm::cl::desc("Kernels that need one another are one launch wherever that can be"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> parts{"parts", llvm::cl::desc("Random programs whose values are parts of one another"),
                            llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> randomSchedules{"random-schedules", llvm::cl::init(-1),
                                         llvm::cl::desc("Seed of the first program with random schedules"),
                                         llvm::cl::cat(category)};
  llvm::cl::opt<bool> print{"print", llvm::cl::desc("Print the programs and stop"), llvm::cl::cat(category)};
  llvm::cl::opt<bool> generic{"generic",
                              llvm::cl::desc("With --print: in the generic form, for other programs to read"),
                              llvm::cl::cat(category)};
  llvm::cl::opt<bool> reduce{"reduce", llvm::cl::desc("Print the shortest part of a program that fails"),
                             llvm::cl::cat(category)};
  llvm::cl::opt<bool> bisect{"bisect", llvm::cl::desc("Name the first stage after which values differ"),
                             llvm::cl::cat(category)};
  llvm::cl::list<std::string> stageFiles{
      "stage-file", llvm::cl::value_desc("stage=file"),
      llvm::cl::desc("With --bisect: the program after this stage is in FILE"), llvm::cl::cat(category)};
  llvm::cl::opt<bool> quiet{"quiet", llvm::cl::desc("Say nothing of what is right"), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> timeout{"timeout", llvm::cl::init(120), llvm::cl::desc("Seconds for one program"),
                                  llvm::cl::cat(category)};
};

/// How one program fared; the text is what is said about it.
struct Result {
  bool good = false;
  std::string text;
};
} // namespace

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tw-check: " << message << "\n";
  return 2;
}

/// Of the sentence of the emulator about clusters that are too large for it.
static constexpr llvm::StringLiteral kBeyondTheEmulator = "the emulator takes whole warps and up to";

/// The options for `func`: the flags, and its own attributes.
static CheckOptions optionsFor(func::FuncOp func, CheckOptions options) {
  if (auto rtol = func->getAttrOfType<FloatAttr>("check.rtol"))
    options.rtol = rtol.getValueAsDouble();
  if (auto atol = func->getAttrOfType<FloatAttr>("check.atol"))
    options.atol = atol.getValueAsDouble();
  if (auto precision = func->getAttrOfType<StringAttr>("check.precision"))
    options.precision = precision.str();
  options.schedule = func->getAttr("check.schedule");
  auto schedule = dyn_cast_or_null<tile::ScheduleAttr>(options.schedule);
  options.lookBack = func->hasAttr("check.look_back") || (schedule && schedule.getOptions().lookBack);
  options.interleave |= func->hasAttr("check.interleave");
  options.referenceOfGraph = func->hasAttr("check.reference_of_graph");
  options.rounded |= func->hasAttr("check.rounded");
  return options;
}

/// Random programs round where they like: the tolerance is a few roundings of their narrowest type.
static void loosen(func::FuncOp func, CheckOptions &options) {
  double unit = options.precision == "bf16" ? 0x1p-8 : options.precision == "fp16" ? 0x1p-11 : 0;
  func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      unit = std::max(unit, element.isBF16() ? 0x1p-8 : element.isF16() ? 0x1p-11 : 0x1p-20);
    }
  });
  options.rtol = std::max(options.rtol, 4 * unit);
  options.atol = std::max(options.atol, 4 * unit);
}

static Result judge(func::FuncOp func, const CheckOptions &common) {
  CheckOptions options = optionsFor(func, common);
  auto inputs = makeInputs(func, options);
  if (!inputs)
    return {false, llvm::toString(inputs.takeError())};
  OwningOpRef<ModuleOp> program = extractProgram(func);
  OwningOpRef<ModuleOp> reference;
  if (auto name = func->getAttrOfType<FlatSymbolRefAttr>("check.reference")) {
    auto other = func->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(name.getAttr());
    if (!other || other.getFunctionType() != func.getFunctionType())
      return {false, "@" + name.getValue().str() + " is no function of the same type"};
    reference = extractProgram(other);
    options.reference = *reference;
  }
  Outcome outcome = checkProgram(*program, *inputs, options);
  if (auto refused = func->getAttrOfType<StringAttr>("check.refused")) {
    if (outcome.verdict != Verdict::Refused)
      return {false, "should be refused: " + outcome.text};
    return {StringRef(outcome.text).contains(refused.getValue()), "refused: " + outcome.text};
  }
  if (options.scheduleSeed >= 0 && outcome.verdict == Verdict::Refused)
    return {true, "refused: " + outcome.text};
  static const char *kNames[] = {"", "DIFFERENT: ", "REFUSED: ", "BROKEN: "};
  return {outcome.verdict == Verdict::Equal, kNames[(int)outcome.verdict] + outcome.text};
}

/// As judge, in a process of its own.
static Result judgeApart(func::FuncOp func, const CheckOptions &options, unsigned timeout) {
  int ends[2];
  if (pipe(ends) != 0)
    return {false, "cannot make a pipe"};
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0) {
    alarm(timeout);
    Result result = judge(func, options);
    std::string text = (result.good ? "+" : "-") + result.text;
    writeAll(ends[1], text);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, got);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return {false, "BROKEN: not done after " + std::to_string(timeout) + " s"};
  if (WIFSIGNALED(status) || text.empty())
    return {false,
            std::string("CRASHED: ") + (WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no answer")};
  return {text[0] == '+', text.substr(1)};
}

/// The program of `func` cut down to one value: the first that is wrong, with what it needs.
static void printReduced(func::FuncOp func, const CheckOptions &options, unsigned timeout) {
  unsigned count = 0;
  for (Operation &op : func.getBody().front().without_terminator())
    count += op.getNumResults() == 1;
  for (unsigned keep = 0; keep < count; ++keep) {
    OwningOpRef<ModuleOp> part = extractProgram(func);
    auto copy = part->lookupSymbol<func::FuncOp>("main");
    Block &block = copy.getBody().front();
    Operation *kept = &*std::next(block.begin(), keep);
    block.getTerminator()->setOperands(kept->getResults());
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
    copy.setType(FunctionType::get(copy.getContext(), copy.getArgumentTypes(), kept->getResultTypes()));
    // Inputs stay as they are, so that their seeds do.
    Result result = judgeApart(copy, options, timeout);
    if (result.good)
      continue;
    llvm::outs() << "// " << result.text << "\n" << copy << "\n";
    return;
  }
  llvm::outs() << "// no single value is wrong: it takes the whole\n" << func << "\n";
}

/// The random program of a seed, as the flags ask for it; null when they name no size.
static OwningOpRef<ModuleOp> randomProgram(const Flags &flags, MLIRContext &context, int64_t seed) {
  if (flags.memory.empty())
    return flags.parts ? makePartsProgram(context, seed) : makeRandomProgram(context, seed);
  auto size = llvm::StringSwitch<std::optional<MemorySize>>(flags.memory.getValue())
                  .Case("tiny", MemorySize::Tiny)
                  .Case("launch", MemorySize::Launch)
                  .Case("cache", MemorySize::Cache)
                  .Case("memory", MemorySize::Memory)
                  .Default(std::nullopt);
  return size ? makeMemoryProgram(context, seed, *size) : OwningOpRef<ModuleOp>();
}

/// --assemble-only: the exit code.
static int assembleKernels(const Flags &flags, const CheckOptions &common, const Arch *always,
                           MLIRContext &context) {
  KernelAssembly assembly(context);
  std::vector<OwningOpRef<ModuleOp>> files;
  for (const std::string &input : flags.inputs) {
    files.push_back(parseSourceFile<ModuleOp>(input, &context));
    if (!files.back())
      return 2;
    for (auto func : files.back()->getOps<func::FuncOp>())
      if (!func->hasAttr("check.refused"))
        assembly.add(func, (StringRef(input).rsplit('/').second + " @" + func.getName()).str(),
                     optionsFor(func, common));
  }
  for (int64_t i = 0; flags.random >= 0 && i < flags.count; ++i) {
    files.push_back(randomProgram(flags, context, flags.random + i));
    assembly.add(files.back()->lookupSymbol<func::FuncOp>("main"),
                 "random " + std::to_string(flags.random + i), common);
  }
  AssemblyCount count = assembly.finish(common.archs, always, flags.jobs);
  llvm::outs() << llvm::formatv("{0} programs, {1} kernels, assembled {2} times: {3} wrong\n", count.programs,
                                count.kernels, count.assembled, count.wrong);
  return count.wrong || !count.kernels ? 1 : 0;
}

int main(int argc, char **argv) {
  if (int code = maybeRunPtxWorker(argc, argv); code >= 0)
    return code;
  SmallVector<llvm::cl::Option *> inherited;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!name.starts_with("help"))
      inherited.push_back(option);
  for (llvm::cl::Option *option : inherited)
    option->removeArgument();
  Flags flags;
  llvm::cl::HideUnrelatedOptions(flags.category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "checks compiled programs on values\n");
  CheckOptions common;
  common.rtol = flags.rtol;
  common.atol = flags.atol;
  common.scaled = common.rounded = flags.random >= 0 || flags.randomSchedules >= 0;
  common.seed = flags.seed;
  common.data = flags.data;
  common.precision = flags.precision;
  common.interleave = flags.interleave;
  common.emulatorSeed = flags.emulatorSeed;
  common.earlyCompletion = flags.early;
  std::string error;
  std::optional<fuse::Form> form = fuse::Form::parse(flags.form);
  if (!form)
    return fail("--form=" + flags.form + " is none of " + fuse::formSwitchNames());
  common.form = *form;
  if (!flags.target.empty() && !(common.target = lookupArch(flags.target, &error)))
    return fail(error);
  SmallVector<std::string> archNames(flags.assemble.begin(), flags.assemble.end());
  llvm::append_range(archNames, flags.assembleOnly);
  for (const std::string &name : archNames) {
    common.archs.push_back(lookupArch(name, &error));
    if (!common.archs.back())
      return fail(error);
  }
  const Arch *always = flags.inTurn.empty() ? nullptr : lookupArch(flags.inTurn, &error);
  if (!flags.inTurn.empty() && !llvm::is_contained(common.archs, always))
    return fail("--in-turn=" + flags.inTurn + " is none of the chips of --assemble-only");
  DialectRegistry registry;
  registerAllTilewright(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  context.loadAllAvailableDialects();

  if (!randomProgram(flags, context, 0))
    return fail("--memory=" + flags.memory + " is no size: tiny, launch, cache or memory");
  if (flags.parts && !flags.memory.empty())
    return fail("--parts and --memory name different random programs");
  if (std::string names = unknownScheduleEntries(); !names.empty())
    return fail("random schedules do not draw " + names);
  if (!flags.assembleOnly.empty())
    return assembleKernels(flags, common, always, context);
  OwningOpRef<ModuleOp> file;
  if (flags.random < 0 && flags.randomSchedules < 0) {
    if (flags.inputs.size() != 1)
      return fail("one FILE.mlir, or --random=SEED");
    if (!(file = parseSourceFile<ModuleOp>(flags.inputs.front(), &context)))
      return 2;
  }
  if (flags.bisect) {
    auto func =
        file ? file->lookupSymbol<func::FuncOp>(flags.function.empty() ? "main" : flags.function.c_str())
             : func::FuncOp();
    if (!func)
      return fail("there is no function @main to bisect; --function names another");
    return bisectProgram(*file, func, optionsFor(func, common), flags.stageFiles) ? 0 : 1;
  }
  unsigned good = 0, bad = 0, refused = 0, beyond = 0;
  auto check = [&](func::FuncOp func, const std::string &name, int64_t seed = -1) {
    CheckOptions options = common;
    if (!file)
      loosen(func, options);
    if (flags.randomSchedules >= 0)
      options.scheduleSeed = seed;
    if (flags.print) {
      OpPrintingFlags printing;
      func->print(llvm::outs(), flags.generic ? printing.printGenericOpForm() : printing);
      llvm::outs() << "\n";
      return;
    }
    Result result = judgeApart(func, options, flags.timeout);
    // A cluster may have more threads than the emulator tells apart; another schedule is drawn then.
    if (options.scheduleSeed >= 0 && StringRef(result.text).contains(kBeyondTheEmulator)) {
      ++beyond;
      return;
    }
    (result.good ? good : bad) += 1;
    refused += options.scheduleSeed >= 0 && StringRef(result.text).starts_with("refused");
    if (!result.good || !flags.quiet)
      llvm::outs() << (result.good ? "ok   " : "FAIL ") << name << ": " << StringRef(result.text).trim()
                   << "\n";
    if (!result.good && flags.reduce)
      printReduced(func, options, flags.timeout);
  };
  if (file)
    for (auto func : file->getOps<func::FuncOp>())
      if (flags.function.empty() || flags.function == func.getName())
        check(func, "@" + func.getName().str());
  for (int64_t i = 0; flags.random >= 0 && i < flags.count; ++i) {
    OwningOpRef<ModuleOp> program = randomProgram(flags, context, flags.random + i);
    if (failed(program->verify()))
      return fail("random program " + llvm::Twine(flags.random + i) + " is not valid");
    check(program->lookupSymbol<func::FuncOp>("main"), "random " + std::to_string(flags.random + i));
  }
  for (int64_t i = 0; flags.randomSchedules >= 0 && i < std::min(flags.count + beyond, 2 * flags.count);
       ++i) {
    int64_t seed = flags.randomSchedules + i;
    OwningOpRef<ModuleOp> program = makeAnchorProgram(context, seed);
    if (failed(program->verify()))
      return fail("random program " + llvm::Twine(seed) + " is not valid");
    check(program->lookupSymbol<func::FuncOp>("main"), "schedules " + std::to_string(seed), seed);
  }
  if (flags.randomSchedules >= 0)
    llvm::outs() << refused << " schedules refused at once, " << beyond << " beyond the emulator\n";
  if (!flags.print)
    llvm::outs() << good << " programs right, " << bad << " wrong\n";
  return bad || (!flags.print && good == 0) ? 1 : 0;
}
