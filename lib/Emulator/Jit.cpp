// LLVM's ORC on a host module: translate, optimise, link with the entries.
#include "Jit.h"

#include "Tilewright/HostCode/CleanUp.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace tilewright::emulator;

Jit::Jit(std::unique_ptr<std::string> frameReport, std::unique_ptr<llvm::orc::LLJIT> jit)
    : frameReport(std::move(frameReport)), jit(std::move(jit)) {}
Jit::~Jit() = default;

/// What a kernel's frames may take of a fiber's stack; the rest is for the entries that it calls.
static constexpr unsigned kMaxFrameBytes = StackPool::kStackBytes - 16 * 1024;

namespace {
/// Notes the first function whose frame is too large. The code generator reports it as it compiles.
struct FrameWatch : llvm::DiagnosticHandler {
  explicit FrameWatch(std::string &report) : report(report) {}
  std::string &report;

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (auto *frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info); frame && report.empty())
      report = "kernel code '" + frame->getFunction().getName().str() + "' needs " +
               std::to_string(frame->getStackSize()) + " bytes of stack, more than the emulator's " +
               std::to_string(kMaxFrameBytes);
    return true;
  }
};
} // namespace

static llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::orc::JITTargetMachineBuilder builder((llvm::Triple(llvm::sys::getProcessTriple())));
#if defined(__x86_64__)
  builder.setCPU("x86-64-v3");
#else
  builder.setCPU("generic");
#endif
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  return builder;
}

std::unique_ptr<Jit> Jit::compile(mlir::ModuleOp module, std::string &error) {
  auto fail = [&](llvm::Error problem) {
    error = "the emulator cannot compile a kernel for this CPU: " + llvm::toString(std::move(problem));
    return nullptr;
  };
  auto builder = hostMachine();
  if (!builder)
    return fail(builder.takeError());
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(module, *context, "kernel");
  if (!translated) {
    error = "the emulator cannot translate a rewritten kernel to LLVM IR";
    return nullptr;
  }
  translated->setTargetTriple((*machine)->getTargetTriple());
  translated->setDataLayout((*machine)->createDataLayout());
  cleanUpHostCode(*translated, **machine);
  auto frameReport = std::make_unique<std::string>();
  for (llvm::Function &function : *translated)
    function.addFnAttr("warn-stack-size", std::to_string(kMaxFrameBytes));
  context->setDiagnosticHandler(std::make_unique<FrameWatch>(*frameReport));
  auto lljit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*builder)).create();
  if (!lljit)
    return fail(lljit.takeError());
  llvm::orc::SymbolMap symbols;
  for (const Entry &entry : entries())
    symbols[(*lljit)->mangleAndIntern(entry.name)] = {llvm::orc::ExecutorAddr::fromPtr(entry.address),
                                                      llvm::JITSymbolFlags::Exported};
  if (llvm::Error problem =
          (*lljit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return fail(std::move(problem));
  if (llvm::Error problem =
          (*lljit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(translated), std::move(context))))
    return fail(std::move(problem));
  return std::unique_ptr<Jit>(new Jit(std::move(frameReport), std::move(*lljit)));
}

void *Jit::lookup(llvm::StringRef symbol, std::string &error) {
  auto address = jit->lookup(symbol);
  if (!address) {
    error = "the emulator cannot compile a kernel for this CPU: " + llvm::toString(address.takeError());
    return nullptr;
  }
  if (!frameReport->empty()) {
    error = *frameReport;
    return nullptr;
  }
  return address->toPtr<void *>();
}
