// Writes merged kernels and their launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEWRITER_H
#define TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEWRITER_H

#include "MergedKernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::plan {

struct MergeWriter {
  mlir::ModuleOp module;
  mlir::SymbolTable symbols{module};
  /// Names of parts to the kernel that has them.
  llvm::StringMap<mlir::StringAttr> known = {};
  /// Kernels whose launches were merged.
  llvm::SetVector<mlir::StringAttr> merged = {};

  /// One launch in the place of `launches`, of a kernel of their `parts`, which with `slices` are
  /// interleaved.
  LaunchOp writeLaunch(llvm::ArrayRef<LaunchOp> launches, llvm::ArrayRef<KernelPart> parts,
                       const Slices *slices = nullptr);
  /// Removes the kernels that nothing launches any more.
  void eraseUnused();

private:
  mlir::StringAttr kernelOf(llvm::ArrayRef<LaunchOp> launches, llvm::ArrayRef<KernelPart> parts,
                            const Slices *slices);
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_LIB_DIALECT_PLAN_TRANSFORMS_MERGEWRITER_H
