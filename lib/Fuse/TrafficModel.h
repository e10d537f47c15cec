// What a group of ops costs as one kernel: the bytes it moves and the instructions it computes, and the time
// that these take on a chip. The partition compares it with the time of the same ops in several kernels.
//
// An input is read once, unless a reduced extent does not fit one tile: then every level of reductions, and
// the storing of full-size results, is a pass that reads its own inputs again and computes its own values
// again. What another kernel has just written stays in the L2 cache when it is small. A value that does not
// depend on a dimension along which there are several blocks is computed by each of them.
#ifndef TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H
#define TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::fuse {

struct KernelTraffic {
  /// Bytes read and written, and those of them that stay in the L2 cache.
  int64_t bytes = 0, cachedBytes = 0;
  /// Instructions of all threads.
  int64_t instructions = 0;
  /// Cycles of a multiprocessor in which its caches, or shared memory where it has their table, look up
  /// single elements.
  double lookups = 0;
  /// About the blocks of its grid: few of them leave multiprocessors idle.
  int64_t blocks = 1;
  /// Whether the blocks of a cluster keep a row together, where rows are fewer than multiprocessors.
  bool sharesRows = false;
  /// Whether blocks keep columns that one pass loads for another one, and whether they hold short rows in
  /// steps of these (KernelIndexing::held).
  bool keepsColumns = false, inTurn = false;
  /// Tiles that a block goes through one after the other.
  double steps = 0;
  /// What its products take, where kernels of different products are compared; else 0.
  double productMicroseconds = 0;

  /// From the end of the kernel before to its own.
  double microseconds(const Arch &arch) const;
};

/// The size of a value in memory, and whether it stays in the L2 cache between kernels.
struct ValueBytes {
  int64_t bytes = 0;
  bool cached = false;
};

/// The traffic of `ops` as one kernel that stores `outputs`.
KernelTraffic kernelTraffic(const KernelIndexing &indexing, const TilePressure &pressure,
                            llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Value> outputs,
                            llvm::function_ref<ValueBytes(mlir::Value)> bytesOf);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_TRAFFICMODEL_H
