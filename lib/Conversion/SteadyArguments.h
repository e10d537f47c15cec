// What kernels read that no kernel of their program writes.
#ifndef TILEWRIGHT_LIB_CONVERSION_STEADYARGUMENTS_H
#define TILEWRIGHT_LIB_CONVERSION_STEADYARGUMENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright {

/// By the name of a kernel: whether each of its arguments is, in all launches, an input or a weight of the
/// program.
llvm::StringMap<llvm::SmallVector<bool>> steadyArguments(mlir::ModuleOp module);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_STEADYARGUMENTS_H
