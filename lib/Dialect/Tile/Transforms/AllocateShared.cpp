// tile-allocate-shared: offsets for buffers and for what reductions, scans, sorts and look-backs exchange. A
// buffer lives from its first to its last use in the order of the kernel's top-level ops; buffers of disjoint
// lives share bytes, and so do those of a loop's body that are used in turn.

#include "ScratchBytes.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Layout/LinearLayout.h"
#include "Tilewright/Layout/Scan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEALLOCATESHARED
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// Buffers up to so many bytes get bytes of their own: sharing them would cost a barrier.
static constexpr int64_t kSmallBytes = 256;
/// A full and an empty barrier of a ring's stage; a ticket that the block's threads read.
static constexpr int64_t kBarrierBytes = 16, kTicketBytes = 16;

/// One range of shared memory and its life in top-level positions.
struct Buffer {
  Operation *op;
  int64_t bytes = 0, alignment = 128;
  int first = 0, last = 0;
  int64_t offset = 0;
  /// Whether a ring feeds products from it, and whether it is used when these have ended.
  bool ofRing = false, behindRings = false;
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

/// Bytes of one value of each input for `elems` elements.
static int64_t bytesOfStates(OperandRange inputs, int64_t elems) {
  int64_t bytes = 0;
  for (Value input : inputs)
    bytes += llvm::alignTo(elems * storageBits(getElementTypeOrSelf(input.getType())) / 8, 16);
  return bytes;
}

static FailureOr<int64_t> scratchBytesOfRows(Operation *op, int64_t dim) {
  LayoutAttr attr = getLayout(op->getOperand(0).getType());
  if (!attr)
    return op->emitError() << "goes along tiles without layouts; run tile-assign-layouts";
  const layout::LinearLayout &layout = attr.getLayout();
  auto fails = [&] {
    return op->emitError() << "cannot go along dimension " << dim << " of the layout " << layout.toString();
  };
  if (isa<SortOp>(op)) {
    auto bits = layout::indexBits(layout, (int)dim);
    if (!bits || layout.repeat()[dim] != 1)
      return fails();
    bool crosses = llvm::any_of(*bits, [](const layout::HwBit &bit) { return bit.hw == layout::Hw::Warp; });
    return crosses ? bytesOfStates(op->getOperands(), (int64_t)layout.numThreads() * layout.numRegisters())
                   : 0;
  }
  auto plan = layout::scanPlan(layout, (int)dim);
  if (!plan)
    return fails();
  if (plan->warpBits.empty())
    return 0;
  const layout::LinearLayout totals = layout.project({(int)dim}).layout;
  int64_t kept = layout::totalsLayout(totals, storageWidths(op->getOperands())).sizeElems();
  return plan->rounds * plan->numWarps() * bytesOfStates(op->getOperands(), kept);
}

FailureOr<int64_t> tile::scratchBytes(Operation *any) {
  if (auto scan = dyn_cast<ScanOp>(any))
    return scratchBytesOfRows(scan, scan.getDim());
  if (auto sort = dyn_cast<SortOp>(any))
    return scratchBytesOfRows(sort, sort.getDim());
  if (isa<TakeTicketOp>(any))
    return kTicketBytes;
  // Totals of this piece, and those of the pieces before.
  if (auto back = dyn_cast<LookBackOp>(any))
    return 2 * bytesOfStates(back.getTotals(),
                             cast<RankedTensorType>(back.getTotals()[0].getType()).getNumElements());
  auto op = dyn_cast<ReduceOp>(any);
  if (!op)
    return 0;
  LayoutAttr layout = getLayout(op.getInputs()[0].getType());
  if (!layout)
    return op.emitError() << "reduces tiles without layouts; run tile-assign-layouts";
  auto plan = layout::reductionPlan(layout.getLayout(), {(int)op.getDim()});
  if (!plan)
    return op.emitError() << "the layout " << layout.getLayout().toString()
                          << " cannot be reduced along dimension " << op.getDim();
  int64_t bytes = 0, kept = 1;
  for (int64_t size : cast<RankedTensorType>(op.getResult(0).getType()).getShape())
    kept *= size;
  std::vector<int> widths = storageWidths(op.getInputs());
  if (plan->needsSharedMemory())
    bytes += bytesOfStates(op.getInputs(), layout::partialsLayout(*plan, widths).sizeElems());
  if (plan->folded)
    bytes += bytesOfStates(op.getInputs(), layout::foldedLayout(*plan, widths).sizeElems());
  if (op.getBlocks() > 1)
    bytes += bytesOfStates(op.getInputs(), kept) *
             (layout::foldedAcrossBlocks(*plan, (int64_t)op.getBlocks()) ? 2 : 1);
  return bytes;
}

/// Whether the tensor memory accelerator or warpgroup products touch `buffer`, whose swizzle then counts from
/// the address.
static bool isAsync(Value buffer) {
  return llvm::any_of(buffer.getUses(), [](OpOperand &use) {
    if (auto role = dyn_cast<RoleOp>(use.getOwner()))
      return isAsync(role.getBody().getArgument(use.getOperandNumber() + 1));
    return isa<CopyBulkOp, StoreBulkOp, DotAsyncOp>(use.getOwner());
  });
}

static int64_t alignmentOf(AllocOp alloc) {
  std::optional<int> span =
      layout::asyncSpan(alloc.getType().getLayout(), (int)storageBits(alloc.getType().getElementType()));
  return span && isAsync(alloc) ? layout::asyncAlignment(*span) : 128;
}

/// A reduction whose results other blocks of the cluster read at a time of their own.
static bool isOfCluster(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce.getBlocks() > 1;
}

/// Instances of the role around `op`, 1 outside of roles.
static int64_t instancesAround(Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  return role ? (int64_t)role.getInstances() : 1;
}

/// The first and the last of the ops that use the buffer, where threads do so themselves, all in its block.
static std::optional<std::pair<Operation *, Operation *>> usesBeside(AllocOp alloc) {
  Operation *first = nullptr, *last = nullptr;
  for (Operation *user : alloc->getUsers()) {
    if (!isa<StoreSharedOp, LoadSharedOp>(user) || user->getBlock() != alloc->getBlock())
      return std::nullopt;
    if (!first || user->isBeforeInBlock(first))
      first = user;
    if (!last || last->isBeforeInBlock(user))
      last = user;
  }
  return first ? std::optional(std::pair(first, last)) : std::nullopt;
}

/// Whether all threads meet between two ops of a block, or between its beginning and `to`.
static bool haveBarrier(Operation *from, Operation *to) {
  Operation *op = from ? from->getNextNode() : &to->getBlock()->front();
  while (op != to && !isa<BarrierOp>(op))
    op = op->getNextNode();
  return op != to;
}

/// Whether two buffers of one block, as that of a loop's body, are used one after the other, with barriers in
/// between, each time that the block runs.
static bool areInTurn(Operation *one, Operation *other) {
  auto a = dyn_cast<AllocOp>(one), b = dyn_cast<AllocOp>(other);
  if (!a || !b || a->getBlock() != b->getBlock() || isa<KernelOp>(a->getParentOp()))
    return false;
  auto usesA = usesBeside(a), usesB = usesBeside(b);
  if (!usesA || !usesB)
    return false;
  if (usesB->first->isBeforeInBlock(usesA->first))
    std::swap(usesA, usesB);
  return usesA->second->isBeforeInBlock(usesB->first) && haveBarrier(usesA->second, usesB->first) &&
         haveBarrier(nullptr, usesA->first);
}

namespace {
struct AllocateShared : tile::impl::TileAllocateSharedBase<AllocateShared> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    Block &body = kernel.getBody().front();
    // What rings feed runs at times of its own, roles at the same time: there all buffers live as long as the
    // kernel.
    bool hasRings = !body.getOps<RingOp>().empty();
    DenseMap<Operation *, int> position;
    for (auto [i, op] : llvm::enumerate(body))
      position[&op] = hasRings ? 0 : (int)i;
    SmallVector<Buffer> buffers;
    bool broken = false;
    kernel.walk([&](Operation *op) {
      Buffer buffer;
      buffer.op = op;
      if (auto alloc = dyn_cast<AllocOp>(op)) {
        buffer.bytes = alloc.getType().getStages() * alloc.getType().getStageBytes() * instancesAround(alloc);
        buffer.alignment = alignmentOf(alloc);
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
        buffer.ofRing = llvm::any_of(alloc->getUsers(), llvm::IsaPred<RingOp>);
        buffer.behindRings = alloc->hasAttr(AllocOp::getBehindRingsAttrName());
        if (auto stage = alloc->getAttrOfType<IntegerAttr>(AllocOp::getLastStageAttrName())) {
          buffer.busyBytes = alloc.getType().getStageBytes();
          buffer.busyOffset = stage.getInt() * buffer.busyBytes;
        }
      } else if (isa<ReduceOp, ScanOp, SortOp, TakeTicketOp, LookBackOp>(op)) {
        FailureOr<int64_t> bytes = scratchBytes(op);
        broken |= failed(bytes);
        if (failed(bytes) || *bytes == 0)
          return;
        buffer.bytes = *bytes * instancesAround(op);
        buffer.firstUse = body.findAncestorOpInBlock(*op);
        buffer.first = buffer.last = position[buffer.firstUse];
        if (isOfCluster(op)) // a barrier of this block does not tell that the others have read
          buffer.last = INT_MAX - 1;
      } else if (auto ring = dyn_cast<RingOp>(op)) {
        buffer.bytes = ring.getResult().getType().getStages() * kBarrierBytes;
        buffer.firstUse = op;
        buffer.first = buffer.last = INT_MAX; // behind the buffers, which are aligned
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
        if (hasRings ? !(other->ofRing && buffer.behindRings) && !(buffer.ofRing && other->behindRings)
                     : (other->last >= buffer.first && !areInTurn(other->op, buffer.op)) ||
                           (other->bytes <= kSmallBytes && buffer.bytes <= kSmallBytes))
          taken.push_back({other->offset, other->offset + other->bytes});
      llvm::sort(taken);
      buffer.offset = 0;
      for (auto [begin, end] : taken) {
        if (buffer.offset + buffer.bytes <= begin)
          break;
        buffer.offset = std::max(buffer.offset, (int64_t)llvm::alignTo(end, buffer.alignment));
      }
      // Bytes of a buffer that is dead by now: all threads must be done with it.
      bool reuses = !hasRings && llvm::any_of(placed, [&](const Buffer *other) {
        return other->mustFinishBefore(buffer);
      });
      if (reuses) {
        OpBuilder builder(buffer.firstUse);
        BarrierOp::create(builder, buffer.op->getLoc());
      }
      total = std::max(total, buffer.offset + buffer.bytes);
      placed.push_back(&buffer);
      Builder builder(kernel.getContext());
      if (auto alloc = dyn_cast<AllocOp>(buffer.op))
        alloc.setOffset(buffer.offset);
      else if (auto ring = dyn_cast<RingOp>(buffer.op))
        ring.setOffset(buffer.offset);
      else
        buffer.op->setAttr(kScratchAttrName, builder.getI64IntegerAttr(buffer.offset));
    }
    if (total)
      kernel->setAttr(KernelOp::getSharedBytesAttrName(),
                      Builder(kernel.getContext()).getI64IntegerAttr(total));
  }
};
} // namespace
