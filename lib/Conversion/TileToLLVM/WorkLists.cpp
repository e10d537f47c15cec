// Constant lists, and the flags by which blocks hand parts of tiles over.

#include "Async.h"

using namespace mlir;
using namespace tilewright;

namespace {

/// The constant of the kernel's module that holds `entries`; equal lists are one.
LLVM::GlobalOp listOf(OpBuilder &builder, gpu::GPUModuleOp module, Location loc, ArrayRef<int32_t> entries) {
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), entries.size());
  auto value = DenseIntElementsAttr::get(
      RankedTensorType::get({(int64_t)entries.size()}, builder.getI32Type()), entries);
  unsigned lists = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getValueOrNull() == value)
      return global;
    lists += global.getConstant();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                "list_" + std::to_string(lists), value, /*alignment=*/4, /*addrSpace=*/1);
}

struct LookupPattern : OpConversionPattern<tile::LookupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LookupOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type();
    LLVM::GlobalOp list = listOf(rewriter, op->getParentOfType<gpu::GPUModuleOp>(), loc, op.getEntries());
    Value base = LLVM::AddressOfOp::create(rewriter, loc, list);
    Value place = elementPointer(rewriter, loc, base, word, asInt(rewriter, loc, adaptor.getIndex().front()));
    auto load = LLVM::LoadOp::create(rewriter, loc, word, place, /*alignment=*/4);
    load.setInvariant(true);
    Value entry = load;
    // The same in all lanes of a warp also in the eyes of ptxas: loops and slots follow from it.
    if (std::optional<RolePlace> role = roleAt(rewriter); !role || !role->oneThread)
      entry = shuffle(rewriter, loc, entry, constantInt(rewriter, loc, 0), /*butterfly=*/false);
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, rewriter.getIndexType(), entry);
    return success();
  }
};

/// Ends that are loaded before the first of them is looked at.
static constexpr int64_t kEndsAtOnce = 16;

/// Goes through the groups: before each one it is known where the last one ended and how many tiles are left
/// until the one that is looked for.
struct FindGroupPattern : OpConversionPattern<tile::FindGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::FindGroupOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type word = rewriter.getI32Type();
    int64_t groups = op.getEnds().getType().getView().dim(0).extent;
    Value base = adaptor.getEnds().front();
    auto number = [&](OpBuilder &builder, int64_t value) { return constantInt(builder, loc, value); };
    // Where the group before ended, tiles before the one that is looked for, its group, and its rows.
    SmallVector<Value> state = {number(rewriter, 0), asInt(rewriter, loc, adaptor.getIndex().front()),
                                number(rewriter, groups), number(rewriter, (int64_t)op.getTotal()),
                                number(rewriter, (int64_t)op.getTotal())};
    // Groups `first` to `first` + `count` - 1, whose number is a value where several of these runs are one
    // loop's.
    auto look = [&](OpBuilder &builder, Value first, int64_t count) {
      SmallVector<Value> ends;
      for (int64_t i = 0; i < count; ++i) {
        Value place = elementPointer(builder, loc, base, word, addInt(builder, loc, first, i));
        ends.push_back(LLVM::LoadOp::create(builder, loc, word, place, /*alignment=*/4));
      }
      for (auto [i, end] : llvm::enumerate(ends))
        step(builder, op, state, addInt(builder, loc, first, (int64_t)i), end);
    };
    int64_t runs = groups / kEndsAtOnce;
    if (runs > 1) {
      auto index = [&](int64_t value) -> Value {
        return arith::ConstantIndexOp::create(rewriter, loc, value);
      };
      auto loop =
          scf::ForOp::create(rewriter, loc, index(0), index(runs * kEndsAtOnce), index(kEndsAtOnce), state);
      OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
      state.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
      look(inside, asInt(inside, loc, loop.getInductionVar()), kEndsAtOnce);
      scf::YieldOp::create(inside, loc, state);
      state.assign(loop.getResults().begin(), loop.getResults().end());
    }
    int64_t done = runs > 1 ? runs * kEndsAtOnce : 0;
    look(rewriter, number(rewriter, done), groups - done);
    // What lies behind the last end.
    step(rewriter, op, state, number(rewriter, groups), number(rewriter, (int64_t)op.getTotal()));
    Value within =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, state[2], number(rewriter, groups));
    Value group = arith::MinSIOp::create(rewriter, loc, state[2], number(rewriter, groups - 1));
    auto result = [&](Value value) -> Value {
      // The same in all lanes of a warp also in the eyes of ptxas: addresses and slots follow from it.
      if (std::optional<RolePlace> role = roleAt(rewriter); !role || !role->oneThread)
        value = shuffle(rewriter, loc, value, constantInt(rewriter, loc, 0), /*butterfly=*/false);
      return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), value);
    };
    rewriter.replaceOp(op, {result(group), result(state[3]), result(state[4]), within});
    return success();
  }

private:
  static void step(OpBuilder &builder, tile::FindGroupOp op, MutableArrayRef<Value> state, Value group,
                   Value end) {
    Location loc = op.getLoc();
    auto rows = (int64_t)op.getRows();
    Value size = constantInt(builder, loc, rows), total = constantInt(builder, loc, (int64_t)op.getTotal());
    end = arith::MaxSIOp::create(builder, loc, arith::MinSIOp::create(builder, loc, end, total), state[0]);
    Value length = arith::SubIOp::create(builder, loc, end, state[0]);
    Value tiles = arith::DivUIOp::create(builder, loc, addInt(builder, loc, length, rows - 1), size);
    // A number below zero, of a tile that has been found, is larger than any as one without a sign.
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, state[1], tiles);
    Value first =
        arith::AddIOp::create(builder, loc, state[0], arith::MulIOp::create(builder, loc, state[1], size));
    Value last = arith::MinSIOp::create(builder, loc, arith::AddIOp::create(builder, loc, first, size), end);
    for (auto [known, here] : {std::pair(2, group), {3, first}, {4, last}})
      state[known] = arith::SelectOp::create(builder, loc, isHere, here, state[known]);
    state[1] = arith::SubIOp::create(builder, loc, state[1], tiles);
    state[0] = end;
  }
};

struct LeavePattern : OpConversionPattern<tile::LeaveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::LeaveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto branch =
        scf::IfOp::create(rewriter, op.getLoc(), adaptor.getCondition().front(), /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    NVVM::Exit::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

/// One thread of the role raises or lowers the flag.
template <typename Op, typename Instruction> struct FlagPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value place = elementPointer(rewriter, loc, adaptor.getFlags().front(), rewriter.getI32Type(),
                                 asInt(rewriter, loc, adaptor.getIndex().front()));
    emitIf(rewriter, loc, roleLeader(rewriter, loc), [&] { Instruction::create(rewriter, loc, place); });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populateWorkListPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<LookupPattern, FindGroupPattern, LeavePattern, FlagPattern<tile::RaiseFlagOp, ptx::RaiseFlagOp>,
           FlagPattern<tile::LowerFlagOp, ptx::LowerFlagOp>>(converter, patterns.getContext());
}
