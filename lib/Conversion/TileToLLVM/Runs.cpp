// Tiles that are one run of memory: between global and shared memory 16 bytes at a time, from wherever in 16
// bytes the run begins; between shared memory and registers as layouts say.

#include "Patterns.h"

#include "Tilewright/Layout/GlobalAccess.h"
#include "Tilewright/Layout/Run.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

namespace {

/// A run: where it begins and how long it is.
struct RunAccess {
  OpBuilder &builder;
  Location loc;
  Type element;
  layout::Run run;
  /// Elements of 16 bytes.
  int64_t unit;
  /// Element of memory that the 16 bytes begin at in which the run begins.
  Value first;
  /// Elements between that and the run; null: none.
  Value shift;
  /// Elements of the run within the view; null: all of it.
  Value length;

  template <typename Op> RunAccess(OpBuilder &builder, Op op, const layout::Shape &shape);

  Value number(int64_t value) { return constantInt(builder, loc, value); }
  Value compare(arith::CmpIPredicate how, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, how, a, b);
  }
  /// Where the run ends, in elements behind `first`: there where nothing of it is within the view, since what
  /// lies before it is then no part of the tensor either.
  Value end() {
    Value elems = length ? length : number(run.elems);
    if (!shift)
      return elems;
    Value behind = addInt(builder, loc, elems, shift);
    if (!length)
      return behind;
    Value exists = compare(arith::CmpIPredicate::sgt, length, number(0));
    return arith::SelectOp::create(builder, loc, exists, behind, number(0));
  }
  /// Number of the thread in the block.
  Value ownNumber() {
    ThreadIndex thread(builder, loc);
    return addInt(builder, loc, thread.lane(), mulInt(builder, loc, thread.warp(), 32));
  }
  /// Pieces of 16 bytes that the run lies in.
  int64_t pieces() const {
    return (int64_t)llvm::divideCeil((uint64_t)(run.elems + (shift ? unit - 1 : 0)), (uint64_t)unit);
  }
  /// Whether all of them are whole.
  bool areWhole() const { return !shift && !length && run.elems % unit == 0; }
  /// `piece` is for the one with a number of the thread's own, of all that `threads` have; `exists` says
  /// whether there is one (null: there is).
  void forPieces(int64_t threads, llvm::function_ref<void(Value number, Value exists)> piece);
  /// The view of a register tile in the buffer, and where in it the run begins.
  Value inBuffer(Value buffer) {
    return shift ? elementPointer(builder, loc, buffer, element, shift) : buffer;
  }
};

} // namespace

template <typename Op>
RunAccess::RunAccess(OpBuilder &builder, Op op, const layout::Shape &shape)
    : builder(builder), loc(op.getLoc()) {
  auto viewType = cast<tile::ViewType>(op.getView().getType());
  const layout::StridedView &view = viewType.getView();
  element = viewType.getElementType();
  unit = tile::kRunBytes * 8 / tile::storageBits(element);
  run = *layout::runOf(view, shape);
  layout::Shape one(shape.size(), 1);
  LinearLayout single = LinearLayout::coalesced(one, 32, 1, LinearLayout::rowMajorOrder((int)one.size()), 32);
  GlobalAddresses addresses(builder, loc, view, single, op.getIndices(), op.getDivisors(), op.getInBounds());
  first = addresses.offset(0);
  if (view.offsetDivisibility(op.getDivisors().vec()) % unit != 0) {
    unsigned bits = addresses.bits();
    Value within = arith::AndIOp::create(builder, loc, first, constantInt(builder, loc, unit - 1, bits));
    first = arith::SubIOp::create(builder, loc, first, within);
    shift = asInt(builder, loc, within);
  }
  int d = run.along;
  if (d < 0 || op.getInBounds()[d] || op.getDivisors()[d] == 0)
    return;
  unsigned bits = addresses.bits();
  Value rest = arith::SubIOp::create(builder, loc, constantInt(builder, loc, run.extent, bits),
                                     asInt(builder, loc, op.getIndices()[d], bits));
  rest = arith::MinSIOp::create(builder, loc, rest, constantInt(builder, loc, run.counts[d], bits));
  rest = arith::MaxSIOp::create(builder, loc, rest, constantInt(builder, loc, 0, bits));
  length = mulInt(builder, loc, asInt(builder, loc, rest), run.inner);
}

void RunAccess::forPieces(int64_t threads, llvm::function_ref<void(Value, Value)> piece) {
  Value own = ownNumber();
  for (int64_t begin = 0; begin < pieces(); begin += threads) {
    Value index = addInt(builder, loc, own, begin);
    Value exists;
    if (begin + threads > pieces())
      exists = compare(arith::CmpIPredicate::slt, index, number(pieces()));
    piece(index, exists);
  }
}

namespace {

struct CopyRunPattern : OpConversionPattern<tile::CopyRunOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::CopyRunOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RunAccess access(rewriter, op, op.getShape().vec());
    Location loc = op.getLoc();
    Value source = elementPointer(rewriter, loc, adaptor.getView()[0], access.element, access.first);
    int64_t bytes = tile::storageBits(access.element) / 8;
    Value end;
    if (!access.areWhole())
      end = mulInt(rewriter, loc, access.end(), bytes);
    access.forPieces(32 * (int64_t)op.getWarps(), [&](Value number, Value exists) {
      OpBuilder::InsertionGuard guard(rewriter);
      if (exists)
        rewriter.setInsertionPointToStart(
            scf::IfOp::create(rewriter, loc, exists, /*withElseRegion=*/false).thenBlock());
      Value place = mulInt(rewriter, loc, number, access.unit);
      // Behind the run nothing is read and the bytes become zero.
      Value size;
      if (end) {
        size = arith::SubIOp::create(rewriter, loc, end, mulInt(rewriter, loc, number, tile::kRunBytes));
        size = arith::MinSIOp::create(rewriter, loc, size, access.number(tile::kRunBytes));
        size = arith::MaxSIOp::create(rewriter, loc, size, access.number(0));
      }
      NVVM::CpAsyncOp::create(rewriter, loc,
                              elementPointer(rewriter, loc, adaptor.getBuffer()[0], access.element, place),
                              elementPointer(rewriter, loc, source, access.element, place),
                              (uint32_t)tile::kRunBytes, NVVM::LoadCacheModifierKind::CG, size);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct SendRunPattern : OpConversionPattern<tile::SendRunOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::SendRunOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RunAccess access(rewriter, op, op.getShape().vec());
    Location loc = op.getLoc();
    Value target = elementPointer(rewriter, loc, adaptor.getView()[0], access.element, access.first);
    Value always = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI1Type(), rewriter.getBoolAttr(true));
    Type whole = packedType(access.element, access.unit), single = packedType(access.element, 1);
    auto move = [&](Type type, Value place, Value condition) {
      Value from = elementPointer(rewriter, loc, adaptor.getBuffer()[0], access.element, place);
      Value to = elementPointer(rewriter, loc, target, access.element, place);
      Value none = LLVM::ZeroOp::create(rewriter, loc, type);
      Value value = ptx::LoadOp::create(rewriter, loc, type, from, condition, none);
      auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
      ptx::StoreOp::create(rewriter, loc, value, to, condition,
                           cache ? cachePolicy(rewriter, loc, cache.getL2()) : Value());
    };
    Value end = access.end();
    access.forPieces(32 * (int64_t)op.getWarps(), [&](Value number, Value exists) {
      Value place = mulInt(rewriter, loc, number, access.unit);
      if (access.areWhole())
        return move(whole, place, exists ? exists : always);
      Value isWhole =
          access.compare(arith::CmpIPredicate::sle, addInt(rewriter, loc, place, access.unit), end);
      if (access.shift)
        isWhole = andPredicates(rewriter, loc, isWhole,
                                access.compare(arith::CmpIPredicate::sge, place, access.shift));
      move(whole, place, isWhole);
    });
    if (!access.areWhole()) {
      // The pieces in which the run begins and ends are moved by a thread for each element.
      Value own = access.ownNumber();
      if (access.shift) {
        Value first = arith::MinSIOp::create(rewriter, loc, end, access.number(access.unit));
        move(single, own,
             andPredicates(rewriter, loc, access.compare(arith::CmpIPredicate::sge, own, access.shift),
                           access.compare(arith::CmpIPredicate::slt, own, first)));
      }
      Value last = arith::AndIOp::create(rewriter, loc, end, access.number(-access.unit));
      Value place = arith::AddIOp::create(rewriter, loc, last, own);
      Value isLast = access.compare(arith::CmpIPredicate::slt, place, end);
      // That of a run within one piece is the first.
      if (access.shift)
        isLast = andPredicates(rewriter, loc, isLast,
                               access.compare(arith::CmpIPredicate::sgt, last, access.number(0)));
      move(single, place, isLast);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Places of a register tile's elements in the buffer: as in memory.
struct TileInRun {
  layout::StridedView view;
  LinearLayout layout;
  layout::Shape zeros;
  SmallVector<bool> inBounds;
  layout::GlobalAccess global;
  GlobalAddresses addresses;

  TileInRun(RunAccess &access, const LinearLayout &tile)
      : view(access.run.view()), layout(tile), zeros(tile.rank(), 0), inBounds(boundsOf(access, tile)),
        global(layout::globalAccess(view, layout, zeros, (int)tile::storageBits(access.element),
                                    access.shift ? (int)tile::storageBits(access.element) : 128)),
        addresses(access.builder, access.loc, view, layout, ValueRange(), zeros, inBounds) {}

private:
  static SmallVector<bool> boundsOf(const RunAccess &access, const LinearLayout &tile) {
    return llvm::map_to_vector(llvm::zip_equal(tile.shape(), access.run.counts),
                               [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
  }
};

struct LoadRunPattern : OpConversionPattern<tile::LoadRunOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LoadRunOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = layoutOf(op.getType());
    RunAccess access(rewriter, op, layout.shape());
    TileInRun tile(access, layout);
    Value base = access.inBuffer(adaptor.getBuffer()[0]);
    SmallVector<Value> registers(layout.numRegisters());
    for (const std::vector<int> &group : tile.global.vectors.groups) {
      Type type = packedType(access.element, (int64_t)group.size());
      Value pointer = tile.addresses.pointer(base, access.element, group[0]);
      Value packed;
      if (Value predicate = tile.addresses.predicate(group[0]))
        packed = ptx::LoadOp::create(rewriter, loc, type, pointer, predicate,
                                     LLVM::ZeroOp::create(rewriter, loc, type));
      else
        packed = LLVM::LoadOp::create(
            rewriter, loc, type, pointer,
            /*alignment=*/(unsigned)(group.size() * tile::storageBits(access.element) / 8));
      SmallVector<Value> values =
          unpackVector(rewriter, loc, packed, registerType(access.element), (int64_t)group.size());
      for (auto [r, value] : llvm::zip_equal(group, values))
        registers[r] = value;
    }
    for (auto [r, canonical] : llvm::enumerate(layout.canonicalRegisters()))
      registers[r] = registers[canonical];
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct StoreRunPattern : OpConversionPattern<tile::StoreRunOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::StoreRunOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    LinearLayout layout = layoutOf(op.getValue().getType());
    RunAccess access(rewriter, op, layout.shape());
    TileInRun tile(access, layout);
    Value base = access.inBuffer(adaptor.getBuffer()[0]);
    Value owner = ThreadIndex(rewriter, loc)
                      .withoutBits(layout.freeBits(layout::Hw::Lane), layout.freeBits(layout::Hw::Warp));
    for (const std::vector<int> &group : tile.global.vectors.groups) {
      SmallVector<Value> values;
      for (int r : group)
        values.push_back(adaptor.getValue()[r]);
      Value packed = packVector(rewriter, loc, values);
      Value pointer = tile.addresses.pointer(base, access.element, group[0]);
      if (Value predicate = andPredicates(rewriter, loc, owner, tile.addresses.predicate(group[0])))
        ptx::StoreOp::create(rewriter, loc, packed, pointer, predicate);
      else
        LLVM::StoreOp::create(rewriter, loc, packed, pointer,
                              (unsigned)(group.size() * tile::storageBits(access.element) / 8));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populateRunPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CopyRunPattern, SendRunPattern, LoadRunPattern, StoreRunPattern>(converter,
                                                                                patterns.getContext());
}
