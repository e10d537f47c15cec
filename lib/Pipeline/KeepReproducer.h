// What a compilation leaves behind when it fails and --reproducer asks for it: the program before the stage
// that failed, or the input without its weights, with the options and the log. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_LIB_PIPELINE_KEEPREPRODUCER_H
#define TILEWRIGHT_LIB_PIPELINE_KEEPREPRODUCER_H

#include "Tilewright/Pipeline/Driver.h"

namespace tilewright {

/// A stage that is about to run, or has failed.
struct StageAttempt {
  Stage stage = Stage::Import;
  /// The program before it, as text that re-enters; empty when the input is what it works on.
  std::string program;
  /// The input's bytes, and whether they are an ONNX model.
  llvm::StringRef input;
  bool isOnnx = false;
  /// What was said; empty while nothing has failed.
  std::string log;
};

/// Writes the bundle to options.reproducer; a sentence on failure, else an empty string.
std::string keepReproducer(const CompileOptions &options, const StageAttempt &attempt,
                           llvm::StringRef toolchain);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_PIPELINE_KEEPREPRODUCER_H
