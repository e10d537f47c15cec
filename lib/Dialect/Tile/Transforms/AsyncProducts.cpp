// tile-async-products: products of warpgroups read rings in shared memory and are started and awaited apart
// from one another. What fills a ring (acquire, copies, commit) and what reads it (wait, products, release)
// stand one after the other here; tile-specialise-roles parts them.

#include "Products.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Layout/GlobalAccess.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEASYNCPRODUCTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bytes of K that one instruction takes.
static constexpr int64_t kStepBytes = 32;

namespace {

/// Loads that fill the slots of one ring together: those of one block that products combine.
struct Feed {
  SmallVector<LoadOp> loads;
  SmallVector<DotOp> dots;
  Block *block = nullptr;
  int64_t stages = 1;
  /// One buffer for each load.
  SmallVector<Value> buffers;
  Value ring, slot, stage;

  /// The products stand beside the loads, not in loops inside.
  bool isInner() const {
    return llvm::all_of(dots, [&](DotOp dot) { return dot->getBlock() == block; });
  }
};

/// All warpgroup products of a kernel.
struct AsyncProducts {
  KernelOp kernel;
  ScheduleAttr schedule;
  SmallVector<DotOp> dots;
  SmallVector<Feed> feeds;
  /// The op behind which all products of a loop have ended.
  DenseMap<Operation *, Operation *> ended;

  LogicalResult run();
  LogicalResult gather();
  LogicalResult buildRing(Feed &feed);
  LogicalResult fill(Feed &feed);
  FailureOr<Value> slotNumber(Operation *at);
  bool runsOn(scf::ForOp loop) const;
  void pipeline(scf::ForOp loop);
  void finishAtOnce(DotOp dot);
  void releaseOuter(Feed &feed);
  Value start(OpBuilder &builder, DotOp dot, Value pending, Value accumulate);
  std::pair<Value, Value> operand(DotOp dot, unsigned index);
};

} // namespace

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !dense.isSplat())
    return false;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().isPosZero();
  return isa<IntegerType>(dense.getElementType()) && dense.getSplatValue<APInt>().isZero();
}

/// Iterations of a loop of constant bounds.
static std::optional<int64_t> tripCount(scf::ForOp loop) {
  auto low = getConstantIntValue(loop.getLowerBound()), high = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!low || !high || !step || *step <= 0)
    return std::nullopt;
  return llvm::divideCeil(*high - *low, *step);
}

static Value indexConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

//===-- Rings ---------------------------------------------------------------------------------------===//

LogicalResult AsyncProducts::gather() {
  kernel.walk([&](DotOp dot) {
    if (productUnit(dot) == ProductUnit::Wgmma)
      dots.push_back(dot);
  });
  // Loads of one block that a product combines belong together, and so do products that share a load.
  llvm::MapVector<Operation *, int> feedOf;
  for (DotOp dot : dots) {
    LoadOp lhs = operandLoad(dot.getLhs()), rhs = operandLoad(dot.getRhs());
    if (!rhs)
      return dot.emitOpError()
             << "of a warpgroup reads its right operand from shared memory, and this one is "
                "computed, not loaded";
    int64_t bytes = storageBits(getElementTypeOrSelf(dot.getLhs().getType())) / 8;
    if (int64_t k = shapeOf(dot.getLhs()).back(); k * bytes % kStepBytes != 0)
      return dot.emitOpError() << "of a warpgroup takes K in steps of " << kStepBytes / bytes
                               << " elements, the tile has " << k;
    for (LoadOp load : {lhs, rhs}) {
      if (!load)
        continue;
      if (load.getFill())
        return load.emitOpError() << "fills what is out of bounds, and feeds a warpgroup's product, which "
                                     "reads zeros there";
      int other = -1;
      if (load == rhs && lhs && lhs->getBlock() == rhs->getBlock())
        other = feedOf.lookup(lhs);
      auto [it, isNew] = feedOf.try_emplace(load, other >= 0 ? other : (int)feeds.size());
      if (!isNew && other >= 0 && it->second != other) {
        // Two groups that this product joins.
        int gone = it->second;
        for (auto &[op, feed] : feedOf)
          feed = feed == gone ? other : feed;
      } else if (isNew && other < 0) {
        feeds.emplace_back();
      }
    }
  }
  for (auto &[op, index] : feedOf) {
    Feed &feed = feeds[index];
    feed.loads.push_back(cast<LoadOp>(op));
    feed.block = op->getBlock();
    for (DotOp dot : dots)
      if ((operandLoad(dot.getLhs()) == op || operandLoad(dot.getRhs()) == op) &&
          !llvm::is_contained(feed.dots, dot))
        feed.dots.push_back(dot);
  }
  llvm::erase_if(feeds, [](const Feed &feed) { return feed.loads.empty(); });
  for (Feed &feed : feeds)
    llvm::sort(feed.loads, [](LoadOp a, LoadOp b) { return a->isBeforeInBlock(b); });
  return success();
}

LogicalResult AsyncProducts::buildRing(Feed &feed) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = feed.dots.front().getLoc();
  feed.stages = feed.isInner() ? schedule.getStages() : 1;
  int64_t bytes = 0;
  for (LoadOp load : feed.loads) {
    auto view = cast<ViewType>(load.getView().getType());
    ArrayRef<int64_t> shape = shapeOf(load.getResult());
    int rank = (int)shape.size(), bits = (int)storageBits(view.getElementType());
    // The contiguous dimension of memory is that of shared memory: the accelerator does not transpose.
    std::vector<int> order = layout::accessOrder(view.getView());
    llvm::stable_sort(order, [&](int a, int b) { return (shape[a] == 1) < (shape[b] == 1); });
    int fastest = order.front() == rank - 2 ? rank - 2 : rank - 1,
        other = fastest == rank - 1 ? rank - 2 : rank - 1;
    order = {fastest, other};
    for (int d = rank - 3; d >= 0; --d)
      order.push_back(d);
    if (bits != 16)
      for (DotOp dot : feed.dots)
        for (unsigned i : {0u, 1u})
          if (operandLoad(dot->getOperand(i)) == load && fastest != (i == 0 ? rank - 1 : rank - 2))
            return dot.emitOpError() << "operand #" << i << " of " << view.getElementType()
                                     << " is not contiguous along K, which a warpgroup's product needs for "
                                        "all but 16-bit types";
    auto shared = SharedLayout::tma({shape.begin(), shape.end()}, bits, order);
    if (!shared)
      return load.emitOpError() << "has rows of " << shape[fastest] * bits / 8
                                << " bytes, which are no multiple of 16: no warpgroup's product reads them";
    auto type = SharedType::get(kernel.getContext(), feed.stages, view.getElementType(), *shared);
    feed.buffers.push_back(AllocOp::create(builder, load.getLoc(), type, IntegerAttr()));
    bytes += type.getStages() * type.getStageBytes();
  }
  feed.ring = RingOp::create(builder, loc, RingType::get(kernel.getContext(), feed.stages), feed.buffers,
                             IntegerAttr(), builder.getI64IntegerAttr(schedule.getWarps() / 4));
  emitRemark(feed.dots.front(), Remark::RingStages, feed.stages - 1, feed.stages, bytes);
  return success();
}

/// How often the block of `at` has been entered before: its loops' iterations, counted through.
FailureOr<Value> AsyncProducts::slotNumber(Operation *at) {
  SmallVector<scf::ForOp> loops;
  for (Operation *op = at->getParentOp(); op != kernel; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return at->emitOpError() << "feeds a warpgroup's product from inside " << op->getName();
    loops.push_back(loop);
  }
  Location loc = at->getLoc();
  OpBuilder builder(kernel.getContext());
  Value number;
  for (scf::ForOp loop : llvm::reverse(loops)) {
    if (number) {
      std::optional<int64_t> trips = tripCount(loop);
      if (!trips)
        return loop.emitOpError() << "around the loads of a warpgroup's product needs a constant number of "
                                     "iterations";
      number = arith::MulIOp::create(builder, loc, number, indexConstant(builder, loc, *trips));
    }
    builder.setInsertionPointToStart(loop.getBody());
    Value iteration = loop.getInductionVar();
    if (getConstantIntValue(loop.getLowerBound()) != 0)
      iteration = arith::SubIOp::create(builder, loc, iteration, loop.getLowerBound());
    if (getConstantIntValue(loop.getStep()) != 1)
      iteration = arith::DivUIOp::create(builder, loc, iteration, loop.getStep());
    number = number ? arith::AddIOp::create(builder, loc, number, iteration).getResult() : iteration;
  }
  builder.setInsertionPoint(at);
  return number ? number : indexConstant(builder, loc, 0);
}

/// The copies of a slot, behind its acquire and before its commit; then the reader's wait.
LogicalResult AsyncProducts::fill(Feed &feed) {
  LoadOp first = feed.loads.front();
  FailureOr<Value> slot = slotNumber(first);
  if (failed(slot))
    return failure();
  // Behind the indices of all loads.
  OpBuilder builder(feed.loads.back());
  Location loc = first.getLoc();
  feed.slot = *slot;
  feed.stage = StageOfOp::create(builder, loc, builder.getIndexType(), feed.ring, feed.slot);
  const ScheduleOptions &options = schedule.getOptions();
  std::string refusal;
  for (auto [load, buffer] : llvm::zip_equal(feed.loads, feed.buffers)) {
    auto type = cast<SharedType>(buffer.getType());
    if (refusal.empty())
      (void)layout::tensorBoxes(type.getLayout(), cast<ViewType>(load.getView().getType()).getView(),
                                load.getDivisors().vec(), (int)storageBits(type.getElementType()), &refusal);
  }
  if (!refusal.empty() && options.copy == CopyUnit::Bulk)
    return first.emitOpError() << "cannot be a bulk copy: " << refusal;
  if (options.copy == CopyUnit::CpAsync)
    return first.emitOpError("cannot signal a ring by cp.async: copy must be bulk or plain");
  bool bulk = refusal.empty() && options.copy != CopyUnit::Plain;
  if (!refusal.empty())
    emitRemark(first, Remark::BulkRefused, refusal);
  AcquireOp::create(builder, loc, feed.ring, feed.slot);
  for (auto [load, buffer] : llvm::zip_equal(feed.loads, feed.buffers)) {
    if (bulk) {
      CopyBulkOp::create(builder, load.getLoc(), load.getView(), load.getIndices(), buffer, feed.stage,
                         feed.ring, feed.slot, load.getDivisors(), load.getInBounds());
      continue;
    }
    auto view = cast<ViewType>(load.getView().getType());
    ArrayRef<int64_t> shape = shapeOf(load.getResult()), divisors = load.getDivisors();
    int64_t warps = options.roles == Roles::None ? schedule.getWarps() : kProducerWarps;
    auto copyLayout =
        layout::coalescedFor(view.getView(), {shape.begin(), shape.end()}, {divisors.begin(), divisors.end()},
                             (int)storageBits(view.getElementType()), (int)warps);
    auto type =
        RankedTensorType::get(shape, view.getElementType(), LayoutAttr::get(kernel.getContext(), copyLayout));
    Value tile = LoadOp::create(builder, load.getLoc(), type, load.getView(), load.getIndices(),
                                load.getDivisors(), load.getInBounds(), TypedAttr());
    StoreSharedOp::create(builder, load.getLoc(), tile, buffer, feed.stage);
  }
  if (!bulk) {
    // Each thread's writes, then all threads': one thread commits.
    FenceAsyncOp::create(builder, loc);
    BarrierOp::create(builder, loc);
  }
  CommitOp::create(builder, loc, feed.ring, feed.slot);
  WaitOp::create(builder, loc, feed.ring, feed.slot);
  return success();
}

//===-- Products ------------------------------------------------------------------------------------===//

/// The operand in shared memory and its stage, or the tile and no stage.
std::pair<Value, Value> AsyncProducts::operand(DotOp dot, unsigned index) {
  LoadOp load = operandLoad(dot->getOperand(index));
  for (Feed &feed : feeds)
    for (auto [candidate, buffer] : llvm::zip_equal(feed.loads, feed.buffers))
      if (candidate == load)
        return {buffer, feed.stage};
  return {dot->getOperand(index), Value()};
}

Value AsyncProducts::start(OpBuilder &builder, DotOp dot, Value pending, Value accumulate) {
  auto [lhs, lhsStage] = operand(dot, 0);
  auto [rhs, rhsStage] = operand(dot, 1);
  return DotAsyncOp::create(builder, dot.getLoc(), pending.getType(), lhs, lhsStage, rhs, rhsStage, pending,
                            accumulate, dot.getTf32());
}

static Value constantBool(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Accumulators of `init`, or without values where that is zero.
static Value begin(OpBuilder &builder, Location loc, Value init) {
  auto type = PendingType::get(builder.getContext(), cast<RankedTensorType>(init.getType()));
  return BeginDotOp::create(builder, loc, type, isZero(init) ? Value() : init);
}

/// Whether all products of the loop's body sum up from iteration to iteration and are read by nothing else:
/// then one iteration's may run while the next one's are started.
bool AsyncProducts::runsOn(scf::ForOp loop) const {
  return llvm::all_of(dots, [&](DotOp dot) {
    if (dot->getBlock() != loop.getBody())
      return true;
    auto argument = dyn_cast<BlockArgument>(dot.getAccumulator());
    if (!argument || argument.getOwner() != loop.getBody() || argument.getArgNumber() == 0 ||
        !argument.hasOneUse() || !dot.getResult().hasOneUse())
      return false;
    OpOperand &use = *dot.getResult().use_begin();
    return isa<scf::YieldOp>(use.getOwner()) && use.getOperandNumber() + 1 == argument.getArgNumber();
  });
}

/// Products that run on: the slot of one iteration is released in the next, when its products have ended.
void AsyncProducts::pipeline(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<DotOp> own;
  for (DotOp dot : dots)
    if (dot->getBlock() == loop.getBody())
      own.push_back(dot);
  OpBuilder builder(own.back());
  Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                      loop.getLowerBound());
  OpBuilder behind(loop);
  behind.setInsertionPointAfter(loop);
  for (DotOp dot : own) {
    unsigned index = cast<BlockArgument>(dot.getAccumulator()).getArgNumber() - 1;
    OpOperand &init = loop.getInitArgsMutable()[index];
    bool empty = isZero(init.get());
    OpBuilder before(loop);
    Value pending = begin(before, dot.getLoc(), init.get());
    init.set(pending);
    loop.getRegionIterArg(index).setType(pending.getType());
    Value accumulate = empty ? later : constantBool(builder, dot.getLoc(), true);
    dot.getResult().replaceAllUsesWith(start(builder, dot, loop.getRegionIterArg(index), accumulate));
    Value result = loop.getResult(index);
    Type tile = result.getType();
    result.setType(pending.getType());
    auto await = AwaitOp::create(behind, dot.getLoc(), tile, result);
    result.replaceAllUsesExcept(await.getResult(), await);
    ended[loop] = await;
  }
  AwaitDotsOp::create(builder, loc, own.size());
  for (Feed &feed : feeds) {
    if (feed.block != loop.getBody())
      continue;
    auto guard = scf::IfOp::create(builder, loc, later, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(guard.thenBlock());
    Value previous = arith::SubIOp::create(inside, loc, feed.slot, indexConstant(inside, loc, 1));
    ReleaseOp::create(inside, loc, feed.ring, previous);
    // The last one, behind the loop: as many slots as iterations from the loop's first one.
    FailureOr<Value> outer = slotNumber(loop);
    int64_t trips = *tripCount(loop);
    Value last = indexConstant(behind, loc, trips - 1);
    if (succeeded(outer)) {
      Value base = arith::MulIOp::create(behind, loc, *outer, indexConstant(behind, loc, trips));
      last = arith::AddIOp::create(behind, loc, base, last);
    }
    ended[loop] = ReleaseOp::create(behind, loc, feed.ring, last);
  }
}

/// A product whose result is read at once.
void AsyncProducts::finishAtOnce(DotOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Value pending = begin(builder, loc, dot.getAccumulator());
  Value accumulate = constantBool(builder, loc, !isZero(dot.getAccumulator()));
  auto await = AwaitOp::create(builder, loc, dot.getType(), start(builder, dot, pending, accumulate));
  dot.getResult().replaceAllUsesWith(await.getResult());
  for (Feed &feed : feeds)
    if (feed.block == dot->getBlock() && feed.isInner() && feed.dots.back() == dot)
      ReleaseOp::create(builder, loc, feed.ring, feed.slot);
}

/// What products in loops inside the load's block read is released behind the last of these loops.
void AsyncProducts::releaseOuter(Feed &feed) {
  Operation *last = nullptr;
  for (DotOp dot : feed.dots) {
    Operation *top = feed.block->findAncestorOpInBlock(*dot);
    if (Operation *end = ended.lookup(top))
      top = end;
    if (!last || last->isBeforeInBlock(top))
      last = top;
  }
  OpBuilder builder(last);
  builder.setInsertionPointAfter(last);
  ReleaseOp::create(builder, last->getLoc(), feed.ring, feed.slot);
}

LogicalResult AsyncProducts::run() {
  schedule = kernel.getSchedule();
  if (failed(gather()))
    return failure();
  for (Feed &feed : feeds)
    if (failed(buildRing(feed)) || failed(fill(feed)))
      return failure();
  // Without roles nothing else makes the warps meet when one thread has made the barriers.
  if (!feeds.empty() && schedule.getOptions().roles == Roles::None) {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(feeds.front().ring.getDefiningOp());
    BarrierOp::create(builder, kernel.getLoc());
  }
  llvm::SmallSetVector<Operation *, 4> running;
  for (DotOp dot : dots)
    if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp()); loop && tripCount(loop) && runsOn(loop))
      running.insert(loop);
  for (DotOp dot : dots)
    if (!running.contains(dot->getParentOp()))
      finishAtOnce(dot);
  for (Operation *loop : running)
    pipeline(cast<scf::ForOp>(loop));
  for (Feed &feed : feeds)
    if (!feed.isInner())
      releaseOuter(feed);
  SmallVector<Operation *> dead;
  for (DotOp dot : dots)
    for (Value operand : {dot.getLhs(), dot.getRhs()})
      if (operandLoad(operand))
        for (Operation *op = operand.getDefiningOp(); op;
             op = isa<ConvertLayoutOp>(op) ? op->getOperand(0).getDefiningOp() : nullptr)
          if (!llvm::is_contained(dead, op))
            dead.push_back(op);
  for (DotOp dot : dots)
    dot.erase();
  for (Operation *op : dead)
    if (op->use_empty())
      op->erase();
  return success();
}

namespace {
struct AsyncProductsPass : tile::impl::TileAsyncProductsBase<AsyncProductsPass> {
  using Base::Base;
  void runOnOperation() override {
    AsyncProducts products;
    products.kernel = getOperation();
    if (failed(products.run()))
      signalPassFailure();
  }
};
} // namespace
