// What a group of ops costs as one kernel: the bytes it moves and the instructions it computes. The partition
// compares it with the cost of the same ops in two kernels.
//
// An input is read once, unless a reduced extent does not fit one tile: then every level of reductions, and
// the storing of full-size results, is a pass that reads its own inputs again and computes its own values
// again. A value that does not depend on a dimension along which there are several blocks is computed by each
// of them.
#ifndef TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H
#define TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H

#include "Tilewright/Analysis/TileBudget.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::fuse {

struct KernelTraffic {
  /// Bytes read and written.
  int64_t bytes = 0;
  /// Instructions of all threads.
  int64_t instructions = 0;

  /// Bytes that memory moves in the time the kernel takes.
  int64_t cost() const;
};

/// Bytes that memory moves while one more kernel is launched.
int64_t launchCost();

/// The traffic of `ops` as one kernel that stores `outputs`; `bytesOf` is the size of a value in memory.
KernelTraffic kernelTraffic(const KernelIndexing &indexing, const TilePressure &pressure,
                            llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Value> outputs,
                            llvm::function_ref<int64_t(mlir::Value)> bytesOf);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H
