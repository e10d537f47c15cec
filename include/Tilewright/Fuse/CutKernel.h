// A kernel that asks too much of a thread's registers, or whose results lie too differently, cut into
// several.
#ifndef TILEWRIGHT_FUSE_CUTKERNEL_H
#define TILEWRIGHT_FUSE_CUTKERNEL_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::fuse {

/// Registers of a thread that the values of the kernel's smallest tile take, by the estimate that groups are
/// formed by; nothing when it is no kernel.
std::optional<int64_t> leastRegisters(graph::KernelOp kernel);

/// Groups the ops of `kernel` again, with groups of at most `maxRegisters` such registers: a module of the
/// kernels and of a `plan.program` of the kernel's name that launches them, with costs. What lies between
/// them keeps its type, so that numbers stay as they are. Null when the kernel stays whole.
mlir::OwningOpRef<mlir::ModuleOp> cutKernel(graph::KernelOp kernel, int64_t maxRegisters,
                                            llvm::StringRef target);

/// Numbers of some results of a kernel, in order.
using ResultNumbers = llvm::SmallVector<unsigned>;
/// The results of `kernel` by the order in which it goes through them: those that stand at the same places of
/// its domain are together; with `byRows` those that wait for a reduction or scan apart from those that do
/// not. Empty when it is no kernel.
llvm::SmallVector<ResultNumbers> resultsByOrder(graph::KernelOp kernel, bool byRows);
/// A kernel for each of `parts`, which computes these results from what `kernel` reads: a module of them and
/// of a `plan.program` as cutKernel gives it. With `readResults` they read the results of those before, where
/// they need them. Null when one of them is no kernel, or none reads what it should.
mlir::OwningOpRef<mlir::ModuleOp> cutResults(graph::KernelOp kernel, llvm::ArrayRef<ResultNumbers> parts,
                                             bool readResults = false);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_FUSE_CUTKERNEL_H
