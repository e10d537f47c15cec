// A program whose steps are off by random parts of a unit. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_REFERENCE_ROUNDSTEPS_H
#define TILEWRIGHT_REFERENCE_ROUNDSTEPS_H

#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::reference {

/// An argument by which something that rounds is multiplied: numbers in fp64 that are off 1 by `unit` at
/// most.
struct RoundingFactor {
  mlir::RankedTensorType type;
  double unit;
};

/// Multiplies what each step of `func` rounds by a further argument; returns these arguments. The types that
/// the program computes in say how much: this comes before floats are widened.
std::vector<RoundingFactor> roundSteps(mlir::func::FuncOp func, const Rounding &rounding);

/// The arguments for one run, drawn uniformly from `seed`.
std::vector<HostTensor> drawFactors(llvm::ArrayRef<RoundingFactor> factors, uint64_t seed);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_ROUNDSTEPS_H
