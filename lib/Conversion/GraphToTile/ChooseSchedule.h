// The default schedule of a kernel: tile sizes and warps from its shape alone.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

namespace tilewright {

/// What the choice depends on.
struct KernelShape {
  graph::Anchor anchor = graph::Anchor::Elementwise;
  /// Domain after collapsing; for a matmul [batch…, M, N, K].
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<bool> reduced;
  /// Bytes moved along each dimension's contiguous direction: accesses for which it is the fastest dimension.
  llvm::SmallVector<int64_t> contiguousBytes;
  /// Widest element among the accesses, in bytes.
  int64_t elementBytes = 4;
  /// Bytes of one element of all results together.
  int64_t storedBytes = 0;
  /// Element type of a matmul's operands, and whether its fp32 products are tf32.
  mlir::Type operandType;
  bool tf32 = false;
  /// Whether rows are sorted: tiles hold whole ones, of a power of two of elements.
  bool sorts = false;
  /// Whether rows are scanned.
  bool scans = false;
  /// Whether tensor maps describe both operands of a matmul (strides of whole 16 bytes).
  bool bulkOperands = false;
  /// Whether the operands of a matmul are contiguous along K.
  bool lhsAlongK = false, rhsAlongK = false;
  /// Registers that the kernel's values need.
  TilePressure pressure;
  /// Shared memory that a block may take, in bytes.
  int64_t sharedLimit = INT64_MAX;
};

/// A schedule whose `tile` has an entry for each domain dimension but a matmul's K, whose step is `reduce`.
tile::ScheduleAttr chooseSchedule(mlir::MLIRContext *context, const KernelShape &shape);

/// Holds the schedule of a product against its tile form and units; an error at the kernel when a later stage
/// could not carry it out.
mlir::LogicalResult checkProductSchedule(graph::KernelOp kernel, const KernelShape &shape,
                                         tile::ScheduleAttr schedule);

/// Whether products of `operandType` run on the tensor cores.
bool usesTensorCores(mlir::Type operandType, bool tf32);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_CHOOSESCHEDULE_H
