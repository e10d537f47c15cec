// A case through import, every stage and the emulator. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_TEST_RUNCASE_H
#define TILEWRIGHT_TEST_RUNCASE_H

#include "CaseFile.h"

#include "mlir/IR/MLIRContext.h"

namespace tilewright::conformance {

/// How a case fared: the words of the result files.
///  passed       the values are the expected ones
///  unsupported  a located error says what is missing
///  failed       other values, or something broke
struct Verdict {
  std::string word;
  /// What is missing or wrong; for a case that passed, which inputs had to be constants.
  std::string reason;
};

/// Compiles and runs `test`. Inputs that decide shapes become constants where import asks for it.
Verdict runCase(mlir::MLIRContext &context, const Case &test);

} // namespace tilewright::conformance

#endif // TILEWRIGHT_TEST_RUNCASE_H
