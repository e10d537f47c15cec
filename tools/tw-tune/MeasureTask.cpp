// What the process of one task does: every package of the kernel runs on the same data; those whose results
// are the reference's and the same in two runs are timed in turn, in random order. Lines on standard output
// say what is about to happen, so that whoever started it knows what it died of. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "Compare.h"
#include "Device.h"
#include "tw-tune.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <sys/stat.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::tune;

/// Bytes that the data sets of a kernel have together, so that each call finds its own out of the L2 cache.
static constexpr uint64_t kRotatedBytes = 200ull << 20;
static constexpr unsigned kMostSets = 12;

namespace {
/// A package that is open on the device.
struct Candidate {
  std::string name;
  twrt_package *package = nullptr;
  twrt_session *session = nullptr;
  void *chain = nullptr;
  unsigned repeats = 1;
  std::vector<double> samples;
};

class TaskRun {
public:
  TaskRun(const MeasureOptions &options, Device &device, const FoundTask &task)
      : options(options), device(device), task(task) {}
  /// A sentence when nothing can be measured.
  std::string run();

private:
  std::string open(Candidate &candidate);
  std::string makeData(const twrt_package *package);
  uint64_t limitOf(const std::string &input) const;
  std::string results(Candidate &candidate, std::vector<std::vector<uint8_t>> &out);
  std::string check(Candidate &candidate);
  std::string time(std::vector<Candidate> &candidates);
  void report(const tuner::Measurement &measurement) {
    std::fputs(measurement.text().c_str(), stdout);
    std::fflush(stdout);
  }

  const MeasureOptions &options;
  Device &device;
  const FoundTask &task;
  std::vector<Addresses> sets;
  std::vector<twrt_tensor_info> outputs;
  size_t inputs = 0;
  std::vector<std::vector<uint8_t>> reference;
};
} // namespace

/// One line without what would break it.
static std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string TaskRun::open(Candidate &candidate) {
  std::string path = task.folder + "/" + candidate.name + ".tw";
  twrt_error error = {};
  twrt_session_options session;
  twrt_session_options_init(&session);
  session.device = options.emulator ? TWRT_DEVICE_EMULATOR : TWRT_DEVICE_CUDA;
  if (twrt_package_open(path.c_str(), &candidate.package, &error) != TWRT_OK ||
      twrt_session_create(candidate.package, &session, &candidate.session, &error) != TWRT_OK ||
      twrt_prepare(candidate.session, 0, &error) != TWRT_OK)
    return error.message;
  return "";
}

/// What indices in an input are below; 0 where it has none.
uint64_t TaskRun::limitOf(const std::string &input) const {
  for (const tuner::Limit &limit : task.task.limits)
    if (limit.input == input)
      return limit.count;
  return 0;
}

std::string TaskRun::makeData(const twrt_package *package) {
  std::vector<twrt_tensor_info> tensors;
  twrt_tensor_info info;
  uint64_t bytes = 0;
  for (uint32_t slot = 0; twrt_input_get_info(package, 0, slot, &info) == TWRT_OK; ++slot)
    tensors.push_back(info);
  inputs = tensors.size();
  for (uint32_t slot = 0; twrt_output_get_info(package, 0, slot, &info) == TWRT_OK; ++slot) {
    tensors.push_back(info);
    outputs.push_back(info);
  }
  for (const twrt_tensor_info &tensor : tensors)
    bytes += tensor.bytes;
  uint64_t count = options.emulator ? 1 : std::clamp<uint64_t>(kRotatedBytes / bytes + 1, 2, kMostSets);
  sets.resize(count);
  for (size_t t = 0; t < tensors.size(); ++t) {
    std::vector<uint8_t> data;
    if (t < inputs)
      data = randomBytes(tensors[t].dtype, tensors[t].bytes, t + 1, limitOf(tensors[t].name));
    for (uint64_t set = 0; set < count; ++set) {
      void *pointer = nullptr;
      std::string why = device.allocate(tensors[t].bytes, pointer);
      sets[set].push_back(pointer);
      if (why.empty() && t < inputs) {
        // Each set is the same numbers from another place on.
        uint64_t unit = twrt_dtype_bytes(tensors[t].dtype),
                 first = tensors[t].bytes / unit * set / count * unit, rest = tensors[t].bytes - first;
        why = device.write(pointer, data.data() + first, rest);
        if (why.empty() && first)
          why = device.write(static_cast<char *>(pointer) + rest, data.data(), first);
      }
      if (!why.empty())
        return why;
    }
  }
  return "";
}

/// The outputs of the first set, which are poisoned before.
std::string TaskRun::results(Candidate &candidate, std::vector<std::vector<uint8_t>> &out) {
  std::string why = bindAll(candidate.session, candidate.package, sets[0]);
  for (size_t o = 0; o < outputs.size() && why.empty(); ++o)
    why = device.fill(sets[0][inputs + o], 0xff, outputs[o].bytes);
  twrt_error error = {};
  if (why.empty() && (twrt_run(candidate.session, nullptr, &error) != TWRT_OK ||
                      twrt_sync(candidate.session, &error) != TWRT_OK))
    why = error.message;
  out.resize(outputs.size());
  for (size_t o = 0; o < outputs.size() && why.empty(); ++o) {
    out[o].resize(outputs[o].bytes);
    why = device.read(out[o].data(), sets[0][inputs + o], outputs[o].bytes);
  }
  return why;
}

/// What is wrong with a candidate's results; empty: nothing.
std::string TaskRun::check(Candidate &candidate) {
  std::vector<std::vector<uint8_t>> first, second;
  std::string why = results(candidate, first);
  if (why.empty())
    why = results(candidate, second);
  if (!why.empty())
    return "! " + why;
  if (first != second)
    return "two runs differ";
  for (size_t o = 0; o < outputs.size() && why.empty(); ++o)
    why = compare(outputs[o].dtype, first[o], reference[o]);
  return why;
}

std::string TaskRun::time(std::vector<Candidate> &candidates) {
  std::mt19937 generator(7);
  std::vector<Candidate *> order;
  for (Candidate &one : candidates) {
    std::printf("begin %s\n", one.name.c_str());
    std::fflush(stdout);
    std::string why = device.record(one.session, one.package, sets, one.chain);
    double once = 0;
    for (int warm = 0; warm < 2 && why.empty(); ++warm)
      why = device.window(one.chain, 1, once);
    if (!why.empty())
      return why;
    double all = once * (options.emulator ? 1 : (double)sets.size());
    one.repeats = options.emulator ? 1 : (unsigned)std::clamp(options.windowMs * 1e3 / all, 1.0, 10000.0);
    order.push_back(&one);
  }
  for (unsigned round = 0; round < options.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), generator);
    for (Candidate *one : order) {
      std::printf("begin %s\n", one->name.c_str());
      std::fflush(stdout);
      if (!options.emulator)
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options.restMs));
      double sample = 0;
      if (std::string why = device.window(one->chain, one->repeats, sample); !why.empty())
        return why;
      one->samples.push_back(sample);
    }
  }
  return "";
}

static double quantile(const std::vector<double> &sorted, double share) {
  double place = share * (double)(sorted.size() - 1);
  size_t below = (size_t)place;
  double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - (double)below) * (above - sorted[below]);
}

std::string TaskRun::run() {
  Candidate plain{task.task.reference};
  std::string why = open(plain);
  if (why.empty())
    why = makeData(plain.package);
  if (why.empty())
    why = results(plain, reference);
  if (!why.empty())
    return "the reference: " + why;
  std::string error;
  std::vector<tuner::Measurement> known =
      tuner::parseMeasurements(readFile(task.folder + "/measured", error));
  std::vector<Candidate> right;
  for (const tuner::Candidate &listed : task.task.candidates) {
    auto has = [&](const tuner::Measurement &one) { return one.candidate == listed.name; };
    struct stat status;
    if (std::any_of(known.begin(), known.end(), has) ||
        stat((task.folder + "/" + listed.name + ".tw").c_str(), &status) != 0)
      continue;
    std::printf("begin %s\n", listed.name.c_str());
    std::fflush(stdout);
    Candidate one{listed.name};
    why = open(one);
    bool failed = !why.empty();
    if (!failed)
      why = check(one);
    if (why.compare(0, 2, "! ") == 0) {
      failed = true;
      why.erase(0, 2);
    }
    if (why.empty())
      right.push_back(one);
    else
      report({one.name, failed ? tuner::Verdict::Failed : tuner::Verdict::Wrong, 0, 0, oneLine(why)});
  }
  why = time(right);
  if (!why.empty())
    return why;
  for (Candidate &one : right) {
    std::sort(one.samples.begin(), one.samples.end());
    double median = quantile(one.samples, 0.5);
    double spread = 50 * (quantile(one.samples, 0.75) - quantile(one.samples, 0.25)) / median;
    report({one.name, tuner::Verdict::Right, median, spread, ""});
  }
  return "";
}

int tune::measureTask(const MeasureOptions &options) {
  std::string error;
  std::vector<FoundTask> tasks = findTasks(options.folders, error);
  if (!error.empty())
    return fail(error);
  std::unique_ptr<Device> device = Device::open(options.emulator, error);
  if (!error.empty())
    return fail(error);
  std::printf("device %s|%s\n", device->gpu.c_str(), device->driver.c_str());
  std::string why = TaskRun(options, *device, tasks.front()).run();
  return why.empty() ? 0 : fail(why);
}
