// tw-run: loads a package and runs it, compares and saves its outputs, measures it, or lists it.
// Exit codes: 0 done; 1 an error, said in a sentence; 2 a wrong command line; 3 values are not what was
// expected.
#include "Batch.h"
#include "Benchmark.h"
#include "Listing.h"
#include "Npy.h"
#include "Reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sys/stat.h>

using namespace tilewright::run;
using nlohmann::ordered_json;

//===-- Outputs -------------------------------------------------------------------------------------===//

static ordered_json summary(const Tensor &t) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  size_t nans = 0;
  ordered_json first = ordered_json::array();
  for (size_t i = 0; i < t.elements(); ++i) {
    double v = t.at(i);
    if (i < 4)
      first.push_back(v);
    if (std::isnan(v)) {
      ++nans;
      continue;
    }
    low = std::min(low, v), high = std::max(high, v), sum += v;
  }
  size_t counted = t.elements() - nans;
  ordered_json json = {{"name", t.name}, {"dtype", twrt_dtype_name(t.dtype)}, {"shape", t.shape}};
  json["min"] = counted ? ordered_json(low) : ordered_json();
  json["max"] = counted ? ordered_json(high) : ordered_json();
  json["mean"] = counted ? ordered_json(sum / double(counted)) : ordered_json();
  json["nans"] = nans;
  json["first"] = first;
  return json;
}

/// A file name for an output: what is no part of one becomes '_'.
static std::string fileName(const std::string &name) {
  std::string file = name;
  for (char &c : file)
    if (c == '/' || c == '\0')
      c = '_';
  return (file == "." || file == "..") ? "_" : file;
}

static void saveOutputs(const std::string &folder, const std::vector<Tensor> &outputs) {
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    throw Failure(fmt::format("cannot make the folder '{}': {}", folder, std::strerror(errno)));
  for (const Tensor &output : outputs)
    writeWhole(folder + "/" + fileName(output.name) + ".npy", npyBytes(output));
}

/// One comparison; adds it to the report and returns whether it holds.
static bool compareOne(const Tensor &found, const Tensor &expected, double rtol, double atol,
                       ordered_json &report) {
  Comparison c = compare(found, expected, rtol, atol);
  ordered_json json = {{"name", found.name},
                       {"equal", c.wrong == 0},
                       {"wrong", c.wrong},
                       {"elements", c.elements},
                       {"max_absolute", c.maxAbsolute},
                       {"max_relative", c.maxRelative},
                       {"cosine", c.cosine},
                       {"rtol", rtol},
                       {"atol", atol}};
  report["comparisons"].push_back(json);
  if (c.wrong)
    fmt::print(stderr,
               "tw-run: output '{}' is not what is expected: {} of {} elements differ by more than {} + {} "
               "times the "
               "expected value; the first is element {}: {} instead of {}; largest difference {}\n",
               found.name, c.wrong, c.elements, atol, rtol, c.firstWrong, found.at(c.firstWrong),
               expected.at(c.firstWrong), c.maxAbsolute);
  return c.wrong == 0;
}

static const Tensor &outputNamed(const std::vector<Tensor> &outputs, const std::string &name) {
  std::string names;
  for (const Tensor &output : outputs) {
    if (output.name == name)
      return output;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", output.name);
  }
  throw Failure(fmt::format("there is no output '{}'; the package's outputs are {}", name, names));
}

//===-- The parts of a call -------------------------------------------------------------------------===//

/// Runs the golden inputs of every entry that has some and compares the golden outputs.
static bool selfTest(const twrt_package *package, twrt_session *session, ordered_json &report) {
  bool good = true;
  uint32_t tested = 0;
  twrt_entry_info entry;
  for (uint32_t e = 0; twrt_entry_get_info(package, e, &entry) == TWRT_OK; ++e) {
    // The n-th tensor of a slot is of the entry's n-th set.
    std::vector<uint32_t> seen(entry.outputs, 0);
    std::vector<Tensor> outputs;
    uint32_t ran = ~0u;
    twrt_golden_info golden;
    for (uint32_t g = 0; twrt_golden_get_info(package, g, &golden) == TWRT_OK; ++g) {
      if (golden.entry != e || !golden.is_output)
        continue;
      if (uint32_t set = seen[golden.slot]++; set != ran) {
        Inputs inputs = goldenInputs(package, e, set);
        outputs = runOnce(package, session, inputs);
        ran = set;
      }
      Tensor expected = outputs[golden.slot];
      expected.bytes.assign(static_cast<const char *>(golden.data), golden.bytes);
      good &= compareOne(outputs[golden.slot], expected, golden.rtol, golden.atol, report);
      ++tested;
    }
  }
  if (tested == 0)
    throw Failure("the package has no golden outputs to test against");
  return good;
}

static std::vector<Tensor> runAndRepeat(const twrt_package *package, twrt_session *session, Inputs &inputs,
                                        int times) {
  std::vector<Tensor> outputs = runOnce(package, session, inputs);
  for (int i = 1; i < times; ++i) {
    std::vector<Tensor> again = runOnce(package, session, inputs);
    for (size_t o = 0; o < outputs.size(); ++o)
      if (again[o].bytes != outputs[o].bytes)
        throw Failure(
            fmt::format("run {} gives other bytes for output '{}' than run 1", i + 1, outputs[o].name));
  }
  return outputs;
}

/// Everything after the session is up; returns the exit code.
static int runSession(const twrt_package *package, twrt_session *session, const Arguments &a, bool emulated,
                      ordered_json &report) {
  if (a.selfTest)
    return selfTest(package, session, report) ? 0 : 3;
  Inputs inputs = makeInputs(package, a);
  // What is expected is read before anything runs: a wrong path costs no time.
  std::vector<std::pair<Tensor, const char *>> expected;
  for (const auto &[name, path] : a.expected)
    expected.emplace_back(readNpy(path, name), path.c_str());
  twrt_entry_info entry;
  twrt_entry_get_info(package, inputs.entry, &entry);
  report["entry"] = entry.name;
  if (!inputs.assumed.empty())
    report["random_inputs"] = inputs.assumed;

  std::vector<Tensor> outputs = runAndRepeat(package, session, inputs, a.repeat);
  report["outputs"] = ordered_json::array();
  for (const Tensor &output : outputs)
    report["outputs"].push_back(summary(output));
  bool good = true;
  for (auto &[tensor, path] : expected) {
    const Tensor &found = outputNamed(outputs, tensor.name);
    takeAs(tensor, found.dtype);
    good &= compareOne(found, tensor, a.rtol, a.atol, report);
  }
  if (!a.outputFolder.empty())
    saveOutputs(a.outputFolder, outputs);
  if (a.benchmarkSeconds > 0)
    report["benchmark"] = benchmark(package, session, inputs, a.benchmarkSeconds);
  if (a.profile || a.benchmarkSeconds > 0)
    report["profile"] = profile(package, session, inputs, emulated);
  return good ? 0 : 3;
}

static void printReport(const ordered_json &report) {
  fmt::print("device: {}, {}\n", report["device"].get<std::string>(), report["why"].get<std::string>());
  if (report.contains("entry"))
    fmt::print("entry: {}\n", report["entry"].get<std::string>());
  if (report.contains("random_inputs"))
    fmt::print("random inputs (none were given): {}\n", report["random_inputs"].dump());
  if (report.contains("outputs"))
    for (const ordered_json &o : report["outputs"])
      fmt::print("output {} {} {}: min {} max {} mean {}{}, first {}\n", o["name"].get<std::string>(),
                 o["dtype"].get<std::string>(), o["shape"].dump(), o["min"].dump(), o["max"].dump(),
                 o["mean"].dump(), o["nans"] == 0 ? "" : ", " + o["nans"].dump() + " NaN", o["first"].dump());
  if (report.contains("comparisons"))
    for (const ordered_json &c : report["comparisons"])
      fmt::print("{} {}: largest difference {}, cosine {}\n",
                 c["equal"].get<bool>() ? "as expected:" : "WRONG:", c["name"].get<std::string>(),
                 c["max_absolute"].dump(), c["cosine"].dump());
  if (report.contains("benchmark"))
    printBenchmark(report["benchmark"]);
  if (report.contains("profile"))
    printProfile(report["profile"]);
  fmt::print("start to first session {:.1f} ms\n", report["start_ms"].get<double>());
}

namespace {
/// A package with its session.
struct Loaded {
  PackageHandle package;
  RandomWeights random;
  SessionHandle session;
};
} // namespace

/// Loads and runs what `a` names; `device` is what it runs on as soon as that is known. Returns the exit
/// code.
static int runPackage(const Arguments &a, Loaded &loaded, std::string &device, ordered_json &report) {
  auto begin = std::chrono::steady_clock::now();
  loaded.package = openPackage(a.package);
  const twrt_package *package = loaded.package.get();
  std::string why;
  twrt_session_options options = chooseDevice(package, a, why);
  loaded.random = {package, a.weights ? a.weights->seed : 0};
  if (a.weights && a.weights->kind == ValueSource::Random)
    options.weight_reader = readRandomWeight, options.weight_user = &loaded.random;
  twrt_error error = {};
  twrt_session *created = nullptr;
  check(twrt_session_create(package, &options, &created, &error), error);
  loaded.session.reset(created);

  report["package"] = a.package;
  report["device"] = device = twrt_session_device(created);
  report["why"] = why;
  report["start_ms"] =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return runSession(package, created, a, options.device == TWRT_DEVICE_EMULATOR, report);
}

static std::string oneLine(const ordered_json &json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// --batch: runs every line of the file in this process and prints a line of JSON for each as it ends. The
/// first session that comes up stays until the end, so that all share one driver context.
static int runBatch(const std::string &path) {
  Loaded first;
  int worst = 0;
  uint32_t number = 0;
  for (std::vector<std::string> &run : readBatch(path)) {
    std::vector<char *> argv{const_cast<char *>("tw-run")};
    for (std::string &argument : run)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    Arguments a;
    ordered_json report;
    std::string device;
    Loaded loaded;
    int code = 2;
    if (std::optional<int> wrong = parseArguments(int(argv.size() - 1), argv.data(), a)) {
      report["error"] = "a wrong command line";
    } else {
      try {
        code = runPackage(a, loaded, device, report);
      } catch (const std::exception &failure) {
        report["error"] = failure.what();
        code = 1;
      }
    }
    fmt::print("{}\n", oneLine({{"run", number++}, {"code", code}, {"report", report}}));
    std::fflush(stdout);
    worst = std::max(worst, code);
    if (!first.session && loaded.session)
      std::swap(first.package, loaded.package), std::swap(first.session, loaded.session);
  }
  return worst;
}

/// Runs the tool; `device` is what it runs on as soon as that is known.
static int runTool(const Arguments &a, std::string &device) {
  if (a.list) {
    PackageHandle package = openPackage(a.package);
    ordered_json list = listing(package.get());
    if (a.json)
      fmt::print("{}\n", list.dump(2, ' ', false, ordered_json::error_handler_t::replace));
    else
      printListing(list);
    return 0;
  }
  Loaded loaded;
  ordered_json report;
  int code = runPackage(a, loaded, device, report);
  if (a.json)
    fmt::print("{}\n", report.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  else
    printReport(report);
  return code;
}

int main(int argc, char **argv) {
  Arguments arguments;
  if (std::optional<int> code = parseArguments(argc, argv, arguments))
    return *code;
  if (!arguments.runReproducer.empty())
    return runReproducerOf(arguments);
  std::string device;
  bool keep = !arguments.reproducer.empty();
  try {
    if (!arguments.batch.empty())
      return runBatch(arguments.batch);
    if (keep)
      keepReproducer(arguments, device, "");
    int code = runTool(arguments, device);
    if (keep)
      std::remove(arguments.reproducer.c_str());
    return code;
  } catch (const std::exception &failure) {
    fmt::print(stderr, "tw-run: {}\n", failure.what());
    try {
      if (keep) {
        keepReproducer(arguments, device, failure.what());
        fmt::print(stderr, "to see it again: tw-run --run-reproducer={}\n", arguments.reproducer);
      }
    } catch (const std::exception &other) {
      fmt::print(stderr, "tw-run: {}\n", other.what());
    }
    return 1;
  }
}
