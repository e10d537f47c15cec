// Scans and sorts of a kernel on the block's tile. In a loop over the row a scan goes on from the total of
// the tiles before it, which the loop carries; where blocks have pieces of rows, from that of the blocks
// before.

#include "KernelTiler.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

static SmallVector<int64_t> shapeOf(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

/// The shape that `shape` and the tiles `values` broadcast to: along a dimension of one element a value's
/// tile may have as many as the block's, where it depends on the place.
static SmallVector<int64_t> widened(SmallVector<int64_t> shape, ValueRange values) {
  for (Value value : values)
    for (auto [size, other] : llvm::zip_equal(shape, shapeOf(value)))
      size = std::max(size, other);
  return shape;
}

std::optional<unsigned> KernelTiler::rowDim(Operation *op) const {
  for (auto [d, dim] : llvm::enumerate(dims))
    if ((op ? runsAlong(op, d) : dim.reduced) && dim.extent != 1)
      return (unsigned)d;
  return std::nullopt;
}

SmallVector<int64_t> KernelTiler::rowTile(Operation *op) {
  SmallVector<bool> depends = support(indexing.views.find(op)->second);
  if (std::optional<unsigned> d = rowDim(op))
    depends[*d] = true;
  return tileShape(depends);
}

/// The block of a combiner on two states of `types`.
static Block *createCombiner(OpBuilder &builder, Region &region, ArrayRef<Type> types, Location loc) {
  SmallVector<Type> pair(types);
  llvm::append_range(pair, types);
  return builder.createBlock(&region, {}, pair, SmallVector<Location>(pair.size(), loc));
}

SmallVector<Value> KernelTiler::initialCarry(graph::ScanOp op) {
  SmallVector<int64_t> shape = rowTile(op);
  if (std::optional<unsigned> d = rowDim(op))
    shape[*d] = 1;
  return llvm::map_to_vector(op.getIdentity(),
                             [&](TypedAttr identity) { return constant(identity, shape, op.getLoc()); });
}

Value KernelTiler::evaluateScan(graph::ScanOp op) {
  Location loc = op.getLoc();
  const OperandAccess access = indexing.accesses[op][0];
  Value input = evaluate(access.root, access.view);
  SmallVector<int64_t> shape = widened(rowTile(op), input);
  input = broadcast(input, shape, loc);
  SmallVector<Value> states = op.step(builder, loc, input, Value());
  std::optional<unsigned> d = rowDim(op);
  if (!d)
    return op.finish(builder, loc, states);
  // What lies beyond the row comes first in reverse.
  if (op.getReverse())
    for (auto [state, identity] : llvm::zip_equal(states, op.getIdentity()))
      state = maskReduced(op, state, identity, loc);
  SmallVector<Type> types, totals, scalars;
  for (Value state : states) {
    auto type = cast<RankedTensorType>(state.getType());
    SmallVector<int64_t> total(type.getShape());
    total[*d] = 1;
    types.push_back(type);
    totals.push_back(RankedTensorType::get(total, type.getElementType()));
    scalars.push_back(type.getElementType());
  }
  size_t count = states.size();
  SmallVector<Type> results(types);
  llvm::append_range(results, totals);
  auto scan =
      tile::ScanOp::create(builder, loc, results, states, (uint64_t)*d, op.getReverse(), IntegerAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    ValueRange all = createCombiner(builder, scan.getCombiner(), scalars, loc)->getArguments();
    tile::YieldOp::create(builder, loc, op.merge(builder, loc, all.take_front(count), all.drop_front(count)));
  }
  SmallVector<Value> running(scan.getResults().take_front(count)), total(scan.getResults().drop_front(count));
  if (piece) {
    SmallVector<Value> before = llvm::map_to_vector(
        lookBack(op, total, loc), [&](Value value) { return broadcast(value, shapeOf(running[0]), loc); });
    running = op.merge(builder, loc, before, running);
  } else if (auto it = carries.find(op); it != carries.end()) {
    SmallVector<Value> before = llvm::map_to_vector(
        it->second, [&](Value value) { return broadcast(value, shapeOf(running[0]), loc); });
    running = op.merge(builder, loc, before, running);
    it->second = op.merge(builder, loc, it->second, total);
  }
  return op.finish(builder, loc, running);
}

Value KernelTiler::evaluateSort(graph::SortOp op) {
  Location loc = op.getLoc();
  SmallVector<OperandAccess> accesses(indexing.accesses[op]);
  std::optional<unsigned> d = rowDim(op);
  Value ids = evaluate(accesses[0].root, accesses[0].view),
        keys = evaluate(accesses[1].root, accesses[1].view);
  SmallVector<int64_t> shape = widened(rowTile(op), {ids, keys});
  ids = broadcast(ids, shape, loc);
  keys = broadcast(keys, shape, loc);
  if (!d)
    return ids;
  // What lies beyond the row comes last.
  auto last = [&](Value value) {
    auto type = cast<IntegerType>(getElementTypeOrSelf(value.getType()));
    return maskReduced(op, value, builder.getIntegerAttr(type, APInt::getSignedMaxValue(type.getWidth())),
                       loc);
  };
  ids = last(ids);
  keys = last(keys);
  // A key of 32 bits and its id are one integer.
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  bool packed = getElementTypeOrSelf(keys.getType()) == i32;
  SmallVector<Value> states = {keys, ids};
  if (packed) {
    auto type = RankedTensorType::get(shape, i64);
    Value high = arith::ShLIOp::create(builder, loc, arith::ExtSIOp::create(builder, loc, type, keys),
                                       constant(builder.getI64IntegerAttr(32), shape, loc));
    states = {arith::OrIOp::create(builder, loc, high, arith::ExtUIOp::create(builder, loc, type, ids))};
  }
  SmallVector<Type> scalars = packed ? SmallVector<Type>{i64} : SmallVector<Type>{i64, i32};
  auto sort =
      tile::SortOp::create(builder, loc, ValueRange(states).getTypes(), states, (uint64_t)*d, IntegerAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    ValueRange all = createCombiner(builder, sort.getCombiner(), scalars, loc)->getArguments();
    auto less = [&](arith::CmpIPredicate predicate, unsigned i) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, all[i], all[i + states.size()]);
    };
    Value before = less(arith::CmpIPredicate::slt, 0);
    if (!packed) {
      Value tie = arith::AndIOp::create(builder, loc, less(arith::CmpIPredicate::eq, 0),
                                        less(arith::CmpIPredicate::slt, 1));
      before = arith::OrIOp::create(builder, loc, before, tie);
    }
    tile::YieldOp::create(builder, loc, before);
  }
  Value sorted = sort.getResults().back();
  return packed ? arith::TruncIOp::create(builder, loc, RankedTensorType::get(shape, i32), sorted).getResult()
                : sorted;
}
