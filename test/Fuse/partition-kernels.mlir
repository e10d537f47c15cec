// fuse-partition-kernels: what becomes one kernel, and what does not.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels | FileCheck %s

// An epilogue joins its product: bias, residual and activation.
// CHECK-LABEL: plan.program @epilogue
// CHECK: plan.launch @matmul_tanh
// CHECK-NOT: plan.launch
// CHECK: graph.kernel anchor(matmul) @matmul_tanh
func.func @epilogue(%x: tensor<8x64xf32> {graph.name = "x"}, %w: tensor<64x32xf32> {graph.name = "w"},
                    %b: tensor<32xf32> {graph.name = "b"}, %r: tensor<8x32xf32> {graph.name = "r"})
    -> (tensor<8x32xf32> {graph.name = "y"}) {
  %0 = graph.matmul %x, %w : tensor<8x64xf32>, tensor<64x32xf32> to tensor<8x32xf32>
  %1 = graph.broadcast %b dims = [1] : tensor<32xf32> to tensor<8x32xf32>
  %2 = arith.addf %0, %1 : tensor<8x32xf32>
  %3 = arith.addf %2, %r : tensor<8x32xf32>
  %4 = math.tanh %3 : tensor<8x32xf32>
  return %4 : tensor<8x32xf32>
}

// -----

// What computes an operand element by element joins the product's kernel (join-prologues.mlir).
// CHECK-LABEL: plan.program @prologue
// CHECK: plan.launch @matmul(
// CHECK-NOT: plan.launch
func.func @prologue(%x: tensor<8x64xf32> {graph.name = "x"}, %w: tensor<64x32xf32> {graph.name = "w"})
    -> (tensor<8x32xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x64xf32>
  %1 = graph.matmul %0, %w : tensor<8x64xf32>, tensor<64x32xf32> to tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// A norm with the residual before it is one kernel with both results.
// CHECK-LABEL: plan.program @norm
// CHECK: %[[K:.*]]:2 = plan.launch @[[NAME:.*]](%{{.*}}, %{{.*}}) : (tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK-NEXT: plan.return %[[K]]#1, %[[K]]#0
// CHECK: graph.kernel anchor(reduction) @[[NAME]]
func.func @norm(%x: tensor<4x16xf32> {graph.name = "x"}, %r: tensor<4x16xf32> {graph.name = "r"})
    -> (tensor<4x16xf32> {graph.name = "y"}, tensor<4x16xf32> {graph.name = "sum"}) {
  %0 = arith.addf %x, %r : tensor<4x16xf32>
  %1 = arith.mulf %0, %0 : tensor<4x16xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<4x16xf32> to tensor<4xf32>
  %3 = math.rsqrt %2 : tensor<4xf32>
  %4 = graph.broadcast %3 dims = [0] : tensor<4xf32> to tensor<4x16xf32>
  %5 = arith.mulf %0, %4 : tensor<4x16xf32>
  return %5, %0 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// Softmax: two reductions over the same dimension are one kernel.
// CHECK-LABEL: plan.program @softmax
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: graph.kernel anchor(reduction)
func.func @softmax(%x: tensor<4x16xf32> {graph.name = "x"}) -> (tensor<4x16xf32> {graph.name = "y"}) {
  %0 = graph.reduce max %x dims = [1] : tensor<4x16xf32> to tensor<4xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x16xf32>
  %2 = arith.subf %x, %1 : tensor<4x16xf32>
  %3 = math.exp %2 : tensor<4x16xf32>
  %4 = graph.reduce sum %3 dims = [1] : tensor<4x16xf32> to tensor<4xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<4xf32> to tensor<4x16xf32>
  %6 = arith.divf %3, %5 : tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

// Reductions over different dimensions are one kernel where its tile holds both.
// CHECK-LABEL: plan.program @rows_and_columns
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @rows_and_columns(%x: tensor<4x16xf32> {graph.name = "x"})
    -> (tensor<4xf32> {graph.name = "rows"}, tensor<16xf32> {graph.name = "columns"}) {
  %0 = math.exp %x : tensor<4x16xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<4x16xf32> to tensor<4xf32>
  %2 = graph.reduce sum %0 dims = [0] : tensor<4x16xf32> to tensor<16xf32>
  return %1, %2 : tensor<4xf32>, tensor<16xf32>
}

// -----

// No tile holds both: they are two kernels.
// CHECK-LABEL: plan.program @long_rows_and_columns
// CHECK-COUNT-2: plan.launch
func.func @long_rows_and_columns(%x: tensor<400x1600xf32> {graph.name = "x"})
    -> (tensor<400xf32> {graph.name = "rows"}, tensor<1600xf32> {graph.name = "columns"}) {
  %0 = math.exp %x : tensor<400x1600xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<400x1600xf32> to tensor<400xf32>
  %2 = graph.reduce sum %0 dims = [0] : tensor<400x1600xf32> to tensor<1600xf32>
  return %1, %2 : tensor<400xf32>, tensor<1600xf32>
}

// -----

// No cycle: the sum cannot join the first kernel, which the product between them needs.
// CHECK-LABEL: plan.program @no_cycle
// CHECK: %[[E:.*]] = plan.launch @exp(
// CHECK-NEXT: %[[M:.*]] = plan.launch @matmul_addf(%[[E]])
// CHECK-NEXT: plan.return %[[M]]
func.func @no_cycle(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x8xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.matmul %0, %0 : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Equal kernels are one symbol, launched twice with different weights.
// CHECK-LABEL: plan.program @equal_kernels
// CHECK: %[[A:.*]] = plan.launch @matmul_tanh(
// CHECK: plan.launch @matmul_tanh(%[[A]],
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @equal_kernels(%x: tensor<8x64xf32> {graph.name = "x"}) -> (tensor<8x64xf32> {graph.name = "y"}) {
  %w = graph.weight <"w", tensor<64x64xf32>, "", []> : tensor<64x64xf32>
  %v = graph.weight <"v", tensor<64x64xf32>, "", []> : tensor<64x64xf32>
  %0 = graph.matmul %x, %w : tensor<8x64xf32>, tensor<64x64xf32> to tensor<8x64xf32>
  %1 = math.tanh %0 : tensor<8x64xf32>
  %2 = graph.matmul %1, %v : tensor<8x64xf32>, tensor<64x64xf32> to tensor<8x64xf32>
  %3 = math.tanh %2 : tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}
