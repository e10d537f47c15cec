// Random typed tensor programs, the same for a seed on every machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_RANDOMPROGRAM_H
#define TILEWRIGHT_TEST_RANDOMPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::check {

/// A module with one function, main: 3 to 25 ops on tensors of rank 0 to 5 with up to a few thousand
/// elements, now and then none, with one to four results. Values stay small, so that tolerances mean
/// something.
mlir::OwningOpRef<mlir::ModuleOp> makeRandomProgram(mlir::MLIRContext &context, uint64_t seed);

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_RANDOMPROGRAM_H
