// tw-lsp-server: the MLIR language server with our dialects: diagnostics, definitions, uses and hovers in an
// editor. docs/HowTo/SetUpAnEditor.md shows how to have it started. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Pipeline/Register.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tilewright::registerAllTilewright(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
