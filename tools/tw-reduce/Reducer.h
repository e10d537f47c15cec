// Makes a program smaller while it stays interesting: while a test, run on each candidate as a file, ends
// with 0. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_TW_REDUCE_REDUCER_H
#define TILEWRIGHT_TOOLS_TW_REDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace tilewright {

/// Whether a program, which verifies, still shows what it is reduced for.
using Interesting = std::function<bool(mlir::ModuleOp)>;

/// The smallest interesting program that these steps find, repeated until none helps:
///   symbols    a function or kernel that is not needed goes
///   prefix     a function returns one of its values alone
///   inputs     operations become arguments, in chunks that shrink from half of them to one
///   bypass     an operation is replaced by an operand of its type
///   arguments  arguments that nothing reads go
///   shapes     all dimensions of one size become smaller, alone or with their multiples
/// Functions are func.func with one block; others are kept or removed whole. `program` is interesting.
mlir::OwningOpRef<mlir::ModuleOp> reduceProgram(mlir::OwningOpRef<mlir::ModuleOp> program,
                                                const Interesting &interesting);

} // namespace tilewright

#endif // TILEWRIGHT_TOOLS_TW_REDUCE_REDUCER_H
