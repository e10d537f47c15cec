// Reads an ONNX model (opsets 1 to 28) into one module of graph ops.
//
// Shapes are static after import: every symbolic dimension of an input gets its size from `inputShapes`.
// Shape arithmetic in the model (Shape, Gather, Concat, … feeding Reshape or Expand) is folded while ops are
// made. Large initializers become `graph.weight` references; WeightStore.h reads them when a package is
// written.
#ifndef TILEWRIGHT_IMPORT_ONNX_H
#define TILEWRIGHT_IMPORT_ONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>

namespace tilewright {

/// Sizes of one input, by input name.
using InputShapes = std::map<std::string, llvm::SmallVector<int64_t>>;

struct OnnxImportOptions {
  /// The model's file. It is written into the module's `graph.weight_files` as given.
  std::string path;
  /// The model itself, when it does not come from `path` (standard input): `path` then only names it.
  std::optional<llvm::StringRef> bytes;
  /// Shapes for one bucket; inputs whose shape the model fixes need no entry.
  InputShapes inputShapes;
  /// Whether the shapes are those of a bucket, which inputs may not fill: counts of elements stay open
  /// (`graph.count`).
  bool bucketed = false;
};

/// The model as a module with one function `@main`, whose arguments and results carry `graph.name`. Every op
/// is located at the name of its source node. On failure null, after one error per kind of problem:
///  - a file that is no ONNX model, or a malformed graph;
///  - input dimensions without a size: all of them, and the flag to pass;
///  - nodes that cannot be imported: all of them as notes, each with name, operator, opset and reason.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(mlir::MLIRContext &context, const OnnxImportOptions &options);

/// Parses one shape flag, `name=1x128` or `name=[1,128]` (`name=` is a scalar), into `shapes`. False, with
/// `error` set, when the text is not of that form.
bool parseInputShape(llvm::StringRef text, InputShapes &shapes, std::string &error);

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_ONNX_H
