// The command line, by CLI11.
#include "Arguments.h"
#include "Tensor.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>

using namespace tilewright::run;

/// "name=value", split at the last '=' whose right side is not empty: tensor names may hold '='.
static std::pair<std::string, std::string> splitPair(const std::string &text, const char *flag) {
  size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw CLI::ValidationError(flag, "'" + text + "' is not of the form name=value");
  return {text.substr(0, at), text.substr(at + 1)};
}

static unsigned long long parseSeed(const std::string &text, const char *flag) {
  char *end = nullptr;
  errno = 0;
  unsigned long long seed = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end || errno || text[0] == '-')
    throw CLI::ValidationError(flag, "'" + text + "' is no seed: a whole number is");
  return seed;
}

/// "random", "random:7", "zeros" or a path.
static ValueSource parseSource(const std::string &text, const char *flag) {
  if (text == "zeros")
    return {ValueSource::Zeros, "", 0};
  if (text == "random")
    return {ValueSource::Random, "", 0};
  if (text.compare(0, 7, "random:") == 0)
    return {ValueSource::Random, "", parseSeed(text.substr(7), flag)};
  return {ValueSource::File, text, 0};
}

std::optional<int> tilewright::run::parseArguments(int argc, char **argv, Arguments &a) {
  CLI::App app("Loads a Tilewright package and runs, compares, times or lists it.", "tw-run");
  std::vector<std::string> inputs, expected;
  std::string weights;
  std::string benchmark;
  app.add_option("package", a.package, "the package, model.tw");
  app.add_option("--device", a.device, "where to run: auto takes CUDA when the package can run there")
      ->check(CLI::IsMember({"auto", "cuda", "emulator"}));
  app.add_option("--ordinal", a.ordinal, "which CUDA device (0)")->check(CLI::Range(0, 1023));
  app.add_flag("--list", a.list, "show what the package holds and end");
  app.add_option("--entry", a.entry, "the entry (shape bucket) to run, by name or number");
  app.add_option("--input", inputs, "NAME=FILE.npy|random[:SEED]|zeros; once for each input")
      ->allow_extra_args(false);
  app.add_option("--weights", weights, "FILE with the weight segment, or random:SEED");
  app.add_flag("--verify-weights", a.verifyWeights, "check every weight's hash");
  app.add_option("--output", a.outputFolder, "folder for the outputs, as NAME.npy");
  app.add_option("--expect", expected, "NAME=FILE.npy: compare an output")->allow_extra_args(false);
  app.add_option("--rtol", a.rtol, "relative tolerance of --expect (1e-5)");
  app.add_option("--atol", a.atol, "absolute tolerance of --expect (1e-6)");
  app.add_flag("--self-test", a.selfTest, "run the package's golden inputs and compare its golden outputs");
  app.add_option("--benchmark", benchmark, "measure for this many seconds (2)")
      ->expected(0, 1)
      ->default_str("2");
  app.add_flag("--profile", a.profile, "measure each kernel by itself, beside its modelled time");
  app.add_flag("--json", a.json, "print one JSON object");
  app.add_option("--seed", a.seed, "emulator: seed of the scheduler");
  app.add_flag("--early", a.early, "emulator: asynchronous work completes as early as it may, not as late");
  app.add_flag("--unchecked", a.unchecked, "emulator: detectors off");
  app.add_option("--threads", a.threads, "emulator: CPU threads (all cores)");
  app.add_option("--repeat", a.repeat, "run this often and require equal outputs")
      ->check(CLI::Range(1, 1000000));
  app.add_option(
      "--batch", a.batch,
      "run every line of a file in this process: JSON lists of arguments, the package first; prints a "
      "line of JSON for each");
  app.add_option("--reproducer", a.reproducer,
                 "if it fails, leave one file there with what it takes to fail again, without weights");
  app.add_option("--run-reproducer", a.runReproducer, "run what --reproducer left, and nothing else");
  app.add_option("--driver-library", a.driverLibrary, "the CUDA driver's library, instead of libcuda.so.1");
  app.add_option("--emulator-library", a.emulatorLibrary, "the emulator's library");
  app.set_version_flag("--version", "tw-run 0.1.0 (package format 1)");
  try {
    app.parse(argc, argv);
    if (a.package.empty() && a.runReproducer.empty() && a.batch.empty())
      throw CLI::RequiredError("package");
    if (!a.batch.empty() && !a.package.empty())
      throw CLI::ValidationError("--batch", "packages stand in the file, not beside it");
    for (const std::string &text : inputs) {
      auto [name, value] = splitPair(text, "--input");
      if (!a.inputs.emplace(name, parseSource(value, "--input")).second)
        throw CLI::ValidationError("--input", "'" + name + "' is given twice");
    }
    for (const std::string &text : expected)
      if (auto [name, value] = splitPair(text, "--expect"); !a.expected.emplace(name, value).second)
        throw CLI::ValidationError("--expect", "'" + name + "' is given twice");
    if (!weights.empty()) {
      a.weights = parseSource(weights, "--weights");
      if (a.weights->kind == ValueSource::Zeros)
        throw CLI::ValidationError("--weights", "takes a file or random:SEED");
    }
    if (app.count("--benchmark")) {
      char *end = nullptr;
      a.benchmarkSeconds = std::strtod(benchmark.c_str(), &end);
      if (benchmark.empty() || *end || !(a.benchmarkSeconds > 0 && a.benchmarkSeconds <= 3600))
        throw CLI::ValidationError("--benchmark",
                                   "'" + benchmark + "' is no number of seconds between 0 and 3600");
    }
  } catch (const CLI::ParseError &error) {
    int code = app.exit(error);
    return code ? 2 : 0;
  }
  return std::nullopt;
}
