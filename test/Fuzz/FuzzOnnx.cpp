// ONNX models, with external data in a file beside them: a module that verifies and whose weights can be
// read, or an error. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Import/Onnx.h"
#include "Tilewright/Import/WeightStore.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <fstream>

using namespace mlir;
using namespace tilewright;

/// A folder with 4 KiB of external data, under the name that the seeds use.
static const std::string &folder() {
  static const std::string path = [] {
    char name[] = "/tmp/tilewright-fuzz-XXXXXX";
    fuzz::require(mkdtemp(name), "there is no temporary folder");
    std::string bytes;
    for (int i = 0; i < 4096; ++i)
      bytes += char(i * 7);
    std::ofstream(std::string(name) + "/data.bin", std::ios::binary) << bytes;
    static std::string made = name;
    std::atexit([] {
      unlink((made + "/data.bin").c_str());
      rmdir(made.c_str());
    });
    return made;
  }();
  return path;
}

/// Reads all weights of at most 64 MiB; errors are fine, they have a sentence.
static void readWeights(ModuleOp module, StringRef bytes, StringRef path) {
  WeightStore store;
  if (llvm::Error error = store.addOnnx(bytes, path))
    return llvm::consumeError(std::move(error));
  module.walk([&](graph::WeightOp op) {
    if (weightBytes(op.getWeight().getType()) > (64 << 20))
      return;
    auto sink = [](ArrayRef<char>) { return llvm::Error::success(); };
    if (llvm::Error error = store.read(op.getWeight(), sink))
      fuzz::require(!llvm::toString(std::move(error)).empty(), "a weight is refused without a sentence");
  });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  OnnxImportOptions options;
  options.path = folder() + "/model.onnx";
  options.bytes = StringRef(reinterpret_cast<const char *>(data), size);
  OwningOpRef<ModuleOp> module = importOnnx(context, options);
  fuzz::require(module || !messages.empty(), "refused without a sentence");
  if (module) {
    fuzz::require(succeeded(verify(*module)), "the imported module does not verify");
    readWeights(*module, *options.bytes, options.path);
  }
  return 0;
}
