// Static types for a model's inputs.
#ifndef TILEWRIGHT_IMPORT_INPUTSHAPES_H
#define TILEWRIGHT_IMPORT_INPUTSHAPES_H

#include "OnnxModel.h"

#include "Tilewright/Import/Onnx.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tilewright::onnx {

/// The types of the model's inputs in order, null for those that an initializer gives a default; failure
/// after errors.
mlir::LogicalResult resolveInputs(mlir::MLIRContext *context, const Model &model,
                                  const OnnxImportOptions &options,
                                  llvm::SmallVectorImpl<mlir::RankedTensorType> &types);

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_INPUTSHAPES_H
