// Rows that go into their own elements again are not cut where the blocks of clusters keep them: one kernel reads them once. Longer rows,
// rows of which nothing is needed again, too few for half of the chip, and chips without clusters cut them.
// RUN: tw-opt %s --fuse-split-reductions=cluster-blocks=16 | FileCheck %s
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s --check-prefix=ALONE

// CHECK-LABEL: @norm
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
// CHECK-NOT: graph.reduce
// ALONE-LABEL: @norm
// ALONE: graph.reduce sum %{{.*}} dims = [2]
func.func @norm(%x: tensor<64x65536xf32>) -> tensor<64x65536xf32> {
  %0 = arith.mulf %x, %x : tensor<64x65536xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
  %2 = math.rsqrt %1 : tensor<64xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<64xf32> to tensor<64x65536xf32>
  %4 = arith.mulf %x, %3 : tensor<64x65536xf32>
  return %4 : tensor<64x65536xf32>
}

// Rows of several dimensions, as of a norm of groups of channels.
// CHECK-LABEL: @groups
// CHECK: graph.reduce max %{{.*}} dims = [2, 3] : tensor<2x32x10x4096xf32> to tensor<2x32xf32>
// CHECK-NOT: graph.reduce
// ALONE-LABEL: @groups
// ALONE: graph.reshape
func.func @groups(%x: tensor<2x32x10x4096xf32>) -> tensor<2x32x10x4096xf32> {
  %0 = graph.reduce max %x dims = [2, 3] : tensor<2x32x10x4096xf32> to tensor<2x32xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<2x32xf32> to tensor<2x32x10x4096xf32>
  %2 = arith.subf %x, %1 : tensor<2x32x10x4096xf32>
  return %2 : tensor<2x32x10x4096xf32>
}

// CHECK-LABEL: @sums_alone
// CHECK: graph.reduce sum %{{.*}} dims = [2]
func.func @sums_alone(%x: tensor<64x65536xf32>) -> tensor<64xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x65536xf32> to tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: @longer
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @longer(%x: tensor<64x200000xf32>) -> tensor<64x200000xf32> {
  %0 = graph.reduce max %x dims = [1] : tensor<64x200000xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<64xf32> to tensor<64x200000xf32>
  %2 = arith.subf %x, %1 : tensor<64x200000xf32>
  return %2 : tensor<64x200000xf32>
}

// CHECK-LABEL: @fewer
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @fewer(%x: tensor<4x65536xf32>) -> tensor<4x65536xf32> {
  %0 = graph.reduce max %x dims = [1] : tensor<4x65536xf32> to tensor<4xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x65536xf32>
  %2 = arith.subf %x, %1 : tensor<4x65536xf32>
  return %2 : tensor<4x65536xf32>
}

// CHECK-LABEL: @columns
// CHECK: graph.reshape
func.func @columns(%x: tensor<65536x64xf32>) -> tensor<65536x64xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<65536x64xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<64xf32> to tensor<65536x64xf32>
  %2 = arith.subf %x, %1 : tensor<65536x64xf32>
  return %2 : tensor<65536x64xf32>
}
