// How tensors of the model enter the program: as constants when folding may need them, else as references.
#ifndef TILEWRIGHT_IMPORT_CONSTANTS_H
#define TILEWRIGHT_IMPORT_CONSTANTS_H

#include "NodeImport.h"

namespace tilewright::onnx {

/// Integers up to 4096 elements (shapes, axes, masks) and single floats (epsilons, scales) become
/// arith.constant, masks that are bands comparisons of indices; everything else becomes a graph.weight under
/// `key`, with the hash of its bytes.
/// `modelPath` is where external data is looked for. Fails with the reason.
llvm::Expected<ImportedValue> importTensor(mlir::OpBuilder &builder, mlir::Location loc, const Tensor &tensor,
                                           llvm::StringRef key, llvm::StringRef modelPath);

/// Whether `tensor` becomes a reference.
bool isReference(const Tensor &tensor);

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_CONSTANTS_H
