// tile-sum-blocks: each block pushes the parts of its accumulators to the blocks that they are for, where fragments lie
// together, and adds up what has come. It arrives behind its product, and pushes when all others have. It leaves kernels of whole K alone.
// RUN: tw-opt %s --convert-graph-to-tile | tw-opt --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-async-products,tile-sum-blocks))' | FileCheck %s

// CHECK-LABEL: tile.kernel @parts grid = [8, 1, 1]
// CHECK-SAME: tile.cluster = 2 : i64
// CHECK: %[[BUFFER:.*]] = tile.alloc : <1, f32, "{shape=[64,128], order=[1,0], block=[8,8], inner=[8,1], outer=[1152,72]}">
// CHECK-NEXT: %[[RING:.*]] = tile.ring %[[BUFFER]] {tile.pushers = 2 : i64}
// CHECK: %[[SUMS:.*]] = tile.await
// CHECK: tile.arrive_cluster own
// CHECK-NEXT: tile.await_cluster
// CHECK-NEXT: tile.push_parts %[[SUMS]], %[[BUFFER]][%{{.*}}] of %[[OWN:.*]] signals %[[RING]][%{{.*}}] dim = 0 of 2
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.wait %[[RING]]
// CHECK-COUNT-2: tile.load_shared %[[BUFFER]]{{.*}} at
// CHECK: arith.addf
// CHECK: tile.store
// CHECK-NOT: cluster
// CHECK: tile.return
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

// Transposed results are cut along their rows, and threads go along columns of fragments.
// CHECK-LABEL: tile.kernel @swapped
// CHECK: tile.alloc : <1, f32, "{shape=[64,16], order=[1,0], block=[8,8], inner=[8,1], outer=[146,72]}">
// CHECK: tile.push_parts {{.*}} dim = 1 of 2
graph.kernel anchor(matmul) @swapped(%a: tensor<16x256xbf16>, %b: tensor<256x64xbf16>) -> tensor<16x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, split_k = 2, swap_operands>} {
  %0 = graph.matmul %a, %b : tensor<16x256xbf16>, tensor<256x64xbf16> to tensor<16x64xf32>
  graph.return %0 : tensor<16x64xf32>
}
