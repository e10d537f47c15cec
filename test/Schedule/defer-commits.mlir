// tile-defer-commits: slots that threads fill by cp.async are committed some slots later, through the tiles of a block;
// what is stored, what instances fill in turn, and a ring of two stages are committed at once.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-persistent,tile-async-products,tile-specialise-roles,tile-defer-commits,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: tile.kernel @later
// CHECK: tile.role @load warps = 4 instances = 1
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[OUTER:.*]] = %c0)
// CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OUTER]])
// CHECK: tile.acquire %[[RING:.*]][%[[SLOT:.*]]] {tile.deferred}
// CHECK-NEXT: tile.copy_bulk
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: %[[LATER:.*]] = arith.cmpi uge, %[[SLOT]], %c2
// CHECK-NEXT: scf.if %[[LATER]]
// CHECK-NEXT: tile.wait_async 2
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[SLOT]], %c2
// CHECK-NEXT: tile.commit %[[RING]][%[[BEFORE]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLOT]], %c1
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: scf.yield %[[INNER]]
// CHECK: arith.cmpi uge, %[[ALL]], %c2
// CHECK: tile.wait_async 1
// CHECK: tile.commit
// CHECK: arith.cmpi uge, %[[ALL]], %c1
// CHECK: tile.wait_async 0
// CHECK: tile.commit
// CHECK: tile.role @multiply
graph.kernel anchor(matmul) @later(%a: tensor<256x136xbf16>, %b: tensor<136x66xbf16>) -> tensor<256x66xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, roles = cooperative, persistent = 2>} {
  %0 = graph.matmul %a, %b : tensor<256x136xbf16>, tensor<136x66xbf16> to tensor<256x66xf32>
  graph.return %0 : tensor<256x66xf32>
}

// CHECK-LABEL: tile.kernel @stored
// CHECK: tile.role @load warps = 4 instances = 2
// CHECK-NOT: tile.deferred
// CHECK: scf.if
// CHECK: tile.acquire
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: tile.wait_async 0
// CHECK-NEXT: tile.commit
graph.kernel anchor(matmul) @stored(%a: tensor<64x137xbf16>, %b: tensor<137x66xbf16>) -> tensor<64x66xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, roles = cooperative, loaders = 2>} {
  %0 = graph.matmul %a, %b : tensor<64x137xbf16>, tensor<137x66xbf16> to tensor<64x66xf32>
  graph.return %0 : tensor<64x66xf32>
}

// CHECK-LABEL: tile.kernel @two_stages
// CHECK: tile.copy_async
// CHECK-NEXT: tile.copy_async
// CHECK-NEXT: tile.commit_async
// CHECK-NEXT: tile.wait_async 0
// CHECK-NEXT: tile.commit
// CHECK-NOT: tile.wait_async
graph.kernel anchor(matmul) @two_stages(%a: tensor<64x130xbf16>, %b: tensor<130x66xbf16>) -> tensor<64x66xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = cp_async, roles = cooperative>} {
  %0 = graph.matmul %a, %b : tensor<64x130xbf16>, tensor<130x66xbf16> to tensor<64x66xf32>
  graph.return %0 : tensor<64x66xf32>
}
