// tile-stage-stores: results of products go to global memory through shared memory, in pieces that the tensor
// memory accelerator stores while threads go on. Rows that begin at no whole 16 bytes warps store themselves,
// a run of a row at a time: from accumulators an instruction would reach eight rows, a few bytes of each.

#include "EpilogueOperands.h"
#include "KernelArguments.h"
#include "Products.h"

#include "Tilewright/Dialect/Tile/IR/Warpgroups.h"
#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Layout/AsyncAccess.h"
#include "Tilewright/Remarks/Remarks.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;
using layout::SharedLayout;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILESTAGESTORES
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Bytes of a row of a piece: the widest span of the accelerator.
static constexpr int64_t kSpanBytes = 128;
/// Rows that a warp of a product has.
static constexpr int64_t kWarpRows = 16;
/// Columns that warpgroups along N take in turn.
static constexpr int64_t kGroupColumns = 8;
/// Warps of a warpgroup.
static constexpr int64_t kGroupWarps = 4;
/// Buffers of a store: one is filled while the other is stored.
static constexpr int64_t kBuffers = 2;

/// Whether the block comes to `store` once at most, and no product or other store is behind it: what rings
/// brought has been read by then.
static bool endsBlock(StoreOp store) {
  auto kernel = store->getParentOfType<KernelOp>();
  for (Operation *parent = store->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return false;
    auto end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
    if (!end || !step || *step < *end)
      return false;
  }
  bool behind = false, ends = true;
  kernel.walk([&](Operation *op) {
    behind |= op == store;
    if (behind && op != store)
      ends &=
          !isa<DotOp, DotAsyncOp, StoreOp, StoreBulkOp, CopyBulkOp, CopyAsyncOp, SumBlocksOp, LowerFlagOp>(
              op);
  });
  return ends;
}

/// Bytes of the buffers that rings of the kernel feed products from.
static int64_t ringBytes(KernelOp kernel) {
  int64_t bytes = 0;
  for (auto alloc : kernel.getBody().front().getOps<AllocOp>())
    if (llvm::any_of(alloc->getUsers(), llvm::IsaPred<RingOp>))
      bytes += alloc.getType().getStages() * alloc.getType().getStageBytes();
  return bytes;
}

namespace {

/// One store as pieces of all warps' rows by one span.
struct Pieces {
  StoreOp store;
  SmallVector<int64_t> shape;
  SharedLayout shared;
  LayoutAttr layout;
  /// How threads hold a piece that they store along its rows; none where the accelerator stores it.
  LayoutAttr alongRows;
  /// Whether rows, not columns, lie side by side in memory: the product was transposed.
  bool isTransposed = false;
  int64_t rows = 1, columns = 1;
  /// Warpgroups that each store their own rows of a piece; 1: one thread stores all of it.
  int64_t apart = 1;

  /// Whether all pieces lie side by side in the rings' bytes, which nothing else of the block needs by then.
  bool whereRingsWere = false;

  std::string plan(ScheduleAttr schedule);
  /// Divides the tile of `warps` warps, `groups` of them along N, into pieces of `width` columns; says why it
  /// cannot be.
  std::string divide(ArrayRef<int64_t> whole, int bits, int64_t warps, int64_t groups, int64_t width);
  /// Writes them, with `others` results of the kernel still to come; `staged` bytes are buffers of those
  /// before, and then of this one, too. Each instance of a role has buffers of its own, which tile-take-turns
  /// makes.
  void write(int64_t others, int64_t &staged);
  int64_t count() const { return rows * columns; }
  int64_t bytes() {
    auto type = cast<RankedTensorType>(store.getValue().getType());
    return count() * shape[shape.size() - 2] * shape.back() * storageBits(type.getElementType()) / 8;
  }
};

} // namespace

std::string Pieces::divide(ArrayRef<int64_t> whole, int bits, int64_t warps, int64_t groups, int64_t width) {
  size_t rank = whole.size();
  shape.assign(rank, 1);
  shape[rank - 2] = kWarpRows * (warps / groups);
  shape[rank - 1] = width;
  if (whole[rank - 2] % shape[rank - 2] != 0)
    return "the tile has no whole rows for all warps";
  if (width % (kGroupColumns * groups) != 0)
    return "pieces have no columns for all warpgroups";
  rows = whole[rank - 2] / shape[rank - 2];
  columns = (int64_t)llvm::divideCeil(whole[rank - 1], width);
  std::vector<int> order = LinearLayout::rowMajorOrder((int)rank);
  if (isTransposed)
    std::swap(order[0], order[1]);
  auto found = SharedLayout::tma({shape.begin(), shape.end()}, bits, order);
  if (!found)
    return "rows of the tile are no multiple of 16 bytes";
  shared = *found;
  layout =
      LayoutAttr::get(store.getContext(), LinearLayout::wgmmaAccumulator({shape.begin(), shape.end()},
                                                                         (int)(warps / groups), (int)groups));
  return "";
}

/// Chooses the pieces; says why there are none.
std::string Pieces::plan(ScheduleAttr schedule) {
  int64_t warps = schedule.getWarps();
  auto type = cast<RankedTensorType>(store.getValue().getType());
  ArrayRef<int64_t> whole = type.getShape();
  size_t rank = whole.size();
  int bits = (int)storageBits(type.getElementType());
  std::optional<int> alongN = getLayout(type).getLayout().wgmmaGroupsAlongN((int)warps);
  if (rank < 2 || !alongN)
    return "the stored tile is not in the layout of accumulators";
  const layout::StridedView &view = cast<ViewType>(store.getView().getType()).getView();
  int64_t span = kSpanBytes * 8 / bits, exact = std::gcd(whole[rank - 1], span);
  std::string why;
  auto takes = [&](int64_t width) {
    if (why = divide(whole, bits, warps, *alongN, width); !why.empty())
      return false;
    std::vector<int64_t> divisors = store.getDivisors().vec();
    if (whole[rank - 1] % width)
      divisors[rank - 1] = std::gcd(divisors[rank - 1], whole[rank - 1] - width);
    return layout::tensorBoxes(shared, view, divisors, bits, &why) && why.empty();
  };
  isTransposed = view.contiguity((int)rank - 1) <= 1 && view.contiguity((int)rank - 2) > 1;
  bool fits = takes(layout::pieceColumns(whole[rank - 1], span)) || takes(exact);
  // The accelerator knows no end but the tensor's.
  if (fits && !store.getEnd()) {
    // Warpgroups that share tiles need not wait for one another here: each has rows of its own.
    int64_t groups =
        schedule.getOptions().roles == Roles::Cooperative && *alongN == 1 ? warps / kGroupWarps : 1;
    if (groups > 1 && layout::tensorBoxes(shared, view, store.getDivisors().vec(), bits, nullptr, groups))
      apart = groups;
    return "";
  }
  // What lies side by side in memory: columns, or rows where the pieces are what the accelerator could store.
  int along = (int)rank - (isTransposed && fits ? 2 : 1);
  if (view.contiguity(along) <= 1)
    return why;
  std::vector<int64_t> multiples = store.getDivisors().vec();
  for (size_t d = 0; d < rank; ++d)
    multiples[d] = std::gcd(multiples[d], shape[d]);
  int64_t vector = view.maxVectorElems(along, multiples, bits);
  std::vector<int> order = LinearLayout::rowMajorOrder((int)rank);
  std::swap(order.front(), *llvm::find(order, along));
  alongRows =
      LayoutAttr::get(type.getContext(), LinearLayout::coalesced({shape.begin(), shape.end()}, bits,
                                                                 (int)warps, order, (int)vector * bits));
  return "";
}

void Pieces::write(int64_t others, int64_t &staged) {
  auto kernel = store->getParentOfType<KernelOp>();
  Location loc = store.getLoc();
  auto type = cast<RankedTensorType>(store.getValue().getType());
  size_t rank = shape.size();
  OpBuilder top = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto allocate = [&](int64_t buffers) {
    return AllocOp::create(top, loc,
                           SharedType::get(kernel.getContext(), buffers, type.getElementType(), shared),
                           IntegerAttr());
  };
  // Schedules are taken that have room for one buffer of each result.
  int64_t instances = kernel.getSchedule().getOptions().instances();
  int64_t room = (sharedRoom(kernel) - (instances - 1) * staged) / instances;
  room -= others * shape[rank - 2] * kSpanBytes;
  AllocOp staging = allocate(1);
  if (int64_t two = kBuffers * staging.getType().getStageBytes(); count() > 1 && two <= room) {
    staging.erase();
    staging = allocate(kBuffers);
  }
  OpBuilder builder(store);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto byWarpgroup = [&](Operation *op) {
    if (apart > 1)
      op->setAttr(kByWarpgroupAttrName, builder.getI64IntegerAttr(apart));
  };
  EpilogueOperands operands(store, shape, layout, count(), apart);
  auto stored = cast<SharedType>(staging.getType());
  int64_t own = stored.getStages() * stored.getStageBytes();
  operands.bring(others * std::max(stored.getStages(), instances) * stored.getStageBytes() +
                 (instances - 1) * (staged + own));
  if (whereRingsWere && !operands.any()) {
    // No piece waits for the store of another one.
    staging.erase();
    staging = allocate(count());
    staging->setAttr(AllocOp::getBehindRingsAttrName(), builder.getUnitAttr());
    BarrierOp::create(builder, loc);
  } else {
    whereRingsWere = false;
    staged += own;
  }
  int64_t buffers = staging.getType().getStages(), number = 0;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column, ++number) {
      SmallVector<int64_t> offsets(rank, 0), divisors(store.getDivisors());
      offsets[rank - 2] = row * shape[rank - 2];
      offsets[rank - 1] = std::min(column * shape[rank - 1], type.getShape()[rank - 1] - shape[rank - 1]);
      SmallVector<Value> indices(store.getIndices());
      for (size_t d : {rank - 2, rank - 1})
        if (offsets[d]) {
          divisors[d] = std::gcd(divisors[d], offsets[d]);
          indices[d] = arith::AddIOp::create(builder, loc, indices[d], index(offsets[d]));
        }
      // The buffer is free when at most the other one's store still reads; with an odd number of pieces a
      // tile starts with the buffer that the last one ended with.
      bool alternates = number > 0 || count() % 2 == 0;
      // What comes by a ring is taken from it while the buffer's last store still reads.
      Value piece = operands.any() ? operands.piece(builder, offsets, number) : Value();
      if (!alongRows && !whereRingsWere)
        byWarpgroup(WaitStoresOp::create(builder, loc, alternates ? buffers - 1 : 0));
      // Threads that load a piece have done so when all meet behind the next one.
      if (!whereRingsWere && (!alongRows || !alternates || buffers == 1))
        byWarpgroup(BarrierOp::create(builder, loc));
      Value stage = index(number % buffers);
      if (!piece)
        piece = operands.piece(builder, offsets, number);
      StoreSharedOp::create(builder, loc, piece, staging, stage);
      if (alongRows) {
        BarrierOp::create(builder, loc);
        Value row =
            LoadSharedOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType(), alongRows),
                                 staging, stage, ValueRange());
        StoreOp::create(builder, loc, row, store.getView(), indices, store.getEnd(), store.getEndDimAttr(),
                        divisors, store.getInBounds());
        continue;
      }
      FenceAsyncOp::create(builder, loc);
      byWarpgroup(BarrierOp::create(builder, loc));
      byWarpgroup(StoreBulkOp::create(builder, loc, staging, stage, store.getView(), indices, divisors,
                                      store.getInBounds()));
    }
  store.erase();
}

namespace {
struct StageStores : tile::impl::TileStageStoresBase<StageStores> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || schedule.getOptions().store != StoreUnit::Bulk)
      return;
    if (failed(verifyLayouts(kernel)))
      return signalPassFailure();
    SmallVector<StoreOp> stores;
    // Parts of sums go to the workspace in the order in which they are loaded again.
    kernel.walk([&](StoreOp store) {
      if (!isWorkspace(store.getView()))
        stores.push_back(store);
    });
    bool bulk = false;
    int64_t apart = 1, left = (int64_t)stores.size(), staged = 0;
    for (StoreOp store : stores) {
      Pieces pieces;
      pieces.store = store;
      if (std::string why = pieces.plan(schedule); !why.empty()) {
        emitRemark(store, Remark::BulkStoreRefused, why);
        continue;
      }
      pieces.whereRingsWere =
          stores.size() == 1 && !pieces.alongRows && endsBlock(store) && ringBytes(kernel) >= pieces.bytes();
      pieces.write(--left, staged);
      bulk |= !pieces.alongRows;
      apart = std::max(apart, pieces.apart);
    }
    if (!bulk)
      return;
    // Shared memory lives as long as the block: the last stores must have read it.
    OpBuilder builder(kernel.getBody().front().getTerminator());
    if (auto wait = WaitStoresOp::create(builder, kernel.getLoc(), 0); apart > 1)
      wait->setAttr(kByWarpgroupAttrName, builder.getI64IntegerAttr(apart));
  }
};
} // namespace
