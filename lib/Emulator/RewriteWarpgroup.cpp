// Products of warpgroups. A thread's accumulators go through a slot of its stack, in which the last thread of
// the warpgroup computes for all. The result is there at once; that the program does not use it before it has
// waited is checked where it does (AccumulatorUses.cpp).
#include "HostModule.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emulator;

static constexpr unsigned kMaxRegisters = 128;

static Rewritten erase(Operation *op) {
  op->erase();
  return Rewritten::Done;
}

static Rewritten unsupported(Operation *op, const Twine &what) {
  op->emitError() << "the emulator does not model '" << op->getName() << "' with " << what;
  return Rewritten::Failed;
}

namespace {
/// One product, whichever op it is.
struct Product {
  Value a, b, accumulators;
  /// Null: as `accumulates` says.
  Value predicate;
  bool accumulates;
  MmaElement typeA, typeB;
  WgmmaAccumulator typeD;
  int64_t n;
  uint32_t flags;
};
} // namespace

/// The slot's field `index`, 32 bits wide.
static Value fieldAddress(FunctionRewriter &rewriter, Value slot, unsigned index) {
  OpBuilder &builder = rewriter.builder;
  return LLVM::GEPOp::create(builder, rewriter.function.getLoc(), slot.getType(), builder.getI32Type(), slot,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

static Rewritten rewriteProduct(FunctionRewriter &rewriter, Operation *op, const Product &product) {
  OpBuilder &builder = rewriter.builder;
  Location loc = op->getLoc();
  auto type = cast<LLVM::LLVMStructType>(product.accumulators.getType());
  unsigned perRegister = product.typeD == WgmmaAccumulator::F16 ? 4 : 2, count = type.getBody().size();
  if (product.n % 8 || product.n < 8 || product.n > 256 || count * perRegister != product.n)
    return unsupported(op, "n = " + Twine(product.n) + " and " + Twine(count) + " registers");
  if (!rewriter.accumulatorSlot)
    rewriter.accumulatorSlot = rewriter.slot(LLVM::LLVMArrayType::get(builder.getI32Type(), kMaxRegisters));
  Value slot = rewriter.accumulatorSlot;
  if (product.predicate || product.accumulates)
    for (unsigned i = 0; i < count; ++i)
      LLVM::StoreOp::create(
          builder, loc,
          LLVM::ExtractValueOp::create(builder, loc, product.accumulators, ArrayRef<int64_t>{i}),
          fieldAddress(rewriter, slot, i), /*alignment=*/4);
  Value a = product.a, registers = rewriter.constant64(0);
  if (!a.getType().isInteger(64)) {
    Value fragment = rewriter.slot(a.getType());
    LLVM::StoreOp::create(builder, loc, a, fragment, /*alignment=*/16);
    registers = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), fragment);
    a = rewriter.constant64(0);
  }
  Value accumulates =
      product.predicate ? rewriter.zeroExtend(product.predicate) : rewriter.constant(product.accumulates);
  uint32_t flags = product.flags | (rewriter.unfencedProducts.contains(op) ? wgmmaFlag::kUnfencedA : 0);
  uint32_t spec = wgmmaSpec(product.typeA, product.typeB, product.typeD, uint32_t(product.n), flags);
  rewriter.callVoid("tw_emu_wgmma",
                    {rewriter.self, slot, a, product.b, registers, accumulates, rewriter.constant(spec),
                     rewriter.constant(rewriter.wgmmaSites.lookup(op))});
  Value result = LLVM::UndefOp::create(builder, loc, type);
  for (unsigned i = 0; i < count; ++i) {
    Value field = LLVM::LoadOp::create(builder, loc, type.getBody()[i], fieldAddress(rewriter, slot, i),
                                       /*alignment=*/4);
    result = LLVM::InsertValueOp::create(builder, loc, result, field, ArrayRef<int64_t>{i});
  }
  op->replaceAllUsesWith(ValueRange{result});
  return erase(op);
}

static std::optional<MmaElement> elementOf(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return MmaElement::F16;
  case NVVM::WGMMATypes::bf16:
    return MmaElement::BF16;
  case NVVM::WGMMATypes::tf32:
    return MmaElement::TF32;
  case NVVM::WGMMATypes::s8:
    return MmaElement::S8;
  case NVVM::WGMMATypes::u8:
    return MmaElement::U8;
  case NVVM::WGMMATypes::e4m3:
    return MmaElement::E4M3;
  case NVVM::WGMMATypes::e5m2:
    return MmaElement::E5M2;
  default:
    return std::nullopt;
  }
}

static MmaElement elementOf(ptx::WgmmaType type) {
  switch (type) {
  case ptx::WgmmaType::F16:
    return MmaElement::F16;
  case ptx::WgmmaType::BF16:
    return MmaElement::BF16;
  case ptx::WgmmaType::TF32:
    return MmaElement::TF32;
  case ptx::WgmmaType::E4M3:
    return MmaElement::E4M3;
  case ptx::WgmmaType::E5M2:
    return MmaElement::E5M2;
  case ptx::WgmmaType::S8:
    return MmaElement::S8;
  case ptx::WgmmaType::U8:
    return MmaElement::U8;
  }
  llvm_unreachable("every element type is listed");
}

static Rewritten rewriteNvvmProduct(FunctionRewriter &rewriter, NVVM::WgmmaMmaAsyncOp op) {
  std::optional<MmaElement> a = elementOf(op.getTypeA()), b = elementOf(op.getTypeB());
  if (!a || !b)
    return unsupported(op, "operands of this type");
  WgmmaAccumulator d = op.getTypeD() == NVVM::WGMMATypes::f32   ? WgmmaAccumulator::F32
                       : op.getTypeD() == NVVM::WGMMATypes::f16 ? WgmmaAccumulator::F16
                                                                : WgmmaAccumulator::S32;
  uint32_t flags = 0;
  if (op.getScaleA() == NVVM::WGMMAScaleIn::neg)
    flags |= wgmmaFlag::kNegateA;
  if (op.getScaleB() == NVVM::WGMMAScaleIn::neg)
    flags |= wgmmaFlag::kNegateB;
  // `row` of A and `col` of B are K-major.
  if (op.getLayoutA() == NVVM::MMALayout::col)
    flags |= wgmmaFlag::kTransposedA;
  if (op.getLayoutB() == NVVM::MMALayout::row)
    flags |= wgmmaFlag::kTransposedB;
  if (op.getSatfinite() == NVVM::MMAIntOverflow::satfinite)
    flags |= wgmmaFlag::kSaturates;
  return rewriteProduct(rewriter, op,
                        {op.getDescriptorA(), op.getDescriptorB(), op.getInouts(), Value(),
                         op.getScaleD() == NVVM::WGMMAScaleOut::one, *a, *b, d, op.getShape().getN(), flags});
}

static Rewritten rewritePtxProduct(FunctionRewriter &rewriter, ptx::WgmmaOp op) {
  auto type = cast<LLVM::LLVMStructType>(op.getResult().getType());
  WgmmaAccumulator d = type.getBody()[0].isF32() ? WgmmaAccumulator::F32 : WgmmaAccumulator::S32;
  uint32_t flags = 0;
  if (op.getAMn())
    flags |= wgmmaFlag::kTransposedA;
  if (op.getBMn())
    flags |= wgmmaFlag::kTransposedB;
  return rewriteProduct(rewriter, op,
                        {op.getA(), op.getB(), op.getAccumulator(), op.getAccumulate(), !op.getOverwrite(),
                         elementOf(op.getAType()), elementOf(op.getBType()), d, op.getN(), flags});
}

static Rewritten rewriteRegisters(FunctionRewriter &rewriter, NVVM::SetMaxRegisterOp op) {
  // ptxas drops it (C7508) where it cannot know how many registers a thread starts with.
  auto kernel = rewriter.source;
  bool hasThreads = kernel->hasAttr("nvvm.maxntid") || kernel->hasAttr("nvvm.reqntid");
  if (!kernel->hasAttr("nvvm.maxnreg") && !(hasThreads && kernel->hasAttr("nvvm.minctasm"))) {
    op.emitError("'nvvm.setmaxregister' has no effect in a kernel without nvvm.maxnreg, or nvvm.maxntid and "
                 "nvvm.minctasm");
    return Rewritten::Failed;
  }
  rewriter.callVoid("tw_emu_setmaxnreg",
                    {rewriter.self, rewriter.constant(op.getRegCount()),
                     rewriter.constant(op.getAction() == NVVM::SetMaxRegisterAction::increase),
                     rewriter.site(op)});
  return erase(op);
}

static void callWait(FunctionRewriter &rewriter, Operation *op, uint64_t pending) {
  rewriter.callVoid("tw_emu_wgmma_wait",
                    {rewriter.self, rewriter.constant(uint32_t(pending)), rewriter.site(op)});
}

Rewritten tilewright::emulator::rewriteWarpgroup(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](NVVM::WgmmaMmaAsyncOp op) { return rewriteNvvmProduct(rewriter, op); })
      .Case([&](ptx::WgmmaOp op) { return rewritePtxProduct(rewriter, op); })
      .Case([&](NVVM::WgmmaFenceAlignedOp op) {
        rewriter.callVoid("tw_emu_wgmma_fence", {rewriter.self, rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::WgmmaGroupSyncAlignedOp op) {
        rewriter.callVoid("tw_emu_wgmma_commit", {rewriter.self, rewriter.site(op)});
        return erase(op);
      })
      .Case([&](NVVM::WgmmaWaitGroupSyncOp op) {
        callWait(rewriter, op, op.getGroup());
        return erase(op);
      })
      .Case([&](ptx::WgmmaWaitOp op) {
        callWait(rewriter, op, op.getPending());
        op->replaceAllUsesWith(ValueRange{op.getValues()});
        return erase(op);
      })
      .Case([&](ptx::PinOp op) {
        op->replaceAllUsesWith(ValueRange{op.getOperand()});
        return erase(op);
      })
      .Case([&](ptx::HoldOp op) { return erase(op); })
      .Case([&](NVVM::SetMaxRegisterOp op) { return rewriteRegisters(rewriter, op); })
      .Default([](Operation *) { return Rewritten::NotMine; });
}
