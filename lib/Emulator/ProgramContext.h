// The dialects that target-stage programs use, and diagnostics as text.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <string>

namespace tilewright::emulator {

/// A context with the dialects of the target stage.
std::unique_ptr<mlir::MLIRContext> makeProgramContext();
/// Lets `context` translate host modules to LLVM IR.
void registerHostTranslation(mlir::MLIRContext &context);

/// While it lives, errors of `context` are appended to a string, a line each, with their location.
class DiagnosticText {
public:
  DiagnosticText(mlir::MLIRContext &context, std::string &text);
  ~DiagnosticText();

private:
  mlir::MLIRContext &context;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace tilewright::emulator
