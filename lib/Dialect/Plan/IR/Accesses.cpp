// Byte ranges of buffers and the accesses of ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Accesses.h"

using namespace mlir;
using namespace tilewright::plan;

ByteRange tilewright::plan::byteRangeOf(Value buffer) {
  ByteRange range;
  range.bytes = cast<BufferType>(buffer.getType()).getBytes();
  while (auto view = buffer.getDefiningOp<ViewOp>()) {
    range.offset += view.getOffset();
    buffer = view.getSource();
  }
  range.base = buffer.getDefiningOp();
  return range;
}

Accesses tilewright::plan::accessesOf(Operation *op) {
  Accesses accesses;
  auto add = [](SmallVector<ByteRange> &ranges, ValueRange buffers) {
    for (Value buffer : buffers)
      ranges.push_back(byteRangeOf(buffer));
  };
  if (auto launch = dyn_cast<LaunchOp>(op); launch && launch.hasBuffers()) {
    add(accesses.reads, launch.getArgs());
    add(accesses.writes, launch.getInto());
  } else if (auto copy = dyn_cast<CopyOp>(op)) {
    add(accesses.reads, copy.getSource());
    add(accesses.writes, copy.getInto());
  } else if (auto fill = dyn_cast<FillOp>(op)) {
    add(accesses.writes, fill.getInto());
  }
  return accesses;
}

SmallVector<Value> tilewright::plan::waitsOf(Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    SmallVector<Value> events(launch.getAfter());
    llvm::append_range(events, launch.getProgrammatic());
    return events;
  }
  if (auto copy = dyn_cast<CopyOp>(op))
    return SmallVector<Value>(copy.getAfter());
  return SmallVector<Value>(cast<FillOp>(op).getAfter());
}

bool tilewright::plan::conflict(const Accesses &a, const Accesses &b) {
  auto anyOverlap = [](ArrayRef<ByteRange> left, ArrayRef<ByteRange> right) {
    return llvm::any_of(left, [&](const ByteRange &l) {
      return llvm::any_of(right, [&](auto &r) { return l.overlaps(r); });
    });
  };
  return anyOverlap(a.writes, b.writes) || anyOverlap(a.writes, b.reads) || anyOverlap(a.reads, b.writes);
}
