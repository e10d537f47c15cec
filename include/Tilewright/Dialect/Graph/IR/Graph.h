// The graph dialect: ops, attributes and interfaces of tensor programs.
#ifndef TILEWRIGHT_DIALECT_GRAPH_IR_GRAPH_H
#define TILEWRIGHT_DIALECT_GRAPH_IR_GRAPH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "Tilewright/Dialect/Graph/IR/GraphDialect.h.inc"
#include "Tilewright/Dialect/Graph/IR/GraphEnums.h.inc"
#include "Tilewright/Dialect/Graph/IR/GraphInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Graph/IR/GraphAttributes.h.inc"
#define GET_OP_CLASSES
#include "Tilewright/Dialect/Graph/IR/GraphOps.h.inc"

namespace tilewright::graph {

/// Whether `op` computes each result element from the operands' elements at the same index: arith, math,
/// gelu.
bool isElementwise(mlir::Operation *op);

/// `op` as a reduction, whose result lacks the reduced dimensions; null for scans, products and all
/// other ops.
ReductionOpInterface asReduction(mlir::Operation *op);

/// The dimension along which each result element of `op` depends on the whole row of its operands: of scans
/// and sorts, whose results have their operands' shape.
std::optional<int64_t> wholeRowDim(mlir::Operation *op);

/// Integers of at least 32 bits (tile or scalar, as `value`) that are ordered as the values are: NaN last,
/// zeros of both signs equal.
mlir::Value orderedKey(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// The type of a weight after its steps, or null with `error` set.
mlir::RankedTensorType weightTypeAfterSteps(WeightAttr weight, std::string &error);

/// `value` broadcast to `shape` by the numpy rule (aligned at the last dimension); `value` itself when equal.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        llvm::ArrayRef<int64_t> shape);

/// A splat constant of `type` (tensor or scalar) with the numeric value `number`.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double number);

} // namespace tilewright::graph

#endif // TILEWRIGHT_DIALECT_GRAPH_IR_GRAPH_H
