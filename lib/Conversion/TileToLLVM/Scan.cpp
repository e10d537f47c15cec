// Scans: within warps by combining each half of a run with the total of the half before it, run lengths
// doubling along the bits of the index: of registers all elements, of lanes all or the totals of long runs
// alone; then the totals of warps through shared memory; then from round to round. What lies before a run, in
// its warp and in others, is combined with its elements once. Every step follows from the plan of the layout
// library.

#include "Patterns.h"

#include "Tilewright/Layout/Scan.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

/// Elements of a thread side by side, as their logarithm, from which on lanes bring up to date what lies
/// before them as a whole: that is a third of the instructions, and a few registers for each run.
static constexpr int kLongRunBits = 4;

namespace {

/// A run of elements that a thread has side by side: what the lanes before it in its warp come to, and that
/// with the run itself. The former is there in some lanes alone, and is combined with the elements last: once
/// for each.
struct Run {
  State before, total;
};

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

  /// Registers that hold no other one's element.
  layout::RegisterMap canonical = layout.canonicalRegisters();
  /// By the last register.
  llvm::DenseMap<int, Run> runs{};
  /// Whether something lies before the lane's runs; null while nothing does in any lane.
  Value hasBefore = {};
  /// Bits of the index within a run.
  uint32_t runBits = 0;

  /// The register with the last element, as the scan goes, of those that differ from `r` in `bits`.
  int endOfRun(int r, uint32_t bits);
  int endOfOtherHalf(int r, uint32_t own, uint32_t below) {
    layout::Coord coord = layout.apply(r, 0, 0);
    int64_t round = coord[dim] / plan.roundSize, within = (coord[dim] % plan.roundSize) ^ own;
    return canonical[registerAt(coord, round, reverse ? within & ~(int64_t)below : within | below)];
  }
  /// A bit of registers, or of lanes; those below it are done.
  void scanRegisters(uint32_t own, uint32_t lowLanes, uint32_t below);
  /// The latter of every element, or of runs as wholes where these are long.
  void scanElements(uint32_t lane, uint32_t lowLanes, uint32_t below);
  void scanRuns(uint32_t lane, uint32_t lowLanes, uint32_t below);
  Value isLaterHalf(uint32_t lane);
  State totalAt(int end);
  /// Combines what lies before the runs with their elements, but for the rounds `without`.
  void applyBefore(const llvm::SmallDenseSet<int64_t> &without = {});
  void withinWarps();
  /// Totals of the rounds: of each warp that shares a row, and register of the totals' layout.
  std::vector<std::vector<SmallVector<State>>> warpTotals();
  /// The position of this warp among those that share a row.
  Value warpPlace();
  /// Combines everything with what lies before its warp and round; gives the totals.
  SmallVector<State> acrossRounds(const std::vector<std::vector<SmallVector<State>>> &totals);
};

} // namespace

int ScanEmitter::endOfRun(int r, uint32_t bits) {
  layout::Coord coord = layout.apply(r, 0, 0);
  int64_t round = coord[dim] / plan.roundSize, within = coord[dim] % plan.roundSize;
  return canonical[registerAt(coord, round, reverse ? within & ~(int64_t)bits : within | bits)];
}

void ScanEmitter::scanRegisters(uint32_t own, uint32_t lowLanes, uint32_t below) {
  applyBefore();
  SmallVector<State> before(values);
  // Last elements of the halves before, by their registers: those of the last lane where lanes lie below.
  DenseMap<int, State> ends;
  for (int r = 0; r < layout.numRegisters(); ++r) {
    int64_t within = layout.apply(r, 0, 0)[dim] % plan.roundSize;
    if (canonical[r] != r || ((within & own) != 0) == reverse)
      continue;
    int end = endOfOtherHalf(r, own, below);
    State &seen = ends[end];
    if (seen.empty())
      seen = reverse ? fromLane(before[end], 0, lowLanes) : fromLane(before[end], lowLanes, 0);
    values[r] = combine(seen, before[r]);
  }
}

Value ScanEmitter::isLaterHalf(uint32_t lane) {
  Value set = arith::AndIOp::create(rewriter, loc, thread.lane(), constantInt(rewriter, loc, lane));
  return arith::CmpIOp::create(rewriter, loc, reverse ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne,
                               set, constantInt(rewriter, loc, 0));
}

void ScanEmitter::scanElements(uint32_t lane, uint32_t lowLanes, uint32_t below) {
  Value isLater = isLaterHalf(lane);
  SmallVector<State> before(values);
  DenseMap<int, State> ends;
  for (int r = 0; r < layout.numRegisters(); ++r) {
    if (canonical[r] != r)
      continue;
    int end = endOfRun(r, below);
    State &seen = ends[end];
    if (seen.empty())
      seen = reverse ? fromLane(before[end], lane, lowLanes) : fromLane(before[end], lowLanes, lane);
    values[r] = select(isLater, combine(seen, before[r]), before[r]);
  }
}

void ScanEmitter::scanRuns(uint32_t lane, uint32_t lowLanes, uint32_t below) {
  Value isLater = isLaterHalf(lane);
  llvm::DenseSet<int> done;
  for (int r = 0; r < layout.numRegisters(); ++r) {
    int end = endOfRun(r, below);
    if (canonical[r] != r || !done.insert(end).second)
      continue;
    // The total of the half before: in all lanes of it the same.
    Run &run = runs[end];
    State own = run.total.empty() ? values[end] : run.total;
    State seen = reverse ? fromLane(own, lane, lowLanes) : fromLane(own, lowLanes, lane);
    run.total = select(isLater, combine(seen, own), own);
    if (run.before.empty())
      run.before = seen;
    else
      run.before = select(isLater, select(hasBefore, combine(seen, run.before), seen), run.before);
  }
  hasBefore = hasBefore ? arith::OrIOp::create(rewriter, loc, hasBefore, isLater).getResult() : isLater;
  runBits = below;
}

State ScanEmitter::totalAt(int end) {
  auto run = runs.find(end);
  return run == runs.end() ? values[end] : run->second.total;
}

void ScanEmitter::applyBefore(const llvm::SmallDenseSet<int64_t> &without) {
  if (!hasBefore)
    return;
  for (int r = 0; r < layout.numRegisters(); ++r)
    if (canonical[r] == r && !without.contains(layout.apply(r, 0, 0)[dim] / plan.roundSize))
      values[r] = select(hasBefore, combine(runs[endOfRun(r, runBits)].before, values[r]), values[r]);
  runs.clear();
  hasBefore = Value();
}

void ScanEmitter::withinWarps() {
  uint32_t lowRegisters = 0, lowLanes = 0;
  for (auto [place, bit] : llvm::enumerate(plan.bits)) {
    if (bit.hw == layout::Hw::Lane) {
      if (llvm::popcount(lowRegisters) < kLongRunBits)
        scanElements(1u << bit.bit, lowLanes, lowRegisters);
      else
        scanRuns(1u << bit.bit, lowLanes, lowRegisters);
      lowLanes |= 1u << bit.bit;
    } else {
      scanRegisters(1u << place, lowLanes, lowRegisters);
      lowRegisters |= 1u << place;
    }
  }
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
      State state = totalAt(canonical[registerAt(kept.apply(k, 0, 0), round, last)]);
      totals[round][0].push_back(reverse ? fromLane(state, 0, plan.laneMask())
                                         : fromLane(state, plan.laneMask(), 0));
    }
  if (warps == 1)
    return totals;
  // Each warp's totals lie behind one another: round, warp, state, kept elements.
  layout::SharedLayout shared = layout::totalsLayout(kept, tile::storageWidths(op.getInputs()));
  auto accessOf = [&](unsigned i) {
    auto access = layout::sharedAccess(
        shared, kept, (int)tile::storageBits(getElementTypeOrSelf(op.getInputs()[i].getType())));
    assert(access && "the buffer's layout was chosen for these accesses");
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
  auto isLaterThan = [&](Value isFirst) -> Value {
    return arith::XOrIOp::create(rewriter, loc, isFirst, constantInt(rewriter, loc, 1, 1));
  };
  SmallVector<State> sums(kept.numRegisters());
  llvm::SmallDenseSet<int64_t> combinedRounds;
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
    Value hasAny =
        isFirst && hasBefore ? arith::OrIOp::create(rewriter, loc, hasBefore, isLaterThan(isFirst)) : Value();
    DenseMap<int, State> befores;
    for (int r = 0; r < layout.numRegisters(); ++r) {
      layout::Coord coord = layout.apply(r, 0, 0);
      if (canonical[r] != r || coord[dim] / plan.roundSize != round)
        continue;
      int end = endOfRun(r, runBits);
      coord[dim] = 0;
      std::optional<int> k = kept.registerAt(coord);
      assert(k && "the totals' layout is the projection");
      State &all = befores[hasBefore ? end : *k];
      if (all.empty() && hasBefore) {
        const State &lanes = runs[end].before;
        all = select(hasBefore, combine(before[*k], lanes), before[*k]);
        if (isFirst)
          all = select(isFirst, lanes, all);
      } else if (all.empty()) {
        all = before[*k];
      }
      State combined = combine(all, values[r]);
      if (Value there = hasBefore ? hasAny : isFirst ? isLaterThan(isFirst) : Value())
        combined = select(there, combined, values[r]);
      values[r] = combined;
    }
    combinedRounds.insert(round);
  }
  applyBefore(combinedRounds);
  for (auto [r, source] : llvm::enumerate(canonical))
    values[r] = values[source];
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
