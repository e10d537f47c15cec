// Every kernel of many programs assembled for several chips: none may fail or spill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_ASSEMBLEKERNELS_H
#define TILEWRIGHT_TEST_ASSEMBLEKERNELS_H

#include "CheckProgram.h"

namespace tilewright::check {

/// What came of it.
struct AssemblyCount {
  unsigned programs = 0;
  unsigned kernels = 0;   ///< Of all programs.
  unsigned assembled = 0; ///< Distinct kernels, each counted for every chip that it was assembled for.
  unsigned wrong = 0;     ///< Programs that do not compile, kernels that fail or spill.
};

/// The programs of one run; equal kernels are assembled once, whatever their names.
class KernelAssembly {
public:
  explicit KernelAssembly(mlir::MLIRContext &context) : context(context) {}

  /// Compiles `func` through the target stage and keeps its kernels; says what goes wrong.
  void add(mlir::func::FuncOp func, llvm::StringRef name, const CheckOptions &options);
  /// Assembles what was added with `jobs` workers and says which kernels fail or spill. With `always`, each
  /// kernel for this chip and for one of the other `archs` in turn, instead of for all.
  AssemblyCount finish(llvm::ArrayRef<const Arch *> archs, const Arch *always, unsigned jobs);

private:
  /// Assembles `group`, numbers of kernels, for all of `archs`.
  void assemble(Assembler &assembler, llvm::ArrayRef<unsigned> group, llvm::ArrayRef<const Arch *> archs);

  mlir::MLIRContext &context;
  AssemblyCount count;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> programs;
  /// The kernels of all programs, and where each is from.
  std::vector<mlir::gpu::GPUModuleOp> kernels;
  std::vector<std::string> names;
};

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_ASSEMBLEKERNELS_H
