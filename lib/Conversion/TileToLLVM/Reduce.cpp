// Reductions: registers of a thread in order, then lanes by butterflies, then warps through shared memory,
// all by the plan of the layout library and the one combiner of the op.

#include "Patterns.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

namespace {

struct ReducePattern : OpConversionPattern<tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = layoutOf(op.getInputs()[0].getType());
    auto plan = layout::reductionPlan(layout, {(int)op.getDim()});
    if (!plan)
      return op.emitError() << "the layout " << layout.toString() << " cannot be reduced along dimension "
                            << op.getDim();
    if (plan->result != layoutOf(op.getResult(0).getType()))
      return op.emitError() << "the result's layout is not the projection of the operand's";
    SmallVector<State> states;
    for (const std::vector<int> &group : plan->registerGroups) {
      auto stateAt = [&](int r) {
        return llvm::map_to_vector(adaptor.getInputs(), [&](ValueRange values) { return Value(values[r]); });
      };
      State state = stateAt(group[0]);
      for (int r : ArrayRef(group).drop_front())
        state = combineStates(rewriter, op.getCombiner(), state, stateAt(r));
      states.push_back(state);
    }
    for (int mask : plan->laneMasks)
      for (State &state : states) {
        State other;
        for (Value value : state)
          other.push_back(
              shuffle(rewriter, loc, value, constantInt(rewriter, loc, mask), /*butterfly=*/true));
        state = combineStates(rewriter, op.getCombiner(), state, other);
      }
    if (plan->needsSharedMemory() && failed(acrossWarps(op, *plan, states, rewriter)))
      return failure();
    if (op.getBlocks() > 1 && failed(acrossBlocks(op, *plan, states, rewriter)))
      return failure();
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (const State &state : states)
      for (auto [result, value] : llvm::zip_equal(results, state))
        result.push_back(value);
    SmallVector<ValueRange> ranges(results.begin(), results.end());
    rewriter.replaceOpWithMultiple(op, ranges);
    return success();
  }

  /// Where partial results lie: those of an element side by side, or those of neighbouring elements, which
  /// lanes that have many of them read without conflicts.
  static layout::SharedLayout partialsLayout(const layout::ReductionPlan &plan, const LinearLayout &reading,
                                             int bits) {
    int rank = plan.partials.rank();
    std::vector<int> order = LinearLayout::rowMajorOrder(rank - 1);
    order.push_back(rank - 1);
    auto together = layout::SharedLayout::plain(plan.partials.shape(), LinearLayout::rowMajorOrder(rank));
    auto apart = layout::SharedLayout::plain(plan.partials.shape(), order);
    auto cost = [&](const layout::SharedLayout &shared) {
      layout::SharedUse store, load;
      store.layout = plan.partials;
      load.layout = reading;
      layout::BankCost stored = layout::bankCost(shared, store, bits),
                       loaded = layout::bankCost(shared, load, bits);
      return std::make_pair(stored.wavefronts + loaded.wavefronts, stored.instructions + loaded.instructions);
    };
    return cost(apart) < cost(together) ? apart : together;
  }

  /// Each warp's partial results to shared memory; every thread then folds all partials of its elements.
  static LogicalResult acrossWarps(tile::ReduceOp op, const layout::ReductionPlan &plan,
                                   SmallVector<State> &states, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    if (!op.getScratch())
      return op.emitError()
             << "reduces across warps but has no place in shared memory; run tile-allocate-shared";
    // Reading: the result's layout with the partial results of an element in consecutive registers.
    layout::Shape partialShape(plan.partials.rank(), 1);
    partialShape.back() = plan.numPartials;
    layout::LinearLayout::Bases bits;
    for (int bit = 1; bit < plan.numPartials; bit *= 2) {
      layout::Coord basis(plan.partials.rank(), 0);
      basis.back() = bit;
      bits.push_back(basis);
    }
    auto partials =
        LinearLayout::create(partialShape, {bits, {}, {}, {}}, layout::Shape(partialShape.size(), 1));
    auto reading =
        partials ? partials->product(plan.result.addUnitDims({plan.partials.rank() - 1})) : std::nullopt;
    if (!reading)
      return op.emitError() << plan.numPartials << " partial results cannot be read back";
    layout::SharedLayout shared =
        partialsLayout(plan, *reading, (int)tile::storageBits(states[0][0].getType()));
    // In a loop the previous iteration's readers must be done.
    if (op->getParentOfType<LoopLikeOpInterface>())
      emitBarrier(rewriter, loc);
    int64_t offset = *op.getScratch(), bytes = 0;
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      bytes += llvm::alignTo(shared.sizeBytes((int)tile::storageBits(states[0][i].getType())), 16);
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      Type element = states[0][i].getType();
      int bitsPerElement = (int)tile::storageBits(element);
      auto store = layout::sharedAccess(shared, plan.partials, bitsPerElement);
      auto load = layout::sharedAccess(shared, *reading, bitsPerElement);
      if (!store || !load)
        return op.emitError() << "partial results have no access in shared memory";
      Value base = instancePointer(rewriter, loc, offset, bytes);
      SmallVector<Value> values = llvm::map_to_vector(states, [&](const State &state) { return state[i]; });
      storeShared(rewriter, loc, *store, base, element, values);
      offset += llvm::alignTo(shared.sizeBytes(bitsPerElement), 16);
    }
    emitBarrier(rewriter, loc);
    offset = *op.getScratch();
    SmallVector<SmallVector<Value>> loaded;
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      Type element = states[0][i].getType();
      int bitsPerElement = (int)tile::storageBits(element);
      loaded.push_back(loadShared(rewriter, loc, *layout::sharedAccess(shared, *reading, bitsPerElement),
                                  instancePointer(rewriter, loc, offset, bytes), element));
      offset += llvm::alignTo(shared.sizeBytes(bitsPerElement), 16);
    }
    for (size_t r = 0; r < states.size(); ++r) {
      auto partial = [&](int p) {
        return llvm::map_to_vector(
            loaded, [&](SmallVector<Value> &values) { return values[r * plan.numPartials + p]; });
      };
      State state = partial(0);
      for (int p = 1; p < plan.numPartials; ++p)
        state = combineStates(rewriter, op.getCombiner(), state, partial(p));
      states[r] = state;
    }
    return success();
  }

  /// Each block's results to its shared memory; every block then folds all of them, in the order of blocks.
  static LogicalResult acrossBlocks(tile::ReduceOp op, const layout::ReductionPlan &plan,
                                    SmallVector<State> &states, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    if (!op.getScratch())
      return op.emitError() << "reduces across blocks but has no place in shared memory; run "
                               "tile-allocate-shared";
    // The loop over tiles of persistent blocks, of which a cluster's have equally many, is the only one.
    if (op->getParentOfType<tile::RoleOp>())
      return op.emitError() << "reduces across blocks inside a role";
    auto shared =
        layout::SharedLayout::plain(plan.result.shape(), LinearLayout::rowMajorOrder(plan.result.rank()));
    // Behind the partial results of warps.
    int64_t offset = *op.getScratch();
    if (plan.needsSharedMemory()) {
      int64_t elems = 1;
      for (int64_t size : plan.partials.shape())
        elems *= size;
      for (Value value : states[0])
        offset += llvm::alignTo(elems * tile::storageBits(value.getType()) / 8, 16);
    }
    SmallVector<layout::SharedAccess> accesses;
    SmallVector<Value> bases;
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      Type element = states[0][i].getType();
      int bits = (int)tile::storageBits(element);
      auto access = layout::sharedAccess(shared, plan.result, bits);
      if (!access)
        return op.emitError() << "results have no access in shared memory";
      accesses.push_back(*access);
      bases.push_back(sharedPointer(rewriter, loc, offset));
      SmallVector<Value> values = llvm::map_to_vector(states, [&](const State &state) { return state[i]; });
      storeShared(rewriter, loc, *access, bases.back(), element, values);
      offset += llvm::alignTo(shared.sizeBytes(bits), 16);
    }
    auto aligned = UnitAttr::get(rewriter.getContext());
    NVVM::ClusterArriveOp::create(rewriter, loc, aligned);
    NVVM::ClusterWaitOp::create(rewriter, loc, aligned);
    SmallVector<State> own(states);
    for (int64_t block = 0; block < op.getBlocks(); ++block) {
      SmallVector<State> others(states.size());
      for (unsigned i = 0; i < op.getNumResults(); ++i) {
        Value base = peerPointer(rewriter, loc, bases[i], constantInt(rewriter, loc, block));
        for (auto [state, value] :
             llvm::zip_equal(others, loadShared(rewriter, loc, accesses[i], base, own[0][i].getType())))
          state.push_back(value);
      }
      for (auto [state, other] : llvm::zip_equal(states, others))
        state = block == 0 ? other : combineStates(rewriter, op.getCombiner(), state, other);
    }
    // Nobody writes there again: each of these reductions has bytes of its own. No block ends before all have
    // read what it has.
    bool isLast = true;
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (auto other = dyn_cast<tile::ReduceOp>(next))
        isLast &= other.getBlocks() == 1;
    if (!isLast)
      return success();
    NVVM::ClusterArriveOp::create(rewriter, loc, aligned);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op->getBlock()->getTerminator());
    NVVM::ClusterWaitOp::create(rewriter, loc, aligned);
    return success();
  }
};

} // namespace

void tilewright::populateReducePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ReducePattern>(converter, patterns.getContext());
}
