// From a target-stage gpu.module to PTX: ptx and nvvm ops become inline assembly and intrinsics, the module
// becomes LLVM IR, LLVM's O3 pipeline runs with the NVPTX target machine, and NVPTX writes the text.
#include "EmitPtx.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Dialect/Ptx/Transforms/Passes.h"
#include "Tilewright/Target/Cuda/Arch.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tilewright;

/// The dialects of the target stage, and those of earlier stages so that a left-over op is named in the
/// error.
static const DialectRegistry &dialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    math::MathDialect, NVVM::NVVMDialect, ptx::PtxDialect, scf::SCFDialect>();
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
    return registry;
  }();
  return registry;
}

static std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const ptxstage::Request &request,
                                                              std::string &error) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, request.arch, request.features, llvm::TargetOptions(), std::nullopt,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // Built with the target machine: NVPTX adds its cost model, address space inference and NVVMReflect.
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// The first function that the PTX calls but does not define; empty when there is none.
static std::string unresolvedCall(StringRef ptx) {
  size_t at = ptx.find("\n.extern .func");
  if (at == StringRef::npos)
    return "";
  StringRef declaration = ptx.drop_front(at + strlen("\n.extern .func")).ltrim();
  if (declaration.consume_front("("))
    declaration = declaration.drop_front(declaration.find(')') + 1).ltrim();
  return declaration.take_until([](char c) { return c == '(' || isspace(static_cast<unsigned char>(c)); })
      .str();
}

std::string ptxstage::emitPtx(const Request &request, std::string &error) {
  MLIRContext context(dialects(), MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  // The first error is the one that tells.
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error = diagnostic.str();
    return success();
  });
  auto fail = [&](const Twine &reason) {
    if (error.empty())
      error = reason.str();
    return std::string();
  };

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(request.bytecode, ParserConfig(&context));
  if (!module)
    return fail("the kernel's bytecode does not parse");
  PassManager passes(&context);
  OpPassManager &gpuPasses = passes.nest<gpu::GPUModuleOp>();
  if (const Arch *arch = lookupArch(request.arch); arch && !arch->mmaFp8) {
    gpuPasses.addPass(createTargetExpandFloat8());
    gpuPasses.addPass(createArithToLLVMConversionPass());
  }
  gpuPasses.addPass(ptx::createConvertPtxToLLVM());
  gpuPasses.addPass(createConvertNVVMToLLVMPass());
  gpuPasses.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*module)))
    return fail("the kernel does not convert to the llvm dialect");

  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(request, error);
  if (!machine)
    return fail("LLVM does not know the target");
  llvm::LLVMContext llvmContext;
  gpu::GPUModuleOp kernel = *module->getOps<gpu::GPUModuleOp>().begin();
  // A fixed name: the module's own must not reach the output.
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(kernel, llvmContext, "kernel");
  if (!llvmModule)
    return fail("the kernel does not translate to LLVM IR");
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (llvm::verifyModule(*llvmModule, &brokenStream))
    return fail("LLVM IR is broken: " + broken);
  optimize(*llvmModule, *machine);

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return fail("LLVM cannot write assembly for the target");
  codegen.run(*llvmModule);
  if (std::string callee = unresolvedCall(text); !callee.empty())
    return fail("unresolved call of '" + callee + "'");
  return text.str().str();
}
