// graph-decompose-selection: top-k by rounds, groups and sorts, scatter in the form of a gather.
//
// Of a row that one kernel holds a few elements are found one after the other; top-k of more is a sort of its
// indices. In a longer row the k first elements lie in the k groups (of g neighbours) whose best elements
// come first: an element of another group comes after k elements, the best ones of those. So: best keys of
// the groups, their top-k, then that of the k * g candidates. Groups with equal best keys are taken in the
// order of their indices, which keeps ties in the order of theirs.
//
// Scatter asks of each place which updates name it, so that no two threads write one element and the order of
// updates is fixed. Where slices are long, updates of one place are merged along their chain before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/InOrder.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

namespace tilewright::graph {
#define GEN_PASS_DEF_GRAPHDECOMPOSESELECTION
#include "Tilewright/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tilewright::graph

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// Short builders of tensor programs at one location.
struct Writer {
  OpBuilder &builder;
  Location loc;

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  Type i32() { return builder.getI32Type(); }
  Type i64() { return builder.getI64Type(); }
  Value constantLike(Value like, TypedAttr scalar) {
    return make<arith::ConstantOp>(
        DenseElementsAttr::get(typeOf(like).clone(scalar.getType()), Attribute(scalar)));
  }
  Value number(Value like, int64_t value) {
    return constantLike(like, builder.getIntegerAttr(typeOf(like).getElementType(), value));
  }
  Value add(Value a, Value b) { return make<arith::AddIOp>(a, b); }
  Value add(Value a, int64_t b) { return make<arith::AddIOp>(a, number(a, b)); }
  Value mul(Value a, int64_t b) { return make<arith::MulIOp>(a, number(a, b)); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return make<arith::CmpIOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) { return make<arith::SelectOp>(condition, a, b); }
  Value castInt(Value x, Type element) {
    RankedTensorType type = typeOf(x);
    unsigned from = type.getElementTypeBitWidth(), to = element.getIntOrFloatBitWidth();
    if (from == to)
      return x;
    return from < to ? make<arith::ExtSIOp>(type.clone(element), x)
                     : make<arith::TruncIOp>(type.clone(element), x);
  }
  Value castFloat(Value x, Type element) {
    RankedTensorType type = typeOf(x);
    unsigned from = type.getElementTypeBitWidth(), to = element.getIntOrFloatBitWidth();
    if (type.getElementType() == element)
      return x;
    return from < to ? make<arith::ExtFOp>(type.clone(element), x)
                     : make<arith::TruncFOp>(type.clone(element), x);
  }
  Value iota(ArrayRef<int64_t> shape, int64_t dim, Type element) {
    return make<IotaOp>(RankedTensorType::get(shape, element), builder.getI64IntegerAttr(dim));
  }
  Value reshape(Value x, ArrayRef<int64_t> shape) {
    RankedTensorType type = RankedTensorType::get(shape, typeOf(x).getElementType());
    return type == typeOf(x) ? x : make<ReshapeOp>(type, x);
  }
  Value broadcast(Value x, ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
    RankedTensorType type = RankedTensorType::get(shape, typeOf(x).getElementType());
    return type == typeOf(x) ? x : make<BroadcastOp>(type, x, dims);
  }
  /// Elements [offset, offset + size) of the last dimension of a matrix.
  Value columns(Value x, int64_t offset, int64_t size) {
    RankedTensorType type = typeOf(x);
    if (size == type.getDimSize(1))
      return x;
    return make<SliceOp>(type.clone({type.getDimSize(0), size}), x, ArrayRef<int64_t>{0, offset},
                         ArrayRef<int64_t>{1, 1});
  }
  /// x[i, j] of a matrix for a matrix of columns j: one element each, from the matrix seen as a line.
  Value pick(Value x, Value columns) {
    RankedTensorType from = typeOf(x), to = typeOf(columns);
    Value row = iota(to.getShape(), 0, i64());
    Value place = add(mul(row, from.getDimSize(1)), castInt(columns, i64()));
    return make<GatherOp>(RankedTensorType::get(to.getShape(), from.getElementType()),
                          reshape(x, {from.getNumElements()}), place, builder.getI64IntegerAttr(0));
  }
};

/// Integers whose order is the order of the result: what comes first is smallest.
struct Keys {
  Writer &writer;
  bool smallest;

  Value operator()(Value x) const {
    Value key = orderedKey(writer.builder, writer.loc, x);
    return smallest ? key : writer.make<arith::XOrIOp>(key, writer.number(key, -1));
  }
};

} // namespace

/// Most elements of a group.
static constexpr int64_t kMaxGroup = 64;
/// A sort of so many elements takes no longer than two small kernels; one of four times as many takes five
/// times as long.
static constexpr int64_t kCheapSort = 1024;

/// So many elements at most are found one after the other, each by a reduction of the row. A round costs as
/// much as so many steps of a sort, of which a row of n takes log2(n) (log2(n) + 1) / 2. (H100, us, rounds
/// and sort: 2 of 16384 rows of 128 fp32 6.8 and 17.4, 8 of them 17.9 and 17.3, 6 of 64 7.7 and 9.9, 8 of 256
/// bf16 22.1 and 44.1; of 4096 rows of 1024 4 11.8 and 68.7, 8 18.9 and 68.6.)
static constexpr int64_t kMostRounds = 16;
static constexpr double kStepsOfRound = 3.5;

static bool isFoundInRounds(int64_t k, int64_t n) {
  auto bits = (int64_t)llvm::Log2_64_Ceil((uint64_t)n);
  return k >= 1 && k <= kMostRounds && kStepsOfRound * (double)k <= (double)(bits * (bits + 1)) / 2;
}

/// The ids of each row whose keys come first, in order: `k` of them as integers of `element`, or more of i32.
static Value firstOf(Writer &w, Value ids, Value keys, int64_t k, Type element) {
  int64_t rows = typeOf(ids).getDimSize(0);
  auto dim = w.builder.getI64IntegerAttr(1);
  if (!isFoundInRounds(k, typeOf(ids).getDimSize(1)) || typeOf(keys).getElementTypeBitWidth() > 32)
    return w.make<SortOp>(ids, keys, dim);
  // A key and its id are one number, of which no two are equal: what comes next is the least one above the
  // last.
  RankedTensorType type = typeOf(ids).clone(w.i64());
  Value high = w.make<arith::ExtSIOp>(type, keys);
  Value pairs = w.make<arith::OrIOp>(w.make<arith::ShLIOp>(high, w.number(high, 32)),
                                     w.make<arith::ExtUIOp>(type, ids));
  Value none = w.number(pairs, std::numeric_limits<int64_t>::max());
  SmallVector<Value> found;
  for (Value last; (int64_t)found.size() < k;) {
    Value left = pairs;
    if (last)
      left = w.select(w.compare(arith::CmpIPredicate::sgt, pairs, w.broadcast(last, {0}, type.getShape())),
                      pairs, none);
    last =
        w.make<ReduceOp>(RankedTensorType::get({rows}, w.i64()), left, ReduceKind::Min, ArrayRef<int64_t>{1});
    // The lower half.
    Value id = element == w.i64() ? w.make<arith::AndIOp>(last, w.number(last, 0xffffffff))
                                  : w.castInt(last, element);
    found.push_back(w.reshape(id, {rows, 1}));
  }
  return k == 1 ? found.front() : w.make<ConcatOp>(RankedTensorType::get({rows, k}, element), found, dim);
}

/// Indices of the `k` elements of each row of the matrix `x` whose keys come first, in order: so many of type
/// `element`, or more of i32; null when there is no way.
static Value topIndices(Writer &w, Value x, int64_t k, Type element, function_ref<Value(Value)> keysOf) {
  int64_t rows = typeOf(x).getDimSize(0), n = typeOf(x).getDimSize(1);
  int64_t candidates = std::clamp<int64_t>(8 * k, kCheapSort, SortOp::kMaxExtent);
  if (n <= 2 * kCheapSort || (n <= SortOp::kMaxExtent && n <= candidates)) {
    Value ids = w.iota({rows, n}, 1, w.i32());
    return firstOf(w, ids, keysOf(x), k, element);
  }
  int64_t group = kMaxGroup;
  while (group > 1 && k * group + group - 1 > candidates)
    group /= 2;
  if (group == 1 && 2 * k < SortOp::kMaxExtent)
    group = 2;
  if (group == 1)
    return {};
  // The best key of each whole group, and of these the first k.
  int64_t groups = n / group, rest = n % group;
  Value split = w.reshape(w.columns(x, 0, groups * group), {rows, groups, group});
  Value keys = keysOf(split);
  Value best = w.make<ReduceOp>(RankedTensorType::get({rows, groups}, typeOf(keys).getElementType()), keys,
                                ReduceKind::Min, ArrayRef<int64_t>{2});
  Value chosen = topIndices(w, best, k, w.i32(), [](Value key) { return key; });
  if (!chosen)
    return {};
  // All elements of the chosen groups, and those behind the last group.
  SmallVector<int64_t> shape = {rows, k * group + rest};
  Value place = w.iota(shape, 1, w.i32());
  Value which =
      w.make<arith::MinSIOp>(w.make<arith::DivUIOp>(place, w.number(place, group)), w.number(place, k - 1));
  Value ids =
      w.add(w.mul(w.pick(chosen, which), group), w.make<arith::RemUIOp>(place, w.number(place, group)));
  if (rest)
    ids = w.select(w.compare(arith::CmpIPredicate::slt, place, w.number(place, k * group)), ids,
                   w.add(place, groups * group - k * group));
  return firstOf(w, ids, keysOf(w.pick(x, ids)), k, element);
}

/// graph.top_k %x : 4x800 to 4x50  ==>  the first 50 of graph.sort (iota) by (keys of %x)
static LogicalResult decompose(IRRewriter &rewriter, TopKOp op) {
  Writer w{rewriter, op.getLoc()};
  RankedTensorType type = typeOf(op.getInput()), result = typeOf(op.getResult());
  int64_t rank = type.getRank(), dim = op.getDim(), n = type.getDimSize(dim), k = result.getDimSize(dim);
  // The dimension last, all others one.
  SmallVector<int64_t> order, shape, back(rank);
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim)
      order.push_back(d);
  order.push_back(dim);
  for (auto [i, d] : llvm::enumerate(order)) {
    back[d] = (int64_t)i;
    shape.push_back(result.getDimSize(d));
  }
  Value x = op.getInput();
  if (dim != rank - 1) {
    SmallVector<int64_t> moved = llvm::map_to_vector(order, [&](int64_t d) { return type.getDimSize(d); });
    x = w.make<TransposeOp>(type.clone(ArrayRef<int64_t>(moved)), x, order);
  }
  x = w.reshape(x, {type.getNumElements() / n, n});
  Value ids = topIndices(w, x, k, result.getElementType(), Keys{w, op.getSmallest()});
  if (!ids)
    return op.emitOpError() << "takes " << k << " of " << n << " elements, the limit is "
                            << SortOp::kMaxExtent / 2 - 1 << " of more than " << SortOp::kMaxExtent;
  ids = w.reshape(w.castInt(w.columns(ids, 0, k), result.getElementType()), shape);
  if (dim != rank - 1)
    ids = w.make<TransposeOp>(result, ids, back);
  rewriter.replaceOp(op, ids);
  return success();
}

namespace {
/// What a scatter is made of: input [batch, places, slice], indices [batch, updates] counted from the start,
/// updates [batch, updates, slice]; 16-bit floats that are merged are held in fp32.
struct Scatter {
  Writer &w;
  ReduceKind kind = ReduceKind::Sum;
  int64_t batch = 1, places = 0, updates = 0, slice = 1;
  Value input = {}, indices = {}, values = {};

  SmallVector<int64_t> shape() const { return {batch, places, slice}; }
  /// hits[b, i, j]: update j names place i.
  Value hits() {
    SmallVector<int64_t> pairs = {batch, places, updates};
    Value place = w.iota(pairs, 1, typeOf(indices).getElementType());
    return w.compare(arith::CmpIPredicate::eq, w.broadcast(indices, {0, 2}, pairs), place);
  }
  /// The last j of [batch, rows, updates] where `condition` holds, -1 where there is none.
  Value lastOf(Value condition) {
    RankedTensorType type = typeOf(condition);
    Value order = w.iota(type.getShape(), 2, w.i32());
    return w.make<ReduceOp>(RankedTensorType::get(type.getShape().drop_back(), w.i32()),
                            w.select(condition, order, w.number(order, -1)), ReduceKind::Max,
                            ArrayRef<int64_t>{2});
  }
  Value isThere(Value update) { return w.compare(arith::CmpIPredicate::sge, update, w.number(update, 0)); }
  /// `from` [batch, updates, …] at `update` [batch, rows]; anything where that is -1.
  Value at(Value from, Value update) {
    RankedTensorType type = typeOf(from);
    Value taken = w.make<arith::MaxSIOp>(update, w.number(update, 0));
    Value row = w.iota(typeOf(update).getShape(), 0, w.i64());
    Value place = w.add(w.mul(row, updates), w.castInt(taken, w.i64()));
    SmallVector<int64_t> table = {batch * updates}, result(typeOf(update).getShape());
    llvm::append_range(table, type.getShape().drop_front(2));
    llvm::append_range(result, type.getShape().drop_front(2));
    return w.make<GatherOp>(RankedTensorType::get(result, type.getElementType()), w.reshape(from, table),
                            place, w.builder.getI64IntegerAttr(0));
  }
  Value merge(Value a, Value b) {
    ReduceOp merger =
        ReduceOp::create(w.builder, w.loc, RankedTensorType::get({}, typeOf(a).getElementType()), a, kind,
                         llvm::to_vector(llvm::seq<int64_t>(0, typeOf(a).getRank())));
    Value merged = merger.merge(w.builder, w.loc, a, b).front();
    merger.erase();
    return merged;
  }

  Value takeLast();
  Value mergeAll();
  Value mergeChains();
  Value mergeInOrder();
};
} // namespace

/// The last update that names a place, gathered, where there is one.
Value Scatter::takeLast() {
  Value last = lastOf(hits());
  return w.select(w.broadcast(isThere(last), {0, 1}, shape()), at(values, last), input);
}

/// The updates that name a place reduced, and merged into the element there.
Value Scatter::mergeAll() {
  SmallVector<int64_t> all = {batch, places, updates, slice};
  Value wide = w.broadcast(values, {0, 2, 3}, all);
  auto reduce = [&](Value of) {
    return ReduceOp::create(w.builder, w.loc, typeOf(input), of, kind, ArrayRef<int64_t>{2});
  };
  ReduceOp probe = reduce(wide);
  Value none = w.constantLike(wide, probe.getIdentity().front());
  probe.erase();
  return merge(input, reduce(w.select(w.broadcast(hits(), {0, 1, 2}, all), wide, none)));
}

/// The same where slices are long or updates many: each update is merged with those before it that name its
/// place, twice as many with every step, and the last one is what the place takes.
Value Scatter::mergeChains() {
  SmallVector<int64_t> pairs = {batch, updates, updates};
  Value same = w.compare(arith::CmpIPredicate::eq, w.broadcast(indices, {0, 1}, pairs),
                         w.broadcast(indices, {0, 2}, pairs));
  Value earlier = w.compare(arith::CmpIPredicate::slt, w.iota(pairs, 2, w.i32()), w.iota(pairs, 1, w.i32()));
  Value previous = lastOf(w.make<arith::AndIOp>(same, earlier)), sums = values;
  for (int64_t merged = 1; merged < updates; merged *= 2) {
    Value found = isThere(previous);
    Value more = merge(at(sums, previous), sums);
    sums = w.select(w.broadcast(found, {0, 1}, typeOf(sums).getShape()), more, sums);
    previous = w.select(found, at(previous, previous), previous);
  }
  Value last = lastOf(hits());
  return w.select(w.broadcast(isThere(last), {0, 1}, shape()), merge(input, at(sums, last)), input);
}

/// The element and the updates that name its place, one after the other: a row for each element, in which
/// other updates are identities.
Value Scatter::mergeInOrder() {
  SmallVector<int64_t> all = {batch, places, updates + 1, slice};
  Type element = typeOf(values).getElementType();
  auto behindOne = [&](Value x, TypedAttr first) {
    SmallVector<int64_t> shape(typeOf(x).getShape()), low(shape.size(), 0), high(shape.size(), 0);
    shape[1] += low[1] = 1;
    return w.make<PadOp>(typeOf(x).clone(shape), x, low, high, first);
  };
  // Nothing is added as -0, which leaves every number what it is.
  bool adds = kind == ReduceKind::Sum;
  TypedAttr none = w.builder.getFloatAttr(element, adds ? -0.0 : 1.0);
  Value wide = w.broadcast(behindOne(values, none), {0, 2, 3}, all);
  Value places4 = w.iota(all, 1, typeOf(indices).getElementType());
  Value names = behindOne(indices, w.builder.getIntegerAttr(typeOf(indices).getElementType(), -1));
  Value hit = w.compare(arith::CmpIPredicate::eq, w.broadcast(names, {0, 2}, all), places4);
  Value order = w.iota(all, 2, w.i32());
  Value isFirst = w.compare(arith::CmpIPredicate::eq, order, w.number(order, 0));
  Value terms =
      w.select(isFirst, w.broadcast(input, {0, 1, 3}, all), w.select(hit, wide, w.constantLike(wide, none)));
  ReduceOp reduce = ReduceOp::create(w.builder, w.loc, typeOf(input), terms, kind, ArrayRef<int64_t>{2});
  reduce->setAttr(kInOrderAttrName, w.builder.getUnitAttr());
  if (!adds)
    return reduce;
  // Sums begin with 0, which would turn an element of -0 that nothing but -0 is added to.
  Type bits = w.builder.getIntegerType(element.getIntOrFloatBitWidth());
  Value pattern = w.make<arith::BitcastOp>(typeOf(wide).clone(bits), wide);
  Value minus = w.constantLike(
      pattern, w.builder.getIntegerAttr(bits, APInt::getSignedMinValue(bits.getIntOrFloatBitWidth())));
  Value counts = w.make<arith::AndIOp>(hit, w.compare(arith::CmpIPredicate::ne, pattern, minus));
  Value last = w.make<ReduceOp>(typeOf(input).clone(w.i32()), w.select(counts, order, w.number(order, -1)),
                                ReduceKind::Max, ArrayRef<int64_t>{2});
  return w.select(isThere(last), reduce, input);
}

/// Pairs of updates and elements up to which all are compared in one kernel.
static constexpr int64_t kFewPairs = int64_t(1) << 26;

static LogicalResult decompose(IRRewriter &rewriter, ScatterOp op) {
  Writer w{rewriter, op.getLoc()};
  RankedTensorType type = typeOf(op.getInput());
  int64_t at = op.getBatch();
  auto product = [](ArrayRef<int64_t> sizes) {
    int64_t elements = 1;
    for (int64_t size : sizes)
      elements *= size;
    return elements;
  };
  Scatter scatter{w};
  scatter.batch = product(type.getShape().take_front(at));
  scatter.places = type.getDimSize(at);
  scatter.slice = product(type.getShape().drop_front(at + 1));
  scatter.updates = typeOf(op.getIndices()).getShape().back();
  Value indices = w.reshape(op.getIndices(), {scatter.batch, scatter.updates});
  Value negative = w.compare(arith::CmpIPredicate::slt, indices, w.number(indices, 0));
  indices = w.select(negative, w.add(indices, scatter.places), indices);
  if (scatter.places <= INT32_MAX) {
    // Compared in 32 bits; what names no place still names none.
    Value isPlace = w.compare(arith::CmpIPredicate::ult, indices, w.number(indices, scatter.places));
    indices = w.castInt(w.select(isPlace, indices, w.number(indices, -1)), w.i32());
  }
  scatter.indices = indices;
  Type element = type.getElementType();
  bool merges = op.getKind() != ScatterKind::Set;
  bool narrow = merges && isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  auto widen = [&](Value x) { return narrow ? w.castFloat(x, rewriter.getF32Type()) : x; };
  scatter.input = widen(w.reshape(op.getInput(), scatter.shape()));
  scatter.values = widen(w.reshape(op.getUpdates(), {scatter.batch, scatter.updates, scatter.slice}));
  scatter.kind = op.getKind() == ScatterKind::Mul   ? ReduceKind::Prod
                 : op.getKind() == ScatterKind::Max ? ReduceKind::Max
                 : op.getKind() == ScatterKind::Min ? ReduceKind::Min
                                                    : ReduceKind::Sum;
  if (isInOrder(op)) {
    Value result = scatter.mergeInOrder();
    rewriter.replaceOp(op, w.reshape(narrow ? w.castFloat(result, element) : result, type.getShape()));
    return success();
  }
  bool few = scatter.slice == 1 || type.getNumElements() <= kFewPairs / scatter.updates;
  Value result = !merges ? scatter.takeLast() : few ? scatter.mergeAll() : scatter.mergeChains();
  if (narrow)
    result = w.castFloat(result, element);
  rewriter.replaceOp(op, w.reshape(result, type.getShape()));
  return success();
}

namespace {
struct GraphDecomposeSelectionPass
    : tilewright::graph::impl::GraphDecomposeSelectionBase<GraphDecomposeSelectionPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<TopKOp, ScatterOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      auto topK = dyn_cast<TopKOp>(op);
      if (failed(topK ? decompose(rewriter, topK) : decompose(rewriter, cast<ScatterOp>(op))))
        return signalPassFailure();
    }
  }
};
} // namespace
