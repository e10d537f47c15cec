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

/// A module with one function, main, of 2 to 18 steps on values that are parts of one another: slices, pads,
/// concatenations beside the whole, and what reads them, in one float or integer type; up to seven results.
mlir::OwningOpRef<mlir::ModuleOp> makePartsProgram(mlir::MLIRContext &context, uint64_t seed);

/// How large the largest tensors of a program that moves bytes are: for the emulator (up to 3000 elements),
/// so small that launches decide (60,000), of the size of an L2 cache (up to 12 MB), or far beyond it (64 to
/// 192 MB), as fp32.
enum class MemorySize { Tiny, Launch, Cache, Memory };

/// A module with one function, main, of 3 to 25 elementwise, reducing and moving steps on tensors of rank 1
/// to 5, odd sizes among them; inputs and results are fp32 or bf16. Every step is continuous in its operands.
mlir::OwningOpRef<mlir::ModuleOp> makeMemoryProgram(mlir::MLIRContext &context, uint64_t seed,
                                                    MemorySize size);

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_RANDOMPROGRAM_H
