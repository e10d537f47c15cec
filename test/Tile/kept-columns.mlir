// Columns that stay in shared memory between two passes lie in whole tiles of a cluster's blocks. Where the last one of eight would have none of
// 128 rows, tiles have 64; of narrow elements as many blocks have half as many side by side.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @wide grid = [1504, 1, 1] {{.*}}tile.cluster = 8 {{.*}}tile = [64, 32], reduce = 1, warps = 8
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
