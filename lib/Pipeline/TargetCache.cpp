// Kernels that the cache holds take their places; the others are lowered in a module of their own, since a
// pass would run again on what is done. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TargetCache.h"

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace tilewright;

namespace {
/// A kernel that the cache lacks, while it is lowered elsewhere.
struct MissingKernel {
  std::string name, key;
  gpu::GPUModuleOp place; ///< Holds its name and its place.
};
} // namespace

static std::string bytecodeOf(Operation *op) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  (void)writeBytecodeToFile(op, os); // fails only for versions that were asked for
  return bytes;
}

/// The lowered kernel that the cache had, or null.
static gpu::GPUModuleOp read(const std::optional<std::string> &bytes, MLIRContext *context) {
  Block block;
  if (!bytes ||
      failed(parseSourceString(*bytes, &block, ParserConfig(context, /*verifyAfterParse=*/false))) ||
      !llvm::hasSingleElement(block))
    return nullptr;
  auto lowered = dyn_cast<gpu::GPUModuleOp>(block.front());
  if (lowered)
    lowered->remove();
  return lowered;
}

LogicalResult tilewright::lowerThroughCache(ModuleOp module, const CacheOptions &options, StringRef variant,
                                            function_ref<LogicalResult(ModuleOp)> lower) {
  MLIRContext *context = module.getContext();
  ContentCache cache(options, "target");
  if (!cache.isOn() || context->getRemarkEngine())
    return lower(module);

  context->loadDialect<gpu::GPUDialect>(); // so far only a pass that may not run depends on it
  std::vector<MissingKernel> missing;
  OwningOpRef<ModuleOp> others(ModuleOp::create(module.getLoc()));
  others->getOperation()->setAttrs(module->getAttrDictionary());
  for (auto kernel : llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    std::string key = ContentCache::key({"target", LLVM_VERSION_STRING, variant, bytecodeOf(kernel)});
    OpBuilder builder(kernel);
    if (gpu::GPUModuleOp lowered = read(cache.lookup(key), context)) {
      builder.insert(lowered);
      kernel.erase();
      continue;
    }
    auto place = gpu::GPUModuleOp::create(builder, kernel.getLoc(), kernel.getSymName());
    missing.push_back({kernel.getSymName().str(), key, place});
    kernel->remove();
    others->push_back(kernel);
  }
  if (missing.empty())
    return success();

  bool silent = true;
  {
    ScopedDiagnosticHandler listener(context, [&](Diagnostic &) {
      silent = false;
      return failure(); // the next handler prints it
    });
    if (failed(lower(*others)))
      return failure();
  }
  for (MissingKernel &kernel : missing) {
    auto lowered = others->lookupSymbol<gpu::GPUModuleOp>(kernel.name);
    if (!lowered)
      return kernel.place.emitError() << "kernel @" << kernel.name << " was not lowered to a gpu.module";
    if (silent)
      cache.insert(kernel.key, bytecodeOf(lowered));
    lowered->moveBefore(kernel.place);
    kernel.place.erase();
  }
  return success();
}
