// Inputs of a case may decide shapes (axes, target shapes), which a compiled program must know. Import is
// tried with every input at run time, then with the parameters as constants, then with all of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunCase.h"
#include "CheckProgram.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::conformance;
using check::Outcome;
using reference::HostTensor;

//===-- Import --===//

namespace {
/// One attempt to import.
struct Imported {
  OwningOpRef<ModuleOp> module;
  /// The error's last note, or the error.
  std::string reason;
};

/// A file that is removed at the end.
struct TemporaryFile {
  SmallString<128> path;
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
};
} // namespace

static bool writeModel(const std::string &bytes, TemporaryFile &file) {
  if (file.path.empty() && llvm::sys::fs::createTemporaryFile("tw-conformance", "onnx", file.path))
    return false;
  std::error_code error;
  llvm::raw_fd_ostream os(file.path, error);
  os << bytes;
  os.close();
  return !error && !os.has_error();
}

static Imported importCase(MLIRContext &context, const Case &test, ArrayRef<bool> isConstant,
                           StringRef path) {
  Imported imported;
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    imported.reason = diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      imported.reason = note.str();
    return success();
  });
  ImportStage stage;
  stage.path = path.str();
  for (auto [tensor, constant] : llvm::zip_equal(test.inputs, isConstant)) {
    if (constant)
      continue;
    ShapeFlag flag{tensor.name, {}};
    for (int64_t size : tensor.shape)
      flag.dims.push_back({size});
    stage.shapes.push_back(flag);
  }
  imported.module = runImportStage(context, stage);
  // The file's name is of no interest.
  if (size_t at = imported.reason.find(path.str()); at != std::string::npos)
    imported.reason.replace(at, path.size(), "model");
  return imported;
}

//===-- Values --===//

/// Relative and absolute tolerance of a case with floats of these types: ONNX's own for fp32 and fp64, a few
/// roundings where there are 16 bits.
static std::pair<double, double> tolerance(func::FuncOp func) {
  std::pair<double, double> allowed = {1e-3, 1e-6};
  for (Type type : llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    double some = element.isBF16() ? 2e-2 : element.isF16() ? 2e-3 : 0;
    allowed = {std::max(allowed.first, some), std::max(allowed.second, some)};
  }
  return allowed;
}

/// Says where `result` differs from `expected`; empty when it does not.
static std::string difference(const HostTensor &result, const CaseTensor &expected,
                              std::pair<double, double> allowed) {
  if (result.type.getShape() != ArrayRef<int64_t>(expected.shape))
    return llvm::formatv("output '{0}' has shape [{1}], expected [{2}]", expected.name,
                         llvm::make_range(result.type.getShape().begin(), result.type.getShape().end()),
                         llvm::make_range(expected.shape.begin(), expected.shape.end()));
  if (result.bytes.size() != expected.bytes.size())
    return llvm::formatv("output '{0}' has {1} bytes, expected {2}", expected.name, result.bytes.size(),
                         expected.bytes.size());
  HostTensor wanted{result.type, expected.bytes};
  auto [rtol, atol] = allowed;
  int64_t count = expected.elements(), wrong = 0, first = 0;
  int64_t bytes = count ? expected.bytes.size() / count : 0;
  for (int64_t i = 0; i < count; ++i) {
    double a = result.at(i), b = wanted.at(i);
    bool close =
        expected.isDiscrete()
            ? std::equal(result.bytes.begin() + i * bytes, result.bytes.begin() + (i + 1) * bytes,
                         expected.bytes.begin() + i * bytes)
            : a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= atol + rtol * std::abs(b);
    if (!close && wrong++ == 0)
      first = i;
  }
  if (!wrong)
    return "";
  return llvm::formatv("{0} of {1} elements of output '{2}' differ; element {3} is {4}, expected {5}", wrong,
                       count, expected.name, first, result.at(first), wanted.at(first));
}

//===-- One case --===//

/// The inputs that are constants at each attempt.
static std::vector<SmallVector<bool>> attempts(const Case &test) {
  SmallVector<bool> none(test.inputs.size(), false), parameters = none, all(test.inputs.size(), true);
  for (size_t i = 1; i < test.inputs.size(); ++i)
    parameters[i] = test.inputs[i].isDiscrete() || test.inputs[i].elements() == 1;
  std::vector<SmallVector<bool>> result = {none};
  if (parameters != none)
    result.push_back(parameters);
  if (!all.empty() && all != parameters)
    result.push_back(all);
  return result;
}

static Verdict runImported(ModuleOp module, const Case &test, ArrayRef<bool> isConstant) {
  auto func = module.lookupSymbol<func::FuncOp>("main");
  std::vector<HostTensor> inputs, results;
  size_t next = 0;
  for (auto [tensor, constant] : llvm::zip_equal(test.inputs, isConstant)) {
    if (constant)
      continue;
    if (next >= func.getNumArguments())
      return {"failed", "the program has fewer inputs than the model"};
    auto type = cast<RankedTensorType>(func.getArgumentTypes()[next]);
    if (type.getShape() != ArrayRef<int64_t>(tensor.shape))
      return {"failed", "input '" + tensor.name + "' has another shape in the program"};
    if (func.getArgAttr(next, "graph.unsigned") ? !tensor.isUnsigned() : tensor.isUnsigned())
      return {"failed", "input '" + tensor.name + "' has lost its signedness"};
    inputs.push_back({type, tensor.bytes});
    ++next;
  }
  if (next != func.getNumArguments() || test.outputs.size() != func.getNumResults())
    return {"failed", "the program has other inputs or outputs than the model"};
  for (auto [i, tensor] : llvm::enumerate(test.outputs)) {
    if ((bool)func.getResultAttr(i, "graph.unsigned") != tensor.isUnsigned())
      return {"failed", "output '" + tensor.name + "' has lost its signedness"};
    results.push_back(reference::makeZeros(cast<RankedTensorType>(func.getResultTypes()[i])));
  }
  std::pair<double, double> allowed = tolerance(func);
  std::string messages;
  check::CheckOptions options;
  // The chip that tw-compile compiles for when it is told none.
  std::string unknown;
  options.target = lookupArch("sm_90a", &unknown);
  StageOptions stages = check::stageOptions(options);
  for (Stage stage : {Stage::Graph, Stage::Fuse, Stage::Tile, Stage::Schedule, Stage::Target}) {
    ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && messages.empty())
        messages = diagnostic.str();
      return success();
    });
    if (failed(check::runStage(module, stage, stages)))
      return messages.empty() ? Verdict{"failed", ("stage " + stageName(stage) + " fails in silence").str()}
                              : Verdict{"unsupported", ("stage " + stageName(stage) + ": " + messages).str()};
  }
  Outcome outcome = check::runTarget(module, inputs, results, options);
  if (outcome.verdict != check::Verdict::Equal)
    return {"failed", outcome.text};
  for (auto [result, expected] : llvm::zip_equal(results, test.outputs))
    if (std::string text = difference(result, expected, allowed); !text.empty())
      return {"failed", text};
  std::string constants;
  for (auto [tensor, constant] : llvm::zip_equal(test.inputs, isConstant))
    if (constant)
      constants += (constants.empty() ? "constant: " : ", ") + tensor.name;
  return {"passed", constants};
}

Verdict tilewright::conformance::runCase(MLIRContext &context, const Case &test) {
  if (!test.foreign.empty())
    return {"unsupported", "no tensor program: " + test.foreign};
  TemporaryFile file;
  std::string reason;
  for (ArrayRef<bool> isConstant : attempts(test)) {
    if (!writeModel(withConstants(test, isConstant), file))
      return {"failed", "cannot write a temporary file"};
    Imported imported = importCase(context, test, isConstant, file.path);
    if (imported.module)
      return runImported(*imported.module, test, isConstant);
    if (reason.empty())
      reason = imported.reason;
    if (imported.reason.empty())
      return {"failed", "import fails in silence"};
    // "… is not a constant", "… is not one constant number", "… is not the constant false"
    if (imported.reason.find("constant") == std::string::npos)
      return {"unsupported", imported.reason};
  }
  return {"unsupported", reason};
}
