// Code for the CPU that this process runs on. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_HOSTCODE_CLEANUP_H
#define TILEWRIGHT_HOSTCODE_CLEANUP_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilewright {

/// Removes what is redundant and moves what is invariant out of loops: what makes code that runs once or a
/// few times faster than it takes to compile. LLVM's default pipeline takes longer than such code runs: it
/// unrolls and vectorizes every loop, and parts of it are quadratic in the large blocks that kernels have.
void cleanUpHostCode(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilewright

#endif // TILEWRIGHT_HOSTCODE_CLEANUP_H
