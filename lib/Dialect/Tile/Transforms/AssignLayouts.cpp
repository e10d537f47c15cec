// tile-assign-layouts: one layout per tile shape, chosen by the memory accesses of that shape; fragments for
// products; conversions where the two meet.

#include "ConvertedOperands.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "Tilewright/Layout/GlobalAccess.h"
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
/// How many times the sectors of its own layout an access touches before its tile is exchanged among threads
/// for it: what a load leaves of a sector stays in L1 for the next one, a store sends each sector again.
static constexpr double kScatteredStore = 1.5, kScatteredLoad = 8;
/// What a sector costs that is loaded again, as a part of one that is not; and the share of an access's cost
/// for which another layout is taken.
static constexpr double kLoadedAgain = 0.25, kMuchLess = 0.75;
/// A load of so small a part of the sectors of the largest access is no reason for an exchange in a loop,
/// whose barriers each step waits for.
static constexpr int64_t kSmallPart = 8;
/// Instructions of an element that is exchanged among threads, barriers and all, and the share of a scan's
/// for which it is.
static constexpr int64_t kExchanged = 4;
static constexpr double kMuchFaster = 0.6;
/// The share of sectors that a layout which is no access's own may touch beyond those of its own: 5 / 4.
static constexpr int64_t kServedSectors = 5, kOwnSectors = 4;

using Shape = SmallVector<int64_t>;

static Shape shapeOf(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

namespace {

/// How one access to global memory wants its tile laid out.
struct AccessWish {
  Shape shape;
  /// Dimensions from the nearest neighbours in memory to the farthest.
  std::vector<int> order;
  /// Elements of the widest access along the first of them.
  int64_t vectorElems = 1;
  int64_t elementBits = 32;
  /// Bytes of the tile: the access with the most decides.
  int64_t bytes = 0;
  /// What is accessed, and what its tiles start at multiples of.
  layout::StridedView view = {};
  layout::Shape divisors = {};
  bool stores = false;
  /// Tiles within the view are accessed in vectors whatever the view's end is.
  bool mayEnd = false;

  int fastest() const { return order.front(); }
};

/// The layouts of one kernel's tiles.
struct LayoutAssignment {
  KernelOp kernel;
  /// Layout of each maximal shape, in order of first appearance.
  SmallVector<std::pair<Shape, LinearLayout>> maximal;
  /// Values that live in a product's accumulator layout.
  llvm::SmallSetVector<Value, 8> accumulators;
  LinearLayout accumulatorLayout;
  /// Shapes of the sums of warpgroup products, and of products that follow one another: what follows such a
  /// product stays in its accumulators' layout.
  SmallVector<Shape> heldSums;
  /// A product of single warps takes its left operand from registers.
  bool chains = false;
  /// Sectors of a warp's largest access, as it wishes to lie.
  int64_t mostSectors = 0;

  LogicalResult run();
  bool isHeldSum(const Shape &shape) const;
  LinearLayout layoutFor(const Shape &shape) const;
  RankedTensorType typeWith(Value value, const LinearLayout &layout) const;
  void chooseLayouts();
  void findAccumulators();
  void encodeValue(Value value);
  void convertOperand(OpOperand &operand, const LinearLayout &wanted);
  void fixReduce(ReduceOp op);
  void fixRows(Operation *op);
  void fixProjected(OpOperand &operand, RankedTensorType result);
  void fixDot(DotOp op);
  LogicalResult fixAccess(Operation *op);
};

} // namespace

template <typename Op> static AccessWish wishOf(Op op, Value tile) {
  AccessWish wish;
  wish.shape = shapeOf(tile);
  auto view = cast<ViewType>(op.getView().getType());
  wish.elementBits = storageBits(view.getElementType());
  int64_t elems = 1;
  for (int64_t size : wish.shape)
    elems *= size;
  wish.bytes = elems * wish.elementBits / 8;
  // The dimension with the nearest neighbours in memory, among those that the tile has.
  wish.view = view.getView();
  wish.divisors = op.getDivisors().vec();
  wish.stores = std::is_same_v<Op, StoreOp>;
  wish.order = layout::accessOrder(view.getView());
  llvm::stable_sort(wish.order, [&](int a, int b) { return (wish.shape[a] == 1) < (wish.shape[b] == 1); });
  wish.mayEnd = !std::is_same_v<Op, GatherOp> && wish.divisors[wish.fastest()] != 0;
  wish.vectorElems = view.getView().maxVectorElems(wish.fastest(), wish.divisors, (int)wish.elementBits,
                                                   /*maxBits=*/128, wish.mayEnd);
  return wish;
}

/// The wish of a load or store; nothing for other ops.
static std::optional<AccessWish> wishOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return wishOf(load, load.getResult());
  if (auto gather = dyn_cast<GatherOp>(op))
    return wishOf(gather, gather.getResult());
  if (auto store = dyn_cast<StoreOp>(op))
    return wishOf(store, store.getValue());
  return std::nullopt;
}

static LinearLayout coalescedLayout(const AccessWish &wish, int64_t warps, int64_t narrowestBits) {
  int64_t elems = 1;
  for (int64_t size : wish.shape)
    elems *= size & -size;
  // As wide as the narrowest type allows, but never so wide that threads are left without elements: what of a
  // tile is no power of two is in the registers of all.
  int64_t vector = std::min<int64_t>(wish.vectorElems, std::max<int64_t>(1, elems / (warps * 32)));
  int64_t bits = std::min<int64_t>(128, (int64_t)llvm::bit_floor((uint64_t)vector) * narrowestBits);
  layout::Shape contiguity(wish.shape.begin(), wish.shape.end());
  contiguity[wish.fastest()] = wish.vectorElems;
  return LinearLayout::coalesced({wish.shape.begin(), wish.shape.end()}, (int)narrowestBits, (int)warps,
                                 wish.order, (int)bits, contiguity);
}

/// The instructions of a tile that lies in `layout`.
static layout::GlobalAccess accessIn(const AccessWish &wish, const LinearLayout &layout) {
  return layout::globalAccess(wish.view, layout, wish.divisors, (int)wish.elementBits, /*maxVectorBits=*/128,
                              wish.mayEnd);
}

/// Sectors that the instructions of a warp touch where the tile lies in `layout`.
static int64_t sectorsIn(const AccessWish &wish, const LinearLayout &layout) {
  int bits = (int)wish.elementBits;
  layout::GlobalAccess access = accessIn(wish, layout);
  return layout::warpTraffic(wish.view, layout, access, bits).sectors;
}

/// What an access costs a warp whose tile lies in `layout`, in sectors: an instruction is as much, and what
/// is loaded again comes from L1.
static double costIn(const AccessWish &wish, const LinearLayout &layout) {
  int bits = (int)wish.elementBits;
  layout::GlobalAccess access = accessIn(wish, layout);
  layout::WarpTraffic traffic = layout::warpTraffic(wish.view, layout, access, bits);
  double again = (double)std::max<int64_t>(0, traffic.sectors - traffic.least);
  return (double)traffic.least + again * (wish.stores ? 1 : kLoadedAgain) +
         (double)access.vectors.groups.size();
}

/// What all of them cost, each in the layout or, where that is less, exchanged among threads into its own.
static double costOf(ArrayRef<AccessWish> wishes, const LinearLayout &layout, int64_t warps) {
  double cost = 0;
  for (const AccessWish &wish : wishes) {
    LinearLayout own = coalescedLayout(wish, warps, std::max<int64_t>(16, wish.elementBits));
    double exchange = 2 * (double)(wish.bytes / warps) / (double)layout::kSectorBytes;
    cost += std::min(costIn(wish, layout), costIn(wish, own) + exchange);
  }
  return cost;
}

/// The access with so wide vectors that all accesses together cost least: where most cannot use those of the
/// one that decides, lanes next to one another serve them all.
static AccessWish narrowed(AccessWish chosen, ArrayRef<AccessWish> wishes, int64_t warps, int64_t bits) {
  AccessWish best = chosen;
  double least = costOf(wishes, coalescedLayout(chosen, warps, bits), warps) * kMuchLess;
  while (chosen.vectorElems > 1) {
    chosen.vectorElems /= 2;
    double cost = costOf(wishes, coalescedLayout(chosen, warps, bits), warps);
    if (cost >= least)
      continue;
    best = chosen;
    least = cost;
  }
  return best;
}

/// Whether an access takes its tile as it lies in `assigned`, or would touch few enough sectors less in `own`
/// to be worth an exchange.
static bool isServed(const AccessWish &wish, const LinearLayout &assigned, const LinearLayout &own) {
  // Consecutive lanes or registers run along the access's fastest dimension.
  bool along = assigned.contiguity(wish.fastest()) > 1;
  if (assigned.numLanes() > 1)
    along |= assigned.bases(layout::Hw::Lane).front()[wish.fastest()] != 0;
  int64_t here = sectorsIn(wish, assigned), there = sectorsIn(wish, own);
  if (!along)
    return here * kOwnSectors <= there * kServedSectors;
  return (double)here <= (double)there * (wish.stores ? kScatteredStore : kScatteredLoad);
}

/// Rows along the fastest dimension that lie in one warp each, where the tile has one for every warp: nothing
/// that goes along them leaves the warp.
static std::optional<LinearLayout> warpRowsLayout(const AccessWish &wish, int64_t warps,
                                                  int64_t narrowestBits) {
  int fastest = wish.fastest();
  layout::Shape shape(wish.shape.begin(), wish.shape.end()), elems(shape.size(), 1), lanes(shape.size(), 1),
      rows(shape.size(), 1);
  int64_t part = shape[fastest] & -shape[fastest];
  if (part < 32)
    return std::nullopt;
  lanes[fastest] = 32;
  elems[fastest] = std::min<int64_t>(
      {(int64_t)llvm::bit_floor((uint64_t)wish.vectorElems), 128 / narrowestBits, part / 32});
  int64_t left = warps;
  for (int dim : llvm::drop_begin(wish.order)) {
    rows[dim] = std::min<int64_t>(left, shape[dim] & -shape[dim]);
    left /= rows[dim];
  }
  if (left != 1)
    return std::nullopt;
  return LinearLayout::blocked(shape, elems, lanes, rows, wish.order);
}

/// Whether `small` is `large` with some dimensions of size 1.
static bool isProjection(const Shape &small, const Shape &large) {
  if (small.size() != large.size())
    return false;
  return llvm::all_of(llvm::zip(small, large), [](auto pair) {
    return std::get<0>(pair) == std::get<1>(pair) || std::get<0>(pair) == 1;
  });
}

/// Whether `op` loads operands of warpgroup products alone: they go through rings, not through registers, and
/// say nothing of other tiles of their shape.
static bool isRingLoad(Operation *op) {
  return isa<LoadOp>(op) && !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
           auto dot = dyn_cast<DotOp>(user);
           return dot && productUnit(dot) == ProductUnit::Wgmma;
         });
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

bool LayoutAssignment::isHeldSum(const Shape &shape) const { return llvm::is_contained(heldSums, shape); }

void LayoutAssignment::chooseLayouts() {
  kernel.walk(
      [&](DotOp dot) { chains |= productUnit(dot) == ProductUnit::MmaSync && !convertedLoad(dot.getLhs()); });
  kernel.walk([&](DotOp dot) {
    if (productUnit(dot) == ProductUnit::Wgmma || chains)
      heldSums.push_back(shapeOf(dot.getResult()));
  });
  SmallVector<Shape> shapes;
  auto note = [&](Value value) {
    if (isTile(value) && !llvm::is_contained(shapes, shapeOf(value)))
      shapes.push_back(shapeOf(value));
  };
  SmallVector<AccessWish> wishes;
  SmallVector<std::pair<Shape, int>> reduced;
  SmallVector<Shape> blockSums;
  kernel.walk([&](Operation *op) {
    if (auto sum = dyn_cast<SumBlocksOp>(op))
      blockSums.push_back(shapeOf(sum.getResult()));
    if (auto reduce = dyn_cast<ReduceOp>(op))
      reduced.push_back({shapeOf(reduce.getInputs()[0]), (int)reduce.getDim()});
    llvm::for_each(op->getResults(), note);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), note);
    if (auto wish = wishOf(op); wish && !isRingLoad(op) && !isTableLoad(op) && !isIndexLoad(op))
      wishes.push_back(*wish);
  });
  for (const Shape &shape : shapes) {
    if (llvm::any_of(shapes,
                     [&](const Shape &other) { return other != shape && isProjection(shape, other); }))
      continue;
    if (isHeldSum(shape)) {
      maximal.emplace_back(
          shape, LinearLayout::mmaAccumulator({shape.begin(), shape.end()}, (int)kernel.getWarps(), 1));
      continue;
    }
    // The access of this very shape with the most bytes; else of a projection of it; else row-major.
    AccessWish chosen;
    chosen.shape = shape;
    chosen.order = LinearLayout::rowMajorOrder((int)shape.size());
    chosen.vectorElems = 4;
    int64_t narrowest = 64;
    for (bool exact : {true, false}) {
      for (const AccessWish &wish : wishes) {
        if (exact ? wish.shape != shape : !isProjection(wish.shape, shape))
          continue;
        narrowest = std::min(narrowest, std::max<int64_t>(16, wish.elementBits));
        if (wish.bytes <= chosen.bytes)
          continue;
        chosen = wish;
        chosen.shape = shape;
      }
      if (chosen.bytes)
        break;
    }
    // Lanes that read one another's shared memory side by side: 16 bytes of fp32 each, without gaps.
    if (llvm::is_contained(blockSums, shape))
      chosen.vectorElems = std::min<int64_t>(chosen.vectorElems, 4);
    int64_t bits = std::min<int64_t>(narrowest, 32), warps = (int64_t)kernel.getWarps();
    SmallVector<AccessWish> same;
    llvm::copy_if(wishes, std::back_inserter(same),
                  [&](const AccessWish &wish) { return wish.shape == shape; });
    if (same.size() > 1)
      chosen = narrowed(chosen, same, warps, bits);
    LinearLayout layout = coalescedLayout(chosen, warps, bits);
    auto leavesWarp = [&](const layout::Coord &basis) { return basis[chosen.fastest()] != 0; };
    if (chosen.bytes && llvm::is_contained(reduced, std::make_pair(shape, chosen.fastest())) &&
        llvm::any_of(layout.bases(layout::Hw::Warp), leavesWarp))
      layout = warpRowsLayout(chosen, warps, bits).value_or(layout);
    maximal.emplace_back(shape, layout);
  }
}

LinearLayout LayoutAssignment::layoutFor(const Shape &shape) const {
  for (const auto &[large, layout] : maximal) {
    if (large == shape)
      return layout;
    if (!isProjection(shape, large))
      continue;
    std::vector<int> dims;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != large[d])
        dims.push_back((int)d);
    return layout.project(dims).layout;
  }
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
    Shape shape = shapeOf(dot.getResult());
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
      typeWith(value, accumulators.contains(value) ? accumulatorLayout : layoutFor(shapeOf(value)));
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
  Shape from = shapeOf(operand.get());
  std::vector<int> dims;
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] != result.getDimSize(d))
      dims.push_back((int)d);
  convertOperand(operand, getLayout(result).getLayout().project(dims).layout);
}

void LayoutAssignment::fixDot(DotOp op) {
  Shape lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int bits = (int)storageBits(getElementTypeOrSelf(op.getLhs().getType()));
  // A warpgroup's product reads what is loaded from shared memory; the left operand may be a tile in
  // registers.
  if (productUnit(op) == ProductUnit::Wgmma && !convertedLoad(op.getLhs()))
    convertOperand(op->getOpOperand(0),
                   LinearLayout::mmaOperandA({lhs.begin(), lhs.end()}, bits, (int)kernel.getWarps(), 1));
  if (productUnit(op) == ProductUnit::MmaSync) {
    bits = std::max(bits, 16); // 8-bit floats are widened
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
  LinearLayout own = coalescedLayout(wish, warps, std::max<int64_t>(16, wish.elementBits));
  if (!isTableLoad(op) && isServed(wish, assigned, own))
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
        convertOperand(use, layoutFor(shapeOf(value)));
  for (Operation *op : ops)
    if (isa<LoadOp, StoreOp>(op))
      if (std::optional<AccessWish> wish = wishOf(op); wish && wish->shape[wish->fastest()] > 1)
        mostSectors = std::max(mostSectors,
                               sectorsIn(*wish, coalescedLayout(*wish, kernel.getWarps(),
                                                                std::max<int64_t>(16, wish->elementBits))));
  for (Operation *op : ops) {
    if (auto reduce = dyn_cast<ReduceOp>(op))
      fixReduce(reduce);
    else if (isa<ScanOp, SortOp>(op))
      fixRows(op);
    else if (auto broadcast = dyn_cast<BroadcastOp>(op))
      fixProjected(broadcast->getOpOperand(0), broadcast.getType());
    else if (auto dot = dyn_cast<DotOp>(op))
      fixDot(dot);
    else if (auto gather = dyn_cast<GatherOp>(op))
      fixProjected(gather.getOffsetsMutable(), cast<RankedTensorType>(gather.getType()));
    else if (auto take = dyn_cast<TakeOp>(op))
      fixProjected(take.getIndicesMutable(), cast<RankedTensorType>(take.getType()));
    else if (isa<LoadOp, StoreOp>(op) && failed(fixAccess(op)))
      return failure();
  }
  return success();
}

namespace {
struct AssignLayouts : tile::impl::TileAssignLayoutsBase<AssignLayouts> {
  using Base::Base;
  void runOnOperation() override {
    LayoutAssignment assignment{getOperation(), {}, {}, {}, {}, /*chains=*/false};
    if (failed(assignment.run()))
      signalPassFailure();
  }
};
} // namespace
