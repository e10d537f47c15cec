// The passes of the import stage on MLIR programs.
#ifndef TILEWRIGHT_IMPORT_PASSES_TD
#define TILEWRIGHT_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertUpstreamToGraph : Pass<"convert-upstream-to-graph", "::mlir::ModuleOp"> {
  let summary = "Import linalg, tensor and tosa programs as graph programs";
  let description = [{
    Structured operations, named or generic, are read from their maps, iterators and body: parallel ones become
    elementwise arithmetic on views, sums of products `graph.matmul`, other reductions `graph.reduce`. Operations of
    tensor and tosa have a translation each. Every operation that is not understood is an error of its own; nothing is
    changed then. Functions have one block and tensors of static shape. Sums of 16-bit floats are held in fp32 and
    rounded once; docs/HowTo/CompileMlir.md lists the operations.

    ```mlir
    func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = graph.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
      %1 = arith.addf %c, %0 : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // TILEWRIGHT_IMPORT_PASSES_TD
