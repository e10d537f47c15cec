// tile-divide-steps: persistent blocks take equal shares of the steps of all tiles' sums (stream-K, arXiv
// 2301.03598) where whole tiles would leave many of them idle. What a block does is a constant list of
// segments; sums of parts of a tile are handed over through a workspace, by flags, in a fixed order.

#include "Products.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/WorkLists.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::Segment;
using layout::StridedView;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEDIVIDESTEPS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

static constexpr int64_t kPartAlignment = 256;
/// Entries of the longest lists.
static constexpr size_t kMostSegments = 1 << 16;

namespace {

/// A kernel whose tiles' sums are divided.
struct DividedSteps {
  KernelOp kernel;
  scf::ForOp steps;
  layout::WorkLists lists;
  OpBuilder builder;
  Location loc;
  /// Workspace arguments: a flag for each block, and a part of each sum for each block.
  Value flags;
  SmallVector<Value> parts;
  /// The running block and segment, and of the latter: the tile, its first step, the first slot's number and
  /// that behind its last one, parts to add.
  Value block, segment, tile, first, slot, end, added;
  /// By segment: the number of its tile.
  std::vector<int32_t> tiles;

  DividedSteps(KernelOp kernel, scf::ForOp steps, layout::WorkLists lists)
      : kernel(kernel), steps(steps), lists(std::move(lists)),
        builder(OpBuilder::atBlockBegin(&kernel.getBody().front())), loc(kernel.getLoc()) {}

  void run();
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value lookup(Value place, ArrayRef<int32_t> list) {
    return LookupOp::create(builder, loc, builder.getIndexType(), place, list);
  }
  void addWorkspace();
  scf::ForOp createSegments();
  void joinLists();
  void numberSteps(int64_t all);
  void giveParts();
  Value blockBefore(Value place);
  SmallVector<Value> addParts();
  std::pair<SmallVector<Value>, SmallVector<int64_t>> placeOf(Value sum, Value owner);
};

} // namespace

//===-- What can be divided ---------------------------------------------------------------------------===//

/// The loop over K of the kernel's products; null where K is one step. Fails where there are several.
static FailureOr<scf::ForOp> loopOfProducts(KernelOp kernel) {
  scf::ForOp found;
  bool alone = true;
  kernel.walk([&](DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    if (dot->getParentOp() == kernel)
      return; // K is one step
    alone &= loop && loop->getParentOp() == kernel && (!found || found == loop);
    found = loop;
  });
  if (!alone)
    return kernel.emitOpError(
        "has stream_k in its schedule, which divides the steps of one loop of products, "
        "and more loops than that");
  return found;
}

/// Whether `value` is `argument` and something added to it, which nothing else reads on the way.
static bool isSumOnto(Value value, Value argument) {
  if (!argument.hasOneUse())
    return false;
  while (value != argument) {
    Operation *op = value.getDefiningOp();
    if (!value.hasOneUse())
      return false;
    if (auto dot = dyn_cast_or_null<DotOp>(op))
      value = dot.getAccumulator();
    else if (isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op))
      value = op->getOperand(0) == argument ? op->getOperand(0) : op->getOperand(1);
    else
      return false;
  }
  return true;
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !dense.isSplat())
    return false;
  return isa<FloatType>(dense.getElementType()) ? dense.getSplatValue<APFloat>().isPosZero()
                                                : dense.getSplatValue<APInt>().isZero();
}

/// Parts of what the loop carries are added to the whole.
static LogicalResult carriesSums(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [init, argument, value] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), yield->getOperands()))
    if (!isZero(init) || !isSumOnto(value, argument))
      return loop.emitOpError("carries what is no sum from zero on, and stream_k in the schedule divides it");
  return success();
}

//===-- The program of a block --------------------------------------------------------------------------===//

/// Flags and parts of sums as arguments of the kernel.
void DividedSteps::addWorkspace() {
  int64_t blocks = (int64_t)lists.size(), offset = 0;
  auto add = [&](Type element, const layout::Shape &shape) -> Value {
    unsigned number = kernel.getArgumentTypes().size();
    auto place = builder.getNamedAttr(KernelOp::getWorkspaceAttrName(), builder.getI64IntegerAttr(offset));
    (void)kernel.insertArgument(number,
                                ViewType::get(kernel.getContext(), element, StridedView::rowMajor(shape)),
                                builder.getDictionaryAttr(place), loc); // fails for other types alone
    int64_t bytes = storageBits(element) / 8;
    for (int64_t size : shape)
      bytes *= size;
    offset = (int64_t)llvm::alignTo(offset + bytes, kPartAlignment);
    return kernel.getBody().getArgument(number);
  };
  flags = add(builder.getI32Type(), {blocks});
  offset = KernelOp::kPartsOffset;
  for (Type result : steps.getResultTypes()) {
    auto tile = cast<RankedTensorType>(result);
    layout::Shape shape(tile.getShape().begin(), tile.getShape().end());
    shape[0] *= blocks;
    parts.push_back(add(tile.getElementType(), shape));
  }
}

/// The loop over the block's segments, empty; what describes one is looked up in it. Blocks have equal parts
/// of the lists, so that nothing must be looked up to find a block's first segment.
scf::ForOp DividedSteps::createSegments() {
  size_t most = 1;
  for (const std::vector<Segment> &list : lists)
    most = std::max(most, list.size());
  std::vector<int32_t> counts, firsts, slots, ends, sums;
  for (const std::vector<Segment> &list : lists) {
    int64_t slot = 0;
    counts.push_back((int32_t)list.size());
    for (const Segment &segment : list) {
      tiles.push_back((int32_t)segment.tile);
      firsts.push_back((int32_t)segment.first);
      slots.push_back((int32_t)slot);
      ends.push_back((int32_t)(slot += segment.steps));
      sums.push_back((int32_t)segment.parts);
    }
    for (std::vector<int32_t> *entries : {&tiles, &firsts, &slots, &ends, &sums})
      entries->resize(counts.size() * most, 0);
  }
  block = BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
  Value from = arith::MulIOp::create(builder, loc, block, index((int64_t)most));
  Value to = arith::AddIOp::create(builder, loc, from, lookup(block, counts));
  auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
  builder.setInsertionPointToStart(loop.getBody());
  segment = loop.getInductionVar();
  tile = lookup(segment, tiles);
  first = lookup(segment, firsts);
  slot = lookup(segment, slots);
  end = lookup(segment, ends);
  added = lookup(segment, sums);
  return loop;
}

/// What is looked up by the tile's number is looked up by the segment's instead: one list behind the other
/// would be one wait behind the other.
void DividedSteps::joinLists() {
  for (Operation *user : llvm::make_early_inc_range(tile.getUsers())) {
    auto inBatch = dyn_cast<arith::RemUIOp>(user);
    auto size = inBatch && inBatch.getLhs() == tile ? getConstantIntValue(inBatch.getRhs()) : std::nullopt;
    if (!size || !*size)
      continue;
    for (Operation *reader : llvm::make_early_inc_range(inBatch->getUsers())) {
      auto order = dyn_cast<LookupOp>(reader);
      if (!order)
        continue;
      std::vector<int32_t> joined;
      for (int32_t number : tiles)
        joined.push_back(order.getEntries()[(size_t)(number % *size)]);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(order);
      order.replaceAllUsesWith(lookup(segment, joined));
      order.erase();
    }
  }
}

/// The loop over K goes over the segment's steps, numbered through the whole block.
void DividedSteps::numberSteps(int64_t size) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(steps);
  auto numbered = scf::ForOp::create(builder, loc, slot, end, index(1), steps.getInitArgs());
  numbered->setAttr(kNumberedAttrName, builder.getUnitAttr());
  numbered.getBody()->getOperations().splice(numbered.getBody()->end(), steps.getBody()->getOperations());
  builder.setInsertionPointToStart(numbered.getBody());
  Value done = arith::SubIOp::create(builder, loc, numbered.getInductionVar(), slot);
  Value step = arith::AddIOp::create(builder, loc, done, first);
  Value place = arith::MulIOp::create(builder, loc, step, index(size));
  steps.getInductionVar().replaceAllUsesWith(place);
  for (auto [from, to] : llvm::zip(steps.getRegionIterArgs(), numbered.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
  steps.replaceAllUsesWith(numbered.getResults());
  steps.erase();
  steps = numbered;
}

/// Where block `owner` keeps its part of a sum.
std::pair<SmallVector<Value>, SmallVector<int64_t>> DividedSteps::placeOf(Value sum, Value owner) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(sum.getType()).getShape();
  SmallVector<Value> indices(shape.size(), index(0));
  SmallVector<int64_t> divisors(shape.size(), 0);
  indices[0] = arith::MulIOp::create(builder, loc, owner, index(shape[0]));
  divisors[0] = shape[0];
  return {indices, divisors};
}

/// Stores the segment's sums and says so.
void DividedSteps::giveParts() {
  for (auto [sum, part] : llvm::zip(steps.getResults(), parts)) {
    auto [indices, divisors] = placeOf(sum, block);
    StoreOp::create(builder, loc, sum, part, indices, divisors, SmallVector<bool>(indices.size(), true));
  }
  BarrierOp::create(builder, loc);
  RaiseFlagOp::create(builder, loc, flags, block);
}

/// The block `place` and one more before this one.
Value DividedSteps::blockBefore(Value place) {
  Value nearer = arith::AddIOp::create(builder, loc, place, index(1));
  return arith::SubIOp::create(builder, loc, block, nearer);
}

/// The segment's sums and those of the blocks before, from the nearest one on, when all have been given.
SmallVector<Value> DividedSteps::addParts() {
  Value isShared = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, added, index(0));
  auto waits = scf::IfOp::create(builder, loc, isShared, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(waits.thenBlock());
    auto each = scf::ForOp::create(builder, loc, index(0), added, index(1));
    BarrierOp::create(builder, loc);
    builder.setInsertionPointToStart(each.getBody());
    LowerFlagOp::create(builder, loc, flags, blockBefore(each.getInductionVar()));
  }
  auto loop = scf::ForOp::create(builder, loc, index(0), added, index(1), steps.getResults());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Value other = blockBefore(loop.getInductionVar());
  SmallVector<Value> sums;
  for (auto [sum, part] : llvm::zip(loop.getRegionIterArgs(), parts)) {
    auto [indices, divisors] = placeOf(sum, other);
    Value loaded = LoadOp::create(builder, loc, sum.getType(), part, indices, divisors,
                                  SmallVector<bool>(indices.size(), true), TypedAttr());
    if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
      sums.push_back(arith::AddFOp::create(builder, loc, sum, loaded));
    else
      sums.push_back(arith::AddIOp::create(builder, loc, sum, loaded));
  }
  scf::YieldOp::create(builder, loc, sums);
  return SmallVector<Value>(loop.getResults());
}

void DividedSteps::run() {
  Block &body = kernel.getBody().front();
  SmallVector<BlockIdOp> ids;
  kernel.walk([&](BlockIdOp id) {
    if (id.getDim() == 0)
      ids.push_back(id);
  });
  int64_t size = *getConstantIntValue(steps.getStep()),
          all = llvm::divideCeil(*getConstantIntValue(steps.getUpperBound()), size);
  addWorkspace();
  scf::ForOp segments = createSegments();
  // Everything between the loop and the end of the kernel is done for each segment.
  Block &inner = *segments.getBody();
  inner.getOperations().splice(std::prev(inner.end()), body.getOperations(),
                               std::next(segments->getIterator()), std::prev(body.end()));
  for (BlockIdOp id : ids) {
    id.replaceAllUsesWith(tile);
    id.erase();
  }
  joinLists();
  numberSteps(size);
  builder.setInsertionPointAfter(steps);
  // A segment that does not reach the tile's end gives its sums away; what follows is for the others.
  Value count = arith::SubIOp::create(builder, loc, end, slot);
  Value reached = arith::AddIOp::create(builder, loc, first, count);
  Value gives = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, reached, index(all));
  auto choice = scf::IfOp::create(builder, loc, gives, /*withElseRegion=*/true);
  Block &whole = *choice.elseBlock();
  whole.getOperations().splice(std::prev(whole.end()), inner.getOperations(),
                               std::next(choice->getIterator()), std::prev(inner.end()));
  builder.setInsertionPointToStart(choice.thenBlock());
  giveParts();
  builder.setInsertionPointToStart(&whole);
  SmallVector<Value> sums = addParts();
  for (unsigned i = 0; i < sums.size(); ++i)
    steps.getResult(i).replaceUsesWithIf(sums[i], [&](OpOperand &use) {
      return whole.findAncestorOpInBlock(*use.getOwner()) && use.getOwner() != sums[i].getDefiningOp();
    });
  kernel.setGrid({(int64_t)lists.size(), 1, 1});
}

namespace {
struct DivideSteps : tile::impl::TileDivideStepsBase<DivideSteps> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().streamK)
      return markAllAnalysesPreserved();
    ArrayRef<int64_t> grid = kernel.getGrid();
    FailureOr<scf::ForOp> steps = loopOfProducts(kernel);
    if (failed(steps) || (*steps && failed(carriesSums(*steps))))
      return signalPassFailure();
    if (grid[1] != 1 || grid[2] != 1 || !*steps)
      return;
    auto end = getConstantIntValue(steps->getUpperBound()), size = getConstantIntValue(steps->getStep());
    if (getConstantIntValue(steps->getLowerBound()) != 0 || !end || !size) {
      steps->emitOpError("has no constant bounds, and stream_k in the schedule divides it");
      return signalPassFailure();
    }
    layout::WorkLists lists =
        layout::divideSteps(grid[0], llvm::divideCeil(*end, *size), schedule.getOptions().persistent,
                            schedule.getOptions().streamK);
    size_t segments = 0;
    for (const std::vector<Segment> &list : lists)
      segments += list.size();
    if (segments > kMostSegments) {
      kernel.emitOpError() << "has " << segments << " segments of tiles under stream_k, lists have up to "
                           << kMostSegments;
      return signalPassFailure();
    }
    if (lists.size() > 1)
      DividedSteps(kernel, *steps, std::move(lists)).run();
  }
};
} // namespace
