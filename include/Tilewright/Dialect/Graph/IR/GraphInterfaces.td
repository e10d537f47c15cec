// What passes ask of graph ops: how the value of a result tile is computed, and what a reduction is.
#ifndef TILEWRIGHT_GRAPH_INTERFACES_TD
#define TILEWRIGHT_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::tilewright::graph";
  let description = [{
    A reduction as five functions on a state of one or more values. The functions build elementwise ops only,
    so that a state may be scalars or whole tiles; `merge` must be associative, and is used between registers,
    lanes, warps, blocks and loop iterations alike.
  }];
  let methods = [
    InterfaceMethod<"The dimensions of operand 0 that are reduced.",
      "::llvm::SmallVector<int64_t>", "getReducedDims">,
    InterfaceMethod<"Element types of the state.",
      "::llvm::SmallVector<::mlir::Type>", "getStateTypes">,
    InterfaceMethod<"The state of nothing seen yet, as one attribute per state value.",
      "::llvm::SmallVector<::mlir::TypedAttr>", "getIdentity">,
    InterfaceMethod<"The state of one element seen.",
      "::llvm::SmallVector<::mlir::Value>", "step", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::Value":$element)>,
    InterfaceMethod<"The state of both inputs seen, `lhs` before `rhs`.",
      "::llvm::SmallVector<::mlir::Value>", "merge", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
    InterfaceMethod<"The result from the final state.",
      "::mlir::Value", "finish", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::ValueRange":$state)>,
  ];
}

def Graph_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::tilewright::graph";
  let description = "Arithmetic of one op, for the traffic model and the static roofline.";
  let methods = [
    InterfaceMethod<"Floating-point operations of the whole op (a fused multiply-add counts two).",
      "int64_t", "getFlops">,
  ];
}

#endif // TILEWRIGHT_GRAPH_INTERFACES_TD
