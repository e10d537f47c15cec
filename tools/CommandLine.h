// What every tool with LLVM's command line does before it declares flags of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_COMMANDLINE_H
#define TILEWRIGHT_TOOLS_COMMANDLINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

namespace tilewright {

/// LLVM registers the flags of its code generators in every program. Ours have their own: those are taken
/// out.
inline void dropLLVMFlags() {
  llvm::SmallVector<llvm::cl::Option *> inherited;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "version" && name != "color")
      inherited.push_back(option);
  for (llvm::cl::Option *option : inherited)
    option->removeArgument();
}

} // namespace tilewright

#endif // TILEWRIGHT_TOOLS_COMMANDLINE_H
