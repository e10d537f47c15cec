// Loads, stores and gathers of tiles in global memory: vectors as wide as layout and view allow, predicates
// only where a tile may reach beyond its view.

#include "Patterns.h"

#include "Tilewright/Layout/GlobalAccess.h"

#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using layout::StridedView;

//===-- Addresses -----------------------------------------------------------------------------------===//

GlobalAddresses::GlobalAddresses(OpBuilder &builder, Location loc, const StridedView &view,
                                 const LinearLayout &layout, ValueRange indices, ArrayRef<int64_t> divisors,
                                 ArrayRef<bool> inBounds)
    : builder(builder), loc(loc), view(view), map(layout::laneMap(layout)), divisors(divisors),
      inBounds(inBounds), shape(layout.shape()), width(view.span() > INT32_MAX / 2 ? 64 : 32),
      thread(builder, loc), laneCoordinates(view.rank()), laneOffsets(view.rank()) {
  for (Value index : indices)
    starts.push_back(asInt(builder, loc, index, width));
}

Value GlobalAddresses::laneCoordinate(int d) {
  if (!laneCoordinates[d])
    if (Value value = thread.emit(map.base[d]))
      laneCoordinates[d] = asInt(builder, loc, value, width);
  return laneCoordinates[d];
}

/// Constant part of register r's coordinate; layouts of memory accesses always join by addition.
static int64_t registerConstant(const layout::LaneMap &map, int d, int r) {
  return map.constants[r][d] + map.repeatOffsets[r][d];
}

Value GlobalAddresses::coordinate(int d, int r) {
  int64_t constant = registerConstant(map, d, r);
  Value local = laneCoordinate(d);
  Value index = divisors[d] == 0 ? local : addInt(builder, loc, starts[d], local);
  if (!index)
    return constantInt(builder, loc, constant, width);
  return addInt(builder, loc, index, constant);
}

/// The offset of inner index `index` in a dimension's nested modes.
Value GlobalAddresses::nested(const layout::ViewDim &dim, Value index) {
  Value offset;
  int64_t inner = 1, total = dim.innerExtent();
  for (const layout::Mode &mode : llvm::reverse(dim.modes)) {
    Value digit = index;
    if (inner != 1)
      digit = arith::DivUIOp::create(builder, loc, digit, constantInt(builder, loc, inner, width));
    inner *= mode.extent;
    if (inner != total)
      digit = arith::RemUIOp::create(builder, loc, digit, constantInt(builder, loc, mode.extent, width));
    if (mode.stride != 0)
      offset = addInt(builder, loc, offset, mulInt(builder, loc, digit, mode.stride));
  }
  return offset;
}

Value GlobalAddresses::dimOffset(int d, int r) {
  const layout::ViewDim &dim = view.dim(d);
  int64_t constant = registerConstant(map, d, r);
  auto [it, isNew] = offsets.try_emplace({d, constant});
  if (!isNew)
    return it->second;
  if (llvm::all_of(dim.modes, [](const layout::Mode &mode) { return mode.stride == 0; }))
    return Value();
  const layout::Mode &last = dim.modes.back();
  // A tile that starts at a multiple of its size stays inside one run of the innermost mode: the nested part
  // depends on its start alone, and registers differ by a constant.
  bool single = dim.modes.size() == 1;
  bool inside = dim.start == 0 && dim.step == 1 && last.extent % shape[d] == 0 && divisors[d] % shape[d] == 0;
  Value result;
  if (single || inside) {
    if (!laneOffsets[d]) {
      Value offset;
      if (Value local = laneCoordinate(d))
        offset = mulInt(builder, loc, local, dim.step * last.stride);
      if (divisors[d] != 0) {
        Value start =
            single ? mulInt(builder, loc, starts[d], dim.step * last.stride) : nested(dim, starts[d]);
        offset = addInt(builder, loc, offset, start);
      }
      laneOffsets[d] = offset ? offset : constantInt(builder, loc, 0, width);
    }
    result = addInt(builder, loc, laneOffsets[d], (constant * dim.step + dim.start) * last.stride);
  } else {
    Value index = coordinate(d, r);
    index = addInt(builder, loc, mulInt(builder, loc, index, dim.step), dim.start);
    result = nested(dim, index);
  }
  offsets[{d, constant}] = result;
  return result;
}

Value GlobalAddresses::offset(int r) {
  Value total;
  for (int d = 0; d < view.rank(); ++d)
    total = addInt(builder, loc, total, dimOffset(d, r));
  if (!total)
    return constantInt(builder, loc, view.offset(), width);
  return addInt(builder, loc, total, view.offset());
}

Value GlobalAddresses::predicate(int r) {
  Value all;
  for (int d = 0; d < view.rank(); ++d) {
    if (inBounds[d])
      continue;
    int64_t constant = registerConstant(map, d, r);
    auto [it, isNew] = predicates.try_emplace({d, constant});
    if (isNew) {
      const layout::ViewDim &dim = view.dim(d);
      Value index = coordinate(d, r);
      auto below = [&](Value value, int64_t bound) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                                     constantInt(builder, loc, bound, width));
      };
      Value inside;
      if (!dim.isTotal()) {
        Value inner = addInt(builder, loc, mulInt(builder, loc, index, dim.step), dim.start);
        inside = below(inner, dim.innerExtent());
      }
      // An index beyond the extent may still be an inner index: the view is a slice.
      if (dim.isTotal() || dim.start + dim.extent * dim.step < dim.innerExtent() || dim.step < 0)
        inside = andPredicates(builder, loc, inside, below(index, dim.extent));
      predicates[{d, constant}] = inside;
    }
    all = andPredicates(builder, loc, all, predicates[{d, constant}]);
  }
  return all;
}

bool GlobalAddresses::isOutside(int r) const {
  return llvm::any_of(llvm::seq(view.rank()), [&](int d) {
    return !inBounds[d] && divisors[d] == 0 && registerConstant(map, d, r) >= view.dim(d).extent;
  });
}

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

namespace {
/// The instructions of a load or store whose view may end within a vector: wide ones of tiles that lie within
/// the view, and for the tile that sticks out others, each of which is in bounds or out of bounds as a whole.
struct EndingAccess {
  template <typename Op>
  EndingAccess(Op op, const LinearLayout &layout, int64_t bits)
      : known(op.getInBounds().begin(), op.getInBounds().end()) {
    const StridedView &view = cast<tile::ViewType>(op.getView().getType()).getView();
    layout::Shape multiples = op.getDivisors().vec();
    atEnd = layout::globalAccess(view, layout, multiples, (int)bits);
    inside = layout::globalAccess(view, layout, multiples, (int)bits, /*maxVectorBits=*/128, /*mayEnd=*/true);
    int dim = inside.dim;
    last = view.dim(dim).extent - layout.shape()[dim];
    if (inside.vectors.elems <= atEnd.vectors.elems || known[dim] || multiples[dim] == 0 || last < 0) {
      inside = atEnd;
      return;
    }
    start = op.getIndices()[dim];
    known[dim] = true;
  }

  bool mayEnd() const { return start != nullptr; }
  /// The branch between tiles that lie within the view and those that do not.
  scf::IfOp branch(OpBuilder &builder, Location loc, TypeRange results) const {
    Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, start,
                                           arith::ConstantIndexOp::create(builder, loc, last));
    auto op =
        scf::IfOp::create(builder, loc, results, isInside, /*addThenBlock=*/true, /*addElseBlock=*/true);
    if (results.empty())
      for (Block *block : {op.thenBlock(), op.elseBlock()})
        if (block->empty() || !block->back().hasTrait<OpTrait::IsTerminator>()) {
          OpBuilder end = OpBuilder::atBlockEnd(block);
          scf::YieldOp::create(end, loc);
        }
    return op;
  }

  layout::GlobalAccess inside, atEnd;
  /// Dimensions in which a tile within the view is in bounds.
  SmallVector<bool> known;

private:
  Value start;
  int64_t last = 0;
};
} // namespace

/// Registers that hold another's element take its value.
static void copyReplicas(const LinearLayout &layout, MutableArrayRef<Value> registers) {
  for (auto [r, canonical] : llvm::enumerate(layout.canonicalRegisters()))
    registers[r] = registers[canonical];
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
    EndingAccess access(op, layout, bits);
    remarkWidth(op, "load", viewType, view, layout, access.inside, bits);
    auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
    SmallVector<Value> registers(layout.numRegisters());
    auto load = [&](OpBuilder &builder, const layout::GlobalAccess &global, ArrayRef<bool> inBounds,
                    MutableArrayRef<Value> loaded) {
      GlobalAddresses addresses(builder, loc, view, layout, op.getIndices(), op.getDivisors(), inBounds);
      for (const std::vector<int> &group : global.vectors.groups) {
        Value pointer =
            elementPointer(builder, loc, adaptor.getView()[0], element, addresses.offset(group[0]));
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
    EndingAccess access(op, layout, bits);
    remarkWidth(op, "store", viewType, view, layout, access.inside, bits);
    auto cache = op->getAttrOfType<tile::CacheAttr>(tile::CacheAttr::getAttrName());
    tile::L2Priority priority = cache ? cache.getL2() : tile::L2Priority::Normal;
    auto store = [&](OpBuilder &builder, const layout::GlobalAccess &global, ArrayRef<bool> inBounds) {
      GlobalAddresses addresses(builder, loc, view, layout, op.getIndices(), op.getDivisors(), inBounds);
      for (const std::vector<int> &group : global.vectors.groups) {
        SmallVector<Value> values;
        for (int r : group)
          values.push_back(adaptor.getValue()[r]);
        if (ofWarpgroups && addresses.isOutside(group[0])) {
          holdUnstored(builder, loc, values);
          continue;
        }
        Value packed = packVector(builder, loc, values);
        Value pointer =
            elementPointer(builder, loc, adaptor.getView()[0], element, addresses.offset(group[0]));
        Value predicate = andPredicates(builder, loc, owner, addresses.predicate(group[0]));
        if (Value policy = cachePolicy(builder, loc, priority))
          ptx::StoreOp::create(builder, loc, packed, pointer, conditionOrTrue(builder, loc, predicate),
                               policy);
        else if (predicate)
          ptx::StoreOp::create(builder, loc, packed, pointer, predicate);
        else
          LLVM::StoreOp::create(builder, loc, packed, pointer, (unsigned)(group.size() * bits / 8));
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
