// Blocks that share rows by tiles of one element each kept their sums to themselves: a tile of one has nothing to reduce, but
// the other blocks' to add.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// CHECK: tile.kernel @one
// CHECK: tile.reduce {{.*}} dim = 0 attributes {tile.blocks = 4 : i64}
graph.kernel anchor(reduction) @one(%x: tensor<4x8xf32>) -> tensor<8xf32>
    attributes {tile.schedule = #tile.schedule<tile = [1, 8], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, split_k = 4>} {
  %0 = graph.reduce sum %x dims = [0] : tensor<4x8xf32> to tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}
