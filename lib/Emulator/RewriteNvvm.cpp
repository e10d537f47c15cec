// nvvm operations other than matrix ones: special registers are loads from the Thread, everything that
// threads do together is a call.
#include "HostModule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstddef>

using namespace mlir;
using namespace tilewright::emulator;

static void replace(Operation *op, Value value) {
  op->replaceAllUsesWith(ValueRange{value});
  op->erase();
}

static Rewritten unsupported(Operation *op, const Twine &what) {
  op->emitError() << "the emulator does not model '" << op->getName() << "' with " << what;
  return Rewritten::Failed;
}

/// Nothing to do in the emulator: hints, and orders that hold anyway.
static Rewritten drop(Operation *op) {
  op->erase();
  return Rewritten::Done;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

static std::optional<size_t> registerOffset(Operation *op) {
  constexpr size_t tid = offsetof(Registers, tid), ntid = offsetof(Registers, ntid),
                   ctaid = offsetof(Registers, ctaid), nctaid = offsetof(Registers, nctaid);
  return llvm::TypeSwitch<Operation *, std::optional<size_t>>(op)
      .Case([](NVVM::ThreadIdXOp) { return tid; })
      .Case([](NVVM::ThreadIdYOp) { return tid + 4; })
      .Case([](NVVM::ThreadIdZOp) { return tid + 8; })
      .Case([](NVVM::BlockDimXOp) { return ntid; })
      .Case([](NVVM::BlockDimYOp) { return ntid + 4; })
      .Case([](NVVM::BlockDimZOp) { return ntid + 8; })
      .Case([](NVVM::BlockIdXOp) { return ctaid; })
      .Case([](NVVM::BlockIdYOp) { return ctaid + 4; })
      .Case([](NVVM::BlockIdZOp) { return ctaid + 8; })
      .Case([](NVVM::GridDimXOp) { return nctaid; })
      .Case([](NVVM::GridDimYOp) { return nctaid + 4; })
      .Case([](NVVM::GridDimZOp) { return nctaid + 8; })
      .Case([](NVVM::LaneIdOp) { return offsetof(Registers, lane); })
      .Default([](Operation *) { return std::nullopt; });
}

/// lanemask.{eq,lt,le,gt,ge}, warpid, warpsize: arithmetic on the lane and the thread number.
static Value derivedRegister(FunctionRewriter &rewriter, Operation *op) {
  OpBuilder &builder = rewriter.builder;
  Location loc = op->getLoc();
  Type i32 = builder.getI32Type();
  if (isa<NVVM::WarpSizeOp>(op))
    return rewriter.constant(kWarpLanes);
  if (isa<NVVM::WarpIdOp>(op))
    return LLVM::LShrOp::create(builder, loc, rewriter.loadRegister(offsetof(Registers, linear), i32),
                                rewriter.constant(5));
  Value one = rewriter.constant(1), all = rewriter.constant(~0u);
  Value bit = LLVM::ShlOp::create(builder, loc, one, rewriter.loadRegister(offsetof(Registers, lane), i32));
  Value below = LLVM::SubOp::create(builder, loc, bit, one);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](NVVM::LaneMaskEqOp) { return bit; })
      .Case([&](NVVM::LaneMaskLtOp) { return below; })
      .Case([&](NVVM::LaneMaskLeOp) { return LLVM::OrOp::create(builder, loc, below, bit).getResult(); })
      .Case([&](NVVM::LaneMaskGeOp) { return LLVM::XOrOp::create(builder, loc, below, all).getResult(); })
      .Default([&](Operation *) {
        Value upTo = LLVM::OrOp::create(builder, loc, below, bit);
        return LLVM::XOrOp::create(builder, loc, upTo, all).getResult();
      });
}

//===----------------------------------------------------------------------===//
// Barriers and collectives
//===----------------------------------------------------------------------===//

static Rewritten rewriteBarrier(FunctionRewriter &rewriter, NVVM::BarrierOp op) {
  Value id = op.getBarrierId() ? op.getBarrierId() : rewriter.constant(0);
  Value count = op.getNumberOfThreads() ? op.getNumberOfThreads() : rewriter.constant(0);
  if (!op.getReductionOp()) {
    rewriter.callVoid("tw_emu_barrier", {rewriter.self, id, count, rewriter.site(op)});
    return drop(op);
  }
  BarrierReduction kind = BarrierReduction::Or;
  if (*op.getReductionOp() == NVVM::BarrierReduction::POPC)
    kind = BarrierReduction::Count;
  else if (*op.getReductionOp() == NVVM::BarrierReduction::AND)
    kind = BarrierReduction::And;
  replace(op, rewriter.call("tw_emu_barrier_reduce", rewriter.builder.getI32Type(),
                            {rewriter.self, id, count, rewriter.constant(uint32_t(kind)),
                             op.getReductionPredicate(), rewriter.site(op)}));
  return Rewritten::Done;
}

static Rewritten rewriteBarrier0(FunctionRewriter &rewriter, Operation *op) {
  rewriter.callVoid("tw_emu_barrier",
                    {rewriter.self, rewriter.constant(0), rewriter.constant(0), rewriter.site(op)});
  return drop(op);
}

/// The pair of a 32-bit result and a predicate that some collectives return.
static Value resultPair(FunctionRewriter &rewriter, Location loc, LLVM::LLVMStructType type) {
  OpBuilder &builder = rewriter.builder;
  Value pair = LLVM::UndefOp::create(builder, loc, type);
  pair = LLVM::InsertValueOp::create(builder, loc, pair, rewriter.getOut(0, type.getBody()[0]),
                                     ArrayRef<int64_t>{0});
  Value flag = rewriter.isNotZero(rewriter.getOut(1, builder.getI32Type()));
  return LLVM::InsertValueOp::create(builder, loc, pair, flag, ArrayRef<int64_t>{1});
}

static Rewritten rewriteShuffle(FunctionRewriter &rewriter, NVVM::ShflOp op) {
  ShuffleKind kind = ShuffleKind::Index;
  switch (op.getKind()) {
  case NVVM::ShflKind::up:
    kind = ShuffleKind::Up;
    break;
  case NVVM::ShflKind::down:
    kind = ShuffleKind::Down;
    break;
  case NVVM::ShflKind::bfly:
    kind = ShuffleKind::Butterfly;
    break;
  case NVVM::ShflKind::idx:
    break;
  }
  rewriter.setIn(0, op.getVal());
  rewriter.setIn(1, op.getOffset());
  rewriter.setIn(2, op.getMaskAndClamp());
  rewriter.setIn(3, rewriter.constant(uint32_t(kind)));
  rewriter.collective(op, CollectiveKind::Shuffle, op.getThreadMask());
  auto pair = dyn_cast<LLVM::LLVMStructType>(op.getType());
  replace(op, pair ? resultPair(rewriter, op.getLoc(), pair) : rewriter.getOut(0, op.getType()));
  return Rewritten::Done;
}

static Rewritten rewriteVote(FunctionRewriter &rewriter, NVVM::VoteSyncOp op) {
  VoteKind kind = VoteKind::Ballot;
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::any:
    kind = VoteKind::Any;
    break;
  case NVVM::VoteSyncKind::all:
    kind = VoteKind::All;
    break;
  case NVVM::VoteSyncKind::uni:
    kind = VoteKind::Uniform;
    break;
  case NVVM::VoteSyncKind::ballot:
    break;
  }
  rewriter.setIn(0, rewriter.zeroExtend(op.getPred()));
  rewriter.setIn(1, rewriter.constant(uint32_t(kind)));
  rewriter.collective(op, CollectiveKind::Vote, op.getMask());
  Value result = rewriter.getOut(0, rewriter.builder.getI32Type());
  replace(op, op.getType().isInteger(1) ? rewriter.isNotZero(result) : result);
  return Rewritten::Done;
}

static Rewritten rewriteMatch(FunctionRewriter &rewriter, NVVM::MatchSyncOp op) {
  rewriter.setIn(1, rewriter.constant(0));
  rewriter.setIn(0, op.getVal());
  rewriter.setIn(2, rewriter.constant(op.getKind() == NVVM::MatchSyncKind::all));
  rewriter.collective(op, CollectiveKind::Match, op.getThreadMask());
  auto pair = dyn_cast<LLVM::LLVMStructType>(op.getType());
  replace(op, pair ? resultPair(rewriter, op.getLoc(), pair) : rewriter.getOut(0, op.getType()));
  return Rewritten::Done;
}

static Rewritten rewriteRedux(FunctionRewriter &rewriter, NVVM::ReduxOp op) {
  static constexpr std::pair<NVVM::ReduxKind, ReduxKind> kinds[] = {
      {NVVM::ReduxKind::ADD, ReduxKind::Add},
      {NVVM::ReduxKind::AND, ReduxKind::And},
      {NVVM::ReduxKind::OR, ReduxKind::Or},
      {NVVM::ReduxKind::XOR, ReduxKind::Xor},
      {NVVM::ReduxKind::MAX, ReduxKind::MaxSigned},
      {NVVM::ReduxKind::MIN, ReduxKind::MinSigned},
      {NVVM::ReduxKind::UMAX, ReduxKind::MaxUnsigned},
      {NVVM::ReduxKind::UMIN, ReduxKind::MinUnsigned},
      {NVVM::ReduxKind::FMAX, ReduxKind::MaxFloat},
      {NVVM::ReduxKind::FMIN, ReduxKind::MinFloat}};
  ReduxKind kind = ReduxKind::Add;
  for (auto [theirs, ours] : kinds)
    if (theirs == op.getKind())
      kind = ours;
  rewriter.setIn(0, op.getVal());
  rewriter.setIn(1, rewriter.constant(uint32_t(kind)));
  rewriter.setIn(2, rewriter.constant(uint32_t(op.getAbs()) | uint32_t(op.getNan()) << 1));
  rewriter.collective(op, CollectiveKind::Redux, op.getMaskAndClamp());
  replace(op, rewriter.getOut(0, op.getType()));
  return Rewritten::Done;
}

static Rewritten rewriteSyncWarp(FunctionRewriter &rewriter, NVVM::SyncWarpOp op) {
  rewriter.collective(op, CollectiveKind::SyncWarp, op.getMask());
  return drop(op);
}

static Rewritten rewriteElect(FunctionRewriter &rewriter, NVVM::ElectSyncOp op) {
  Value mask = op.getMembermask() ? op.getMembermask() : rewriter.constant(~0u);
  rewriter.collective(op, CollectiveKind::Elect, mask);
  replace(op, rewriter.isNotZero(rewriter.getOut(0, rewriter.builder.getI32Type())));
  return Rewritten::Done;
}

//===----------------------------------------------------------------------===//
// Copies and conversions
//===----------------------------------------------------------------------===//

static Rewritten rewriteCopy(FunctionRewriter &rewriter, NVVM::CpAsyncOp op) {
  Value bytes = rewriter.constant(op.getSize());
  Value source = op.getCpSize() ? op.getCpSize() : bytes;
  rewriter.callVoid("tw_emu_cp_async",
                    {rewriter.self, op.getDst(), op.getSrc(), bytes, source, rewriter.site(op)});
  return drop(op);
}

static Rewritten rewriteWait(FunctionRewriter &rewriter, NVVM::CpAsyncWaitGroupOp op) {
  rewriter.callVoid("tw_emu_cp_async_wait",
                    {rewriter.self, rewriter.constant(op.getN()), rewriter.constant(0)});
  return drop(op);
}

template <typename Op> static Rewritten rewritePack(FunctionRewriter &rewriter, Op op, StringRef entry) {
  if (op.getRnd() != NVVM::FPRoundingMode::RN && op.getRnd() != NVVM::FPRoundingMode::NONE)
    return unsupported(op, "this rounding mode");
  if (op.getSat() != NVVM::SaturationMode::NONE)
    return unsupported(op, "saturation");
  OpBuilder &builder = rewriter.builder;
  Value packed = rewriter.call(entry, builder.getI32Type(),
                               {op.getSrcHi(), op.getSrcLo(), rewriter.constant(op.getRelu())});
  replace(op, LLVM::BitcastOp::create(builder, op.getLoc(), op.getType(), packed));
  return Rewritten::Done;
}

/// The bits of an 8-bit float format's name in entries, or "".
static StringRef float8Name(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3x2" : isa<Float8E5M2Type>(type) ? "e5m2x2" : "";
}

static Rewritten rewritePackFloat8(FunctionRewriter &rewriter, NVVM::ConvertF32x2ToF8x2Op op) {
  StringRef name = float8Name(op.getDstTy());
  if (name.empty() || op.getRnd() != NVVM::FPRoundingMode::RN ||
      op.getSat() != NVVM::SaturationMode::SATFINITE)
    return unsupported(op, "this type, rounding or saturation");
  OpBuilder &builder = rewriter.builder;
  Value packed = rewriter.call(("tw_emu_cvt_" + name + "_f32").str(), builder.getI32Type(),
                               {op.getA(), op.getB(), rewriter.constant(op.getRelu())});
  Value pair = LLVM::TruncOp::create(builder, op.getLoc(), builder.getI16Type(), packed);
  if (pair.getType() != op.getType())
    pair = LLVM::BitcastOp::create(builder, op.getLoc(), op.getType(), pair);
  replace(op, pair);
  return Rewritten::Done;
}

static Rewritten rewriteUnpackFloat8(FunctionRewriter &rewriter, NVVM::ConvertF8x2ToF16x2Op op) {
  StringRef name = float8Name(op.getSrcType());
  if (name.empty())
    return unsupported(op, "this type");
  OpBuilder &builder = rewriter.builder;
  Value pair = LLVM::BitcastOp::create(builder, op.getLoc(), builder.getI16Type(), op.getSrc());
  Value packed = rewriter.call(("tw_emu_cvt_f16x2_" + name).str(), builder.getI32Type(),
                               {rewriter.zeroExtend(pair), rewriter.constant(op.getRelu())});
  replace(op, LLVM::BitcastOp::create(builder, op.getLoc(), op.getType(), packed));
  return Rewritten::Done;
}

/// Bytes of two words, chosen by a constant.
static Rewritten rewritePermute(FunctionRewriter &rewriter, NVVM::PermuteOp op) {
  APInt selector;
  if (op.getMode() != NVVM::PermuteMode::DEFAULT || !op.getHi() ||
      !matchPattern(op.getSelector(), m_ConstantInt(&selector)) || (selector.getZExtValue() & 0x8888))
    return unsupported(op, "this mode or selector");
  OpBuilder &builder = rewriter.builder;
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(value));
  };
  Value low = LLVM::ZExtOp::create(builder, loc, i64, op.getLo());
  Value high =
      LLVM::ShlOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i64, op.getHi()), number(32));
  Value pool = LLVM::OrOp::create(builder, loc, low, high), result = number(0);
  for (int64_t i = 0; i < 4; ++i) {
    int64_t place = (int64_t)(selector.getZExtValue() >> 4 * i & 7);
    Value byte = LLVM::AndOp::create(
        builder, loc, LLVM::LShrOp::create(builder, loc, pool, number(8 * place)), number(0xff));
    result = LLVM::OrOp::create(builder, loc, result, LLVM::ShlOp::create(builder, loc, byte, number(8 * i)));
  }
  replace(op, LLVM::TruncOp::create(builder, loc, builder.getI32Type(), result));
  return Rewritten::Done;
}

static Rewritten rewriteTf32(FunctionRewriter &rewriter, NVVM::ConvertFloatToTF32Op op) {
  bool away = op.getRnd() == NVVM::FPRoundingMode::RNA;
  if ((!away && op.getRnd() != NVVM::FPRoundingMode::RN) || op.getRelu() ||
      op.getSat() != NVVM::SaturationMode::NONE)
    return unsupported(op, "this rounding, saturation or relu");
  replace(op, rewriter.call(away ? "tw_emu_ptx_cvt_rna_tf32_f32" : "tw_emu_cvt_rn_tf32_f32",
                            rewriter.builder.getI32Type(), {op.getSrc()}));
  return Rewritten::Done;
}

Rewritten tilewright::emulator::rewriteNvvm(FunctionRewriter &rewriter, Operation *op) {
  if (!isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return Rewritten::NotMine;
  if (std::optional<size_t> offset = registerOffset(op)) {
    replace(op, rewriter.loadRegister(*offset, op->getResult(0).getType()));
    return Rewritten::Done;
  }
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case<NVVM::WarpSizeOp, NVVM::WarpIdOp, NVVM::LaneMaskEqOp, NVVM::LaneMaskLtOp, NVVM::LaneMaskLeOp,
            NVVM::LaneMaskGtOp, NVVM::LaneMaskGeOp>([&](Operation *op) {
        replace(op, derivedRegister(rewriter, op));
        return Rewritten::Done;
      })
      .Case([&](NVVM::Barrier0Op op) { return rewriteBarrier0(rewriter, op); })
      .Case([&](NVVM::BarrierOp op) { return rewriteBarrier(rewriter, op); })
      .Case([&](NVVM::SyncWarpOp op) { return rewriteSyncWarp(rewriter, op); })
      .Case([&](NVVM::ShflOp op) { return rewriteShuffle(rewriter, op); })
      .Case([&](NVVM::VoteSyncOp op) { return rewriteVote(rewriter, op); })
      .Case([&](NVVM::MatchSyncOp op) { return rewriteMatch(rewriter, op); })
      .Case([&](NVVM::ReduxOp op) { return rewriteRedux(rewriter, op); })
      .Case([&](NVVM::ElectSyncOp op) { return rewriteElect(rewriter, op); })
      .Case([&](NVVM::CpAsyncOp op) { return rewriteCopy(rewriter, op); })
      .Case([&](NVVM::CpAsyncCommitGroupOp op) {
        rewriter.callVoid("tw_emu_cp_async_commit", {rewriter.self});
        return drop(op);
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp op) { return rewriteWait(rewriter, op); })
      .Case(
          [&](NVVM::ConvertF32x2ToBF16x2Op op) { return rewritePack(rewriter, op, "tw_emu_cvt_bf16x2_f32"); })
      .Case([&](NVVM::ConvertF32x2ToF16x2Op op) { return rewritePack(rewriter, op, "tw_emu_cvt_f16x2_f32"); })
      .Case([&](NVVM::ConvertF32x2ToF8x2Op op) { return rewritePackFloat8(rewriter, op); })
      .Case([&](NVVM::PermuteOp op) { return rewritePermute(rewriter, op); })
      .Case([&](NVVM::ConvertF8x2ToF16x2Op op) { return rewriteUnpackFloat8(rewriter, op); })
      .Case([&](NVVM::ConvertFloatToTF32Op op) { return rewriteTf32(rewriter, op); })
      .Case([&](NVVM::RcpApproxFtzF32Op op) {
        replace(op, rewriter.call("tw_emu_ptx_rcp_f32_ftz", op.getType(), op->getOperands()));
        return Rewritten::Done;
      })
      .Case([&](NVVM::Exit op) {
        // It does not return; what stands behind it in the block is the branch round it.
        rewriter.callVoid("tw_emu_exit", {rewriter.self});
        return drop(op);
      })
      // Fibers switch at calls only and host memory is coherent, so fences order nothing that is not ordered.
      // The rest are hints about time and caches.
      .Case<NVVM::MembarOp, NVVM::FenceScClusterOp, NVVM::NanosleepOp, NVVM::PrefetchOp>(
          [](Operation *op) { return drop(op); })
      .Case([&](NVVM::GriddepcontrolOp op) {
        // Launches run one after another; that the next may start says nothing.
        if (op.getKind() == NVVM::GridDepActionKind::wait)
          rewriter.callVoid("tw_emu_await_grid", {rewriter.self});
        return drop(op);
      })
      .Default([](Operation *) { return Rewritten::NotMine; });
}
