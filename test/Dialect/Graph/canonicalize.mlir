// Folders and canonical forms of movement ops.
// RUN: tw-opt %s --canonicalize | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=canonicalize --rtol=0 --atol=0

// CHECK-LABEL: @reshape_chain
func.func @reshape_chain(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = graph.reshape %arg0 : tensor<2x3xf32> to tensor<3x2xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
  %1 = graph.reshape %0 : tensor<6xf32> to tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @transposes_compose
func.func @transposes_compose(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  // CHECK-NEXT: %[[T:.*]] = graph.transpose %arg0 permutation = [2, 0, 1]
  // CHECK-NEXT: return %[[T]], %arg0
  %0 = graph.transpose %x permutation = [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  %1 = graph.transpose %0 permutation = [1, 2, 0] : tensor<3x4x2xf32> to tensor<4x2x3xf32>
  %2 = graph.transpose %1 permutation = [1, 2, 0] : tensor<4x2x3xf32> to tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: @transpose_of_unit_dims
func.func @transpose_of_unit_dims(%x: tensor<1x4x1x8xf32>) -> tensor<4x1x1x8xf32> {
  // CHECK-NEXT: graph.reshape %arg0 : tensor<1x4x1x8xf32> to tensor<4x1x1x8xf32>
  %0 = graph.transpose %x permutation = [1, 0, 2, 3] : tensor<1x4x1x8xf32> to tensor<4x1x1x8xf32>
  return %0 : tensor<4x1x1x8xf32>
}

// CHECK-LABEL: @transpose_of_wide_dims
func.func @transpose_of_wide_dims(%x: tensor<1x4x8xf32>) -> tensor<1x8x4xf32> {
  // CHECK-NEXT: graph.transpose
  %0 = graph.transpose %x permutation = [0, 2, 1] : tensor<1x4x8xf32> to tensor<1x8x4xf32>
  return %0 : tensor<1x8x4xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast
func.func @broadcast_of_broadcast(%x: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // CHECK-NEXT: graph.broadcast %arg0 dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %0 = graph.broadcast %x dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = graph.broadcast %0 dims = [1, 2] : tensor<4x8xf32> to tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// CHECK-LABEL: @broadcast_of_kept_dim
func.func @broadcast_of_kept_dim(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: graph.broadcast %arg0 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %0 = graph.reshape %x : tensor<4xf32> to tensor<4x1xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<4x1xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: @broadcast_that_repeats_nothing
func.func @broadcast_that_repeats_nothing(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  // CHECK-NEXT: graph.reshape
  %0 = graph.broadcast %x dims = [1] : tensor<4xf32> to tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// CHECK-LABEL: @transpose_of_broadcast
func.func @transpose_of_broadcast(%x: tensor<3x5xf32>) -> (tensor<3x7x5xf32>, tensor<5x7x3xf32>) {
  // CHECK-DAG: graph.broadcast %arg0 dims = [0, 2] : tensor<3x5xf32> to tensor<3x7x5xf32>
  // CHECK-DAG: %[[T:.*]] = graph.transpose %arg0 permutation = [1, 0]
  // CHECK-DAG: graph.broadcast %[[T]] dims = [0, 2] : tensor<5x3xf32> to tensor<5x7x3xf32>
  %0 = graph.broadcast %x dims = [1, 2] : tensor<3x5xf32> to tensor<7x3x5xf32>
  %1 = graph.transpose %0 permutation = [1, 0, 2] : tensor<7x3x5xf32> to tensor<3x7x5xf32>
  %2 = graph.transpose %0 permutation = [2, 0, 1] : tensor<7x3x5xf32> to tensor<5x7x3xf32>
  return %1, %2 : tensor<3x7x5xf32>, tensor<5x7x3xf32>
}

// A splat of any size folds; other constants fold up to 4096 elements.
// CHECK-LABEL: @broadcast_of_splat
func.func @broadcast_of_splat() -> tensor<64x1024xf32> {
  // CHECK-NEXT: arith.constant dense<2.000000e+00> : tensor<64x1024xf32>
  %0 = arith.constant dense<2.0> : tensor<f32>
  %1 = graph.broadcast %0 dims = [] : tensor<f32> to tensor<64x1024xf32>
  return %1 : tensor<64x1024xf32>
}

// Elementwise ops on splats and casts of casts are folded by upstream.
// CHECK-LABEL: @elementwise_on_splats
func.func @elementwise_on_splats(%x: tensor<8xbf16>) -> (tensor<8xf32>, tensor<8xbf16>) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<6.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[C]], %arg0
  %0 = arith.constant dense<2.0> : tensor<8xf32>
  %1 = arith.constant dense<3.0> : tensor<8xf32>
  %2 = arith.mulf %0, %1 : tensor<8xf32>
  %3 = arith.extf %x : tensor<8xbf16> to tensor<8xf32>
  %4 = arith.truncf %3 : tensor<8xf32> to tensor<8xbf16>
  return %2, %4 : tensor<8xf32>, tensor<8xbf16>
}

// Narrowing and widening again changes numbers, so it stays.
// CHECK-LABEL: @extf_of_truncf
func.func @extf_of_truncf(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: arith.truncf
  // CHECK-NEXT: arith.extf
  %0 = arith.truncf %x : tensor<8xf32> to tensor<8xbf16>
  %1 = arith.extf %0 : tensor<8xbf16> to tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: @one_is_neutral
func.func @one_is_neutral(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: return %arg0
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0 = arith.mulf %x, %one : tensor<8xf32>
  %1 = arith.divf %0, %one : tensor<8xf32>
  %2 = arith.subf %1, %zero : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: @gather_of_progression
func.func @gather_of_progression(%x: tensor<2x6x4xf32>) -> (tensor<2x4xf32>, tensor<2x3x4xf32>) {
  // CHECK-DAG: %[[S:.*]] = graph.slice %arg0 offsets = [0, 5, 0] strides = [1, 1, 1] : tensor<2x6x4xf32> to tensor<2x1x4xf32>
  // CHECK-DAG: graph.reshape %[[S]] : tensor<2x1x4xf32> to tensor<2x4xf32>
  // CHECK-DAG: graph.slice %arg0 offsets = [0, 4, 0] strides = [1, -2, 1] : tensor<2x6x4xf32> to tensor<2x3x4xf32>
  %last = arith.constant dense<-1> : tensor<i64>
  %0 = graph.gather %x[%last] dim = 1 : tensor<2x6x4xf32>, tensor<i64> to tensor<2x4xf32>
  %down = arith.constant dense<[4, 2, 0]> : tensor<3xi64>
  %1 = graph.gather %x[%down] dim = 1 : tensor<2x6x4xf32>, tensor<3xi64> to tensor<2x3x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x3x4xf32>
}

// An index out of range gives zeros, which a slice cannot.
// CHECK-LABEL: @gather_out_of_range
func.func @gather_out_of_range(%x: tensor<6xf32>) -> tensor<2xf32> {
  // CHECK: graph.gather
  %i = arith.constant dense<[5, 6]> : tensor<2xi64>
  %0 = graph.gather %x[%i] dim = 0 : tensor<6xf32>, tensor<2xi64> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
