// Bundles of failed runs.
#include "Reproduce.h"
#include "Tensor.h"

#include "Tilewright/Package/Reader.h"
#include "Tilewright/Package/Reproducer.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

using namespace tilewright;
using namespace tilewright::run;

static constexpr size_t kMostInputBytes = 16 << 20;

static std::string readAll(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The package without its weights; a damaged one as it is.
static BundledFile bundlePackage(const std::string &path) {
  package::PackageView view;
  package::ReadError error;
  if (!package::openPackage(path.c_str(), view, error))
    return bundleFile("model.tw", readAll(path));
  std::vector<Hole> holes;
  // Weights are the last segment but for the table; the sizes of both are the runtime's to know.
  twrt_package *package = nullptr;
  if (view.weightData() && twrt_package_open_memory(view.base, view.bytes, &package, nullptr) == TWRT_OK) {
    twrt_package_info info;
    twrt_package_get_info(package, &info);
    holes.push_back({uint64_t(view.weightData() - view.base), info.weight_bytes});
    twrt_package_close(package);
  }
  BundledFile file =
      bundleFile("model.tw", {reinterpret_cast<const char *>(view.base), size_t(view.bytes)}, holes);
  package::closePackage(view);
  return file;
}

void tilewright::run::keepReproducer(const Arguments &a, const std::string &device,
                                     const std::string &message) {
  Reproducer bundle;
  bundle.tool = "tw-run";
  bundle.about = fmt::format("package: {}\ndevice: {}{}\n", a.package.substr(a.package.rfind('/') + 1),
                             a.device, device.empty() ? "" : ", " + device);
  bundle.log = message.empty() ? "nothing was said: the process crashed, or was stopped\n" : message + "\n";
  bundle.files.push_back(bundlePackage(a.package));
  auto &arguments = bundle.arguments;
  arguments = {"{}/model.tw",
               "--device=" + a.device,
               fmt::format("--ordinal={}", a.ordinal),
               fmt::format("--weights=random:{}", a.weights ? a.weights->seed : 0),
               fmt::format("--seed={}", a.seed),
               fmt::format("--repeat={}", a.repeat)};
  if (!a.entry.empty())
    arguments.push_back("--entry=" + a.entry);
  if (a.threads)
    arguments.push_back(fmt::format("--threads={}", a.threads));
  for (auto [set, flag] : {std::pair(a.early, "--early"),
                           {a.unchecked, "--unchecked"},
                           {a.selfTest, "--self-test"},
                           {a.profile, "--profile"}})
    if (set)
      arguments.push_back(flag);
  if (a.benchmarkSeconds > 0)
    arguments.push_back(fmt::format("--benchmark={}", a.benchmarkSeconds));
  size_t inputBytes = 0, number = 0;
  for (const auto &[name, source] : a.inputs) {
    std::string value = source.kind == ValueSource::Zeros ? "zeros" : fmt::format("random:{}", source.seed);
    if (source.kind == ValueSource::File) {
      std::string bytes = readAll(source.path);
      if ((inputBytes += bytes.size()) <= kMostInputBytes) {
        bundle.files.push_back(bundleFile(fmt::format("input-{}.npy", number++), bytes));
        value = "{}/" + bundle.files.back().name;
      }
    }
    arguments.push_back("--input=" + name + "=" + value);
  }
  if (std::string error = writeReproducer(a.reproducer, bundle); !error.empty())
    throw Failure(error);
}

int tilewright::run::runReproducerOf(const Arguments &a) {
  return runReproducer(a.runReproducer, "tw-run",
                       {"--benchmark", "--device", "--early", "--entry", "--input", "--ordinal", "--profile",
                        "--repeat", "--seed", "--self-test", "--threads", "--unchecked", "--weights"});
}
