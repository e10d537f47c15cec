// What products load says nothing of how their results lie, though tiles of both have one shape: the store decides.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(tile-assign-layouts))' | FileCheck %s

// CHECK: %[[SUM:.*]] = tile.dot
// CHECK-NEXT: %[[OUT:.*]] = tile.convert_layout %[[SUM]]
// CHECK-SAME: register=[{{\[}}0,1],[0,2],[0,4],[16,0]]
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[OUT]]
// CHECK-NEXT: tile.store %[[ROUNDED]]
graph.kernel anchor(matmul) @one_step(%a: tensor<32x96xbf16>, %b: tensor<200x32xbf16>) -> tensor<96x200xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [32, 64], reduce = 32, warps = 4, warp_grid = [1, 4], stages = 1>} {
  %ta = graph.transpose %a permutation = [1, 0] : tensor<32x96xbf16> to tensor<96x32xbf16>
  %tb = graph.transpose %b permutation = [1, 0] : tensor<200x32xbf16> to tensor<32x200xbf16>
  %0 = graph.matmul %ta, %tb : tensor<96x32xbf16>, tensor<32x200xbf16> to tensor<96x200xf32>
  %1 = arith.truncf %0 : tensor<96x200xf32> to tensor<96x200xbf16>
  graph.return %1 : tensor<96x200xbf16>
}
