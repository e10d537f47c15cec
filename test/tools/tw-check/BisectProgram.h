// Which stage changes the values of a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_BISECTPROGRAM_H
#define TILEWRIGHT_TEST_BISECTPROGRAM_H

#include "CheckProgram.h"

namespace tilewright::check {

/// Runs `func` of `file` after every stage that can be run: import, graph and fuse on the reference, target
/// on the emulator. Prints how far each is from the fp64 reference of the program as it came, and names the
/// first that is farther than the tolerance; false when there is one. Each of `stageFiles`, `stage=file`,
/// gives the program after a stage, as --dump-stages writes it.
bool bisectProgram(mlir::ModuleOp file, mlir::func::FuncOp func, const CheckOptions &options,
                   llvm::ArrayRef<std::string> stageFiles);

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_BISECTPROGRAM_H
