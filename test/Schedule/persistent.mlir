// tile-persistent: a fixed number of blocks takes the tiles in turn; with one tile a block the kernel stays as it is,
// unless instances of a role divide the tiles.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,tile-assign-layouts,tile-persistent))' | FileCheck %s

// CHECK-LABEL: tile.kernel @three_blocks grid = [3, 1, 1]
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: scf.for %[[TILE:.*]] = %[[BLOCK]] to %c4{{.*}} step %c3
// CHECK-NOT: tile.block_id
// CHECK: arith.muli %[[TILE]]
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: tile.store
graph.kernel anchor(matmul) @three_blocks(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 3>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// CHECK-LABEL: tile.kernel @enough_blocks grid = [4, 1, 1]
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
graph.kernel anchor(matmul) @enough_blocks(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, persistent = 132>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// CHECK-LABEL: tile.kernel @turns grid = [4, 1, 1]
// CHECK-COUNT-2: scf.for
graph.kernel anchor(matmul) @turns(%a: tensor<256x128xbf16>, %b: tensor<128x64xbf16>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = pingpong, persistent = 132>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x64xbf16> to tensor<256x64xf32>
  graph.return %0 : tensor<256x64xf32>
}

// Kernels without products, too: their next row is loaded while they work on this one.
// CHECK-LABEL: tile.kernel @rows grid = [3, 1, 1]
// CHECK: %[[BLOCK:.*]] = tile.block_id 0
// CHECK: scf.for %[[ROW:.*]] = %[[BLOCK]] to %c13{{.*}} step %c3
// CHECK: tile.load %{{.*}}[%[[ROW]]
// CHECK: tile.reduce
// CHECK: tile.store
graph.kernel anchor(reduction) @rows(%x: tensor<13x1024xf32>) -> tensor<13x1024xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 1024], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1, persistent = 3>} {
  %0 = graph.reduce max %x dims = [1] : tensor<13x1024xf32> to tensor<13xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<13xf32> to tensor<13x1024xf32>
  %2 = arith.subf %x, %1 : tensor<13x1024xf32>
  graph.return %2 : tensor<13x1024xf32>
}
