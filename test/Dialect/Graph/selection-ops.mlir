// Arg-reductions, scans, sort, top-k and scatter survive text, their generic form and bytecode.
// RUN: tw-opt %s | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

// CHECK-LABEL: func.func @by_value
func.func @by_value(%x: tensor<4x8xf32>, %k: tensor<4x8xi64>, %d: tensor<4x8xi32>) {
  // CHECK: graph.arg_reduce max %{{.*}} dim = 1 : tensor<4x8xf32> to tensor<4xi64>
  %0 = graph.arg_reduce max %x dim = 1 : tensor<4x8xf32> to tensor<4xi64>
  // CHECK: graph.arg_reduce min %{{.*}} dim = 0 last : tensor<4x8xf32> to tensor<8xi32>
  %1 = graph.arg_reduce min %x dim = 0 last : tensor<4x8xf32> to tensor<8xi32>
  // CHECK: graph.scan sum %{{.*}} dim = 1 : tensor<4x8xf32>
  %2 = graph.scan sum %x dim = 1 : tensor<4x8xf32>
  // CHECK: graph.scan prod %{{.*}} dim = 0 reverse : tensor<4x8xf32>
  %3 = graph.scan prod %x dim = 0 reverse : tensor<4x8xf32>
  // CHECK: graph.sort %{{.*}} by %{{.*}} dim = 1 : tensor<4x8xi32>, tensor<4x8xi64>
  %4 = graph.sort %d by %k dim = 1 : tensor<4x8xi32>, tensor<4x8xi64>
  // CHECK: graph.top_k %{{.*}} dim = 1 : tensor<4x8xf32> to tensor<4x3xi64>
  %5 = graph.top_k %x dim = 1 : tensor<4x8xf32> to tensor<4x3xi64>
  // CHECK: graph.top_k %{{.*}} dim = 0 smallest : tensor<4x8xf32> to tensor<2x8xi32>
  %6 = graph.top_k %x dim = 0 smallest : tensor<4x8xf32> to tensor<2x8xi32>
  return
}

// CHECK-LABEL: func.func @by_index
func.func @by_index(%x: tensor<2x9x4xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3x4xf32>) {
  // CHECK: graph.scatter add %{{.*}} into %{{.*}}[%{{.*}}] batch = 1 : tensor<2x3x4xf32>, tensor<2x3xi64> into tensor<2x9x4xf32>
  %0 = graph.scatter add %u into %x[%i] batch = 1 : tensor<2x3x4xf32>, tensor<2x3xi64> into tensor<2x9x4xf32>
  return
}
