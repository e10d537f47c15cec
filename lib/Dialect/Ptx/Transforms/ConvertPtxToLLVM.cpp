// Turns every ptx instruction into llvm.inline_asm, by the text and constraints that the op states. PTX has
// scalar registers only, so vectors are unpacked into registers before and packed again after.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Ptx/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tilewright::ptx {
#define GEN_PASS_DEF_CONVERTPTXTOLLVM
#include "Tilewright/Dialect/Ptx/Transforms/Passes.h.inc"
} // namespace tilewright::ptx

using namespace mlir;
using namespace tilewright::ptx;

static Value constant32(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

/// The registers that hold `value`, in order.
static void unpackRegisters(OpBuilder &builder, Location loc, Value value, SmallVectorImpl<Value> &out) {
  Registers registers = *registersOf(value.getType());
  if (value.getType() == registers.scalar)
    return out.push_back(value);
  if (isa<LLVM::LLVMStructType>(value.getType())) {
    for (unsigned i = 0; i < registers.count; ++i)
      out.push_back(LLVM::ExtractValueOp::create(builder, loc, value, i));
    return;
  }
  if (registers.constraint == 'h') {
    if (value.getType() != registers.scalar && registers.memoryBits == 16)
      return out.push_back(LLVM::BitcastOp::create(builder, loc, registers.scalar, value));
    Value byte = value;
    if (isa<VectorType>(value.getType()))
      byte = LLVM::BitcastOp::create(builder, loc, builder.getI8Type(), value);
    return out.push_back(LLVM::ZExtOp::create(builder, loc, registers.scalar, byte));
  }
  if (registers.count == 1)
    return out.push_back(LLVM::BitcastOp::create(builder, loc, registers.scalar, value));
  auto words = VectorType::get(registers.count, registers.scalar);
  if (value.getType() != words)
    value = LLVM::BitcastOp::create(builder, loc, words, value);
  for (unsigned i = 0; i < registers.count; ++i)
    out.push_back(LLVM::ExtractElementOp::create(builder, loc, value, constant32(builder, loc, i)));
}

/// A value of `type` from the registers that `assembly` returned: one scalar, or a struct of them.
static Value packRegisters(OpBuilder &builder, Location loc, Value assembly, Type type) {
  Registers registers = *registersOf(type);
  if (type == registers.scalar || isa<LLVM::LLVMStructType>(type))
    return assembly;
  if (registers.constraint == 'h' && registers.memoryBits == 8) {
    Value byte = LLVM::TruncOp::create(builder, loc, builder.getI8Type(), assembly);
    return type.isInteger(8) ? byte : LLVM::BitcastOp::create(builder, loc, type, byte).getResult();
  }
  if (registers.count == 1)
    return LLVM::BitcastOp::create(builder, loc, type, assembly);
  auto words = VectorType::get(registers.count, registers.scalar);
  Value value = LLVM::PoisonOp::create(builder, loc, words);
  for (unsigned i = 0; i < registers.count; ++i) {
    Value word = LLVM::ExtractValueOp::create(builder, loc, assembly, i);
    value = LLVM::InsertElementOp::create(builder, loc, value, word, constant32(builder, loc, i));
  }
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
}

namespace {
/// `%d = ptx.cvt_rna_tf32 %x : f32 -> i32`
///   ==>
/// `%d = llvm.inline_asm "cvt.rna.tf32.f32 $0, $1;", "=r,f" %x : (f32) -> i32`
struct InstructionToInlineAsm : OpInterfaceRewritePattern<PtxInstruction> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(PtxInstruction instruction, PatternRewriter &rewriter) const override {
    Operation *op = instruction;
    Location loc = op->getLoc();
    if (op->getNumResults() > 1)
      return rewriter.notifyMatchFailure(op, "more than one result");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      unpackRegisters(rewriter, loc, operand, operands);
    Type resultType;
    if (op->getNumResults() == 1) {
      Registers registers = *registersOf(op->getResult(0).getType());
      resultType = registers.scalar;
      if (registers.count > 1)
        resultType = LLVM::LLVMStructType::getLiteral(rewriter.getContext(),
                                                      SmallVector<Type>(registers.count, registers.scalar));
    }
    SmallVector<Type, 1> resultTypes(resultType ? 1 : 0, resultType);
    auto assembly = LLVM::InlineAsmOp::create(rewriter, loc, resultTypes, operands, instruction.ptxText(),
                                              instruction.ptxConstraints(), instruction.hasPtxSideEffects(),
                                              /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                              LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
    if (!resultType)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, packRegisters(rewriter, loc, assembly.getResult(0), op->getResult(0).getType()));
    return success();
  }
};

struct ConvertPtxToLLVMPass : tilewright::ptx::impl::ConvertPtxToLLVMBase<ConvertPtxToLLVMPass> {
  using ConvertPtxToLLVMBase::ConvertPtxToLLVMBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePtxToLLVMPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult left = getOperation()->walk([](PtxInstruction instruction) {
      instruction->emitOpError("cannot be written as inline assembly");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

void tilewright::ptx::populatePtxToLLVMPatterns(RewritePatternSet &patterns) {
  patterns.add<InstructionToInlineAsm>(patterns.getContext());
}
