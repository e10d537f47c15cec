// Tickets, and what blocks publish of their pieces and read of those before. A warp takes a few totals at a
// time: its lanes wait for the pieces before this one in its group, for the groups before that one in theirs,
// and so on, and combine what they get by a tree over the lanes of each level. Words carry their marks with
// them, so that nothing is fenced and what is read needs no second trip to memory.

#include "Async.h"

#include "Tilewright/Layout/LookBack.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using layout::LookBackPlan;

/// Words that a thread asks for together.
static constexpr int64_t kMostWords = 4;

//===-- States as words -------------------------------------------------------------------------------===//

static int64_t wordsOf(Type element) { return (int64_t)llvm::divideCeil(tile::storageBits(element), 32); }

/// The 32-bit words of a register.
static void appendWords(OpBuilder &builder, Location loc, Value value, SmallVectorImpl<Value> &words) {
  value = toMemory(builder, loc, value);
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  if (value.getType() != integer)
    value = arith::BitcastOp::create(builder, loc, integer, value);
  if (bits < 32)
    value = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
  for (unsigned low = 0; low < std::max(bits, 32u); low += 32) {
    Value word = value;
    if (low)
      word = arith::ShRUIOp::create(builder, loc, value, constantInt(builder, loc, low, bits));
    words.push_back(bits > 32 ? arith::TruncIOp::create(builder, loc, builder.getI32Type(), word).getResult()
                              : word);
  }
}

/// A register of `element` from its words, which are taken from `words`.
static Value takeWords(OpBuilder &builder, Location loc, ArrayRef<Value> &words, Type element) {
  Type memory = memoryType(element);
  unsigned bits = memory.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value value = words.front();
  words = words.drop_front();
  if (bits < 32)
    value = arith::TruncIOp::create(builder, loc, integer, value);
  else if (bits > 32)
    value = arith::ExtUIOp::create(builder, loc, integer, value);
  for (unsigned low = 32; low < bits; low += 32) {
    Value word = arith::ExtUIOp::create(builder, loc, integer, words.front());
    word = arith::ShLIOp::create(builder, loc, word, constantInt(builder, loc, low, bits));
    value = arith::OrIOp::create(builder, loc, value, word);
    words = words.drop_front();
  }
  if (memory != integer)
    value = arith::BitcastOp::create(builder, loc, memory, value);
  return fromMemory(builder, loc, value, registerType(element));
}

//===-- Look-back -------------------------------------------------------------------------------------===//

namespace {

/// One look-back while it is written.
struct LookBackEmitter {
  ConversionPatternRewriter &rewriter;
  tile::LookBackOp op;
  tile::LookBackOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor;
  LookBackPlan plan = layout::lookBackPlan((int64_t)op.getPieces());
  Location loc = op.getLoc();
  ThreadIndex thread = {rewriter, loc};
  SmallVector<Type> elements = {};
  /// Totals of a piece, and words of one of them.
  int64_t totals = 1, unit = 0;
  Value piece = {}, line = {}, lane = {};
  /// Whether there are pieces behind this one.
  Value goesOn = {};

  Value number(int64_t value) { return constantInt(rewriter, loc, value); }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
  }
  State combine(const State &lhs, const State &rhs) {
    return combineStates(rewriter, op.getCombiner(), lhs, rhs);
  }
  State select(Value condition, const State &a, const State &b) {
    return selectStates(rewriter, loc, condition, a, b);
  }
  State fromLane(const State &state, Value from) {
    return llvm::map_to_vector(
        state, [&](Value value) { return shuffle(rewriter, loc, value, from, /*butterfly=*/false); });
  }
  /// The place of state `i` of total `t` in shared memory, behind `base`.
  Value sharedPlace(Value base, unsigned i, Value t) {
    return elementPointer(rewriter, loc, base, memoryType(registerType(elements[i])), t);
  }
  /// Word `word` of total `t` of the line, for entry `entry` of `level`.
  Value wordPlace(Value t, int64_t word, const LookBackPlan::Level &level, Value entry) {
    Value place = addInt(rewriter, loc, mulInt(rewriter, loc, line, totals), t);
    place = addInt(rewriter, loc, mulInt(rewriter, loc, place, unit), word);
    place = addInt(rewriter, loc, mulInt(rewriter, loc, place, plan.words), level.first);
    place = addInt(rewriter, loc, place, entry);
    return elementPointer(rewriter, loc, adaptor.getWords().front(), rewriter.getI64Type(), place);
  }

  State loadOwn(ArrayRef<Value> own, Value t);
  void publish(Value t, const State &state, const LookBackPlan::Level &level, Value entry);
  void publishOwn(ArrayRef<Value> own, int64_t threads);
  SmallVector<State> await(ArrayRef<Value> numbers, const LookBackPlan::Level &level, Value entry,
                           Value predicate);
  State combineLanes(State state, Value count);
  void lookBack(ArrayRef<Value> numbers, ArrayRef<Value> own, ArrayRef<Value> before);
  FailureOr<SmallVector<SmallVector<Value>>> emit();
};

} // namespace

State LookBackEmitter::loadOwn(ArrayRef<Value> own, Value t) {
  State state;
  for (auto [i, element] : llvm::enumerate(elements)) {
    Type memory = memoryType(registerType(element));
    Value value = LLVM::LoadOp::create(rewriter, loc, memory, sharedPlace(own[i], (unsigned)i, t));
    state.push_back(fromMemory(rewriter, loc, value, registerType(element)));
  }
  return state;
}

void LookBackEmitter::publish(Value t, const State &state, const LookBackPlan::Level &level, Value entry) {
  SmallVector<Value> words;
  for (Value value : state)
    appendWords(rewriter, loc, value, words);
  for (auto [word, value] : llvm::enumerate(words))
    ptx::PublishWordOp::create(rewriter, loc, value, adaptor.getMark().front(),
                               wordPlace(t, (int64_t)word, level, entry));
}

/// The piece's totals, each by a thread of its own, before anything is waited for. Nobody is behind the last
/// piece.
void LookBackEmitter::publishOwn(ArrayRef<Value> own, int64_t threads) {
  Value id = NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type());
  emitIf(rewriter, loc, goesOn, [&] {
    auto loop = scf::ForOp::create(rewriter, loc, id, number(totals), number(threads));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value t = loop.getInductionVar();
    publish(t, loadOwn(own, t), plan.levels.front(), piece);
  });
}

/// What others have published in `entry`, waited for where `predicate` holds.
SmallVector<State> LookBackEmitter::await(ArrayRef<Value> numbers, const LookBackPlan::Level &level,
                                          Value entry, Value predicate) {
  SmallVector<Value> places, words;
  for (Value t : numbers)
    for (int64_t word = 0; word < unit; ++word)
      places.push_back(wordPlace(t, word, level, entry));
  for (ArrayRef<Value> rest = places; !rest.empty();) {
    size_t count = llvm::bit_floor(std::min<size_t>(rest.size(), kMostWords));
    Type word = rewriter.getI32Type();
    Type type = count == 1 ? word : VectorType::get((int64_t)count, word);
    Value values = ptx::AwaitWordsOp::create(rewriter, loc, type, rest.take_front(count),
                                             adaptor.getMark().front(), predicate);
    for (size_t i = 0; i < count; ++i)
      words.push_back(
          count == 1 ? values
                     : LLVM::ExtractElementOp::create(rewriter, loc, values, number((int64_t)i)).getResult());
    rest = rest.drop_front(count);
  }
  SmallVector<State> states(numbers.size());
  ArrayRef<Value> left = words;
  for (State &state : states)
    for (Type element : elements)
      state.push_back(takeWords(rewriter, loc, left, element));
  return states;
}

/// Lanes 0 to `count` - 1 combined, in order; in all lanes. Nothing where `count` is 0.
State LookBackEmitter::combineLanes(State state, Value count) {
  // What lane l has stands for the lanes l to l + step - 1, where l is a multiple of step.
  for (int64_t step = 1; step < LookBackPlan::kFan; step *= 2) {
    Value other = addInt(rewriter, loc, lane, step);
    Value isThere = compare(arith::CmpIPredicate::ult, other, count);
    state = select(isThere, combine(state, fromLane(state, other)), state);
  }
  return fromLane(state, number(0));
}

/// Of totals number `numbers` of the piece, which are in `own`, those of the pieces before are written to
/// `before`. All lanes of a warp take part.
void LookBackEmitter::lookBack(ArrayRef<Value> numbers, ArrayRef<Value> own, ArrayRef<Value> before) {
  SmallVector<State> sums, all;
  for (Value t : numbers)
    sums.push_back(loadOwn(own, t));
  Value leads = compare(arith::CmpIPredicate::eq, lane, number(0));
  for (auto [k, level] : llvm::enumerate(plan.levels)) {
    int64_t shift = (int64_t)k * LookBackPlan::kFanBits, next = shift + LookBackPlan::kFanBits;
    // The group of this level that the piece is in, and its place among those of the next level's group.
    Value group = k ? arith::ShRUIOp::create(rewriter, loc, piece, number(shift)).getResult() : piece;
    Value place = arith::AndIOp::create(rewriter, loc, group, number(LookBackPlan::kFan - 1));
    Value first = arith::SubIOp::create(rewriter, loc, group, place);
    Value isBefore = compare(arith::CmpIPredicate::ult, lane, place);
    SmallVector<State> states =
        await(numbers, level, arith::AddIOp::create(rewriter, loc, first, lane), isBefore);
    Value hasSome = compare(arith::CmpIPredicate::ne, place, number(0));
    for (State &state : states)
      state = combineLanes(state, place);
    if (k + 1 < plan.levels.size()) {
      for (auto [sum, state] : llvm::zip_equal(sums, states))
        sum = select(hasSome, combine(state, sum), sum);
      // Who has the last piece of a group knows what it comes to.
      int64_t pieces = int64_t(1) << next;
      Value low = arith::AndIOp::create(rewriter, loc, piece, number(pieces - 1));
      Value ends = compare(arith::CmpIPredicate::eq, low, number(pieces - 1));
      Value entry = arith::ShRUIOp::create(rewriter, loc, piece, number(next));
      Value says = arith::AndIOp::create(rewriter, loc, ends, goesOn);
      emitIf(rewriter, loc, arith::AndIOp::create(rewriter, loc, says, leads), [&] {
        for (auto pair : llvm::zip_equal(numbers, sums))
          publish(std::get<0>(pair), std::get<1>(pair), plan.levels[k + 1], entry);
      });
    }
    if (k == 0) {
      all = states;
      continue;
    }
    Value low = arith::AndIOp::create(rewriter, loc, piece, number((int64_t(1) << shift) - 1));
    Value hasLower = compare(arith::CmpIPredicate::ne, low, number(0));
    for (auto [whole, state] : llvm::zip_equal(all, states))
      whole = select(hasSome, select(hasLower, combine(state, whole), state), whole);
  }
  emitIf(rewriter, loc, leads, [&] {
    for (auto [t, state] : llvm::zip_equal(numbers, all))
      for (auto [i, value] : llvm::enumerate(state))
        LLVM::StoreOp::create(rewriter, loc, toMemory(rewriter, loc, value),
                              sharedPlace(before[i], (unsigned)i, t));
  });
}

FailureOr<SmallVector<SmallVector<Value>>> LookBackEmitter::emit() {
  if (!op.getScratch())
    return op.emitError() << "hands totals over through shared memory but has no place there; run "
                             "tile-allocate-shared";
  auto type = cast<RankedTensorType>(op.getTotals()[0].getType());
  totals = type.getNumElements();
  layout::Shape shape(type.getShape().begin(), type.getShape().end());
  auto shared = layout::SharedLayout::plain(shape, LinearLayout::rowMajorOrder((int)shape.size()));
  int64_t warps = int64_t(1) << layoutOf(type).bases(layout::Hw::Warp).size();
  piece = asInt(rewriter, loc, adaptor.getPiece().front());
  line = asInt(rewriter, loc, adaptor.getLine().front());
  lane = thread.lane();
  Value warp = thread.warp();
  SmallVector<Value> own, before;
  int64_t offset = (int64_t)*op.getScratch();
  for (SmallVector<Value> *bases : {&own, &before})
    for (Value total : op.getTotals()) {
      bases->push_back(sharedPointer(rewriter, loc, offset));
      offset +=
          (int64_t)llvm::alignTo(totals * tile::storageBits(getElementTypeOrSelf(total.getType())) / 8, 16);
    }
  auto accessOf = [&](Type tile) {
    return layout::sharedAccess(shared, layoutOf(tile), (int)tile::storageBits(getElementTypeOrSelf(tile)));
  };
  for (auto [i, total] : llvm::enumerate(op.getTotals())) {
    Type element = getElementTypeOrSelf(total.getType());
    elements.push_back(element);
    unit += wordsOf(element);
    auto access = accessOf(total.getType());
    if (!access)
      return op.emitError() << "totals have no access in shared memory";
    storeShared(rewriter, loc, *access, own[i], registerType(element), adaptor.getTotals()[i]);
  }
  goesOn = compare(arith::CmpIPredicate::ne, piece, number((int64_t)op.getPieces() - 1));
  emitBarrier(rewriter, loc);
  publishOwn(own, 32 * warps);
  // Each warp takes equal runs of them.
  int64_t run = std::max<int64_t>(1, std::min(totals / warps, kMostWords / unit));
  while (totals % run)
    --run;
  auto take = [&](Value first) {
    SmallVector<Value> numbers;
    for (int64_t i = 0; i < run; ++i)
      numbers.push_back(addInt(rewriter, loc, first, i));
    lookBack(numbers, own, before);
  };
  Value first = mulInt(rewriter, loc, warp, run);
  if (totals > run * warps) {
    auto loop = scf::ForOp::create(rewriter, loc, first, number(totals), number(run * warps));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    take(loop.getInductionVar());
  } else {
    Value isOne = totals < run * warps ? compare(arith::CmpIPredicate::ult, first, number(totals)) : Value();
    emitIf(rewriter, loc, isOne, [&] { take(first); });
  }
  emitBarrier(rewriter, loc);
  Value isFirst = compare(arith::CmpIPredicate::eq, piece, number(0));
  SmallVector<SmallVector<Value>> results;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    auto access = accessOf(result.getType());
    if (!access || layoutOf(result.getType()) != layoutOf(op.getInitial()[i].getType()))
      return op.emitError() << "initial state #" << i << " has another layout than the result";
    results.push_back(loadShared(rewriter, loc, *access, before[i], registerType(elements[i])));
    for (auto [value, initial] : llvm::zip_equal(results.back(), adaptor.getInitial()[i]))
      value = arith::SelectOp::create(rewriter, loc, isFirst, initial, value);
  }
  return results;
}

namespace {
struct LookBackPattern : OpConversionPattern<tile::LookBackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LookBackOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getPieces() < 2) {
      SmallVector<ValueRange> initial(adaptor.getInitial().begin(), adaptor.getInitial().end());
      rewriter.replaceOpWithMultiple(op, initial);
      return success();
    }
    FailureOr<SmallVector<SmallVector<Value>>> results = LookBackEmitter{rewriter, op, adaptor}.emit();
    if (failed(results))
      return failure();
    SmallVector<ValueRange> ranges(results->begin(), results->end());
    rewriter.replaceOpWithMultiple(op, ranges);
    return success();
  }
};

/// One thread counts the block, and puts the counter back for the next launch when it is the last one.
struct TakeTicketPattern : OpConversionPattern<tile::TakeTicketOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::TakeTicketOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getScratch())
      return op.emitError()
             << "hands the ticket to the block's threads but has no place in shared memory; run "
                "tile-allocate-shared";
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type(), wide = rewriter.getI64Type();
    Value place = sharedPointer(rewriter, loc, (int64_t)*op.getScratch());
    Value half = constantInt(rewriter, loc, 32, 64), one = constantInt(rewriter, loc, 1);
    emitIf(rewriter, loc, roleLeader(rewriter, loc), [&] {
      Value counter = adaptor.getCounter().front();
      Value taken = ptx::TakeTicketOp::create(rewriter, loc, wide, counter);
      LLVM::StoreOp::create(rewriter, loc, taken, place);
      Value ticket = arith::TruncIOp::create(rewriter, loc, word, taken);
      Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, ticket,
                                           constantInt(rewriter, loc, (int64_t)op.getBlocks() - 1));
      emitIf(rewriter, loc, isLast, [&] {
        // One launch more; the number before 0 is left out, since its mark would be 0.
        Value launches = arith::ShRUIOp::create(rewriter, loc, taken, half);
        Value more = arith::AddIOp::create(rewriter, loc, launches, constantInt(rewriter, loc, 1, 64));
        Value isOver = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, more,
                                             constantInt(rewriter, loc, 0xffffffffLL, 64));
        more = arith::SelectOp::create(rewriter, loc, isOver, constantInt(rewriter, loc, 0, 64), more);
        ptx::ReturnTicketsOp::create(rewriter, loc, arith::ShLIOp::create(rewriter, loc, more, half),
                                     counter);
      });
    });
    emitBarrier(rewriter, loc);
    Value taken = LLVM::LoadOp::create(rewriter, loc, wide, place);
    Value ticket = arith::TruncIOp::create(rewriter, loc, word, taken);
    Value launches =
        arith::TruncIOp::create(rewriter, loc, word, arith::ShRUIOp::create(rewriter, loc, taken, half));
    Value mark = arith::AddIOp::create(rewriter, loc, launches, one);
    ticket = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), ticket);
    rewriter.replaceOp(op, {ticket, mark});
    return success();
  }
};
} // namespace

void tilewright::populateLookBackPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LookBackPattern, TakeTicketPattern>(converter, patterns.getContext());
}
