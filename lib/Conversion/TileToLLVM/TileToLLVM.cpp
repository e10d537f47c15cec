// convert-tile-to-llvm: each tile.kernel becomes a gpu.module with one function of one thread.

#include "Patterns.h"

#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTTILETOLLVM
#include "Tilewright/Conversion/Passes.h.inc"
} // namespace tilewright

/// Base pointers come from allocations of at least this alignment: the arena, weights, bound tensors.
static constexpr int64_t kBaseAlignment = 16;

/// Whether the kernel stores to the memory of `view`, under whatever view.
static bool isWritten(Value view) {
  return llvm::any_of(view.getUsers(), [](Operation *user) {
    auto other = dyn_cast<tile::ViewOp>(user);
    return isa<tile::StoreOp>(user) || (other && isWritten(other.getResult()));
  });
}

/// The module and function that replace `kernel`, with the kernel's body moved in.
static LLVM::LLVMFuncOp createFunction(tile::KernelOp kernel) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto module = gpu::GPUModuleOp::create(builder, loc, kernel.getSymName());
  builder.setInsertionPointToStart(module.getBody());
  auto shared = kernel->getAttrOfType<IntegerAttr>(tile::KernelOp::getSharedBytesAttrName());
  int64_t sharedBytes = shared ? shared.getInt() : 0;
  if (sharedBytes)
    LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, "smem", Attribute(),
                           /*alignment=*/1024, /*addrSpace=*/3);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  SmallVector<Type> types(kernel.getArgumentTypes().size(), pointer);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), types);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(), type);
  int64_t threads = (int64_t)kernel.getWarps() * 32;
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                builder.getDenseI32ArrayAttr({(int32_t)threads, 1, 1}));
  func->setAttr(ptx::PtxDialect::getLaunchAttrName(),
                ptx::LaunchAttr::get(builder.getContext(), kernel.getGrid(), threads, sharedBytes, {}));
  if (Attribute contract = kernel->getAttr(tile::KernelOp::getContractAttrName()))
    func->setAttr(tile::KernelOp::getContractAttrName(), contract);
  for (unsigned i = 0; i < types.size(); ++i) {
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kBaseAlignment));
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    // What no one writes during the kernel is read through the read-only path (ld.global.nc).
    if (!isWritten(kernel.getBody().getArgument(i)))
      func.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
  }
  func.getBody().takeBody(kernel.getBody());
  return func;
}

namespace {
struct ConvertTileToLLVM : tilewright::impl::ConvertTileToLLVMBase<ConvertTileToLLVM> {
  using Base::Base;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      LLVM::LLVMFuncOp func = createFunction(kernel);
      kernel.erase();
      if (failed(convertBody(context, func)))
        return signalPassFailure();
    }
  }

  static LogicalResult convertBody(MLIRContext *context, LLVM::LLVMFuncOp func) {
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](tile::ViewType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext(), 1); });
    converter.addConversion(
        [](tile::SharedType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext(), 3); });
    converter.addConversion(
        [](RankedTensorType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          tile::LayoutAttr layout = tile::getLayout(type);
          if (!layout)
            return failure();
          types.append(layout.getLayout().numRegisters(), registerType(type.getElementType()));
          return success();
        });
    // Arguments are views: their pointers have the same positions.
    Block &entry = func.getBody().front();
    IRRewriter rewriter(context);
    rewriter.setInsertionPointToStart(&entry);
    for (BlockArgument argument : entry.getArguments()) {
      Type view = argument.getType();
      argument.setType(LLVM::LLVMPointerType::get(context, 1));
      auto cast = UnrealizedConversionCastOp::create(rewriter, func.getLoc(), view, ValueRange(argument));
      argument.replaceAllUsesExcept(cast.getResult(0), cast);
    }
    Operation *terminator = entry.getTerminator();
    rewriter.setInsertionPoint(terminator);
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(terminator, ValueRange());
    RewritePatternSet patterns(context);
    populateElementwisePatterns(converter, patterns);
    populateGlobalMemoryPatterns(converter, patterns);
    populateSharedMemoryPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateDotPatterns(converter, patterns);
    populateConvertLayoutPatterns(converter, patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) { return converter.isLegal(op); });
    target.addIllegalDialect<tile::TileDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    return applyPartialConversion(func, target, std::move(patterns));
  }
};
} // namespace
