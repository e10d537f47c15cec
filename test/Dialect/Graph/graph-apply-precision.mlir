// The precision policy changes how products are formed, and nothing else.
// RUN: tw-opt %s --graph-apply-precision=precision=fp32 | FileCheck %s --check-prefix=FP32
// RUN: tw-opt %s --graph-apply-precision=precision=ieee | FileCheck %s --check-prefix=IEEE
// RUN: tw-opt %s --graph-apply-precision=precision=tf32 | FileCheck %s --check-prefix=TF32
// RUN: tw-opt %s --graph-apply-precision=precision=bf16 --graph-fold-weights --cse | FileCheck %s --check-prefix=BF16
// RUN: tw-opt %s --graph-apply-precision=precision=fp16 | FileCheck %s --check-prefix=FP16
// RUN: tw-reference %s --compare-passes='graph-apply-precision{precision=bf16}' --precision=f64 --rtol=0 --atol=0
// RUN: tw-reference %s --compare-passes='graph-apply-precision{precision=bf16}' --rtol=2e-2 --atol=2e-2

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xbf16>, %i: tensor<4x4xi32>) -> (tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xi32>) {
  // FP32: graph.matmul %arg0, %{{[0-9]+}} precision = tf32x3 : tensor<4x8xf32>, tensor<8x8xf32>
  // IEEE: graph.matmul %arg0, %{{[0-9]+}} : tensor<4x8xf32>, tensor<8x8xf32>
  // TF32: graph.matmul %arg0, %{{.*}} precision = tf32 : tensor<4x8xf32>, tensor<8x8xf32>
  // BF16: %[[X:.*]] = arith.truncf %arg0 : tensor<4x8xf32> to tensor<4x8xbf16>
  // BF16: %[[W:.*]] = graph.weight <"w", tensor<8x8xf32>, "", [bf16]>
  // BF16: %[[M:.*]] = graph.matmul %[[X]], %[[W]] : tensor<4x8xbf16>, tensor<8x8xbf16> to tensor<4x8xf32>
  // FP16: graph.matmul %{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<8x8xf16> to tensor<4x8xf32>
  %w = graph.weight <"w", tensor<8x8xf32>, "", []> : tensor<8x8xf32>
  %m = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32> to tensor<4x8xf32>
  // Softmax stays fp32.
  // BF16: graph.softmax %[[M]] dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
  %s = graph.softmax %m dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
  // Products that are narrow already, or integers, are left alone.
  // TF32: graph.matmul %{{.*}}, %arg1 : tensor<4x8xbf16>
  // FP16: graph.matmul %{{.*}}, %arg1 : tensor<4x8xbf16>
  // BF16: graph.matmul %[[X]], %arg1
  %n = arith.truncf %x : tensor<4x8xf32> to tensor<4x8xbf16>
  %b = graph.matmul %n, %y : tensor<4x8xbf16>, tensor<8x4xbf16> to tensor<4x4xf32>
  // TF32: graph.matmul %arg2, %arg2 : tensor<4x4xi32>
  // BF16: graph.matmul %arg2, %arg2 : tensor<4x4xi32>
  %k = graph.matmul %i, %i : tensor<4x4xi32>, tensor<4x4xi32> to tensor<4x4xi32>
  return %s, %b, %k : tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xi32>
}

// What a product says of itself is kept: that it is to be as IEEE 754 has it, too.
// FP32-LABEL: func.func @own_precision
// FP32: graph.matmul %arg0, %arg1 precision = ieee
// FP32: graph.matmul %arg0, %arg1 precision = tf32 :
// TF32-LABEL: func.func @own_precision
// TF32: graph.matmul %arg0, %arg1 precision = ieee
// BF16-LABEL: func.func @own_precision
// BF16: graph.matmul %arg0, %arg1 precision = ieee : tensor<4x8xf32>
// BF16: graph.matmul %arg0, %arg1 precision = tf32 : tensor<4x8xf32>
func.func @own_precision(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = graph.matmul %x, %y precision = ieee : tensor<4x8xf32>, tensor<8x4xf32> to tensor<4x4xf32>
  %1 = graph.matmul %x, %y precision = tf32 : tensor<4x8xf32>, tensor<8x4xf32> to tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
