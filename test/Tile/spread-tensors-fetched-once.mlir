// Blocks along a dimension that a large tensor is spread along follow one another where the cache would have lost it by the
// time that the next ones come.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// 67 MB of a mask for 32 heads of scores.
// CHECK-LABEL: tile.kernel @lost
// CHECK: %[[ID:.*]] = tile.block_id 0
// CHECK: %[[HEADS:.*]] = arith.constant 32 : index
// CHECK: %[[HEAD:.*]] = arith.remui %[[ID]], %[[HEADS]]
// CHECK: %[[ROW:.*]] = arith.divui %[[ID]]
// CHECK: tile.load %arg0[%[[HEAD]], %[[ROW]], %{{.*}}]
// CHECK: tile.load %{{.*}}[%{{.*}}, %[[ROW]], %{{.*}}]
graph.kernel anchor(reduction) @lost(%x: tensor<32x4096x4096xbf16>, %m: tensor<4096x4096xf32>) -> tensor<32x4096x4096xbf16> {
  %0 = arith.extf %x : tensor<32x4096x4096xbf16> to tensor<32x4096x4096xf32>
  %1 = graph.broadcast %m dims = [1, 2] : tensor<4096x4096xf32> to tensor<32x4096x4096xf32>
  %2 = arith.addf %0, %1 : tensor<32x4096x4096xf32>
  %3 = graph.reduce max %2 dims = [2] : tensor<32x4096x4096xf32> to tensor<32x4096xf32>
  %r = graph.broadcast %3 dims = [0, 1] : tensor<32x4096xf32> to tensor<32x4096x4096xf32>
  %d = arith.subf %2, %r : tensor<32x4096x4096xf32>
  %4 = arith.truncf %d : tensor<32x4096x4096xf32> to tensor<32x4096x4096xbf16>
  graph.return %4 : tensor<32x4096x4096xbf16>
}

// 8 MB, and as much of two others from one index to the next: the last dimension varies fastest.
// CHECK-LABEL: tile.kernel @stays
// CHECK: %[[ID:.*]] = tile.block_id 0
// CHECK: %[[PLACES:.*]] = arith.constant 2048 : index
// CHECK: arith.remui %[[ID]], %[[PLACES]]
// CHECK: %[[HEAD:.*]] = arith.divui %[[ID]]
// CHECK: tile.load %{{.*}}[%[[HEAD]], %{{.*}}]
graph.kernel anchor(elementwise) @stays(%x: tensor<32x1024x4096xbf16>, %m: tensor<1024x4096xbf16>) -> tensor<32x1024x4096xbf16> {
  %0 = graph.broadcast %m dims = [1, 2] : tensor<1024x4096xbf16> to tensor<32x1024x4096xbf16>
  %1 = arith.addf %x, %0 : tensor<32x1024x4096xbf16>
  graph.return %1 : tensor<32x1024x4096xbf16>
}
