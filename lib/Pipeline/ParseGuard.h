// Parsing of MLIR that may be damaged. LLVM's readers of text and bytecode can abort, loop or fill the memory
// on bytes that no writer made, so a child process parses, under limits, and hands back bytecode that it
// wrote itself; nothing else of the input is read here. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H
#define TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright {

/// What parsing may take.
struct ParseLimits {
  unsigned seconds;     ///< Of processor time; ten times as many on the clock.
  uint64_t memoryBytes; ///< Of address space beyond what this process has when it starts.

  /// 10 seconds and one more for every 4 MiB of input; 1 GiB and 64 bytes more for every byte of input.
  static ParseLimits forInput(uint64_t inputBytes) {
    return {unsigned(10 + (inputBytes >> 22)), (uint64_t(1) << 30) + 64 * inputBytes};
  }
};

/// The verified module in `text` (MLIR text or bytecode, called `name` in diagnostics), or null. What is
/// wrong with the program is printed by the child; that the child did not come back is an error at `loc`.
/// Call it before threads exist.
mlir::OwningOpRef<mlir::ModuleOp> parseInChild(mlir::Location loc, llvm::StringRef text, llvm::StringRef name,
                                               ParseLimits limits);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H
