// tile-allocate-shared: offsets for buffers and for the partial results of reductions. A buffer lives from
// its first to its last use in the order of the kernel's top-level ops; buffers of disjoint lives share
// bytes.

#include "ScratchBytes.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/LinearLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEALLOCATESHARED
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// One range of shared memory and its life in top-level positions.
struct Buffer {
  Operation *op;
  int64_t bytes = 0;
  int first = 0, last = 0;
  int64_t offset = 0;
  /// Top-level op of the first use.
  Operation *firstUse = nullptr;
  /// The bytes that may still be in use right after the last use: all, or one stage of a ring.
  int64_t busyOffset = 0, busyBytes = 0;

  /// Whether `other`, which lives later, takes bytes that may still be in use.
  bool mustFinishBefore(const Buffer &other) const {
    int64_t begin = offset + busyOffset;
    return last < other.first && begin < other.offset + other.bytes && other.offset < begin + busyBytes;
  }
};

} // namespace

FailureOr<int64_t> tile::scratchBytes(ReduceOp op) {
  LayoutAttr layout = getLayout(op.getInputs()[0].getType());
  if (!layout)
    return op.emitError() << "reduces tiles without layouts; run tile-assign-layouts";
  auto plan = layout::reductionPlan(layout.getLayout(), {(int)op.getDim()});
  if (!plan)
    return op.emitError() << "the layout " << layout.getLayout().toString()
                          << " cannot be reduced along dimension " << op.getDim();
  if (!plan->needsSharedMemory())
    return 0;
  int64_t bytes = 0, elems = 1;
  for (int64_t size : plan->partials.shape())
    elems *= size;
  for (Value input : op.getInputs())
    bytes += llvm::alignTo(elems * storageBits(getElementTypeOrSelf(input.getType())) / 8, 16);
  return bytes;
}

namespace {
struct AllocateShared : tile::impl::TileAllocateSharedBase<AllocateShared> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    Block &body = kernel.getBody().front();
    DenseMap<Operation *, int> position;
    for (auto [i, op] : llvm::enumerate(body))
      position[&op] = (int)i;
    SmallVector<Buffer> buffers;
    bool broken = false;
    kernel.walk([&](Operation *op) {
      Buffer buffer;
      buffer.op = op;
      if (auto alloc = dyn_cast<AllocOp>(op)) {
        buffer.bytes = alloc.getType().getStages() * alloc.getType().getStageBytes();
        buffer.first = INT_MAX;
        for (Operation *user : alloc->getUsers()) {
          Operation *top = body.findAncestorOpInBlock(*user);
          if (position[top] < buffer.first) {
            buffer.first = position[top];
            buffer.firstUse = top;
          }
          buffer.last = std::max(buffer.last, position[top]);
        }
        if (!buffer.firstUse)
          return;
        if (auto stage = alloc->getAttrOfType<IntegerAttr>(AllocOp::getLastStageAttrName())) {
          buffer.busyBytes = alloc.getType().getStageBytes();
          buffer.busyOffset = stage.getInt() * buffer.busyBytes;
        }
      } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
        FailureOr<int64_t> bytes = scratchBytes(reduce);
        broken |= failed(bytes);
        if (failed(bytes) || *bytes == 0)
          return;
        buffer.bytes = *bytes;
        buffer.firstUse = body.findAncestorOpInBlock(*op);
        buffer.first = buffer.last = position[buffer.firstUse];
      } else {
        return;
      }
      if (!buffer.busyBytes)
        buffer.busyBytes = buffer.bytes;
      buffers.push_back(buffer);
    });
    if (broken)
      return signalPassFailure();
    llvm::stable_sort(buffers, [](const Buffer &a, const Buffer &b) { return a.first < b.first; });
    int64_t total = 0;
    SmallVector<const Buffer *> placed;
    for (Buffer &buffer : buffers) {
      // First fit among the buffers that live at the same time.
      SmallVector<std::pair<int64_t, int64_t>> taken;
      for (const Buffer *other : placed)
        if (other->last >= buffer.first)
          taken.push_back({other->offset, other->offset + other->bytes});
      llvm::sort(taken);
      buffer.offset = 0;
      for (auto [begin, end] : taken) {
        if (buffer.offset + buffer.bytes <= begin)
          break;
        buffer.offset = std::max(buffer.offset, (int64_t)llvm::alignTo(end, 128));
      }
      // Bytes of a buffer that is dead by now: all threads must be done with it.
      bool reuses =
          llvm::any_of(placed, [&](const Buffer *other) { return other->mustFinishBefore(buffer); });
      if (reuses) {
        OpBuilder builder(buffer.firstUse);
        BarrierOp::create(builder, buffer.op->getLoc());
      }
      total = std::max(total, buffer.offset + buffer.bytes);
      placed.push_back(&buffer);
      Builder builder(kernel.getContext());
      if (auto alloc = dyn_cast<AllocOp>(buffer.op))
        alloc.setOffset(buffer.offset);
      else
        cast<ReduceOp>(buffer.op).setScratch(buffer.offset);
    }
    if (total)
      kernel->setAttr(KernelOp::getSharedBytesAttrName(),
                      Builder(kernel.getContext()).getI64IntegerAttr(total));
  }
};
} // namespace
