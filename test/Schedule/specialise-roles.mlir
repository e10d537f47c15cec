// tile-specialise-roles and tile-take-turns: what fills rings and what reads them become roles; instances take tiles in
// turn, with buffers of their own.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-persistent,tile-async-products,tile-stage-stores,tile-specialise-roles,tile-take-turns,canonicalize,cse))' | FileCheck %s

// The loading role has the loop and the index arithmetic, and none of the values that the loop carries.
// CHECK-LABEL: tile.kernel @cooperative grid = [2, 1, 1] warps = 12
// CHECK: %[[RING:.*]] = tile.ring %[[A:.*]], %[[B:.*]] readers = 2
// CHECK: tile.role @load warps = 4 instances = 1 registers = 40(%[[RING]],
// CHECK-NOT: begin_dot
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c64 {
// CHECK: tile.acquire
// CHECK-NEXT: tile.copy_bulk
// CHECK-NEXT: tile.copy_bulk
// CHECK-NEXT: tile.commit
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.role @multiply warps = 8 instances = 1 registers = 232
// CHECK-NOT: tile.copy_bulk
// CHECK: tile.begin_dot
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.wait
// CHECK: tile.dot_async
// CHECK: tile.await
// CHECK: tile.load
// CHECK: arith.addf
// CHECK: tile.store
// CHECK: tile.return
graph.kernel anchor(matmul) @cooperative(%a: tensor<256x256xbf16>, %b: tensor<256x64xbf16>, %r: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 3, product = wgmma, roles = cooperative, registers = [40, 232]>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  %1 = arith.addf %0, %r : tensor<256x64xf32>
  graph.return %1 : tensor<256x64xf32>
}

// Two instances: each starts with its own tile and skips the other's; the turn is taken before the first wait and
// passed on behind the last product, before the sums are awaited. Two buffers for each instance's pieces.
// CHECK-LABEL: tile.kernel @pingpong grid = [2, 1, 1] warps = 12
// CHECK: tile.alloc : <4, bf16,
// CHECK: tile.role @multiply warps = 4 instances = 2
// CHECK-NEXT: ^bb0(%[[INSTANCE:[^:]*]]: index
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[INSTANCE]], %c1
// CHECK-NEXT: scf.if %[[LAST]]
// CHECK-NEXT: tile.pass_turn %[[INSTANCE]]
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[INSTANCE]], %c2
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[SKIPPED]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %c4{{.*}} step %c4
// CHECK: tile.take_turn %[[INSTANCE]]
// CHECK-NEXT: scf.for
// CHECK: tile.pass_turn %[[INSTANCE]]
// CHECK-NEXT: tile.await
// CHECK: tile.wait_stores 1
// CHECK-NEXT: tile.barrier
// CHECK: tile.slice {{.*}} at [0, 0] : tensor<64x128xbf16
// CHECK: tile.store_shared {{.*}}[%[[SKIPPED]]]
// CHECK-NEXT: tile.fence_async
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store_bulk
// CHECK: tile.slice {{.*}} at [0, 64]
// CHECK: tile.store_bulk
// CHECK: tile.wait_stores 0
graph.kernel anchor(matmul) @pingpong(%a: tensor<256x256xbf16>, %b: tensor<256x128xbf16>) -> tensor<256x128xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, roles = pingpong, persistent = 2, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<256x256xbf16>, tensor<256x128xbf16> to tensor<256x128xf32>
  %1 = arith.truncf %0 : tensor<256x128xf32> to tensor<256x128xbf16>
  graph.return %1 : tensor<256x128xbf16>
}
