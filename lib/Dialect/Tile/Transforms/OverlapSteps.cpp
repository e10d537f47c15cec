// tile-overlap-steps: of a loop of two products, whose second one takes what is made of the first one's
// result, the first product of a step runs beside the second one of the step before: a step's terms are
// computed while that one is in flight.

#include "Loops.h"
#include "Products.h"

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEOVERLAPSTEPS
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {

/// A loop of two products.
struct ChainedSteps {
  scf::ForOp loop;
  /// The end of the first product.
  AwaitOp scored;
  /// Of the second one: its wait for a slot, accumulators, start, end and release.
  WaitOp arrived;
  BeginDotOp begun;
  DotAsyncOp started;
  AwaitOp summed;
  ReleaseOp read;
  /// What the loop carries of the second product: number `sums`. Each step multiplies it by `factor` first
  /// (null: by nothing).
  unsigned sums = 0;
  arith::MulFOp scaling;
  Value factor;
  /// Ops that round the terms. Registers that a product in flight reads must not be written: they come
  /// behind the end of the product before.
  SmallVector<Operation *> rounding;
  /// The second product's own ops.
  llvm::SmallPtrSet<Operation *, 8> second;
  /// What the loop carries that is made of unrounded terms.
  SmallVector<Value> ofTerms;

  StringRef find(scf::ForOp candidate);
  void overlap();

private:
  StringRef findSums();
  StringRef findSlot();
  void findOwn();
  SmallVector<Value> rotate(OpBuilder &builder);
  scf::ForOp rotatedLoop(OpBuilder &builder, ValueRange inits);
  void startSecond(OpBuilder &builder, IRMapping &mapping, Value iteration, Value terms, Value sum);
  Value endSecond(OpBuilder &builder, IRMapping &mapping, ValueRange after = {});
  Value scaled(OpBuilder &builder, IRMapping &mapping, Value sum);
  Value isScaled(OpBuilder &builder, IRMapping &mapping);
};

} // namespace

//===-- What is rotated -------------------------------------------------------------------------------===//

/// Whether `value` follows from the number of the loop's iteration alone.
static bool followsFromIteration(scf::ForOp loop, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0)
    return false;
  Operation *op = value.getDefiningOp();
  return !op || !loop->isAncestor(op) ||
         (isPure(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
            return followsFromIteration(loop, operand);
          }));
}

/// What the loop carries of the second product, and what multiplies it.
StringRef ChainedSteps::findSums() {
  begun = started.getAccumulator().getDefiningOp<BeginDotOp>();
  if (!begun || !begun.getInit() || !summed.getResult().hasOneUse() ||
      !isa<scf::YieldOp>(*summed.getResult().user_begin()))
    return "its second product adds up to nothing that the loop carries";
  sums = summed.getResult().use_begin()->getOperandNumber();
  Value argument = loop.getRegionIterArg(sums), init = begun.getInit();
  if ((scaling = init.getDefiningOp<arith::MulFOp>())) {
    bool isLeft = scaling.getLhs() == argument;
    factor = isLeft ? scaling.getRhs() : scaling.getLhs();
    init = isLeft ? scaling.getLhs() : scaling.getRhs();
    if (!scaling->hasOneUse())
      return "its second product's sums are read elsewhere";
  }
  if (init != argument || !argument.hasOneUse())
    return "its second product's sums are read elsewhere";
  return "";
}

/// The slot that the second product reads: what it waits for behind the first product's end.
StringRef ChainedSteps::findSlot() {
  for (Operation &op : *loop.getBody()) {
    if (auto wait = dyn_cast<WaitOp>(op); wait && scored->isBeforeInBlock(wait)) {
      if (arrived)
        return "its second product waits for several slots";
      arrived = wait;
    }
    if (auto release = dyn_cast<ReleaseOp>(op); release && summed->isBeforeInBlock(release)) {
      if (read)
        return "its second product releases several slots";
      read = release;
    }
  }
  if (!arrived || !read || arrived.getRing() != read.getRing())
    return "its second product has no ring of its own";
  SmallVector<Value> places = {arrived.getSlot(), read.getSlot(), started.getRhsStage(),
                               started.getAccumulate()};
  if (!llvm::all_of(places, [&](Value value) { return followsFromIteration(loop, value); }))
    return "its second product's slot does not follow from the step's number";
  return "";
}

/// Why the loop is not one of two such products; empty when it is.
StringRef ChainedSteps::find(scf::ForOp candidate) {
  loop = candidate;
  SmallVector<AwaitOp> awaits(loop.getBody()->getOps<AwaitOp>());
  if (awaits.size() != 2)
    return "it has not two products, each of which ends in its step";
  scored = awaits[0];
  summed = awaits[1];
  started = summed.getInput().getDefiningOp<DotAsyncOp>();
  if (!started || started->getBlock() != loop.getBody() ||
      !isa<RankedTensorType>(started.getLhs().getType()) || !scored->isBeforeInBlock(started))
    return "its second product takes no terms from registers";
  if (StringRef why = findSums(); !why.empty())
    return why;
  if (StringRef why = findSlot(); !why.empty())
    return why;
  findOwn();
  return "";
}

/// Whether `value` of the block is computed of `source`.
static bool isMadeOf(Value value, Value source, llvm::DenseMap<Value, bool> &known) {
  if (value == source)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != source.getParentBlock())
    return false;
  auto [it, isNew] = known.try_emplace(value, false);
  if (!isNew)
    return it->second;
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(op->getRegions(), read);
  read.insert(op->operand_begin(), op->operand_end());
  bool found = llvm::any_of(read, [&](Value operand) { return isMadeOf(operand, source, known); });
  return known[value] = found;
}

void ChainedSteps::findOwn() {
  for (Operation *op = started.getLhs().getDefiningOp();
       op && op->getBlock() == loop.getBody() && op->hasOneUse() && isa<arith::TruncFOp, ConvertLayoutOp>(op);
       op = op->getOperand(0).getDefiningOp())
    rounding.insert(rounding.begin(), op);
  second.insert_range(ArrayRef<Operation *>{arrived, begun, started, summed, read});
  if (scaling)
    second.insert(scaling);
  Value unrounded = rounding.empty() ? started.getLhs() : rounding.front()->getOperand(0);
  llvm::DenseMap<Value, bool> known;
  for (Value carried : loop.getBody()->getTerminator()->getOperands())
    if (isa<RankedTensorType>(carried.getType()) && carried != summed.getResult() &&
        unrounded.getParentBlock() == loop.getBody() && isMadeOf(carried, unrounded, known))
      ofTerms.push_back(carried);
}

//===-- The rotated loop ------------------------------------------------------------------------------===//

/// `value` in the iteration whose number `mapping` has; what it is computed from is written again.
static Value again(OpBuilder &builder, scf::ForOp loop, IRMapping &mapping, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isAncestor(op))
    return value;
  for (Value operand : op->getOperands())
    again(builder, loop, mapping, operand);
  return builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
}

/// The second product of `iteration`: of `terms`, onto `sum`.
void ChainedSteps::startSecond(OpBuilder &builder, IRMapping &mapping, Value iteration, Value terms,
                               Value sum) {
  mapping.map(loop.getInductionVar(), iteration);
  for (Value place : SmallVector<Value>{arrived.getSlot(), started.getRhsStage(), started.getAccumulate()})
    again(builder, loop, mapping, place);
  builder.clone(*arrived, mapping);
  auto begin = BeginDotOp::create(builder, begun.getLoc(), begun.getType(), sum);
  mapping.map(started.getAccumulator(), begin.getResult());
  mapping.map(started.getLhs(), terms);
  builder.clone(*started, mapping);
}

/// Its end, behind the computation of `after`.
Value ChainedSteps::endSecond(OpBuilder &builder, IRMapping &mapping, ValueRange after) {
  auto end = cast<AwaitOp>(builder.clone(*summed, mapping));
  end.getAfterMutable().assign(after);
  Value sum = end.getResult();
  again(builder, loop, mapping, read.getSlot());
  builder.clone(*read, mapping);
  return sum;
}

/// Whether a row of the running warp has another factor than one; null where factors are not rows'.
Value ChainedSteps::isScaled(OpBuilder &builder, IRMapping &mapping) {
  auto rows = scaling ? factor.getDefiningOp<BroadcastOp>() : BroadcastOp();
  if (!rows || rows->getBlock() != loop.getBody())
    return Value();
  Location loc = scaling.getLoc();
  Value factors = mapping.lookupOrDefault(rows.getInput());
  auto type = cast<RankedTensorType>(factors.getType());
  Attribute one = builder.getFloatAttr(type.getElementType(), 1);
  Value ones = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, one));
  Value others = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, factors, ones);
  return AnyOp::create(builder, loc, builder.getI1Type(), others);
}

/// `sum` multiplied by the factor of the iteration that `mapping` has.
Value ChainedSteps::scaled(OpBuilder &builder, IRMapping &mapping, Value sum) {
  if (!scaling)
    return sum;
  mapping.map(loop.getRegionIterArg(sums), sum);
  return builder.clone(*scaling, mapping)->getResult(0);
}

/// The loop from the second step on: it carries a step's terms to the next one, whose first product runs
/// beside the second product of them.
///
///   %s = dot_async %q, %k[i]         // of the step
///   %o = dot_async %terms, %v[i-1]   // of the step before
///   await %s leaving 1
///   …                                // what terms are made of, unrounded
///   await %o
///   …                                // rounded terms; %o times the factor, where some row's is not one
scf::ForOp ChainedSteps::rotatedLoop(OpBuilder &builder, ValueRange inits) {
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Value begin = builder.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(), loop.getStep());
  auto rotated = scf::ForOp::create(builder, loc, begin, loop.getUpperBound(), loop.getStep(), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(rotated.getBody());
  IRMapping mapping, before;
  mapping.map(loop.getInductionVar(), rotated.getInductionVar());
  mapping.map(loop.getRegionIterArgs(), ValueRange(rotated.getRegionIterArgs()).drop_back());
  Value sum = rotated.getRegionIterArg(sums), terms = rotated.getRegionIterArgs().back();
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (second.contains(&op) || llvm::is_contained(rounding, &op))
      continue;
    if (&op == scored) {
      Value last = arith::SubIOp::create(builder, loc, rotated.getInductionVar(), loop.getStep());
      startSecond(builder, before, last, terms, sum);
    }
    Operation *copy = builder.clone(op, mapping);
    if (&op == scored)
      cast<AwaitOp>(copy).setPending(1);
  }
  Value isOther = isScaled(builder, mapping);
  SmallVector<Value> made =
      llvm::map_to_vector(ofTerms, [&](Value value) { return mapping.lookupOrDefault(value); });
  sum = endSecond(builder, before, made);
  for (Operation *op : rounding)
    builder.clone(*op, mapping);
  if (isOther) {
    auto choice = scf::IfOp::create(builder, loc, TypeRange(sum.getType()), isOther, /*withElseRegion=*/true);
    OpBuilder inside = OpBuilder::atBlockBegin(choice.thenBlock());
    scf::YieldOp::create(inside, loc, scaled(inside, mapping, sum));
    inside.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(inside, loc, sum);
    sum = choice.getResult(0);
  } else {
    sum = scaled(builder, mapping, sum);
  }
  SmallVector<Value> next;
  for (auto [i, value] : llvm::enumerate(yield.getOperands()))
    next.push_back(i == sums ? sum : mapping.lookupOrDefault(value));
  next.push_back(mapping.lookupOrDefault(started.getLhs()));
  scf::YieldOp::create(builder, loc, next);
  return rotated;
}

/// Writes the rotated steps, of which there is one at least; what they give in the loop's place.
SmallVector<Value> ChainedSteps::rotate(OpBuilder &builder) {
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  // The first step's terms.
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  for (Operation &op : loop.getBody()->without_terminator())
    if (!second.contains(&op))
      builder.clone(op, first);
  SmallVector<Value> inits;
  for (auto [i, value] : llvm::enumerate(yield.getOperands()))
    inits.push_back(i == sums ? scaled(builder, first, loop.getInitArgs()[i]) : first.lookupOrDefault(value));
  inits.push_back(first.lookupOrDefault(started.getLhs()));
  scf::ForOp rotated = rotatedLoop(builder, inits);
  // What the first products alone have read is free before the last one of the others.
  DominanceInfo dominance;
  for (Operation *op = loop->getNextNode(); op && (isPure(op) || isa<ReleaseOp>(op));) {
    auto release = dyn_cast<ReleaseOp>(std::exchange(op, op->getNextNode()));
    if (release && loop->getBlock() == rotated->getBlock() && release.getRing() != arrived.getRing() &&
        dominance.properlyDominates(release.getSlot(), loop))
      release->moveAfter(rotated);
  }
  // The last step's product.
  IRMapping behind;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1), low = loop.getLowerBound();
  Value last = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), one);
  if (getConstantIntValue(loop.getStep()) != 1) {
    last = builder.createOrFold<arith::SubIOp>(loc, last, low);
    last = builder.createOrFold<arith::DivUIOp>(loc, last, loop.getStep());
    last = builder.createOrFold<arith::MulIOp>(loc, last, loop.getStep());
    last = builder.createOrFold<arith::AddIOp>(loc, last, low);
  }
  startSecond(builder, behind, last, rotated.getResults().back(), rotated.getResult(sums));
  SmallVector<Value> results(rotated.getResults().drop_back());
  results[sums] = endSecond(builder, behind);
  return results;
}

/// The rotated steps in place of the loop, under a condition where it may have none.
void ChainedSteps::overlap() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto shape = [](AwaitOp product) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleave(cast<RankedTensorType>(product.getType()).getShape(), stream, "x");
    return text;
  };
  if (remarksEnabled(loop.getContext()))
    emitRemark(loop, Remark::StepsOverlapped, shape(scored), shape(summed));
  std::optional<int64_t> trips = tripCount(loop);
  if (loop->hasAttr(kEnteredAttrName) || (trips && *trips > 0)) {
    loop.replaceAllUsesWith(rotate(builder));
    loop.erase();
    return;
  }
  Value isEntered = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                          loop.getUpperBound());
  auto guard = scf::IfOp::create(builder, loc, loop.getResultTypes(), isEntered, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(builder, loc, rotate(builder));
  builder.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
  loop.replaceAllUsesWith(guard.getResults());
  loop.erase();
}

namespace {
struct OverlapSteps : tile::impl::TileOverlapStepsBase<OverlapSteps> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().overlapSteps)
      return markAllAnalysesPreserved();
    SmallVector<scf::ForOp> loops;
    // A loop over tiles of one step each carries no sums.
    kernel.walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<DotAsyncOp>().empty() &&
          llvm::any_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType, PendingType>))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      ChainedSteps steps;
      if (StringRef why = steps.find(loop); !why.empty()) {
        loop.emitOpError() << "has no product that could run beside the step before: " << why;
        return signalPassFailure();
      }
      steps.overlap();
    }
  }
};
} // namespace
