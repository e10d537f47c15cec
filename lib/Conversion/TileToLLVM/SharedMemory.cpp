// Tiles in shared memory: buffers, loads (ldmatrix where the fragment is one), stores, asynchronous copies,
// barriers.

#include "Async.h"

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"
#include "Tilewright/Dialect/Tile/IR/OwnElements.h"
#include "Tilewright/Remarks/Remarks.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

/// Name of the one block of dynamic shared memory of a kernel's module.
static constexpr StringLiteral kSharedName = "smem";

Value tilewright::sharedPointer(OpBuilder &builder, Location loc, int64_t bytes) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, kSharedName);
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{(int32_t)bytes});
}

Value tilewright::instancePointer(OpBuilder &builder, Location loc, int64_t offset, int64_t bytes) {
  Value base = sharedPointer(builder, loc, offset);
  Value instance = roleInstance(builder, loc);
  if (!instance)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{mulInt(builder, loc, instance, bytes)});
}

void tilewright::storeShared(OpBuilder &builder, Location loc, const layout::SharedAccess &access, Value base,
                             Type elementType, ValueRange registers) {
  ThreadIndex thread(builder, loc);
  Value lanes = thread.emit(access.base);
  Value owner = thread.withoutBits(access.freeLanes, access.freeWarps);
  int64_t bits = tile::storageBits(elementType);
  for (const layout::SharedInstruction &instruction : access.instructions) {
    SmallVector<Value> values;
    for (int r : instruction.registers)
      values.push_back(registers[r]);
    Value packed = packVector(builder, loc, values);
    Value pointer = instructionPointer(builder, loc, base, elementType, lanes, instruction);
    if (owner)
      ptx::StoreOp::create(builder, loc, packed, pointer, owner);
    else
      LLVM::StoreOp::create(builder, loc, packed, pointer, (unsigned)(values.size() * bits / 8));
  }
}

SmallVector<Value> tilewright::loadShared(OpBuilder &builder, Location loc,
                                          const layout::SharedAccess &access, Value base, Type elementType) {
  ThreadIndex thread(builder, loc);
  Value lanes = thread.emit(access.base);
  int64_t bits = tile::storageBits(elementType);
  SmallVector<Value> registers(access.canonical.size());
  for (const layout::SharedInstruction &instruction : access.instructions) {
    int64_t count = instruction.registers.size();
    Value pointer = instructionPointer(builder, loc, base, elementType, lanes, instruction);
    Value packed = LLVM::LoadOp::create(builder, loc, packedType(elementType, count), pointer,
                                        (unsigned)(count * bits / 8));
    SmallVector<Value> values = unpackVector(builder, loc, packed, registerType(elementType), count);
    for (auto [r, value] : llvm::zip_equal(instruction.registers, values))
      registers[r] = value;
  }
  for (auto [r, canonical] : llvm::enumerate(access.canonical))
    registers[r] = registers[canonical];
  return registers;
}

Value tilewright::stagePointer(OpBuilder &builder, Location loc, tile::SharedType type, Value base,
                               Value stage) {
  if (type.getStages() == 1)
    return base;
  Value offset = mulInt(builder, loc, asInt(builder, loc, stage), type.getStageBytes());
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

namespace {

struct AllocPattern : OpConversionPattern<tile::AllocOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::AllocOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitError() << "has no offset; run tile-allocate-shared";
    int64_t bytes = op.getType().getStages() * op.getType().getStageBytes();
    rewriter.replaceOp(op, instancePointer(rewriter, op.getLoc(), *op.getOffset(), bytes));
    return success();
  }
};

struct LoadSharedPattern : OpConversionPattern<tile::LoadSharedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::LoadSharedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::SharedType buffer = op.getBuffer().getType();
    Type element = buffer.getElementType();
    int bits = (int)tile::storageBits(element);
    LinearLayout layout = layoutOf(op.getType());
    layout::SharedLayout shared = buffer.getLayout();
    Value base = stagePointer(rewriter, loc, buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    if (!op.getOffsets().empty()) {
      if (failed(moveToSlice(op, base, adaptor, rewriter)))
        return failure();
      if (std::optional<LinearLayout> placed = placeInBuffer(shared, layout)) {
        layout = *placed;
      } else if (auto part = shared.part(layout.shape())) {
        shared = *part;
      } else {
        return op.emitError() << "takes a slice of " << buffer << " that is no range of whole blocks";
      }
    } else if (auto plan = op->hasAttr(tile::kOwnElementsAttrName)
                               ? std::nullopt
                               : layout::ldmatrixPlan(buffer.getLayout(), layout, bits)) {
      rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{ldmatrix(rewriter, loc, *plan, base, element)});
      return success();
    }
    auto access = layout::sharedAccess(shared, layout, bits);
    if (!access)
      return op.emitError() << "layout " << layout.toString() << " has no access in " << buffer;
    SmallVector<Value> registers = loadShared(rewriter, loc, *access, base, element);
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }

  /// A slice at run-time offsets, which start blocks: `base` moves by the buffer's strides. Only buffers
  /// without swizzle are linear in their coordinates.
  static LogicalResult moveToSlice(tile::LoadSharedOp op, Value &base, OneToNOpAdaptor adaptor,
                                   ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    const layout::SharedLayout &shared = op.getBuffer().getType().getLayout();
    if (!shared.swizzle().empty())
      return op.emitError() << "takes a slice of a swizzled buffer";
    Value offset;
    for (auto [d, index] : llvm::enumerate(adaptor.getOffsets())) {
      Value place = asInt(rewriter, loc, index[0]);
      int64_t stride = shared.innerStride()[d], block = shared.block()[d];
      if (block != shared.shape()[d]) {
        place = arith::DivUIOp::create(rewriter, loc, place, constantInt(rewriter, loc, block));
        stride = shared.outerStride()[d];
      }
      offset = addInt(rewriter, loc, offset, mulInt(rewriter, loc, place, stride));
    }
    base = elementPointer(rewriter, loc, base, op.getBuffer().getType().getElementType(), offset);
    return success();
  }

  /// The layout of a slice of one or all elements of each dimension as one on the buffer's shape, whose
  /// strides say how wide an access may be.
  static std::optional<LinearLayout> placeInBuffer(const layout::SharedLayout &shared,
                                                   const LinearLayout &layout) {
    if (shared.block() != shared.shape())
      return std::nullopt;
    for (int d = 0; d < layout.rank(); ++d)
      if (layout.shape()[d] != shared.shape()[d] && layout.shape()[d] != 1)
        return std::nullopt;
    std::array<LinearLayout::Bases, 4> bases;
    for (layout::Hw hw : layout::allHw)
      bases[(size_t)hw] = layout.bases(hw);
    return LinearLayout::create(shared.shape(), bases, layout.repeat());
  }

  static SmallVector<Value> ldmatrix(ConversionPatternRewriter &rewriter, Location loc,
                                     const layout::LdmatrixPlan &plan, Value base, Type element) {
    ThreadIndex thread(rewriter, loc);
    Value rows = thread.emit(plan.rowAddress);
    SmallVector<Value> registers(plan.canonical.size());
    Type i32 = rewriter.getI32Type();
    for (const layout::LdmatrixInstruction &instruction : plan.instructions) {
      Value pointer = instructionPointer(rewriter, loc, base, element, rows, instruction);
      Type result = instruction.count == 1
                        ? i32
                        : Type(LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                                SmallVector<Type>(instruction.count, i32)));
      Value loaded = NVVM::LdMatrixOp::create(rewriter, loc, result, pointer, (uint32_t)instruction.count,
                                              plan.transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                              NVVM::LdStMatrixShapeAttr::get(rewriter.getContext(), 8, 8),
                                              NVVM::LdStMatrixEltType::B16);
      for (int m = 0; m < instruction.count; ++m) {
        Value word =
            instruction.count == 1
                ? loaded
                : LLVM::ExtractValueOp::create(rewriter, loc, loaded, ArrayRef<int64_t>{m}).getResult();
        SmallVector<Value> values;
        if (plan.elemsPerMatrix == 1)
          values = {LLVM::BitcastOp::create(rewriter, loc, registerType(element), word)};
        else
          values = unpackVector(rewriter, loc, word, registerType(element), plan.elemsPerMatrix);
        for (int e = 0; e < plan.elemsPerMatrix; ++e)
          registers[instruction.registers[m * plan.elemsPerMatrix + e]] = values[e];
      }
    }
    for (auto [r, canonical] : llvm::enumerate(plan.canonical))
      registers[r] = registers[canonical];
    return registers;
  }
};

/// The plan of ldmatrix the other way round: each lane gives the row that it would have read from.
void stmatrix(OpBuilder &builder, Location loc, const layout::LdmatrixPlan &plan, Value base, Type element,
              ValueRange registers) {
  ThreadIndex thread(builder, loc);
  Value rows = thread.emit(plan.rowAddress);
  for (const layout::LdmatrixInstruction &instruction : plan.instructions) {
    SmallVector<Value> words;
    for (int m = 0; m < instruction.count; ++m) {
      SmallVector<Value> values;
      for (int e = 0; e < plan.elemsPerMatrix; ++e)
        values.push_back(registers[instruction.registers[m * plan.elemsPerMatrix + e]]);
      words.push_back(packVector(builder, loc, values));
    }
    NVVM::StMatrixOp::create(builder, loc, instructionPointer(builder, loc, base, element, rows, instruction),
                             words, plan.transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                             NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
                             NVVM::LdStMatrixEltType::B16);
  }
}

struct StoreSharedPattern : FactPattern<tile::StoreSharedOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::StoreSharedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    tile::SharedType buffer = op.getBuffer().getType();
    LinearLayout layout = layoutOf(op.getValue().getType());
    int bits = (int)tile::storageBits(buffer.getElementType());
    Value base = stagePointer(rewriter, op.getLoc(), buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    // Fragments of 16-bit elements go by stmatrix where the kernel's chips have it, and where each element
    // has one thread: of several that hold it only one may store.
    bool once = !layout.freeBits(layout::Hw::Lane) && !layout.freeBits(layout::Hw::Warp);
    if (facts.forHopper && bits == 16 && once && !op->hasAttr(tile::kOwnElementsAttrName))
      if (auto plan = layout::ldmatrixPlan(buffer.getLayout(), layout, bits)) {
        stmatrix(rewriter, op.getLoc(), *plan, base, buffer.getElementType(), adaptor.getValue());
        rewriter.eraseOp(op);
        return success();
      }
    auto access = layout::sharedAccess(buffer.getLayout(), layout, bits);
    if (!access)
      return op.emitError() << "layout " << layout.toString() << " has no access in " << buffer;
    storeShared(rewriter, op.getLoc(), *access, base, buffer.getElementType(), adaptor.getValue());
    rewriter.eraseOp(op);
    return success();
  }
};

/// How many of `bytes` bytes from element `offset` on lie before element `end`, of `elementBytes` each, where
/// some do; null where all do.
static Value bytesBefore(OpBuilder &builder, Location loc, int64_t end, Value offset, int64_t bytes,
                         int64_t elementBytes) {
  if (end * elementBytes % bytes == 0)
    return Value();
  unsigned width = offset.getType().getIntOrFloatBitWidth();
  Value left = arith::SubIOp::create(builder, loc, constantInt(builder, loc, end, width), offset);
  left = arith::MinSIOp::create(builder, loc, left, constantInt(builder, loc, bytes / elementBytes, width));
  return asInt(builder, loc, mulInt(builder, loc, left, elementBytes), 32);
}

/// Whether some elements of a view are one place in memory: what a block copies of them it copies again.
static bool isReadAgain(const layout::StridedView &view) {
  for (int d = 0; d < view.rank(); ++d)
    for (const auto &mode : view.dim(d).modes)
      if (mode.stride == 0 && mode.extent > 1)
        return true;
  return false;
}

struct CopyAsyncPattern : OpConversionPattern<tile::CopyAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::CopyAsyncOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::SharedType buffer = op.getBuffer().getType();
    auto viewType = cast<tile::ViewType>(op.getView().getType());
    Type element = buffer.getElementType();
    int bits = (int)tile::storageBits(element);
    const LinearLayout &layout = op.getLayout().getLayout();
    // A piece is contiguous on both sides: registers may run along a dimension that is strided in memory.
    int fastest = buffer.getLayout().fastestDim();
    bool isAligned = op->hasAttr(tile::kAlignedAttrName);
    tile::VectorForm form = tile::vectorForm(op, viewType.getView(), op.getDivisors(), buffer.getShape());
    int64_t run =
        std::min<int64_t>(layout.contiguity(fastest), form.view.maxVectorElems(fastest, form.divisors, bits));
    auto access = layout::sharedAccess(buffer.getLayout(), layout, bits, (int)run * bits);
    if (!access)
      return op.emitError() << "layout " << layout.toString() << " has no access in " << buffer;
    Value base = stagePointer(rewriter, loc, buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    SmallVector<bool> inBounds(op.getInBounds());
    if (isAligned)
      inBounds[fastest] = true;
    GlobalAddresses addresses(rewriter, loc, viewType.getView(), layout, op.getIndices(), op.getDivisors(),
                              inBounds);
    ThreadIndex thread(rewriter, loc);
    Value lanes = thread.emit(access->base);
    emitRemark(op, Remark::VectorWidth, "asynchronous copy", viewType,
               access->instructions.front().registers.size() * bits, access->instructions.size());
    // Of the threads that hold an element, one copies it.
    OpBuilder::InsertionGuard guard(rewriter);
    if (Value owner = thread.withoutBits(access->freeLanes, access->freeWarps))
      rewriter.setInsertionPointToStart(
          scf::IfOp::create(rewriter, loc, owner, /*withElseRegion=*/false).thenBlock());
    for (const layout::SharedInstruction &instruction : access->instructions) {
      int64_t bytes = instruction.registers.size() * bits / 8;
      if (bytes != 4 && bytes != 8 && bytes != 16)
        return op.emitError() << "would copy " << bytes << " bytes at a time; cp.async takes 4, 8 or 16";
      Value target = instructionPointer(rewriter, loc, base, element, lanes, instruction);
      int first = instruction.registers.front();
      Value source = addresses.pointer(adaptor.getView()[0], element, first);
      // Out of bounds nothing is read and the bytes become zero; of what begins at a vector before its row,
      // behind the row and behind the tensor.
      Value inside = addresses.predicate(first), size;
      if (isAligned) {
        inside = andPredicates(
            rewriter, loc, inside,
            addresses.touches(fastest, instruction.registers, viewType.getView().dim(fastest).extent));
        size =
            bytesBefore(rewriter, loc, viewType.getView().span(), addresses.offset(first), bytes, bits / 8);
      }
      if (inside)
        size = arith::SelectOp::create(rewriter, loc, inside, size ? size : constantInt(rewriter, loc, bytes),
                                       constantInt(rewriter, loc, 0));
      NVVM::CpAsyncOp::create(rewriter, loc, target, source, (uint32_t)bytes,
                              bytes == 16 && !isReadAgain(viewType.getView())
                                  ? NVVM::LoadCacheModifierKind::CG
                                  : NVVM::LoadCacheModifierKind::CA,
                              size);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitPattern : OpConversionPattern<tile::CommitAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::CommitAsyncOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct WaitPattern : OpConversionPattern<tile::WaitAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::WaitAsyncOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, (uint32_t)op.getPending());
    return success();
  }
};

struct BarrierPattern : OpConversionPattern<tile::BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::BarrierOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (tile::warpgroupsApart(op) > 1)
      emitWarpgroupBarrier(rewriter, op.getLoc());
    else
      emitBarrier(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populateSharedMemoryPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                              AsyncFacts &facts) {
  patterns.add<AllocPattern, LoadSharedPattern, CopyAsyncPattern, CommitPattern, WaitPattern, BarrierPattern>(
      converter, patterns.getContext());
  patterns.add<StoreSharedPattern>(converter, patterns.getContext(), facts);
}
