// tw-tune: finds the fastest schedules of a program's kernels.
//
//   tw-tune prepare model.onnx -o tasks    no GPU: candidates by the model, compiled
//   tw-tune measure tasks                  on a GPU, with the runtime alone: each checked, then timed
//   tw-tune merge tasks -o h200.records    what tw-compile --records reads
//
// Exit codes: 0 done, 1 it failed, 2 the command line is wrong. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "tw-tune.h"
#include "../CommandLine.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <thread>

using namespace llvm;
using namespace tilewright::tune;

namespace {
/// The command line. Made in main, once LLVM's own flags are gone.
struct Flags {
  cl::OptionCategory category{"tw-tune"};
  cl::SubCommand prepare{"prepare", "Write and compile the schedules of a program's kernels; needs no GPU"};
  cl::SubCommand measure{"measure", "Check and time what was prepared; needs the runtime alone"};
  cl::SubCommand task{"measure-task", "Check and time one kernel, in this process"};
  cl::SubCommand merge{"merge", "Make tuning records of what was measured"};

  cl::opt<std::string> input{cl::Positional, cl::desc("INPUT(.onnx|.mlir)"), cl::sub(prepare),
                             cl::cat(category), cl::Required};
  cl::list<std::string> folders{cl::Positional, cl::desc("FOLDER..."), cl::sub(measure), cl::sub(task),
                                cl::sub(merge), cl::cat(category),     cl::OneOrMore};
  cl::opt<std::string> output{"o",
                              cl::desc("The folder of tasks, or the file of records"),
                              cl::value_desc("path"),
                              cl::sub(prepare),
                              cl::sub(merge),
                              cl::cat(category),
                              cl::Required};
  cl::opt<std::string> target{"target", cl::init("sm_90a"), cl::desc("The chip (default sm_90a)"),
                              cl::sub(prepare), cl::cat(category)};
  cl::opt<std::string> precision{"precision", cl::init("fp32"), cl::desc("As of tw-compile"),
                                 cl::sub(prepare), cl::cat(category)};
  cl::list<std::string> shapes{"input-shape", cl::desc("As of tw-compile (repeatable)"),
                               cl::value_desc("name=1x128"), cl::sub(prepare), cl::cat(category)};
  cl::opt<unsigned> schedules{"schedules",
                              cl::init(8),
                              cl::desc("Schedules of a product, the best by the model (default 8); three "
                                       "times as many of other kernels"),
                              cl::value_desc("n"),
                              cl::sub(prepare),
                              cl::cat(category)};
  cl::opt<unsigned> jobs{"jobs", cl::desc("Compilers at a time (default: one a core)"), cl::value_desc("n"),
                         cl::sub(prepare), cl::cat(category)};
  cl::opt<bool> emulation{"emulation", cl::desc("Keep what the emulator runs in the packages"),
                          cl::sub(prepare), cl::cat(category)};
  cl::opt<std::string> compiler{"tw-compile", cl::desc("The compiler (default: beside this program)"),
                                cl::value_desc("file"), cl::sub(prepare), cl::cat(category)};
  cl::opt<std::string> device{"device",         cl::init("cuda"), cl::desc("cuda (default) or emulator"),
                              cl::sub(measure), cl::sub(task),    cl::cat(category)};
  cl::opt<unsigned> rounds{"rounds",         cl::init(5),   cl::desc("Windows of each schedule (default 5)"),
                           cl::sub(measure), cl::sub(task), cl::cat(category)};
  cl::opt<double> window{"window",
                         cl::init(3),
                         cl::desc("Length of a window (default 3)"),
                         cl::value_desc("ms"),
                         cl::sub(measure),
                         cl::sub(task),
                         cl::cat(category)};
  cl::opt<double> rest{"rest",
                       cl::init(12),
                       cl::desc("Rest before a window (default 12)"),
                       cl::value_desc("ms"),
                       cl::sub(measure),
                       cl::sub(task),
                       cl::cat(category)};
  cl::opt<double> limit{"limit",
                        cl::init(0),
                        cl::desc("Begin no kernel after so long (default: no limit)"),
                        cl::value_desc("s"),
                        cl::sub(measure),
                        cl::cat(category)};
  cl::opt<double> patience{"patience",
                           cl::init(60),
                           cl::desc("End a process that says nothing for so long (default 60)"),
                           cl::value_desc("s"),
                           cl::sub(measure),
                           cl::cat(category)};
  cl::opt<std::string> records{"records", cl::desc("Records to add to"), cl::value_desc("file"),
                               cl::sub(merge), cl::cat(category)};
  cl::opt<std::string> measurements{"measurements",
                                    cl::desc("Write every measurement beside its modelled time, as JSON"),
                                    cl::value_desc("file"), cl::sub(merge), cl::cat(category)};
  cl::opt<std::string> commit{"commit", cl::init("unknown"), cl::desc("The compiler's commit"),
                              cl::sub(merge), cl::cat(category)};
};
} // namespace

int tilewright::tune::fail(const std::string &message) {
  errs() << "tw-tune: error: " << message << "\n";
  return 1;
}

static int runPrepare(const Flags &flags, const std::string &self) {
  PrepareOptions options;
  options.input = flags.input;
  options.output = flags.output;
  SmallString<128> beside(sys::path::parent_path(self));
  sys::path::append(beside, "tw-compile");
  options.compiler = flags.compiler.empty() ? beside.str().str() : flags.compiler.getValue();
  options.flags = {"--target=" + flags.target, "--precision=" + flags.precision};
  for (const std::string &shape : flags.shapes)
    options.flags.push_back("--input-shape=" + shape);
  options.schedules = std::max(2u, flags.schedules.getValue());
  options.jobs = flags.jobs ? flags.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.emulation = flags.emulation;
  return prepare(options);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  tilewright::dropLLVMFlags();
  Flags flags;
  cl::HideUnrelatedOptions(flags.category);
  if (!cl::ParseCommandLineOptions(argc, argv, "tw-tune: finds the fastest schedules of kernels\n", &errs()))
    return 2;
  std::string self = sys::fs::getMainExecutable(argv[0], (void *)&fail);
  if (flags.prepare)
    return runPrepare(flags, self);
  if (flags.measure || flags.task) {
    if (flags.device != "cuda" && flags.device != "emulator") {
      errs() << "tw-tune: error: --device=" << flags.device << " is not one of cuda, emulator\n";
      return 2;
    }
    MeasureOptions options;
    options.folders.assign(flags.folders.begin(), flags.folders.end());
    options.self = self;
    options.emulator = flags.device == "emulator";
    options.rounds = std::max(1u, flags.rounds.getValue());
    options.windowMs = flags.window;
    options.restMs = flags.rest;
    options.limit = flags.limit;
    options.patience = flags.patience;
    return flags.task ? measureTask(options) : measure(options);
  }
  if (flags.merge) {
    MergeOptions options;
    options.folders.assign(flags.folders.begin(), flags.folders.end());
    options.old = flags.records;
    options.output = flags.output;
    options.measurements = flags.measurements;
    options.commit = flags.commit;
    return merge(options);
  }
  errs() << "tw-tune: error: say what to do: prepare, measure or merge; see --help\n";
  return 2;
}
