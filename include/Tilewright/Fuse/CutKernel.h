// A kernel that asks too much of a thread's registers, cut into several.
#ifndef TILEWRIGHT_FUSE_CUTKERNEL_H
#define TILEWRIGHT_FUSE_CUTKERNEL_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright::fuse {

/// Registers of a thread that the values of the kernel's smallest tile take, by the estimate that groups are
/// formed by; nothing when it is no kernel.
std::optional<int64_t> leastRegisters(graph::KernelOp kernel);

/// Groups the ops of `kernel` again, with groups of at most `maxRegisters` such registers: a module of the
/// kernels and of a `plan.program` of the kernel's name that launches them, with costs. What lies between
/// them keeps its type, so that numbers stay as they are. Null when the kernel stays whole.
mlir::OwningOpRef<mlir::ModuleOp> cutKernel(graph::KernelOp kernel, int64_t maxRegisters,
                                            llvm::StringRef target);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_FUSE_CUTKERNEL_H
