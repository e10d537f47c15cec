// tw-reduce: makes a program that shows a bug small. With --test it is an interestingness test, as
// llvm-reduce has it: a command that is called with a candidate's file and ends with 0 when that still shows
// the bug. Without, it is upstream's mlir-reduce (--reduction-tree, --opt-reduction-pass) with our dialects
// and passes. Exit codes: 0 reduced, 1 not, 2 the command line is wrong. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "Reducer.h"

#include "Tilewright/Pipeline/Register.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;
using namespace tilewright;

namespace {
/// The command line of a reduction with a test.
struct Options {
  StringRef input;
  std::string test;
  std::string output = "-";
  unsigned timeout = 60;
};
} // namespace

static constexpr StringRef kHelp =
    R"(usage: tw-reduce PROGRAM.mlir --test=COMMAND [-o FILE] [--timeout=SECONDS]
  COMMAND  is called as COMMAND CANDIDATE.mlir and ends with 0 when the candidate is still interesting
  -o FILE  where the smallest program goes; - (the default) is standard output
  --timeout=SECONDS  a test that takes longer counts as not interesting (60)
Without --test: upstream's mlir-reduce with Tilewright's dialects and passes; tw-reduce --mlir-reduce --help shows its flags.
)";

static int usageError(const Twine &message) {
  errs() << "tw-reduce: error: " << message << "\n";
  return 2;
}

static void print(mlir::ModuleOp module, raw_ostream &os) {
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(false);
  module.print(os, flags);
  os << "\n";
}

/// Runs the test on candidates, each a file of its own.
static bool runTest(const Options &options, StringRef shell, StringRef file, mlir::ModuleOp candidate) {
  {
    std::error_code error;
    raw_fd_ostream os(file, error);
    if (error)
      return false;
    print(candidate, os);
  }
  // The shell splits the command and quotes the file's name.
  std::string command = options.test + " \"$0\"";
  StringRef arguments[] = {shell, "-c", command, file};
  std::optional<StringRef> redirects[] = {StringRef("/dev/null"), StringRef("/dev/null"),
                                          StringRef("/dev/null")};
  return sys::ExecuteAndWait(shell, arguments, std::nullopt, redirects, options.timeout) == 0;
}

static int reduce(const Options &options, mlir::MLIRContext &context) {
  SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto buffer = MemoryBuffer::getFileOrSTDIN(options.input);
  if (!buffer)
    return usageError("cannot read " + options.input + ": " + buffer.getError().message());
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> program = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!program)
    return 1;
  ErrorOr<std::string> shell = sys::findProgramByName("sh");
  SmallString<128> folder;
  if (!shell || sys::fs::createUniqueDirectory("tw-reduce", folder))
    return usageError("no shell, or no folder for candidates");
  std::string file = (folder + "/candidate.mlir").str();
  unsigned tested = 0;
  auto interesting = [&](mlir::ModuleOp candidate) {
    ++tested;
    return runTest(options, *shell, file, candidate);
  };
  auto count = [](mlir::ModuleOp module) {
    unsigned operations = 0;
    module->walk([&](mlir::Operation *) { ++operations; });
    return operations;
  };
  int code = 0;
  if (!interesting(*program)) {
    errs() << "tw-reduce: error: the program itself is not interesting: '" << options.test
           << "' does not end with 0\n";
    code = 1;
  } else {
    unsigned before = count(*program);
    program = reduceProgram(std::move(program), interesting);
    errs() << "tw-reduce: " << before << " operations became " << count(*program) << " in " << tested
           << " tests\n";
    Error error = writeToOutput(options.output, [&](raw_ostream &os) {
      print(*program, os);
      return Error::success();
    });
    if (error) {
      errs() << "tw-reduce: error: cannot write " << options.output << ": " << toString(std::move(error))
             << "\n";
      code = 1;
    }
  }
  sys::fs::remove_directories(folder);
  return code;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Options options;
  bool upstream = true;
  SmallVector<char *> rest = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--mlir-reduce")
      continue;
    if (argument.consume_front("--test=")) {
      options.test = argument.str();
      upstream = false;
    } else {
      rest.push_back(argv[i]);
    }
  }
  if (argc == 1 || (argc == 2 && StringRef(argv[1]) == "--help")) {
    (argc == 1 ? errs() : outs()) << kHelp;
    return argc == 1 ? 2 : 0;
  }
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllTilewright(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  if (upstream) {
    mlir::registerAllPasses();
    registerAllTilewrightPasses();
    return mlir::failed(mlir::mlirReduceMain(rest.size(), rest.data(), context));
  }
  for (size_t i = 1; i < rest.size(); ++i) {
    StringRef argument = rest[i];
    if (argument == "-o" && i + 1 < rest.size())
      options.output = rest[++i];
    else if (argument.consume_front("--timeout=")) {
      if (argument.getAsInteger(10, options.timeout) || options.timeout == 0)
        return usageError("--timeout=" + argument + " is no number of seconds");
    } else if ((argument.starts_with("-") && argument != "-") || !options.input.empty())
      return usageError("what is " + argument + "? see --help");
    else
      options.input = argument;
  }
  if (options.input.empty() || options.test.empty())
    return usageError("give PROGRAM.mlir and --test=COMMAND; see --help");
  return reduce(options, context);
}
