// Devices, inputs and runs.
#include "Run.h"
#include "Npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace tilewright::run;

void tilewright::run::check(twrt_status status, const twrt_error &error) {
  if (status != TWRT_OK)
    throw Failure(error.message[0] ? error.message : twrt_status_name(status));
}

PackageHandle tilewright::run::openPackage(const std::string &path) {
  twrt_package *package = nullptr;
  twrt_error error = {};
  check(twrt_package_open(path.c_str(), &package, &error), error);
  return PackageHandle(package);
}

//===-- Device --------------------------------------------------------------------------------------===//

twrt_session_options tilewright::run::chooseDevice(const twrt_package *package, const Arguments &a,
                                                   std::string &why) {
  twrt_session_options options;
  twrt_session_options_init(&options);
  options.ordinal = a.ordinal;
  options.driver_library = a.driverLibrary.empty() ? nullptr : a.driverLibrary.c_str();
  options.emulator_library = a.emulatorLibrary.empty() ? nullptr : a.emulatorLibrary.c_str();
  options.emulator_seed = a.seed;
  options.emulator_early = a.early;
  options.emulator_unchecked = a.unchecked;
  options.emulator_threads = a.threads;
  options.verify_weights = a.verifyWeights;
  if (a.weights && a.weights->kind == ValueSource::File)
    options.weights_path = a.weights->path.c_str();
  options.device = a.device == "emulator" ? TWRT_DEVICE_EMULATOR : TWRT_DEVICE_CUDA;
  why = "as asked";
  if (a.device != "auto")
    return options;
  twrt_error cuda = {}, emulator = {};
  if (twrt_device_check(package, &options, &cuda) == TWRT_OK) {
    why = "because a CUDA device can run this package";
    return options;
  }
  options.device = TWRT_DEVICE_EMULATOR;
  if (twrt_device_check(package, &options, &emulator) != TWRT_OK)
    throw Failure(fmt::format("no device can run this package. cuda: {}. emulator: {}", cuda.message,
                              emulator.message));
  why = fmt::format("because CUDA cannot run it: {}", cuda.message);
  return options;
}

int tilewright::run::readRandomWeight(void *user, uint32_t weight, uint64_t offset, void *to,
                                      uint64_t bytes) {
  const auto &random = *static_cast<const RandomWeights *>(user);
  twrt_weight_info info;
  if (twrt_weight_get_info(random.package, weight, &info) != TWRT_OK)
    return 1;
  // Pieces start at multiples of 8 MiB, so no element is cut but the last of a weight with odd packing.
  unsigned element = twrt_dtype_bytes(info.dtype);
  fillRandom(info.dtype, random.seed * 1000003 + weight, offset / element, to, bytes / element, 0.05);
  std::memset(static_cast<char *>(to) + bytes / element * element, 0, bytes % element);
  return 0;
}

//===-- Inputs --------------------------------------------------------------------------------------===//

std::vector<twrt_host_tensor> tilewright::run::views(std::vector<Tensor> &tensors) {
  std::vector<twrt_host_tensor> all;
  for (Tensor &tensor : tensors)
    all.push_back(tensor.view());
  return all;
}

/// An entry by name or number.
static uint32_t findEntry(const twrt_package *package, const std::string &text) {
  twrt_package_info info;
  twrt_package_get_info(package, &info);
  std::string names;
  for (uint32_t e = 0; e < info.entries; ++e) {
    twrt_entry_info entry;
    twrt_entry_get_info(package, e, &entry);
    if (text == entry.name || text == std::to_string(e))
      return e;
    names += fmt::format("{}'{}'", e ? ", " : "", entry.name);
  }
  throw Failure(fmt::format("there is no entry '{}'; the package's are {}", text, names));
}

static std::vector<twrt_tensor_info> inputInfos(const twrt_package *package, uint32_t entry) {
  twrt_entry_info info;
  twrt_entry_get_info(package, entry, &info);
  std::vector<twrt_tensor_info> all(info.inputs);
  for (uint32_t i = 0; i < info.inputs; ++i)
    twrt_input_get_info(package, entry, i, &all[i]);
  return all;
}

/// The inputs that files give.
static std::vector<Tensor> readFiles(const Arguments &a, const std::vector<twrt_tensor_info> &infos) {
  std::vector<Tensor> files;
  for (const auto &[name, source] : a.inputs) {
    auto info =
        std::find_if(infos.begin(), infos.end(), [&, n = name](const auto &i) { return n == i.name; });
    if (info == infos.end()) {
      std::string names;
      for (const twrt_tensor_info &i : infos)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", i.name);
      throw Failure(fmt::format("there is no input '{}'; the package's inputs are {}", name, names));
    }
    if (source.kind != ValueSource::File)
      continue;
    files.push_back(readNpy(source.path, name));
    takeAs(files.back(), info->dtype);
  }
  return files;
}

Inputs tilewright::run::makeInputs(const twrt_package *package, const Arguments &a) {
  std::vector<Tensor> files = readFiles(a, inputInfos(package, 0));
  Inputs inputs;
  twrt_error error = {};
  std::vector<twrt_host_tensor> given = views(files);
  if (!a.entry.empty())
    inputs.entry = findEntry(package, a.entry);
  else
    check(twrt_pick_entry(package, given.data(), given.size(), &inputs.entry, &error), error);

  std::vector<twrt_tensor_info> infos = inputInfos(package, inputs.entry);
  std::map<int32_t, int64_t> lengths; // Of the bucket dimensions that files fix.
  for (const Tensor &file : files)
    for (const twrt_tensor_info &info : infos)
      for (uint32_t i = 0; file.name == info.name && i < info.rank && i < file.shape.size(); ++i)
        if (info.symbols[i] >= 0)
          lengths[info.symbols[i]] = file.shape[i];

  bool measuring = a.benchmarkSeconds > 0 || a.profile;
  for (const twrt_tensor_info &info : infos) {
    auto file =
        std::find_if(files.begin(), files.end(), [&](const Tensor &t) { return t.name == info.name; });
    if (file != files.end()) {
      inputs.tensors.push_back(std::move(*file));
      continue;
    }
    auto source = a.inputs.find(info.name);
    if (source == a.inputs.end() && !measuring)
      throw Failure(
          fmt::format("input '{0}' ({1} {2}) is missing: give --input {0}=FILE.npy, =random or =zeros",
                      info.name, twrt_dtype_name(info.dtype), shapeText(info.shape, info.rank)));
    if (source == a.inputs.end())
      inputs.assumed.push_back(info.name);
    std::vector<int64_t> shape(info.shape, info.shape + info.rank);
    for (uint32_t i = 0; i < info.rank; ++i)
      if (auto length = lengths.find(info.symbols[i]); length != lengths.end())
        shape[i] = length->second;
    Tensor tensor = makeTensor(info.name, info.dtype, std::move(shape));
    if (source == a.inputs.end() || source->second.kind == ValueSource::Random) {
      uint64_t seed = source == a.inputs.end() ? 0 : source->second.seed;
      fillRandom(info.dtype, seed * 1000003 + inputs.tensors.size(), 0, tensor.bytes.data(),
                 tensor.elements(), 1);
    }
    inputs.tensors.push_back(std::move(tensor));
  }
  uint32_t picked = 0;
  std::vector<twrt_host_tensor> all = views(inputs.tensors);
  check(twrt_pick_entry(package, all.data(), all.size(), &picked, &error), error);
  if (picked != inputs.entry && !a.entry.empty())
    throw Failure(fmt::format("the inputs' shapes run entry {}, not '{}'", picked, a.entry));
  inputs.entry = picked;
  return inputs;
}

Inputs tilewright::run::goldenInputs(const twrt_package *package, uint32_t entry, uint32_t set) {
  Inputs inputs;
  inputs.entry = entry;
  std::vector<twrt_tensor_info> infos = inputInfos(package, entry);
  twrt_golden_info golden;
  for (uint32_t slot = 0; slot < infos.size(); ++slot) {
    bool found = false;
    uint32_t seen = 0;
    for (uint32_t g = 0; !found && twrt_golden_get_info(package, g, &golden) == TWRT_OK; ++g)
      found = golden.entry == entry && !golden.is_output && golden.slot == slot && seen++ == set;
    if (!found)
      throw Failure(fmt::format("the package has no golden input '{}'", infos[slot].name));
    const twrt_tensor_info &info = infos[slot];
    inputs.tensors.push_back({info.name,
                              info.dtype,
                              {info.shape, info.shape + info.rank},
                              std::string(static_cast<const char *>(golden.data), golden.bytes)});
  }
  return inputs;
}

//===-- Running -------------------------------------------------------------------------------------===//

std::vector<Tensor> tilewright::run::runOnce(const twrt_package *package, twrt_session *session,
                                             Inputs &inputs) {
  twrt_error error = {};
  std::vector<twrt_host_tensor> given = views(inputs.tensors);
  twrt_entry_info entry;
  twrt_entry_get_info(package, inputs.entry, &entry);
  std::vector<Tensor> outputs;
  for (uint32_t slot = 0; slot < entry.outputs; ++slot) {
    twrt_tensor_info info;
    twrt_output_get_info(package, inputs.entry, slot, &info);
    std::vector<int64_t> shape(info.rank + 1);
    check(
        twrt_output_true_shape(package, inputs.entry, given.data(), given.size(), slot, shape.data(), &error),
        error);
    shape.resize(info.rank);
    outputs.push_back(makeTensor(info.name, info.dtype, std::move(shape)));
  }
  std::vector<twrt_host_tensor> taken = views(outputs);
  check(twrt_run_host(session, given.data(), given.size(), taken.data(), taken.size(), &error), error);
  return outputs;
}
