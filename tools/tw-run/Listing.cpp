// `tw-run --list`: the JSON is complete, the text is what fits a terminal.
#include "Listing.h"

#include <fmt/format.h>

using namespace tilewright::run;
using nlohmann::ordered_json;

static ordered_json tensorJson(const twrt_tensor_info &t) {
  ordered_json shape = ordered_json::array();
  for (uint32_t i = 0; i < t.rank; ++i)
    shape.push_back(t.shape[i]);
  return {{"name", t.name},
          {"dtype", twrt_dtype_name(t.dtype)},
          {"shape", shape},
          {"bytes", t.bytes},
          {"padded", t.fills != 0}};
}

static ordered_json entryJson(const twrt_package *package, uint32_t e) {
  twrt_entry_info info;
  twrt_entry_get_info(package, e, &info);
  ordered_json entry = {{"name", info.name}, {"bucket", ordered_json::object()}};
  const char *name;
  int64_t size;
  for (uint32_t d = 0; twrt_entry_get_bucket_dim(package, e, d, &name, &size) == TWRT_OK; ++d)
    entry["bucket"][name] = size;
  entry["inputs"] = entry["outputs"] = ordered_json::array();
  twrt_tensor_info tensor;
  for (uint32_t i = 0; twrt_input_get_info(package, e, i, &tensor) == TWRT_OK; ++i)
    entry["inputs"].push_back(tensorJson(tensor));
  for (uint32_t i = 0; twrt_output_get_info(package, e, i, &tensor) == TWRT_OK; ++i)
    entry["outputs"].push_back(tensorJson(tensor));
  entry["launches"] = info.launches;
  entry["arena_bytes"] = info.arena_bytes;
  return entry;
}

static ordered_json kernelJson(const twrt_package *package, uint32_t k) {
  twrt_kernel_info info;
  twrt_kernel_get_info(package, k, &info);
  ordered_json kernel = {{"name", info.name},
                         {"anchor", info.anchor},
                         {"bound", info.bound},
                         {"block", info.block},
                         {"dynamic_shared_bytes", info.dynamic_shared_bytes},
                         {"flops", info.flops},
                         {"bytes_read", info.bytes_read},
                         {"bytes_written", info.bytes_written},
                         {"modelled_us", info.modelled_microseconds},
                         {"occupancy", info.occupancy},
                         {"schedule_from", info.schedule_from ? info.schedule_from : ""},
                         {"images", ordered_json::array()},
                         {"source_nodes", ordered_json::array()}};
  twrt_image_info image;
  for (uint32_t i = 0; twrt_kernel_get_image(package, k, i, &image) == TWRT_OK; ++i)
    kernel["images"].push_back({{"arch", image.arch},
                                {"kind", image.is_cubin ? "cubin" : "ptx"},
                                {"bytes", image.bytes},
                                {"registers", image.registers},
                                {"spill_bytes", image.spill_bytes}});
  const char *node;
  for (uint32_t i = 0; twrt_kernel_get_source_node(package, k, i, &node) == TWRT_OK; ++i)
    kernel["source_nodes"].push_back(node);
  return kernel;
}

ordered_json tilewright::run::listing(const twrt_package *package) {
  twrt_package_info info;
  twrt_package_get_info(package, &info);
  ordered_json list = {{"program", info.program},
                       {"format", info.version},
                       {"driver_floor", info.driver_floor},
                       {"file_bytes", info.file_bytes},
                       {"weight_bytes", info.weight_bytes},
                       {"image_bytes", info.image_bytes},
                       {"emulation_bytes", info.emulation_bytes},
                       {"weights", info.weights},
                       {"golden_tensors", info.golden},
                       {"external_weights", info.external_weights ? info.external_weights : ""},
                       {"entries", ordered_json::array()},
                       {"kernels", ordered_json::array()},
                       {"manifest", ordered_json::object()}};
  for (uint32_t e = 0; e < info.entries; ++e)
    list["entries"].push_back(entryJson(package, e));
  for (uint32_t k = 0; k < info.kernels; ++k)
    list["kernels"].push_back(kernelJson(package, k));
  const char *key, *value;
  for (uint32_t i = 0; twrt_manifest_get(package, i, &key, &value) == TWRT_OK; ++i)
    list["manifest"][key] = value;
  return list;
}

static void printTensors(const char *role, const ordered_json &tensors) {
  for (const ordered_json &t : tensors)
    fmt::print("    {} {} {} {}{}\n", role, t["name"].get<std::string>(), t["dtype"].get<std::string>(),
               t["shape"].dump(), t["padded"].get<bool>() ? " (padded)" : "");
}

void tilewright::run::printListing(const ordered_json &list) {
  fmt::print(
      "program {}: {} bytes; weights {} ({} bytes{}), kernel images {} bytes, emulation segment {} bytes\n",
      list["program"].get<std::string>(), list["file_bytes"].get<uint64_t>(), list["weights"].get<uint32_t>(),
      list["weight_bytes"].get<uint64_t>(),
      list["external_weights"] == "" ? "" : ", in " + list["external_weights"].get<std::string>(),
      list["image_bytes"].get<uint64_t>(), list["emulation_bytes"].get<uint64_t>());
  for (const ordered_json &e : list["entries"]) {
    fmt::print("  entry {}: {} launches, arena {} bytes\n", e["name"].get<std::string>(),
               e["launches"].get<uint32_t>(), e["arena_bytes"].get<uint64_t>());
    printTensors("input ", e["inputs"]);
    printTensors("output", e["outputs"]);
  }
  for (const ordered_json &k : list["kernels"]) {
    std::string images;
    for (const ordered_json &i : k["images"])
      images += fmt::format(
          " {}:{}{}", i["arch"].get<std::string>(), i["kind"].get<std::string>(),
          i["registers"].get<int>() < 0 ? "" : fmt::format("({} regs)", i["registers"].get<int>()));
    fmt::print("  kernel {} ({}){}\n", k["name"].get<std::string>(), k["anchor"].get<std::string>(), images);
  }
  for (const auto &[key, value] : list["manifest"].items())
    fmt::print("  {} = {}\n", key, value.get<std::string>());
}
