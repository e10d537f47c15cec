// fuse-split-reductions: the exponentials of rows longer than a cluster keeps are summed around the maxima of pieces, so that
// maximum and sum are one reading; shorter rows, and many, stay whole.
// RUN: tw-opt %s --graph-decompose-named --fuse-split-reductions | FileCheck %s

// CHECK-LABEL: @whole
// CHECK: %[[X:.*]] = graph.reshape %{{.*}} : tensor<33554432xf32> to tensor<2048x16384xf32>
// CHECK: %[[MAX:.*]] = graph.reduce max %[[X]] dims = [1]
// CHECK: %[[LEAST:.*]] = arith.constant dense<-3.40282347E+38> : tensor<2048xf32>
// CHECK: %[[FINITE:.*]] = arith.maximumf %[[MAX]], %[[LEAST]]
// CHECK: %[[SPREAD:.*]] = graph.broadcast %[[FINITE]] dims = [0] : tensor<2048xf32> to tensor<2048x16384xf32>
// CHECK: arith.subf %[[X]], %[[SPREAD]]
// CHECK: %[[SUM:.*]] = graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<2048x16384xf32> to tensor<2048xf32>
// CHECK: graph.reduce max %[[MAX]] dims = [0] : tensor<2048xf32> to tensor<f32>
// CHECK: arith.mulf %[[SUM]],
// CHECK: graph.reduce sum %{{.*}} dims = [0] : tensor<2048xf32> to tensor<f32>
// CHECK-NOT: graph.reduce
// CHECK: return
func.func @whole(%x: tensor<33554432xf32>) -> tensor<33554432xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<33554432xf32> to tensor<33554432xf32>
  return %0 : tensor<33554432xf32>
}

// CHECK-LABEL: @kept_by_a_cluster
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<512x262144xf32> to tensor<512xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<512x262144xf32> to tensor<512xf32>
func.func @kept_by_a_cluster(%x: tensor<512x262144xf32>) -> tensor<512x262144xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<512x262144xf32> to tensor<512x262144xf32>
  return %0 : tensor<512x262144xf32>
}

// CHECK-LABEL: @many
// CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<512x500000xf32> to tensor<512xf32>
func.func @many(%x: tensor<512x500000xf32>) -> tensor<512x500000xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<512x500000xf32> to tensor<512x500000xf32>
  return %0 : tensor<512x500000xf32>
}
