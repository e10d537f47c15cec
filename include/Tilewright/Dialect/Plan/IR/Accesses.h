// Which bytes the ops of a program's buffer form read and write. Buffer planning, its verifier and packaging
// all ask here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_PLAN_IR_ACCESSES_H
#define TILEWRIGHT_DIALECT_PLAN_IR_ACCESSES_H

#include "Tilewright/Dialect/Plan/IR/Plan.h"

namespace tilewright::plan {

/// Bytes [offset, offset + bytes) of what `base` (an arena, input, output or weight op) defines.
struct ByteRange {
  mlir::Operation *base = nullptr;
  int64_t offset = 0;
  int64_t bytes = 0;

  bool overlaps(const ByteRange &other) const {
    return base == other.base && offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
};

/// The bytes of a buffer value, through any views.
ByteRange byteRangeOf(mlir::Value buffer);

/// What a launch, copy or fill reads and writes; nothing for other ops.
struct Accesses {
  llvm::SmallVector<ByteRange> reads, writes;
};
Accesses accessesOf(mlir::Operation *op);

/// The events that a launch, copy or fill waits for, those of programmatic edges last.
llvm::SmallVector<mlir::Value> waitsOf(mlir::Operation *op);

/// Whether the order of two accesses matters: they share a byte that one of them writes.
bool conflict(const Accesses &a, const Accesses &b);

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_IR_ACCESSES_H
