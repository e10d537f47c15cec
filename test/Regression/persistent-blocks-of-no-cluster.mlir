// Fewer persistent blocks than a cluster that keeps rows would have: the grid had none. Found by random schedules.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile{target=sm_90a},tile.kernel(tile-persistent))' | FileCheck %s

// CHECK: tile.kernel @sums grid = [2, 1, 1] warps = 2
// CHECK-NOT: cluster
graph.kernel anchor(reduction) @sums(%x: tensor<48x130xf32>) -> tensor<48x130xf32>
    attributes {tile.schedule = #tile.schedule<tile = [5, 1], reduce = 1, warps = 2, warp_grid = [1, 2], stages = 1, persistent = 2>} {
  %0 = graph.reduce sum %x dims = [1] : tensor<48x130xf32> to tensor<48xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<48xf32> to tensor<48x130xf32>
  %2 = arith.subf %x, %1 : tensor<48x130xf32>
  graph.return %2 : tensor<48x130xf32>
}
