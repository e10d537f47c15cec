// The fuse stage: a tensor program cut into kernels and the program that launches them.
#ifndef TILEWRIGHT_FUSE_PASSES_H
#define TILEWRIGHT_FUSE_PASSES_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Fuse/Form.h"

#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright::fuse {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Fuse/Passes.h.inc"

/// What the fuse stage leaves to the user.
struct FuseStageOptions {
  /// Element type that fp32 values between kernels are stored in: fp32, bf16 or fp16.
  std::string storage = "fp32";
  /// Whether sums may be formed in any order.
  bool reorder = true;
  /// Scans of few long rows are one kernel, whose blocks look back at one another.
  bool lookBack = true;
  /// Also those that run across rows in memory.
  bool lookBackColumns = false;
  /// Products that follow one another become one kernel where what lies between them allows it.
  bool chainProducts = true;
  /// Operands of large products get rows of whole 16 bytes, which the tensor memory accelerator needs.
  bool alignOperands = false;
  /// The chip that times are modelled for.
  std::string target = "sm_90a";
  /// What is done otherwise than the models say.
  Form form = {};
};

/// The fuse stage: named ops decomposed, storage narrowed, ops grouped into `graph.kernel`s, and
/// `plan.program`s that launch them.
void populateFuseStage(mlir::OpPassManager &pm, const FuseStageOptions &options);

/// Registers `fuse-stage` as a pipeline of tw-opt, storing fp32.
void registerFuseStagePipeline();

} // namespace tilewright::fuse

#endif // TILEWRIGHT_FUSE_PASSES_H
