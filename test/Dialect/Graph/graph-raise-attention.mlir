// Attention as exporters decompose it: where the scale stands, how the mask comes in, how heads are laid out.
// RUN: tw-opt %s --graph-raise-attention --canonicalize | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-raise-attention,canonicalize

// BERT: scores / sqrt(d) + mask, the key transposed together with its heads.
// CHECK-LABEL: @scale_then_mask
func.func @scale_then_mask(%q: tensor<2x3x4x8xf32>, %k: tensor<2x6x3x8xf32>, %v: tensor<2x3x6x8xf32>, %m: tensor<2x1x1x6xf32>) -> tensor<2x3x4x8xf32> {
  // CHECK-DAG: %[[K:.*]] = graph.transpose %arg1 permutation = [0, 2, 1, 3]
  // CHECK-DAG: %[[M:.*]] = graph.broadcast %arg3 dims = [0, 1, 2, 3] : tensor<2x1x1x6xf32> to tensor<2x3x4x6xf32>
  // CHECK: graph.attention %arg0, %[[K]], %arg2 mask(%[[M]] : tensor<2x3x4x6xf32>) scale = 0.353553{{.*}}
  // CHECK-NEXT: return
  %root = arith.constant dense<2.82842708> : tensor<2x3x4x6xf32>
  %kt = graph.transpose %k permutation = [0, 2, 3, 1] : tensor<2x6x3x8xf32> to tensor<2x3x8x6xf32>
  %s = graph.matmul %q, %kt : tensor<2x3x4x8xf32>, tensor<2x3x8x6xf32> to tensor<2x3x4x6xf32>
  %d = arith.divf %s, %root : tensor<2x3x4x6xf32>
  %mb = graph.broadcast %m dims = [0, 1, 2, 3] : tensor<2x1x1x6xf32> to tensor<2x3x4x6xf32>
  %a = arith.addf %d, %mb : tensor<2x3x4x6xf32>
  %p = graph.softmax %a dim = 3 : tensor<2x3x4x6xf32> to tensor<2x3x4x6xf32>
  %o = graph.matmul %p, %v : tensor<2x3x4x6xf32>, tensor<2x3x6x8xf32> to tensor<2x3x4x8xf32>
  return %o : tensor<2x3x4x8xf32>
}

// scaled_dot_product_attention: the root of the scale on query and key, no mask.
// CHECK-LABEL: @scale_on_both
func.func @scale_on_both(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 scale = 2.500000e-01
  // CHECK-NEXT: return
  %cq = arith.constant dense<0.5> : tensor<2x4x8xf32>
  %ck = arith.constant dense<0.5> : tensor<2x8x6xf32>
  %qs = arith.mulf %q, %cq : tensor<2x4x8xf32>
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x6x8xf32> to tensor<2x8x6xf32>
  %ks = arith.mulf %kt, %ck : tensor<2x8x6xf32>
  %s = graph.matmul %qs, %ks : tensor<2x4x8xf32>, tensor<2x8x6xf32> to tensor<2x4x6xf32>
  %p = graph.softmax %s dim = 2 : tensor<2x4x6xf32> to tensor<2x4x6xf32>
  %o = graph.matmul %p, %v : tensor<2x4x6xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}

// GPT: where(causal, scores, lowest), then a padding mask; the scale comes last and applies to both.
// CHECK-LABEL: @selected_mask
func.func @selected_mask(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>, %v: tensor<2x4x8xf32>, %c: tensor<4x4xi1>, %m: tensor<2x4x4xf32>) -> tensor<2x4x8xf32> {
  // CHECK-DAG: %[[H:.*]] = arith.constant dense<5.000000e-01> : tensor<2x4x4xf32>
  // CHECK-DAG: %[[M:.*]] = arith.mulf %arg4, %[[H]]
  // CHECK-DAG: %[[S:.*]] = arith.select %arg3, %{{.*}}, %{{.*}} : tensor<4x4xi1>, tensor<4x4xf32>
  // CHECK-DAG: %[[B:.*]] = graph.broadcast %[[S]] dims = [1, 2]
  // CHECK-DAG: %[[A:.*]] = arith.addf %[[M]], %[[B]]
  // CHECK: graph.attention %arg0, %arg1, %arg2 mask(%[[A]] : tensor<2x4x4xf32>) scale = 5.000000e-01
  %lowest = arith.constant dense<-3.40282347E+38> : tensor<2x4x4xf32>
  %half = arith.constant dense<0.5> : tensor<2x4x4xf32>
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<2x4x8xf32> to tensor<2x8x4xf32>
  %s = graph.matmul %q, %kt : tensor<2x4x8xf32>, tensor<2x8x4xf32> to tensor<2x4x4xf32>
  %cb = graph.broadcast %c dims = [1, 2] : tensor<4x4xi1> to tensor<2x4x4xi1>
  %w = arith.select %cb, %s, %lowest : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %a = arith.addf %w, %m : tensor<2x4x4xf32>
  %h = arith.mulf %a, %half : tensor<2x4x4xf32>
  %p = graph.softmax %h dim = 2 : tensor<2x4x4xf32> to tensor<2x4x4xf32>
  %o = graph.matmul %p, %v : tensor<2x4x4xf32>, tensor<2x4x8xf32> to tensor<2x4x8xf32>
  return %o : tensor<2x4x8xf32>
}

// torch.bmm: batch and heads are one dimension for the matmuls and two for the mask.
// CHECK-LABEL: @batch_reshapes
func.func @batch_reshapes(%q: tensor<6x4x8xf32>, %k: tensor<6x4x8xf32>, %v: tensor<6x4x8xf32>, %m: tensor<2x3x4x4xf32>) -> tensor<6x4x8xf32> {
  // CHECK-NEXT: %[[M:.*]] = graph.reshape %arg3 : tensor<2x3x4x4xf32> to tensor<6x4x4xf32>
  // CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask(%[[M]] : tensor<6x4x4xf32>) scale = 1.000000e+00
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<6x4x8xf32> to tensor<6x8x4xf32>
  %s = graph.matmul %q, %kt : tensor<6x4x8xf32>, tensor<6x8x4xf32> to tensor<6x4x4xf32>
  %s4 = graph.reshape %s : tensor<6x4x4xf32> to tensor<2x3x4x4xf32>
  %a = arith.addf %s4, %m : tensor<2x3x4x4xf32>
  %s3 = graph.reshape %a : tensor<2x3x4x4xf32> to tensor<6x4x4xf32>
  %p = graph.softmax %s3 dim = 2 : tensor<6x4x4xf32> to tensor<6x4x4xf32>
  %o = graph.matmul %p, %v : tensor<6x4x4xf32>, tensor<6x4x8xf32> to tensor<6x4x8xf32>
  return %o : tensor<6x4x8xf32>
}

// A key without an explicit transpose gets one.
// CHECK-LABEL: @key_already_transposed
func.func @key_already_transposed(%q: tensor<4x8xf32>, %kt: tensor<8x6xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[K:.*]] = graph.transpose %arg1 permutation = [1, 0]
  // CHECK-NEXT: graph.attention %arg0, %[[K]], %arg2 scale = 1.000000e+00
  %s = graph.matmul %q, %kt : tensor<4x8xf32>, tensor<8x6xf32> to tensor<4x6xf32>
  %p = graph.softmax %s dim = 1 : tensor<4x6xf32> to tensor<4x6xf32>
  %o = graph.matmul %p, %v : tensor<4x6xf32>, tensor<6x8xf32> to tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// Declined: -1e4 instead of a score is not -1e4 added to it.
// CHECK-LABEL: @moderate_select
func.func @moderate_select(%q: tensor<4x8xf32>, %kt: tensor<8x6xf32>, %v: tensor<6x8xf32>, %c: tensor<4x6xi1>) -> tensor<4x8xf32> {
  // CHECK-NOT: graph.attention
  // CHECK: return
  %low = arith.constant dense<-1.0e+04> : tensor<4x6xf32>
  %s = graph.matmul %q, %kt : tensor<4x8xf32>, tensor<8x6xf32> to tensor<4x6xf32>
  %w = arith.select %c, %s, %low : tensor<4x6xi1>, tensor<4x6xf32>
  %p = graph.softmax %w dim = 1 : tensor<4x6xf32> to tensor<4x6xf32>
  %o = graph.matmul %p, %v : tensor<4x6xf32>, tensor<6x8xf32> to tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

// Declined: the probabilities are a result too.
// CHECK-LABEL: @probabilities_used
func.func @probabilities_used(%q: tensor<4x8xf32>, %kt: tensor<8x6xf32>, %v: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x6xf32>) {
  // CHECK-NOT: graph.attention
  // CHECK: return
  %s = graph.matmul %q, %kt : tensor<4x8xf32>, tensor<8x6xf32> to tensor<4x6xf32>
  %p = graph.softmax %s dim = 1 : tensor<4x6xf32> to tensor<4x6xf32>
  %o = graph.matmul %p, %v : tensor<4x6xf32>, tensor<6x8xf32> to tensor<4x8xf32>
  return %o, %p : tensor<4x8xf32>, tensor<4x6xf32>
}

// Declined: the softmax runs over the queries.
// CHECK-LABEL: @other_dimension
func.func @other_dimension(%q: tensor<4x8xf32>, %kt: tensor<8x6xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: graph.attention
  // CHECK: return
  %s = graph.matmul %q, %kt : tensor<4x8xf32>, tensor<8x6xf32> to tensor<4x6xf32>
  %p = graph.softmax %s dim = 0 : tensor<4x6xf32> to tensor<4x6xf32>
  %o = graph.matmul %p, %v : tensor<4x6xf32>, tensor<6x8xf32> to tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
