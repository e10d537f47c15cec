// The plan dialect: programs of launches, on tensors and then on buffers.
#ifndef TILEWRIGHT_DIALECT_PLAN_IR_PLAN_H
#define TILEWRIGHT_DIALECT_PLAN_IR_PLAN_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Tilewright/Dialect/Plan/IR/PlanDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanAttributes.h.inc"
#define GET_OP_CLASSES
#include "Tilewright/Dialect/Plan/IR/PlanOps.h.inc"

namespace tilewright::plan {

/// Bytes that one element takes in device memory: i1 takes one byte, index eight; 0 for types that have no
/// storage (integers of 4 bits).
int64_t storageBytes(mlir::Type element);

/// Bytes of a whole tensor in row-major order.
int64_t storageBytes(mlir::RankedTensorType type);

} // namespace tilewright::plan

#endif // TILEWRIGHT_DIALECT_PLAN_IR_PLAN_H
