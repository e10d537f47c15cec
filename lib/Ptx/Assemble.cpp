// The ptx stage: each kernel is reduced to what decides its code (no locations, no foreign attributes),
// looked up by that content, and otherwise sent to a worker. What comes back is read here, where the
// locations are.
#include "Tilewright/Ptx/Assemble.h"

#include "Cubin.h"
#include "KernelCache.h"
#include "Ptxas.h"
#include "WorkerPool.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Config/llvm-config.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ptxstage;

struct Assembler::State {
  AssembleOptions options;
  std::string ptxas;
  std::string toolchain;
  /// Why nothing can be assembled; empty when all is well.
  std::string unusable;
  WorkerPool pool;
  KernelCache cache;
  Statistics statistics;

  explicit State(AssembleOptions given)
      : options(std::move(given)), pool(options.jobs, options.timeLimitSeconds), cache(options.cache) {}
};

Assembler::Assembler(AssembleOptions options) : state(std::make_unique<State>(std::move(options))) {
  state->toolchain = "LLVM " LLVM_VERSION_STRING;
  if (!canStartWorkers())
    state->unusable = "this program cannot start ptx workers: its main does not call maybeRunPtxWorker";
  if (!state->options.cubins)
    return;
  state->ptxas = findPtxas(state->options.ptxas);
  if (state->ptxas.empty()) {
    if (!state->options.ptxas.empty())
      state->unusable = "ptxas '" + state->options.ptxas + "' is not an executable file";
    return;
  }
  std::string version = ptxasVersion(state->ptxas);
  if (version.empty())
    state->unusable = "'" + state->ptxas + " --version' fails";
  state->toolchain += ", ptxas " + version;
}

Assembler::~Assembler() = default;

const std::string &Assembler::ptxasPath() const { return state->ptxas; }
const std::string &Assembler::toolchain() const { return state->toolchain; }

Assembler::Statistics Assembler::statistics() const {
  Statistics result = state->statistics;
  result.workersStarted = state->pool.started();
  result.workersLost = state->pool.lost();
  return result;
}

//===----------------------------------------------------------------------===//
// Before the workers
//===----------------------------------------------------------------------===//

/// The one kernel of `module`, or null with an error.
static LLVM::LLVMFuncOp findKernel(gpu::GPUModuleOp module) {
  LLVM::LLVMFuncOp kernel;
  unsigned kernels = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    kernel = function;
    ++kernels;
  }
  if (kernels == 1)
    return kernel;
  module.emitError("gpu.module holds ") << kernels << " kernels (llvm.func with nvvm.kernel), 1 expected";
  return nullptr;
}

static ptx::LaunchAttr launchOf(LLVM::LLVMFuncOp kernel) {
  return kernel->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
}

static InFlightDiagnostic kernelError(LLVM::LLVMFuncOp kernel, const Arch &arch) {
  return emitError(kernel.getLoc()) << "kernel '" << kernel.getName() << "' for " << arch.name << ": ";
}

/// Limits that no compiler reports: a launch that asks for more than the chip has.
static LogicalResult checkLaunch(LLVM::LLVMFuncOp kernel, const Arch &arch, unsigned staticShared) {
  ptx::LaunchAttr launch = launchOf(kernel);
  if (!launch)
    return success();
  int64_t shared = launch.getShared() + staticShared;
  if (shared > arch.sharedBytesPerBlock)
    return kernelError(kernel, arch) << "needs " << shared << " bytes of shared memory, the limit is "
                                     << arch.sharedBytesPerBlock;
  if (launch.clusterSize() > 1 && !arch.clusters)
    return kernelError(kernel, arch) << "needs clusters of " << launch.clusterSize()
                                     << " blocks, the target has none";
  return success();
}

/// What `op` needs of a chip beyond what all have, by the name of the feature; empty when nothing.
static StringRef neededFeature(Operation *op, const Arch &arch) {
  if (!arch.wgmma &&
      (isa<ptx::WgmmaOp, ptx::WgmmaWaitOp, NVVM::WgmmaMmaAsyncOp, NVVM::WgmmaFenceAlignedOp,
           NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp, NVVM::SetMaxRegisterOp>(op)))
    return "warpgroup products (wgmma)";
  if (!arch.tma &&
      isa<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp, NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp,
          NVVM::MBarrierTryWaitParityOp, NVVM::MBarrierArriveExpectTxOp, NVVM::ElectSyncOp>(op))
    return "copies by tensor maps";
  if (!arch.dependentLaunch && isa<NVVM::GriddepcontrolOp>(op))
    return "programmatic dependent launch";
  if (!arch.tma && isa<NVVM::StMatrixOp>(op))
    return "stores of fragments (stmatrix)";
  return "";
}

/// Instructions that the chip has not, said at the first op that needs them: LLVM and ptxas would name none.
static LogicalResult checkFeatures(LLVM::LLVMFuncOp kernel, const Arch &arch) {
  WalkResult result = kernel.walk([&](Operation *op) {
    StringRef feature = neededFeature(op, arch);
    if (feature.empty())
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = kernelError(kernel, arch)
                                    << "needs " << feature << ", which the target has not";
    diagnostic.attachNote(op->getLoc()) << "first needed here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Blocks of a multiprocessor with which the grid is resident, and that it could have if registers did not
/// matter; empty where the launch is not known.
static std::pair<std::string, std::string> blocksOf(LLVM::LLVMFuncOp kernel, const Arch &arch) {
  ptx::LaunchAttr launch = launchOf(kernel);
  if (!launch)
    return {};
  unsigned allowed =
      occupancy(arch, (unsigned)launch.getBlock(), /*registers=*/1, (unsigned)launch.getShared()).blocksPerSM;
  return {std::to_string(llvm::divideCeil(launch.numBlocks(), arch.numSMs)), std::to_string(allowed)};
}

/// The module's bytecode with everything taken out that does not change its code: locations, names of
/// modules, attributes of other dialects. `ptx.launch` becomes `nvvm.reqntid`, since ptxas wants to know the
/// block.
static std::string canonicalBytecode(gpu::GPUModuleOp module, LLVM::LLVMFuncOp kernel) {
  MLIRContext *context = module.getContext();
  Location unknown = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> holder(ModuleOp::create(unknown));
  auto copy = cast<gpu::GPUModuleOp>(module->clone());
  holder->push_back(copy);
  copy.setName("kernel");
  auto kernelCopy = copy.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getName());
  ptx::LaunchAttr launch = launchOf(kernel);
  if (launch && !kernel->hasAttr("nvvm.reqntid") && !kernel->hasAttr("nvvm.maxntid"))
    kernelCopy->setAttr("nvvm.reqntid",
                        DenseI32ArrayAttr::get(context, {static_cast<int32_t>(launch.getBlock())}));
  copy->walk([&](Operation *op) {
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
    SmallVector<StringAttr> foreign;
    for (NamedAttribute attribute : op->getDiscardableAttrs()) {
      StringRef dialect = attribute.getName().strref().split('.').first;
      if (dialect != "nvvm" && dialect != "llvm")
        foreign.push_back(attribute.getName());
    }
    for (StringAttr name : foreign)
      op->removeDiscardableAttr(name);
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (StringRef name :
             {ptx::PtxDialect::getTensorMapAttrName(), ptx::PtxDialect::getTrueLengthAttrName(),
              ptx::PtxDialect::getWorkspaceAttrName(), ptx::PtxDialect::getFootprintAttrName()})
          function.removeArgAttr(i, name);
  });
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (failed(writeBytecodeToFile(*holder, stream)))
    return "";
  return bytecode;
}

//===----------------------------------------------------------------------===//
// After the workers
//===----------------------------------------------------------------------===//

/// Source names (of NameLocs) in the order in which the kernel's operations mention them.
static void collectSourceNames(Location loc, llvm::SetVector<StringRef> &names) {
  loc->walk([&](Location nested) {
    if (auto name = dyn_cast<NameLoc>(nested))
      names.insert(name.getName().strref());
    return WalkResult::advance();
  });
}

/// Comment lines that name the kernel and its source nodes. They are added here and not by the worker, so
/// that kernels alike in content share their result.
static std::string header(LLVM::LLVMFuncOp kernel) {
  llvm::SetVector<StringRef> names;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { collectSourceNames(op->getLoc(), names); });
  std::string text = ("// kernel: " + kernel.getName() + "\n").str();
  for (StringRef name : names) {
    text += "// source: ";
    for (char c : name)
      text += llvm::isPrint(c) ? c : '?';
    text += "\n";
  }
  return text;
}

/// The share of a kernel's instructions that lie in loops, as its PTX has them: between a label and the last
/// branch back to it (PTX ISA, bra).
static double shareInLoops(StringRef ptx) {
  llvm::StringMap<size_t> labels;
  size_t count = 0, inLoops = 0, counted = 0;
  SmallVector<std::pair<size_t, size_t>> loops;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    line = line.trim();
    if (line.starts_with("$L") && line.ends_with(":")) {
      labels[line.drop_back()] = count;
    } else if (line.ends_with(";") && !line.starts_with(".")) {
      ++count;
      auto target = labels.find(line.drop_back().rsplit('\t').second.trim());
      if (target != labels.end() && line.contains("bra"))
        loops.push_back({target->second, count});
    }
  }
  llvm::sort(loops);
  for (auto [begin, end] : loops) {
    inLoops += end > counted ? end - std::max(begin, counted) : 0;
    counted = std::max(counted, end);
  }
  return count ? (double)inLoops / (double)count : 0;
}

/// Reports what went wrong: ptxas' own complaints one by one, or the reason the worker gave.
static void reportFailure(LLVM::LLVMFuncOp kernel, const Arch &arch, const Reply &reply) {
  if (reply.error != "ptxas") {
    kernelError(kernel, arch) << reply.error;
    return;
  }
  KernelResources resources;
  std::vector<PtxasMessage> messages;
  parsePtxasLog(reply.ptxasLog, resources, messages);
  bool reported = false;
  for (const PtxasMessage &message : messages) {
    // "Ptx assembly aborted due to errors" after the errors themselves.
    if (message.severity != PtxasMessage::Severity::Error ||
        (reported && StringRef(message.text).contains("abort")))
      continue;
    kernelError(kernel, arch) << "ptxas: " << message.text;
    reported = true;
  }
  if (!reported)
    kernelError(kernel, arch) << "ptxas: " << StringRef(reply.ptxasLog).trim();
}

static void reportWarnings(LLVM::LLVMFuncOp kernel, const AssembledKernel &result) {
  for (const PtxasMessage &message : result.messages) {
    std::string code = message.code.empty() || message.code == "spill" ? "" : "(" + message.code + ") ";
    emitWarning(kernel.getLoc()) << "kernel '" << kernel.getName() << "' for " << result.arch->name
                                 << ": ptxas: " << code << message.text;
  }
}

void tilewright::reportWarnings(ModuleOp program, ArrayRef<AssembledKernel> kernels) {
  for (const AssembledKernel &kernel : kernels)
    if (auto module = program.lookupSymbol<gpu::GPUModuleOp>(kernel.name))
      ::reportWarnings(findKernel(module), kernel);
}

FailureOr<std::vector<AssembledKernel>> Assembler::assemble(ArrayRef<gpu::GPUModuleOp> kernels,
                                                            ArrayRef<const Arch *> archs) {
  if (kernels.empty())
    return std::vector<AssembledKernel>();
  if (!state->unusable.empty()) {
    emitError(gpu::GPUModuleOp(kernels.front()).getLoc()) << state->unusable;
    return failure();
  }
  /// One kernel for one arch.
  struct Job {
    LLVM::LLVMFuncOp kernel;
    const Arch *arch;
    std::string key;
  };
  std::vector<Job> jobs;
  std::vector<Request> requests;
  std::map<std::string, size_t> requestOfKey;
  llvm::StringMap<Reply> replyOfKey;
  bool failedAny = false;
  for (gpu::GPUModuleOp module : kernels) {
    LLVM::LLVMFuncOp kernel = findKernel(module);
    if (!kernel || failed(verify(module))) {
      failedAny = true;
      continue;
    }
    std::string bytecode = canonicalBytecode(module, kernel);
    for (const Arch *arch : archs) {
      if (!ptx::assemblesFor(kernel, arch->name))
        continue;
      if (failed(checkLaunch(kernel, *arch, /*staticShared=*/0)) || failed(checkFeatures(kernel, *arch))) {
        failedAny = true;
        continue;
      }
      auto [needed, allowed] = blocksOf(kernel, *arch);
      Request request{arch->name, arch->features, state->ptxas, bytecode, needed, allowed};
      Job job{kernel, arch, KernelCache::key(request, state->toolchain)};
      Reply reply;
      if (replyOfKey.count(job.key) || requestOfKey.count(job.key)) {
        ++state->statistics.memoryHits;
      } else if (auto source = state->cache.lookup(job.key, reply); source != KernelCache::Source::None) {
        bool memory = source == KernelCache::Source::Memory;
        ++(memory ? state->statistics.memoryHits : state->statistics.directoryHits);
        replyOfKey[job.key] = std::move(reply);
      } else {
        requestOfKey[job.key] = requests.size();
        requests.push_back(std::move(request));
      }
      jobs.push_back(std::move(job));
    }
  }

  std::vector<Reply> replies = state->pool.run(requests);
  state->statistics.assembled += requests.size();
  for (auto &[key, index] : requestOfKey) {
    if (replies[index].error.empty())
      state->cache.insert(key, replies[index]);
    replyOfKey[key] = std::move(replies[index]);
  }

  std::vector<AssembledKernel> results;
  for (Job &job : jobs) {
    const Reply &reply = replyOfKey[job.key];
    if (!reply.error.empty()) {
      reportFailure(job.kernel, *job.arch, reply);
      failedAny = true;
      continue;
    }
    AssembledKernel result;
    result.name = job.kernel.getName().str();
    result.arch = job.arch;
    result.ptx = header(job.kernel) + reply.ptx;
    result.cubin = reply.cubin;
    if (!reply.cubin.empty()) {
      parsePtxasLog(reply.ptxasLog, result.resources.emplace(), result.messages);
      result.resources->instructions = (unsigned)(codeIn(reply.cubin).size() / kInstructionBytes);
      result.resources->inLoops = (unsigned)(shareInLoops(reply.ptx) * result.resources->instructions);
      failedAny |= failed(checkLaunch(job.kernel, *job.arch, result.resources->staticShared));
    }
    if (state->options.warns)
      ::reportWarnings(job.kernel, result);
    results.push_back(std::move(result));
  }
  if (failedAny)
    return failure();
  return results;
}

void tilewright::attachResources(gpu::GPUModuleOp module, const KernelResources &resources) {
  auto attribute =
      ptx::ResourcesAttr::get(module.getContext(), resources.registers, resources.spillStores,
                              resources.spillLoads, resources.stackBytes, resources.staticShared);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      function->setAttr(ptx::PtxDialect::getResourcesAttrName(), attribute);
}
