// Named ops written out; narrow floats are computed in fp32, results keep the ops' locations.
// RUN: tw-opt %s --graph-decompose-named --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-decompose-named --rtol=0 --atol=0

// CHECK-LABEL: @softmax
func.func @softmax(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  // CHECK: %[[X:.*]] = arith.extf %arg0 : tensor<4x8xbf16> to tensor<4x8xf32> loc("scores")
  // CHECK: graph.reduce max %[[X]] dims = [1] : tensor<4x8xf32> to tensor<4xf32> loc("scores")
  // CHECK: math.exp
  // CHECK: graph.reduce sum
  // CHECK: arith.divf
  // CHECK: arith.truncf %{{.*}} : tensor<4x8xf32> to tensor<4x8xbf16> loc("scores")
  %0 = graph.softmax %x dim = 1 : tensor<4x8xbf16> to tensor<4x8xbf16> loc("scores")
  return %0 : tensor<4x8xbf16>
}

// Two passes: the variance is a mean of centred squares.
// CHECK-LABEL: @layer_norm
func.func @layer_norm(%x: tensor<2x4x8xf32>, %g: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: graph.reduce sum %arg0 dims = [1, 2] : tensor<2x4x8xf32> to tensor<2xf32>
  // CHECK: %[[C:.*]] = arith.subf %arg0
  // CHECK: %[[Q:.*]] = arith.mulf %[[C]], %[[C]]
  // CHECK: graph.reduce sum %[[Q]] dims = [1, 2]
  // CHECK: math.rsqrt
  // CHECK: %[[G:.*]] = graph.broadcast %arg1 dims = [1, 2]
  // CHECK: arith.mulf %{{.*}}, %[[G]]
  // CHECK: %[[B:.*]] = graph.broadcast %arg2 dims = [1, 2]
  // CHECK: arith.addf %{{.*}}, %[[B]]
  %0 = graph.layer_norm %x scale(%g : tensor<4x8xf32>) bias(%b : tensor<4x8xf32>) dim = 1 epsilon = 1.0e-05 : tensor<2x4x8xf32> to tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// CHECK-LABEL: @rms_norm
func.func @rms_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf16> {
  // CHECK: %[[Q:.*]] = arith.mulf %arg0, %arg0
  // CHECK: graph.reduce sum %[[Q]] dims = [1]
  // CHECK: math.rsqrt
  // CHECK: arith.truncf %{{.*}} : tensor<4x8xf32> to tensor<4x8xf16>
  %0 = graph.rms_norm %x dim = 1 epsilon = 1.0e-05 : tensor<4x8xf32> to tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: @gelu
func.func @gelu(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: math.erf
  // CHECK: math.tanh
  // CHECK-NOT: graph.gelu
  // CHECK: return
  %0 = graph.gelu erf %x : tensor<8xf32>
  %1 = graph.gelu tanh %x : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// One element is its own sum: rows of one element are not reduced.
// CHECK-LABEL: func.func @rows_of_one
// CHECK-NOT: graph.reduce
// CHECK: return
func.func @rows_of_one(%x: tensor<4096x1xf32>) -> (tensor<4096x1xf32>, tensor<4096x1xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<4096x1xf32> to tensor<4096x1xf32>
  %1 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<4096x1xf32> to tensor<4096x1xf32>
  return %0, %1 : tensor<4096x1xf32>, tensor<4096x1xf32>
}
