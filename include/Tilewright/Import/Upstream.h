// Programs of upstream dialects (linalg on tensors, tensor, tosa) as graph programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_IMPORT_UPSTREAM_H
#define TILEWRIGHT_IMPORT_UPSTREAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Tilewright/Import/Passes.h.inc"

/// Whether a function of `module` holds operations that only import knows.
bool holdsUpstreamOps(mlir::ModuleOp module);

/// Replaces every operation of an upstream dialect by graph ops, function by function, each located at a
/// name: its own, or its operation and line. On failure an error for every operation that is not understood,
/// with all reasons; functions that hold such an operation are as they were.
mlir::LogicalResult importUpstream(mlir::ModuleOp module);

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_UPSTREAM_H
