// What the lowering of asynchronous ops must know about the whole kernel: the boxes and tensor maps of bulk
// copies, the bytes that a slot expects, who fills and who reads rings.

#include "Async.h"

using namespace mlir;
using namespace tilewright;

/// Bytes that L2 fetches around each access of a tensor map.
static constexpr int64_t kL2Promotion = 128;

/// The kernel's argument that `view` lies on, or nothing.
static std::optional<unsigned> argumentOf(tile::KernelOp kernel, Value view) {
  while (auto other = view.getDefiningOp<tile::ViewOp>())
    view = other.getSource();
  auto argument = dyn_cast<BlockArgument>(view);
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

/// Whether `buffer` holds fp32 numbers that products alone read, as tf32: the accelerator rounds them on
/// their way, where the instruction would cut them off.
static bool isReadAsTf32(Value buffer) {
  bool found = false;
  for (Operation *user : buffer.getUsers()) {
    if (auto dot = dyn_cast<tile::DotAsyncOp>(user)) {
      if (!dot.getTf32())
        return false;
      found = true;
    } else if (!isa<tile::CopyBulkOp, tile::RingOp>(user)) {
      return false;
    }
  }
  return found;
}

static FailureOr<AsyncFacts::Bulk> bulkOf(tile::KernelOp kernel, Operation *op, Value viewValue,
                                          tile::SharedType buffer, ArrayRef<int64_t> divisors,
                                          int64_t sharers, AsyncFacts &facts) {
  auto view = cast<tile::ViewType>(viewValue.getType());
  std::optional<unsigned> argument = argumentOf(kernel, viewValue);
  if (!argument)
    return op->emitError("copies from a view that is no argument of the kernel");
  std::string why;
  int bits = (int)tile::storageBits(view.getElementType());
  auto boxes = layout::tensorBoxes(buffer.getLayout(), view.getView(), divisors.vec(), bits, &why, sharers);
  if (!boxes)
    return op->emitError() << "has no tensor map: " << why;
  if (isa<tile::StoreBulkOp>(op) && boxes->few > 0)
    return op->emitError() << "is stored by " << boxes->parts << " warpgroups in parts that are not equal";
  int64_t alignment = layout::asyncAlignment(boxes->swizzleBytes);
  if (buffer.getStages() > 1 && buffer.getStageBytes() % alignment != 0)
    return op->emitError() << "writes stages of " << buffer.getStageBytes() << " bytes, no multiple of "
                           << alignment << ", which its swizzle counts from";
  Type element = view.getElementType();
  if (auto copy = dyn_cast<tile::CopyBulkOp>(op); copy && element.isF32() && isReadAsTf32(copy.getBuffer()))
    element = FloatTF32Type::get(op->getContext());
  // Truth values are bytes in memory.
  if (element.isInteger((unsigned)1))
    element = IntegerType::get(op->getContext(), (unsigned)bits);
  Operation *where = op;
  auto map = ptx::TensorMapAttr::getChecked(
      [&] { return where->emitError("has no tensor map: "); }, op->getContext(), (int64_t)*argument, element,
      ArrayRef<int64_t>(boxes->dims), ArrayRef<int64_t>(boxes->strides), ArrayRef<int64_t>(boxes->box),
      ArrayRef<int64_t>(), boxes->offsetBytes, (int64_t)boxes->swizzleBytes,
      /*interleave=*/(int64_t)0, kL2Promotion, /*nan=*/false);
  if (!map)
    return failure();
  auto found = llvm::find(facts.maps, map);
  unsigned index = found - facts.maps.begin();
  if (found == facts.maps.end())
    facts.maps.push_back(map);
  return AsyncFacts::Bulk{std::move(*boxes), facts.firstMap + index};
}

/// Whether `op` writes or reads one of `ring`'s buffers by the threads themselves.
template <typename Op> static bool touches(Op op, tile::RingOp ring) {
  return llvm::is_contained(ring.getBuffers(), op.getBuffer());
}

/// Of all commits of the acquire's ring.
static void commitLike(tile::KernelOp kernel, tile::AcquireOp acquire, AsyncFacts::Fill fill,
                       AsyncFacts &facts) {
  kernel.walk([&](tile::CommitOp commit) {
    if (commit.getRing() == acquire.getRing())
      facts.commits[commit] = fill;
  });
}

/// What fills the slot between `acquire` and its commit, which stands in the same block unless it is
/// deferred.
static LogicalResult findFill(tile::KernelOp kernel, tile::AcquireOp acquire, AsyncFacts &facts) {
  auto ring = acquire.getRing().getDefiningOp<tile::RingOp>();
  if (!ring)
    return acquire.emitError("takes a slot of a ring that is not made in this kernel");
  AsyncFacts::Fill fill;
  int64_t bytes = 0;
  bool deferred = acquire->hasAttr(tile::AcquireOp::getDeferredAttrName());
  for (Operation *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    if (auto commit = dyn_cast<tile::CommitOp>(op);
        commit && commit.getRing() == acquire.getRing() && commit.getSlot() == acquire.getSlot()) {
      facts.bytes[acquire] = bytes;
      facts.commits[commit] = fill;
      // One arrival for the bulk copies, one of the thread that speaks for the others.
      int64_t &arrivals = facts.arrivals[ring];
      if (arrivals && arrivals != fill.arrivals())
        return commit.emitError("fills the ring in another way than the commits before it");
      arrivals = fill.arrivals();
      if (arrivals == 0)
        return commit.emitError("commits a slot that nothing was copied to");
      return success();
    }
    bool misplaced = false;
    op->walk([&](Operation *inner) {
      if (auto copy = dyn_cast<tile::CopyBulkOp>(inner); copy && copy.getRing() == acquire.getRing()) {
        misplaced |= inner != op || copy.getSlot() != acquire.getSlot();
        fill.bulk = true;
        bytes += facts.bulk[copy].boxes.bytes;
      } else if (auto store = dyn_cast<tile::StoreSharedOp>(inner)) {
        fill.stores |= touches(store, ring);
      } else if (auto async = dyn_cast<tile::CopyAsyncOp>(inner)) {
        fill.copies |= touches(async, ring);
      } else if (auto wait = dyn_cast<tile::WaitAsyncOp>(inner); wait && wait.getPending() == 0) {
        // What has arrived counts as stored.
        fill.stores |= fill.copies;
        fill.copies = false;
      }
    });
    if (misplaced)
      return op->emitError("copies to a slot that its block did not acquire");
  }
  if (!deferred)
    return acquire.emitError("is not followed by a commit of its slot in the same block");
  // Threads have awaited what they copied when they commit.
  fill.stores |= fill.copies;
  fill.copies = false;
  if (!fill.arrivals())
    return acquire.emitError("takes a slot that nothing is copied to");
  facts.bytes[acquire] = bytes;
  facts.arrivals[ring] = fill.arrivals();
  commitLike(kernel, acquire, fill, facts);
  return success();
}

/// A slot whose copies start at different times: one to each buffer of the ring.
static LogicalResult findPartedFill(tile::KernelOp kernel, tile::AcquireOp acquire, AsyncFacts &facts) {
  auto ring = acquire.getRing().getDefiningOp<tile::RingOp>();
  if (!ring)
    return acquire.emitError("takes a slot of a ring that is not made in this kernel");
  int64_t bytes = 0;
  for (Value buffer : ring.getBuffers()) {
    int64_t own = 0;
    for (Operation *user : buffer.getUsers())
      if (auto copy = dyn_cast<tile::CopyBulkOp>(user); copy && copy.getRing() == acquire.getRing()) {
        int64_t of = facts.bulk[copy].boxes.bytes;
        if (own && own != of)
          return copy.emitError() << "brings " << of << " bytes to a buffer that gets " << own
                                  << " elsewhere";
        own = of;
      }
    if (!own)
      return acquire.emitError("takes a slot in parts of which some is not filled by bulk copies");
    bytes += own;
  }
  facts.bytes[acquire] = bytes;
  AsyncFacts::Fill fill;
  fill.bulk = true;
  facts.arrivals[ring] = fill.arrivals();
  commitLike(kernel, acquire, fill, facts);
  return success();
}

/// The op before `op` that does more than compute scalars.
static Operation *effectBefore(Operation *op) {
  do
    op = op->getPrevNode();
  while (op && op->getNumRegions() == 0 && isPure(op) && !isa<tile::BeginDotOp>(op));
  return op;
}

/// Whether all products of the loop's body have ended where a step of it ends.
static bool endsInSteps(scf::ForOp loop) {
  for (Operation &op : llvm::reverse(*loop.getBody())) {
    if (auto wait = dyn_cast<tile::AwaitDotsOp>(op); wait && wait.getPending() == 0)
      return true;
    if (isa<tile::DotAsyncOp>(op) || op.getNumRegions())
      return false;
  }
  return false;
}

/// Products one right behind the other are one group: their registers are fenced and committed once. An
/// operand in registers must be there in front of the group.
static void findGroups(tile::KernelOp kernel, AsyncFacts &facts) {
  auto isThere = [](tile::DotAsyncOp dot, Operation *first) {
    Operation *lhs = dot.getLhs().getDefiningOp();
    return !isa<RankedTensorType>(dot.getLhs().getType()) ||
           (lhs && lhs->getBlock() == first->getBlock() && lhs->isBeforeInBlock(first));
  };
  kernel.walk([&](tile::DotAsyncOp dot) {
    auto before = dyn_cast_or_null<tile::DotAsyncOp>(effectBefore(dot));
    Operation *first = before ? facts.first.lookup(before) : nullptr;
    if (!first)
      first = before;
    if (!before || !isThere(dot, first))
      return;
    facts.first[dot] = first;
    facts.joins.insert(dot);
    facts.isJoined.insert(before);
  });
  // What adds a later part of K commits those before it.
  kernel.walk([&](tile::DotAsyncOp dot) {
    auto before = dot.getAccumulator().getDefiningOp<tile::DotAsyncOp>();
    if (dot.getFirst() && before && before->getBlock() == dot->getBlock() && !facts.joins.contains(dot))
      facts.isJoined.insert(before);
  });
  // Of the products that a wait leaves in flight those of its block are counted; it may wait for more.
  auto countGroups = [&](Operation *wait, int64_t left) {
    int64_t groups = 0;
    for (Operation *op = wait->getPrevNode(); op && left > 0; op = op->getPrevNode()) {
      if (!isa<tile::DotAsyncOp>(op))
        continue;
      groups += !facts.joins.contains(op);
      --left;
    }
    facts.groups[wait] = groups;
  };
  kernel.walk([&](tile::AwaitDotsOp wait) { countGroups(wait, (int64_t)wait.getPending()); });
  kernel.walk([&](tile::AwaitOp await) { countGroups(await, (int64_t)await.getPending()); });
  kernel.walk([&](tile::AwaitOp await) {
    if (auto before = dyn_cast_or_null<tile::AwaitOp>(effectBefore(await));
        before && before.getPending() <= await.getPending())
      facts.afterAwait.insert(await);
    if (auto loop = await.getInput().getDefiningOp<scf::ForOp>(); loop && endsInSteps(loop))
      facts.afterAwait.insert(await);
  });
}

FailureOr<AsyncFacts> tilewright::findAsyncFacts(tile::KernelOp kernel) {
  AsyncFacts facts;
  findGroups(kernel, facts);
  facts.firstMap = kernel.getArgumentTypes().size();
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    FailureOr<AsyncFacts::Bulk> bulk = failure();
    if (auto copy = dyn_cast<tile::CopyBulkOp>(op))
      bulk = bulkOf(kernel, op, copy.getView(), copy.getBuffer().getType(), copy.getDivisors(),
                    copy.getSharers().first, facts);
    else if (auto store = dyn_cast<tile::StoreBulkOp>(op))
      bulk = bulkOf(kernel, op, store.getView(), store.getBuffer().getType(), store.getDivisors(),
                    tile::warpgroupsApart(op), facts);
    else {
      facts.forHopper |= isa<tile::DotAsyncOp, tile::RingOp>(op);
      facts.pushes |= isa<tile::PushPartsOp>(op);
      return WalkResult::advance();
    }
    if (failed(bulk))
      return WalkResult::interrupt();
    facts.forHopper = true;
    if (auto copy = dyn_cast<tile::CopyBulkOp>(op)) {
      auto [sharers, apart] = copy.getSharers();
      bulk->apart = apart;
      bulk->clusterBlocks = kernel.getClusterBlocks();
      if (sharers > 1 && sharers * apart > bulk->clusterBlocks)
        return copy.emitError() << "is shared by " << sharers << " blocks whose numbers are " << apart
                                << " apart, the kernel's clusters have " << bulk->clusterBlocks;
    }
    facts.bulk[op] = std::move(*bulk);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk([&](tile::AcquireOp acquire) -> WalkResult {
    return acquire->hasAttr(tile::AcquireOp::getPartedAttrName()) ? findPartedFill(kernel, acquire, facts)
                                                                  : findFill(kernel, acquire, facts);
  });
  if (result.wasInterrupted())
    return failure();
  // Readers by load_shared: all threads of an instance must be done before one says so.
  result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto commit = dyn_cast<tile::CommitOp>(op); commit && !facts.commits.count(op))
      return commit.emitError("commits a slot that its block did not acquire");
    auto release = dyn_cast<tile::ReleaseOp>(op);
    if (!release)
      return WalkResult::advance();
    auto ring = release.getRing().getDefiningOp<tile::RingOp>();
    if (!ring)
      return release.emitError("releases a slot of a ring that is not made in this kernel");
    auto [rows, columns] = ring.getPeers();
    if (rows * columns > 1 && rows * columns != kernel.getClusterBlocks())
      return ring.emitError() << "is filled by " << rows << "x" << columns
                              << " blocks, the kernel's clusters have " << kernel.getClusterBlocks();
    facts.peers[release] = {rows, columns};
    for (Value buffer : ring.getBuffers())
      for (Operation *user : buffer.getUsers())
        if (isa<tile::LoadSharedOp>(user))
          facts.readByThreads.insert(release);
        else if (isa<tile::CopyBulkOp>(user))
          facts.filledInBulk.insert(release);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return facts;
}
