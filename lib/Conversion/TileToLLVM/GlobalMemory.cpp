// Loads, stores and gathers of tiles in global memory: vectors as wide as layout and view allow, predicates
// only where a tile may reach beyond its view.

#include "Patterns.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Layout/GlobalAccess.h"

#include "Tilewright/Remarks/Remarks.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using layout::StridedView;

Value tilewright::elementPointer(OpBuilder &builder, Location loc, Value base, Type elementType, Value offset,
                                 int64_t constant) {
  SmallVector<LLVM::GEPArg> index;
  if (offset)
    index.push_back(offset);
  else
    index.push_back((int32_t)constant);
  return LLVM::GEPOp::create(builder, loc, base.getType(), memoryType(elementType), base, index);
}

//===-- Patterns ------------------------------------------------------------------------------------===//

/// Sectors beyond which an access is said to be scattered, as a multiple of those that its elements fill.
static constexpr int64_t kScattered = 2;

static void remarkWidth(Operation *op, StringRef what, Type tile, const StridedView &view,
                        const LinearLayout &layout, const layout::GlobalAccess &access, int64_t elementBits) {
  emitRemark(op, Remark::VectorWidth, what, tile, access.vectors.elems * elementBits,
             access.vectors.groups.size());
  if (!remarksEnabled(op->getContext()))
    return;
  layout::WarpTraffic traffic = layout::warpTraffic(view, layout, access, (int)elementBits);
  if (traffic.sectors > kScattered * traffic.least)
    emitRemark(op, Remark::ScatteredAccess, what, tile, traffic.sectors, traffic.least);
}

/// `fill` as a packed vector of `count` elements.
static Value packedFill(OpBuilder &builder, Location loc, TypedAttr fill, Type elementType, int64_t count) {
  if (!fill)
    return LLVM::ZeroOp::create(builder, loc, packedType(elementType, count));
  Value scalar = constantRegister(builder, loc, fill);
  return packVector(builder, loc, SmallVector<Value>(count, scalar));
}

Value tilewright::cachePolicy(OpBuilder &builder, Location loc, tile::L2Priority priority) {
  if (priority == tile::L2Priority::Normal)
    return Value();
  return ptx::CachePolicyOp::create(builder, loc, builder.getI64Type(),
                                    priority == tile::L2Priority::EvictFirst ? ptx::Eviction::First
                                                                             : ptx::Eviction::Last);
}

/// The condition itself, or that which always holds.
static Value conditionOrTrue(OpBuilder &builder, Location loc, Value condition) {
  return condition ? condition
                   : LLVM::ConstantOp::create(builder, loc, builder.getI1Type(), builder.getBoolAttr(true));
}

/// Whether no one writes the memory behind `base`, a parameter, during the kernel (createFunction says it).
static bool isReadOnly(Value base) {
  while (auto cast = base.getDefiningOp<UnrealizedConversionCastOp>())
    base = cast.getOperand(0);
  auto argument = dyn_cast<BlockArgument>(base);
  auto func = argument ? dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp()) : LLVM::LLVMFuncOp();
  return func && func.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getReadonlyAttrName());
}

/// Loads the registers of `group` from `pointer` on in one access, where `predicate` (null: everywhere)
/// holds; elsewhere they take `fill`. `cache`: what caches do with the lines (null: as they do); `readOnly`:
/// no one writes there.
static void loadGroup(OpBuilder &builder, Location loc, Type element, ArrayRef<int> group, Value pointer,
                      Value predicate, TypedAttr fill, MutableArrayRef<Value> registers,
                      tile::CacheAttr cache = {}, bool readOnly = false) {
  int64_t count = group.size();
  Type type = packedType(element, count);
  Value packed;
  if (cache) {
    auto how = cache.getNoAllocate() ? readOnly ? ptx::LoadCache::NCNoAllocate : ptx::LoadCache::NoAllocate
               : readOnly            ? ptx::LoadCache::NC
                                     : ptx::LoadCache::Default;
    packed = ptx::LoadOp::create(builder, loc, type, pointer, conditionOrTrue(builder, loc, predicate),
                                 packedFill(builder, loc, fill, element, count),
                                 cachePolicy(builder, loc, cache.getL2()), how);
  } else if (predicate)
    packed = ptx::LoadOp::create(builder, loc, type, pointer, predicate,
                                 packedFill(builder, loc, fill, element, count));
  else
    packed = LLVM::LoadOp::create(builder, loc, type, pointer,
                                  /*alignment=*/(unsigned)(count * tile::storageBits(element) / 8));
  SmallVector<Value> values = unpackVector(builder, loc, packed, registerType(element), count);
  for (auto [r, value] : llvm::zip_equal(group, values))
    registers[r] = value;
}

/// A branch with both sides, which `results` come from.
static scf::IfOp createBranch(OpBuilder &builder, Location loc, Value condition, TypeRange results) {
  auto op = scf::IfOp::create(builder, loc, results, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  if (results.empty())
    for (Block *block : {op.thenBlock(), op.elseBlock()})
      if (block->empty() || !block->back().hasTrait<OpTrait::IsTerminator>()) {
        OpBuilder end = OpBuilder::atBlockEnd(block);
        scf::YieldOp::create(end, loc);
      }
  return op;
}

namespace {
/// The instructions of a load or store whose view may begin or end within a vector: wide ones of tiles that
/// lie within the view, and for those that stick out others, each of which is in bounds or out of bounds as a
/// whole.
struct EndingAccess {
  template <typename Op>
  EndingAccess(Op op, const LinearLayout &layout, int64_t bits, layout::Shifts shifts)
      : known(op.getInBounds().begin(), op.getInBounds().end()) {
    const StridedView &view = cast<tile::ViewType>(op.getView().getType()).getView();
    layout::Shape multiples = op.getDivisors().vec();
    auto accessThat = [&](bool mayEnd) {
      return layout::globalAccess(view, layout, multiples, (int)bits, /*maxVectorBits=*/128, mayEnd, shifts);
    };
    atEnd = accessThat(/*mayEnd=*/false);
    inside = accessThat(/*mayEnd=*/true);
    int dim = inside.dim;
    const layout::ViewDim &along = view.dim(dim);
    first = std::max<int64_t>(0, -along.start);
    last = std::min(along.extent, along.innerExtent() - along.start) - layout.shape()[dim];
    // The last vector that is loaded for a tile ends that much behind it.
    if (shifts == layout::Shifts::OfLoads)
      last -= inside.shift;
    if (inside.vectors.elems <= atEnd.vectors.elems || known[dim] || multiples[dim] == 0 || last < first) {
      inside = atEnd;
      return;
    }
    start = op.getIndices()[dim];
    known[dim] = true;
  }

  bool mayEnd() const { return start != nullptr; }
  /// The branch between tiles that lie within the view and those that do not.
  scf::IfOp branch(OpBuilder &builder, Location loc, TypeRange results) const {
    // What begins before the first one is large, as a number without a sign.
    Value behind = start;
    if (first)
      behind =
          arith::SubIOp::create(builder, loc, start, arith::ConstantIndexOp::create(builder, loc, first));
    Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, behind,
                                           arith::ConstantIndexOp::create(builder, loc, last - first));
    return createBranch(builder, loc, isInside, results);
  }

  layout::GlobalAccess inside, atEnd;
  /// Dimensions in which a tile within the view is in bounds.
  SmallVector<bool> known;

private:
  Value start;
  /// Where the first and the last tile within the view begin.
  int64_t first = 0, last = 0;
};
} // namespace

/// Loads the registers of `chain` with the vectors that it has parts of, the first of which begins `shift`
/// elements behind the chain's first one, less a vector's.
static void loadShifted(OpBuilder &builder, Location loc, Type element, const layout::GlobalAccess &access,
                        ArrayRef<int> chain, Value base, GlobalAddresses &addresses, TypedAttr fill,
                        MutableArrayRef<Value> registers, tile::CacheAttr cache, bool readOnly) {
  int elems = access.vectors.elems;
  SmallVector<int> slots(elems);
  std::iota(slots.begin(), slots.end(), 0);
  for (int begin = access.shift - elems; begin < (int)chain.size(); begin += elems) {
    int first = std::max(begin, 0);
    SmallVector<Value> loaded(elems);
    loadGroup(builder, loc, element, slots, addresses.pointer(base, element, chain[first], begin - first),
              addresses.predicate(chain[first]), fill, loaded, cache, readOnly);
    for (int at = first; at < std::min<int>(begin + elems, (int)chain.size()); ++at)
      registers[chain[at]] = loaded[at - begin];
  }
}

namespace {
/// The instructions of a load or store whose tile begins at a vector, maybe before its row (AlignedAccess.h).
/// What of a vector lies outside of the row is another row's, or beyond the tensor.
struct AlignedAccess {
  template <typename Op> AlignedAccess(Op op, const LinearLayout &layout, int64_t bits) {
    const StridedView &view = op.getView().getType().getView();
    const layout::Shape shape = layout.shape();
    dim = tile::alignedDim(shape);
    tile = shape[dim];
    extent = view.dim(dim).extent;
    start = op.getIndices()[dim];
    tile::VectorForm form = tile::vectorForm(op, view, op.getDivisors(), shape);
    vectors = layout::globalAccess(form.view, layout, form.divisors, (int)bits);
    single = layout::globalAccess(view, layout, op.getDivisors().vec(), (int)bits);
    inBounds.assign(op.getInBounds().begin(), op.getInBounds().end());
    known = inBounds;
    known[dim] = true;
  }

  int dim = 0;
  /// Elements of the tile and of the row along it.
  int64_t tile = 0, extent = 0;
  /// The index of the tile's first element.
  Value start;
  layout::GlobalAccess vectors, single;
  /// Dimensions in which the tile is in bounds, and those in which it would be as a part of its row.
  SmallVector<bool> inBounds, known;
};
} // namespace

/// Registers that hold another's element take its value.
static void copyReplicas(const LinearLayout &layout, MutableArrayRef<Value> registers) {
  for (auto [r, canonical] : llvm::enumerate(layout.canonicalRegisters()))
    registers[r] = registers[canonical];
}

/// Where in memory the tile of an access with plain strides begins, in elements.
static Value tileOffset(OpBuilder &builder, tile::LoadOp op, const StridedView &view) {
  Location loc = op.getLoc();
  Value offset = constantInt(builder, loc, view.offset(), 64);
  for (auto [d, index] : llvm::enumerate(op.getIndices())) {
    const layout::ViewDim &dim = view.dim((int)d);
    if (!dim.modes.empty())
      offset = addInt(builder, loc, offset,
                      mulInt(builder, loc, asInt(builder, loc, index, 64), dim.modes.front().stride));
  }
  return offset;
}

namespace {

struct LoadPattern : OpConversionPattern<tile::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto viewType = cast<tile::ViewType>(op.getView().getType());
    Type element = viewType.getElementType();
    int64_t bits = tile::storageBits(element);
    const StridedView &view = viewType.getView();
    LinearLayout layout = layoutOf(op.getType());
    if (op->hasAttr(tile::kAlignedAttrName))
      return loadAligned(op, layout, adaptor.getView()[0], rewriter);
    EndingAccess access(op, layout, bits, layout::Shifts::OfLoads);
    remarkWidth(op, "load", viewType, view, layout, access.inside, bits);
    auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
    SmallVector<Value> registers(layout.numRegisters());
    auto load = [&](OpBuilder &builder, const layout::GlobalAccess &global, ArrayRef<bool> inBounds,
                    MutableArrayRef<Value> loaded) {
      GlobalAddresses addresses(builder, loc, view, layout, op.getIndices(), op.getDivisors(), inBounds);
      for (const std::vector<int> &chain : global.chains)
        loadShifted(builder, loc, element, global, chain, adaptor.getView()[0], addresses, op.getFillAttr(),
                    loaded, cache, isReadOnly(adaptor.getView()[0]));
      if (global.shift)
        return;
      for (const std::vector<int> &group : global.vectors.groups) {
        Value pointer = addresses.pointer(adaptor.getView()[0], element, group[0]);
        loadGroup(builder, loc, element, group, pointer, addresses.predicate(group[0]), op.getFillAttr(),
                  loaded, cache, isReadOnly(adaptor.getView()[0]));
      }
    };
    if (!access.mayEnd()) {
      load(rewriter, access.inside, op.getInBounds(), registers);
    } else {
      auto branch = access.branch(rewriter, loc, SmallVector<Type>(registers.size(), registerType(element)));
      for (bool isInside : {true, false}) {
        OpBuilder::InsertionGuard guard(rewriter);
        Block *block = isInside ? branch.thenBlock() : branch.elseBlock();
        rewriter.setInsertionPointToStart(block);
        load(rewriter, isInside ? access.inside : access.atEnd, isInside ? access.known : op.getInBounds(),
             registers);
        copyReplicas(layout, registers);
        scf::YieldOp::create(rewriter, loc, registers);
      }
      llvm::copy(branch.getResults(), registers.begin());
    }
    copyReplicas(layout, registers);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }

private:
  /// Whole vectors of all that has a part in the row: what else they hold is other rows' elements, which no
  /// one sees. Those before it are not all parts of the tensor: a row that all share has none before it.
  /// Where the tensor ends within a vector, the tile that reaches beyond its end is loaded one element at a
  /// time.
  static LogicalResult loadAligned(tile::LoadOp op, const LinearLayout &layout, Value base,
                                   ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    tile::ViewType viewType = op.getView().getType();
    Type element = viewType.getElementType();
    const StridedView &view = viewType.getView();
    int64_t bits = tile::storageBits(element);
    AlignedAccess access(op, layout, bits);
    remarkWidth(op, "load", viewType, view, layout, access.vectors, bits);
    auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
    SmallVector<Value> registers(layout.numRegisters());
    auto load = [&](bool byVectors) {
      GlobalAddresses addresses(rewriter, loc, view, layout, op.getIndices(), op.getDivisors(),
                                byVectors ? access.known : access.inBounds);
      for (const std::vector<int> &group : (byVectors ? access.vectors : access.single).vectors.groups) {
        Value pointer = addresses.pointer(base, element, group[0]);
        Value predicate = addresses.predicate(group[0]);
        if (byVectors)
          predicate =
              andPredicates(rewriter, loc, predicate, addresses.touches(access.dim, group, access.extent));
        loadGroup(rewriter, loc, element, group, pointer, predicate, TypedAttr(), registers, cache,
                  isReadOnly(base));
      }
      copyReplicas(layout, registers);
    };
    int64_t span = view.span();
    if (span % access.vectors.vectors.elems == 0) {
      load(/*byVectors=*/true);
    } else {
      // Where the tile ends, in memory.
      Value end = tileOffset(rewriter, op, view);
      end = addInt(rewriter, loc, end, access.tile);
      Value isWhole = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle, end,
                                            constantInt(rewriter, loc, span, 64));
      auto branch =
          createBranch(rewriter, loc, isWhole, SmallVector<Type>(registers.size(), registerType(element)));
      for (bool byVectors : {true, false}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(byVectors ? branch.thenBlock() : branch.elseBlock());
        load(byVectors);
        scf::YieldOp::create(rewriter, loc, registers);
      }
      llvm::copy(branch.getResults(), registers.begin());
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

/// Accumulators that no thread stores, as those of columns 1 to 7 of a product with one row, stay in use:
/// ptxas lets products wait for one another where a register of theirs has no reader (C7514).
static void holdUnstored(OpBuilder &builder, Location loc, ArrayRef<Value> values) {
  SmallVector<Value> words;
  for (Value value : values) {
    unsigned bits = value.getType().getIntOrFloatBitWidth();
    if (bits != 32)
      value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(bits), value);
    if (bits < 32)
      value = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
    if (bits > 32)
      value = arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
    words.push_back(value);
  }
  ptx::HoldOp::create(builder, loc, words);
}

struct StorePattern : OpConversionPattern<tile::StoreOp> {
  /// `ofWarpgroups`: the kernel has products of warpgroups.
  StorePattern(TypeConverter &converter, MLIRContext *context, bool ofWarpgroups)
      : OpConversionPattern(converter, context), ofWarpgroups(ofWarpgroups) {}
  LogicalResult matchAndRewrite(tile::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto viewType = cast<tile::ViewType>(op.getView().getType());
    Type element = viewType.getElementType();
    int64_t bits = tile::storageBits(element);
    const StridedView &view = viewType.getView();
    LinearLayout layout = layoutOf(op.getValue().getType());
    // Threads that hold copies of another's elements do not store.
    Value owner = ThreadIndex(rewriter, loc)
                      .withoutBits(layout.freeBits(layout::Hw::Lane), layout.freeBits(layout::Hw::Warp));
    auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
    tile::L2Priority priority = cache ? cache.getL2() : tile::L2Priority::Normal;
    auto storeValues = [&](ArrayRef<Value> values, Value pointer, Value predicate) {
      Value packed = packVector(rewriter, loc, values);
      if (Value policy = cachePolicy(rewriter, loc, priority))
        ptx::StoreOp::create(rewriter, loc, packed, pointer, conditionOrTrue(rewriter, loc, predicate),
                             policy);
      else if (predicate)
        ptx::StoreOp::create(rewriter, loc, packed, pointer, predicate);
      else
        LLVM::StoreOp::create(rewriter, loc, packed, pointer, (unsigned)(values.size() * bits / 8));
    };
    auto storeGroup = [&](GlobalAddresses &addresses, ArrayRef<int> group, Value predicate) {
      storeValues(llvm::map_to_vector(group, [&](int r) { return adaptor.getValue()[r]; }),
                  addresses.pointer(adaptor.getView()[0], element, group[0]), predicate);
    };
    if (op->hasAttr(tile::kAlignedAttrName)) {
      if (op.getEnd())
        return op.emitError() << "begins before its row and ends before its end";
      storeAligned(op, layout, owner, storeGroup, rewriter);
      rewriter.eraseOp(op);
      return success();
    }
    EndingAccess access(op, layout, bits,
                        op.getEnd() || ofWarpgroups ? layout::Shifts::None : layout::Shifts::OfStores);
    remarkWidth(op, "store", viewType, view, layout, access.inside, bits);
    auto store = [&](OpBuilder &builder, const layout::GlobalAccess &global, ArrayRef<bool> inBounds) {
      GlobalAddresses addresses(builder, loc, view, layout, op.getIndices(), op.getDivisors(), inBounds);
      for (const std::vector<int> &chain : global.chains)
        storeShifted(rewriter, loc, global, chain, adaptor.getValue(), owner, addresses, adaptor.getView()[0],
                     element, storeValues);
      if (global.shift)
        return;
      for (const std::vector<int> &group : global.vectors.groups) {
        if (ofWarpgroups && addresses.isOutside(group[0])) {
          holdUnstored(builder, loc,
                       llvm::map_to_vector(group, [&](int r) { return adaptor.getValue()[r]; }));
          continue;
        }
        Value predicate = andPredicates(builder, loc, owner, addresses.predicate(group[0]));
        if (op.getEnd())
          predicate = andPredicates(builder, loc, predicate,
                                    addresses.isBefore((int)*op.getEndDim(), group[0], op.getEnd()));
        storeGroup(addresses, group, predicate);
      }
    };
    if (!access.mayEnd()) {
      store(rewriter, access.inside, op.getInBounds());
    } else {
      auto branch = access.branch(rewriter, loc, TypeRange());
      for (bool isInside : {true, false}) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(isInside ? branch.thenBlock() : branch.elseBlock());
        store(rewriter, isInside ? access.inside : access.atEnd, isInside ? access.known : op.getInBounds());
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Stores the registers of `chain`: whole vectors but for one, of which a neighbour has the rest; what the
  /// first and the last lane of a run have of vectors with others, in pieces.
  static void storeShifted(OpBuilder &builder, Location loc, const layout::GlobalAccess &access,
                           ArrayRef<int> chain, ValueRange registers, Value owner, GlobalAddresses &addresses,
                           Value base, Type element,
                           function_ref<void(ArrayRef<Value>, Value, Value)> storeValues) {
    int elems = access.vectors.elems, shift = access.shift, last = (int)chain.size();
    SmallVector<Value> own = llvm::map_to_vector(chain, [&](int r) { return registers[r]; });
    auto store = [&](ArrayRef<Value> values, int at, int back, Value condition) {
      Value predicate = andPredicates(builder, loc, owner, addresses.predicate(chain[at]));
      storeValues(values, addresses.pointer(base, element, chain[at], -back),
                  andPredicates(builder, loc, predicate, condition));
    };
    for (int at = shift; at + elems <= last; at += elems)
      store(ArrayRef(own).slice(at, elems), at, 0, Value());
    // The vector of this lane and the next one, by whoever has more of it.
    Value lane = ThreadIndex(builder, loc).lane();
    int lanes = 1 << access.runLanes;
    Value inRun =
        lanes == 32
            ? lane
            : arith::AndIOp::create(builder, loc, lane, constantInt(builder, loc, lanes - 1, 32)).getResult();
    auto isLane = [&](arith::CmpIPredicate predicate, int number) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, inRun, constantInt(builder, loc, number, 32));
    };
    bool fromNext = shift <= elems - shift;
    ArrayRef<Value> given =
        fromNext ? ArrayRef(own).take_front(shift) : ArrayRef(own).take_back(elems - shift);
    Value giver = addInt(builder, loc, lane, fromNext ? 1 : -1);
    SmallVector<Value> taken = llvm::map_to_vector(
        given, [&](Value value) { return shuffle(builder, loc, value, giver, /*butterfly=*/false); });
    SmallVector<Value> shared;
    if (fromNext) {
      llvm::append_range(shared, ArrayRef(own).take_back(elems - shift));
      llvm::append_range(shared, taken);
      store(shared, last - (elems - shift), 0, isLane(arith::CmpIPredicate::ne, lanes - 1));
    } else {
      llvm::append_range(shared, taken);
      llvm::append_range(shared, ArrayRef(own).take_front(shift));
      store(shared, 0, elems - shift, isLane(arith::CmpIPredicate::ne, 0));
    }
    auto storePieces = [&](int at, ArrayRef<int> pieces, Value condition) {
      for (int size : pieces) {
        store(ArrayRef(own).slice(at, size), at, 0, condition);
        at += size;
      }
    };
    storePieces(0, layout::piecesBefore(shift), isLane(arith::CmpIPredicate::eq, 0));
    storePieces(last - (elems - shift), layout::piecesBehind(elems, shift),
                isLane(arith::CmpIPredicate::eq, lanes - 1));
  }

  /// Whole vectors of a tile that lies within its row. Of one that reaches over an end of it, those vectors
  /// that do not; threads with another one store what of that is the row's one element at a time.
  static void storeAligned(tile::StoreOp op, const LinearLayout &layout, Value owner,
                           function_ref<void(GlobalAddresses &, ArrayRef<int>, Value)> storeGroup,
                           ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    tile::ViewType viewType = op.getView().getType();
    const StridedView &view = viewType.getView();
    int64_t bits = tile::storageBits(viewType.getElementType());
    AlignedAccess access(op, layout, bits);
    remarkWidth(op, "store", viewType, view, layout, access.vectors, bits);
    auto addressesIn = [&](ArrayRef<bool> inBounds) {
      return GlobalAddresses(rewriter, loc, view, layout, op.getIndices(), op.getDivisors(), inBounds);
    };
    auto storeOverEnd = [&] {
      GlobalAddresses addresses = addressesIn(access.known);
      int64_t elems = access.vectors.vectors.elems;
      SmallVector<Value> whole;
      Value anyCut;
      for (const std::vector<int> &group : access.vectors.vectors.groups) {
        Value inside = addresses.isWithin(access.dim, group[0], access.extent - elems + 1);
        Value touches = addresses.touches(access.dim, group, access.extent);
        Value cut = arith::XOrIOp::create(rewriter, loc, inside, touches);
        anyCut = anyCut ? arith::OrIOp::create(rewriter, loc, anyCut, cut).getResult() : cut;
        whole.push_back(inside);
        Value predicate = andPredicates(rewriter, loc, owner, addresses.predicate(group[0]));
        storeGroup(addresses, group, andPredicates(rewriter, loc, predicate, inside));
      }
      OpBuilder::InsertionGuard guard(rewriter);
      anyCut = andPredicates(rewriter, loc, owner, anyCut);
      rewriter.setInsertionPointToStart(
          scf::IfOp::create(rewriter, loc, anyCut, /*withElseRegion=*/false).thenBlock());
      GlobalAddresses inBranch = addressesIn(access.inBounds);
      Value yes = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI1Type(), rewriter.getBoolAttr(true));
      for (auto [group, inside] : llvm::zip_equal(access.vectors.vectors.groups, whole)) {
        Value isCut = arith::XOrIOp::create(rewriter, loc, inside, yes);
        for (int r : group)
          storeGroup(inBranch, r, andPredicates(rewriter, loc, isCut, inBranch.predicate(r)));
      }
    };
    if (access.tile > access.extent)
      return storeOverEnd();
    // What begins before the row is large, as a number without a sign.
    Value isInside =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ule, access.start,
                              arith::ConstantIndexOp::create(rewriter, loc, access.extent - access.tile));
    auto branch = createBranch(rewriter, loc, isInside, TypeRange());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    GlobalAddresses addresses = addressesIn(access.known);
    for (const std::vector<int> &group : access.vectors.vectors.groups)
      storeGroup(addresses, group, andPredicates(rewriter, loc, owner, addresses.predicate(group[0])));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    storeOverEnd();
  }

  bool ofWarpgroups;
};

struct GatherPattern : OpConversionPattern<tile::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto viewType = cast<tile::ViewType>(op.getView().getType());
    Type element = viewType.getElementType();
    int64_t bits = tile::storageBits(element);
    const StridedView &view = viewType.getView();
    LinearLayout layout = layoutOf(op.getType());
    ArrayRef<int64_t> offsetShape = cast<RankedTensorType>(op.getOffsets().getType()).getShape();
    std::vector<int> dims;
    SmallVector<bool> uniform;
    for (int d = 0; d < layout.rank(); ++d) {
      uniform.push_back(offsetShape[d] == 1);
      if (layout.shape()[d] != offsetShape[d])
        dims.push_back(d);
    }
    layout::Projection projection = layout.project(dims);
    if (projection.layout != layoutOf(op.getOffsets().getType()))
      return op.emitError() << "the layout of the offsets is not the projection of the result's";
    GlobalAddresses addresses(rewriter, loc, view, layout, op.getIndices(), op.getDivisors(),
                              op.getInBounds());
    // A vector needs one offset for all its elements, and a stride that keeps its alignment.
    layout::GlobalAccess global = layout::globalAccess(view, layout, op.getDivisors().vec(), (int)bits);
    layout::VectorAccess &access = global.vectors;
    if (!uniform[global.dim] || (int64_t)op.getStride() % access.elems != 0)
      access = layout.vectorAccess((int)bits, layout.rank() - 1, (int)bits, (int)bits);
    remarkWidth(op, "gather", viewType, view, layout, global, bits);
    SmallVector<Value> registers(layout.numRegisters());
    for (const std::vector<int> &group : access.groups) {
      Value index = asInt(rewriter, loc, adaptor.getOffsets()[projection.map[group[0]]], 64);
      Value extent = constantInt(rewriter, loc, op.getExtent(), 64), zero = constantInt(rewriter, loc, 0, 64);
      Value negative = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, index, zero);
      Value wrapped = arith::AddIOp::create(rewriter, loc, index, extent);
      index = arith::SelectOp::create(rewriter, loc, negative, wrapped, index);
      Value valid = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, index, extent);
      Value predicate = andPredicates(rewriter, loc, addresses.predicate(group[0]), valid);
      Value offset = asInt(rewriter, loc, addresses.offset(group[0]), 64);
      offset = arith::AddIOp::create(rewriter, loc, offset, mulInt(rewriter, loc, index, op.getStride()));
      Value pointer = elementPointer(rewriter, loc, adaptor.getView()[0], element, offset);
      loadGroup(rewriter, loc, element, group, pointer, predicate, TypedAttr(), registers);
    }
    copyReplicas(layout, registers);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct ViewPattern : OpConversionPattern<tile::ViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ViewOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct BlockIdPattern : OpConversionPattern<tile::BlockIdOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::BlockIdOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type i32 = rewriter.getI32Type();
    Location loc = op.getLoc();
    Value id = op.getDim() == 0   ? NVVM::BlockIdXOp::create(rewriter, loc, i32).getResult()
               : op.getDim() == 1 ? NVVM::BlockIdYOp::create(rewriter, loc, i32).getResult()
                                  : NVVM::BlockIdZOp::create(rewriter, loc, i32).getResult();
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(op, rewriter.getIndexType(), id);
    return success();
  }
};

} // namespace

void tilewright::populateGlobalMemoryPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                              bool ofWarpgroups) {
  patterns.add<StorePattern>(converter, patterns.getContext(), ofWarpgroups);
  patterns.add<LoadPattern, GatherPattern, ViewPattern, BlockIdPattern>(converter, patterns.getContext());
}
