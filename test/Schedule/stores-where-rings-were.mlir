// tile-stage-stores: a block of one tile has its pieces side by side in the rings' bytes, once all warps are done with
// products; blocks that take several tiles, whose next one is loaded meanwhile, have two buffers beside the rings.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-persistent,tile-async-products,tile-stage-stores,canonicalize,cse,tile-specialise-roles,canonicalize,cse,tile-allocate-shared))' | FileCheck %s

// CHECK-LABEL: tile.kernel @one_tile
// CHECK: tile.alloc offset = 0 {tile.behind_rings} : <3, bf16, "{shape=[128,64],
// CHECK: tile.alloc offset = 0 : <2, bf16, "{shape=[128,64],
// CHECK: tile.await %
// CHECK-NOT: tile.wait_stores
// CHECK: tile.barrier
// CHECK-NEXT: tile.slice {{.*}} at [0, 0]
// CHECK-NOT: tile.wait_stores
// CHECK-COUNT-3: tile.store_bulk
// CHECK: tile.wait_stores 0
graph.kernel anchor(matmul) @one_tile(%a: tensor<256x256xbf16>, %b: tensor<256x384xbf16>) -> tensor<256x384xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 132, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x384xbf16> to tensor<256x384xf32>
  %1 = arith.truncf %0 : tensor<256x384xf32> to tensor<256x384xbf16>
  graph.return %1 : tensor<256x384xbf16>
}

// CHECK-LABEL: tile.kernel @several_tiles
// CHECK-NOT: tile.behind_rings
// CHECK: tile.wait_stores 0
// CHECK-COUNT-2: tile.wait_stores 1
graph.kernel anchor(matmul) @several_tiles(%a: tensor<256x256xbf16>, %b: tensor<256x384xbf16>) -> tensor<256x384xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x384xbf16> to tensor<256x384xf32>
  %1 = arith.truncf %0 : tensor<256x384xf32> to tensor<256x384xbf16>
  graph.return %1 : tensor<256x384xbf16>
}
