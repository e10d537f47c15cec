// The ptx dialect: predicated accesses become a check and an access to either the memory or a private slot;
// the fp8 product is a collective; what only computes is a call of the function that the op names.
#include "HostModule.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emulator;

static void replace(Operation *op, Value value) {
  op->replaceAllUsesWith(ValueRange{value});
  op->erase();
}

static void checkIf(FunctionRewriter &rewriter, Operation *op, Value pointer, Type type, bool isWrite,
                    Value predicate) {
  AccessShape shape = accessShape(op, type, std::nullopt);
  bool isShared = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3;
  rewriter.callVoid(isShared ? "tw_emu_check_shared_if" : "tw_emu_check_global_if",
                    {rewriter.self, pointer,
                     rewriter.constant(accessSpec(shape.bytes, shape.alignment, isWrite)), rewriter.site(op),
                     rewriter.zeroExtend(predicate)});
}

/// The pointer where the predicate holds, a private slot elsewhere. Both are plain pointers by now.
static Value selectPointer(FunctionRewriter &rewriter, Location loc, Value predicate, Value pointer,
                           Value slot) {
  Type plain = slot.getType();
  Value same = LLVM::BitcastOp::create(rewriter.builder, loc, plain, pointer);
  return LLVM::SelectOp::create(rewriter.builder, loc, predicate, same, slot);
}

static Rewritten rewriteLoad(FunctionRewriter &rewriter, ptx::LoadOp op) {
  Location loc = op.getLoc();
  Type type = op.getResult().getType();
  checkIf(rewriter, op, op.getPointer(), type, false, op.getPredicate());
  Value slot = rewriter.slot(type);
  LLVM::StoreOp::create(rewriter.builder, loc, op.getFallback(), slot, /*alignment=*/1);
  Value address = selectPointer(rewriter, loc, op.getPredicate(), op.getPointer(), slot);
  replace(op, LLVM::LoadOp::create(rewriter.builder, loc, type, address, /*alignment=*/1));
  return Rewritten::Done;
}

static Rewritten rewriteStore(FunctionRewriter &rewriter, ptx::StoreOp op) {
  Location loc = op.getLoc();
  Type type = op.getValue().getType();
  checkIf(rewriter, op, op.getPointer(), type, true, op.getPredicate());
  Value slot = rewriter.slot(type);
  Value address = selectPointer(rewriter, loc, op.getPredicate(), op.getPointer(), slot);
  LLVM::StoreOp::create(rewriter.builder, loc, op.getValue(), address, /*alignment=*/1);
  op->erase();
  return Rewritten::Done;
}

static Rewritten rewriteMma(FunctionRewriter &rewriter, ptx::MmaOp op) {
  auto element = [](ptx::MmaType type) {
    return type == ptx::MmaType::E4M3 ? MmaElement::E4M3 : MmaElement::E5M2;
  };
  // Four, two and four consecutive words: a vector is stored as it is.
  rewriter.setIn(0, op.getA());
  rewriter.setIn(4, op.getB());
  rewriter.setIn(6, op.getC());
  rewriter.setIn(kMmaSpecWord, rewriter.constant(mmaSpec(element(op.getAType()), element(op.getBType()), 32,
                                                         false, false)));
  rewriter.collective(op, CollectiveKind::Mma, rewriter.constant(~0u));
  replace(op, rewriter.getOut(0, op.getResult().getType()));
  return Rewritten::Done;
}

static Rewritten rewritePack(FunctionRewriter &rewriter, ptx::PackOp op) {
  Location loc = op.getLoc();
  Type wide = op.getResult().getType();
  auto half = [&](Value value) -> Value { return LLVM::ZExtOp::create(rewriter.builder, loc, wide, value); };
  Value bits = LLVM::ConstantOp::create(rewriter.builder, loc, wide, 32);
  Value high = LLVM::ShlOp::create(rewriter.builder, loc, half(op.getHigh()), bits);
  replace(op, LLVM::OrOp::create(rewriter.builder, loc, high, half(op.getLow())));
  return Rewritten::Done;
}

/// A pure op on one register: 16-bit values travel zero-extended in 32 bits, pairs as 32 bits.
static Rewritten rewriteFunction(FunctionRewriter &rewriter, Operation *op, StringRef symbol) {
  static const llvm::StringSet<> known = [] {
    llvm::StringSet<> names;
    for (const Entry &entry : entries())
      names.insert(entry.name);
    return names;
  }();
  if (!known.contains(symbol)) {
    op->emitError() << "the emulator does not model '" << op->getName() << "': it has no function '" << symbol
                    << "'";
    return Rewritten::Failed;
  }
  OpBuilder &builder = rewriter.builder;
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType(), i16 = builder.getI16Type(), i32 = builder.getI32Type();
  auto isDirect = [](Type type) { return type.isF32() || type.isInteger(32); };
  auto isHalf = [](Type type) { return type.isF16() || type.isBF16(); };
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isHalf(operand.getType()))
      operand = rewriter.zeroExtend(LLVM::BitcastOp::create(builder, loc, i16, operand));
    else if (!isDirect(operand.getType()))
      operand = LLVM::BitcastOp::create(builder, loc, i32, operand);
    operands.push_back(operand);
  }
  Value result = rewriter.call(symbol, isDirect(type) ? type : i32, operands);
  if (isHalf(type))
    result = LLVM::TruncOp::create(builder, loc, i16, result);
  if (!isDirect(type))
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  replace(op, result);
  return Rewritten::Done;
}

/// NVPTX's own approximations, which some programs call by name, are those of the ptx dialect.
static StringRef functionOfIntrinsic(StringRef intrinsic) {
  return llvm::StringSwitch<StringRef>(intrinsic)
      .Case("llvm.nvvm.ex2.approx.f", "tw_emu_ptx_ex2_f32")
      .Case("llvm.nvvm.ex2.approx.ftz.f", "tw_emu_ptx_ex2_f32_ftz")
      .Case("llvm.nvvm.lg2.approx.f", "tw_emu_ptx_lg2_f32")
      .Case("llvm.nvvm.lg2.approx.ftz.f", "tw_emu_ptx_lg2_f32_ftz")
      .Case("llvm.nvvm.rcp.approx.ftz.f", "tw_emu_ptx_rcp_f32_ftz")
      .Case("llvm.nvvm.rsqrt.approx.f", "tw_emu_ptx_rsqrt_f32")
      .Case("llvm.nvvm.rsqrt.approx.ftz.f", "tw_emu_ptx_rsqrt_f32_ftz")
      .Case("llvm.nvvm.sqrt.approx.f", "tw_emu_ptx_sqrt_approx_f32")
      .Case("llvm.nvvm.sqrt.approx.ftz.f", "tw_emu_ptx_sqrt_approx_f32_ftz")
      .Case("llvm.nvvm.sin.approx.f", "tw_emu_ptx_sin_f32")
      .Case("llvm.nvvm.cos.approx.f", "tw_emu_ptx_cos_f32")
      .Default("");
}

static Rewritten rewriteIntrinsic(FunctionRewriter &rewriter, LLVM::CallIntrinsicOp op) {
  StringRef function = functionOfIntrinsic(op.getIntrin());
  if (!function.empty() && op->getNumOperands() == 1 && op->getNumResults() == 1)
    return rewriteFunction(rewriter, op, function);
  op.emitError() << "the emulator does not model intrinsic '" << op.getIntrin() << "'";
  return Rewritten::Failed;
}

static Rewritten rewriteFlag(FunctionRewriter &rewriter, Operation *op, Value pointer) {
  rewriter.callVoid(cast<ptx::PtxInstruction>(op).emulatorSymbol(),
                    {rewriter.self, pointer, rewriter.site(op)});
  op->erase();
  return Rewritten::Done;
}

/// Words are awaited one by one: nothing happens to a word that has its mark.
static Rewritten rewriteAwaitWords(FunctionRewriter &rewriter, ptx::AwaitWordsOp op) {
  Location loc = op.getLoc();
  Type word = rewriter.builder.getI32Type(), type = op.getResult().getType();
  Value predicate = rewriter.zeroExtend(op.getPredicate()), site = rewriter.site(op);
  Value values =
      isa<VectorType>(type) ? LLVM::PoisonOp::create(rewriter.builder, loc, type).getResult() : Value();
  for (auto [i, pointer] : llvm::enumerate(op.getPointers())) {
    Value value =
        rewriter.call(op.emulatorSymbol(), word, {rewriter.self, pointer, op.getMark(), predicate, site});
    values = values ? LLVM::InsertElementOp::create(rewriter.builder, loc, values, value,
                                                    rewriter.constant((uint32_t)i))
                          .getResult()
                    : value;
  }
  replace(op, values);
  return Rewritten::Done;
}

static Rewritten rewriteTicket(FunctionRewriter &rewriter, ptx::TakeTicketOp op) {
  replace(op, rewriter.call(op.emulatorSymbol(), rewriter.builder.getI64Type(),
                            {rewriter.self, op.getPointer(), rewriter.site(op)}));
  return Rewritten::Done;
}

bool tilewright::emulator::usesFlags(Operation *op) {
  return isa<ptx::RaiseFlagOp, ptx::LowerFlagOp, ptx::TakeTicketOp, ptx::AwaitWordsOp, ptx::AwaitCounterOp>(
      op);
}
bool tilewright::emulator::takesTickets(Operation *op) { return isa<ptx::TakeTicketOp>(op); }

Rewritten tilewright::emulator::rewritePtx(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](ptx::LoadOp op) { return rewriteLoad(rewriter, op); })
      .Case([&](ptx::StoreOp op) { return rewriteStore(rewriter, op); })
      .Case([&](ptx::PackOp op) { return rewritePack(rewriter, op); })
      .Case([&](ptx::MmaOp op) { return rewriteMma(rewriter, op); })
      .Case<ptx::RaiseFlagOp, ptx::LowerFlagOp, ptx::ArriveCounterOp>(
          [&](auto op) { return rewriteFlag(rewriter, op, op.getPointer()); })
      .Case([&](ptx::ArriveClusterOp op) {
        rewriter.callVoid(op.emulatorSymbol(), {rewriter.self, rewriter.constant(0), rewriter.site(op)});
        op->erase();
        return Rewritten::Done;
      })
      .Case([&](ptx::StoreAsyncOp op) {
        // Consecutive words: a vector is stored as it is.
        rewriter.setIn(0, op.getValue());
        uint32_t bytes = accessShape(op, op.getValue().getType(), std::nullopt).bytes;
        rewriter.callVoid(op.emulatorSymbol(),
                          {rewriter.self, op.getPointer(), op.getBarrier(), rewriter.constant(bytes),
                           rewriter.zeroExtend(op.getPredicate()), rewriter.site(op)});
        op->erase();
        return Rewritten::Done;
      })
      .Case([&](ptx::AwaitWordsOp op) { return rewriteAwaitWords(rewriter, op); })
      .Case([&](ptx::TakeTicketOp op) { return rewriteTicket(rewriter, op); })
      .Case([&](ptx::ReturnTicketsOp op) {
        rewriter.callVoid(op.emulatorSymbol(),
                          {rewriter.self, op.getValue(), op.getPointer(), rewriter.site(op)});
        op->erase();
        return Rewritten::Done;
      })
      .Case([&](ptx::AwaitCounterOp op) {
        rewriter.callVoid(op.emulatorSymbol(),
                          {rewriter.self, op.getValue(), op.getPointer(), rewriter.site(op)});
        op->erase();
        return Rewritten::Done;
      })
      .Case([&](ptx::PublishWordOp op) {
        rewriter.callVoid(op.emulatorSymbol(),
                          {rewriter.self, op.getValue(), op.getMark(), op.getPointer(), rewriter.site(op)});
        op->erase();
        return Rewritten::Done;
      })
      .Case([&](ptx::CachePolicyOp op) {
        // There are no caches: any number will do.
        replace(op, rewriter.constant64((uint64_t)op.getEviction()));
        return Rewritten::Done;
      })
      .Case([&](LLVM::CallIntrinsicOp op) { return rewriteIntrinsic(rewriter, op); })
      .Case([&](ptx::PtxInstruction instruction) {
        if (!isMemoryEffectFree(op) || op->getNumResults() != 1)
          return Rewritten::NotMine;
        return rewriteFunction(rewriter, op, instruction.emulatorSymbol());
      })
      .Default([](Operation *) { return Rewritten::NotMine; });
}
