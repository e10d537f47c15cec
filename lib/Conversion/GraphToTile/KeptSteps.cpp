// Steps of a chain's loop over its terms that a mask leaves out: first and last step that count follow from
// the block's place, and so does whether a step's terms are all kept.

#include "KernelTiler.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

std::optional<KeptTerms> KernelTiler::keptChainTerms() {
  return keptTerms(indexing, ops, /*terms=*/dims.size() - 3);
}

/// The places along dimension `along` that count, for the block's tile of all other dimensions. Numbers stay
/// below 2^31 (KeptTerms).
void KernelTiler::computeKeptRange(ArrayRef<Dim> all, size_t along) {
  Location loc = kernel.getLoc();
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto least = [&](Value a, Value b) -> Value {
    return !a ? b : builder.createOrFold<arith::MinSIOp>(loc, a, b);
  };
  auto most = [&](Value a, Value b) -> Value {
    return !a ? b : builder.createOrFold<arith::MaxSIOp>(loc, a, b);
  };
  KeptRange &range = keptRange.emplace();
  for (const HalfSpace &bound : kept->bounds) {
    int64_t step = bound.coefficients[along];
    // What of the sum does not depend on the step: for the tile's first elements, and what others add at
    // least and at most.
    int64_t low = bound.constant, high = bound.constant;
    Value start;
    for (size_t d = 0; d < all.size(); ++d) {
      int64_t c = bound.coefficients[d];
      if (d == along || c == 0)
        continue;
      low += std::min<int64_t>(c * (all[d].tile - 1), 0);
      high += std::max<int64_t>(c * (all[d].tile - 1), 0);
      if (all[d].divisor == 0)
        continue;
      Value term = builder.createOrFold<arith::MulIOp>(loc, all[d].offset, number(c));
      start = start ? builder.createOrFold<arith::AddIOp>(loc, start, term) : term;
    }
    auto plus = [&](int64_t constant, bool negated) -> Value {
      if (!start)
        return number(constant);
      return negated ? builder.createOrFold<arith::SubIOp>(loc, number(constant), start)
                     : builder.createOrFold<arith::AddIOp>(loc, start, number(constant));
    };
    // Places up to floor(sum / -step), or from ceil(-sum / step) on; none is negative.
    int64_t size = std::abs(step);
    auto placesOf = [&](Value sum) {
      Value positive = most(sum, number(0));
      return size == 1 ? positive : builder.createOrFold<arith::DivUIOp>(loc, positive, number(size));
    };
    if (step < 0) {
      range.end = least(range.end, placesOf(plus(high + size, false)));
      range.wholeEnd = least(range.wholeEnd, placesOf(plus(low + size, false)));
    } else {
      range.first = most(range.first, placesOf(plus(-high + size - 1, true)));
      range.wholeFirst = most(range.wholeFirst, placesOf(plus(-low + size - 1, true)));
    }
  }
  Value extent = number(all[along].extent);
  range.end = least(range.end, extent);
  range.wholeEnd = least(range.wholeEnd, extent);
  // A tile of which nothing is kept has one step all the same: its products are where a warpgroup's threads
  // meet between the waits for one tile's operands and for the next one's.
  int64_t tile = all[along].tile, lastStep = (all[along].extent - 1) / tile;
  if (range.first) {
    Value step = arith::DivUIOp::create(builder, loc, range.first, number(tile));
    step = arith::MinUIOp::create(builder, loc, step, number(lastStep));
    range.first = arith::MulIOp::create(builder, loc, step, number(tile));
  } else {
    range.first = number(0);
  }
  range.end = most(range.end, builder.createOrFold<arith::AddIOp>(loc, range.first, number(1)));
}

/// Whether all terms of the step that starts at `offset` are kept.
Value KernelTiler::keepsWhole(Value offset, int64_t tile) {
  Location loc = kernel.getLoc();
  Value end = arith::AddIOp::create(builder, loc, offset, arith::ConstantIndexOp::create(builder, loc, tile));
  Value isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, end, keptRange->wholeEnd);
  if (!keptRange->wholeFirst)
    return isWhole;
  Value begins =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, offset, keptRange->wholeFirst);
  return arith::AndIOp::create(builder, loc, begins, isWhole);
}

Value KernelTiler::unlessWhole(Value value, function_ref<Value()> masked) {
  if (!wholeStep)
    return masked();
  Location loc = value.getLoc();
  auto choice =
      scf::IfOp::create(builder, loc, TypeRange(value.getType()), wholeStep, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(builder, loc, value);
  builder.setInsertionPointToStart(choice.elseBlock());
  // What is computed for the comparison is known in here alone.
  Tiles outside = tiles;
  Value result = masked();
  scf::YieldOp::create(builder, loc, result);
  tiles = outside;
  return choice.getResult(0);
}

/// The select compares in steps of which a part is kept alone.
Value KernelTiler::evaluateKeptSelect(Operation *op, unsigned value) {
  Location loc = op->getLoc();
  const SmallVector<OperandAccess> accesses = indexing.accesses[op];
  SmallVector<int64_t> shape = tileShape(support(indexing.views.find(op)->second));
  auto operand = [&](unsigned i) {
    return broadcast(evaluate(accesses[i].root, accesses[i].view), shape, loc);
  };
  return unlessWhole(operand(value), [&]() -> Value {
    Value condition = operand(0), whenTrue = operand(1), whenFalse = operand(2);
    return arith::SelectOp::create(builder, loc, condition, whenTrue, whenFalse);
  });
}

//===-- The order of tiles -----------------------------------------------------------------------------===//

/// What a tile costs beside its steps, in steps, and the share of the best order's time that another one may
/// take longer.
static constexpr double kStepsOfTile = 0.7, kAlmostBest = 1.005;

SmallVector<int64_t> KernelTiler::keptStepsOfRows(const KeptTerms &terms, int64_t rows, int64_t step) {
  size_t m = dims.size() - 4, k = m + 1;
  SmallVector<int64_t> extents = llvm::map_to_vector(dims, [](const Dim &dim) { return dim.extent; });
  SmallVector<int64_t> starts(dims.size(), 0), sizes(dims.size(), 1), steps;
  sizes[m] = rows;
  for (; starts[m] < extents[m]; starts[m] += rows) {
    KeptTerms::Range range = terms.rangeAt(k, extents, starts, sizes);
    steps.push_back((int64_t)llvm::divideCeil(range.end, step) - range.first / step);
  }
  return steps;
}

/// The matrix and the row of tile `turn`, of `matrices` times `rows`, as computeChainOrder emits them.
static std::pair<int64_t, int64_t> tileAt(int64_t turn, int64_t matrices, int64_t rows, int64_t group,
                                          int64_t blocks, bool fromLast) {
  int64_t round = turn / blocks;
  if (round % 2 && round < matrices * rows / blocks)
    turn = (2 * round + 1) * blocks - 1 - turn;
  int64_t first = turn / (group * rows) * group, inGroup = turn % (group * rows);
  int64_t height = std::min(group, matrices - first), row = inGroup / height;
  return {first + inGroup % height, fromLast ? rows - 1 - row : row};
}

tile::ScheduleAttr KernelTiler::orderedChain(tile::ScheduleAttr found, const KeptTerms &terms) {
  tile::ScheduleOptions options = found.getOptions();
  options.skipSteps = true;
  size_t m = dims.size() - 4;
  SmallVector<int64_t> steps = keptStepsOfRows(terms, found.getTile()[m], found.getReduce());
  int64_t matrices = 1, rows = (int64_t)steps.size();
  for (const Dim &dim : ArrayRef(dims).take_front(m))
    matrices *= dim.extent;
  int64_t tiles = matrices * rows;
  bool fromLast = steps.back() > steps.front();
  auto withOptions = [&] {
    return tile::ScheduleAttr::get(found.getContext(), found.getTile(), found.getReduce(), found.getWarps(),
                                   found.getWarpGrid(), found.getStages(), options);
  };
  constexpr int64_t mostTiles = 1 << 20;
  if (steps.back() == steps.front() || tiles > mostTiles)
    return withOptions();
  // Matrices whose terms the L2 cache holds at the same time.
  int64_t bytes = 2 * dims[m + 1].extent * (dims[m + 2].extent + dims[m + 3].extent);
  int64_t held = std::max<int64_t>(1, (arch ? arch->l2Bytes / 2 : bytes) / std::max<int64_t>(bytes, 1));
  int64_t most = std::min(matrices, (int64_t)llvm::bit_floor((uint64_t)held));
  options.group = most;
  // Blocks that take tiles in turn: as many, and of so many matrices at a time, as share the steps best.
  if (!arch || !options.persistent || tiles <= (int64_t)arch->numSMs)
    return withOptions();
  auto longestShare = [&](int64_t blocks, int64_t group) {
    SmallVector<double> shares(blocks, 0);
    for (int64_t turn = 0; turn < tiles; ++turn)
      shares[turn % blocks] +=
          (double)steps[tileAt(turn, matrices, rows, group, blocks, fromLast).second] + kStepsOfTile;
    return *llvm::max_element(shares);
  };
  double best = 0;
  constexpr int64_t fewestOfEight = 7;
  for (int64_t blocks = arch->numSMs; 8 * blocks >= fewestOfEight * (int64_t)arch->numSMs; --blocks)
    for (int64_t group = most; group >= 1; group /= 2)
      if (double longest = longestShare(blocks, group); best == 0 || longest * kAlmostBest < best) {
        best = longest;
        options.persistent = blocks;
        options.group = group;
      }
  return withOptions();
}

/// The matrix and the row of the tile that is number `turn` in the schedule's order: the longest first, and
/// where blocks take several in turn those of one round from the other end than those of the round before.
void KernelTiler::computeChainOrder(Value &turn) {
  Location loc = kernel.getLoc();
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Dim &m = dims[dims.size() - 4];
  int64_t rows = m.tiles(), tiles = tileKernel.getGrid()[0], matrices = tiles / rows,
          blocks = schedule.getOptions().persistent, group = std::min(schedule.getOptions().group, matrices);
  SmallVector<int64_t> steps = keptStepsOfRows(*kept, m.tile, dims[dims.size() - 3].tile);
  if (blocks && blocks < tiles) {
    Value round = arith::DivUIOp::create(builder, loc, turn, number(blocks));
    Value odd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                      arith::RemUIOp::create(builder, loc, round, number(2)), number(0));
    Value whole =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, round, number(tiles / blocks));
    Value ends = arith::MulIOp::create(builder, loc, round, number(2 * blocks));
    ends = arith::AddIOp::create(builder, loc, ends, number(blocks - 1));
    Value back = arith::SubIOp::create(builder, loc, ends, turn);
    turn = arith::SelectOp::create(builder, loc, arith::AndIOp::create(builder, loc, odd, whole), back, turn);
  }
  Value ofGroup = number(group * rows), height = number(group);
  Value first =
      arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, turn, ofGroup), number(group));
  Value inGroup = arith::RemUIOp::create(builder, loc, turn, ofGroup);
  if (matrices % group != 0)
    height = arith::MinUIOp::create(builder, loc, height,
                                    arith::SubIOp::create(builder, loc, number(matrices), first));
  Value row = arith::DivUIOp::create(builder, loc, inGroup, height);
  if (steps.back() > steps.front())
    row = arith::SubIOp::create(builder, loc, number(rows - 1), row);
  m.offset = arith::MulIOp::create(builder, loc, row, number(m.tile));
  m.divisor = rows == 1 ? 0 : m.tile;
  turn = arith::AddIOp::create(builder, loc, first, arith::RemUIOp::create(builder, loc, inGroup, height));
}
