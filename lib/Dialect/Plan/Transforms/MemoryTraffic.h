// What the launches of a program move between the memory and the L2 cache.
//
// The model: the cache keeps what was touched last, in pages, up to a share of its bytes; it is empty and
// clean when the program starts. A kernel goes through all of its tensors at one pace. What is read and not
// there is fetched, in whole sectors; what is written lies in the cache, and is written back when its page
// makes room for others. Tensors between kernels lie in an arena as plan-assign-buffers would place them, and
// what is written over before it left the cache never reaches the memory. A kernel that goes backward
// (kBackwardAttrName) goes from the last bytes of what it touches in order to the first. What kernels say is
// the first to leave (kLeavingAttrName) makes room before others, but for a share that it takes all the same.
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_MEMORYTRAFFIC_H
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_MEMORYTRAFFIC_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"

#include "mlir/IR/SymbolTable.h"

namespace tilewright::plan {

/// Of each dimension of a tensor the first index and the one behind the last.
using Box = std::vector<std::pair<int64_t, int64_t>>;

/// How a kernel touches one of its operands or results.
struct Touch {
  /// Bytes of it that are read or written in the order of the kernel's domain, each once; and those of whole
  /// sectors.
  int64_t needed = 0, bytes = 0;
  /// The first and the last of these: the range that they lie in.
  int64_t from = 0, to = 0;
  /// What its views reach, at most; empty where that is not known.
  llvm::SmallVector<Box, 1> boxes = {};
  /// Bytes that a gather selects, and those of the pieces in which memory gives them: they are touched in no
  /// order, but in one part of the tensor after the other.
  int64_t selected = 0, gathered = 0, parts = 1;
  /// How often it is gone through, with more than the cache holds in between.
  int64_t passes = 1;
  /// Whether the blocks that run at once touch a small part of it, from its first bytes to its last: the
  /// other way round in a kernel that goes backward.
  bool inOrder = false;

  /// Bytes that the kernel moves, wherever they come from.
  int64_t moved() const { return needed * passes + selected; }
};

/// Operands, then results.
llvm::SmallVector<Touch> touchesOf(graph::KernelOp kernel);

/// Bytes that pass the memory behind the cache.
struct MemoryTraffic {
  int64_t read = 0, written = 0;
};

struct ProgramTraffic {
  llvm::SmallVector<MemoryTraffic> launches;
  /// What the launches move, and results that are still in the cache at the end.
  int64_t read = 0, written = 0;
  /// Left in the cache, written and not needed any more: reaches the memory when others take its place.
  int64_t dead = 0;
  /// What of the inputs some kernel needs, and all results.
  int64_t least = 0;
};

/// Bytes of a tensor that are gone through.
struct Walk {
  mlir::Value tensor;
  int64_t from = 0, to = 0;
  bool isWrite = false;
};

/// What passes the memory where the launches of `program` touch what `walks` says, in this order; results
/// that are in the cache at the end are written.
MemoryTraffic trafficOf(ProgramOp program, llvm::ArrayRef<Walk> walks, double cacheBytes);

/// The value whose bytes `value` has: reshapes are aliases.
mlir::Value aliased(mlir::Value value);

ProgramTraffic trafficOf(ProgramOp program, const mlir::SymbolTable &symbols, double cacheBytes);

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_MEMORYTRAFFIC_H
