// What a mean divides by: constants, or products of true lengths.
// RUN: tw-opt %s --graph-resolve-counts | FileCheck %s

// CHECK-LABEL: @main
func.func @main(%x: tensor<4x128x16xf32> {graph.symbols = ["batch", "seq", ""]}) -> (tensor<4x128xf32>, tensor<16xf32>, tensor<4xf32>) {
  // CHECK-NOT: graph.count
  // CHECK: arith.constant dense<1.600000e+01> : tensor<4x128xf32>
  %0 = graph.count %x dims = [2] : tensor<4x128x16xf32> to tensor<4x128xf32>
  // CHECK: %[[B:.*]] = graph.true_length "batch" of 4 : tensor<16xi32>
  // CHECK: %[[BF:.*]] = arith.sitofp %[[B]]
  // CHECK: %[[S:.*]] = graph.true_length "seq" of 128 : tensor<16xi32>
  // CHECK: %[[SF:.*]] = arith.sitofp %[[S]]
  // CHECK: arith.mulf %[[BF]], %[[SF]] : tensor<16xf32>
  %1 = graph.count %x dims = [0, 1] : tensor<4x128x16xf32> to tensor<16xf32>
  %2 = graph.slice %x offsets = [0, 8, 0] strides = [1, 1, 1] : tensor<4x128x16xf32> to tensor<4x120x16xf32>
  // CHECK: %[[LATE:.*]] = arith.subi %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK: %[[LATEF:.*]] = arith.sitofp %[[LATE]]
  // CHECK: arith.mulf %[[LATEF]], %{{.*}} : tensor<4xf32>
  %3 = graph.count %2 dims = [1, 2] : tensor<4x120x16xf32> to tensor<4xf32>
  return %0, %1, %3 : tensor<4x128xf32>, tensor<16xf32>, tensor<4xf32>
}
