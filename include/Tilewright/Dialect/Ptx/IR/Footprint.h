// Which bytes of a buffer the blocks of a kernel touch, as a function of the block's number.
//
// The place of an access is a sum over dimensions, each of which is a sum of digits with weights in bytes:
//
//   x[4 * (block / 3) + r, 512 * (block % 3) + c], rows of 1536 elements of 4 bytes
//   dim 0:  24576 * (block / 3 % …) + 6144 * r      r, 0 to 3, is free: any of them, whatever the block
//   dim 1:  2048 * (block % 3) + 4 * c
//
// Of blocks that have a digit of their number in a range it follows in which range, modulo some period, the
// bytes lie that they touch: with the period of a row the columns, with that of all bytes where they lie
// themselves. Ranges may be too large, never too small. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_DIALECT_PTX_IR_FOOTPRINT_H
#define TILEWRIGHT_DIALECT_PTX_IR_FOOTPRINT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace tilewright::ptx {

/// `bytes` times a digit of the block's number, (block / unit) % count; with unit 0 times any of 0 to
/// count - 1.
struct FootprintTerm {
  int64_t bytes = 0, count = 1, unit = 0;
};

/// `first` and the terms along one dimension; what is less than `least` or more than `most` is touched by
/// nobody.
struct FootprintDim {
  int64_t first = 0, least = 0, most = 0;
  llvm::SmallVector<FootprintTerm, 4> terms;
};

/// Elements of `width` bytes, `offset` bytes and the sums of the dimensions into the buffer.
struct FootprintAccess {
  int64_t offset = 0, width = 1;
  llvm::SmallVector<FootprintDim, 4> dims;
};

/// Blocks whose digit (block / unit) % count is one of first to last.
struct BlockSet {
  int64_t unit = 1, count = 1, first = 0, last = 0;
};

/// From the first byte to the one behind the last.
struct ByteSpan {
  int64_t from = 0, to = 0;
  bool isEmpty() const { return from >= to; }
  int64_t bytes() const { return to - from; }
  bool overlaps(ByteSpan other) const { return from < other.to && other.from < to; }
};

struct Footprint {
  std::vector<FootprintAccess> accesses;

  /// Bytes modulo `period` that blocks of `set` touch.
  ByteSpan touched(BlockSet set, int64_t period) const;
  mlir::ArrayAttr encode(mlir::MLIRContext *context) const;
  /// Nothing where the attribute is none that encode gives.
  static std::optional<Footprint> decode(mlir::Attribute attribute);
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_DIALECT_PTX_IR_FOOTPRINT_H
