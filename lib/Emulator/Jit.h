// Compiles a host module for this machine, pinned to x86-64-v3 so that the same package gives the same
// numbers on every machine.
#pragma once

#include "HostModule.h"

#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
}

namespace tilewright::emulator {

class Jit {
public:
  ~Jit();
  /// Null on failure, with a sentence in `error`. The module is no longer needed afterwards.
  static std::unique_ptr<Jit> compile(mlir::ModuleOp module, std::string &error);
  /// The address of a symbol; null on failure, with a sentence in `error`.
  void *lookup(llvm::StringRef symbol, std::string &error);

private:
  Jit(std::unique_ptr<std::string> frameReport, std::unique_ptr<llvm::orc::LLJIT> jit);
  /// Set when compiled code needs more stack than a fiber has.
  std::unique_ptr<std::string> frameReport;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace tilewright::emulator
