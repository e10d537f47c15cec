// Attention as two matmuls; scores are fp32 whatever the operands are.
// RUN: tw-opt %s --graph-decompose-attention | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-decompose-attention,graph-raise-attention --rtol=0 --atol=0

// CHECK-LABEL: @masked
func.func @masked(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x5xf32>, %m: tensor<2x4x6xf32>) -> tensor<2x4x5xf32> {
  // CHECK: %[[T:.*]] = graph.transpose %arg1 permutation = [0, 2, 1]
  // CHECK: %[[S:.*]] = graph.matmul %arg0, %[[T]]
  // CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<2x4x6xf32>
  // CHECK: %[[D:.*]] = arith.mulf %[[S]], %[[C]]
  // CHECK: %[[A:.*]] = arith.addf %[[D]], %arg3
  // CHECK: %[[P:.*]] = graph.softmax %[[A]] dim = 2
  // CHECK: graph.matmul %[[P]], %arg2
  %0 = graph.attention %q, %k, %v mask(%m : tensor<2x4x6xf32>) scale = 0.5 : tensor<2x4x8xf32>, tensor<2x6x8xf32>, tensor<2x6x5xf32> to tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

// CHECK-LABEL: @narrow
func.func @narrow(%q: tensor<4x8xbf16>, %k: tensor<6x8xbf16>, %v: tensor<6x5xbf16>) -> tensor<4x5xf32> {
  // CHECK: graph.matmul {{.*}} to tensor<4x6xf32>
  // CHECK: graph.softmax %{{.*}} dim = 1 : tensor<4x6xf32> to tensor<4x6xbf16>
  // CHECK: graph.matmul {{.*}} : tensor<4x6xbf16>, tensor<6x5xbf16> to tensor<4x5xf32>
  %0 = graph.attention %q, %k, %v scale = 1.0 : tensor<4x8xbf16>, tensor<6x8xbf16>, tensor<6x5xbf16> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
