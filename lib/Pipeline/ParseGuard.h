// Parsing of MLIR that may be damaged. LLVM's readers of text and bytecode can abort or loop on bytes that no
// writer made, so a child process tries first, under limits; the program is parsed here only when the child
// came through. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H
#define TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright {

/// Whether `text` (MLIR text or bytecode, called `name` in diagnostics) parses and verifies, found out in a
/// child process. What is wrong with the program is printed by the child; that the child did not come back is
/// an error at `loc`. Call it before threads exist.
bool parsesInChild(mlir::Location loc, llvm::StringRef text, llvm::StringRef name);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_PARSEGUARD_H
