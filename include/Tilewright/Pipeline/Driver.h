// The driver: one compilation from a file to a file, through the stages asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_DRIVER_H
#define TILEWRIGHT_PIPELINE_DRIVER_H

#include "Tilewright/Pipeline/Golden.h"
#include "Tilewright/Pipeline/Report.h"
#include "Tilewright/Pipeline/Stages.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"

#include <functional>

namespace tilewright {

/// What is written at the end.
enum class Emit {
  Program, ///< MLIR, as the last stage left it.
  Ptx,     ///< The PTX of every kernel and arch, one after another.
  Cubin,   ///< The cubin of the one kernel for the one arch.
  Package,
  Tuning, ///< A folder with each kernel of the fuse stage under the schedules that it can have.
  CStub   ///< A package, and a header and source beside it that make it a C function.
};

struct CompileOptions {
  /// A path, or "-" for standard input.
  std::string input;
  /// A path, "-" for standard output, or empty: nothing is written.
  std::string output;
  StageOptions stages;
  /// The first stage to run; by default import for ONNX, and for MLIR the one after the stage that the file's
  /// first line names (as dumps do), else graph.
  std::optional<Stage> startFrom;
  /// The last stage to run.
  Stage stopAfter = Stage::Package;
  Emit emit = Emit::Package;
  /// The folder for the form after every stage; empty: none.
  std::string dumpDirectory;
  /// Check every stage's contract.
  bool verifyStages = false;
  /// The weights go to a file beside the package.
  bool externalWeights = false;
  /// Golden vectors for the package.
  GoldenOptions golden;
  /// Of a C stub: the package is a part of the object file, or opened beside the running program.
  bool embedPackage = true;
  /// Of tuning: how many schedules of a kernel, the best by the model.
  unsigned schedules = 8;
  /// Where the files that the output was made from are listed, as a Makefile rule; empty: nowhere.
  std::string depfile;
  /// Where a failure leaves a bundle that fails again (Package/Reproducer.h); empty: nowhere. It is there
  /// while a stage runs, so that a crash leaves it too.
  std::string reproducer;
  /// The options above as flags, for the bundle.
  std::vector<std::string> reproducerArguments;
  /// Applied to every pass manager: printing, timing, crash reproducers of the command line.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configurePasses;
  /// Where stages are timed; may be inactive.
  mlir::TimingScope *timing = nullptr;
};

/// Compiles. Errors are diagnostics of `context`; `report` has what was reached. The output is complete or
/// absent.
mlir::LogicalResult compile(mlir::MLIRContext &context, const CompileOptions &options, CompileReport &report);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_DRIVER_H
