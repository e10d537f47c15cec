// The passes of the CPU reference.
#ifndef TILEWRIGHT_REFERENCE_PASSES_TD
#define TILEWRIGHT_REFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ReferenceWidenFloats : Pass<"reference-widen-floats"> {
  let summary = "Compute everything in fp64";
  let description = [{
    Every float element type becomes f64, in values, constants and function types; casts between float types go away,
    but for those to 8-bit floats, which round: a program that quantizes computes with what it quantized.
    A program and its bf16 form so give the same values, and what is left of a difference is a fault of a pass and not
    of rounding. Weights must have become arguments before; bitcasts of floats are refused.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xbf16> {
      %c = arith.constant dense<2.5> : tensor<4xf32>
      %y = arith.mulf %x, %c : tensor<4xf32>
      %n = arith.truncf %y : tensor<4xf32> to tensor<4xbf16>
      return %n : tensor<4xbf16>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
      %c = arith.constant dense<2.500000e+00> : tensor<4xf64>
      %y = arith.mulf %x, %c : tensor<4xf64>
      return %y : tensor<4xf64>
    }
    ```
  }];
}

def ConvertGraphToLinalg : Pass<"convert-graph-to-linalg"> {
  let summary = "Lower graph ops to upstream linalg on tensors, for the CPU";
  let description = [{
    Movement ops become `linalg.generic` ops that extract the element they need; matmuls and reductions become
    `linalg.generic` with loops in an order that LLVM vectorizes (batch, M, K, N). Narrow floats accumulate in fp32.
    Run `graph-decompose-attention` and `graph-decompose-named` first; a `graph.weight` is an error, since only
    `runReference` has the data. Elementwise arith and math stay.

    ```mlir
    func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32> {
      %r = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
      return %r : tensor<6xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32> {
      %r = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
      return %r : tensor<6xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ReferenceOutlineLoops : Pass<"reference-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Give every linalg op on buffers a function of its own, equal ones the same";
  let description = [{
    LLVM's time on a function grows faster than the number of its loops, and a network repeats its layers. Each
    linalg op becomes a call; ops that differ in their operands only share one function. No number changes.

    ```mlir
    func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
      return
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
      call @loops_0(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
      call @loops_0(%y, %x) : (memref<4xf32>, memref<4xf32>) -> ()
      return
    }
    func.func private @loops_0(%in: memref<4xf32>, %out: memref<4xf32>) attributes {passthrough = ["noinline"]} {
      linalg.exp ins(%in : memref<4xf32>) outs(%out : memref<4xf32>)
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ReferenceExpandFloat8 : Pass<"reference-expand-float8"> {
  let summary = "Conversions of 8-bit floats as arithmetic that the host has";
  let description = [{
    `arith.extf` from and `arith.truncf` to f8E4M3FN and f8E5M2, on scalars, become arithmetic of integers and fp32:
    round to nearest even; beyond the largest number infinity, in f8E4M3FN not-a-number.

    ```mlir
    func.func @widen(%x: f8E5M2) -> f32 {
      %y = arith.extf %x : f8E5M2 to f32
      return %y : f32
    }
    ```
    ==>
    ```mlir
    ...
        %byte = arith.bitcast %x : f8E5M2 to i8
        %bits = arith.extui %byte : i8 to i32
    ...
        %scaled = arith.mulf %small, %scale : f32
    ...
        %number = arith.bitcast %chosen : i32 to f32
        return %number : f32
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TILEWRIGHT_REFERENCE_PASSES_TD
