// tw-conformance: runs ONNX's node tests, folders of model.onnx with inputs and outputs, through import,
// every stage and the emulator, each in a process of its own, and writes a line for each:
//   case <tab> operators <tab> passed|unsupported|failed <tab> reason
// in the order of the cases' names. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunCase.h"

#include "Tilewright/Pipeline/Register.h"
#include "Tilewright/Ptx/Assemble.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::conformance;
namespace cl = llvm::cl;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tw-conformance: " << message << "\n";
  return 2;
}

namespace {
/// A case under way.
struct Child {
  size_t number;
  int answers; ///< the end of the pipe that is read
};

/// What became of a case.
struct Line {
  std::string operators;
  Verdict verdict;
};
} // namespace

/// Newlines and tabs would break the table.
static std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text.substr(0, std::min<size_t>(text.size(), 400));
}

/// The body of a child: runs the case and answers in one line.
static void answer(MLIRContext &context, const std::string &folder, int to, unsigned timeout) {
  alarm(timeout);
  std::string operators;
  Verdict verdict;
  if (llvm::Expected<Case> test = readCase(folder)) {
    operators = llvm::join(test->operators, ",");
    verdict = runCase(context, *test);
  } else {
    verdict = {"failed", llvm::toString(test.takeError())};
  }
  std::string text = operators + "\t" + verdict.word + "\t" + oneLine(verdict.reason);
  ssize_t written = write(to, text.data(), text.size()); // below the size of a pipe's buffer
  _exit(written == (ssize_t)text.size() ? 0 : 1);
}

static Line readAnswer(int from, int status, unsigned timeout) {
  std::string text;
  char buffer[1024];
  for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;)
    text.append(buffer, got);
  close(from);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return {"", {"failed", "not done after " + std::to_string(timeout) + " s"}};
  if (WIFSIGNALED(status) || text.empty())
    return {"", {"failed", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no answer"}};
  auto [operators, rest] = StringRef(text).split('\t');
  auto [word, reason] = rest.split('\t');
  return {operators.str(), {word.str(), reason.str()}};
}

/// Runs all cases, `jobs` at a time.
static std::vector<Line> runAll(MLIRContext &context, ArrayRef<std::string> folders, unsigned jobs,
                                unsigned timeout) {
  std::vector<Line> lines(folders.size());
  std::map<pid_t, Child> children;
  for (size_t next = 0; next < folders.size() || !children.empty();) {
    int ends[2];
    if (next < folders.size() && children.size() < jobs && pipe(ends) == 0) {
      pid_t child = fork();
      if (child == 0)
        answer(context, folders[next], ends[1], timeout);
      close(ends[1]);
      children[child] = {next++, ends[0]};
      continue;
    }
    int status = 0;
    pid_t done = wait(&status);
    auto found = children.find(done);
    if (found == children.end())
      continue;
    lines[found->second.number] = readAnswer(found->second.answers, status, timeout);
    children.erase(found);
  }
  return lines;
}

/// Subfolders that hold a model, by name.
static bool findCases(StringRef root, llvm::Regex &wanted, std::vector<std::string> &folders) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(root, error), end; it != end && !error; it.increment(error)) {
    SmallString<128> model(it->path());
    llvm::sys::path::append(model, "model.onnx");
    if (wanted.match(llvm::sys::path::filename(it->path())) && llvm::sys::fs::exists(model))
      folders.push_back(it->path());
  }
  return !error;
}

int main(int argc, char **argv) {
  if (int code = maybeRunPtxWorker(argc, argv); code >= 0)
    return code;
  cl::OptionCategory category("tw-conformance");
  cl::list<std::string> roots(cl::Positional, cl::OneOrMore, cl::desc("FOLDER…"), cl::cat(category));
  cl::opt<std::string> match("match", cl::init("."), cl::desc("Regular expression of the cases' names"),
                             cl::cat(category));
  cl::opt<std::string> output("output", cl::init("-"), cl::desc("File of results"), cl::cat(category));
  cl::opt<unsigned> jobs("jobs", cl::init(1), cl::desc("Cases at a time"), cl::cat(category));
  cl::opt<unsigned> timeout("timeout", cl::init(60), cl::desc("Seconds for one case"), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs ONNX's node tests on the emulator\n");

  llvm::Regex wanted(match);
  std::string error;
  if (!wanted.isValid(error))
    return fail("--match: " + error);
  std::vector<std::string> folders;
  for (const std::string &root : roots)
    if (!findCases(root, wanted, folders))
      return fail("cannot list " + root);
  std::sort(folders.begin(), folders.end());

  DialectRegistry registry;
  registerAllTilewright(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  context.loadAllAvailableDialects();
  std::vector<Line> lines = runAll(context, folders, std::max(1u, jobs.getValue()), timeout);

  std::error_code failure;
  llvm::raw_fd_ostream os(output, failure);
  if (failure)
    return fail("cannot write " + output + ": " + failure.message());
  std::map<std::string, unsigned> counts;
  for (auto [folder, line] : llvm::zip_equal(folders, lines)) {
    ++counts[line.verdict.word];
    os << llvm::sys::path::filename(folder) << "\t" << line.operators << "\t" << line.verdict.word << "\t"
       << line.verdict.reason << "\n";
    if (line.verdict.word == "failed" && output != "-")
      llvm::outs() << "FAILED " << llvm::sys::path::filename(folder) << ": " << line.verdict.reason << "\n";
  }
  llvm::errs() << folders.size() << " cases";
  for (auto &[word, count] : counts)
    llvm::errs() << ", " << count << " " << word;
  llvm::errs() << "\n";
  return counts["failed"] ? 1 : 0;
}
