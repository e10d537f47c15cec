// tile-sum-blocks: accumulators go to the block's shared memory behind a barrier, each block reads its part of all blocks'
// between two arrivals, and waits at its end. It leaves kernels of whole K alone.
// RUN: tw-opt %s --convert-graph-to-tile | tw-opt --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-async-products,tile-sum-blocks))' | FileCheck %s

// CHECK-LABEL: tile.kernel @parts grid = [8, 1, 1]
// CHECK-SAME: tile.cluster = 2 : i64
// CHECK: %[[BUFFER:.*]] = tile.alloc {tile.behind_rings} : <1, f32, "{shape=[64,128], order=[1,0], inner=[136,1]}">
// CHECK: %[[SUMS:.*]] = tile.await
// CHECK: tile.barrier
// CHECK-NEXT: tile.store_shared %[[SUMS]], %[[BUFFER]]
// CHECK-NEXT: tile.arrive_cluster
// CHECK-NEXT: tile.await_cluster
// CHECK: tile.load_peer %[[BUFFER]]{{.*}} {tile.own}
// CHECK: tile.load_peer %[[BUFFER]]
// CHECK-NOT: tile.own
// CHECK: arith.addf
// CHECK-NEXT: tile.arrive_cluster
// CHECK: tile.store
// CHECK-NEXT: tile.await_cluster
// CHECK-NEXT: tile.return
graph.kernel anchor(matmul) @parts(%a: tensor<128x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<128x256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, split_k = 2>} {
  %0 = graph.matmul %a, %b : tensor<128x256xbf16>, tensor<256x256xbf16> to tensor<128x256xf32>
  graph.return %0 : tensor<128x256xf32>
}

// CHECK-LABEL: tile.kernel @whole
// CHECK-NOT: tile.arrive_cluster
// CHECK: tile.return
graph.kernel anchor(matmul) @whole(%a: tensor<128x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<128x256xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma>} {
  %0 = graph.matmul %a, %b : tensor<128x256xbf16>, tensor<256x256xbf16> to tensor<128x256xf32>
  graph.return %0 : tensor<128x256xf32>
}
