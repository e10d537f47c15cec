// tile-defer-commits: a role whose threads fill slots by cp.async speaks for a slot some slots later, so that
// the copies of several are in flight. What arrives by cp.async is a thread's own write: the thread waits for
// its group, makes it visible to the asynchronous proxy and then arrives, all in the commit's place.

#include "SlotCopies.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEDEFERCOMMITS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

/// Slots by which commits of a ring of `stages` come later. A reader gives a slot back when it has seen the
/// next one, so that stages - 2 is the most; one less lets it work on a slot while all others are on their
/// way.
static int64_t slotsLater(int64_t stages) { return std::max(stages - 3, std::min<int64_t>(stages - 2, 1)); }

namespace {
/// The one slot of a role's loops that is filled by cp.async.
struct FilledSlot {
  AcquireOp acquire;
  CommitOp commit;
  WaitAsyncOp wait;
  /// The loops around it, the outermost first.
  SmallVector<scf::ForOp> loops;

  bool find(RoleOp role);
  void defer(int64_t later);
};
} // namespace

bool FilledSlot::find(RoleOp role) {
  if (role.getInstances() != 1)
    return false;
  acquire = onlyAcquire(role);
  if (!acquire)
    return false;
  for (Operation *op = acquire; op && !commit; op = op->getNextNode())
    commit = dyn_cast<CommitOp>(op);
  wait = commit ? dyn_cast_or_null<WaitAsyncOp>(commit->getPrevNode()) : WaitAsyncOp();
  if (!wait || wait.getPending() != 0 || commit.getSlot() != acquire.getSlot())
    return false;
  for (Operation *op = acquire->getParentOp(); op != role; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return false;
    loops.insert(loops.begin(), loop);
  }
  return !loops.empty();
}

/// Waits until all but `pending` groups have arrived and commits a slot, where `condition` holds.
static void commitWhere(OpBuilder &builder, Location loc, Value condition, int64_t pending, Value ring,
                        Value slot, int64_t before) {
  auto guard = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder inside = OpBuilder::atBlockBegin(guard.thenBlock());
  WaitAsyncOp::create(inside, loc, pending);
  Value previous =
      arith::SubIOp::create(inside, loc, slot, arith::ConstantIndexOp::create(inside, loc, before));
  CommitOp::create(inside, loc, ring, previous);
}

void FilledSlot::defer(int64_t later) {
  Location loc = commit.getLoc();
  Value ring = commit.getRing();
  IRRewriter rewriter(commit.getContext());
  auto index = [&](OpBuilder &builder, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto atLeast = [&](OpBuilder &builder, Value value, int64_t least) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, value, index(builder, least));
  };
  acquire->setAttr(AcquireOp::getDeferredAttrName(), rewriter.getUnitAttr());
  rewriter.setInsertionPoint(wait);
  commitWhere(rewriter, loc, atLeast(rewriter, commit.getSlot(), later), later, ring, commit.getSlot(),
              later);
  rewriter.eraseOp(wait);
  rewriter.eraseOp(commit);
  // The number of slots filled so far goes through the loops to their end.
  rewriter.setInsertionPoint(loops.front());
  Value filled = index(rewriter, 0);
  for (auto [depth, loop] : llvm::enumerate(loops)) {
    rewriter.setInsertionPoint(loop);
    bool innermost = depth + 1 == loops.size();
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, filled, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
          if (!innermost)
            return {arguments.front()};
          return {arith::AddIOp::create(builder, loc, acquire.getSlot(), index(builder, 1))};
        }));
    filled = loop.getRegionIterArgs().back();
  }
  for (size_t depth = loops.size() - 1; depth > 0; --depth) {
    auto yield = cast<scf::YieldOp>(loops[depth - 1].getBody()->getTerminator());
    yield->setOperand(yield->getNumOperands() - 1, loops[depth].getResults().back());
  }
  // Behind the loops, what is still on its way.
  rewriter.setInsertionPointAfter(loops.front());
  Value all = loops.front().getResults().back();
  for (int64_t left = later; left >= 1; --left)
    commitWhere(rewriter, loc, atLeast(rewriter, all, left), left - 1, ring, all, left);
}

namespace {
struct DeferCommits : tile::impl::TileDeferCommitsBase<DeferCommits> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<RoleOp> roles(getOperation().getBody().front().getOps<RoleOp>());
    for (RoleOp role : roles) {
      FilledSlot slot;
      if (!slot.find(role))
        continue;
      if (int64_t later = slotsLater(slot.acquire.getRing().getType().getStages()); later > 0)
        slot.defer(later);
    }
  }
};
} // namespace
