// What the precision policy refuses.
// RUN: not tw-opt %s --graph-apply-precision=precision=tf32 2>&1 | FileCheck %s
// RUN: not tw-opt %s --graph-apply-precision=precision=int4 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: unknown precision 'int4'; one of fp32, ieee, tf32, tf32x3, bf16, fp16
func.func @main(%q: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: 'graph.attention' op has no tf32 form; run graph-decompose-attention before precision tf32
  %0 = graph.attention %q, %q, %q scale = 1.0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32> to tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
