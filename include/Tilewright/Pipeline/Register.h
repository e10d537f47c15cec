// The dialects and passes of this project, registered in one place for every tool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_REGISTER_H
#define TILEWRIGHT_PIPELINE_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilewright {

/// Adds every dialect that a program of ours may hold at any stage, with the external models that the passes
/// need: our four, and the upstream ones that the stages use.
void registerAllTilewright(mlir::DialectRegistry &registry);

/// Adds every pass of ours to the global pass registry, under its command-line name.
void registerAllTilewrightPasses();

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_REGISTER_H
