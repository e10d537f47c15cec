// tile-depend-on-grid: a kernel that may start early lets those behind it start, and waits for the kernels
// before it where it first needs what they write. Operands that no kernel of the program writes (steady
// views) are fetched before that: the first slots of the rings are filled with them, loads outside of roles
// moved up.

#include "KernelArguments.h"
#include "SlotCopies.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEDEPENDONGRID
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Whether `op` touches global memory that kernels before this one may write, or writes any.
static bool needsGrid(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !isSteady(load.getView());
  if (auto gather = dyn_cast<GatherOp>(op))
    return !isSteady(gather.getView());
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return !isSteady(copy.getView());
  if (auto copy = dyn_cast<CopyBulkOp>(op))
    return !isSteady(copy.getView());
  return isa<StoreOp, StoreBulkOp, RaiseFlagOp, LowerFlagOp, TakeTicketOp, LookBackOp>(op);
}

//===-- Slots filled ahead ----------------------------------------------------------------------------===//

/// Bytes that a block fetches before the wait of an operand that several blocks (kSharingBlocks) read. (H200,
/// dependent products of 1024 and 2048 cubed: all slots 5.12 and 23.34 us, 64 KB 4.85 and 23.01, 32 KB 4.74
/// and 22.94, 16 KB 4.83 and 22.92.)
static constexpr int64_t kBytesAhead = 32768;

namespace {

/// The one place where a role fills a ring: in a loop, perhaps inside a loop over tiles.
struct FilledRing {
  AcquireOp acquire;
  scf::ForOp steps, tiles;
  /// Copies of operands that kernels before do not write, and of the others.
  SmallVector<CopyBulkOp> steady, later;
  /// Iterations of `steps`; 0: they differ from tile to tile, and number the slots.
  int64_t trips = 0;

  bool find(RoleOp role);
  int64_t slotsAhead();
  void fillAhead(RoleOp role);
  scf::ForOp createAhead(OpBuilder &builder, Region &body, IRMapping &mapping);
};

} // namespace

/// Whether the role has the form that is filled ahead, with something to fill.
bool FilledRing::find(RoleOp role) {
  acquire = onlyAcquire(role);
  if (!acquire)
    return false;
  steps = dyn_cast<scf::ForOp>(acquire->getParentOp());
  if (!steps)
    return false;
  tiles = dyn_cast<scf::ForOp>(steps->getParentOp());
  if ((tiles ? tiles->getParentOp() : steps->getParentOp()) != role || steps.getNumResults() ||
      (tiles && tiles.getNumResults()))
    return false;
  auto low = getConstantIntValue(steps.getLowerBound()), high = getConstantIntValue(steps.getUpperBound()),
       step = getConstantIntValue(steps.getStep());
  if (low && high && step)
    trips = llvm::divideCeil(*high - *low, *step);
  else if (!tiles || step != 1 || acquire.getSlot() != steps.getInductionVar())
    return false;
  for (Operation &op : *steps.getBody()) {
    if (isa<StoreSharedOp, CopyAsyncOp, LoadOp>(op))
      return false;
    if (auto copy = dyn_cast<CopyBulkOp>(op))
      (isSteady(copy.getView()) ? steady : later).push_back(copy);
  }
  return !steady.empty() && !later.empty();
}

/// `value` with the loops' indices mapped, and what it is computed from.
static Value cloneFor(OpBuilder &builder, Value value, Region &body, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() == &body)
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneFor(builder, operand, body, mapping));
  return builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
}

/// Moves what `value` is computed from in the block of `op`, and behind it, in front of it.
static void computeBefore(Operation *op, Value value) {
  Operation *source = value.getDefiningOp();
  if (!source || source->getBlock() != op->getBlock() || source->isBeforeInBlock(op))
    return;
  llvm::for_each(source->getOperands(), [&](Value operand) { computeBefore(op, operand); });
  source->moveBefore(op);
}

/// Slots that are filled before the wait. What one block alone reads comes from memory, the more of it the
/// better. What many read comes from L2, where the rest would be in the way of what the wait is for.
int64_t FilledRing::slotsAhead() {
  int64_t stages = acquire.getRing().getType().getStages(), bytes = 0, whole = 0;
  for (CopyBulkOp copy : steady) {
    auto view = cast<ViewType>(copy.getView().getType());
    int64_t elements = 1;
    for (int64_t size : view.getShape())
      elements *= size;
    bytes += copy.getBuffer().getType().getStageBytes();
    whole += elements * storageBits(view.getElementType()) / 8;
  }
  int64_t blocks = acquire->getParentOfType<KernelOp>().getGrid()[0];
  if (blocks * trips * bytes < kSharingBlocks * whole)
    return stages;
  return std::clamp<int64_t>(kBytesAhead / std::max<int64_t>(1, bytes), 1, stages);
}

/// The loop over the first tile's slots.
scf::ForOp FilledRing::createAhead(OpBuilder &builder, Region &body, IRMapping &mapping) {
  Location loc = acquire.getLoc();
  int64_t stages = slotsAhead();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  if (trips) {
    int64_t low = *getConstantIntValue(steps.getLowerBound()), step = *getConstantIntValue(steps.getStep());
    return scf::ForOp::create(builder, loc, index(low), index(low + std::min(stages, trips) * step),
                              index(step));
  }
  Value low = cloneFor(builder, steps.getLowerBound(), body, mapping);
  Value high = cloneFor(builder, steps.getUpperBound(), body, mapping);
  Value most = arith::AddIOp::create(builder, loc, low, index(stages));
  high = arith::MinUIOp::create(builder, loc, high, most);
  return scf::ForOp::create(builder, loc, low, high, index(1));
}

/// Slots 0 to n - 1 are acquired and filled with what is steady before the wait; the loop leaves that out.
void FilledRing::fillAhead(RoleOp role) {
  Location loc = acquire.getLoc();
  Region &body = role.getBody();
  OpBuilder builder(tiles ? tiles : steps);
  IRMapping mapping;
  if (tiles)
    mapping.map(tiles.getInductionVar(), tiles.getLowerBound());
  scf::ForOp ahead = createAhead(builder, body, mapping);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ahead.getBody());
    mapping.map(steps.getInductionVar(), ahead.getInductionVar());
    SmallVector<Operation *> filling = {acquire};
    llvm::append_range(filling, steady);
    for (Operation *op : filling) {
      for (Value operand : op->getOperands())
        mapping.map(operand, cloneFor(builder, operand, body, mapping));
      builder.clone(*op, mapping)->setAttr(AcquireOp::getPartedAttrName(), builder.getUnitAttr());
    }
  }
  // The copies go into a conditional in place of the acquire: where in its tensor each begins is known then.
  for (CopyBulkOp copy : steady)
    llvm::for_each(copy->getOperands(), [&](Value operand) { computeBefore(acquire, operand); });
  builder.setInsertionPoint(acquire);
  Value filled = ahead.getUpperBound();
  if (trips)
    filled = arith::ConstantIndexOp::create(builder, loc, std::min<int64_t>(slotsAhead(), trips));
  Value isLater = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, acquire.getSlot(), filled);
  auto guard = scf::IfOp::create(builder, loc, isLater, /*withElseRegion=*/false);
  acquire->setAttr(AcquireOp::getPartedAttrName(), builder.getUnitAttr());
  acquire->moveBefore(guard.thenBlock()->getTerminator());
  for (CopyBulkOp copy : steady)
    copy->moveBefore(guard.thenBlock()->getTerminator());
  builder.setInsertionPoint(tiles ? tiles : steps);
  AwaitGridOp::create(builder, loc);
}

//===-- Waits -----------------------------------------------------------------------------------------===//

/// A wait before the first op of each block that needs it.
static void awaitWhereNeeded(Block &block) {
  bool waits = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!waits && needsGrid(&op)) {
      OpBuilder builder(&op);
      AwaitGridOp::create(builder, op.getLoc());
      waits = true;
    }
    if (waits)
      return;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        awaitWhereNeeded(inner);
  }
}

/// Once, where the role fills rings and needs it at all.
static void awaitAtStart(RoleOp role) {
  WalkResult found = role.walk(
      [](Operation *op) { return needsGrid(op) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (!found.wasInterrupted())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&role.getBody().front());
  AwaitGridOp::create(builder, role.getLoc());
}

/// Outside of roles: loads of steady views at the top of the kernel stand before the wait.
static void awaitBehindSteadyLoads(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *first = nullptr;
  for (Operation &op : body) {
    bool needs = false;
    op.walk([&](Operation *inner) { needs |= needsGrid(inner); });
    if (needs) {
      first = &op;
      break;
    }
  }
  if (!first)
    first = body.getTerminator();
  OpBuilder builder(first);
  auto wait = AwaitGridOp::create(builder, kernel.getLoc());
  SmallVector<LoadOp> loads;
  for (auto load : body.getOps<LoadOp>())
    if (isSteady(load.getView()) && !load->isBeforeInBlock(wait))
      loads.push_back(load);
  for (LoadOp load : loads)
    if (llvm::all_of(load->getOperands(), [&](Value operand) {
          Operation *op = operand.getDefiningOp();
          return !op || op->getBlock() != &body || op->isBeforeInBlock(wait);
        }))
      load->moveBefore(wait);
}

namespace {
struct DependOnGrid : tile::impl::TileDependOnGridBase<DependOnGrid> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().dependentLaunch)
      return markAllAnalysesPreserved();
    Block &body = kernel.getBody().front();
    SmallVector<RoleOp> roles(body.getOps<RoleOp>());
    if (roles.empty())
      awaitBehindSteadyLoads(kernel);
    for (RoleOp role : roles) {
      FilledRing ring;
      if (ring.find(role))
        ring.fillAhead(role);
      else if (ring.acquire)
        awaitAtStart(role);
      else
        awaitWhereNeeded(role.getBody().front());
    }
    OpBuilder builder = roles.empty() ? OpBuilder::atBlockBegin(&body) : OpBuilder(roles.front());
    LaunchDependentsOp::create(builder, kernel.getLoc());
  }
};
} // namespace
