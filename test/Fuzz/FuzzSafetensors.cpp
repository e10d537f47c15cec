// safetensors files: refused with a sentence, or every tensor that a reference names can be read or is
// refused. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Import/WeightStore.h"

#include "mlir/IR/Builders.h"

#include <fstream>

using namespace mlir;
using namespace tilewright;

/// The readers choose by the name's ending, so the file has a name.
static const std::string &filePath() {
  static const std::string path = [] {
    char name[] = "/tmp/tilewright-fuzz-XXXXXX";
    fuzz::require(mkdtemp(name), "there is no temporary folder");
    static std::string made = name;
    std::atexit([] {
      unlink((made + "/w.safetensors").c_str());
      rmdir(made.c_str());
    });
    return made + "/w.safetensors";
  }();
  return path;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::ofstream(filePath(), std::ios::binary).write(reinterpret_cast<const char *>(data), size);
  WeightStore store;
  if (llvm::Error error = store.addFile(filePath())) {
    fuzz::require(!llvm::toString(std::move(error)).empty(), "refused without a sentence");
    return 0;
  }
  static MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<graph::GraphDialect>();
  Builder builder(&context);
  auto type = RankedTensorType::get({2, 3}, builder.getF32Type());
  // A reference with steps: read through a transpose and a cast.
  auto steps =
      builder.getArrayAttr({DenseI64ArrayAttr::get(&context, {1, 0}), TypeAttr::get(builder.getBF16Type())});
  for (Attribute list : {Attribute(builder.getArrayAttr({})), Attribute(steps)}) {
    auto weight = graph::WeightAttr::get(&context, "w", type, "", cast<ArrayAttr>(list));
    auto bytes = store.readAll(weight);
    if (!bytes)
      fuzz::require(!llvm::toString(bytes.takeError()).empty(), "a weight is refused without a sentence");
    else
      fuzz::require(bytes->size() == 6u * (list == steps ? 2 : 4), "a weight has another size");
  }
  return 0;
}
