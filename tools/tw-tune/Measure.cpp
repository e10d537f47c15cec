// tw-tune measure: a process for each kernel. What a candidate does to it is that candidate's result: it is
// written down, and another process goes on behind it. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "tw-tune.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace llvm;
using namespace tilewright;
using namespace tilewright::tune;

namespace {
/// A process that measures one task, and what it has said.
class Worker {
public:
  ~Worker() { finish(); }
  bool start(const MeasureOptions &options, const std::string &folder);
  /// The next line; false when there is none any more, or none for too long.
  bool nextLine(std::string &line, double patience);
  /// Ends it; how it ended.
  std::string finish();
  bool isSilent = false;

private:
  pid_t process = -1;
  int out = -1;
  std::string rest, ended;
};
} // namespace

bool Worker::start(const MeasureOptions &options, const std::string &folder) {
  std::vector<std::string> words = {"tw-tune",
                                    "measure-task",
                                    folder,
                                    options.emulator ? "--device=emulator" : "--device=cuda",
                                    "--rounds=" + std::to_string(options.rounds),
                                    "--window=" + std::to_string(options.windowMs),
                                    "--rest=" + std::to_string(options.restMs)};
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  bool started =
      posix_spawn(&process, options.self.c_str(), &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  out = ends[0];
  return started;
}

bool Worker::nextLine(std::string &line, double patience) {
  for (;;) {
    if (size_t end = rest.find('\n'); end != std::string::npos) {
      line = rest.substr(0, end);
      rest.erase(0, end + 1);
      return true;
    }
    pollfd waiting{out, POLLIN, 0};
    int ready = poll(&waiting, 1, (int)(patience * 1000));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0) {
      isSilent = true;
      return false;
    }
    char buffer[4096];
    ssize_t count = read(out, buffer, sizeof buffer);
    if (count <= 0)
      return false;
    rest.append(buffer, (size_t)count);
  }
}

std::string Worker::finish() {
  if (process <= 0)
    return ended;
  if (isSilent)
    kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  process = -1;
  close(out);
  ended = isSilent ? "it said nothing for too long"
          : WIFSIGNALED(status)
              ? std::string("the process ended with signal ") + std::to_string(WTERMSIG(status))
          : WEXITSTATUS(status) ? "the process ended with " + std::to_string(WEXITSTATUS(status))
                                : "";
  return ended;
}

/// Measures what is not measured yet; how many are right.
static unsigned measureOne(const MeasureOptions &options, const FoundTask &task, std::string &machine) {
  std::string path = task.folder + "/measured", line, ignored;
  for (;;) {
    std::vector<tuner::Measurement> known = tuner::parseMeasurements(readFile(path, ignored));
    size_t right = count_if(known, [](auto &one) { return one.verdict == tuner::Verdict::Right; });
    if (known.size() >= task.task.candidates.size())
      return (unsigned)right;
    Worker worker;
    if (!worker.start(options, task.folder)) {
      errs() << "   " << task.name << ": no process could be started\n";
      return (unsigned)right;
    }
    std::string current;
    std::ofstream file(path, std::ios::app);
    while (worker.nextLine(line, options.patience)) {
      StringRef text = line;
      if (text.consume_front("begin "))
        current = text.str();
      else if (text.consume_front("device "))
        machine = text.str();
      else
        file << line << "\n" << std::flush;
    }
    std::string ended = worker.finish();
    if (ended.empty() || current.empty()) {
      if (!ended.empty())
        errs() << "   " << task.name << ": " << ended << "\n";
      break;
    }
    file << tuner::Measurement{current, tuner::Verdict::Failed, 0, 0, ended}.text() << std::flush;
    errs() << "   " << task.name << " " << current << ": " << ended << "\n";
  }
  std::vector<tuner::Measurement> known = tuner::parseMeasurements(readFile(path, ignored));
  return (unsigned)count_if(known, [](auto &one) { return one.verdict == tuner::Verdict::Right; });
}

int tune::measure(const MeasureOptions &options) {
  std::string error;
  std::vector<FoundTask> tasks = findTasks(options.folders, error);
  if (!error.empty())
    return fail(error);
  auto start = std::chrono::steady_clock::now();
  unsigned done = 0, wrong = 0;
  for (const FoundTask &task : tasks) {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (options.limit > 0 && passed.count() > options.limit) {
      outs() << "   " << tasks.size() - done << " kernels are left for another run\n";
      break;
    }
    std::string machine, ignored;
    unsigned right = measureOne(options, task, machine);
    if (!machine.empty())
      std::ofstream(task.folder + "/machine") << machine << "\n";
    ++done;
    const tuner::Measurement *best = nullptr, *first = nullptr;
    std::vector<tuner::Measurement> known =
        tuner::parseMeasurements(readFile(task.folder + "/measured", ignored));
    for (const tuner::Measurement &one : known) {
      wrong += one.verdict != tuner::Verdict::Right;
      if (one.verdict == tuner::Verdict::Right && (!best || one.microseconds < best->microseconds))
        best = &one;
      if (one.verdict == tuner::Verdict::Right && one.candidate == task.task.candidates.front().name)
        first = &one;
    }
    outs() << "   " << task.name << ": " << right << " of " << task.task.candidates.size() << " right";
    if (best)
      outs() << ", fastest " << best->candidate << " " << best->microseconds << " us";
    if (first)
      outs() << ", the model's choice " << first->microseconds << " us";
    outs() << "\n";
    outs().flush();
  }
  outs() << done << " of " << tasks.size() << " kernels measured, " << wrong
         << " schedules wrong or failed\n";
  return 0;
}
