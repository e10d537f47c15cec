// tile-assign-layouts: one layout per tile shape, chosen by the memory accesses of that shape; fragments for
// products; conversions where the two meet.

#include "AccessWish.h"
#include "ConvertedOperands.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/Scan.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Elements of a tile that threads load and store as they hold them: a warp's.
static constexpr int64_t kFewElems = 32;
/// A load of so small a part of the sectors of the largest access is no reason for an exchange in a loop,
/// whose barriers each step waits for.
static constexpr int64_t kSmallPart = 8;
/// Instructions of an element that is exchanged among threads, barriers and all, and the share of a scan's
/// for which it is.
static constexpr int64_t kExchanged = 4;
static constexpr double kMuchFaster = 0.6;
/// Of the clocks of a warp whose lanes lie along rows, those at which threads hold whole rows still: in
/// threads more is on its way from memory, which clocks do not count, and most where lanes along rows are
/// idle. (H200, random programs that the numbers decide: seven by the first, from 0.52 to 1.07 of their time;
/// 24 by the second, geometric mean 0.94, softmax and means of 3788408 rows of ten fp32 198 and 155 us.)
static constexpr double kInThreads = 1.1, kInThreadsOfIdle = 1.5;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

namespace {
/// Tiles of `part`, so many elements of each in turn along `dim`, are one of `whole`.
struct InTurn {
  TileSizes part, whole;
  int dim;
  int64_t by;
};

/// The layouts of one kernel's tiles.
struct LayoutAssignment {
  KernelOp kernel;
  /// Layout of each maximal shape, in order of first appearance.
  SmallVector<std::pair<TileSizes, LinearLayout>> maximal = {};
  /// Values that live in a product's accumulator layout.
  llvm::SmallSetVector<Value, 8> accumulators = {};
  LinearLayout accumulatorLayout = {};
  /// Shapes of the sums of warpgroup products, and of products that follow one another: what follows such a
  /// product stays in its accumulators' layout.
  SmallVector<TileSizes> heldSums = {};
  /// Shapes of tiles of which each thread has whole rows.
  SmallVector<TileSizes> rowsInThreads = {};
  /// A product of single warps takes its left operand from registers.
  bool chains = false;
  /// Shapes of tiles of which a thread has the elements of two others in turn along a dimension.
  SmallVector<InTurn> inTurn = {};
  /// Sectors of a warp's largest access, as it wishes to lie.
  int64_t mostSectors = 0;

  LogicalResult run();
  bool isHeldSum(const TileSizes &shape) const;
  LinearLayout layoutFor(const TileSizes &shape) const;
  RankedTensorType typeWith(Value value, const LinearLayout &layout) const;
  void chooseLayouts();
  void findAccumulators();
  void encodeValue(Value value);
  void convertOperand(OpOperand &operand, const LinearLayout &wanted);
  void fixReduce(ReduceOp op);
  void fixRows(Operation *op);
  void fixProjected(OpOperand &operand, RankedTensorType result);
  LogicalResult fixInTurn(Operation *op);
  void fixDot(DotOp op);
  LogicalResult fixAccess(Operation *op);
  void takeStoredLayout(ConvertLayoutOp convert);
  void computeBehindExchanges(MutableArrayRef<ConvertLayoutOp> converts);
};

} // namespace

/// The products that alone read what `op` computes, through ops that work element by element; none where
/// something else does.
static SmallVector<DotOp> productsOf(Operation *op) {
  SmallVector<DotOp> products;
  for (Operation *user : op->getUsers()) {
    SmallVector<DotOp> behind;
    if (auto dot = dyn_cast<DotOp>(user))
      behind = {dot};
    else if (user->hasTrait<OpTrait::Elementwise>() && user->getBlock() == op->getBlock())
      behind = productsOf(user);
    if (behind.empty())
      return {};
    llvm::append_range(products, behind);
  }
  return products;
}

/// Whether products alone read what `op` loads: whatever layout it is loaded in, they take it in one of their
/// own, and other accesses to tiles of its shape know better how these should lie.
static bool isOperandLoad(Operation *op) { return isa<LoadOp>(op) && !productsOf(op).empty(); }

/// Whether `op` loads operands of warpgroup products alone: they go through rings, not through registers, and
/// say nothing of other tiles of their shape.
static bool isRingLoad(Operation *op) {
  return isOperandLoad(op) &&
         llvm::all_of(productsOf(op), [](DotOp dot) { return productUnit(dot) == ProductUnit::Wgmma; });
}

/// Whether elements are taken from what `op` loads and nothing else reads it: it goes to shared memory as it
/// lies in memory.
static bool isTableLoad(Operation *op) {
  return isa<LoadOp>(op) && !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto take = dyn_cast<TakeOp>(use.getOwner());
           return take && use.getOperandNumber() == 0;
         });
}

/// Whether elements are taken at what `op` loads: lanes that have indices side by side are as good as vectors
/// of them, and what is taken is not to be exchanged for its store.
static bool isIndexLoad(Operation *op) {
  return isa<LoadOp>(op) && llvm::any_of(op->getUses(), [](OpOperand &use) {
           return isa<TakeOp>(use.getOwner()) && use.getOperandNumber() == 1;
         });
}

bool LayoutAssignment::isHeldSum(const TileSizes &shape) const { return llvm::is_contained(heldSums, shape); }

/// Whether a quarter of the lanes along an access's rows, or more, have no elements.
static bool areIdle(const AccessWish &wish) {
  int fastest = wish.fastest();
  return 4 * wish.view.dim(fastest).extent <= 3 * wish.shape[fastest];
}

/// Whether steps load of `wish` what all columns of the tile that `chosen` asks for share: vectors along its
/// other dimension. Threads that have as many rows side by side load these as they hold them; others would
/// exchange what they load, behind a barrier in each step.
static bool isAcross(const AccessWish &wish, const AccessWish &chosen) {
  return wish.shape != chosen.shape && isProjection(wish.shape, chosen.shape) &&
         wish.shape[chosen.fastest()] == 1 && wish.shape[wish.fastest()] > 1 && wish.vectorElems > 1;
}

void LayoutAssignment::chooseLayouts() {
  kernel.walk(
      [&](DotOp dot) { chains |= productUnit(dot) == ProductUnit::MmaSync && !convertedLoad(dot.getLhs()); });
  kernel.walk([&](DotOp dot) {
    if (productUnit(dot) == ProductUnit::Wgmma || chains)
      heldSums.push_back(sizesOf(dot.getResult()));
  });
  SmallVector<TileSizes> shapes;
  auto note = [&](Value value) {
    if (isTile(value) && !llvm::is_contained(shapes, sizesOf(value)))
      shapes.push_back(sizesOf(value));
  };
  SmallVector<AccessWish> wishes, operandWishes, ofSteps;
  SmallVector<std::pair<TileSizes, int>> reduced, scanned;
  SmallVector<TileSizes> blockSums;
  // Tiles of one pass that nothing holds in a layout of its own.
  bool isPlain = !kernel
                      .walk([](Operation *op) {
                        return isa<scf::ForOp, DotOp, LookBackOp, SortOp, TakeOp, SumBlocksOp>(op)
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
  kernel.walk([&](Operation *op) {
    if (auto sum = dyn_cast<SumBlocksOp>(op))
      blockSums.push_back(sizesOf(sum.getResult()));
    if (auto reduce = dyn_cast<ReduceOp>(op))
      reduced.push_back({sizesOf(reduce.getInputs()[0]), (int)reduce.getDim()});
    if (auto scan = dyn_cast<ScanOp>(op))
      scanned.push_back({sizesOf(scan.getInputs()[0]), (int)scan.getDim()});
    if (auto both = dyn_cast<InterleaveOp>(op))
      inTurn.push_back(
          {sizesOf(both.getEven()), sizesOf(both.getResult()), (int)both.getDim(), (int64_t)both.getBy()});
    if (auto both = dyn_cast<DeinterleaveOp>(op))
      inTurn.push_back(
          {sizesOf(both.getEven()), sizesOf(both.getInput()), (int)both.getDim(), (int64_t)both.getBy()});
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
    if (auto wish = wishOf(op); wish && !isRingLoad(op) && !isTableLoad(op) && !isIndexLoad(op))
      (isOperandLoad(op) ? operandWishes : wishes).push_back(*wish);
    if (auto load = dyn_cast<LoadOp>(op); load && op->getParentOfType<scf::ForOp>())
      if (auto wish = wishOf(op))
        ofSteps.push_back(*wish);
  });
  // Parts of a whole lie as it does; there may be parts of parts.
  auto wholeOf = [&](const TileSizes &shape) {
    return llvm::find_if(inTurn, [&](const InTurn &turn) { return turn.part == shape; });
  };
  auto parts = llvm::to_vector(llvm::make_filter_range(
      shapes, [&](const TileSizes &shape) { return wholeOf(shape) != inTurn.end(); }));
  llvm::erase_if(shapes, [&](const TileSizes &shape) { return llvm::is_contained(parts, shape); });
  llvm::stable_sort(parts, [](const TileSizes &a, const TileSizes &b) {
    return llvm::product_of(a) > llvm::product_of(b);
  });
  llvm::append_range(shapes, parts);
  for (const TileSizes &shape : shapes) {
    if (llvm::any_of(shapes,
                     [&](const TileSizes &other) { return other != shape && isProjection(shape, other); }))
      continue;
    if (isHeldSum(shape)) {
      int warps = (int)kernel.getWarps(), warpsN = warpgroupsAlongN(kernel.getSchedule());
      maximal.emplace_back(
          shape, LinearLayout::wgmmaAccumulator({shape.begin(), shape.end()}, warps / warpsN, warpsN));
      continue;
    }
    if (const InTurn *turn = wholeOf(shape); turn != inTurn.end())
      if (std::optional<LinearLayout> half = layoutFor(turn->whole).everyOther(turn->dim, turn->by)) {
        maximal.emplace_back(shape, *half);
        continue;
      }
    // The access of this very shape with the most bytes; else of a projection of it; else what products load;
    // else row-major.
    AccessWish chosen;
    chosen.shape = shape;
    chosen.order = LinearLayout::rowMajorOrder((int)shape.size());
    chosen.vectorElems = 4;
    int64_t narrowest = 64;
    for (const SmallVector<AccessWish> *these : {&wishes, &operandWishes})
      for (bool exact : {true, false}) {
        if (chosen.bytes)
          break;
        for (const AccessWish &wish : *these) {
          if (exact ? wish.shape != shape : !isProjection(wish.shape, shape))
            continue;
          narrowest = std::min(narrowest, std::max<int64_t>(16, wish.elementBits));
          if (wish.moved <= chosen.moved)
            continue;
          chosen = wish;
          chosen.shape = shape;
        }
      }
    // Lanes that read sums of parts from shared memory side by side: 16 bytes of fp32 each, without gaps.
    if (llvm::is_contained(blockSums, shape))
      chosen.vectorElems = std::min<int64_t>(chosen.vectorElems, 4);
    int64_t bits = std::min<int64_t>(narrowest, 32), warps = (int64_t)kernel.getWarps();
    SmallVector<AccessWish> same;
    llvm::copy_if(wishes, std::back_inserter(same),
                  [&](const AccessWish &wish) { return wish.shape == shape; });
    if (same.size() > 1)
      chosen = narrowed(chosen, same, warps, bits);
    LinearLayout layout = coalescedLayout(chosen, warps, bits);
    for (const AccessWish &wish : ofSteps) {
      if (!isAcross(wish, chosen))
        continue;
      // Lanes that go on along rows behind one another in memory keep to that.
      bool areOnRows = llvm::any_of(layout.bases(layout::Hw::Lane),
                                    [&](const layout::Coord &basis) { return basis[wish.fastest()] != 0; });
      if (!areOnRows && !llvm::is_contained(scanned, std::make_pair(shape, wish.fastest())) &&
          !isServed(wish, projectedTo(wish.shape, layout), ownLayout(wish, warps)))
        layout = layout.withRun(wish.fastest(), wish.vectorElems);
    }
    auto leavesWarp = [&](const layout::Coord &basis) { return basis[chosen.fastest()] != 0; };
    bool isReduced = llvm::is_contained(reduced, std::make_pair(shape, chosen.fastest())) ||
                     llvm::any_of(inTurn, [&](const InTurn &turn) {
                       return turn.whole == shape && turn.dim == chosen.fastest() &&
                              llvm::is_contained(reduced, std::make_pair(turn.part, turn.dim));
                     });
    if (chosen.bytes && isReduced && llvm::any_of(layout.bases(layout::Hw::Warp), leavesWarp))
      layout = warpRowsLayout(chosen, warps, bits).value_or(layout);
    // Of short rows lanes have too few elements each: what follows is computed in all of them, and what they
    // have of no row is computed, too.
    bool goesAlong = false, goesAcross = false;
    for (const auto &[size, dim] : scanned) {
      goesAlong |= size == shape && dim == chosen.fastest();
      goesAcross |= size == shape && dim != chosen.fastest();
    }
    goesAlong |= llvm::is_contained(reduced, std::make_pair(shape, chosen.fastest()));
    if (chosen.bytes && isPlain && goesAlong && !goesAcross)
      if (std::optional<LinearLayout> rows = threadRowsLayout(chosen, warps);
          rows && clocksIn(kernel, wishes, *rows) <
                      (areIdle(chosen) ? kInThreadsOfIdle : kInThreads) * clocksIn(kernel, wishes, layout)) {
        layout = *rows;
        rowsInThreads.push_back(shape);
      }
    maximal.emplace_back(shape, layout);
  }
}

LinearLayout LayoutAssignment::layoutFor(const TileSizes &shape) const {
  for (const auto &[large, layout] : maximal)
    if (isProjection(shape, large))
      return projectedTo(shape, layout);
  llvm_unreachable("every shape is a projection of a maximal one");
}

RankedTensorType LayoutAssignment::typeWith(Value value, const LinearLayout &layout) const {
  auto type = cast<RankedTensorType>(value.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

void LayoutAssignment::findAccumulators() {
  SmallVector<Value> worklist;
  kernel.walk([&](DotOp dot) {
    TileSizes shape = sizesOf(dot.getResult());
    if (isHeldSum(shape))
      return;
    ScheduleAttr schedule = kernel.getSchedule();
    int64_t warps = kernel.getWarps(), warpsM = 1, warpsN = warps;
    if (schedule && schedule.getWarpGrid().size() >= 2) {
      warpsN = schedule.getWarpGrid().back();
      warpsM = warps / warpsN;
    }
    size_t rank = shape.size();
    if (productUnit(dot) == ProductUnit::MmaSync) {
      accumulatorLayout =
          LinearLayout::mmaAccumulator({shape.begin(), shape.end()}, (int)warpsM, (int)warpsN);
    } else {
      // Outer products: a thread owns a small rectangle, in pieces of 4 along N.
      layout::Shape elems(rank, 1), lanes(rank, 1), warpShape(rank, 1);
      auto share = [&](size_t dim, int64_t threads) {
        int64_t powerOfTwo = shape[dim] & -shape[dim];
        return std::clamp<int64_t>(powerOfTwo / threads, 1, 4);
      };
      elems[rank - 1] = share(rank - 1, 8 * warpsN);
      elems[rank - 2] = share(rank - 2, 4 * warpsM);
      lanes[rank - 1] = 8;
      lanes[rank - 2] = 4;
      warpShape[rank - 1] = warpsN;
      warpShape[rank - 2] = warpsM;
      accumulatorLayout = LinearLayout::blocked({shape.begin(), shape.end()}, elems, lanes, warpShape,
                                                LinearLayout::rowMajorOrder((int)rank));
    }
    worklist.push_back(dot.getResult());
    worklist.push_back(dot.getAccumulator());
  });
  auto add = [&](Value value) {
    if (accumulators.insert(value))
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    accumulators.insert(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument.getArgNumber() > 0) {
        add(loop.getTiedLoopInit(argument)->get());
        add(loop.getTiedLoopResult(argument));
        add(loop.getTiedLoopYieldedValue(argument)->get());
      }
      continue;
    }
    if (auto loop = value.getDefiningOp<scf::ForOp>())
      add(loop.getRegionIterArg(cast<OpResult>(value).getResultNumber()));
    for (OpOperand &use : value.getUses())
      if (auto yield = dyn_cast<scf::YieldOp>(use.getOwner()))
        if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp()))
          add(loop.getRegionIterArg(use.getOperandNumber()));
  }
}

void LayoutAssignment::encodeValue(Value value) {
  if (!isTile(value))
    return;
  RankedTensorType type =
      typeWith(value, accumulators.contains(value) ? accumulatorLayout : layoutFor(sizesOf(value)));
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    constant.setValueAttr(DenseElementsAttr::get(type, dense.getSplatValue<Attribute>()));
  }
}

void LayoutAssignment::convertOperand(OpOperand &operand, const LinearLayout &wanted) {
  RankedTensorType type = typeWith(operand.get(), wanted);
  if (operand.get().getType() == type)
    return;
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  // A splat has every layout.
  if (auto constant = operand.get().getDefiningOp<arith::ConstantOp>()) {
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    operand.set(arith::ConstantOp::create(builder, loc,
                                          DenseElementsAttr::get(type, dense.getSplatValue<Attribute>())));
    return;
  }
  operand.set(ConvertLayoutOp::create(builder, loc, type, operand.get()));
}

/// Makes `op` produce its result in layout `natural` and converts it to the type it had for its users.
static void produceIn(Operation *op, unsigned result, RankedTensorType natural) {
  Value value = op->getResult(result);
  Type wanted = value.getType();
  if (wanted == natural)
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  value.setType(natural);
  auto converted = ConvertLayoutOp::create(builder, op->getLoc(), wanted, value);
  value.replaceAllUsesExcept(converted, converted);
}

void LayoutAssignment::fixReduce(ReduceOp op) {
  LinearLayout natural = getLayout(op.getInputs()[0].getType()).getLayout().project((int)op.getDim()).layout;
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    produceIn(op, i, typeWith(op.getResult(i), natural));
}

/// The layout of a scan's elements: `assigned`, or one with runs of a row in each thread where that saves
/// much more than it takes to exchange `states` tiles there and back, or where a block `waits` with its
/// elements in registers: totals of several rounds take as many.
static LinearLayout fasterScan(const LinearLayout &assigned, int64_t states, int64_t warps, int dim,
                               bool waits) {
  std::optional<LinearLayout> runs = layout::runLayout(assigned.shape(), (int)warps, dim);
  auto plan = layout::scanPlan(assigned, dim), faster = runs ? layout::scanPlan(*runs, dim) : std::nullopt;
  if (!plan || !faster)
    return assigned;
  if (waits && faster->rounds < plan->rounds)
    return *runs;
  int64_t there =
      layout::scanInstructions(*runs, *faster, dim) + 2 * states * kExchanged * runs->numRegisters();
  int64_t here = layout::scanInstructions(assigned, *plan, dim);
  return (double)there < (double)here * kMuchFaster ? *runs : assigned;
}

/// A scan or sort whose layout cannot be gone along takes another one.
void LayoutAssignment::fixRows(Operation *op) {
  int dim = (int)op->getAttrOfType<IntegerAttr>("dim").getInt();
  LinearLayout natural = getLayout(op->getOperand(0).getType()).getLayout();
  bool sorts = isa<SortOp>(op);
  bool fits = sorts ? layout::indexBits(natural, dim) && natural.repeat()[dim] == 1
                    : layout::scanPlan(natural, dim).has_value();
  if (!fits)
    natural = layout::scanLayout(natural.shape(), (int)kernel.getWarps(), dim);
  else if (!sorts)
    natural = fasterScan(natural, op->getNumOperands(), (int)kernel.getWarps(), dim,
                         llvm::any_of(op->getUsers(), llvm::IsaPred<LookBackOp>));
  unsigned count = op->getNumOperands();
  for (unsigned i = 0; i < count; ++i) {
    convertOperand(op->getOpOperand(i), natural);
    produceIn(op, i, typeWith(op->getResult(i), natural));
  }
  for (unsigned i = count; i < op->getNumResults(); ++i)
    produceIn(op, i, typeWith(op->getResult(i), natural.project(dim).layout));
}

/// `operand` has sizes of 1 where `result` has not: it takes the projection of the result's layout.
void LayoutAssignment::fixProjected(OpOperand &operand, RankedTensorType result) {
  convertOperand(operand, projectedTo(sizesOf(operand.get()), getLayout(result).getLayout()));
}

/// Parts and whole lie in the same threads.
LogicalResult LayoutAssignment::fixInTurn(Operation *op) {
  auto split = dyn_cast<DeinterleaveOp>(op);
  Value part = split ? split.getEven() : cast<InterleaveOp>(op).getEven();
  auto dim = (int)(split ? split.getDim() : cast<InterleaveOp>(op).getDim());
  auto by = (int64_t)(split ? split.getBy() : cast<InterleaveOp>(op).getBy());
  std::optional<LinearLayout> whole = getLayout(part.getType()).getLayout().interleaved(dim, by);
  if (!whole)
    return op->emitOpError() << "of tiles of type " << part.getType()
                             << ": there is no layout in which threads have both of what lies in turn";
  if (split)
    convertOperand(split.getInputMutable(), *whole);
  else
    produceIn(op, 0, typeWith(op->getResult(0), *whole));
  return success();
}

void LayoutAssignment::fixDot(DotOp op) {
  TileSizes lhs = sizesOf(op.getLhs()), rhs = sizesOf(op.getRhs());
  int bits = (int)storageBits(getElementTypeOrSelf(op.getLhs().getType()));
  // A warpgroup's product reads what is loaded from shared memory; the left operand may be a tile in
  // registers.
  if (productUnit(op) == ProductUnit::Wgmma && !convertedLoad(op.getLhs()))
    convertOperand(op->getOpOperand(0),
                   LinearLayout::mmaOperandA({lhs.begin(), lhs.end()}, bits, (int)kernel.getWarps(), 1));
  if (productUnit(op) == ProductUnit::MmaSync) {
    bits = fragmentBits(getElementTypeOrSelf(op.getLhs().getType()));
    ScheduleAttr schedule = kernel.getSchedule();
    int warps = (int)kernel.getWarps();
    int warpsN = schedule && schedule.getWarpGrid().size() >= 2 ? (int)schedule.getWarpGrid().back() : warps;
    convertOperand(op->getOpOperand(0),
                   LinearLayout::mmaOperandA({lhs.begin(), lhs.end()}, bits, warps / warpsN, warpsN));
    convertOperand(op->getOpOperand(1),
                   LinearLayout::mmaOperandB({rhs.begin(), rhs.end()}, bits, warps / warpsN, warpsN));
  }
}

LogicalResult LayoutAssignment::fixAccess(Operation *op) {
  AccessWish wish = *wishOf(op);
  int64_t warps = kernel.getWarps();
  Value tile = isa<StoreOp>(op) ? op->getOperand(0) : op->getResult(0);
  const LinearLayout &assigned = getLayout(tile.getType()).getLayout();
  if (wish.shape[wish.fastest()] == 1 || (isHeldSum(wish.shape) && !(chains && isa<StoreOp>(op))))
    return success();
  // A few elements are few sectors in any layout: exchanging them among threads would cost barriers.
  int64_t elems = wish.bytes * 8 / wish.elementBits;
  if (elems <= kFewElems)
    return success();
  LinearLayout own = ownLayout(wish, warps);
  bool held =
      llvm::any_of(rowsInThreads, [&](const TileSizes &shape) { return isProjection(wish.shape, shape); });
  if (!isTableLoad(op) && (held ? isFasterAsIs(wish, assigned, warps) : isServed(wish, assigned, own)))
    return success();
  // Each lane loads what it needs, from sectors that others have just asked for.
  if (isa<LoadOp>(op) && !isTableLoad(op) && op->getParentOfType<scf::ForOp>() &&
      kSmallPart * sectorsIn(wish, assigned) <= mostSectors)
    return success();
  if (isa<StoreOp>(op)) {
    convertOperand(op->getOpOperand(0), own);
    return success();
  }
  produceIn(op, 0, typeWith(tile, own));
  return success();
}

/// What is computed in the block of `converts` for them alone, the last op first: element by element, of
/// loads where these may lie otherwise.
static llvm::SmallSetVector<Operation *, 16> computedFor(ArrayRef<ConvertLayoutOp> converts, bool mayLoad) {
  TileSizes sizes = sizesOf(ConvertLayoutOp(converts.back()).getResult());
  llvm::SmallSetVector<Operation *, 16> taken;
  // Users stand behind what they use.
  for (Operation *op = ConvertLayoutOp(converts.back())->getPrevNode(); op; op = op->getPrevNode())
    if (((mayLoad && isa<LoadOp>(op)) || isa<BroadcastOp>(op) || OpTrait::hasElementwiseMappableTraits(op)) &&
        isTile(op->getResult(0)) && sizesOf(op->getResult(0)) == sizes && !op->use_empty() &&
        llvm::all_of(op->getUsers(), [&](Operation *user) {
          return llvm::is_contained(converts, user) || taken.contains(user);
        }))
      taken.insert(op);
  return taken;
}

/// What a branch computes for its store alone lies among the threads as that wants it where fewer elements
/// are each thread's then: of the block's layout threads that share rows would compute the same.
void LayoutAssignment::takeStoredLayout(ConvertLayoutOp convert) {
  const LinearLayout own = getLayout(convert.getType()).getLayout();
  if (own.numRegisters() >= getLayout(convert.getInput().getType()).getLayout().numRegisters())
    return;
  llvm::SmallSetVector<Operation *, 16> taken = computedFor(convert, /*mayLoad=*/true);
  if (!taken.contains(convert.getInput().getDefiningOp()))
    return;
  for (Operation *op : taken)
    op->getResult(0).setType(typeWith(op->getResult(0), own));
  for (Operation *op : taken) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      fixProjected(broadcast->getOpOperand(0), broadcast.getType());
    else
      for (OpOperand &operand : op->getOpOperands())
        if (isTile(operand.get()) && !isa<LoadOp>(op))
          convertOperand(operand, own);
  }
  convert.replaceAllUsesWith(convert.getInput());
  convert.erase();
}

/// Bits of a tile that is exchanged among threads.
static int64_t exchangedBits(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getNumElements() * storageBits(type.getElementType());
}

/// `converts` of one block have one layout, that in which several results are stored, say. What is computed
/// for them alone is computed in that layout where what it is made of has fewer bits: this is exchanged among
/// the threads then, once, and the results are not.
void LayoutAssignment::computeBehindExchanges(MutableArrayRef<ConvertLayoutOp> converts) {
  const LinearLayout wanted = getLayout(converts.front().getType()).getLayout();
  TileSizes sizes = sizesOf(converts.front().getResult());
  auto isConvert = [&](Operation *op) { return llvm::is_contained(converts, op); };
  auto isWhole = [&](Value value) { return isTile(value) && sizesOf(value) == sizes; };
  llvm::SmallSetVector<Operation *, 16> taken = computedFor(converts, /*mayLoad=*/false);
  // What is exchanged as it is, and would be.
  llvm::SmallSetVector<Value, 8> now, then;
  auto isExchanged = [&](Value value) {
    return !value.getDefiningOp<arith::ConstantOp>() && getLayout(value.getType()).getLayout() != wanted;
  };
  for (ConvertLayoutOp convert : converts) {
    now.insert(convert.getInput());
    if (!taken.contains(convert.getInput().getDefiningOp()))
      then.insert(convert.getInput());
  }
  for (Operation *op : taken)
    for (Value operand : op->getOperands())
      if (isTile(operand) && !taken.contains(operand.getDefiningOp()) &&
          (!isWhole(operand) || isExchanged(withoutLayoutConversions(operand))))
        then.insert(operand);
  auto bitsOf = [](const llvm::SmallSetVector<Value, 8> &values) {
    return std::accumulate(values.begin(), values.end(), int64_t(0),
                           [](int64_t sum, Value value) { return sum + exchangedBits(value); });
  };
  if (taken.empty() || bitsOf(then) >= bitsOf(now))
    return;
  for (Operation *op : taken)
    op->getResult(0).setType(typeWith(op->getResult(0), wanted));
  // Each value is exchanged in front of what needs it first.
  DenseMap<Value, Value> exchanged;
  SmallVector<Operation *> users(taken.rbegin(), taken.rend());
  llvm::append_range(users, converts);
  llvm::sort(users, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : users)
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTile(operand.get()) || taken.contains(operand.get().getDefiningOp()))
        continue;
      if (!isWhole(operand.get())) {
        Value before = operand.get(), source = withoutLayoutConversions(before);
        operand.set(source);
        auto type = cast<RankedTensorType>(op->getResult(0).getType());
        // Little is loaded as it is needed.
        bool isUnused = before == source || before.use_empty();
        auto load = source.getDefiningOp<LoadOp>();
        if (load && source.hasNUses(before == source ? 1 : 2) && isUnused &&
            kSmallPart * load.getType().getNumElements() <= type.getNumElements())
          source.setType(typeWith(source, projectedTo(sizesOf(source), getLayout(type).getLayout())));
        fixProjected(operand, type);
        if (auto unused = before.getDefiningOp<ConvertLayoutOp>(); unused && unused->use_empty())
          unused.erase();
        continue;
      }
      Value &known = exchanged[operand.get()];
      if (!known && !isConvert(op)) {
        operand.set(withoutLayoutConversions(operand.get()));
        convertOperand(operand, wanted);
        known = operand.get();
      } else if (!known) {
        known = op->getResult(0);
      } else if (!isConvert(op)) {
        operand.set(known);
      }
      if (isConvert(op) && known != op->getResult(0))
        op->getResult(0).replaceAllUsesWith(known);
    }
  for (ConvertLayoutOp convert : converts) {
    if (taken.contains(convert.getInput().getDefiningOp()))
      convert.replaceAllUsesWith(convert.getInput());
    if (convert->use_empty())
      convert.erase();
  }
}

LogicalResult LayoutAssignment::run() {
  chooseLayouts();
  findAccumulators();
  SmallVector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (op->getParentOfType<ReduceOp>())
      continue;
    llvm::for_each(op->getResults(), [&](Value value) { encodeValue(value); });
    if (auto loop = dyn_cast<scf::ForOp>(op))
      llvm::for_each(loop.getRegionIterArgs(), [&](Value value) { encodeValue(value); });
  }
  // Uses of accumulators by other ops than products and loops.
  for (Value value : accumulators)
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
      if (!isa<DotOp, scf::ForOp, scf::YieldOp>(use.getOwner()))
        convertOperand(use, layoutFor(sizesOf(value)));
  for (Operation *op : ops)
    if (isa<LoadOp, StoreOp>(op))
      if (std::optional<AccessWish> wish = wishOf(op); wish && wish->shape[wish->fastest()] > 1)
        mostSectors = std::max(mostSectors, sectorsIn(*wish, ownLayout(*wish, kernel.getWarps())));
  for (Operation *op : ops) {
    if (auto reduce = dyn_cast<ReduceOp>(op))
      fixReduce(reduce);
    else if (isa<ScanOp, SortOp>(op))
      fixRows(op);
    else if (auto broadcast = dyn_cast<BroadcastOp>(op))
      fixProjected(broadcast->getOpOperand(0), broadcast.getType());
    else if (isa<InterleaveOp, DeinterleaveOp>(op)) {
      if (failed(fixInTurn(op)))
        return failure();
    } else if (auto dot = dyn_cast<DotOp>(op))
      fixDot(dot);
    else if (auto gather = dyn_cast<GatherOp>(op))
      fixProjected(gather.getOffsetsMutable(), cast<RankedTensorType>(gather.getType()));
    else if (auto take = dyn_cast<TakeOp>(op))
      fixProjected(take.getIndicesMutable(), cast<RankedTensorType>(take.getType()));
    else if (isa<LoadOp, StoreOp>(op) && failed(fixAccess(op)))
      return failure();
  }
  // By block and layout.
  llvm::MapVector<std::pair<Block *, Type>, SmallVector<ConvertLayoutOp>> together;
  kernel.walk([&](ConvertLayoutOp convert) {
    auto type = convert.getType();
    together[{convert->getBlock(), type.clone(IntegerType::get(type.getContext(), 1))}].push_back(convert);
  });
  bool combines =
      kernel
          .walk([](Operation *op) {
            return isa<ReduceOp, ScanOp, SortOp, DotOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  for (auto &[place, converts] : together)
    if (converts.size() > 1 && !combines)
      computeBehindExchanges(converts);
  SmallVector<ConvertLayoutOp> inBranches;
  kernel.walk([&](ConvertLayoutOp convert) {
    if (isa<scf::IfOp>(convert->getParentOp()) && convert->hasOneUse() &&
        isa<StoreOp>(*convert->user_begin()))
      inBranches.push_back(convert);
  });
  llvm::for_each(inBranches, [&](ConvertLayoutOp convert) { takeStoredLayout(convert); });
  return success();
}

namespace {
struct AssignLayouts : tile::impl::TileAssignLayoutsBase<AssignLayouts> {
  using Base::Base;
  void runOnOperation() override {
    LayoutAssignment assignment{getOperation()};
    if (failed(assignment.run()))
      signalPassFailure();
  }
};
} // namespace
