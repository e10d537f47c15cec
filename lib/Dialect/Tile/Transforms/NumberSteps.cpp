// Loops of products whose number of steps is not the same for all tiles are counted by slots.

#include "NumberSteps.h"

#include "Loops.h"
#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// Whether the loop's end is at least one more than its start, by the way in which it is computed.
static bool isEntered(scf::ForOp loop) {
  auto end = loop.getUpperBound().getDefiningOp<arith::MaxSIOp>();
  auto low = getConstantIntValue(loop.getLowerBound());
  return end && llvm::any_of(end->getOperands(), [&](Value bound) {
           if (auto constant = getConstantIntValue(bound))
             return low && *constant > *low;
           auto sum = bound.getDefiningOp<arith::AddIOp>();
           return sum && llvm::any_of(llvm::seq(2u), [&](unsigned i) {
                    auto more = getConstantIntValue(sum->getOperand(1 - i));
                    return sum->getOperand(i) == loop.getLowerBound() && more && *more > 0;
                  });
         });
}

/// Of a loop of products whose bounds follow from the block's tile, as one whose number of steps is not the
/// same for all tiles: it counts slots, from where the loop of the tile before ended.
///
///   scf.for %tile = … {                   scf.for %tile = … iter_args(%slot = 0) {
///     scf.for %k = %first to %end step 64   %next = %slot + ceil((%end - %first) / 64)
///                                           scf.for %s = %slot to %next step 1 {tile.numbered}
///                                             %k = %first + (%s - %slot) * 64
///                                           scf.yield %next
static LogicalResult numberStepsOf(scf::ForOp steps) {
  Location loc = steps.getLoc();
  auto tiles = dyn_cast<scf::ForOp>(steps->getParentOp());
  if (!isa<KernelOp>((tiles ? tiles : steps)->getParentOp()))
    return steps.emitOpError() << "has as many steps as its block's tile needs, and stands in more than a "
                                  "loop over tiles";
  auto size = getConstantIntValue(steps.getStep());
  if (!size || *size < 1)
    return steps.emitOpError() << "has steps of no constant size";
  IRRewriter builder(steps.getContext());
  builder.setInsertionPoint(steps);
  Value low = steps.getLowerBound();
  Value length = arith::SubIOp::create(builder, loc, steps.getUpperBound(), low);
  length = arith::MaxSIOp::create(builder, loc, length, indexConstant(builder, loc, 0));
  length = arith::AddIOp::create(builder, loc, length, indexConstant(builder, loc, *size - 1));
  Value trips = arith::DivUIOp::create(builder, loc, length, indexConstant(builder, loc, *size));
  Value slot = indexConstant(builder, loc, 0), next = trips;
  if (tiles) {
    OpBuilder before(tiles);
    Value zero = indexConstant(before, loc, 0);
    next = arith::AddIOp::create(builder, loc, slot, trips);
    tiles = cast<scf::ForOp>(*tiles.replaceWithAdditionalYields(
        builder, zero, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>{next}; }));
    slot.replaceAllUsesWith(tiles.getRegionIterArgs().back());
    slot = tiles.getRegionIterArgs().back();
    builder.setInsertionPoint(steps);
  }
  auto numbered =
      scf::ForOp::create(builder, loc, slot, next, indexConstant(builder, loc, 1), steps.getInitArgs());
  numbered->setAttr(kNumberedAttrName, builder.getUnitAttr());
  if (isEntered(steps))
    numbered->setAttr(kEnteredAttrName, builder.getUnitAttr());
  if (steps.getNumResults() == 0)
    numbered.getBody()->getTerminator()->erase();
  numbered.getBody()->getOperations().splice(numbered.getBody()->end(), steps.getBody()->getOperations());
  builder.setInsertionPointToStart(numbered.getBody());
  Value done = arith::SubIOp::create(builder, loc, numbered.getInductionVar(), slot);
  Value place = arith::MulIOp::create(builder, loc, done, indexConstant(builder, loc, *size));
  steps.getInductionVar().replaceAllUsesWith(arith::AddIOp::create(builder, loc, place, low).getResult());
  for (auto [from, to] : llvm::zip(steps.getRegionIterArgs(), numbered.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
  steps.replaceAllUsesWith(numbered.getResults());
  steps.erase();
  return success();
}

LogicalResult tile::numberSteps(KernelOp kernel) {
  llvm::SmallSetVector<Operation *, 2> uncounted;
  kernel.walk([&](DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    if (productUnit(dot) == ProductUnit::Wgmma && loop && !tripCount(loop) &&
        !loop->hasAttr(kNumberedAttrName) && !getConstantIntValue(loop.getUpperBound()))
      uncounted.insert(loop);
  });
  for (Operation *loop : uncounted)
    if (failed(numberStepsOf(cast<scf::ForOp>(loop))))
      return failure();
  return success();
}
