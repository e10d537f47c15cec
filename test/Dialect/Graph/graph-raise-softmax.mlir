// Softmax as exporters decompose it.
// RUN: tw-opt %s --graph-raise-softmax | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-raise-softmax

// Kept dimensions come back as reshapes; the sum is the inner operand of a quotient.
// CHECK-LABEL: @kept_dims
func.func @kept_dims(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK-NEXT: %[[S:.*]] = graph.softmax %arg0 dim = 2
  // CHECK-NEXT: return %[[S]]
  %m = graph.reduce max %x dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %mr = graph.reshape %m : tensor<2x4xf32> to tensor<2x4x1xf32>
  %mb = graph.broadcast %mr dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %d = arith.subf %x, %mb : tensor<2x4x8xf32>
  %e = math.exp %d : tensor<2x4x8xf32>
  %s = graph.reduce sum %e dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %sr = graph.reshape %s : tensor<2x4xf32> to tensor<2x4x1xf32>
  %sb = graph.broadcast %sr dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %y = arith.divf %e, %sb : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// Along an inner dimension, without the shift, multiplied by the inverse.
// CHECK-LABEL: @inverse_of_sum
func.func @inverse_of_sum(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: graph.softmax %arg0 dim = 1
  // CHECK-NEXT: return
  %one = arith.constant dense<1.0> : tensor<2x8xf32>
  %e = math.exp %x : tensor<2x4x8xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<2x4x8xf32> to tensor<2x8xf32>
  %i = arith.divf %one, %s : tensor<2x8xf32>
  %ib = graph.broadcast %i dims = [0, 2] : tensor<2x8xf32> to tensor<2x4x8xf32>
  %y = arith.mulf %ib, %e : tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// Declined: the sum runs over another dimension than it is repeated along (equal sizes).
// CHECK-LABEL: @wrong_dimension
func.func @wrong_dimension(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NOT: graph.softmax
  // CHECK: return
  %e = math.exp %x : tensor<4x4xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<4x4xf32> to tensor<4xf32>
  %sb = graph.broadcast %s dims = [1] : tensor<4xf32> to tensor<4x4xf32>
  %y = arith.divf %e, %sb : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
