// mma.sync, ldmatrix and stmatrix: operands go into the Thread's registers word by word, the last lane of the
// warp computes for all, results come back from the registers.
#include "HostModule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

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

static std::optional<MmaElement> elementOf(NVVM::MMATypes type) {
  switch (type) {
  case NVVM::MMATypes::f16:
    return MmaElement::F16;
  case NVVM::MMATypes::bf16:
    return MmaElement::BF16;
  case NVVM::MMATypes::tf32:
    return MmaElement::TF32;
  case NVVM::MMATypes::s8:
    return MmaElement::S8;
  case NVVM::MMATypes::u8:
    return MmaElement::U8;
  default:
    return std::nullopt;
  }
}

/// A struct of registers, read back from Registers::out.
static Value gatherStruct(FunctionRewriter &rewriter, Location loc, LLVM::LLVMStructType type) {
  Value result = LLVM::UndefOp::create(rewriter.builder, loc, type);
  for (auto [index, member] : llvm::enumerate(type.getBody()))
    result =
        LLVM::InsertValueOp::create(rewriter.builder, loc, result, rewriter.getOut(unsigned(index), member),
                                    ArrayRef<int64_t>{int64_t(index)});
  return result;
}

static Rewritten rewriteMma(FunctionRewriter &rewriter, NVVM::MmaOp op) {
  int64_t m = op.getShape().getM(), n = op.getShape().getN(), k = op.getShape().getK();
  std::optional<MmaElement> a, b;
  if (op.getMultiplicandAPtxType() && op.getMultiplicandBPtxType()) {
    a = elementOf(*op.getMultiplicandAPtxType());
    b = elementOf(*op.getMultiplicandBPtxType());
  }
  if (!a || !b)
    return unsupported(op, "multiplicands of this type");
  // The K that each element width has: one or two registers of 4 lanes.
  int64_t unit = *a == MmaElement::TF32 ? 4 : *a == MmaElement::S8 || *a == MmaElement::U8 ? 16 : 8;
  if (m != 16 || n != 8 || (k != unit && k != 2 * unit))
    return unsupported(op, "shape m" + Twine(m) + "n" + Twine(n) + "k" + Twine(k));
  if (op.getLayoutA() != NVVM::MMALayout::row || op.getLayoutB() != NVVM::MMALayout::col)
    return unsupported(op, "layouts other than row and col");
  auto type = cast<LLVM::LLVMStructType>(op.getType());
  bool halfAccumulator = op.accumPtxType() == NVVM::MMATypes::f16;
  if (halfAccumulator != (op.resultPtxType() == NVVM::MMATypes::f16))
    return unsupported(op, "accumulators of different types");
  for (auto [index, value] : llvm::enumerate(op.getOperandA()))
    rewriter.setIn(unsigned(index), value);
  for (auto [index, value] : llvm::enumerate(op.getOperandB()))
    rewriter.setIn(4 + unsigned(index), value);
  for (auto [index, value] : llvm::enumerate(op.getOperandC()))
    rewriter.setIn(6 + unsigned(index), value);
  bool saturate = op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite;
  rewriter.setIn(kMmaSpecWord, rewriter.constant(mmaSpec(*a, *b, uint32_t(k), halfAccumulator, saturate)));
  rewriter.collective(op, CollectiveKind::Mma, rewriter.constant(~0u));
  replace(op, gatherStruct(rewriter, op.getLoc(), type));
  return Rewritten::Done;
}

template <typename Op> static bool isPlainMatrix(Op op) {
  return op.getShape().getM() == 8 && op.getShape().getN() == 8 &&
         op.getEltType() == NVVM::LdStMatrixEltType::B16;
}

static Rewritten rewriteLoadMatrix(FunctionRewriter &rewriter, NVVM::LdMatrixOp op) {
  if (!isPlainMatrix(op))
    return unsupported(op, "a shape other than 8x8 of 16 bits");
  rewriter.setIn(0, op.getPtr());
  rewriter.setIn(kMatrixSpecWord,
                 rewriter.constant(matrixSpec(op.getNum(), op.getLayout() == NVVM::MMALayout::col)));
  rewriter.collective(op, CollectiveKind::LoadMatrix, rewriter.constant(~0u));
  auto type = dyn_cast<LLVM::LLVMStructType>(op.getType());
  replace(op, type ? gatherStruct(rewriter, op.getLoc(), type) : rewriter.getOut(0, op.getType()));
  return Rewritten::Done;
}

static Rewritten rewriteStoreMatrix(FunctionRewriter &rewriter, NVVM::StMatrixOp op) {
  if (!isPlainMatrix(op))
    return unsupported(op, "a shape other than 8x8 of 16 bits");
  rewriter.setIn(0, op.getPtr());
  for (auto [index, value] : llvm::enumerate(op.getSources()))
    rewriter.setIn(kMatrixValueWord + unsigned(index), value);
  rewriter.setIn(kMatrixSpecWord, rewriter.constant(matrixSpec(uint32_t(op.getSources().size()),
                                                               op.getLayout() == NVVM::MMALayout::col)));
  rewriter.collective(op, CollectiveKind::StoreMatrix, rewriter.constant(~0u));
  op->erase();
  return Rewritten::Done;
}

Rewritten tilewright::emulator::rewriteMatrix(FunctionRewriter &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case([&](NVVM::MmaOp op) { return rewriteMma(rewriter, op); })
      .Case([&](NVVM::LdMatrixOp op) { return rewriteLoadMatrix(rewriter, op); })
      .Case([&](NVVM::StMatrixOp op) { return rewriteStoreMatrix(rewriter, op); })
      .Default([](Operation *) { return Rewritten::NotMine; });
}
