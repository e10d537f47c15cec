// tile-defer-stores: pieces of a tile go behind the next one's first products; where there is no room they stay.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-persistent,tile-async-products,tile-stage-stores,canonicalize,cse,tile-specialise-roles,canonicalize,cse,tile-defer-stores))' | FileCheck %s

// Three pieces, each behind the products of a step of the next tile's, and again behind the loop.
// CHECK-LABEL: tile.kernel @pieces
// CHECK: scf.for %[[TILE:.*]] = %[[FIRST:.*]] to %{{.*}} iter_args(
// CHECK: scf.for %[[K:.*]] =
// CHECK: tile.dot_async
// CHECK: arith.cmpi ne, %[[TILE]], %[[FIRST]]
// CHECK-COUNT-3: tile.store_bulk
// CHECK: tile.await_dots 1
// CHECK: tile.await %
// CHECK-NOT: tile.store_bulk
// CHECK: scf.yield
// CHECK-COUNT-3: tile.store_bulk
graph.kernel anchor(matmul) @pieces(%a: tensor<256x256xbf16>, %b: tensor<256x384xbf16>) -> tensor<256x384xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, defer_stores>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x384xbf16> to tensor<256x384xf32>
  %1 = arith.truncf %0 : tensor<256x384xf32> to tensor<256x384xbf16>
  graph.return %1 : tensor<256x384xbf16>
}

// Two steps of K have no room for three pieces.
// CHECK-LABEL: tile.kernel @few_steps
// CHECK: tile.await_dots 1
// CHECK: tile.await %
// CHECK-COUNT-3: tile.store_bulk
// CHECK-NOT: tile.store_bulk
graph.kernel anchor(matmul) @few_steps(%a: tensor<256x128xbf16>, %b: tensor<128x384xbf16>) -> tensor<256x384xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 192], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, defer_stores>} {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x384xbf16> to tensor<256x384xf32>
  %1 = arith.truncf %0 : tensor<256x384xf32> to tensor<256x384xbf16>
  graph.return %1 : tensor<256x384xbf16>
}

// What a result is combined with is loaded behind the steps that hide stores, and while the others run.
// CHECK-LABEL: tile.kernel @combined
// CHECK: scf.for %{{.*}} iter_args(
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[PART:.*]] step
// CHECK: tile.store_bulk
// CHECK: tile.store_bulk
// CHECK: scf.yield
// CHECK: tile.load
// CHECK: scf.for %{{.*}} = %[[PART]] to
// CHECK-NOT: tile.store_bulk
// CHECK: scf.yield
// CHECK: tile.await %
graph.kernel anchor(matmul) @combined(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>, %v: tensor<256xbf16>) -> tensor<256x256xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, store = bulk, defer_stores>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x256xbf16> to tensor<256x256xf32>
  %w = graph.broadcast %v dims = [1] : tensor<256xbf16> to tensor<256x256xbf16>
  %e = arith.extf %w : tensor<256x256xbf16> to tensor<256x256xf32>
  %s = arith.addf %0, %e : tensor<256x256xf32>
  %1 = arith.truncf %s : tensor<256x256xf32> to tensor<256x256xbf16>
  graph.return %1 : tensor<256x256xbf16>
}
