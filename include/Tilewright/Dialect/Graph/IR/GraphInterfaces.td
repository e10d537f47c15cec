// What passes ask of graph ops: how the value of a result tile is computed, and what a reduction is.
#ifndef TILEWRIGHT_GRAPH_INTERFACES_TD
#define TILEWRIGHT_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::tilewright::graph";
  let description = [{
    A reduction, or a running one (scan), as functions on a state of one or more values. The functions build
    elementwise ops only, so that a state may be scalars or whole tiles; `merge` must be associative, and is used
    between registers, lanes, warps, blocks and loop iterations alike. A reduction (not a scan) is also merged out
    of order, so its `merge` must be commutative.

    A reduction whose elements are taken relative to the result of another one over the same dimensions (the sum of
    exp(x - max)) names it by `getReference`. It can then run in the same pass: partial states relative to the
    other's partial result are moved by `rescale`.
  }];
  let methods = [
    InterfaceMethod<"The dimensions of operand 0 that are reduced.",
      "::llvm::SmallVector<int64_t>", "getReducedDims">,
    InterfaceMethod<"Element types of the state.",
      "::llvm::SmallVector<::mlir::Type>", "getStateTypes">,
    InterfaceMethod<"The state of nothing seen yet, as one attribute per state value.",
      "::llvm::SmallVector<::mlir::TypedAttr>", "getIdentity">,
    InterfaceMethod<"Whether `step` takes the index of the element along the one reduced dimension.",
      "bool", "needsIndex", (ins), "", "return false;">,
    InterfaceMethod<"The state of one element seen. `index` is an i32, null unless `needsIndex`.",
      "::llvm::SmallVector<::mlir::Value>", "step", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::Value":$element, "::mlir::Value":$index)>,
    InterfaceMethod<"The state of both inputs seen, `lhs` before `rhs`.",
      "::llvm::SmallVector<::mlir::Value>", "merge", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
    InterfaceMethod<"The result from the final state.",
      "::mlir::Value", "finish", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
        "::mlir::ValueRange":$state)>,
    InterfaceMethod<[{The result of the reduction that the operand's elements are taken relative to, or null when
      there is none that `rescale` knows.}],
      "::mlir::Value", "getReference", (ins), "", "return {};">,
    InterfaceMethod<"A state of elements relative to `from`, as it is relative to `to`.",
      "::llvm::SmallVector<::mlir::Value>", "rescale", (ins "::mlir::OpBuilder &":$builder,
        "::mlir::Location":$loc, "::mlir::ValueRange":$state, "::mlir::Value":$from, "::mlir::Value":$to), "",
      "return ::llvm::SmallVector<::mlir::Value>(state.begin(), state.end());">,
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
