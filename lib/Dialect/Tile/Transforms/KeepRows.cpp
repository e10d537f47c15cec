// tile-keep-rows: loops that go over the same row one after the other read it from global memory once. The
// first loop leaves its tiles in shared memory, each thread its own elements; the later ones take them there.
// No thread reads what another one wrote, so no barrier stands between them.

#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/IR/OwnElements.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEKEEPROWS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// A loop with constant bounds.
struct Trips {
  scf::ForOp loop;
  int64_t begin = 0, end = 0, step = 1;
  int64_t count() const { return (end - begin + step - 1) / step; }
  bool operator==(const Trips &other) const {
    return begin == other.begin && end == other.end && step == other.step;
  }
};

/// A load that may be kept, and those of later loops that repeat it.
struct KeptLoad {
  LoadOp load;
  Trips trips;
  SmallVector<std::pair<LoadOp, scf::ForOp>> repeats;
};

} // namespace

static std::optional<Trips> tripsOf(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound()), end = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!begin || !end || !step || *step < 1 || *end <= *begin)
    return std::nullopt;
  return Trips{loop, *begin, *end, *step};
}

/// Whether `a` in one loop and `b` in the other are the same number in the same iteration.
static bool isSame(Value a, scf::ForOp loopA, Value b, scf::ForOp loopB) {
  if (a == b)
    return loopA.isDefinedOutsideOfLoop(a) && loopB.isDefinedOutsideOfLoop(b);
  if (a == loopA.getInductionVar())
    return b == loopB.getInductionVar();
  Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
  if (!opA || !opB || opA->getName() != opB->getName() || opA->getAttrs() != opB->getAttrs() ||
      opA->getNumOperands() != opB->getNumOperands() || opA->getNumRegions() != 0 || !isPure(opA) ||
      cast<OpResult>(a).getResultNumber() != cast<OpResult>(b).getResultNumber())
    return false;
  return llvm::all_of(llvm::zip(opA->getOperands(), opB->getOperands()),
                      [&](auto pair) { return isSame(std::get<0>(pair), loopA, std::get<1>(pair), loopB); });
}

/// Whether a thread of the layout has elements that no other thread has.
static bool isOwned(LoadOp load) {
  const layout::LinearLayout &layout = getLayout(load.getType()).getLayout();
  return !layout.freeBits(layout::Hw::Lane) && !layout.freeBits(layout::Hw::Warp);
}

static bool varies(LoadOp load, scf::ForOp loop) {
  return llvm::any_of(load.getIndices(), [&](Value index) { return !loop.isDefinedOutsideOfLoop(index); });
}

static SharedType bufferOf(KeptLoad &kept) {
  RankedTensorType type = kept.load.getType();
  layout::Shape shape(type.getShape().begin(), type.getShape().end());
  // Along the dimension in which a thread has neighbours, so that it moves whole vectors.
  std::vector<int> order = layout::LinearLayout::rowMajorOrder((int)shape.size());
  const layout::LinearLayout &layout = getLayout(type).getLayout();
  llvm::stable_sort(order, [&](int a, int b) { return layout.contiguity(a) > layout.contiguity(b); });
  return SharedType::get(type.getContext(), kept.trips.count(), type.getElementType(),
                         SharedLayout::plain(shape, order));
}

static void keep(KeptLoad &kept, SharedType type, KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value buffer = AllocOp::create(builder, kept.load.getLoc(), type, IntegerAttr());
  auto stageIn = [&](scf::ForOp loop, Location loc) -> Value {
    Value offset = loop.getInductionVar();
    if (kept.trips.begin)
      offset = arith::SubIOp::create(builder, loc, offset, loop.getLowerBound());
    return arith::DivUIOp::create(builder, loc, offset, loop.getStep());
  };
  LoadOp first = kept.load;
  builder.setInsertionPointAfter(first);
  auto stored = StoreSharedOp::create(builder, first.getLoc(), first.getResult(), buffer,
                                      stageIn(kept.trips.loop, first.getLoc()));
  stored->setAttr(kOwnElementsAttrName, builder.getUnitAttr());
  for (auto [load, loop] : kept.repeats) {
    builder.setInsertionPoint(load);
    auto tile = LoadSharedOp::create(builder, load.getLoc(), load.getType(), buffer,
                                     stageIn(loop, load.getLoc()), ValueRange());
    tile->setAttr(kOwnElementsAttrName, builder.getUnitAttr());
    load.replaceAllUsesWith(tile.getResult());
    load.erase();
  }
}

namespace {
struct KeepRows : tile::impl::TileKeepRowsBase<KeepRows> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto limit = kernel->getAttrOfType<IntegerAttr>(KernelOp::getKeptBytesAttrName());
    if (!limit)
      return;
    kernel->removeAttr(KernelOp::getKeptBytesAttrName());
    llvm::SmallDenseSet<Value> written;
    kernel.walk([&](StoreOp store) { written.insert(sourceOf(store.getView())); });
    SmallVector<KeptLoad> found;
    for (auto loop : kernel.getBody().getOps<scf::ForOp>()) {
      std::optional<Trips> trips = tripsOf(loop);
      if (!trips)
        continue;
      for (auto load : loop.getBody()->getOps<LoadOp>()) {
        if (written.contains(sourceOf(load.getView())) || !varies(load, loop) || !isOwned(load))
          continue;
        auto repeats = [&](KeptLoad &kept) {
          return kept.trips.loop != loop && kept.trips == *trips && kept.load.getView() == load.getView() &&
                 kept.load.getType() == load.getType() && kept.load->getAttrs() == load->getAttrs() &&
                 llvm::all_of(llvm::zip(kept.load.getIndices(), load.getIndices()), [&](auto pair) {
                   return isSame(std::get<0>(pair), kept.trips.loop, std::get<1>(pair), loop);
                 });
        };
        auto *earlier = llvm::find_if(found, repeats);
        if (earlier == found.end())
          found.push_back({load, *trips, {}});
        else
          earlier->repeats.push_back({load, loop});
      }
    }
    int64_t left = limit.getInt();
    for (KeptLoad &kept : found) {
      if (kept.repeats.empty())
        continue;
      SharedType type = bufferOf(kept);
      int64_t bytes = type.getStages() * type.getStageBytes();
      if (bytes > left)
        continue;
      left -= bytes;
      keep(kept, type, kernel);
    }
  }
};
} // namespace
