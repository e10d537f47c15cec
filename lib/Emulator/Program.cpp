// Programs: parsing, one host module per gpu.module, compilation at first launch, launches.
#include "Tilewright/Emulator/Emulator.h"

#include "HostModule.h"
#include "Jit.h"
#include "ProgramContext.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright::emulator;

namespace {
/// A host module and, once one of its kernels has run, its code.
struct LoadedModule {
  HostModule host;
  std::unique_ptr<Jit> jit;
  std::vector<MemoryRegion> variables;
};
struct KernelReference {
  size_t module;
  size_t kernel;
};
} // namespace

struct Program::Contents {
  explicit Contents(const MachineOptions &options) : machine(options) {}
  /// Null when the IR belongs to the caller's context.
  std::unique_ptr<MLIRContext> context;
  std::vector<std::unique_ptr<LoadedModule>> modules;
  llvm::StringMap<KernelReference> kernels;
  std::vector<std::string> names;
  Machine machine;
};

Program::Program(std::unique_ptr<Contents> contents) : contents(std::move(contents)) {}
Program::~Program() = default;

std::vector<std::string> Program::kernels() const { return contents->names; }

/// Whether this CPU runs what the JIT makes.
static bool isCpuGoodEnough() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("f16c");
#else
  return true;
#endif
}

std::unique_ptr<Program> Program::load(ModuleOp module, const MachineOptions &options, std::string &error) {
  if (!isCpuGoodEnough()) {
    error = "the emulator needs a CPU with AVX2, FMA, BMI2 and F16C (x86-64-v3)";
    return nullptr;
  }
  registerHostTranslation(*module.getContext());
  DiagnosticText text(*module.getContext(), error);
  auto contents = std::make_unique<Contents>(options);
  for (Operation &op : *module.getBody()) {
    auto source = dyn_cast<gpu::GPUModuleOp>(op);
    if (!source) {
      op.emitError() << "the emulator expects gpu.module operations, not '" << op.getName() << "'";
      return nullptr;
    }
    auto loaded = std::make_unique<LoadedModule>();
    auto host = buildHostModule(source);
    if (failed(host))
      return nullptr;
    loaded->host = std::move(*host);
    if (failed(loaded->host.module->verify()))
      return nullptr;
    for (auto [index, kernel] : llvm::enumerate(loaded->host.kernels)) {
      if (!contents->kernels.try_emplace(kernel.name, KernelReference{contents->modules.size(), index})
               .second) {
        source.emitError() << "kernel '" << kernel.name << "' is defined twice";
        return nullptr;
      }
      contents->names.push_back(kernel.name);
    }
    contents->modules.push_back(std::move(loaded));
  }
  if (contents->names.empty()) {
    error = "the program holds no kernel: no llvm.func with nvvm.kernel in a gpu.module";
    return nullptr;
  }
  return std::unique_ptr<Program>(new Program(std::move(contents)));
}

std::unique_ptr<Program> Program::load(llvm::StringRef source, const MachineOptions &options,
                                       std::string &error) {
  std::unique_ptr<MLIRContext> context = makeProgramContext();
  OwningOpRef<ModuleOp> module;
  {
    DiagnosticText text(*context, error);
    module = parseSourceString<ModuleOp>(source, context.get(), "program");
  }
  if (!module) {
    if (error.empty())
      error = "the program does not parse";
    return nullptr;
  }
  std::unique_ptr<Program> program = load(*module, options, error);
  if (program)
    program->contents->context = std::move(context);
  return program;
}

static Fault refuse(const std::string &sentence) { return {FaultKind::Limit, sentence}; }

/// Compiles a module and finds where its variables lie.
static bool compile(LoadedModule &module, std::string &error) {
  if (module.jit)
    return true;
  std::unique_ptr<Jit> jit = Jit::compile(*module.host.module, error);
  if (!jit)
    return false;
  for (const HostVariable &variable : module.host.variables) {
    void *address = jit->lookup(variable.symbol, error);
    if (!address)
      return false;
    module.variables.push_back(
        {reinterpret_cast<uintptr_t>(address), variable.bytes, variable.name, variable.writable});
  }
  module.jit = std::move(jit);
  return true;
}

Fault Program::launch(const KernelLaunch &launch) {
  auto found = contents->kernels.find(launch.kernel);
  if (found == contents->kernels.end())
    return refuse("the program has no kernel '" + launch.kernel + "'");
  LoadedModule &module = *contents->modules[found->second.module];
  const HostKernel &kernel = module.host.kernels[found->second.kernel];
  if (launch.arguments.size() != kernel.parameterBytes.size())
    return refuse("kernel " + launch.kernel + " takes " + std::to_string(kernel.parameterBytes.size()) +
                  " arguments, not " + std::to_string(launch.arguments.size()));
  for (size_t i = 0; i < launch.argumentBytes.size(); ++i)
    if (launch.argumentBytes[i] != kernel.parameterBytes[i])
      return refuse("argument " + std::to_string(i) + " of kernel " + launch.kernel + " has " +
                    std::to_string(kernel.parameterBytes[i]) + " bytes, not " +
                    std::to_string(launch.argumentBytes[i]));
  const uint32_t extents[] = {launch.block.x, launch.block.y, launch.block.z};
  for (size_t i = 0; i < kernel.requiredBlock.size() && i < 3; ++i)
    if (extents[i] != kernel.requiredBlock[i])
      return refuse("kernel " + launch.kernel + " is compiled for " +
                    std::to_string(kernel.requiredBlock[i]) + " threads in dimension " + std::to_string(i) +
                    ", not " + std::to_string(extents[i]));
  if (kernel.maxThreads && launch.block.count() > kernel.maxThreads)
    return refuse("kernel " + launch.kernel + " is compiled for at most " +
                  std::to_string(kernel.maxThreads) + " threads a block, not " +
                  std::to_string(launch.block.count()));
  std::string error;
  if (!compile(module, error))
    return refuse(error);
  void *function = module.jit->lookup(kernel.symbol, error);
  if (!function)
    return refuse(error);
  Launch request;
  request.function = reinterpret_cast<KernelFunction>(function);
  request.kernel = launch.kernel;
  request.grid = launch.grid;
  request.block = launch.block;
  request.sharedBytes = module.host.staticSharedBytes + launch.dynamicSharedBytes;
  request.arguments = launch.arguments.data();
  request.regions = launch.regions;
  request.regions.insert(request.regions.end(), module.variables.begin(), module.variables.end());
  request.sites = &module.host.sites;
  request.cluster = kernel.cluster;
  request.usesAsyncProxy = module.host.usesAsyncProxy;
  request.usesFlags = module.host.usesFlags;
  request.takesTickets = module.host.takesTickets;
  request.registersAtEntry = kernel.registersAtEntry;
  request.awaitsGrid = kernel.awaitsGrid;
  return contents->machine.run(request);
}
