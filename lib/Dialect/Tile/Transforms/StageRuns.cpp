// tile-stage-runs: tiles of whole rows that lie one after the other in memory are one run of it. Where the
// rows are odd, so that threads would load and store an element at a time, or lie so that threads fill too
// few of the sectors that they touch, the run goes through shared memory: 16 bytes at a time between there
// and global memory, and as threads hold its elements between there and registers.

#include "EpilogueOperands.h"
#include "KernelArguments.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Dialect/Tile/IR/StagedRuns.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/GlobalAccess.h"
#include "Tilewright/Layout/Run.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESTAGERUNS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bits of an access of a thread from which on a warp's fill enough sectors, where it touches few besides.
static constexpr int64_t kWideBits = 32;
/// Registers of a thread beside the elements of tiles.
static constexpr int64_t kOtherRegisters = 24;
/// Bytes of a thread's registers of tiles that are loaded while the copies are under way.
static constexpr int64_t kMostBeside = 64;

namespace {

/// The runs of one kernel.
struct RunStager {
  KernelOp kernel;
  int64_t threads = 32 * (int64_t)kernel.getWarps();
  /// Shared memory that is left.
  int64_t left = mostBytes();
  /// Whether the kernel takes elements from tables in shared memory.
  bool takes = kernel.walk([](TakeSharedOp) { return WalkResult::interrupt(); }).wasInterrupted();
  /// The end of the copies that are under way, and the wait for them.
  Operation *commit = nullptr, *wait = nullptr;
  int64_t beside = 0;
  /// What is in shared memory.
  SmallVector<CopyRunOp> copies;

  /// Whether threads hold a tile while others are sent, and two blocks of a multiprocessor have the
  /// registers.
  bool holds(RankedTensorType tile) const {
    return 2 * getLayout(tile).getLayout().numRegisters() + kOtherRegisters <= kRegisterFile / (2 * threads);
  }
  int64_t mostBytes() const { return std::min(kMostBytesOfThread * threads, sharedRoom(kernel)); }
  CopyRunOp copyOf(LoadOp op);
  bool isStaged(ViewType view, RankedTensorType tile, ArrayRef<int64_t> divisors, ArrayRef<bool> inBounds,
                bool stores, bool isIndex = false);
  SharedType bufferOf(ViewType view, ArrayRef<int64_t> shape);
  AllocOp allocate(Location loc, ViewType view, ArrayRef<int64_t> shape);
  void load(LoadOp op);
  void loadBeside(LoadOp op);
  void store(ArrayRef<StoreOp> stores);
};

} // namespace

SharedType RunStager::bufferOf(ViewType view, ArrayRef<int64_t> shape) {
  layout::Run run = *layout::runOf(view.getView(), shape.vec());
  Type element = view.getElementType();
  return SharedType::get(kernel.getContext(), 1, element,
                         layout::SharedLayout::plain({runBufferElems(run.elems, element)}, {0}));
}

AllocOp RunStager::allocate(Location loc, ViewType view, ArrayRef<int64_t> shape) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  return AllocOp::create(builder, loc, bufferOf(view, shape), IntegerAttr());
}

/// Whether the tile is a run that threads would access in small pieces; takes its shared memory.
bool RunStager::isStaged(ViewType viewType, RankedTensorType tile, ArrayRef<int64_t> divisors,
                         ArrayRef<bool> inBounds, bool stores, bool isIndex) {
  const layout::StridedView &view = viewType.getView();
  int64_t bits = storageBits(viewType.getElementType());
  auto run = layout::runOf(view, tile.getShape().vec());
  if (!run || run->elems * bits / 8 < kLeastRunBytes)
    return false;
  // One element along a dimension of several is the one at the index.
  for (auto [d, inside] : llvm::enumerate(inBounds))
    if (!inside && tile.getDimSize(d) == 1 && view.dim((int)d).extent > 1)
      return false;
  // One that begins at no multiple of its size may begin before the view.
  for (auto [size, divisor] : llvm::zip_equal(tile.getShape(), divisors))
    if (divisor % size != 0)
      return false;
  const layout::LinearLayout &layout = getLayout(tile).getLayout();
  layout::GlobalAccess access =
      layout::globalAccess(view, layout, divisors.vec(), (int)bits, /*maxVectorBits=*/128, /*mayEnd=*/true,
                           stores ? layout::Shifts::OfStores : layout::Shifts::OfLoads);
  int64_t width = access.vectors.elems * bits;
  layout::WarpTraffic traffic = layout::warpTraffic(view, layout, access, (int)bits);
  // A sector more of each instruction, where rows begin anywhere in one; what is loaded of it comes from L1
  // again.
  int64_t sectors = traffic.sectors;
  if (stores && view.offsetDivisibility(divisors.vec()) * bits % (8 * layout::kSectorBytes) != 0)
    sectors += (int64_t)access.vectors.groups.size();
  // Blocks that have waited for a table do not wait for one another again: neighbours fill the sectors that
  // they share soon enough. (On an H200: a gather of rows of 2671 words 72 us, through shared memory 79.) Nor
  // do those whose threads wait for what they select by what is loaded. (17.5 million words by indices that
  // begin at an odd one, 343 us, through shared memory 353 to 576.)
  int64_t bytes = bufferOf(viewType, tile.getShape()).getStageBytes(), all = bits / 8;
  for (const layout::ViewDim &dim : view.dims())
    for (const layout::Mode &mode : dim.modes)
      all *= mode.stride ? mode.extent : 1;
  double touched = (double)sectors / (double)std::max<int64_t>(traffic.least, 1);
  bool isWide = width >= kWideBits &&
                (takes || isIndex || touched < (all < kLeastInMemory ? kManyTouched : kTouchedInMemory));
  // Whole vectors that are stored apart leave the other parts of their sectors to other instructions.
  bool isWhole = width >= 8 * kRunBytes && !(stores && touched >= kPartsOfSectors);
  if (isWide || isWhole || bytes > left || all < kLeastStagedBytes)
    return false;
  left -= bytes;
  return true;
}

/// Whether `op` may stand in front of `place`, in the same block: what it needs is there, and nothing between
/// writes memory or waits for anything.
static bool mayMove(Operation *op, Operation *place) {
  for (Operation *each = place; each != op; each = each->getNextNode())
    if (!each || !(isMemoryEffectFree(each) ||
                   isa<LoadOp, LoadRunOp, CopyRunOp, CommitAsyncOp, WaitAsyncOp, BarrierOp>(each)))
      return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *needed = operand.getDefiningOp();
    return !needed || needed->getBlock() != place->getBlock() || needed->isBeforeInBlock(place);
  });
}

/// Whether what `op` loads says which elements of a tensor are taken.
static bool isIndexOfGather(LoadOp op) {
  llvm::SetVector<Operation *> slice;
  getForwardSlice(op.getResult(), &slice);
  return llvm::any_of(slice, llvm::IsaPred<GatherOp>);
}

/// The copy that has brought what `op` loads; null when none has.
CopyRunOp RunStager::copyOf(LoadOp op) {
  auto *same = llvm::find_if(copies, [&](CopyRunOp copy) {
    return copy.getView() == op.getView() && copy.getIndices() == op.getIndices() &&
           copy.getShape() == op.getType().getShape();
  });
  return same == copies.end() ? CopyRunOp() : *same;
}

void RunStager::load(LoadOp op) {
  Location loc = op.getLoc();
  auto view = cast<ViewType>(op.getView().getType());
  ArrayRef<int64_t> shape = op.getType().getShape();
  OpBuilder builder(op);
  CopyRunOp copy = copyOf(op);
  Value buffer = copy ? copy.getBuffer() : allocate(loc, view, shape).getResult();
  auto take = [&] {
    builder.setInsertionPoint(op);
    auto tile = LoadRunOp::create(builder, loc, op.getType(), buffer, op.getView(), op.getIndices(),
                                  op.getDivisors(), op.getInBounds());
    op.replaceAllUsesWith(tile.getResult());
    op.erase();
  };
  if (copy)
    return take();
  if (!commit || !mayMove(op, commit)) {
    commit = CommitAsyncOp::create(builder, loc);
    wait = WaitAsyncOp::create(builder, loc, 0);
    BarrierOp::create(builder, loc);
    beside = 0;
  }
  builder.setInsertionPoint(commit);
  copies.push_back(CopyRunOp::create(builder, loc, op.getView(), op.getIndices(), buffer, shape,
                                     kernel.getWarps(), op.getDivisors(), op.getInBounds()));
  take();
}

/// What else is loaded is asked for before the wait.
void RunStager::loadBeside(LoadOp op) {
  if (!wait || !mayMove(op, wait))
    return;
  RankedTensorType type = op.getType();
  int64_t bytes = getLayout(type).getLayout().numRegisters() * storageBits(type.getElementType()) / 8;
  if (beside + bytes > kMostBeside)
    return;
  beside += bytes;
  op->moveBefore(wait);
}

/// All results are on their way to global memory behind one barrier, in loops between two.
void RunStager::store(ArrayRef<StoreOp> stores) {
  if (stores.empty())
    return;
  if (isa<scf::ForOp>(stores.front()->getParentOp())) {
    OpBuilder first(stores.front());
    BarrierOp::create(first, first.getUnknownLoc());
  }
  OpBuilder last(stores.back()->getContext());
  last.setInsertionPointAfter(stores.back());
  BarrierOp::create(last, stores.back()->getLoc());
  for (StoreOp op : llvm::to_vector(stores)) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getValue().getType());
    AllocOp buffer = allocate(loc, cast<ViewType>(op.getView().getType()), type.getShape());
    OpBuilder builder(op);
    StoreRunOp::create(builder, loc, op.getValue(), buffer, op.getView(), op.getIndices(), op.getDivisors(),
                       op.getInBounds());
    auto send = SendRunOp::create(last, loc, buffer, op.getView(), op.getIndices(), type.getShape(),
                                  kernel.getWarps(), op.getDivisors(), op.getInBounds());
    if (Attribute cache = op->getAttr(CacheAttr::getAttrName()))
      send->setAttr(CacheAttr::getAttrName(), cache);
    op.erase();
  }
}

namespace {
struct StageRuns : tile::impl::TileStageRunsBase<StageRuns> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    bool isOther = kernel
                       .walk([](Operation *op) {
                         return isa<DotOp, DotAsyncOp, RoleOp, RingOp>(op) ? WalkResult::interrupt()
                                                                           : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (isOther)
      return markAllAnalysesPreserved();
    if (failed(verifyLayouts(kernel)))
      return signalPassFailure();
    llvm::SmallDenseSet<Value> written, read;
    kernel.walk([&](StoreOp store) { written.insert(sourceOf(store.getView())); });
    kernel.walk([&](Operation *op) {
      if (isa<LoadOp, GatherOp, CopyAsyncOp>(op))
        for (Value operand : op->getOperands())
          if (isa<ViewType>(operand.getType()))
            read.insert(sourceOf(operand));
    });
    RunStager stager{kernel};
    auto storeThose = [&](Block &block) {
      // What finds no room goes through shared memory behind what does.
      SmallVector<SmallVector<StoreOp>> rounds(1);
      int64_t room = stager.left;
      for (auto store : block.getOps<StoreOp>()) {
        if (read.contains(sourceOf(store.getView())) || isWorkspace(store.getView()) ||
            store->hasAttr(kAlignedAttrName))
          continue;
        auto isStaged = [&] {
          return stager.isStaged(cast<ViewType>(store.getView().getType()),
                                 cast<RankedTensorType>(store.getValue().getType()), store.getDivisors(),
                                 store.getInBounds(), /*stores=*/true);
        };
        if (isStaged()) {
          rounds.back().push_back(store);
          continue;
        }
        int64_t left = std::exchange(stager.left, room);
        if (left < room && stager.holds(cast<RankedTensorType>(store.getValue().getType())) && isStaged())
          rounds.push_back({store});
        else
          stager.left = left;
      }
      for (ArrayRef<StoreOp> stores : rounds)
        stager.store(stores);
    };
    for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front())) {
      if (auto load = dyn_cast<LoadOp>(op)) {
        if (written.contains(sourceOf(load.getView())))
          continue;
        if (!load.getFill() && !load->hasAttr(kAlignedAttrName) &&
            (stager.copyOf(load) || stager.isStaged(cast<ViewType>(load.getView().getType()), load.getType(),
                                                    load.getDivisors(), load.getInBounds(),
                                                    /*stores=*/false, isIndexOfGather(load))))
          stager.load(load);
        else
          stager.loadBeside(load);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        // Nothing outside of a loop is in shared memory with what is stored in it.
        int64_t outside = std::exchange(stager.left, stager.mostBytes());
        storeThose(*loop.getBody());
        stager.left = outside;
      }
    }
    storeThose(kernel.getBody().front());
  }
};
} // namespace
