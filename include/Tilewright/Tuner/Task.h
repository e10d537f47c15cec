// A tuning task: one kernel, the packages of its schedules, and the one that results are compared with. The
// file `task` of its folder, a line each:
//
//   # tilewright tuning task, version 1
//   kernel sm_90a matmul 64x64x128 bf16,bf16:bf16 9c1f5a0b6d2e8f73
//   reference reference
//   limit x1 1000                  elements of an input of integers are below it: indices into a table
//   candidate 00 2.95 #tile.schedule<…>
//
// The schedule of a candidate may be `own`: what the compiler chooses without records, several kernels
// perhaps.
//
// A result of measuring is a line of the file `measured` beside it:
//
//   00 right 3.02 0.4          median microseconds, half the distance of the quartiles in per cent
//   01 wrong differs by 0.3 of the largest element
//   02 failed the process ended with signal 11
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TUNER_TASK_H
#define TILEWRIGHT_TUNER_TASK_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tuner {

struct Candidate {
  std::string name; ///< Of `<name>.mlir` and `<name>.tw` in the folder.
  double modelled = 0;
  std::string schedule;
};

/// The schedule of a candidate that has none in its program.
inline constexpr char kOwnSchedule[] = "own";

/// Elements of an input are numbers below `count`, which is at least 1.
struct Limit {
  std::string input;
  uint64_t count = 1;
};

struct Task {
  std::string arch, anchor, shape, types, content;
  std::string reference;
  std::vector<Limit> limits;
  std::vector<Candidate> candidates;

  std::string text() const;
  /// A sentence that starts with `name:line:` when the text is malformed, else empty.
  std::string parse(std::string_view text, const std::string &name);
};

enum class Verdict { Right, Wrong, Failed };

struct Measurement {
  std::string candidate;
  Verdict verdict = Verdict::Failed;
  double microseconds = 0, spread = 0; ///< Of a right one.
  std::string why;                     ///< Of another.

  std::string text() const; ///< One line, with its end.
};

/// Reads the lines of `measured`; of several for one candidate the last counts. A line that is cut short, as
/// by a crash, is passed over.
std::vector<Measurement> parseMeasurements(std::string_view text);

} // namespace tilewright::tuner

#endif // TILEWRIGHT_TUNER_TASK_H
