// A program whose steps are off by random parts of a unit. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_REFERENCE_ROUNDSTEPS_H
#define TILEWRIGHT_REFERENCE_ROUNDSTEPS_H

#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::reference {

/// Multiplies what each step of `func` rounds by a further argument; returns these arguments, in fp64. The
/// types that the program computes in say how much: this comes before floats are widened.
std::vector<HostTensor> roundSteps(mlir::func::FuncOp func, const Rounding &rounding);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_ROUNDSTEPS_H
