// Blocks that store parts of one line of memory run one after the other, where others that share lines run near enough all the same.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// 16 of each 80 elements that lie side by side in the second result: five blocks have 320 bytes, not every 2912th.
// CHECK: tile.kernel @across {{.*}}tile = [16, 1, 2, 64]
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: arith.remui %[[BLOCK]], %[[FIVE]]
graph.kernel anchor(transpose) @across(%m: tensor<104x56xf32>, %x: tensor<16x5x104x56x56xf32>, %r: tensor<16x5x104x56xf32>) ->
    (tensor<16x5x104x56x56xf32>, tensor<56x56x104x16x5xf32>, tensor<16x5x104x56x56xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [16, 1, 2, 64], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.broadcast %m dims = [2, 4] : tensor<104x56xf32> to tensor<16x5x104x56x56xf32>
  %1 = arith.subf %0, %x : tensor<16x5x104x56x56xf32>
  %2 = graph.transpose %1 permutation = [3, 4, 2, 0, 1] {graph.materialize} : tensor<16x5x104x56x56xf32> to tensor<56x56x104x16x5xf32>
  %3 = graph.broadcast %r dims = [0, 1, 2, 4] : tensor<16x5x104x56xf32> to tensor<16x5x104x56x56xf32>
  %4 = arith.maximumf %3, %1 : tensor<16x5x104x56x56xf32>
  graph.return %1, %2, %4 : tensor<16x5x104x56x56xf32>, tensor<56x56x104x16x5xf32>, tensor<16x5x104x56x56xf32>
}
