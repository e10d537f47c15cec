// Scans: within warps by combining each half of a run with the total of the half before it, run lengths
// doubling along the bits of the index (registers and lanes alike); then the totals of warps through shared
// memory; then from round to round. Every step follows from the plan of the layout library.

#include "Patterns.h"

#include "Tilewright/Layout/Scan.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

namespace {

/// One scan while it is written.
struct ScanEmitter {
  ConversionPatternRewriter &rewriter;
  tile::ScanOp op;
  const LinearLayout &layout;
  const layout::ScanPlan &plan;
  /// Layout of the totals.
  LinearLayout kept = layout.project((int)op.getDim()).layout;
  Location loc = op.getLoc();
  int dim = (int)op.getDim();
  bool reverse = op.getReverse();
  ThreadIndex thread = {rewriter, loc};
  /// State of each register.
  SmallVector<State> values = {};

  State combine(const State &lhs, const State &rhs) {
    return combineStates(rewriter, op.getCombiner(), lhs, rhs);
  }
  State select(Value condition, const State &a, const State &b) {
    return selectStates(rewriter, loc, condition, a, b);
  }
  /// The state that lane (lane | set) & ~clear has.
  State fromLane(const State &state, uint32_t set, uint32_t clear) {
    if (!set && !clear)
      return state;
    Value lane = thread.lane();
    if (set)
      lane = arith::OrIOp::create(rewriter, loc, lane, constantInt(rewriter, loc, set));
    if (clear)
      lane = arith::AndIOp::create(rewriter, loc, lane, constantInt(rewriter, loc, 31 & ~clear));
    return llvm::map_to_vector(
        state, [&](Value value) { return shuffle(rewriter, loc, value, lane, /*butterfly=*/false); });
  }
  /// Register `r`'s kept coordinates, at `round` and the register bits `within` of it.
  int registerAt(const layout::Coord &coord, int64_t round, int64_t within) {
    layout::Coord place(coord);
    place[dim] = (int32_t)(round * plan.roundSize + within);
    std::optional<int> found = layout.registerAt(place);
    assert(found && "every combination of register bits is a register");
    return *found;
  }

  void withinWarps();
  /// Totals of the rounds: of each warp that shares a row, and register of the totals' layout.
  std::vector<std::vector<SmallVector<State>>> warpTotals();
  /// The position of this warp among those that share a row.
  Value warpPlace();
  /// Combines everything with what lies before its warp and round; gives the totals.
  SmallVector<State> acrossRounds(const std::vector<std::vector<SmallVector<State>>> &totals);
};

} // namespace

void ScanEmitter::withinWarps() {
  layout::RegisterMap canonical = layout.canonicalRegisters();
  uint32_t lowRegisters = 0, lowLanes = 0;
  for (auto [place, bit] : llvm::enumerate(plan.bits)) {
    bool isLane = bit.hw == layout::Hw::Lane;
    uint32_t own = 1u << place, lane = isLane ? 1u << bit.bit : 0;
    SmallVector<State> before(values);
    // Last element of the half before: in all lanes of a run the same.
    DenseMap<int, State> sources;
    Value isLater;
    if (isLane) {
      Value set = arith::AndIOp::create(rewriter, loc, thread.lane(), constantInt(rewriter, loc, lane));
      isLater =
          arith::CmpIOp::create(rewriter, loc, reverse ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne,
                                set, constantInt(rewriter, loc, 0));
    }
    for (int r = 0; r < layout.numRegisters(); ++r) {
      layout::Coord coord = layout.apply(r, 0, 0);
      int64_t round = coord[dim] / plan.roundSize, within = coord[dim] % plan.roundSize;
      if (canonical[r] != r || (!isLane && ((within & own) != 0) == reverse))
        continue;
      int64_t source = reverse ? within & ~(int64_t)lowRegisters : within | lowRegisters;
      if (!isLane)
        source ^= own;
      int from = registerAt(coord, round, source);
      State &seen = sources[from];
      if (seen.empty())
        seen = reverse ? fromLane(before[from], lane, lowLanes) : fromLane(before[from], lowLanes, lane);
      State combined = combine(seen, before[r]);
      values[r] = isLane ? select(isLater, combined, before[r]) : combined;
    }
    lowRegisters |= isLane ? 0 : own;
    lowLanes |= lane;
  }
  for (auto [r, source] : llvm::enumerate(canonical))
    values[r] = values[source];
}

Value ScanEmitter::warpPlace() {
  std::array<std::vector<int64_t>, 4> bases;
  for (layout::Hw hw : layout::allHw)
    bases[(size_t)hw].assign(hw == layout::Hw::Register ? 0 : layout.bases(hw).size(), 0);
  for (auto [place, bit] : llvm::enumerate(plan.warpBits))
    bases[(size_t)layout::Hw::Warp][bit] = int64_t(1) << place;
  Value place = thread.emit(layout::bitSum(bases, layout::Join::Add));
  return place ? place : constantInt(rewriter, loc, 0);
}

std::vector<std::vector<SmallVector<State>>> ScanEmitter::warpTotals() {
  int64_t last = 0;
  for (auto [place, bit] : llvm::enumerate(plan.bits))
    last |= bit.hw == layout::Hw::Register && !reverse ? int64_t(1) << place : 0;
  int warps = plan.numWarps(), count = kept.numRegisters();
  std::vector<std::vector<SmallVector<State>>> totals(plan.rounds, std::vector<SmallVector<State>>(warps));
  for (int64_t round = 0; round < plan.rounds; ++round)
    for (int k = 0; k < count; ++k) {
      const State &state = values[registerAt(kept.apply(k, 0, 0), round, last)];
      totals[round][0].push_back(reverse ? fromLane(state, 0, plan.laneMask())
                                         : fromLane(state, plan.laneMask(), 0));
    }
  if (warps == 1)
    return totals;
  // Each warp's totals lie behind one another: round, warp, state, kept elements.
  layout::SharedLayout shared =
      layout::SharedLayout::plain(kept.shape(), LinearLayout::rowMajorOrder(kept.rank()));
  auto accessOf = [&](unsigned i) {
    auto access = layout::sharedAccess(
        shared, kept, (int)tile::storageBits(getElementTypeOrSelf(op.getInputs()[i].getType())));
    assert(access && "a plain buffer takes every layout");
    access->freeWarps &= ~plan.warpMask();
    return *access;
  };
  int64_t block = 0;
  SmallVector<int64_t> offsets;
  for (Value input : op.getInputs()) {
    offsets.push_back(block);
    block +=
        llvm::alignTo(shared.sizeBytes((int)tile::storageBits(getElementTypeOrSelf(input.getType()))), 16);
  }
  // In a loop the previous iteration's readers must be done.
  if (op->getParentOfType<LoopLikeOpInterface>())
    NVVM::Barrier0Op::create(rewriter, loc);
  Value mine = mulInt(rewriter, loc, warpPlace(), block);
  for (int64_t round = 0; round < plan.rounds; ++round)
    for (unsigned i = 0; i < offsets.size(); ++i) {
      SmallVector<Value> registers =
          llvm::map_to_vector(totals[round][0], [&](const State &state) { return state[i]; });
      Value base = sharedPointer(rewriter, loc, *op.getScratch() + round * warps * block + offsets[i]);
      base = LLVM::GEPOp::create(rewriter, loc, base.getType(), rewriter.getI8Type(), base,
                                 ArrayRef<LLVM::GEPArg>{mine});
      storeShared(rewriter, loc, accessOf(i), base, registers[0].getType(), registers);
    }
  NVVM::Barrier0Op::create(rewriter, loc);
  for (int64_t round = 0; round < plan.rounds; ++round)
    for (int warp = 0; warp < warps; ++warp) {
      SmallVector<State> states(count);
      for (unsigned i = 0; i < offsets.size(); ++i) {
        Value base =
            sharedPointer(rewriter, loc, *op.getScratch() + (round * warps + warp) * block + offsets[i]);
        Type element = registerType(getElementTypeOrSelf(op.getInputs()[i].getType()));
        for (auto [k, value] : llvm::enumerate(loadShared(rewriter, loc, accessOf(i), base, element)))
          states[k].push_back(value);
      }
      totals[round][warp] = std::move(states);
    }
  return totals;
}

SmallVector<State> ScanEmitter::acrossRounds(const std::vector<std::vector<SmallVector<State>>> &totals) {
  int warps = plan.numWarps();
  Value place = warps > 1 ? warpPlace() : Value();
  auto isWarp = [&](int warp) -> Value {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, place,
                                 constantInt(rewriter, loc, warp));
  };
  SmallVector<State> sums(kept.numRegisters());
  for (int64_t step = 0; step < plan.rounds; ++step) {
    int64_t round = reverse ? plan.rounds - 1 - step : step;
    SmallVector<State> before(sums);
    for (int i = 0; i < warps; ++i) {
      int warp = reverse ? warps - 1 - i : i;
      Value here = warps > 1 && i > 0 ? isWarp(warp) : Value();
      for (size_t k = 0; k < sums.size(); ++k) {
        if (i > 0)
          before[k] = before[k].empty() ? sums[k] : select(here, sums[k], before[k]);
        sums[k] = sums[k].empty() ? totals[round][warp][k] : combine(sums[k], totals[round][warp][k]);
      }
    }
    if (before.front().empty())
      continue;
    // Nothing lies before the first warp of the first round.
    Value isFirst = step == 0 ? isWarp(reverse ? warps - 1 : 0) : Value();
    for (int r = 0; r < layout.numRegisters(); ++r) {
      layout::Coord coord = layout.apply(r, 0, 0);
      if (coord[dim] / plan.roundSize != round)
        continue;
      coord[dim] = 0;
      std::optional<int> k = kept.registerAt(coord);
      assert(k && "the totals' layout is the projection");
      State combined = combine(before[*k], values[r]);
      values[r] = isFirst ? select(isFirst, values[r], combined) : combined;
    }
  }
  return sums;
}

namespace {
struct ScanPattern : OpConversionPattern<tile::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ScanOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LinearLayout layout = layoutOf(op.getInputs()[0].getType());
    auto plan = layout::scanPlan(layout, (int)op.getDim());
    if (!plan)
      return op.emitError() << "the layout " << layout.toString() << " has no scan along dimension "
                            << op.getDim();
    if (!plan->warpBits.empty() && !op.getScratch())
      return op.emitError()
             << "goes across warps but has no place in shared memory; run tile-allocate-shared";
    ScanEmitter emitter{rewriter, op, layout, *plan};
    for (int r = 0; r < layout.numRegisters(); ++r)
      emitter.values.push_back(llvm::map_to_vector(
          adaptor.getInputs(), [&](ValueRange registers) { return Value(registers[r]); }));
    emitter.withinWarps();
    SmallVector<State> totals = emitter.acrossRounds(emitter.warpTotals());
    SmallVector<SmallVector<Value>> results;
    for (const SmallVector<State> &states : {emitter.values, totals})
      for (size_t i = 0; i < op.getInputs().size(); ++i)
        results.push_back(llvm::map_to_vector(states, [&](const State &state) { return state[i]; }));
    SmallVector<ValueRange> ranges(results.begin(), results.end());
    rewriter.replaceOpWithMultiple(op, ranges);
    return success();
  }
};
} // namespace

void tilewright::populateScanPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ScanPattern>(converter, patterns.getContext());
}
