// Stages of a ring whose number is no power of two: a loop that goes through slots one after the other counts
// the stage and the ring's turn on, where every use divided a slot's number.
#include "Patterns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

namespace {

/// A number that is one more in each iteration: that of the loop's iterations so far, with what is the same
/// in all of them, and a constant.
struct Counted {
  SmallVector<Value, 2> same;
  int64_t constant = 0;
  bool counts = false;
};

/// The divisions of one loop's numbers, which differ from one another by one at most, by one divisor.
struct Divisions {
  int64_t divisor;
  SmallVector<Value, 2> same;
  /// Of the number itself, and the remainders of the one before it.
  SmallVector<Operation *> remainders, quotients, before;
};

} // namespace

/// `value` as such a number; none where it is not.
static std::optional<Counted> countedBy(scf::ForOp loop, Value value) {
  if (auto constant = getConstantIntValue(value))
    return Counted{{}, *constant, false};
  if (loop.isDefinedOutsideOfLoop(value))
    return Counted{{value}, 0, false};
  auto step = getConstantIntValue(loop.getStep()), low = getConstantIntValue(loop.getLowerBound());
  if (value == loop.getInductionVar() && step == 1)
    return Counted{{}, 0, true};
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return countedBy(loop, op->getOperand(0));
  if (auto divide = dyn_cast_or_null<arith::DivUIOp>(op);
      divide && divide.getLhs() == loop.getInductionVar() && step && low && *low % *step == 0 &&
      getConstantIntValue(divide.getRhs()) == step)
    return Counted{{}, 0, true};
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<Counted> lhs = countedBy(loop, op->getOperand(0)), rhs = countedBy(loop, op->getOperand(1));
  bool adds = isa<arith::AddIOp>(op);
  if (!lhs || !rhs || (lhs->counts && rhs->counts) || (!adds && (rhs->counts || !rhs->same.empty())))
    return std::nullopt;
  lhs->same.append(rhs->same);
  lhs->constant += adds ? rhs->constant : -rhs->constant;
  lhs->counts |= rhs->counts;
  return lhs;
}

/// The loop's divisions of counted numbers.
static SmallVector<Divisions> findDivisions(scf::ForOp loop) {
  SmallVector<Divisions> found;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp>(op))
      return WalkResult::skip();
    if (!isa<arith::RemUIOp, arith::DivUIOp>(op) || !op->getResult(0).getType().isIntOrIndex())
      return WalkResult::advance();
    auto divisor = getConstantIntValue(op->getOperand(1));
    if (!divisor || *divisor < 2 || llvm::isPowerOf2_64((uint64_t)*divisor))
      return WalkResult::advance();
    std::optional<Counted> number = countedBy(loop, op->getOperand(0));
    bool before = number && number->constant == -1;
    if (!number || !number->counts || !(number->constant == 0 || (before && isa<arith::RemUIOp>(op))))
      return WalkResult::advance();
    auto *entry = llvm::find_if(
        found, [&](const Divisions &one) { return one.divisor == *divisor && one.same == number->same; });
    if (entry == found.end()) {
      found.push_back({*divisor, number->same, {}, {}, {}});
      entry = std::prev(found.end());
    }
    (before ? entry->before : isa<arith::RemUIOp>(op) ? entry->remainders : entry->quotients).push_back(op);
    return WalkResult::advance();
  });
  return found;
}

void tilewright::countSlots(LLVM::LLVMFuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(function.getContext());
  for (scf::ForOp loop : loops) {
    Location loc = loop.getLoc();
    for (const Divisions &divisions : findDivisions(loop)) {
      // Numbers of the first iteration.
      rewriter.setInsertionPoint(loop);
      Value divisor = constantInt(rewriter, loc, divisions.divisor);
      Value number = asInt(rewriter, loc, loop.getLowerBound());
      if (auto step = getConstantIntValue(loop.getStep()); step != 1)
        number = arith::DivUIOp::create(rewriter, loc, number, constantInt(rewriter, loc, *step));
      for (Value same : divisions.same)
        number = arith::AddIOp::create(rewriter, loc, number, asInt(rewriter, loc, same));
      Value stage = arith::RemUIOp::create(rewriter, loc, number, divisor);
      Value turn = arith::DivUIOp::create(rewriter, loc, number, divisor);
      auto isEqual = [&](OpBuilder &builder, Value value, int64_t other) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                     constantInt(builder, loc, other));
      };
      Value before = arith::SelectOp::create(
          rewriter, loc, isEqual(rewriter, stage, 0), constantInt(rewriter, loc, divisions.divisor - 1),
          arith::SubIOp::create(rewriter, loc, stage, constantInt(rewriter, loc, 1)));
      loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
          rewriter, {stage, turn, before}, /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> carried) -> SmallVector<Value> {
            Value next = addInt(builder, loc, carried[0], 1);
            Value wraps = isEqual(builder, next, divisions.divisor);
            Value first = arith::SelectOp::create(builder, loc, wraps, constantInt(builder, loc, 0), next);
            Value more = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), wraps);
            return {first, arith::AddIOp::create(builder, loc, carried[1], more), carried[0]};
          }));
      auto carried = loop.getRegionIterArgs().take_back(3);
      auto ofType = [&](Operation *op, Value value) -> Value {
        Type type = op->getResult(0).getType();
        rewriter.setInsertionPoint(op);
        return type.isIndex() ? arith::IndexCastUIOp::create(rewriter, loc, type, value).getResult()
                              : asInt(rewriter, loc, value, type.getIntOrFloatBitWidth());
      };
      for (auto [ops, value] :
           {std::pair(&divisions.remainders, carried[0]), std::pair(&divisions.quotients, carried[1]),
            std::pair(&divisions.before, carried[2])})
        for (Operation *op : *ops)
          rewriter.replaceOp(op, ofType(op, value));
    }
  }
}
