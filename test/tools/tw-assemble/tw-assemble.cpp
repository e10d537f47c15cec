// Runs the ptx stage alone: reads a module with target-stage gpu.modules and prints PTX, resources, or what
// the cache and the workers did. For tests; users have tw-compile.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Ptx/Assemble.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewright;

static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<input.mlir>"),
                                        llvm::cl::Required);
static llvm::cl::list<std::string> archNames("arch", llvm::cl::desc("targets"), llvm::cl::CommaSeparated);
static llvm::cl::list<std::string> prints("print", llvm::cl::desc("ptx, resources, mlir, statistics"),
                                          llvm::cl::CommaSeparated);
static llvm::cl::opt<std::string> ptxas("ptxas", llvm::cl::desc("path of ptxas"));
static llvm::cl::opt<bool> cubins("cubins", llvm::cl::desc("make cubins"), llvm::cl::init(true));
static llvm::cl::opt<unsigned> jobs("jobs", llvm::cl::desc("worker processes"), llvm::cl::init(1));
static llvm::cl::opt<unsigned> timeLimit("time-limit", llvm::cl::desc("seconds a kernel"),
                                         llvm::cl::init(60));
static llvm::cl::opt<std::string> cacheDirectory("cache-dir", llvm::cl::desc("kernel cache"));
static llvm::cl::opt<unsigned> repeat("repeat", llvm::cl::desc("times to assemble"), llvm::cl::init(1));

static void printKernel(const AssembledKernel &kernel) {
  llvm::raw_ostream &out = llvm::outs();
  if (llvm::is_contained(prints, "ptx"))
    out << kernel.ptx;
  if (!llvm::is_contained(prints, "resources"))
    return;
  out << kernel.name << " " << kernel.arch->name << ": cubin " << (kernel.cubin.empty() ? "no" : "yes");
  if (kernel.resources)
    out << ", registers " << kernel.resources->registers << ", spill stores " << kernel.resources->spillStores
        << ", spill loads " << kernel.resources->spillLoads << ", stack " << kernel.resources->stackBytes
        << ", static shared " << kernel.resources->staticShared;
  out << "\n";
  for (const PtxasMessage &message : kernel.messages)
    out << "  [" << message.code << "] " << message.text << "\n";
}

int main(int argc, char **argv) {
  if (int code = maybeRunPtxWorker(argc, argv); code >= 0)
    return code;
  llvm::cl::ParseCommandLineOptions(argc, argv, "the ptx stage alone\n");
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                  NVVM::NVVMDialect, ptx::PtxDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, sources, &context);
  if (!module)
    return 1;
  std::vector<const Arch *> archs;
  for (const std::string &name : archNames) {
    std::string error;
    archs.push_back(lookupArch(name, &error));
    if (!archs.back()) {
      llvm::errs() << "error: " << error << "\n";
      return 1;
    }
  }
  AssembleOptions options;
  options.ptxas = ptxas;
  options.cubins = cubins;
  options.jobs = jobs;
  options.timeLimitSeconds = timeLimit;
  options.cache.directory = cacheDirectory;
  Assembler assembler(options);
  auto kernels = llvm::to_vector(module->getOps<gpu::GPUModuleOp>());
  bool failedAny = false;
  for (unsigned i = 0; i < repeat; ++i) {
    FailureOr<std::vector<AssembledKernel>> results = assembler.assemble(kernels, archs);
    failedAny |= failed(results);
    if (failed(results) || i + 1 < repeat)
      continue;
    for (const AssembledKernel &kernel : *results)
      printKernel(kernel);
    if (llvm::is_contained(prints, "mlir")) {
      for (auto [index, kernel] : llvm::enumerate(kernels))
        if (auto &resources = (*results)[index * archs.size()].resources)
          attachResources(kernel, *resources);
      module->print(llvm::outs());
    }
  }
  if (llvm::is_contained(prints, "statistics")) {
    Assembler::Statistics statistics = assembler.statistics();
    llvm::outs() << "assembled " << statistics.assembled << ", memory hits " << statistics.memoryHits
                 << ", directory hits " << statistics.directoryHits << ", workers started "
                 << statistics.workersStarted << ", lost " << statistics.workersLost << "\n";
  }
  return failedAny;
}
