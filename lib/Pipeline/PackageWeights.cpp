// Writing a package: the bytes of constants, and of weights after their recipes, streamed into the file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Import/WeightStore.h"
#include "Tilewright/Pipeline/Packaging.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tilewright;

/// A constant's elements in row-major order.
static bool writeConstant(ElementsAttr constant, const package::ByteSink &sink, std::string &error) {
  auto type = cast<RankedTensorType>(constant.getType());
  size_t elementBytes = plan::storageBytes(type.getElementType());
  std::string storage;
  StringRef bytes = literalBytes(constant, storage).value_or(StringRef());
  if (bytes.size() != elementBytes * type.getNumElements()) {
    error = "a constant has " + std::to_string(bytes.size()) + " bytes of data, its type takes " +
            std::to_string(elementBytes * type.getNumElements());
    return false;
  }
  return sink(bytes.data(), bytes.size());
}

LogicalResult tilewright::writePackageFile(ModuleOp module, const PackageContents &contents,
                                           const PackageFile &file, package::WriteSummary &summary) {
  bool reads = llvm::any_of(contents.weightSources, llvm::IsaPred<graph::WeightAttr>);
  WeightStore store;
  if (reads) {
    llvm::Expected<WeightStore> opened = WeightStore::open(module);
    if (!opened)
      return module.emitError() << llvm::toString(opened.takeError());
    store = std::move(*opened);
    if (file.modelBytes)
      if (llvm::Error error = store.addOnnx(*file.modelBytes, "-"))
        return module.emitError() << llvm::toString(std::move(error));
  }
  auto source = [&](size_t index, const package::ByteSink &sink, std::string &error) {
    Attribute attribute = contents.weightSources[index];
    if (auto constant = dyn_cast<ElementsAttr>(attribute))
      return writeConstant(constant, sink, error);
    llvm::Error failed =
        store.read(cast<graph::WeightAttr>(attribute), [&](ArrayRef<char> bytes) -> llvm::Error {
          if (sink(bytes.data(), bytes.size()))
            return llvm::Error::success();
          return llvm::createStringError("the package cannot be written further");
        });
    if (failed)
      error = llvm::toString(std::move(failed));
    return error.empty();
  };
  package::WriteOptions options;
  options.externalWeights = file.externalWeights;
  std::string error = package::writePackage(contents.package, source, file.path, options, &summary);
  if (!error.empty())
    return module.emitError() << "cannot write " << file.path << ": " << error;
  return success();
}
