// tw-tune prepare: the compiler writes each kernel under its schedules, and compiles them in processes of
// their own. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tw-tune.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::tune;

std::string tune::readFile(const std::string &path, std::string &error) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (buffer)
    return (*buffer)->getBuffer().str();
  error = "cannot read '" + path + "': " + buffer.getError().message();
  return "";
}

std::vector<FoundTask> tune::findTasks(const std::vector<std::string> &folders, std::string &error) {
  std::map<std::string, std::string> found; // name of the task's folder, the folder
  for (const std::string &folder : folders) {
    if (sys::fs::exists(folder + "/task"))
      found[sys::path::filename(StringRef(folder).rtrim('/')).str()] = folder;
    std::error_code code;
    for (sys::fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
      if (sys::fs::exists(it->path() + "/task"))
        found[sys::path::filename(it->path()).str()] = it->path();
    if (code) {
      error = "cannot read folder '" + folder + "': " + code.message();
      return {};
    }
  }
  std::vector<FoundTask> tasks;
  for (auto &[name, folder] : found) {
    FoundTask &task = tasks.emplace_back();
    task.folder = folder;
    task.name = name;
    std::string text = readFile(folder + "/task", error);
    if (error.empty())
      error = task.task.parse(text, folder + "/task");
    if (!error.empty())
      return {};
  }
  if (tasks.empty())
    error = "there is no tuning task in '" + folders.front() + "'";
  return tasks;
}

/// Runs the compiler, what it says going to `log`; what went wrong, or empty.
static std::string compile(const PrepareOptions &options, std::vector<std::string> arguments,
                           const std::string &log) {
  arguments.insert(arguments.begin(), options.compiler);
  std::vector<StringRef> words(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log), StringRef(log)};
  std::string message, ignored;
  int code = sys::ExecuteAndWait(options.compiler, words, std::nullopt, redirects, /*SecondsToWait=*/300,
                                 /*MemoryLimit=*/0, &message);
  if (code == 0)
    return "";
  StringRef said = message;
  std::string text = readFile(log, ignored);
  if (said.empty())
    said = StringRef(text).split('\n').first;
  return said.empty() ? "the compiler ended with " + std::to_string(code) : said.str();
}

int tune::prepare(const PrepareOptions &options) {
  std::vector<std::string> list = options.flags;
  list.insert(list.end(), {options.input, "--emit=tuning", "-o", options.output,
                           "--schedules=" + std::to_string(options.schedules), "--records=none"});
  if (std::error_code code = sys::fs::create_directories(options.output))
    return fail("cannot make folder '" + options.output + "': " + code.message());
  std::string log = options.output + "/log";
  if (std::string why = compile(options, list, log); !why.empty())
    return fail(why);
  sys::fs::remove(log);
  std::string error;
  std::vector<FoundTask> tasks = findTasks({options.output}, error);
  if (!error.empty())
    return fail(error);

  std::vector<std::string> files; // without their endings
  for (const FoundTask &task : tasks) {
    files.push_back(task.folder + "/" + task.task.reference);
    for (const tuner::Candidate &one : task.task.candidates)
      files.push_back(task.folder + "/" + one.name);
  }
  std::atomic<size_t> next{0};
  std::mutex mutex;
  size_t done = 0, failed = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < files.size();) {
      std::string why;
      if (!sys::fs::exists(files[i] + ".tw")) {
        std::vector<std::string> arguments = options.flags;
        erase_if(arguments,
                 [](const std::string &flag) { return StringRef(flag).starts_with("--input-shape"); });
        arguments.insert(arguments.end(),
                         {files[i] + ".mlir", "-o", files[i] + ".tw", "--jobs=1", "--records=none",
                          options.emulation ? "--emulation=on" : "--emulation=off"});
        why = compile(options, arguments, files[i] + ".log");
      }
      std::lock_guard<std::mutex> lock(mutex);
      ++done;
      failed += !why.empty();
      if (why.empty())
        sys::fs::remove(files[i] + ".log");
      else
        errs() << "   " << files[i] << ": " << why << "\n";
      if (done % 20 == 0 || done == files.size())
        errs() << "   " << done << " of " << files.size() << " compiled\n";
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < options.jobs; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  outs() << tasks.size() << " kernels, " << files.size() - failed << " packages";
  if (failed)
    outs() << "; " << failed << " schedules were not compiled and are left out";
  outs() << "\n";
  return 0;
}
