// Products of warpgroups in flight: one group of wgmma instructions for each tile.dot_async, or for several
// one right behind the other, accumulators in the registers of their layout, waits that hand them on.
//
// ptxas runs wgmma at full rate only while nothing else touches their registers between wgmma.fence and the
// wait. So computed values (accumulators that start from a tile, left operands in registers) are pinned
// before the fence, and awaited accumulators pass through the wait itself.

#include "Async.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;

/// Columns that one instruction computes at most, rows that it always computes.
static constexpr int64_t kMaxColumns = 256, kRows = 64;
/// Accumulators that pass through one wait or pin.
static constexpr size_t kStructRegisters = 128;
/// A descriptor holds bits 4 to 17 of an address; above them lies the block's rank in its cluster.
static constexpr int64_t kAddressMask = 0x3ffff;

namespace {

/// Registers as one struct value, and back.
Value toStruct(OpBuilder &builder, Location loc, ValueRange registers) {
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               SmallVector<Type>(registers.size(), registers[0].getType()));
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, value] : llvm::enumerate(registers))
    result = LLVM::InsertValueOp::create(builder, loc, result, value, ArrayRef<int64_t>{(int64_t)i});
  return result;
}
SmallVector<Value> fromStruct(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> registers;
  for (size_t i = 0; i < cast<LLVM::LLVMStructType>(value.getType()).getBody().size(); ++i)
    registers.push_back(LLVM::ExtractValueOp::create(builder, loc, value, ArrayRef<int64_t>{(int64_t)i}));
  return registers;
}

/// `registers`, some at a time as a struct, through `step`.
SmallVector<Value> throughStructs(OpBuilder &builder, Location loc, ValueRange registers,
                                  llvm::function_ref<Value(Value)> step) {
  SmallVector<Value> results;
  while (!registers.empty()) {
    // One register alone is no struct: the rest is never 1.
    size_t count = std::min(kStructRegisters, registers.size());
    if (registers.size() - count == 1)
      --count;
    llvm::append_range(results,
                       fromStruct(builder, loc, step(toStruct(builder, loc, registers.take_front(count)))));
    registers = registers.drop_front(count);
  }
  return results;
}

std::optional<ptx::WgmmaType> operandType(Type element, bool tf32) {
  if (element.isF16())
    return ptx::WgmmaType::F16;
  if (element.isBF16())
    return ptx::WgmmaType::BF16;
  if (element.isF32() && tf32)
    return ptx::WgmmaType::TF32;
  if (isa<Float8E4M3FNType>(element))
    return ptx::WgmmaType::E4M3;
  if (isa<Float8E5M2Type>(element))
    return ptx::WgmmaType::E5M2;
  if (element.isSignlessInteger(8))
    return ptx::WgmmaType::S8;
  return std::nullopt;
}

/// An operand in shared memory: the descriptor of a stage without the instruction's own offset, and the
/// latter.
struct SharedOperand {
  layout::WgmmaOperand layout;
  /// Address bits of the descriptor, 32 bits with the leading offset.
  Value low;
  /// Of so many groups of 8 rows this warpgroup reads one.
  int64_t apart = 1;

  static Value make(OpBuilder &builder, Location loc, const layout::WgmmaOperand &layout,
                    tile::SharedType type, Value base, Value stage) {
    Type i32 = builder.getI32Type();
    Value address = LLVM::PtrToIntOp::create(builder, loc, i32, base);
    address = arith::AndIOp::create(builder, loc, address, constantInt(builder, loc, kAddressMask));
    address = arith::ShRUIOp::create(builder, loc, address, constantInt(builder, loc, 4));
    address = arith::OrIOp::create(builder, loc, address,
                                   constantInt(builder, loc, (int64_t)(layout.bits() & 0xffffffff)));
    if (type.getStages() > 1)
      address = addInt(builder, loc, address,
                       mulInt(builder, loc, asInt(builder, loc, stage), type.getStageBytes() / 16));
    return address;
  }

  Value at(OpBuilder &builder, Location loc, int64_t mn, int64_t k) const {
    Value start = addInt(builder, loc, low, layout.offsetBytes(mn * apart, k) / 16);
    return ptx::PackOp::create(builder, loc, builder.getI64Type(), start,
                               constantInt(builder, loc, (int32_t)(layout.bits() >> 32)));
  }
};

/// The width of each instruction along N, from the left.
SmallVector<int64_t> columnParts(int64_t n, int64_t step) {
  int64_t parts = llvm::divideCeil(n, kMaxColumns);
  SmallVector<int64_t> widths;
  for (; parts > 0; --parts) {
    int64_t width =
        std::min({llvm::alignTo(llvm::divideCeil(n, parts), step), (uint64_t)n, (uint64_t)kMaxColumns});
    widths.push_back(width);
    n -= width;
  }
  return widths;
}

struct BeginDotPattern : OpConversionPattern<tile::BeginDotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::BeginDotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType tile = op.getType().getTile();
    if (!tile::getLayout(tile))
      return op.emitError() << "has accumulators without a layout; run tile-assign-layouts";
    SmallVector<Value> registers;
    if (op.getInit())
      registers = throughStructs(rewriter, loc, adaptor.getInit(), [&](Value value) {
        return ptx::PinOp::create(rewriter, loc, value.getType(), value);
      });
    else
      registers.assign(layoutOf(tile).numRegisters(),
                       LLVM::PoisonOp::create(rewriter, loc, registerType(tile.getElementType())));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct DotAsyncPattern : FactPattern<tile::DotAsyncOp> {
  using FactPattern::FactPattern;

  LogicalResult matchAndRewrite(tile::DotAsyncOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType tile = op.getType().getTile();
    tile::SharedType rhsType = op.getRhs().getType();
    std::optional<ptx::WgmmaType> type = operandType(rhsType.getElementType(), op.getTf32());
    if (!type)
      return op.emitError() << "of " << rhsType.getElementType() << " has no warpgroup product";
    std::optional<RolePlace> role = roleAt(rewriter);
    int64_t warps = role ? role->warps
                         : op->getParentOfType<LLVM::LLVMFuncOp>()->getAttrOfType<DenseI32ArrayAttr>(
                               NVVM::NVVMDialect::getReqntidAttrName())[0] /
                               32;
    int rank = (int)tile.getRank();
    LinearLayout sum = layoutOf(tile);
    std::optional<int> alongN = warps % 4 == 0 ? sum.wgmmaGroupsAlongN((int)warps) : std::nullopt;
    if (!alongN)
      return op.emitError() << "needs accumulators that " << warps << " warps share in whole warpgroups, got "
                            << sum.toString();
    // A warpgroup's rows and columns; of several along N each has 8 columns of so many.
    int64_t m = tile.getDimSize(rank - 2), n = tile.getDimSize(rank - 1) / *alongN,
            k = rhsType.getShape()[rank - 2], firstK = (int64_t)op.getFirst();
    if (auto part = dyn_cast<RankedTensorType>(op.getLhs().getType()))
      k = part.getDimSize(rank - 1);
    int64_t groups = warps / 4 / *alongN, stepM = kRows * groups;
    if (m % stepM != 0)
      return op.emitError() << "has " << m << " rows, no multiple of the " << stepM << " of " << groups
                            << " warpgroups";
    int bits = (int)tile::storageBits(rhsType.getElementType());
    int64_t instructionK = 256 / bits;
    FailureOr<SharedOperand> b = sharedOperand(op, rhsType, adaptor.getRhs()[0], adaptor.getRhsStage()[0],
                                               rank - 1, rank - 2, "right", rewriter);
    if (failed(b))
      return failure();
    Value group = roleWarpgroup(rewriter, loc), groupM = group;
    if (*alongN > 1) {
      if (b->layout.mnMajor)
        return op.emitError() << "has warpgroups along N, whose right operand must lie along K";
      Value groupN = arith::DivUIOp::create(rewriter, loc, group, constantInt(rewriter, loc, groups));
      b->low = addInt(rewriter, loc, b->low, mulInt(rewriter, loc, groupN, b->layout.offsetBytes(8, 0) / 16));
      b->layout.strideBytes *= *alongN;
      b->apart = *alongN;
      groupM =
          groups > 1
              ? arith::RemUIOp::create(rewriter, loc, group, constantInt(rewriter, loc, groups)).getResult()
              : Value();
    }
    SharedOperand a;
    SmallVector<Value> words;
    bool fromRegisters = isa<RankedTensorType>(op.getLhs().getType());
    if (fromRegisters) {
      // In front of the group's fence, once for all of its products.
      Operation *first = facts.first.lookup(op);
      auto [known, isNew] = facts.fragments.try_emplace({first ? first : op, op.getLhs()});
      if (isNew) {
        OpBuilder::InsertionGuard guard(rewriter);
        if (first)
          rewriter.setInsertionPoint(facts.fences.lookup(first));
        FailureOr<SmallVector<Value>> packed =
            fragmentWords(op, adaptor.getLhs(), m, k, stepM, instructionK, rewriter);
        if (failed(packed))
          return failure();
        known->second = std::move(*packed);
      }
      words = known->second;
    } else {
      auto lhsType = cast<tile::SharedType>(op.getLhs().getType());
      FailureOr<SharedOperand> shared = sharedOperand(
          op, lhsType, adaptor.getLhs()[0], adaptor.getLhsStage()[0], rank - 2, rank - 1, "left", rewriter);
      if (failed(shared))
        return failure();
      a = std::move(*shared);
      if (kRows % a.layout.mnStep != 0)
        return op.emitError() << "reads a left operand in spans of " << a.layout.mnStep << " rows";
      // Each warpgroup has 64 rows of its own.
      if (groupM && groups > 1)
        a.low =
            addInt(rewriter, loc, a.low, mulInt(rewriter, loc, groupM, a.layout.offsetBytes(kRows, 0) / 16));
    }
    int64_t stepN =
        std::max<int64_t>(b->layout.mnMajor ? b->layout.mnStep : 8, *type == ptx::WgmmaType::S8 ? 16 : 8);
    if (n % stepN != 0 && n % 8 != 0)
      return op.emitError() << "has " << n << " columns, no multiple of " << stepN;
    // The registers of each instruction, in its own order.
    SmallVector<int64_t> widths = columnParts(n, stepN);
    SmallVector<SmallVector<int>> places;
    SmallVector<Value> sums;
    for (int64_t row = 0; row < m; row += stepM) {
      int64_t column = 0;
      for (int64_t width : widths) {
        SmallVector<int> &registers = places.emplace_back();
        SmallVector<Value> values;
        for (int64_t j = 0; j < width; j += 8)
          for (auto [down, right] : {std::pair{0, 0}, {0, 1}, {8, 0}, {8, 1}}) {
            layout::Coord offset(rank, 0);
            offset[rank - 2] = (int32_t)(row + down);
            offset[rank - 1] = (int32_t)((column + j) * *alongN + right);
            registers.push_back(*sum.registerAt(offset));
            values.push_back(adaptor.getAccumulator()[registers.back()]);
          }
        sums.push_back(toStruct(rewriter, loc, values));
        column += width;
      }
    }
    if (!facts.joins.contains(op))
      facts.fences[op] = NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);
    std::optional<bool> accumulates;
    if (auto constant = op.getAccumulate().getDefiningOp<arith::ConstantOp>())
      accumulates = cast<BoolAttr>(constant.getValue()).getValue();
    for (int64_t kk = 0; kk < k; kk += instructionK) {
      bool decides = kk == 0;
      Value condition = decides && !accumulates ? adaptor.getAccumulate()[0] : Value();
      bool overwrite = decides && accumulates && !*accumulates;
      size_t part = 0;
      for (int64_t row = 0; row < m; row += stepM) {
        Value lhs = fromRegisters ? words[row / stepM * (k / instructionK) + kk / instructionK]
                                  : a.at(rewriter, loc, row, kk);
        int64_t column = 0;
        for (int64_t width : widths) {
          sums[part] = ptx::WgmmaOp::create(rewriter, loc, sums[part].getType(), *type, lhs, *type,
                                            b->at(rewriter, loc, column, firstK + kk), sums[part], condition,
                                            overwrite, !fromRegisters && a.layout.mnMajor, b->layout.mnMajor);
          ++part;
          column += width;
        }
      }
    }
    if (!facts.isJoined.contains(op))
      NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, loc);
    if (fromRegisters)
      keepAlive(op, words, rewriter);
    SmallVector<Value> results(adaptor.getAccumulator().size());
    for (auto [value, registers] : llvm::zip_equal(sums, places))
      for (auto [r, element] : llvm::zip_equal(registers, fromStruct(rewriter, loc, value)))
        results[r] = element;
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }

  static FailureOr<SharedOperand> sharedOperand(tile::DotAsyncOp op, tile::SharedType type, Value base,
                                                Value stage, int mnDim, int kDim, StringRef side,
                                                OpBuilder &builder) {
    std::string why;
    auto layout = layout::wgmmaOperand(type.getLayout(), mnDim, kDim,
                                       (int)tile::storageBits(type.getElementType()), &why);
    if (!layout)
      return op.emitError() << "cannot read the " << side << " operand: " << why;
    int64_t alignment = layout::asyncAlignment(layout->swizzleBytes);
    if (type.getStages() > 1 && type.getStageBytes() % alignment != 0)
      return op.emitError() << "reads stages of " << type.getStageBytes() << " bytes, no multiple of "
                            << alignment << ", which the swizzle counts from";
    SharedOperand operand{*layout, Value()};
    operand.low = SharedOperand::make(builder, op.getLoc(), *layout, type, base, stage);
    return operand;
  }

  /// Whether a word was made so that those bits that tf32 lacks are zero.
  static bool holdsTf32(Value word) {
    constexpr int64_t lacking = 0x1fff;
    if (auto mask = word.getDefiningOp<arith::AndIOp>())
      return holdsTf32(mask.getLhs()) || holdsTf32(mask.getRhs());
    if (auto both = word.getDefiningOp<arith::OrIOp>())
      return holdsTf32(both.getLhs()) && holdsTf32(both.getRhs());
    if (auto choice = word.getDefiningOp<arith::SelectOp>())
      return holdsTf32(choice.getTrueValue()) && holdsTf32(choice.getFalseValue());
    std::optional<int64_t> constant = getConstantIntValue(word);
    return constant ? (*constant & lacking) == 0 : bool(word.getDefiningOp<ptx::CvtRnaTf32Op>());
  }

  /// The bits of a number that is one of tf32 by the way in which it was computed; null for others.
  static Value roundedBits(Value number) {
    auto cast = number.getDefiningOp<arith::BitcastOp>();
    return cast && holdsTf32(cast.getIn()) ? cast.getIn() : Value();
  }

  /// The left operand in registers: four words for each 64 rows and each step along K, pinned.
  static FailureOr<SmallVector<Value>> fragmentWords(tile::DotAsyncOp op, ValueRange registers, int64_t m,
                                                     int64_t k, int64_t stepM, int64_t stepK,
                                                     OpBuilder &builder) {
    Location loc = op.getLoc();
    LinearLayout layout = layoutOf(op.getLhs().getType());
    Type element = getElementTypeOrSelf(op.getLhs().getType());
    int rank = layout.rank();
    int64_t perWord = 32 / tile::storageBits(element);
    SmallVector<Value> result;
    auto wordAt = [&](int64_t row, int64_t column) -> Value {
      SmallVector<Value> values;
      for (int64_t e = 0; e < perWord; ++e) {
        layout::Coord offset(rank, 0);
        offset[rank - 2] = (int32_t)row;
        offset[rank - 1] = (int32_t)(column + e);
        std::optional<int> r = layout.registerAt(offset);
        if (!r)
          return Value();
        values.push_back(registers[*r]);
      }
      if (auto rounded = perWord == 1 ? roundedBits(values[0]) : Value())
        return rounded;
      if (perWord == 1)
        return ptx::CvtRnaTf32Op::create(builder, loc, builder.getI32Type(), values[0]);
      return packVector(builder, loc, values);
    };
    auto type = VectorType::get({4}, builder.getI32Type());
    for (int64_t row = 0; row < m; row += stepM)
      for (int64_t kk = 0; kk < k; kk += stepK) {
        Value fragment = LLVM::PoisonOp::create(builder, loc, type);
        for (int i = 0; i < 4; ++i) {
          Value word = wordAt(row + i % 2 * 8, kk + i / 2 * stepK / 2);
          if (!word)
            return op.emitError() << "the left operand's layout " << layout.toString() << " is no fragment";
          fragment =
              LLVM::InsertElementOp::create(builder, loc, fragment, word, constantInt(builder, loc, i));
        }
        result.push_back(ptx::PinOp::create(builder, loc, type, fragment));
      }
    return result;
  }

  /// ptxas before 13.3 may give registers that a product in flight still reads to another value: they are
  /// used once more behind the wait that ends the product. Without one in this block the product ends here.
  void keepAlive(tile::DotAsyncOp op, ArrayRef<Value> words, OpBuilder &builder) const {
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
      auto wait = dyn_cast<tile::AwaitDotsOp>(next);
      auto await = dyn_cast<tile::AwaitOp>(next);
      if ((await && await.getPending() == 0) || (wait && wait.getPending() == 0)) {
        SmallVector<Value> &kept = facts.keep[next];
        if (words.empty() || !llvm::is_contained(kept, words.front()))
          llvm::append_range(kept, words);
        return;
      }
    }
    NVVM::WgmmaWaitGroupSyncOp::create(builder, op.getLoc(), 0);
    for (Value word : words)
      ptx::PinOp::create(builder, op.getLoc(), word.getType(), word);
  }
};

struct AwaitDotsPattern : FactPattern<tile::AwaitDotsOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::AwaitDotsOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(), facts.groups.lookup(op));
    for (Value word : facts.keep.lookup(op))
      ptx::PinOp::create(rewriter, op.getLoc(), word.getType(), word);
    rewriter.eraseOp(op);
    return success();
  }
};

struct AwaitPattern : FactPattern<tile::AwaitOp> {
  using FactPattern::FactPattern;
  LogicalResult matchAndRewrite(tile::AwaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> keep = facts.keep.lookup(op);
    bool hasEnded = facts.afterAwait.contains(op) && keep.empty();
    SmallVector<Value> held;
    for (ValueRange registers : adaptor.getAfter())
      llvm::copy_if(registers, std::back_inserter(held),
                    [](Value value) { return value.getType().isF32() || value.getType().isInteger(32); });
    if (!held.empty())
      ptx::HoldOp::create(rewriter, loc, held);
    SmallVector<Value> registers =
        throughStructs(rewriter, loc, adaptor.getInput(), [&](Value value) -> Value {
          if (hasEnded)
            return ptx::PinOp::create(rewriter, loc, value.getType(), value);
          return ptx::WgmmaWaitOp::create(rewriter, loc, value.getType(), facts.groups.lookup(op), value,
                                          std::exchange(keep, {}));
        });
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct SlicePattern : OpConversionPattern<tile::SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::SliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LinearLayout from = layoutOf(op.getInput().getType()), to = layoutOf(op.getType());
    SmallVector<Value> results;
    for (layout::Hw hw : {layout::Hw::Lane, layout::Hw::Warp})
      if (from.bases(hw) != to.bases(hw))
        return op.emitError() << "takes elements of other threads: " << to.toString() << " of "
                              << from.toString();
    for (int r = 0; r < to.numRegisters(); ++r) {
      layout::Coord offset = to.apply(r, 0, 0);
      for (auto [at, start] : llvm::zip_equal(offset, op.getOffsets()))
        at += (int32_t)start;
      std::optional<int> source = from.registerAt(offset);
      if (!source)
        return op.emitError() << "takes elements that no register of " << from.toString() << " holds alone";
      results.push_back(adaptor.getInput()[*source]);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void tilewright::populateWgmmaPatterns(TypeConverter &converter, RewritePatternSet &patterns,
                                       AsyncFacts &facts) {
  MLIRContext *context = patterns.getContext();
  patterns.add<BeginDotPattern, SlicePattern>(converter, context);
  patterns.add<DotAsyncPattern, AwaitPattern, AwaitDotsPattern>(converter, context, facts);
}
