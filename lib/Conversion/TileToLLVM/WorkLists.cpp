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
  patterns.add<LookupPattern, FlagPattern<tile::RaiseFlagOp, ptx::RaiseFlagOp>,
               FlagPattern<tile::LowerFlagOp, ptx::LowerFlagOp>>(converter, patterns.getContext());
}
