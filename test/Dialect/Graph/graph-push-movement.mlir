// Movement is pushed through elementwise ops where it then disappears, and left where it would not.
// RUN: tw-opt %s --graph-push-movement | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-push-movement --rtol=0 --atol=0

// CHECK-LABEL: @meets_its_inverse
func.func @meets_its_inverse(%x: tensor<2x3xf32>, %w: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<2x3xf32>
  // CHECK-DAG: %[[W:.*]] = graph.weight <"w", tensor<3x2xf32>, "", [array<i64: 1, 0>]> : tensor<2x3xf32>
  // CHECK-DAG: %[[M:.*]] = arith.mulf %arg0, %[[C]] : tensor<2x3xf32>
  // CHECK: %[[A:.*]] = arith.addf %[[M]], %[[W]] : tensor<2x3xf32>
  // CHECK: return %[[A]]
  %two = arith.constant dense<2.0> : tensor<3x2xf32>
  %b = graph.weight <"w", tensor<3x2xf32>, "", []> : tensor<3x2xf32>
  %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %m = arith.mulf %t, %two : tensor<3x2xf32>
  %a = arith.addf %m, %b : tensor<3x2xf32>
  %r = graph.transpose %a permutation = [1, 0] : tensor<3x2xf32> to tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @two_become_one
func.func @two_become_one(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK-NEXT: %[[A:.*]] = arith.addf %arg0, %arg1 : tensor<2x3xf32>
  // CHECK-NEXT: graph.transpose %[[A]] permutation = [1, 0]
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %1 = graph.transpose %y permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %2 = arith.addf %0, %1 : tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

// A comparison changes the element type on the way.
// CHECK-LABEL: @types_follow
func.func @types_follow(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<6xi1> {
  // CHECK-NEXT: %[[A:.*]] = arith.cmpf olt, %arg0, %arg1 : tensor<2x3xf32>
  // CHECK-NEXT: graph.reshape %[[A]] : tensor<2x3xi1> to tensor<6xi1>
  %0 = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
  %1 = graph.reshape %y : tensor<2x3xf32> to tensor<6xf32>
  %2 = arith.cmpf olt, %0, %1 : tensor<6xf32>
  return %2 : tensor<6xi1>
}

// CHECK-LABEL: @work_before_broadcast
func.func @work_before_broadcast(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[E:.*]] = math.exp %arg0 : tensor<4xf32>
  // CHECK-NEXT: graph.broadcast %[[E]]
  %0 = graph.broadcast %x dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// One transpose on one side is as good as on the other.
// CHECK-LABEL: @nothing_to_gain
func.func @nothing_to_gain(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // CHECK-NEXT: graph.transpose %arg0
  // CHECK-NEXT: arith.addf
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %1 = arith.addf %0, %y : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// The elementwise op has a second use, which would need the transpose anyway.
// CHECK-LABEL: @second_use
func.func @second_use(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  // CHECK-COUNT-2: graph.transpose
  %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %e = math.exp %t : tensor<3x2xf32>
  %r = graph.transpose %e permutation = [1, 0] : tensor<3x2xf32> to tensor<2x3xf32>
  return %r, %e : tensor<2x3xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: @reduce_before_broadcast
func.func @reduce_before_broadcast(%x: tensor<2x6xf32>) -> tensor<2x8xf32> {
  // CHECK-NEXT: %[[R:.*]] = graph.reduce sum %arg0 dims = [1] : tensor<2x6xf32> to tensor<2xf32>
  // CHECK-NEXT: graph.broadcast %[[R]] dims = [0] : tensor<2xf32> to tensor<2x8xf32>
  %0 = graph.broadcast %x dims = [0, 1] : tensor<2x6xf32> to tensor<2x6x8xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<2x6x8xf32> to tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// A sum over what is repeated is more than the sum of one copy.
// CHECK-LABEL: @reduce_of_repeats
func.func @reduce_of_repeats(%x: tensor<2x1xf32>) -> tensor<2xf32> {
  // CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<2x8xf32>
  %0 = graph.broadcast %x dims = [0, 1] : tensor<2x1xf32> to tensor<2x8xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<2x8xf32> to tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A row op lets a reshape of the rows through, but not one that cuts them.
// CHECK-LABEL: @rows
func.func @rows(%x: tensor<8x6xf32>, %y: tensor<16x3xf32>) -> (tensor<2x4x6xf32>, tensor<8x6xf32>) {
  // CHECK-DAG: %[[S:.*]] = graph.softmax %arg0 dim = 1 : tensor<8x6xf32>
  // CHECK-DAG: graph.reshape %[[S]] : tensor<8x6xf32> to tensor<2x4x6xf32>
  // CHECK-DAG: %[[R:.*]] = graph.reshape %arg1 : tensor<16x3xf32> to tensor<8x6xf32>
  // CHECK-DAG: graph.softmax %[[R]] dim = 1
  %0 = graph.reshape %x : tensor<8x6xf32> to tensor<2x4x6xf32>
  %1 = graph.softmax %0 dim = 2 : tensor<2x4x6xf32> to tensor<2x4x6xf32>
  %2 = graph.reshape %y : tensor<16x3xf32> to tensor<8x6xf32>
  %3 = graph.softmax %2 dim = 1 : tensor<8x6xf32> to tensor<8x6xf32>
  return %1, %3 : tensor<2x4x6xf32>, tensor<8x6xf32>
}

// A reshape moves down past a bias, which is broadcast to the other shape, and meets the next matmul's reshape.
// CHECK-LABEL: @between_matmuls
func.func @between_matmuls(%x: tensor<8x6xf32>, %b: tensor<6xf32>, %w: tensor<6x3xf32>) -> tensor<8x3xf32> {
  // CHECK-NEXT: %[[B:.*]] = graph.broadcast %arg1 dims = [1] : tensor<6xf32> to tensor<8x6xf32>
  // CHECK-NEXT: %[[A:.*]] = arith.addf %arg0, %[[B]] : tensor<8x6xf32>
  // CHECK-NEXT: graph.matmul %[[A]], %arg2
  %0 = graph.reshape %x : tensor<8x6xf32> to tensor<2x4x6xf32>
  %1 = graph.broadcast %b dims = [2] : tensor<6xf32> to tensor<2x4x6xf32>
  %2 = arith.addf %0, %1 : tensor<2x4x6xf32>
  %3 = graph.reshape %2 : tensor<2x4x6xf32> to tensor<8x6xf32>
  %4 = graph.matmul %3, %w : tensor<8x6xf32>, tensor<6x3xf32> to tensor<8x3xf32>
  return %4 : tensor<8x3xf32>
}
