// The target stage through the kernel cache: kernels that were lowered before, in this form and by this
// build, are taken from there. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_TARGETCACHE_H
#define TILEWRIGHT_LIB_PIPELINE_TARGETCACHE_H

#include "Tilewright/Ptx/ContentCache.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright {

/// Lowers every tile.kernel of `module` to a gpu.module in its place. `lower` does so for all kernels of a
/// module; it is called for those that the cache lacks, which then holds them too. A lowering that had
/// something to say (a warning, a remark that someone collects) is not kept, so that it says it again.
/// `variant` says what else a lowering depends on.
mlir::LogicalResult lowerThroughCache(mlir::ModuleOp module, const CacheOptions &options,
                                      llvm::StringRef variant,
                                      llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> lower);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_TARGETCACHE_H
