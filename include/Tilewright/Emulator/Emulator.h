// The emulator for C++: loads target-stage modules and runs their kernels on the CPU. The C ABI of
// tilewright_emulator.h is a shell round this.
#pragma once

#include "Tilewright/Emulator/Machine.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace tilewright::emulator {

/// One launch of a kernel of a program.
struct KernelLaunch {
  std::string kernel;
  Extent grid;
  Extent block;
  /// Beyond what the module declares statically.
  uint32_t dynamicSharedBytes = 0;
  /// Pointers to the parameters' values, and their sizes.
  std::vector<void *> arguments;
  std::vector<size_t> argumentBytes;
  /// All global memory that the kernel may touch.
  std::vector<MemoryRegion> regions;
};

class Program {
public:
  ~Program();
  /// Reads a `builtin.module` of `gpu.module`s, as text or bytecode. Null on failure, with every diagnostic
  /// in `error`.
  static std::unique_ptr<Program> load(llvm::StringRef source, const MachineOptions &options,
                                       std::string &error);
  /// The same from IR; the module is left as it is.
  static std::unique_ptr<Program> load(mlir::ModuleOp module, const MachineOptions &options,
                                       std::string &error);

  /// Kernels in the order of the source.
  std::vector<std::string> kernels() const;
  /// Runs a kernel to its end. Kernels are compiled at their first launch.
  Fault launch(const KernelLaunch &launch);

private:
  struct Contents;
  std::unique_ptr<Contents> contents;
  explicit Program(std::unique_ptr<Contents> contents);
};

/// One synchronisation that was removed from a program, or weakened.
struct SyncMutant {
  std::string operation;
  std::string source;
  /// What running the mutant reported; empty if nothing did.
  std::string report;
};

/// Removes each barrier, arrival, fence, commit and wait of `source` in turn, and of arrivals that expect
/// bytes these bytes alone; makes each arrival at the cluster's barrier a relaxed one, and each barrier of
/// the cluster one of every block alone; and lets `run` try the program. A mutant survives where `run`
/// returns an empty string.
std::vector<SyncMutant> mutateSynchronisation(llvm::StringRef source, const MachineOptions &options,
                                              llvm::function_ref<std::string(Program &)> run,
                                              std::string &error);

} // namespace tilewright::emulator
