// The schedule stage crashed on loads of rows whose tiles have no layouts.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(tile-keep-rows))' | FileCheck %s

// CHECK: tile.kernel @sums
// CHECK-NOT: tile.alloc
graph.kernel anchor(reduction) @sums(%x: tensor<48x130xf32>) -> tensor<48x130xf32>
    attributes {tile.schedule = #tile.schedule<tile = [5, 1], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<48x130xf32> to tensor<48xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<48xf32> to tensor<48x130xf32>
  %2 = arith.subf %x, %1 : tensor<48x130xf32>
  graph.return %2 : tensor<48x130xf32>
}
