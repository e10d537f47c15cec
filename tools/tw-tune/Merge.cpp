// tw-tune merge: of each kernel the fastest schedule whose results were right becomes its record.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tw-tune.h"

#include "Tilewright/Package/OutputFile.h"
#include "Tilewright/Tuner/Records.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::tune;

/// The share of the time of the compiler's own schedule that another one has to leave to be recorded.
static constexpr double kWorthRecording = 0.98;

/// A measured figure has no more digits than these.
static double rounded(double value) { return std::round(value * 1000) / 1000; }

static void writeTask(json::OStream &json, const FoundTask &task,
                      const std::vector<tuner::Measurement> &known, StringRef gpu, StringRef driver) {
  json.object([&] {
    json.attribute("anchor", task.task.anchor);
    json.attribute("arch", task.task.arch);
    json.attribute("content", task.task.content);
    json.attribute("driver", driver);
    json.attribute("gpu", gpu);
    json.attribute("shape", task.task.shape);
    json.attribute("types", task.task.types);
    json.attributeArray("schedules", [&] {
      for (const tuner::Candidate &one : task.task.candidates)
        for (const tuner::Measurement &measured : known)
          if (measured.candidate == one.name)
            json.object([&] {
              json.attribute("modelled_us", rounded(one.modelled));
              json.attribute("schedule", one.schedule);
              if (measured.verdict == tuner::Verdict::Right) {
                json.attribute("measured_us", rounded(measured.microseconds));
                json.attribute("spread_percent", rounded(measured.spread));
              } else {
                json.attribute(measured.verdict == tuner::Verdict::Wrong ? "wrong" : "failed", measured.why);
              }
            });
    });
  });
}

int tune::merge(const MergeOptions &options) {
  std::string error;
  tuner::Records records;
  if (!options.old.empty())
    error = tuner::readRecords(options.old, records);
  std::vector<FoundTask> tasks = error.empty() ? findTasks(options.folders, error) : std::vector<FoundTask>();
  if (!error.empty())
    return fail(error);
  // What all of them were measured on: times of different GPUs are no choice between schedules.
  std::string gpuOfAll, driverOfAll;
  for (const FoundTask &task : tasks) {
    std::string ignored, machine = readFile(task.folder + "/machine", ignored);
    auto [gpu, driver] = StringRef(machine).trim().split('|');
    if (gpu.empty())
      continue;
    if (!gpuOfAll.empty() && gpu != gpuOfAll)
      return fail(task.folder + " was measured on " + gpu.str() + ", others on " + gpuOfAll);
    gpuOfAll = gpu.str();
    driverOfAll = driver.str();
  }
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream, /*IndentSize=*/1);
  unsigned added = 0, kept = 0, without = 0;
  json.objectBegin();
  json.attribute("kind", "schedule-measurements");
  json.attributeObject("machine", [&] {
    json.attribute("gpu", gpuOfAll);
    json.attribute("driver", driverOfAll);
    json.attribute("commit", options.commit);
  });
  json.attributeBegin("kernels");
  json.arrayBegin();
  for (const FoundTask &task : tasks) {
    std::string ignored;
    auto known = tuner::parseMeasurements(readFile(task.folder + "/measured", ignored));
    std::string machine = readFile(task.folder + "/machine", ignored);
    auto [gpu, driver] = StringRef(machine).trim().split('|');
    writeTask(json, task, known, gpu, driver);
    tuner::Record best;
    double own = 0;
    for (const tuner::Candidate &one : task.task.candidates)
      for (const tuner::Measurement &measured : known)
        if (measured.candidate != one.name || measured.verdict != tuner::Verdict::Right) {
          continue;
        } else if (one.schedule == tuner::kOwnSchedule) {
          own = measured.microseconds;
        } else if (best.schedule.empty() || measured.microseconds < best.microseconds) {
          best.microseconds = rounded(measured.microseconds);
          best.spread = rounded(measured.spread);
          best.modelled = rounded(one.modelled);
          best.schedule = one.schedule;
        }
    if ((best.schedule.empty() && own == 0) || gpu.empty()) {
      ++without;
      continue;
    }
    if (best.schedule.empty() || (own > 0 && best.microseconds > kWorthRecording * own)) {
      ++kept;
      continue;
    }
    best.arch = task.task.arch;
    best.anchor = task.task.anchor;
    best.shape = task.task.shape;
    best.types = task.task.types;
    best.content = task.task.content;
    best.gpu = gpu.str();
    best.driver = driver.empty() ? "unknown" : driver.str();
    best.commit = options.commit;
    records.add(std::move(best));
    ++added;
  }
  json.arrayEnd();
  json.attributeEnd();
  json.objectEnd();
  if (error = writeWholeFile(options.output, records.text()); !error.empty())
    return fail(error);
  if (!options.measurements.empty())
    if (error = writeWholeFile(options.measurements, text + "\n"); !error.empty())
      return fail(error);
  outs() << records.list().size() << " records, " << added + kept << " kernels measured";
  if (kept)
    outs() << ", " << kept << " of them fastest under the compiler's own schedule";
  if (without)
    outs() << ", " << without << " without a right result";
  outs() << "\n";
  return 0;
}
