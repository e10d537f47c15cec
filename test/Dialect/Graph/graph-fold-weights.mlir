// Movement and casts of weights become steps of their recipes.
// RUN: tw-opt %s --graph-fold-weights | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-fold-weights --rtol=0 --atol=0

// CHECK-LABEL: @several_uses
func.func @several_uses() -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xbf16>) {
  // CHECK-DAG: %[[W:.*]] = graph.weight <"w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
  // CHECK-DAG: %[[T:.*]] = graph.weight <"w", tensor<4x8xf32>, "", [array<i64: 1, 0>]> : tensor<8x4xf32>
  // CHECK-DAG: %[[N:.*]] = graph.weight <"w", tensor<4x8xf32>, "", [array<i64: 1, 0>, #graph.reshape<[32]>, bf16]> : tensor<32xbf16>
  // CHECK: return %[[W]], %[[T]], %[[N]]
  %w = graph.weight <"w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
  %t = graph.transpose %w permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
  %r = graph.reshape %t : tensor<8x4xf32> to tensor<32xf32>
  %n = arith.truncf %r : tensor<32xf32> to tensor<32xbf16>
  return %w, %t, %n : tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xbf16>
}

// CHECK-LABEL: @steps_compose
func.func @steps_compose() -> (tensor<4x8xf32>, tensor<32xf32>) {
  // CHECK-DAG: graph.weight <"w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
  // CHECK-DAG: graph.weight <"w", tensor<4x8xf32>, "", [#graph.reshape<[32]>]> : tensor<32xf32>
  %t = graph.weight <"w", tensor<4x8xf32>, "", [array<i64: 1, 0>]> : tensor<8x4xf32>
  %b = graph.transpose %t permutation = [1, 0] : tensor<8x4xf32> to tensor<4x8xf32>
  %w = graph.weight <"w", tensor<4x8xf32>, "", [#graph.reshape<[2, 16]>]> : tensor<2x16xf32>
  %l = graph.reshape %w : tensor<2x16xf32> to tensor<32xf32>
  return %b, %l : tensor<4x8xf32>, tensor<32xf32>
}

// Recipes hold no arithmetic.
// CHECK-LABEL: @arithmetic_stays
func.func @arithmetic_stays() -> tensor<4xf32> {
  // CHECK: graph.weight <"w", tensor<4xf32>, "", []>
  // CHECK-NEXT: arith.negf
  %w = graph.weight <"w", tensor<4xf32>, "", []> : tensor<4xf32>
  %n = arith.negf %w : tensor<4xf32>
  return %n : tensor<4xf32>
}

// Bytes are widened by what reads them: a widened weight is twice as many.
// CHECK-LABEL: @bytes_stay
func.func @bytes_stay() -> tensor<4xbf16> {
  // CHECK: graph.weight <"w", tensor<4xf8E4M3FN>, "", []>
  // CHECK-NEXT: arith.extf
  %w = graph.weight <"w", tensor<4xf8E4M3FN>, "", []> : tensor<4xf8E4M3FN>
  %n = arith.extf %w : tensor<4xf8E4M3FN> to tensor<4xbf16>
  return %n : tensor<4xbf16>
}
