// Results that are stored while the next tile is multiplied, through a view that collapses batch dimensions: the view was
// carried from tile to tile like a value, of which there is no zero, and the compiler stopped. Found by the scores of 8x12 heads.
// RUN: tw-opt %s --tile-stage --schedule-stage | FileCheck %s

// CHECK: tile.role @multiply
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: !tile.view<{{.*}} = %
// CHECK: tile.store_bulk
graph.kernel anchor(matmul) @scores(%a: tensor<2x3x256x64xbf16>, %b: tensor<2x3x64x256xbf16>) -> tensor<2x3x256x256xbf16>
    attributes {tile.schedule = #tile.schedule<tile = [1, 128, 128], reduce = 16, warps = 8, warp_grid = [8, 1], stages = 4, product = wgmma, roles = cooperative, registers = [40, 232], persistent = 4, store = bulk, defer_stores>} {
  %0 = graph.matmul %a, %b : tensor<2x3x256x64xbf16>, tensor<2x3x64x256xbf16> to tensor<2x3x256x256xf32>
  %1 = arith.truncf %0 : tensor<2x3x256x256xf32> to tensor<2x3x256x256xbf16>
  graph.return %1 : tensor<2x3x256x256xbf16>
}
