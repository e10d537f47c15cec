// Sorts: the bitonic network over the bits of the index. A stage compares elements whose indices differ in
// one bit: two registers of a thread, two lanes by a shuffle, or two warps through shared memory.

#include "Patterns.h"

#include "Tilewright/Layout/Scan.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

namespace {

/// One sort while it is written.
struct SortEmitter {
  ConversionPatternRewriter &rewriter;
  tile::SortOp op;
  const LinearLayout &layout;
  const std::vector<layout::HwBit> &bits;
  Location loc = op.getLoc();
  int dim = (int)op.getDim();
  ThreadIndex thread = {rewriter, loc};
  SmallVector<State> values = {};
  bool exchanged = false;

  /// Whether `lhs` comes before `rhs`.
  Value before(const State &lhs, const State &rhs) {
    return combineStates(rewriter, op.getCombiner(), lhs, rhs).front();
  }
  State select(Value condition, const State &a, const State &b) {
    return selectStates(rewriter, loc, condition, a, b);
  }
  Value xorBits(Value a, Value b) {
    return a && b ? arith::XOrIOp::create(rewriter, loc, a, b).getResult() : a ? a : b;
  }
  Value negate(Value a) { return xorBits(a, constantInt(rewriter, loc, 1, 1)); }
  /// Whether index bit `place` of this thread's elements is set; null for a bit of registers, and past the
  /// last.
  Value threadBit(size_t place) {
    if (place >= bits.size() || bits[place].hw == layout::Hw::Register)
      return {};
    bool isLane = bits[place].hw == layout::Hw::Lane;
    Value set = arith::AndIOp::create(rewriter, loc, isLane ? thread.lane() : thread.warp(),
                                      constantInt(rewriter, loc, int64_t(1) << bits[place].bit));
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, set, constantInt(rewriter, loc, 0));
  }
  bool registerBit(int r, size_t place) {
    return place < bits.size() && bits[place].hw == layout::Hw::Register &&
           (layout.apply(r, 0, 0)[dim] >> place & 1);
  }

  void compareRegisters(size_t place, size_t direction);
  void compareThreads(size_t place, size_t direction, ArrayRef<State> others);
  SmallVector<State> fromLanes(int bit);
  SmallVector<State> fromWarps(int bit);
  void run();
};

} // namespace

/// Elements of which bit `direction` of the index is set are put in descending order.
void SortEmitter::compareRegisters(size_t place, size_t direction) {
  Value descending = threadBit(direction);
  layout::RegisterMap canonical = layout.canonicalRegisters();
  for (int r = 0; r < layout.numRegisters(); ++r) {
    if (registerBit(r, place) || canonical[r] != r)
      continue;
    layout::Coord coord = layout.apply(r, 0, 0);
    coord[dim] |= 1 << place;
    std::optional<int> other = layout.registerAt(coord);
    assert(other && "every combination of register bits is a register");
    State a = values[r], b = values[*other];
    Value swap = registerBit(r, direction) ? before(a, b) : before(b, a);
    swap = xorBits(swap, descending);
    values[r] = select(swap, b, a);
    values[*other] = select(swap, a, b);
  }
  for (auto [r, source] : llvm::enumerate(canonical))
    values[r] = values[source];
}

void SortEmitter::compareThreads(size_t place, size_t direction, ArrayRef<State> others) {
  // The thread with the higher index keeps the later element, or the earlier one where the order descends.
  Value keepsLater = xorBits(threadBit(place), threadBit(direction)), keepsEarlier;
  for (int r = 0; r < layout.numRegisters(); ++r) {
    Value turn = keepsLater;
    if (registerBit(r, direction)) {
      if (!keepsEarlier)
        keepsEarlier = negate(keepsLater);
      turn = keepsEarlier;
    }
    Value take = xorBits(before(others[r], values[r]), turn);
    values[r] = select(take, others[r], values[r]);
  }
}

SmallVector<State> SortEmitter::fromLanes(int bit) {
  Value mask = constantInt(rewriter, loc, int64_t(1) << bit);
  return llvm::map_to_vector(values, [&](const State &state) {
    return llvm::map_to_vector(
        state, [&](Value value) { return shuffle(rewriter, loc, value, mask, /*butterfly=*/true); });
  });
}

SmallVector<State> SortEmitter::fromWarps(int bit) {
  // Readers of the last exchange must be done.
  if (exchanged || op->getParentOfType<LoopLikeOpInterface>())
    NVVM::Barrier0Op::create(rewriter, loc);
  exchanged = true;
  int64_t threads = layout.numThreads();
  Value tid = NVVM::ThreadIdXOp::create(rewriter, loc, rewriter.getI32Type());
  Value partner = arith::XOrIOp::create(rewriter, loc, tid, constantInt(rewriter, loc, int64_t(32) << bit));
  SmallVector<State> others(values.size());
  auto pointers = [&](unsigned i, Type element, Value of) {
    int64_t offset = *op.getScratch();
    for (unsigned j = 0; j < i; ++j)
      offset += llvm::alignTo(threads * (int64_t)values.size() *
                                  tile::storageBits(getElementTypeOrSelf(op.getInputs()[j].getType())) / 8,
                              16);
    return elementPointer(rewriter, loc, sharedPointer(rewriter, loc, offset), element, of);
  };
  for (bool stores : {true, false}) {
    for (unsigned i = 0; i < op.getInputs().size(); ++i) {
      Type element = values[0][i].getType();
      unsigned bytes = (unsigned)tile::storageBits(element) / 8;
      Value base = pointers(i, element, stores ? tid : partner);
      for (auto [r, state] : llvm::enumerate(values)) {
        Value pointer = elementPointer(rewriter, loc, base, element, Value(), (int64_t)r * threads);
        if (stores)
          LLVM::StoreOp::create(rewriter, loc, toMemory(rewriter, loc, state[i]), pointer, bytes);
        else
          others[r].push_back(
              fromMemory(rewriter, loc,
                         LLVM::LoadOp::create(rewriter, loc, memoryType(element), pointer, bytes), element));
      }
    }
    if (stores)
      NVVM::Barrier0Op::create(rewriter, loc);
  }
  return others;
}

void SortEmitter::run() {
  for (size_t direction = 1; direction <= bits.size(); ++direction)
    for (size_t place = direction; place-- > 0;) {
      const layout::HwBit &bit = bits[place];
      if (bit.hw == layout::Hw::Register)
        compareRegisters(place, direction);
      else
        compareThreads(place, direction,
                       bit.hw == layout::Hw::Lane ? fromLanes(bit.bit) : fromWarps(bit.bit));
    }
}

namespace {
struct SortPattern : OpConversionPattern<tile::SortOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::SortOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LinearLayout layout = layoutOf(op.getInputs()[0].getType());
    auto bits = layout::indexBits(layout, (int)op.getDim());
    if (!bits || layout.repeat()[op.getDim()] != 1)
      return op.emitError() << "the layout " << layout.toString() << " cannot be sorted along dimension "
                            << op.getDim();
    bool crosses = llvm::any_of(*bits, [](const layout::HwBit &bit) { return bit.hw == layout::Hw::Warp; });
    if (crosses && !op.getScratch())
      return op.emitError()
             << "goes across warps but has no place in shared memory; run tile-allocate-shared";
    SortEmitter emitter{rewriter, op, layout, *bits};
    for (int r = 0; r < layout.numRegisters(); ++r)
      emitter.values.push_back(llvm::map_to_vector(
          adaptor.getInputs(), [&](ValueRange registers) { return Value(registers[r]); }));
    emitter.run();
    SmallVector<SmallVector<Value>> results;
    for (size_t i = 0; i < op.getInputs().size(); ++i)
      results.push_back(llvm::map_to_vector(emitter.values, [&](const State &state) { return state[i]; }));
    SmallVector<ValueRange> ranges(results.begin(), results.end());
    rewriter.replaceOpWithMultiple(op, ranges);
    return success();
  }
};
} // namespace

void tilewright::populateSortPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SortPattern>(converter, patterns.getContext());
}
