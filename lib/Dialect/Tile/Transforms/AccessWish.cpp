// What accesses and the computation between them cost in a layout: sectors, instructions, exchanges among
// lanes.

#include "AccessWish.h"

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Layout/Scan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;

/// How many times the sectors of its own layout an access touches before its tile is exchanged among threads
/// for it: what a load leaves of a sector stays in L1 for the next one, a store sends each sector again.
static constexpr double kScatteredStore = 1.5, kScatteredLoad = 8;
/// What a sector costs that is loaded again, as a part of one that is not; and the share of an access's cost
/// for which another layout is taken.
static constexpr double kLoadedAgain = 0.25, kMuchLess = 0.75;
/// The share of sectors that a layout which is no access's own may touch beyond those of its own: 5 / 4.
static constexpr int64_t kServedSectors = 5, kOwnSectors = 4;
/// Clocks of a multiprocessor: of a sector that comes from memory or goes there (132 of them share 4.6 TB/s
/// at 1.9 GHz), of one that an instruction touches in L1, of an instruction of a warp, of an exchange between
/// its lanes with the operation on what comes, and of a barrier. (H200, measured; CUDA C Programming Guide,
/// "Arithmetic Instructions", for the rates of instructions.)
static constexpr double kSectorClocks = 1.75, kTouchedClocks = 0.5, kIssueClocks = 0.25,
                        kShuffleClocks = 1.25, kBarrierClocks = 32;

TileSizes tile::sizesOf(Value tile) {
  return llvm::to_vector(cast<RankedTensorType>(tile.getType()).getShape());
}

bool tile::isProjection(ArrayRef<int64_t> small, ArrayRef<int64_t> large) {
  if (small.size() != large.size())
    return false;
  return llvm::all_of(llvm::zip(small, large), [](auto pair) {
    return std::get<0>(pair) == std::get<1>(pair) || std::get<0>(pair) == 1;
  });
}

LinearLayout tile::projectedTo(ArrayRef<int64_t> small, const LinearLayout &layout) {
  std::vector<int> dims;
  for (auto [d, size] : llvm::enumerate(layout.shape()))
    if (small[d] != size)
      dims.push_back((int)d);
  return dims.empty() ? layout : layout.project(dims).layout;
}

static double costIn(const AccessWish &wish, const LinearLayout &layout);

template <typename Op> static AccessWish wishOfAccess(Op op, Value tile) {
  AccessWish wish;
  wish.shape = sizesOf(tile);
  auto view = cast<ViewType>(op.getView().getType());
  wish.elementBits = storageBits(view.getElementType());
  int64_t elems = 1;
  for (int64_t size : wish.shape)
    elems *= size;
  wish.bytes = elems * wish.elementBits / 8;
  // The dimension with the nearest neighbours in memory, among those that the tile has.
  wish.view = view.getView();
  // What a gather selects lies apart; where it has no runs besides, every layout is as good for it.
  auto isRun = [&](const layout::ViewDim &dim) { return !dim.modes.empty() && dim.modes.back().stride == 1; };
  bool isScattered = std::is_same_v<Op, GatherOp>;
  for (auto [d, size] : llvm::enumerate(wish.shape))
    isScattered &= size == 1 || !isRun(wish.view.dim((int)d));
  wish.moved = wish.elementBits;
  for (auto [d, size] : llvm::enumerate(wish.shape)) {
    bool isSelected = false;
    if constexpr (std::is_same_v<Op, GatherOp>)
      isSelected = !isScattered && op.getOffsets().getType().getDimSize(d) != 1;
    wish.moved *= isSelected ? size : (int64_t)llvm::divideCeil(size, wish.view.dim((int)d).repeats());
  }
  wish.moved /= 8;
  VectorForm form = vectorForm(op, wish.view, op.getDivisors(), wish.shape);
  wish.view = form.view;
  wish.divisors = form.divisors;
  wish.stores = std::is_same_v<Op, StoreOp>;
  wish.order = layout::accessOrder(wish.view);
  llvm::stable_sort(wish.order, [&](int a, int b) { return (wish.shape[a] == 1) < (wish.shape[b] == 1); });
  wish.mayEnd = !std::is_same_v<Op, GatherOp> && wish.divisors[wish.fastest()] != 0;
  if (!std::is_same_v<Op, GatherOp>)
    wish.shifts = wish.stores ? layout::Shifts::OfStores : layout::Shifts::OfLoads;
  layout::ShiftedVectors widest =
      layout::shiftedVectors(wish.view, wish.fastest(), wish.divisors, (int)wish.elementBits,
                             /*maxVectorBits=*/128, wish.mayEnd, wish.shifts);
  wish.vectorElems = widest.elems;
  if (widest.shift == 0)
    return wish;
  // Where runs are so short that vectors which begin within them are none, or are more in pieces than whole.
  AccessWish aligned = wish;
  aligned.vectorElems = wish.view.maxVectorElems(wish.fastest(), wish.divisors, (int)wish.elementBits,
                                                 /*maxVectorBits=*/128, wish.mayEnd);
  auto warps = (int64_t)op->template getParentOfType<KernelOp>().getWarps();
  return costIn(aligned, ownLayout(aligned, warps)) < costIn(wish, ownLayout(wish, warps)) ? aligned : wish;
}

std::optional<AccessWish> tile::wishOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return wishOfAccess(load, load.getResult());
  if (auto gather = dyn_cast<GatherOp>(op))
    return wishOfAccess(gather, gather.getResult());
  if (auto store = dyn_cast<StoreOp>(op))
    return wishOfAccess(store, store.getValue());
  return std::nullopt;
}

LinearLayout tile::coalescedLayout(const AccessWish &wish, int64_t warps, int64_t narrowestBits) {
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
                              wish.mayEnd, wish.shifts);
}

int64_t tile::sectorsIn(const AccessWish &wish, const LinearLayout &layout) {
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
         (double)layout::accessInstructions(access, wish.stores);
}

/// What all of them cost, each in the layout or, where that is less, exchanged among threads into its own.
static double costOf(ArrayRef<AccessWish> wishes, const LinearLayout &layout, int64_t warps) {
  double cost = 0;
  for (const AccessWish &wish : wishes) {
    LinearLayout own = ownLayout(wish, warps);
    double exchange = 2 * (double)(wish.bytes / warps) / (double)layout::kSectorBytes;
    cost += std::min(costIn(wish, layout), costIn(wish, own) + exchange);
  }
  return cost;
}

AccessWish tile::narrowed(AccessWish chosen, ArrayRef<AccessWish> wishes, int64_t warps, int64_t bits) {
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

bool tile::isServed(const AccessWish &wish, const LinearLayout &assigned, const LinearLayout &own) {
  // Consecutive lanes or registers run along the access's fastest dimension.
  bool along = assigned.contiguity(wish.fastest()) > 1;
  if (assigned.numLanes() > 1)
    along |= assigned.bases(layout::Hw::Lane).front()[wish.fastest()] != 0;
  int64_t here = sectorsIn(wish, assigned), there = sectorsIn(wish, own);
  if (!along)
    return here * kOwnSectors <= there * kServedSectors;
  return (double)here <= (double)there * (wish.stores ? kScatteredStore : kScatteredLoad);
}
std::optional<LinearLayout> tile::warpRowsLayout(const AccessWish &wish, int64_t warps,
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

std::optional<LinearLayout> tile::threadRowsLayout(const AccessWish &wish, int64_t warps) {
  layout::Shape shape(wish.shape.begin(), wish.shape.end()), elems(shape.size(), 1), lanes(shape.size(), 1),
      rows(shape.size(), 1);
  elems[wish.fastest()] = shape[wish.fastest()] & -shape[wish.fastest()];
  int64_t lanesLeft = 32, warpsLeft = warps;
  for (int dim : llvm::drop_begin(wish.order)) {
    int64_t part = shape[dim] & -shape[dim];
    lanes[dim] = std::min(lanesLeft, part);
    rows[dim] = std::min(warpsLeft, part / lanes[dim]);
    lanesLeft /= lanes[dim];
    warpsLeft /= rows[dim];
  }
  if (lanesLeft != 1 || warpsLeft != 1)
    return std::nullopt;
  return LinearLayout::blocked(shape, elems, lanes, rows, wish.order);
}

LinearLayout tile::ownLayout(const AccessWish &wish, int64_t warps) {
  return coalescedLayout(wish, warps, std::max<int64_t>(16, wish.elementBits));
}

/// Registers of a layout that hold an element of some lane's or warp's: `extents` are those of the tensor
/// where one tile has a dimension whole, else 0.
static int64_t liveRegisters(const LinearLayout &layout, ArrayRef<int64_t> extents) {
  int64_t live = 0;
  for (int r = 0; r < layout.numRegisters(); ++r) {
    layout::Coord first = layout.apply(r, 0, 0);
    live += llvm::all_of(llvm::zip_equal(first, extents), [](auto pair) {
      return std::get<1>(pair) == 0 || std::get<0>(pair) < std::get<1>(pair);
    });
  }
  return live;
}

/// Clocks of an access to a tile that lies in `layout`.
static double accessClocks(const AccessWish &wish, const LinearLayout &layout) {
  layout::GlobalAccess access = accessIn(wish, layout);
  layout::WarpTraffic traffic = layout::warpTraffic(wish.view, layout, access, (int)wish.elementBits);
  if (wish.stores)
    return (double)traffic.sectors * kSectorClocks;
  return (double)traffic.least * kSectorClocks + (double)traffic.sectors * kTouchedClocks;
}

/// Clocks in which lanes exchange the tile of an access between two layouts, through shared memory.
static double exchangeClocks(const AccessWish &wish, int64_t registers, int64_t warps) {
  double wavefronts = 2 * (double)wish.bytes / (double)(warps * 128);
  return wavefronts + 2 * (double)registers * kIssueClocks + kBarrierClocks;
}

/// Clocks of an access in its own layout, and of the exchange between that and another one.
static double exchangedClocks(const AccessWish &wish, int64_t warps) {
  LinearLayout own = ownLayout(wish, warps);
  return accessClocks(wish, own) + exchangeClocks(wish, own.numRegisters(), warps);
}

bool tile::isFasterAsIs(const AccessWish &wish, const LinearLayout &assigned, int64_t warps) {
  return accessClocks(wish, assigned) <= exchangedClocks(wish, warps);
}

namespace {

/// A maximal layout and what follows from it for the smaller tiles of a kernel.
struct Projections {
  const LinearLayout &layout;
  /// Of the tensor, where one tile has a dimension whole; else 0.
  SmallVector<int64_t> extents;

  LinearLayout of(ArrayRef<int64_t> sizes) const { return projectedTo(sizes, layout); }

  int64_t registersOf(ArrayRef<int64_t> sizes) const { return liveRegisters(of(sizes), extents); }
};

} // namespace

/// Clocks of a reduction: its lanes exchange what they have, and warps what is left, behind a barrier.
static double reduceClocks(ReduceOp reduce, const Projections &tiles) {
  LinearLayout input = tiles.of(sizesOf(reduce.getInputs()[0]));
  auto plan = layout::reductionPlan(input, {(int)reduce.getDim()});
  if (!plan)
    return kBarrierClocks;
  double states = reduce.getNumResults();
  auto left = (double)liveRegisters(plan->result, tiles.extents);
  double shuffles = 0;
  for (size_t i = 0; i < plan->halvings.size(); ++i)
    shuffles += left /= 2;
  shuffles += left * (double)plan->laneMasks.size();
  return states * ((double)liveRegisters(input, tiles.extents) * kIssueClocks + shuffles * kShuffleClocks) +
         (plan->needsSharedMemory() ? kBarrierClocks : 0);
}

/// Clocks of a scan: in the layout where that has a plan, else in one of its own, there and back.
static double scanClocks(ScanOp scan, const Projections &tiles, int64_t warps) {
  LinearLayout layout = tiles.of(sizesOf(scan.getInputs()[0]));
  int dim = (int)scan.getDim();
  auto states = (double)scan.getInputs().size();
  double exchanges = 0;
  std::optional<layout::ScanPlan> plan = layout::scanPlan(layout, dim);
  if (!plan) {
    layout = layout::scanLayout(layout.shape(), (int)warps, dim);
    plan = layout::scanPlan(layout, dim);
    exchanges = 2 * states * (4 * (double)layout.numRegisters() * kIssueClocks + kBarrierClocks);
  }
  if (!plan)
    return exchanges;
  return exchanges + states * (double)layout::scanInstructions(layout, *plan, dim) * kIssueClocks +
         (plan->numWarps() > 1 ? kBarrierClocks : 0);
}

double tile::clocksIn(KernelOp kernel, ArrayRef<AccessWish> wishes, const LinearLayout &layout) {
  layout::Shape shape = layout.shape();
  Projections tiles{layout, SmallVector<int64_t>(shape.size(), 0)};
  for (const AccessWish &wish : wishes)
    if (ArrayRef<int64_t>(wish.shape) == ArrayRef<int64_t>(shape))
      for (auto [d, extent] : llvm::enumerate(tiles.extents))
        if (wish.view.dim((int)d).extent <= shape[d])
          extent = wish.view.dim((int)d).extent;
  int64_t warps = (int64_t)kernel.getWarps();
  double clocks = 0;
  for (const AccessWish &wish : wishes)
    if (isProjection(wish.shape, shape))
      clocks += std::min(accessClocks(wish, tiles.of(wish.shape)), exchangedClocks(wish, warps));
  kernel.walk([&](Operation *op) {
    if (op->getNumResults() == 0 || !isa<RankedTensorType>(op->getResult(0).getType()) ||
        op->hasTrait<OpTrait::ConstantLike>() || isa<LoadOp, GatherOp, BroadcastOp>(op))
      return;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (isProjection(sizesOf(reduce.getInputs()[0]), shape))
        clocks += reduceClocks(reduce, tiles);
    } else if (auto scan = dyn_cast<ScanOp>(op)) {
      if (isProjection(sizesOf(scan.getInputs()[0]), shape))
        clocks += scanClocks(scan, tiles, warps);
    } else if (TileSizes sizes = sizesOf(op->getResult(0)); isProjection(sizes, shape)) {
      clocks += (double)(tiles.registersOf(sizes) * instructionsOf(op)) * kIssueClocks;
    }
  });
  return clocks;
}
