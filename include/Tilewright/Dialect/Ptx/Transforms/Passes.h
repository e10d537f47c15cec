// The passes on the ptx dialect.
#ifndef TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_H
#define TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilewright::ptx {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Dialect/Ptx/Transforms/Passes.h.inc"

/// Patterns of `convert-ptx-to-llvm`: every `PtxInstruction` becomes `llvm.inline_asm`.
void populatePtxToLLVMPatterns(mlir::RewritePatternSet &patterns);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_H
