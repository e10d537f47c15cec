// Columns that stay in shared memory between two passes lie in whole tiles of a cluster's blocks. Of rows that begin within sectors a block has
// 256 bytes; where the last one of sixteen would have none of tiles of 64 rows, these have 16; where sixteen have no room for so
// much, they have half as much side by side.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @wide grid = [1504, 1, 1] {{.*}}tile.cluster = 16 {{.*}}tile = [16, 64], reduce = 1, warps = 8
graph.kernel anchor(reduction) @wide(%x: tensor<4157x5988xf32>) -> tensor<4157x5988xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<4157x5988xf32> to tensor<5988xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<5988xf32> to tensor<4157x5988xf32>
  %2 = arith.subf %x, %1 : tensor<4157x5988xf32>
  %3 = math.tanh %2 : tensor<4157x5988xf32>
  graph.return %3 : tensor<4157x5988xf32>
}

// CHECK: tile.kernel @narrow {{.*}}tile = [128, 32], reduce = 1, warps = 8
graph.kernel anchor(reduction) @narrow(%x: tensor<8324x5983xbf16>) -> tensor<8324x5983xbf16> {
  %0 = arith.extf %x : tensor<8324x5983xbf16> to tensor<8324x5983xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<8324x5983xf32> to tensor<5983xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<5983xf32> to tensor<8324x5983xf32>
  %3 = arith.subf %0, %2 : tensor<8324x5983xf32>
  %4 = arith.truncf %3 : tensor<8324x5983xf32> to tensor<8324x5983xbf16>
  graph.return %4 : tensor<8324x5983xbf16>
}
