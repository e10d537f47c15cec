// Golden vectors from fixed seeds or a folder, through the reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Golden.h"
#include "Tilewright/Import/WeightStore.h"
#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace tilewright;
using reference::HostTensor;

namespace {
/// Computes the golden tensors of one module.
struct GoldenMaker {
  ModuleOp module;
  const GoldenOptions &options;
  WeightStore store = {};
  std::map<std::string, std::vector<char>> stored = {}; ///< Weights that have been read.
  std::vector<package::GoldenTensor> golden = {};

  LogicalResult run();
  LogicalResult addSet(func::FuncOp func, unsigned entry, std::vector<HostTensor> inputs, StringRef folder);
  FailureOr<std::vector<HostTensor>> randomInputs(func::FuncOp func, unsigned set);
  /// The inputs in `folder`, or nothing when they have other shapes than the function's.
  FailureOr<std::optional<std::vector<HostTensor>>> inputsIn(func::FuncOp func, StringRef folder);
  LogicalResult fail(llvm::Error error) {
    return module.emitError() << "golden vectors: " << llvm::toString(std::move(error));
  }
};
} // namespace

static std::string nameOf(func::FuncOp func, unsigned index, bool result) {
  auto name = result ? func.getResultAttrOfType<StringAttr>(index, "graph.name")
                     : func.getArgAttrOfType<StringAttr>(index, "graph.name");
  return name ? name.str() : (result ? "output" : "input") + std::to_string(index);
}

/// What an output may differ by, relative to its elements and to its largest element: the reference rounds
/// where the graph stage does, kernels also where they store values between each other, and they add in
/// another order.
static double toleranceOf(StringRef precision, Type element) {
  if (!isa<FloatType>(element))
    return 0;
  if (element.isF64())
    return 1e-10;
  if (element.getIntOrFloatBitWidth() < 32 || precision == "bf16")
    return 3e-2;
  return precision == "fp16" || precision == "tf32" ? 1e-2 : 1e-4;
}

FailureOr<std::vector<HostTensor>> GoldenMaker::randomInputs(func::FuncOp func, unsigned set) {
  std::vector<HostTensor> inputs;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    // Integers are 0 or 1, which every index table and mask has.
    std::string description = "random:" + std::to_string(1000 * set + i + 1);
    if (!isa<FloatType>(tensor.getElementType()))
      description += ":0:2";
    llvm::Expected<HostTensor> input = reference::makeTensor(tensor, description);
    if (!input)
      return fail(input.takeError());
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

FailureOr<std::optional<std::vector<HostTensor>>> GoldenMaker::inputsIn(func::FuncOp func, StringRef folder) {
  std::vector<HostTensor> inputs;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    std::string path = (folder + "/" + nameOf(func, i, /*result=*/false) + ".npy").str();
    if (!llvm::sys::fs::exists(path))
      return module.emitError() << "golden vectors: there is no " << path;
    llvm::Expected<HostTensor> input = reference::readNpy(cast<RankedTensorType>(type), path);
    if (!input) {
      llvm::consumeError(input.takeError()); // another bucket's
      return std::optional<std::vector<HostTensor>>();
    }
    inputs.push_back(std::move(*input));
  }
  return std::optional(std::move(inputs));
}

LogicalResult GoldenMaker::addSet(func::FuncOp func, unsigned entry, std::vector<HostTensor> inputs,
                                  StringRef folder) {
  std::vector<HostTensor> outputs;
  bool given = !folder.empty();
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    std::string path = (folder + "/" + nameOf(func, i, /*result=*/true) + ".npy").str();
    if (!given || !(given = llvm::sys::fs::exists(path)))
      break;
    llvm::Expected<HostTensor> output = reference::readNpy(cast<RankedTensorType>(type), path);
    if (!output)
      return fail(output.takeError());
    outputs.push_back(std::move(*output));
  }
  if (!given) {
    reference::ReferenceOptions how;
    how.entry = func.getSymName().str();
    auto source = [&](graph::WeightAttr weight) -> llvm::Expected<ArrayRef<char>> {
      std::vector<char> &bytes = stored[weight.getKey().str()];
      if (bytes.empty()) {
        auto plain = graph::WeightAttr::get(weight.getContext(), weight.getKey(), weight.getType(),
                                            weight.getHash(), ArrayAttr::get(weight.getContext(), {}));
        llvm::Expected<std::vector<char>> read = store.readAll(plain);
        if (!read)
          return read.takeError();
        bytes = std::move(*read);
      }
      return ArrayRef<char>(bytes);
    };
    auto computed = reference::runReference(module, inputs, source, how);
    if (!computed)
      return fail(computed.takeError());
    outputs = std::move(*computed);
  }
  auto add = [&](bool isOutput, unsigned slot, const HostTensor &tensor) {
    package::GoldenTensor &added = golden.emplace_back();
    added.entry = entry;
    added.output = isOutput;
    added.slot = slot;
    added.bytes.assign(tensor.bytes.begin(), tensor.bytes.end());
    if (!isOutput)
      return;
    double largest = 0;
    for (int64_t i = 0, count = tensor.type.getNumElements(); i < count; ++i)
      if (double size = std::abs(tensor.at(i)); std::isfinite(size))
        largest = std::max(largest, size);
    added.rtol = toleranceOf(options.precision, tensor.type.getElementType());
    added.atol = added.rtol * largest;
  };
  for (auto [slot, input] : llvm::enumerate(inputs))
    add(/*isOutput=*/false, slot, input);
  for (auto [slot, output] : llvm::enumerate(outputs))
    add(/*isOutput=*/true, slot, output);
  return success();
}

/// The folders of `directory` in order of name, or itself when it has none.
static std::vector<std::string> setFolders(StringRef directory) {
  std::vector<std::string> folders;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end; it != end && !error; it.increment(error))
    if (llvm::sys::fs::is_directory(it->path()))
      folders.push_back(it->path());
  llvm::sort(folders);
  if (folders.empty())
    folders.push_back(directory.str());
  return folders;
}

LogicalResult GoldenMaker::run() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  if (options.directory.empty()) {
    for (auto [entry, func] : llvm::enumerate(functions))
      for (unsigned set = 0; set < options.sets; ++set) {
        FailureOr<std::vector<HostTensor>> inputs = randomInputs(func, set);
        if (failed(inputs) || failed(addSet(func, entry, std::move(*inputs), "")))
          return failure();
      }
    return success();
  }
  for (const std::string &folder : setFolders(options.directory)) {
    bool taken = false;
    for (auto [entry, func] : llvm::enumerate(functions)) {
      auto inputs = inputsIn(func, folder);
      if (failed(inputs))
        return failure();
      taken |= inputs->has_value();
      if (inputs->has_value() && failed(addSet(func, entry, std::move(**inputs), folder)))
        return failure();
    }
    if (!taken)
      return module.emitError() << "golden vectors: the inputs in " << folder
                                << " have the shapes of no entry";
  }
  return success();
}

FailureOr<std::vector<package::GoldenTensor>> tilewright::computeGolden(ModuleOp module,
                                                                        std::optional<StringRef> modelBytes,
                                                                        const GoldenOptions &options) {
  GoldenMaker maker{module, options};
  llvm::Expected<WeightStore> store = WeightStore::open(module);
  if (!store)
    return maker.fail(store.takeError());
  maker.store = std::move(*store);
  if (modelBytes)
    if (llvm::Error error = maker.store.addOnnx(*modelBytes, "-"))
      return maker.fail(std::move(error));
  if (failed(maker.run()))
    return failure();
  return std::move(maker.golden);
}
