// Loads of a loop were counted by their layouts before the first ones have any, and the pass crashed.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(tile-prefetch-loads))' | FileCheck %s

// CHECK: tile.kernel @maxima
// CHECK: scf.for
// CHECK-NEXT: tile.load
graph.kernel anchor(reduction) @maxima(%x: tensor<1024x64xf32>) -> tensor<64xf32>
    attributes {tile.schedule = #tile.schedule<tile = [128, 32], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %0 = graph.reduce max %x dims = [0] : tensor<1024x64xf32> to tensor<64xf32>
  graph.return %0 : tensor<64xf32>
}
