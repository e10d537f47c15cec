// The conversions between our dialects, and the tile and target stages built from them.
#ifndef TILEWRIGHT_CONVERSION_PASSES_H
#define TILEWRIGHT_CONVERSION_PASSES_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Conversion/Passes.h.inc"

/// The tile stage: kernels as thread-block programs, with layouts assigned. Schedules that it chooses take at
/// most `sharedLimit` bytes of shared memory a block; 0: what every known chip has that runs the kernel.
/// `chips` are those that kernels are for: kinds of chips that are scheduled differently get kernels of their
/// own. `records` are the tuning records that schedules come from: a file, `builtin` or `none`.
void populateTileStage(mlir::OpPassManager &pm, int64_t sharedLimit = 0,
                       llvm::ArrayRef<std::string> chips = {}, llvm::StringRef records = "none");

/// The target stage: kernels as `gpu.module`s of llvm, nvvm and ptx ops. `exactMath`: functions have the same
/// bits on every machine.
void populateTargetStage(mlir::OpPassManager &pm, bool exactMath = false);

/// Registers `tile-stage`, `schedule-stage` and `target-stage` as pipelines of tw-opt.
void registerStagePipelines();

} // namespace tilewright

#endif // TILEWRIGHT_CONVERSION_PASSES_H
