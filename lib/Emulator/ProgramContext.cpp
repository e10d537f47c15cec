// Dialects and diagnostics of a program.
#include "ProgramContext.h"

#include "HostModule.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace tilewright::emulator;

std::unique_ptr<MLIRContext> tilewright::emulator::makeProgramContext() {
  DialectRegistry registry;
  registry.insert<DLTIDialect, gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, ptx::PtxDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  // Programs are small, and launches run on threads of our own.
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Attributes of other stages may remain on kernels; operations of other dialects are refused by name.
  context->allowUnregisteredDialects();
  return context;
}

void tilewright::emulator::registerHostTranslation(MLIRContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
}

DiagnosticText::DiagnosticText(MLIRContext &context, std::string &text) : context(context) {
  handler = context.getDiagEngine().registerHandler([&text](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (!text.empty())
      text += "\n";
    text += describeLocation(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
}
DiagnosticText::~DiagnosticText() { context.getDiagEngine().eraseHandler(handler); }
