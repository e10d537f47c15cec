// tw-opt: one pass or pipeline at a time on MLIR text or bytecode, with all of MlirOptMain's flags.
// Upstream's dialects and passes are there too, so that any step of a lowering can be tried by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tilewright::registerAllTilewright(registry);
  mlir::registerAllPasses();
  tilewright::registerAllTilewrightPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tilewright optimizer driver\n", registry));
}
