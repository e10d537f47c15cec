// The ptx stage: from kernels of the target stage to PTX and cubins, in worker processes, so that a crash of
// LLVM's NVPTX or of ptxas is a located error that names the kernel. Results are kept by content.
#ifndef TILEWRIGHT_PTX_ASSEMBLE_H
#define TILEWRIGHT_PTX_ASSEMBLE_H

#include "Tilewright/Ptx/ContentCache.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// A program whose assembler starts workers calls this first in `main`, before anything else:
///
///   if (int code = tilewright::maybeRunPtxWorker(argc, argv); code >= 0)
///     return code;
///
/// A worker is the same executable started with a hidden first argument. Returns -1 in every other process.
int maybeRunPtxWorker(int argc, char **argv);

/// What ptxas reported for a kernel; bytes, and registers of one thread.
struct KernelResources {
  unsigned registers = 0;
  unsigned spillStores = 0;
  unsigned spillLoads = 0;
  unsigned stackBytes = 0;
  unsigned staticShared = 0;
  /// Instructions of its code, those of loops once; and how many of them are in loops, about.
  unsigned instructions = 0;
  unsigned inLoops = 0;

  bool operator==(const KernelResources &other) const {
    return registers == other.registers && spillStores == other.spillStores &&
           spillLoads == other.spillLoads && stackBytes == other.stackBytes &&
           staticShared == other.staticShared && instructions == other.instructions &&
           inLoops == other.inLoops;
  }
};

/// One message of ptxas.
struct PtxasMessage {
  enum class Severity { Info, Warning, Error };
  Severity severity = Severity::Info;
  /// `C7510` of "(C7510) Potential Performance Loss…"; `spill` for spilled registers; else empty.
  std::string code;
  std::string text;
};

/// One kernel for one arch.
struct AssembledKernel {
  std::string name;
  const Arch *arch = nullptr;
  std::string ptx;
  /// Empty without ptxas.
  std::string cubin;
  /// Known when ptxas ran.
  std::optional<KernelResources> resources;
  std::vector<PtxasMessage> messages;
};

struct AssembleOptions {
  /// Path of ptxas. Empty: PATH, then the usual places of a CUDA installation.
  std::string ptxas;
  /// Make cubins where ptxas is found; without it, PTX only.
  bool cubins = true;
  /// Worker processes at a time.
  unsigned jobs = 1;
  /// Seconds one kernel may take for one arch.
  unsigned timeLimitSeconds = 120;
  /// The kernel cache across runs; without a folder results are kept in memory only.
  CacheOptions cache;
  /// Say at once what ptxas warns of; else reportWarnings does, of those kernels that remain.
  bool warns = true;
};

/// Spills and ptxas' performance warnings of those `kernels` that `program` holds, as located warnings.
void reportWarnings(mlir::ModuleOp program, llvm::ArrayRef<AssembledKernel> kernels);

/// The workers and the kernel cache. One of them serves a whole compilation; workers start when first needed
/// and live until the end.
class Assembler {
public:
  explicit Assembler(AssembleOptions options);
  ~Assembler();
  Assembler(const Assembler &) = delete;
  Assembler &operator=(const Assembler &) = delete;

  /// Assembles every kernel for every arch; the result is ordered by kernel, then by arch. Each gpu.module
  /// holds one kernel in target form. Errors are reported at the kernel's location, all of them before it
  /// returns; spills and ptxas' performance warnings are located warnings. The modules are not changed.
  mlir::FailureOr<std::vector<AssembledKernel>> assemble(llvm::ArrayRef<mlir::gpu::GPUModuleOp> kernels,
                                                         llvm::ArrayRef<const Arch *> archs);

  /// The ptxas in use; empty when there is none, or cubins were not asked for.
  const std::string &ptxasPath() const;
  /// What made the results: `LLVM 22.1.8, ptxas 13.0.88`, or `LLVM 22.1.8` alone.
  const std::string &toolchain() const;

  /// How the work was met, for reports and tests.
  struct Statistics {
    unsigned assembled = 0;
    unsigned memoryHits = 0;
    unsigned directoryHits = 0;
    unsigned workersStarted = 0;
    unsigned workersLost = 0;
  };
  Statistics statistics() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The ptxas that `option` names (empty: searched for), as an absolute path; empty when there is none.
std::string findPtxas(llvm::StringRef option);

/// Writes what ptxas reported as `ptx.resources` on the kernel of `module`.
void attachResources(mlir::gpu::GPUModuleOp module, const KernelResources &resources);

} // namespace tilewright

#endif // TILEWRIGHT_PTX_ASSEMBLE_H
