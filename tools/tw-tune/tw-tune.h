// The parts of tw-tune: what each subcommand is told, and the function that does it. Each returns the exit
// code. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_TW_TUNE_H
#define TILEWRIGHT_TOOLS_TW_TUNE_H

#include "Tilewright/Tuner/Task.h"

#include <string>
#include <vector>

namespace tilewright::tune {

/// Says on standard error what is wrong; 1.
int fail(const std::string &message);

/// The bytes of a file, or a sentence in `error`.
std::string readFile(const std::string &path, std::string &error);

/// A task and where its files are.
struct FoundTask {
  std::string folder, name;
  tuner::Task task;
};
/// The tasks below `folders`, in order of their names; a sentence in `error` when one is malformed or there
/// is none.
std::vector<FoundTask> findTasks(const std::vector<std::string> &folders, std::string &error);

struct PrepareOptions {
  std::string input, output;
  /// tw-compile, and flags that it gets as they are.
  std::string compiler;
  std::vector<std::string> flags;
  unsigned schedules = 8, jobs = 1;
  bool emulation = false;
};
int prepare(const PrepareOptions &options);

struct MeasureOptions {
  std::vector<std::string> folders;
  /// This program, for the processes that measure.
  std::string self;
  bool emulator = false;
  unsigned rounds = 5;
  double windowMs = 3, restMs = 12;
  /// Seconds after which no further kernel is begun, 0: none; and after which a silent process is ended.
  double limit = 0, patience = 60;
};
int measure(const MeasureOptions &options);
/// What the process of one task does: `begin NAME` and the lines of measured results on standard output.
int measureTask(const MeasureOptions &options);

struct MergeOptions {
  std::vector<std::string> folders;
  /// Records to add to, or empty; where the result goes; where every measurement goes as JSON, or empty.
  std::string old, output, measurements;
  std::string commit = "unknown";
};
int merge(const MergeOptions &options);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TOOLS_TW_TUNE_H
