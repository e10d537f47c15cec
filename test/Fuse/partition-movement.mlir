// Movement in fuse-partition-kernels: absorbed by the kernels that read through it, computed only where it must be.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels | FileCheck %s

// The heads of an attention are strides of the product that reads them.
// CHECK-LABEL: plan.program @absorbed
// CHECK: plan.launch @matmul(%{{.*}}, %{{.*}}) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
// CHECK-NOT: plan.launch
// CHECK: graph.kernel anchor(matmul)
// CHECK: transpose
func.func @absorbed(%q: tensor<16x32xf32> {graph.name = "q"}, %k: tensor<16x32xf32> {graph.name = "k"})
    -> (tensor<4x16x16xf32> {graph.name = "y"}) {
  %0 = graph.reshape %q : tensor<16x32xf32> to tensor<16x4x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0, 2] : tensor<16x4x8xf32> to tensor<4x16x8xf32>
  %2 = graph.reshape %k : tensor<16x32xf32> to tensor<16x4x8xf32>
  %3 = graph.transpose %2 permutation = [1, 2, 0] : tensor<16x4x8xf32> to tensor<4x8x16xf32>
  %4 = graph.matmul %1, %3 : tensor<4x16x8xf32>, tensor<4x8x16xf32> to tensor<4x16x16xf32>
  return %4 : tensor<4x16x16xf32>
}

// -----

// The spread tensor's index goes on across the borders of the new shape, in threes.
// CHECK-LABEL: plan.program @spread_then_reshaped
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @spread_then_reshaped(%x: tensor<8x7x5x6x3xf32> {graph.name = "x"}, %y: tensor<8x7x5x6xf32> {graph.name = "y"})
    -> (tensor<7x2x12xf32> {graph.name = "z"}) {
  %0 = graph.broadcast %y dims = [0, 1, 2, 3] : tensor<8x7x5x6xf32> to tensor<8x7x5x6x3xf32>
  %1 = arith.mulf %x, %0 : tensor<8x7x5x6x3xf32>
  %2 = graph.reshape %1 : tensor<8x7x5x6x3xf32> to tensor<7x2x12x30xf32>
  %3 = graph.reduce max %2 dims = [3] : tensor<7x2x12x30xf32> to tensor<7x2x12xf32>
  return %3 : tensor<7x2x12xf32>
}

// -----

// A returned reshape is an alias in the program.
// CHECK-LABEL: plan.program @returned_reshape
// CHECK: %[[E:.*]] = plan.launch @exp(
// CHECK-NEXT: %[[R:.*]] = graph.reshape %[[E]]
// CHECK-NEXT: plan.return %[[R]]
func.func @returned_reshape(%x: tensor<4x8xf32> {graph.name = "x"}) -> (tensor<32xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<4x8xf32>
  %1 = graph.reshape %0 : tensor<4x8xf32> to tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

// A returned transpose is computed, by the kernel of what it moves.
// CHECK-LABEL: plan.program @returned_transpose
// CHECK: %[[T:.*]] = plan.launch @exp_transpose(%{{.*}}) : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: plan.return %[[T]]
// CHECK: transpose %{{.*}} permutation = [1, 0] {graph.materialize}
func.func @returned_transpose(%x: tensor<4x8xf32> {graph.name = "x"}) -> (tensor<8x4xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<4x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// An argument can be returned turned: a kernel that only moves.
// CHECK-LABEL: plan.program @only_movement
// CHECK: plan.launch @transpose(
// CHECK: graph.kernel anchor(transpose) @transpose
func.func @only_movement(%x: tensor<4x8xf32> {graph.name = "x"}) -> (tensor<8x4xf32> {graph.name = "y"}) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// What is needed in two orders is computed in one of them and moved by the reader.
// CHECK-LABEL: plan.program @two_orders
// CHECK: %[[E:.*]] = plan.launch @exp(
// CHECK-NEXT: plan.launch @addf(%[[E]])
func.func @two_orders(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x8xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<8x8xf32> to tensor<8x8xf32>
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
