// Reductions: registers of a thread in order, then lanes by butterflies, or by one instruction where there is
// one, then warps through shared memory, all by the plan of the layout library and the one combiner of the
// op.

#include "Patterns.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

/// The one op of `combiner` that merges its two arguments, or null.
static Operation *loneOf(Region &combiner) {
  Block &block = combiner.front();
  Operation *terminator = block.getTerminator();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation *op = &block.front();
  bool mergesBoth = op->getNumOperands() == 2 && op->getOperand(0) == block.getArgument(0) &&
                    op->getOperand(1) == block.getArgument(1);
  return mergesBoth && terminator->getOperand(0).getDefiningOp() == op ? op : nullptr;
}

/// Whether the elements of `tile` have no sign bit, but for negative infinity, the largest element of none.
static bool isWithoutSign(Value tile) {
  Operation *op = tile.getDefiningOp();
  DenseFPElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)))
    return llvm::all_of(elements.getValues<APFloat>(),
                        [](const APFloat &element) { return !element.isNegative() || element.isInfinity(); });
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return isWithoutSign(select.getTrueValue()) && isWithoutSign(select.getFalseValue());
  if (isa_and_nonnull<tile::BroadcastOp, tile::ConvertLayoutOp>(op))
    return isWithoutSign(op->getOperand(0));
  return isa_and_nonnull<math::AbsFOp>(op);
}

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
        state = combineNext(op, state, stateAt(r), rewriter);
      states.push_back(state);
    }
    int ofRepeat = plan->result.atomRegisters();
    for (int laneBit : plan->halvings) {
      states = halve(op, laneBit, ofRepeat, states, rewriter);
      ofRepeat /= 2;
    }
    std::optional<NVVM::ReduxKind> redux = reduxOf(op, *plan);
    if (redux)
      for (State &state : states)
        state.front() = acrossLanes(state.front(), *redux, loc, rewriter);
    else
      states = byButterflies(op, plan->laneMasks, states, rewriter);
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

  /// `state` and the next element's: products are added by fused multiply-adds, masked ones where they count.
  static State combineNext(tile::ReduceOp op, const State &state, const State &next,
                           ConversionPatternRewriter &rewriter) {
    Operation *combine = loneOf(op.getCombiner());
    if (next.size() != 1 || !isa_and_nonnull<arith::AddFOp>(combine))
      return combineStates(rewriter, op.getCombiner(), state, next);
    auto mask = next.front().getDefiningOp<arith::SelectOp>();
    if (mask && !matchPattern(mask.getFalseValue(), m_AnyZeroFloat()))
      mask = nullptr;
    auto product = (mask ? mask.getTrueValue() : next.front()).getDefiningOp<arith::MulFOp>();
    if (!product || (!product.getType().isF32() && !product.getType().isF64()))
      return combineStates(rewriter, op.getCombiner(), state, next);
    Location loc = op.getLoc();
    Value sum = math::FmaOp::create(rewriter, loc, product.getLhs(), product.getRhs(), state.front());
    if (mask)
      sum = arith::SelectOp::create(rewriter, loc, mask.getCondition(), sum, state.front());
    return {sum};
  }

  /// The instruction that reduces one word of all lanes of a warp to what `op` makes of them (PTX ISA,
  /// "redux.sync"), where the order of merging makes no difference: integers, and the largest of floats that
  /// are not below zero, but for the identity of what is masked. Of these the bits as signed integers are in
  /// the order of the floats; what is no number comes last: its sign is positive once a thread has merged two
  /// elements, since that of abs is not specified, but max gives the canonical one (PTX ISA, "abs" and
  /// "max").
  static std::optional<NVVM::ReduxKind> reduxOf(tile::ReduceOp op, const layout::ReductionPlan &plan) {
    Operation *combine = loneOf(op.getCombiner());
    if (plan.laneMasks.size() != 5 || op.getNumResults() != 1 || !combine)
      return std::nullopt;
    Type type = getElementTypeOrSelf(op.getInputs()[0].getType());
    if (type.isF32()) {
      bool areMerged =
          llvm::all_of(plan.registerGroups, [](const std::vector<int> &group) { return group.size() > 1; });
      return areMerged && isa<arith::MaximumFOp>(combine) && isWithoutSign(op.getInputs()[0])
                 ? std::optional(NVVM::ReduxKind::MAX)
                 : std::nullopt;
    }
    if (!type.isInteger(32))
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<NVVM::ReduxKind>>(combine)
        .Case<arith::AddIOp>([](auto) { return NVVM::ReduxKind::ADD; })
        .Case<arith::AndIOp>([](auto) { return NVVM::ReduxKind::AND; })
        .Case<arith::OrIOp>([](auto) { return NVVM::ReduxKind::OR; })
        .Case<arith::XOrIOp>([](auto) { return NVVM::ReduxKind::XOR; })
        .Case<arith::MaxSIOp>([](auto) { return NVVM::ReduxKind::MAX; })
        .Case<arith::MinSIOp>([](auto) { return NVVM::ReduxKind::MIN; })
        .Case<arith::MaxUIOp>([](auto) { return NVVM::ReduxKind::UMAX; })
        .Case<arith::MinUIOp>([](auto) { return NVVM::ReduxKind::UMIN; })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// Combines `states` with those of the lanes that differ in each of `masks`.
  static SmallVector<State> byButterflies(tile::ReduceOp op, ArrayRef<int> masks, SmallVector<State> states,
                                          ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    for (int mask : masks)
      for (State &state : states) {
        State other;
        for (Value value : state)
          other.push_back(
              shuffle(rewriter, loc, value, constantInt(rewriter, loc, mask), /*butterfly=*/true));
        state = combineStates(rewriter, op.getCombiner(), state, other);
      }
    return states;
  }

  /// What `value` of all lanes is reduced to.
  static Value acrossLanes(Value value, NVVM::ReduxKind kind, Location loc,
                           ConversionPatternRewriter &rewriter) {
    Type type = value.getType(), i32 = rewriter.getI32Type();
    bool isFloat = isa<FloatType>(type);
    Value word = isFloat ? LLVM::BitcastOp::create(rewriter, loc, i32, value).getResult() : value;
    Value all = constantInt(rewriter, loc, -1);
    word = NVVM::ReduxOp::create(rewriter, loc, i32, word, kind, all);
    return isFloat ? LLVM::BitcastOp::create(rewriter, loc, type, word).getResult() : word;
  }

  /// Of each repeat's `ofRepeat` states a lane whose bit is 0 keeps the lower half and gives the upper one to
  /// the lane that differs in the bit, which keeps that.
  static SmallVector<State> halve(tile::ReduceOp op, int laneBit, int ofRepeat, ArrayRef<State> states,
                                  ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value isLower = ThreadIndex(rewriter, loc).withoutBits(1u << laneBit, 0);
    Value mask = constantInt(rewriter, loc, int64_t(1) << laneBit);
    SmallVector<State> halves;
    for (size_t first = 0; first < states.size(); first += ofRepeat)
      for (int r = 0; r < ofRepeat / 2; ++r) {
        const State &lower = states[first + r], &upper = states[first + r + ofRepeat / 2];
        State given;
        for (Value value : selectStates(rewriter, loc, isLower, upper, lower))
          given.push_back(shuffle(rewriter, loc, value, mask, /*butterfly=*/true));
        State kept = selectStates(rewriter, loc, isLower, lower, upper);
        halves.push_back(combineStates(rewriter, op.getCombiner(), kept, given));
      }
    return halves;
  }

  /// The `i`-th values of `states` to shared memory at `base`.
  static void storeStates(ArrayRef<State> states, size_t i, const layout::SharedAccess &access, Value base,
                          Location loc, ConversionPatternRewriter &rewriter) {
    SmallVector<Value> values = llvm::map_to_vector(states, [&](const State &state) { return state[i]; });
    storeShared(rewriter, loc, access, base, values[0].getType(), values);
  }

  /// Stores `states` of `from` at bytes `offset` of the scratch, a buffer for each value of a state; then all
  /// threads of the block meet, and load by `to`. `bytes` is what one instance of a role has of the scratch.
  static FailureOr<SmallVector<State>> exchange(tile::ReduceOp op, const layout::SharedLayout &shared,
                                                const LinearLayout &from, const LinearLayout &to,
                                                ArrayRef<State> states, int64_t &offset, int64_t bytes,
                                                ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<Value> bases;
    SmallVector<layout::SharedAccess> loads;
    for (auto [i, bits] : llvm::enumerate(tile::storageWidths(op.getInputs()))) {
      auto store = layout::sharedAccess(shared, from, bits), load = layout::sharedAccess(shared, to, bits);
      if (!store || !load)
        return op.emitError() << "partial results have no access in shared memory";
      bases.push_back(instancePointer(rewriter, loc, offset, bytes));
      loads.push_back(*load);
      storeStates(states, i, *store, bases[i], loc, rewriter);
      offset += llvm::alignTo(shared.sizeBytes(bits), 16);
    }
    emitBarrier(rewriter, loc);
    SmallVector<State> loaded(to.numRegisters());
    for (auto [i, base] : llvm::enumerate(bases))
      for (auto [state, value] :
           llvm::zip_equal(loaded, loadShared(rewriter, loc, loads[i], base, states[0][i].getType())))
        state.push_back(value);
    return loaded;
  }

  /// Each warp's partial results to shared memory; every thread then folds all partials of its elements, or
  /// of some that it hands to the others.
  static LogicalResult acrossWarps(tile::ReduceOp op, const layout::ReductionPlan &plan,
                                   SmallVector<State> &states, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    if (!op.getScratch())
      return op.emitError()
             << "reduces across warps but has no place in shared memory; run tile-allocate-shared";
    std::vector<int> widths = tile::storageWidths(op.getInputs());
    layout::SharedLayout partials = layout::partialsLayout(plan, widths), folded;
    if (plan.folded)
      folded = layout::foldedLayout(plan, widths);
    int64_t offset = *op.getScratch(), bytes = 0;
    for (int bits : widths)
      bytes += llvm::alignTo(partials.sizeBytes(bits), 16) +
               (plan.folded ? llvm::alignTo(folded.sizeBytes(bits), 16) : 0);
    // In a loop the previous iteration's readers must be done.
    if (op->getParentOfType<LoopLikeOpInterface>())
      emitBarrier(rewriter, loc);
    FailureOr<SmallVector<State>> loaded =
        exchange(op, partials, plan.partials, plan.gather, states, offset, bytes, rewriter);
    if (failed(loaded))
      return failure();
    states.clear();
    for (size_t first = 0; first < loaded->size(); first += plan.numPartials) {
      State state = (*loaded)[first];
      for (int p = 1; p < plan.numPartials; ++p)
        state = combineStates(rewriter, op.getCombiner(), state, (*loaded)[first + p]);
      states.push_back(state);
    }
    if (!plan.folded)
      return success();
    loaded = exchange(op, folded, *plan.folded, plan.result, states, offset, bytes, rewriter);
    if (failed(loaded))
      return failure();
    states = *loaded;
    return success();
  }

  /// Arrives at the cluster's barrier once all loads from other blocks, of which `states` are made, have
  /// come: these blocks may end then. A load whose value nobody uses would still be on its way.
  static void arriveWhenRead(OpBuilder &builder, Location loc, ArrayRef<State> states) {
    SmallVector<Value> values;
    for (const State &state : states)
      values.append(state.begin(), state.end());
    if (llvm::all_of(values,
                     [](Value value) { return value.getType().isF32() || value.getType().isInteger(32); })) {
      ptx::HoldOp::create(builder, loc, values);
      ptx::ArriveClusterOp::create(builder, loc, /*aligned=*/true);
    } else {
      NVVM::ClusterArriveOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
    }
  }

  /// What is merged of `states`, neighbours first: independent merges do not wait for one another.
  static State combineInPairs(tile::ReduceOp op, SmallVector<State> states,
                              ConversionPatternRewriter &rewriter) {
    while (states.size() > 1) {
      SmallVector<State> merged;
      for (size_t i = 0; i + 1 < states.size(); i += 2)
        merged.push_back(combineStates(rewriter, op.getCombiner(), states[i], states[i + 1]));
      if (states.size() % 2)
        merged.push_back(states.back());
      states = std::move(merged);
    }
    return states.front();
  }

  /// Each block's results to its shared memory; every block then folds all of them, in the order of blocks:
  /// all threads their own elements, or some of them, of all elements, what they hand to the others.
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
    std::vector<int> widths = tile::storageWidths(op.getInputs());
    if (plan.needsSharedMemory())
      for (int bits : widths)
        offset += llvm::alignTo(layout::partialsLayout(plan, widths).sizeBytes(bits), 16);
    if (plan.folded)
      for (int bits : widths)
        offset += llvm::alignTo(layout::foldedLayout(plan, widths).sizeBytes(bits), 16);
    std::optional<LinearLayout> folded = layout::foldedAcrossBlocks(plan, (int64_t)op.getBlocks());
    SmallVector<Type> elements = llvm::map_to_vector(states[0], [](Value value) { return value.getType(); });
    SmallVector<layout::SharedAccess> own, read;
    SmallVector<Value> given, handed;
    for (auto [i, bits] : llvm::enumerate(widths)) {
      auto access = layout::sharedAccess(shared, plan.result, bits),
           others = layout::sharedAccess(shared, folded.value_or(plan.result), bits);
      if (!access || !others)
        return op.emitError() << "results have no access in shared memory";
      own.push_back(*access);
      read.push_back(*others);
      int64_t bytes = llvm::alignTo(shared.sizeBytes(bits), 16);
      given.push_back(sharedPointer(rewriter, loc, offset));
      if (folded)
        handed.push_back(sharedPointer(rewriter, loc, offset + bytes));
      offset += (folded ? 2 : 1) * bytes;
      storeStates(states, i, *access, given.back(), loc, rewriter);
    }
    auto aligned = UnitAttr::get(rewriter.getContext());
    ptx::ArriveClusterOp::create(rewriter, loc, /*aligned=*/true);
    NVVM::ClusterWaitOp::create(rewriter, loc, aligned);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      // Warps that would fold what others fold load nothing from other blocks.
      if (Value isFirst = folded
                              ? ThreadIndex(rewriter, loc).withoutBits(0, folded->freeBits(layout::Hw::Warp))
                              : Value())
        rewriter.setInsertionPointToStart(
            scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/false).thenBlock());
      SmallVector<SmallVector<State>> ofBlocks(folded ? folded->numRegisters() : states.size());
      for (int64_t block = 0; block < op.getBlocks(); ++block) {
        for (SmallVector<State> &element : ofBlocks)
          element.emplace_back();
        for (auto [access, pointer, element] : llvm::zip_equal(read, given, elements)) {
          Value base = peerPointer(rewriter, loc, pointer, constantInt(rewriter, loc, block));
          for (auto [all, value] :
               llvm::zip_equal(ofBlocks, loadShared(rewriter, loc, access, base, element)))
            all.back().push_back(value);
        }
      }
      states.clear();
      for (SmallVector<State> &element : ofBlocks)
        states.push_back(combineInPairs(op, std::move(element), rewriter));
      for (auto [i, pointer] : llvm::enumerate(handed))
        storeStates(states, i, read[i], pointer, loc, rewriter);
    }
    if (folded) {
      emitBarrier(rewriter, loc);
      states.assign(plan.result.numRegisters(), State());
      for (auto [access, pointer, element] : llvm::zip_equal(own, handed, elements))
        for (auto [state, value] :
             llvm::zip_equal(states, loadShared(rewriter, loc, access, pointer, element)))
          state.push_back(value);
    }
    // Nobody writes there again: each of these reductions has bytes of its own. No block ends before all have
    // read what it has.
    bool isLast = true;
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (auto other = dyn_cast<tile::ReduceOp>(next))
        isLast &= other.getBlocks() == 1;
    if (!isLast)
      return success();
    arriveWhenRead(rewriter, loc, states);
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
