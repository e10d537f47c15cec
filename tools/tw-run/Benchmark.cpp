// Measurements.
#include "Benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace tilewright::run;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static ordered_json percentiles(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto at = [&](double p) {
    return samples[std::min(samples.size() - 1, size_t(p * double(samples.size())))];
  };
  return {{"p10", at(0.10)}, {"p50", at(0.50)},        {"p90", at(0.90)},
          {"p99", at(0.99)}, {"min", samples.front()}, {"samples", samples.size()}};
}

static double median(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return samples[samples.size() / 2];
}

//===-- Whole runs ----------------------------------------------------------------------------------===//

namespace {
/// One package, session and set of inputs under measurement.
struct Subject {
  const twrt_package *package;
  twrt_session *session;
  std::vector<twrt_host_tensor> inputs;
  std::vector<Tensor> outputTensors;
  std::vector<twrt_host_tensor> outputs;
  twrt_error error = {};

  Subject(const twrt_package *package, twrt_session *session, Inputs &in)
      : package(package), session(session), inputs(views(in.tensors)),
        outputTensors(runOnce(package, session, in)), outputs(views(outputTensors)) {}

  void run() {
    check(twrt_run_host(session, inputs.data(), inputs.size(), outputs.data(), outputs.size(), &error),
          error);
  }
  uint32_t submit() {
    uint32_t ticket = 0;
    check(twrt_submit(session, inputs.data(), inputs.size(), &ticket, &error), error);
    return ticket;
  }
  void collect(uint32_t ticket) {
    check(twrt_collect(session, ticket, outputs.data(), outputs.size(), &error), error);
  }
};
} // namespace

static std::vector<double> hostLatencies(Subject &subject, double seconds) {
  std::vector<double> samples;
  for (Clock::time_point start = Clock::now(); samples.empty() || secondsSince(start) < seconds;) {
    Clock::time_point before = Clock::now();
    subject.run();
    samples.push_back(secondsSince(before) * 1e6);
  }
  return samples;
}

static double pipelinedRunsPerSecond(Subject &subject, double seconds) {
  size_t runs = 0;
  Clock::time_point start = Clock::now();
  uint32_t previous = subject.submit();
  do {
    uint32_t next = subject.submit();
    subject.collect(previous);
    previous = next;
    ++runs;
  } while (secondsSince(start) < seconds);
  subject.collect(previous);
  return double(runs + 1) / secondsSince(start);
}

static std::vector<double> deviceTimes(Subject &subject, double seconds) {
  std::vector<double> samples;
  for (Clock::time_point start = Clock::now(); samples.empty() || secondsSince(start) < seconds;) {
    uint32_t count = samples.empty() ? 1 : 64; // The first says how long one is.
    if (!samples.empty() && samples[0] > 1e4)
      count = 1;
    std::vector<double> batch(count);
    check(twrt_time_runs(subject.session, count, batch.data(), &subject.error), subject.error);
    samples.insert(samples.end(), batch.begin(), batch.end());
  }
  if (samples.size() > 1)
    samples.erase(samples.begin());
  return samples;
}

ordered_json tilewright::run::benchmark(const twrt_package *package, twrt_session *session, Inputs &inputs,
                                        double seconds) {
  Subject subject(package, session, inputs);
  hostLatencies(subject, std::min(0.2, seconds / 8)); // Clocks rise.
  ordered_json result;
  result["seconds"] = seconds;
  result["host_latency_us"] = percentiles(hostLatencies(subject, seconds / 2));
  result["device_time_us"] = percentiles(deviceTimes(subject, seconds / 4));
  result["runs_per_second"] = pipelinedRunsPerSecond(subject, seconds / 4);
  result["runs_per_second_of"] = "host tensors, two submissions in flight";
  return result;
}

void tilewright::run::printBenchmark(const ordered_json &r) {
  auto line = [&](const char *title, const ordered_json &p) {
    fmt::print("{:<26} p10 {:>9.2f}  p50 {:>9.2f}  p90 {:>9.2f}  p99 {:>9.2f} us  ({} samples)\n", title,
               p["p10"].get<double>(), p["p50"].get<double>(), p["p90"].get<double>(), p["p99"].get<double>(),
               p["samples"].get<size_t>());
  };
  line("latency (host tensors)", r["host_latency_us"]);
  line("device time (graph)", r["device_time_us"]);
  fmt::print("{:<26} {:.1f} runs/s ({})\n", "throughput", r["runs_per_second"].get<double>(),
             r["runs_per_second_of"].get<std::string>());
}

//===-- Single launches -----------------------------------------------------------------------------===//

namespace {
/// Launches that are measured as one row: of one kernel with one grid, or of copies or memsets of one size.
struct Row {
  twrt_launch_info launch;
  uint32_t first = 0; ///< The first of the launches.
  uint32_t count = 0;
  double medianUs = 0;
};
} // namespace

static bool sameRow(const twrt_launch_info &a, const twrt_launch_info &b) {
  return a.kind == b.kind && a.kernel == b.kernel && a.bytes == b.bytes && a.shared_bytes == b.shared_bytes &&
         std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block);
}

static ordered_json rowJson(const twrt_package *package, const Row &row, double totalUs) {
  ordered_json json;
  double us = row.medianUs;
  uint64_t bytes = row.launch.bytes, flops = 0;
  if (row.launch.kind == TWRT_LAUNCH_KERNEL) {
    twrt_kernel_info kernel;
    twrt_kernel_get_info(package, row.launch.kernel, &kernel);
    bytes = kernel.bytes_read + kernel.bytes_written;
    flops = kernel.flops;
    json["kernel"] = kernel.name;
    json["anchor"] = kernel.anchor;
    json["bound"] = kernel.bound;
    json["grid"] = row.launch.grid;
    json["block"] = row.launch.block;
    json["source_nodes"] = ordered_json::array();
    const char *node;
    for (uint32_t i = 0; i < kernel.source_nodes; ++i)
      if (twrt_kernel_get_source_node(package, row.launch.kernel, i, &node) == TWRT_OK)
        json["source_nodes"].push_back(node);
    json["modelled_us"] = kernel.modelled_microseconds;
    json["schedule_from"] = kernel.schedule_from ? kernel.schedule_from : "";
  } else {
    json["kernel"] = row.launch.kind == TWRT_LAUNCH_MEMSET ? "memset" : "memcpy";
    bytes *= row.launch.kind == TWRT_LAUNCH_MEMCPY ? 2 : 1;
  }
  json["launches"] = row.count;
  json["median_us"] = us;
  json["total_us"] = us * row.count;
  json["share"] = totalUs > 0 ? us * row.count / totalUs : 0;
  json["gb_per_s"] = us > 0 ? double(bytes) / us * 1e-3 : 0;
  json["tflop_per_s"] = us > 0 ? double(flops) / us * 1e-6 : 0;
  return json;
}

ordered_json tilewright::run::profile(const twrt_package *package, twrt_session *session, Inputs &inputs,
                                      bool emulated) {
  runOnce(package, session, inputs); // The arena holds real values.
  twrt_error error = {};
  twrt_entry_info entry;
  twrt_entry_get_info(package, inputs.entry, &entry);
  const uint32_t repeats = emulated ? 1 : 50, samples = emulated ? 3 : 11;
  std::vector<Row> rows;
  for (uint32_t l = 0; l < entry.launches; ++l) {
    twrt_launch_info launch;
    twrt_session_get_launch(session, inputs.entry, l, &launch);
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Row &r) { return sameRow(r.launch, launch); });
    if (row == rows.end()) {
      std::vector<double> times(samples);
      check(twrt_time_launch(session, l, repeats, samples, times.data(), &error), error);
      row = rows.insert(rows.end(), {launch, l, 0, median(times)});
    }
    ++row->count;
  }
  double total = 0;
  for (const Row &row : rows)
    total += row.medianUs * row.count;
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    double left = a.medianUs * a.count, right = b.medianUs * b.count;
    return left != right ? left > right : a.first < b.first;
  });
  ordered_json result;
  result["method"] = fmt::format("median of {} chains of {} launches between events, data warm in cache{}",
                                 samples, repeats, emulated ? "; times are this machine's, not a GPU's" : "");
  result["launches"] = entry.launches;
  result["sum_us"] = total;
  result["kernels"] = ordered_json::array();
  for (const Row &row : rows)
    result["kernels"].push_back(rowJson(package, row, total));
  return result;
}

void tilewright::run::printProfile(const ordered_json &r) {
  fmt::print("{:>8} {:>4} {:>10} {:>10} {:>9} {:>9} {:>6}  {}\n", "share", "n", "median us", "modelled",
             "GB/s", "TFLOP/s", "bound", "kernel");
  for (const ordered_json &k : r["kernels"])
    fmt::print("{:>7.1f}% {:>4} {:>10.2f} {:>10.2f} {:>9.1f} {:>9.2f} {:>6}  {}\n",
               k["share"].get<double>() * 100, k["launches"].get<uint32_t>(), k["median_us"].get<double>(),
               k.value("modelled_us", 0.0), k["gb_per_s"].get<double>(), k["tflop_per_s"].get<double>(),
               k.value("bound", "").substr(0, 6), k["kernel"].get<std::string>());
  fmt::print("{} launches, {:.2f} us in all; {}\n", r["launches"].get<uint32_t>(), r["sum_us"].get<double>(),
             r["method"].get<std::string>());
}
